//! What Tripleclouds has to come to: clear sky, overcast, one cloud, the mean of McICA.

use isobar_core::Dual;
use isobar_core::fields::OwnedInputs;
use isobar_radiation::{
    Angles, CloudOptics, CloudSolver, ColumnViews, Columns, Device, Fluxes, LongwaveScattering, Options, Overlap,
    Radiation, Roughness, Spectra, analytic, compute,
};

use crate::ecrad_clouds::tables;
use crate::models::{ecckd, own};
use crate::reference::gas_optics;

const COUNT: usize = 24;
const LAYERS: usize = 40;
/// What rounding leaves of fluxes that are computed in another order: the 300 operations of each of 40 layers with
/// 1361 W/m^2 in f64.
const ROUNDING: f64 = 1361.0 * f64::EPSILON * 300.0 * 40.0;

fn triple() -> Options {
    Options { cloud_solver: CloudSolver::Tripleclouds, derivative: true, ..Options::default() }
}

fn run(radiation: Radiation<f64>, columns: &Columns<f64>, options: &Options) -> Fluxes<f64> {
    radiation.on(&[Device::Cpu]).run(columns, options).unwrap_or_else(|error| panic!("{error}"))
}

/// All fluxes by their names, not the heating rates, which divide differences of fluxes by small masses.
fn fluxes(fluxes: &Fluxes<f64>) -> Vec<(&'static str, &[f64])> {
    vec![
        ("long wave up", &fluxes.longwave_up_w_per_m2),
        ("long wave down", &fluxes.longwave_down_w_per_m2),
        ("derivative", &fluxes.longwave_up_derivative_w_per_m2_k),
        ("short wave up", &fluxes.shortwave_up_w_per_m2),
        ("short wave down", &fluxes.shortwave_down_w_per_m2),
        ("beam", &fluxes.shortwave_direct_w_per_m2),
    ]
}

fn agree(what: &str, ours: &Fluxes<f64>, expected: &Fluxes<f64>) {
    for ((name, ours), (_, expected)) in fluxes(ours).into_iter().zip(fluxes(expected)) {
        assert_eq!(ours.len(), (LAYERS + 1) * COUNT);
        let largest = ours.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        println!("{what}, {name}: {largest:.1e}");
        assert!(largest < ROUNDING, "{what}, {name}: {largest:e}");
    }
}

const SCATTERING: [LongwaveScattering; 2] = [LongwaveScattering::None, LongwaveScattering::TwoStream];

#[test]
fn no_cloud_is_clear_sky() {
    for longwave_scattering in SCATTERING {
        let options = Options { longwave_scattering, ..triple() };
        let clear = run(ecckd(), &analytic::columns(COUNT, LAYERS, false), &options);
        let mut columns = analytic::columns(COUNT, LAYERS, true);
        columns.cloud_fraction.fill(0.0);
        agree("clear", &run(ecckd(), &columns, &options), &clear);
        // And so little of a cloud that its parts are no normal numbers.
        columns.cloud_fraction.fill(1e-310);
        agree("nearly clear", &run(ecckd(), &columns, &options), &clear);
    }
}

#[test]
fn even_overcast_is_that_of_sub_columns() {
    let mut columns = analytic::columns(COUNT, LAYERS, true);
    for fraction in &mut columns.cloud_fraction {
        *fraction = f64::from(*fraction > 0.0);
    }
    columns.fractional_standard_deviation = vec![0.0];
    for longwave_scattering in SCATTERING {
        let triple = Options { longwave_scattering, ..triple() };
        let expected = run(ecckd(), &columns, &Options { cloud_solver: CloudSolver::McIca, ..triple.clone() });
        agree("overcast", &run(ecckd(), &columns, &triple), &expected);
    }
}

/// A cloud in the uppermost layer alone, above which nothing sends light back: the mean of clear sky and overcast.
#[test]
fn one_cloud_is_a_mean() {
    let mut columns = analytic::columns::<f64>(COUNT, LAYERS, true);
    let top = (LAYERS - 1) * COUNT;
    for (index, fraction) in columns.cloud_fraction.iter_mut().enumerate() {
        *fraction = if index < top { 0.0 } else { (index - top) as f64 / COUNT as f64 };
    }
    let parts = columns.cloud_fraction[top..].to_vec();
    columns.ice_path_g_per_m2[top..].fill(30.0);
    columns.fractional_standard_deviation = vec![0.0];
    let options = Options { longwave_scattering: LongwaveScattering::TwoStream, ..triple() };
    let ours = run(ecckd(), &columns, &options);
    let clear = run(ecckd(), &analytic::columns(COUNT, LAYERS, false), &options);
    columns.cloud_fraction[top..].fill(1.0);
    let overcast = run(ecckd(), &columns, &options);
    for (((name, ours), (_, clear)), (_, overcast)) in
        fluxes(&ours).into_iter().zip(fluxes(&clear)).zip(fluxes(&overcast))
    {
        let mut changed = 0.0_f64;
        for (index, ours) in ours.iter().enumerate() {
            let part = parts[index % COUNT];
            let expected = (1.0 - part) * clear[index] + part * overcast[index];
            assert!((ours - expected).abs() < ROUNDING, "{name} {index}: {ours} {expected}");
            changed = changed.max((ours - clear[index]).abs());
        }
        // The cloud is seen.
        assert!(changed > if name == "derivative" { 0.1 } else { 10.0 }, "{name}: {changed}");
    }
}

