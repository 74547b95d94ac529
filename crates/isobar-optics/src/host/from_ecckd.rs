//! ecCKD's coefficients in the order in which kernels read them.

use isobar_core::Real;

use super::ecckd::{Ecckd, EcckdDependence, EcckdGas};
use super::gas_optics::{CoefficientError, GasOptics, ROOM, axis, range, refuse};
use crate::gases::{DRY_AIR, H2O, gas_number};
use crate::tables::{AbsorberRow, Axis, BandRow, FlavourRow, Model, NONE, REGIONS};

/// What ecCKD calls the gases that always are there.
const COMPOSITE: &str = "composite";
/// Mole fractions of water of a table without any.
const NO_WATER: [f64; 2] = [1e-6, 1e-1];

impl TryFrom<&Ecckd> for GasOptics {
    type Error = CoefficientError;

    fn try_from(file: &Ecckd) -> Result<Self, CoefficientError> {
        if file.planck.is_some() == file.solar.is_some() {
            return refuse("ecCKD's coefficients are either of the long wave or of the short wave".to_owned());
        }
        let (points, pressures) = (file.points, file.pressure_pa.len());
        let stride = points.next_multiple_of(8);
        let mut coefficients = Vec::new();
        let mut push = |rows: &[f64]| {
            let begin = coefficients.len() as u32;
            for row in rows.chunks(points) {
                let end = coefficients.len() + stride;
                coefficients.extend_from_slice(row);
                coefficients.resize(end, 0.0);
            }
            begin
        };

        // Where nothing depends on the amount of water by a table, that of a gas that absorbs nothing.
        let nothing = vec![0.0; NO_WATER.len() * file.temperature_k.len() * points];
        let water = look_up(file)?;
        let (table, fractions) = water.unwrap_or((&nothing[..], &NO_WATER[..]));
        let mut band = BandRow {
            major: push(table),
            major_stride: stride as u32,
            minor_stride: stride as u32,
            ..BandRow::default()
        };
        let key_gases: Vec<usize> = water.map(|_| H2O).into_iter().collect();
        let (mut absorbers, mut gases) = (Vec::new(), key_gases.clone());
        for gas in file.gases.iter().filter(|gas| !matches!(gas.dependence, EcckdDependence::LookUp(_))) {
            let row = absorber(gas)?;
            let begin = push(&gas.absorption);
            if absorbers.is_empty() {
                band.minor = [begin; REGIONS];
            }
            if row.gas as usize != DRY_AIR {
                gases.push(row.gas as usize);
            }
            absorbers.push(row);
        }
        band.minors = [absorbers.len() as u32; REGIONS];
        if let Some(solar) = &file.solar {
            band.rayleigh = [push(&solar.rayleigh); REGIONS];
        }
        coefficients.extend([0.0; ROOM]);

        let first_temperature = file.temperature_k[..pressures].to_vec();
        let temperatures = file.temperature_k.len() / pressures;
        let above: Vec<f64> =
            (0..temperatures).map(|t| file.temperature_k[t * pressures] - first_temperature[0]).collect();
        let ln = |values: &[f64]| values.iter().map(|&value| Real::ln(value)).collect::<Vec<_>>();
        let (planck, planck_temperature) = match &file.planck {
            Some(planck) => (planck.irradiance.clone(), axis(&planck.temperature_k)?),
            None => (Vec::new(), Axis::default()),
        };
        let solar = file.solar.as_ref().map_or(&[][..], |solar| &solar.irradiance);
        let total: f64 = solar.iter().sum();
        let warmest = file.temperature_k.iter().copied().fold(0.0, f64::max);
        let coldest = file.temperature_k.iter().copied().fold(f64::INFINITY, f64::min);
        let slots = absorbers.len().max(1) as u32;
        absorbers.resize(slots as usize, AbsorberRow { scaling_gas: NONE, ..AbsorberRow::default() });
        Ok(GasOptics {
            points,
            points_of_bands: vec![points as u32],
            band_limits_per_cm: file.bands.clone(),
            flux_band_of_point: file.band_of_point.iter().map(|&band| band as u32).collect(),
            gases,
            key_gases,
            pressure_range_pa: [0.0, f64::INFINITY],
            temperature_range_k: [coldest, warmest],
            planck_range_k: file.planck.as_ref().and_then(|planck| range(&planck.temperature_k)),
            trained: trained(file),
            solar_irradiance_w_per_m2: total,
            spectrum: file.spectrum.clone(),
            model: Model::Ecckd,
            coefficients,
            bands: vec![band],
            flavour_rows: vec![FlavourRow::default()],
            ratios: Vec::new(),
            absorbers,
            planck,
            solar_parts: solar.iter().map(|value| value / total).collect(),
            secants: Vec::new(),
            first_temperature,
            temperature: first_steps(&above)?,
            ln_pressure: first_steps(&ln(&file.pressure_pa))?,
            ln_water: axis(&ln(fractions))?,
            planck_temperature,
            tropopause_pa: 0.0,
            flavours: 1,
            slots,
            mixtures: 2,
            major_inner: (temperatures * pressures) as u32,
            minor_rows: (temperatures * pressures) as u32,
        })
    }
}

