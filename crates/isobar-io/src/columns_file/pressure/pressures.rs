//! The pressures of all columns.

use super::super::{BelowGround, FilePressures};

/// Pressures of levels and of layers \[Pa\], `[level * count + column]`, the surface first.
pub(crate) struct Pressures {
    pub(crate) levels: Vec<f64>,
    pub(crate) layers: Vec<f64>,
    /// The layers below the ground.
    pub(crate) below_ground: BelowGround,
    /// Which of them the file has.
    pub(crate) of_file: FilePressures,
    /// Where they were taken from.
    pub(crate) derived: String,
}
