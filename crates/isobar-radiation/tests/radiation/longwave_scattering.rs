//! Long-wave radiation that scatters, where it has closed forms.

use isobar_core::fields::{AnyValues, OwnedInputs, OwnedOutputs};
use isobar_core::{Dual, Real};
use isobar_optics::{Ecckd, EcckdDependence, EcckdGas, EcckdPlanck, GasOptics};
use isobar_radiation::constants::{DAY_S, ECRAD_SECANT, GRAVITY, HEAT_CAPACITY};
use isobar_radiation::{
    Angles, CloudOptics, ColumnViews, Columns, Device, Fluxes, LongwaveScattering, Options, Precision, Radiation,
    Roughness, Spectra, analytic, compute,
};

use crate::models::{ecckd, own, rrtmgp};
use crate::precision::{FLUX, HEATING};
use crate::reference::gas_optics;

const COUNT: usize = 40;
const LAYERS: usize = 60;
const SCATTERING: [LongwaveScattering; 2] = [LongwaveScattering::Rescaled, LongwaveScattering::TwoStream];

fn run<R: Precision>(radiation: Radiation<R>, columns: &Columns<R>, options: &Options) -> Fluxes<R> {
    radiation.on(&[Device::Cpu]).run(columns, options).unwrap_or_else(|error| panic!("{error}"))
}

fn largest<R: Real>(ours: &[R], theirs: &[R]) -> f64 {
    assert!(ours.len() == theirs.len() && !ours.is_empty() && ours.iter().all(|value| value.is_finite()));
    ours.iter().zip(theirs).map(|(a, b)| (a.value() - b.value()).abs()).fold(0.0, f64::max)
}

/// An aerosol of this optical depth in each layer, the same at all g-points.
fn with_aerosol<R: Real>(mut columns: Columns<R>, depth: f64, albedo: f64, asymmetry: f64) -> Columns<R> {
    columns.aerosol_optical_depth_longwave = vec![R::from_f64(depth)];
    columns.aerosol_albedo_longwave = vec![R::from_f64(albedo)];
    columns.aerosol_asymmetry_longwave = vec![R::from_f64(asymmetry)];
    columns
}

/// Where nothing scatters, both methods are the one without: of ecCKD, whose source is linear in optical depth, along
/// the same secant.
#[test]
fn nothing_that_scatters_changes_nothing() {
    let columns = with_aerosol(analytic::columns::<f64>(COUNT, LAYERS, false), 0.02, 0.0, 0.7);
    let options = Options { derivative: true, ..Options::default() };
    let expected = run(ecckd(), &columns, &options);
    for longwave_scattering in SCATTERING {
        let found = run(ecckd(), &columns, &Options { longwave_scattering, ..options.clone() });
        for (ours, theirs, accepted) in [
            (&found.longwave_up_w_per_m2, &expected.longwave_up_w_per_m2, 1e-10),
            (&found.longwave_down_w_per_m2, &expected.longwave_down_w_per_m2, 1e-10),
            (&found.longwave_up_derivative_w_per_m2_k, &expected.longwave_up_derivative_w_per_m2_k, 1e-12),
            // The highest layer weighs a hundred pascals: 0.8 K/day for a W/m^2 of some 1e-12.
            (&found.longwave_heating_k_per_day, &expected.longwave_heating_k_per_day, 1e-10),
        ] {
            let found = largest(ours, theirs);
            assert!(found < accepted, "{longwave_scattering:?}: {found:e}");
        }
    }
    // And the absorption alone is the same as the three.
    let mut absorption = analytic::columns::<f64>(COUNT, LAYERS, false);
    absorption.aerosol_absorption_longwave = vec![0.02 * (1.0 - 0.25)];
    let three = with_aerosol(analytic::columns(COUNT, LAYERS, false), 0.02, 0.25, 0.7);
    let [one, three] = [absorption, three].map(|columns| run(ecckd(), &columns, &options));
    assert_eq!(one.longwave_up_w_per_m2, three.longwave_up_w_per_m2);
    assert_eq!(one.longwave_down_w_per_m2, three.longwave_down_w_per_m2);
}

/// What the surface of [`transparent`] emits \[W/m^2\].
const EMITTED: f64 = 400.0;

/// Air that does nothing, over a surface that emits; black bodies at its levels emit more or less.
fn transparent() -> GasOptics {
    let gas = |name: &str, dependence, rows: usize| EcckdGas {
        name: name.to_owned(),
        dependence,
        absorption: vec![0.0; rows],
    };
    let model = Ecckd {
        points: 1,
        pressure_pa: vec![1.0, 1.1e5],
        temperature_k: vec![150.0, 150.0, 350.0, 350.0],
        gases: vec![
            gas("composite", EcckdDependence::None, 4),
            gas("h2o", EcckdDependence::LookUp(vec![1e-6, 1e-2]), 8),
        ],
        bands: vec![[10.0, 3000.0]],
        band_of_point: vec![0],
        planck: Some(EcckdPlanck { temperature_k: vec![100.0, 300.0], irradiance: vec![0.0, EMITTED] }),
        ..Ecckd::default()
    };
    GasOptics::try_from(&model).unwrap()
}

