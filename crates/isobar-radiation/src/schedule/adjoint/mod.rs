//! Derivatives by columns from those by their fluxes: the sweeps of [`super::longwave`] and [`super::shortwave`]
//! backward, as CPUs have them. A column is an item, whose warps of g-points come one after the other.

use isobar_core::{Field, FieldMut, PerLane, Real};
use isobar_optics::GasStatesAdjoint;
use isobar_optics::state::ColumnState;

pub(crate) mod cotangents;
pub(crate) mod longwave;
pub(crate) mod particles;
pub(crate) mod shortwave;

use super::saved::Saved;
use super::warp::Warp;
use crate::arguments::Sweep;
use crate::fields_adjoint::GradientViews;
use crate::schedule::adjoint::cotangents::SpectrumCotangents;

/// What the adjoints of both spectra are given.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Backward<'a, R> {
    /// What is differentiated; it leaves no sums.
    pub(crate) sweep: Sweep<'a, R>,
    /// Its gases.
    pub(crate) gases: GasStatesAdjoint<'a, R>,
    /// Derivatives by the spectrum's fluxes.
    pub(crate) cotangents: SpectrumCotangents<'a, R>,
    /// Numbers of levels that an item has: `cotangents::ROWS` a level of a column.
    pub(crate) levels: FieldMut<'a, R>,
    /// Kelvin a day for a W/m^2 in a Pa.
    pub(crate) heating_factor: R,
    /// What is added to.
    pub(crate) gradients: GradientViews<'a, R>,
    /// Is nothing in the gradients yet?
    pub(crate) is_first: u32,
}

impl<R: Real> Backward<'_, R> {
    /// Zeros all that a column adds to.
    ///
    /// # Safety
    /// The column is the caller's own.
    #[inline(always)]
    unsafe fn begin(&self, column: usize) {
        use isobar_core::fields::{AnyFieldMut, OutputSet};
        // SAFETY: the caller's; rows are those of the views.
        unsafe {
            if self.is_first != 0 {
                self.gradients.visit(&mut |_, field| match field {
                    AnyFieldMut::Real(field) => (0..field.levels()).for_each(|row| field.put(row, column, R::ZERO)),
                    AnyFieldMut::Word(field) => (0..field.levels()).for_each(|row| field.put(row, column, 0)),
                });
            }
            let [_, by_state] = self.gases.states(column);
            by_state.clear();
        }
    }
}

impl<R: Real, const W: usize> Warp<'_, '_, R, W> {
    /// Leaves derivatives by a layer's optics of gases where they depend on these, in the place of the optics.
    #[inline(always)]
    fn leave_gas_derivatives(&self, layer: usize, absorption: &[R; W], [mut by_absorption, by_second]: [[R; W]; 2]) {
        // SAFETY: a CPU's thread has the memory, as for `prepare`.
        let depends = unsafe { self.points.depends(&self.state, layer, absorption) };
        for lane in 0..W {
            by_absorption[lane] = if depends[lane] { by_absorption[lane] } else { R::ZERO };
        }
        self.put_gas_derivatives(layer, &[by_absorption, by_second]);
    }

    /// Leaves derivatives by a layer's absorption, and by Rayleigh scattering or Planck fractions, in the place of what
    /// [`Warp::gases`] gives of it.
    #[inline(always)]
    fn put_gas_derivatives(&self, layer: usize, by: &[[R; W]; 2]) {
        // SAFETY: a CPU's thread has the memory, as for `prepare`.
        unsafe { self.points.put_derivatives(layer, by, self.gases) };
    }

    /// Adds derivatives by the column's state, from those that were left of all layers.
    #[inline(always)]
    fn add_gas_derivatives<const LONGWAVE: bool>(&self, to: &ColumnState<R>) {
        // SAFETY: as above.
        unsafe { self.points.add_derivatives::<LONGWAVE>([&self.state, to], self.layers, self.gases) };
        // Lanes without a g-point, of which nothing is computed, find these as optical depths in the next warp.
        for layer in 0..self.layers {
            self.put_gas_derivatives(layer, &[[R::ZERO; W]; 2]);
        }
    }
}

/// Adds to a value, where the field is wanted.
///
/// # Safety
/// The place is one of the field's, if it has any, and the caller's own.
#[inline(always)]
unsafe fn add<R: Real>(field: &FieldMut<'_, R>, (row, column): (usize, usize), value: R) {
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
unsafe fn get<R: Real>(field: &Field<'_, R>, (row, column): (usize, usize)) -> R {
    // SAFETY: the caller's.
    if field.is_empty() { R::ZERO } else { unsafe { field.get(row, column) } }
}

/// Keeps a struct's rows from this one on.
macro_rules! keep {
    ($saved:expr, $row:expr, $($value:expr),+) => {{
        let mut row = $row;
        $(
            $saved.put(row, $value);
            row += 1;
        )+
        let _ = row;
    }};
}
use keep;

/// Adds a row to what is kept.
#[inline(always)]
fn add_row<R: Real, const W: usize>(saved: &Saved<R>, row: usize, values: &[R; W]) {
    let mut sum = saved.get::<W>(row);
    for lane in 0..W {
        sum[lane] += values[lane];
    }
    saved.put(row, sum);
}

/// Three kept rows, lane by lane.
#[inline(always)]
fn depths<R: Real, const W: usize>(saved: &Saved<R>, row: usize) -> crate::physics::particles::Depths<[R; W]> {
    let mut depths = crate::physics::particles::Depths::<[R; W]>::zeros();
    depths.absorption = saved.get(row);
    depths.scattering = saved.get(row + 1);
    depths.forward = saved.get(row + 2);
    depths
}
