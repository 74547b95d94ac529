//! What the adjoints of both spectra are given.

use isobar_core::kernel::WARP;
use isobar_core::{Field, FieldMut, Lanes, Real};
use isobar_optics::GasStates;
use isobar_optics::state::{ColumnState, States};

use crate::arguments::Sweep;
use crate::schedule::saved::Saved;
use crate::schedule::warp::Warp;

/// Derivatives by the fluxes of one spectrum; empty where there are none.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct SpectrumCotangents<'a, R> {
    pub(crate) up: Field<'a, R>,
    pub(crate) down: Field<'a, R>,
    pub(crate) direct: Field<'a, R>,
    pub(crate) heating: Field<'a, R>,
}

impl<R: Real> SpectrumCotangents<'_, R> {
    /// Does no heating rate count?
    #[inline(always)]
    pub(super) fn is_heating_empty(&self) -> bool {
        self.heating.is_empty()
    }
}

/// Where derivatives by the paths and the sizes of particles go.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct ParticleGradients<'a, R> {
    pub(crate) liquid: [FieldMut<'a, R>; 2],
    pub(crate) ice: [FieldMut<'a, R>; 2],
    pub(crate) rain: [FieldMut<'a, R>; 2],
    pub(crate) snow: [FieldMut<'a, R>; 2],
}

/// What the adjoints of both spectra are given.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Backward<'a, R> {
    /// What is differentiated; it leaves no sums.
    pub(crate) sweep: Sweep<'a, R>,
    /// Derivatives by the states of its gases, in their places.
    pub(crate) by_states: FieldMut<'a, R>,
    /// Derivatives by the spectrum's fluxes.
    pub(crate) cotangents: SpectrumCotangents<'a, R>,
    /// Numbers of levels that an item has: `cotangents::ROWS` a level of a column.
    pub(crate) levels: FieldMut<'a, R>,
    /// Kelvin a day for a W/m^2 in a Pa.
    pub(crate) heating_factor: R,
    /// Derivatives by pressures of levels, to which is added what heats less air more.
    pub(crate) level_pressure_pa: FieldMut<'a, R>,
    /// Those by clouds, rain and snow.
    pub(crate) particles: ParticleGradients<'a, R>,
}

impl<'a, R: Real> Backward<'a, R> {
    /// Where derivatives by a column's state are, all 0 at first.
    ///
    /// # Safety
    /// The column is one of the views', and the warp's own.
    #[inline(always)]
    pub(super) unsafe fn begin<const W: usize>(&self, column: usize, lanes: Lanes<W>) -> ColumnState<R> {
        let states = States { numbers: self.by_states, ..self.sweep.states };
        let layout = GasStates::layout(&self.sweep.tables, self.sweep.columns.layers());
        // SAFETY: the caller's.
        let by_state = unsafe { ColumnState::new(&states, layout, column) };
        by_state.clear(lanes);
        lanes.wait();
        by_state
    }

    /// A column and a warp of g-points, which keeps `rows` rows.
    ///
    /// # Safety
    /// As [`Backward::begin`].
    #[inline(always)]
    pub(super) unsafe fn warp<const W: usize>(
        &self,
        [segment, column]: [usize; 2],
        rows: usize,
        lanes: Lanes<W>,
    ) -> Warp<'_, 'a, R, W> {
        // SAFETY: the caller's.
        let mut warp = unsafe { self.sweep.warp([segment, column], rows, lanes) };
        if W == 1 {
            // A GPU's warp has a column's memory, and comes back to it with its next g-points.
            let saved = &self.sweep.saved;
            // SAFETY: `bytes` says how much there is.
            warp.saved = unsafe { Saved::new(saved, (column, 0, rows), lanes) };
            let start = saved.as_ptr().wrapping_offset(column as isize * saved.strides().1);
            warp.gases = start.wrapping_add(rows * WARP);
        }
        warp
    }
}

/// Adds to a value, where the field is wanted.
///
/// # Safety
/// The place is one of the field's, if it has any, and the caller's own.
#[inline(always)]
pub(super) unsafe fn add<R: Real>(field: &FieldMut<'_, R>, (row, column): (usize, usize), value: R) {
    if !field.is_empty() {
        // SAFETY: the caller's.
        unsafe { field.put(row, column, field.get(row, column) + value) };
    }
}

/// A value of a field that may be empty.
///
/// # Safety
/// As [`add`].
#[inline(always)]
pub(super) unsafe fn get<R: Real>(field: &Field<'_, R>, (row, column): (usize, usize)) -> R {
    // SAFETY: the caller's.
    if field.is_empty() { R::ZERO } else { unsafe { field.get(row, column) } }
}

impl<R: Real, const W: usize> Warp<'_, '_, R, W> {
    /// Adds the sum over the lanes to a value of the column, where the field is wanted: the first lane does.
    #[inline(always)]
    pub(super) fn add_sum(&self, field: &FieldMut<'_, R>, level: usize, values: [R; W]) {
        if !field.is_empty() {
            let sum = self.lanes.sum(values);
            if self.lanes.first() == 0 {
                // SAFETY: callers' levels are those of the view, and the column is the warp's own.
                unsafe { add(field, (level, self.column), sum) };
            }
        }
    }

    /// Adds the lanes' numbers to their spectral rows of a layer, where the field is wanted: to one row in the order of
    /// the lanes.
    #[inline(always)]
    pub(super) fn add_rows(&self, field: &FieldMut<'_, R>, (layer, rows): (usize, usize), values: &[R; W]) {
        if field.is_empty() {
            return;
        }
        let row = |spectral: usize| layer * rows + spectral;
        if W != 1 {
            for lane in 0..W {
                // SAFETY: callers' rows are those of the view, and the column is the warp's own.
                unsafe { add(field, (row(self.points.spectral(lane, rows)), self.column), values[lane]) };
            }
            return;
        }
        // Of lanes that have the same row, the first adds what all have.
        let own = self.points.spectral(0, rows);
        // SAFETY: as above.
        let (mut sum, mut is_first) = (unsafe { field.get(row(own), self.column) }, true);
        for lane in 0..WARP {
            let value = self.lanes.gather(*values, |_| lane)[0];
            if self.points.spectral_of(lane, rows) == own {
                sum += value;
                is_first &= lane >= self.lanes.first();
            }
        }
        if is_first {
            // SAFETY: as above.
            unsafe { field.put(row(own), self.column, sum) };
        }
    }
}
