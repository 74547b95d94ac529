//! Guards and cut-offs of the iteration and of finite differences, each with its reason.

/// The damping at first, as in JURASSIC: nearly Gauss and Newton's step.
pub(crate) const FIRST_DAMPING: f64 = 1e-3;

/// What it is divided by when a step is taken, and multiplied by when one is refused, as in JURASSIC.
pub(crate) const DAMPING_FACTOR: f64 = 10.0;

/// The most steps that may be refused in an iteration, as in JURASSIC: the damping then has grown by 20 orders of
/// magnitude, and a step is below the last digit of the state.
pub(crate) const MOST_REFUSALS: usize = 20;

/// The number of elements whose equations, 20 times solved (2e6 operations), cost little beside a round of radiances.
pub(crate) const SMALL_STATE: usize = 64;

/// Steps of finite differences, those of JURASSIC: relative for pressure and mixing ratios, which span orders of
/// magnitude.
pub(crate) const RELATIVE_STEP: f64 = 0.01;
/// The least step of a pressure \[hPa\], so that one of 0 is stepped, too.
pub(crate) const LEAST_PRESSURE_STEP_HPA: f64 = 1e-7;
/// The least step of a mixing ratio.
pub(crate) const LEAST_MIXING_RATIO_STEP: f64 = 1e-15;
/// The step of a temperature \[K\].
pub(crate) const TEMPERATURE_STEP_K: f64 = 1.0;
/// The step of an extinction \[1/km\].
pub(crate) const EXTINCTION_STEP_PER_KM: f64 = 1e-4;
/// The step of a cloud's height and depth \[km\].
pub(crate) const CLOUD_STEP_KM: f64 = 1.0;
/// The step of the surface's height \[km\].
pub(crate) const SURFACE_HEIGHT_STEP_KM: f64 = 0.1;
/// The step of the surface's pressure \[hPa\].
pub(crate) const SURFACE_PRESSURE_STEP_HPA: f64 = 10.0;
/// The step of an emissivity.
pub(crate) const EMISSIVITY_STEP: f64 = 0.01;
