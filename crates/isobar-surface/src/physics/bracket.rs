//! The root to the last digit: an interval with the root in it, cut by false position in the Illinois variant (Dowell
//! and Jarratt 1971, doi:10.1007/BF01934364), and now and then halved, so that it shrinks whatever the function is.

use isobar_core::{Real, per_lane};

/// The most steps: some twenty to an interval with the root in it, and as many cuts of it as ever are needed.
pub(crate) const CUTS: usize = 120;
/// Each so many cuts one is a halving.
const HALVED_EACH: usize = 4;

per_lane! {
    /// The ends, and how much too much each has: the far one is the last that was looked at, and in the end the root.
    pub(crate) struct Bracket { near, far, at_near, at_far }
}

impl<R: Real> Bracket<R> {
    /// From 0 to an end whose excess is known.
    #[inline(always)]
    pub(crate) fn new(richardson: R, far: R, at_far: R) -> Self {
        Self { near: R::ZERO, far, at_near: -richardson, at_far }
    }

    /// Does the root lie beyond the far end?
    #[inline(always)]
    fn lacks_root(&self) -> bool {
        self.at_near * self.at_far > R::ZERO
    }

    /// Is it wider than a number's last digits?
    #[inline(always)]
    pub(crate) fn runs(&self) -> bool {
        let width = (self.far - self.near).abs();
        (width > R::from_f64(2.0) * R::EPSILON * self.far.abs()) & (self.at_far != R::ZERO)
    }

    /// Where to look next: twice as far until the root lies between the ends, then between them.
    #[inline(always)]
    pub(crate) fn next(&self, number: usize) -> R {
        let half = R::from_f64(0.5);
        let middle = half * (self.near + self.far);
        let straight = self.far - self.at_far * ((self.far - self.near) / (self.at_far - self.at_near));
        let inside = (straight - self.near) * (straight - self.far) < R::ZERO;
        let cut = if inside & (number % HALVED_EACH != HALVED_EACH - 1) { straight } else { middle };
        if self.lacks_root() { self.far + self.far } else { cut }
    }

    /// Takes it. The end that stays twice in a row counts half.
    #[inline(always)]
    pub(crate) fn taken(&self, next: R, at_next: R) -> Self {
        if !self.runs() {
            *self
        } else if self.lacks_root() | (at_next * self.at_far < R::ZERO) {
            Self { near: self.far, at_near: self.at_far, far: next, at_far: at_next }
        } else {
            Self { far: next, at_far: at_next, at_near: R::from_f64(0.5) * self.at_near, ..*self }
        }
    }
}
