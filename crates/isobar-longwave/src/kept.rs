//! What a CPU keeps of the sweep downward for that upward.

use isobar_core::Real;
use isobar_core::kernel::WARP;

use crate::absorption::exact;
use crate::chunk::Chunk;
use crate::optics::Points;
use crate::passage::{Gas, Layer};
use crate::sweep::Sweep;
use crate::tables::OCTET;
use crate::transfer::{ANY, SUBCOLUMNS};

/// A layer for a warp of g-points.
#[repr(C, align(64))]
pub(crate) struct Kept<R> {
    fractions: [R; WARP],
    absorptance: [R; WARP],
    shape: [R; WARP],
    /// Not 0 where the layer has clouds.
    cloudy: u32,
    /// The same with the clouds that the g-points see; not there in a layer without.
    cloudy_absorptance: [R; WARP],
    cloudy_shape: [R; WARP],
}

impl<R: Real, const SKY: u32> Sweep<'_, R, SKY> {
    /// Does a thread with so many lanes keep layers?
    pub(crate) const fn keeps<const W: usize>() -> bool {
        W == WARP && SKY != ANY
    }

    #[inline(always)]
    fn place(&self, layer: usize, segment: usize) -> *mut Kept<R> {
        self.kept.wrapping_add(layer * self.batch.sources.tables.segments() + segment)
    }

    /// Keeps the layers of a chunk.
    ///
    /// # Safety
    /// The chunk's lists and clouds were written, and the thread has the memory that the kernel asks for.
    #[inline(always)]
    pub(crate) unsafe fn keep<const W: usize>(&mut self, segment: usize, points: &[Points<R>; 4], chunk: Chunk) {
        for octet in 0..WARP / OCTET {
            let these = &points[octet];
            let secant = self.secant(these.band);
            // SAFETY: the caller's; the layers and the segment are the column's.
            unsafe {
                let first = self.place(chunk.low, segment);
                let stride = self.place(chunk.low + 1, segment).offset_from_unsigned(first) * size_of::<Kept<R>>();
                for slot in 0..chunk.count {
                    let fractions = these.fractions::<W>(self.scratch, chunk.region, slot);
                    let kept = self.place(chunk.low + slot, segment);
                    octet_of(&raw mut (*kept).fractions, octet).write(fractions);
                    octet_of(&raw mut (*kept).absorptance, octet)
                        .write([(*self.scratch).aerosol[these.band][slot]; OCTET]);
                }
                let places = octet_of(&raw mut (*first).absorptance, octet).cast();
                these.add_optical_depths(self.scratch, chunk, (places, stride / size_of::<R>()));
                for slot in 0..chunk.count {
                    let place = octet_of(&raw mut (*self.place(chunk.low + slot, segment)).absorptance, octet);
                    let mut depths = place.read();
                    for lane in 0..OCTET {
                        // Weights beyond the tables' ends can make it negative.
                        depths[lane] = (secant * depths[lane]).max(R::ZERO);
                    }
                    place.write(depths);
                }
            }
        }
        for slot in 0..chunk.count {
            // SAFETY: as above.
            let kept = unsafe { &mut *self.place(chunk.low + slot, segment) };
            let depth = kept.absorptance;
            (kept.absorptance, kept.shape) = exact(&depth);
            // SAFETY: as above.
            kept.cloudy = if SKY == SUBCOLUMNS { unsafe { (*self.scratch).cloudy[slot] } } else { 0 };
            if kept.cloudy != 0 {
                let mut depth = depth;
                for octet in 0..WARP / OCTET {
                    let these = &points[octet];
                    // SAFETY: as above.
                    let cloud = unsafe { (*self.scratch).cloud[these.band][slot] } * self.secant(these.band);
                    if cloud > R::ZERO {
                        let place = (these.first, these.left, self.batch.sources.tables.points);
                        let seen = self.batch.clouds.seen::<W>(cloud, place, chunk.low + slot, self.column);
                        for lane in 0..OCTET {
                            depth[octet * OCTET + lane] += seen[lane];
                        }
                    }
                }
                (kept.cloudy_absorptance, kept.cloudy_shape) = exact(&depth);
            }
        }
    }

    /// Does a layer that was kept have clouds?
    ///
    /// # Safety
    /// It was kept.
    #[inline(always)]
    pub(crate) unsafe fn recall_cloudy(&self, layer: usize, segment: usize) -> bool {
        // SAFETY: the caller's.
        unsafe { (*self.place(layer, segment)).cloudy != 0 }
    }

    /// The gas of a layer that was kept, as far as its source needs it.
    ///
    /// # Safety
    /// It was kept, and the chunk's Planck radiances were written.
    #[inline(always)]
    pub(crate) unsafe fn recall_gas<const W: usize>(
        &self,
        segment: usize,
        points: &[Points<R>; 4],
        (layer, slot): (usize, usize),
    ) -> Gas<R, W> {
        let zeros = [R::ZERO; W];
        let mut gas = Gas { depth: zeros, fractions: zeros, planck: zeros, step: zeros, cloud: zeros };
        // SAFETY: the caller's.
        let (kept, scratch) = unsafe { (&*self.place(layer, segment), &*self.scratch) };
        gas.fractions.copy_from_slice(&kept.fractions[..W]);
        for octet in 0..W / OCTET {
            let band = points[octet].band;
            for lane in octet * OCTET..(octet + 1) * OCTET {
                gas.planck[lane] = scratch.planck[band][slot];
                gas.step[lane] = scratch.planck_step[band][slot];
            }
        }
        gas
    }

    /// What a layer that was kept does, with its clouds or without.
    ///
    /// # Safety
    /// It was kept.
    #[inline(always)]
    pub(crate) unsafe fn recall<const W: usize>(
        &self,
        segment: usize,
        gas: &Gas<R, W>,
        (layer, clouds): (usize, bool),
    ) -> Layer<R, W> {
        // SAFETY: the caller's.
        let kept = unsafe { &*self.place(layer, segment) };
        let (from, shapes) =
            if clouds { (&kept.cloudy_absorptance, &kept.cloudy_shape) } else { (&kept.absorptance, &kept.shape) };
        let (mut absorptance, mut shape) = ([R::ZERO; W], [R::ZERO; W]);
        absorptance.copy_from_slice(&from[..W]);
        shape.copy_from_slice(&shapes[..W]);
        Layer { absorptance, source: gas.source(&shape) }
    }
}

/// Eight of a warp's values.
#[inline(always)]
fn octet_of<R>(values: *mut [R; WARP], octet: usize) -> *mut [R; OCTET] {
    values.cast::<[R; OCTET]>().wrapping_add(octet)
}
