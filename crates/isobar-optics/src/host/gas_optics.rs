//! A k-distribution in the form that all of them have here.

use super::ecckd::EcckdSpectrum;
use crate::tables::{AbsorberRow, Axis, BandRow, FlavourRow, Model};

/// A k-distribution, long wave or short wave, ready for kernels: [`crate::TableData`] in a precision.
///
/// It comes from [`crate::Rrtmgp`] or [`crate::Ecckd`], which hold what files have.
#[derive(Clone, Debug)]
pub struct GasOptics {
    /// G-points.
    pub points: usize,
    /// G-points of each band of gas optics.
    pub points_of_bands: Vec<u32>,
    /// Limits of the bands of fluxes by band \[cm^-1\]: ecCKD's file may have several, whose g-points share one band of
    /// gas optics.
    pub band_limits_per_cm: Vec<[f64; 2]>,
    /// The band of each g-point among these.
    pub flux_band_of_point: Vec<u32>,
    /// Gases that it knows, by their numbers in [`crate::gases::GASES`].
    pub gases: Vec<usize>,
    /// Gases without which it means nothing.
    pub key_gases: Vec<usize>,
    /// Pressures of layers that it accepts \[Pa\]: any with ecCKD's, whose tables have [`Self::table_pressures_pa`].
    pub pressure_range_pa: [f64; 2],
    /// The least and the largest temperature of its tables \[K\]: ecCKD's have [`Self::table_temperatures_k`] of a
    /// pressure.
    pub temperature_range_k: [f64; 2],
    /// Temperatures of the black bodies of the long wave that it has \[K\]: those that the ground may have.
    pub planck_range_k: Option<[f64; 2]>,
    /// Mole fractions for which it was trained, where that is known: the gas's number, and the range in which the
    /// largest of a column lay.
    pub trained: Vec<(usize, [f64; 2])>,
    /// Irradiance of the sun \[W m^-2\] as the file has it; 0 of the long wave.
    pub solar_irradiance_w_per_m2: f64,
    /// Where in the spectrum the g-points are, if the file says it: ecCKD's does.
    pub spectrum: Option<EcckdSpectrum>,
    pub(crate) model: Model,
    pub(crate) coefficients: Vec<f64>,
    pub(crate) bands: Vec<BandRow>,
    pub(crate) flavour_rows: Vec<FlavourRow>,
    pub(crate) ratios: Vec<f64>,
    pub(crate) absorbers: Vec<AbsorberRow<f64>>,
    pub(crate) planck: Vec<f64>,
    pub(crate) solar_parts: Vec<f64>,
    pub(crate) secants: Vec<f64>,
    pub(crate) first_temperature: Vec<f64>,
    pub(crate) temperature: Axis<f64>,
    pub(crate) ln_pressure: Axis<f64>,
    pub(crate) ln_water: Axis<f64>,
    pub(crate) planck_temperature: Axis<f64>,
    pub(crate) tropopause_pa: f64,
    pub(crate) flavours: u32,
    pub(crate) slots: u32,
    pub(crate) mixtures: u32,
    pub(crate) major_inner: u32,
    pub(crate) minor_rows: u32,
}

impl GasOptics {
    /// Is it of the long wave?
    #[must_use]
    pub fn is_longwave(&self) -> bool {
        !self.planck.is_empty()
    }

    /// Is it of the ecCKD kind?
    #[must_use]
    pub fn is_ecckd(&self) -> bool {
        self.model == Model::Ecckd
    }

    /// Are these the limits of its bands \[cm^-1\], but for what files round?
    #[must_use]
    pub fn has_bands(&self, limits_per_cm: &[[f64; 2]]) -> bool {
        let close = |(ours, theirs): (&[f64; 2], &[f64; 2])| ours.iter().zip(theirs).all(|(a, b)| (a - b).abs() < 1.0);
        limits_per_cm.len() == self.band_limits_per_cm.len()
            && limits_per_cm.iter().zip(&self.band_limits_per_cm).all(close)
    }

    /// Does it know the best secant of each band?
    #[must_use]
    pub fn has_secants(&self) -> bool {
        !self.secants.is_empty()
    }
}

/// Numbers behind the last row of coefficients, for CPUs read some at once.
pub(crate) const ROOM: usize = 16;

/// Why coefficients are no k-distribution.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct CoefficientError(pub String);

pub(crate) fn refuse<T>(text: String) -> Result<T, CoefficientError> {
    Err(CoefficientError(text))
}

/// From the first to the last node.
pub(crate) fn range(nodes: &[f64]) -> Option<[f64; 2]> {
    nodes.first().zip(nodes.last()).map(|(&first, &last)| [first, last])
}

/// An axis through nodes at equal distances.
pub(crate) fn axis(nodes: &[f64]) -> Result<Axis<f64>, CoefficientError> {
    let [first, .., last] = nodes else {
        return refuse(format!("an axis of {} nodes: it needs two", nodes.len()));
    };
    let step = (last - first) / (nodes.len() - 1) as f64;
    Ok(Axis { first: *first, step, nodes: nodes.len() as u32 })
}
