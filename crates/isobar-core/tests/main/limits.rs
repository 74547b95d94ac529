//! What functions of a `Real` give at the ends of their range.

use isobar_core::{Dual, Real};

/// `FastMath::index` against `Real::to_i32`, inside and outside.
fn agrees<R: Real>() {
    let inside = |x: R, first: i32, last: i32| assert_eq!(x.index(first, last), x.to_i32().clamp(first, last), "{x}");
    for i in -20_000..20_000 {
        let x = R::from_f64(f64::from(i) / 256.0);
        inside(x, 0, 1_000_000_000);
        inside(x, 2, 7);
    }
    for x in [0.0, 1e-40, 5e-324, 8_388_609.0, 16_777_216.0, 3e8, 1e9, 3e9, 1e30, f64::MAX, f64::INFINITY] {
        for x in [x, -x].map(R::from_f64) {
            inside(x, 0, 1_000_000_000);
            inside(x, 1, 180);
        }
    }
    for x in [R::NAN, -R::NAN] {
        assert_eq!((x.index(0, 7), x.index(3, 7)), (0, 3));
    }
    // An axis of one node has no interval.
    for x in [-5.0, 0.0, 5.0, f64::NAN].map(R::from_f64) {
        assert_eq!(x.index(0, -1), 0);
    }
}

#[test]
fn an_index_is_inside_whatever_the_number() {
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
