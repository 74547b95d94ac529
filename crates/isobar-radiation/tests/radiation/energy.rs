//! Energy is neither made nor lost.

use isobar_core::fields::OwnedInputs;
use isobar_optics::{Ecckd, EcckdDependence, EcckdGas, EcckdSolar, GasOptics};
use isobar_radiation::constants::{DAY_S, GRAVITY, HEAT_CAPACITY};
use isobar_radiation::{
    CloudOptics, CloudSolver, Columns, Device, Fluxes, LongwaveScattering, Options, Precision, Radiation, analytic,
};

use crate::models::{ecckd, ecckd_with, rrtmgp};

const COUNT: usize = 40;
const LAYERS: usize = 60;
/// Of the analytic columns.
const ALBEDO: f64 = 0.15;

fn run<R: Precision>(radiation: Radiation<R>, columns: &Columns<R>) -> Fluxes<R> {
    run_with(radiation, columns, &Options::default())
}

fn run_with<R: Precision>(radiation: Radiation<R>, columns: &Columns<R>, options: &Options) -> Fluxes<R> {
    radiation.on(&[Device::Cpu]).run(columns, options).unwrap_or_else(|error| panic!("{error}"))
}

/// Roundings of sums over 60 layers of as much as the sun sends, and over up to 8 warps of g-points.
fn rounding<R: Precision>() -> f64 {
    1361.0 * R::EPSILON.value() * 32.0
}

/// What the layers of a column absorb by their heating rates \[W/m^2\].
fn absorbed<R: Precision>(columns: &Columns<R>, heating: &[R], layer: usize, column: usize) -> f64 {
    let pressure = |level: usize| columns.level_pressure_pa[level * COUNT + column].value();
    let mass = (pressure(layer) - pressure(layer + 1)) / GRAVITY;
    heating[layer * COUNT + column].value() * mass * HEAT_CAPACITY / DAY_S
}

/// Net flux into what is below a level.
fn net<R: Precision>(up: &[R], down: &[R], level: usize, column: usize) -> f64 {
    down[level * COUNT + column].value() - up[level * COUNT + column].value()
}

/// Heating of layers is what fluxes lose in them.
fn heating_is_divergence<R: Precision>(what: &str, columns: &Columns<R>, up: &[R], down: &[R], heating: &[R]) {
    let mut largest = 0.0_f64;
    for column in 0..COUNT {
        for layer in 0..LAYERS {
            let lost = net(up, down, layer + 1, column) - net(up, down, layer, column);
            largest = largest.max((lost - absorbed(columns, heating, layer, column)).abs());
        }
    }
    println!("{what}, divergence: {largest:.1e} W/m^2");
    assert!(largest < rounding::<R>(), "{what}: {largest:e} W/m^2");
}

/// What comes in at the top leaves there or is absorbed by layers or the surface.
fn is_conserved<R: Precision>(what: &str, radiation: Radiation<R>, columns: &Columns<R>, options: &Options) {
    let fluxes = run_with(radiation, columns, options);
    let Fluxes {
        shortwave_up_w_per_m2: up, shortwave_down_w_per_m2: down, shortwave_heating_k_per_day: heating, ..
    } = &fluxes;
    heating_is_divergence(&format!("{what}, short wave"), columns, up, down, heating);
    let mut largest = 0.0_f64;
    for column in 0..COUNT {
        let layers: f64 = (0..LAYERS).map(|layer| absorbed(columns, heating, layer, column)).sum();
        let surface = (1.0 - ALBEDO) * down[column].value();
        let top = LAYERS * COUNT + column;
        assert!(layers > 10.0 && surface > 1.0, "column {column}: {layers} {surface}");
        largest = largest.max((down[top].value() - up[top].value() - layers - surface).abs());
    }
    println!("{what}, short wave: {largest:.1e} W/m^2");
    assert!(largest < rounding::<R>(), "{what}: {largest:e} W/m^2");
    let Fluxes { longwave_up_w_per_m2: up, longwave_down_w_per_m2: down, longwave_heating_k_per_day: heating, .. } =
        &fluxes;
    heating_is_divergence(&format!("{what}, long wave"), columns, up, down, heating);
}

