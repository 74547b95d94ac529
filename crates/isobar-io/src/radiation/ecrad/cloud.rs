//! Clouds: means over the whole of a layer as paths of its cloudy part.

use isobar_optics::constants::GRAVITY;
use isobar_radiation::Columns;

use super::super::RadiationRequest;
use super::super::cloud::{bring_sizes_in, read_structure, take_structure, wanted};
use super::super::particles::sizes_of;
use super::super::quantity::field;
use crate::columns_file::clouds::{assumed_fraction, clear_where_thin, is_there, paths_in_cloud, read_water};
use crate::columns_file::wrf_clouds::masses;
use crate::columns_file::{Fields, Per, Quantity, Reading, between};
use crate::error::Error;
use crate::netcdf::Accepted;

/// Water and ice in a mass of air.
const WATER: [Quantity; 2] = [of_layer("q_liquid", "kg kg-1"), of_layer("q_ice", "kg kg-1")];
/// Effective radii.
const RADII: [Quantity; 2] = [of_layer("re_liquid", "um"), of_layer("re_ice", "um")];

const fn of_layer(name: &'static str, unit: &'static str) -> Quantity {
    let accepted = if unit.len() == 2 { Accepted::NOT_NEGATIVE } else { between(0.0, 1.0) };
    Quantity::new(name, &[], &[], unit, Per::Layer, accepted)
}

/// Reads clouds; says whether there are any.
pub(super) fn read(reading: &mut Reading, request: &RadiationRequest) -> Result<bool, Error> {
    if !request.clouds {
        return Ok(false);
    }
    let has_fraction = reading.has(&field("cloud_fraction"))?;
    let are_there = has_fraction || read_water(reading, &WATER)?;
    if !wanted(reading, are_there, request)? {
        return Ok(false);
    }
    if has_fraction {
        reading.need(&field("cloud_fraction"))?;
    }
    for quantity in &WATER {
        if !reading.found(quantity) {
            reading.need(quantity)?;
        }
    }
    RADII.iter().try_for_each(|quantity| reading.need_where(quantity))?;
    read_structure(reading, request)?;
    Ok(true)
}

/// Fills them in.
pub(super) fn take(
    fields: &mut Fields,
    columns: &mut Columns<f64>,
    request: &RadiationRequest,
    (derived, notes): (&mut Vec<String>, &mut Vec<String>),
) -> Result<(), Error> {
    let count = fields.grid().columns();
    let mass = masses(&columns.level_pressure_pa, count, GRAVITY);
    let [liquid, ice] = WATER.each_ref().map(|quantity| fields.take(quantity));
    let mut fraction = fields.take(&field("cloud_fraction"));
    if fraction.is_empty() {
        fraction = assumed_fraction(&[&liquid, &ice], request.cloud_fraction, notes);
    }
    clear_where_thin(fields, &mut fraction, [("q_liquid", &liquid), ("q_ice", &ice)]);
    (columns.liquid_path_g_per_m2, columns.ice_path_g_per_m2) =
        (paths_in_cloud(&liquid, &mass, &fraction), paths_in_cloud(&ice, &mass, &fraction));
    derived.push("water paths = q_liquid, q_ice times the layer's mass over cloud_fraction".to_owned());
    let is_cloudy = |water: &[f64], index: usize| is_there(&fraction, Some(water), index);
    let liquid_radius = fields.take_where(&RADII[0], |index| is_cloudy(&liquid, index))?;
    let ice_radius = fields.take_where(&RADII[1], |index| is_cloudy(&ice, index))?;
    (columns.liquid_radius_um, columns.ice_size_um) =
        (liquid_radius, sizes_of("ice_size", ice_radius, request, derived));
    columns.cloud_fraction = fraction;
    take_structure(fields, columns)?;
    bring_sizes_in(columns, request, notes);
    Ok(())
}
