//! A matrix that is written, wherever its values lie.

use super::{Label, Space};

/// A matrix that is written.
#[derive(Clone, Copy, Debug)]
pub struct MatrixView<'a> {
    /// What the rows stand for.
    pub rows: (Space, &'a [Label]),
    /// What the columns stand for.
    pub columns: (Space, &'a [Label]),
    /// The elements, `row * columns + column`.
    pub values: &'a [f64],
    /// Does a text have columns that follow each other, as JURASSIC's gains?
    pub columns_first: bool,
}

impl MatrixView<'_> {
    pub(crate) fn check(&self) -> Result<(), String> {
        let (rows, columns, values) = (self.rows.1.len(), self.columns.1.len(), self.values.len());
        match values == rows * columns {
            true => Ok(()),
            false => Err(format!("{values} values of {rows} rows and {columns} columns")),
        }
    }
}
