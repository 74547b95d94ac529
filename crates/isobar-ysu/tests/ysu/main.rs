//! The scheme against reference columns, its budgets, its invariances, and what it refuses.

mod budget;
mod case;
mod comparison;
mod derivatives;
mod diurnal;
mod errors;
mod forms;
mod golden;
mod invariance;
mod shin_hong;
mod similarity;
mod suite;
mod suite_files;
mod tolerances;

#[allow(dead_code, reason = "its main is for `cargo run --example 01_warm_ground`")]
#[path = "../../examples/01_warm_ground.rs"]
#[cfg(feature = "launch")]
mod example_01;

#[cfg(feature = "launch")]
#[test]
fn example_01_prints_what_stands_beside_it() {
    assert_eq!(example_01::text().unwrap(), include_str!("../../examples/01_warm_ground.txt"));
}
