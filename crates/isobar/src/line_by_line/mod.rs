//! From line lists to what forward models need: absorption of gases with all that absorbs in them, emissivity tables,
//! monochromatic radiances along refracted paths.
//!
//! | module | what |
//! |---|---|
//! | [`sources`] | a gas: lines, measured cross-sections, water continuum; pairs of molecules |
//! | [`emissivity`] | the emissivity of a band against the column density |
//! | [`curves`] | the same at the columns of a table |
//! | [`tables`] | emissivity tables of a gas |
//! | [`k_distribution`] | k-distributions of the long wave |
//! | [`radiance`] | monochromatic radiative transfer along a path |
//! | [`along_paths`] | radiances of a channel along many paths |

pub mod along_paths;
pub mod curves;
pub mod emissivity;
pub mod k_distribution;
pub mod radiance;
pub mod sources;
pub mod tables;

pub use curves::Curves;
pub use emissivity::{Band, FilterOnGrid};
pub use sources::Source;
