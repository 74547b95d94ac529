//! What is wrong with a batch.

use std::string::String;
use std::vec::Vec;

/// A batch that cannot be computed. Items and levels count from 0, levels in the order of the batch.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A field has the wrong number of values.
    Size {
        /// The field.
        variable: &'static str,
        /// The values found.
        got: usize,
        /// The values wanted.
        expected: usize,
        /// The dimensions that make up the wanted number, as in `35 layers x 100 columns`.
        shape: String,
    },
    /// A value outside its range, or no number.
    Value {
        /// The field.
        variable: &'static str,
        /// What an item is: `column`, `profile`, `cell`, `ray`.
        item_name: &'static str,
        /// The item.
        item: usize,
        /// Where among the item's values: an index a dimension of the field.
        place: Vec<(&'static str, usize)>,
        /// The value.
        value: f64,
        /// The accepted range.
        accepted: String,
        /// The unit.
        unit: &'static str,
    },
    /// A value that does not stand in the right order to its neighbour.
    Order {
        /// The field.
        variable: &'static str,
        /// What an item is.
        item_name: &'static str,
        /// The item.
        item: usize,
        /// Where among the item's values: an index a dimension of the field.
        place: Vec<(&'static str, usize)>,
        /// The value.
        value: f64,
        /// What it has to be, as in `below the 100000 Pa of the level under it`.
        wanted: String,
        /// The unit.
        unit: &'static str,
    },
    /// An item that was begun and not computed.
    Failed {
        /// What an item is.
        item_name: &'static str,
        /// The item.
        item: usize,
        /// Its status.
        status: u32,
        /// The status in words.
        why: String,
    },
    /// There is no memory for a field.
    OutOfMemory {
        /// The field.
        variable: &'static str,
        /// The bytes that it takes.
        bytes: usize,
    },
    /// The options, or the sizes together.
    Setup(String),
}

impl Error {
    /// The item that the error is about.
    #[must_use]
    pub fn item(&self) -> Option<usize> {
        match self {
            Self::Value { item, .. } | Self::Order { item, .. } | Self::Failed { item, .. } => Some(*item),
            Self::Size { .. } | Self::OutOfMemory { .. } | Self::Setup(_) => None,
        }
    }
}

impl std::error::Error for Error {}

impl From<core::convert::Infallible> for Error {
    fn from(never: core::convert::Infallible) -> Self {
        match never {}
    }
}

impl core::fmt::Display for Error {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Size { variable, got, expected, shape } => {
                write!(f, "{variable} has {got} values instead of {expected} = {shape}")
            }
            Self::OutOfMemory { variable, bytes } => {
                write!(f, "{variable} has no room: {bytes} bytes more were wanted than the memory has")
            }
            Self::Value { variable, item_name, item, place, value, accepted, unit } => {
                write!(f, "{variable} at {item_name} {item}{} is {value}, which is not {accepted}", Indices(place))?;
                if !has_name(unit) || accepted.ends_with("number") { Ok(()) } else { write!(f, " {unit}") }
            }
            Self::Order { variable, item_name, item, place, value, wanted, unit } => {
                write!(f, "{variable} at {item_name} {item}{} is {value}", Indices(place))?;
                if has_name(unit) {
                    write!(f, " {unit}")?;
                }
                write!(f, ", which is not {wanted}")
            }
            Self::Failed { item_name, item, status, why } => {
                write!(f, "{item_name} {item} was not computed: {why} (status {status})")
            }
            Self::Setup(problem) => f.write_str(problem),
        }
    }
}

/// Is there a unit to write behind a number?
fn has_name(unit: &str) -> bool {
    unit != "1" && unit != super::ANY_UNIT
}

/// `, layer 3, band 1`.
struct Indices<'a>(&'a [(&'static str, usize)]);

impl core::fmt::Display for Indices<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.iter().try_for_each(|(name, index)| write!(f, ", {name} {index}"))
    }
}
