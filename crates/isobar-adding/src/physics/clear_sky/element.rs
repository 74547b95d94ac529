//! What a stack of layers does to radiance along one angle, and how stacks are composed.

use isobar_core::Real;

/// A stack of layers along one angle, for each of `W` lanes: radiance `x` that enters below leaves above as
/// `transmittance x + up`, radiance `y` that enters above leaves below as `transmittance y + down`.
///
/// The composition is associative, and `down` and `up` share the transmittance: one scan serves both directions. All
/// numbers are convex combinations of Planck radiances, so that no grouping cancels or overflows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Element<R, const W: usize> {
    /// The transmittance, 0 to 1.
    pub transmittance: [R; W],
    /// The radiance emitted upward at the top, in the unit of the Planck radiances.
    pub up: [R; W],
    /// The radiance emitted downward at the bottom.
    pub down: [R; W],
}

impl<R: Real, const W: usize> Element<R, W> {
    /// No layer at all. Composing with it changes no bit.
    pub const IDENTITY: Self = Self { transmittance: [R::ONE; W], up: [R::ZERO; W], down: [R::ZERO; W] };

    /// This stack above another.
    #[inline(always)]
    #[must_use]
    pub fn over(&self, below: &Self) -> Self {
        let mut both = Self::IDENTITY;
        for lane in 0..W {
            both.transmittance[lane] = self.transmittance[lane] * below.transmittance[lane];
            both.up[lane] = self.transmittance[lane].mul_add(below.up[lane], self.up[lane]);
            both.down[lane] = below.transmittance[lane].mul_add(self.down[lane], below.down[lane]);
        }
        both
    }

    /// The radiance that leaves above when `below` enters below.
    #[inline(always)]
    #[must_use]
    pub fn upward(&self, below: [R; W]) -> [R; W] {
        let mut above = below;
        for lane in 0..W {
            above[lane] = self.transmittance[lane].mul_add(below[lane], self.up[lane]);
        }
        above
    }

    /// The radiance that leaves below when `above` enters above.
    #[inline(always)]
    #[must_use]
    pub fn downward(&self, above: [R; W]) -> [R; W] {
        let mut below = above;
        for lane in 0..W {
            below[lane] = self.transmittance[lane].mul_add(above[lane], self.down[lane]);
        }
        below
    }
}
