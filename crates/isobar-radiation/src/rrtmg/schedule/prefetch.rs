//! Prefetching of the layers that a CPU's thread comes to next.

use isobar_core::{FieldMut, Real};

use crate::rrtmg::arguments::Sources;
use crate::rrtmg::schedule::chunk::{Chunk, Chunks};
use crate::rrtmg::state::VALUES;

/// Prefetches the layers of the chunk below, or of the next column's highest.
#[inline(always)]
pub(crate) fn next_chunk<R: Real>(
    sources: &Sources<'_, R>,
    (column, columns): (usize, usize),
    (chunks, index): (Chunks, usize),
) {
    let states = &sources.states;
    if index > 0 {
        numbers(&states.values, chunks.get(index - 1), column);
    } else if column + 1 < columns {
        let next = Chunks::new(sources.columns.temperature_k.levels(), states.lower_layers.at(0, column + 1));
        numbers(&states.values, next.get(next.count() - 1), column + 1);
    }
}

/// Prefetches the numbers of [`crate::rrtmg::state`] of a chunk, so that nothing waits for memory when they are read.
#[inline(always)]
fn numbers<R: Real>(values: &FieldMut<'_, R>, chunk: Chunk, column: usize) {
    let (stride, item_stride) = values.strides();
    let layers = values.levels() / VALUES;
    let start = values.as_ptr().wrapping_offset(column as isize * item_stride);
    for number in 0..VALUES {
        let first = start.wrapping_offset((number * layers + chunk.low) as isize * stride);
        // A chunk's layers can lie in two cache lines.
        cache_line(first);
        cache_line(first.wrapping_offset((chunk.count - 1) as isize * stride));
    }
}

/// Prefetches a cache line, where the processor can be asked.
#[inline(always)]
fn cache_line<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every such processor has the instruction, which changes no values and may be given any address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}
