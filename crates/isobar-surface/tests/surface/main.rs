//! The scheme against reference points, closed forms, invariances, and what it refuses.

mod case;
mod choices;
mod closed_forms;
mod derivatives;
mod errors;
mod golden;
mod invariance;

#[allow(dead_code, reason = "its main is for `cargo run --example 01_land_and_sea`")]
#[path = "../../examples/01_land_and_sea.rs"]
#[cfg(feature = "launch")]
mod example_01;

#[cfg(feature = "launch")]
#[test]
fn example_01_prints_what_stands_beside_it() {
    assert_eq!(example_01::text().unwrap(), include_str!("../../examples/01_land_and_sea.txt"));
}
