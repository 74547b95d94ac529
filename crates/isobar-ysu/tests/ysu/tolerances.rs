//! How far results may be from the reference, and why. Relative to the value, or to the largest value of the column.

/// Heights, w*, diffusivities in f64: some fifty operations of 1.1e-16 each, which interpolation by small differences
/// of Richardson numbers amplifies some hundred times.
pub(crate) const DIFFUSIVITY: f64 = 1e-12;

/// Tendencies in f64, of the column's largest: the reference subtracts profiles that differ by as little as 1e-6 of
/// their value.
pub(crate) const TENDENCY: f64 = 1e-9;

/// Budgets in f64, of the sum of what the layers take: 200 roundings of 1.1e-16.
pub(crate) const BUDGET: f64 = 3e-14;

/// The same in f32, with 6e-8.
pub(crate) const BUDGET_SINGLE: f64 = 2e-5;

/// Heights and diffusivities in f64 against the suite of WRF, MPAS and the CCPP, which has columns of all kinds: with
/// and without fused products its own code differs by up to 3e-14, and small differences of Richardson numbers amplify
/// a rounding some hundred times.
pub(crate) const SUITE_DIFFUSIVITY: f64 = 1e-11;
