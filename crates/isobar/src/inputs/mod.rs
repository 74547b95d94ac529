//! Inputs as command lines name them. For the command `isobar` and for `isobar-bench`, and no interface that stays.

#[cfg(feature = "cli")]
pub(crate) mod beyond;
pub(crate) mod case;
#[cfg(feature = "cli")]
pub mod k_distributions;
#[cfg(feature = "cli")]
pub mod line_lists;
#[cfg(feature = "cli")]
pub(crate) mod measured;
#[cfg(feature = "cli")]
pub(crate) mod pairs;
#[cfg(feature = "cli")]
pub(crate) mod reaching;
#[cfg(feature = "cli")]
pub mod spectral;
#[cfg(feature = "cli")]
pub(crate) mod twice;
