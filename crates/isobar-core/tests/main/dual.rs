//! Dual numbers: exact derivatives, and values with the bits of plain numbers.

mod functions;
mod rules;

#[allow(dead_code, reason = "its main is for `cargo run --example 01_derivatives`")]
#[path = "../../examples/01_derivatives.rs"]
mod example_01;

#[test]
fn example_01_prints_what_stands_beside_it() {
    assert_eq!(example_01::text().unwrap(), include_str!("../../examples/01_derivatives.txt"));
}
