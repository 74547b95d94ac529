//! What functions of a `Real` give at the ends of their range.

use isobar_core::{Dual, Real};

/// `FastMath::whole` against `Real::to_i32`, within the range where they agree and clamped beyond it.
fn agrees<R: Real>() {
    for i in -20_000..20_000 {
        let x = R::from_f64(f64::from(i) / 256.0);
        assert_eq!(x.whole(), x.to_i32());
    }
    for x in [0.0, -0.0, 1e-40, 8_388_609.0, 16_777_216.0, -3e8, 1e9, -1e9].map(R::from_f64) {
        assert_eq!(x.whole(), x.to_i32());
    }
    for x in [3e9, -3e9, f64::MAX, f64::INFINITY, -f64::INFINITY].map(R::from_f64) {
        assert_eq!(x.whole().clamp(1, 180), x.to_i32().clamp(1, 180));
    }
    assert_eq!(R::from_f64(f64::NAN).whole().max(0), 0);
}

#[test]
fn the_integer_part_is_that_of_a_saturating_conversion() {
    agrees::<f32>();
    agrees::<f64>();
    agrees::<Dual<f64, 2>>();
}

/// Processors differ in the maximum of two zeros, so it is not left to them.
#[test]
fn a_limit_is_met_with_its_own_bits() {
    fn bits<R: Real>(x: f64, limit: f64) -> u64 {
        R::from_f64(x).max(R::from_f64(limit)).value().to_bits()
    }
    for of in [bits::<f32>, bits::<f64>, bits::<Dual<f64, 2>>] {
        assert_eq!(of(-0.0, 0.0), 0);
        assert_eq!(of(f64::NAN, 0.0), 0);
        assert_eq!(of(-1.0, 0.5), 0.5_f64.to_bits());
        assert_eq!(of(2.0, 0.5), 2.0_f64.to_bits());
    }
}

/// NaN stays one, where `max` takes the limit.
#[test]
fn a_least_or_most_number_hides_no_nan() {
    fn check<R: Real>() {
        let (nan, limit) = (R::from_f64(f64::NAN), R::from_f64(2.0));
        assert!(nan.at_least(limit).is_nan() && nan.at_most(limit).is_nan());
        for (x, least, most) in [(1.0, 2.0, 1.0), (3.0, 3.0, 2.0), (2.0, 2.0, 2.0)] {
            let x = R::from_f64(x);
            assert_eq!([x.at_least(limit).value(), x.at_most(limit).value()], [least, most]);
        }
    }
    check::<f32>();
    check::<f64>();
    check::<Dual<f64, 2>>();
}
