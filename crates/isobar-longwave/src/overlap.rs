//! How clouds of different layers overlap, as numbers that kernels are given: RRTMG_LW's `icld`.

/// At random (RRTMG_LW's `icld` 1).
pub const RANDOM: u32 = 1;
/// At random across clear layers, as much as possible within a cloud.
pub const MAXIMUM_RANDOM: u32 = 2;
/// As much as possible.
pub const MAXIMUM: u32 = 3;
/// Less with distance.
pub const EXPONENTIAL: u32 = 4;
/// Less with distance within a cloud, at random across clear layers.
pub const EXPONENTIAL_RANDOM: u32 = 5;