/// An axis with the step of its first two nodes, which are numbers of single precision: ecRad's, whose mean step
/// differs by up to 1e-6 of it.
fn first_steps(nodes: &[f64]) -> Result<Axis<f64>, CoefficientError> {
    let axis = axis(nodes)?;
    Ok(Axis { step: nodes[1] - nodes[0], ..axis })
}

/// Mole fractions of CKDMIP's scenarios, from the last glacial maximum to eight times the carbon dioxide before
/// industry (Hogan and Matricardi 2020, doi:10.5194/gmd-13-6501-2020), and those of the present, which ecCKD's
/// coefficients that are relative refer to.
const CKDMIP: [(&str, [f64; 2], f64); 3] =
    [("co2", [180e-6, 2240e-6], 415e-6), ("ch4", [350e-9, 3500e-9], 1921e-9), ("n2o", [190e-9, 540e-9], 332e-9)];

/// What is known of how a model was trained: with CKDMIP's profiles, if what it refers to is theirs.
fn trained(file: &Ecckd) -> Vec<(usize, [f64; 2])> {
    let of = |name: &str| CKDMIP.iter().find(|(other, ..)| *other == name);
    let refers = |gas: &EcckdGas| match (&gas.dependence, of(&gas.name)) {
        (EcckdDependence::RelativeLinear(reference), Some((.., present))) => (reference / present - 1.0).abs() < 1e-3,
        _ => false,
    };
    if !file.gases.iter().any(refers) {
        return Vec::new();
    }
    let ranges = file.gases.iter().filter_map(|gas| of(&gas.name));
    ranges.filter_map(|(name, range, _)| Some((gas_number(name)?, *range))).collect()
}

/// Absorption over mole fractions, and these.
type Table<'a> = (&'a [f64], &'a [f64]);

/// The table over a gas's mole fraction, if there is one: the gas has to be water vapour.
fn look_up(file: &Ecckd) -> Result<Option<Table<'_>>, CoefficientError> {
    let mut found = file.gases.iter().filter_map(|gas| match &gas.dependence {
        EcckdDependence::LookUp(fractions) => Some((gas, &fractions[..])),
        _ => None,
    });
    match (found.next(), found.next()) {
        (None, _) => Ok(None),
        (Some((gas, fractions)), None) if gas.name == "h2o" => Ok(Some((&gas.absorption, fractions))),
        (Some((gas, _)), None) => {
            let name = &gas.name;
            refuse(format!("{name} has a table over its mole fraction (dependence 2), which h2o alone may have"))
        }
        (Some((one, _)), Some((other, _))) => refuse(format!(
            "{} and {} have tables over their mole fractions (dependence 2), which h2o alone may have",
            one.name, other.name
        )),
    }
}

fn absorber(gas: &EcckdGas) -> Result<AbsorberRow<f64>, CoefficientError> {
    let number = match gas_number(&gas.name) {
        Some(number) => number,
        None if gas.name == COMPOSITE => DRY_AIR,
        None if gas.dependence == EcckdDependence::None => DRY_AIR,
        None => return refuse(format!("an unknown gas, {}, whose absorption depends on its amount", gas.name)),
    };
    let (number, reference) = match &gas.dependence {
        EcckdDependence::None => (DRY_AIR, 0.0),
        EcckdDependence::Linear => (number, 0.0),
        EcckdDependence::RelativeLinear(reference) => (number, *reference),
        EcckdDependence::LookUp(_) => unreachable!("found before"),
    };
    Ok(AbsorberRow { gas: number as u32, scaling_gas: NONE, reference, ..AbsorberRow::default() })
}
