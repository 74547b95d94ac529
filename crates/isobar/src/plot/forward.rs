//! Radiances: against wavenumber, and for a limb scan against tangent height.

use isobar_io::{Control, Observation};

use super::figure::{Error, Figure};
use super::panel::{Axis, CURVES, Curve, Panel, draw as draw_panels};
use super::spread;

/// A scan of fewer rays shows no profile.
const PROFILE_RAYS: usize = 4;

/// Draws radiances against wavenumber, a curve a ray, and for a limb scan against tangent height, a curve a channel.
///
/// `observation.radiance` has `[ray * channels + channel]` in W/(m^2 sr cm^-1), or brightness temperatures \[K\] if the
/// control file asks for them; `observation.tangent_points` has a point a ray.
///
/// # Errors
/// [`Error::Draw`] if the drawing fails.
pub fn draw(observation: &Observation, control: &Control) -> Result<Figure, Error> {
    let mut panels = vec![spectra(observation, control)];
    if is_scan(observation) {
        panels.push(profiles(observation, control));
    }
    draw_panels(&panels)
}

/// Do the rays look at different heights?
fn is_scan(observation: &Observation) -> bool {
    let heights = observation.rays.iter().map(|ray| ray.view_point.height_km);
    let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), z| (low.min(z), high.max(z)));
    observation.rays.len() >= PROFILE_RAYS && high > low
}

/// Radiance or brightness temperature, with its unit.
fn quantity(control: &Control, values: &[f64]) -> Axis {
    if control.brightness_temperature {
        return Axis::linear("brightness temperature [K]");
    }
    let positive = values.iter().filter(|value| **value > 0.0);
    let (low, high) = positive.fold((f64::INFINITY, 0.0_f64), |(low, high), &x| (low.min(x), high.max(x)));
    Axis { name: "radiance [W/(m² sr cm⁻¹)]".into(), logarithmic: high > 100.0 * low }
}

/// A curve a ray; of many rays, some.
fn spectra(observation: &Observation, control: &Control) -> Panel {
    let nu = &control.wavenumbers_per_cm;
    let mut channels: Vec<usize> = (0..nu.len()).collect();
    channels.sort_by(|&a, &b| nu[a].total_cmp(&nu[b]));
    let scan = is_scan(observation);
    let curve = |ray: usize| Curve {
        name: match scan {
            true => format!("{:.1} km", observation.tangent_points[ray].height_km),
            false => format!("ray {ray}"),
        },
        points: channels.iter().map(|&c| (nu[c], observation.radiance[ray * nu.len() + c])).collect(),
    };
    Panel {
        title: if scan { "Spectra by tangent height".into() } else { "Spectra by ray".into() },
        x: Axis::linear("wavenumber [cm⁻¹]"),
        y: quantity(control, &observation.radiance),
        curves: spread(observation.rays.len(), CURVES).into_iter().map(curve).collect(),
        wide: true,
    }
}

/// A curve a channel; of many channels, some.
fn profiles(observation: &Observation, control: &Control) -> Panel {
    let nu = &control.wavenumbers_per_cm;
    let curve = |channel: usize| Curve {
        name: format!("{} cm⁻¹", nu[channel]),
        points: (0..observation.rays.len())
            .map(|ray| (observation.radiance[ray * nu.len() + channel], observation.tangent_points[ray].height_km))
            .collect(),
    };
    Panel {
        title: "Profiles by channel".into(),
        x: quantity(control, &observation.radiance),
        y: Axis::linear("tangent height [km]"),
        curves: spread(nu.len(), CURVES).into_iter().map(curve).collect(),
        wide: false,
    }
}
