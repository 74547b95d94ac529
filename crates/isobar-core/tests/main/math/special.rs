//! Special values: the same answers as IEEE 754's recommendations, and one NaN.

use super::bounds::FUNCTIONS;
use super::inputs::EDGES;
use isobar_core::math::{double, single};

/// Same number, or both NaN.
fn same(ours: f64, theirs: f64) -> bool {
    ours.to_bits() == theirs.to_bits() || (ours.is_nan() && theirs.is_nan())
}

#[test]
fn zeros_infinities_and_nan_of_one_argument() {
    for function in &FUNCTIONS {
        for x in [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -1.0, 1.0, -2.0] {
            let exact = matches!(x.abs(), 0.0 | f64::INFINITY)
                || (function.libm)(x).is_nan()
                || (function.libm)(x).is_infinite();
            if exact {
                let (ours, theirs) = ((function.double)(x), (function.libm)(x));
                assert!(same(ours, theirs), "{}({x}) = {ours}, not {theirs}", function.name);
                let (ours, theirs) = (f64::from((function.single)(x as f32)), f64::from((function.libm)(x) as f32));
                assert!(same(ours, theirs), "{}({x}f32) = {ours}, not {theirs}", function.name);
            }
        }
    }
}

#[test]
fn every_nan_has_the_same_bits() {
    let nans = [f64::NAN, -f64::NAN, f64::from_bits(0x7ff0_0000_0000_0001), f64::from_bits(0xfff8_1234_5678_9abc)];
    let single_nans = [f32::NAN, -f32::NAN, f32::from_bits(0x7f80_0001), f32::from_bits(0xffc1_2345)];
    for function in &FUNCTIONS {
        for x in nans.into_iter().chain(EDGES).chain([1e15, 1e30]) {
            let y = (function.double)(x);
            assert!(!y.is_nan() || y.to_bits() == f64::NAN.to_bits(), "{}({x:e})", function.name);
        }
        for x in single_nans.into_iter().chain(EDGES.map(|x| x as f32)).chain([1e15, 1e30]) {
            let y = (function.single)(x);
            assert!(!y.is_nan() || y.to_bits() == f32::NAN.to_bits(), "{}({x:e}f32)", function.name);
        }
    }
    for x in nans {
        for y in EDGES {
            for z in [double::powf(x, y), double::powf(y, x), double::atan2(x, y), double::atan2(y, x)] {
                assert!(!z.is_nan() || z.to_bits() == f64::NAN.to_bits());
            }
        }
    }
}

#[test]
fn powers_and_angles_of_special_pairs() {
    let more = [
        1.5,
        -1.5,
        9_007_199_254_740_991.0,
        -9_007_199_254_740_991.0,
        4_503_599_627_370_497.0,
        4_503_599_627_370_497.5,
        0.1,
        10.0,
        -7.0,
    ];
    for x in EDGES.into_iter().chain(more) {
        for y in EDGES.into_iter().chain(more) {
            let special = [x, y].iter().any(|v| *v == 0.0 || !v.is_finite());
            let (ours, theirs) = (double::powf(x, y), libm::pow(x, y));
            let near = (ours - theirs).abs() <= 4.0 * f64::EPSILON * theirs.abs();
            assert!(
                same(ours, theirs) || (near && !special && ours != 0.0),
                "powf({x:e}, {y:e}) = {ours:e}, not {theirs:e}"
            );
            let (ours, theirs) = (double::atan2(x, y), libm::atan2(x, y));
            let near = (ours - theirs).abs() <= 4.0 * f64::EPSILON * theirs.abs();
            assert!(same(ours, theirs) || near, "atan2({x:e}, {y:e}) = {ours:e}, not {theirs:e}");
            let (x, y) = (x as f32, y as f32);
            let (ours, theirs) =
                (f64::from(single::powf(x, y)), f64::from(libm::pow(f64::from(x), f64::from(y)) as f32));
            let near = (ours - theirs).abs() <= 4.0 * f64::from(f32::EPSILON) * theirs.abs();
            assert!(same(ours, theirs) || (near && ours != 0.0), "powf({x:e}f32, {y:e}) = {ours:e}, not {theirs:e}");
        }
    }
}

#[test]
fn integer_powers_are_products() {
    for n in -8..=8_i32 {
        let product = (0..n.unsigned_abs()).fold(1.0_f64, |p, _| p * 2.5);
        assert_eq!(double::powi(2.5, n), if n < 0 { 1.0 / product } else { product });
        assert_eq!(single::powi(2.0, n), f32::from_bits(((127 + n) as u32) << 23));
    }
    assert_eq!(double::powi(1.0, i32::MIN), 1.0);
}

#[test]
fn exponentials_and_logarithms_rise_across_their_seams() {
    let seams = (-20..20).map(|k| (f64::from(k) + 0.5) * core::f64::consts::LN_2).chain([0.0, 1.0, 1e-8]);
    for seam in seams {
        for step in 0..200_i64 {
            let x = f64::from_bits((seam.abs().to_bits() as i64 + step - 100).max(0) as u64).copysign(seam);
            let next = f64::from_bits(x.to_bits().wrapping_add(1));
            let (low, high) = if x < next { (x, next) } else { (next, x) };
            assert!(double::exp(low) <= double::exp(high), "exp at {x:e}");
            assert!(double::exp_m1(low) <= double::exp_m1(high), "exp_m1 at {x:e}");
        }
    }
    for seam in (-20..20).map(|k| libm::exp2(f64::from(k) + 0.5)) {
        for step in 0..200 {
            let x = f64::from_bits(seam.to_bits() + step - 100);
            let next = f64::from_bits(x.to_bits() + 1);
            assert!(double::ln(x) <= double::ln(next), "ln at {x:e}");
            assert!(double::ln_1p(x) <= double::ln_1p(next), "ln_1p at {x:e}");
        }
    }
}
