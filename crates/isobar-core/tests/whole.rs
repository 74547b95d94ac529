//! `Real::whole` against `Real::to_i32`, within the range where they agree and clamped beyond it.

use isobar_core::{Dual, Real};

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
