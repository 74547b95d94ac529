//! The stability corrections far from neutral air: a logarithm, and series in what becomes small.
//!
//! On a GPU they are called: in each of the places that may need them they were a third of the kernel's code, which
//! then did not fit into the cache of instructions.

use isobar_core::Real;

use crate::constants::THIRD;
use crate::physics::series::{inverses, of_logarithm, of_mean, sum};
use crate::physics::stability::{CONVECTIVE_HEAT, CONVECTIVE_MOMENTUM, KANSAS, Psi, STABLE_HEAT, STABLE_MOMENTUM};

/// From this magnitude of `z / L` on they hold.
pub(crate) const FAR: f64 = 9.99;

/// Of stable air, `z / L` of [`FAR`] and more: `ln(z + (1 + z^b)^(1/b))` is `ln(2 z)` and a series in `z^-b`.
#[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
#[cfg_attr(target_arch = "nvptx64", inline(never))]
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

/// Of unstable air, `z / L` of `-`[`FAR`] and less.
///
/// With `u = (1 - 16 z)^(-1/4)` the corrections of Kansas have the derivatives `4 (1 - u) / (u (1 - u^4))` and
/// `4 / (u (1 + u^2))` by `-u`: logarithms, and series in `u`.
#[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
#[cfg_attr(target_arch = "nvptx64", inline(never))]
pub(crate) fn very_unstable<R: Real>(zeta: R) -> Psi<R> {
    const FIRST: [f64; 7] = inverses(1, 4);
    const FOURTH: [f64; 7] = inverses(4, 4);
    const LOGARITHM: [f64; 14] = of_logarithm();
    const LN_2: f64 = core::f64::consts::LN_2;
    let fourth = R::ONE - R::from_f64(KANSAS) * zeta;
    let square = fourth.plain_sqrt();
    let u_squared = R::ONE / square;
    let u = square.plain_sqrt() * u_squared;
    let u_fourth = u_squared * u_squared;
    let logarithm = fourth.plain_ln();
    let (four, two) = (R::from_f64(4.0), R::from_f64(2.0));
    let odd = u * sum(&FIRST, 3, u_fourth) - u_fourth * sum(&FOURTH, 3, u_fourth);
    let momentum = logarithm + R::from_f64(-3.0 * LN_2 - core::f64::consts::FRAC_PI_2) + four * odd;
    let heat = logarithm + R::from_f64(-2.0 * LN_2) + two * u_squared * sum(&LOGARITHM, 6, u_squared);
    let weight = zeta * zeta;
    let per_all = R::ONE / (R::ONE + weight);
    Psi {
        momentum: (momentum + weight * very_convective(zeta, CONVECTIVE_MOMENTUM)) * per_all,
        heat: (heat + weight * very_convective(zeta, CONVECTIVE_HEAT)) * per_all,
    }
}

/// Of free convection, whose third is 0.33 here: with `v` the inverse of the power, the derivative by `-v` is
/// `3 (1 - v) / (v (1 - v^3))`.
#[inline(always)]
fn very_convective<R: Real>(zeta: R, slope: f64) -> R {
    const FIRST: [f64; 8] = inverses(1, 3);
    const THIRDS: [f64; 8] = inverses(3, 3);
    let logarithm = R::from_f64(THIRD) * (R::ONE - R::from_f64(slope) * zeta).plain_ln();
    let v = (-logarithm).plain_exp();
    let cube = v * v * v;
    let odd = v * sum(&FIRST, 3, cube) - cube * sum(&THIRDS, 3, cube);
    let root_3 = Real::sqrt(3.0_f64);
    let constant = core::f64::consts::PI / root_3 - 0.5 * core::f64::consts::PI * root_3 - 1.5 * Real::ln(3.0_f64);
    R::from_f64(3.0) * (logarithm + odd) + R::from_f64(constant)
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
