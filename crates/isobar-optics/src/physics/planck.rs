//! Where temperatures lie in the Planck table.

use isobar_core::Real;

use crate::tables::{GasTables, Model};

/// Where the first of two rows begins for each of `L` columns, and their weights. ecCKD's black bodies below the first
/// temperature emit in proportion to it.
#[inline(always)]
pub(crate) fn places<R: Real, const L: usize>(tables: &GasTables<'_, R>, temperature_k: &[R; L]) -> [(u32, [R; 2]); L] {
    let axis = &tables.planck_temperature;
    let (rows, fractions) = axis.intervals(temperature_k);
    let mut places = [(0, [R::ZERO; 2]); L];
    for column in 0..L {
        let fraction = fractions[column];
        places[column] = if tables.model == Model::Ecckd as u32 && temperature_k[column] < axis.first {
            (0, [temperature_k[column] / axis.first, R::ZERO])
        } else {
            debug_assert!(((rows[column] + 2) * tables.planck_width()) as usize <= tables.planck.len());
            (rows[column] * tables.planck_width(), [R::ONE - fraction, fraction])
        };
    }
    places
}
