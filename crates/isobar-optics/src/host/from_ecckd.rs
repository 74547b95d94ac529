//! ecCKD's coefficients in the order in which kernels read them.

use isobar_core::Real;

use super::ecckd::{Ecckd, EcckdDependence, EcckdGas};
use super::gas_optics::{CoefficientError, GasOptics, ROOM, axis, refuse};
use crate::gases::{DRY_AIR, H2O, gas_number};
use crate::tables::{AbsorberRow, Axis, BandRow, FlavourRow, Model, NONE, REGIONS};

/// What ecCKD calls the gases that always are there.
const COMPOSITE: &str = "composite";

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

        let (water, fractions) = look_up(file)?;
        let mut band = BandRow {
            major: push(&water.absorption),
            major_stride: stride as u32,
            minor_stride: stride as u32,
            ..BandRow::default()
        };
        let (mut absorbers, mut gases) = (Vec::new(), vec![H2O]);
        for gas in file.gases.iter().filter(|gas| gas.name != water.name) {
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
            key_gases: vec![H2O],
            pressure_range_pa: [0.0, f64::INFINITY],
            temperature_range_k: [coldest, warmest],
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

/// The gas with a table over its mole fraction, which has to be water vapour.
fn look_up(file: &Ecckd) -> Result<(&EcckdGas, &[f64]), CoefficientError> {
    let tables = |gas: &&EcckdGas| matches!(gas.dependence, EcckdDependence::LookUp(_));
    let found: Vec<&EcckdGas> = file.gases.iter().filter(tables).collect();
    match found[..] {
        [gas] if gas.name == "h2o" => match &gas.dependence {
            EcckdDependence::LookUp(fractions) => Ok((gas, fractions)),
            _ => unreachable!("it has a table"),
        },
        [] => refuse("ecCKD's coefficients have no table over the mole fraction of water vapour".to_owned()),
        [gas] => {
            refuse(format!("ecCKD's coefficients have a table over the mole fraction of {}, not of h2o", gas.name))
        }
        _ => refuse("ecCKD's coefficients have tables over the mole fractions of several gases".to_owned()),
    }
}

fn absorber(gas: &EcckdGas) -> Result<AbsorberRow<f64>, CoefficientError> {
    let number = match gas_number(&gas.name) {
        Some(number) => number,
        None if gas.name == COMPOSITE => DRY_AIR,
        None => return refuse(format!("ecCKD's coefficients have an unknown gas, {}", gas.name)),
    };
    let (number, reference) = match &gas.dependence {
        EcckdDependence::None => (DRY_AIR, 0.0),
        EcckdDependence::Linear => (number, 0.0),
        EcckdDependence::RelativeLinear(reference) => (number, *reference),
        EcckdDependence::LookUp(_) => unreachable!("found before"),
    };
    Ok(AbsorberRow { gas: number as u32, scaling_gas: NONE, reference, ..AbsorberRow::default() })
}
