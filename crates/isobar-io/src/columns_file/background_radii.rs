//! Effective radii of WRF's and MPAS's microphysics where there is nothing, which their radiation takes for unknown.

use super::{Fields, Per, Quantity, Reading, between};
use crate::error::Error;

/// Effective radii up to these \[um\] are for the radiation of both those of its microphysics where there is nothing.
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

/// Land and sea, in two ways: 1 and 2, or 1 and 0; in MPAS's files by the same names in small letters.
const LAND_OR_SEA: [(Quantity, f64); 2] = [
    (Quantity::new("XLAND", &[], &[], "1", Per::Column, between(0.0, 2.0)), 1.0),
    (Quantity::new("LANDMASK", &[], &[], "1", Per::Column, between(0.0, 1.0)), 1.0),
];

/// Radii \[um\], `[layer * count + column]`, by the name of the file.
pub(crate) struct Radii<'a> {
    pub(crate) name: &'a str,
    pub(crate) um: &'a mut [f64],
}

/// Which columns are land, if the file says it.
pub(crate) struct Surface {
    is_land: Option<Vec<bool>>,
}

impl Surface {
    pub(crate) fn read(reading: &mut Reading) -> Result<(), Error> {
        LAND_OR_SEA.iter().try_for_each(|(quantity, _)| reading.maybe(quantity))
    }

    pub(crate) fn take(fields: &mut Fields) -> Self {
        let is_land = LAND_OR_SEA.iter().find_map(|(quantity, land)| {
            let values = fields.take(quantity);
            (!values.is_empty()).then(|| values.into_iter().map(|value| value == *land).collect())
        });
        Self { is_land }
    }

    /// Puts radii of droplets over land or sea for those that are none.
    pub(crate) fn replace_droplets(&self, radii: Radii<'_>, is_there: impl Fn(usize) -> bool, notes: &mut Vec<String>) {
        let over_land = |index: usize| self.is_land.as_ref().is_some_and(|land| land[index % land.len()]);
        let stand_in = |index: usize| if over_land(index) { LAND_UM } else { SEA_UM };
        let of = if self.is_land.is_some() {
            format!("{LAND_UM} um over land and {SEA_UM} um over sea")
        } else {
            format!("{SEA_UM} um, as over sea: there is neither XLAND nor LANDMASK")
        };
        replace((radii, NO_DROPLETS_UM), is_there, stand_in, &of, notes);
    }
}

/// Puts radii of ice by temperature \[K\] for those that are none.
pub(crate) fn replace_ice(
    radii: Radii<'_>,
    temperature_k: &[f64],
    is_there: impl Fn(usize) -> bool,
    notes: &mut Vec<String>,
) {
    let stand_in = |index: usize| ice_radius_um(temperature_k[index]);
    replace((radii, NO_ICE_UM), is_there, stand_in, "radii by temperature", notes);
}

/// Puts other radii where there are particles and the file's radius says that there are none.
fn replace(
    (Radii { name, um: radii }, none): (Radii<'_>, f64),
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
            "{name} is {none} um or less in {count} layers with such particles, which the model's scheme takes for \
             unknown: its {of}"
        ));
    }
}

/// The effective radius of ice by temperature \[K\], as their scheme has it.
fn ice_radius_um(temperature_k: f64) -> f64 {
    let last = ICE_RADII_UM.len() - 1;
    let place = (temperature_k - ICE_FIRST_K).clamp(0.0, last as f64);
    let node = (place as usize).min(last - 1);
    let [cold, warm] = [ICE_RADII_UM[node], ICE_RADII_UM[node + 1]];
    cold + (place - node as f64) * (warm - cold)
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
