//! Water vapour, of which files have several kinds of ratios.

use std::ops::Bound;

use super::{Layout, Per, Quantity, Reading, between};
use crate::error::Error;
use crate::netcdf::Accepted;

/// A mass in a mass of dry air.
const MIXING_RATIO: Quantity = water("qv", &["QVAPOR"], &["humidity_mixing_ratio"], "kg kg-1", between(-1e-3, 1.0));
/// A mass in a mass of moist air.
const SPECIFIC_HUMIDITY: Quantity =
    water("specific_humidity", &["q", "Q", "hus", "shum"], MOIST, "kg kg-1", SOME_FRACTION);
/// Moles in a mole of moist air.
const MOLE_FRACTION: Quantity = water(
    "mole_fraction_of_water_vapor_in_air",
    &["h2o_mole_fraction_fl"],
    &["mole_fraction_of_water_vapor_in_air"],
    "mol mol-1",
    FRACTION,
);
const MOIST: &[&str] = &["specific_humidity", "mass_fraction_of_water_vapor_in_air"];
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

/// What of water vapour a value is, in what of air.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ratio {
    /// Moles in a mole of dry air.
    Amount,
    /// A mass in a mass of dry air.
    Dry,
    /// A mass in a mass of moist air.
    Specific,
    /// Moles in a mole of moist air.
    MoleFraction,
}

impl Ratio {
    const OTHERS: [(Self, Quantity); 3] =
        [(Self::Dry, MIXING_RATIO), (Self::Specific, SPECIFIC_HUMIDITY), (Self::MoleFraction, MOLE_FRACTION)];

    /// Reads water vapour, if it is there, and says as what: by its standard name, whatever the variable is called;
    /// else by the name that it has in its file. `amount` is what moles in a mole of dry air are called.
    pub(crate) fn read(reading: &mut Reading, amount: &Quantity) -> Result<Option<(Self, Quantity)>, Error> {
        let all = std::iter::once((Self::Amount, *amount)).chain(Self::OTHERS);
        for (called, quantity) in all {
            if !reading.has(&quantity)? {
                continue;
            }
            let name = reading.name(&quantity).unwrap_or_default();
            let standard = reading.standard_name(&quantity).unwrap_or_default();
            let stated = Self::of(|one| one.has_standard_name(&standard));
            // RFMIP says so of moles in a mole of dry air, as RTE takes them.
            let is_of_rfmip = reading.layout == Layout::Sites && called == Self::Amount;
            let stated = stated.filter(|ratio| !(is_of_rfmip && *ratio == Self::MoleFraction));
            let mut ratio = stated.or(Self::of(|one| one.goes_by(&name))).unwrap_or(called);
            let mass = Self::Dry.quantity(quantity);
            // What is no ratio of masses either gets the message about amounts.
            if ratio == Self::Amount && !reading.converts(&quantity)? && reading.converts(&mass)? {
                ratio = Self::Dry;
            }
            let found = ratio.quantity(quantity);
            let is_other = !reading.converts(&found)? && (reading.converts(&quantity)? || reading.converts(&mass)?);
            if let (Some(units), true, true) = (reading.file.units_of(&name), stated.is_some(), is_other) {
                let text =
                    format!("{name} has standard_name {standard:?}, but units {units:?}: it is one or the other");
                return Err(reading.file.invalid(text));
            }
            reading.need(&found)?;
            return Ok(Some((ratio, found)));
        }
        Ok(None)
    }

    /// In words what goes by a name of water vapour and says that it is something else, if anything does.
    pub(crate) fn others(reading: &Reading, amount: &Quantity) -> Option<String> {
        let mut all = std::iter::once(*amount).chain(Self::OTHERS.map(|(_, quantity)| quantity));
        all.find_map(|quantity| reading.others(&quantity))
    }

    /// Whether it is one of masses, of which some are below zero.
    pub(crate) fn by_mass(self) -> bool {
        matches!(self, Self::Dry | Self::Specific)
    }

    fn of(is: impl Fn(&Quantity) -> bool) -> Option<Self> {
        Self::OTHERS.into_iter().find(|(_, quantity)| is(quantity)).map(|(ratio, _)| ratio)
    }

    /// What is found as some quantity, as this.
    fn quantity(self, found: Quantity) -> Quantity {
        let own = Self::OTHERS.into_iter().find(|(ratio, _)| *ratio == self);
        own.map_or(found, |(_, own)| found.like(&own))
    }

    /// Moles in a mole of dry air, whose molar mass is so many times that of water. Advection leaves some masses below
    /// zero.
    pub(crate) fn dry(self, value: f64, heavier: f64) -> f64 {
        match self {
            Self::Amount => value,
            Self::Dry => value.max(0.0) * heavier,
            Self::Specific => Humidity::Specific.dry(value.max(0.0)) * heavier,
            Self::MoleFraction => value / (1.0 - value),
        }
    }
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

    /// That neither is there, of a mixing ratio of which this is to be said.
    pub(crate) fn missing(reading: &Reading, mixing_ratio: &Quantity, missing: &str) -> String {
        let others = reading.others(&SPECIFIC_HUMIDITY.per(mixing_ratio.per));
        let others = others.map_or_else(String::new, |others| format!(" ({others})"));
        format!("there is no specific_humidity{others}, and {missing}")
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
