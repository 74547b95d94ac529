//! Columns whose ground lies at 650 hPa: what ground and fluxes give as heat, the air has as enthalpy.

use isobar_column::constants::{GAS_CONSTANT, GRAVITY, HEAT_CAPACITY};
use isobar_column::sounding::{Kind, Sounding, heights};
use isobar_column::stages::{
    Advance, Diagnose, Ground, GroundKind, OfScheme, PrescribedFlux, RevisedSurface, Sun, Sunlight, SurfaceFlux,
    quantity as q,
};
use isobar_column::{Initial, Pipeline, State, Step, Table};
use isobar_core::Real;
use isobar_ysu::Ysu;

use crate::{queue, values};

const SURFACE_PA: f64 = 6.5e4;
const STEP_S: f64 = 60.0;
/// The skin's \[J/(m^2 K)\].
const CAPACITY: f64 = 1e5;

/// Dry air up to 300 m over ground that is 8 K warmer, in the dark.
fn start() -> State<f64> {
    let (theta, vapour) = (Table::constant(330.0), Table::constant(0.0));
    let kind = Kind::Profile { surface_pressure_pa: SURFACE_PA, theta_k: &theta, vapour_kg_per_kg: &vapour };
    let mut initial = Initial::from_sounding(&Sounding::new(kind, &heights(12, 300.0, 1.0)).unwrap(), 1);
    initial.wind_east_m_per_s.fill(6.0);
    initial.latitude_deg.fill(45.0);
    initial.moisture_availability.fill(0.0);
    initial.ground_mean_k.iter_mut().for_each(|ground| *ground += 8.0);
    initial.state(queue()).unwrap()
}

/// Enthalpy of the air at its pressures, `sum cp T dp / g` \[J/m^2\].
fn enthalpy(state: &State<f64>) -> f64 {
    let [theta, exner, pressure] =
        [q::POTENTIAL_TEMPERATURE, q::EXNER, q::INTERFACE_PRESSURE].map(|quantity| values(state, quantity));
    let of_layer = |i: usize| HEAT_CAPACITY * theta[i] * exner[i] * (pressure[i] - pressure[i + 1]) / GRAVITY;
    (0..theta.len()).map(of_layer).sum()
}

/// What air gets as heat at its lower boundary, mixing by potential temperature brings to colder pressures: the
/// enthalpy is less by up to the ratio of the Exner functions of top and ground.
fn part_of_top(state: &State<f64>) -> f64 {
    let pressure = values(state, q::INTERFACE_PRESSURE);
    Real::powf(pressure[pressure.len() - 1] / SURFACE_PA, GAS_CONSTANT / HEAT_CAPACITY)
}

fn steps(state: &mut State<f64>, mut pipeline: Pipeline<f64>) {
    pipeline.start(state, 0.0).unwrap();
    (0..60).for_each(|number| pipeline.step(state, &Step::of_run(number, 0.0, STEP_S)).unwrap());
    assert_eq!(state.flags().unwrap(), [0]);
}

#[test]
fn air_in_the_mountains_gets_the_heat_that_is_given() {
    let mut state = start();
    let flux =
        PrescribedFlux::Energy { sensible_w_per_m2: Table::constant(200.0), latent_w_per_m2: Table::constant(0.0) };
    let before = enthalpy(&state);
    let scheme = OfScheme::new("ysu", &state, Ysu::scheme(), isobar_ysu::Options::new(STEP_S)).unwrap();
    let pipeline = Pipeline::new().stage(Diagnose).stage(flux).stage(scheme);
    let pipeline = pipeline.stage(Advance::new(&state, &[]).unwrap());
    steps(&mut state, pipeline);
    let gained = (enthalpy(&state) - before) / 3600.0;
    let least = 200.0 * part_of_top(&state);
    assert!(least > 197.0 && (least..200.0).contains(&gained), "{gained} W/m2, at least {least}");
}

/// A slab that gets nothing else loses what the air gets, whichever surface layer is between them.
#[test]
fn air_in_the_mountains_gets_the_heat_that_the_ground_loses() {
    for revised in [false, true] {
        let mut state = start();
        let ground = values(&state, q::SURFACE_TEMPERATURE)[0];
        let before = enthalpy(&state);
        let sunlight = Sunlight::Part { transmittance: 0.0, albedo: 0.0 };
        let slab = GroundKind::Slab { heat_capacity_j_per_m2_k: CAPACITY, conductance_w_per_m2_k: 0.0, sunlight };
        let pipeline = Pipeline::new().stage(Sun::new(172.0)).stage(Diagnose).stage(Ground(slab));
        let pipeline = if revised {
            pipeline.stage(RevisedSurface::new(&mut state, isobar_surface::Options::default()).unwrap())
        } else {
            pipeline.stage(SurfaceFlux)
        };
        let scheme = OfScheme::new("ysu", &state, Ysu::scheme(), isobar_ysu::Options::new(STEP_S)).unwrap();
        let pipeline = pipeline.stage(scheme).stage(Advance::new(&state, &[]).unwrap());
        steps(&mut state, pipeline);
        let lost = CAPACITY * (ground - values(&state, q::SURFACE_TEMPERATURE)[0]);
        let gained = enthalpy(&state) - before;
        assert!(lost > 3600.0 * 20.0, "{revised}: {lost} J/m2");
        assert!((lost * part_of_top(&state)..lost).contains(&gained), "{revised}: {gained} of {lost} J/m2");
    }
}
