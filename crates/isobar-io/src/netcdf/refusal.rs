//! Values that a file should not have.

use super::Dimension;

/// A value that was refused, by a file whose reading goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Variable, value and index, in words.
    pub text: String,
    /// Whether it was a finite number, out of its range.
    pub finite: bool,
    /// Its index along each dimension of the variable that has a known name.
    pub index: Vec<(Dimension, usize)>,
}
