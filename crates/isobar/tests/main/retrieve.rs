//! `isobar retrieve` on simulated measurements of the demonstration's limb case.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::radiation_file::Numbers;
use crate::common::{Case, numbers, said};

const KEYS: [&str; 15] = [
    "RETT_ZMIN=10",
    "RETT_ZMAX=30",
    "ERR_TEMP=5",
    "ERR_TEMP_CZ=6",
    "ERR_TEMP_CH=1000",
    "RETQ_ZMIN[2]=15",
    "RETQ_ZMAX[2]=25",
    "ERR_Q[2]=20",
    "ERR_Q_CZ[2]=-999",
    "ERR_NOISE[*]=1e-6",
    "ERR_FORMOD[*]=0.1",
    "KERNEL_RECOMP=1",
    "CONV_DMIN=0.01",
    "WRITE_MATRIX=1",
    "CONV_ITMAX=20",
];

/// A case with a folder of what is known before and what was measured, in a warmer atmosphere.
fn prepared() -> Case {
    let case = Case::limb();
    fs::create_dir(case.path("limb/one")).unwrap();
    fs::copy(case.path("limb/atm.tab"), case.path("limb/one/atm_apr.tab")).unwrap();
    let text = fs::read_to_string(case.path("limb/atm.tab")).unwrap();
    for (row, values) in numbers(&text).iter().enumerate() {
        if (10.0..=30.0).contains(&values[1]) {
            case.set("limb/atm.tab", row, 5, &(values[5] + 3.0).to_string());
        }
    }
    case.forward(&[]);
    fs::copy(case.out(), case.path("limb/one/obs_meas.tab")).unwrap();
    case
}

fn retrieve(case: &Case, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_isobar"))
        .args(["retrieve", "--ctl", "limb.ctl"])
        .args(KEYS)
        .args(more)
        .current_dir(case.path("limb"))
        .output()
        .expect("the command starts")
}

