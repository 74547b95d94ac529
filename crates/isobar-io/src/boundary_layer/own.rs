//! The own layout, and what it has in common with WRF's.

use isobar_core::fields::{Declared, Need, OwnedInputs, TRACER};
use isobar_ysu::{Chosen, ColumnViews, Columns};

use super::derive::Raw;
use super::{SurfaceLayer, quantity as q, surface};
use crate::columns_file::{Fields, Quantity, Reading, wrf};
use crate::error::Error;
use crate::netcdf::Dataset;

/// The scheme needs as many.
pub(super) const LEAST_LAYERS: usize = 4;

/// Fields that are derived where a file does not have them.
const DERIVED: [&str; 17] = [
    "cloud_water_kg_per_kg",
    "cloud_ice_kg_per_kg",
    "exner",
    "thickness_m",
    "surface_pressure_pa",
    "friction_velocity_m_per_s",
    "profile_momentum",
    "profile_heat",
    "richardson",
    "wind_speed_m_per_s",
    "u_10m_m_per_s",
    "v_10m_m_per_s",
    "u_current_m_per_s",
    "v_current_m_per_s",
    "turbulent_energy_m2_per_s2",
    "coriolis_per_s",
    // By who asks for it.
    "grid_distance_m",
];

/// A field of the scheme, by its name.
pub(super) fn field(name: &str) -> Quantity {
    Quantity::declared(Declared::named(ColumnViews::<f64>::DECLARED, name))
}

/// Reads those fields of the scheme that a file has, and has to have.
pub(super) fn read_fields(
    reading: &mut Reading,
    options: &impl Chosen,
    which: impl Fn(&Declared) -> bool,
) -> Result<(), Error> {
    let fields = ColumnViews::<f64>::DECLARED.iter().filter(|declared| !declared.shape.contains(&TRACER));
    for declared in fields.filter(|declared| which(declared)) {
        let quantity = Quantity::declared(declared);
        if reading.found(&quantity) || options.need(declared) == Need::Ignored {
            continue;
        }
        if DERIVED.contains(&declared.name) || options.need(declared) == Need::Optional {
            reading.maybe(&quantity)?;
        } else {
            reading.need(&quantity)?;
        }
    }
    Ok(())
}

pub(super) fn read(file: Dataset, options: &impl Chosen, surface_layer: SurfaceLayer) -> Result<Raw, Error> {
    let mut reading = Reading::new(file);
    // In this order, so that a wrong size is blamed on the variable that is read later.
    reading.need(&field("pressure_pa"))?;
    reading.need(&field("interface_pressure_pa"))?;
    let by_theta = !reading.has(&field("temperature_k"))? && reading.has(&q::THETA)?;
    reading.need(&if by_theta { q::THETA } else { field("temperature_k") })?;
    read_fields(&mut reading, options, |declared| !declared.shape.is_empty() && declared.name != "temperature_k")?;
    if !reading.found(&field("thickness_m")) {
        reading.maybe(&q::INTERFACE_HEIGHT)?;
    }
    read_surface(&mut reading, options, surface_layer)?;

    let mut fields = reading.arrange("interface_pressure", LEAST_LAYERS)?;
    let (theta, heights) = (fields.take(&q::THETA), fields.take(&q::INTERFACE_HEIGHT));
    let mut columns = take_columns(&mut fields);
    let mut derived = Vec::new();
    if columns.exner.is_empty() {
        columns.exner = wrf::exner(&columns.pressure_pa);
        derived.push("exner = (pressure / 1e5 Pa)^(2/7)".to_owned());
    }
    if by_theta {
        derived.push("temperature = theta exner".to_owned());
        columns.temperature_k = theta.iter().zip(&columns.exner).map(|(theta, exner)| theta * exner).collect();
    }
    Ok(raw(fields, columns, heights, derived, (["layer", "level"], surface_layer)))
}

/// The surface, which own files and WRF's have alike.
pub(super) fn read_surface(
    reading: &mut Reading,
    options: &impl Chosen,
    surface_layer: SurfaceLayer,
) -> Result<(), Error> {
    // The message names the first.
    let land_or_water = field("land_or_water");
    let by_mask = !reading.has(&land_or_water)? && reading.has(&q::LAND_MASK)?;
    reading.need(&if by_mask { q::LAND_MASK } else { land_or_water })?;
    let computed = matches!(surface_layer, SurfaceLayer::Computed { .. });
    read_fields(reading, options, |declared| {
        declared.shape.is_empty() && declared.name != "land_or_water" && !(computed && surface::computes(declared))
    })?;
    if computed {
        surface::read(reading)?;
    }
    reading.maybe(&q::BOUNDARY_LAYER_HEIGHT)
}

/// What was read of the scheme's fields.
pub(super) fn take_columns(fields: &mut Fields) -> Columns<f64> {
    let mut columns = Columns::default();
    columns.each_real(&mut |declared, values| {
        if !declared.shape.contains(&TRACER) {
            *values = fields.take(&Quantity::declared(declared));
        }
    });
    let mask = fields.take(&q::LAND_MASK);
    if !mask.is_empty() {
        columns.land_or_water = mask.iter().map(|land| 2.0 - land).collect();
    }
    columns
}

pub(super) fn raw(
    mut fields: Fields,
    mut columns: Columns<f64>,
    interface_height: Vec<f64>,
    derived: Vec<String>,
    (vertical, surface_layer): ([&'static str; 2], SurfaceLayer),
) -> Raw {
    let surface = match surface_layer {
        SurfaceLayer::Given => None,
        SurfaceLayer::Computed { grid_length_m } => Some(surface::take(&mut fields, &mut columns, grid_length_m)),
    };
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
        surface,
        interface_height,
        boundary_layer_height,
        derived,
        remarks: fields.remarks(),
        made_up: None,
    }
}
