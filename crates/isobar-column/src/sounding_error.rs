//! What is wrong with what is asked for.

/// A state that cannot be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SoundingError {
    /// A number outside its range.
    #[error("{variable} is {value}, which is not {range}")]
    Value {
        /// What the number is.
        variable: &'static str,
        /// The number.
        value: f64,
        /// The accepted range.
        range: &'static str,
    },
    /// Heights that do not rise from the surface.
    #[error("height {value} m of interface {interface} does not lie above the one below")]
    Heights {
        /// The interface, from 0 at the surface.
        interface: usize,
        /// Its height \[m\].
        value: f64,
    },
    /// A profile so cold that the air ends below the top.
    #[error("by this profile the air ends in layer {layer}, below the top")]
    NoAir {
        /// The layer, from 0.
        layer: usize,
    },
}
