//! All derivatives of a column: nothing at first, and numbers in the end.

use isobar_core::{FieldMut, Kernel, Lanes, Real, Status, Team};

/// Room for the fields of derivatives.
pub(crate) const FIELDS: usize = 48;

/// Zeros all derivatives of a column: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ClearGradients<'a, R> {
    /// The derivatives; those behind the last are empty.
    pub(crate) fields: [FieldMut<'a, R>; FIELDS],
    /// What became of columns.
    pub(crate) status: FieldMut<'a, u32>,
    /// How many there are.
    pub(crate) columns: u32,
}

/// Marks a column, which is an item, where a derivative is no number.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CheckGradients<'a, R> {
    /// What was cleared first.
    pub(crate) all: ClearGradients<'a, R>,
}

// SAFETY: an item writes what is its own column's.
unsafe impl<R: Real> Kernel for ClearGradients<'_, R> {
    const NAME: &'static str = "radiation_clear_gradients";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.columns as usize
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, _lanes: Lanes<W>) -> Status {
        // SAFETY: the caller's; rows are those of the views.
        unsafe {
            for field in &self.fields {
                for row in 0..field.levels() {
                    field.put(row, column, R::ZERO);
                }
            }
            for row in 0..self.status.levels() {
                self.status.put(row, column, 0);
            }
        }
        Status::OK
    }
}

// SAFETY: an item marks its own column.
unsafe impl<R: Real> Kernel for CheckGradients<'_, R> {
    const NAME: &'static str = "radiation_check_gradients";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.all.items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, _lanes: Lanes<W>) -> Status {
        let mut finite = true;
        for field in &self.all.fields {
            for row in 0..field.levels() {
                // SAFETY: the caller's; rows are those of the views.
                finite &= unsafe { field.get(row, column) }.is_finite();
            }
        }
        if !finite {
            self.all.status.mark(column, Status::NOT_FINITE);
        }
        Status::OK
    }
}
