//! Clouds of the own layout and of WRF's.

use isobar_core::fields::Need;
use isobar_radiation::rrtmg::LiquidOptics;
use isobar_radiation::{Columns, Options};

use super::particles::sizes_of;
use super::quantity::{self, field, need};
use super::{Outside, RadiationRequest, rain_and_snow};
use crate::columns_file::clouds::{assumed_fraction, clamp_sizes, is_there, read_water};
use crate::columns_file::wrf_clouds::{self, ICE_RADIUS, Layers, WrfClouds};
use crate::columns_file::{Fields, Quantity, Reading};
use crate::error::Error;

/// Whether clouds are read, for which there have to be tables.
pub(super) fn wanted(reading: &Reading, are_there: bool, request: &RadiationRequest) -> Result<bool, Error> {
    if !request.clouds || !are_there {
        return Ok(false);
    }
    let Some(optics) = request.spectra.without_clouds() else { return Ok(true) };
    let wave = if optics.is_longwave() { "long" } else { "short" };
    let what = if reading.has(&field("cloud_fraction"))? { "a cloud_fraction" } else { "water of clouds" };
    Err(reading.file.invalid(format!(
        "there is {what}, but there are no tables of clouds for the {wave} wave: give them with --clouds, or leave \
         clouds out with --no-clouds"
    )))
}

/// Water of the own layout.
fn water() -> [Quantity; 4] {
    ["liquid_path_g_per_m2", "ice_path_g_per_m2", "rain_path_g_per_m2", "snow_path_g_per_m2"].map(field)
}

/// Reads what the own layout has of clouds; says whether there are any. Without a fraction, there are where there is
/// water.
pub(super) fn read(reading: &mut Reading, request: &RadiationRequest) -> Result<bool, Error> {
    if !request.clouds {
        return Ok(false);
    }
    let has_fraction = reading.has(&field("cloud_fraction"))?;
    let depth = depth(reading, request);
    let by_depth = request.spectra.is_rrtmg() && reading.has(&depth)?;
    let are_there = has_fraction || by_depth || read_water(reading, &water())?;
    if !wanted(reading, are_there, request)? {
        return Ok(false);
    }
    if by_depth {
        // Without a fraction it says where clouds are.
        if has_fraction {
            reading.need_where(&depth)?;
        } else {
            reading.need(&depth)?;
        }
        if request.is_rrtmg_alone() {
            reading.maybe(&field("cloud_fraction"))?;
            quantity::read(reading, "thickness_m", request)?;
            return Ok(true);
        }
    }
    if has_fraction {
        reading.need(&field("cloud_fraction"))?;
        water().iter().try_for_each(|quantity| reading.maybe_where(quantity))?;
    }
    read_structure(reading, request)?;
    read_thickness(reading, request)?;
    let [liquid, ice, ..] = water().each_ref().map(|quantity| reading.found(quantity));
    let more = rain_and_snow::read(reading)?;
    if !liquid && !ice && !more {
        let text =
            "there is a cloud_fraction, but neither liquid_water_path nor ice_water_path, nor one of rain or snow";
        return Err(reading.file.invalid(text));
    }
    // One of RRTMG_LW's optics of droplets needs no size.
    if liquid && !(request.is_rrtmg_alone() && request.options.rrtmg.liquid == LiquidOptics::OneCoefficient) {
        reading.need_where(&field("liquid_radius_um"))?;
    }
    if ice {
        let by_radius = !reading.has(&ice_size(request))? && reading.has(&ICE_RADIUS)?;
        reading.need_where(&if by_radius { ICE_RADIUS } else { ice_size(request) })?;
    }
    Ok(true)
}

