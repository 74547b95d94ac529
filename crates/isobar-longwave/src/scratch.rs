//! What the warps of a block share while they work on one column: eight layers at a time.

use crate::band::MOST_HALOCARBONS;
use crate::lists::{Lists, Weights};
use crate::tables::QUAD;

/// The layers of a chunk, all in one region.
pub(crate) const CHUNK: usize = 8;
/// The most bands.
pub(crate) const MOST_BANDS: usize = 16;
/// The most warps of g-points.
pub(crate) const MOST_SEGMENTS: usize = 6;
/// The most terms of a layer in all bands.
pub(crate) const MOST_TERMS: usize = 160;
/// Radiances that a lane carries, each times what it adds to a flux: of all and of clear sky, the derivatives of both,
/// and of the cloudy and the clear part of a layer and what was handed over between them.
pub(crate) const STREAMS: usize = 7;
/// What is summed over the g-points at each level: fluxes and derivatives, and the absorption of a layer under both
/// skies.
pub(crate) const SUMS: usize = 6;
/// The lanes of a warp.
const WARP: usize = isobar_core::kernel::WARP;

const _: () = assert!(MOST_HALOCARBONS == 2, "two halocarbons make one term");

/// The scratch of a block. Values of layers have the layer of the chunk, from its lowest, as the last index.
#[repr(C, align(16))]
pub(crate) struct Scratch<R> {
    /// Weights of a term's two neighbouring rows.
    pub(crate) weights: [[Weights<R>; CHUNK]; MOST_TERMS],
    /// The first row's place among the coefficients.
    pub(crate) rows: [[u32; CHUNK]; MOST_TERMS],
    /// The terms of each band, its Planck fraction included.
    pub(crate) lengths: [[u32; CHUNK]; MOST_BANDS],
    /// Not 0 where a layer has clouds.
    pub(crate) cloudy: [u32; CHUNK],
    /// Planck radiance in the middle of the layer, and that at its far boundary less it: here the band is the last
    /// index.
    pub(crate) planck: [[R; MOST_BANDS]; CHUNK],
    pub(crate) planck_step: [[R; MOST_BANDS]; CHUNK],
    /// Optical depth of aerosol.
    pub(crate) aerosol: [[R; CHUNK]; MOST_BANDS],
    /// Optical depth of the cloudy part.
    pub(crate) cloud: [[R; CHUNK]; MOST_BANDS],
    /// Streams between chunks.
    pub(crate) streams: [[R; MOST_SEGMENTS * WARP]; STREAMS],
    /// The memory of [`crate::overlap_weights::Weights`], a copy for each warp.
    pub(crate) memory: [[R; 2]; MOST_SEGMENTS],
    /// Sums over each warp's lanes; the last place is that of the surface.
    pub(crate) sums: [[[R; CHUNK + 1]; MOST_SEGMENTS]; SUMS],
    /// Sums over each quad, likewise.
    pub(crate) quad_sums: [[R; CHUNK + 1]; MOST_SEGMENTS * WARP / QUAD],
}

impl<R> Scratch<R> {
    /// Where its lists lie.
    #[inline(always)]
    pub(crate) fn lists(scratch: *mut Self) -> Lists<R> {
        // SAFETY: places in the scratch, of which nothing is read.
        unsafe {
            Lists {
                weights: (&raw mut (*scratch).weights).cast(),
                rows: (&raw mut (*scratch).rows).cast(),
                lengths: (&raw mut (*scratch).lengths).cast(),
            }
        }
    }
}

const _: () = assert!(size_of::<Scratch<f64>>() <= 48 * 1024, "a block has 48 KiB");
