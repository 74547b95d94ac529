//! What the layouts of k-distributions that are sums of gases call their variables, and what both of them mean.

use std::ops::Bound;

use crate::netcdf::Accepted;

/// What a layout calls its variables and dimensions.
#[derive(Debug)]
pub(super) struct Names {
    /// The layout.
    pub(super) kind: &'static str,
    /// The global attribute with the gases in order.
    pub(super) gases: &'static str,
    /// What follows a gas's name.
    pub(super) absorption: &'static str,
    pub(super) dependence: &'static str,
    /// Lower and upper limits.
    pub(super) bands: [&'static str; 2],
    pub(super) band_of_point: &'static str,
    /// A dimension.
    pub(super) interval: &'static str,
    pub(super) intervals: [&'static str; 2],
    pub(super) fraction: &'static str,
    pub(super) interval_solar: &'static str,
    /// A variable and its dimension.
    pub(super) planck_temperature: &'static str,
    pub(super) planck: &'static str,
    pub(super) solar: &'static str,
    pub(super) rayleigh: &'static str,
}

/// What follows a gas's name in both layouts.
pub(super) const MOLE_FRACTION: &str = "_mole_fraction";
pub(super) const REFERENCE: &str = "_reference_mole_fraction";

/// Absorption and Rayleigh scattering of a mole \[m^2\]: what is larger by far than a molecule in any line (1.7e-11
/// cm^2), and than Rayleigh scattering in the far ultraviolet, is no coefficient.
pub(super) const ABSORPTION: Accepted = Accepted { low: Bound::Included(0.0), high: Bound::Included(1e9) };
pub(super) const RAYLEIGH: Accepted = Accepted { low: Bound::Included(0.0), high: Bound::Included(1.0) };

/// Meanings of the codes of dependence.
pub(super) const CODES: [(i32, &str); 4] = [(0, "none"), (1, "linear"), (2, "look_up"), (3, "relative_linear")];

/// Mole fractions that tables are made for.
pub(super) const POSITIVE_FRACTION: Accepted = Accepted { low: Bound::Excluded(0.0), high: Bound::Included(1.0) };
