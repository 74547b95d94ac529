//! Gases: what files call them, and mixing ratios of any kind as those relative to dry air.

use std::fmt;
use std::str::FromStr;

use isobar_longwave::Columns;
use isobar_longwave::band::{GASES, Gas, HALOCARBONS, Halocarbon};
use isobar_longwave::constants::{DRY_AIR, WATER};

use super::LongwaveRequest;
use crate::columns_file::{Fields, Per, Quantity, Reading, between};
use crate::error::{Error, Place};
use crate::netcdf::Accepted;

/// A gas or halocarbon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absorber {
    /// A gas with lines.
    Gas(Gas),
    /// A halocarbon.
    Halocarbon(Halocarbon),
}

impl Absorber {
    /// All that have a mixing ratio.
    pub fn all() -> impl Iterator<Item = Self> {
        GASES.into_iter().map(Self::Gas).chain(HALOCARBONS.into_iter().map(Self::Halocarbon))
    }

    /// The formula in small letters.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Gas(gas) => gas.name(),
            Self::Halocarbon(gas) => gas.name(),
        }
    }

    /// Whether hosts of RRTMG_LW often do without it.
    fn may_be_missing(self) -> bool {
        matches!(self, Self::Gas(Gas::Co) | Self::Halocarbon(_))
    }

    /// Its place among what was asked for.
    fn quantity(self) -> &'static Known {
        let position = Self::all().position(|other| other == self).unwrap_or(0);
        &KNOWN[position]
    }

    /// Its values in columns.
    fn values(self, columns: &mut Columns<f64>) -> &mut Vec<f64> {
        match self {
            Self::Gas(gas) => &mut columns.gases[gas as usize],
            Self::Halocarbon(gas) => &mut columns.halocarbons[gas as usize],
        }
    }
}

impl fmt::Display for Absorber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Absorber {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = || Self::all().map(Self::name).collect::<Vec<_>>().join(", ");
        let found = Self::all().find(|gas| gas.name().eq_ignore_ascii_case(text));
        found.ok_or_else(|| format!("there is no gas {text:?}; known: {}", names()))
    }
}

/// A gas by amount and by mass.
struct Known {
    amount: Quantity,
    mass: Quantity,
    /// \[g/mol\]
    molar_mass: f64,
}

const MIXING_RATIO: Accepted = between(0.0, 1.0);

const fn known(
    name: &'static str,
    aliases: &'static [&'static str],
    standard: &'static [&'static str],
    molar_mass: f64,
) -> Known {
    Known {
        amount: Quantity::new(name, aliases, standard, "mol mol-1", Per::AnyLayer, MIXING_RATIO),
        mass: Quantity::new(name, aliases, standard, "kg kg-1", Per::AnyLayer, MIXING_RATIO),
        molar_mass,
    }
}

/// In the order of [`Absorber::all`].
const KNOWN: [Known; 11] = [
    known("h2o", &["water_vapor", "water_vapour"], &[], WATER),
    known("co2", &["carbon_dioxide", "carbon_dioxide_GM"], &["mole_fraction_of_carbon_dioxide_in_air"], 44.009),
    known("o3", &["ozone", "ozone_GM", "O3", "o3vmr"], &["mole_fraction_of_ozone_in_air"], 47.998),
    known("n2o", &["nitrous_oxide", "nitrous_oxide_GM"], &["mole_fraction_of_nitrous_oxide_in_air"], 44.013),
    known("co", &["carbon_monoxide", "carbon_monoxide_GM"], &["mole_fraction_of_carbon_monoxide_in_air"], 28.010),
    known("ch4", &["methane", "methane_GM"], &["mole_fraction_of_methane_in_air"], 16.043),
    known("o2", &["oxygen", "oxygen_GM"], &["mole_fraction_of_molecular_oxygen_in_air"], 31.998),
    known(
        "ccl4",
        &["carbon_tetrachloride", "carbon_tetrachloride_GM"],
        &["mole_fraction_of_carbon_tetrachloride_in_air"],
        153.81,
    ),
    known("cfc11", &["cfc11_GM"], &["mole_fraction_of_cfc11_in_air"], 137.37),
    known("cfc12", &["cfc12_GM"], &["mole_fraction_of_cfc12_in_air"], 120.91),
    known("cfc22", &["cfc22_GM", "hcfc22", "hcfc22_GM"], &["mole_fraction_of_hcfc22_in_air"], 86.47),
];

/// Water as files of models have it.
const VAPOUR: Quantity = water("qv", &["QVAPOR"], &["humidity_mixing_ratio"], "kg kg-1", between(-1e-3, 1.0));
const SPECIFIC_HUMIDITY: Quantity = water("specific_humidity", &[], &["specific_humidity"], "kg kg-1", FRACTION);
const MOLE_FRACTION: Quantity =
    water("mole_fraction_of_water_vapor_in_air", &[], &["mole_fraction_of_water_vapor_in_air"], "mol mol-1", FRACTION);
