//! What the warps of a block share while they work on one column: eight layers at a time.
//!
//! A value is written by one warp, or by several that write the same; the others read it after a barrier.

use core::cell::Cell;

use isobar_core::Lanes;
use isobar_core::kernel::WARP;

use crate::rrtmg::schedule::lists::{Lists, Weights};
use crate::rrtmg::schedule::sweep::STREAMS;
use crate::rrtmg::sizes::{CHUNK, MOST_BANDS, MOST_SEGMENTS, MOST_TERMS};
use crate::rrtmg::tables::QUAD;

/// What is summed over the g-points at each level: fluxes and derivatives, and the absorption of a layer under both
/// skies.
pub(crate) const SUMS: usize = 6;

/// The slot of the surface among those of a chunk's layers.
pub(crate) const SURFACE: usize = CHUNK;

/// The sums that a sweep leaves in the scratch, those of clear sky one behind.
pub(crate) mod sum {
    /// Fluxes.
    pub(crate) const FLUX: usize = 0;
    /// What the layer absorbs less what it emits, negated.
    pub(crate) const GAIN: usize = 2;
    /// Derivatives of the upward flux.
    pub(crate) const DERIVATIVE: usize = 4;
}

/// The scratch of a block. Values of layers have the layer of the chunk, from its lowest, as the last index.
#[repr(C, align(16))]
pub(crate) struct Scratch<R> {
    /// See [`Lists`].
    weights: Cell<[[Weights<R>; CHUNK]; MOST_TERMS]>,
    rows: Cell<[[u32; CHUNK]; MOST_TERMS]>,
    lengths: Cell<[[u32; CHUNK]; MOST_BANDS]>,
    /// Not 0 where a layer has clouds.
    pub(crate) cloudy: [Cell<u32>; CHUNK],
    /// Planck radiance in the middle of the layer, and that at its far boundary less it: here the band is the last
    /// index.
    pub(crate) planck: [[Cell<R>; MOST_BANDS]; CHUNK],
    pub(crate) planck_step: [[Cell<R>; MOST_BANDS]; CHUNK],
    /// Optical depth of aerosol.
    pub(crate) aerosol: [[Cell<R>; CHUNK]; MOST_BANDS],
    /// Optical depth of the cloudy part.
    pub(crate) cloud: [[Cell<R>; CHUNK]; MOST_BANDS],
    /// Streams between chunks.
    streams: [[Cell<R>; MOST_SEGMENTS * WARP]; STREAMS],
    /// The memory of [`crate::rrtmg::physics::overlap_weights::Weights`], a copy for each warp.
    pub(crate) memory: [Cell<[R; 2]>; MOST_SEGMENTS],
    /// Sums over each warp's lanes; the last slot is that of the surface.
    pub(crate) sums: [[[Cell<R>; CHUNK + 1]; MOST_SEGMENTS]; SUMS],
    /// Sums over each quad, likewise.
    pub(crate) quad_sums: [[Cell<R>; CHUNK + 1]; MOST_SEGMENTS * WARP / QUAD],
}

impl<R> Scratch<R> {
    /// The scratch of a block whose kernel asks for that of this type.
    #[inline(always)]
    pub(crate) fn of<'a, const W: usize>(lanes: Lanes<W>) -> &'a Self {
        // SAFETY: the kernel asks for it, and numbers may have any bits. Cells let warps write between barriers.
        unsafe { &*lanes.scratch::<Self>() }
    }

    /// Its lists.
    #[inline(always)]
    pub(crate) fn lists(&self) -> Lists<R>
    where
        R: Copy,
    {
        // SAFETY: there is memory for the most terms and bands.
        unsafe { Lists::new(self.weights.as_ptr().cast(), self.rows.as_ptr().cast(), self.lengths.as_ptr().cast()) }
    }

    /// Where a stream of the thread's lanes waits between chunks.
    #[inline(always)]
    pub(crate) fn stream<const W: usize>(&self, lanes: Lanes<W>, segment: usize, stream: usize) -> &Cell<[R; W]> {
        debug_assert!(segment < MOST_SEGMENTS);
        let first = self.streams[stream].as_ptr().wrapping_add(segment * WARP + lanes.first());
        // SAFETY: a warp's lanes lie side by side in the stream.
        unsafe { &*first.cast() }
    }
}

const _: () = assert!(size_of::<Scratch<f64>>() <= 48 * 1024, "a block has 48 KiB");
