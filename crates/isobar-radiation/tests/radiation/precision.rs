//! Single precision against double, from the same numbers: those of single precision.

use isobar_core::fields::{AnyValues, OwnedInputs, OwnedOutputs};
use isobar_radiation::{
    CloudOptics, CloudSolver, Columns, Device, LongwaveScattering, Options, Precision, Radiation, analytic,
};

use crate::models::{ecckd, ecckd_with, rrtmgp};
use crate::reference::{Numbers, reference};
use crate::rfmip;

/// What fluxes may differ by \[W/m^2\]. Each of 60 layers rounds what goes through it some four times, by up to half of
/// 2^-23 of 1361 W/m^2, 8e-5 W/m^2; 240 of them, at random, are 1.3e-3, of which this is twice as much.
pub(crate) const FLUX: f64 = 2.5e-3;
/// What heating rates may differ by \[K/day\]. Near `k cos = 1` the two-stream equations take another k, by up to the
/// root of 2^-23, 3.5e-4 of it: so much of the largest heating rates, those of clouds and of the top, some 30 K/day.
pub(crate) const HEATING: f64 = 1e-2;

const POINTS: [&str; 2] = ["g256", "g224"];

/// All fluxes and heating rates, by their names.
fn run<R: Precision>(radiation: Radiation<R>, columns: &Columns<R>) -> Vec<(&'static str, Vec<f64>)> {
    run_with(radiation, columns, CloudSolver::McIca)
}

fn run_with<R: Precision>(
    radiation: Radiation<R>,
    columns: &Columns<R>,
    cloud_solver: CloudSolver,
) -> Vec<(&'static str, Vec<f64>)> {
    let longwave_scattering = match cloud_solver {
        CloudSolver::McIca | CloudSolver::Fractions => LongwaveScattering::None,
        CloudSolver::Tripleclouds => LongwaveScattering::TwoStream,
    };
    let options =
        Options { clear_sky: true, derivative: true, cloud_solver, longwave_scattering, ..Options::default() };
    let fluxes = radiation.on(&[Device::Cpu]).run(columns, &options).unwrap_or_else(|error| panic!("{error}"));
    let mut all = Vec::new();
    fluxes.each(&mut |declared, values| {
        if let AnyValues::Real(values) = values {
            all.push((declared.name, values.iter().map(|value| value.value()).collect()));
        }
    });
    all
}

fn compare(what: &str, [single, double]: [Vec<(&str, Vec<f64>)>; 2]) {
    assert!(single.len() == double.len() && single.len() >= 8);
    let (mut flux, mut heating, mut derivative) = (0.0_f64, 0.0_f64, 0.0_f64);
    for ((name, single), (_, double)) in single.iter().zip(&double) {
        let of_kind = if name.contains("heating") {
            &mut heating
        } else if name.contains("derivative") {
            &mut derivative
        } else {
            &mut flux
        };
        let mut largest = 0.0_f64;
        for (single, double) in single.iter().zip(double) {
            assert!(single.is_finite() && double.is_finite());
            largest = largest.max((single - double).abs());
        }
        println!("{what} {name}: {largest:.1e}");
        *of_kind = of_kind.max(largest);
    }
    println!("{what}: {flux:.1e} W/m^2, {heating:.1e} K/day, {derivative:.1e} W/m^2/K");
    assert!(flux < FLUX && heating < HEATING, "{what}: {flux:e} W/m^2, {heating:e} K/day");
}

/// Clear columns that have these numbers in both precisions.
fn rfmip_columns(bands: [usize; 2]) -> Option<Columns<f32>> {
    let input = Numbers::open(&reference(rfmip::INPUT)?);
    Some(rfmip::columns(&input, 0, bands).rounded())
}

#[test]
fn rrtmgp_clear() {
    let Some(columns) = rfmip_columns(rfmip::BANDS) else { return };
    compare(
        "RRTMGP",
        [run::<f32>(rrtmgp(POINTS).unwrap(), &columns), run::<f64>(rrtmgp(POINTS).unwrap(), &columns.rounded())],
    );
}

#[test]
fn rrtmgp_cloudy() {
    let Some(radiation) = rrtmgp(POINTS) else { return };
    let columns = analytic::columns::<f32>(32, 60, true);
    compare("RRTMGP cloudy", [run(radiation, &columns), run::<f64>(rrtmgp(POINTS).unwrap(), &columns.rounded())]);
}

#[test]
fn ecckd_clear() {
    let Some(columns) = rfmip_columns([1, 1]) else { return };
    compare("ecCKD", [run::<f32>(ecckd(), &columns), run::<f64>(ecckd(), &columns.rounded())]);
}

#[test]
fn ecckd_cloudy() {
    let columns = analytic::columns::<f32>(200, 60, true);
    compare("ecCKD cloudy", [run::<f32>(ecckd(), &columns), run::<f64>(ecckd(), &columns.rounded())]);
}

/// Layers of a billionth of the column, as models have them that reach beyond 100 km: their heating is no difference of
/// fluxes, whose rounding would be more than all of it.
#[test]
fn thin_layers() {
    const COLUMNS: usize = 40;
    const LAYERS: usize = 60;
    const THIN: usize = 14;
    let mut columns = analytic::columns::<f64>(COLUMNS, LAYERS, true);
    for level in LAYERS - THIN + 1..=LAYERS {
        for column in 0..COLUMNS {
            let [upper, lower] = [level, level - 1].map(|level| level * COLUMNS + column);
            columns.level_pressure_pa[upper] = 0.3 * columns.level_pressure_pa[lower];
            columns.pressure_pa[lower] = 0.55 * columns.level_pressure_pa[lower];
        }
    }
    assert!(columns.level_pressure_pa[LAYERS * COLUMNS] < 1e-3);
    let columns = columns.rounded::<f32>();
    for solver in [CloudSolver::McIca, CloudSolver::Tripleclouds] {
        let double = run_with::<f64>(ecckd(), &columns.rounded(), solver);
        compare(&format!("thin layers, {solver:?}"), [run_with::<f32>(ecckd(), &columns, solver), double]);
    }
}

#[test]
fn tripleclouds() {
    const SOLVER: CloudSolver = CloudSolver::Tripleclouds;
    let columns = analytic::columns::<f32>(200, 60, true);
    let double = run_with::<f64>(ecckd(), &columns.rounded(), SOLVER);
    compare("ecCKD, Tripleclouds", [run_with::<f32>(ecckd(), &columns, SOLVER), double]);
    let Some(radiation) = rrtmgp(POINTS) else { return };
    let columns = analytic::columns::<f32>(32, 60, true);
    let double = run_with::<f64>(rrtmgp(POINTS).unwrap(), &columns.rounded(), SOLVER);
    compare("RRTMGP, Tripleclouds", [run_with(radiation, &columns, SOLVER), double]);
}

#[test]
fn rain_and_snow() {
    let mut columns = analytic::columns::<f32>(200, 60, true);
    analytic::add_rain_and_snow(&mut columns, [[100.0, 2000.0], [50.0, 120.0]]);
    for solver in [CloudSolver::McIca, CloudSolver::Tripleclouds] {
        let double = run_with::<f64>(ecckd_with(CloudOptics::snow_as_ice), &columns.rounded(), solver);
        let single = run_with::<f32>(ecckd_with(CloudOptics::snow_as_ice), &columns, solver);
        compare(&format!("{solver:?} with rain and snow"), [single, double]);
    }
}
