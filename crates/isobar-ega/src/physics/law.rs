//! How emissivity and column density hang together on one curve of a table: between its nodes, below the first and
//! beyond the last. Everywhere they are proportional below the first node and saturate exponentially beyond the last.

use isobar_core::Real;

use crate::curve::CurveView;

/// The law of a curve between its nodes.
pub trait Law: Copy + Send + Sync + core::fmt::Debug + 'static {
    /// Does it read logarithms, and weigh pressures by theirs?
    const LOGARITHMIC: bool;
    /// Names of kernels: Curtis-Godson means, emissivity growth and means as JURASSIC, and each with its derivatives.
    const NAMES: [[&'static str; 2]; 3];

    /// The emissivity at a column density \[molecules/cm^2\]; `near` is where the search begins, and where it ended.
    fn emissivity<R: Real>(curve: &CurveView, column_per_cm2: R, near: &mut i32) -> R;

    /// The emissivity by JURASSIC's own steps, on a curve of two nodes or more.
    fn emissivity_as_jurassic<R: Real>(curve: &CurveView, column_per_cm2: R, near: &mut i32) -> R;

    /// The column density at which a curve of two nodes or more has an emissivity, by JURASSIC's own steps.
    fn column_as_jurassic<R: Real>(curve: &CurveView, emissivity: R, near: &mut i32) -> R;
}

/// Emissivity linear in the column density, as in JURASSIC until 2025.
#[derive(Clone, Copy, Debug)]
pub struct Linear;

impl Law for Linear {
    const LOGARITHMIC: bool = false;
    const NAMES: [[&'static str; 2]; 3] = [
        ["grow_cga", "jacobian_grow_cga"],
        ["grow_ega_jurassic", "jacobian_grow_ega_jurassic"],
        ["grow_cga_jurassic", "jacobian_grow_cga_jurassic"],
    ];

    #[inline(always)]
    fn emissivity<R: Real>(curve: &CurveView, column_per_cm2: R, near: &mut i32) -> R {
        *near = curve.find_column(column_per_cm2, *near);
        let node = *near;
        if curve.last() < 0 {
            return R::ZERO;
        }
        if node == curve.last() {
            return -(curve.saturation_rate::<R>() * column_per_cm2).exp_m1();
        }
        let (low, left) = (R::from_f32(curve.emissivity(node)), R::from_f32(curve.column(node)));
        let (high, right) = (R::from_f32(curve.emissivity(node + 1)), R::from_f32(curve.column(node + 1)));
        low + (high - low) / (right - left) * (column_per_cm2 - left)
    }

    #[inline(always)]
    fn emissivity_as_jurassic<R: Real>(curve: &CurveView, column: R, near: &mut i32) -> R {
        let last = curve.last();
        if column < R::from_f32(curve.column(0)) {
            *near = -1;
            return R::from_f32(curve.emissivity(0) / curve.column(0)) * column;
        }
        if column > R::from_f32(curve.column(last)) {
            *near = last;
            return R::ONE - (rate_as_jurassic::<R>(curve) * column).exp();
        }
        *near = curve.find_column(column, *near);
        let node = (*near).min(last - 1);
        let (u, e) = (curve.column(node), curve.emissivity(node));
        let slope = (curve.emissivity(node + 1) - e) / (curve.column(node + 1) - u);
        R::from_f32(e) + R::from_f32(slope) * (column - R::from_f32(u))
    }

    #[inline(always)]
    fn column_as_jurassic<R: Real>(curve: &CurveView, emissivity: R, near: &mut i32) -> R {
        let last = curve.last();
        if emissivity < R::from_f32(curve.emissivity(0)) {
            *near = -1;
            return R::from_f32(curve.column(0) / curve.emissivity(0)) * emissivity;
        }
        if emissivity > R::from_f32(curve.emissivity(last)) {
            *near = last;
            return (R::ONE - emissivity).ln() / rate_as_jurassic(curve);
        }
        *near = curve.find_emissivity(emissivity, *near);
        let node = (*near).min(last - 1);
        let (u, e) = (curve.column(node), curve.emissivity(node));
        let slope = (curve.column(node + 1) - u) / (curve.emissivity(node + 1) - e);
        R::from_f32(u) + R::from_f32(slope) * (emissivity - R::from_f32(e))
    }
}

/// The exponential through the last node, its `1 - eps` in single precision.
#[inline(always)]
fn rate_as_jurassic<R: Real>(curve: &CurveView) -> R {
    let last = curve.last();
    R::from_f32(1.0 - curve.emissivity(last)).ln() / R::from_f32(curve.column(last))
}

/// Logarithm of the emissivity linear in that of the column density, as in JURASSIC since 2026. The nodes hold both
/// logarithms.
///
/// ```text
/// ln eps = ln eps_k + s_k (ln u - ln u_k),    s_k = (ln eps_(k+1) - ln eps_k) / (ln u_(k+1) - ln u_k)
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Logarithmic;

impl Law for Logarithmic {
    const LOGARITHMIC: bool = true;
    const NAMES: [[&'static str; 2]; 3] = [
        ["grow_cga_log", "jacobian_grow_cga_log"],
        ["grow_ega_log_jurassic", "jacobian_grow_ega_log_jurassic"],
        ["grow_cga_log_jurassic", "jacobian_grow_cga_log_jurassic"],
    ];

    #[inline(always)]
    fn emissivity<R: Real>(curve: &CurveView, column_per_cm2: R, near: &mut i32) -> R {
        if curve.last() < 0 || column_per_cm2 <= R::ZERO {
            return R::ZERO;
        }
        ln_emissivity(curve, column_per_cm2.ln(), column_per_cm2, near)
    }

    #[inline(always)]
    fn emissivity_as_jurassic<R: Real>(curve: &CurveView, column: R, near: &mut i32) -> R {
        if column <= R::ZERO {
            // The exponential of minus infinity.
            *near = -1;
            return R::ZERO;
        }
        let (last, ln_column) = (curve.last(), column.ln());
        let (first, end) = (R::from_f32(curve.column(0)), R::from_f32(curve.column(last)));
        if ln_column < first {
            *near = -1;
            return (R::from_f32(curve.emissivity(0)) + ln_column - first).exp();
        }
        if ln_column > end {
            *near = last;
            return -((-R::from_f32(curve.emissivity(last)).exp()).ln_1p() * (ln_column - end).exp()).exp_m1();
        }
        *near = curve.find_column(ln_column, *near);
        let node = (*near).min(last - 1);
        let (u, e) = (curve.column(node), curve.emissivity(node));
        let slope = (curve.emissivity(node + 1) - e) / (curve.column(node + 1) - u);
        (R::from_f32(e) + R::from_f32(slope) * (ln_column - R::from_f32(u))).exp()
    }

    #[inline(always)]
    fn column_as_jurassic<R: Real>(curve: &CurveView, emissivity: R, near: &mut i32) -> R {
        if emissivity <= R::ZERO {
            *near = -1;
            return R::ZERO;
        }
        let (last, ln_emissivity) = (curve.last(), emissivity.ln());
        let (first, end) = (R::from_f32(curve.emissivity(0)), R::from_f32(curve.emissivity(last)));
        if ln_emissivity < first {
            *near = -1;
            return (R::from_f32(curve.column(0)) + ln_emissivity - first).exp();
        }
        if ln_emissivity > end {
            *near = last;
            let (passed, passed_there) = ((-ln_emissivity.exp()).ln_1p(), (-end.exp()).ln_1p());
            return R::from_f32(curve.column(last)).exp() * (passed / passed_there);
        }
        *near = curve.find_emissivity(ln_emissivity, *near);
        let node = (*near).min(last - 1);
        let (u, e) = (curve.column(node), curve.emissivity(node));
        let slope = (curve.column(node + 1) - u) / (curve.emissivity(node + 1) - e);
        (R::from_f32(u) + R::from_f32(slope) * (ln_emissivity - R::from_f32(e))).exp()
    }
}

/// The emissivity of a curve of logarithms at a column density, of which the logarithm is given, too.
#[inline(always)]
pub(crate) fn ln_emissivity<R: Real>(curve: &CurveView, ln_column: R, column_per_cm2: R, near: &mut i32) -> R {
    let last = curve.last();
    *near = curve.find_column(ln_column, *near);
    let node = *near;
    if node < 0 {
        return R::from_f32(curve.emissivity(0)).exp() * (column_per_cm2 * curve.inverse_column::<R>(0));
    }
    if node == last {
        return -(tail_rate::<R>(curve) * column_per_cm2).exp_m1();
    }
    // Not the difference of two large logarithms.
    let above = (column_per_cm2 * curve.inverse_column::<R>(node)).ln();
    (R::from_f32(curve.emissivity(node)) + ln_slope::<R>(curve, node) * above).exp()
}

/// `d ln eps / d ln u` above a node that is not the last.
#[inline(always)]
pub(crate) fn ln_slope<R: Real>(curve: &CurveView, node: i32) -> R {
    let rise = R::from_f32(curve.emissivity(node + 1)) - R::from_f32(curve.emissivity(node));
    rise / (R::from_f32(curve.column(node + 1)) - R::from_f32(curve.column(node)))
}

/// `a` of `1 - exp(a u)`, the exponential through the last node of a curve of logarithms \[cm^2/molecule\].
#[inline(always)]
pub(crate) fn tail_rate<R: Real>(curve: &CurveView) -> R {
    let last = curve.last();
    (-R::from_f32(curve.emissivity(last)).exp()).ln_1p() * curve.inverse_column::<R>(last)
}