const FRACTION: Accepted = Accepted { low: std::ops::Bound::Included(0.0), high: std::ops::Bound::Excluded(1.0) };

const fn water(
    name: &'static str,
    aliases: &'static [&'static str],
    standard: &'static [&'static str],
    unit: &'static str,
    accepted: Accepted,
) -> Quantity {
    Quantity::new(name, aliases, standard, unit, Per::AnyLayer, accepted)
}

/// How a gas is given.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Constant(f64),
    Zero,
    Amount,
    Mass,
    Vapour,
    SpecificHumidity,
    MoleFraction,
}

/// How each gas is given.
pub(super) struct Forms(Vec<(Absorber, Form)>);

/// Reads all gases that the k-distribution knows, and those beside them that the file has.
pub(super) fn read(reading: &mut Reading, request: &LongwaveRequest) -> Result<Forms, Error> {
    let needed = |gas: Absorber| match gas {
        Absorber::Gas(gas) => request.gases.contains(&gas),
        Absorber::Halocarbon(gas) => request.halocarbons.contains(&gas),
    };
    let (mut forms, mut missing) = (Vec::new(), Vec::new());
    for gas in Absorber::all() {
        let constant = request.constants.iter().rev().find(|(other, _)| *other == gas);
        let form = match constant {
            Some(&(_, value)) => Some(Form::Constant(value)),
            None => in_file(reading, gas)?,
        };
        match form {
            Some(form) => forms.push((gas, form)),
            None if !needed(gas) => {}
            None if request.assume_zero || gas.may_be_missing() => forms.push((gas, Form::Zero)),
            None => missing.push(gas.name()),
        }
    }
    match missing[..] {
        [] => Ok(Forms(forms)),
        _ => {
            let text = format!(
                "gases are missing: {}; give a constant with --gas NAME=VALUE, or take all that are missing for zero \
                 with --assume-zero",
                missing.join(", ")
            );
            Err(Error::invalid(Place::File(reading.file.path().to_owned()), text))
        }
    }
}

/// Reads a gas, if it is there.
fn in_file(reading: &mut Reading, gas: Absorber) -> Result<Option<Form>, Error> {
    let known = gas.quantity();
    if reading.has(&known.amount)? {
        // What is no ratio of masses either gets the message about amounts.
        let by_mass = !reading.converts(&known.amount)? && reading.converts(&known.mass)?;
        reading.need(if by_mass { &known.mass } else { &known.amount })?;
        return Ok(Some(if by_mass { Form::Mass } else { Form::Amount }));
    }
    if gas != Absorber::Gas(Gas::H2o) {
        return Ok(None);
    }
    for (quantity, form) in
        [(&VAPOUR, Form::Vapour), (&SPECIFIC_HUMIDITY, Form::SpecificHumidity), (&MOLE_FRACTION, Form::MoleFraction)]
    {
        if reading.has(quantity)? {
            reading.need(quantity)?;
            return Ok(Some(form));
        }
    }
    Ok(None)
}

impl Forms {
    /// Fills in the columns' gases.
    pub(super) fn take(&self, fields: &mut Fields, columns: &mut Columns<f64>, derived: &mut Vec<String>) {
        for &(gas, form) in &self.0 {
            let known = gas.quantity();
            let heavier = DRY_AIR / known.molar_mass;
            let mut take = |quantity: &Quantity, dry: &dyn Fn(f64) -> f64| -> Vec<f64> {
                fields.take_compact(quantity).into_iter().map(dry).collect()
            };
            *gas.values(columns) = match form {
                Form::Constant(value) => vec![value],
                Form::Zero => Vec::new(),
                Form::Amount => take(&known.amount, &|x| x),
                Form::Mass => take(&known.mass, &|x| x * heavier),
                // Advection leaves some below zero.
                Form::Vapour => take(&VAPOUR, &|x| x.max(0.0) * heavier),
                Form::SpecificHumidity => take(&SPECIFIC_HUMIDITY, &|x| x / (1.0 - x) * heavier),
                Form::MoleFraction => take(&MOLE_FRACTION, &|x| x / (1.0 - x)),
            };
            match form {
                Form::Constant(value) => derived.push(format!("{gas} = {value} mol/mol, as asked for")),
                Form::Zero => derived.push(format!("{gas} = 0")),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_gas_is_known_by_its_name() {
        for gas in Absorber::all() {
            assert_eq!(gas.quantity().amount.name, gas.name());
            assert_eq!(gas.name().to_uppercase().parse(), Ok(gas));
        }
        assert!("xenon".parse::<Absorber>().unwrap_err().contains("known: h2o, co2, o3"));
    }
}