fn rows(path: PathBuf) -> Vec<Vec<f64>> {
    numbers(&fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

#[test]
fn the_truth_is_found_within_its_errors() {
    let case = prepared();
    let plot = case.path("limb/one.svg");
    let output = retrieve(&case, &["--dir", "one", "--out", "result", "--plot", plot.to_str().unwrap()]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).contains("1 retrievals, 1 converged, 0 failed"), "{}", said(&output));
    let result = |name: &str| rows(case.path("limb/result").join(name));
    let (truth, found, errors) =
        (rows(case.path("limb/atm.tab")), result("atm_final.tab"), result("atm_err_total.tab"));
    let mut retrieved = 0;
    for ((truth, found), error) in truth.iter().zip(&found).zip(&errors) {
        if (12.0..=28.0).contains(&truth[1]) {
            let away = (found[5] - truth[5]).abs();
            assert!(away < 3.0 * error[5] && error[5] < 5.0, "{} km: {away} K, error {} K", truth[1], error[5]);
            retrieved += 1;
        }
    }
    assert!(retrieved > 4);
    let costs = result("costs.tab");
    assert!(costs.windows(2).all(|pair| pair[1][1] <= pair[0][1]) && costs[costs.len() - 1][1] < 1.0);
    for name in ["kernel", "cov_apr", "cov_ret", "corr", "gain", "avk"] {
        assert!(case.path(&format!("limb/result/matrix_{name}.tab")).exists(), "{name}");
    }
    let svg = fs::read_to_string(plot).unwrap();
    assert!(["Averaging kernels, TEMPERATURE", "Residual", "retrieved"].iter().all(|title| svg.contains(title)));
}

/// The pressure that is written is that of the forward model: without `HYDZ` it gives the same radiances.
#[test]
fn a_hydrostatic_pressure_is_written() {
    let case = prepared();
    let output = retrieve(&case, &["--dir", "one", "--out", "result", "HYDZ=20"]);
    assert!(output.status.success(), "{}", said(&output));
    let words = "forward --ctl limb.ctl --atm result/atm_final.tab --obs obs.tab -o rad.tab --device cpu --quiet";
    let mut forward = Command::new(env!("CARGO_BIN_EXE_isobar"));
    let output = forward.args(words.split(' ')).current_dir(case.path("limb")).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let (seen, fitted) = (rows(case.path("limb/rad.tab")), rows(case.path("limb/result/obs_final.tab")));
    for (seen, fitted) in seen.iter().zip(&fitted) {
        for channel in 10..14 {
            assert!((seen[channel] / fitted[channel] - 1.0).abs() < 1e-9, "{} {}", seen[channel], fitted[channel]);
        }
    }
    let before = rows(case.path("limb/one/atm_apr.tab"));
    let changed = before.iter().zip(rows(case.path("limb/result/atm_final.tab")));
    assert!(changed.map(|(old, new)| (new[4] / old[4] - 1.0).abs()).fold(0.0, f64::max) > 1e-3);
}

/// Numbers that are no pressures and temperatures have titles and units of their own.
#[test]
fn contribution_and_resolution_are_titled() {
    let case = prepared();
    let output = retrieve(&case, &["--dir", "one", "--out", "result", "ERR_TEMP_CH=-999"]);
    assert!(output.status.success(), "{}", said(&output));
    let told = "ERR_TEMP_CZ has no effect without ERR_TEMP_CH: levels are not correlated";
    // The later of two values of the command line does not count.
    assert!(!said(&output).contains(told), "{}", said(&output));
    let text = |name: &str| fs::read_to_string(case.path("limb/result").join(name)).unwrap();
    assert!(text("atm_cont.tab").contains("# $6 = contribution of the measurement to temperature [1]"));
    assert!(text("atm_res.tab").contains("# $6 = resolution in levels of temperature [1]"));
    assert!(text("atm_err_total.tab").contains("# $6 = temperature [K]"));
    let keys: Vec<&str> = KEYS.into_iter().filter(|key| !key.starts_with("ERR_TEMP_CH")).collect();
    let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
    command.args(["retrieve", "--ctl", "limb.ctl", "--dir", "one", "--out", "alone"]).args(keys);
    let output = command.current_dir(case.path("limb")).output().unwrap();
    assert!(said(&output).contains(told), "{}", said(&output));
}

#[test]
fn one_failure_leaves_the_others() {
    let case = prepared();
    let copy = |to: &str| {
        fs::create_dir(case.path(&format!("limb/{to}"))).unwrap();
        for name in ["atm_apr.tab", "obs_meas.tab"] {
            fs::copy(case.path("limb/one").join(name), case.path(&format!("limb/{to}")).join(name)).unwrap();
        }
    };
    copy("two");
    copy("three");
    case.set("limb/two/atm_apr.tab", 4, 5, "-3");
    fs::write(case.path("limb/list.txt"), "one\ntwo\nthree\n").unwrap();
    let output = retrieve(&case, &["--dirlist", "list.txt"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(said(&output).contains("3 retrievals, 2 converged, 1 failed"), "{}", said(&output));
    assert!(said(&output).contains("two/atm_apr.tab:"), "{}", said(&output));
    let result = |folder: &str| fs::read_to_string(case.path("limb").join(folder).join("atm_final.tab"));
    // Alone or in a batch, the same digits.
    assert_eq!(result("one").unwrap(), result("three").unwrap());
    assert!(result("two").is_err());
    assert!(retrieve(&case, &["--dir", "one", "--out", "alone"]).status.success());
    assert_eq!(result("alone").unwrap(), result("one").unwrap());
    assert_eq!(retrieve(&case, &["--dir", "two", "--dir", "two", "--out", "both"]).status.code(), Some(4));
    // Of one, the reason.
    assert_eq!(retrieve(&case, &["--dir", "two"]).status.code(), Some(1));
}

#[test]
fn bad_input_is_one_error_with_its_place() {
    let case = prepared();
    let refuse = |more: &[&str], expected: &str| {
        let output = retrieve(&case, &[&["--dir", "one", "--out", "result", "--quiet"], more].concat());
        assert!(!output.status.success(), "{expected}");
        let said = said(&output);
        assert!(said.contains(expected) && said.trim_end().lines().count() == 1, "{said}, expected {expected}");
        assert!(!Path::new(&case.path("limb/result")).exists());
    };
    // The first match of a key counts.
    case.edit("limb/limb.ctl", |text| format!("{text}\nERR_PRESS = 0\nERR_K_CZ[0] = 0\n"));
    refuse(&[], "limb.ctl:");
    refuse(&[], "correlation length ERR_K_CZ[0] = 0 km lies outside (0, inf)");
    case.edit("limb/limb.ctl", |text| text.replace("ERR_K_CZ[0] = 0\n", ""));
    refuse(&["--precision", "f32"], "retrievals are computed in double precision only");
    refuse(&["RETP_ZMIN=10", "RETP_ZMAX=20"], "the a priori covariance is singular at PRESSURE");
    refuse(&["RETK_ZMIN[4]=3"], "RETK_ZMIN[4] asks for more elements than are declared: NW = 1");
    let measured = fs::read_to_string(case.path("limb/one/obs_meas.tab")).unwrap();
    let masked: Vec<String> = measured
        .lines()
        .map(|line| {
            let mut words: Vec<&str> = line.split(' ').collect();
            if !line.starts_with('#') && words.len() > 14 {
                words[10..14].fill("nan");
            }
            words.join(" ")
        })
        .collect();
    fs::write(case.path("limb/one/obs_meas.tab"), masked.join("\n")).unwrap();
    refuse(&[], "all of the 56 measured values are masked");
    fs::write(case.path("limb/one/obs_meas.tab"), measured).unwrap();
    // Rays alone, which have no measurement of 0.
    let measured = fs::read_to_string(case.path("limb/one/obs_meas.tab")).unwrap();
    let rays = numbers(&measured);
    let rays = rays.iter().map(|row| row[..7].iter().map(f64::to_string).collect::<Vec<_>>().join(" "));
    fs::write(case.path("limb/one/obs_meas.tab"), rays.collect::<Vec<_>>().join("\n")).unwrap();
    let line = line_of(&case, "limb/one/obs_meas.tab", 0);
    refuse(&[], &format!("one/obs_meas.tab:{line}: column 8 (tangent point altitude) is missing"));
    fs::write(case.path("limb/one/obs_meas.tab"), measured).unwrap();
    case.set("limb/one/atm_apr.tab", 12, 5, "90");
    let line = line_of(&case, "limb/one/atm_apr.tab", 12);
    refuse(&[], &format!("one/atm_apr.tab:{line}: a priori TEMPERATURE 90 at"));
    case.set("limb/one/atm_apr.tab", 12, 5, "230");
    refuse(&["RETP_ZMIN=20", "RETP_ZMAX=10"], "command line: RETP_ZMIN = 20 km lies above RETP_ZMAX = 10 km: nothing");
    refuse(&["RETQ_ZMIN[1]=3"], "RETQ_ZMIN[1] = 3 km lies above RETQ_ZMAX[1] = -999 km");
    let between = ["RETP_ZMIN=10.2", "RETP_ZMAX=10.4"];
    refuse(&between, "one/atm_apr.tab: no level lies between 10.2 and 10.4 km, where PRESSURE");
    let mut plain = Command::new(env!("CARGO_BIN_EXE_isobar"));
    plain.args(["retrieve", "--ctl", "limb.ctl", "--dir", "one", "--out", "result", "RETT_ZMIN=10", "RETT_ZMAX=30"]);
    let output = plain.args(["ERR_TEMP=5", "ERR_NOISE[0]=1"]).current_dir(case.path("limb")).output().unwrap();
    let words = "limb.ctl: channel 1 (832 cm^-1) of ray 0 has no error: set ERR_NOISE[1]";
    assert!(output.status.code() == Some(1) && said(&output).contains(words), "{}", said(&output));
    // Neither can be fitted: the square of what is left is beyond all numbers.
    for value in ["1e200", "-1e156"] {
        let before = fs::read_to_string(case.path("limb/one/obs_meas.tab")).unwrap();
        case.set("limb/one/obs_meas.tab", 3, 11, value);
        let line = line_of(&case, "limb/one/obs_meas.tab", 3);
        refuse(&[], &format!("one/obs_meas.tab:{line}: channel 1 (832 cm^-1) of ray 3 was measured as {value}"));
        fs::write(case.path("limb/one/obs_meas.tab"), before).unwrap();
    }
}

/// The line of a row, both counted as people do.
fn line_of(case: &Case, name: &str, row: usize) -> usize {
    let text = fs::read_to_string(case.path(name)).unwrap();
    let is_row = |line: &&str| !line.starts_with('#') && !line.trim().is_empty();
    text.lines().enumerate().filter(|(_, line)| is_row(line)).nth(row).unwrap().0 + 1
}

/// What is missing by whatever word is no data, and said; data that no state explains are said, too.
#[test]
fn missing_and_odd_measurements_are_told() {
    let case = prepared();
    let whole = fs::read_to_string(case.path("limb/one/obs_meas.tab")).unwrap();
    let with = |values: [&str; 2]| {
        fs::write(case.path("limb/one/obs_meas.tab"), &whole).unwrap();
        for (row, value) in [2, 5].into_iter().zip(values) {
            case.set("limb/one/obs_meas.tab", row, 12, value);
        }
        let output = retrieve(&case, &["--dir", "one", "--json"]);
        assert!(output.status.success(), "{}", said(&output));
        let json: isobar_golden::Value = serde_json::from_str(&crate::common::printed(&output)).unwrap();
        (fs::read_to_string(case.path("limb/one/atm_final.tab")).unwrap(), said(&output), json)
    };
    let (masked, words, json) = with(["nan", "nan"]);
    let missing = "2 measured values are missing (NaN, -999, -9999) and left out, first of one";
    assert!(words.contains(missing), "{words}");
    assert_eq!((&json["values_missing"], &json["measured_values"][0]), (&2.into(), &54.into()));
    assert!(json["warnings"].as_array().unwrap().iter().any(|warning| warning == missing), "{json}");
    // A measurement without noise: it is fitted better than its errors allow.
    assert_eq!((&json["chi_squared_too_large"], &json["chi_squared_too_small"]), (&0.into(), &1.into()));
    assert!(words.contains("chi-squared is far below its expectation: "), "{words}");
    let (filled, words, _) = with(["-999", "-9999.0"]);
    assert!(filled == masked && words.contains(missing), "{words}");
    // 100 times the noise.
    let (_, words, json) = with(["1e-4", "1e-4"]);
    assert_eq!((&json["values_missing"], &json["chi_squared_too_large"]), (&0.into(), &1.into()));
    assert!(words.contains("far above the 56 +- 10.6 of its expectation"), "{words}");
    let chi_squared = json["chi_squared"][0].as_f64().unwrap();
    let costs = json["costs"][0].as_array().unwrap();
    assert!((chi_squared / (costs[costs.len() - 1].as_f64().unwrap() * 56.0) - 1.0).abs() < 1e-14);
}

/// Without ozone in the truth some mixing ratios end at 0. The cost is that of the atmosphere that is written: of its
/// own radiances, and of its way from what was known before.
#[test]
fn the_cost_is_that_of_the_state_within_its_limits() {
    let case = prepared();
    let is_retrieved = |height_km: f64| (15.0..=25.0).contains(&height_km);
    for (row, values) in rows(case.path("limb/atm.tab")).iter().enumerate() {
        if is_retrieved(values[1]) {
            case.set("limb/atm.tab", row, 8, "0");
        }
    }
    case.forward(&[]);
    fs::copy(case.out(), case.path("limb/one/obs_meas.tab")).unwrap();
    // Temperatures are those of the truth: ozone alone is sought.
    fs::copy(case.path("limb/atm.tab"), case.path("limb/one/atm_apr.tab")).unwrap();
    for (row, values) in rows(case.path("limb/atm.tab")).iter().enumerate() {
        if is_retrieved(values[1]) {
            case.set("limb/one/atm_apr.tab", row, 8, "3e-6");
        }
    }
    let words = "retrieve --ctl limb.ctl --dir one --out result RETQ_ZMIN[2]=15 RETQ_ZMAX[2]=25 ERR_Q[2]=100 \
                 ERR_NOISE[*]=1e-5 KERNEL_RECOMP=1 CONV_DMIN=1e-6 CONV_ITMAX=60";
    let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
    let output = command.args(words.split_whitespace()).current_dir(case.path("limb")).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).contains("1 retrievals, 1 converged, 0 failed"), "{}", said(&output));
    let found = rows(case.path("limb/result/atm_final.tab"));
    let at_zero = found.iter().filter(|row| is_retrieved(row[1]) && row[8] == 0.0).count();
    let told = format!("{at_zero} of 11 elements are at their limits at the end, first O3 at ");
    assert!(at_zero > 0 && said(&output).contains(&told), "{told}: {}", said(&output));
    let words = "forward --ctl limb.ctl --atm result/atm_final.tab --obs obs.tab -o rad.tab --device cpu --quiet";
    let mut forward = Command::new(env!("CARGO_BIN_EXE_isobar"));
    assert!(forward.args(words.split(' ')).current_dir(case.path("limb")).status().unwrap().success());
    let square = |x: f64| x * x;
    let misfits = rows(case.path("limb/rad.tab")).into_iter().zip(rows(case.path("limb/one/obs_meas.tab")));
    let misfit: f64 = misfits.flat_map(|(f, y)| (10..14).map(move |i| square((y[i] - f[i]) / 1e-5))).sum();
    let away: f64 = found.iter().filter(|row| is_retrieved(row[1])).map(|row| square((row[8] - 3e-6) / 3e-6)).sum();
    let costs = rows(case.path("limb/result/costs.tab"));
    let last = &costs[costs.len() - 1];
    assert!(((misfit + away) / last[2] / last[1] - 1.0).abs() < 1e-9, "{misfit} {away} {last:?}");
}

/// Air that is 4 % denser at all heights, in balance: the one pressure that is retrieved carries the others.
#[test]
fn of_hydrostatic_pressures_one_is_retrieved() {
    let case = prepared();
    let truth = rows(case.path("limb/one/atm_apr.tab"));
    fs::copy(case.path("limb/one/atm_apr.tab"), case.path("limb/atm.tab")).unwrap();
    for (row, values) in truth.iter().enumerate() {
        case.set("limb/atm.tab", row, 4, &(1.04 * values[4]).to_string());
    }
    case.forward(&["HYDZ=20"]);
    fs::copy(case.out(), case.path("limb/one/obs_meas.tab")).unwrap();
    let run = |range: &str| {
        let words = "retrieve --ctl limb.ctl --dir one --out result HYDZ=20 ERR_PRESS=5 ERR_NOISE[*]=1e-6";
        let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
        let words = format!("{words} KERNEL_RECOMP=1 CONV_DMIN=1e-4 {range}");
        command.args(words.split_whitespace()).current_dir(case.path("limb")).output().unwrap()
    };
    let output = run("RETP_ZMIN=10 RETP_ZMAX=30");
    assert!(output.status.success() && said(&output).contains("1 converged"), "{}", said(&output));
    let told = "that of the level nearest to it alone is retrieved; the others follow it and temperature";
    assert!(said(&output).contains(told), "{}", said(&output));
    assert!(rows(case.path("limb/result/costs.tab")).iter().all(|row| row[3] == 1.0));
    let found = rows(case.path("limb/result/atm_final.tab"));
    let errors = rows(case.path("limb/result/atm_err_total.tab"));
    let at = found.iter().position(|row| row[1] == 20.0).unwrap();
    let denser = found[at][4] / truth[at][4];
    // The prior of 5 % is known to far less from 56 values.
    assert!((denser - 1.04).abs() < 3.0 * errors[at][4] / found[at][4] && errors[at][4] < 0.01 * found[at][4]);
    let of_others = errors.iter().enumerate().filter(|(row, _)| *row != at);
    assert!(of_others.into_iter().all(|(_, row)| row[4] == 0.0));
    // In balance both before and after: the same share everywhere.
    case.forward(&["HYDZ=20"]);
    for (row, (found, truth)) in found.iter().zip(&truth).enumerate() {
        let balanced = found[4] / truth[4] / denser;
        assert!((balanced - 1.0).abs() < 0.02, "row {row}: {balanced}");
    }
    let output = run("RETP_ZMIN=25 RETP_ZMAX=30");
    let told = "no level that is the one nearest to HYDZ = 20 km lies between 25 and 30 km, where PRESSURE";
    assert!(!output.status.success() && said(&output).contains(told), "{}", said(&output));
}

#[test]
fn results_of_an_earlier_run_are_told() {
    let case = prepared();
    let first = retrieve(&case, &["--dir", "one", "--out", "result"]);
    assert!(first.status.success() && !said(&first).contains("earlier run"), "{}", said(&first));
    let error = case.path("limb/result/atm_err_total.tab");
    let before = fs::read(&error).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
    command.args(["retrieve", "--ctl", "limb.ctl", "--dir", "one", "--out", "result", "ERR_ANA=0", "WRITE_MATRIX=0"]);
    let second = command.args(KEYS).current_dir(case.path("limb")).output().unwrap();
    // Five of the analysis, its four matrices, and two others.
    let told = "11 files of an earlier run lie beside the results, first result/matrix_kernel.tab: ERR_ANA";
    assert!(second.status.success() && said(&second).contains(told), "{}", said(&second));
    assert_eq!(fs::read(&error).unwrap(), before);
}

/// The commands of `data/retrieval/README.md`, in a folder with the data; the results are the committed ones, or near
/// the truth.
#[test]
fn the_printed_commands_run() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(crate::common::data(), folder.path().join("data")).unwrap();
    let document = include_str!("../../../../data/retrieval/README.md");
    let commands = document.lines().filter_map(|line| line.strip_prefix("cargo run --release -p isobar -- "));
    let commands: Vec<&str> =
        commands.filter(|line| line.starts_with("kernel ") || line.starts_with("retrieve ")).collect();
    assert_eq!(commands.len(), 2, "{commands:?}");
    for command in commands {
        let mut isobar = Command::new(env!("CARGO_BIN_EXE_isobar"));
        let output = isobar.args(command.split(' ')).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{command}: {}", said(&output));
    }
    let made = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(made("kernel.tab") == fs::read_to_string(crate::common::data().join("retrieval/kernel.tab")).unwrap());
    assert!(made("kernel.svg").starts_with("<svg") && made("retrieved.svg").starts_with("<svg"));
    // `demo-data/src/cases/retrieval.rs`: 3 K warmer than was known before.
    let before = rows(crate::common::data().join("retrieval/atm_apr.tab"));
    let error = rows(folder.path().join("retrieved/atm_err_total.tab"));
    for ((before, found), error) in before.iter().zip(rows(folder.path().join("retrieved/atm_final.tab"))).zip(error) {
        let truth = before[5] + if (10.0..=30.0).contains(&before[1]) { 3.0 } else { 0.0 };
        assert!((found[5] - truth).abs() <= 3.0 * error[5], "{} km: {} K", before[1], found[5]);
    }
}

