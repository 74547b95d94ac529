//! `limb`, `nadir`, `zenith` and `occultation`: rays without measurements, as an observation.

use clap::Args;
use isobar_core::Real;
use isobar_io::{FilesInUse, Observation};
use isobar_raytrace::constants::EARTH_RADIUS_KM;
use isobar_raytrace::{Position, Ray, geodesy};

use super::numbers::{positive, steps};
use super::profile_file::ProfileFile;
use crate::inputs::case::ControlFile;
use crate::program::failure::Failure;

/// What the makers of rays have in common.
#[derive(Args, Debug)]
struct Scan {
    #[command(flatten)]
    control: ControlFile,
    #[command(flatten)]
    output: ProfileFile,
    /// Time [s since 2000-01-01T00:00Z]
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    time: f64,
}

/// From where to which tangent heights rays go.
#[derive(Args, Debug)]
struct TangentHeights {
    /// Height of the observer [km]
    #[arg(long, default_value_t = 780.0)]
    obsz: f64,
    /// Lowest tangent height of a straight ray [km]
    #[arg(long, default_value_t = 3.0, allow_negative_numbers = true)]
    z0: f64,
    /// Highest tangent height [km]
    #[arg(long, default_value_t = 68.0)]
    z1: f64,
    /// From one to the next [km]
    #[arg(long, default_value_t = 1.0)]
    dz: f64,
}

impl TangentHeights {
    fn all(&self) -> Result<Vec<f64>, Failure> {
        let Self { obsz, z0, z1, dz } = self;
        let heights = steps("tangent heights", *z0, *z1, *dz)?;
        if obsz.is_finite() && obsz > z1 {
            return Ok(heights);
        }
        Err(Failure::usage(format!("--obsz {obsz} km lies outside (z1, inf) = ({z1}, inf)")))
    }
}

/// The options of `limb`.
#[derive(Args, Debug)]
pub(crate) struct Limb {
    #[command(flatten)]
    scan: Scan,
    #[command(flatten)]
    heights: TangentHeights,
}

/// The options of `nadir`.
#[derive(Args, Debug)]
pub(crate) struct Nadir {
    #[command(flatten)]
    scan: Scan,
    /// Height of the observer [km]
    #[arg(long, default_value_t = 700.0)]
    obsz: f64,
    /// First latitude on the ground [deg]; the observer is at 0
    #[arg(long, default_value_t = -8.01, allow_negative_numbers = true)]
    lat0: f64,
    /// Last latitude [deg]
    #[arg(long, default_value_t = 8.01, allow_negative_numbers = true)]
    lat1: f64,
    /// From one to the next [deg]
    #[arg(long, default_value_t = 0.18)]
    dlat: f64,
}

/// The options of `zenith`.
#[derive(Args, Debug)]
pub(crate) struct Zenith {
    #[command(flatten)]
    scan: Scan,
    /// Height of the observer [km]
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    obsz: f64,
    /// Height of the view point [km], below the top of the atmosphere: isobar forward sees nothing on the way to one
    /// above it
    #[arg(long, default_value_t = 60.0)]
    vpz: f64,
    /// First zenith angle [deg], negative to the south
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    theta0: f64,
    /// Last zenith angle [deg]
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    theta1: f64,
    /// From one to the next [deg]
    #[arg(long, default_value_t = 1.0)]
    dtheta: f64,
}

/// The options of `occultation`.
#[derive(Args, Debug)]
pub(crate) struct Occultation {
    #[command(flatten)]
    scan: Scan,
    #[command(flatten)]
    heights: TangentHeights,
    /// Longitude of the observer [deg]
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    obslon: f64,
    /// Latitude of the observer [deg]
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    obslat: f64,
    /// Direction to the Sun, the star or the transmitter, from north through east [deg]
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    azimuth: f64,
    /// Time from one to the next [s]
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    dt: f64,
}

/// Writes rays without measurements: the view point stands for the tangent point.
fn write_rays(scan: &Scan, rays: Vec<(Position, Position)>) -> Result<(), Failure> {
    write_rays_later(scan, rays, 0.0)
}

/// Writes rays without measurements, `step_s` from one to the next.
fn write_rays_later(scan: &Scan, rays: Vec<(Position, Position)>, step_s: f64) -> Result<(), Failure> {
    let mut files = FilesInUse::default();
    files.writes("the output", &scan.output.out)?;
    let control = scan.control.read(&mut files)?;
    let values = rays.len() * control.wavenumbers_per_cm.len();
    let ray = |(i, &(observer, view_point)): (usize, &(Position, Position))| {
        let time_s = scan.time + step_s * i as f64;
        Ray { time_s, observer, view_point }
    };
    let made: Vec<Ray> = rays.iter().enumerate().map(ray).collect();
    if let Some(ray) = made.iter().find(|ray| !ray.time_s.is_finite()) {
        return Err(Failure::usage(format!("--time {} s lies outside (-inf, inf)", ray.time_s)));
    }
    let observation = Observation {
        rays: made,
        tangent_points: rays.iter().map(|&(_, view_point)| view_point).collect(),
        radiance: vec![0.0; values],
        transmittance: vec![0.0; values],
    };
    scan.output.write_observations(&control, &[observation])
}

