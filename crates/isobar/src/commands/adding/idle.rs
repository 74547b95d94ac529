//! Options without effect on profiles that are seen from any direction.

use isobar_adding::azimuth::{Options, Surface};
use isobar_io::DirectionsInput;

use super::Adding;
use crate::commands::radiation::no_effect;
use crate::program::remarks::warn;

const WITHOUT_SUN: &str = "without a Sun no light depends on azimuth";

/// Warns of those that were given.
pub(super) fn warn_of(command: &Adding, input: &DirectionsInput, options: &Options) {
    let without_sun = input.profiles.sun_cosine.is_empty().then_some(WITHOUT_SUN);
    let all_needed = (options.surface != Surface::Lambertian)
        .then_some("what components may be left out is known of a Lambertian ground alone");
    let uncorrected = if !options.delta_scaling {
        Some("without delta scaling nothing is corrected")
    } else if without_sun.is_some() {
        Some("corrections are those of a Sun's light, and there is none")
    } else {
        input.mean.then_some("means over the azimuth are not corrected")
    };
    no_effect::warn_of([
        ("--components", command.components.is_some(), without_sun),
        ("--accuracy", command.accuracy.is_some(), without_sun.or(all_needed)),
        ("--no-corrections", command.no_corrections, uncorrected),
    ]);
    let streams = 2 * options.nodes;
    if let Some(components) = command.components.filter(|&components| components > streams && without_sun.is_none()) {
        warn(format!("--components {components} has no effect: {streams} streams have {streams} components at most"));
    }
}
