//! Small tools with JURASSIC's names.

mod climatology;
mod filter;
mod grid;
mod matrix;
mod validate;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use isobar_core::{Real, bracket, interpolate};
use isobar_ega::planck;
use isobar_io::{
    AtomicFile, Control, FilesInUse, Observation, ProfileFormat, date_of_seconds, read_atmosphere,
    read_atmospheres_netcdf, read_measurement, read_observations_netcdf, seconds_of_date, write_atmosphere,
    write_atmosphere_binary, write_atmospheres_netcdf, write_observation, write_observation_binary,
    write_observations_netcdf,
};
use isobar_raytrace::air::{Air, Atmospheric};
use isobar_raytrace::constants::EARTH_RADIUS_KM;
use isobar_raytrace::{Atmosphere, Horizontal, Position, ProfileData, Ray, geodesy};

use super::Failure;
use crate::case::ControlFile;

/// A tool.
#[derive(Subcommand, Debug)]
pub(crate) enum Jurassic {
    /// Atmospheres into another format: text, binary, or NetCDF of many profiles
    Atmfmt(Convert),
    /// Observations into another format: text, binary, or NetCDF of many profiles
    Obsfmt(Convert),
    /// Matrices into another format: text, binary, or NetCDF of many
    Matfmt(matrix::Matfmt),
    /// An atmosphere at the heights of another one
    Interpolate(Interpolate),
    /// Profiles of a weather model (WRF, ERA5) at places, below rays, or of all columns, as a track
    AtmosphereFrom(grid::AtmosphereFrom),
    /// The US Standard Atmosphere with water vapour, ozone and carbon dioxide
    Climatology(climatology::Climatology),
    /// An atmosphere whose pressure is made hydrostatic around the height HYDZ
    Hydrostatic(climatology::Hydrostatic),
    /// Rays of a limb scan, as an observation
    Limb(Limb),
    /// Rays of a scan across the nadir, as an observation
    Nadir(Nadir),
    /// Rays upwards from the ground, as an observation
    Zenith(Zenith),
    /// Rays from one place in one direction through tangent heights, as an observation: an occultation
    Occultation(Occultation),
    /// Radiances against reference spectra, as JURASSIC's own validation against RFM
    Validate(validate::Validate),
    /// The filter function of a channel
    Filter(filter::Filter),
    /// An observation as a table of spectra, a row a ray and channel
    Obs2spec(filter::ToSpectra),
    /// The radiance of a black body
    Planck(Planck),
    /// The temperature of a black body with a radiance
    Brightness(Brightness),
    /// The seconds since 2000-01-01T00:00Z of a date such as 2020-01-31T06:00:00
    Time2jsec {
        /// The date
        date: String,
    },
    /// The date of seconds since 2000-01-01T00:00Z
    Jsec2time {
        /// The seconds
        #[arg(allow_negative_numbers = true)]
        seconds: f64,
    },
}

/// The options of `atmfmt` and `obsfmt`.
#[derive(Args, Debug)]
pub(crate) struct Convert {
    #[command(flatten)]
    control: ControlFile,
    /// A file to read, text, binary or NetCDF; several become profiles, in this order
    #[arg(long = "in", value_name = "FILE", required = true)]
    inputs: Vec<PathBuf>,
    /// The file to write: NetCDF if its name ends in .nc, binary if in .bin, otherwise text of a single profile, or of
    /// a track (IP = 2)
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Of a file in NetCDF this profile alone, counted from 0
    #[arg(long)]
    profile: Option<usize>,
}

/// The options of `interpolate`.
#[derive(Args, Debug)]
pub(crate) struct Interpolate {
    #[command(flatten)]
    control: ControlFile,
    /// The atmosphere
    #[arg(long, value_name = "FILE")]
    atm: PathBuf,
    /// The atmosphere whose times, heights and places are wanted
    #[arg(long, value_name = "FILE")]
    at: PathBuf,
    /// The file to write: NetCDF if its name ends in .nc, otherwise text
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
}

/// What the makers of rays have in common.
#[derive(Args, Debug)]
struct Scan {
    #[command(flatten)]
    control: ControlFile,
    /// The file to write: NetCDF if its name ends in .nc, otherwise text
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Time [s since 2000-01-01T00:00Z]
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    time: f64,
}

