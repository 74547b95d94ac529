//! What is prescribed in place of what would be computed: the ground's temperature, fluxes through the surface,
//! geostrophic wind, subsidence and advective tendencies. The same for all columns; a key is a number or a table
//! ([`super::prescribed`]).

use isobar_column::Table;
use isobar_column::stages::{Forced, GroundKind, PrescribedFlux, Sunlight};
use toml::Spanned;

use super::description::{Description, GroundKind as Kinds};
use super::error::Error;
use super::prescribed::{By, Reading};
use super::reader::CaseFile;

/// The range of the ground's temperature \[K\].
const GROUND_K: (f64, f64) = (150.0, 350.0);

/// The ground of a case.
pub(super) struct Ground {
    pub(super) kind: GroundKind,
    /// Its temperature at the start, where a table has it \[K\].
    pub(super) at_start: Option<f64>,
}

/// The ground: given through the day, prescribed by time, or a slab.
pub(super) fn ground(file: &CaseFile, case: &Description, reading: &mut Reading<'_>) -> Result<Ground, Error> {
    let ground = &case.ground;
    let (rate, table) = (&ground.rate_k_per_h, &ground.temperature_k);
    if ground.kind == Kinds::Slab {
        let prescribed = rate.as_ref().map(Spanned::span).or_else(|| table.as_ref().map(Spanned::span));
        if let Some(span) = prescribed {
            return Err(file.failure(Some(span), "the temperature of a slab follows from its balance"));
        }
        return slab(file, case).map(|kind| Ground { kind, at_start: None });
    }
    // Of soil there is an error of its own.
    if ground.soil.is_none() {
        of_slab_alone(file, case)?;
    }
    if rate.is_none() && table.is_none() {
        let hour = ground.warmest_hour.as_ref().map_or(14.0, |hour| *hour.get_ref());
        if let Some(given) = ground.warmest_hour.as_ref().filter(|_| !(0.0..24.0).contains(&hour)) {
            return Err(file.refuse(given, format!("{hour} is not in [0, 24)")));
        }
        return Ok(Ground { kind: GroundKind::Given { warmest_hour: hour }, at_start: None });
    }
    let amplitude = Some(ground.amplitude_k.span()).filter(|span| !span.is_empty());
    let range = amplitude.or_else(|| ground.warmest_hour.as_ref().map(Spanned::span));
    if let Some(span) = range {
        return Err(file.failure(Some(span), "the temperature of the ground is prescribed: it has no range of a day"));
    }
    let Some(table) = table else {
        let rate = rate.as_ref().expect("one of them is there");
        return steady(rate, reading).map(|kind| Ground { kind, at_start: None });
    };
    if rate.is_some() {
        return Err(file.refuse(table, "the temperature of the ground is given by its rate"));
    }
    if let Some(mean) = &ground.mean_k {
        return Err(file.refuse(mean, "the temperature of the ground is given by a table"));
    }
    let table = reading.table("temperature_k", table, By::Time, GROUND_K)?;
    // What it differs by from the start: exact up to twice or half of that, so that the sum is the table's value again.
    let start = table.at(0.0);
    let changes = table.values().iter().map(|value| value - start).collect();
    let change_k = Table::new(table.times_s().to_vec(), vec![0.0], changes).expect("as the other");
    Ok(Ground { kind: GroundKind::Prescribed { change_k }, at_start: Some(start) })
}

/// Refuses what says something of a slab where the ground is none: its kind may have been forgotten.
fn of_slab_alone(file: &CaseFile, case: &Description) -> Result<(), Error> {
    let ground = &case.ground;
    let problem = "this is of a slab of ground, and its temperature is given: `kind = \"slab\"` makes it one";
    for (key, value) in [
        ("heat_capacity_j_per_m2_k", ground.heat_capacity_j_per_m2_k),
        ("conductance_w_per_m2_k", ground.conductance_w_per_m2_k),
    ] {
        if value.is_some() {
            return Err(file.at(key, problem));
        }
    }
    match [&ground.transmittance, &ground.albedo].into_iter().flatten().next() {
        Some(value) => Err(file.refuse(value, problem)),
        None => Ok(()),
    }
}

/// A steady change through the run.
fn steady(rate: &Spanned<f64>, reading: &Reading<'_>) -> Result<GroundKind, Error> {
    let change = rate.get_ref() * (reading.run_s / 3600.0);
    let (low, high) = GROUND_K;
    let ends = reading.initial.ground_mean_k.iter().map(|start| start + change);
    if let Some((column, end)) = ends.enumerate().find(|(_, end)| !(low..=high).contains(end)) {
        let problem =
            format!("at the end of the run the ground of column {column} would have {end} K, not in [{low}, {high}]");
        return Err(reading.file.refuse(rate, problem));
    }
    let table = Table::new(vec![0.0, reading.run_s], vec![0.0], vec![0.0, change]);
    Ok(GroundKind::Prescribed { change_k: table.map_err(|error| reading.file.refuse(rate, error))? })
}

fn slab(file: &CaseFile, case: &Description) -> Result<GroundKind, Error> {
    let ground = &case.ground;
    if case.longwave.is_none() {
        return Err(file.in_section("ground", "a slab of ground emits and absorbs radiation: give a [longwave]"));
    }
    let own_sun = case.shortwave.is_none();
    let given = [&ground.transmittance, &ground.albedo].into_iter().flatten().next();
    if let Some(value) = given.filter(|_| !own_sun) {
        return Err(file.refuse(value, "a slab under [shortwave] takes its sunlight, and has the albedo given there"));
    }
    let part = |value: &Option<Spanned<f64>>, default| {
        value.as_ref().map_or(Ok(default), |value| file.check(value, (0.0, 1.0)))
    };
    let (transmittance, albedo) = (part(&ground.transmittance, 0.7)?, part(&ground.albedo, 0.2)?);
    Ok(GroundKind::Slab {
        heat_capacity_j_per_m2_k: ground.heat_capacity_j_per_m2_k.unwrap_or(1e5),
        // Soil has it.
        conductance_w_per_m2_k: if ground.soil.is_some() { 0.0 } else { ground.conductance() },
        sunlight: if own_sun { Sunlight::Part { transmittance, albedo } } else { Sunlight::Shortwave },
    })
}

