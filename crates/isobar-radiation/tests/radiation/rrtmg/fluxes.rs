//! Fluxes and heating rates.

use isobar_golden::Agreement;
use isobar_radiation::rrtmg::Transmittance;
use isobar_radiation::{CloudSolver, Fluxes, Overlap, Precision};

use crate::rrtmg::case::{Case, Set, reference, worst};
use crate::rrtmg::tolerances::{
    ENERGY, EXACT_FLUX, EXACT_HEATING, EXACT_HEATING_ALOFT, FLUX, HEATING, SINGLE_FLUX, SINGLE_HEATING,
};

fn absolute(got: f64, expected: f64) -> f64 {
    (got - expected).abs()
}

/// The outputs of a column by the reference's names, with their tolerances.
fn outputs(case: &Case, out: &Fluxes<f64>) -> Vec<(&'static str, Vec<f64>, f64)> {
    let cloudy = case.columns.is_cloudy();
    let clear = |with: &Vec<f64>, without: &Vec<f64>| if cloudy { without.clone() } else { with.clone() };
    let net = |up: &[f64], down: &[f64]| up.iter().zip(down).map(|(a, b)| a - b).collect::<Vec<_>>();
    let (up_clear, down_clear) = (
        clear(&out.longwave_up_w_per_m2, &out.longwave_up_clear_w_per_m2),
        clear(&out.longwave_down_w_per_m2, &out.longwave_down_clear_w_per_m2),
    );
    vec![
        ("flux_up", out.longwave_up_w_per_m2.clone(), FLUX),
        ("flux_dn", out.longwave_down_w_per_m2.clone(), FLUX),
        ("flux_net", net(&out.longwave_up_w_per_m2, &out.longwave_down_w_per_m2), FLUX),
        ("flux_net_clr", net(&up_clear, &down_clear), FLUX),
        ("flux_up_clr", up_clear, FLUX),
        ("flux_dn_clr", down_clear, FLUX),
        ("dfup_dts", out.longwave_up_derivative_w_per_m2_k.clone(), FLUX),
        (
            "dfup_clr_dts",
            clear(&out.longwave_up_derivative_w_per_m2_k, &out.longwave_up_clear_derivative_w_per_m2_k),
            FLUX,
        ),
        ("band_flux_up", out.longwave_up_by_band_w_per_m2.clone(), FLUX),
        ("band_flux_dn", out.longwave_down_by_band_w_per_m2.clone(), FLUX),
        ("hr", out.longwave_heating_k_per_day.clone(), HEATING),
        ("hr_clr", clear(&out.longwave_heating_k_per_day, &out.longwave_heating_clear_k_per_day), HEATING),
    ]
}

