//! Whether a k-distribution that is a sum of gases makes sense, read or about to be written.

use isobar_optics::{Ecckd, EcckdDependence, EcckdGas};

use super::check::{self, Axis};
use super::names::{ABSORPTION, MOLE_FRACTION, Names, POSITIVE_FRACTION, RAYLEIGH, REFERENCE};
use crate::netcdf::Accepted;

/// By how much the parts of a g-point may miss 1 in all.
const PARTS: f64 = 1e-3;

/// A sentence where a table has another size than its axes, an axis no equal steps, a value is out of its range or a
/// total implausible.
pub(super) fn check(model: &Ecckd, names: &Names) -> Result<(), String> {
    let (pressures, points) = (model.pressure_pa.len(), model.points);
    if points == 0 || pressures == 0 {
        return Err(format!("there are {points} g-points and {pressures} pressures; expected at least 1"));
    }
    values("pressure", &model.pressure_pa, pressures, Accepted::POSITIVE)?;
    check::even("pressure", &model.pressure_pa, Axis::RisingByFactor, |index| format!("pressure {index}"))?;
    let temperatures = temperatures(&model.temperature_k, pressures)?;

    if model.gases.is_empty() {
        return Err("there is no gas".into());
    }
    for (index, gas) in model.gases.iter().enumerate() {
        if gas.name.is_empty() || model.gases[..index].iter().any(|other| other.name == gas.name) {
            return Err(format!("gas {index} is called {:?}; expected a name of its own", gas.name));
        }
        check_gas(gas, temperatures * pressures * points, names)?;
    }

    let limits = |name: [&str; 2], limits: &[[f64; 2]]| {
        values(name[0], limits.as_flattened(), 2 * limits.len(), Accepted::NOT_NEGATIVE)?;
        check::limits(&format!("{} to {}:", name[0], name[1]), "cm-1", limits)
    };
    if model.bands.is_empty() {
        return Err("there is no band".into());
    }
    limits(names.bands, &model.bands)?;
    size(names.band_of_point, model.band_of_point.len(), points)?;
    if let Some(point) = model.band_of_point.iter().position(|&band| band >= model.bands.len()) {
        let (band, last) = (model.band_of_point[point], model.bands.len() - 1);
        return Err(format!("{} = {band} at g_point {point} lies outside [0, {last}]", names.band_of_point));
    }
    if let Some(spectrum) = &model.spectrum {
        let intervals = spectrum.intervals.len();
        limits(names.intervals, &spectrum.intervals)?;
        values(names.fraction, &spectrum.fraction, points * intervals, Accepted::FRACTION)?;
        for point in 0..points {
            let total: f64 = spectrum.fraction[point * intervals..(point + 1) * intervals].iter().sum();
            if (total - 1.0).abs() > PARTS {
                let name = names.fraction;
                return Err(format!("{name} of g_point {point} is {total} in all; expected 1 within {PARTS}"));
            }
        }
        if let Some(solar) = &spectrum.solar_irradiance {
            values(names.interval_solar, solar, intervals, Accepted::NOT_NEGATIVE)?;
        }
    }

    if model.planck.is_none() && model.solar.is_none() {
        return Err(format!("neither {} (long wave) nor {} (short wave) is there", names.planck, names.solar));
    }
    if let Some(planck) = &model.planck {
        let (name, count) = (names.planck_temperature, planck.temperature_k.len());
        values(name, &planck.temperature_k, count, Accepted::POSITIVE)?;
        check::even(name, &planck.temperature_k, Axis::Rising, |index| format!("{name} {index}"))?;
        values(names.planck, &planck.irradiance, count * points, Accepted::NOT_NEGATIVE)?;
        for (&temperature, row) in planck.temperature_k.iter().zip(planck.irradiance.chunks_exact(points)) {
            check::below_black_body(names.planck, temperature, row.iter().sum())?;
        }
    }
    if let Some(solar) = &model.solar {
        values(names.solar, &solar.irradiance, points, Accepted::NOT_NEGATIVE)?;
        check::solar_total(names.solar, solar.irradiance.iter().sum())?;
        values(names.rayleigh, &solar.rayleigh, points, RAYLEIGH)?;
    }
    Ok(())
}

/// The number of temperatures at each pressure, which rise by one step everywhere.
fn temperatures(table: &[f64], pressures: usize) -> Result<usize, String> {
    let name = "temperature";
    let count = table.len() / pressures;
    values(name, table, count * pressures, Accepted::POSITIVE)?;
    for pressure in 0..pressures {
        let column: Vec<f64> = table.iter().skip(pressure).step_by(pressures).copied().collect();
        let place = |index| format!("temperature {index}, pressure {pressure}");
        check::even(name, &column, Axis::Rising, place)?;
        let (step, first) = (column[1] - column[0], table[pressures] - table[0]);
        if (step - first).abs() > 1e-4 * first.abs() {
            return Err(format!(
                "{name} rises by {step} K at pressure {pressure}; expected {first} K, as at pressure 0"
            ));
        }
    }
    Ok(count)
}

fn check_gas(gas: &EcckdGas, grid: usize, names: &Names) -> Result<(), String> {
    let name = format!("{}{}", gas.name, names.absorption);
    let nodes = match &gas.dependence {
        EcckdDependence::LookUp(fractions) => {
            let name = format!("{}{MOLE_FRACTION}", gas.name);
            values(&name, fractions, fractions.len(), POSITIVE_FRACTION)?;
            check::even(&name, fractions, Axis::RisingByFactor, |index| format!("{name} {index}"))?;
            fractions.len()
        }
        EcckdDependence::RelativeLinear(reference) => {
            values(&format!("{}{REFERENCE}", gas.name), &[*reference], 1, Accepted::FRACTION)?;
            1
        }
        EcckdDependence::None | EcckdDependence::Linear => 1,
    };
    values(&name, &gas.absorption, nodes * grid, ABSORPTION)
}

pub(super) fn size(name: &str, found: usize, expected: usize) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{name} has {found} values; expected {expected}")) }
}

pub(super) fn values(name: &str, values: &[f64], expected: usize, accepted: Accepted) -> Result<(), String> {
    size(name, values.len(), expected)?;
    match values.iter().position(|&value| !accepted.contains(value)) {
        None => Ok(()),
        Some(index) => Err(format!("{name} = {} at {index} lies outside {accepted}", values[index])),
    }
}
