//! Batches larger than a device's memory go through in chunks.

use std::ops::Range;

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