/// Clouds of the own layout.
pub(super) fn take(
    fields: &mut Fields,
    columns: &mut Columns<f64>,
    request: &RadiationRequest,
    (derived, notes): (&mut Vec<String>, &mut Vec<String>),
) -> Result<(), Error> {
    columns.cloud_fraction = fields.take(&field("cloud_fraction"));
    columns.thickness_m = fields.take(&field("thickness_m"));
    take_structure(fields, columns)?;
    let count = columns.pressure_pa.len();
    if request.spectra.is_rrtmg() {
        take_depth(fields, columns, request, notes)?;
        if request.is_rrtmg_alone() && !columns.cloud_absorption_longwave.is_empty() {
            return Ok(());
        }
    }
    let fraction = &columns.cloud_fraction;
    let names = water().each_ref().map(|quantity| fields.name(quantity.name).unwrap_or_default());
    let mut or_none = |quantity: &Quantity, path: Option<&[f64]>| -> Result<Vec<f64>, Error> {
        let values = fields.take_where(quantity, |index| is_there(fraction, path, index))?;
        Ok(if values.is_empty() { vec![0.0; count] } else { values })
    };
    let liquid_path = or_none(&field("liquid_path_g_per_m2"), None)?;
    let ice_path = or_none(&field("ice_path_g_per_m2"), None)?;
    let liquid_radius = or_none(&field("liquid_radius_um"), Some(&liquid_path))?;
    for (name, path) in names.iter().zip([&liquid_path, &ice_path]) {
        fields.note_unseen(name, (path, 0.0), (fraction, 0.0));
    }
    let ice_is_there = |index: usize| is_there(fraction, Some(&ice_path), index);
    let mut ice_sizes = fields.take_where(&ice_size(request), ice_is_there)?;
    if ice_sizes.is_empty() {
        ice_sizes = sizes_of("ice_size", fields.take_where(&ICE_RADIUS, ice_is_there)?, request, derived);
        ice_sizes.resize(count, 0.0);
    }
    (columns.liquid_path_g_per_m2, columns.liquid_radius_um) = (liquid_path, liquid_radius);
    (columns.ice_path_g_per_m2, columns.ice_size_um) = (ice_path, ice_sizes);
    rain_and_snow::take(fields, columns, request, derived)?;
    if columns.cloud_fraction.is_empty() {
        let Columns { liquid_path_g_per_m2: liquid, ice_path_g_per_m2: ice, .. } = &*columns;
        let Columns { rain_path_g_per_m2: rain, snow_path_g_per_m2: snow, .. } = &*columns;
        columns.cloud_fraction = assumed_fraction(&[liquid, ice, rain, snow], request.cloud_fraction, notes);
    }
    Ok(())
}

/// The size of ice, which RRTMG_LW calls its own where it is alone.
fn ice_size(request: &RadiationRequest) -> Quantity {
    let size = field("ice_size_um");
    if request.is_rrtmg_alone() { size.also_known_as(&["reice"]) } else { size }
}

/// The optical depth of clouds that RRTMG_LW can be given.
fn depth(reading: &Reading, request: &RadiationRequest) -> Quantity {
    let depth = quantity::with_bands(reading, "cloud_absorption_longwave", request);
    depth.also_known_as(&["tauc", "cloud_optical_depth"])
}

/// Fills it in.
fn take_depth(
    fields: &mut Fields,
    columns: &mut Columns<f64>,
    request: &RadiationRequest,
    notes: &mut Vec<String>,
) -> Result<(), Error> {
    let [bands, _] = request.spectra.rrtmg_sizes().expect("it is RRTMG_LW's");
    let (count, in_a_row) = (columns.pressure_pa.len(), fields.grid().columns());
    let fraction = &columns.cloud_fraction;
    // A row a layer and band; of another number of bands the check that follows speaks.
    columns.cloud_absorption_longwave = fields.take_where(&field("cloud_absorption_longwave"), |index| {
        is_there(fraction, None, index / in_a_row / bands * in_a_row + index % in_a_row)
    })?;
    let depth = &columns.cloud_absorption_longwave;
    if depth.is_empty() || !columns.cloud_fraction.is_empty() {
        return Ok(());
    }
    let rows = depth.len() / count;
    let largest = |index: usize| {
        let (layer, column) = (index / in_a_row, index % in_a_row);
        (0..rows).map(|band| depth[(layer * rows + band) * in_a_row + column]).fold(0.0, f64::max)
    };
    let depth: Vec<f64> = (0..count).map(largest).collect();
    columns.cloud_fraction = assumed_fraction(&[&depth], request.cloud_fraction, notes);
    Ok(())
}

