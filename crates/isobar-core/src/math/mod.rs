//! Elementary functions with the same bits on every backend.
pub mod double;
pub mod single;
