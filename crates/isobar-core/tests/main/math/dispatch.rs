//! The functions of slices: the bits of the scalar functions, whatever vectors the processor has.

use super::bounds::FUNCTIONS;
use super::inputs::{EDGES, Random, count};
use isobar_core::math::{double, single, slice};

fn arguments() -> (Vec<f64>, Vec<f32>) {
    let mut random = Random(4);
    let wide: Vec<f64> = EDGES.into_iter().chain((0..count(1_000_000)).map(|_| random.double())).collect();
    let narrow =
        wide.iter().enumerate().map(|(i, x)| if i % 2 == 0 { *x as f32 } else { f32::from_bits(random.bits() as u32) });
    let narrow = narrow.collect();
    (wide, narrow)
}

#[test]
fn slices_have_the_bits_of_single_calls() {
    let (wide, narrow) = arguments();
    // The call is not inlined, so that it is the scalar code.
    for function in &FUNCTIONS {
        let mut results = wide.clone();
        (function.double_slice)(&mut results);
        for (x, y) in wide.iter().zip(&results) {
            assert_eq!(core::hint::black_box(function.double)(*x).to_bits(), y.to_bits(), "{}({x:e})", function.name);
        }
        let mut results = narrow.clone();
        (function.single_slice)(&mut results);
        for (x, y) in narrow.iter().zip(&results) {
            assert_eq!(
                core::hint::black_box(function.single)(*x).to_bits(),
                y.to_bits(),
                "{}({x:e}f32)",
                function.name
            );
        }
    }
}

#[test]
fn powers_of_slices_have_the_bits_of_single_calls() {
    let (wide, narrow) = arguments();
    for power in [0.0, 0.286, -1.5, 3.0, 2.0, 1e300] {
        let mut results = wide.clone();
        slice::f64::powf(&mut results, power);
        let function: fn(f64, f64) -> f64 = core::hint::black_box(double::powf);
        for (x, y) in wide.iter().zip(&results) {
            assert_eq!(function(*x, power).to_bits(), y.to_bits(), "powf({x:e}, {power})");
        }
        let power = power as f32;
        let mut results = narrow.clone();
        slice::f32::powf(&mut results, power);
        let function: fn(f32, f32) -> f32 = core::hint::black_box(single::powf);
        for (x, y) in narrow.iter().zip(&results) {
            assert_eq!(function(*x, power).to_bits(), y.to_bits(), "powf({x:e}f32, {power})");
        }
    }
}
