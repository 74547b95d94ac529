//! The own layout, and what it has in common with WRF's.

use isobar_ysu::{AirColumns, Columns, Options, SurfaceColumns};

use super::derive::Raw;
use super::quantity as q;
use crate::columns_file::{Fields, Reading, wrf};
use crate::error::Error;
use crate::netcdf::Dataset;

/// The scheme needs as many.
pub(super) const LEAST_LAYERS: usize = 4;

pub(super) fn read(file: Dataset, options: &Options) -> Result<Raw, Error> {
    let mut reading = Reading::new(file);
    // In this order, so that a wrong size is blamed on the variable that is read later.
    reading.need(&q::PRESSURE)?;
    reading.need(&q::INTERFACE_PRESSURE)?;
    let by_theta = !reading.has(&q::T)? && reading.has(&q::THETA)?;
    reading.need(if by_theta { &q::THETA } else { &q::T })?;
    for quantity in [&q::U, &q::V, &q::VAPOUR] {
        reading.need(quantity)?;
    }
    for quantity in [&q::CLOUD_WATER, &q::CLOUD_ICE, &q::EXNER, &q::THICKNESS] {
        reading.maybe(quantity)?;
    }
    if !reading.found(&q::THICKNESS) {
        reading.maybe(&q::INTERFACE_HEIGHT)?;
    }
    if options.top_down {
        reading.need(&q::RADIATIVE_HEATING)?;
    }
    reading.maybe(&q::SURFACE_PRESSURE)?;
    read_surface(&mut reading, options)?;

    let mut fields = reading.arrange("interface_pressure", LEAST_LAYERS)?;
    let mut derived = Vec::new();
    let pressure = fields.take(&q::PRESSURE);
    let mut exner = fields.take(&q::EXNER);
    if exner.is_empty() {
        exner = wrf::exner(&pressure);
        derived.push("exner = (pressure / 1e5 Pa)^(2/7)".to_owned());
    }
    let temperature = if by_theta {
        derived.push("temperature = theta exner".to_owned());
        fields.take(&q::THETA).iter().zip(&exner).map(|(theta, exner)| theta * exner).collect()
    } else {
        fields.take(&q::T)
    };
    let columns = Columns {
        air: AirColumns {
            u: fields.take(&q::U),
            v: fields.take(&q::V),
            temperature,
            vapour: fields.take(&q::VAPOUR),
            cloud_water: fields.take(&q::CLOUD_WATER),
            cloud_ice: fields.take(&q::CLOUD_ICE),
            pressure,
            exner,
            thickness: fields.take(&q::THICKNESS),
            radiative_heating: fields.take(&q::RADIATIVE_HEATING),
        },
        interface_pressure: fields.take(&q::INTERFACE_PRESSURE),
        surface: surface(&mut fields),
        tracers: Vec::new(),
    };
    let heights = fields.take(&q::INTERFACE_HEIGHT);
    Ok(raw(fields, columns, heights, derived, ["layer", "level"]))
}

/// The surface, which own files and WRF's have alike.
pub(super) fn read_surface(reading: &mut Reading, options: &Options) -> Result<(), Error> {
    reading.need(&q::ROUGHNESS)?;
    // The message names the first.
    let by_mask = !reading.has(&q::LAND_OR_WATER)? && reading.has(&q::LAND_MASK)?;
    reading.need(if by_mask { &q::LAND_MASK } else { &q::LAND_OR_WATER })?;
    reading.need(&q::SENSIBLE_HEAT_FLUX)?;
    reading.need(&q::MOISTURE_FLUX)?;
    for quantity in [
        &q::FRICTION_VELOCITY,
        &q::PROFILE_MOMENTUM,
        &q::PROFILE_HEAT,
        &q::RICHARDSON,
        &q::WIND_SPEED,
        &q::U_10M,
        &q::V_10M,
        &q::U_CURRENT,
        &q::V_CURRENT,
        &q::BOUNDARY_LAYER_HEIGHT,
    ] {
        reading.maybe(quantity)?;
    }
    if options.topographic {
        reading.need(&q::DRAG_FACTOR)?;
        reading.need(&q::WIND_WEIGHT)?;
    }
    Ok(())
}

pub(super) fn surface(fields: &mut Fields) -> SurfaceColumns<f64> {
    let mask = fields.take(&q::LAND_MASK);
    let land_or_water = fields.take(&q::LAND_OR_WATER);
    SurfaceColumns {
        pressure: fields.take(&q::SURFACE_PRESSURE),
        roughness: fields.take(&q::ROUGHNESS),
        friction_velocity: fields.take(&q::FRICTION_VELOCITY),
        profile_momentum: fields.take(&q::PROFILE_MOMENTUM),
        profile_heat: fields.take(&q::PROFILE_HEAT),
        land_or_water: if mask.is_empty() { land_or_water } else { mask.iter().map(|land| 2.0 - land).collect() },
        sensible_heat_flux: fields.take(&q::SENSIBLE_HEAT_FLUX),
        moisture_flux: fields.take(&q::MOISTURE_FLUX),
        wind_speed: fields.take(&q::WIND_SPEED),
        richardson: fields.take(&q::RICHARDSON),
        u_10m: fields.take(&q::U_10M),
        v_10m: fields.take(&q::V_10M),
        u_current: fields.take(&q::U_CURRENT),
        v_current: fields.take(&q::V_CURRENT),
        drag_factor: fields.take(&q::DRAG_FACTOR),
        wind_weight: fields.take(&q::WIND_WEIGHT),
    }
}

pub(super) fn raw(
    mut fields: Fields,
    columns: Columns<f64>,
    interface_height: Vec<f64>,
    derived: Vec<String>,
    vertical: [&'static str; 2],
) -> Raw {
    let boundary_layer_height = fields.take(&q::BOUNDARY_LAYER_HEIGHT);
    let grid = fields.grid();
    Raw {
        path: fields.path().to_owned(),
        grid,
        layers: fields.layers,
        orientation: fields.orientation,
        vertical,
        refusals: fields.refusals().to_vec(),
        columns,
        interface_height,
        boundary_layer_height,
        derived,
    }
}
