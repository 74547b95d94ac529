//! The revised MM5 surface layer as a stage: the bits of its own crate, from step to step, and what the columns make of
//! it.

#[allow(dead_code, reason = "of the initial state alone")]
mod small_column;

use isobar_column::humidity::saturation_mixing_ratio;
use isobar_column::stages::{Diagnose, RevisedSurface, quantity as q};
use isobar_column::{Quantity, State, Step};
use isobar_launch::{Device, Queue};
use isobar_surface::{Columns, Fluxes, LandRoughness, Options, Results, Root, SurfaceLayer, WaterRoughness};

const COLUMNS: usize = 35;

fn queue() -> Queue {
    Queue::parallel(Device::Cpu).unwrap()
}

/// Columns whose ground goes from cold to warm, every third one of water.
fn state() -> State<f64> {
    let mut initial = small_column::initial(COLUMNS, 10, &small_column::mechanism());
    for column in 0..COLUMNS {
        initial.land_or_water[column] = if column % 3 == 0 { 2.0 } else { 1.0 };
        initial.ground_mean_k[column] = 275.0 + column as f64;
        initial.moisture_availability[column] = column as f64 / COLUMNS as f64;
    }
    initial.water_depth_m = (0..COLUMNS).map(|column| 5.0 + 4.0 * column as f64).collect();
    initial.orography_deviation_m = (0..COLUMNS).map(|column| 3.0 * column as f64).collect();
    initial.state(queue()).unwrap()
}

fn lowest(state: &State<f64>, quantity: Quantity) -> Vec<f64> {
    let mut values = state.to_host(quantity).unwrap();
    values.truncate(COLUMNS);
    values
}

/// What the scheme's own crate has of a state as it is.
fn own(state: &State<f64>, options: &Options) -> Results<f64> {
    let columns = Columns {
        u_m_per_s: lowest(state, q::WIND_EAST),
        v_m_per_s: lowest(state, q::WIND_NORTH),
        temperature_k: lowest(state, q::TEMPERATURE),
        vapour_kg_per_kg: lowest(state, q::VAPOUR),
        pressure_pa: lowest(state, q::PRESSURE),
        thickness_m: lowest(state, q::THICKNESS),
        surface_pressure_pa: lowest(state, q::SURFACE_PRESSURE),
        boundary_layer_height_m: lowest(state, q::BOUNDARY_LAYER_HEIGHT),
        moisture_availability: lowest(state, q::MOISTURE_AVAILABILITY),
        land_or_water: lowest(state, q::LAND_OR_WATER),
        surface_temperature_k: lowest(state, q::SURFACE_TEMPERATURE),
        grid_length_m: vec![3000.0],
        roughness_m: lowest(state, q::ROUGHNESS),
        friction_velocity_m_per_s: lowest(state, q::FRICTION_VELOCITY),
        temperature_scale_k: lowest(state, q::TEMPERATURE_SCALE),
        sensible_heat_flux_w_per_m2: lowest(state, q::POTENTIAL_HEAT_FLUX),
        moisture_flux_kg_per_m2_s: lowest(state, q::MOISTURE_FLUX),
        surface_vapour_kg_per_kg: vec![0.0],
        water_depth_m: lowest(state, q::WATER_DEPTH),
        orography_deviation_m: lowest(state, q::OROGRAPHY_DEVIATION),
        ..Columns::default()
    };
    SurfaceLayer::on(&[Device::Thread]).run(&columns, options).unwrap()
}

#[test]
fn the_stage_has_the_bits_of_the_scheme_from_step_to_step() {
    let usual = Options { land_roughness: LandRoughness::ChenZhang, ..Options::default() };
    let friction = [
        Options { water_roughness: WaterRoughness::Garratt, ..usual },
        Options { shallow_water: true, root: Root::Converged, ..usual },
        Options { form_drag: true, form_drag_factor: 2.0, fluxes: Fluxes::Zero, ..usual },
    ]
    .map(bits_of_the_scheme);
    assert!(friction.windows(2).all(|pair| pair[0] != pair[1]));
}

