//! The pressures of all columns.

use super::super::FilePressures;

/// Pressures of levels and of layers \[Pa\], `[level * count + column]`, the surface first.
pub(crate) struct Pressures {
    pub(crate) levels: Vec<f64>,
    pub(crate) layers: Vec<f64>,
    /// How many layers of each column lie below its ground; none where no column has any.
    pub(crate) below_ground: Vec<usize>,
    /// Which of them the file has.
    pub(crate) of_file: FilePressures,
    /// Where they were taken from.
    pub(crate) derived: String,
}
