//! Both spectra of every kind of k-distribution, clear and cloudy, all overlaps and angles, columns of few and many
//! layers: the same bits on all devices.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use isobar_core::fields::{OwnedInputs, OwnedOutputs};
use isobar_golden::{Outputs, conformance};
use isobar_launch::{Error, Queue};
use isobar_optics::GasOptics;
use isobar_radiation::{
    Angles, CloudOptics, CloudSolver, Columns, DeltaScaling, Fluxes, LongwaveScattering, Options, Overlap, Precision,
    Radiation, Roughness, RunError, analytic,
};

/// Not a multiple of a warp.
const COLUMNS: usize = 37;
/// Fewer, for two streams are computed several times.
const COUNT_SCATTERED: usize = 11;

conformance!(ecckd, rrtmgp, small_rrtmgp, cloudy, overlaps, aerosol, longwave_scattering, tripleclouds, rain_and_snow);

/// A k-distribution, read once for all cases.
fn gas_optics(path: &Path) -> GasOptics {
    static READ: Mutex<BTreeMap<PathBuf, GasOptics>> = Mutex::new(BTreeMap::new());
    let read = || isobar_io::read_k_distribution(path).unwrap().gas_optics().unwrap();
    READ.lock().unwrap().entry(path.to_owned()).or_insert_with(read).clone()
}

/// The k-distributions of the repository.
fn own(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/radiation").join(name)
}

/// Both spectra of RRTMGP with its clouds; of ecCKD where the reference is not there, without.
pub(crate) fn both<R: Precision>(points: [&str; 2]) -> (Radiation<R>, bool) {
    let Some(dir) = isobar_golden::find("rrtmgp") else {
        let radiation = Radiation::new().with(&gas_optics(&own("ecckd-longwave-32.nc")), None).unwrap();
        return (radiation.with(&gas_optics(&own("ecckd-shortwave-32.nc")), None).unwrap(), false);
    };
    let mut radiation = Radiation::new();
    for (points, spectrum) in points.into_iter().zip(["lw", "sw"]) {
        let clouds = isobar_io::read_cloud_tables(&dir.join(format!("cloud/rrtmgp-clouds-{spectrum}-bnd.nc"))).unwrap();
        let clouds = CloudOptics::new(&clouds, Roughness::Medium);
        let gases = gas_optics(&dir.join(format!("coeff/{spectrum}-{points}.nc")));
        radiation = radiation.with(&gases, Some(&clouds)).unwrap();
    }
    (radiation, true)
}

fn ecckd<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let radiation = Radiation::<R>::new().with(&gas_optics(&own("ecckd-longwave-32.nc")), None).unwrap();
    let radiation = radiation.with(&gas_optics(&own("ecckd-shortwave-32.nc")), None).unwrap();
    let mut parts = Outputs::default();
    for (columns, layers) in [(COLUMNS, 13), (3, 1), (2, 137), (4200, 3)] {
        parts = run(parts, queue, &radiation, &analytic::columns(columns, layers, false), &Options::default())?;
    }
    let options = Options { angles: Angles::Secant(1.66), derivative: true, ..Options::default() };
    run(parts, queue, &radiation, &analytic::columns(5, 60, false), &options)
}

fn rrtmgp<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let (radiation, real) = both::<R>(["g256", "g224"]);
    let columns = analytic::columns(COLUMNS, 13, false);
    let mut parts = run(Outputs::default(), queue, &radiation, &columns, &Options::default())?;
    let best = if real { vec![Angles::Best] } else { Vec::new() };
    for angles in [Angles::Gauss(2), Angles::Gauss(4)].into_iter().chain(best) {
        let options = Options { angles, derivative: true, ..Options::default() };
        parts = run(parts, queue, &radiation, &analytic::columns(5, 60, false), &options)?;
    }
    Ok(parts)
}

/// Bands that end within a warp.
fn small_rrtmgp<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let (radiation, _) = both::<R>(["g128", "g112"]);
    let parts =
        run(Outputs::default(), queue, &radiation, &analytic::columns(COLUMNS, 30, false), &Options::default())?;
    run(parts, queue, &radiation, &analytic::columns(2, 130, false), &Options::default())
}

