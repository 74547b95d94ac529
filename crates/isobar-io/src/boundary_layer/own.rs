//! The own layout, and those of models and analyses by their names.

use isobar_core::fields::{Declared, Need, OwnedInputs, TRACER};
use isobar_ysu::{Chosen, ColumnViews, Columns};

use super::energy::{self, ENERGY};
use super::fluxes::Fluxes;
use super::grid::{self, GridDistance};
use super::quantity::{self as q, field};
use super::read::{Below, Read, Surroundings};
use super::stress::Stress;
use super::water::{self, Water};
use super::{BoundaryLayerRequest, SurfaceLayerSource, start, surface};
use crate::columns_file::derive::{self, layer_pressure};
use crate::columns_file::land::LAND;
use crate::columns_file::mpas::is_mpas;
use crate::columns_file::pressure::Pressure;
use crate::columns_file::time::LATITUDE;
use crate::columns_file::{Fields, Quantity, Reading, Stated, wrf};
use crate::error::Error;
use crate::netcdf::Dataset;

/// The scheme needs as many.
pub(super) const LEAST_LAYERS: usize = 4;

/// Fields that are derived where a file does not have them.
const DERIVED: [&str; 14] = [
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
];
/// Winds at 10 m: one alone is a speed, as CAM's `U10`.
const TEN_METRES: [&str; 2] = ["u_10m_m_per_s", "v_10m_m_per_s"];
const PRESSURES: [&str; 2] = ["interface_pressure_pa", "pressure_pa"];

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

/// Reads what towns do to the air, if the options are for it, of files whose other layers have names of their own.
pub(super) fn read_towns(reading: &mut Reading, options: &impl Chosen) -> Result<(), Error> {
    read_fields(reading, options, |declared| declared.name.starts_with("urban_") && !declared.shape.is_empty())
}

pub(super) fn read(file: Dataset, options: &impl Chosen, request: &BoundaryLayerRequest) -> Result<Read, Error> {
    let mut reading = request.begin(file)?;
    reading.file.need_vertical()?;
    let [of_levels, of_layers] = PRESSURES.map(field);
    let pressure = Pressure::read_unless(&mut reading, [&of_levels, &of_layers], &[field("temperature_k"), q::THETA])?;
    // In this order, so that a wrong size is blamed on the variable that is read later.
    if pressure.is_none() {
        reading.maybe(&of_layers)?;
        reading.need(&of_levels)?;
    }
    let mut stated = [of_levels, of_layers].map(|pressure| Stated::of(&reading.file, &pressure.spec(reading.layout)));
    if let Some(ground) = pressure.as_ref().and_then(|pressure| pressure.ground_stated(&reading)) {
        stated[0] = Some(ground);
    }
    let by_theta = !reading.has(&field("temperature_k"))? && reading.has(&q::THETA)?;
    reading.need(&if by_theta { q::THETA } else { field("temperature_k") })?;
    let water = Water::read(&mut reading)?;
    let is_start = request.surface.is_start();
    let by_others = |name: &str| {
        let of_no_start = is_start && (name == "thickness_m" || (name == "exner" && !by_theta));
        PRESSURES.contains(&name) || ["temperature_k", ENERGY].contains(&name) || water::is_water(name) || of_no_start
    };
    read_fields(&mut reading, options, |declared| !declared.shape.is_empty() && !by_others(declared.name))?;
    if !is_start && !reading.found(&field("thickness_m")) {
        reading.maybe(&q::INTERFACE_HEIGHT)?;
    }
    let below = read_surface(&mut reading, options, request.surface)?;

    let is_along_grid = is_along_grid(&reading);
    let known = match &pressure {
        Some(pressure) => pressure.orientation(&reading)?,
        None => None,
    };
    let found = if pressure.is_some() { "pressure" } else { "interface_pressure" };
    let mut fields = reading.arrange_by(found, known, LEAST_LAYERS)?;
    let around = Surroundings::of(&fields);
    let (theta, heights) = (fields.take(&q::THETA), fields.take(&q::INTERFACE_HEIGHT));
    let mut derived = Vec::new();
    let (mut columns, mut below_ground) = (Columns::default(), Vec::new());
    if let Some(pressure) = pressure {
        let pressures = pressure.take(&mut fields, "interface_pressure")?;
        (columns.interface_pressure_pa, columns.pressure_pa) = (pressures.levels, pressures.layers);
        derived.push(pressures.derived);
        below_ground = pressures.below_ground.layers;
    }
    take_columns(&mut fields, &mut columns);
    if columns.pressure_pa.is_empty() {
        columns.pressure_pa = layer_pressure(&columns.interface_pressure_pa, fields.grid().columns());
        derived.push(derive::LAYER_PRESSURE.to_owned());
    }
    if columns.exner.is_empty() && (by_theta || !is_start) {
        columns.exner = wrf::exner(&columns.pressure_pa);
        derived.push("exner = (pressure / 1e5 Pa)^(2/7)".to_owned());
    }
    if by_theta {
        derived.push("temperature = theta exner".to_owned());
        columns.temperature_k = theta.iter().zip(&columns.exner).map(|(theta, exner)| theta * exner).collect();
    }
    water.take(&mut fields, &mut columns, &mut derived);
    if is_along_grid {
        derived.push(if is_start { ALONG_AT_START } else { STAY }.to_owned());
    }
    let mut read = around.read(fields, columns, (heights, below), derived, ["layer", "level"])?;
    read.raw.stated = stated;
    read.below_ground = below_ground;
    read.is_along_grid = is_along_grid;
    Ok(read)
}

