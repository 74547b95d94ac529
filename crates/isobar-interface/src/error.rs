//! What can be wrong with a call.

use isobar_core::fields;
use isobar_launch::{Error as DeviceError, RunError};

/// Why something could not be done: one line each.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// A value, a size, or options that do not go together: with variable, item, place and accepted range.
    #[error(transparent)]
    Field(#[from] fields::Error),
    /// An array is not of the kind that is wanted: its elements, where it lies, whether it may be written.
    #[error("{variable} {problem}")]
    Kind {
        /// The field.
        variable: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// An array has another shape than it should have, or strides that cannot be read in place.
    #[error("{variable} {problem}")]
    Shape {
        /// The field.
        variable: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// There is nothing of such a name.
    #[error("there is no {what} '{name}'{help}")]
    Name {
        /// What it should have been.
        what: &'static str,
        /// The name.
        name: String,
        /// What may have been meant.
        help: String,
    },
    /// Options, devices or files as they were given.
    #[error("{0}")]
    Setup(String),
    /// A file is missing or wrong.
    #[error("{0}")]
    File(String),
    /// The run was asked to stop.
    #[error("the run was stopped after {done} of {items} {item_name}s")]
    Stopped {
        /// The items that were finished; the others have the status 4.
        done: usize,
        /// The items of the batch.
        items: usize,
        /// What an item is.
        item_name: &'static str,
    },
    /// A device is not there, has no memory, or failed.
    #[error("{0}")]
    Device(String),
    /// The process is a child, forked while or after its parent used what does not go with it.
    #[error("{0}")]
    Forked(String),
}

/// The sort of an error, for languages that have a class or a number for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// An array's elements or place, not its values.
    Kind,
    /// A value, a shape, an option.
    Value,
    /// A name.
    Name,
    /// A file.
    File,
    /// There is no memory.
    Memory,
    /// The run was stopped.
    Stopped,
    /// A device.
    Device,
}

impl CallError {
    /// The sort of this error.
    #[must_use]
    pub fn category(&self) -> Category {
        match self {
            Self::Field(fields::Error::OutOfMemory { .. }) => Category::Memory,
            Self::Field(_) | Self::Shape { .. } | Self::Setup(_) => Category::Value,
            Self::Kind { .. } => Category::Kind,
            Self::Name { .. } => Category::Name,
            Self::File(_) => Category::File,
            Self::Stopped { .. } => Category::Stopped,
            Self::Device(_) | Self::Forked(_) => Category::Device,
        }
    }

    /// The field that it is about.
    #[must_use]
    pub fn variable(&self) -> Option<&'static str> {
        match self {
            Self::Kind { variable, .. } | Self::Shape { variable, .. } => Some(variable),
            Self::Field(
                fields::Error::Size { variable, .. }
                | fields::Error::Value { variable, .. }
                | fields::Error::Order { variable, .. }
                | fields::Error::OutOfMemory { variable, .. },
            ) => Some(variable),
            _ => None,
        }
    }

    /// Nothing has this name; the known one that looks most like it may have been meant.
    #[must_use]
    pub fn name<'a>(what: &'static str, name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        let known: Vec<&str> = known.into_iter().collect();
        let likeness = |known: &str| strsim::jaro_winkler(&name.to_lowercase(), &known.to_lowercase());
        let nearest = known.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
        let help = match nearest {
            Some(nearest) if likeness(nearest) > 0.7 => format!(": did you mean '{nearest}'?"),
            Some(_) if known.len() <= 12 => format!(": there are {}", known.join(", ")),
            _ => String::new(),
        };
        Self::Name { what, name: name.to_owned(), help }
    }
}

impl From<DeviceError> for CallError {
    fn from(error: DeviceError) -> Self {
        Self::Device(error.to_string())
    }
}

impl From<RunError> for CallError {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Batch(error) => Self::Field(error),
            RunError::Interrupted { source: DeviceError::Stopped, done, items, item_name } => {
                Self::Stopped { done, items, item_name }
            }
            other => Self::Device(other.to_string()),
        }
    }
}