/// The options of `limb`.
#[derive(Args, Debug)]
pub(crate) struct Limb {
    #[command(flatten)]
    scan: Scan,
    /// Height of the observer [km]
    #[arg(long, default_value_t = 780.0)]
    obsz: f64,
    /// Lowest tangent height [km]
    #[arg(long, default_value_t = 3.0, allow_negative_numbers = true)]
    z0: f64,
    /// Highest tangent height [km]
    #[arg(long, default_value_t = 68.0)]
    z1: f64,
    /// From one to the next [km]
    #[arg(long, default_value_t = 1.0)]
    dz: f64,
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
    /// Height of the view point [km]
    #[arg(long, default_value_t = 700.0)]
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
    /// Height of the observer [km]
    #[arg(long, default_value_t = 780.0)]
    obsz: f64,
    /// Longitude of the observer [deg]
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    obslon: f64,
    /// Latitude of the observer [deg]
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    obslat: f64,
    /// Direction to the Sun, the star or the transmitter, from north through east [deg]
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    azimuth: f64,
    /// Lowest tangent height of a straight ray [km]
    #[arg(long, default_value_t = 3.0, allow_negative_numbers = true)]
    z0: f64,
    /// Highest tangent height [km]
    #[arg(long, default_value_t = 68.0)]
    z1: f64,
    /// From one to the next [km]
    #[arg(long, default_value_t = 1.0)]
    dz: f64,
    /// Time from one to the next [s]
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    dt: f64,
}

/// The arguments of `planck`.
#[derive(Args, Debug)]
pub(crate) struct Planck {
    /// Temperature [K]
    temperature_k: f64,
    /// Wavenumber [cm^-1]
    wavenumber_per_cm: f64,
}

/// The arguments of `brightness`.
#[derive(Args, Debug)]
pub(crate) struct Brightness {
    /// Radiance [W/(m^2 sr cm^-1)]
    radiance: f64,
    /// Wavenumber [cm^-1]
    wavenumber_per_cm: f64,
}

pub(crate) fn run(tool: &Jurassic) -> Result<(), Failure> {
    match tool {
        Jurassic::Atmfmt(options) => atmfmt(options),
        Jurassic::Obsfmt(options) => obsfmt(options),
        Jurassic::Matfmt(options) => matrix::run(options),
        Jurassic::Interpolate(options) => interpolated(options),
        Jurassic::AtmosphereFrom(options) => grid::run(options),
        Jurassic::Climatology(options) => climatology::climatology(options),
        Jurassic::Hydrostatic(options) => climatology::hydrostatic(options),
        Jurassic::Filter(options) => filter::filter(options),
        Jurassic::Obs2spec(options) => filter::to_spectra(options),
        Jurassic::Limb(options) => limb(options),
        Jurassic::Time2jsec { date } => {
            let problem = || Failure::usage(format!("{date:?} is no date such as 2020-01-31T06:00:00"));
            print_line!("{}", seconds_of_date(date).ok_or_else(problem)?);
            Ok(())
        }
        Jurassic::Jsec2time { seconds } => {
            let problem = || Failure::usage(format!("{seconds} s lie outside the years 0 to 9999"));
            print_line!("{}", date_of_seconds(*seconds).ok_or_else(problem)?);
            Ok(())
        }
        Jurassic::Nadir(options) => nadir(options),
        Jurassic::Zenith(options) => zenith(options),
        Jurassic::Validate(options) => validate::run(options),
        Jurassic::Occultation(options) => occultation(options),
        Jurassic::Planck(Planck { temperature_k: t, wavenumber_per_cm: nu }) => {
            positive(&[("temperature", *t, "K"), ("wavenumber", *nu, "cm^-1")])?;
            print_line!("{:e}", planck::radiance(*t, *nu));
            Ok(())
        }
        Jurassic::Brightness(Brightness { radiance, wavenumber_per_cm: nu }) => {
            positive(&[("radiance", *radiance, "W/(m^2 sr cm^-1)"), ("wavenumber", *nu, "cm^-1")])?;
            print_line!("{}", planck::brightness_temperature(*radiance, *nu));
            Ok(())
        }
    }
}

fn positive(values: &[(&str, f64, &str)]) -> Result<(), Failure> {
    match values.iter().find(|(_, value, _)| !(value.is_finite() && *value > 0.0)) {
        Some((name, value, unit)) => Err(Failure::usage(format!("{name} {value} {unit} lies outside (0, inf)"))),
        None => Ok(()),
    }
}

fn is_netcdf_name(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "nc")
}

fn is_binary_name(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "bin")
}

/// Reads all profiles of all inputs, or one of each.
fn profiles<T>(
    options: &Convert,
    text: impl Fn(&Path, &Control) -> Result<T, isobar_io::Error>,
    netcdf: impl Fn(&Path, &Control, Option<&[usize]>) -> Result<Vec<T>, isobar_io::Error>,
) -> Result<(Control, Vec<T>), Failure> {
    let mut files = FilesInUse::default();
    options.inputs.iter().try_for_each(|path| files.reads("an input", path))?;
    files.writes("the output", &options.out)?;
    let control = options.control.read(&mut files)?;
    let mut all = Vec::new();
    for path in &options.inputs {
        if isobar_io::netcdf::is_netcdf(path) {
            let profile = options.profile.map(|profile| [profile]);
            all.extend(netcdf(path, &control, profile.as_ref().map(|profile| &profile[..]))?);
        } else if options.profile.is_some_and(|profile| profile != 0) {
            return Err(Failure::usage(format!("{}: a text has profile 0 alone", path.display())));
        } else {
            all.push(text(path, &control)?);
        }
    }
    if all.len() != 1 && !is_netcdf_name(&options.out) {
        let problem = format!("{} profiles fit into a NetCDF file alone: name one with --profile, or a .nc", all.len());
        return Err(Failure::usage(format!("{}: {problem}", options.out.display())));
    }
    Ok((control, all))
}

