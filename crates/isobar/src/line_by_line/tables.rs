//! Emissivity tables of a gas, level by level.

use isobar_ega::PressureLevel;
use isobar_launch::Device;
use isobar_spectra::launch::Precision;
use isobar_spectra::{Air, SpectraError};
use rayon::prelude::*;

use super::{Band, FilterOnGrid, Source};

/// The nodes of a table's curves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nodes {
    /// From one column density to the next; all are whole powers of it.
    pub factor: f64,
    /// The smallest and the largest emissivity.
    pub emissivities: (f64, f64),
}

impl Default for Nodes {
    /// Those of JURASSIC's `tblgen`.
    fn default() -> Self {
        Self { factor: 1.122, emissivities: (1e-6, 0.999_999) }
    }
}

/// The curves of a channel at a pressure \[hPa\] and several temperatures \[K\], for a mole fraction of the gas itself,
/// which widens its lines; none if the gas does not absorb in the channel.
///
/// # Errors
/// Those of [`Source::cross_sections`].
pub fn pressure_level<R: Precision>(
    source: &Source,
    devices: &[Device],
    filter: &FilterOnGrid,
    (pressure_hpa, temperatures_k, mole_fraction): (f64, &[f64], f64),
    nodes: Nodes,
) -> Result<Option<PressureLevel>, SpectraError> {
    let airs: Vec<_> =
        temperatures_k.iter().map(|&temperature_k| Air { pressure_hpa, temperature_k, mole_fraction }).collect();
    let spectra = source.cross_sections::<R>(devices, &filter.grid, &airs, &|_| ())?;
    let curve = |(spectrum, &temperature): (&Vec<f64>, &f64)| {
        Band::new(filter, spectrum).curve(temperature, nodes.factor, nodes.emissivities)
    };
    let curves: Option<Vec<_>> = spectra.par_iter().zip(temperatures_k).map(curve).collect();
    Ok(curves.map(|curves| PressureLevel { pressure_hpa, curves }))
}