/// Sub-columns of many seeds, of even clouds that have one fraction each: then what lies under a cloud depends on the
/// neighbouring layer alone, for both. The sun's beam and, over a black surface, radiation that is not scattered do not
/// depend on what goes to and fro between layers.
#[test]
fn mean_of_sub_columns() {
    const SEEDS: usize = 600;
    let mut columns = analytic::columns::<f64>(2, LAYERS, true).items(2, 1..2);
    columns.emissivity = vec![1.0];
    columns.fractional_standard_deviation = vec![0.0];
    for overlap in [Overlap::Random, Overlap::MaximumRandom, Overlap::ExponentialRandom] {
        let ours = run(ecckd(), &columns, &Options { overlap, ..triple() });
        let mut many = columns.clone();
        many.each_real(&mut |declared, values| {
            if values.len() > 1 || ["surface_temperature_k", "cosine_zenith"].contains(&declared.name) {
                *values = values.iter().flat_map(|&value| [value; SEEDS]).collect();
            }
        });
        many.subcolumn_seed = (0..SEEDS as u32).collect();
        let many = run(ecckd(), &many, &Options { overlap, ..Options::default() });
        for (ours, many) in [
            (&ours.longwave_up_w_per_m2, &many.longwave_up_w_per_m2),
            (&ours.longwave_down_w_per_m2, &many.longwave_down_w_per_m2),
            (&ours.shortwave_direct_w_per_m2, &many.shortwave_direct_w_per_m2),
        ] {
            let mut largest = 0.0_f64;
            for (level, (ours, many)) in ours.iter().zip(many.chunks(SEEDS)).enumerate() {
                let mean = many.iter().sum::<f64>() / SEEDS as f64;
                let variance = many.iter().map(|flux| (flux - mean) * (flux - mean)).sum::<f64>() / SEEDS as f64;
                let error = (variance / SEEDS as f64).sqrt();
                // 123 means, of which one in 3.5 million is as far away by chance.
                assert!(
                    (mean - ours).abs() < 5.0 * error + ROUNDING,
                    "{overlap:?}, level {level}: {ours} {mean} {error}"
                );
                largest = largest.max(error);
            }
            // Far less than what clouds do, and far more than nothing.
            println!("{overlap:?}: standard error up to {largest:.2} W/m^2");
            assert!((0.05..8.0).contains(&largest), "{largest}");
        }
    }
}