fn atmfmt(options: &Convert) -> Result<(), Failure> {
    // What a file is counts, not what a key says.
    let text = |path: &Path, control: &Control| {
        let mut control = control.clone();
        control.atmosphere_format = ProfileFormat::Ascii;
        read_atmosphere(path, &control)
    };
    let netcdf = |path: &Path, control: &Control, profiles: Option<&[usize]>| match (control.horizontal, profiles) {
        // All profiles are one track.
        (Horizontal::Track, None) => Ok(vec![read_atmosphere(path, control)?]),
        _ => read_atmospheres_netcdf(path, control, profiles),
    };
    let (control, all) = profiles(options, text, netcdf)?;
    write_atmospheres(&options.out, &control, &all)
}

fn obsfmt(options: &Convert) -> Result<(), Failure> {
    let text = |path: &Path, control: &Control| {
        let mut control = control.clone();
        control.observation_format = ProfileFormat::Ascii;
        read_measurement(path, &control)
    };
    let (control, all) = profiles(options, text, read_observations_netcdf)?;
    write_observations(&options.out, &control, &all)
}

fn write_atmospheres(path: &Path, control: &Control, all: &[Atmosphere]) -> Result<(), Failure> {
    if is_netcdf_name(path) {
        let all: Vec<_> = all.iter().map(Some).collect();
        write_atmospheres_netcdf(path, control, &all)?;
    } else if let [one] = all {
        AtomicFile::write_with(path, |out| match is_binary_name(path) {
            true => write_atmosphere_binary(out, one, control),
            false => write_atmosphere(out, one, control),
        })?;
    }
    Ok(())
}

fn write_observations(path: &Path, control: &Control, all: &[Observation]) -> Result<(), Failure> {
    if is_netcdf_name(path) {
        let all: Vec<_> = all.iter().map(Some).collect();
        write_observations_netcdf(path, control, &all)?;
    } else if let [one] = all {
        AtomicFile::write_with(path, |out| match is_binary_name(path) {
            true => write_observation_binary(out, one, control),
            false => write_observation(out, one, control),
        })?;
    }
    Ok(())
}

/// Pressure exponential in height, all else linear, beyond the ends by the last layer, as along a path.
fn interpolated(options: &Interpolate) -> Result<(), Failure> {
    let mut files = FilesInUse::default();
    files.reads("the atmosphere", &options.atm)?;
    files.reads("the wanted heights", &options.at)?;
    files.writes("the output", &options.out)?;
    let control = options.control.read(&mut files)?;
    let (mut from, to) = (read_atmosphere(&options.atm, &control)?, read_atmosphere(&options.at, &control)?);
    if from.varies() {
        return write_atmospheres(&options.out, &control, &[between_profiles(&from, to)?]);
    }
    if from.height_km[0] > from.height_km[1] {
        let lists = from.mixing_ratio.iter_mut().chain(&mut from.extinction_per_km);
        lists.chain([&mut from.height_km, &mut from.pressure_hpa, &mut from.temperature_k]).for_each(|x| x.reverse());
    }
    let z = &from.height_km;
    let places: Vec<usize> = to.height_km.iter().map(|&height| bracket::bisect(z.len(), |i| z[i], height)).collect();
    let linear = |values: &Vec<f64>| -> Vec<f64> {
        let at = |(&height, &i): (&f64, &usize)| interpolate::linear(z[i], values[i], z[i + 1], values[i + 1], height);
        to.height_km.iter().zip(&places).map(at).collect()
    };
    let pressure = |(&height, &i): (&f64, &usize)| {
        interpolate::log_y(z[i], from.pressure_hpa[i], z[i + 1], from.pressure_hpa[i + 1], height)
    };
    let result = Atmosphere {
        pressure_hpa: to.height_km.iter().zip(&places).map(pressure).collect(),
        temperature_k: linear(&from.temperature_k),
        mixing_ratio: from.mixing_ratio.iter().map(linear).collect(),
        extinction_per_km: from.extinction_per_km.iter().map(linear).collect(),
        cloud: from.cloud.clone(),
        surface: from.surface.clone(),
        ..to.clone()
    };
    write_atmospheres(&options.out, &control, &[result])
}

