//! What bins, reactions and absorbers are, in the host's memory.
#![forbid(unsafe_code)]

mod columns;
pub mod formulas;
pub(crate) mod options;
pub(crate) mod tables;
