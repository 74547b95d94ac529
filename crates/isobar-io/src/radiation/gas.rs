//! The gases that k-distributions know.

use isobar_optics::gases::GASES;
use isobar_radiation::{Columns, rrtmg};

use super::RadiationRequest;
use super::quantity::field;
use crate::columns_file::{Fields, Reading, gas};
use crate::error::Error;

/// The molar mass of dry air \[g/mol\].
const DRY_AIR: f64 = 28.964;

/// Reads all gases that the k-distributions know.
pub(super) fn read(reading: &mut Reading, request: &RadiationRequest) -> Result<gas::Forms, Error> {
    gas::read(reading, wanted(request), request.assume_zero)
}

/// The gases that the k-distributions know.
pub(super) fn wanted<'a>(request: &'a RadiationRequest<'_>) -> impl Iterator<Item = gas::Gas> + use<'a> {
    // RRTMG_LW counts gases that do not absorb among what broadens lines.
    let may_be = |number: usize| request.spectra.is_rrtmg() && rrtmg::GASES.contains(&GASES[number]);
    let numbers = (0..GASES.len()).filter(move |&number| request.spectra.knows_gas(number) || may_be(number));
    numbers.map(move |number| {
        gas::Gas::of(number, field(GASES[number]), request.spectra.knows_gas(number), request.constants)
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
) -> Result<(), Error> {
    let key = |name: &str| {
        let number = GASES.iter().position(|&gas| gas == name);
        request.spectra.gas_optics().any(|optics| number.is_some_and(|number| optics.key_gases.contains(&number)))
    };
    let mut put = |name: &str, mut values: Vec<f64>| {
        if values.is_empty() && key(name) {
            values.push(0.0);
        }
        gas::put(columns, name, values);
    };
    let dry_air = if request.spectra.is_rrtmg() { rrtmg::constants::DRY_AIR } else { DRY_AIR };
    forms.take(fields, (dry_air, humidity), &mut put, derived)
}
