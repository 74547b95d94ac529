//! The functions of plain numbers against those of all numbers.

use isobar_core::{FastMath, Real};

/// The largest error of `got` in units of `expected`'s last place, over numbers evenly spread between `low` and `high`.
fn worst<R: Real>(low: f64, high: f64, got: impl Fn(R) -> R, expected: impl Fn(f64) -> f64) -> f64 {
    let mut worst = 0.0_f64;
    for i in 0..200_001 {
        let x = R::from_f64(low + (high - low) * f64::from(i) / 200_000.0);
        let expected = expected(x.value());
        let error = (got(x).value() - expected).abs() / (expected.abs() * R::EPSILON.value());
        worst = if error > worst || error.is_nan() { error } else { worst };
    }
    worst
}

fn powers_and_roots<R: Real>() {
    let exponential =
        worst::<R>(-80.0, 80.0, R::plain_exp, Real::exp).max(worst::<R>(-3.0, 0.5, R::plain_exp, Real::exp));
    assert!(exponential <= 2.0, "exp: {exponential}");
    for range in [1e-30, 1e-12, 1e-3, 10.0, 1e6, 1e30] {
        let root = worst::<R>(range, 9.0 * range, R::plain_cbrt, Real::cbrt);
        assert!(root <= 2.0, "cbrt near {range:e}: {root}");
    }
    for small in [0.0, 1e-300, 1e-40] {
        let root = R::from_f64(small).plain_cbrt().value();
        assert!((0.0..=1.2e-10).contains(&root), "{small}: {root}");
    }
}

#[test]
fn powers_and_roots_of_plain_numbers() {
    powers_and_roots::<f64>();
    powers_and_roots::<f32>();
}

#[test]
fn coarse_logarithms() {
    for i in -690..690 {
        let x = Real::exp(f64::from(i) / 10.0);
        assert!((x.coarse_ln() - Real::ln(x)).abs() < 3e-7, "{x:e}");
        let (got, expected) = ((x as f32).coarse_ln(), Real::ln(x));
        assert!((f64::from(got) - expected).abs() < 3e-7 + 2.4e-7 * expected.abs(), "{x:e}");
    }
}

fn logarithms<R: Real>() {
    for range in [1e-30, 1e-3, 0.3, 1.0, 2.0, 1e6, 1e30] {
        for i in 0..20_001 {
            let x = R::from_f64(range * (1.0 + f64::from(i) / 10_000.0));
            let expected = Real::ln(x.value());
            let error = (x.plain_ln().value() - expected).abs() / (expected.abs().max(1.0) * R::EPSILON.value());
            assert!(error <= 2.0, "ln {x:e}: {error}");
        }
    }
    for range in [1e-30, 1e-10, 1e-3, 0.1, 0.4, 1.0, 3.0, 1e3, 1e30] {
        let one_more = worst::<R>(range, 9.0 * range, |x| R::plain_ln_1p([x])[0], Real::ln_1p);
        assert!(one_more <= 3.0, "ln_1p near {range:e}: {one_more}");
    }
    assert_eq!(R::plain_ln_1p([R::ZERO])[0], R::ZERO);
}

#[test]
fn logarithms_of_plain_numbers() {
    logarithms::<f64>();
    logarithms::<f32>();
}
