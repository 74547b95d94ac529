//! Every function: its value has the plain bits, its derivative is the analytic one.

use isobar_core::{Dual, Real};
use proptest::prelude::*;

/// A function of one number, in every kind of number.
trait Function {
    fn of<R: Real>(x: R) -> R;
}

/// Checks one function at `x`: bits of the value in both precisions, and the derivative, whose formula differs from the
/// crate's.
///
/// The tolerance is a few roundings of both formulas, each amplified by at most 1 / (1 - |x|) where 1 - x^2 is formed.
fn check<F: Function>(name: &str, x: f64, expected: f64) -> Result<(), TestCaseError> {
    let dual = F::of(Dual::<f64, 2>::variable(x, 1));
    prop_assert_eq!(dual.value.to_bits(), F::of(x).to_bits(), "{} of {}", name, x);
    prop_assert_eq!(dual.derivative[0], 0.0, "{} depends on nothing else", name);
    let error = (dual.derivative[1] - expected).abs();
    prop_assert!(error <= 1e-12 * expected.abs().max(1e-3), "{name}'({x}) = {}, not {expected}", dual.derivative[1]);
    let single = x as f32;
    let dual = F::of(Dual::<f32, 1>::variable(single, 0));
    prop_assert_eq!(dual.value.to_bits(), F::of(single).to_bits(), "{} of {} in single precision", name, single);
    Ok(())
}

macro_rules! functions {
    ($($name:ident in $range:expr, |$x:ident| $value:expr, $slope:expr;)*) => {$(
        #[test]
        fn $name() {
            struct This;
            impl Function for This {
                fn of<R: Real>($x: R) -> R {
                    $value
                }
            }
            proptest!(|($x in $range)| {
                check::<This>(stringify!($name), $x, $slope)?;
            });
        }
    )*};
}

functions! {
    exp in -20.0..20.0, |x| x.exp(), Real::exp(x);
    exp_m1 in -20.0..20.0, |x| x.exp_m1(), Real::exp(x);
    ln in 1e-3..1e3, |x| x.ln(), 1.0 / x;
    ln_1p in -0.9..1e3, |x| x.ln_1p(), 1.0 / (1.0 + x);
    sqrt in 1e-3..1e3, |x| x.sqrt(), 0.5 * Real::powf(x, -0.5);
    plain_sqrt in 1e-3..1e3, |x| x.plain_sqrt(), 0.5 * Real::powf(x, -0.5);
    cbrt in 1e-3..1e3, |x| x.cbrt(), Real::powf(x, -2.0 / 3.0) / 3.0;
    sin in -10.0..10.0, |x| x.sin(), Real::cos(x);
    cos in -10.0..10.0, |x| x.cos(), -Real::sin(x);
    tan in -1.4..1.4, |x| x.tan(), 1.0 / (Real::cos(x) * Real::cos(x));
    asin in -0.99..0.99, |x| x.asin(), 1.0 / Real::sqrt(1.0 - x * x);
    acos in -0.99..0.99, |x| x.acos(), -1.0 / Real::sqrt(1.0 - x * x);
    atan in -10.0..10.0, |x| x.atan(), 1.0 / (1.0 + x * x);
    tanh in -3.0..3.0, |x| x.tanh(), 1.0 - Real::tanh(x) * Real::tanh(x);
    cube in -3.0..3.0, |x| x.powi(3), 3.0 * x * x;
    inverse_square in 0.1..3.0, |x| x.powi(-2), -2.0 / (x * x * x);
    nothing in -3.0..3.0, |x| x.powi(0), 0.0 * x;
    power in 0.1..10.0, |x| x.powf(R::from_f64(2.5)), 2.5 * x * Real::sqrt(x);
    exponential in -3.0..3.0, |x| R::from_f64(3.0).powf(x), Real::ln(3.0) * Real::powf(3.0, x);
    self_power in 0.1..3.0, |x| x.powf(x), Real::powf(x, x) * (Real::ln(x) + 1.0);
    angle in -3.0..3.0, |x| x.sin().atan2(x.cos()), 1.0 + 0.0 * x;
    absolute in 0.1..3.0, |x| (-x).abs(), 1.0 + 0.0 * x;
    quotient in 0.1..3.0, |x| (x + R::ONE) / x, -1.0 / (x * x);
    plain_quotient in 0.1..3.0, |x| (x + R::ONE).plain_quotient(x), -1.0 / (x * x);
    fused in -3.0..3.0, |x| x.mul_add(x, x), 2.0 * x + 1.0;
    at_most in 0.0..3.0, |x| (x * x).at_most(x), if x > 1.0 { 1.0 } else { 2.0 * x };
    at_least in 0.0..3.0, |x| (x * x).at_least(x), if x > 1.0 { 2.0 * x } else { 1.0 };
    plain_exponential in -3.0..3.0, |x| x.plain_exp(), Real::exp(x);
    plain_logarithm in 0.1..3.0, |x| x.plain_ln(), 1.0 / x;
    plain_logarithm_of_one_more in 0.1..3.0, |x| R::plain_ln_1p([x])[0], 1.0 / (1.0 + x);
    plain_cube_root in 0.1..3.0, |x| x.plain_cbrt(), 1.0 / (3.0 * Real::cbrt(x) * Real::cbrt(x));
    smaller in 0.0..3.0, |x| (x * x).min(x), if x < 1.0 { 2.0 * x } else { 1.0 };
    larger in 0.0..3.0, |x| (x * x).max(x), if x > 1.0 { 2.0 * x } else { 1.0 };
    clamped in 0.0..3.0, |x| (x * x).clamp(R::ONE, R::from_f64(4.0)), if x > 1.0 && x < 2.0 { 2.0 * x } else { 0.0 };
    absorptance in 0.0..10.0, |x| R::exp2_m1_products([x], R::from_f64(-1.5))[0],
        -1.5 * Real::ln(2.0) * Real::exp(-1.5 * Real::ln(2.0) * x);
    absorptance_by_rate in -10.0..0.0, |x| R::exp2_m1_products([R::from_f64(1.5)], x)[0],
        1.5 * Real::ln(2.0) * Real::exp(1.5 * Real::ln(2.0) * x);
    there_and_back in -3.0..3.0, |x| R::from_wide(x.wide()), 1.0 + 0.0 * x;
}

#[test]
fn what_depends_on_nothing_stays_so_where_a_slope_is_infinite() {
    let zero = Dual::<f64, 1>::constant(0.0);
    for x in [zero.sqrt(), zero.cbrt(), zero.powf(Dual::constant(0.5)), (zero + Dual::ONE).asin(), zero.ln()] {
        assert_eq!(x.derivative, [0.0]);
    }
    assert_eq!(Dual::<f64, 1>::variable(0.0, 0).sqrt().derivative, [f64::INFINITY]);
}

#[test]
fn values_decide_and_show() {
    let (x, y) = (Dual::<f64, 1>::variable(1.5, 0), Dual::constant(1.5));
    assert_eq!(x, y);
    assert!(x <= y);
    assert!(x >= y);
    assert!(x < y + Dual::EPSILON);
    assert!(x > y - Dual::EPSILON);
    assert_eq!((format!("{x}"), format!("{x:e}"), x.to_i32(), x.to_f32()), ("1.5".into(), "1.5e0".into(), 1, 1.5));
    assert!(Dual::<f64, 1>::NAN.is_nan() && !Dual::<f64, 1>::INFINITY.is_finite());
}