#[test]
fn fluxes_with_the_references_table_are_the_references() {
    let Some(dir) = reference() else { return };
    let mut failures = Vec::new();
    let (mut fluxes, mut heating) = (Agreement::default(), Agreement::default());
    for name in ["std_atm", "clear", "aerosol", "cloudy"] {
        let set = Set::new(&dir, name);
        let mut all: Vec<(&str, f64)> = Vec::new();
        for mut case in set.cases() {
            case.options.rrtmg.transmittance = Transmittance::Table;
            case.options.derivative = true;
            case.options.band_fluxes = true;
            for (i, (output, got, tolerance)) in outputs(&case, &case.fluxes()).into_iter().enumerate() {
                let array = set.array(&format!("out_{output}"));
                let layers = output.starts_with("hr");
                let expected = if layers { case.layers(&array) } else { case.levels(&array) };
                let (error, place) = worst(&got, &expected, absolute);
                let agreement = if layers { &mut heating } else { &mut fluxes };
                got.iter().zip(&expected).for_each(|(got, expected)| agreement.add(got - expected));
                if all.len() == i {
                    all.push((output, 0.0));
                }
                all[i].1 = all[i].1.max(error);
                if error > tolerance || error.is_nan() {
                    failures.push(format!("{} {output} at {place}: {error:e}", case.name));
                }
            }
        }
        let report: Vec<String> = all.iter().map(|(output, error)| format!("{output} {error:.1e}")).collect();
        println!("{name}: {}", report.join(" "));
    }
    let panel = "Long wave, against RRTMG_LW";
    fluxes.write("3-longwave-1", panel, "fluxes [W/m^2]", "in the unit of the curve");
    heating.write("3-longwave-2", panel, "heating [K/day]", "in the unit of the curve");
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn fluxes_of_cloud_fractions_are_the_references() {
    let Some(dir) = reference() else { return };
    let set = Set::new(&dir, "cloudy");
    let mut failures = Vec::new();
    for (overlap, prefix) in [(Overlap::Random, "ran"), (Overlap::MaximumRandom, "mxr")] {
        let mut all: f64 = 0.0;
        for mut case in set.cases() {
            case.options.rrtmg.transmittance = Transmittance::Table;
            case.options.derivative = true;
            (case.options.cloud_solver, case.options.overlap) = (CloudSolver::Fractions, overlap);
            for (output, got, tolerance) in outputs(&case, &case.fluxes()) {
                if output.starts_with("band") {
                    continue;
                }
                let array = set.array(&format!("out_{prefix}_{output}"));
                let layers = output.starts_with("hr");
                let expected = if layers { case.layers(&array) } else { case.levels(&array) };
                let (error, place) = worst(&got, &expected, absolute);
                all = all.max(error);
                if error > tolerance || error.is_nan() {
                    failures.push(format!("{} {overlap:?} {output} at {place}: {error:e}", case.name));
                }
            }
        }
        println!("{overlap:?}: {all:.1e}");
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

fn run<R: Precision>(case: &Case) -> Fluxes<f64> {
    let out = case.fluxes::<R>();
    let plain = |values: &[R]| values.iter().map(|x| x.value()).collect::<Vec<_>>();
    Fluxes {
        longwave_up_w_per_m2: plain(&out.longwave_up_w_per_m2),
        longwave_down_w_per_m2: plain(&out.longwave_down_w_per_m2),
        longwave_heating_k_per_day: plain(&out.longwave_heating_k_per_day),
        ..Fluxes::default()
    }
}

/// The largest heating errors below and above 100 hPa.
fn heating_errors(case: &Case, a: &Fluxes<f64>, b: &Fluxes<f64>) -> [f64; 2] {
    let mut errors = [0.0_f64; 2];
    for (layer, (a, b)) in a.longwave_heating_k_per_day.iter().zip(&b.longwave_heating_k_per_day).enumerate() {
        let aloft = usize::from(case.columns.pressure_pa[layer] < 1e4);
        errors[aloft] = errors[aloft].max((a - b).abs());
    }
    errors
}

fn flux_error(a: &Fluxes<f64>, b: &Fluxes<f64>) -> f64 {
    worst(&a.longwave_up_w_per_m2, &b.longwave_up_w_per_m2, absolute)
        .0
        .max(worst(&a.longwave_down_w_per_m2, &b.longwave_down_w_per_m2, absolute).0)
}

#[test]
fn exact_transmittances_differ_little_from_the_table() {
    let Some(dir) = reference() else { return };
    let mut all = [0.0_f64; 3];
    for name in ["std_atm", "clear", "aerosol", "cloudy"] {
        for mut case in Set::new(&dir, name).cases() {
            let exact = run::<f64>(&case);
            case.options.rrtmg.transmittance = Transmittance::Table;
            let table = run::<f64>(&case);
            let [below, aloft] = heating_errors(&case, &exact, &table);
            for (all, error) in all.iter_mut().zip([flux_error(&exact, &table), below, aloft]) {
                *all = all.max(error);
            }
        }
    }
    println!("exact against table: flux {:.1e}, heating {:.1e} below and {:.1e} above 100 hPa", all[0], all[1], all[2]);
    assert!(all[0] < EXACT_FLUX && all[1] < EXACT_HEATING && all[2] < EXACT_HEATING_ALOFT, "{all:?}");
}

#[test]
fn single_precision_is_near_double() {
    let Some(dir) = reference() else { return };
    let mut all = [0.0_f64; 3];
    for name in ["std_atm", "clear", "aerosol", "cloudy"] {
        for case in Set::new(&dir, name).cases() {
            let (double, single) = (run::<f64>(&case), run::<f32>(&case));
            let [below, aloft] = heating_errors(&case, &single, &double);
            for (all, error) in all.iter_mut().zip([flux_error(&single, &double), below, aloft]) {
                *all = all.max(error);
            }
        }
    }
    println!("f32 against f64: flux {:.1e}, heating {:.1e} below and {:.1e} above 100 hPa", all[0], all[1], all[2]);
    assert!(all[0] < SINGLE_FLUX && all[1] < SINGLE_HEATING, "{all:?}");
}

#[test]
fn layers_are_heated_by_what_fluxes_lose() {
    let Some(dir) = reference() else { return };
    for name in ["std_atm", "cloudy"] {
        for case in Set::new(&dir, name).cases() {
            let out = run::<f64>(&case);
            let per_hpa = 9.8066 * 86400.0 / (1004.0 * 100.0);
            for layer in 0..out.longwave_heating_k_per_day.len() {
                let net = |level: usize| out.longwave_up_w_per_m2[level] - out.longwave_down_w_per_m2[level];
                let thickness = case.columns.level_pressure_pa[layer] - case.columns.level_pressure_pa[layer + 1];
                let gain = out.longwave_heating_k_per_day[layer] * (thickness * 0.01) / per_hpa;
                let lost = net(layer) - net(layer + 1);
                let scale = out.longwave_up_w_per_m2[layer] + out.longwave_down_w_per_m2[layer];
                assert!((gain - lost).abs() <= ENERGY * scale, "{} layer {layer}: {gain} {lost}", case.name);
            }
        }
    }
}
