//! Clouds of WRF's files.

use super::clouds::{LEAST_WATER, assumed_fraction, read_water};
use super::{Fields, Per, Quantity, Reading, between};
use crate::error::Error;
use crate::netcdf::Accepted;

/// WRF spreads a layer's water over this part of it at least.
const LEAST_FRACTION: f64 = 0.01;
/// Effective radii where WRF's file has none \[um\].
const RADII: [f64; 2] = [10.0, 30.0];

/// Effective radii up to these \[um\] are for WRF's radiation those of its microphysics where there is nothing.
const NO_DROPLETS_UM: f64 = 2.5;
const NO_ICE_UM: f64 = 5.0;
/// What it takes instead, of droplets.
const LAND_UM: f64 = 7.5;
const SEA_UM: f64 = 10.5;
/// The radius of ice by temperature, in steps of 1 K from the first on (Kristjansson et al. 2000,
/// doi:10.1029/2000JD900015). WRF has no others for warmer air.
const ICE_FIRST_K: f64 = 180.0;
const ICE_RADII_UM: [f64; 76] = [
    5.92779, 6.26422, 6.61973, 6.99539, 7.39234, 7.81177, 8.25496, 8.72323, 9.218, 9.74075, 10.293, 10.8765, 11.4929,
    12.144, 12.8317, 13.5581, 14.2319, 15.0351, 15.8799, 16.7674, 17.6986, 18.6744, 19.6955, 20.7623, 21.8757, 23.0364,
    24.2452, 25.5034, 26.8125, 27.7895, 28.645, 29.4167, 30.1088, 30.7306, 31.2943, 31.8151, 32.3077, 32.787, 33.2657,
    33.754, 34.2601, 34.7892, 35.3442, 35.9255, 36.5316, 37.1602, 37.8078, 38.472, 39.1508, 39.8442, 40.5552, 41.2912,
    42.0635, 42.8876, 43.7863, 44.7853, 45.917, 47.2165, 48.7221, 50.471, 52.498, 54.8315, 57.4898, 60.4785, 63.7898,
    65.5604, 71.2885, 75.4113, 79.7368, 84.2351, 88.8833, 93.6658, 98.5739, 103.603, 108.752, 114.025,
];

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

/// Land and sea, in two ways: 1 and 2, or 1 and 0.
const LAND_OR_SEA: [(Quantity, f64); 2] = [
    (Quantity::new("XLAND", &[], &[], "1", Per::Column, between(0.0, 2.0)), 1.0),
    (Quantity::new("LANDMASK", &[], &[], "1", Per::Column, between(0.0, 1.0)), 1.0),
];

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
    LAND_OR_SEA.iter().try_for_each(|(quantity, _)| reading.maybe(quantity))
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
        let land: Option<Vec<bool>> = LAND_OR_SEA.iter().find_map(|(quantity, land)| {
            let values = fields.take(quantity);
            (!values.is_empty()).then(|| values.into_iter().map(|value| value == *land).collect())
        });
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
        let count = fields.grid().columns();
        if given {
            let stand_in = |index: usize| match &land {
                Some(land) if land[index % count] => LAND_UM,
                _ => SEA_UM,
            };
            let of = if land.is_some() {
                format!("{LAND_UM} um over land and {SEA_UM} um over sea")
            } else {
                format!("{SEA_UM} um, as over sea: there is neither XLAND nor LANDMASK")
            };
            replace("RE_CLOUD", (&mut liquid, NO_DROPLETS_UM), |index| cloudy(0, index), stand_in, &of, notes);
        }
        if ice_given {
            let stand_in = |index: usize| ice_radius_um(temperature[index]);
            let of = "radii by temperature";
            replace("RE_ICE", (&mut ice, NO_ICE_UM), |index| cloudy(1, index), stand_in, of, notes);
        }
        Ok(Self { fraction, paths, radii: [liquid, ice] })
    }
}

/// Puts other radii where there are particles and the file's radius says that there are none.
fn replace(
    name: &str,
    (radii, none): (&mut [f64], f64),
    is_there: impl Fn(usize) -> bool,
    stand_in: impl Fn(usize) -> f64,
    of: &str,
    notes: &mut Vec<String>,
) {
    let mut count = 0;
    for (index, radius) in radii.iter_mut().enumerate() {
        if *radius <= none && is_there(index) {
            *radius = stand_in(index);
            count += 1;
        }
    }
    if count > 0 {
        notes.push(format!(
            "{name} is {none} um or less in {count} layers with such particles, which WRF's scheme takes for unknown: \
             its {of}"
        ));
    }
}

/// The effective radius of ice by temperature \[K\], as WRF's scheme has it.
fn ice_radius_um(temperature_k: f64) -> f64 {
    let last = ICE_RADII_UM.len() - 1;
    let place = (temperature_k - ICE_FIRST_K).clamp(0.0, last as f64);
    let node = (place as usize).min(last - 1);
    let [cold, warm] = [ICE_RADII_UM[node], ICE_RADII_UM[node + 1]];
    cold + (place - node as f64) * (warm - cold)
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

#[cfg(test)]
mod tests {
    use super::ice_radius_um;

    /// By WRF's arithmetic: nodes are `int(T - 179)`, and what is left of T is the way to the next.
    #[test]
    fn radii_of_ice_follow_temperature() {
        for (temperature, expected) in
            [(180.0, 5.92779), (180.25, 6.011_897_5), (230.0, 40.5552), (230.5, 40.9232), (254.5, 111.3885)]
        {
            assert!((ice_radius_um(temperature) - expected).abs() < 1e-10, "{temperature}");
        }
        assert_eq!((ice_radius_um(150.0), ice_radius_um(270.0)), (5.92779, 114.025));
    }
}
