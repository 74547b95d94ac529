//! Batches larger than a device's memory go through in chunks.

use std::ops::Range;

use crate::Error;

/// The share of the free memory that a chunk may take, in percent: the rest is the driver's.
const USABLE_PERCENT: usize = 80;

/// The items of a chunk that fits into `free_bytes` of memory, of which at most 80 % are used.
///
/// At least `least` (the work that keeps a device busy, or 1), for an allocation that fails says more than
/// an estimate; at most `items`. With `free_bytes` unknown all items are one chunk.
///
/// ```
/// use isobar_launch::chunk_items;
/// assert_eq!(chunk_items(1_000_000, 1_000, Some(100_000_000), 1), 80_000);
/// assert_eq!(chunk_items(500, 1_000, Some(100_000_000), 1), 500);
/// ```
#[must_use]
pub fn chunk_items(items: usize, bytes_per_item: usize, free_bytes: Option<usize>, least: usize) -> usize {
    let fitting = match free_bytes {
        Some(free) => free / 100 * USABLE_PERCENT / bytes_per_item.max(1),
        None => items,
    };
    fitting.max(least).clamp(1, items.max(1))
}

/// The chunks of `size` items, in order; the last may be smaller.
///
/// ```
/// let chunks: Vec<_> = isobar_launch::chunks(10, 4).collect();
/// assert_eq!(chunks, [0..4, 4..8, 8..10]);
/// ```
pub fn chunks(items: usize, size: usize) -> impl Iterator<Item = Range<usize>> {
    let size = size.max(1);
    (0..items).step_by(size).map(move |start| start..items.min(start.saturating_add(size)))
}

/// Calls `work` for each chunk of at most `size` items, in order, and halves the chunks where the device is
/// out of memory, down to `least` items.
///
/// `work` is called again, with a smaller chunk, for items for which it failed: it must be repeatable. Finished chunks
/// are kept.
///
/// # Errors
/// The first error of `work` that is not [`Error::OutOfMemory`], or that one if a chunk of `least` items does not fit.
pub fn for_each_chunk(
    items: usize,
    size: usize,
    least: usize,
    mut work: impl FnMut(Range<usize>) -> Result<(), Error>,
) -> Result<(), Error> {
    let least = least.max(1);
    let mut size = size.max(1);
    let mut start = 0;
    while start < items {
        let chunk = start..items.min(start.saturating_add(size));
        match work(chunk.clone()) {
            Ok(()) => start = chunk.end,
            Err(Error::OutOfMemory { .. }) if chunk.len() > least => size = (chunk.len() / 2).max(least),
            Err(other) => return Err(other),
        }
    }
    Ok(())
}
