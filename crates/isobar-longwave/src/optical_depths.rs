//! The kernel of optical depths: what the transfer computes on its way, written out. For comparison and for other
//! solvers.

use isobar_core::{FieldMut, Kernel, Lanes, Real, Status, Team};

use crate::chunk::Chunks;
use crate::optics::{Points, quad_lanes, quads};
use crate::prepare::Sources;
use crate::scratch::Scratch;
use crate::transfer::WARPS;

/// Optical depths and Planck fractions of one column: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct OpticalDepths<'a, R> {
    /// What they follow from.
    pub sources: Sources<'a, R>,
    /// Vertical optical depth of gases and aerosol in `(layer * points + point, column)`.
    pub optical_depth: FieldMut<'a, R>,
    /// The g-point's part of the band's Planck radiance, likewise.
    pub fraction: FieldMut<'a, R>,
}

// SAFETY: an item writes its own column.
unsafe impl<R: Real> Kernel for OpticalDepths<'_, R> {
    const NAME: &'static str = "longwave_optical_depths";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Block { warps: WARPS, scratch_bytes: size_of::<Scratch<R>>() };

    fn items(&self) -> usize {
        self.sources.temperature.items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, lanes: Lanes<W>) -> Status {
        let sources = &self.sources;
        let scratch: *mut Scratch<R> = lanes.scratch();
        let chunks = Chunks::new(sources.temperature.levels(), sources.states.lower_layers.at(0, column));
        let points = sources.tables.points as usize;
        for index in 0..chunks.count() {
            let chunk = chunks.get(index);
            // SAFETY: all warps come by.
            unsafe { sources.write_terms(lanes, column, chunk, scratch) };
            lanes.barrier();
            for segment in lanes.shares(sources.tables.segments()) {
                for quad in 0..quads::<W>() {
                    let these = Points::new(&sources.tables, lanes, segment, quad);
                    let band = sources.tables.band(these.band);
                    for slot in 0..chunk.count {
                        // SAFETY: the lists were written.
                        let (depths, fractions) = unsafe {
                            (
                                these.optical_depths::<W>(
                                    Scratch::lists(scratch),
                                    (chunk.region, slot),
                                    (*scratch).aerosol[these.band][slot],
                                ),
                                these.fractions::<W>(Scratch::lists(scratch), chunk.region, slot),
                            )
                        };
                        for lane in 0..quad_lanes::<W>() {
                            let point = these.first + lane as u32;
                            let place = (chunk.low + slot) * points + point as usize;
                            if these.flux != R::ZERO && point < band.first_point + band.points {
                                self.optical_depth.set(place, column, depths[lane]);
                                self.fraction.set(place, column, fractions[lane]);
                            }
                        }
                    }
                }
            }
            lanes.barrier();
        }
        Status::OK
    }
}
