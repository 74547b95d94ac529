//! Any number of further tracers, with the system of moisture: a kernel that comes after.

use isobar_core::kernel::WARP;
use isobar_core::{Field, FieldMut, Kernel, Lanes, Real, Status, Team};

use crate::tile::{Row, Tile};
use crate::version::Parameters;

/// One tracer of 32 neighbouring columns: an item. No tracer comes through the surface.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MixTracers<'a, R> {
    /// The options with which the diffusivities were computed.
    pub parameters: Parameters<R>,
    /// What [`crate::Ysu`] left of `(layer, column)`.
    pub exchange: Field<'a, R>,
    /// The same.
    pub reciprocal: Field<'a, R>,
    /// Mixing ratios of `(layer, tracer * columns + column)`, fewer than 2^31 values.
    pub tracers: Field<'a, R>,
    /// Their tendencies \[1/s times the unit\], in the same layout.
    pub tendencies: FieldMut<'a, R>,
}

// SAFETY: an item writes the tendencies of its own columns and tracer, and reads what it wrote and the inputs.
unsafe impl<R: Real> Kernel for MixTracers<'_, R> {
    const NAME: &'static str = "ysu_tracers";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        self.exchange.items().div_ceil(WARP) * self.count()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        // Neighbouring warps have the same columns.
        let (tile, tracer) = (index / self.count(), index % self.count());
        let tile = Tile::<W>::new(tile, lanes, self.exchange.items());
        self.upward(&tile, tracer);
        self.downward(&tile, tracer)
    }
}

impl<R: Real> MixTracers<'_, R> {
    #[inline(always)]
    fn count(&self) -> usize {
        self.tracers.items() / self.exchange.items()
    }

    #[inline(always)]
    fn row<const W: usize>(&self, tile: &Tile<W>, tracer: usize, level: usize) -> Row {
        tile.row_of(level, tracer * self.exchange.items(), self.tracers.strides())
    }

    /// Eliminates all rows and solves the uppermost.
    #[inline(always)]
    fn upward<const W: usize>(&self, tile: &Tile<W>, tracer: usize) {
        let (strides, step) = (self.exchange.strides(), self.parameters.step);
        let top = self.exchange.levels() - 1;
        let mut carried = [R::ZERO; W];
        // SAFETY: the levels are those of the fields.
        let mut lower: [R; W] = unsafe { tile.read(&self.tracers, self.row(tile, tracer, 0)) };
        for level in 0..=top {
            let (row, coupling) = (self.row(tile, tracer, level), tile.row(level, strides));
            // SAFETY: as above.
            let (exchange, reciprocal, upper) = unsafe {
                (
                    tile.read(&self.exchange, coupling),
                    tile.read(&self.reciprocal, coupling),
                    tile.read(&self.tracers, self.row(tile, tracer, (level + 1).min(top))),
                )
            };
            let mut values = [R::ZERO; W];
            for lane in 0..W {
                // Nothing is exchanged above the uppermost layer.
                let flux = exchange[lane] * (upper[lane] - lower[lane]);
                values[lane] = (carried[lane] + flux) * reciprocal[lane];
                carried[lane] = (step * exchange[lane]).mul_add(values[lane], -flux);
            }
            // SAFETY: as above; the row is the item's own.
            unsafe { tile.write(&self.tendencies, row, values) };
            lower = upper;
        }
    }

    /// Substitutes from the top down.
    #[inline(always)]
    fn downward<const W: usize>(&self, tile: &Tile<W>, tracer: usize) -> Status {
        let (strides, step) = (self.exchange.strides(), self.parameters.step);
        let top = self.exchange.levels() - 1;
        // SAFETY: the levels are those of the fields, and were written by the sweep upward.
        let mut above: [R; W] = unsafe { tile.read_back(&self.tendencies, self.row(tile, tracer, top)) };
        for level in (0..top).rev() {
            let (row, coupling) = (self.row(tile, tracer, level), tile.row(level, strides));
            // SAFETY: as above.
            let (exchange, reciprocal, values) = unsafe {
                (
                    tile.read(&self.exchange, coupling),
                    tile.read(&self.reciprocal, coupling),
                    tile.read_back(&self.tendencies, row),
                )
            };
            for lane in 0..W {
                above[lane] = (step * exchange[lane] * reciprocal[lane]).mul_add(above[lane], values[lane]);
            }
            // SAFETY: as above; the row is the item's own.
            unsafe { tile.write(&self.tendencies, row, above) };
        }
        let mut status = Status::OK;
        for lane in 0..W {
            if !above[lane].is_finite() {
                status = Status::NOT_FINITE;
            }
        }
        status
    }
}
