//! Control files: the rules of `KEY = VALUE`, defaults, refusals.

use std::path::PathBuf;

use crate::common::{control, file, message, try_control};
use isobar_io::control::{Approximation, Continua, NitrogenContinuum};
use isobar_io::{Control, TableFormat};
use proptest::prelude::*;

fn read(text: &str) -> (Control, Vec<String>, PathBuf) {
    let (folder, path) = file(text, "run.ctl");
    let (control, warnings) = Control::read(&path, &[]).unwrap();
    let prefix = format!("{}/", folder.path().display());
    (control, warnings.iter().map(|warning| warning.to_string().replace(&prefix, "")).collect(), path)
}

fn refusal(text: &str) -> String {
    let (_folder, path) = file(text, "run.ctl");
    message(Control::read(&path, &[]), &path)
}

#[test]
fn empty_file_gives_the_defaults() {
    let (control, warnings, _) = read("# nothing\n\n");
    assert_eq!(control, Control::default());
    assert!(warnings.is_empty());
    assert_eq!(control.window_count, 1);
    assert_eq!(control.surface_type, 2);
    assert_eq!((control.step_length_km, control.step_height_km), (10.0, 0.1));
    assert_eq!(control.continua, Continua { co2: true, h2o: true, n2: NitrogenContinuum::Jurassic, o2: true });
    assert_eq!(control.approximation, Approximation::EmissivityGrowth);
}

#[test]
fn every_field_is_read() {
    let text = "ng = 2\nEMITTER[0] = CO2\nemitter[1] : H2O\nND = 2\nNU[0] = 792\r\nNU[1] = 832.5 cm-1\nNW = 3\n\
                WINDOW[*] = 2\nNCL = 2\nCLNU[0] = 700\nCLNU[1] = 2400\nNSF = 2\nSFNU[0] = 2400\nSFNU[1] = 700\n\
                SFTYPE = 3\nSFSZA = 35\nTBLBASE = ../t/syn\nTBLFMT = 2\nHYDZ = 0\nCTM_N2 = 0\nREFRAC = 0\nRAYDS = 2e1\n\
                RAYDZ = 0\nFOV = fov.tab\nWRITE_BBT = 1\nFORMOD = 0\n";
    let (control, warnings, path) = read(text);
    let folder = path.parent().unwrap();
    assert_eq!(warnings, [""; 0]);
    assert_eq!(control.emitters, ["CO2", "H2O"]);
    assert_eq!(control.wavenumbers_per_cm, [792.0, 832.5]);
    assert_eq!((control.window_count, &control.windows[..]), (3, &[2, 2][..]));
    assert_eq!(control.cloud_wavenumbers_per_cm, [700.0, 2400.0]);
    assert_eq!(control.surface_wavenumbers_per_cm, [2400.0, 700.0]);
    assert_eq!((control.surface_type, control.solar_zenith_deg), (3, Some(35.0)));
    assert_eq!(control.table_base, Some(folder.join("../t/syn")));
    assert_eq!(control.table_format, TableFormat::Binary);
    assert_eq!(control.hydrostatic_reference_km, Some(0.0));
    assert_eq!(control.continua, Continua { co2: true, h2o: true, n2: NitrogenContinuum::Off, o2: true });
    assert!(!control.refraction && control.brightness_temperature);
    assert_eq!((control.step_length_km, control.step_height_km), (20.0, 0.0));
    assert_eq!(control.field_of_view, Some(folder.join("fov.tab")));
    assert_eq!(control.approximation, Approximation::CurtisGodson);
}

