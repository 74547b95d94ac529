//! The place on an axis.

use isobar_core::Real;

use crate::tables::Axis;

/// Positions on an axis of `L` columns: the node before each, and the distance from it in steps.
pub(crate) type Positions<R, const L: usize> = ([u32; L], [R; L]);

impl<R: Real> Axis<R> {
    /// Where `x` lie: below the first or beyond the last node, the nearest interval is extrapolated.
    #[inline(always)]
    pub(crate) fn intervals<const L: usize>(&self, x: &[R; L]) -> Positions<R, L> {
        let (mut nodes, mut distances) = ([0; L], [R::ZERO; L]);
        for column in 0..L {
            let steps = (x[column] - self.first) / self.step;
            let node = steps.index(0, self.nodes as i32 - 2);
            nodes[column] = node as u32;
            distances[column] = steps - R::from_f64(f64::from(node));
        }
        (nodes, distances)
    }

    /// Intervals of `x` brought between the first node and just below the last: as ecRad does, 1.0001 steps before the
    /// end of counting.
    #[inline(always)]
    pub(crate) fn clamped_intervals<const L: usize>(&self, x: &[R; L]) -> Positions<R, L> {
        let last = R::from_f64(f64::from(self.nodes) - 1.0001);
        let (mut nodes, mut distances) = ([0; L], [R::ZERO; L]);
        for column in 0..L {
            let steps = ((x[column] - self.first) / self.step).clamp(R::ZERO, last);
            let node = steps.index(0, self.nodes as i32 - 2);
            nodes[column] = node as u32;
            distances[column] = steps - R::from_f64(f64::from(node));
        }
        (nodes, distances)
    }
}
