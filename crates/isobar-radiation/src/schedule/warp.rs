//! A column and a warp's g-points: an item of the sweeps of both spectra.

use isobar_core::kernel::WARP;
use isobar_core::{Field, Lanes, Real};
use isobar_optics::state::ColumnState;
use isobar_optics::{GasStates, Points};

use super::saved::{Saved, Sums};
use super::sky::Sky;
use crate::arguments::Sweep;

/// Bytes of a CPU's thread for the `rows` kept of layers, and for the optics of their gases.
pub(crate) fn bytes<R: Real>(rows: usize, layers: usize) -> usize {
    (rows * WARP + Points::<R, WARP>::numbers(layers)) * size_of::<R>()
}

/// What an item reads, keeps and leaves.
pub(crate) struct Warp<'k, 'a, R, const W: usize> {
    pub(crate) sweep: &'k Sweep<'a, R>,
    pub(crate) points: Points<'a, R, W>,
    pub(crate) state: ColumnState<R>,
    pub(crate) saved: Saved<R>,
    pub(crate) sums: Sums<R>,
    /// What [`Points::prepare`] leaves on a CPU, behind the rows that are kept.
    pub(super) gases: *mut R,
    pub(crate) lanes: Lanes<W>,
    pub(crate) column: usize,
    pub(crate) layers: usize,
}

impl<'a, R: Real> Sweep<'a, R> {
    /// Columns and warps of g-points.
    pub(crate) fn items(&self) -> usize {
        self.columns.columns() * self.tables.segments as usize
    }

    /// The warp and the column of an item: neighbouring items read the same part of the tables.
    #[inline(always)]
    pub(crate) fn place(&self, index: usize) -> [usize; 2] {
        let columns = self.columns.columns();
        [index / columns, index % columns]
    }

    /// An item at a place, which keeps `rows` rows.
    ///
    /// # Safety
    /// All views have the sizes that tables and columns ask for.
    #[inline(always)]
    pub(crate) unsafe fn warp<const W: usize>(
        &self,
        [segment, column]: [usize; 2],
        rows: usize,
        lanes: Lanes<W>,
    ) -> Warp<'_, 'a, R, W> {
        let (tables, layers) = (&self.tables, self.columns.layers());
        let layout = GasStates::layout(tables, layers);
        // SAFETY: the caller's.
        unsafe {
            let state = ColumnState::new(&self.states, layout, column);
            Warp {
                sweep: self,
                points: Points::new(tables, &state, segment, lanes.first()),
                state,
                sums: Sums::new(&self.sums, column, segment, layers + 1),
                saved: Saved::new(&self.saved, (column, segment, rows), lanes),
                gases: lanes.memory::<R>().wrapping_add(if W == 1 { 0 } else { rows * WARP }),
                lanes,
                column,
                layers,
            }
        }
    }
}

impl<R: Real, const W: usize> Warp<'_, '_, R, W> {
    /// Computes on a CPU what [`Warp::gases`] reads.
    #[inline(always)]
    pub(crate) fn prepare<const LONGWAVE: bool>(&self) {
        // SAFETY: a CPU's thread has the memory: `bytes`.
        unsafe { self.points.prepare::<LONGWAVE>(&self.state, self.layers, self.gases) };
    }

    /// Optics of the gases of a layer, on the way down from the uppermost.
    #[inline(always)]
    pub(crate) fn gases<const LONGWAVE: bool>(&self, layer: usize, sky: &mut Sky<W>) -> ([R; W], [R; W]) {
        // SAFETY: `prepare` came first; callers go down from where the sky begins.
        unsafe { self.points.optics::<LONGWAVE>(&self.state, layer, &mut sky.ahead, self.gases) }
    }

    /// Optics of the gases of a layer, in any order.
    #[inline(always)]
    pub(crate) fn gases_of<const LONGWAVE: bool>(&self, layer: usize) -> ([R; W], [R; W]) {
        let mut ahead = self.points.top(&self.state, layer + 1);
        // SAFETY: `prepare` came first; what is to be known of the layer is what `top` says.
        unsafe { self.points.optics::<LONGWAVE>(&self.state, layer, &mut ahead, self.gases) }
    }

    /// The sky at the top.
    #[inline(always)]
    pub(crate) fn sky(&self) -> Sky<W> {
        let ahead = self.points.top(&self.state, self.layers);
        Sky::new(self.sweep, self.column, self.points.lane(), ahead)
    }

    /// The lanes' values of a field by band or by g-point at the surface.
    #[inline(always)]
    pub(crate) fn surface(&self, field: &Field<'_, R>) -> [R; W] {
        self.spectral(field, (0, field.levels()))
    }

    /// In a layer: its number, and the rows that the field has of each layer.
    #[inline(always)]
    pub(crate) fn spectral(&self, field: &Field<'_, R>, (row, rows): (usize, usize)) -> [R; W] {
        let mut values = [R::ZERO; W];
        for (lane, value) in values.iter_mut().enumerate() {
            let spectral = self.points.spectral(lane, rows);
            // SAFETY: rows and columns are those of the view.
            *value = unsafe { field.get(row * rows + spectral, self.column) };
        }
        values
    }
}
