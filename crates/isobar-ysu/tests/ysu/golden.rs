//! The reference's columns, case by case.

use std::path::Path;

use isobar_core::Real;
use isobar_golden::Agreement;
use isobar_ysu::{Columns, Options, Results, Version};

use crate::case::{SETS, read, run, stack};
use crate::tolerances::{DIFFUSIVITY, TENDENCY};

/// Values of several fields.
type Fields = Vec<Vec<f64>>;

/// The reference's cases with their options.
const CASES: [(&str, Version, bool, bool); 4] = [
    ("base", Version::Wrf4, false, false),
    ("td", Version::Wrf4, true, false),
    ("tdtopo", Version::Wrf4, true, true),
    ("wrf361", Version::Wrf361, false, false),
];

/// Names of the fields of `out_<case>_<precision>_3d.npy` and `..._2d.npy`.
pub(crate) const FIELDS: [&str; 8] =
    ["rublten", "rvblten", "rthblten", "rqvblten", "rqcblten", "rqiblten", "exch_h", "exch_m"];
pub(crate) const VALUES: [&str; 10] =
    ["hpbl", "kpbl", "wstar", "delta", "u10", "v10", "dusfc", "dvsfc", "dtsfc", "dqsfc"];

fn options((_, version, top_down, topographic): (&str, Version, bool, bool), time_step_s: f64) -> Options {
    Options { version, top_down, topographic, ..Options::new(time_step_s) }
}

pub(crate) fn fields<R: Real>(out: &Results<R>) -> Vec<Vec<f64>> {
    [
        &out.u_tendency_m_per_s2,
        &out.v_tendency_m_per_s2,
        &out.theta_tendency_k_per_s,
        &out.vapour_tendency_kg_per_kg_s,
        &out.cloud_water_tendency_kg_per_kg_s,
        &out.cloud_ice_tendency_kg_per_kg_s,
        &out.diffusivity_heat_m2_per_s,
        &out.diffusivity_momentum_m2_per_s,
    ]
    .map(|field| field.iter().map(|x| x.value()).collect())
    .to_vec()
}

pub(crate) fn values<R: Real>(out: &Results<R>) -> Vec<Vec<f64>> {
    let plain = |values: &Vec<R>| values.iter().map(|x| x.value()).collect::<Vec<f64>>();
    let level = out.level.iter().map(|&k| f64::from(k)).collect();
    let rest = [&out.convective_velocity_m_per_s, &out.entrainment_depth_m, &out.u_10m_m_per_s, &out.v_10m_m_per_s];
    let integrals = [&out.stress_u_n_per_m2, &out.stress_v_n_per_m2, &out.heat_w_per_m2, &out.latent_heat_w_per_m2];
    [plain(&out.height_m), level].into_iter().chain(rest.into_iter().chain(integrals).map(plain)).collect()
}

/// Column integrals of the magnitudes of the tendencies: of u, v, heat \[W/m^2\], latent heat \[W/m^2\].
fn integrals_of_magnitudes(columns: &Columns<f64>, fields: &[Vec<f64>], field: usize) -> Vec<f64> {
    let (count, p) = (columns.columns(), &columns.interface_pressure_pa);
    let unit = [1.0, 1.0, 1004.5, 2.5e6][field] / 9.81;
    let values = &fields[field];
    let mut sums = vec![0.0; count];
    values.iter().enumerate().for_each(|(i, x)| sums[i % count] += x.abs() * (p[i] - p[i + count]) * unit);
    sums
}

/// The reference's fields of a case and precision.
fn reference(dir: &Path, case: &str, precision: &str) -> Option<(Fields, Fields)> {
    let path = |end: &str| dir.join(format!("out_{case}_{precision}_{end}.npy"));
    let three = if path("3d").exists() { path("3d") } else { path("uv") };
    if !three.exists() {
        return None;
    }
    let mut fields = stack(&three);
    if case == "tdtopo" {
        // Only the winds are there: the rest equals that of td.
        fields.extend(reference(dir, "td", precision)?.0.into_iter().skip(fields.len()));
    }
    Some((fields, stack(&path("2d"))))
}

/// The largest magnitude of each column.
pub(crate) fn largest(field: &[f64], columns: usize) -> Vec<f64> {
    let mut largest = vec![0.0_f64; columns];
    field.iter().enumerate().for_each(|(i, x)| largest[i % columns] = largest[i % columns].max(x.abs()));
    largest
}

/// The largest error of each column, in units of `scale`; 0 where both are equal.
pub(crate) fn errors(got: &[f64], expected: &[f64], columns: usize, scale: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut worst = vec![0.0_f64; columns];
    for (i, (got, expected)) in got.iter().zip(expected).enumerate() {
        if got != expected {
            let error = (got - expected).abs() / scale(i);
            worst[i % columns] = if error > worst[i % columns] || error.is_nan() { error } else { worst[i % columns] };
        }
    }
    worst
}

