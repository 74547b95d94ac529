//! Where temperatures lie in the Planck table.

use isobar_core::Real;

use crate::tables::{GasTables, Model};

/// Where the first of two rows begins, and their weights. ecCKD's black bodies below the first temperature emit in
/// proportion to it.
#[inline(always)]
pub(crate) fn place<R: Real>(tables: &GasTables<'_, R>, temperature_k: R) -> (u32, [R; 2]) {
    let axis = &tables.planck_temperature;
    let (row, fraction) = axis.interval(temperature_k);
    if tables.model == Model::Ecckd as u32 && temperature_k < axis.first {
        (0, [temperature_k / axis.first, R::ZERO])
    } else {
        debug_assert!(((row + 2) * tables.planck_width()) as usize <= tables.planck.len());
        (row * tables.planck_width(), [R::ONE - fraction, fraction])
    }
}