/// Reads how clouds overlap and how uneven they are.
pub(super) fn read_structure(reading: &mut Reading, request: &RadiationRequest) -> Result<(), Error> {
    quantity::read(reading, "overlap_parameter", request)?;
    if need("fractional_standard_deviation", request) == Need::Ignored {
        return Ok(());
    }
    reading.maybe_where(&field("fractional_standard_deviation"))
}

/// Reads the thickness of layers, of which only RRTMG_LW's clouds make anything where the file says how clouds overlap.
pub(super) fn read_thickness(reading: &mut Reading, request: &RadiationRequest) -> Result<(), Error> {
    if reading.found(&field("overlap_parameter")) && !request.spectra.is_rrtmg() {
        return Ok(());
    }
    quantity::read(reading, "thickness_m", request)
}

/// Fills it in.
pub(super) fn take_structure(fields: &mut Fields, columns: &mut Columns<f64>) -> Result<(), Error> {
    columns.overlap_parameter = fields.take(&field("overlap_parameter"));
    let fraction = &columns.cloud_fraction;
    let deviation = field("fractional_standard_deviation");
    columns.fractional_standard_deviation = fields.take_where(&deviation, |index| is_there(fraction, None, index))?;
    Ok(())
}

fn of_wrf() -> wrf_clouds::Declared {
    wrf_clouds::Declared { fraction: field("cloud_fraction"), liquid_radius: field("liquid_radius_um") }
}

/// Reads what WRF has of clouds; says whether there are any.
pub(super) fn read_wrf(reading: &mut Reading, request: &RadiationRequest) -> Result<bool, Error> {
    let are_there = request.clouds && wrf_clouds::are_there(reading, &of_wrf())?;
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
    (derived, notes): (&mut Vec<String>, &mut Vec<String>),
) -> Result<(), Error> {
    let layers = Layers {
        mass_kg_per_m2: mass,
        temperature_k: &columns.temperature_k,
        assumed_fraction: request.cloud_fraction,
    };
    let WrfClouds { fraction, paths: [liquid_path, ice_path], radii: [liquid_radius, ice_radius] } =
        WrfClouds::take(fields, &of_wrf(), &layers, (derived, notes))?;
    let ice_size = sizes_of("ice_size", ice_radius, request, derived);
    (columns.ice_path_g_per_m2, columns.liquid_path_g_per_m2) = (ice_path, liquid_path);
    (columns.ice_size_um, columns.liquid_radius_um, columns.cloud_fraction) = (ice_size, liquid_radius, fraction);
    bring_sizes_in(columns, request, notes);
    if request.rain_and_snow {
        rain_and_snow::take_wrf(fields, columns, mass, request, (derived, notes))?;
    }
    Ok(())
}

/// Brings sizes of droplets and ice into those of the tables, unless other sizes are to be an error.
pub(super) fn bring_sizes_in(columns: &mut Columns<f64>, request: &RadiationRequest, notes: &mut Vec<String>) {
    if request.outside == Outside::Error {
        return;
    }
    let [liquid, ice, ..] = request.spectra.cloud_sizes_um(request.options);
    let fraction = &columns.cloud_fraction;
    let (sizes, path) = (&mut columns.liquid_radius_um, &columns.liquid_path_g_per_m2);
    clamp_sizes(("liquid_radius", sizes), (path, fraction), liquid, notes);
    let (sizes, path) = (&mut columns.ice_size_um, &columns.ice_path_g_per_m2);
    clamp_sizes(("ice_size", sizes), (path, fraction), ice, notes);
}

/// Whether the thickness of layers is needed and missing.
pub(super) fn lack_thickness(columns: &Columns<f64>, options: &Options) -> bool {
    let given = !columns.thickness_m.is_empty() || !columns.overlap_parameter.is_empty();
    !columns.cloud_fraction.is_empty() && !given && options.overlap.is_exponential()
}
