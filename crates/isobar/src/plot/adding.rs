//! Radiances by the adding method: at the top against the cosine of the angle, and at all levels if there are those.

use isobar_adding::clear_sky::Radiances;
use isobar_core::Real;
use isobar_core::fields::{ANGLE, LAYER};
use isobar_io::AddingInput;

use super::figure::{Error, Figure};
use super::panel::{Axis, CURVES, Curve, Panel, draw as draw_panels};
use super::spread;

/// Draws radiances at the top against the cosine of the angle, and those of all levels if there are any.
///
/// `radiances.top_radiance` has `[angle * profiles + profile]`, those of levels `[(level * angles + angle) * profiles +
/// profile]`, the top first, in the input's unit.
///
/// # Errors
/// [`Error::Draw`] if the drawing fails.
pub fn draw<R: Real>(input: &AddingInput, radiances: &Radiances<R>) -> Result<Figure, Error> {
    let mut panels = vec![top(input, &radiances.top_radiance)];
    if !radiances.upward_radiance.is_empty() {
        panels.push(levels(input, radiances));
    }
    draw_panels(&panels)
}

/// A curve a profile; of many profiles, some.
fn top<R: Real>(input: &AddingInput, radiance: &[R]) -> Panel {
    let (profiles, cosine) = (input.extents.items(), &input.options.cosine);
    let mut angles: Vec<usize> = (0..cosine.len()).collect();
    angles.sort_by(|&a, &b| cosine[a].total_cmp(&cosine[b]));
    let curve = |profile: usize| Curve {
        name: format!("profile {profile}"),
        points: angles.iter().map(|&a| (cosine[a], radiance[a * profiles + profile].value())).collect(),
    };
    Panel {
        title: "Upward at the top".into(),
        x: Axis::linear("cosine of the angle"),
        y: quantity(input),
        curves: spread(profiles, CURVES).into_iter().map(curve).collect(),
        wide: false,
    }
}

/// Two curves a profile, upward and downward, at the first angle; the top is above.
fn levels<R: Real>(input: &AddingInput, radiances: &Radiances<R>) -> Panel {
    let (profiles, angles, layers) = (input.extents.items(), input.extents.size(ANGLE), input.extents.size(LAYER));
    let curve = |direction: &str, values: &[R], profile: usize| Curve {
        name: format!("{direction}, profile {profile}"),
        points: (0..=layers)
            .map(|level| (values[level * angles * profiles + profile].value(), (layers - level) as f64))
            .collect(),
    };
    let both = |profile| {
        [curve("up", &radiances.upward_radiance, profile), curve("down", &radiances.downward_radiance, profile)]
    };
    Panel {
        title: format!("All levels, cosine {}", (input.options.cosine[0] * 1e4).round() / 1e4),
        x: quantity(input),
        y: Axis::linear("level, from the surface"),
        curves: spread(profiles, CURVES / 2).into_iter().flat_map(both).collect(),
        wide: false,
    }
}

/// Radiance with its unit.
fn quantity(input: &AddingInput) -> Axis {
    Axis::linear(format!(
        "radiance [{}]",
        input.radiance_unit.replace("-1", "⁻¹").replace("-2", "⁻²").replace("um", "µm")
    ))
}