/// What scatters alone neither absorbs nor emits: of what the surface sends up, `1 / (1 + s)` gets through two streams
/// with `s = D (1 - g) tau / 2` of the whole column, whatever the layers' temperatures, and the rest comes down again.
fn loses_nothing<R: Precision>() {
    let (depth, asymmetry) = (0.05, 0.6);
    let mut columns = with_aerosol(analytic::columns::<R>(COUNT, LAYERS, false), depth, 1.0, asymmetry);
    columns.surface_temperature_k = vec![R::from_f64(300.0); COUNT];
    columns.emissivity = vec![R::ONE];
    let options = Options { longwave_scattering: LongwaveScattering::TwoStream, ..Options::default() };
    let fluxes = run(Radiation::<R>::new().with(&transparent(), None).unwrap(), &columns, &options);
    let s = 0.5 * ECRAD_SECANT * (1.0 - asymmetry) * depth * LAYERS as f64;
    let through = EMITTED / (1.0 + s);
    // Some ten roundings of at most this a layer.
    let accepted = EMITTED * R::EPSILON.value() * 10.0 * LAYERS as f64;
    let top = LAYERS * COUNT;
    for column in 0..COUNT {
        let up = |level: usize| fluxes.longwave_up_w_per_m2[level * COUNT + column].value();
        let down = |level: usize| fluxes.longwave_down_w_per_m2[level * COUNT + column].value();
        for level in 0..=LAYERS {
            let net = up(level) - down(level);
            assert!((net - through).abs() < accepted, "level {level}: {net} {through}");
        }
        assert!((up(0) - EMITTED).abs() < accepted && down(LAYERS) == 0.0);
        assert!((up(LAYERS) - through).abs() < accepted);
    }
    assert!(fluxes.longwave_up_w_per_m2[top].value() < 0.6 * EMITTED);
    // Not one digit is absorbed.
    assert!(fluxes.longwave_heating_k_per_day.iter().all(|heating| *heating == R::ZERO));
}

#[test]
fn scattering_alone_absorbs_nothing() {
    loses_nothing::<f64>();
    loses_nothing::<f32>();
}

/// Below an opaque cloud at the temperature of all that is below it, two streams are those of a black body in both
/// directions, however much scatters, and nothing is heated. Rescaling does not have that: what an opaque layer sends
/// down depends on what goes up above it.
fn exchanges_nothing<R: Precision>() {
    let longwave_scattering = LongwaveScattering::TwoStream;
    let one = |values: &[R]| vec![R::from_f64(281.5); values.len()];
    let columns = analytic::columns::<R>(COUNT, LAYERS, true);
    let mut columns = with_aerosol(columns, 0.05, 0.6, 0.5);
    columns.temperature_k = one(&columns.temperature_k);
    columns.level_temperature_k = one(&columns.level_temperature_k);
    columns.surface_temperature_k = one(&columns.surface_temperature_k);
    columns.emissivity = vec![R::ONE];
    let black = 30;
    let row = black * COUNT..(black + 1) * COUNT;
    columns.cloud_fraction[row.clone()].fill(R::ONE);
    columns.liquid_path_g_per_m2[row].fill(R::from_f64(1000.0));
    let fluxes = run(ecckd::<R>(), &columns, &Options { longwave_scattering, ..Options::default() });
    let (up, down) = (&fluxes.longwave_up_w_per_m2, &fluxes.longwave_down_w_per_m2);
    let (mut net, mut heated) = (0.0_f64, 0.0_f64);
    for index in 0..=black * COUNT {
        net = net.max((up[index].value() - down[index].value()).abs());
    }
    for index in 0..black * COUNT {
        heated = heated.max(fluxes.longwave_heating_k_per_day[index].value().abs());
    }
    println!("{}: net {net:.1e} W/m^2, heated {heated:.1e} K/day", R::NAME);
    // 32 roundings of 350 W/m^2; a layer weighs at least 700 Pa there, for which a W/m^2 is 1.2 K/day.
    let accepted = 32.0 * 350.0 * R::EPSILON.value();
    assert!(net < accepted && heated < 1.2 * accepted, "{net:e} W/m^2, {heated:e} K/day");
}

#[test]
fn one_temperature_exchanges_nothing() {
    exchanges_nothing::<f64>();
    exchanges_nothing::<f32>();
}

