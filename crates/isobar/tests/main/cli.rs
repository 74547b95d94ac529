//! The command as a user meets it: help, devices, tables, and the demonstration cases.

use std::fs;
use std::process::Command;

use crate::common::{Case, data, isobar, numbers, printed, said};

#[test]
fn help_names_every_command() {
    let output = isobar(&["--help"]);
    assert!(output.status.success());
    let text = printed(&output);
    for command in ["forward", "raytrace", "adding", "pbl", "tables", "devices"] {
        assert!(text.contains(command), "{text}");
    }
    let output = isobar(&["--version"]);
    assert_eq!(printed(&output), concat!("isobar ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn the_cpu_is_a_device_and_gives_the_same_bits_on_all_threads() {
    let output = isobar(&["devices", "--check"]);
    assert!(output.status.success(), "{}", said(&output));
    let text = printed(&output);
    assert!(text.starts_with("cpu ("), "{text}");
    let checks: Vec<&str> = text.lines().filter(|line| line.contains("results differ")).collect();
    assert!(checks.len() >= 2 && checks.iter().all(|line| line.contains(", 0 of ")), "{text}");
}

/// A report for programs.
fn json(arguments: &[&str]) -> isobar_golden::Value {
    let output = isobar(arguments);
    assert!(output.status.success(), "{}", said(&output));
    serde_json::from_str(&printed(&output)).unwrap()
}

#[test]
fn reports_are_json_where_it_is_asked_for() {
    let devices = json(&["devices", "--check", "--json"]);
    assert_eq!(devices["devices"][0]["device"], "cpu");
    assert!(devices["checks"].as_array().unwrap().iter().all(|check| check["differing"] == 0));

    let file = |path: &str| data().join(path).to_str().unwrap().to_owned();
    let mechanism = json(&["kpp", "info", &file("mechanisms/chapman_nox.kpp"), "--json"]);
    assert_eq!(mechanism["species"].as_array().unwrap().len(), 10);
    assert_eq!(mechanism["entries_after_elimination"], 38);

    let tables = json(&["tables", "info", "--ctl", &file("limb/limb.ctl"), "--json"]);
    assert_eq!(tables["tables"].as_array().unwrap().len(), 12);
    assert_eq!(tables["tables"][0]["pressures"], 32);

    let case = Case::limb();
    let out = case.out().to_str().unwrap().to_owned();
    let (ctl, atm, obs) = (file("limb/limb.ctl"), file("limb/atm.tab"), file("limb/obs.tab"));
    let paths = ["raytrace", "--ctl", &ctl, "--atm", &atm, "--obs", &obs, "--out", &out, "--quiet", "--json"];
    assert_eq!(json(&paths)["rays"], 14);
}

/// The committed results come from one more run of the command, by `cargo xtask demo-data`.
#[test]
fn the_demonstration_gives_the_committed_digits_on_any_number_of_threads() {
    for case in ["limb", "nadir"] {
        let folder = data().join(case);
        let committed = fs::read_to_string(folder.join("rad.tab")).unwrap();
        for threads in ["1", "2"] {
            let out = tempfile::tempdir().unwrap();
            let output = Command::new(env!("CARGO_BIN_EXE_isobar"))
                .args(["forward", "--ctl", &format!("{case}.ctl"), "--atm", "atm.tab", "--obs", "obs.tab", "--out"])
                .arg(out.path().join("rad.tab"))
                .args(["--device", "cpu", "--threads", threads])
                .current_dir(&folder)
                .output()
                .unwrap();
            assert!(output.status.success(), "{}", said(&output));
            let result = fs::read_to_string(out.path().join("rad.tab")).unwrap();
            assert!(result == committed, "{case} on {threads} threads: not the committed digits");
        }
    }
}

#[test]
fn quiet_says_nothing_and_json_is_json() {
    let case = Case::limb();
    let output = case.command("forward", &case.out(), &["--quiet", "--json"]);
    assert!(output.status.success());
    assert_eq!(said(&output), "");
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&summary["rays"], &summary["channels"]), (&14.into(), &4.into()));
    assert_eq!(summary["gases"], serde_json::json!(["CO2", "H2O", "O3"]));
    assert!(summary["rays_per_second"].as_f64().unwrap() > 0.0);

    let (_, said) = case.forward(&[]);
    assert!(said.starts_with("14 rays, 4 channels, 3 gases on cpu in f64: "), "{said}");
}

