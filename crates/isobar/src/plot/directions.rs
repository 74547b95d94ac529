//! Light at the top against the angle of the view, by azimuth, and fluxes at all levels.

use isobar_adding::azimuth::{AZIMUTH, Radiances, SUN, VIEW};
use isobar_core::Real;
use isobar_core::fields::{Extents, LAYER};
use isobar_io::DirectionsInput;

use super::figure::{Error, Figure};
use super::panel::{Axis, CURVES, Curve, Panel, draw as draw_panels};
use super::spread;

/// Draws the light upward at the top, `reflectance` if there is one, against the zenith angle of the view, and the
/// fluxes of the first profile at all levels, both under the first Sun.
///
/// Views in opposite azimuths make one curve: those of more than 90 degrees, against the light, at negative angles.
///
/// # Errors
/// [`Error::Draw`] if the drawing fails.
pub fn draw<R: Real>(
    input: &DirectionsInput,
    extents: &Extents,
    radiances: &Radiances<R>,
    reflectance: Option<&[R]>,
) -> Result<Figure, Error> {
    let unit = |unit: &str| unit.replace("-1", "⁻¹").replace("-2", "⁻²").replace("um", "µm");
    let (values, quantity) = match reflectance {
        Some(values) => (values, "reflectance".to_owned()),
        None => (&radiances.top_radiance[..], format!("radiance [{}]", unit(input.radiance_unit))),
    };
    let mut panels = vec![top(input, extents, values, quantity)];
    panels.push(fluxes(input, extents, radiances, format!("flux [{}]", unit(input.irradiance_unit))));
    draw_panels(&panels)
}

/// A curve for each plane of azimuths and profile; of many profiles, some.
fn top<R: Real>(input: &DirectionsInput, extents: &Extents, values: &[R], quantity: String) -> Panel {
    let planes = planes(input, extents.size(AZIMUTH));
    let profiles = spread(input.count, (CURVES / planes.len()).max(1));
    let mut curves = Vec::new();
    for &profile in &profiles {
        for plane in planes.iter().take(CURVES) {
            let mut points = Vec::new();
            for (azimuth, sign) in &plane.azimuths {
                points.extend((0..extents.size(VIEW)).map(|view| {
                    let row = view * extents.size(AZIMUTH) + azimuth;
                    let index = if input.views.by_profile { view * input.count + profile } else { view };
                    (sign * input.views.degrees[index], values[row * input.count + profile].value())
                }));
            }
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            points.dedup_by(|a, b| a.0 == b.0);
            let of_profile = if input.count > 1 { format!("profile {profile}") } else { String::new() };
            let parts: Vec<&str> = [&plane.name[..], &of_profile].into_iter().filter(|part| !part.is_empty()).collect();
            curves.push(Curve { name: parts.join(", "), points });
        }
    }
    Panel {
        title: "Upward at the top".into(),
        x: Axis::linear("zenith angle of the view [°], forward positive"),
        y: Axis::linear(quantity),
        curves,
        wide: false,
    }
}

/// Azimuths of one vertical plane, each with the sign of its angles.
struct Plane {
    name: String,
    azimuths: Vec<(usize, f64)>,
}

fn planes(input: &DirectionsInput, count: usize) -> Vec<Plane> {
    let degrees = &input.azimuths.degrees;
    if degrees.is_empty() || input.azimuths.by_profile {
        return (0..count).map(|azimuth| Plane { name: String::new(), azimuths: vec![(azimuth, 1.0)] }).collect();
    }
    // Light is the same on both sides of the Sun's plane: 0 to 180.
    let folded: Vec<f64> = degrees.iter().map(|angle| 180.0 - (angle.rem_euclid(360.0) - 180.0).abs()).collect();
    let sign = |azimuth: usize| if folded[azimuth] <= 90.0 { 1.0 } else { -1.0 };
    let mut left: Vec<usize> = (0..count).collect();
    let mut planes = Vec::new();
    while !left.is_empty() {
        let first = left.remove(0);
        let opposite = left.iter().position(|&other| (folded[first] + folded[other] - 180.0).abs() < 1e-6);
        let mut azimuths = vec![(first, sign(first))];
        let mut name = format!("azimuth {}°", degrees[first]);
        if let Some(other) = opposite.map(|position| left.remove(position)) {
            azimuths.push((other, -sign(first)));
            name = format!("azimuths {}° and {}°", degrees[first], degrees[other]);
        }
        planes.push(Plane { name, azimuths });
    }
    planes
}

/// The fluxes of the first profile; the top is above.
fn fluxes<R: Real>(input: &DirectionsInput, extents: &Extents, radiances: &Radiances<R>, quantity: String) -> Panel {
    let layers = extents.size(LAYER);
    let row = extents.size(SUN) * input.count;
    let all = [
        ("up", &radiances.upward_flux),
        ("down, diffuse", &radiances.downward_flux),
        ("down, direct", &radiances.direct_flux),
    ];
    let curve = |(name, values): (&str, &Vec<R>)| Curve {
        name: name.to_owned(),
        points: (0..=layers).map(|level| (values[level * row].value(), (layers - level) as f64)).collect(),
    };
    Panel {
        title: if input.count > 1 { "Fluxes of profile 0".into() } else { "Fluxes".into() },
        x: Axis::linear(quantity),
        y: Axis::linear("level, from the surface"),
        curves: all.into_iter().map(curve).collect(),
        wide: false,
    }
}
