//! The channels as a host prepares them: continua, source functions from filters, cloud and surface spectra.

use isobar_core::interpolate::linear;
use isobar_core::{Column, Real, bracket};
use isobar_raytrace::Atmosphere;

use crate::constants::{SOURCE_NODES, SOURCE_TEMPERATURES_K, SUN_SOLID_ANGLE_SR, SUN_TEMPERATURE_K};
use crate::continuum_data::Continua;
use crate::physics::channel::Channel;
use crate::physics::continuum::Continuum;
use crate::physics::planck;

/// A filter function: transmission against wavenumber \[cm^-1\], ascending, at least 2 nodes.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Filter {
    /// Wavenumbers \[cm^-1\].
    pub wavenumber_per_cm: Vec<f64>,
    /// Transmission; the scale does not matter.
    pub transmission: Vec<f64>,
}

/// What does not change with the channel.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ChannelSetup {
    /// The continua; CO2 and H2O only where they are among the gases.
    pub continua: Continua,
    /// The extinction window of each channel.
    pub windows: Vec<usize>,
    /// Wavenumber nodes of the cloud's extinction \[cm^-1\].
    pub cloud_wavenumbers_per_cm: Vec<f64>,
    /// Wavenumber nodes of the surface emissivity \[cm^-1\].
    pub surface_wavenumbers_per_cm: Vec<f64>,
}

/// Prepares channels with their centres \[cm^-1\].
///
/// The spectra of cloud and surface come from the atmosphere, linear in wavenumber, extrapolated outside their nodes.
#[must_use]
pub fn channels<R: Real>(centres_per_cm: &[f64], setup: &ChannelSetup, atmosphere: &Atmosphere) -> Vec<Channel<R>> {
    let spectrum = |nodes: &[f64], values: Option<&Vec<f64>>, none: f64, nu: f64| {
        values.and_then(|v| spectrum(nodes, v, nu)).unwrap_or(none)
    };
    let cloud = atmosphere.cloud.as_ref().filter(|cloud| cloud.depth_km > 0.0).map(|cloud| &cloud.extinction_per_km);
    let surface = atmosphere.surface.as_ref().map(|surface| &surface.emissivity);
    let sun = SUN_SOLID_ANGLE_SR / core::f64::consts::PI;
    let channel = |(i, &nu): (usize, &f64)| Channel {
        continuum: Continuum::at(nu, setup.continua),
        cloud_extinction_per_km: R::from_f64(spectrum(&setup.cloud_wavenumbers_per_cm, cloud, 0.0, nu)),
        surface_emissivity: R::from_f64(spectrum(&setup.surface_wavenumbers_per_cm, surface, 1.0, nu)),
        sun: R::from_f64(sun * planck::radiance(SUN_TEMPERATURE_K, nu)),
        window: setup.windows.get(i).copied().unwrap_or(0) as u32,
        unused: 0,
    };
    centres_per_cm.iter().enumerate().map(channel).collect()
}

/// A spectrum at a wavenumber \[cm^-1\], linear between its nodes, which ascend or descend, and beyond them; none of
/// fewer than 2 nodes.
#[must_use]
pub fn spectrum(nodes_per_cm: &[f64], values: &[f64], wavenumber_per_cm: f64) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let sign = if nodes_per_cm[1] < nodes_per_cm[0] { -1.0 } else { 1.0 };
    let i = bracket::bisect(nodes_per_cm.len(), |i| sign * nodes_per_cm[i], sign * wavenumber_per_cm);
    Some(linear(nodes_per_cm[i], values[i], nodes_per_cm[i + 1], values[i + 1], wavenumber_per_cm))
}

/// The source functions of all channels, `node * channels + channel`.
#[must_use]
pub fn source_functions<R: Real>(filters: &[Filter]) -> Vec<R> {
    let mut source = vec![R::ZERO; SOURCE_NODES * filters.len()];
    for (channel, filter) in filters.iter().enumerate() {
        for (node, value) in source_function(filter).into_iter().enumerate() {
            source[node * filters.len() + channel] = R::from_f64(value);
        }
    }
    source
}

/// Planck's function averaged over a filter, at each node of the source table: sampled from the first to the last
/// wavenumber of the filter at its smallest spacing, at most 1 cm^-1.
#[must_use]
pub fn source_function(filter: &Filter) -> Vec<f64> {
    let samples = samples(filter);
    (0..SOURCE_NODES).map(|node| source_at(&samples, node)).collect()
}

/// The source function at the first two nodes of its table, whose line goes on below them.
pub(crate) fn first_sources(filter: &Filter) -> [f64; 2] {
    let samples = samples(filter);
    [0, 1].map(|node| source_at(&samples, node))
}

/// Wavenumbers and transmissions of a filter.
fn samples(filter: &Filter) -> Vec<(f64, f64)> {
    let nu = &filter.wavenumber_per_cm;
    let spacing = nu.windows(2).map(|pair| pair[1] - pair[0]).fold(1.0, f64::min);
    let last = nu[nu.len() - 1];
    let mut samples = Vec::new();
    let mut x = nu[0];
    while x <= last {
        let i = bracket::ascending(Column::from(nu.as_slice()), x);
        samples.push((x, linear(nu[i], filter.transmission[i], nu[i + 1], filter.transmission[i + 1], x)));
        x += spacing;
    }
    samples
}

fn source_at(samples: &[(f64, f64)], node: usize) -> f64 {
    let total: f64 = samples.iter().map(|sample| sample.1).sum();
    let (first_k, last_k) = SOURCE_TEMPERATURES_K;
    let t = linear(0.0, first_k, (SOURCE_NODES - 1) as f64, last_k, node as f64);
    samples.iter().map(|&(x, f)| f * planck::radiance(t, x)).sum::<f64>() / total
}
