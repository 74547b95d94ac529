//! The rules of differentiation, for any two functions of two variables.

use isobar_core::{Dual, Real};
use proptest::prelude::*;

type Number = Dual<f64, 2>;

prop_compose! {
    /// A number with derivatives in both variables.
    fn number()(value in 0.1..10.0_f64, x in -5.0..5.0_f64, y in -5.0..5.0_f64) -> Number {
        Dual { value, derivative: [x, y] }
    }
}

/// Two ways to a derivative agree but for rounding: some operations on numbers up to a few hundred.
fn same(a: Number, b: Number) -> Result<(), TestCaseError> {
    for (a, b) in a.derivative.into_iter().zip(b.derivative) {
        prop_assert!((a - b).abs() <= 1e-11 * (1.0 + a.abs()), "{a} is not {b}");
    }
    Ok(())
}

proptest! {
    #[test]
    fn sums_and_differences_are_linear(f in number(), g in number()) {
        for i in 0..2 {
            prop_assert_eq!((f + g).derivative[i], f.derivative[i] + g.derivative[i]);
            prop_assert_eq!((f - g).derivative[i], f.derivative[i] - g.derivative[i]);
            prop_assert_eq!((-f).derivative[i], -f.derivative[i]);
        }
        prop_assert_eq!([f, g].into_iter().sum::<Number>().derivative, (f + g).derivative);
    }

    #[test]
    fn a_product_follows_leibniz(f in number(), g in number()) {
        for i in 0..2 {
            prop_assert_eq!((f * g).derivative[i], f.derivative[i] * g.value + g.derivative[i] * f.value);
        }
    }

    #[test]
    fn a_quotient_undoes_a_product(f in number(), g in number()) {
        same(f * g / g, f)?;
        same(Number::ONE / (f / g), g / f)?;
    }

    #[test]
    fn inverse_functions_cancel(f in number()) {
        same(f.ln().exp(), f)?;
        same(f.exp_m1().ln_1p(), f)?;
        same(f.sqrt() * f.sqrt(), f)?;
        same(f.cbrt().powi(3), f)?;
        same(f.atan().tan(), f)?;
        same(f.powf(Number::from_f64(0.5)), f.sqrt())?;
    }

    #[test]
    fn assignments_are_operations(f in number(), g in number()) {
        let mut h = f;
        h += g;
        h *= g;
        h -= f;
        h /= g;
        let same = ((f + g) * g - f) / g;
        prop_assert_eq!((h.value, h.derivative), (same.value, same.derivative));
    }

    #[test]
    fn dual_numbers_over_dual_numbers_give_second_derivatives(x in 0.1..3.0_f64) {
        let inner = Dual::<f64, 1>::variable(x, 0);
        let y = Dual::<Dual<f64, 1>, 1>::variable(inner, 0);
        let second = (y * y * y).derivative[0].derivative[0];
        prop_assert!((second - 6.0 * x).abs() < 1e-13 * 6.0 * x);
    }
}