#[test]
fn profiles_of_shared_files_are_retrieved_as_those_of_folders() {
    let case = prepared();
    let tool = |tool: &str, file: &str, copies: usize| {
        let mut words = vec!["jurassic".to_owned(), tool.into(), "--ctl".into(), "limb.ctl".into()];
        (0..copies).for_each(|_| words.extend(["--in".into(), format!("one/{file}.tab")]));
        words.extend(["-o".into(), format!("{file}.nc")]);
        let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
        let output = command.args(&words).current_dir(case.path("limb")).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
    };
    tool("atmfmt", "atm_apr", 3);
    tool("obsfmt", "obs_meas", 3);
    fs::write(case.path("limb/list"), "2\n0\n").unwrap();
    let shared = [
        "SHARED_IO_PROFLIST=list",
        "SHARED_IO_ATM_APR_FILE=atm_apr.nc",
        "SHARED_IO_OBS_MEAS_FILE=obs_meas.nc",
        "SHARED_IO_ATM_FINAL_FILE=atm_final.nc",
        "SHARED_IO_OBS_FINAL_FILE=obs_final.nc",
        "SHARED_IO_ATM_ERR_TOTAL_FILE=atm_err_total.nc",
        "SHARED_IO_ATM_CONT_FILE=atm_cont.nc",
        "SHARED_IO_ATM_RES_FILE=atm_res.nc",
        "SHARED_IO_MATRIX_KERNEL_FILE=matrix_kernel.nc",
        "SHARED_IO_MATRIX_GAIN_FILE=matrix_gain.nc",
    ];
    let output = retrieve(&case, &shared);
    assert!(said(&output).contains("2 retrievals, 2 converged, 0 failed"), "{}", said(&output));
    assert!(retrieve(&case, &["--dir", "one"]).status.success());
    for (tool, file) in [("atmfmt", "atm_final"), ("obsfmt", "obs_final")] {
        let text = |profile: &str| {
            let arguments = ["jurassic", tool, "--ctl", "limb.ctl", "--profile", profile, "-o", "text", "--in"];
            let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
            command.args(arguments).arg(format!("{file}.nc")).current_dir(case.path("limb")).output().unwrap()
        };
        assert!(text("2").status.success(), "{}", said(&text("2")));
        assert_eq!(rows(case.path("limb/text")), rows(case.path("limb/one").join(format!("{file}.tab"))));
        assert!(said(&text("1")).contains(&format!("{file}.nc: profile 1 has no entries")), "{}", said(&text("1")));
    }
    // Parts and numbers of levels have no unit, whatever they are of; errors have that of what they are of.
    for (file, temperature, gas) in [("atm_err_total", "K", "ppv"), ("atm_cont", "1", "1"), ("atm_res", "1", "1")] {
        let found = Numbers::open(&case.path("limb").join(format!("{file}.nc")));
        let unit = |name: &str| found.attribute(name, "units");
        assert_eq!([unit("z"), unit("t"), unit("O3")], ["km", temperature, gas].map(|unit| Some(unit.to_owned())));
        let text = rows(case.path("limb/one").join(format!("{file}.tab")));
        let (levels, row) = (text.len(), |column: usize| text.iter().map(|row| row[column]).collect::<Vec<f64>>());
        assert_eq!(found.all("t")[2 * levels..], row(5), "{file}");
    }
    for file in ["matrix_kernel", "matrix_gain"] {
        let arguments = ["jurassic", "matfmt", "--ctl", "limb.ctl", "--profile", "2", "-o", "matrix.tab", "--in"];
        let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
        let output = command.args(arguments).arg(format!("{file}.nc")).current_dir(case.path("limb")).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        let text = |path: PathBuf| fs::read_to_string(path).unwrap();
        assert!(
            text(case.path("limb/matrix.tab")) == text(case.path("limb/one").join(format!("{file}.tab"))),
            "{file}"
        );
    }

    // What is wrong with a measurement is said of its file.
    let blank = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let numbers = 10.min(words.len());
        let blanks = " nan".repeat(words.len() - numbers);
        if line.starts_with('#') { line.to_owned() } else { words[..numbers].join(" ") + &blanks }
    };
    let text = fs::read_to_string(case.path("limb/one/obs_meas.tab")).unwrap();
    fs::create_dir(case.path("limb/blank")).unwrap();
    fs::write(case.path("limb/blank/obs_meas.tab"), text.lines().map(blank).collect::<Vec<_>>().join("\n")).unwrap();
    let words = ["jurassic", "obsfmt", "--ctl", "limb.ctl", "--in", "blank/obs_meas.tab", "-o", "blank.nc"];
    let output =
        Command::new(env!("CARGO_BIN_EXE_isobar")).args(words).current_dir(case.path("limb")).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    fs::write(case.path("limb/first"), "0\n").unwrap();
    let of_blank = [
        "SHARED_IO_PROFLIST=first",
        "SHARED_IO_ATM_APR_FILE=atm_apr.nc",
        "SHARED_IO_OBS_MEAS_FILE=blank.nc",
        "SHARED_IO_ATM_FINAL_FILE=of_blank.nc",
    ];
    let output = retrieve(&case, &of_blank);
    assert!(said(&output).contains("blank.nc, profile 0: all of the "), "{}", said(&output));

    // Two processes that share the list, at a time, make the same files.
    let outputs: Vec<&str> = shared[3..].iter().map(|pair| pair.split_once('=').unwrap().1).collect();
    let read = |name: &&str| fs::read(case.path("limb").join(name)).unwrap();
    let alone: Vec<Vec<u8>> = outputs.iter().map(read).collect();
    outputs.iter().for_each(|name| fs::remove_file(case.path("limb").join(name)).unwrap());
    let children: Vec<_> = ["0", "1"]
        .map(|rank| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
            command.args(["retrieve", "--ctl", "limb.ctl", "--device", "cpu", "--quiet", "--ranks"]);
            // One is told by its starter.
            match rank {
                "0" => command.args(["2", "--rank", "0"]),
                _ => command.arg("env").envs([("OMPI_COMM_WORLD_RANK", "1"), ("OMPI_COMM_WORLD_SIZE", "2")]),
            };
            command.args(KEYS).args(shared).current_dir(case.path("limb")).spawn().unwrap()
        })
        .into_iter()
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert!(outputs.iter().map(read).eq(alone), "the union of two processes is one run");
    let leftover = fs::read_dir(case.path("limb")).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(leftover.into_iter().all(|name| !name.to_string_lossy().ends_with(".lock")));
    let output = retrieve(&case, &["--ranks", "2", "--dir", "one"]);
    assert!(said(&output).contains("--ranks 2 needs --rank, 0 to 1"), "{}", said(&output));
    let output = retrieve(&case, &["--ranks", "2", "--rank", "2", "--dir", "one"]);
    assert!(said(&output).contains("rank 2 lies outside [0, 2)"), "{}", said(&output));
    let output = retrieve(&case, &["--ranks", "2", "--rank", "1", "--dir", "one"]);
    assert!(output.status.success() && said(&output).contains("0 retrievals"), "{}", said(&output));

    let refused = |list: &str, change: &str| {
        fs::write(case.path("limb/list"), list).unwrap();
        let mut shared = shared;
        let key = change.split('=').next().unwrap_or_default();
        if let Some(place) = shared.iter().position(|pair| pair.split('=').next() == Some(key)) {
            shared[place] = change;
        }
        let output = retrieve(&case, &shared);
        assert!(!output.status.success());
        said(&output)
    };
    let error = refused("0\n3\n", "");
    assert!(error.contains("list:2: profile 3: "), "{error}");
    assert!(error.contains("atm_apr.nc has 3 profiles, counted from 0"), "{error}");
    let error = refused("0", "SHARED_IO_ATM_FINAL_FILE=nowhere/atm_final.nc");
    assert!(error.contains("nowhere/atm_final.nc: there is no folder "), "{error}");
    // A profile that is empty leaves the others.
    fs::copy(case.path("limb/atm_final.nc"), case.path("limb/before.nc")).unwrap();
    let error = refused("0\n1\n2\n", "SHARED_IO_ATM_APR_FILE=before.nc");
    assert!(error.contains("before.nc: profile 1 has no entries"), "{error}");
    assert!(error.contains("3 retrievals, 2 converged, 1 failed"), "{error}");
    assert!(refused("0\n\n0\n", "").contains("list:3: profile 0 comes twice"));
    assert!(refused("0 one\n", "").contains("list:1: \"one\" is not a number (number of a profile)"));
    assert!(refused("\n", "").contains("list: the list is empty"));
    assert!(refused("0", "SHARED_IO_OBS_MEAS_FILE=-").contains("SHARED_IO_PROFLIST needs SHARED_IO_OBS_MEAS_FILE"));
    let error = refused("0", "SHARED_IO_ATM_APR_FILE=one/atm_apr.tab");
    assert!(error.contains("atm_apr.tab: not a NetCDF file that can be read"), "{error}");
    let bytes = fs::read(case.path("limb/atm_apr.nc")).unwrap();
    fs::write(case.path("limb/cut.nc"), &bytes[..bytes.len() / 2]).unwrap();
    let error = refused("0", "SHARED_IO_ATM_APR_FILE=cut.nc");
    assert!(error.contains("cut.nc: ") && error.matches("isobar: ").count() == 1, "{error}");
}

