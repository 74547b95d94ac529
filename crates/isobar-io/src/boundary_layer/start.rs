//! Where and when columns are that a model starts from, how warm their surface is, and what part of layers is cloudy.

use isobar_core::fields::{Declared, OwnedInputs};
use isobar_radiation::ColumnViews;
use isobar_ysu::Columns;

use super::surface::{TEMPERATURE, computes, field};
use super::water;
use crate::columns_file::time::{self, LATITUDE, LONGITUDE};
use crate::columns_file::{Fields, Quantity, Reading};
use crate::error::Error;
use crate::netcdf::Dimension;

/// Where and when columns are, and what else a start has of them; what their file does not say is empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Whereabouts {
    /// \[degrees\]
    pub latitude_deg: Vec<f64>,
    /// \[degrees\]
    pub longitude_deg: Vec<f64>,
    /// Since 2000-01-01T00:00Z \[s\].
    pub time_s: Option<f64>,
    /// Of the surface, if it was asked for \[K\].
    pub surface_temperature_k: Vec<f64>,
    /// The cloudy part of `[layer * columns + column]`, of a file with cloud water or ice, 0 to 1.
    pub cloud_fraction: Vec<f64>,
}

/// As radiation has it.
fn cloud_fraction() -> Quantity {
    Quantity::declared(Declared::named(ColumnViews::<f64>::DECLARED, "cloud_fraction"))
}

/// Reads what is there.
pub(super) fn read(reading: &mut Reading, surface_temperature: bool) -> Result<(), Error> {
    reading.maybe(&LATITUDE)?;
    reading.maybe(&LONGITUDE)?;
    if surface_temperature {
        reading.maybe(&field(TEMPERATURE))?;
    }
    let fraction = cloud_fraction();
    // The same name may be that of a column's total cover.
    if water::has_clouds(reading) && reading.has(&fraction)? && reading.fits(&fraction)? {
        reading.maybe(&fraction)?;
    }
    time::read(reading).map(drop)
}

/// What was read, of one time.
pub(super) fn take(fields: &mut Fields) -> Result<Whereabouts, Error> {
    let is_time = |name: &str| name == "valid_time" || Dimension::from_name(name) == Some(Dimension::Time);
    let long = fields.grid().dimensions.into_iter().find(|(_, name, size)| *size > 1 && is_time(name));
    if let Some((_, name, times)) = long {
        let file = fields.file();
        let take = format!("`ncks -d {name},0 {} start.nc` takes the first", file.path().display());
        return Err(fields.refuse(format!("there are {times} times along {name}, and a run starts from one: {take}")));
    }
    let time_s = time::times(fields)?.first().map(|time| time.seconds);
    Ok(Whereabouts {
        latitude_deg: fields.take(&LATITUDE),
        longitude_deg: fields.take(&LONGITUDE),
        time_s,
        surface_temperature_k: fields.take(&field(TEMPERATURE)),
        cloud_fraction: fields.take(&cloud_fraction()),
    })
}

/// Of what nobody takes of a start every size is right, and every value.
pub(super) fn fill(columns: &mut Columns<f64>, of_layers: usize, count: usize) {
    let put = |values: &mut Vec<f64>, size: usize| {
        if values.is_empty() {
            *values = vec![1.0; size];
        }
    };
    put(&mut columns.exner, of_layers);
    put(&mut columns.thickness_m, of_layers);
    put(&mut columns.u_current_m_per_s, count);
    put(&mut columns.v_current_m_per_s, count);
    put(&mut columns.surface_pressure_pa, count);
    put(&mut columns.roughness_m, count);
    columns.each_real(&mut |declared, values| {
        if computes(declared) {
            put(values, count);
        }
    });
}