#[test]
fn plots_have_axes_with_units() {
    let case = Case::limb();
    let plot = case.path("limb/plot.svg");
    case.forward(&["--plot", "plot.svg"]);
    let svg = fs::read_to_string(&plot).unwrap();
    for text in ["wavenumber [cm⁻¹]", "radiance [W/(m² sr cm⁻¹)]", "tangent height [km]", "1043 cm⁻¹"] {
        assert!(svg.contains(text), "{text}");
    }
    let output = case.command("raytrace", &case.out(), &["--plot", "plot.svg"]);
    assert!(output.status.success(), "{}", said(&output));
    let svg = fs::read_to_string(&plot).unwrap();
    for text in ["distance along the ground from the lowest point [km]", "temperature [K]", "pressure [hPa]", "ray 13"]
    {
        assert!(svg.contains(text), "{text}");
    }
}

#[test]
fn a_path_table_has_a_block_a_ray() {
    let case = Case::limb();
    // Neither tables nor channels are needed.
    fs::remove_dir_all(case.path("tables")).unwrap();
    let output = case.command("raytrace", &case.out(), &["ND=0"]);
    assert!(output.status.success(), "{}", said(&output));
    let text = fs::read_to_string(case.out()).unwrap();
    assert!(text.contains("# $11 = CO2 column density of the segment [molecules/cm^2]"), "{text}");
    let blocks: Vec<&str> = text.split("\n\n").skip(1).collect();
    assert_eq!(blocks.len(), 14);
    for (ray, block) in blocks.iter().enumerate() {
        let rows = numbers(block);
        assert!(block.starts_with(&format!("# ray {ray}: {} points, leaves into space, tangent point ", rows.len())));
        assert!(rows.iter().enumerate().all(|(point, row)| row[..2] == [ray as f64, point as f64] && row.len() == 16));
        let lowest = rows.iter().map(|row| row[3]).fold(f64::INFINITY, f64::min);
        let tangent: f64 = block.split("tangent point ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        assert!((lowest - tangent).abs() < 0.01, "ray {ray}: {lowest} km, tangent {tangent} km");
    }
}

#[test]
fn tables_are_described_and_converted_without_loss() {
    let case = Case::limb();
    let output =
        isobar(&["tables".as_ref(), "info".as_ref(), "--ctl".as_ref(), case.path("limb/limb.ctl").as_os_str()]);
    assert!(output.status.success(), "{}", said(&output));
    let text = printed(&output);
    assert_eq!(text.lines().count(), 13, "{text}");
    assert!(text.lines().skip(1).all(|line| line.trim_start().starts_with("32 ")), "{text}");
    assert!(text.lines().skip(1).all(|line| line.contains("log, x 1.4000")), "{text}");

    let convert = |from: &str, to: &str, options: &[&str]| {
        let (from, to) = (case.path(from), case.path(to));
        let mut arguments = vec!["tables".as_ref(), "convert".as_ref(), from.as_os_str(), to.as_os_str()];
        arguments.extend(options.iter().map(std::ffi::OsStr::new));
        let output = isobar(&arguments);
        assert!(output.status.success(), "{}", said(&output));
        fs::read(to).unwrap()
    };
    let original = fs::read(case.path("tables/demo_1043.0000_O3.bin")).unwrap();
    let text = convert("tables/demo_1043.0000_O3.bin", "o3.tab", &[]);
    let swapped = convert("o3.tab", "o3_big.bin", &["--big-endian"]);
    let back = convert("o3_big.bin", "o3_little.bin", &[]);
    assert!(original == back && original != swapped && original.len() == swapped.len());
    assert!(text == convert("o3_little.bin", "o3_again.tab", &[]));

    let tab = case.path("o3.tab");
    let output = isobar(&["tables".as_ref(), "info".as_ref(), tab.as_os_str()]);
    assert_eq!(printed(&output).lines().count(), 2);
}

#[test]
fn a_dash_is_standard_output_for_texts_alone() {
    let case = Case::limb();
    let (expected, _) = case.forward(&["--quiet"]);
    let dash = std::path::Path::new("-");
    let output = case.command("forward", dash, &["--quiet"]);
    assert!(output.status.success() && printed(&output) == expected, "{}", said(&output));
    let plot = case.command("forward", &case.out(), &["--quiet", "--plot", "-"]);
    assert!(plot.status.success() && printed(&plot).starts_with("<svg"), "{}", said(&plot));
    let twice = case.command("forward", dash, &["--quiet", "--json"]);
    assert_eq!(twice.status.code(), Some(2));
    assert!(said(&twice).contains("standard output takes one thing only"), "{}", said(&twice));
    assert!(!case.path("limb/-").exists());
    let profiles = data().join("adding/profiles.nc");
    let binary = isobar(&["adding", profiles.to_str().unwrap(), "--device", "cpu", "--quiet", "-o", "-"]);
    assert_eq!(said(&binary), "isobar: -: NetCDF does not go to standard output: name a file\n");
}

#[test]
fn the_help_says_of_a_command_what_is_true_of_it() {
    let help = |command: &str| printed(&isobar(&[command, "--help"]));
    for (command, has_precision) in
        [("pbl", true), ("forward", true), ("chem", false), ("kernel", false), ("retrieve", false)]
    {
        assert_eq!(help(command).contains("--precision"), has_precision, "{command}");
        assert_eq!(help(command).contains("paths are always traced"), command == "forward", "{command}");
        assert!(help(command).lines().all(|line| line.chars().count() <= 100), "{command}");
    }
}

#[test]
fn summaries_of_columns_are_json() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.nc");
    for (command, items, count) in [
        ("adding adding/profiles.nc", "profiles", 8),
        ("pbl pbl/columns.nc --dt 60", "columns", 4),
        ("longwave radiation/columns.nc", "columns", 8),
        ("shortwave radiation/columns.nc", "columns", 8),
        ("radiation radiation/columns.nc", "columns", 8),
        ("chem --mechanism mechanisms/chapman_nox.kpp --cells chemistry/cells.nc --hours 0.5 --dt 900", "cells", 8),
    ] {
        let mut isobar = Command::new(env!("CARGO_BIN_EXE_isobar"));
        isobar.args(command.split(' ')).args(["--json", "--quiet", "--device", "cpu", "-o"]).arg(&out);
        let output = isobar.current_dir(data()).output().unwrap();
        assert!(output.status.success(), "{command}: {}", said(&output));
        let summary: serde_json::Value = serde_json::from_str(&printed(&output)).unwrap();
        assert!(
            summary[items] == count && summary["failed"] == 0 && summary["seconds"].as_f64().is_some(),
            "{summary}"
        );
    }
}

