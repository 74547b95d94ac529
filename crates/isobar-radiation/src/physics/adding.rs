//! Layers that scatter, one below the other: what is above a level is one layer that grows on the way down. It reflects
//! radiation from below and sends radiation of its own down: Shonk and Hogan 2008 (doi:10.1175/2007JCLI1940.1), turned
//! upside down.

use isobar_core::{Real, per_lane};

per_lane! {
    /// All that is above a level.
    pub struct Above {
        /// The part that it reflects.
        sky,
        /// What it sends down.
        glow,
    }
}

per_lane! {
    /// What goes up through the upper boundary of a layer, by what goes up through the lower one: `gain * up + offset`.
    pub struct Rise {
        /// By what goes up through the lower one.
        gain,
        /// Of its own.
        offset,
    }
}

impl<R: Real> Above<R> {
    /// With the next layer below: its reflectance, its transmittance, and what it sends up and down of its own.
    #[inline(always)]
    pub fn add(self, [reflectance, transmittance]: [R; 2], [up, down]: [R; 2]) -> (Self, Rise<R>) {
        let Self { sky, glow } = self;
        // Radiation goes to and fro between the layer and those above: Eq. 10.
        let between = R::ONE.plain_quotient(R::ONE - sky * reflectance);
        let gain = transmittance * between;
        let offset = (reflectance * glow + up) * between;
        // Eq. 9 and Eq. 11.
        let sky_below = reflectance + transmittance * sky * gain;
        let glow_below = transmittance * (sky * offset + glow) + down;
        (Self { sky: sky_below, glow: glow_below }, Rise { gain, offset })
    }
}
