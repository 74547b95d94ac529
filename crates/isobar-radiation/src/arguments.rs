//! What kernels are given.

use isobar_core::{Column, FieldMut, Real};
use isobar_optics::state::States;
use isobar_optics::tables::{GasTables, Run};

use crate::cloud_tables::CloudTables;
use crate::fields::{ColumnViews, FluxViews};

/// Gases and aerosol alone.
pub const CLEAR: u32 = 0;
/// Clouds of liquid and ice, too, each g-point those of a sub-column of its own.
pub const CLOUDY: u32 = 1;
/// Clouds where columns have a cloud fraction, with rain and snow where they have these, and fluxes by band where they
/// are wanted: for kernels of which there is one for all of these.
pub const ANY_SKY: u32 = 2;
/// With [`ANY_SKY`]: the long wave is scattered, as rescaling has it.
pub const RESCALED: u32 = 4;

/// Numbers that a warp leaves for each level: sums over its g-points.
pub(crate) const SUMS: usize = 6;

/// Which sum.
pub(crate) mod sum {
    /// Downward flux; of the sun the beam's.
    pub(crate) const DOWN: usize = 0;
    /// What it loses in the layer above the level.
    pub(crate) const LOST_DOWN: usize = 1;
    /// Upward flux.
    pub(crate) const UP: usize = 2;
    /// What the layer above the level gains of it; of the sun what it gains of all diffuse light.
    pub(crate) const GAIN: usize = 3;
    /// Derivative of the upward flux by the surface's temperature; of the sun the downward diffuse flux.
    pub(crate) const OTHER: usize = 4;
}

/// Numbers that a run of neighbouring g-points of a band leaves for each level, where fluxes by band are wanted.
pub(crate) const BAND_SUMS: usize = 3;

/// Which of them.
pub(crate) mod band_sum {
    /// Downward flux; of the sun the beam's.
    pub(crate) const DOWN: usize = 0;
    /// Upward flux.
    pub(crate) const UP: usize = 1;
    /// Of the sun the downward diffuse flux.
    pub(crate) const DIFFUSE: usize = 2;
}

/// What the sweeps of both spectra are given.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Sweep<'a, R> {
    /// The tables.
    pub tables: GasTables<'a, R>,
    /// What [`isobar_optics::GasStates`] left.
    pub states: States<'a, R>,
    /// The columns.
    pub columns: ColumnViews<'a, R>,
    /// Tables of clouds.
    pub clouds: CloudTables<'a, R>,
    /// What a GPU's warp keeps of its way down: the rows of a column and warp lie side by side.
    pub saved: FieldMut<'a, R>,
    /// Sums over g-points, `[warp][level][SUMS]` of a column side by side.
    pub sums: FieldMut<'a, R>,
    /// Sums over g-points of a band, `[run][level][BAND_SUMS]` of a column side by side; nothing where they are not
    /// wanted.
    pub band_sums: FieldMut<'a, R>,
    /// How clouds overlap.
    pub overlap: u32,
    /// The distance over which exponential overlap is lost \[m\].
    pub decorrelation_m: f32,
}

/// Long-wave radiation of a column at the g-points of a warp: an item. `KIND` is a sky, and [`RESCALED`].
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct LongwaveSweeps<'a, R, const KIND: u32> {
    /// What both spectra have.
    pub sweep: Sweep<'a, R>,
    /// Secants of angles and their weights.
    pub angles: [[R; 2]; 4],
    /// The number of angles; 0 for each band's best one.
    pub angle_count: u32,
    /// Is the derivative by the surface's temperature wanted?
    pub derivative: u32,
}

/// Long-wave radiation of a column at the g-points of a warp, by two streams that are scattered: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct LongwaveTwoStream<'a, R> {
    /// What both spectra have.
    pub sweep: Sweep<'a, R>,
    /// The secant of diffuse radiation.
    pub secant: R,
    /// Is the derivative by the surface's temperature wanted?
    pub derivative: u32,
}

/// Short-wave radiation of a column at the g-points of a warp: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ShortwaveSweeps<'a, R, const SKY: u32> {
    /// What both spectra have.
    pub sweep: Sweep<'a, R>,
    /// The sun's irradiance where columns have none \[W m^-2\].
    pub irradiance_w_per_m2: R,
    /// Is the forward peak that of particles and gases together? With [`ANY_SKY`] only.
    pub scales_mixture: u32,
}

/// Long-wave radiation by Tripleclouds of a column at the g-points of a warp: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct TripleLongwaveSweeps<'a, R> {
    /// What all sweeps have.
    pub sweep: Sweep<'a, R>,
    /// The secant of the angle.
    pub secant: R,
    /// Do clouds and aerosol scatter, by two streams?
    pub scatters: u32,
    /// Is the derivative by the surface's temperature wanted?
    pub derivative: u32,
}

