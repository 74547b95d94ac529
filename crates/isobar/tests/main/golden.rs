//! `isobar forward` against JURASSIC: every forward case of the reference data, from its own files.

use std::fs;
use std::path::Path;

use crate::common::{isobar, said};
use isobar_golden::{Agreement, Value, find, json, numbers};

/// How a case is run.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Default,
    JurassicExact,
    Single,
}
use Mode::{Default, JurassicExact, Single};

/// How far results may lie from JURASSIC's: the first row that matches counts. A name that ends in `*` stands for all
/// that begin so. Radiances and brightness temperatures relative, transmittances absolute.
#[rustfmt::skip]
const TOLERANCES: &[(Mode, &str, f64, f64, &str)] = &[
    (JurassicExact, "fm_ega_surface_type2", 2e-10, 1e-11, "the reflected sky is a second sum over some hundred \
                                                           emissivities 1 - (1 - E) / tau, which cancel"),
    (JurassicExact, "fm_ega_surface_type3*", 2e-10, 1e-11, "likewise"),
    (JurassicExact, "*", 1e-10, 1e-11, "the same arithmetic, other last bits of exp and log"),
    (Default, "fm_ega_1gas_o3", 3e-6, 2e-7, "thin grazing paths: the reference's slopes, in single precision, lose \
                                             digits"),
    (Default, "fm_ega_defaultsteps", 3e-6, 1e-6, "likewise, with five times as many segments to gather them"),
    (Default, "*", 2e-6, 2e-7, "the reference forms slopes of tables in single precision, we in double"),
    (Single, "*", 4e-6, 3e-6, "24 bits, rounded at each of up to a thousand segments"),
];

fn tolerance(mode: Mode, case: &str) -> (f64, f64) {
    let matches = |pattern: &str| pattern.strip_suffix('*').map_or(case == pattern, |start| case.starts_with(start));
    let row = TOLERANCES.iter().find(|row| row.0 == mode && matches(row.1)).expect("a row for every case");
    (row.2, row.3)
}

/// Compared with `--jurassic-exact` alone. The reference drops a segment that is opaque to the last bit of a double,
/// its emission and its absorption; with us it emits and hides what is behind. The ray, whose first segment is opaque
/// in some channels, differs, and transmittances of the case that are 0 with us.
const OPAQUE_STEP: (&str, &str) = ("fm_ega_ds20_nodz", "zenith_from_13m");

/// Compared with `--jurassic-exact` alone: by default the ground reflects the Sun by Lambert's law.
const SUNLIT: &str = "fm_ega_surface_type3";

/// Tangent heights \[km\].
const TANGENT_HEIGHT_KM: f64 = 1e-9;

#[test]
fn double_precision() {
    all_cases(Default, &[]);
}

#[test]
fn jurassic_exact() {
    all_cases(JurassicExact, &["--jurassic-exact"]);
}

#[test]
fn single_precision() {
    all_cases(Single, &["--precision", "f32"]);
}