/// Returns the friction velocities.
fn bits_of_the_scheme(options: Options) -> Vec<f64> {
    let mut state = state();
    let mut stage = RevisedSurface::new(&mut state, options).unwrap();
    state.apply(&mut Diagnose, &Step::first(60.0)).unwrap();
    let first = lowest(&state, q::FRICTION_VELOCITY);
    assert_eq!(first, [0.0; COLUMNS]);
    for number in 0..4 {
        let own = own(&state, &options);
        state.apply(&mut stage, &Step::of_run(number, 0.0, 60.0)).unwrap();
        for (quantity, expected) in [
            (q::ROUGHNESS, &own.roughness_m),
            (q::FRICTION_VELOCITY, &own.friction_velocity_m_per_s),
            (q::TEMPERATURE_SCALE, &own.temperature_scale_k),
            (q::POTENTIAL_HEAT_FLUX, &own.sensible_heat_flux_w_per_m2),
            (q::MOISTURE_FLUX, &own.moisture_flux_kg_per_m2_s),
            (q::PROFILE_MOMENTUM, &own.profile_momentum),
            (q::PROFILE_HEAT, &own.profile_heat),
            (q::WIND_SPEED, &own.wind_speed_m_per_s),
            (q::RICHARDSON, &own.richardson),
            (q::EXCHANGE_HEAT, &own.exchange_heat_w_per_m2_k),
            (q::EXCHANGE_MOISTURE, &own.exchange_moisture_kg_per_m2_s),
            (q::WIND_EAST_10M, &own.u_10m_m_per_s),
            (q::WIND_NORTH_10M, &own.v_10m_m_per_s),
        ] {
            assert_eq!(&lowest(&state, quantity), expected, "step {number}: {quantity}");
        }
    }
    let water = lowest(&state, q::ROUGHNESS);
    let waves = if options.fluxes == Fluxes::Zero { 0.0..1.0 } else { 1e-6..2e-3 };
    assert!((0..COLUMNS).step_by(3).all(|column| waves.contains(&water[column])), "roughness of waves: {water:?}");
    lowest(&state, q::FRICTION_VELOCITY)
}

/// Land is as moist as it was said, with what saturated air has now, not in the first step.
#[test]
fn the_ground_evaporates_by_its_temperature_of_each_step() {
    let mut state = state();
    let mut stage = RevisedSurface::new(&mut state, Options::default()).unwrap();
    state.apply(&mut Diagnose, &Step::first(60.0)).unwrap();
    for ground in [290.0, 310.0] {
        state.fill(q::SURFACE_TEMPERATURE, ground).unwrap();
        state.apply(&mut stage, &Step::first(60.0)).unwrap();
        let [flux, exchange] = [q::MOISTURE_FLUX, q::EXCHANGE_MOISTURE].map(|quantity| lowest(&state, quantity));
        let (vapour, pressure) = (lowest(&state, q::VAPOUR), lowest(&state, q::SURFACE_PRESSURE));
        for column in (1..COLUMNS).step_by(3) {
            let expected = exchange[column] * (saturation_mixing_ratio(ground, pressure[column]) - vapour[column]);
            assert!((flux[column] / expected - 1.0).abs() < 1e-12, "{column}: {} {expected}", flux[column]);
        }
    }
}

/// A ground on which water would boil has fluxes of plain numbers, upward.
#[test]
fn boiling_ground_has_finite_fluxes() {
    let mut state = state();
    let mut stage = RevisedSurface::new(&mut state, Options::default()).unwrap();
    state.apply(&mut Diagnose, &Step::first(60.0)).unwrap();
    state.fill(q::SURFACE_TEMPERATURE, 399.0).unwrap();
    state.apply(&mut stage, &Step::first(60.0)).unwrap();
    for quantity in [q::SENSIBLE_HEAT_FLUX, q::MOISTURE_FLUX] {
        let flux = lowest(&state, quantity);
        assert!(flux[1..].iter().all(|flux| flux.is_finite() && *flux > 0.0), "{quantity}: {flux:?}");
    }
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let refused = |options| RevisedSurface::new(&mut state(), options).err().unwrap().to_string();
    let said = refused(Options { fluxes: Fluxes::Given, ..Options::default() });
    assert!(said.contains("surface_flux") && said.contains("fluxes that are given"), "{said}");
    let initial = small_column::initial(COLUMNS, 10, &small_column::mechanism());
    for (options, name) in [
        (Options { shallow_water: true, ..Options::default() }, "sea_floor_depth_below_sea_surface"),
        (Options { form_drag: true, ..Options::default() }, "orography_deviation"),
    ] {
        let mut state = initial.state::<f64>(queue()).unwrap();
        let mut stage = RevisedSurface::new(&mut state, options).unwrap();
        state.apply(&mut Diagnose, &Step::first(60.0)).unwrap();
        let said = state.apply(&mut stage, &Step::first(60.0)).unwrap_err().to_string();
        assert!(said.contains(name), "{said}");
    }
    let bad = Options { constants: isobar_surface::Constants { g: -1.0, ..Default::default() }, ..Options::default() };
    assert!(refused(bad).contains("the constant g is -1"));
}