fn at(height_km: f64, latitude_deg: f64) -> Position {
    Position { height_km, longitude_deg: 0.0, latitude_deg }
}

/// A straight ray touches the sphere of the tangent height where the angle at the Earth's centre is
/// `acos((R + z) / (R + z_observer))`.
pub(super) fn limb(options: &Limb) -> Result<(), Failure> {
    let Limb { scan, heights } = options;
    let (obsz, heights) = (&heights.obsz, heights.all()?);
    let ray = |&z: &f64| {
        let angle: f64 = Real::acos((EARTH_RADIUS_KM + z) / (EARTH_RADIUS_KM + obsz));
        (at(*obsz, 0.0), at(z, angle.to_degrees()))
    };
    write_rays(scan, heights.iter().map(ray).collect())
}

pub(super) fn nadir(options: &Nadir) -> Result<(), Failure> {
    let Nadir { scan, obsz, lat0, lat1, dlat } = options;
    positive(&[("--obsz", *obsz, "km")])?;
    let latitudes = steps("latitudes", *lat0, *lat1, *dlat)?;
    if let Some(latitude) = latitudes.iter().find(|latitude| latitude.abs() > 90.0) {
        return Err(Failure::usage(format!("latitude {latitude} deg lies outside [-90, 90]")));
    }
    let horizon = Real::acos(EARTH_RADIUS_KM / (EARTH_RADIUS_KM + obsz)).to_degrees();
    if let Some(latitude) = latitudes.iter().find(|latitude| latitude.abs() > horizon) {
        let problem = format!("an observer at {obsz} km over the equator sees the ground of [-{horizon}, {horizon}]");
        return Err(Failure::usage(format!("latitude {latitude} deg lies beyond the horizon: {problem}")));
    }
    let ray = |&latitude: &f64| (at(*obsz, 0.0), at(0.0, latitude));
    write_rays(scan, latitudes.iter().map(ray).collect())
}

/// In the triangle of the Earth's centre, observer and view point the sines of the angles are as the sides: the zenith
/// angle `t` is `asin((R + z_observer) sin(t) / (R + z_view))` at the view point.
pub(super) fn zenith(options: &Zenith) -> Result<(), Failure> {
    let Zenith { scan, obsz, vpz, theta0, theta1, dtheta } = options;
    if !(obsz.is_finite() && vpz.is_finite() && vpz > obsz) {
        return Err(Failure::usage(format!("--vpz {vpz} km lies outside (obsz, inf) = ({obsz}, inf)")));
    }
    let angles = steps("zenith angles", *theta0, *theta1, *dtheta)?;
    if let Some(angle) = angles.iter().find(|angle| angle.abs() > 90.0) {
        return Err(Failure::usage(format!("zenith angle {angle} deg lies outside [-90, 90]")));
    }
    let ray = |&angle: &f64| {
        let sine = Real::sin(angle.to_radians()) * (EARTH_RADIUS_KM + obsz) / (EARTH_RADIUS_KM + vpz);
        (at(*obsz, 0.0), at(*vpz, angle - Real::asin(sine).to_degrees()))
    };
    write_rays(scan, angles.iter().map(ray).collect())
}

/// As [`limb`], where the tangent points lie on the great circle from the observer in the direction of the azimuth.
pub(super) fn occultation(options: &Occultation) -> Result<(), Failure> {
    let Occultation { scan, heights, obslon, obslat, azimuth, dt } = options;
    let (obsz, heights) = (&heights.obsz, heights.all()?);
    if !(-90.0..=90.0).contains(obslat) {
        return Err(Failure::usage(format!("--obslat {obslat} deg lies outside [-90, 90]")));
    }
    if let Some(wrong) = [obslon, azimuth, dt].into_iter().find(|number| !number.is_finite()) {
        return Err(Failure::usage(format!("{wrong} is no longitude, azimuth or time")));
    }
    let observer = Position { height_km: *obsz, longitude_deg: *obslon, latitude_deg: *obslat };
    let up = geodesy::unit(geodesy::to_cartesian(0.0, *obslon, *obslat));
    let east = geodesy::unit(geodesy::to_cartesian(0.0, obslon + 90.0, 0.0));
    let north = up.cross(&east);
    let angle = azimuth.to_radians();
    let ahead = north * Real::cos(angle) + east * Real::sin(angle);
    let ray = |&z: &f64| {
        let cosine = (EARTH_RADIUS_KM + z) / (EARTH_RADIUS_KM + obsz);
        let tangent = up * cosine + ahead * (1.0 - cosine * cosine).sqrt();
        let (_, longitude_deg, latitude_deg) = geodesy::from_cartesian(tangent * (EARTH_RADIUS_KM + z));
        (observer, Position { height_km: z, longitude_deg, latitude_deg })
    };
    write_rays_later(scan, heights.iter().map(ray).collect(), *dt)
}
