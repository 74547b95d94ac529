//! What the layouts of ecCKD and of Isobar have in common: absorption is a sum of gases, over one grid of pressures and
//! temperatures.

use isobar_optics::{Ecckd, EcckdDependence, EcckdGas, EcckdPlanck, EcckdSolar, EcckdSpectrum};

use super::names::{ABSORPTION, MOLE_FRACTION, Names, POSITIVE_FRACTION, RAYLEIGH, REFERENCE};
use super::valid;
use crate::error::Error;
use crate::netcdf::{Accepted, Array, Dataset};

pub(super) fn read(file: &Dataset, names: &Names) -> Result<Ecckd, Error> {
    let any = || 1..=usize::MAX;
    let points = file.exact_size("g_point", any())?;
    for axis in ["pressure", "temperature"] {
        file.exact_size(axis, 2..=usize::MAX)?;
    }
    let numbers = |name: &str, dimensions: &[&str], unit: &str, accepted| {
        file.numbers(&Array { name, dimensions, unit, states_unit: true, accepted })
    };
    let pairs = |[low, high]: [&str; 2], dimension: &str| -> Result<Vec<[f64; 2]>, Error> {
        let of = |name| numbers(name, &[dimension], "cm-1", Accepted::NOT_NEGATIVE);
        Ok(of(low)?.into_iter().zip(of(high)?).map(|(low, high)| [low, high]).collect())
    };
    let bands = pairs(names.bands, "band")?;
    let band_of_point = file.whole_numbers(names.band_of_point, &["g_point"], (0, bands.len() - 1))?;
    let gases = gases_in_order(file, names)?;
    let gases = gases.into_iter().map(|gas| read_gas(file, names, gas)).collect::<Result<Vec<_>, Error>>()?;
    let spectrum = if file.has_name(names.fraction) {
        // A plain number, for which ecCKD states no unit.
        let fraction = Array {
            name: names.fraction,
            dimensions: &["g_point", names.interval],
            unit: "1",
            states_unit: false,
            accepted: Accepted::FRACTION,
        };
        let solar = file.has_name(names.interval_solar);
        let solar = solar.then(|| numbers(names.interval_solar, &[names.interval], "W m-2", Accepted::NOT_NEGATIVE));
        Some(EcckdSpectrum {
            intervals: pairs(names.intervals, names.interval)?,
            fraction: file.numbers(&fraction)?,
            solar_irradiance: solar.transpose()?,
        })
    } else {
        None
    };
    let planck = if file.has_name(names.planck) {
        let along = names.planck_temperature;
        Some(EcckdPlanck {
            temperature_k: numbers(along, &[along], "K", Accepted::POSITIVE)?,
            irradiance: numbers(names.planck, &[along, "g_point"], "W m-2", Accepted::NOT_NEGATIVE)?,
        })
    } else {
        None
    };
    let solar = if file.has_name(names.solar) {
        Some(EcckdSolar {
            irradiance: numbers(names.solar, &["g_point"], "W m-2", Accepted::NOT_NEGATIVE)?,
            rayleigh: numbers(names.rayleigh, &["g_point"], "m2 mol-1", RAYLEIGH)?,
        })
    } else {
        None
    };
    let model = Ecckd {
        points,
        pressure_pa: numbers("pressure", &["pressure"], "Pa", Accepted::POSITIVE)?,
        temperature_k: numbers("temperature", &["temperature", "pressure"], "K", Accepted::POSITIVE)?,
        gases,
        bands,
        band_of_point,
        spectrum,
        planck,
        solar,
    };
    valid::check(&model, names).map_err(|problem| file.invalid(problem))?;
    Ok(model)
}

/// The names of the gases: as the attribute has them, which must name each that has absorption, or as their variables
/// come.
fn gases_in_order(file: &Dataset, names: &Names) -> Result<Vec<String>, Error> {
    let there: Vec<&str> = file.names().filter_map(|name| name.strip_suffix(names.absorption)).collect();
    let Some(text) = file.attribute(names.gases) else {
        return Ok(there.into_iter().map(str::to_owned).collect());
    };
    let gases: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    if let Some(gas) = there.iter().find(|&&gas| !gases.iter().any(|other| other == gas)) {
        let problem = format!("the attribute {} = {text:?} lacks {gas:?}, which has absorption", names.gases);
        return Err(file.invalid(problem));
    }
    Ok(gases)
}

fn read_gas(file: &Dataset, names: &Names, name: String) -> Result<EcckdGas, Error> {
    let absorption = format!("{name}{}", names.absorption);
    let (fraction, reference) = (format!("{name}{MOLE_FRACTION}"), format!("{name}{REFERENCE}"));
    let code = file.whole_numbers(&format!("{name}{}", names.dependence), &[], (0, 3))?[0];
    let numbers = |name: &str, dimensions: &[&str], unit: &str, accepted| {
        file.numbers(&Array { name, dimensions, unit, states_unit: true, accepted })
    };
    let dependence = match code {
        0 => EcckdDependence::None,
        1 => EcckdDependence::Linear,
        2 => EcckdDependence::LookUp(numbers(&fraction, &[&fraction], "mol mol-1", POSITIVE_FRACTION)?),
        _ => EcckdDependence::RelativeLinear(numbers(&reference, &[], "mol mol-1", Accepted::FRACTION)?[0]),
    };
    let dimensions = match dependence {
        EcckdDependence::LookUp(_) => &[fraction.as_str(), "temperature", "pressure", "g_point"][..],
        _ => &["temperature", "pressure", "g_point"],
    };
    let absorption = numbers(&absorption, dimensions, "m2 mol-1", ABSORPTION)?;
    Ok(EcckdGas { name, dependence, absorption })
}
