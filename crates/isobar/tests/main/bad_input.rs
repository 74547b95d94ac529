//! Bad input gets one line that names the file and the place; no output appears, and one that was there stays.

use std::fs;
use std::path::Path;

use crate::common::{Case, isobar, numbers, said};

/// `isobar forward` has to fail with one line that holds all of `parts`.
fn refused(case: &Case, more: &[&str], parts: &[&str]) {
    assert!(!case.out().exists());
    let output = case.command("forward", &case.out(), more);
    one_line(&output, parts);
    assert!(!case.out().exists(), "no output file");

    fs::write(case.out(), "precious").unwrap();
    one_line(&case.command("forward", &case.out(), more), parts);
    assert_eq!(fs::read_to_string(case.out()).unwrap(), "precious", "an output file that was there stays");
    fs::remove_file(case.out()).unwrap();
    nothing_left_behind(case);
}

/// Neither output nor a temporary file.
fn nothing_left_behind(case: &Case) {
    let names = fs::read_dir(case.path("limb")).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.retain(|name| !["README.md", "atm.tab", "limb.ctl", "obs.tab"].contains(&name.as_str()));
    assert!(names.is_empty(), "left behind: {names:?}");
}

/// The program failed with the status of bad input, usage or device, and the last line that it said, the only one that
/// is no warning, holds all of
/// `parts`.
fn one_line(output: &std::process::Output, parts: &[&str]) {
    let text = said(output);
    assert!(matches!(output.status.code(), Some(1 | 2 | 6)), "{text}");
    let errors: Vec<&str> = text.lines().filter(|line| !line.starts_with("isobar: warning: ")).collect();
    assert_eq!(errors.len(), 1, "{text}");
    assert!(errors[0].starts_with("isobar: ") && errors[0] == text.lines().last().unwrap(), "{text}");
    for part in parts {
        assert!(errors[0].contains(part), "{part:?} is not in {text}");
    }
}

const O3: &str = "tables/demo_1043.0000_O3.bin";

#[test]
fn a_missing_table_makes_a_gas_transparent_and_is_said_but_not_all_of_them() {
    let case = Case::limb();
    fs::remove_file(case.path(O3)).unwrap();
    let (_, said) = case.forward(&[]);
    let line = "warning: O3 counts as transparent in 1 of 4 channels, for which there is no table: ";
    assert!(said.contains(line) && said.contains("demo_1043.0000_O3.bin"), "{said}");

    let case = Case::limb();
    refused(&case, &["TBLBASE=../nowhere/demo"], &["nowhere/demo_792.0000.filt: cannot read"]);
    for entry in fs::read_dir(case.path("tables")).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.extension().is_some_and(|extension| extension == "bin") {
            fs::remove_file(entry).unwrap();
        }
    }
    refused(&case, &[], &["limb.ctl:18: TBLBASE = ", "none of the 12 emissivity tables exists"]);
}

#[test]
fn damaged_tables() {
    let case = Case::limb();
    let bytes = fs::read(case.path(O3)).unwrap();
    fs::write(case.path(O3), &bytes[..bytes.len() / 2]).unwrap();
    refused(&case, &[], &["demo_1043.0000_O3.bin: byte ", "the file ends within ", " bytes are missing"]);

    let (mut table, _) = isobar_io::read_table(&case.path("tables/demo_792.0000_O3.bin")).unwrap();
    table.pressures.swap(3, 4);
    let mut bytes = Vec::new();
    isobar_io::table::write_table_binary(&mut bytes, &table, isobar_io::table::Endian::Little).unwrap();
    fs::write(case.path(O3), bytes).unwrap();
    refused(&case, &[], &["demo_1043.0000_O3.bin: pressure [hPa] ", "at index 4 breaks the order of the axis"]);
}

#[test]
fn bad_profiles() {
    let with = |row, column, value, parts: &[&str]| {
        let case = Case::limb();
        case.set("limb/atm.tab", row, column, value);
        refused(&case, &[], parts);
    };
    with(3, 5, "nan", &["atm.tab:", "temperature NaN K of level 3 lies outside (0, 1000]"]);
    with(7, 1, "5", &["atm.tab:", "altitude 5 km of level 7 breaks the ascending order: level 6 lies at 6 km"]);
    with(0, 7, "-1e-3", &["atm.tab:", "H2O volume mixing ratio -0.001 ppv of level 0 lies outside [0, 1]"]);
    with(2, 4, "x", &["atm.tab:", "\"x\" is not a number (column 5, pressure)"]);
    with(9, 4, "1013", &["atm.tab:", "pressure 1013 hPa of level 9 rises with height: "]);
    // In metres.
    let case = Case::limb();
    for (row, values) in numbers(&fs::read_to_string(case.path("limb/atm.tab")).unwrap()).iter().enumerate().skip(1) {
        case.set("limb/atm.tab", row, 1, &(1000.0 * values[1]).to_string());
    }
    refused(&case, &[], &["atm.tab:", "altitude 2000 km of level 2: ", "are these in metres?"]);
}

