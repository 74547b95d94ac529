//! Eight neighbouring layers: their absorption along an angle, their element, and the radiance at the levels between
//! them.

#![allow(clippy::needless_range_loop, reason = "one index for several arrays, and no closure: see order.rs")]

use isobar_core::{PerLane, Real};

use crate::physics::clear_sky::element::Element;
use crate::physics::clear_sky::layer::{LINEAR, lessened, linear_sources, relaxed};
use crate::physics::clear_sky::slant::Slant;
use crate::schedule::clear_sky::elements::Elements;
use crate::schedule::clear_sky::order::SEGMENT;

/// Optical depths and Planck radiances of a segment, for each lane's profile.
///
/// `above` holds the layers' Planck radiances, or with a source linear in optical depth those of the levels above them;
/// `below` those of the levels below them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment<R, const W: usize> {
    pub(crate) optical_depth: [[R; W]; SEGMENT],
    pub(crate) above: [[R; W]; SEGMENT],
    pub(crate) below: [[R; W]; SEGMENT],
}

/// A segment along one angle: what each layer takes away, and the effective Planck radiance of either direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passage<'a, R, const SOURCE: usize, const W: usize> {
    /// Transmittance less one, between -1 and 0.
    loss: [[R; W]; SEGMENT],
    /// The layers' Planck radiances, for both directions; unless [`LINEAR`].
    planck: &'a [[R; W]; SEGMENT],
    /// If [`LINEAR`].
    linear_up: [[R; W]; SEGMENT],
    /// If [`LINEAR`].
    linear_down: [[R; W]; SEGMENT],
}

impl<R: Real, const W: usize> Segment<R, W> {
    /// The segment along an angle, where each layer takes away `loss`; `SOURCE` is [`LINEAR`] or isothermal.
    #[inline(always)]
    pub(crate) fn with_loss<const SOURCE: usize>(
        &self,
        slant: &Slant<R>,
        loss: [[R; W]; SEGMENT],
    ) -> Passage<'_, R, SOURCE, W> {
        let mut passage = self.isothermal(loss);
        if SOURCE == LINEAR {
            for i in 0..SEGMENT {
                for lane in 0..W {
                    let boundaries = [self.above[i][lane], self.below[i][lane]];
                    [passage.linear_up[i][lane], passage.linear_down[i][lane]] =
                        linear_sources(slant, self.optical_depth[i][lane], loss[i][lane], boundaries);
                }
            }
        }
        passage
    }

    /// The passage where layers are isothermal.
    #[inline(always)]
    pub(crate) fn isothermal<const SOURCE: usize>(&self, loss: [[R; W]; SEGMENT]) -> Passage<'_, R, SOURCE, W> {
        let nothing = [[R::ZERO; W]; SEGMENT];
        Passage { loss, planck: &self.above, linear_up: nothing, linear_down: nothing }
    }
}

impl<R: Real, const SOURCE: usize, const W: usize> Passage<'_, R, SOURCE, W> {
    /// The segment's element; `down` stays zero unless `DOWN`.
    #[inline(always)]
    pub(crate) fn element<const DOWN: bool>(&self) -> Elements<R, W> {
        let mut element = Elements::IDENTITY;
        // Lane by lane, so that a vector of lanes keeps its three numbers in registers.
        for lane in 0..W {
            let (mut transmittance, mut up, mut down) = (R::ONE, R::ZERO, R::ZERO);
            for i in 0..SEGMENT {
                let loss = self.loss[i][lane];
                transmittance = lessened(transmittance, loss);
                if DOWN {
                    down = relaxed(down, loss, self.planck_down(i, lane));
                }
            }
            for i in (0..SEGMENT).rev() {
                up = relaxed(up, self.loss[i][lane], self.planck_up(i, lane));
            }
            element.0.set(lane, Element { transmittance, up, down });
        }
        element
    }

    #[inline(always)]
    fn planck_up(&self, i: usize, lane: usize) -> R {
        if SOURCE == LINEAR { self.linear_up[i][lane] } else { self.planck[i][lane] }
    }

    #[inline(always)]
    fn planck_down(&self, i: usize, lane: usize) -> R {
        if SOURCE == LINEAR { self.linear_down[i][lane] } else { self.planck[i][lane] }
    }

    /// The radiance above layer `i` from that below it.
    #[inline(always)]
    pub(crate) fn upward(&self, i: usize, below: [R; W]) -> [R; W] {
        let mut above = below;
        for lane in 0..W {
            above[lane] = relaxed(below[lane], self.loss[i][lane], self.planck_up(i, lane));
        }
        above
    }

    /// The radiance below layer `i` from that above it.
    #[inline(always)]
    pub(crate) fn downward(&self, i: usize, above: [R; W]) -> [R; W] {
        let mut below = above;
        for lane in 0..W {
            below[lane] = relaxed(above[lane], self.loss[i][lane], self.planck_down(i, lane));
        }
        below
    }
}
