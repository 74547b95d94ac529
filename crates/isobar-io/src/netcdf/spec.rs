//! What is asked of a file.

use std::fmt;

use super::{Accepted, Dimension};

/// A dimension of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Which.
    pub dimension: Dimension,
    /// Whether a file may leave it out, or give it the size 1: the value then holds all along it.
    pub optional: bool,
}

impl Axis {
    /// A dimension that must be there.
    #[must_use]
    pub const fn required(dimension: Dimension) -> Self {
        Self { dimension, optional: false }
    }

    /// A dimension that may be left out.
    #[must_use]
    pub const fn optional(dimension: Dimension) -> Self {
        Self { dimension, optional: true }
    }
}

/// A variable that is wanted.
#[derive(Clone, Copy, Debug)]
pub struct VariableSpec<'a> {
    /// Our name; wins over the others.
    pub name: &'a str,
    /// Aliases: other short names, as the reference model's.
    pub aliases: &'a [&'a str],
    /// CF standard names.
    pub standard_names: &'a [&'a str],
    /// The unit of the values that are returned.
    pub unit: &'a str,
    /// The dimensions in the order of the values that are returned, slowest first.
    pub axes: &'a [Axis],
    /// The accepted values, in `unit`.
    pub accepted: Accepted,
}

impl fmt::Display for VariableSpec<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        if !self.axes.is_empty() {
            write!(f, "({})", Axes(self.axes))?;
        }
        write!(f, " in {:?}", self.unit)
    }
}

/// The names of dimensions.
pub(super) struct Axes<'a>(pub(super) &'a [Axis]);

impl fmt::Display for Axes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.0.iter().map(|axis| axis.dimension.name()).collect();
        f.write_str(&names.join(", "))
    }
}
