//! The surface below columns, where its layer is computed and not read.

use isobar_core::fields::{Declared, Error as Invalid, Need, OwnedInputs};
use isobar_surface::{ColumnViews, Columns, Options};
use isobar_ysu::Columns as Air;

use crate::columns_file::{Fields, Quantity, Reading};
use crate::error::Error;

/// Fields of a boundary-layer scheme that a surface layer computes.
const COMPUTED: [&str; 9] = [
    "friction_velocity_m_per_s",
    "profile_momentum",
    "profile_heat",
    "richardson",
    "wind_speed_m_per_s",
    "u_10m_m_per_s",
    "v_10m_m_per_s",
    "sensible_heat_flux_w_per_m2",
    "moisture_flux_kg_per_m2_s",
];

/// The temperature of the surface.
pub(super) const TEMPERATURE: &str = "surface_temperature_k";

/// The surface alone: what else the surface layer takes are fields of the air.
const NEEDED: [&str; 1] = [TEMPERATURE];
const OPTIONAL: [&str; 6] = [
    "moisture_availability",
    "lake",
    "friction_velocity_m_per_s",
    "friction_velocity_of_wind_m_per_s",
    "temperature_scale_k",
    "surface_vapour_kg_per_kg",
];

/// What options need: the depth counts over water alone.
const BY_OPTIONS: [&str; 2] = [DEPTH, "orography_deviation_m"];
const DEPTH: &str = "water_depth_m";

/// Roughness of water before the first step, which makes its own waves \[m\].
const WATER_ROUGHNESS_M: f64 = 1e-4;

/// The longest grid without gusts of its own \[m\].
const NO_GUSTS_M: f64 = 5000.0;

/// Whether a field of the boundary layer comes of the surface layer.
pub(super) fn computes(declared: &Declared) -> bool {
    COMPUTED.contains(&declared.name)
}

fn declared(name: &str) -> &'static Declared {
    Declared::named(ColumnViews::<f64>::DECLARED, name)
}

/// A field of the surface, by its name.
pub(super) fn field(name: &str) -> Quantity {
    Quantity::declared(declared(name))
}

/// Reads what a surface layer needs besides the air, and fluxes.
pub(super) fn read(reading: &mut Reading, options: &Options) -> Result<(), Error> {
    NEEDED.iter().try_for_each(|name| reading.need(&field(name)))?;
    for name in BY_OPTIONS.into_iter().filter(|name| options.need(declared(name)) == Need::Required) {
        if name == DEPTH { reading.need_where(&field(name))? } else { reading.need(&field(name))? }
    }
    OPTIONAL.iter().try_for_each(|name| reading.maybe(&field(name)))
}

/// What was read of it, what the step before left among the fields of the air; the lowest layer is still to come
/// ([`set_lowest_layer`]).
pub(super) fn take(
    fields: &mut Fields,
    air: &mut Air<f64>,
    (distance, grid_length_m): (Vec<f64>, Option<f64>),
) -> Result<Columns<f64>, Error> {
    let mut surface = Columns {
        friction_velocity_m_per_s: std::mem::take(&mut air.friction_velocity_m_per_s),
        sensible_heat_flux_w_per_m2: std::mem::take(&mut air.sensible_heat_flux_w_per_m2),
        moisture_flux_kg_per_m2_s: std::mem::take(&mut air.moisture_flux_kg_per_m2_s),
        ..Columns::default()
    };
    surface.water_depth_m = fields.take_where(&field(DEPTH), |column| air.land_or_water[column] > 1.5)?;
    surface.each_real(&mut |declared, values| {
        let of_surface = [&NEEDED[..], &OPTIONAL, &BY_OPTIONS].iter().any(|names| names.contains(&declared.name));
        if of_surface && !COMPUTED.contains(&declared.name) && declared.name != DEPTH {
            *values = fields.take(&Quantity::declared(declared));
        }
    });
    surface.grid_length_m = distance;
    if let (true, Some(length)) = (surface.grid_length_m.is_empty(), grid_length_m) {
        surface.grid_length_m = vec![length; fields.grid().columns()];
    }
    Ok(surface)
}