#[test]
fn first_match_wins_and_overrides_win_over_it() {
    let text = "RAYDS = 5\nRAYDS = 6\nND = 3\nNU[1] = 2\nNU[*] = 1\nNU[2] = 3\nTBLBASE = -\n";
    let (_folder, path) = file(text, "run.ctl");
    let (plain, _) = Control::read(&path, &[]).unwrap();
    assert_eq!(plain.step_length_km, 5.0);
    assert_eq!(plain.wavenumbers_per_cm, [1.0, 2.0, 1.0], "NU[2] comes after NU[*]");
    assert_eq!(plain.table_base, None);
    let overrides = [("rayds", "7"), ("nu[0]", "9"), ("TBLBASE", "syn")].map(|(k, v)| (k.to_owned(), v.to_owned()));
    let (changed, _) = Control::read(&path, &overrides).unwrap();
    assert_eq!(changed.step_length_km, 7.0);
    assert_eq!(changed.wavenumbers_per_cm, [9.0, 2.0, 1.0]);
    assert_eq!(changed.table_base, Some(std::path::absolute("syn").unwrap()), "relative to the current folder");
}

#[test]
fn unknown_keys_warn_and_known_ones_do_not() {
    let (control, warnings, _) = read(
        "RAYDZZ = 1\nRAYDS[0] = 3\nNU = 7\nERR_Q[2] = 30\nERR_Q_CZ[*] = 5\nOBSZ = 780\nRFMXSC[1] = x\nUSEGPU = 1\n\
         TASK = -\nRETT_ZMIN = 8\nCLK[0] = 1\nCONV_DMIN = 0.1\n",
    );
    assert_eq!(
        warnings,
        [
            "run.ctl:1: unknown key RAYDZZ is ignored; the nearest known key is RAYDZ",
            "run.ctl:2: RAYDS[0] takes no index and is ignored; write RAYDS",
            "run.ctl:3: NU needs an index and is ignored; write NU[0] or NU[*]",
        ]
    );
    assert_eq!(control.raw("err_q[2]"), Some("30"));
    assert_eq!(control.raw("ERR_Q_CZ[7]"), Some("5"));
    assert_eq!(control.raw("ERR_Q[0]"), None);
    assert_eq!(control.raw("RETT_ZMIN"), Some("8"));
}

/// Found by fuzzing: a key of 3 MB took 69 s, a table of 300,000 rows 22 s.
/// An index counts however it is spelt, first match as others, and has its range.
#[test]
fn an_index_counts_in_any_spelling() {
    let (control, warnings, _) =
        read("ND = 3\nNU[00] = 700\nNU[+1] = 710\nNU[1] = 1\nNU[*] = 720\nNW = 2\nWINDOW[01] = 1\n");
    assert_eq!((control.wavenumbers_per_cm, control.windows), (vec![700.0, 710.0, 720.0], vec![0, 1, 0]));
    assert!(warnings.is_empty(), "{warnings:?}");
    let error = refusal("ND = 1\nNU[0] = 700\nWINDOW[00] = 5\n");
    assert!(error.contains("run.ctl:3: WINDOW[0] = 5 lies outside [0, 0]"), "{error}");
}

#[test]
fn keys_of_the_retrieval_with_a_wrong_index_are_complained_of() {
    for (key, right) in [
        ("ERR_NOISE", Some("ERR_NOISE needs an index and is ignored; write ERR_NOISE[0] or ERR_NOISE[*]")),
        ("ERR_Q", Some("ERR_Q needs an index and is ignored; write ERR_Q[0] or ERR_Q[*]")),
        ("RETQ_ZMIN", Some("RETQ_ZMIN needs an index and is ignored; write RETQ_ZMIN[0] or RETQ_ZMIN[*]")),
        ("ERR_TEMP[0]", Some("ERR_TEMP[0] takes no index and is ignored; write ERR_TEMP")),
        ("CONV_ITMAX[0]", Some("CONV_ITMAX[0] takes no index and is ignored; write CONV_ITMAX")),
        ("RETT_ZMAX[*]", Some("RETT_ZMAX[*] takes no index and is ignored; write RETT_ZMAX")),
        ("ERR_NOISE[*]", None),
        ("ERR_TEMP", None),
        ("WRITE_MATRIX", None),
        ("ERR_CLK", None),
        ("ERR_CLK[0]", None),
        ("SFEPS[0]", None),
    ] {
        let (_, warnings, _) = read(&format!("{key} = 1\n"));
        assert_eq!(warnings, right.map(|text| format!("run.ctl:1: {text}")).into_iter().collect::<Vec<_>>(), "{key}");
    }
}

