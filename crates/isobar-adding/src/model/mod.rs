//! The two schemes on CPU threads and GPUs.

mod clear_sky;
mod finite;
mod precision;
mod scattering;
mod slabs;

pub use clear_sky::ClearSky;
pub use precision::Precision;
pub use scattering::Scattering;