#[test]
fn shells_and_man_know_every_command() {
    let script = printed(&isobar(&["completions", "bash"]));
    assert!(script.contains("complete -F _isobar") && script.contains("--kdist"));
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    assert!(isobar(&["man", pages.to_str().unwrap()]).status.success());
    for page in ["isobar", "isobar-forward", "isobar-radiation", "isobar-spectra-tables"] {
        let text = std::fs::read_to_string(pages.join(page).with_extension("1")).unwrap();
        assert!(text.contains(".SH OPTIONS") && text.contains(".SH SYNOPSIS"), "{page}");
    }
    // A file where a folder should be.
    let said = said(&isobar(&["man", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")]));
    assert!(said.contains("Cargo.toml: cannot write"), "{said}");
}

/// One error, and no panic, whatever cannot be printed; results are written all the same.
#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_printed_is_one_error() {
    let case = Case::limb();
    let file = |path: &str| data().join(path).to_str().unwrap().to_owned();
    let (ctl, mechanism, list) =
        (file("limb/limb.ctl"), file("mechanisms/chapman_nox.kpp"), file("spectra/made-up.par"));
    let (atm, obs, out) = (file("limb/atm.tab"), file("limb/obs.tab"), case.out().to_str().unwrap().to_owned());
    let commands: [&[&str]; 12] = [
        &["--help"],
        &["--version"],
        &["forward", "--help"],
        &["completions", "bash"],
        &["devices"],
        &["jurassic", "planck", "300", "800"],
        &["kpp", "info", &mechanism],
        &["kpp", "info", &mechanism, "--json"],
        &["spectra", "info", &list],
        &["spectra", "info", &list, "--json"],
        &["tables", "info", "--ctl", &ctl],
        &["forward", "--ctl", &ctl, "--atm", &atm, "--obs", &obs, "-o", &out, "--quiet", "--json"],
    ];
    let full = || fs::File::options().write(true).open("/dev/full").unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
        command.args(arguments);
        command
    };
    for arguments in commands {
        let output = run(arguments).stdout(full()).output().unwrap();
        let last = said(&output).lines().last().map(str::to_owned).unwrap_or_default();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {last}");
        assert!(last.starts_with("isobar: cannot print: No space left on device"), "{arguments:?}: {last}");
        assert!(!said(&output).contains("panicked"), "{arguments:?}");
    }
    assert!(case.out().exists(), "what was computed is written");
    // Words that nobody hears are lost, and no more.
    let arguments = ["forward", "--ctl", &ctl, "--atm", &atm, "--obs", &obs, "-o", &out, "--device", "cpu"];
    assert_eq!(run(&arguments).stderr(full()).status().unwrap().code(), Some(0));
}

/// A name is any bytes: it is written as it is, and stands in histories with a letter for what is none.
#[cfg(target_os = "linux")]
#[test]
fn names_may_be_any_bytes() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join(std::ffi::OsStr::from_bytes(b"\xfcber.nc"));
    let file = |path: &str| data().join(path).into_os_string();
    let words = |text: &str| text.split(' ').map(std::ffi::OsString::from).collect::<Vec<_>>();
    let mut spectra = words("spectra absorption --range 790:790.1 --state 500,250,CO2=4e-4 --lines");
    spectra.push(file("spectra/made-up.par"));
    for molecule in 1..=3 {
        spectra.extend(words(&format!("--partition {molecule}.1={}", data().join("spectra/made-up-q.txt").display())));
    }
    let chem = [
        words("chem --hours 0.2 --dt 600 --mechanism"),
        vec![file("mechanisms/chapman_nox.kpp")],
        vec!["--cells".into(), file("chemistry/cells.nc")],
    ]
    .concat();
    let commands = [
        vec!["adding".into(), file("adding/profiles.nc")],
        [vec!["pbl".into(), file("pbl/columns.nc")], words("--dt 60")].concat(),
        chem,
        spectra,
    ];
    for command in commands {
        let output = isobar(&[command.clone(), vec!["--quiet".into(), "-o".into(), out.clone().into()]].concat());
        assert!(output.status.success(), "{command:?}: {}", said(&output));
        let history = isobar_io::netcdf::Dataset::open(&out).unwrap().attribute("history").unwrap();
        assert!(history.contains("/\u{fffd}ber.nc"), "{command:?}");
        fs::remove_file(&out).unwrap();
    }
    let longwave = file("radiation/columns.nc");
    let copy = folder.path().join(std::ffi::OsStr::from_bytes(b"gr\xfcn.nc"));
    fs::copy(&longwave, &copy).unwrap();
    let kdist =
        [words("--quiet --kdist"), vec![file("radiation/ecckd-longwave-32.nc"), "-o".into(), out.clone().into()]];
    let output = isobar(&[vec!["longwave".into(), copy.into()], kdist.concat()].concat());
    assert!(output.status.success() && out.exists(), "{}", said(&output));
}