fn cloudy<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let (radiation, real) = both::<R>(["g256", "g224"]);
    let options = Options { clear_sky: true, derivative: true, ..Options::default() };
    let parts = run(Outputs::default(), queue, &radiation, &analytic::columns(COLUMNS, 30, real), &options)?;
    let options = Options { angles: Angles::Gauss(3), ..Options::default() };
    let parts = run(parts, queue, &radiation, &analytic::columns(4, 60, real), &options)?;
    let options = Options { band_fluxes: true, delta_scaling: DeltaScaling::Mixture, ..options };
    run(parts, queue, &radiation, &analytic::columns(5, 20, real), &options)
}

fn overlaps<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let (radiation, real) = both::<R>(["g128", "g112"]);
    let mut parts = Outputs::default();
    for overlap in [Overlap::Random, Overlap::Maximum, Overlap::Exponential, Overlap::ExponentialRandom] {
        let mut columns = analytic::columns(9, 40, real);
        columns.subcolumn_seed = (0..9).collect();
        parts = run(parts, queue, &radiation, &columns, &Options { overlap, ..Options::default() })?;
    }
    Ok(parts)
}

/// Aerosol, emissivities and albedos by band, gases that are left out, and night.
fn aerosol<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let (radiation, real) = both::<R>(["g128", "g112"]);
    let (count, layers, [longwave, shortwave]) = (7, 20, if real { [16, 14] } else { [1, 1] });
    let random = &mut isobar_golden::Random::new(5);
    let mut values = |rows: usize, most: f64| (0..rows * count).map(|_| R::from_f64(most * random.unit())).collect();
    let mut columns = analytic::columns::<R>(count, layers, real);
    columns.aerosol_absorption_longwave = values(layers * longwave, 0.1);
    columns.aerosol_optical_depth = values(layers * shortwave, 0.3);
    columns.aerosol_albedo = values(layers * shortwave, 1.0);
    columns.aerosol_asymmetry = values(layers * shortwave, 0.9);
    columns.emissivity = values(longwave, 1.0);
    columns.surface_albedo_direct = values(shortwave, 1.0);
    columns.surface_albedo_diffuse = values(shortwave, 1.0);
    columns.total_solar_irradiance_w_per_m2 = Vec::new();
    columns.cfc11 = Vec::new();
    columns.cosine_zenith[2] = R::from_f64(-0.3);
    columns.cosine_zenith[4] = R::ZERO;
    run(Outputs::default(), queue, &radiation, &columns, &Options::default())
}

/// Both methods with clouds and aerosol that scatter, and the same without clouds.
fn longwave_scattering<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let (radiation, real) = both::<R>(["g128", "g112"]);
    let mut columns = analytic::columns::<R>(COUNT_SCATTERED, 20, real);
    let random = &mut isobar_golden::Random::new(7);
    let bands = if real { 16 } else { 1 };
    let mut values = |most: f64| -> Vec<R> {
        (0..20 * bands * COUNT_SCATTERED).map(|_| R::from_f64(most * random.unit())).collect()
    };
    columns.aerosol_optical_depth_longwave = values(0.3);
    columns.aerosol_albedo_longwave = values(1.0);
    columns.aerosol_asymmetry_longwave = values(0.9);
    columns.emissivity = vec![R::from_f64(0.9); bands * COUNT_SCATTERED];
    let mut parts = Outputs::default();
    for longwave_scattering in [LongwaveScattering::Rescaled, LongwaveScattering::TwoStream, LongwaveScattering::None] {
        let scattered = Options { longwave_scattering, derivative: true, ..Options::default() };
        let options = Options { clear_sky: true, band_fluxes: true, ..scattered };
        parts = run(parts, queue, &radiation, &columns, &options)?;
    }
    let longwave_scattering = LongwaveScattering::Rescaled;
    let options = Options { longwave_scattering, angles: Angles::Gauss(3), ..Options::default() };
    run(parts, queue, &radiation, &columns, &options)
}

