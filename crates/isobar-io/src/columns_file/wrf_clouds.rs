//! Clouds of WRF's files.

use super::background_radii::{self, Radii, Surface};
use super::clouds::{LEAST_WATER, assumed_fraction, read_water};
use super::{Fields, Per, Quantity, Reading, between};
use crate::error::Error;
use crate::netcdf::Accepted;

/// WRF spreads a layer's water over this part of it at least.
const LEAST_FRACTION: f64 = 0.01;
/// Effective radii where WRF's file has none \[um\].
const RADII: [f64; 2] = [10.0, 30.0];

pub(crate) const ICE_RADIUS: Quantity = Quantity::new(
    "ice_radius",
    &["re_ice", "RE_ICE", "rei", "REI", "reff_qi"],
    &["effective_radius_of_cloud_ice_particles", "effective_radius_of_cloud_ice_particle"],
    "um",
    Per::Layer,
    Accepted::NOT_NEGATIVE,
);

/// Mixing ratios of mass, as WRF has them; advection leaves some below zero.
const CLOUD_WATER: Quantity = Quantity::new("QCLOUD", &[], &[], "kg kg-1", Per::Layer, between(-1e-3, 1.0));
const CLOUD_ICE: Quantity = Quantity::new("QICE", &[], &[], "kg kg-1", Per::Layer, between(-1e-3, 1.0));

/// Mixing ratios of rain and snow, and the effective radius of snow; the file has none of rain.
pub(crate) const RAIN: Quantity = Quantity::new("QRAIN", &[], &[], "kg kg-1", Per::Layer, between(-1e-3, 1.0));
pub(crate) const SNOW: Quantity = Quantity::new("QSNOW", &[], &[], "kg kg-1", Per::Layer, between(-1e-3, 1.0));

/// What a scheme calls the cloudy part of layers, and the effective radius of droplets.
pub(crate) struct Declared {
    pub(crate) fraction: Quantity,
    pub(crate) liquid_radius: Quantity,
}

/// What is known of layers, `[layer * count + column]`.
pub(crate) struct Layers<'a> {
    pub(crate) mass_kg_per_m2: &'a [f64],
    pub(crate) temperature_k: &'a [f64],
    /// The fraction of clouds where the file has none.
    pub(crate) assumed_fraction: f64,
}

/// What WRF knows of clouds, `[layer * count + column]`.
pub(crate) struct WrfClouds {
    pub(crate) fraction: Vec<f64>,
    /// The water paths of liquid and of ice in the cloudy part \[g/m^2\].
    pub(crate) paths: [Vec<f64>; 2],
    /// Effective radii of droplets and of ice \[um\].
    pub(crate) radii: [Vec<f64>; 2],
}

/// Reads the fraction, or water where there is none; says whether the file has clouds.
///
/// # Errors
/// There is a cloud, and no water of it.
pub(crate) fn are_there(reading: &mut Reading, declared: &Declared) -> Result<bool, Error> {
    if reading.has(&declared.fraction)? {
        if reading.has(&CLOUD_WATER)? || reading.has(&CLOUD_ICE)? {
            return Ok(true);
        }
        reading.maybe(&declared.fraction)?;
        if reading.is_positive_somewhere(&declared.fraction) {
            let name = reading.name(&declared.fraction).unwrap_or_default();
            let (water, ice) = (CLOUD_WATER.name, CLOUD_ICE.name);
            let text =
                format!("there is a {name} above 0, but neither {water} nor {ice}: leave clouds out with --no-clouds");
            return Err(reading.file.invalid(text));
        }
        return Ok(false);
    }
    read_water(reading, &[CLOUD_WATER, CLOUD_ICE])
}

/// Reads them.
pub(crate) fn read(reading: &mut Reading, declared: &Declared) -> Result<(), Error> {
    for quantity in [&declared.fraction, &CLOUD_WATER, &CLOUD_ICE] {
        if !reading.found(quantity) {
            reading.maybe(quantity)?;
        }
    }
    reading.maybe_where(&declared.liquid_radius)?;
    reading.maybe_where(&ICE_RADIUS)?;
    Surface::read(reading)
}

impl WrfClouds {
    pub(crate) fn take(
        fields: &mut Fields,
        declared: &Declared,
        layers: &Layers<'_>,
        (derived, notes): (&mut Vec<String>, &mut Vec<String>),
    ) -> Result<Self, Error> {
        let Layers { mass_kg_per_m2: mass, temperature_k: temperature, assumed_fraction: part } = *layers;
        let water = [&CLOUD_WATER, &CLOUD_ICE].map(|quantity| {
            let name = fields.name(quantity.name).unwrap_or_default();
            let water = fields.take(quantity);
            fields.note_negative(&name, &water);
            water
        });
        let mut fraction = fields.take(&declared.fraction);
        if fraction.is_empty() {
            fraction = assumed_fraction(&[&water[0], &water[1]], part, notes);
        }
        for (quantity, water) in [&CLOUD_WATER, &CLOUD_ICE].into_iter().zip(&water) {
            fields.note_unseen(quantity.name, (water, LEAST_WATER), (&fraction, 0.0));
        }
        let paths = water.map(|water| path(&water, mass, &fraction));
        derived.push(format!("water paths = mixing ratios, layers' mass over max(CLDFRA, {LEAST_FRACTION})"));
        let cloudy = |water: usize, index: usize| fraction[index] > 0.0 && paths[water][index] > 0.0;
        let mut radii = |quantity: &Quantity, water: usize, what: &str| -> Result<(Vec<f64>, bool), Error> {
            let radii = fields.take_where(quantity, |index| cloudy(water, index))?;
            if radii.is_empty() {
                let default = RADII[water];
                notes.push(format!("the file has no effective radius of {what}: {default} um"));
                return Ok((vec![default; fraction.len()], false));
            }
            Ok((radii, true))
        };
        let (mut liquid, given) = radii(&declared.liquid_radius, 0, "droplets")?;
        let (mut ice, ice_given) = radii(&ICE_RADIUS, 1, "ice")?;
        let surface = Surface::take(fields);
        if given {
            let droplets = Radii { name: "RE_CLOUD", um: &mut liquid };
            surface.replace_droplets(droplets, |index| cloudy(0, index), notes);
        }
        if ice_given {
            background_radii::replace_ice(
                Radii { name: "RE_ICE", um: &mut ice },
                temperature,
                |index| cloudy(1, index),
                notes,
            );
        }
        Ok(Self { fraction, paths, radii: [liquid, ice] })
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
