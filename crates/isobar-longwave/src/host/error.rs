//! What is wrong with a batch of columns.

/// A batch that cannot be computed. Columns count from 0, layers and levels from 0 at the surface.
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
    #[error("{variable} at column {column}{} is {value}, which is not {range}", level(*.layer))]
    Value {
        /// The variable.
        variable: &'static str,
        /// The column.
        column: usize,
        /// The layer or level, if the variable has any.
        layer: Option<usize>,
        /// The value.
        value: f64,
        /// The accepted range.
        range: String,
    },
    /// Pressures out of order.
    #[error("{variable} at column {column}, level {layer} is {value} Pa, which is not below the {below} Pa of {under}")]
    Pressure {
        /// The variable.
        variable: &'static str,
        /// The column.
        column: usize,
        /// The layer or level.
        layer: usize,
        /// The value \[Pa\].
        value: f64,
        /// The value below \[Pa\].
        below: f64,
        /// Where that is.
        under: &'static str,
    },
    /// The options, or the number of columns or layers.
    #[error("{0}")]
    Setup(String),
}

fn level(layer: Option<usize>) -> String {
    layer.map(|layer| format!(", level {layer}")).unwrap_or_default()
}
