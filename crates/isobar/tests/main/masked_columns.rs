//! Columns of which a file has no values, as the sea of a file of land, are left out and missing in the results.

use std::process::Command;

use crate::common::classic::{Case, Classic};
use crate::common::radiation_file::Numbers;
use crate::common::{printed, said};
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
            .env("ISOBAR_DATA", crate::common::data())
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
