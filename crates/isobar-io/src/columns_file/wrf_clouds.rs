//! Clouds of WRF's files.

use super::{Fields, Per, Quantity, Reading, between};
use crate::error::Error;
use crate::netcdf::Accepted;

/// WRF spreads a layer's water over this part of it at least.
const LEAST_FRACTION: f64 = 0.01;
/// Effective radii where WRF's file has none \[um\].
const RADII: [f64; 2] = [10.0, 30.0];

pub(crate) const ICE_RADIUS: Quantity =
    Quantity::new("ice_radius", &["re_ice", "RE_ICE"], &[], "um", Per::Layer, Accepted::NOT_NEGATIVE);

/// Mixing ratios of mass, as WRF has them; advection leaves some below zero.
const CLOUD_WATER: Quantity = Quantity::new("QCLOUD", &[], &[], "kg kg-1", Per::Layer, between(-1e-3, 1.0));
const CLOUD_ICE: Quantity = Quantity::new("QICE", &[], &[], "kg kg-1", Per::Layer, between(-1e-3, 1.0));

/// The same of rain and snow, and the effective radius of snow; the file has none of rain.
pub(crate) const RAIN: Quantity = Quantity::new("QRAIN", &[], &[], "kg kg-1", Per::Layer, between(-1e-3, 1.0));
pub(crate) const SNOW: Quantity = Quantity::new("QSNOW", &[], &[], "kg kg-1", Per::Layer, between(-1e-3, 1.0));

/// What a scheme calls the cloudy part of layers, and the effective radius of droplets.
pub(crate) struct Declared {
    pub(crate) fraction: Quantity,
    pub(crate) liquid_radius: Quantity,
}

/// What WRF knows of clouds, `[layer * count + column]`.
pub(crate) struct WrfClouds {
    pub(crate) fraction: Vec<f64>,
    /// Of liquid and of ice, of the cloudy part \[g/m^2\].
    pub(crate) paths: [Vec<f64>; 2],
    /// Effective radii of droplets and of ice \[um\].
    pub(crate) radii: [Vec<f64>; 2],
}

/// Whether a file has clouds.
pub(crate) fn are_there(reading: &Reading, declared: &Declared) -> Result<bool, Error> {
    Ok((reading.has(&CLOUD_WATER)? || reading.has(&CLOUD_ICE)?) && reading.has(&declared.fraction)?)
}

/// Reads them.
pub(crate) fn read(reading: &mut Reading, declared: &Declared) -> Result<(), Error> {
    reading.need(&declared.fraction)?;
    for quantity in [&CLOUD_WATER, &CLOUD_ICE, &declared.liquid_radius, &ICE_RADIUS] {
        reading.maybe(quantity)?;
    }
    Ok(())
}

impl WrfClouds {
    /// From mixing ratios and the masses of layers \[kg/m^2\].
    pub(crate) fn take(fields: &mut Fields, declared: &Declared, mass: &[f64], derived: &mut Vec<String>) -> Self {
        let fraction = fields.take(&declared.fraction);
        let paths = [&CLOUD_WATER, &CLOUD_ICE].map(|quantity| path(&fields.take(quantity), mass, &fraction));
        derived.push(format!("water paths = mixing ratios, layers' mass over max(CLDFRA, {LEAST_FRACTION})"));
        let mut radii = |quantity: &Quantity, default: f64, what: &str| match fields.take(quantity) {
            radii if radii.is_empty() => {
                derived.push(format!("effective radius of {what} = {default} um"));
                vec![default; fraction.len()]
            }
            radii => radii,
        };
        let [liquid, ice] = RADII;
        let radii = [radii(&declared.liquid_radius, liquid, "droplets"), radii(&ICE_RADIUS, ice, "ice")];
        Self { fraction, paths, radii }
    }
}

/// Paths of the cloudy part \[g/m^2\] of mixing ratios, none where there are none.
pub(crate) fn path(ratio: &[f64], mass: &[f64], fraction: &[f64]) -> Vec<f64> {
    let grams = |(i, mass): (usize, &f64)| {
        1000.0 * ratio.get(i).map_or(0.0, |x| x.max(0.0)) * mass / fraction[i].max(LEAST_FRACTION)
    };
    mass.iter().enumerate().map(grams).collect()
}

/// Masses of layers \[kg/m^2\] from the pressures of levels \[Pa\] and gravity \[m/s^2\].
pub(crate) fn masses(levels: &[f64], count: usize, gravity: f64) -> Vec<f64> {
    levels.iter().zip(&levels[count..]).map(|(below, above)| (below - above) / gravity).collect()
}
