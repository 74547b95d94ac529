//! f32: against libm's f64 functions, in strides over all bit patterns.

use super::bounds::{ATAN2_SINGLE, FUNCTIONS, POWF_SINGLE};
use super::inputs::{Random, count};
use super::ulp;
use isobar_core::math::single;

#[test]
fn within_the_bound_over_all_bit_patterns() {
    let stride = if cfg!(debug_assertions) { 100_003 } else { 1009 };
    for function in &FUNCTIONS {
        let mut worst = (0.0, 0.0);
        for bits in (0..=u32::MAX).step_by(stride) {
            let x = f32::from_bits(bits);
            if f64::from(x).abs() > function.largest {
                continue;
            }
            let error = ulp::single((function.single)(x), (function.libm)(f64::from(x)));
            if error > worst.0 {
                worst = (error, x);
            }
        }
        println!("{} f32: {:.4} ulp at {:e}", function.name, worst.0, worst.1);
        assert!(worst.0 <= function.single_bound, "{}: {} ulp at {:e}", function.name, worst.0, worst.1);
    }
}

#[test]
fn two_arguments_are_within_the_bound() {
    let mut random = Random(3);
    let mut worst = [0.0, 0.0];
    for i in 0..count(2_000_000) {
        let x = f32::from_bits(random.bits() as u32);
        let y = f32::from_bits(random.bits() as u32);
        let (x, y) = match i % 4 {
            0 => (x, y),
            1 => (x, (random.between(-104.0, 89.0) / libm::log(f64::from(x.abs()))) as f32),
            2 => (random.between(0.0, 10.0) as f32, random.between(-10.0, 10.0) as f32),
            _ => ((1.0 + random.between(-1e-3, 1e-3)) as f32, random.between(-1e5, 1e5) as f32),
        };
        let (wide_x, wide_y) = (f64::from(x), f64::from(y));
        for (k, (ours, theirs, bound)) in [
            (single::powf(x, y), libm::pow(wide_x, wide_y), POWF_SINGLE),
            (single::atan2(y, x), libm::atan2(wide_y, wide_x), ATAN2_SINGLE),
        ]
        .into_iter()
        .enumerate()
        {
            let error = ulp::single(ours, theirs);
            assert!(error <= bound, "function {k} of {x:e}, {y:e}: {ours:e} {theirs:e}, {error} ulp");
            if error > worst[k] {
                worst[k] = error;
            }
        }
    }
    println!("powf f32: {:.4} ulp, atan2 f32: {:.4} ulp", worst[0], worst[1]);
}
