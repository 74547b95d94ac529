//! The methods against KPP's generated code, their orders, their invariances, and what they refuse.

mod case;
mod derivatives;
mod errors;
mod extents;
mod full_chemistry;
mod golden;
mod in_numbers;
mod invariance;
mod order;
mod own;
mod sensitivity;
mod single_precision;
mod tolerances;

#[allow(dead_code, reason = "its main is for `cargo run --example 01_stiff_reactions`")]
#[path = "../../examples/01_stiff_reactions.rs"]
mod example_01;

#[test]
fn example_01_prints_what_stands_beside_it() {
    assert_eq!(example_01::text().unwrap(), include_str!("../../examples/01_stiff_reactions.txt"));
}
