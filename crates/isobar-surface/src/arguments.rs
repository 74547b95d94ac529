//! The arguments of the kernel: views of a batch in a device's memory.

use isobar_core::{Column, Real};

use crate::fields::{ColumnViews, ResultViews};
use crate::options::Parameters;

/// The kernel, whose item is 32 neighbouring columns.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SurfaceKernel<'a, R> {
    /// The options.
    pub parameters: Parameters<R>,
    /// Corrections of stability: all numbers of [`crate::corrections`], side by side. They are read without a check.
    pub corrections: Column<'a, R>,
    /// What is read: one value a column in each field that is there.
    pub columns: ColumnViews<'a, R>,
    /// What is written.
    pub results: ResultViews<'a, R>,
}

impl<R: Real> SurfaceKernel<'_, R> {
    /// The number of columns.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        self.results.status.items()
    }
}