/// One layer that does not emit, over a surface that does: rescaling sends back 0.4 of what is not absorbed on the way
/// there and back.
#[test]
fn rescaling_of_one_layer() {
    for depth in [1e-6, 0.3, 2.0, 50.0] {
        let (albedo, asymmetry) = (0.8, 0.6);
        let mut columns = with_aerosol(analytic::columns::<f64>(1, 1, false), depth, albedo, asymmetry);
        columns.surface_temperature_k = vec![300.0];
        columns.temperature_k = vec![100.0];
        columns.level_temperature_k = vec![100.0; 2];
        columns.emissivity = vec![1.0];
        let options = Options { longwave_scattering: LongwaveScattering::Rescaled, ..Options::default() };
        let fluxes = run(Radiation::new().with(&transparent(), None).unwrap(), &columns, &options);
        let back = 0.5 * albedo * (1.0 - asymmetry);
        let through = Real::exp(-ECRAD_SECANT * depth * (1.0 - albedo + back));
        let up = EMITTED * through;
        let down = 0.4 * back / (1.0 - albedo + back) * (1.0 - through * through) * up;
        // Numbers of some hundred W/m^2; rounding of 1 - exp(-x).
        assert!((fluxes.longwave_up_w_per_m2[1] - up).abs() < 1e-12 * EMITTED, "{depth}");
        assert!((fluxes.longwave_down_w_per_m2[0] - down).abs() < 1e-12 * EMITTED, "{depth}");
    }
}

/// Heating is what fluxes lose in a layer, in both methods and precisions.
fn heating_is_divergence<R: Precision>(radiation: Radiation<R>, longwave_scattering: LongwaveScattering) {
    let columns = analytic::columns::<R>(COUNT, LAYERS, true);
    let fluxes = run(radiation, &columns, &Options { longwave_scattering, ..Options::default() });
    let net = |index: usize| fluxes.longwave_down_w_per_m2[index].value() - fluxes.longwave_up_w_per_m2[index].value();
    let mut found = 0.0_f64;
    for index in 0..LAYERS * COUNT {
        let pressure = |index: usize| columns.level_pressure_pa[index].value();
        let mass = (pressure(index) - pressure(index + COUNT)) / GRAVITY;
        let heated = fluxes.longwave_heating_k_per_day[index].value() * mass * HEAT_CAPACITY / DAY_S;
        found = found.max((net(index + COUNT) - net(index) - heated).abs());
    }
    println!("{longwave_scattering:?} {}: {found:.1e} W/m^2", R::NAME);
    // Roundings of both fluxes at both levels, of up to 500 W/m^2, and of sums over up to 8 warps.
    assert!(found < 500.0 * R::EPSILON.value() * 32.0, "{found:e}");
}

#[test]
fn heating_is_what_fluxes_lose() {
    for longwave_scattering in SCATTERING {
        heating_is_divergence::<f64>(ecckd(), longwave_scattering);
        heating_is_divergence::<f32>(ecckd(), longwave_scattering);
        let Some(radiation) = rrtmgp::<f64>(["g256", "g224"]) else { continue };
        heating_is_divergence(radiation, longwave_scattering);
    }
}

/// Fluxes and heating rates of the long wave, by their names.
fn longwave<R: Precision>(columns: &Columns<R>, options: &Options) -> Vec<(&'static str, Vec<f64>)> {
    let mut all = Vec::new();
    run(ecckd::<R>(), columns, options).each(&mut |declared, values| {
        if let AnyValues::Real(values) = values
            && declared.name.starts_with("longwave")
            && !values.is_empty()
        {
            all.push((declared.name, values.iter().map(|value| value.value()).collect()));
        }
    });
    all
}

/// Single precision against double, as in `precision.rs`, whose bounds these are.
#[test]
fn single_precision_serves() {
    let columns = with_aerosol(analytic::columns::<f32>(100, LAYERS, true), 1e-3, 0.5, 0.5);
    for longwave_scattering in SCATTERING {
        let options = Options { longwave_scattering, clear_sky: true, ..Options::default() };
        let (single, double) = (longwave(&columns, &options), longwave::<f64>(&columns.rounded(), &options));
        assert_eq!(single.len(), 6);
        for ((name, single), (_, double)) in single.iter().zip(&double) {
            let found = largest(single, double);
            println!("{longwave_scattering:?} {name}: {found:.1e}");
            let accepted = if name.contains("heating") { HEATING } else { FLUX };
            assert!(found < accepted, "{longwave_scattering:?} {name}: {found:e}");
        }
    }
}

