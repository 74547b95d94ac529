//! Inputs as command lines name them. For the command `isobar` and for `isobar-bench`, and no interface that stays.

pub(crate) mod beyond;
pub(crate) mod case;
pub mod k_distributions;
pub mod line_lists;
pub(crate) mod measured;
pub(crate) mod pairs;
pub(crate) mod reaching;
pub mod spectral;
pub(crate) mod twice;
