//! The place on an axis.

use isobar_core::Real;

use crate::tables::Axis;

impl<R: Real> Axis<R> {
    /// The node before `x`, and the distance from it in steps: below the first or beyond the last node, the nearest
    /// interval is extrapolated.
    #[inline(always)]
    pub(crate) fn interval(&self, x: R) -> (u32, R) {
        self.after_node((x - self.first) / self.step)
    }

    /// That of `x` brought between the first node and just below the last: as ecRad does, 1.0001 steps before the end
    /// of counting.
    #[inline(always)]
    pub(crate) fn clamped_interval(&self, x: R) -> (u32, R) {
        let last = R::from_f64(f64::from(self.nodes) - 1.0001);
        self.after_node(((x - self.first) / self.step).clamp(R::ZERO, last))
    }

    /// The derivative of [`Axis::clamped_interval`]'s distance by `x`: none where it is held at an end.
    #[inline(always)]
    pub(crate) fn clamped_slope(&self, x: R) -> R {
        let (steps, last) = ((x - self.first) / self.step, R::from_f64(f64::from(self.nodes) - 1.0001));
        if steps < R::ZERO || steps > last { R::ZERO } else { R::ONE / self.step }
    }

    #[inline(always)]
    fn after_node(&self, steps: R) -> (u32, R) {
        let node = steps.index(0, self.nodes as i32 - 2);
        (node as u32, steps - R::from_f64(f64::from(node)))
    }
}
