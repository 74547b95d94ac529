//! What a stack of layers does to radiance along one angle, and how stacks are composed.

use isobar_core::{Real, per_lane};

per_lane! {
    /// A stack of layers along one angle: radiance `x` that enters below leaves above as `transmittance x + up`,
    /// radiance `y` that enters above leaves below as `transmittance y + down`.
    ///
    /// The composition is associative, and `down` and `up` share the transmittance: one scan serves both directions.
    /// All numbers are convex combinations of Planck radiances, so that no grouping cancels or overflows.
    #[derive(PartialEq)]
    pub struct Element {
        /// The transmittance, 0 to 1.
        transmittance,
        /// The radiance emitted upward at the top, in the unit of the Planck radiances.
        up,
        /// The radiance emitted downward at the bottom.
        down,
    }
}

impl<R: Real> Element<R> {
    /// No layer at all. Composing with it changes no bit.
    pub const IDENTITY: Self = Self { transmittance: R::ONE, up: R::ZERO, down: R::ZERO };

    /// This stack above another.
    #[inline(always)]
    #[must_use]
    pub fn over(&self, below: &Self) -> Self {
        Self {
            transmittance: self.transmittance * below.transmittance,
            up: self.transmittance.mul_add(below.up, self.up),
            down: below.transmittance.mul_add(self.down, below.down),
        }
    }

    /// The radiance that leaves above when `below` enters below.
    #[inline(always)]
    #[must_use]
    pub fn upward(&self, below: R) -> R {
        self.transmittance.mul_add(below, self.up)
    }

    /// The radiance that leaves below when `above` enters above.
    #[inline(always)]
    #[must_use]
    pub fn downward(&self, above: R) -> R {
        self.transmittance.mul_add(above, self.down)
    }
}
