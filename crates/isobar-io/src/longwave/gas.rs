//! The gases that RRTMG_LW knows.

use std::fmt;
use std::str::FromStr;

use isobar_core::fields::OwnedInputs;
use isobar_longwave::Columns;
use isobar_longwave::band::{GASES, Gas, HALOCARBONS, Halocarbon};
use isobar_longwave::constants::{DRY_AIR, WATER};

use super::LongwaveRequest;
use super::quantity::field;
use crate::columns_file::{Fields, Reading, gas};
use crate::error::Error;

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
    #[must_use]
    pub fn may_be_missing(self) -> bool {
        matches!(self, Self::Gas(Gas::Co) | Self::Halocarbon(_))
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

/// Reads all gases that the k-distribution knows, and those beside them that the file has.
pub(super) fn read(reading: &mut Reading, request: &LongwaveRequest) -> Result<gas::Forms, Error> {
    let gases = Absorber::all().map(|absorber| gas::Gas {
        name: absorber.name(),
        amount: field(absorber.name()),
        molar_mass: absorber.molar_mass(),
        constant: request.constants.iter().rev().find(|(other, _)| *other == absorber).map(|&(_, value)| value),
        needed: match absorber {
            Absorber::Gas(gas) => request.gases.contains(&gas),
            Absorber::Halocarbon(gas) => request.halocarbons.contains(&gas),
        },
        may_be_missing: absorber.may_be_missing(),
    });
    gas::read(reading, gases, request.assume_zero)
}

/// Fills in the columns' gases.
pub(super) fn take(forms: &gas::Forms, fields: &mut Fields, columns: &mut Columns<f64>, derived: &mut Vec<String>) {
    let mut put = |name: &str, mut values: Vec<f64>| {
        columns.each_real(&mut |declared, field| {
            if declared.name == name {
                *field = std::mem::take(&mut values);
            }
        });
    };
    forms.take(fields, (DRY_AIR, &[]), &mut put, derived);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_gas_is_known_by_its_name() {
        for gas in Absorber::all() {
            assert_eq!(field(gas.name()).name, gas.name());
            assert_eq!(gas.name().to_uppercase().parse(), Ok(gas));
        }
        assert!("xenon".parse::<Absorber>().unwrap_err().contains("known: h2o, co2, o3"));
    }
}
