//! What a core knows of the channels.

use isobar_core::{Column, Field, Real};

use crate::constants::{SOURCE_NODES, SOURCE_TEMPERATURES_K};
use crate::continuum::Continuum;

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
    /// Radiance of the Sun on a perpendicular white surface, per steradian of reflection \[W/(m^2 sr cm^-1)\].
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
        let (first, last) = SOURCE_TEMPERATURES_K;
        let place = (temperature_k - R::from_f64(first)) * R::from_f64((SOURCE_NODES - 1) as f64 / (last - first));
        let node = (place.to_i32().max(0) as usize).min(SOURCE_NODES - 2);
        let low = self.source.at(node, channel);
        low + (self.source.at(node + 1, channel) - low) * (place - R::from_f64(node as f64))
    }
}
