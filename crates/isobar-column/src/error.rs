//! What can be wrong with a pipeline.

use crate::{Quantity, Shape};

/// Why stages do not fit together, or could not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A stage reads what is not there yet.
    #[error("stage '{stage}' reads '{quantity}', which nothing before it provides")]
    Missing {
        /// The stage.
        stage: String,
        /// What it reads.
        quantity: Quantity,
    },
    /// A stage and whoever provides a field mean different units.
    #[error("stage '{stage}' has '{quantity}', but {other} has it in [{unit}]")]
    Unit {
        /// The stage.
        stage: String,
        /// What it reads or writes.
        quantity: Quantity,
        /// Who has it otherwise.
        other: String,
        /// The unit there.
        unit: &'static str,
    },
    /// A field has another shape elsewhere.
    #[error("stage '{stage}' has '{quantity}' as {shape}, but {other} has it as {found}", shape = quantity.shape)]
    Shape {
        /// The stage.
        stage: String,
        /// What it reads or writes.
        quantity: Quantity,
        /// Who has it otherwise.
        other: String,
        /// The shape there.
        found: Shape,
    },
    /// A stage takes a field that it did not declare, or in another way.
    #[error("stage '{stage}' {does} '{quantity}', which it did not declare")]
    Undeclared {
        /// The stage.
        stage: String,
        /// `reads` or `writes`.
        does: &'static str,
        /// The field.
        quantity: Quantity,
    },
    /// A stage takes a field twice, at least once to write.
    #[error("stage '{stage}' takes '{quantity}' twice, at least once to write")]
    Twice {
        /// The stage.
        stage: String,
        /// The field.
        quantity: Quantity,
    },
    /// There is no such field.
    #[error("the state has no '{quantity}'")]
    Absent {
        /// The field.
        quantity: Quantity,
    },
    /// A field gets another number of values.
    #[error("'{quantity}' has {got} values instead of {expected} = {shape}", shape = quantity.shape)]
    Size {
        /// The field.
        quantity: Quantity,
        /// The values given.
        got: usize,
        /// The values wanted.
        expected: usize,
    },
    /// What a stage says itself.
    #[error("stage '{stage}': {problem}")]
    Stage {
        /// The stage.
        stage: String,
        /// Its own words.
        problem: String,
    },
    /// A device.
    #[error(transparent)]
    Device(#[from] isobar_launch::Error),
}
