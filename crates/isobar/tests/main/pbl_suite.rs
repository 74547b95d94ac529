//! `isobar pbl` with the options that came with the suite of WRF, MPAS and the CCPP: constants, towns, Shin-Hong.

use std::path::Path;
use std::process::Command;

use crate::common::classic::{Case, Classic};
use crate::common::{data, said};
use crate::pbl::{SURFACE, output, stack, transposed};

const LAYERS: &[&str] = &["layer", "column"];
const FIELDS: [(&str, &str); 10] = [
    ("u", "m s-1"),
    ("v", "m s-1"),
    ("t", "K"),
    ("qv", "kg kg-1"),
    ("qc", "kg kg-1"),
    ("qi", "kg kg-1"),
    ("p", "Pa"),
    ("exner", "1"),
    ("dz", "m"),
    ("rthraten", "K s-1"),
];
/// Behind those of the surface that YSU's own files have.
const MORE: [(&str, &str); 3] = [("frcurb", "1"), ("corf", "s-1"), ("dxmeter", "m")];
/// The fields of a town and what they are above it; without units the scheme does not read them.
const TOWN: [(&str, &str, f64); 14] = [
    ("a_u", "s-1", 0.0),
    ("a_v", "s-1", 0.0),
    ("a_t", "s-1", 0.0),
    ("a_q", "s-1", 0.0),
    ("a_e", "", 0.0),
    ("b_u", "m s-2", 0.0),
    ("b_v", "m s-2", 0.0),
    ("b_t", "K s-1", 0.0),
    ("b_q", "s-1", 0.0),
    ("b_e", "", 0.0),
    ("sfk", "1", 1.0),
    ("vlk", "1", 1.0),
    ("dlu", "", 0.0),
    ("dlg", "", 0.0),
];

/// A set as a file.
fn suite(dir: &Path) -> Classic {
    let (shape, interfaces) = isobar_golden::npy(&dir.join("in_p_int.npy"));
    let (columns, layers) = (shape[0], shape[1] - 1);
    let dimensions = vec![("column", columns), ("layer", layers), ("level", layers + 1)];
    let mut file = Classic { dimensions, ..Classic::default() };
    for ((name, units), values) in FIELDS.iter().zip(stack(&dir.join("in_3d.npy"))) {
        file = file.with(name, LAYERS, units, &values);
    }
    file = file.with("p_int", &["level", "column"], "Pa", &transposed(&interfaces, columns, layers + 1));
    for ((name, units), values) in SURFACE.iter().chain(&MORE).zip(stack(&dir.join("in_2d.npy"))) {
        file = file.with(name, &["column"], units, &values);
    }
    for ((name, units, above), mut values) in TOWN.into_iter().zip(stack(&dir.join("in_bep.npy"))) {
        if !units.is_empty() {
            values.resize(columns * layers, above);
            file = file.with(name, LAYERS, units, &values);
        }
    }
    let (_, energy) = isobar_golden::npy(&dir.join("in_tke.npy"));
    file.with("tke", LAYERS, "m2 s-2", &transposed(&energy, columns, layers))
}

/// The largest difference of a column, of its largest.
fn worst(got: &[f64], expected: &[f64], columns: usize) -> f64 {
    assert_eq!(got.len(), expected.len());
    let mut largest = vec![1e-14_f64; columns];
    expected.iter().enumerate().for_each(|(i, x)| largest[i % columns] = largest[i % columns].max(x.abs()));
    let errors = got.iter().zip(expected).enumerate().map(|(i, (a, b))| (a - b).abs() / largest[i % columns]);
    errors.fold(0.0, f64::max)
}

#[test]
fn towns_are_read_and_change_the_lowest_layers() {
    let Some(dir) = isobar_golden::find("pbl") else { return };
    let dir = dir.join("columns/l35");
    let case = Case::of("pbl", &suite(&dir).bytes());
    let options = ["--dt", "60", "--constants", "mpas", "--topographic"];
    let expected = stack(&dir.join("ysu_bep_f64_3d.npy"));
    case.solve(&options);
    assert!(worst(&output(&case, ("tendency_u", "m s-2")), &expected[0], 250) > 1e-3);
    case.solve(&[&options[..], &["--urban"]].concat());
    assert!(worst(&output(&case, ("tendency_u", "m s-2")), &expected[0], 250) < 1e-9);
    assert!(worst(&output(&case, ("tendency_vapour", "s-1")), &expected[3], 250) < 1e-9);
}

#[test]
fn shin_hong_is_the_references() {
    let Some(dir) = isobar_golden::find("pbl") else { return };
    let dir = dir.join("columns/l35");
    let case = Case::of("pbl", &suite(&dir).bytes());
    let shin_hong = ["--dt", "60", "--constants", "mpas", "--scheme", "shinhong"];
    for (name, options) in [
        ("ysu", &["--ysu-flux"][..]),
        ("nl", &[][..]),
        ("scu", &["--ysu-flux", "--top-down"][..]),
        ("dis", &["--dissipative-heating", "--topographic"][..]),
    ] {
        case.solve(&[&shin_hong[..], options].concat());
        let expected = stack(&dir.join(format!("sh_{name}_f64_3d.npy")));
        assert!(worst(&output(&case, ("tendency_u", "m s-2")), &expected[0], 250) < 1e-9, "{name}");
        assert!(worst(&output(&case, ("turbulent_energy", "m2 s-2")), &expected[8], 250) < 1e-9, "{name}");
    }
}

#[test]
fn what_excludes_each_other_is_said() {
    let (columns, work) = (data().join("pbl/columns.nc"), tempfile::tempdir().unwrap());
    for (options, words) in [
        (&["--scheme", "shinhong", "--urban"][..], "--urban is for --scheme ysu"),
        (&["--scheme", "shinhong", "--version", "wrf361"], "--version is for YSU"),
        (&["--scheme", "shinhong"], "grid_distance is missing: --grid-distance gives it, in metres"),
        (&["--ysu-flux"], "--ysu-flux is for --scheme shinhong"),
        (&["--grid-distance", "500"], "--grid-distance is for --scheme shinhong and --surface revised-mm5"),
        (&["--surface", "revised-mm5"], "surface_temperature"),
        (&["--dissipative-heating"], "--dissipative-heating is for --scheme shinhong"),
        (&["--limited-entrainment"], "--limited-entrainment is for --top-down"),
        (&["--urban", "--version", "wrf361"], "--urban is for --version wrf4"),
        (&["--urban"], "is missing"),
        (&["--constants", "wrv"], "'wrv' is no host model of known constants: wrf, mpas, cam_sima, ufs"),
        (&["--constants", "ufs,g=-9.8"], "the constant gravity_m_per_s2 (g) is -9.8, which is not in [0.0981, 981]"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
        command.args(["pbl".as_ref(), columns.as_os_str()]).args(["-o", "never.nc", "--dt", "60", "--quiet"]);
        command.args(options).current_dir(work.path());
        let output = command.output().unwrap();
        assert!(!output.status.success(), "{options:?}");
        assert!(said(&output).contains(words), "{options:?}: {}", said(&output));
    }
}