/// Runs all cases and fails with every result that lies outside its tolerance.
fn all_cases(mode: Mode, options: &[&str]) {
    let Some(reference) = find("jurassic") else { return };
    let mut cases: Vec<_> =
        fs::read_dir(reference.join("forward")).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    cases.sort();
    assert!(cases.len() >= 30, "the reference has 30 cases");
    cases.retain(|path| mode == JurassicExact || !path.file_name().unwrap().to_str().unwrap().starts_with(SUNLIT));
    let mut problems = Vec::new();
    let mut agreement = Agreement::default();
    for path in &cases {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let expected = json(path);
        let rows = run(&reference.join("inputs"), name, &expected, options);
        let worst = compare(mode, name, &expected, &rows, (&mut problems, &mut agreement));
        println!(
            "{mode:?} {name}: radiance {:.1e}, transmittance {:.1e}, tangent height {:.0e} km",
            worst.0, worst.1, worst.2
        );
    }
    let (key, curve) = match mode {
        Default => ("1-jurassic-1", "default"),
        JurassicExact => ("1-jurassic-2", "--jurassic-exact"),
        Single => ("1-jurassic-3", "f32"),
    };
    agreement.write(key, "Infrared, against JURASSIC", curve, "relative");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Runs the command on the files of a case, with the rays for which there are results, and reads its output.
fn run(inputs: &Path, name: &str, expected: &Value, options: &[&str]) -> Vec<Vec<f64>> {
    let folder = tempfile::tempdir().unwrap();
    let (obs, out) = (folder.path().join("obs.tab"), folder.path().join("rad.tab"));
    fs::write(&obs, observation(inputs, name, expected)).unwrap();
    let file = |key: &str| inputs.join(expected[key].as_str().unwrap()).into_os_string();
    let mut arguments = vec!["forward".into(), "--ctl".into(), file("ctl"), "--atm".into(), file("atm")];
    arguments.extend(["--obs".into(), obs.into_os_string(), "--out".into(), out.clone().into_os_string()]);
    arguments.extend(["--device", "cpu", "--quiet"].map(Into::into));
    arguments.extend(options.iter().map(Into::into));
    let output = isobar(&arguments);
    assert!(output.status.success(), "{name}: {}", said(&output));
    isobar_golden::rows(&out)
}

/// The rays of a case as an observation file. Only `fm_ega_nanmask` masks measurements: those that its results lack.
fn observation(inputs: &Path, name: &str, expected: &Value) -> String {
    let geometry = json(&inputs.join(expected["rays"].as_str().unwrap()));
    let mut text = String::new();
    for result in expected["results"].as_array().unwrap() {
        let ray = geometry["rays"].as_array().unwrap().iter().find(|ray| ray["name"] == result["ray"]).unwrap();
        let view_point = numbers(&ray["vp"]);
        let mut row = vec![ray["time"].as_f64().unwrap()];
        row.extend(numbers(&ray["obs"]));
        row.extend(&view_point);
        row.extend(&view_point);
        let masked = |x: &f64| name == "fm_ega_nanmask" && x.is_nan();
        row.extend(numbers(&result["rad"]).iter().map(|x| if masked(x) { f64::NAN } else { 0.0 }));
        row.extend(numbers(&result["tau"]).iter().map(|_| 0.0));
        text += &row.iter().map(|x| format!("{x:e}")).collect::<Vec<_>>().join(" ");
        text.push('\n');
    }
    text
}

/// The largest deviations; those that are too large become problems.
fn compare(
    mode: Mode,
    name: &str,
    expected: &Value,
    rows: &[Vec<f64>],
    (problems, agreement): (&mut Vec<String>, &mut Agreement),
) -> (f64, f64, f64) {
    let (radiance_tolerance, transmittance_tolerance) = tolerance(mode, name);
    let results = expected["results"].as_array().unwrap();
    assert_eq!(rows.len(), results.len(), "{name}: one row a ray");
    let mut worst = (0.0_f64, 0.0_f64, 0.0_f64);
    for (result, row) in results.iter().zip(rows) {
        let ray = result["ray"].as_str().unwrap();
        if mode != JurassicExact && (name, ray) == OPAQUE_STEP {
            continue;
        }
        let (radiance, transmittance) = row[10..].split_at((row.len() - 10) / 2);
        let tangent = (row[7] - numbers(&result["tp"])[0]).abs();
        worst.2 = worst.2.max(tangent);
        let mut check = |what: &str, got: f64, deviation: f64, tolerance: f64| {
            if deviation > tolerance || deviation.is_nan() {
                problems
                    .push(format!("{name} {ray}: {what} {got}: deviation {deviation:.1e}, at most {tolerance:.0e}"));
            }
        };
        check("tangent height", row[7], tangent, TANGENT_HEIGHT_KM);
        for (channel, (want, &got)) in numbers(&result["rad"]).into_iter().zip(radiance).enumerate() {
            let deviation = relative(name, want, got);
            check(&format!("radiance of channel {channel}"), got, deviation, radiance_tolerance);
            worst.0 = worst.0.max(deviation);
            agreement.add(deviation);
        }
        for (channel, (want, &got)) in numbers(&result["tau"]).into_iter().zip(transmittance).enumerate() {
            if mode != JurassicExact && name == OPAQUE_STEP.0 && got == 0.0 {
                continue;
            }
            check(&format!("transmittance of channel {channel}"), got, (got - want).abs(), transmittance_tolerance);
            worst.1 = worst.1.max((got - want).abs());
        }
    }
    worst
}

/// How far a radiance lies from the reference. What is masked is NaN in both; the brightness temperature of no radiance
/// is 0 K with us and NaN in the reference.
fn relative(name: &str, want: f64, got: f64) -> f64 {
    let nothing = if name == "fm_ega_bbt" { got == 0.0 } else { got.is_nan() };
    if want == got || (want.is_nan() && nothing) { 0.0 } else { ((got - want) / want).abs() }
}
