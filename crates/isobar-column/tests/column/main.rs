//! Tests of the column model's own physics against tables, analytic answers and conservation laws.

mod atmospheres;
mod budget;
mod chemistry_cells;
mod condensation;
mod forcing;
mod ground;
mod light;
mod soil;
mod sun;
mod surface_flux;

use isobar_core::kernel::WARP;
use isobar_core::{Kernel, Lanes, Status, Team};

/// Computes all items on the calling thread.
fn run<K: Kernel>(kernel: &K) -> Vec<Status> {
    // SAFETY: each index once; the views are those of living vectors.
    let item = |index| unsafe {
        match K::TEAM {
            Team::Lane => kernel.item::<1>(index, Lanes::starting_at(0)),
            _ => kernel.item::<WARP>(index, Lanes::starting_at(0)),
        }
    };
    (0..kernel.items()).map(item).collect()
}

/// Within a relative tolerance.
fn close(got: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((got - expected).abs() <= tolerance * expected.abs(), "{what}: {got} instead of {expected}");
}

#[allow(dead_code, reason = "its main is for `cargo run --example 01_sounding`")]
#[path = "../../examples/01_sounding.rs"]
mod example_01;

#[test]
fn example_01_prints_what_stands_beside_it() {
    assert_eq!(example_01::text().unwrap(), include_str!("../../examples/01_sounding.txt"));
}
