//! Columns of which a file has no values, as the sea of a file of land, are left out and missing in the results.

use std::fs;
use std::process::Command;

use netcdf_reader::NcFile;

use crate::common::classic::{Case, Classic};
use crate::common::radiation_file::Numbers;
use crate::common::run_case::{self, CASE};
use crate::common::{data, printed, said};
use crate::model_files::{COLUMNS, OPTIONS, cam, fluxes};
use crate::pbl_model_files;

/// What NetCDF fills unwritten values with, and files mark missing ones with.
const FILL: f64 = 9.969_209_968_386_869e36;
/// Time, latitude and longitude of the columns without values.
const MASKED: [[usize; 3]; 3] = [[0, 0, 0], [1, 0, 2], [1, 1, 1]];

fn is_masked(column: usize) -> bool {
    MASKED.contains(&[column / 6, column / 3 % 2, column % 3])
}

/// A file without values in some columns, but for these variables.
fn masked(file: &Classic, but: &[&str]) -> Classic {
    let mut file = file.clone();
    for variable in file.variables.iter_mut().filter(|one| one.dimensions.contains(&"lon") && one.name != "lon") {
        if but.contains(&variable.name) {
            continue;
        }
        let rows = variable.values.len() / COLUMNS;
        for (i, value) in variable.values.iter_mut().enumerate() {
            // (time, lev, lat, lon)
            let column = i / (6 * rows) * 6 + i % 6;
            if is_masked(column) {
                *value = FILL;
            }
        }
    }
    file
}

/// That results are those of the whole, but for the masked columns.
fn are_the_others(found: &Numbers, whole: &Numbers, names: &[&str]) {
    for name in names {
        let (found, whole) = (found.all(name), whole.all(name));
        let rows = whole.len() / COLUMNS;
        for (i, (found, whole)) in found.iter().zip(&whole).enumerate() {
            let is_out = is_masked(i / (6 * rows) * 6 + i % 6);
            assert!(if is_out { *found > 9e36 } else { found == whole }, "{name} {i}: {found} {whole}");
        }
    }
    let status = found.all("status");
    assert!((0..COLUMNS).all(|column| status[column] == if is_masked(column) { 4.0 } else { 0.0 }), "{status:?}");
    assert_eq!(found.attribute("status", "flag_meanings").unwrap().split_whitespace().last(), Some("masked"));
}

#[test]
fn radiation_leaves_them_out() {
    const NAMES: [&str; 4] =
        ["longwave_upward_flux", "shortwave_downward_flux", "longwave_heating_rate", "level_pressure"];
    let (file, _) = cam();
    let whole = fluxes(&Case::of("radiation", &file.bytes()), &[]);
    // Surfaces may be there, or not.
    for but in [&[][..], &["PS", "TS"]] {
        let case = Case::of("radiation", &masked(&file, but).bytes());
        are_the_others(&fluxes(&case, &[]), &whole, &NAMES);
        are_the_others(&fluxes(&case, &["--at-once", "6"]), &whole, &NAMES);
        are_the_others(&fluxes(&case, &["--keep-going"]), &whole, &NAMES);
    }
    let case = Case::of("radiation", &masked(&file, &[]).bytes());
    let output = case.command(&[&OPTIONS[..], &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&printed(&output)).unwrap();
    assert_eq!((json["masked"].as_u64(), json["failed"].as_u64()), (Some(3), Some(0)), "{json}");
    // How many is said once, of parts in all.
    let words = "3 of 12 columns are masked, for T is missing in all of their layers";
    let run = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_isobar"))
            .args(arguments)
            .env("ISOBAR_DATA", data())
            .current_dir(case.folder.path())
            .output()
            .unwrap()
    };
    for more in [&[][..], &["--at-once", "6"]] {
        let output = run(&[&["radiation", "in.nc", "-o", "out.nc", "--device", "cpu"], &OPTIONS[..], more].concat());
        assert_eq!(said(&output).matches("columns are masked").count(), 1, "{}", said(&output));
        assert!(said(&output).contains(words) && output.status.success(), "{}", said(&output));
    }
    let output = run(&["check", "in.nc"]);
    let text = printed(&output);
    assert!(text.contains(words) && output.status.success(), "{text}{}", said(&output));
    // A part without any column: parts are along longitudes.
    let refused = ["T is missing in all layers of all 4 columns, of a part", "--at-once"];
    let mut file = file.clone();
    file.variable("T").values.iter_mut().skip(1).step_by(3).for_each(|value| *value = FILL);
    Case::of("radiation", &file.bytes()).refused(&[&OPTIONS[..], &["--at-once", "1"]].concat(), &refused);
}

#[test]
fn boundary_layers_leave_them_out() {
    const NAMES: [&str; 4] = ["tendency_theta", "tendency_u", "boundary_layer_height", "height"];
    let (file, _) = pbl_model_files::cam();
    let run = |file: &Classic, more: &[&str]| {
        let case = Case::of("pbl", &file.bytes());
        let output = case.command(&[&["--dt", "60", "--value", "roughness=0.25"], more].concat());
        assert!(output.status.success(), "{}", said(&output));
        Numbers::open(&case.out())
    };
    for more in [&[][..], &["--steps", "3"], &["--surface", "revised-mm5", "--value", "moisture_availability=0.5"]] {
        are_the_others(&run(&masked(&file, &[]), more), &run(&file, more), &NAMES);
    }
}

