//! What kernels leave to each other in the memory of a device.

use isobar_core::{FieldMut, Real};
use isobar_launch::{Buffer, Error, Plain, Queue};
use isobar_optics::state::States;

use crate::order::{Rows, Workspace};

/// Memory for some columns.
pub struct Memory<R: Real + Plain> {
    pub(crate) columns: usize,
    rows: Rows,
    numbers: Buffer<R>,
    words: Buffer<u32>,
    sums: Buffer<R>,
    band_sums: Buffer<R>,
    saved: Buffer<R>,
    /// Statuses of launches, which nobody looks at: a column that was checked is computed.
    statuses: Buffer<u32>,
}

impl<R: Real + Plain> Memory<R> {
    pub(crate) fn new(queue: &Queue, rows: Rows, columns: usize) -> Result<Self, Error> {
        Ok(Self {
            columns,
            rows,
            numbers: queue.zeros(rows.numbers * columns)?,
            words: queue.zeros(rows.words * columns)?,
            sums: queue.zeros(rows.sums * columns)?,
            band_sums: queue.zeros(rows.band_sums * columns)?,
            saved: queue.zeros(rows.saved * columns)?,
            statuses: queue.zeros(rows.items * columns.div_ceil(32))?,
        })
    }

    pub(crate) fn views(&mut self) -> (Workspace<'_, R>, &mut Buffer<u32>) {
        let (rows, columns) = (self.rows, self.columns);
        let (saved, band_sums) = (&mut self.saved, &mut self.band_sums);
        let workspace = Workspace {
            states: States {
                numbers: self.numbers.level_fastest_mut(rows.numbers, columns),
                words: self.words.level_fastest_mut(rows.words, columns),
            },
            sums: self.sums.level_fastest_mut(rows.sums, columns),
            band_sums: if rows.band_sums == 0 {
                FieldMut::empty()
            } else {
                band_sums.level_fastest_mut(rows.band_sums, columns)
            },
            saved: if rows.saved == 0 { FieldMut::empty() } else { saved.level_fastest_mut(rows.saved, columns) },
        };
        (workspace, &mut self.statuses)
    }
}
