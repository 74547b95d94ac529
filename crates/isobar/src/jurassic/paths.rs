//! What is said of paths after a Jacobian or a retrieval, which count nothing along them.

use isobar_ega::launch::{InfraredError, InfraredModel};
use isobar_raytrace::{Atmosphere, Ray};
use isobar_retrieval::Estimate;

use super::above_warning;

/// What is said of the rays through an atmosphere: paths outside the emissivity tables, temperatures outside the table
/// of source functions, channels that end early, rays that see nothing.
///
/// # Errors
/// As [`InfraredModel::remarks`].
pub fn path_warnings(
    model: &InfraredModel<f64>,
    atmosphere: &Atmosphere,
    rays: &[Ray],
) -> Result<Vec<String>, InfraredError> {
    let mut warnings = model.remarks(atmosphere, rays)?;
    let outside = model.setup().outside_sources(atmosphere);
    warnings.extend(outside.map(|line| format!("{line}; extrapolated")));
    warnings.extend(above_warning(atmosphere, rays));
    Ok(warnings)
}

/// What [`path_warnings`] says of a retrieval: of the atmosphere that was found, or else of the one that was known
/// before.
///
/// # Errors
/// As [`path_warnings`].
pub fn estimate_warnings(model: &InfraredModel<f64>, estimate: &Estimate) -> Result<Vec<String>, InfraredError> {
    let rays = &estimate.observation.rays;
    let found = path_warnings(model, &estimate.atmosphere, rays)?;
    if !found.is_empty() {
        return Ok(found);
    }
    let before = estimate.state.put(&estimate.atmosphere, estimate.prior.values.as_slice());
    let lines = path_warnings(model, &before, rays)?;
    Ok(lines.into_iter().map(|line| format!("at the a priori state, {line}")).collect())
}
