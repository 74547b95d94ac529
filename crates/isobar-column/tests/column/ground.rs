//! The ground: given through the day, and a slab that comes to rest where its fluxes balance.

use isobar_column::ground::{Ground, Parameters, SOLAR_CONSTANT};
use isobar_core::{Column, Field, FieldMut};

use crate::{close, run};

const SLAB: Parameters<f64> = Parameters {
    slab: 1,
    phase: 0.0,
    step_s: 60.0,
    heat_capacity_j_per_m2_k: 1e5,
    transmittance: 0.7,
    albedo: 0.2,
    conductance_w_per_m2_k: 5.0,
};

/// The temperature after a step.
fn step(parameters: Parameters<f64>, temperature: f64, sun: f64, flux_up: f64) -> f64 {
    let mut here = [temperature];
    let kernel = Ground {
        parameters,
        mean_temperature_k: Column::from(&[290.0][..]),
        amplitude_k: Column::from(&[8.0][..]),
        cosine_of_zenith: Column::from(std::slice::from_ref(&sun)),
        flux_up_w_per_m2: Field::item_fastest(std::slice::from_ref(&flux_up), 1, 1),
        flux_down_w_per_m2: Field::item_fastest(&[330.0], 1, 1),
        sensible_heat_flux_w_per_m2: Column::from(&[20.0][..]),
        moisture_flux_kg_per_m2_s: Column::from(&[1e-5][..]),
        temperature_k: FieldMut::item_fastest(&mut here, 1, 1),
    };
    run(&kernel);
    here[0]
}

#[test]
fn a_given_temperature_follows_its_phase() {
    let given = |phase| step(Parameters { slab: 0, phase, ..SLAB }, 0.0, 0.5, 400.0);
    assert_eq!((given(1.0), given(0.0), given(-1.0)), (298.0, 290.0, 282.0));
}

#[test]
fn a_slab_gains_what_its_fluxes_leave() {
    let gain = 0.8 * 0.7 * SOLAR_CONSTANT * 0.5 + 330.0;
    let loss = 400.0 + 20.0 + 2.5e6 * 1e-5 + 5.0 * (295.0 - 290.0);
    // A temperature near 300 has a last bit of 6e-14, the change is 0.1: 1e-12 of it.
    close(step(SLAB, 295.0, 0.5, 400.0) - 295.0, 60.0 * (gain - loss) / 1e5, 1e-11, "change");
    // By night the Sun gives nothing, not even less than nothing.
    assert_eq!(step(SLAB, 295.0, -0.5, 400.0), step(SLAB, 295.0, 0.0, 400.0));
}

#[test]
fn a_slab_comes_to_rest_where_fluxes_balance() {
    let mut temperature = 280.0;
    for _ in 0..100_000 {
        temperature = step(SLAB, temperature, 0.0, 300.0);
    }
    // 330 - 300 - 20 - 25 = lambda (T - 290)
    close(temperature, 290.0 + (330.0 - 300.0 - 20.0 - 25.0) / 5.0, 1e-13, "temperature at rest");
}