/// Short-wave radiation by Tripleclouds of a column at the g-points of a warp: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct TripleShortwaveSweeps<'a, R> {
    /// What all sweeps have.
    pub sweep: Sweep<'a, R>,
    /// The sun's irradiance where columns have none \[W m^-2\].
    pub irradiance_w_per_m2: R,
}

/// Sums of all warps of 32 columns at a level: an item. Fluxes are those of one spectrum.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Totals<'a, R> {
    /// Sums over g-points of warps.
    pub sums: FieldMut<'a, R>,
    /// The columns.
    pub columns: ColumnViews<'a, R>,
    /// Where fluxes go.
    pub fluxes: SpectrumViews<'a, R>,
    /// Warps.
    pub segments: u32,
    /// Is the downward flux that of a beam and diffuse light?
    pub with_beam: u32,
    /// Kelvin a day for a W/m^2 in a Pa.
    pub heating_factor: R,
    /// Takes [`isobar_core::Status::NOT_FINITE`] of columns with a result that is not.
    pub status: FieldMut<'a, u32>,
}

/// Sums of all runs of each band, of 32 columns at a level: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct BandTotals<'a, R> {
    /// Sums over g-points of runs.
    pub band_sums: FieldMut<'a, R>,
    /// The runs.
    pub runs: Column<'a, Run>,
    /// Bands.
    pub bands: u32,
    /// The columns.
    pub columns: ColumnViews<'a, R>,
    /// Where fluxes go.
    pub fluxes: BandViews<'a, R>,
    /// Is the downward flux that of a beam and diffuse light?
    pub with_beam: u32,
    /// As in [`Totals`].
    pub status: FieldMut<'a, u32>,
}

/// Fluxes of one spectrum by band; what is not wanted is empty.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct BandViews<'a, R> {
    /// Upward.
    pub up: FieldMut<'a, R>,
    /// Downward.
    pub down: FieldMut<'a, R>,
    /// The sun's beam.
    pub direct: FieldMut<'a, R>,
}

impl<'a, R: Real> BandViews<'a, R> {
    /// A spectrum's.
    #[must_use]
    pub fn new(fluxes: &FluxViews<'a, R>, longwave: bool) -> Self {
        if longwave {
            let (up, down) = (fluxes.longwave_up_by_band_w_per_m2, fluxes.longwave_down_by_band_w_per_m2);
            return Self { up, down, direct: FieldMut::empty() };
        }
        Self {
            up: fluxes.shortwave_up_by_band_w_per_m2,
            down: fluxes.shortwave_down_by_band_w_per_m2,
            direct: fluxes.shortwave_direct_by_band_w_per_m2,
        }
    }
}

/// Fluxes of one spectrum and sky; what is not wanted is empty.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SpectrumViews<'a, R> {
    /// Upward.
    pub up: FieldMut<'a, R>,
    /// Downward.
    pub down: FieldMut<'a, R>,
    /// The sun's beam.
    pub direct: FieldMut<'a, R>,
    /// Derivative of the upward flux by the surface's temperature.
    pub derivative: FieldMut<'a, R>,
    /// Heating rate.
    pub heating: FieldMut<'a, R>,
}

impl<'a, R: Real> SpectrumViews<'a, R> {
    /// The long wave's.
    #[must_use]
    pub fn longwave(fluxes: &FluxViews<'a, R>) -> Self {
        Self {
            up: fluxes.longwave_up_w_per_m2,
            down: fluxes.longwave_down_w_per_m2,
            direct: FieldMut::empty(),
            derivative: fluxes.longwave_up_derivative_w_per_m2_k,
            heating: fluxes.longwave_heating_k_per_day,
        }
    }

    /// The short wave's.
    #[must_use]
    pub fn shortwave(fluxes: &FluxViews<'a, R>) -> Self {
        Self {
            up: fluxes.shortwave_up_w_per_m2,
            down: fluxes.shortwave_down_w_per_m2,
            direct: fluxes.shortwave_direct_w_per_m2,
            derivative: FieldMut::empty(),
            heating: fluxes.shortwave_heating_k_per_day,
        }
    }

    /// The long wave's without clouds.
    #[must_use]
    pub fn longwave_clear(fluxes: &FluxViews<'a, R>) -> Self {
        Self {
            up: fluxes.longwave_up_clear_w_per_m2,
            down: fluxes.longwave_down_clear_w_per_m2,
            direct: FieldMut::empty(),
            derivative: fluxes.longwave_up_clear_derivative_w_per_m2_k,
            heating: fluxes.longwave_heating_clear_k_per_day,
        }
    }

    /// The short wave's without clouds.
    #[must_use]
    pub fn shortwave_clear(fluxes: &FluxViews<'a, R>) -> Self {
        Self {
            up: fluxes.shortwave_up_clear_w_per_m2,
            down: fluxes.shortwave_down_clear_w_per_m2,
            direct: FieldMut::empty(),
            derivative: FieldMut::empty(),
            heating: fluxes.shortwave_heating_clear_k_per_day,
        }
    }
}
