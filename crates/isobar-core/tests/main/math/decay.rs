//! Functions for decay: the fused multiply-add, the limit that keeps NaN, and `2^(x rate) - 1`.

use isobar_core::math::{double, single};
use isobar_core::{FastMath, Real};

/// Optical depths from nothing to opaque.
fn depths() -> impl Iterator<Item = f64> {
    (0..40_000).map(|i| Real::powf(10.0, -9.0 + 10.3 * f64::from(i) / 40_000.0)).filter(|&x| x < 30.0)
}

/// The error in units in the last place of the result: the rounded product's share, two roundings and the polynomial.
const BOUND: f64 = 1.5;

#[test]
fn losses_agree_with_expm1() {
    let (mut worst_double, mut worst_single): (f64, f64) = (0.0, 0.0);
    for x in depths() {
        // 2^(x rate) - 1 with the rate that is exactly there, by libm in double precision.
        let rate = -1.5_f64;
        let [loss] = double::exp2_m1_products([x], rate);
        let exact = libm::expm1(x * rate * std::f64::consts::LN_2);
        // libm's argument is itself rounded: one more unit of x, of which the result has |x ln 2 / (e^x - 1)| < 1.
        worst_double = worst_double.max((loss - exact).abs() / (exact.abs() * f64::EPSILON));

        let (x, rate) = (x as f32, -1.5_f32);
        let [loss] = single::exp2_m1_products([x], rate);
        let exact = libm::expm1(f64::from(x) * f64::from(rate) * std::f64::consts::LN_2);
        worst_single = worst_single.max((f64::from(loss) - exact).abs() / (exact.abs() * f64::from(f32::EPSILON)));
    }
    assert!(worst_double <= BOUND + 1.0, "{worst_double} units in f64");
    assert!(worst_single <= BOUND, "{worst_single} units in f32");
}

#[test]
fn nothing_is_lost_in_nothing_and_all_in_the_opaque() {
    assert_eq!(f64::exp2_m1_products([0.0, 64.0], -1.0), [0.0, -1.0]);
    assert_eq!(f32::exp2_m1_products([0.0, 64.0], -1.0), [0.0, -1.0]);
    assert!(f32::exp2_m1_products([f32::NAN], -1.0)[0].is_nan());
}

#[test]
fn many_numbers_give_the_bits_of_each() {
    let x: [f64; 13] = std::array::from_fn(|i| 0.37 * i as f64);
    let all = f64::exp2_m1_products(x, -1.25);
    for (x, all) in x.into_iter().zip(all) {
        assert_eq!(f64::exp2_m1_products([x], -1.25), [all]);
    }
}

#[test]
fn a_fused_sum_is_rounded_once() {
    let a = 1.0 + f64::EPSILON;
    assert_eq!(Real::mul_add(a, a, -(1.0 + 2.0 * f64::EPSILON)), f64::EPSILON * f64::EPSILON);
    let a = 1.0 + f32::EPSILON;
    assert_eq!(Real::mul_add(a, a, -(1.0 + 2.0 * f32::EPSILON)), f32::EPSILON * f32::EPSILON);
}

#[test]
fn a_limit_lets_nan_pass() {
    assert_eq!(3.0_f32.at_most(2.0), 2.0);
    assert_eq!(1.0_f64.at_most(2.0), 1.0);
    assert!(f32::NAN.at_most(2.0).is_nan() && f64::NAN.at_most(2.0).is_nan());
}
