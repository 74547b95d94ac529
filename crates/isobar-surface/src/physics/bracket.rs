//! The root to the last digit: an interval with the root in it, cut by false position in the Illinois variant (Dowell
//! and Jarratt 1971, doi:10.1007/BF01934364), and now and then halved, so that it shrinks whatever the function is.

use isobar_core::{Real, per_lane};

/// Doublings of the far end until the root lies before it: more than any Richardson number needs.
pub(crate) const DOUBLINGS: usize = 24;
/// The most cuts.
pub(crate) const CUTS: usize = 96;
/// Each so many cuts one is a halving.
const HALVED_EACH: usize = 4;

per_lane! {
    /// The ends, the nearer to 0 first, and how much too much each has.
    pub(crate) struct Bracket { near, far, at_near, at_far }
}

impl<R: Real> Bracket<R> {
    /// From 0 to an end whose excess is known.
    #[inline(always)]
    pub(crate) fn new(richardson: R, far: R, at_far: R) -> Self {
        Self { near: R::ZERO, far, at_near: -richardson, at_far }
    }

    /// Does the root lie beyond the far end? Then that is the near one, and the next far end is asked for.
    #[inline(always)]
    pub(crate) fn lacks_root(&self) -> bool {
        (self.at_near * self.at_far > R::ZERO) & (self.at_far != R::ZERO)
    }

    /// The next far end.
    #[inline(always)]
    pub(crate) fn farther(&self) -> R {
        self.far + self.far
    }

    /// Goes there.
    #[inline(always)]
    pub(crate) fn moved(&self, far: R, at_far: R) -> Self {
        if self.lacks_root() { Self { near: self.far, at_near: self.at_far, far, at_far } } else { *self }
    }

    /// Is it wider than a number's last digits?
    #[inline(always)]
    pub(crate) fn runs(&self) -> bool {
        let width = (self.far - self.near).abs();
        (width > R::from_f64(2.0) * R::EPSILON * self.far.abs()) & (self.at_far != R::ZERO)
    }

    /// Where the next cut is.
    #[inline(always)]
    pub(crate) fn cut(&self, number: usize) -> R {
        let half = R::from_f64(0.5);
        let middle = half * (self.near + self.far);
        let straight = self.far - self.at_far * ((self.far - self.near) / (self.at_far - self.at_near));
        let inside = (straight - self.near) * (straight - self.far) < R::ZERO;
        if inside & (number % HALVED_EACH != HALVED_EACH - 1) { straight } else { middle }
    }

    /// Cuts there. The end that stays twice in a row counts half.
    #[inline(always)]
    pub(crate) fn halved(&self, cut: R, at_cut: R) -> Self {
        if !self.runs() {
            return *self;
        }
        if at_cut * self.at_far < R::ZERO {
            Self { near: self.far, at_near: self.at_far, far: cut, at_far: at_cut }
        } else {
            Self { far: cut, at_far: at_cut, at_near: R::from_f64(0.5) * self.at_near, ..*self }
        }
    }

    /// The root.
    #[inline(always)]
    pub(crate) fn root(&self) -> R {
        self.far
    }
}
