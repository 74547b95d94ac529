//! What `isobar longwave` refuses: one line with file, variable, column, layer, value and accepted range.

use std::fs;

use crate::common::classic::Classic;
use crate::common::longwave::{
    COLUMN, COLUMNS, LAYER, LAYERS, LEVEL, case, clear, cloudy, fluxes, kdist, refused, upside_down,
};
use crate::common::radiation_file::Numbers;
use crate::common::said;

/// A file with one value changed.
fn with(mut file: Classic, variable: &str, index: usize, value: f64) -> Classic {
    file.variable(variable).values[index] = value;
    file
}

fn without(mut file: Classic, variable: &str) -> Classic {
    file.variables.retain(|other| other.name != variable);
    file
}

fn in_unit(mut file: Classic, variables: &[&str], units: &'static str) -> Classic {
    variables.iter().for_each(|name| file.variable(name).units = Some(units));
    file
}

#[test]
fn pressures_in_the_wrong_unit_are_recognised() {
    let mut file = clear();
    for name in ["plev", "play"] {
        file.variable(name).values.iter_mut().for_each(|p| *p *= 0.01);
    }
    refused(&file, &[], &["plev = 1000 at level 0, column 0 looks like hPa, units says Pa"]);
    // Only the layers.
    let mut file = clear();
    file.variable("play").values.iter_mut().for_each(|p| *p *= 0.01);
    refused(&file, &[], &["play = 818.81", "at layer 0, column 0 looks like hPa, units says Pa"]);
    let file = in_unit(clear(), &["plev", "play"], "hPa");
    refused(&file, &[], &["plev = 100000 at level 0, column 0 looks like Pa, units says hPa"]);
    refused(&upside_down(&file), &[], &["plev = 100000 at level 8, column 0 looks like Pa"]);
}

#[test]
fn profiles_out_of_order_are_refused() {
    let level = |k: usize, column: usize| k * COLUMNS + column;
    refused(
        &with(clear(), "plev", level(3, 1), 70_000.0),
        &[],
        &["plev = 70000 Pa at level 3, column 1 lies outside [0, 40697.62", "pressure falls with height"],
    );
    refused(
        &with(clear(), "play", level(3, 1), 40_000.0),
        &[],
        &["play = 40000 at layer 3, column 1 is not between the 25949.95", "Pa of the levels around it"],
    );
}

#[test]
fn values_out_of_range_are_refused() {
    let nan = f64::NAN;
    for (file, parts) in [
        (with(clear(), "tlay", 7, nan), ["tlay = NaN K at layer 2, column 1", "outside [100, 400]"]),
        (with(clear(), "tlev", 7, 27.0), ["tlev = 27 K at level 2, column 1", "outside [100, 400]"]),
        (with(clear(), "tsfc", 2, 500.0), ["tsfc = 500 K at column 2", "outside [100, 400]"]),
        (with(clear(), "h2o", 4, -1e-5), ["h2o = -0.00001 mol mol-1 at layer 1, column 1", "outside [0, 1]"]),
        (with(clear(), "emissivity", 0, 1.01), ["emissivity = 1.01 at column 0", "outside [0, 1]"]),
        (with(cloudy(), "cldfrac", 3, 1.2), ["cldfrac = 1.2 at layer 1, column 0", "outside [0, 1]"]),
        (with(cloudy(), "clwp", 3, -2.0), ["clwp = -2 g m-2 at layer 1, column 0", "outside [0, inf)"]),
        (with(cloudy(), "reliq", 4, 1.0), ["reliq = 1 at layer 1, column 1 is not in [2.5, 60] um", "optics"]),
        (with(cloudy(), "reice", 17, 200.0), ["reice = 200 at layer 5, column 2 is not in [5, 140] um", "optics"]),
    ] {
        refused(&file, &[], &parts);
    }
    // Where there is no water nobody asks for its size, nor with one coefficient for all sizes.
    fluxes(&with(cloudy(), "reliq", 0, 1.0), &[]);
    fluxes(&with(cloudy(), "reliq", 4, 1.0), &["--liquid", "one"]);
    refused(
        &with(cloudy(), "reice", 17, 9.0),
        &["--ice", "one"],
        &["reice = 9 at layer 5, column 2 is not in [10, any]"],
    );
}

#[test]
fn what_lies_outside_of_the_tables_is_refused_if_asked_for() {
    let file = with(clear(), "tlay", 1, 340.0);
    refused(
        &file,
        &["--outside", "error"],
        &["tlay = 340 at layer 0, column 1 is not in [", "absorption tables", " more)"],
    );
    let (extrapolated, clamped) = (fluxes(&file, &[]), fluxes(&file, &["--outside", "clamp"]));
    assert!(extrapolated.column("longwave_upward_flux", 1) != clamped.column("longwave_upward_flux", 1));
}

