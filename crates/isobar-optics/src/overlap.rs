//! How clouds of different layers overlap.

/// At random: a number that kernels are given, as the next ones (RRTMG_LW's `icld`).
pub const RANDOM: u32 = 1;
/// At random across clear layers, as much as possible within a cloud.
pub const MAXIMUM_RANDOM: u32 = 2;
/// As much as possible.
pub const MAXIMUM: u32 = 3;
/// Less with distance.
pub const EXPONENTIAL: u32 = 4;
/// Less with distance within a cloud, at random across clear layers.
pub const EXPONENTIAL_RANDOM: u32 = 5;

/// How clouds of different layers overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
#[repr(u32)]
pub enum Overlap {
    /// At random.
    Random = RANDOM,
    /// At random across clear layers, as much as possible within a cloud.
    #[default]
    MaximumRandom = MAXIMUM_RANDOM,
    /// As much as possible.
    Maximum = MAXIMUM,
    /// Less with distance.
    Exponential = EXPONENTIAL,
    /// Less with distance within a cloud, at random across clear layers.
    ExponentialRandom = EXPONENTIAL_RANDOM,
}

impl Overlap {
    /// The number that kernels are given.
    #[must_use]
    pub fn number(self) -> u32 {
        self as u32
    }

    /// Is it less with distance?
    #[must_use]
    pub fn is_exponential(self) -> bool {
        matches!(self, Self::Exponential | Self::ExponentialRandom)
    }
}