/// The last ray looks above the atmosphere, and a level that is not retrieved is hotter than the tables.
#[test]
fn paths_outside_the_tables_and_rays_that_see_nothing_are_told() {
    let case = prepared();
    let top = rows(case.path("limb/one/atm_apr.tab")).last().unwrap()[1];
    case.set("limb/one/atm_apr.tab", 40, 5, "390");
    case.set("limb/one/obs_meas.tab", 13, 4, &(top + 5.0).to_string());
    let output = retrieve(&case, &["--dir", "one", "--out", "result"]);
    assert!(output.status.success(), "{}", said(&output));
    let words = [
        "warning: one: O3: ".to_owned(),
        " path points (".to_owned(),
        format!("warning: one: 1 of 14 rays have their view point above the atmosphere, whose top is at {top} km"),
    ];
    assert!(words.iter().all(|words| said(&output).contains(words)), "{}", said(&output));
    // Those of the atmosphere that was found.
    let words = "forward --ctl limb.ctl --atm result/atm_final.tab --obs result/obs_final.tab -o rad.tab --device cpu";
    let mut forward = Command::new(env!("CARGO_BIN_EXE_isobar"));
    let forward = forward.args(words.split(' ')).current_dir(case.path("limb")).output().unwrap();
    let gases = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.contains("lie outside the emissivity tables"));
        lines.map(|line| line.replace("one: ", "")).collect()
    };
    assert!(gases(&said(&forward)) == gases(&said(&output)), "{}{}", said(&forward), said(&output));
    let output = retrieve(&case, &["--dir", "one", "--dir", "one", "--out", "both"]);
    assert!(said(&output).contains("2 of 2 retrievals have such paths, one is the first"), "{}", said(&output));
}

