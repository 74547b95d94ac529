//! What a core knows of the channels.

use isobar_core::{Column, Field, Real};

use crate::constants::{SOURCE_NODES, SOURCE_TEMPERATURES_K};
use crate::physics::continuum::Continuum;

/// The channels of an instrument; `crate::channel_data` makes what is behind it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Channels<'a, R> {
    /// One entry a channel.
    pub channels: Column<'a, Channel<R>>,
    /// The source function \[W/(m^2 sr cm^-1)\], `(temperature node, channel)`.
    pub source: Field<'a, R>,
}

/// One channel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Channel<R> {
    /// Its continuum coefficients.
    pub continuum: Continuum<R>,
    /// Extinction of the cloud at its maximum \[1/km\].
    pub cloud_extinction_per_km: R,
    /// Emissivity of the surface.
    pub surface_emissivity: R,
    /// Radiance of a white surface of Lambert's under the Sun in the zenith \[W/(m^2 sr cm^-1)\].
    pub sun: R,
    /// The extinction window of the channel.
    pub window: u32,
    /// 0; keeps the layout free of gaps.
    pub unused: u32,
}

impl<R: Real> Channels<'_, R> {
    /// The source function of a channel at a temperature \[K\]: linear between nodes, extrapolated outside.
    #[inline(always)]
    #[must_use]
    pub fn source(&self, channel: usize, temperature_k: R) -> R {
        let (node, above) = source_node(temperature_k);
        between(self.source.at(node, channel), self.source.at(node + 1, channel), above)
    }
}

/// The node of the source table below a temperature \[K\], and the distance from it in nodes.
#[inline(always)]
pub(crate) fn source_node<R: Real>(temperature_k: R) -> (usize, R) {
    let (first, last) = SOURCE_TEMPERATURES_K;
    let position = (temperature_k - R::from_f64(first)) * R::from_f64((SOURCE_NODES - 1) as f64 / (last - first));
    let node = position.index(0, SOURCE_NODES as i32 - 2) as usize;
    (node, position - R::from_f64(node as f64))
}

/// Linear between two nodes.
#[inline(always)]
pub(crate) fn between<R: Real>(low: R, high: R, above: R) -> R {
    low + (high - low) * above
}

impl<R: Real> Channel<R> {
    /// This channel in another kind of number, as a constant.
    #[inline(always)]
    #[must_use]
    pub fn in_numbers<T: Real>(&self) -> Channel<T> {
        let number = |x: R| T::from_f64(x.value());
        let from = &self.continuum;
        Channel {
            continuum: Continuum {
                wavenumber_per_cm: number(from.wavenumber_per_cm),
                co2: from.co2.map(number),
                h2o_self: number(from.h2o_self),
                h2o_self_log_ratio: number(from.h2o_self_log_ratio),
                h2o_foreign: number(from.h2o_foreign),
                n2: from.n2.map(number),
                o2: from.o2.map(number),
            },
            cloud_extinction_per_km: number(self.cloud_extinction_per_km),
            surface_emissivity: number(self.surface_emissivity),
            sun: number(self.sun),
            window: self.window,
            unused: 0,
        }
    }
}
