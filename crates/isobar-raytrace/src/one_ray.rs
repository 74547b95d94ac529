//! One ray on the host: the path with everything that is known along it.

use isobar_core::{Column, FieldMut, Real};

use crate::air::Atmospheric;
use crate::atmosphere::{Atmosphere, Error, ProfileData};
use crate::geodesy::from_cartesian;
use crate::kernel::{CountPoints, TracePaths};
use crate::path::{PathSummary, Paths};
use crate::ray::Ray;
use crate::status;
use crate::trace::{LineOfSight, StepRules};

/// How rays are followed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct PathOptions {
    /// The longest step \[km\], above 0.
    pub step_length_km: f64,
    /// The largest change of height in a step \[km\]; 0 switches this limit off.
    pub step_height_km: f64,
    /// Do rays bend?
    pub refraction: bool,
    /// The most points a path may have.
    pub max_points: u32,
}

impl Default for PathOptions {
    /// JURASSIC's defaults: steps of 10 km and 0.1 km in height, with refraction.
    fn default() -> Self {
        Self { step_length_km: 10.0, step_height_km: 0.1, refraction: true, max_points: 65_536 }
    }
}

impl PathOptions {
    /// The rules for a core, with the height of the surface that ends paths.
    #[must_use]
    pub fn rules<R: Real>(&self, surface_height_km: f64) -> StepRules<R> {
        StepRules {
            length_km: R::from_f64(self.step_length_km),
            height_km: R::from_f64(self.step_height_km),
            surface_height_km: R::from_f64(surface_height_km),
            refraction: u32::from(self.refraction),
            max_points: self.max_points,
        }
    }
}

impl Ray {
    /// The ray for a core.
    #[must_use]
    pub fn line_of_sight<R: Real>(&self) -> LineOfSight<R> {
        let point = |p: crate::Position| [p.height_km, p.longitude_deg, p.latitude_deg].map(R::from_f64);
        LineOfSight { observer_km_deg: point(self.observer), view_point_km_deg: point(self.view_point) }
    }
}

/// The reason behind a bad status of the tracer, for an error message.
#[must_use]
pub fn reason(status: isobar_core::Status) -> &'static str {
    match status {
        status::OBSERVER_BELOW_GROUND => "the observer is below the ground",
        status::NO_DIRECTION => "observer and view point coincide or are not finite",
        status::TOO_MANY_POINTS => {
            "the path has too many points: the steps are too short, heights are not in km, or the ray is trapped"
        }
        isobar_core::Status::NOT_FINITE => "a radiance or the tangent point is not a finite number",
        _ => "the path could not be traced",
    }
}

/// A traced path, point by point.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Path {
    /// Number of points, tangent point and end of the path.
    pub summary: PathSummary<f64>,
    /// The points, from the observer outwards.
    pub points: Vec<PathPoint>,
}

/// One point of a [`Path`].
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PathPoint {
    /// Cartesian position \[km\].
    pub position_km: [f64; 3],
    /// Height \[km\].
    pub height_km: f64,
    /// Longitude \[deg\].
    pub longitude_deg: f64,
    /// Latitude \[deg\].
    pub latitude_deg: f64,
    /// Pressure \[hPa\].
    pub pressure_hpa: f64,
    /// Temperature \[K\].
    pub temperature_k: f64,
    /// Length of the segment \[km\].
    pub length_km: f64,
    /// Extinction in each window \[1/km\].
    pub extinction_per_km: Vec<f64>,
    /// Each gas.
    pub gases: Vec<GasAlongPath>,
}

/// A gas at a point of a path, and between the observer and that point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GasAlongPath {
    /// Volume mixing ratio \[mol/mol\].
    pub mixing_ratio: f64,
    /// Column density of the segment \[molecules/cm^2\].
    pub column_per_cm2: f64,
    /// Column density up to here \[molecules/cm^2\].
    pub cumulative_column_per_cm2: f64,
    /// Curtis-Godson mean pressure up to here \[hPa\]; NaN while there is no gas.
    pub mean_pressure_hpa: f64,
    /// Curtis-Godson mean temperature up to here \[K\]; NaN while there is no gas.
    pub mean_temperature_k: f64,
}