/// Who reads a pipe gets what a file would have: it is opened once.
#[cfg(unix)]
#[test]
fn pipes_get_results() {
    let case = Case::limb();
    let pipe = case.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let timely = |name: &str, more: &[&str], out: &std::path::Path| {
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        let files = ["--ctl", "limb.ctl", "--atm", "atm.tab", "--obs", "obs.tab", "--quiet", "--out"];
        let mut command = Command::new("timeout");
        command.args(["60", env!("CARGO_BIN_EXE_isobar"), name]).args(files).arg(out).args(more);
        let status = command.current_dir(case.path("limb")).status().unwrap();
        assert_eq!(status.code(), Some(0), "{name} {more:?}");
        reader.join().unwrap()
    };
    let (text, _) = case.forward(&["--plot", "plot.svg"]);
    assert!(timely("forward", &["--device", "cpu"], &pipe) == text);
    let plot = ["--device", "cpu", "--plot", pipe.to_str().unwrap()];
    assert!(timely("forward", &plot, &case.out()) == fs::read_to_string(case.path("limb/plot.svg")).unwrap());
    assert!(timely("raytrace", &[], &pipe).starts_with('#'));
    assert!(timely("kernel", &["RETT_ZMIN=10", "RETT_ZMAX=12"], &pipe).starts_with('#'));
}

