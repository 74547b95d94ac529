//! The numbers of the model, SI units. Those of air are the boundary-layer scheme's, so that what a scheme gives is
//! what a budget counts.

pub use isobar_ysu::constants::{
    GAS_CONSTANT, GAS_RATIO, GRAVITY, HEAT_CAPACITY, KARMAN, LATENT_HEAT, REFERENCE_PRESSURE, VAPOUR_GAS_CONSTANT,
    VIRTUAL,
};

/// Seconds of a day.
pub const DAY_S: f64 = 86_400.0;
/// The Earth's rotation \[1/s\].
pub const ROTATION: f64 = 7.292e-5;
/// Mean molar mass of dry air \[kg/mol\], as RRTMG_LW has it.
pub const DRY_AIR_KG_PER_MOL: f64 = 28.966e-3;
/// Molar mass of water \[kg/mol\], likewise.
pub const WATER_KG_PER_MOL: f64 = 18.016e-3;
