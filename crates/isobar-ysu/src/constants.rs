//! The numbers of the scheme, as WRF 4.6 has them, SI units.

/// Specific heat of dry air at constant pressure \[J/(kg K)\].
pub const HEAT_CAPACITY: f64 = 1004.5;
/// Gas constant of dry air \[J/(kg K)\].
pub const GAS_CONSTANT: f64 = 287.0;
/// Gas constant of water vapour \[J/(kg K)\].
pub const VAPOUR_GAS_CONSTANT: f64 = 461.6;
/// Acceleration of gravity \[m/s^2\].
pub const GRAVITY: f64 = 9.81;
/// Latent heat of vaporisation \[J/kg\].
pub const LATENT_HEAT: f64 = 2.5e6;
/// Latent heat of sublimation \[J/kg\].
pub const SUBLIMATION_HEAT: f64 = 2.834e6;
/// Von Karman's constant.
pub const KARMAN: f64 = 0.4;
/// `Rv / Rd - 1`: what vapour adds to the virtual temperature.
pub const VIRTUAL: f64 = VAPOUR_GAS_CONSTANT / GAS_CONSTANT - 1.0;
/// `Rd / Rv`.
pub const GAS_RATIO: f64 = GAS_CONSTANT / VAPOUR_GAS_CONSTANT;

/// The part of the boundary layer that is surface layer, `z / h`.
pub(crate) const SURFACE_LAYER: f64 = 0.1;
/// Proportionality of the counter-gradient term of scalars (Hong and Pan 1996).
pub(crate) const COUNTER_GRADIENT: f64 = 6.8;
/// The same of momentum (Brown and Grant 1997).
pub(crate) const COUNTER_GRADIENT_MOMENTUM: f64 = 15.9;
/// Factor of the convective velocity in the velocity scale of a level.
pub(crate) const CONVECTIVE_FACTOR: f64 = 8.0;
/// The largest diffusivity \[m^2/s\].
pub(crate) const LARGEST_DIFFUSIVITY: f64 = 1000.0;
/// Cloud water and ice above which air is cloudy \[kg/kg\].
pub(crate) const CLOUDY: f64 = 1e-5;
/// `((z - h) / delta)^2` below which a level belongs to the entrainment zone.
pub(crate) const ENTRAINMENT_ZONE: f64 = 4.6;
