//! Fluxes and heating rates.

use isobar_longwave::Transmittance;

use crate::case::{Case, Set, reference, tables, worst};
use crate::tolerances::{FLUX, HEATING};

fn absolute(got: f64, expected: f64) -> f64 {
    (got - expected).abs()
}

/// The outputs of a column by the reference's names, with their tolerances.
fn outputs(case: &Case, out: &isobar_longwave::Outputs<f64>) -> Vec<(&'static str, Vec<f64>, f64)> {
    let cloudy = case.columns.clouds.is_some();
    let clear = |with: &Vec<f64>, without: &Vec<f64>| if cloudy { without.clone() } else { with.clone() };
    let net = |up: &[f64], down: &[f64]| up.iter().zip(down).map(|(a, b)| a - b).collect::<Vec<_>>();
    let (up_clear, down_clear) = (clear(&out.up, &out.up_clear), clear(&out.down, &out.down_clear));
    vec![
        ("flux_up", out.up.clone(), FLUX),
        ("flux_dn", out.down.clone(), FLUX),
        ("flux_net", net(&out.up, &out.down), FLUX),
        ("flux_net_clr", net(&up_clear, &down_clear), FLUX),
        ("flux_up_clr", up_clear, FLUX),
        ("flux_dn_clr", down_clear, FLUX),
        ("dfup_dts", out.derivative.clone(), FLUX),
        ("dfup_clr_dts", clear(&out.derivative, &out.derivative_clear), FLUX),
        ("band_flux_up", out.band_up.clone(), FLUX),
        ("band_flux_dn", out.band_down.clone(), FLUX),
        ("hr", out.heating.clone(), HEATING),
        ("hr_clr", clear(&out.heating, &out.heating_clear), HEATING),
    ]
}

#[test]
fn fluxes_with_the_references_table_are_the_references() {
    let Some(dir) = reference() else { return };
    let tables = tables::<f64>();
    let mut failures = Vec::new();
    for name in ["std_atm", "clear", "aerosol", "cloudy"] {
        let set = Set::new(&dir, name);
        let mut all: Vec<(&str, f64)> = Vec::new();
        for mut case in set.cases() {
            case.options.transmittance = Transmittance::Table;
            case.options.derivative = true;
            case.options.band_fluxes = true;
            let mut batch = case.batch(&tables);
            batch.compute();
            assert_eq!(batch.outputs().status, [0]);
            for (i, (output, got, tolerance)) in outputs(&case, batch.outputs()).into_iter().enumerate() {
                let array = set.array(&format!("out_{output}"));
                let layers = output.starts_with("hr");
                let expected = if layers { case.layers(&array) } else { case.levels(&array) };
                let (error, place) = worst(&got, &expected, absolute);
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
    assert!(failures.is_empty(), "{failures:#?}");
}