/// Exact derivatives by the size and the evenness of all clouds, and by the surface's temperature, against differences.
#[test]
fn fluxes_differentiate() {
    let spectra = ["long", "short"].into_iter().fold(Spectra::default(), |spectra, wave| {
        let clouds = CloudOptics::new(&tables(wave), Roughness::Medium);
        spectra.with(&gas_optics(&own(wave)), Some(&clouds)).unwrap()
    });
    // Not the first, whose surface is at a node of the Planck tables.
    let mut columns = analytic::columns::<f64>(3, LAYERS, true).items(3, 1..3);
    columns.fractional_standard_deviation = vec![0.8; LAYERS * 2];
    let longwave_scattering = LongwaveScattering::TwoStream;
    let options = Options { overlap: Overlap::ExponentialRandom, longwave_scattering, ..triple() };
    let plain = run(ecckd(), &columns, &options);
    let step = 1e-4;
    for variable in 0..3 {
        // One at a time: of another number of derivatives all would be compiled again.
        let mut dual = columns.rounded::<Dual<f64, 1>>();
        match variable {
            0 => dual.cloud_fraction.iter_mut().for_each(|value| *value *= Dual::variable(1.0, 0)),
            1 => dual.fractional_standard_deviation.iter_mut().for_each(|value| *value *= Dual::variable(1.0, 0)),
            _ => dual.surface_temperature_k.iter_mut().for_each(|value| *value += Dual::variable(0.0, 0)),
        }
        let exact = compute(&spectra, &ColumnViews::try_from(&dual).unwrap(), &options).unwrap();
        let [less, more] = [-step, step].map(|step| {
            let mut columns = columns.clone();
            let (values, factor, term) = match variable {
                0 => (&mut columns.cloud_fraction, 1.0 + step, 0.0),
                1 => (&mut columns.fractional_standard_deviation, 1.0 + step, 0.0),
                _ => (&mut columns.surface_temperature_k, 1.0, step),
            };
            values.iter_mut().for_each(|value| *value = *value * factor + term);
            run(ecckd(), &columns, &options)
        });
        for (name, of_dual, plain, less, more) in [
            (
                "long wave",
                &exact.longwave_up_w_per_m2,
                &plain.longwave_up_w_per_m2,
                &less.longwave_up_w_per_m2,
                &more.longwave_up_w_per_m2,
            ),
            (
                "short wave",
                &exact.shortwave_up_w_per_m2,
                &plain.shortwave_up_w_per_m2,
                &less.shortwave_up_w_per_m2,
                &more.shortwave_up_w_per_m2,
            ),
        ] {
            let largest = of_dual.iter().map(|flux| flux.derivative[0].abs()).fold(0.0, f64::max);
            assert!(largest > 1.0 || (name == "short wave" && variable == 2), "{name} {variable}: {largest}");
            for index in 0..plain.len() {
                assert_eq!(of_dual[index].value.to_bits(), plain[index].to_bits(), "values are those of plain numbers");
                let difference = (more[index] - less[index]) / (2.0 * step);
                // The third derivative times the square of the step, and the rounding of fluxes over it.
                let accepted = 1e-6 * largest + ROUNDING / step;
                let wrong = (of_dual[index].derivative[0] - difference).abs();
                assert!(wrong < accepted, "{name} {variable} {index}: {wrong:e} of {largest:e}");
            }
        }
    }
    // The surface's temperature has a result of its own, by a surface 1 K warmer.
    let warmer = &plain.longwave_up_derivative_w_per_m2_k;
    let mut columns = columns.clone();
    columns.surface_temperature_k.iter_mut().for_each(|value| *value += 1.0);
    let more = run(ecckd(), &columns, &options);
    for (index, derivative) in warmer.iter().enumerate() {
        let change = more.longwave_up_w_per_m2[index] - plain.longwave_up_w_per_m2[index];
        assert!((change - derivative).abs() < ROUNDING, "{index}: {change} {derivative}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let columns = analytic::columns::<f64>(3, LAYERS, true);
    let refused = |columns: &Columns<f64>, options: &Options| {
        ecckd().on(&[Device::Thread]).run(columns, options).expect_err("it is refused").to_string()
    };
    let exponential = Options { overlap: Overlap::ExponentialRandom, ..triple() };
    let mut wrong = columns.clone();
    wrong.overlap_parameter = vec![0.5; (LAYERS - 1) * 3];
    wrong.overlap_parameter[7 * 3 + 2] = 1.25;
    assert_eq!(
        refused(&wrong, &exponential),
        "overlap_parameter at column 2, layer_interface 7 is 1.25, which is not in [0, 1]"
    );
    // It is read for exponential overlap alone.
    assert!(ecckd().on(&[Device::Thread]).run(&wrong, &triple()).is_ok());
    wrong.overlap_parameter.pop();
    assert!(refused(&wrong, &exponential).contains("39 layer_interfaces x 3 columns"));
    let mut wrong = columns.clone();
    wrong.fractional_standard_deviation = vec![1.0; LAYERS * 3];
    wrong.fractional_standard_deviation[5 * 3 + 1] = -0.1;
    assert_eq!(
        refused(&wrong, &triple()),
        "fractional_standard_deviation at column 1, layer 5 is -0.1, which is not in [0, 10]"
    );
    let mut wrong = columns.clone();
    wrong.thickness_m.clear();
    assert!(refused(&wrong, &exponential).contains("thickness_m"));
    for overlap in [Overlap::Maximum, Overlap::Exponential] {
        assert!(refused(&columns, &Options { overlap, ..triple() }).contains("overlap of neighbouring layers alone"));
    }
    let rescaled = Options { longwave_scattering: LongwaveScattering::Rescaled, ..triple() };
    assert!(refused(&columns, &rescaled).contains("by two streams"));
    for angles in [Angles::Best, Angles::Gauss(2)] {
        assert!(refused(&columns, &Options { angles, ..triple() }).contains("one angle"));
    }
}

/// An overlap that is given is that of thicknesses which make it so, for both solvers.
#[test]
fn overlap_parameter_replaces_thickness() {
    for cloud_solver in [CloudSolver::McIca, CloudSolver::Tripleclouds] {
        let options = Options { cloud_solver, overlap: Overlap::ExponentialRandom, ..triple() };
        let mut columns = analytic::columns::<f64>(COUNT, LAYERS, true);
        let expected = run(ecckd(), &columns, &options);
        let thickness = std::mem::take(&mut columns.thickness_m);
        let between = thickness.iter().zip(&thickness[COUNT..]).map(|(below, above)| 0.5 * (below + above));
        columns.overlap_parameter = between.map(|m| isobar_core::Real::exp(-(m / options.decorrelation_m))).collect();
        agree("overlap", &run(ecckd(), &columns, &options), &expected);
    }
}
