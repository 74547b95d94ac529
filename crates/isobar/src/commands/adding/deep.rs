//! Optical depths that single precision cannot hold in profiles that scatter.

use std::path::Path;

use isobar_core::Real;
use isobar_io::{Error, Place};

use crate::program::failure::Failure;

/// The largest optical depth of a layer among any that scatter, in single precision: the square of that along a line
/// with the cosine 0.001 is still a number.
const DEEPEST: f64 = 1e16;

/// Refuses layers that are too deep for a precision: `[layer * profiles + profile]`, layer 0 is the top.
pub(super) fn refuse<R: Real>(path: &Path, depth: &[f64], albedo: &[f64], profiles: usize) -> Result<(), Failure> {
    if R::NAME != f32::NAME || albedo.len() != depth.len() {
        return Ok(());
    }
    let profiles = profiles.max(1);
    let scatters = |profile: usize| albedo[profile..].iter().step_by(profiles).any(|&albedo| albedo > 0.0);
    let deep = depth.iter().enumerate().find(|&(place, &depth)| depth > DEEPEST && scatters(place % profiles));
    let Some((place, value)) = deep else { return Ok(()) };
    let (layer, profile) = (place / profiles, place % profiles);
    let problem = format!(
        "optical_depth at profile {profile}, layer {layer} (from the top) is {value:e}; where layers scatter \
         accepted is 0 to {DEEPEST:e} in f32, and to 1e30 with --precision f64"
    );
    Err(Error::Invalid { place: Place::File(path.to_owned()), problem }.into())
}
