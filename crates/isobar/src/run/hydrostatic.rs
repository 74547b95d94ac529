//! Air at rest.

use isobar_column::constants::{GAS_CONSTANT, GRAVITY, VIRTUAL};
use isobar_core::Real;

/// Thickness of a layer of air at rest \[km\], from its temperature \[K\], its vapour \[kg/kg\] and the pressures
/// around it.
pub(super) fn thickness_km(temperature: f64, vapour: f64, below: f64, above: f64) -> f64 {
    1e-3 * GAS_CONSTANT / GRAVITY * temperature * (1.0 + VIRTUAL * vapour) * Real::ln(below / above)
}