#[test]
fn of_the_sun_is_conserved() {
    const POINTS: [&str; 2] = ["g256", "g224"];
    let triple = CloudSolver::Tripleclouds;
    for (sky, cloud_solver, longwave_scattering) in [
        ("clear", CloudSolver::McIca, LongwaveScattering::None),
        ("McICA", CloudSolver::McIca, LongwaveScattering::None),
        ("Tripleclouds", triple, LongwaveScattering::None),
        ("Tripleclouds with scattering", triple, LongwaveScattering::TwoStream),
        ("McICA with rain and snow", CloudSolver::McIca, LongwaveScattering::Rescaled),
        ("Tripleclouds with rain and snow", triple, LongwaveScattering::TwoStream),
    ] {
        let options = &Options { cloud_solver, longwave_scattering, ..Options::default() };
        let with_snow = sky.contains("snow");
        let mut double = analytic::columns(COUNT, LAYERS, sky != "clear");
        if with_snow {
            analytic::add_rain_and_snow(&mut double, [[100.0, 2000.0], [50.0, 120.0]]);
        }
        let (double, single) = (&double, &double.rounded());
        is_conserved::<f64>(&format!("ecCKD f64 {sky}"), ecckd_with(CloudOptics::snow_as_ice), double, options);
        is_conserved::<f32>(&format!("ecCKD f32 {sky}"), ecckd_with(CloudOptics::snow_as_ice), single, options);
        if with_snow {
            continue;
        }
        let Some(radiation) = rrtmgp::<f64>(POINTS) else { continue };
        is_conserved(&format!("RRTMGP f64 {sky}"), radiation, double, options);
        is_conserved(&format!("RRTMGP f32 {sky}"), rrtmgp::<f32>(POINTS).unwrap(), single, options);
    }
}

/// A k-distribution of the short wave in which nothing absorbs, and each g-point scatters ten times as much as the
/// last.
fn scattering_alone() -> GasOptics {
    let (points, pressures, temperatures, fractions) = (5, 2, 2, 2);
    let zeros = |rows: usize| vec![0.0; rows * points];
    let model = Ecckd {
        points,
        pressure_pa: vec![1.0, 1.1e5],
        temperature_k: vec![150.0, 150.0, 350.0, 350.0],
        gases: vec![
            EcckdGas {
                name: "composite".to_owned(),
                dependence: EcckdDependence::None,
                absorption: zeros(temperatures * pressures),
            },
            EcckdGas {
                name: "h2o".to_owned(),
                dependence: EcckdDependence::LookUp(vec![1e-6, 1e-2]),
                absorption: zeros(fractions * temperatures * pressures),
            },
        ],
        bands: vec![[1000.0, 50_000.0]],
        band_of_point: vec![0; points],
        spectrum: None,
        planck: None,
        // The whole column is 3.6e5 mol/m^2: optical depths of 4e-3 to 36.
        solar: Some(EcckdSolar { irradiance: vec![272.2; points], rayleigh: vec![1e-8, 1e-7, 1e-6, 1e-5, 1e-4] }),
    };
    GasOptics::try_from(&model).unwrap()
}

/// What [`scattering_alone`] loses: the schemes' two-stream equations do not take `k` below 1e-6, for which 1e-12 / 1.5
/// of the light in an optical depth of 1 is absorbed. There is 40 for all five g-points, with 272.2 W/m^2 each that go
/// up and down.
const FLOOR: f64 = 1e-12 / 1.5 * 2.0 * 40.0 * 272.2;

