//! What is wrong with a batch of profiles.

use std::fmt;

/// A batch that cannot be computed. Indices count from 0, layers and levels from the top.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A variable has the wrong number of values.
    #[error("{variable} has {got} values instead of {expected} = {shape}")]
    Size {
        /// The variable.
        variable: &'static str,
        /// The values found.
        got: usize,
        /// The values wanted.
        expected: usize,
        /// The dimensions that make up the wanted number.
        shape: String,
    },
    /// A value outside its range, or none at all.
    #[error("{variable}{place} is {value}, which is not {range}")]
    Value {
        /// The variable.
        variable: &'static str,
        /// Where it is.
        place: Place,
        /// The value.
        value: f64,
        /// The accepted range.
        range: &'static str,
    },
    /// The batch has no profile, layer or angle, or two options exclude each other.
    #[error("{0}")]
    Setup(&'static str),
}

/// Where a value is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Place {
    /// The profile, if the variable has profiles.
    pub profile: Option<usize>,
    /// The layer, likewise.
    pub layer: Option<usize>,
    /// The level, likewise.
    pub level: Option<usize>,
    /// The angle or stream, likewise.
    pub angle: Option<usize>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [("profile", self.profile), ("layer", self.layer), ("level", self.level), ("angle", self.angle)];
        let mut separator = " at ";
        for (name, index) in parts {
            if let Some(index) = index {
                write!(f, "{separator}{name} {index}")?;
                separator = ", ";
            }
        }
        Ok(())
    }
}
