//! Clear sky: reference cases, limits with an analytic answer, the one order.

mod case;
mod derivatives;
mod golden;
mod limits;

#[allow(dead_code, reason = "its main is for `cargo run --example 01_stack`")]
#[path = "../../examples/01_stack.rs"]
mod example_01;

#[test]
fn example_01_prints_what_stands_beside_it() {
    assert_eq!(example_01::text().unwrap(), include_str!("../../examples/01_stack.txt"));
}
