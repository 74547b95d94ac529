//! Ray paths, and the atmosphere that bends them.

use isobar_core::Real;
use isobar_raytrace::constants::EARTH_RADIUS_KM;
use isobar_raytrace::{Atmosphere, Path};

use super::figure::{Error, Figure};
use super::panel::{Axis, CURVES, Curve, Panel, draw};
use super::spread;

/// The paths to be drawn, gathered as they are traced.
pub struct Drawing {
    chosen: Vec<usize>,
    curves: Vec<Curve>,
}

impl Drawing {
    /// Chooses some of `rays` rays.
    #[must_use]
    pub fn of(rays: usize) -> Self {
        Self { chosen: spread(rays, CURVES), curves: Vec::new() }
    }

    /// Keeps a path, if it was chosen.
    pub fn add(&mut self, ray: usize, path: &Path) {
        if self.chosen.contains(&ray) && !path.points.is_empty() {
            self.curves.push(Curve { name: format!("ray {ray}"), points: height_over_distance(path) });
        }
    }

    /// Draws paths, temperature and pressure, from left to right.
    ///
    /// # Errors
    /// [`Error::Draw`] if the drawing fails.
    pub fn svg(self, atmosphere: &Atmosphere) -> Result<Figure, Error> {
        let profile = |title: &str, name: &str, values: &[f64], logarithmic| Panel {
            title: title.into(),
            x: Axis { name: name.into(), logarithmic },
            y: Axis::linear("height [km]"),
            curves: vec![Curve {
                name: String::new(),
                points: values.iter().copied().zip(atmosphere.height_km.iter().copied()).collect(),
            }],
            wide: false,
        };
        draw(&[
            Panel {
                title: "Paths".into(),
                x: Axis::linear("distance along the ground from the lowest point [km]"),
                y: Axis::linear("height [km]"),
                curves: self.curves,
                wide: true,
            },
            profile("Temperature", "temperature [K]", &atmosphere.temperature_k, false),
            profile("Pressure", "pressure [hPa]", &atmosphere.pressure_hpa, true),
        ])
    }
}

/// Height against the distance from the path's lowest point, negative towards the observer.
fn height_over_distance(path: &Path) -> Vec<(f64, f64)> {
    let by_height = |a: &usize, b: &usize| path.points[*a].height_km.total_cmp(&path.points[*b].height_km);
    let lowest = (0..path.points.len()).min_by(by_height).unwrap_or(0);
    let up = |i: usize| {
        let p = path.points[i].position_km;
        let length = Real::sqrt(p.iter().map(|x| x * x).sum::<f64>());
        p.map(|x| x / length)
    };
    let bottom = up(lowest);
    let distance = |i: usize| {
        let here = up(i);
        // The chord's half is the sine of half the angle: exact for small angles too.
        let chord = Real::sqrt((0..3).map(|k| (here[k] - bottom[k]) * (here[k] - bottom[k])).sum::<f64>());
        let angle = 2.0 * Real::asin((0.5 * chord).min(1.0));
        if i < lowest { -angle * EARTH_RADIUS_KM } else { angle * EARTH_RADIUS_KM }
    };
    (0..path.points.len()).map(|i| (distance(i), path.points[i].height_km)).collect()
}
