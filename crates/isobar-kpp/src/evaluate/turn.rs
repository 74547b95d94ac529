//! Which element of arrays a formula is at.

use crate::error::Fault;
use crate::source::Span;

/// The element at hand: how far it is from the first one in each dimension, and the shape of all of them.
#[derive(Clone, Default)]
pub(super) struct Turn {
    pub(super) offset: Vec<i64>,
    /// None as long as no array was met.
    pub(super) shape: Option<Vec<i64>>,
}

impl Turn {
    pub(super) fn offset(&self, dimension: usize) -> i64 {
        self.offset.get(dimension).copied().unwrap_or(0)
    }

    /// All arrays of a formula have the same shape.
    pub(super) fn fits(&mut self, shape: Vec<i64>, span: Span) -> Result<(), Fault> {
        match &self.shape {
            Some(known) if *known != shape => Err(Fault::at(span, "arrays of different shapes meet here")),
            Some(_) => Ok(()),
            None => {
                self.shape = Some(shape);
                Ok(())
            }
        }
    }
}