#[test]
fn a_gas_without_a_profile() {
    let case = Case::limb();
    let parts =
        ["atm.tab:10: column 10 holds extinction (window 0), the control file asks for CH4 volume mixing ratio"];
    refused(&case, &["NG=4", "EMITTER[3]=CH4"], &parts);
}

#[test]
fn an_observer_below_the_ground() {
    let case = Case::limb();
    case.set("limb/obs.tab", 5, 1, "-2");
    refused(&case, &[], &["obs.tab: ray 5: the observer is below the ground"]);
    let output = case.command("raytrace", &case.out(), &[]);
    one_line(&output, &["obs.tab: ray 5: the observer is below the ground"]);
    assert!(!case.out().exists());
}

#[test]
fn bad_controls() {
    let case = Case::limb();
    refused(&case, &["ND=0"], &["command line: no channel is configured: set ND and NU[0] to NU[ND-1]"]);
    refused(&case, &["RAYDS=-1"], &["command line: RAYDS = -1 lies outside (0, inf)"]);
    refused(&case, &["RAYDS", "5"], &["command line: \"RAYDS\" is not of the form KEY=VALUE"]);
    refused(&case, &["--device", "cuda:7"], &["isobar: "]);
    let parts = ["--jurassic-exact", "--precision f32"];
    refused(&case, &["--jurassic-exact", "--precision", "f32"], &parts);
    case.edit("limb/limb.ctl", |text| text.replace("ND = 4", "ND = four"));
    refused(&case, &[], &["limb.ctl:11: \"four\" is not a number (ND)"]);
    fs::remove_file(case.path("limb/limb.ctl")).unwrap();
    refused(&case, &[], &["limb.ctl: cannot read: No such file"]);
}

#[test]
fn an_unknown_key_is_said_or_refused() {
    let case = Case::limb();
    case.edit("limb/limb.ctl", |text| text.replace("RAYDZ", "RAYDX"));
    let (_, said) = case.forward(&[]);
    let line = "limb.ctl:23: unknown key RAYDX is ignored; the nearest known key is ";
    assert!(said.lines().any(|said| said.starts_with(&format!("isobar: warning: {line}"))), "{said}");
    fs::remove_file(case.out()).unwrap();
    refused(&case, &["--strict"], &[line]);
}

#[test]
fn where_paths_leave_the_tables_is_said_or_refused() {
    let case = Case::limb();
    case.set("limb/atm.tab", 30, 5, "400");
    let facts = ["O3: ", " path points (", " %) lie outside the emissivity tables, the first at ", " hPa and "];
    refused(&case, &["--outside", "error"], &facts);
    let (_, said) = case.forward(&["--outside", "extrapolate"]);
    let lines: Vec<&str> = said.lines().filter(|line| line.starts_with("isobar: warning: ")).collect();
    assert_eq!(lines.len(), 3, "a line a gas: {said}");
    assert!(facts.iter().all(|fact| lines[2].contains(fact)), "{said}");
}

/// JURASSIC ignores a table of fewer than 30 pressures without a word.
#[test]
fn a_table_of_few_pressures_counts_unless_jurassic_is_repeated() {
    let case = Case::limb();
    let absent = {
        fs::rename(case.path(O3), case.path("o3.bin")).unwrap();
        let absent = [case.forward(&[]).0, case.forward(&["--jurassic-exact"]).0];
        fs::rename(case.path("o3.bin"), case.path(O3)).unwrap();
        absent
    };
    let (mut table, _) = isobar_io::read_table(&case.path(O3)).unwrap();
    table.pressures.truncate(29);
    let mut bytes = Vec::new();
    isobar_io::table::write_table_binary(&mut bytes, &table, isobar_io::table::Endian::Little).unwrap();
    fs::write(case.path(O3), bytes).unwrap();
    assert!(case.forward(&[]).0 != absent[0]);
    let (ignored, said) = case.forward(&["--jurassic-exact"]);
    assert!(ignored == absent[1]);
    assert!(said.contains("warning: O3 counts as transparent in 1 of 4 channels"), "{said}");
}

