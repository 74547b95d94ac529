//! What a GPU keeps of the sweep downward for that upward: in its memory, a row of lanes for each number of a layer and warp of g-points.

use isobar_core::kernel::WARP;
use isobar_core::{Lanes, Real};

use crate::optics::Points;
use crate::passage::{Gas, Layer};
use crate::sweep::Sweep;
use crate::transfer::{ANY, CLEAR};

/// Rows of a layer: Planck fractions, absorptances and shapes of sources, and where there are clouds both with them.
const FRACTIONS: usize = 0;
/// Where absorptance and shape of a sky begin.
pub(crate) const CLEAR_SKY: usize = 1;
/// See above.
pub(crate) const CLOUDY_SKY: usize = 3;

/// The rows of a layer and warp.
const fn rows(cloudy: bool) -> usize {
    if cloudy { CLOUDY_SKY + 2 } else { CLOUDY_SKY }
}

/// The numbers that a column of so many layers and warps of g-points keeps on a GPU, for [`crate::TransferArgs::kept`].
#[must_use]
pub fn kept_numbers(layers: usize, warps: usize, cloudy: bool) -> usize {
    layers * warps * rows(cloudy) * WARP
}

impl<R: Real, const SKY: u32> Sweep<'_, R, SKY> {
    /// Does the thread keep layers in a GPU's memory?
    #[inline(always)]
    pub(crate) fn keeps_far<const W: usize>(&self) -> bool {
        W == 1 && SKY != ANY && !self.batch.kept.is_empty()
    }

    /// A row of a layer and warp.
    #[inline(always)]
    fn far<const W: usize>(&self, lanes: Lanes<W>, (layer, segment): (usize, usize), row: usize) -> *mut [R; W] {
        let (_, stride) = self.batch.kept.strides();
        let start = self.batch.kept.as_ptr().wrapping_offset(self.column as isize * stride);
        let place = (layer * self.batch.sources.tables.segments() + segment) * rows(SKY != CLEAR) + row;
        start.wrapping_add(place * WARP + lanes.first()).cast()
    }

    /// Keeps absorptances and shapes of a sky, and Planck fractions.
    ///
    /// # Safety
    /// The thread keeps layers, of which this is one, and the segment is the lanes'.
    #[inline(always)]
    pub(crate) unsafe fn keep_far<const W: usize>(
        &self,
        lanes: Lanes<W>,
        place: (usize, usize),
        fractions: &[R; W],
        (absorptance, shape): (&[R; W], &[R; W]),
        sky: usize,
    ) {
        // SAFETY: the places are the lanes' alone.
        unsafe {
            if sky == CLEAR_SKY {
                self.far(lanes, place, FRACTIONS).write(*fractions);
            }
            self.far(lanes, place, sky).write(*absorptance);
            self.far(lanes, place, sky + 1).write(*shape);
        }
    }

    /// The gas of a layer that was kept, as far as its source needs it.
    ///
    /// # Safety
    /// It was kept, and the chunk's Planck radiances were written.
    #[inline(always)]
    pub(crate) unsafe fn far_gas<const W: usize>(
        &self,
        lanes: Lanes<W>,
        place: (usize, usize),
        points: &Points<R>,
        slot: usize,
    ) -> Gas<R, W> {
        // SAFETY: the caller's.
        unsafe {
            Gas {
                depth: [R::ZERO; W],
                fractions: self.far(lanes, place, FRACTIONS).read(),
                planck: [(*self.scratch).planck[slot][points.band]; W],
                step: [(*self.scratch).planck_step[slot][points.band]; W],
                cloud: [R::ZERO; W],
            }
        }
    }

    /// What a layer that was kept does under a sky.
    ///
    /// # Safety
    /// It was kept.
    #[inline(always)]
    pub(crate) unsafe fn far_layer<const W: usize>(
        &self,
        lanes: Lanes<W>,
        place: (usize, usize),
        gas: &Gas<R, W>,
        sky: usize,
    ) -> Layer<R, W> {
        // SAFETY: the caller's.
        let (absorptance, shape) =
            unsafe { (self.far(lanes, place, sky).read(), self.far(lanes, place, sky + 1).read()) };
        Layer { absorptance, source: gas.source(&shape) }
    }
}
