//! The stacks of the lanes.

use isobar_core::{PerLane, Real};

use crate::physics::clear_sky::element::Element;

/// An [`Element`] for each of `W` lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elements<R, const W: usize>(pub(crate) Element<[R; W]>);

impl<R: Real, const W: usize> Elements<R, W> {
    /// No layer at all.
    pub(crate) const IDENTITY: Self =
        Self(Element { transmittance: [R::ONE; W], up: [R::ZERO; W], down: [R::ZERO; W] });

    /// These stacks above others.
    #[inline(always)]
    #[must_use]
    pub(crate) fn over(&self, below: &Self) -> Self {
        let mut both = Self::IDENTITY;
        for lane in 0..W {
            both.0.set(lane, self.0.lane(lane).over(&below.0.lane(lane)));
        }
        both
    }

    /// The radiance that leaves above when `below` enters below.
    #[inline(always)]
    #[must_use]
    pub(crate) fn upward(&self, below: [R; W]) -> [R; W] {
        let mut above = below;
        for lane in 0..W {
            above[lane] = self.0.lane(lane).upward(below[lane]);
        }
        above
    }

    /// The radiance that leaves below when `above` enters above.
    #[inline(always)]
    #[must_use]
    pub(crate) fn downward(&self, above: [R; W]) -> [R; W] {
        let mut below = above;
        for lane in 0..W {
            below[lane] = self.0.lane(lane).downward(above[lane]);
        }
        below
    }
}
