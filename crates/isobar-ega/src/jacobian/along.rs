//! What all channels of a ray share: its path, and how every point of it follows the state.

use isobar_core::{Dual, Status};
use isobar_raytrace::Ray;
use isobar_raytrace::geodesy::from_cartesian;
use isobar_raytrace::path::{Point, air_column_per_cm2, segment_length_km};
use isobar_raytrace::sensitivity::{Geometry, PathSensitivity};
use isobar_raytrace::trace::{cos_incidence, trace};

use super::Model;
use crate::sun;

/// A ray with its path.
pub(super) struct Along {
    pub(super) points: Vec<Point<f64>>,
    pub(super) hits_ground: bool,
    pub(super) last_temperature_k: f64,
    /// Length of each segment \[km\].
    pub(super) length_km: Vec<f64>,
    /// Air of each segment \[molecules/cm^2\], by pressure, temperature and length.
    pub(super) air: Vec<Dual<f64, 3>>,
    /// The level below each point.
    pub(super) level: Vec<usize>,
    /// What the levels below and above count.
    pub(super) weights: Vec<[f64; 2]>,
    /// Mixing ratios, `gas * points + point`.
    pub(super) mixing_ratio: Linear,
    /// Extinctions \[1/km\], `window * points + point`.
    pub(super) extinction: Linear,
    /// The Sun's share, by the position of the last point.
    pub(super) sun: Dual<f64, 3>,
    pub(super) sensitivity: PathSensitivity,
}

/// What is linear in height: values and slopes \[1/km\].
#[derive(Default)]
pub(super) struct Linear {
    pub(super) value: Vec<f64>,
    pub(super) slope: Vec<f64>,
}

impl Along {
    /// Traces a ray. Nothing is left of a bad one but its status.
    #[inline(always)]
    pub(super) fn trace(model: &Model<'_>, ray: &Ray, geometry: Geometry) -> Result<Self, Status> {
        let profile = model.profile.view();
        let (gases, windows) = (profile.gases(), profile.windows());
        let sight = ray.line_of_sight::<f64>();
        let (mut points, mut levels, mut steps) = (Vec::new(), Vec::new(), Vec::new());
        let (summary, status) = trace(
            &profile,
            &model.rules,
            &sight,
            |_, point, level| {
                points.push(*point);
                levels.push(*level);
            },
            |index, step| steps.push((index, step)),
        );
        if !status.is_ok() {
            return Err(status);
        }
        for (index, step_km) in steps {
            points[index].step_km = step_km;
        }
        let mut arriving = 0.0;
        let lengths = points.iter().map(|point: &Point<f64>| {
            let length = segment_length_km(arriving, point.step_km);
            arriving = point.step_km;
            length
        });
        let length_km: Vec<f64> = lengths.collect();
        let air = points.iter().zip(&length_km).map(|(point, &length)| {
            air_column_per_cm2(
                Dual::variable(point.pressure_hpa, 0),
                Dual::variable(point.temperature_k, 1),
                Dual::variable(length, 2),
            )
        });
        let linear = |items: usize, value: &dyn Fn(usize, usize) -> f64, at: &dyn Fn(usize, usize) -> f64| {
            let mut linear = Linear::default();
            for item in 0..items {
                for (point, level) in levels.iter().enumerate() {
                    let (low, high) = (at(level.interval, item), at(level.interval + 1, item));
                    linear.value.push(value(point, item));
                    linear.slope.push((high - low) / level.thickness_km());
                }
            }
            linear
        };
        let (q, k) = (&profile.mixing_ratio, &profile.extinction_per_km);
        let mixing_ratio =
            linear(gases, &|i, gas| profile.mixing_ratio(&levels[i], gas), &|level, gas| q.at(level, gas));
        let extinction =
            linear(windows, &|i, window| profile.extinction_per_km(&levels[i], window), &|level, w| k.at(level, w));
        let sensitivity = match points.len() {
            0 => PathSensitivity::default(),
            _ => {
                let (rules, hits_ground) = (&model.rules, summary.hits_ground != 0);
                PathSensitivity::along(&model.profile, rules, &sight, &points, hits_ground, geometry)
            }
        };
        Ok(Self {
            hits_ground: summary.hits_ground != 0,
            last_temperature_k: summary.last_temperature_k,
            air: air.collect(),
            level: levels.iter().map(|level| level.interval).collect(),
            weights: levels.iter().map(|level| level.weights()).collect(),
            mixing_ratio,
            extinction,
            sun: sun_share(model, ray, &points),
            sensitivity,
            length_km,
            points,
        })
    }
}

/// The Sun's share by the position of the last point.
fn sun_share(model: &Model<'_>, ray: &Ray, points: &[Point<f64>]) -> Dual<f64, 3> {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return Dual::default() };
    if model.ground.kind < 3 {
        return Dual::default();
    }
    let mut x = last.position_km.map(Dual::<f64, 3>::constant);
    (0..3).for_each(|axis| x[axis].derivative[axis] = 1.0);
    let (_, longitude, latitude) = from_cartesian(x);
    let zenith = Dual::constant(model.solar_zenith_deg.unwrap_or(-1.0));
    let cosine = cos_incidence(first.position_km.map(Dual::constant), x);
    sun::share(zenith, Dual::constant(ray.time_s), (longitude, latitude), cosine)
}
