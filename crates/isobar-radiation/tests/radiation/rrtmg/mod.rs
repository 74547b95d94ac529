//! The scheme against the reference, its laws, and what it refuses.

mod case;
mod cloud_optics;
mod coefficients;
mod derivatives;
mod errors;
mod examples;
mod fluxes;
mod invariance;
mod launch;
mod stages;
mod subcolumns;
mod tolerances;
mod top_layer;

#[allow(dead_code, reason = "its main is for `cargo run --example 01_fluxes`")]
#[path = "../../../examples/01_fluxes.rs"]
mod example_01;

#[test]
fn example_01_prints_what_stands_beside_it() {
    assert_eq!(example_01::text().unwrap(), include_str!("../../../examples/01_fluxes.txt"));
}
