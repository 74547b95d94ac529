//! Gases: what files call them, and mixing ratios of any kind as those relative to dry air.

use std::fmt;
use std::str::FromStr;

use isobar_core::fields::OwnedInputs;
use isobar_longwave::Columns;
use isobar_longwave::band::{GASES, Gas, HALOCARBONS, Halocarbon};
use isobar_longwave::constants::{DRY_AIR, WATER};

use super::LongwaveRequest;
use super::quantity::field;
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

    /// Its mixing ratio, as a file has it for layers or for all of them.
    fn amount(self) -> Quantity {
        let mut quantity = field(self.name());
        quantity.per = Per::AnyLayer;
        quantity
    }

    /// The same by mass.
    fn mass(self) -> Quantity {
        self.amount().in_unit("kg kg-1")
    }

    /// \[g/mol\]
    fn molar_mass(self) -> f64 {
        let position = Self::all().position(|other| other == self).unwrap_or(0);
        MOLAR_MASSES[position]
    }
}

/// Of dry air's other parts \[g/mol\], in the order of [`Absorber::all`].
const MOLAR_MASSES: [f64; 11] = [WATER, 44.009, 47.998, 44.013, 28.010, 16.043, 31.998, 153.81, 137.37, 120.91, 86.47];

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
    let (amount, mass) = (gas.amount(), gas.mass());
    if reading.has(&amount)? {
        // What is no ratio of masses either gets the message about amounts.
        let by_mass = !reading.converts(&amount)? && reading.converts(&mass)?;
        reading.need(if by_mass { &mass } else { &amount })?;
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
            let heavier = DRY_AIR / gas.molar_mass();
            let mut take = |quantity: &Quantity, dry: &dyn Fn(f64) -> f64| -> Vec<f64> {
                fields.take_compact(quantity).into_iter().map(dry).collect()
            };
            let mut values = match form {
                Form::Constant(value) => vec![value],
                Form::Zero => Vec::new(),
                Form::Amount => take(&gas.amount(), &|x| x),
                Form::Mass => take(&gas.mass(), &|x| x * heavier),
                // Advection leaves some below zero.
                Form::Vapour => take(&VAPOUR, &|x| x.max(0.0) * heavier),
                Form::SpecificHumidity => take(&SPECIFIC_HUMIDITY, &|x| x / (1.0 - x) * heavier),
                Form::MoleFraction => take(&MOLE_FRACTION, &|x| x / (1.0 - x)),
            };
            columns.each_real(&mut |declared, field| {
                if declared.name == gas.name() {
                    *field = std::mem::take(&mut values);
                }
            });
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
            assert_eq!(gas.amount().name, gas.name());
            assert_eq!(gas.name().to_uppercase().parse(), Ok(gas));
        }
        assert!("xenon".parse::<Absorber>().unwrap_err().contains("known: h2o, co2, o3"));
    }
}
