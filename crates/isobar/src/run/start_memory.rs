//! What the columns that a run starts from take of the host's memory.

use isobar_column::Shape;
use isobar_launch::memory::{TooLarge, check};

/// Fields of double precision of the start, and those that are made of them on the way to a device.
const INITIAL: u64 = 12;

/// Bytes of a column at the start.
pub(super) fn of_start(layers: usize, tracers: usize) -> u64 {
    let rows = [Shape::Layers, Shape::LayersOfTracers].map(|shape| shape.per_column(layers, tracers) as u64);
    8 * (INITIAL * rows[0] + 3 * rows[1] + 10)
}

/// Is there memory for the start of `columns` columns?
pub(super) fn check_start(columns: usize, layers: usize) -> Result<(), TooLarge> {
    let of_column = of_start(layers, 0);
    check(&format!("{columns} columns of {layers} layers"), of_column.saturating_mul(columns as u64), |bytes| {
        format!("{} columns would fit", bytes / of_column)
    })
}
