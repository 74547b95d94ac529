//! The tables as kernels see them.

use isobar_core::{Column, Plain, Real};

use crate::rrtmg::band::MOST_MINORS;
use crate::rrtmg::grid;
use crate::rrtmg::sizes::MOST_BANDS;

/// Stands for a table or gas that is not there.
pub const NONE: u32 = u32::MAX;

/// The g-points that always have one band: a band's are padded to a multiple of them, with absorption and emission of
/// zero.
pub const QUAD: usize = 4;

/// Quads of a warp.
pub const QUADS: usize = isobar_core::kernel::WARP / QUAD;

/// Numbers of one reference level: logarithm of pressure, temperature, and the ratios and mixing ratios below.
pub const ATMOSPHERE_VALUES: usize = 2 + 7 + MOST_RATIOS;

/// The most distinct pairs of key gases.
pub const MOST_RATIOS: usize = 8;

/// A lesser gas of a band and region.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct MinorRow<R> {
    /// Where its table begins among the coefficients.
    pub table: u32,
    /// The number of the gas.
    pub gas: u32,
    /// Nodes along the mixture of the key gases; 1 for a table of temperature only.
    pub nodes: u32,
    /// Which value of [`crate::rrtmg::state`] multiplies the column; [`NONE`] for none.
    pub scale: u32,
    /// The ratio of the key gases with which the position along their mixture is found.
    pub ratio: R,
    /// See [`crate::rrtmg::band::Amount::Adjusted`]; infinite where the amount is the column.
    pub threshold: R,
    /// The shift of an amount above the threshold.
    pub shift: R,
    /// The exponent of what is above the shift.
    pub exponent: R,
    /// The reference mixing ratio.
    pub reference: R,
}

/// What absorbs in a band in one region.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RegionRow<R> {
    /// The numbers of the key gases, or [`NONE`].
    pub key: [u32; 2],
    /// Where the key table begins.
    pub key_table: u32,
    /// Nodes along the mixture: 0 without a table, 1 for one gas.
    pub key_nodes: u32,
    /// Not 0 where layers are read at the first level and its first temperatures whatever they are.
    pub first_level: u32,
    /// The number of the key gases' ratio in the reference atmosphere.
    pub key_ratio: u32,
    /// Where the Planck fractions begin; [`NONE`] where nothing is emitted.
    pub fractions: u32,
    /// Nodes of the fractions along the mixture.
    pub fraction_nodes: u32,
    /// The ratio of the key gases for the fractions.
    pub fraction_ratio: R,
    /// The table of the self-broadened continuum, or [`NONE`].
    pub self_continuum: u32,
    /// That of the foreign-broadened continuum, or [`NONE`].
    pub foreign_continuum: u32,
    /// Those of the halocarbons, one after the other, or [`NONE`].
    pub cross_sections: u32,
    /// Their numbers, or [`NONE`].
    pub halocarbons: [u32; 2],
    /// Lesser gases.
    pub minors: [MinorRow<R>; MOST_MINORS],
    /// Their number.
    pub minor_count: u32,
    /// The band's position in the list of a layer's terms.
    pub first_term: u32,
    /// Slope, origin and limit of [`crate::rrtmg::band::PressureFactor`].
    pub factor: [R; 3],
}

/// A band.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct BandRow<R> {
    /// The number of its first g-point.
    pub first_point: u32,
    /// The number of its g-points.
    pub points: u32,
    /// From one row of its tables to the next.
    pub stride: u32,
    /// Its [`crate::rrtmg::band::Band::secant`].
    pub secant: [R; 3],
    /// Width \[cm^-1\] times pi and 1e4 cm^2/m^2.
    pub flux: R,
    /// The lower and the upper region.
    pub regions: [RegionRow<R>; 2],
}

// SAFETY: numbers.
unsafe impl<R: Real> Plain for BandRow<R> {}

/// Neighbouring g-points of one band, with what they need to know of it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Quad<R> {
    /// The band.
    pub band: u32,
    /// The number of the first within the band: its position in a row of the coefficients.
    pub first: u32,
    /// Its number among all.
    pub point: u32,
    /// The band's [`BandRow::stride`].
    pub stride: u32,
    /// The band's [`RegionRow::first_term`] in both regions.
    pub first_terms: [u32; 2],
    /// The g-points that a CPU takes at once from here on; 0 where they are taken with those before.
    pub at_once: u32,
    /// What a radiance adds to a flux; 0 for a quad that only fills a warp.
    pub flux: R,
}