/// Each overlap, even and uneven clouds, clear columns among cloudy ones, overcast layers, night.
fn tripleclouds<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let (cloud_solver, mut parts) = (CloudSolver::Tripleclouds, Outputs::default());
    let (radiation, real) = both::<R>(["g128", "g112"]);
    let random = &mut isobar_golden::Random::new(6);
    for (overlap, longwave_scattering) in [
        (Overlap::Random, LongwaveScattering::TwoStream),
        (Overlap::MaximumRandom, LongwaveScattering::None),
        (Overlap::ExponentialRandom, LongwaveScattering::TwoStream),
    ] {
        let (count, layers) = (COUNT_SCATTERED, 40);
        let mut columns = analytic::columns::<R>(count, layers, real);
        for (index, fraction) in columns.cloud_fraction.iter_mut().enumerate() {
            *fraction = match index % count {
                3 => R::ZERO,
                5 if *fraction > R::ZERO => R::ONE,
                _ => *fraction,
            };
        }
        columns.cosine_zenith[4] = R::from_f64(-0.2);
        if overlap != Overlap::MaximumRandom {
            let mut values =
                |rows: usize, most: f64| (0..rows * count).map(|_| R::from_f64(most * random.unit())).collect();
            columns.fractional_standard_deviation = values(layers, 3.0);
            columns.overlap_parameter = values(layers - 1, 1.0);
        }
        let options = Options {
            cloud_solver,
            overlap,
            longwave_scattering,
            derivative: true,
            clear_sky: true,
            ..Options::default()
        };
        parts = run(parts, queue, &radiation, &columns, &options)?;
    }
    let options = Options { cloud_solver, ..Options::default() };
    parts = run(parts, queue, &radiation, &analytic::columns(2, 137, real), &options)?;
    run(parts, queue, &radiation, &analytic::columns(4200, 3, real), &options)
}

/// Both spectra of ecCKD with tables of clouds, rain and snow.
pub(crate) fn with_particles<R: Precision>() -> Radiation<R> {
    ["long", "short"].into_iter().fold(Radiation::<R>::new(), |radiation, wave| {
        let clouds = isobar_io::read_cloud_tables(&own(&format!("ecckd-{wave}wave-32-clouds.nc"))).unwrap();
        let clouds = CloudOptics::new(&clouds, Roughness::Medium).snow_as_ice();
        radiation.with(&gas_optics(&own(&format!("ecckd-{wave}wave-32.nc"))), Some(&clouds)).unwrap()
    })
}

/// Rain and snow in all kernels that know them, and columns without them among those that have them.
fn rain_and_snow<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let radiation = with_particles::<R>();
    let mut columns = analytic::columns::<R>(COUNT_SCATTERED, 20, true);
    let [.., rain, snow] = radiation.spectra().cloud_sizes_um(&Options::default());
    analytic::add_rain_and_snow(&mut columns, [rain, snow]);
    for (index, path) in columns.rain_path_g_per_m2.iter_mut().enumerate() {
        if index % COUNT_SCATTERED == 3 {
            *path = R::ZERO;
        }
    }
    let plain = Options { clear_sky: true, derivative: true, ..Options::default() };
    let cloud_solver = CloudSolver::Tripleclouds;
    let mut parts = Outputs::default();
    for options in [
        plain.clone(),
        Options { longwave_scattering: LongwaveScattering::Rescaled, band_fluxes: true, ..plain.clone() },
        Options { longwave_scattering: LongwaveScattering::TwoStream, ..plain.clone() },
        Options { delta_scaling: DeltaScaling::Mixture, overlap: Overlap::Exponential, ..plain.clone() },
        Options { cloud_solver, ..plain.clone() },
        Options { cloud_solver, longwave_scattering: LongwaveScattering::TwoStream, ..plain },
    ] {
        parts = run(parts, queue, &radiation, &columns, &options)?;
    }
    // Snow alone.
    columns.rain_path_g_per_m2.clear();
    run(parts, queue, &radiation, &columns, &Options::default())
}

/// Whole, and in pieces.
fn run<R: Precision>(
    mut parts: Outputs,
    queue: &Queue,
    radiation: &Radiation<R>,
    columns: &Columns<R>,
    options: &Options,
) -> Result<Outputs, Error> {
    let model = radiation.clone().on(&[queue.device()]);
    let count = columns.surface_temperature_k.len();
    for range in [0..count, 0..count / 2, count / 2..count].into_iter().filter(|range| !range.is_empty()) {
        let mut results = Fluxes::default();
        let mut compute = || {
            let some = columns.items(count, range.clone());
            let mut resident = model.resident(&some, options)?;
            resident.compute(options)?;
            Ok::<_, RunError>(resident.results_into(&mut results)?)
        };
        match compute() {
            Err(RunError::Device(error)) => return Err(error),
            other => other.unwrap_or_else(|error| panic!("{error}")),
        }
        let name = |what: &str| format!("{what} of columns {range:?}, {options:?}");
        parts = parts.counts(&name("status"), &results.status);
        let mut fields = Vec::new();
        results.each_real(&mut |declared, values| fields.push((declared.name, values.clone())));
        for (field, values) in &fields {
            assert!(values.iter().all(|value| value.is_finite()), "{field}");
            parts = parts.reals(&name(field), values);
        }
    }
    Ok(parts)
}
