//! How emissivity tables are interpolated.

/// How emissivity tables are interpolated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Interpolation {
    /// Emissivity linear in the column density and in pressure, as JURASSIC had it until 2025.
    #[default]
    Linear,
    /// Logarithm of the emissivity linear in that of the column density, and emissivity in that of the pressure, as
    /// JURASSIC has it since 2026.
    Logarithmic,
}
