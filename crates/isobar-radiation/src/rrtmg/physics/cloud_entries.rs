//! The bands of cloud optics with which RRTMG_LW ends in each layer: a number that some layers set and others find.

use isobar_core::Real;

use crate::rrtmg::arguments::CloudEntries;
use crate::rrtmg::clouds::EBERT_CURRY_GROUPS;

/// Writes those of a column.
#[inline(always)]
pub(crate) fn write<R: Real>(kernel: &CloudEntries<'_, R>, column: usize) {
    let (columns, bands) = (&kernel.columns, kernel.bands);
    let by_size = columns.cloud_optical_depth.is_empty();
    let mut last = if by_size { 1 } else { bands };
    for layer in 0..columns.layers() {
        if by_size && columns.cloud_fraction.at(layer, column) > R::ZERO {
            if columns.ice_path_g_per_m2.at(layer, column) > R::ZERO {
                last = match kernel.ice {
                    0 => last,
                    1 => EBERT_CURRY_GROUPS,
                    _ => bands,
                };
            }
            if columns.liquid_path_g_per_m2.at(layer, column) > R::ZERO && kernel.liquid != 0 {
                last = bands;
            }
        }
        kernel.entries.set(layer, column, last);
    }
    kernel.entries.set(columns.layers(), column, last);
}
