//! Rain and snow of the own layout and of WRF's.

use isobar_radiation::Columns;

use super::particles::{self, RAIN, SNOW, sizes_of};
use super::quantity::field;
use super::{Outside, RadiationRequest};
use crate::columns_file::clouds::is_there;
use crate::columns_file::derive::GAS_CONSTANT;
use crate::columns_file::wrf_clouds::{self, path};
use crate::columns_file::{Fields, Per, Quantity, Reading};
use crate::error::Error;
use crate::netcdf::Accepted;

const SNOW_RADIUS: Quantity =
    Quantity::new("snow_radius", &["re_snow", "RE_SNOW"], &[], "um", Per::Layer, Accepted::NOT_NEGATIVE);

/// Raindrops of diameter 0 in a volume and interval of diameters \[m^-4\] (Marshall and Palmer 1948).
const INTERCEPT: f64 = 8e6;
/// Density of water \[kg/m^3\].
const WATER: f64 = 1000.0;

/// Reads the sizes of what the own layout has of them, whose paths are read; says whether there is any.
pub(super) fn read(reading: &mut Reading) -> Result<bool, Error> {
    let (rain, snow) = (field("rain_path_g_per_m2"), field("snow_path_g_per_m2"));
    if reading.found(&rain) {
        reading.need_where(&field("rain_radius_um"))?;
    }
    if reading.found(&snow) {
        let by_radius = !reading.has(&field("snow_size_um"))? && reading.has(&SNOW_RADIUS)?;
        reading.need_where(&if by_radius { SNOW_RADIUS } else { field("snow_size_um") })?;
    }
    Ok(reading.found(&rain) || reading.found(&snow))
}

/// Fills them in.
pub(super) fn take(
    fields: &mut Fields,
    columns: &mut Columns<f64>,
    request: &RadiationRequest,
    derived: &mut Vec<String>,
) -> Result<(), Error> {
    let fraction = &columns.cloud_fraction;
    let names = ["rain_path_g_per_m2", "snow_path_g_per_m2"].map(|name| fields.name(field(name).name));
    let mut of_clouds =
        |name: &str, path: Option<&[f64]>| fields.take_where(&field(name), |index| is_there(fraction, path, index));
    let (rain, snow) = (of_clouds("rain_path_g_per_m2", None)?, of_clouds("snow_path_g_per_m2", None)?);
    let rain_radius = of_clouds("rain_radius_um", Some(&rain))?;
    let mut snow_size = of_clouds("snow_size_um", Some(&snow))?;
    for (name, path) in names.into_iter().zip([&rain, &snow]) {
        fields.note_unseen(&name.unwrap_or_default(), (path, 0.0), (fraction, 0.0));
    }
    if snow_size.is_empty() {
        let radii = fields.take_where(&SNOW_RADIUS, |index| is_there(fraction, Some(&snow), index))?;
        snow_size = sizes_of("snow_size", radii, request, derived);
    }
    (columns.rain_path_g_per_m2, columns.rain_radius_um) = (rain, rain_radius);
    (columns.snow_path_g_per_m2, columns.snow_size_um) = (snow, snow_size);
    Ok(())
}

/// Reads what WRF's files have of them. Snow without its effective radius is refused: none is usual.
pub(super) fn read_wrf(reading: &mut Reading) -> Result<(), Error> {
    reading.maybe(&wrf_clouds::RAIN)?;
    reading.maybe(&wrf_clouds::SNOW)?;
    if reading.found(&wrf_clouds::SNOW) { reading.need_where(&SNOW_RADIUS) } else { Ok(()) }
}

/// Fills them in, of the cloudy part as clouds are. Radii of rain are those of Marshall and Palmer's distribution;
/// sizes are brought into those of the tables.
pub(super) fn take_wrf(
    fields: &mut Fields,
    columns: &mut Columns<f64>,
    mass: &[f64],
    request: &RadiationRequest,
    (derived, notes): (&mut Vec<String>, &mut Vec<String>),
) -> Result<(), Error> {
    let rain = fields.take(&wrf_clouds::RAIN);
    fields.note_unseen(wrf_clouds::RAIN.name, (&rain, 0.0), (&columns.cloud_fraction, 0.0));
    if !rain.is_empty() {
        columns.rain_path_g_per_m2 = path(&rain, mass, &columns.cloud_fraction);
        let radius = |(i, path): (usize, &f64)| {
            let density = columns.pressure_pa[i] / (GAS_CONSTANT * columns.temperature_k[i]);
            rain_radius_um(1e-3 * path * density / mass[i])
        };
        columns.rain_radius_um = columns.rain_path_g_per_m2.iter().enumerate().map(radius).collect();
        derived.push(format!(
            "rain_radius = 1.5 / lambda of Marshall and Palmer's distribution, whose intercept is {INTERCEPT:e} m-4"
        ));
    }
    let snow = fields.take(&wrf_clouds::SNOW);
    fields.note_unseen(wrf_clouds::SNOW.name, (&snow, 0.0), (&columns.cloud_fraction, 0.0));
    if !snow.is_empty() {
        columns.snow_path_g_per_m2 = path(&snow, mass, &columns.cloud_fraction);
        let (fraction, path) = (&columns.cloud_fraction, &columns.snow_path_g_per_m2);
        let radii = fields.take_where(&SNOW_RADIUS, |index| is_there(fraction, Some(path), index))?;
        columns.snow_size_um = sizes_of("snow_size", radii, request, derived);
    }
    if request.outside != Outside::Error {
        notes.extend(particles::bring_in(request, columns, &[RAIN, SNOW]));
    }
    Ok(())
}

/// The effective radius of raindrops by their content \[kg/m^3\]: three halves of the mean diameter. Larger drops are
/// fewer.
fn rain_radius_um(content: f64) -> f64 {
    1.5e6 * (content / (core::f64::consts::PI * WATER * INTERCEPT)).sqrt().sqrt()
}

#[cfg(test)]
mod tests {
    use isobar_core::Real;

    use super::rain_radius_um;

    /// By the distribution itself: the sum of cubes of diameters over that of squares, halved.
    #[test]
    fn the_radius_is_that_of_the_distribution() {
        for content in [1e-5, 1e-3] {
            let slope = Real::powf(core::f64::consts::PI * 1000.0 * 8e6 / content, 0.25);
            let (mut cubes, mut squares) = (0.0, 0.0);
            for step in 0..40_000 {
                let diameter = 1e-3 * (f64::from(step) + 0.5) / slope;
                let weight = Real::exp(-slope * diameter) * diameter * diameter;
                (cubes, squares) = (cubes + weight * diameter, squares + weight);
            }
            let expected = 1e6 * 0.5 * cubes / squares;
            // Steps of a thousandth, up to 40 mean diameters.
            assert!((rain_radius_um(content) / expected - 1.0).abs() < 1e-6, "{expected}");
        }
        assert_eq!(rain_radius_um(0.0), 0.0);
    }
}