#[test]
fn elements_that_are_not_declared_are_told() {
    let text = "ND = 1\nNU[0] = 700\nNU[1] = 710\nNU[2] = 720\nWINDOW[7] = 0\nCLNU[0] = 700\nNU[*] = 5\n";
    let expected = [
        "run.ctl:3: NU[1] and 1 more have no effect: ND = 1",
        "run.ctl:5: WINDOW[7] has no effect: ND = 1",
        "run.ctl:6: CLNU[0] has no effect: NCL = 0",
    ];
    assert_eq!(read(text).1, expected);
}

#[test]
fn what_is_no_control_file_is_no_work() {
    let (_, warnings, _) = read(&format!("{} = 1\n", "K".repeat(3_000_000)));
    assert_eq!(warnings, [format!("run.ctl:1: unknown key {}... is ignored", "K".repeat(64))]);
    let row = "1 200 1e10 .1\n";
    assert_eq!(read(&row.repeat(1000)).1.len(), 1000);
    let text = "run.ctl:1: no control file: more than 1000 keys are unknown; unknown key 1 is ignored";
    assert!(refusal(&row.repeat(300_000)).starts_with(text));
    // To look for each of these values in all lines would take more than a minute.
    let (control, ..) = read(&format!("{}ND = 100000\nNU[*] = 792\n", "RAYDS = 1\n".repeat(20_000)));
    assert_eq!(control.wavenumbers_per_cm.len(), 100_000);
}

#[test]
fn refusals_name_line_value_and_range() {
    let cases = [
        ("RAYDS = -1\n", "run.ctl:1: RAYDS = -1 lies outside (0, inf)"),
        ("RAYDS = nan\n", "run.ctl:1: RAYDS = nan lies outside (0, inf)"),
        ("\nRAYDZ = -0.5\n", "run.ctl:2: RAYDZ = -0.5 lies outside [0, inf)"),
        ("RAYDS = ten\n", "run.ctl:1: \"ten\" is not a number (RAYDS)"),
        ("RAYDS=10\n", "run.ctl:1: \"RAYDS=10\" is not of the form KEY = VALUE, with blanks around the sign"),
        ("NCL = 1\n", "run.ctl:1: NCL = 1 lies outside {0, 2, 3, ...}"),
        ("NSF = 1\n", "run.ctl:1: NSF = 1 lies outside {0, 2, 3, ...}"),
        ("NSF = 2\nSFNU[*] = 700\n", "run.ctl:2: SFNU[1] = 700 breaks the order of SFNU[0] to SFNU[0]"),
        ("ND = 1\nNU[0] = 792\nWINDOW[0] = 1\n", "run.ctl:3: WINDOW[0] = 1 lies outside [0, 0]"),
        ("ND = 2\nNU[0] = 792\n", "run.ctl:1: NU[1] is missing (ND = 2)"),
        (
            "NG = 1\nEMITER[0] = CO2\n",
            "run.ctl:1: EMITTER[0] is missing (NG = 1); run.ctl:2: unknown key EMITER[0] is ignored; the nearest known \
             key is EMITTER",
        ),
        ("ND = 1.5\n", "run.ctl:1: ND = 1.5 is not a whole number"),
        ("NG = 2\nEMITTER[0] = CO2\nEMITTER[1] = co2\n", "run.ctl:3: EMITTER[1] = co2 is EMITTER[0] again"),
        ("SFTYPE = 4\n", "run.ctl:1: SFTYPE = 4 lies outside [0, 3]"),
        ("SFSZA = 181\n", "run.ctl:1: SFSZA = 181 lies outside (-inf, 180]"),
        ("TBLFMT = 4\n", "run.ctl:1: TBLFMT = 4 lies outside {1 (text), 2 (binary), 3 (NetCDF)}"),
        ("CTM_CO2 = 2\n", "run.ctl:1: CTM_CO2 = 2 lies outside [0, 1]"),
        ("CTM_N2 = 3\n", "run.ctl:1: CTM_N2 = 3 lies outside {0 (none), 1 (as in JURASSIC), 2 (as measured)}"),
        (
            "FORMOD = 2\n",
            "run.ctl:1: FORMOD = 2 asks for the external line-by-line model RFM, which is not supported; \
             set 1 (emissivity growth) or 0 (Curtis-Godson)",
        ),
        ("FORMOD = 3\n", "run.ctl:1: FORMOD = 3 lies outside {0 (Curtis-Godson), 1 (emissivity growth)}"),
    ];
    for (text, expected) in cases {
        assert_eq!(refusal(text), expected);
    }
    let error = try_control(&[("RAYDS", "0")]).unwrap_err();
    assert_eq!(error.to_string(), "command line: RAYDS = 0 lies outside (0, inf)");
    let missing = PathBuf::from("/nowhere/run.ctl");
    assert_eq!(
        Control::read(&missing, &[]).unwrap_err().to_string(),
        "/nowhere/run.ctl: cannot read: No such file or directory (os error 2)"
    );
}

