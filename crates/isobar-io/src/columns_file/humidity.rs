//! Water vapour, of which files have several kinds of ratios.

use std::ops::Bound;

use super::{Per, Quantity, Reading, between};
use crate::error::Error;
use crate::netcdf::Accepted;

/// A mass in a mass of dry air.
pub(crate) const MIXING_RATIO: Quantity =
    water("qv", &["QVAPOR"], &["humidity_mixing_ratio"], "kg kg-1", between(-1e-3, 1.0));
/// A mass in a mass of moist air.
pub(crate) const SPECIFIC_HUMIDITY: Quantity =
    water("specific_humidity", &["q", "Q", "hus", "shum"], &["specific_humidity"], "kg kg-1", SOME_FRACTION);
/// Moles in a mole of moist air.
pub(crate) const MOLE_FRACTION: Quantity = water(
    "mole_fraction_of_water_vapor_in_air",
    &["h2o_mole_fraction_fl"],
    &["mole_fraction_of_water_vapor_in_air"],
    "mol mol-1",
    FRACTION,
);
/// Spectral models leave some below zero.
const SOME_FRACTION: Accepted = Accepted { low: Bound::Included(-1e-3), high: Bound::Excluded(1.0) };
const FRACTION: Accepted = Accepted { low: Bound::Included(0.0), high: Bound::Excluded(1.0) };

const fn water(
    name: &'static str,
    aliases: &'static [&'static str],
    standard: &'static [&'static str],
    unit: &'static str,
    accepted: Accepted,
) -> Quantity {
    Quantity::new(name, aliases, standard, unit, Per::AnyLayer, accepted)
}

/// How a file gives water vapour by mass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Humidity {
    /// In a mass of dry air.
    Dry,
    /// In a mass of moist air, as its standard name says, by a name that others have for that in dry air.
    MoistByStandardName,
    /// In a mass of moist air.
    Specific,
}

impl Humidity {
    /// Reads it, if it is there: `mixing_ratio` is what that in dry air is called.
    pub(crate) fn read(reading: &mut Reading, mixing_ratio: &Quantity) -> Result<Option<Self>, Error> {
        let specific = SPECIFIC_HUMIDITY.per(mixing_ratio.per);
        let found = if reading.standard_name(mixing_ratio).is_some_and(|name| specific.has_standard_name(&name)) {
            Self::MoistByStandardName
        } else if reading.has(mixing_ratio)? {
            Self::Dry
        } else if reading.has(&specific)? {
            Self::Specific
        } else {
            return Ok(None);
        };
        reading.need(if found == Self::Specific { &specific } else { mixing_ratio })?;
        Ok(Some(found))
    }

    /// What was read.
    pub(crate) fn quantity(self, mixing_ratio: &Quantity) -> Quantity {
        if self == Self::Specific { SPECIFIC_HUMIDITY.per(mixing_ratio.per) } else { *mixing_ratio }
    }

    /// The mass in a mass of dry air.
    pub(crate) fn dry(self, value: f64) -> f64 {
        if self == Self::Dry { value } else { value / (1.0 - value) }
    }
}