#[test]
fn reference_sets_in_f64() {
    let Some(dir) = isobar_golden::find("ysu") else { return };
    let (mut diffusivities, mut tendencies) = (Agreement::default(), Agreement::default());
    for (set, time_step_s) in SETS {
        let columns = read(&dir.join(set));
        let count = columns.columns();
        for case in CASES {
            let out = run::<f64>(&columns, options(case, time_step_s));
            let (three, two) = reference(&dir.join(set), case.0, "f64").expect("every case is there in f64");
            let mut report = format!("{set} {}:", case.0);
            let mut failures = Vec::new();
            let mut check = |name: &str, errors: Vec<f64>, tolerance: f64| {
                let (column, worst) = errors
                    .iter()
                    .enumerate()
                    .fold((0, 0.0), |a, (i, &e)| if e > a.1 || e.is_nan() { (i, e) } else { a });
                report += &format!(" {name} {worst:.1e}");
                if worst > tolerance || worst.is_nan() {
                    failures.push(format!("{set} {} {name}: {worst:e} in column {column}", case.0));
                }
            };
            for (name, (got, expected)) in VALUES.iter().zip(values(&out).iter().zip(&two)) {
                let magnitude = largest(expected, count);
                match *name {
                    "kpbl" => check(name, errors(got, expected, count, |_| 1.0), 0.0),
                    "hpbl" | "wstar" | "delta" | "u10" | "v10" => {
                        check(name, errors(got, expected, count, |i| magnitude[i]), DIFFUSIVITY);
                    }
                    // Sums of tendencies of either sign: as accurate as those.
                    _ => {
                        let field = ["dusfc", "dvsfc", "dtsfc", "dqsfc"].iter().position(|x| x == name);
                        let scale = integrals_of_magnitudes(&columns, &three, field.expect("an integral"));
                        check(name, errors(got, expected, count, |i| scale[i]), TENDENCY);
                    }
                }
            }
            for (name, (got, expected)) in FIELDS.iter().zip(fields(&out).iter().zip(&three)) {
                let magnitude = largest(expected, count);
                for (i, (got, expected)) in got.iter().zip(expected).enumerate() {
                    let difference = got - expected;
                    match name.starts_with("exch") {
                        true => diffusivities.add(if difference == 0.0 { 0.0 } else { difference / expected }),
                        false => {
                            tendencies.add(if difference == 0.0 { 0.0 } else { difference / magnitude[i % count] })
                        }
                    }
                }
                if name.starts_with("exch") {
                    check(name, errors(got, expected, count, |i| expected[i].abs()), DIFFUSIVITY);
                } else {
                    check(name, errors(got, expected, count, |i| magnitude[i % count]), TENDENCY);
                }
            }
            println!("{report}");
            assert!(failures.is_empty(), "{failures:#?}");
            assert!(out.status.iter().all(|&status| status == 0));
        }
    }
    let panel = "Boundary layers, against WRF's YSU";
    diffusivities.write("2-ysu-1", panel, "diffusivities", "relative");
    tendencies.write("2-ysu-2", panel, "tendencies, of a column's largest", "relative");
}

/// Median and 99th percentile.
pub(crate) fn percentiles(mut errors: Vec<f64>) -> [f64; 2] {
    errors.sort_by(f64::total_cmp);
    [0.5, 0.99].map(|p| errors[((errors.len() - 1) as f64 * p).round() as usize])
}

#[test]
fn reference_sets_in_f32_are_nearer_than_the_references_own() {
    let Some(dir) = isobar_golden::find("ysu") else { return };
    for case in &CASES[..2] {
        // Errors of all columns of all sets, ours and the reference's.
        let mut ours = vec![Vec::new(); FIELDS.len() + VALUES.len()];
        let mut theirs = ours.clone();
        for (set, time_step_s) in SETS {
            let columns = read(&dir.join(set));
            let count = columns.columns();
            let out = run::<f32>(&columns, options(*case, time_step_s));
            let truth = reference(&dir.join(set), case.0, "f64").expect("every case is there in f64");
            let single = reference(&dir.join(set), case.0, "f32").expect("this case is there in f32");
            let got: Vec<_> = fields(&out).into_iter().chain(values(&out)).collect();
            let truth: Vec<_> = truth.0.into_iter().chain(truth.1).collect();
            let single: Vec<_> = single.0.into_iter().chain(single.1).collect();
            for (i, truth) in truth.iter().enumerate() {
                let magnitude = largest(truth, count);
                let scale = |i: usize| magnitude[i % count].max(1e-30);
                ours[i].extend(errors(&got[i], truth, count, scale));
                theirs[i].extend(errors(&single[i], truth, count, scale));
            }
        }
        let mut failures = Vec::new();
        for (i, (ours, theirs)) in ours.into_iter().zip(theirs).enumerate() {
            let name = FIELDS.iter().chain(&VALUES).nth(i).expect("a name each");
            let (ours, theirs) = (percentiles(ours), percentiles(theirs));
            let [a, b] = ours;
            let [c, d] = theirs;
            println!("{} {name}: {a:.1e} / {b:.1e}, the reference's own {c:.1e} / {d:.1e}", case.0);
            if ours[0] > theirs[0] || ours[1] > theirs[1] || ours[1].is_nan() || (*name == "kpbl" && ours[1] > 0.0) {
                failures.push(format!("{} {name}: {ours:?} against {theirs:?}", case.0));
            }
        }
        assert!(failures.is_empty(), "{failures:#?}");
    }
}