/// What becomes of winds along the axes of a grid that nothing turns, in words.
/// What becomes of them elsewhere.
pub(super) const STAY: &str =
    "u, v: along the axes of the grid, and so are their tendencies, stresses and winds at 10 m";
const ALONG_AT_START: &str =
    "u, v: along the axes of the grid, as their standard_name says, taken for eastward and northward";

/// Whether winds are along the axes of the file's grid, as one of them says.
fn is_along_grid(reading: &Reading) -> bool {
    let says = |(name, says): (&str, &str)| reading.standard_name(&field(name)).is_some_and(|name| name == says);
    [("u_m_per_s", "x_wind"), ("v_m_per_s", "y_wind")].into_iter().any(says)
}

/// The surface, which all files have alike.
pub(super) fn read_surface(
    reading: &mut Reading,
    options: &impl Chosen,
    layer: SurfaceLayerSource,
) -> Result<Below, Error> {
    // The message names the first.
    let land_or_water = field("land_or_water");
    let by_mask = !reading.has(&land_or_water)? && reading.has(&LAND)?;
    reading.need(&if by_mask { LAND } else { land_or_water })?;
    let computed = match &layer {
        SurfaceLayerSource::Given => None,
        SurfaceLayerSource::Computed { options, .. } => Some(options),
        SurfaceLayerSource::Elsewhere { surface_temperature } => {
            reading.maybe(&field("roughness_m"))?;
            start::read(reading, *surface_temperature)?;
            return Ok(Below { layer, fluxes: None, stress: None, grid: GridDistance::default() });
        }
    };
    let [u, v] = TEN_METRES.map(field);
    let ten_metres = reading.has(&u)? && reading.has(&v)?;
    let roughness = field("roughness_m");
    if computed.is_some() {
        reading.maybe(&roughness)?;
    } else {
        let option = "--value roughness=METRES gives one for all columns";
        reading.need_in_words(&roughness, |missing| format!("{missing}; {option}"))?;
    }
    energy::read(reading, options)?;
    let grid = GridDistance::read(reading, options, computed.is_some())?;
    let fluxes = match computed.map(|options| options.fluxes) {
        None => Some(Fluxes::read(reading, "--surface revised-mm5 computes it from the surface's temperature")?),
        Some(isobar_surface::Fluxes::Given) => Some(Fluxes::read(reading, "fluxes that are given need it")?),
        Some(_) => Some(Fluxes::of_step_before(reading)?),
    };
    let of_model = wrf::is_wrf(&reading.file) || is_mpas(&reading.file);
    let by_others = |declared: &Declared| {
        ["land_or_water", "roughness_m"].contains(&declared.name)
            || declared.name.contains("_flux_")
            || grid::is_it(declared)
            || (of_model && declared.name.starts_with("profile_"))
            || (!ten_metres && TEN_METRES.contains(&declared.name))
            || (computed.is_some() && surface::computes(declared))
    };
    read_fields(reading, options, |declared| declared.shape.is_empty() && !by_others(declared))?;
    if of_model && computed.is_none() {
        q::profiles_of_models().iter().try_for_each(|quantity| reading.maybe(quantity))?;
    }
    let mut stress = None;
    if let Some(options) = computed {
        surface::read(reading, options)?;
    } else if !reading.found(&field("friction_velocity_m_per_s")) {
        stress = Stress::read(reading)?;
    }
    // Only where something follows from them.
    let coriolis = Declared::named(ColumnViews::<f64>::DECLARED, "coriolis_per_s");
    if options.need(coriolis) == Need::Required && !reading.found(&field("coriolis_per_s")) {
        reading.maybe(&LATITUDE)?;
    }
    if computed.is_some() || !reading.found(&field("wind_speed_m_per_s")) {
        reading.maybe(&q::BOUNDARY_LAYER_HEIGHT)?;
    }
    Ok(Below { layer, fluxes, stress, grid })
}

/// What was read of the scheme's fields, but for those that are there, water and fluxes.
pub(super) fn take_columns(fields: &mut Fields, columns: &mut Columns<f64>) {
    columns.each_real(&mut |declared, values| {
        let elsewhere = water::is_water(declared.name) || declared.shape.contains(&TRACER) || grid::is_it(declared);
        if values.is_empty() && !elsewhere {
            *values = fields.take(&Quantity::declared(declared));
        }
    });
    // Of all interfaces the uppermost is no layer's lower one.
    columns.turbulent_energy_m2_per_s2.truncate(fields.layers * fields.grid().columns());
    let land = fields.take(&LAND);
    if !land.is_empty() {
        // Half a cell of land is water, as for ECMWF; NaN is the business of the check that follows.
        let kind = |part: &f64| match part {
            part if part.is_nan() => *part,
            part if *part > 0.5 => 1.0,
            _ => 2.0,
        };
        columns.land_or_water = land.iter().map(kind).collect();
    }
}