/// Texts that an editor has marked as UTF-8 are the same texts; those without an end are refused.
#[cfg(unix)]
#[test]
fn texts_may_have_a_byte_order_mark_and_have_an_end() {
    let case = Case::limb();
    let (plain, _) = case.forward(&["RAYDZ=0.1"]);
    case.edit("limb/limb.ctl", |text| format!("\u{feff}RAYDZ = 0.1\n{}", text.replace("RAYDZ = 0.5", "")));
    case.edit("limb/atm.tab", |text| format!("\u{feff}{text}"));
    case.edit("limb/obs.tab", |text| format!("\u{feff}{text}"));
    let (marked, words) = case.forward(&[]);
    assert!(marked == plain && !words.contains("warning"), "{words}");
    let folder = tempfile::tempdir().unwrap();
    for (from, command) in [("mechanisms/chapman_nox.kpp", "kpp"), ("spectra/made-up.par", "spectra")] {
        let path = folder.path().join("marked");
        fs::write(&path, [b"\xef\xbb\xbf", &fs::read(data().join(from)).unwrap()[..]].concat()).unwrap();
        let info = |path: &std::path::Path| printed(&isobar(&[command.as_ref(), "info".as_ref(), path.as_os_str()]));
        let after = |text: String| text.split_once('\n').map(|(_, rest)| rest.to_owned());
        assert_eq!(after(info(&path)), after(info(&data().join(from))), "{from}");
        assert!(info(&path).lines().count() > 3);
    }
    for (arguments, what) in [
        ("kpp info /dev/zero", "/dev/zero: it has more than 256 MiB, or no end"),
        ("run /dev/zero -o out.nc", "/dev/zero"),
        ("spectra info /dev/zero", "/dev/zero: line 1 has no end within 1 MiB"),
        ("tables info /dev/zero", "/dev/zero: cannot read: not a regular file"),
    ] {
        let output = isobar(&arguments.split(' ').collect::<Vec<_>>());
        assert_eq!(output.status.code(), Some(1), "{arguments}");
        assert!(said(&output).contains(what), "{arguments}: {}", said(&output));
    }
}

/// More threads than the limit take longer to start than any work.
#[test]
fn threads_have_a_limit() {
    let case = Case::limb();
    let output = case.command("forward", &case.out(), &["--threads", "100000"]);
    assert_eq!(output.status.code(), Some(2));
    let most = isobar_launch::most_threads();
    assert!(said(&output).contains(&format!("100000 threads are more than the {most} that may be asked for")));
    assert!(most >= 256 && case.command("forward", &case.out(), &["--threads", "8"]).status.success());
}
