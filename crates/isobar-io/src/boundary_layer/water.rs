//! Water in the air, whatever mass files have it relative to.

use isobar_ysu::Columns;

use super::quantity::field;
use crate::columns_file::clouds::{CONTENTS, is_mixing_ratio};
use crate::columns_file::humidity::Humidity;
use crate::columns_file::{Fields, Quantity, Reading};
use crate::error::Error;

/// Cloud water and ice of the scheme, by its names.
const CLOUDS: [&str; 2] = ["cloud_water_kg_per_kg", "cloud_ice_kg_per_kg"];

/// How a file has water.
pub(super) struct Water {
    vapour: Humidity,
}

fn vapour() -> Quantity {
    field("vapour_kg_per_kg")
}

/// Whether cloud water or ice was read.
pub(super) fn has_clouds(reading: &Reading) -> bool {
    let read = |(name, content)| reading.found(&field(name)) || reading.found(content);
    CLOUDS.into_iter().zip(&CONTENTS).any(read)
}

impl Water {
    /// Reads vapour, which must be there, and clouds.
    pub(super) fn read(reading: &mut Reading) -> Result<Self, Error> {
        let found = Humidity::read(reading, &vapour())?;
        if found.is_none() {
            let missing = reading.file.missing_in_words(&vapour().spec(reading.layout));
            let neither = Humidity::missing(reading, &vapour(), &missing);
            reading.lacks(neither);
        }
        for (name, content) in CLOUDS.into_iter().zip(&CONTENTS) {
            let ratio = field(name);
            let quantity = if reading.has(&ratio)? { &ratio } else { content };
            // The same name may be that of a column's total.
            if reading.has(quantity)? && reading.fits(quantity)? {
                reading.maybe(quantity)?;
            }
        }
        Ok(Self { vapour: found.unwrap_or(Humidity::Dry) })
    }

    /// Fills it in, as masses in a mass of dry air.
    pub(super) fn take(self, fields: &mut Fields, columns: &mut Columns<f64>, derived: &mut Vec<String>) {
        let quantity = self.vapour.quantity(&vapour());
        let name = fields.name(quantity.name).unwrap_or_default();
        columns.vapour_kg_per_kg = fields.take(&quantity);
        if self.vapour != Humidity::Dry {
            derived.push(format!("vapour = {name} / (1 - {name})"));
            columns.vapour_kg_per_kg.iter_mut().for_each(|value| *value = self.vapour.dry(*value));
        }
        let clouds = [&mut columns.cloud_water_kg_per_kg, &mut columns.cloud_ice_kg_per_kg];
        for ((ours, content), values) in CLOUDS.into_iter().zip(&CONTENTS).zip(clouds) {
            let ratio = field(ours);
            let quantity = if fields.name(ratio.name).is_some() { &ratio } else { content };
            let Some(name) = fields.name(quantity.name) else { continue };
            *values = fields.take(quantity);
            if !is_mixing_ratio(fields, &name) {
                derived.push(format!("{} = {name} (1 + vapour)", ratio.name));
                values.iter_mut().zip(&columns.vapour_kg_per_kg).for_each(|(value, vapour)| *value *= 1.0 + vapour);
            } else if self.vapour == Humidity::MoistByStandardName
                && fields.file().text_attribute(&name, "standard_name").is_none()
            {
                let ours = ratio.name;
                derived
                    .push(format!("{ours} = {name}, a mass in a mass of dry air, as no standard_name says otherwise"));
            }
        }
    }
}

/// Whether a field is read here.
pub(super) fn is_water(name: &str) -> bool {
    name == "vapour_kg_per_kg" || CLOUDS.contains(&name)
}