/// With RRTMG_LW's scheme: the other columns have the bits that they have without the bad one.
#[test]
fn bad_columns_are_left_out_if_asked_for() {
    let expected = fluxes(&clear(), &[]);
    for (file, status, text) in [
        (with(clear(), "tlay", 7, f64::NAN), 1.0, "tlay = NaN K at layer 2, column 1 lies outside [100, 400]"),
        (with(clear(), "tsfc", 1, 500.0), 2.0, "tsfc = 500 K at column 1 lies outside [100, 400]"),
        (with(clear(), "play", 3 * COLUMNS + 1, 40_000.0), 2.0, "play = 40000 at layer 3, column 1 is not between"),
    ] {
        refused(&file, &[], &[text]);
        let case = case(&file);
        let output = case.command(&["--kdist", &kdist(), "--keep-going"]);
        assert_eq!(output.status.code(), Some(3), "{}", said(&output));
        let words = format!("1 of 3 columns have a status, and fill values; the first: {text}");
        assert!(said(&output).contains(&words), "{}", said(&output));
        let out = Numbers::open(&case.out());
        assert_eq!(out.all("status"), [0.0, status, 0.0]);
        for (index, found) in out.all("longwave_downward_flux").iter().enumerate() {
            let (level, column) = (index / COLUMNS, index % COLUMNS);
            let fill = 9.969_209_968_386_869e36;
            let expected = if column == 1 { fill } else { expected.column("longwave_downward_flux", column)[level] };
            assert_eq!(*found, expected, "{text} {index}");
        }
    }
    let none = (0..COLUMNS).fold(clear(), |file, column| with(file, "tsfc", column, 500.0));
    refused(&none, &["--keep-going"], &["no column can be computed; the first: tsfc = 500 K at column 0"]);
    assert_eq!(
        fluxes(&clear(), &["--keep-going"]).values("longwave_downward_flux"),
        expected.values("longwave_downward_flux")
    );
}

#[test]
fn what_is_missing_is_named() {
    let names = &["level_pressure(level", "is missing", "the file has: tlay"];
    refused(&without(without(clear(), "plev"), "play"), &[], names);
    // All that is missing at once.
    let all = without(without(without(clear(), "tsfc"), "plev"), "play");
    refused(&all, &[], &["; surface_temperature(time, profile) in \"K\" is missing", "level_pressure(level"]);
    refused(&without(without(clear(), "co2"), "o3"), &[], &["gases are missing: co2, o3;", "--gas", "--assume-zero"]);
    refused(&without(cloudy(), "reliq"), &[], &["liquid_radius(layer", "is missing"]);
    refused(&without(without(cloudy(), "clwp"), "ciwp"), &[], &["cloud_fraction, but neither liquid_water_path"]);
    let mut file = clear();
    file.variable("tlay").units = None;
    refused(&file, &[], &["tlay has no attribute \"units\""]);
    refused(&in_unit(clear(), &["co2"], "K"), &[], &["co2 has units \"K\", which do not convert to \"mol mol-1\""]);
}

#[test]
fn sizes_that_do_not_fit_are_refused() {
    let one_layer = Classic { dimensions: vec![("column", 1), ("layer", 1), ("level", 2)], ..Classic::default() }
        .with("plev", LEVEL, "Pa", &[1e5, 9e4])
        .with("tlay", LAYER, "K", &[280.0])
        .with("tsfc", COLUMN, "K", &[280.0])
        .with("emissivity", &[], "1", &[1.0])
        .with("h2o", &[], "1", &[0.01])
        .with("co2", &[], "1", &[4e-4])
        .with("o3", &[], "1", &[4e-8])
        .with("n2o", &[], "1", &[3e-7])
        .with("ch4", &[], "1", &[2e-6])
        .with("o2", &[], "1", &[0.2]);
    refused(&one_layer, &[], &["dimension layer = 1: at least 2 are needed"]);
    let mut file = clear();
    file.dimensions[2].1 = LAYERS;
    for name in ["plev", "tlev"] {
        file.variable(name).values.truncate(LAYERS * COLUMNS);
    }
    refused(&file, &[], &["tlay has dimension layer = 8, but plev has level = 8; n layers have n + 1 levels"]);
    let mut file = clear();
    file.dimensions[3].1 = 14;
    let file = file.with("tauaer", &["layer", "band", "column"], "1", &vec![0.0; LAYERS * 14 * COLUMNS]);
    refused(&file, &[], &["dimension band = 14: the k-distribution has 16 bands"]);
}

#[test]
fn files_that_are_no_coefficients_are_refused() {
    let coefficients = fs::read(kdist()).unwrap();
    let case = case(&clear());
    let path = case.folder.path().join("k");
    let of = |bytes: &[u8], part: &str| {
        fs::write(&path, bytes).unwrap();
        let output = case.command(&["--kdist", "k"]);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.starts_with("isobar: k: ") && text.contains(part) && text.lines().count() == 1, "{text}");
        assert!(!case.out().exists());
    };
    of(&coefficients[..5000], "5000 bytes are left of the file instead of");
    of(b"nothing", "no coefficient file of RRTMG_LW");
    of(b"CDF\x01 and so on", "not a NetCDF file that can be read");
    // The first record of the file of singles, in either byte order, and nothing else.
    let length: u32 = 4 * 16 * (2 + 5 * 13 + 5 * 47 + 2 * 19 + 10 + 4);
    of(&length.to_be_bytes(), "record 1 (band 1): 4 bytes are left of the file");
    of(&length.to_le_bytes(), "record 1 (band 1): 4 bytes are left of the file");
    let output = case.command(&["--kdist", "nobody"]);
    assert!(said(&output).contains("nobody: "), "{}", said(&output));
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let case = case(&clear());
    for (option, value, part) in [
        ("--gas", "xenon=1e-6", "there is no gas \"xenon\""),
        ("--gas", "co2", "NAME=VALUE"),
        ("--gas", "co2=400", "[0, 1] mol/mol"),
        ("--angles", "5", "nor a number in [1, 4]"),
        ("--solver", "exact", "maximum-random"),
    ] {
        let output = case.command(&[option, value]);
        assert_eq!(output.status.code(), Some(2));
        assert!(said(&output).contains(part), "{}", said(&output));
    }
}
