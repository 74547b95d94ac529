//! The tables of one spectrum as kernels see them.
//!
//! Absorption of a layer at a g-point is a sum of interpolated coefficients. Every k-distribution here has the same
//! three kinds of tables, in rows of the g-points of a band:
//!
//! | table | rows | RRTMGP | ecCKD |
//! |---|---|---|---|
//! | major | eight around the layer's state | temperature, pressure, mixture of two key gases | mole fraction of water vapour, temperature, pressure |
//! | minor | four | temperature, mixture; one table a lesser gas | temperature, pressure; one table a gas |
//! | Rayleigh | four, like minor | molecules of air | one row, which is all four |
//!
//! Where they lie and their weights are the same for all g-points of a band: [`crate::state`].

use isobar_core::{Column, Plain, Real};

use crate::state::Rows;

/// Stands for a table or gas that is not there.
pub const NONE: u32 = u32::MAX;

/// Lower and upper atmosphere.
pub const REGIONS: usize = 2;

/// How a layer's state is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Model {
    /// As RRTMGP does.
    Rrtmgp,
    /// As ecCKD does.
    Ecckd,
}

/// A band.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct BandRow {
    /// Where the major table begins.
    pub major: u32,
    /// From one of its rows to the next: a row has Planck fractions behind the coefficients where there are any.
    pub major_stride: u32,
    /// Numbers from a coefficient to its Planck fraction.
    pub fraction: u32,
    /// From a row of minor tables to the next.
    pub minor_stride: u32,
    /// From a row of Rayleigh tables to the next; 0 where one row is all.
    pub rayleigh_stride: u32,
    /// The pair of key gases in each region.
    pub flavour: [u32; REGIONS],
    /// Where the minor tables of each region begin, one behind the other.
    pub minor: [u32; REGIONS],
    /// Their number.
    pub minors: [u32; REGIONS],
    /// The number of the first among all of the region.
    pub slot: [u32; REGIONS],
    /// Where the Rayleigh table begins.
    pub rayleigh: [u32; REGIONS],
}

/// What a band has in one region.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RegionOfBand {
    pub(crate) flavour: u32,
    pub(crate) minor: u32,
    pub(crate) minors: u32,
    pub(crate) slot: u32,
    pub(crate) rayleigh: u32,
}

impl BandRow {
    /// What it has in a region: chosen by its number, a row that a GPU has in registers would go to slow memory.
    #[inline(always)]
    pub(crate) fn region(&self, region: usize) -> RegionOfBand {
        macro_rules! choose {
            ($field:ident) => {
                if region == 0 { self.$field[0] } else { self.$field[1] }
            };
        }
        RegionOfBand {
            flavour: choose!(flavour),
            minor: choose!(minor),
            minors: choose!(minors),
            slot: choose!(slot),
            rayleigh: choose!(rayleigh),
        }
    }
}

/// A pair of key gases of RRTMGP.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct FlavourRow {
    /// Their numbers among [`crate::gases::ABSORBERS`].
    pub gases: [u32; 2],
    /// Where the ratios of their reference mixing ratios begin in [`GasTables::ratios`], one a temperature.
    pub ratio: u32,
    /// Nothing.
    pub padding: u32,
}

/// The amount of a lesser gas.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct AbsorberRow<R> {
    /// The gas.
    pub gas: u32,
    /// Is the amount multiplied by pressure \[hPa\] over temperature?
    pub with_density: u32,
    /// The gas whose mole fraction it is multiplied by, or [`NONE`].
    pub scaling_gas: u32,
    /// Is it what that fraction lacks to 1?
    pub complement: u32,
    /// What is subtracted from the mole fraction first.
    pub reference: R,
}

/// Which band and which of its g-points a lane has.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct LaneRow {
    /// The band.
    pub band: u32,
    /// The g-point's number in it.
    pub point: u32,
}

/// Neighbouring lanes of a warp that have neighbouring g-points of one band.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Run {
    /// The band.
    pub band: u32,
    /// The first g-point's number in it.
    pub point: u32,
    /// The first lane.
    pub lane: u32,
    /// How many lanes.
    pub lanes: u32,
}

/// An evenly spaced axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Axis<R> {
    /// The first node.
    pub first: R,
    /// From one node to the next.
    pub step: R,
    /// The number of nodes.
    pub nodes: u32,
}