/// The columns of the demonstration of boundary layers, and without values in some.
pub(crate) fn demonstration(without: &[usize]) -> Classic {
    let file = NcFile::open(data().join("pbl/columns.nc")).unwrap();
    let leak = |text: &str| -> &'static str { Box::leak(text.to_owned().into_boxed_str()) };
    let sizes = file.dimensions().unwrap().iter().map(|one| (leak(&one.name), one.size as usize)).collect();
    let mut columns = Classic { dimensions: sizes, ..Classic::default() };
    for variable in file.variables().unwrap() {
        let dimensions: Vec<&str> = variable.dimensions.iter().map(|one| leak(&one.name)).collect();
        let units = variable.attributes.iter().find(|one| one.name == "units").unwrap().value.as_string().unwrap();
        let mut values: Vec<f64> = file.read_variable_as_f64(&variable.name).unwrap().iter().copied().collect();
        if dimensions.last() == Some(&"column") && variable.name != "xland" {
            values.chunks_mut(4).for_each(|row| without.iter().for_each(|&column| row[column] = FILL));
        }
        columns = columns.with(leak(&variable.name), &dimensions, leak(&units), &values);
    }
    columns.attributes = vec![("orientation", "bottom_first")];
    columns
}

#[test]
fn runs_leave_them_out() {
    let start = "kind = \"netcdf\"\nfile = \"columns.nc\"";
    let text = CASE.replacen("columns = 3\n", "", 1).replacen("kind = \"us76\"", start, 1);
    let text = text.replacen("[grid]\nlayers = 10\ntop_m = 16_000.0\n", "", 1);
    let cases = [&[][..], &[0, 2]].map(|without| {
        let case = run_case::Case::new(&text);
        fs::write(case.path("columns.nc"), demonstration(without).bytes()).unwrap();
        case.goes_on_after_a_restart();
        case
    });
    let [whole, masked] = cases.each_ref().map(|case| NcFile::open(case.path("whole.nc")).unwrap());
    let mut seen = 0;
    for variable in whole.variables().unwrap() {
        if variable.dimensions.last().is_none_or(|last| last.name != "column") {
            continue;
        }
        let [whole, masked] = [&whole, &masked].map(|file| file.read_variable_as_f64(&variable.name).unwrap());
        let is_word = ["flags", "stopped_by", "stopped_layer", "stopped_step"].contains(&variable.name.as_str());
        for (i, (whole, masked)) in whole.iter().zip(&masked).enumerate() {
            let expected = match (i % 4, variable.name.as_str()) {
                (1 | 3, _) => whole,
                (_, "flags") => &4.0,
                (_, _) if is_word => &0.0,
                _ => &FILL,
            };
            assert!(masked == expected || *expected == FILL && *masked > 9e36, "{} {i}: {masked}", variable.name);
        }
        seen += 1;
    }
    assert!(seen > 30, "{seen}");
    // That there are some is said, and they are not among those that are flagged.
    let output = cases[1].command("out.nc", &["--json"]).output().unwrap();
    let json: serde_json::Value = serde_json::from_str(&printed(&output)).unwrap();
    assert_eq!((json["columns"].as_u64(), json["flagged_columns"].as_u64()), (Some(4), Some(0)), "{json}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
    command.args(["run", "case.toml", "-o", "out.nc", "--device", "cpu"]).current_dir(cases[1].path(""));
    let text = said(&command.output().unwrap());
    assert!(text.contains("columns.nc: 2 of 4 columns are masked, for t is missing in all of their layers"), "{text}");
}

/// Other values that are missing are errors, in words that name the file's place.
#[test]
fn what_is_missing_elsewhere_is_an_error() {
    let (file, _) = cam();
    let refused = |change: &dyn Fn(&mut Classic), parts: &[&str]| {
        let mut file = masked(&file, &[]);
        change(&mut file);
        Case::of("radiation", &file.bytes()).refused(&OPTIONS, parts);
    };
    // One layer, and one variable of a column.
    refused(&|file| file.variable("T").values[6 + 1] = FILL, &["T is missing at time 0, lev 1, lat 0, lon 1"]);
    refused(&|file| file.variable("PS").values[1] = FILL, &["PS is missing at time 0, lat 0, lon 1"]);
    // What is no number is none that the file marks.
    let unmarked = |file: &mut Classic| {
        let layers = (0..12).map(|layer| layer * 6);
        layers.for_each(|i| file.variable("T").values[i] = f64::NAN);
    };
    refused(&unmarked, &["PS is missing at time 0, lat 0, lon 0"]);
    refused(
        &|file| file.variable("T").values.iter_mut().for_each(|value| *value = FILL),
        &["T is missing in all layers of all 12 columns"],
    );
}
