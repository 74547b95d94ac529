//! What rates read of a file's cells.

use super::air::Air;
use super::request::{ChemistryRequest, plain};
use super::series::{Of, Series};
use super::variables::Variables;
use crate::error::Error;
use crate::netcdf::Accepted;

/// Values of an input.
pub(super) fn input(
    file: &mut Variables,
    (air, request): (&Air, &ChemistryRequest<'_>),
    name: &str,
    default: Option<f64>,
    derived: &mut Vec<String>,
) -> Result<Series, Error> {
    let lower = name.to_lowercase();
    if !request.is_of_air(&lower)
        && let Some(value) = request.given(name, derived)
    {
        return Ok(Series::constant(value));
    }
    let known = match lower.as_str() {
        "temp" => air.temperature.clone(),
        "press" => air.pressure.clone(),
        lower => air
            .number_density
            .as_ref()
            .zip(request.part_of_density(lower))
            .map(|(density, part)| Series::constant(part).with(density, Of::Product)),
    };
    if let Some(known) = known {
        return Ok(known);
    }
    match file.find(&[name, &plain(name)]) {
        Some(own) if lower == "sun" => Ok(file.read(&own, &[("1", Accepted::FRACTION)], &[])?.0),
        Some(own) => file.read_for_rates(&own, request.rate_input(name), air.number_density.as_ref(), derived),
        None => match default {
            Some(value) => {
                derived.push(format!("{name} = {value}, as the mechanism has it"));
                Ok(Series::constant(value))
            }
            None => Err(file.invalid(format!(
                "{name} is missing: the mechanism's rates need it, (cell) or (time, cell); or rate_constant (reaction, \
                 cell)"
            ))),
        },
    }
}
