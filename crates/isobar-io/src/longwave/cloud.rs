//! Clouds of the own layout and of WRF's.

use isobar_longwave::{Columns, IceOptics, LiquidOptics, Options, Overlap, Solver};

use super::quantity::field;
use super::{LongwaveRequest, Outside};
use crate::columns_file::clouds::{assumed_fraction, clamp_sizes, is_there, read_water};
use crate::columns_file::wrf_clouds::{self, ICE_RADIUS, Layers, WrfClouds};
use crate::columns_file::{Fields, Quantity, Reading};
use crate::error::{Error, Place};

/// Fu's generalised size over the effective radius.
const FU_SIZE: f64 = 1.0315;

/// Reads what the own layout has of clouds; says whether there are any. Without a fraction, there are where there is
/// water, or an optical depth.
pub(super) fn read(reading: &mut Reading, request: &LongwaveRequest) -> Result<bool, Error> {
    if !request.clouds {
        return Ok(false);
    }
    let water = ["liquid_path_g_per_m2", "ice_path_g_per_m2"].map(field);
    let has_fraction = reading.has(&field("cloud_fraction"))?;
    if !has_fraction && !reading.has(&field("cloud_optical_depth"))? && !read_water(reading, &water)? {
        return Ok(false);
    }
    if has_fraction {
        reading.need(&field("cloud_fraction"))?;
    }
    reading.maybe(&field("thickness_m"))?;
    if reading.has(&field("cloud_optical_depth"))? {
        let depth = field("cloud_optical_depth");
        // Without a fraction it says where clouds are.
        if has_fraction {
            reading.need_where(&depth)?
        } else {
            reading.need(&depth)?
        }
        return Ok(true);
    }
    for quantity in &water {
        if !reading.found(quantity) {
            reading.maybe_where(quantity)?;
        }
    }
    let [liquid, ice] = water.each_ref().map(|quantity| reading.found(quantity));
    if !liquid && !ice {
        let text =
            "there is a cloud_fraction, but neither liquid_water_path nor ice_water_path nor cloud_optical_depth";
        return Err(Error::invalid(Place::File(reading.file.path().to_owned()), text));
    }
    if liquid && request.options.liquid == LiquidOptics::HuStamnes {
        reading.need_where(&field("liquid_radius_um"))?;
    }
    if ice {
        let by_radius = !reading.has(&field("ice_size_um"))? && reading.has(&ICE_RADIUS)?;
        reading.need_where(&if by_radius { ICE_RADIUS } else { field("ice_size_um") })?;
    }
    Ok(true)
}

/// Clouds of the own layout.
pub(super) fn take(
    fields: &mut Fields,
    columns: &mut Columns<f64>,
    request: &LongwaveRequest,
    (derived, notes): (&mut Vec<String>, &mut Vec<String>),
) -> Result<(), Error> {
    let fraction = fields.take(&field("cloud_fraction"));
    columns.thickness_m = fields.take(&field("thickness_m"));
    let (count, in_a_row) = (columns.pressure_pa.len(), fields.grid().columns());
    // A row a layer and band; of another number of bands the check that follows speaks.
    let depth = fields.take_where(&field("cloud_optical_depth"), |index| {
        let layer = index / in_a_row / request.spectrum.0;
        is_there(&fraction, None, layer * in_a_row + index % in_a_row)
    })?;
    (columns.cloud_fraction, columns.cloud_optical_depth) = (fraction, depth);
    if !columns.cloud_optical_depth.is_empty() {
        if columns.cloud_fraction.is_empty() {
            let (columns_in_all, rows) = (columns.columns(), columns.cloud_optical_depth.len() / count);
            let largest = |index: usize| {
                let (layer, column) = (index / columns_in_all, index % columns_in_all);
                let of_band =
                    |band: usize| columns.cloud_optical_depth[(layer * rows + band) * columns_in_all + column];
                (0..rows).map(of_band).fold(0.0, f64::max)
            };
            let depth: Vec<f64> = (0..count).map(largest).collect();
            columns.cloud_fraction = assumed_fraction(&[&depth], request.cloud_fraction, notes);
        }
        return Ok(());
    }
    let fraction = &columns.cloud_fraction;
    let mut or_none = |quantity: &Quantity, path: Option<&[f64]>| -> Result<Vec<f64>, Error> {
        let values = fields.take_where(quantity, |index| is_there(fraction, path, index))?;
        Ok(if values.is_empty() { vec![0.0; count] } else { values })
    };
    let liquid_path = or_none(&field("liquid_path_g_per_m2"), None)?;
    let ice_path = or_none(&field("ice_path_g_per_m2"), None)?;
    let liquid_radius = or_none(&field("liquid_radius_um"), Some(&liquid_path))?;
    let ice_is_there = |index: usize| is_there(fraction, Some(&ice_path), index);
    let mut ice_size = fields.take_where(&field("ice_size_um"), ice_is_there)?;
    if ice_size.is_empty() {
        ice_size = sizes(fields.take_where(&ICE_RADIUS, ice_is_there)?, request.options, derived);
        ice_size.resize(count, 0.0);
    }
    (columns.liquid_path_g_per_m2, columns.liquid_radius_um) = (liquid_path, liquid_radius);
    (columns.ice_path_g_per_m2, columns.ice_size_um) = (ice_path, ice_size);
    if columns.cloud_fraction.is_empty() {
        let water: [&[f64]; 2] = [&columns.liquid_path_g_per_m2, &columns.ice_path_g_per_m2];
        columns.cloud_fraction = assumed_fraction(&water, request.cloud_fraction, notes);
    }
    Ok(())
}

