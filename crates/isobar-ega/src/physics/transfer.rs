//! The equation of transfer along a path in one channel: emission of gases, continua, aerosol and cloud, then that of
//! the ground.
//!
//! ```text
//! L = sum_i B(T_i) eps_i tau_i + L_ground tau_end,    tau_(i+1) = tau_i (1 - eps_i),    tau_0 = 1
//! ```

use isobar_core::Real;

use crate::physics::channel::Channel;
use crate::physics::continuum::Air;

/// What the ground does to a ray that meets it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Ground<R> {
    /// 0: nothing; 1: it emits; 2: it also reflects the sky; 3: and the Sun.
    pub kind: u32,
    /// 0; keeps the layout free of gaps.
    pub unused: u32,
    /// Its temperature \[K\]; not positive: that of the lowest air.
    pub temperature_k: R,
}

/// Where the cloud is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Cloud<R> {
    /// Height of its maximum \[km\].
    pub height_km: R,
    /// Its depth \[km\]; not positive: no cloud.
    pub depth_km: R,
}

impl<R: Real> Cloud<R> {
    /// Extinction at a height \[km\], from that at the maximum \[1/km\].
    #[inline(always)]
    #[must_use]
    pub fn extinction_per_km(&self, height_km: R, at_maximum_per_km: R) -> R {
        let x = (height_km - self.height_km) / self.depth_km;
        (R::from_f64(-0.5) * x * x).exp() * at_maximum_per_km
    }
}

/// Optical depth of continua, and of aerosol and cloud with an extinction \[1/km\], in a segment.
#[inline(always)]
pub(crate) fn smooth_optical_depth<R: Real>(channel: &Channel<R>, air: &Air<R>, extinction_per_km: R) -> R {
    channel.continuum.optical_depth(air) + extinction_per_km * air.length_km
}

/// The emissivity of a segment: what gases absorb (or, with a rule that repeats JURASSIC, let pass), and what absorbs
/// smoothly.
#[inline(always)]
pub(crate) fn with_smooth<R: Real>(stored: R, depth: R, transmittances_given: bool) -> R {
    if transmittances_given {
        R::ONE - stored * (-depth).exp()
    } else {
        let smooth = -(-depth).exp_m1();
        stored + smooth * (R::ONE - stored)
    }
}

/// Does a channel end before a segment, for a gas lets nothing of it pass?
///
/// A segment that is opaque emits as a black body and hides what is behind. JURASSIC leaves its emission out where a
/// gas is opaque to the last bit of a double, and so do the rules that repeat JURASSIC.
#[inline(always)]
pub(crate) fn stops<R: Real>(stored: R, transmittances_given: bool) -> bool {
    transmittances_given && stored <= R::ZERO
}

/// No such gas, in [`crate::kernels::Integrate`].
pub const NO_GAS: u32 = u32::MAX;

/// One gas more: absorption where digits matter for thin segments, transmission as JURASSIC multiplies it.
#[inline(always)]
pub(crate) fn combine<R: Real>(before: R, emissivity: R, jurassic: bool) -> R {
    if jurassic {
        before * (R::ONE - emissivity)
    } else if emissivity >= R::ONE {
        R::ONE
    } else {
        before + emissivity * (R::ONE - before)
    }
}

/// Radiance of the ground, seen through a path that lets the fraction `passed` pass, and what of the Sun arrives there:
/// `surface` is its emissivity and source, `sun` the Sun's radiance and its share. `segment` gives source and
/// emissivity at a point; `arrives` is told what of the light above a point the ground sees.
#[inline(always)]
pub(crate) fn from_ground<R: Real>(
    kind: u32,
    (surface_emissivity, surface_source): (R, R),
    (sun, share): (R, R),
    passed: R,
    points: usize,
    segment: impl Fn(usize) -> (R, R),
    mut arrives: impl FnMut(usize, R),
) -> (R, R) {
    let mut radiance = surface_emissivity * surface_source * passed;
    let reflected = R::ONE - surface_emissivity;
    // The sky above, along the mirrored path: the same segments, from the ground upwards.
    let mut down = R::ONE;
    if kind < 2 || reflected <= R::ZERO {
        return (radiance, down);
    }
    for point in (0..points).rev() {
        let (source, emissivity) = segment(point);
        arrives(point, down);
        radiance += source * emissivity * down * passed * reflected;
        down *= R::ONE - emissivity;
    }
    if kind >= 3 {
        radiance += sun * down * reflected * passed * share;
    }
    (radiance, down)
}