/// The values of a track at the heights and places of an atmosphere, as along a path.
fn between_profiles(from: &Atmosphere, mut to: Atmosphere) -> Result<Atmosphere, Failure> {
    let data = ProfileData::<f64>::new(from)?;
    let track = data.track().expect("several profiles");
    let place = |level: usize| {
        let x = geodesy::to_cartesian(to.height_km[level], to.longitude_deg[level], to.latitude_deg[level]);
        track.place(x, to.height_km[level], 0)
    };
    let places: Vec<_> = (0..to.levels()).map(place).collect();
    to.pressure_hpa = places.iter().map(|place| track.pressure_there(place)).collect();
    to.temperature_k = places.iter().map(|place| track.temperature_there(place)).collect();
    let gas = |gas: usize| places.iter().map(|place| track.mixing_ratio_there(place, gas)).collect();
    to.mixing_ratio = (0..track.gas_count()).map(gas).collect();
    let window = |window: usize| places.iter().map(|place| track.extinction_there(place, window)).collect();
    to.extinction_per_km = (0..track.window_count()).map(window).collect();
    (to.cloud, to.surface) = (from.cloud.clone(), from.surface.clone());
    Ok(to)
}

/// The values from the first to the last in steps, the last with a little room for rounding.
fn steps(name: &str, first: f64, last: f64, step: f64) -> Result<Vec<f64>, Failure> {
    const MOST: f64 = 1e6;
    let count = (last - first) / step;
    if !(first.is_finite() && step > 0.0 && (0.0..MOST).contains(&count)) {
        let problem = format!("{name} from {first} to {last} in steps of {step}: expected up to {MOST} steps upwards");
        return Err(Failure::usage(problem));
    }
    Ok((0..=(count + 1e-9) as usize).map(|i| first + step * i as f64).collect())
}

/// Writes rays without measurements: the view point stands for the tangent point.
fn write_rays(scan: &Scan, rays: Vec<(Position, Position)>) -> Result<(), Failure> {
    write_rays_later(scan, rays, 0.0)
}

/// The same, so many seconds from one to the next.
fn write_rays_later(scan: &Scan, rays: Vec<(Position, Position)>, step_s: f64) -> Result<(), Failure> {
    let mut files = FilesInUse::default();
    files.writes("the output", &scan.out)?;
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
    write_observations(&scan.out, &control, &[observation])
}

fn at(height_km: f64, latitude_deg: f64) -> Position {
    Position { height_km, longitude_deg: 0.0, latitude_deg }
}

/// A straight ray touches the sphere of the tangent height where the angle at the Earth's centre is
/// `acos((R + z) / (R + z_observer))`.
fn limb(options: &Limb) -> Result<(), Failure> {
    let Limb { scan, obsz, z0, z1, dz } = options;
    let heights = steps("tangent heights", *z0, *z1, *dz)?;
    if !(obsz.is_finite() && *obsz > *z1) {
        return Err(Failure::usage(format!("--obsz {obsz} km lies outside (z1, inf) = ({z1}, inf)")));
    }
    let ray = |&z: &f64| {
        let angle: f64 = Real::acos((EARTH_RADIUS_KM + z) / (EARTH_RADIUS_KM + obsz));
        (at(*obsz, 0.0), at(z, angle.to_degrees()))
    };
    write_rays(scan, heights.iter().map(ray).collect())
}

fn nadir(options: &Nadir) -> Result<(), Failure> {
    let Nadir { scan, obsz, lat0, lat1, dlat } = options;
    positive(&[("--obsz", *obsz, "km")])?;
    let latitudes = steps("latitudes", *lat0, *lat1, *dlat)?;
    if let Some(latitude) = latitudes.iter().find(|latitude| latitude.abs() > 90.0) {
        return Err(Failure::usage(format!("latitude {latitude} deg lies outside [-90, 90]")));
    }
    let ray = |&latitude: &f64| (at(*obsz, 0.0), at(0.0, latitude));
    write_rays(scan, latitudes.iter().map(ray).collect())
}

/// In the triangle of the Earth's centre, observer and view point the sines of the angles are as the sides: the zenith
/// angle `t` is `asin((R + z_observer) sin(t) / (R + z_view))` at the view point.
fn zenith(options: &Zenith) -> Result<(), Failure> {
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
fn occultation(options: &Occultation) -> Result<(), Failure> {
    let Occultation { scan, obsz, obslon, obslat, azimuth, z0, z1, dz, dt } = options;
    if !(obsz.is_finite() && *obsz > *z1) {
        return Err(Failure::usage(format!("--obsz {obsz} km lies outside (z1, inf) = ({z1}, inf)")));
    }
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
    write_rays_later(scan, steps("tangent heights", *z0, *z1, *dz)?.iter().map(ray).collect(), *dt)
}
