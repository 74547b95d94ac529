//! What the adjoints of both spectra are given.

use isobar_core::fields::{AnyFieldMut, OutputSet};
use isobar_core::{Field, FieldMut, Real, Status};
use isobar_optics::GasStatesAdjoint;

use crate::arguments::Sweep;
use crate::fields_adjoint::{CotangentViews, GradientViews};

/// Derivatives by the fluxes of one spectrum; empty where there are none.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct SpectrumCotangents<'a, R> {
    pub(super) up: Field<'a, R>,
    pub(super) down: Field<'a, R>,
    pub(super) direct: Field<'a, R>,
    pub(super) heating: Field<'a, R>,
}

impl<'a, R: Real> SpectrumCotangents<'a, R> {
    pub(crate) fn new(all: &CotangentViews<'a, R>, longwave: bool) -> Self {
        if longwave {
            return Self {
                up: all.longwave_up_w_per_m2,
                down: all.longwave_down_w_per_m2,
                direct: Field::empty(),
                heating: all.longwave_heating_k_per_day,
            };
        }
        Self {
            up: all.shortwave_up_w_per_m2,
            down: all.shortwave_down_w_per_m2,
            direct: all.shortwave_direct_w_per_m2,
            heating: all.shortwave_heating_k_per_day,
        }
    }

    /// Does no heating rate count?
    #[inline(always)]
    pub(super) fn is_heating_empty(&self) -> bool {
        self.heating.is_empty()
    }
}

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
    pub(super) unsafe fn begin(&self, column: usize) {
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

    /// Marks the column where a derivative is no number.
    ///
    /// # Safety
    /// As [`Backward::begin`].
    pub(super) unsafe fn end(&self, column: usize) {
        let mut finite = true;
        self.gradients.visit(&mut |_, field| {
            if let AnyFieldMut::Real(field) = field {
                // SAFETY: the caller's; rows are those of the views.
                finite &= (0..field.levels()).all(|row| unsafe { field.get(row, column) }.is_finite());
            }
        });
        if !finite {
            self.gradients.status.mark(column, Status::NOT_FINITE);
        }
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