/// All tables of a spectrum.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct GasTables<'a, R> {
    /// Coefficients.
    pub coefficients: Column<'a, R>,
    /// The bands.
    pub bands: Column<'a, BandRow>,
    /// Pairs of key gases, [`GasTables::flavours`] a region.
    pub flavour_rows: Column<'a, FlavourRow>,
    /// Ratios of reference mixing ratios.
    pub ratios: Column<'a, R>,
    /// Lesser gases, [`GasTables::slots`] a region.
    pub absorbers: Column<'a, AbsorberRow<R>>,
    /// What each lane of each warp has.
    pub lanes: Column<'a, LaneRow>,
    /// The runs of g-points that neighbouring lanes have.
    pub runs: Column<'a, Run>,
    /// The first run of each warp, and their number.
    pub first_runs: Column<'a, u32>,
    /// Runs of the bands of fluxes by band.
    pub flux_runs: Column<'a, Run>,
    /// The first of them of each warp, and their number.
    pub first_flux_runs: Column<'a, u32>,
    /// Radiation of a black body in the unit of a flux, `[temperature][lane of all warps]`.
    pub planck: Column<'a, R>,
    /// What the sun sends to each lane of all warps, as parts of its total.
    pub solar: Column<'a, R>,
    /// Slope and intercept of each band's best secant; nothing where it is not known.
    pub secants: Column<'a, R>,
    /// Temperatures; with ecCKD those above the first of each pressure.
    pub temperature: Axis<R>,
    /// Logarithms of pressures \[Pa\].
    pub ln_pressure: Axis<R>,
    /// Logarithms of mole fractions of water vapour.
    pub ln_water: Axis<R>,
    /// Temperatures of [`GasTables::planck`].
    pub planck_temperature: Axis<R>,
    /// The first temperature of each pressure, with ecCKD.
    pub first_temperature: Column<'a, R>,
    /// The pressure above which a layer is in the lower atmosphere \[Pa\].
    pub tropopause_pa: R,
    /// [`Model`].
    pub model: u32,
    /// Warps of g-points.
    pub segments: u32,
    /// G-points.
    pub points: u32,
    /// Bands.
    pub band_count: u32,
    /// Bands of fluxes by band.
    pub flux_bands: u32,
    /// Pairs of key gases in a region, as many as there can be.
    pub flavours: u32,
    /// Lesser gases in a region, as many as there can be.
    pub slots: u32,
    /// Nodes along the mixture of key gases.
    pub mixtures: u32,
    /// Rows from a node of the major table's second axis to the next.
    pub major_inner: u32,
    /// Rows of a minor table.
    pub minor_rows: u32,
}

impl<'a, R: Real> GasTables<'a, R> {
    /// A band.
    #[inline(always)]
    #[must_use]
    pub fn band(&self, band: usize) -> &'a BandRow {
        debug_assert!(band < self.bands.len());
        // SAFETY: callers' bands are those of the tables.
        unsafe { &*self.bands.as_ptr().add(band) }
    }

    /// What a lane of a warp has.
    #[inline(always)]
    #[must_use]
    pub fn lane(&self, segment: usize, lane: usize) -> LaneRow {
        // SAFETY: callers' warps are those of the tables.
        unsafe { self.lanes.get(segment * isobar_core::kernel::WARP + lane) }
    }

    /// From a row of [`GasTables::planck`] to the next.
    #[inline(always)]
    #[must_use]
    pub fn planck_width(&self) -> u32 {
        self.segments * isobar_core::kernel::WARP as u32
    }

    /// Have all bands the rows that a stencil begins with, and those that it goes on to? They are read without checks.
    #[must_use]
    pub fn holds(&self, rows: &Rows) -> bool {
        let [temperature, pressure] = [self.temperature.nodes, self.ln_pressure.nodes];
        let major = if self.model == Model::Rrtmgp as u32 {
            temperature * (pressure + 1) * self.mixtures
        } else {
            self.ln_water.nodes * temperature * pressure
        };
        rows.major.iter().all(|row| row + self.major_inner + 1 < major)
            && rows.minor.iter().all(|row| row + 1 < self.minor_rows)
    }

    /// Is there a source of long-wave radiation?
    #[inline(always)]
    #[must_use]
    pub fn is_longwave(&self) -> bool {
        !self.planck.is_empty()
    }
}

macro_rules! plain {
    ($($row:ty)*) => {$(
        // SAFETY: numbers.
        unsafe impl Plain for $row {}
    )*};
}

plain!(BandRow FlavourRow LaneRow Run);

// SAFETY: numbers.
unsafe impl<R: Real> Plain for AbsorberRow<R> {}