/// Clouds that scatter send some of the surface's warmth back: less goes out, more comes down.
#[test]
fn clouds_that_scatter_keep_the_warmth() {
    let columns = analytic::columns::<f64>(COUNT, LAYERS, true);
    let of = |longwave_scattering| run(ecckd(), &columns, &Options { longwave_scattering, ..Options::default() });
    let without = of(LongwaveScattering::None);
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let out = |fluxes: &Fluxes<f64>| mean(&fluxes.longwave_up_w_per_m2[LAYERS * COUNT..]);
    let [rescaled, two_stream] = SCATTERING.map(|scattering| out(&without) - out(&of(scattering)));
    println!("{rescaled} {two_stream} W/m^2");
    // A global mean is some 2.6 W/m^2 with other clouds (Costa and Shine 2006, doi:10.1256/qj.05.169).
    assert!((0.3..6.0).contains(&rescaled) && (0.3..6.0).contains(&two_stream), "{rescaled} {two_stream}");
    assert!((rescaled - two_stream).abs() < 0.5 * two_stream, "{rescaled} {two_stream}");
}

/// Dual numbers go through the same kernels: what the surface's warmth does, which the kernels compute, too, for a
/// surface 1 K warmer; ecCKD's black bodies are linear between temperatures 1 K apart.
#[test]
fn dual_numbers_are_derivatives() {
    type Number = Dual<f64, 1>;
    let (layers, surface_k) = (6, 290.0);
    let with = |mut columns: Columns<f64>| {
        columns.surface_temperature_k = vec![surface_k];
        with_aerosol(columns, 0.1, 0.5, 0.5)
    };
    let plain = with(analytic::columns(1, layers, true));
    let mut dual: Columns<Number> = plain.rounded();
    dual.surface_temperature_k[0] = Number::variable(surface_k, 0);
    let clouds = CloudOptics::new(&crate::ecrad_clouds::tables("long"), Roughness::Medium);
    let gases = gas_optics(&own("long"));
    let spectra = Spectra::<Number>::default().with(&gases, Some(&clouds)).unwrap();
    let radiation = Radiation::<f64>::new().with(&gases, Some(&clouds)).unwrap();
    for longwave_scattering in [LongwaveScattering::None, LongwaveScattering::Rescaled, LongwaveScattering::TwoStream] {
        let options = Options { longwave_scattering, derivative: true, ..Options::default() };
        let expected = run(radiation.clone(), &plain, &options);
        let found = compute(&spectra, &ColumnViews::try_from(&dual).unwrap(), &options).unwrap();
        for level in 0..=layers {
            let number = found.longwave_up_w_per_m2[level];
            let (value, derivative) = (number.value, number.derivative[0]);
            assert_eq!(value.to_bits(), expected.longwave_up_w_per_m2[level].to_bits(), "{longwave_scattering:?}");
            let theirs = expected.longwave_up_derivative_w_per_m2_k[level];
            // The other one is a difference of two numbers of 400 W/m^2.
            assert!((derivative - theirs).abs() < 1e-10, "{longwave_scattering:?} {level}: {derivative} {theirs}");
            assert!(derivative > 0.1);
        }
    }
}

/// What does not go together is refused, by name.
#[test]
fn what_does_not_fit_is_refused() {
    let refusal = |change: &dyn Fn(&mut Columns<f64>), options: Options| {
        let mut columns = analytic::columns::<f64>(3, 4, false);
        change(&mut columns);
        ecckd::<f64>().on(&[Device::Thread]).run(&columns, &options).expect_err("refused").to_string()
    };
    let nothing = |_: &mut Columns<f64>| {};
    let two_stream =
        |angles| Options { angles, longwave_scattering: LongwaveScattering::TwoStream, ..Options::default() };
    assert!(refusal(&nothing, two_stream(Angles::Gauss(2))).contains("secant"));
    assert!(refusal(&nothing, two_stream(Angles::Best)).contains("best"));
    let depth = |columns: &mut Columns<f64>| columns.aerosol_optical_depth_longwave = vec![0.1];
    assert!(refusal(&depth, Options::default()).contains("aerosol_albedo_longwave"));
    let both = |columns: &mut Columns<f64>| {
        columns.aerosol_absorption_longwave = vec![0.1];
        *columns = with_aerosol(std::mem::take(columns), 0.1, 0.5, 0.5);
    };
    assert!(refusal(&both, Options::default()).contains("twice"));
    let albedo = |columns: &mut Columns<f64>| columns.aerosol_albedo_longwave = vec![0.1];
    assert!(refusal(&albedo, Options::default()).contains("aerosol_optical_depth_longwave"));
    let beyond = |columns: &mut Columns<f64>| *columns = with_aerosol(std::mem::take(columns), 0.1, 1.5, 0.5);
    assert!(refusal(&beyond, Options::default()).contains("aerosol_albedo_longwave"));
}