/// Traces one ray through an atmosphere.
///
/// # Errors
/// A profile that [`Atmosphere::validate`] refuses, or a ray that starts below the ground, has no direction or too many
/// points.
///
/// # Accuracy
/// Points to 1e-9 relative and tangent points to 1e-9 km against JURASSIC (test `golden_paths`).
pub fn trace_ray(atmosphere: &Atmosphere, ray: &Ray, options: &PathOptions) -> Result<Path, Error> {
    let profile = ProfileData::<f64>::new(atmosphere)?;
    match profile.track() {
        Some(track) => trace_through(atmosphere, track, ray, options),
        None => trace_through(atmosphere, profile.view(), ray, options),
    }
}

fn trace_through(
    atmosphere: &Atmosphere,
    profile: impl Atmospheric<f64>,
    ray: &Ray,
    options: &PathOptions,
) -> Result<Path, Error> {
    let rules = options.rules(atmosphere.surface_height_km());
    let sight = [ray.line_of_sight()];
    let mut summary = [PathSummary::default()];
    let run = |status: isobar_core::Status| {
        if status.is_ok() { Ok(()) } else { Err(Error::Ray { ray: 0, reason: reason(status) }) }
    };
    let count = CountPoints {
        profile,
        rules,
        rays: Column::from(&sight[..]),
        summaries: FieldMut::item_fastest(&mut summary, 1, 1),
    };
    run(count.count(0))?;
    let points = summary[0].points as usize;
    if points == 0 {
        return Ok(Path { summary: summary[0], points: Vec::new() });
    }

    let (gases, windows) = (atmosphere.mixing_ratio.len(), atmosphere.extinction_per_km.len());
    let mut storage: Vec<Vec<f64>> =
        [1, 1, 1, 1, 1, gases, windows, 3].iter().map(|items| vec![0.0; points * items]).collect();
    let mut fields = storage.iter_mut().map(|values| {
        let items = values.len() / points;
        if items == 0 { FieldMut::empty() } else { FieldMut::item_fastest(values, points, items) }
    });
    let mut next = || fields.next().expect("eight fields");
    let paths = Paths {
        height_km: next(),
        pressure_hpa: next(),
        temperature_k: next(),
        length_km: next(),
        air_column_per_cm2: next(),
        mixing_ratio: next(),
        extinction_per_km: next(),
        position_km: next(),
    };
    let kernel = TracePaths {
        profile,
        rules,
        rays: Column::from(&sight[..]),
        paths,
        summaries: FieldMut::item_fastest(&mut summary, 1, 1),
    };
    run(kernel.trace(0))?;

    let mut running = vec![[0.0; 3]; gases]; // column, column * pressure, column * temperature
    let points = (0..points)
        .map(|i| {
            let position = core::array::from_fn(|axis| paths.position_km.at(i, axis));
            let (_, longitude_deg, latitude_deg) = from_cartesian(nalgebra::Vector3::from(position));
            let (pressure_hpa, temperature_k) = (paths.pressure_hpa.at(i, 0), paths.temperature_k.at(i, 0));
            let air = paths.air_column_per_cm2.at(i, 0);
            let along = |gas: usize, sums: &mut [f64; 3]| {
                let mixing_ratio = paths.mixing_ratio.at(i, gas);
                let column_per_cm2 = mixing_ratio * air;
                sums[0] += column_per_cm2;
                sums[1] += column_per_cm2 * pressure_hpa;
                sums[2] += column_per_cm2 * temperature_k;
                GasAlongPath {
                    mixing_ratio,
                    column_per_cm2,
                    cumulative_column_per_cm2: sums[0],
                    mean_pressure_hpa: sums[1] / sums[0],
                    mean_temperature_k: sums[2] / sums[0],
                }
            };
            PathPoint {
                position_km: position,
                height_km: paths.height_km.at(i, 0),
                longitude_deg,
                latitude_deg,
                pressure_hpa,
                temperature_k,
                length_km: paths.length_km.at(i, 0),
                extinction_per_km: (0..windows).map(|w| paths.extinction_per_km.at(i, w)).collect(),
                gases: running.iter_mut().enumerate().map(|(gas, sums)| along(gas, sums)).collect(),
            }
        })
        .collect();
    Ok(Path { summary: summary[0], points })
}
