//! Clouds of the own layout and of WRF's.

use isobar_radiation::{Columns, Options};

use super::particles::diameters;
use super::quantity::{self, field};
use super::{RadiationRequest, rain_and_snow};
use crate::columns_file::wrf_clouds::{self, ICE_RADIUS, WrfClouds};
use crate::columns_file::{Fields, Quantity, Reading};
use crate::error::Error;

/// Whether clouds are read, for which there have to be tables.
pub(super) fn wanted(reading: &Reading, are_there: bool, request: &RadiationRequest) -> Result<bool, Error> {
    if !request.clouds || !are_there {
        return Ok(false);
    }
    let Some(optics) = request.spectra.without_clouds() else { return Ok(true) };
    let wave = if optics.is_longwave() { "long" } else { "short" };
    Err(reading.file.invalid(format!(
        "there is a cloud_fraction, but there are no tables of clouds for the {wave} wave: give them with --clouds, or \
         leave clouds out with --no-clouds"
    )))
}

/// Reads what the own layout has of clouds; says whether there are any.
pub(super) fn read(reading: &mut Reading, request: &RadiationRequest) -> Result<bool, Error> {
    let are_there = reading.has(&field("cloud_fraction"))?;
    if !wanted(reading, are_there, request)? {
        return Ok(false);
    }
    reading.need(&field("cloud_fraction"))?;
    read_structure(reading, request)?;
    quantity::read(reading, "thickness_m", request)?;
    reading.maybe(&field("liquid_path_g_per_m2"))?;
    reading.maybe(&field("ice_path_g_per_m2"))?;
    let (liquid, ice) = (reading.found(&field("liquid_path_g_per_m2")), reading.found(&field("ice_path_g_per_m2")));
    let more = rain_and_snow::read(reading)?;
    if !liquid && !ice && !more {
        let text =
            "there is a cloud_fraction, but neither liquid_water_path nor ice_water_path, nor one of rain or snow";
        return Err(reading.file.invalid(text));
    }
    if liquid {
        reading.need(&field("liquid_radius_um"))?;
    }
    if ice {
        let by_radius = !reading.has(&field("ice_size_um"))? && reading.has(&ICE_RADIUS)?;
        reading.need(&if by_radius { ICE_RADIUS } else { field("ice_size_um") })?;
    }
    Ok(true)
}

/// Clouds of the own layout.
pub(super) fn take(fields: &mut Fields, columns: &mut Columns<f64>, derived: &mut Vec<String>) {
    columns.cloud_fraction = fields.take(&field("cloud_fraction"));
    columns.thickness_m = fields.take(&field("thickness_m"));
    take_structure(fields, columns);
    let count = columns.cloud_fraction.len();
    let mut or_none = |quantity: &Quantity| match fields.take(quantity) {
        values if values.is_empty() => vec![0.0; count],
        values => values,
    };
    columns.liquid_path_g_per_m2 = or_none(&field("liquid_path_g_per_m2"));
    columns.ice_path_g_per_m2 = or_none(&field("ice_path_g_per_m2"));
    columns.liquid_radius_um = or_none(&field("liquid_radius_um"));
    columns.ice_size_um = fields.take(&field("ice_size_um"));
    if columns.ice_size_um.is_empty() {
        columns.ice_size_um = diameters("ice_size", fields.take(&ICE_RADIUS), derived);
        columns.ice_size_um.resize(count, 0.0);
    }
    rain_and_snow::take(fields, columns, derived);
}

/// Reads how clouds overlap and how uneven they are.
pub(super) fn read_structure(reading: &mut Reading, request: &RadiationRequest) -> Result<(), Error> {
    quantity::read(reading, "overlap_parameter", request)?;
    quantity::read(reading, "fractional_standard_deviation", request)
}

/// Fills it in.
pub(super) fn take_structure(fields: &mut Fields, columns: &mut Columns<f64>) {
    columns.overlap_parameter = fields.take(&field("overlap_parameter"));
    columns.fractional_standard_deviation = fields.take(&field("fractional_standard_deviation"));
}

fn of_wrf() -> wrf_clouds::Declared {
    wrf_clouds::Declared { fraction: field("cloud_fraction"), liquid_radius: field("liquid_radius_um") }
}

/// Reads what WRF has of clouds; says whether there are any.
pub(super) fn read_wrf(reading: &mut Reading, request: &RadiationRequest) -> Result<bool, Error> {
    let are_there = wrf_clouds::are_there(reading, &of_wrf())?;
    if !wanted(reading, are_there, request)? {
        return Ok(false);
    }
    wrf_clouds::read(reading, &of_wrf())?;
    if request.rain_and_snow {
        rain_and_snow::read_wrf(reading)?;
    }
    Ok(true)
}

/// Clouds of WRF, from mixing ratios and the masses of layers \[kg/m^2\]. Sizes are brought into those of the tables.
pub(super) fn take_wrf(
    fields: &mut Fields,
    columns: &mut Columns<f64>,
    mass: &[f64],
    request: &RadiationRequest,
    derived: &mut Vec<String>,
) {
    let WrfClouds { fraction, paths: [liquid_path, ice_path], radii: [liquid_radius, ice_radius] } =
        WrfClouds::take(fields, &of_wrf(), mass, derived);
    let ice_size = diameters("ice_size", ice_radius, derived);
    (columns.ice_path_g_per_m2, columns.liquid_path_g_per_m2) = (ice_path, liquid_path);
    (columns.ice_size_um, columns.liquid_radius_um, columns.cloud_fraction) = (ice_size, liquid_radius, fraction);
    clamp_sizes(columns, request);
    if request.rain_and_snow {
        rain_and_snow::take_wrf(fields, columns, mass, request, derived);
    }
}

/// Brings sizes of droplets and ice into those of the tables.
pub(super) fn clamp_sizes(columns: &mut Columns<f64>, request: &RadiationRequest) {
    let sizes = [&mut columns.liquid_radius_um, &mut columns.ice_size_um];
    let [liquid, ice, ..] = request.spectra.cloud_sizes_um();
    for (sizes, [least, most]) in sizes.into_iter().zip([liquid, ice]) {
        sizes.iter_mut().for_each(|size| *size = size.max(least).min(most));
    }
}

/// Whether the thickness of layers is needed and missing.
pub(super) fn lack_thickness(columns: &Columns<f64>, options: &Options) -> bool {
    let given = !columns.thickness_m.is_empty() || !columns.overlap_parameter.is_empty();
    !columns.cloud_fraction.is_empty() && !given && options.overlap.is_exponential()
}
