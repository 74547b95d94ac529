//! Radiances of many layered profiles by the adding method, on CPU threads and GPUs.

mod clear_sky;
mod plain;
mod precision;
mod ptx;
mod resident;
mod scattered;
mod scattering;
mod scattering_resident;
mod share;

pub use clear_sky::{AddingError, ClearSkyModel};
pub use precision::Precision;
pub use ptx::{PTX, load};
pub use resident::Resident;
pub use scattered::{ScatteringRadiances, ScatteringSchedule};
pub use scattering::ScatteringModel;
pub use scattering_resident::ScatteringResident;

/// Which radiances are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outputs {
    /// At the top, over a surface that does not reflect.
    Emission,
    /// At the top and at the surface.
    Ends,
    /// At every level, too.
    Levels,
}

/// Radiances of a batch, in the unit of its Planck radiances. The profile is the fastest index, then the angle, then
/// the level from the top.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Radiances<R> {
    /// Upward at the top, `[angle * profiles + profile]`.
    pub top: Vec<R>,
    /// Downward at the surface, likewise; empty for [`Outputs::Emission`].
    pub surface_down: Vec<R>,
    /// Upward, `[(level * angles + angle) * profiles + profile]`; empty unless [`Outputs::Levels`].
    pub level_up: Vec<R>,
    /// Downward, likewise.
    pub level_down: Vec<R>,
}
