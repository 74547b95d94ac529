//! What numbers of the air and of species may be, and in which units files have them.

use std::ops::Bound;

use crate::netcdf::Accepted;

/// Above what air has anywhere \[molecule/cm^3\]: a hundred times that at the ground.
pub(super) const DENSEST: f64 = 1e21;
pub(super) const DENSITIES: Accepted = Accepted { low: Bound::Excluded(0.0), high: Bound::Included(DENSEST) };
/// What integrators leave below 0 within their tolerance comes back from our own output.
pub(super) const AMOUNTS: Accepted = Accepted { low: Bound::Included(-DENSEST), high: Bound::Included(DENSEST) };
pub(super) const MOLE_FRACTION: &str = "mol mol-1";
pub(super) const FRACTIONS: Accepted = Accepted { low: Bound::Included(-1.0), high: Bound::Included(1.0) };
pub(super) const NUMBER_DENSITY: [(&str, Accepted); 3] =
    [("molecule cm-3", DENSITIES), ("cm-3", DENSITIES), ("1", DENSITIES)];
/// The range of the other schemes.
pub(super) const TEMPERATURE: [(&str, Accepted); 1] =
    [("K", Accepted { low: Bound::Included(100.0), high: Bound::Included(400.0) })];
/// Up to ten times that at the ground.
pub(super) const PRESSURE: [(&str, Accepted); 1] =
    [("Pa", Accepted { low: Bound::Excluded(0.0), high: Bound::Included(1e6) })];

/// Names that mechanisms have for the number density, in lower case.
pub(super) const DENSITY_NAMES: [&str; 4] = ["number_density", "numden", "c_m", "cair"];