// SAFETY: numbers.
unsafe impl<R: Real> Plain for Quad<R> {}

/// Absorption of clouds \[m^2/g\], a table each: `[band * nodes + node]`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CloudTables<'a, R> {
    /// Ice spheres of effective radius 5, 8, ... um.
    pub ice_spheres: Column<'a, R>,
    /// Ice of generalised effective size 5, 8, ... um.
    pub ice_fu: Column<'a, R>,
    /// Droplets of effective radius 2.5, 3.5, ... um.
    pub liquid: Column<'a, R>,
}

/// All tables.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Tables<'a, R> {
    /// Coefficients of all bands; the g-point fastest, in rows of [`BandRow::stride`].
    pub coefficients: Column<'a, R>,
    /// The bands.
    pub bands: Column<'a, BandRow<R>>,
    /// All quads, eight a warp.
    pub quads: Column<'a, Quad<R>>,
    /// The reference atmosphere, [`ATMOSPHERE_VALUES`] a level.
    pub atmosphere: Column<'a, R>,
    /// Planck radiance `[band * temperatures + temperature]`, whose temperatures a GPU's lanes have, and behind it, for
    /// a CPU's vectors, the same as `[temperature * quads + quad]`.
    pub planck: Column<'a, R>,
    /// The first part's derivative.
    pub planck_derivative: Column<'a, R>,
    /// Clouds.
    pub clouds: CloudTables<'a, R>,
    /// The g-points of all bands, without padding.
    pub points: u32,
    /// The terms of a layer in all bands, as many as there can be.
    pub terms: u32,
}

impl<R: Real> Tables<'_, R> {
    #[inline(always)]
    fn reference(&self, level: usize, value: usize) -> R {
        // SAFETY: callers' levels are those of the atmosphere, values those of a level.
        unsafe { self.atmosphere.get(level * ATMOSPHERE_VALUES + value) }
    }

    /// The logarithm of the pressure in hPa of a reference level.
    #[inline(always)]
    pub(crate) fn ln_pressure(&self, level: usize) -> R {
        self.reference(level, 0)
    }

    /// Its temperature.
    #[inline(always)]
    pub(crate) fn temperature(&self, level: usize) -> R {
        self.reference(level, 1)
    }

    /// The mixing ratio of a gas there.
    #[inline(always)]
    pub(crate) fn mixing_ratio(&self, level: usize, gas: u32) -> R {
        self.reference(level, 2 + gas as usize)
    }

    /// The ratio of a pair of key gases there.
    #[inline(always)]
    pub(crate) fn ratio(&self, level: usize, pair: u32) -> R {
        self.reference(level, 9 + pair as usize)
    }

    /// A band.
    #[inline(always)]
    pub(crate) fn band(&self, band: usize) -> &BandRow<R> {
        debug_assert!(band < self.bands.len());
        // SAFETY: callers' bands are those of the tables.
        unsafe { &*self.bands.as_ptr().add(band) }
    }

    /// Two neighbouring rows of a band in a table of Planck radiance or of its layout.
    #[inline(always)]
    pub(crate) fn planck_pair(table: &Column<'_, R>, band: usize, row: usize) -> (R, R) {
        let index = band * grid::PLANCK_TEMPERATURES + row;
        // SAFETY: callers' bands and rows are those of the table, and so is the next row.
        unsafe { (table.get(index), table.get(index + 1)) }
    }

    /// Two neighbouring rows of Planck radiance of the bands of a warp's quads.
    #[inline(always)]
    pub(crate) fn planck_pair_of_quads(&self, row: usize, segment: usize) -> [[R; QUADS]; 2] {
        let start = grid::PLANCK_TEMPERATURES * MOST_BANDS + row * self.quads.len();
        let start = self.planck.as_ptr().wrapping_add(start).wrapping_add(segment * QUADS);
        // SAFETY: callers' rows and segments are those of the tables, and so is the next row.
        unsafe { (start.cast::<[R; QUADS]>().read(), start.add(self.quads.len()).cast::<[R; QUADS]>().read()).into() }
    }

    /// A quad.
    #[inline(always)]
    pub(crate) fn quad(&self, number: usize) -> Quad<R> {
        // SAFETY: callers' quads are those of the tables.
        unsafe { self.quads.get(number) }
    }

    #[inline(always)]
    pub(crate) fn band_count(&self) -> usize {
        self.bands.len()
    }

    /// Warps of g-points.
    #[inline(always)]
    pub(crate) fn segments(&self) -> usize {
        self.quads.len() / QUADS
    }
}
