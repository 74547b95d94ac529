//! Layers that scatter, one below the other: what is above a level is one layer that grows on the way down. It reflects
//! radiation from below and sends radiation of its own down: Shonk and Hogan 2008 (doi:10.1175/2007JCLI1940.1), turned
//! upside down.

use isobar_core::Real;

/// All that is above a level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Above<R, const W: usize> {
    /// The part that it reflects.
    pub(crate) sky: [R; W],
    /// What it sends down.
    pub(crate) glow: [R; W],
}

/// What goes up through the upper boundary of a layer, by what goes up through the lower one: `gain * up + offset`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rise<R, const W: usize> {
    pub(crate) gain: [R; W],
    pub(crate) offset: [R; W],
}

impl<R: Real, const W: usize> Above<R, W> {
    /// Space.
    #[inline(always)]
    pub(crate) fn nothing() -> Self {
        Self { sky: [R::ZERO; W], glow: [R::ZERO; W] }
    }

    /// With the next layer below: its reflectance, its transmittance, and what it sends up and down of its own.
    #[inline(always)]
    pub(crate) fn add(&mut self, reflectance: &[R; W], transmittance: &[R; W], own: [&[R; W]; 2]) -> Rise<R, W> {
        let [up, down] = own;
        let mut rise = Rise { gain: [R::ZERO; W], offset: [R::ZERO; W] };
        for lane in 0..W {
            let (reflectance, transmittance) = (reflectance[lane], transmittance[lane]);
            let (sky, glow) = (self.sky[lane], self.glow[lane]);
            // Radiation goes to and fro between the layer and those above: Eq. 10.
            let between = R::ONE.plain_quotient(R::ONE - sky * reflectance);
            let gain = transmittance * between;
            let offset = (reflectance * glow + up[lane]) * between;
            // Eq. 11.
            self.glow[lane] = transmittance * (sky * offset + glow) + down[lane];
            // Eq. 9.
            self.sky[lane] = reflectance + transmittance * sky * gain;
            rise.gain[lane] = gain;
            rise.offset[lane] = offset;
        }
        rise
    }
}