/// Gives the surface what it does not have, and says so; an error where nothing can stand for it. Whether what a step
/// before left is known.
pub(super) fn complete(
    surface: &mut Columns<f64>,
    air: &mut Air<f64>,
    boundary_layer_height: &[f64],
    derived: &mut Vec<String>,
) -> Result<bool, String> {
    let count = air.land_or_water.len();
    let has_land = air.land_or_water.iter().any(|&surface| surface < 1.5);
    if air.roughness_m.is_empty() {
        if has_land {
            let option = "--value roughness=METRES gives one for all columns";
            return Err(format!("roughness (znt) is missing, which land needs; {option}"));
        }
        air.roughness_m = vec![WATER_ROUGHNESS_M; count];
        derived.push(format!("roughness = {WATER_ROUGHNESS_M} m before the first step, over water"));
    }
    if surface.moisture_availability.is_empty() {
        if has_land {
            let option = "--value moisture_availability=PART gives one for all columns";
            return Err(format!("moisture_availability (mavail) is missing, which land needs; {option}"));
        }
        surface.moisture_availability = vec![1.0; count];
        derived.push("moisture_availability = 1 over water".to_owned());
    }
    let steady = surface.friction_velocity_m_per_s.is_empty();
    if steady {
        derived.push("friction_velocity of the step before: that of a steady surface layer".to_owned());
    }
    for (name, values, value) in [
        ("friction_velocity", &mut surface.friction_velocity_m_per_s, 0.1),
        ("sensible_heat_flux of the step before", &mut surface.sensible_heat_flux_w_per_m2, 0.0),
        ("moisture_flux of the step before", &mut surface.moisture_flux_kg_per_m2_s, 0.0),
        ("temperature_scale of the step before", &mut surface.temperature_scale_k, 0.0),
        ("surface_vapour", &mut surface.surface_vapour_kg_per_kg, 0.0),
        ("grid_length", &mut surface.grid_length_m, NO_GUSTS_M),
    ] {
        if !values.is_empty() {
            continue;
        }
        *values = vec![value; count];
        match name {
            "surface_vapour" => derived.push("surface_vapour: that of saturated air".to_owned()),
            "grid_length" => derived.push("grid_length = 5000 m: no gusts that the grid does not resolve".to_owned()),
            _ if steady => {}
            _ => derived.push(format!("{name} = 0")),
        }
    }
    if surface.lake.is_empty() && air.land_or_water.iter().any(|&surface| surface > 1.5) {
        derived.push("lake = 0: all water is salty".to_owned());
    }
    surface.boundary_layer_height_m = boundary_layer_height.to_vec();
    if boundary_layer_height.is_empty() {
        surface.boundary_layer_height_m = vec![0.0; count];
        derived.push("boundary_layer_height = 0 before the first step".to_owned());
    }
    // Of what is computed before it is read, every size is right, and every value.
    air.each_real(&mut |declared, values| {
        if computes(declared) {
            *values = vec![1.0; count];
        }
    });
    surface.roughness_m = air.roughness_m.clone();
    set_lowest_layer(surface, air);
    Ok(!steady)
}

/// Puts the lowest layer of the air over the surface.
pub fn set_lowest_layer(surface: &mut Columns<f64>, air: &Air<f64>) {
    let count = air.land_or_water.len();
    let lowest = |values: &[f64]| values[..count].to_vec();
    surface.u_m_per_s = lowest(&air.u_m_per_s);
    surface.v_m_per_s = lowest(&air.v_m_per_s);
    surface.temperature_k = lowest(&air.temperature_k);
    surface.vapour_kg_per_kg = lowest(&air.vapour_kg_per_kg);
    surface.pressure_pa = lowest(&air.pressure_pa);
    surface.thickness_m = lowest(&air.thickness_m);
    surface.surface_pressure_pa = air.surface_pressure_pa.clone();
    surface.land_or_water = air.land_or_water.clone();
}

/// What is wrong with each bad surface.
pub(super) fn check(surface: &Columns<f64>, options: &Options) -> Result<Vec<Invalid>, String> {
    let views = ColumnViews::try_from(surface).map_err(|problem| problem.to_string())?;
    Ok(views.check(&surface.extents(), options, 0..surface.land_or_water.len()))
}
