//! One row among those of a matrix, whose number is known when the kernel runs.

use isobar_core::Real;

use crate::schedule::scattering::streams::Streams;

/// Row `k` of an array in registers, which have no index that changes: one after the other is looked at. In memory it
/// is looked up.
#[inline(always)]
#[must_use]
pub fn row<R: Real, const N: usize, const W: usize>(streams: Streams<N, W>, rows: &[[R; W]; N], k: usize) -> [R; W] {
    if const { W == 1 } {
        let mut row = rows[0];
        for_each_row!(i in streams, N, W: {
            row = if i == k { rows[i] } else { row };
        });
        row
    } else {
        rows[k]
    }
}

/// Replaces row `k`.
#[inline(always)]
pub fn set_row<R: Real, const N: usize, const W: usize>(
    streams: Streams<N, W>,
    rows: &mut [[R; W]; N],
    k: usize,
    values: [R; W],
) {
    if const { W == 1 } {
        for_each_row!(i in streams, N, W: {
            rows[i] = if i == k { values } else { rows[i] };
        });
    } else {
        rows[k] = values;
    }
}