#[test]
fn channels_are_required_where_asked_for() {
    let (control, _, path) = read("NG = 0\n");
    let text = message(control.require_channels(), &path);
    assert_eq!(text, "run.ctl: no channel is configured: set ND and NU[0] to NU[ND-1]");
    assert!(crate::common::control(&[("ND", "1"), ("NU[0]", "792")]).require_channels().is_ok());
}

#[test]
fn blanks_in_a_path_cannot_be_written() {
    let control = control(&[("TBLBASE", "/a b/syn")]);
    assert_eq!(
        control.write(Vec::new()).unwrap_err().to_string(),
        "TBLBASE = \"/a b/syn\": a control file holds no value that is empty or has a blank"
    );
}

proptest! {
    #[test]
    fn written_control_reads_back_equal(
        nus in prop::collection::vec(1e-3f64..5e3, 0..5),
        window_count in 1usize..4,
        surface_type in 0u8..4,
        solar_zenith_deg in prop::option::of(0.0f64..180.0),
        hydrostatic_reference_km in prop::option::of(0.0f64..1e9),
        step_length_km in 1e-300f64..1e300,
        flags: [bool; 5],
        err: f64,
    ) {
        let value = format!("{err}");
        let pairs = [("ERR_TEMP".into(), value), ("MY_KEY".into(), "x".into())];
        let (mut control, _) = Control::from_pairs(&pairs).unwrap();
        control.emitters = vec!["CO2".into(), "H2O".into()];
        control.windows = (0..nus.len()).map(|i| i % window_count).collect();
        control.wavenumbers_per_cm = nus;
        control.cloud_wavenumbers_per_cm = vec![700.0, 2400.0];
        control.window_count = window_count;
        control.surface_type = surface_type;
        control.solar_zenith_deg = solar_zenith_deg;
        control.hydrostatic_reference_km = hydrostatic_reference_km;
        control.step_length_km = step_length_km;
        let n2 = [NitrogenContinuum::Off, NitrogenContinuum::Jurassic, NitrogenContinuum::Measured][window_count - 1];
        control.continua = Continua { co2: flags[0], h2o: flags[1], n2, o2: flags[3] };
        control.brightness_temperature = flags[4];
        control.table_base = flags[0].then(|| "/tables/syn".into());
        control.table_format = if flags[1] { TableFormat::Ascii } else { TableFormat::Binary };
        control.approximation = if flags[2] { Approximation::CurtisGodson } else { Approximation::EmissivityGrowth };
        let mut text = Vec::new();
        control.write(&mut text).unwrap();
        let (_folder, path) = file(text, "out.ctl");
        prop_assert_eq!(Control::read(&path, &[]).unwrap().0, control);
    }
}
