//! The root as WRF finds it: secants through two points, of which the worse one is replaced, whether or not the root
//! lies between them. They stop where the points are 0.01 apart, or after ten of them, and the point that was replaced
//! last is the result: mostly not converged, so that the number of steps counts.

use isobar_core::{Real, per_lane};

use crate::constants::{FAR_END, NEAR_ENDS};

per_lane! {
    /// Two points, how much too much each has, and the result so far.
    pub(crate) struct Secant { first, second, at_first, at_second, root }
}

/// The end that is not 0, on the side of the Richardson number.
#[inline(always)]
pub(crate) fn far_end<R: Real>(richardson: R) -> R {
    if richardson < R::ZERO { -R::from_f64(FAR_END) } else { R::from_f64(FAR_END) }
}

impl<R: Real> Secant<R> {
    /// From 0 and the far end, whose excess is known.
    #[inline(always)]
    pub(crate) fn new(richardson: R, at_far_end: R) -> Self {
        let (far, near, at_near) = (far_end(richardson), R::ZERO, -richardson);
        if richardson < R::ZERO {
            Self { first: far, second: near, at_first: at_far_end, at_second: at_near, root: R::ZERO }
        } else {
            Self { first: near, second: far, at_first: at_near, at_second: at_far_end, root: R::ZERO }
        }
    }

    /// Does it go on?
    #[inline(always)]
    pub(crate) fn runs(&self) -> bool {
        ((self.first - self.second).abs() > R::from_f64(NEAR_ENDS)) & (self.at_first != self.at_second)
    }

    #[inline(always)]
    fn replaces_first(&self) -> bool {
        self.at_second.abs() < self.at_first.abs()
    }

    /// The next point: of the wrong sign it is 0. Something within the range where the search has ended.
    #[inline(always)]
    pub(crate) fn next(&self, richardson: R) -> R {
        let slope = (self.second - self.first) / (self.at_second - self.at_first);
        let (from, at) =
            if self.replaces_first() { (self.first, self.at_first) } else { (self.second, self.at_second) };
        let next = from - at * slope;
        if self.runs() & (next * richardson >= R::ZERO) { next } else { R::ZERO }
    }

    /// Takes it.
    #[inline(always)]
    pub(crate) fn taken(&self, next: R, at_next: R) -> Self {
        let mut taken = *self;
        if !self.runs() {
            return taken;
        }
        if self.replaces_first() {
            (taken.first, taken.at_first) = (next, at_next);
        } else {
            (taken.second, taken.at_second) = (next, at_next);
        }
        taken.root = next;
        taken
    }
}