fn loses_nothing<R: Precision>() {
    let mut columns = analytic::columns::<R>(COUNT, LAYERS, false);
    for albedo in [0.0, ALBEDO, 1.0] {
        columns.surface_albedo_direct = vec![R::from_f64(albedo)];
        let fluxes = run(Radiation::<R>::new().with(&scattering_alone(), None).unwrap(), &columns);
        let Fluxes { shortwave_up_w_per_m2: up, shortwave_down_w_per_m2: down, .. } = &fluxes;
        let heating = &fluxes.shortwave_heating_k_per_day;
        let (mut layers, mut column_sum) = (0.0_f64, 0.0_f64);
        for column in 0..COUNT {
            for layer in 0..LAYERS {
                layers = layers.max(absorbed(&columns, heating, layer, column).abs());
            }
            let surface = (1.0 - albedo) * down[column].value();
            let top = LAYERS * COUNT + column;
            column_sum = column_sum.max((down[top].value() - up[top].value() - surface).abs());
            // Light is scattered.
            assert!(up[top].value() > 0.05 * down[top].value());
        }
        println!("{}, albedo {albedo}: a layer {layers:.1e}, a column {column_sum:.1e} W/m^2", R::NAME);
        let accepted = rounding::<R>() + FLOOR;
        assert!(layers < accepted && column_sum < accepted, "{layers:e} {column_sum:e}");
    }
}

#[test]
fn where_nothing_absorbs_nothing_is_lost() {
    loses_nothing::<f64>();
    loses_nothing::<f32>();
}

/// A column of one temperature over a black surface that has it: what goes up is the same everywhere, whatever absorbs
/// and emits; and below a black cloud what goes down, too, and nothing is heated or cooled.
fn exchanges_nothing<R: Precision>() {
    let mut columns = analytic::columns::<R>(COUNT, LAYERS, true);
    let one = |values: &[R]| vec![R::from_f64(281.5); values.len()];
    columns.temperature_k = one(&columns.temperature_k);
    columns.level_temperature_k = one(&columns.level_temperature_k);
    columns.surface_temperature_k = one(&columns.surface_temperature_k);
    columns.emissivity = vec![R::ONE];
    // 1 kg/m^2 in the 30th layer: an absorption optical depth of 50 or more.
    let black = 30;
    let row = black * COUNT..(black + 1) * COUNT;
    columns.cloud_fraction[row.clone()].fill(R::ONE);
    columns.liquid_path_g_per_m2[row].fill(R::from_f64(1000.0));
    let fluxes = run(ecckd::<R>(), &columns);
    let Fluxes { longwave_up_w_per_m2: up, longwave_down_w_per_m2: down, .. } = &fluxes;
    let heating = &fluxes.longwave_heating_k_per_day;
    let (mut upward, mut inside, mut heated) = (0.0_f64, 0.0_f64, 0.0_f64);
    for column in 0..COUNT {
        let emitted = up[column].value();
        for level in 0..=LAYERS {
            upward = upward.max((up[level * COUNT + column].value() - emitted).abs());
        }
        for level in 0..=black {
            inside = inside.max(net(up, down, level, column).abs());
        }
        for layer in 0..black {
            heated = heated.max(absorbed(&columns, heating, layer, column).abs());
        }
        let stefan_boltzmann = 5.670_374e-8 * 281.5_f64 * 281.5 * 281.5 * 281.5;
        // Some of it is beyond the k-distribution's 3260 cm^-1.
        assert!((emitted / stefan_boltzmann - 1.0).abs() < 5e-3, "{emitted} {stefan_boltzmann}");
        // And the top cools to space.
        assert!(net(up, down, LAYERS, column) < -350.0);
    }
    println!("{}: up {upward:.1e}, inside {inside:.1e}, heated {heated:.1e} W/m^2", R::NAME);
    let accepted = rounding::<R>();
    assert!(upward < accepted && inside < accepted && heated < accepted, "{upward:e} {inside:e} {heated:e}");
}

#[test]
fn one_temperature_exchanges_nothing() {
    exchanges_nothing::<f64>();
    exchanges_nothing::<f32>();
}
