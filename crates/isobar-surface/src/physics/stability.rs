//! Stability corrections: integrals of the dimensionless gradients' deviation from 1, over `ln z`, from the ground to
//! `z / L`. Stable air as Cheng and Brutsaert (2005, doi:10.1007/s10546-004-1425-4) have it; unstable air between the
//! laws of Kansas and of free convection (Fairall et al. 1996, doi:10.1029/95JC03205; Grachev et al. 2000,
//! doi:10.1023/A:1002452529672). Jimenez et al. (2012, doi:10.1175/MWR-D-11-00056.1) put them together.

#[cfg(feature = "std")]
use isobar_core::Real;
use isobar_core::per_lane;

#[cfg(feature = "std")]
use crate::constants::THIRD;

/// Cheng and Brutsaert: `-a ln(z + (1 + z^b)^(1/b))`, `a` and `b` of momentum ...
pub(super) const STABLE_MOMENTUM: [f64; 2] = [6.1, 2.5];
/// ... and of heat.
pub(super) const STABLE_HEAT: [f64; 2] = [5.3, 1.1];
/// The gradients of Kansas: `(1 - 16 z)^(-1/4)`, and its square.
pub(super) const KANSAS: f64 = 16.0;
/// Those of free convection: `(1 - a z)^(-1/3)`, of momentum ...
pub(super) const CONVECTIVE_MOMENTUM: f64 = 10.0;
/// ... and of heat.
pub(super) const CONVECTIVE_HEAT: f64 = 34.0;

// The functions make the table, on a host; kernels take its numbers, and beyond it [`super::far_stability`].

per_lane! {
    /// Corrections of momentum and heat.
    pub(crate) struct Psi { momentum, heat }
}

/// Of stable air, `z / L` above 0.
#[cfg(feature = "std")]
#[inline(always)]
pub(crate) fn stable<R: Real>(zeta: R) -> Psi<R> {
    let logarithm = zeta.plain_ln();
    Psi {
        momentum: cheng_brutsaert(zeta, logarithm, STABLE_MOMENTUM),
        heat: cheng_brutsaert(zeta, logarithm, STABLE_HEAT),
    }
}

#[cfg(feature = "std")]
#[inline(always)]
fn cheng_brutsaert<R: Real>(zeta: R, logarithm: R, [factor, exponent]: [f64; 2]) -> R {
    let power = (R::from_f64(exponent) * logarithm).plain_exp();
    let root = (R::from_f64(1.0 / exponent) * (R::ONE + power).plain_ln()).plain_exp();
    R::from_f64(-factor) * (zeta + root).plain_ln()
}

/// Of unstable air, `z / L` below 0.
#[cfg(feature = "std")]
#[inline(always)]
pub(crate) fn unstable<R: Real>(zeta: R) -> Psi<R> {
    let (half, two) = (R::from_f64(0.5), R::from_f64(2.0));
    let square = (R::ONE - R::from_f64(KANSAS) * zeta).plain_sqrt();
    let x = square.plain_sqrt();
    let heat = two * (half * (R::ONE + square)).plain_ln();
    let momentum = two * (half * (R::ONE + x)).plain_ln() + half * heat - two * x.atan()
        + R::from_f64(core::f64::consts::FRAC_PI_2);
    let weight = zeta * zeta;
    let per_all = R::ONE / (R::ONE + weight);
    Psi {
        momentum: (momentum + weight * convective(zeta, CONVECTIVE_MOMENTUM)) * per_all,
        heat: (heat + weight * convective(zeta, CONVECTIVE_HEAT)) * per_all,
    }
}

/// Of free convection, whose third is 0.33 here.
#[cfg(feature = "std")]
#[inline(always)]
fn convective<R: Real>(zeta: R, slope: f64) -> R {
    let third = R::ONE - R::from_f64(slope) * zeta;
    let w = (R::from_f64(THIRD) * third.plain_ln()).plain_exp();
    let root_3 = Real::sqrt(3.0_f64);
    let logarithm = (w * w + w + R::ONE) * R::from_f64(1.0 / 3.0);
    let angle = (R::from_f64(2.0) * w + R::ONE) * R::from_f64(1.0 / root_3);
    R::from_f64(1.5) * logarithm.plain_ln() - R::from_f64(root_3) * angle.atan()
        + R::from_f64(core::f64::consts::PI / root_3)
}
