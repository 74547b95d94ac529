//! The grids on which k-distributions are tabulated, and the reference atmosphere.

/// Temperatures of a main table, 15 K apart, at each reference level.
pub const KEY_TEMPERATURES: usize = 5;
/// Levels of the reference atmosphere.
pub const LEVELS: usize = 59;
/// Those of the lower region, from the first on.
pub const LOWER_LEVELS: usize = 13;
/// The first level of the upper region, counted from 0: also the last of the lower.
pub const UPPER_FIRST: usize = LOWER_LEVELS - 1;
/// Those of the upper region.
pub const UPPER_LEVELS: usize = LEVELS - UPPER_FIRST;
/// Temperatures of a minor gas's table, 7.2 K apart, the first 188 K.
pub const MINOR_TEMPERATURES: usize = 19;
/// Temperatures of the self-broadened continuum.
pub const SELF_TEMPERATURES: usize = 10;
/// States of the foreign-broadened continuum.
pub const FOREIGN_STATES: usize = 4;
/// Points of a band before they are grouped.
pub const ORIGINAL_POINTS: usize = 16;
/// Temperatures of the Planck tables, 1 K apart.
pub const PLANCK_TEMPERATURES: usize = 181;
/// The first of them \[K\].
pub const PLANCK_FIRST_K: f64 = 160.0;
