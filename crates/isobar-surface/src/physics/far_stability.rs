//! The stability corrections far from neutral air, where logarithms and angles are near simple ones.

use isobar_core::Real;

use crate::constants::THIRD;
use crate::physics::series::{of_arctangent, of_mean, sum};
use crate::physics::stability::{CONVECTIVE_HEAT, CONVECTIVE_MOMENTUM, KANSAS, Psi, STABLE_HEAT, STABLE_MOMENTUM};

/// From this magnitude of `z / L` on they hold.
pub(crate) const FAR: f64 = 9.99;

/// Of stable air, `z / L` of [`FAR`] and more: `ln(z + (1 + z^b)^(1/b))` is `ln(2 z)` and a series in `z^-b`.
#[inline(always)]
pub(crate) fn very_stable<R: Real>(zeta: R) -> Psi<R> {
    const MOMENTUM: [f64; 7] = of_mean(1.0 / STABLE_MOMENTUM[1]);
    const HEAT: [f64; 14] = of_mean(1.0 / STABLE_HEAT[1]);
    let [momentum, heat] = [STABLE_MOMENTUM, STABLE_HEAT].map(|[factor, _]| R::from_f64(-factor));
    let logarithm = zeta.plain_ln();
    let doubled = logarithm + R::from_f64(core::f64::consts::LN_2);
    // z^-2.5 and z^-1.1.
    let of_momentum = R::ONE / (zeta * zeta * zeta.plain_sqrt());
    let of_heat = (R::from_f64(-STABLE_HEAT[1]) * logarithm).plain_exp();
    Psi {
        momentum: momentum * sum(&MOMENTUM, 3, of_momentum).mul_add(of_momentum, doubled),
        heat: heat * sum(&HEAT, 6, of_heat).mul_add(of_heat, doubled),
    }
}

/// Of unstable air, `z / L` of `-`[`FAR`] and less: angles are near a right one.
#[inline(always)]
pub(crate) fn very_unstable<R: Real>(zeta: R) -> Psi<R> {
    let (half, two) = (R::from_f64(0.5), R::from_f64(2.0));
    let square = (R::ONE - R::from_f64(KANSAS) * zeta).plain_sqrt();
    let x = square.plain_sqrt();
    let per_square = R::ONE / square;
    let heat = two * (half * (R::ONE + square)).plain_ln();
    let from_right_angle = x * per_square * sum(&OF_ARCTANGENT, 7, per_square);
    let momentum = two * (half * (R::ONE + x)).plain_ln() + half * heat - R::from_f64(core::f64::consts::FRAC_PI_2)
        + two * from_right_angle;
    let weight = zeta * zeta;
    let per_all = R::ONE / (R::ONE + weight);
    Psi {
        momentum: (momentum + weight * very_convective(zeta, CONVECTIVE_MOMENTUM)) * per_all,
        heat: (heat + weight * very_convective(zeta, CONVECTIVE_HEAT)) * per_all,
    }
}

const OF_ARCTANGENT: [f64; 15] = of_arctangent();

/// Of free convection, whose third is 0.33 here.
#[inline(always)]
fn very_convective<R: Real>(zeta: R, slope: f64) -> R {
    const OF_SMALL_ANGLES: [f64; 10] = of_arctangent();
    let third = R::ONE - R::from_f64(slope) * zeta;
    let w = (R::from_f64(THIRD) * third.plain_ln()).plain_exp();
    let root_3 = Real::sqrt(3.0_f64);
    let logarithm = (w * w + w + R::ONE) * R::from_f64(1.0 / 3.0);
    let inverse = R::from_f64(root_3) / (R::from_f64(2.0) * w + R::ONE);
    let from_right_angle = inverse * sum(&OF_SMALL_ANGLES, 5, inverse * inverse);
    R::from_f64(1.5) * logarithm.plain_ln()
        + R::from_f64(root_3) * from_right_angle
        + R::from_f64(core::f64::consts::PI / root_3 - 0.5 * core::f64::consts::PI * root_3)
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use crate::physics::stability::{stable, unstable};

    /// What is taken beyond the table is the same function.
    #[test]
    fn far_from_neutral_air_both_forms_agree() {
        fn check<R: Real>(tolerance: f64) {
            for i in 0..2000 {
                let zeta = FAR * Real::exp(0.006 * f64::from(i));
                let pairs = [
                    (stable(zeta), very_stable(R::from_f64(zeta))),
                    (unstable(-zeta), very_unstable(R::from_f64(-zeta))),
                ];
                for (one, other) in pairs {
                    for (one, other) in [(one.momentum, other.momentum), (one.heat, other.heat)] {
                        let other = other.value();
                        assert!((one - other).abs() <= tolerance * one.abs(), "{zeta}: {one:e} {other:e}");
                    }
                }
            }
        }
        check::<f64>(3e-15);
        check::<f32>(1e-6);
    }
}