/// Effective radii as sizes of the ice optics.
fn sizes(mut radii: Vec<f64>, options: &Options, derived: &mut Vec<String>) -> Vec<f64> {
    if options.ice == IceOptics::Fu && !radii.is_empty() {
        radii.iter_mut().for_each(|radius| *radius *= FU_SIZE);
        derived.push(format!("ice_size = {FU_SIZE} effective radius"));
    }
    radii
}

fn of_wrf() -> wrf_clouds::Declared {
    wrf_clouds::Declared { fraction: field("cloud_fraction"), liquid_radius: field("liquid_radius_um") }
}

/// Reads what WRF has of clouds; says whether there are any.
pub(super) fn read_wrf(reading: &mut Reading, request: &LongwaveRequest) -> Result<bool, Error> {
    if !request.clouds || !wrf_clouds::are_there(reading, &of_wrf())? {
        return Ok(false);
    }
    wrf_clouds::read(reading, &of_wrf()).map(|()| true)
}

/// Clouds of WRF, from mixing ratios and the masses of layers \[kg/m^2\].
pub(super) fn take_wrf(
    fields: &mut Fields,
    columns: &mut Columns<f64>,
    (mass, request): (&[f64], &LongwaveRequest),
    (derived, notes): (&mut Vec<String>, &mut Vec<String>),
) -> Result<(), Error> {
    let options = request.options;
    let layers = Layers {
        mass_kg_per_m2: mass,
        temperature_k: &columns.temperature_k,
        assumed_fraction: request.cloud_fraction,
    };
    let WrfClouds { fraction, paths: [liquid_path, ice_path], radii: [mut liquid_radius, ice_radius] } =
        WrfClouds::take(fields, &of_wrf(), &layers, (derived, notes))?;
    let mut ice_size = sizes(ice_radius, options, derived);
    if request.outside != Outside::Error {
        let liquid = ("liquid_radius", &mut liquid_radius[..]);
        clamp_sizes(liquid, (&liquid_path, &fraction), options.liquid.range_um(), notes);
        clamp_sizes(("ice_size", &mut ice_size), (&ice_path, &fraction), options.ice.range_um(), notes);
    }
    (columns.ice_path_g_per_m2, columns.liquid_path_g_per_m2) = (ice_path, liquid_path);
    (columns.ice_size_um, columns.liquid_radius_um, columns.cloud_fraction) = (ice_size, liquid_radius, fraction);
    Ok(())
}

/// Whether the thickness of layers is needed.
pub(super) fn needs_thickness(options: &Options) -> bool {
    let exponential = matches!(options.subcolumns.overlap, Overlap::Exponential | Overlap::ExponentialRandom);
    options.solver == Solver::Subcolumns && exponential
}