/// The number of levels that are changed is the number that is said.
#[test]
fn temperatures_outside_the_table_of_sources_stop_a_run_if_asked_to() {
    let case = Case::limb();
    case.set("limb/atm.tab", 40, 5, "99.5");
    case.set("limb/atm.tab", 41, 5, "98");
    let words = "temperatures of levels and surface, from 98 to 99.5 K, lie outside the table of source functions";
    refused(&case, &["--outside", "error"], &["2 of ", words]);
    let said = case.forward(&[]).1;
    assert!(said.contains("warning: 2 of ") && said.contains(words), "{said}");
    fs::remove_file(case.out()).unwrap();
    // B of 792 cm^-1 falls to 0 within 9 K on the line below 100 K.
    case.set("limb/atm.tab", 41, 5, "80");
    refused(&case, &[], &["channel 0 (792 cm^-1)", "at 80 K", "lies outside [0, inf)"]);
}

/// The rays of the case end at its lowest and highest view points; a field of view of 2 km reaches beyond both.
#[test]
fn a_field_of_view_beyond_the_rays_is_said() {
    let case = Case::limb();
    fs::write(case.path("limb/fov.tab"), "-2 0.25\n0 0.5\n2 0.25\n").unwrap();
    let said = case.forward(&["FOV=fov.tab"]).1;
    assert!(said.contains("the field of view of 2 of 14 rays reaches beyond"), "{said}");
    assert!(said.contains("25.0 % of its weight at ray"), "{said}");
}

#[test]
fn a_full_disk_and_a_missing_folder() {
    let case = Case::limb();
    if Path::new("/dev/full").exists() {
        let output = case.command("forward", Path::new("/dev/full"), &["--quiet"]);
        one_line(&output, &["/dev/full: cannot write: No space left on device"]);
    }
    let output = case.command("forward", Path::new("nowhere/rad.tab"), &[]);
    one_line(&output, &["nowhere/rad.tab: cannot write: No such file or directory"]);
    // A disk that fills up while the file is written.
    let limited = std::process::Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_isobar")])
        .args(["forward", "--ctl", "limb.ctl", "--atm", "atm.tab", "--obs", "obs.tab", "--out", "rad.tab", "--quiet"])
        .current_dir(case.path("limb"))
        .output()
        .unwrap();
    one_line(&limited, &["rad.tab: cannot write: File too large"]);
    nothing_left_behind(&case);
    // A plot that cannot be written leaves no table behind.
    let output = case.command("forward", &case.out(), &["--plot", "nowhere/plot.svg"]);
    one_line(&output, &["nowhere/plot.svg: cannot write"]);
    nothing_left_behind(&case);
}

#[test]
fn tables_that_cannot_be_converted() {
    let case = Case::limb();
    let (from, to) = (case.path(O3), case.path("o3.txt"));
    let convert = |more: &[&str], to: &Path| {
        let mut arguments = vec!["tables".as_ref(), "convert".as_ref(), from.as_os_str(), to.as_os_str()];
        arguments.extend(more.iter().map(std::ffi::OsStr::new));
        isobar(&arguments)
    };
    one_line(&convert(&[], &to), &["o3.txt: the name must end in .tab or .bin"]);
    one_line(&convert(&["--big-endian"], &case.path("o3.tab")), &["o3.tab: --big-endian is for .bin"]);
    assert!(!to.exists());
}

/// Half a field of view 8 km wide lies on the line beyond the last ray, where radiances fall below 0.
#[test]
fn brightness_temperatures_that_a_field_of_view_spoils_are_counted() {
    let case = Case::limb();
    fs::write(case.path("limb/fov.tab"), "-8 0\n0 1\n8 1\n").unwrap();
    let (_, said) = case.forward(&["FOV=fov.tab"]);
    assert!(!said.contains("brightness"), "{said}");
    let (text, said) = case.forward(&["FOV=fov.tab", "WRITE_BBT=1"]);
    let rows = numbers(&text);
    let values: Vec<(usize, usize)> = (0..rows.len()).flat_map(|ray| (0..4).map(move |i| (ray, i))).collect();
    let none: Vec<_> = values.into_iter().filter(|&(ray, i)| rows[ray][10 + i].is_nan()).collect();
    let (ray, channel) = none[0];
    let first = format!("{} of 56 brightness temperatures are NaN, the first in channel {channel} (", none.len());
    let place = format!(") of ray {ray}: the field of view makes the radiance negative there");
    assert!(said.contains(&first) && said.contains(&place), "{said}");
}

/// The first ray is alone at its time.
#[test]
fn errors_of_a_field_of_view_name_the_observation() {
    let case = Case::limb();
    fs::write(case.path("limb/fov.tab"), "-1 0.5\n1 0.5\n").unwrap();
    case.set("limb/obs.tab", 0, 0, "5");
    let problem =
        "obs.tab: ray 0: the field of view needs at least 2 rays of its time among its 10 neighbours, found 1";
    let output = case.command("forward", &case.out(), &["FOV=fov.tab"]);
    assert!(!output.status.success() && said(&output).contains(problem), "{}", said(&output));
}