/// In whatever format, the results have the same numbers, and may be what another retrieval starts from.
#[test]
fn results_have_the_formats_that_are_asked_for() {
    let case = prepared();
    let isobar = |words: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
        let output = command.args(words.split(' ')).current_dir(case.path("limb")).output().unwrap();
        assert!(output.status.success(), "{words}: {}", said(&output));
    };
    assert!(retrieve(&case, &["--dir", "one", "--out", "text"]).status.success());
    for (format, ending, letters) in [("2", "bin", &b"ATM1"[..]), ("3", "nc", &b"CDF"[..])] {
        let folder = format!("from_{ending}");
        fs::create_dir(case.path("limb").join(&folder)).unwrap();
        for (tool, name) in [("atmfmt", "atm_apr"), ("obsfmt", "obs_meas")] {
            isobar(&format!("jurassic {tool} --ctl limb.ctl --in one/{name}.tab -o {name}.{ending}"));
            let to = case.path("limb").join(&folder).join(format!("{name}.tab"));
            fs::rename(case.path("limb").join(format!("{name}.{ending}")), to).unwrap();
        }
        let keys = [format!("ATMFMT={format}"), format!("OBSFMT={format}")];
        let keys = [keys[0].as_str(), &keys[1]];
        let output = retrieve(&case, &[&["--dir", &folder, "--out", "result"], &keys[..]].concat());
        assert!(output.status.success(), "{}", said(&output));
        for name in ["atm_final", "atm_err_total", "atm_cont", "atm_res", "obs_final"] {
            let made = case.path(&format!("limb/result/{name}.tab"));
            let begin = if name == "obs_final" && format == "2" { &b"OBS1"[..] } else { letters };
            assert!(fs::read(&made).unwrap().starts_with(begin), "{name}, {format}");
            if name.ends_with("final") {
                let tool = if name == "obs_final" { "obsfmt" } else { "atmfmt" };
                isobar(&format!("jurassic {tool} --ctl limb.ctl --in result/{name}.tab -o back.tab"));
                assert_eq!(rows(case.path("limb/back.tab")), rows(case.path(&format!("limb/text/{name}.tab"))));
            }
        }
        fs::copy(case.path("limb/result/atm_final.tab"), case.path("limb").join(&folder).join("atm_apr.tab")).unwrap();
        let output = retrieve(&case, &[&["--dir", &folder, "--out", "again"], &keys[..]].concat());
        assert!(output.status.success(), "{}", said(&output));
    }
}

#[test]
fn results_in_the_place_of_those_that_failed_are_told() {
    let case = prepared();
    assert!(retrieve(&case, &["--dir", "one"]).status.success());
    case.set("limb/one/atm_apr.tab", 12, 5, "90");
    let output = retrieve(&case, &["--dir", "one"]);
    // Those of an analysis, with matrices: all that there are.
    let told = "14 files of an earlier run lie in the place of results, first one/atm_final.tab: the retrieval of this \
                run failed";
    assert!(!output.status.success() && said(&output).contains(told), "{}", said(&output));
}
