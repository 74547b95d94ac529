//! The reference's points, case by case.

use isobar_golden::Agreement;
use isobar_surface::{Columns, corrections};

use crate::case::{NOT_SET, OUTPUTS, cases, fields, folder, outputs, read, run};

/// What may differ, relative: rounding, which the secants amplify where they have not converged.
const VALUES: f64 = 1e-11;
/// The same of `z / L` and stability corrections.
const CORRECTIONS: f64 = 1e-9;

/// Four units in the last place of a temperature \[K\].
const LAST_DIGITS_K: f64 = 4.0 * 5.7e-14;

/// The difference of temperatures that a result is proportional to, about \[K\]: of the Richardson number of virtual
/// ones.
fn difference_k(name: &str, columns: &Columns<f64>, truth: &[Vec<f64>], i: usize) -> f64 {
    let of = |name: &str| truth[OUTPUTS.iter().position(|output| *output == name).expect("an output")][i];
    if name == "br" {
        let per_kelvin = 9.8 / columns.temperature_k[i] * 0.5 * columns.thickness_m[i];
        return of("br") * of("wspd") * of("wspd") / per_kelvin;
    }
    of("mol") * of("fh") / 0.4
}

#[test]
fn all_points_of_all_cases_in_f64() {
    let Some(folder) = folder() else { return };
    let columns = read(&folder);
    let mut agreement = Agreement::default();
    let mut failures = Vec::new();
    for (case, options) in cases() {
        let truths = fields(&folder.join(format!("out_{case}_f64.npy")));
        let out = run::<f64>(&columns, &options);
        assert!(out.status.iter().all(|&status| status == 0), "{case}");
        for ((name, got), truth) in OUTPUTS.iter().zip(outputs(&out)).zip(&truths) {
            // The reference takes the difference of two temperatures, of which the last digit is a thousandth of it
            // where air and surface are nearly as warm.
            let by_difference = ["mol", "hfx", "br"].contains(name);
            let tolerance = if ["zol", "rmol", "psim", "psih"].contains(name) { CORRECTIONS } else { VALUES };
            let mut worst = (0.0, 0);
            for (i, (&got, &truth)) in got.iter().zip(truth).enumerate().filter(|(_, (_, truth))| **truth != NOT_SET) {
                let difference = if got == truth { 0.0 } else { (got - truth) / truth };
                let round_off = LAST_DIGITS_K / difference_k(name, &columns, &truths, i).abs();
                let difference = if by_difference && difference.abs() < round_off { 0.0 } else { difference };
                agreement.add(difference);
                if difference.is_nan() || difference.abs() > worst.0 {
                    worst = (difference.abs(), i);
                }
            }
            let (worst, i) = worst;
            println!("{case} {name}: {worst:.1e}");
            if worst.is_nan() || worst > tolerance {
                failures.push(format!("{case} {name}: {worst:.1e} at point {i}: {:e} {:e}", got[i], truth[i]));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
    agreement.write("2-ysu-3", "Boundary layers, against WRF's YSU", "surface layer", "relative");
}

/// What is not set where there are no fluxes is 0 here, and latent heat belongs to the fluxes that were given.
#[test]
fn what_the_reference_does_not_set_has_a_meaning() {
    let Some(folder) = folder() else { return };
    let columns = read(&folder);
    let all = cases();
    let of = |name: &str| run::<f64>(&columns, &all.iter().find(|(case, _)| *case == name).expect("a case").1);
    let none = of("noflx");
    for field in [&none.exchange_m_per_s, &none.exchange_heat_2m_m_per_s, &none.latent_heat_flux_w_per_m2] {
        assert!(field.iter().all(|&value| value == 0.0));
    }
    let given = of("scm");
    for (latent, flux) in given.latent_heat_flux_w_per_m2.iter().zip(&columns.moisture_flux_kg_per_m2_s) {
        assert_eq!(*latent, 2.5e6 * flux);
    }
}

/// Median, 99th percentile and the largest.
fn percentiles(mut errors: Vec<f64>) -> [f64; 3] {
    errors.sort_by(f64::total_cmp);
    [0.5, 0.99, 1.0].map(|p| errors[((errors.len() - 1) as f64 * p).round() as usize])
}

#[test]
fn f32_is_nearer_to_f64_than_the_reference() {
    let Some(folder) = folder() else { return };
    let columns = read(&folder);
    let mut failures = Vec::new();
    for (case, options) in cases().into_iter().filter(|(case, _)| ["base", "ftc2", "iz01"].contains(case)) {
        let truth = fields(&folder.join(format!("out_{case}_f64.npy")));
        let theirs = fields(&folder.join(format!("out_{case}_f32.npy")));
        let ours = outputs(&run::<f32>(&columns, &options));
        for (i, name) in OUTPUTS.iter().enumerate() {
            let errors = |values: &[f64]| {
                let pairs = values.iter().zip(&truth[i]);
                percentiles(pairs.map(|(value, truth)| (value - truth).abs() / truth.abs().max(1e-30)).collect())
            };
            let (ours, theirs) = (errors(&ours[i]), errors(&theirs[i]));
            println!("{case} {name}: {ours:?}, the reference's own {theirs:?}");
            // Of what both have nearly all digits of, a last digit more.
            let fits = ours.iter().zip(theirs).all(|(ours, theirs)| *ours <= (2.0 * theirs).max(3e-7));
            if !fits {
                failures.push(format!("{case} {name}: {ours:?} against {theirs:?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn the_table_is_the_references() {
    let Some(folder) = folder() else { return };
    let theirs = fields(&folder.join("psi_table_f64.npy"));
    let ours = corrections::<f64>();
    assert_eq!(ours.len(), 2 * 999 * 4);
    for (number, values) in ours.chunks(4).enumerate() {
        let (side, node) = (number / 999, number % 999);
        for (quantity, ours) in values[..2].iter().enumerate() {
            let theirs = theirs[2 * side + quantity][node];
            assert!((ours - theirs).abs() <= 1e-14 * (1.0 + theirs.abs()), "{side} {node}: {ours:e} {theirs:e}");
        }
    }
}