/// Fluxes through the surface that are given.
pub(super) fn surface_flux(
    file: &CaseFile,
    case: &Description,
    reading: &mut Reading<'_>,
) -> Result<Option<PrescribedFlux>, Error> {
    let Some(section) = &case.surface_flux else { return Ok(None) };
    let availability = case.site.moisture_availability.as_ref().map(Spanned::span);
    if let Some(span) = availability.or_else(|| case.site.roughness_heat_m.as_ref().map(Spanned::span)) {
        return Err(file.failure(Some(span), "this has no effect where [surface_flux] gives the fluxes"));
    }
    let energy = (&section.sensible_w_per_m2, &section.latent_w_per_m2);
    let kinematic = (&section.kinematic_heat_k_m_per_s, &section.kinematic_moisture_m_per_s);
    let mut series = |key, given, range| reading.table(key, given, By::Time, range);
    match (energy, kinematic) {
        ((Some(sensible), Some(latent)), (None, None)) => Ok(Some(PrescribedFlux::Energy {
            sensible_w_per_m2: series("sensible_w_per_m2", sensible, (-2000.0, 2000.0))?,
            latent_w_per_m2: series("latent_w_per_m2", latent, (-2000.0, 2000.0))?,
        })),
        ((None, None), (Some(heat), Some(moisture))) => Ok(Some(PrescribedFlux::Kinematic {
            heat_k_m_per_s: series("kinematic_heat_k_m_per_s", heat, (-2.0, 2.0))?,
            moisture_m_per_s: series("kinematic_moisture_m_per_s", moisture, (-1e-3, 1e-3))?,
        })),
        _ => {
            let problem = "[surface_flux] has sensible_w_per_m2 and latent_w_per_m2, or kinematic_heat_k_m_per_s and \
                           kinematic_moisture_m_per_s: both of one kind, and none of the other";
            Err(file.in_section("surface_flux", problem))
        }
    }
}

/// What else is prescribed.
pub(super) fn forcing(
    file: &CaseFile,
    case: &Description,
    reading: &mut Reading<'_>,
) -> Result<Vec<(Forced, Table)>, Error> {
    let Some(section) = &case.forcing else { return Ok(Vec::new()) };
    let all = [
        ("geostrophic_east_m_per_s", &section.geostrophic_east_m_per_s, Forced::GeostrophicEast, 200.0),
        ("geostrophic_north_m_per_s", &section.geostrophic_north_m_per_s, Forced::GeostrophicNorth, 200.0),
        ("vertical_velocity_m_per_s", &section.vertical_velocity_m_per_s, Forced::VerticalVelocity, 1.0),
        ("pressure_velocity_pa_per_s", &section.pressure_velocity_pa_per_s, Forced::PressureVelocity, 10.0),
        ("temperature_k_per_s", &section.temperature_k_per_s, Forced::Temperature, 0.1),
        ("vapour_per_s", &section.vapour_per_s, Forced::Vapour, 1e-4),
        ("wind_east_m_per_s2", &section.wind_east_m_per_s2, Forced::WindEast, 0.1),
        ("wind_north_m_per_s2", &section.wind_north_m_per_s2, Forced::WindNorth, 0.1),
    ];
    if let (Some(_), Some(given)) = (&section.vertical_velocity_m_per_s, &section.pressure_velocity_pa_per_s) {
        return Err(file.refuse(given, "there is a vertical_velocity_m_per_s: one of the two"));
    }
    let mut tables = Vec::new();
    for (key, given, forced, most) in all {
        let Some(given) = given else { continue };
        let table = reading.table(key, given, By::Both, (-most, most))?;
        if matches!(forced, Forced::VerticalVelocity | Forced::PressureVelocity)
            && let Some(problem) = too_far(&table, forced, reading, case.step_s)
        {
            return Err(file.refuse(given, problem));
        }
        tables.push((forced, table));
    }
    if tables.is_empty() {
        return Err(file.in_section("forcing", "[forcing] has nothing in it"));
    }
    Ok(tables)
}

/// Where a step would carry air further than to the next layer, if it would.
fn too_far(table: &Table, forced: Forced, reading: &Reading<'_>, step_s: f64) -> Option<String> {
    for layers in reading.columns() {
        for (number, [middle, thickness, pressure]) in layers.iter().enumerate() {
            // Thickness and pressure of a layer of the start make one by pressure a velocity.
            let by_height = if forced == Forced::PressureVelocity { -thickness / pressure } else { 1.0 };
            // Before a jump and after it.
            for time in table.times_s().iter().flat_map(|&time| [time.next_down(), time]) {
                let velocity = table.at_height(time, *middle) * by_height;
                let from = if velocity < 0.0 { (number + 1).min(layers.len() - 1) } else { number.saturating_sub(1) };
                let (carried, distance) = (velocity.abs() * step_s, 0.5 * (thickness + layers[from][1]));
                if carried > distance {
                    return Some(format!(
                        "{velocity} m/s in layer {number} carry air {carried} m in a step of {step_s} s, further than \
                         the {distance:.3} m to the next layer"
                    ));
                }
            }
        }
    }
    None
}
