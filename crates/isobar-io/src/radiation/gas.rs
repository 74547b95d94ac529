//! The gases that k-distributions know.

use isobar_core::fields::OwnedInputs;
use isobar_optics::gases::GASES;
use isobar_radiation::Columns;

use super::RadiationRequest;
use super::quantity::field;
use crate::columns_file::{Fields, Reading, gas};
use crate::error::Error;

/// Of dry air \[g/mol\].
const DRY_AIR: f64 = 28.964;
/// \[g/mol\], in the order of [`GASES`].
const MOLAR_MASSES: [f64; GASES.len()] = [
    18.016, 44.009, 47.998, 44.013, 28.010, 16.043, 31.998, 28.014, 153.81, 137.37, 120.91, 86.47, 84.04, 120.02,
    70.01, 52.02, 102.03, 88.00, 46.006,
];
/// What hosts cannot do without: the others often are missing, and count for little.
pub const NEEDED: [&str; 7] = ["h2o", "co2", "o3", "n2o", "ch4", "o2", "n2"];

/// Reads all gases that the k-distributions know.
pub(super) fn read(reading: &mut Reading, request: &RadiationRequest) -> Result<gas::Forms, Error> {
    gas::read(reading, wanted(request), request.assume_zero)
}

/// The gases that the k-distributions know.
pub(super) fn wanted<'a>(request: &'a RadiationRequest<'_>) -> impl Iterator<Item = gas::Gas> + use<'a> {
    let known = |number: usize| request.spectra.gas_optics().any(|optics| optics.gases.contains(&number));
    let gases = GASES.into_iter().zip(MOLAR_MASSES).enumerate().filter(move |(number, _)| known(*number));
    gases.map(move |(number, (name, molar_mass))| gas::Gas {
        name,
        amount: field(name),
        molar_mass,
        constant: request.constants.iter().rev().find(|(other, _)| *other == number).map(|&(_, value)| value),
        needed: true,
        may_be_missing: !NEEDED.contains(&name),
    })
}

/// Fills in the columns' gases; `humidity` is that of moist air, where gases are relative to it. One that is zero is
/// left out, unless a k-distribution means nothing without it.
pub(super) fn take(
    forms: &gas::Forms,
    fields: &mut Fields,
    columns: &mut Columns<f64>,
    (request, humidity): (&RadiationRequest, &[f64]),
    derived: &mut Vec<String>,
) {
    let key = |name: &str| {
        let number = GASES.iter().position(|&gas| gas == name);
        request.spectra.gas_optics().any(|optics| number.is_some_and(|number| optics.key_gases.contains(&number)))
    };
    let mut put = |name: &str, mut values: Vec<f64>| {
        if values.is_empty() && key(name) {
            values.push(0.0);
        }
        columns.each_real(&mut |declared, field| {
            if declared.name == name {
                *field = std::mem::take(&mut values);
            }
        });
    };
    forms.take(fields, (DRY_AIR, humidity), &mut put, derived);
}
