//! `isobar adding` as a user meets it: the reference's clear-sky sets through NetCDF files, and what it refuses.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::classic::{BY_ANGLE, COLUMN, Case, Classic, PROFILE_ONLY, RADIANCE, Variable, read};
use crate::common::{data, isobar, said};
use isobar_io::netcdf::Dataset;

const SETS: [&str; 6] =
    ["clear_ir_10k", "clear_ir_50k", "clear_hires_10k", "clear_mw_100k", "clear_ms16_10k", "clear_deep_1k"];
/// The error relative to the largest Planck radiance of a profile; as in isobar-adding's own test.
const DOUBLE: f64 = 1e-14;
const SINGLE: f64 = 3e-6;

/// A reference array `[profile, row, angle]` as `[row, angle, profile]`.
fn transposed(values: &[f64], profiles: usize, rows: usize, angles: usize) -> Vec<f64> {
    let at = |i: usize| {
        let (row, angle, profile) = (i / (angles * profiles), i / profiles % angles, i % profiles);
        values[(profile * rows + row) * angles + angle]
    };
    (0..values.len()).map(at).collect()
}

/// These rows in the opposite order.
fn upside_down(values: &[f64], row: usize) -> Vec<f64> {
    values.chunks(row).rev().flatten().copied().collect()
}

/// A set of the reference: its input as a file, its results with level, angle, profile.
struct Reference {
    file: Classic,
    profiles: usize,
    angles: usize,
    /// The largest Planck radiance of each profile.
    largest: Vec<f64>,
    level_up: Vec<f64>,
    level_down: Vec<f64>,
    level_up_emit: Vec<f64>,
}

impl Reference {
    fn read(dir: &Path) -> Self {
        let array = |name: &str| isobar_golden::npy(&dir.join(name).with_extension("npy"));
        let (shape, tau) = array("tau");
        let (profiles, layers) = (shape[0], shape[1]);
        let (cosine, planck, surface, cosmic) =
            (array("mu").1, array("planck").1, array("planck_sfc").1, array("cosmic").1);
        let angles = cosine.len();
        let three = |name: &str, rows: usize| transposed(&array(name).1, profiles, rows, angles);
        let largest = (0..profiles)
            .map(|p| planck[p * layers..][..layers].iter().fold(surface[p].max(cosmic[p]), |a, &b| a.max(b)))
            .collect();
        let empty = Classic {
            dimensions: vec![("profile", profiles), ("layer", layers), ("angle", angles)],
            ..Classic::default()
        };
        Self {
            // Emissivity as the reference has it, with the angle fastest: the reader finds dimensions by name.
            file: empty
                .with("optical_depth", COLUMN, "1", &transposed(&tau, profiles, layers, 1))
                .with("planck_radiance", COLUMN, RADIANCE, &transposed(&planck, profiles, layers, 1))
                .with("surface_planck", PROFILE_ONLY, RADIANCE, &surface)
                .with("cosmic_background", PROFILE_ONLY, RADIANCE, &cosmic)
                .with("emissivity", &["profile", "angle"], "1", &array("emis").1)
                .with("cosine", &["angle"], "1", &cosine),
            profiles,
            angles,
            largest,
            level_up: three("level_up", layers + 1),
            level_down: three("level_down", layers + 1),
            level_up_emit: three("level_up_emit", layers + 1),
        }
    }

    fn items(&self) -> usize {
        self.angles * self.profiles
    }

    /// Radiances at levels agree.
    fn check(&self, what: &str, got: &[f64], expected: &[f64], tolerance: f64) {
        assert_eq!(got.len(), expected.len(), "{what}");
        for (i, (got, expected)) in got.iter().zip(expected).enumerate() {
            let difference = (got - expected).abs() / self.largest[i % self.profiles];
            assert!(difference <= tolerance, "{what}[{i}]: {got} instead of {expected}: {difference:e}");
        }
    }

    /// All that the command writes with `--levels`, the top first.
    fn check_all(&self, case: &Case, tolerance: f64) {
        self.check("top", &case.read("top_radiance"), &self.level_up[..self.items()], tolerance);
        let surface = &self.level_down[self.level_down.len() - self.items()..];
        self.check("surface", &case.read("surface_downward_radiance"), surface, tolerance);
        self.check("up", &case.read("upward_radiance"), &self.level_up, tolerance);
        self.check("down", &case.read("downward_radiance"), &self.level_down, tolerance);
    }
}

#[test]
fn the_reference_sets_in_either_precision() {
    let Some(dir) = isobar_golden::find("adding") else { return };
    for set in SETS {
        let reference = Reference::read(&dir.join(set));
        let case = Case::new(&reference.file.bytes());
        case.solve(&["--levels", "--precision", "f32"]);
        reference.check_all(&case, SINGLE);
        case.solve(&["--levels"]);
        reference.check_all(&case, DOUBLE);
        let top = case.read("top_radiance");
        case.solve(&[]);
        assert_eq!(case.read("top_radiance"), top, "{set}: levels change nothing at the top");
        case.solve(&["--surface", "black"]);
        let emitted = &reference.level_up_emit[..reference.items()];
        reference.check("black", &case.read("top_radiance"), emitted, DOUBLE);
    }
}

#[test]
fn bottom_first_is_the_same_upside_down() {
    let Some(dir) = isobar_golden::find("adding") else { return };
    for set in SETS {
        let mut reference = Reference::read(&dir.join(set));
        let top_first = Case::new(&reference.file.bytes());
        top_first.solve(&["--levels"]);
        reference.file.attributes.push(("orientation", "bottom_first"));
        for name in ["optical_depth", "planck_radiance"] {
            let variable = reference.file.variable(name);
            variable.values = upside_down(&variable.values, reference.profiles);
        }
        let case = Case::new(&reference.file.bytes());
        case.solve(&["--levels"]);
        for name in ["top_radiance", "surface_downward_radiance"] {
            assert_eq!(case.read(name), top_first.read(name), "{set} {name}");
        }
        for name in ["upward_radiance", "downward_radiance"] {
            assert_eq!(upside_down(&case.read(name), reference.items()), top_first.read(name), "{set} {name}");
        }
        let orientation = |case: &Case| Dataset::open(&case.out()).unwrap().attribute("orientation");
        assert_eq!(orientation(&case).as_deref(), Some("bottom_first"));
        assert_eq!(orientation(&top_first).as_deref(), Some("top_first"));
    }
}

/// A CPU has one schedule, and says so; those of GPUs are compared in `isobar-adding`.
#[test]
fn a_schedule_is_for_gpus() {
    let folder = tempfile::tempdir().unwrap();
    let words = "--schedule has no effect: it is for GPUs";
    let told = |options: &[&str]| {
        let (profiles, out) = (data().join("adding/profiles.nc"), folder.path().join("out.nc"));
        let usual = ["adding", profiles.to_str().unwrap(), "-o", out.to_str().unwrap()];
        let output = isobar(&[&usual[..], options].concat());
        assert!(output.status.success(), "{}", said(&output));
        said(&output).contains(words)
    };
    for schedule in ["sequential", "warp", "block", "deep"] {
        assert!(told(&["--device", "cpu", "--schedule", schedule]), "{schedule}");
    }
    assert!(!told(&["--device", "cpu"]) && !told(&["--device", "cpu", "--schedule", "deep", "--quiet"]));
}

/// The committed result comes from one more run of the command, by `cargo xtask demo-data`.
#[test]
fn the_demonstration_gives_the_committed_bytes() {
    let folder = data().join("adding");
    let case = Case::new(&fs::read(folder.join("profiles.nc")).unwrap());
    let committed = folder.join("radiances.nc");
    for threads in ["1", "2"] {
        case.solve(&["--levels", "--threads", threads]);
        for name in ["top_radiance", "surface_downward_radiance", "upward_radiance", "downward_radiance"] {
            assert!(case.read(name) == read(&committed, name), "{name} on {threads} threads");
        }
    }
    // The file says how it came about.
    fs::rename(case.folder.path().join("in.nc"), case.folder.path().join("profiles.nc")).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_isobar"))
        .args(["adding", "profiles.nc", "-o", "radiances.nc", "--levels", "--device", "cpu"])
        .current_dir(case.folder.path())
        .output()
        .unwrap();
    let text = said(&output);
    assert!(
        text.starts_with("isobar: note: profiles.nc: not read: temperature_level, weight\n8 profiles, 40 "),
        "{text}"
    );
    assert!(fs::read(case.folder.path().join("radiances.nc")).unwrap() == fs::read(committed).unwrap());
}

#[test]
fn every_option_runs_on_the_demonstration_and_counts() {
    let case = Case::new(&fs::read(data().join("adding/profiles.nc")).unwrap());
    let mut results = Vec::new();
    for surface in ["black", "specular", "lambertian"] {
        for linear in [None, Some("--linear-source")] {
            let mut options = vec!["--surface", surface];
            options.extend(linear);
            case.solve(&options);
            results.push(case.read("top_radiance"));
        }
    }
    for (i, result) in results.iter().enumerate() {
        assert!(results[..i].iter().all(|other| other != result), "{i}");
    }
}

#[test]
fn plots_are_drawn_with_the_result_or_not_at_all() {
    let case = Case::new(&fs::read(data().join("adding/profiles.nc")).unwrap());
    let svg = case.folder.path().join("out.svg");
    case.solve(&["--plot", "out.svg"]);
    let text = fs::read_to_string(&svg).unwrap();
    assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"), "{text}");
    for part in ["cosine of the angle", "radiance [mW m⁻² sr⁻¹ cm]", "profile 7"] {
        assert!(text.contains(part), "{part}");
    }
    assert!(!text.contains("from the surface") && !text.contains("NaN"));
    case.solve(&["--plot", "out.svg", "--levels", "--precision", "f32"]);
    let text = fs::read_to_string(&svg).unwrap();
    for part in ["All levels, cosine 1", "level, from the surface", "up, profile 0", "down, profile 7"] {
        assert!(text.contains(part), "{part}");
    }

    fs::remove_file(&svg).unwrap();
    fs::remove_file(case.out()).unwrap();
    let output = case.command(&["--plot", "nowhere/out.svg"]);
    assert!(!output.status.success() && said(&output).starts_with("isobar: nowhere/out.svg: "), "{}", said(&output));
    assert!(!case.out().exists());
    fs::write(case.folder.path().join("in.nc"), "no").unwrap();
    case.refused(&["--plot", "out.svg"], &["not a NetCDF file"]);
}

/// Two profiles of three layers at two angles.
fn small() -> Classic {
    let empty = Classic { dimensions: vec![("profile", 2), ("layer", 3), ("angle", 2)], ..Classic::default() };
    empty
        .with("optical_depth", COLUMN, "1", &[0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
        .with("planck_radiance", COLUMN, RADIANCE, &[40.0, 41.0, 70.0, 71.0, 100.0, 101.0])
        .with("surface_planck", PROFILE_ONLY, RADIANCE, &[110.0, 111.0])
        .with("emissivity", BY_ANGLE, "1", &[0.9, 0.91, 0.92, 0.93])
        .with("cosine", &["angle"], "1", &[1.0, 0.5])
}

/// The small file with a change is refused.
fn spoilt(change: impl FnOnce(&mut Classic), parts: &[&str]) {
    let mut file = small();
    change(&mut file);
    Case::new(&file.bytes()).refused(&[], parts);
}

#[test]
fn the_small_file_is_good() {
    Case::new(&small().bytes()).solve(&["--levels"]);
}

#[test]
fn values_out_of_range_are_named() {
    for (name, index, value, place, range) in [
        ("optical_depth", 3, -0.25, "optical_depth = -0.25 at layer 1, profile 1", "[0, inf)"),
        ("optical_depth", 4, f64::NAN, "optical_depth = NaN at layer 2, profile 0", "[0, inf)"),
        ("optical_depth", 0, f64::INFINITY, "optical_depth = inf at layer 0, profile 0", "[0, inf)"),
        ("planck_radiance", 5, -1.0, "planck_radiance = -1 mW m-2 sr-1 cm at layer 2, profile 1", "[0, inf)"),
        ("surface_planck", 1, f64::NAN, "surface_planck = NaN mW m-2 sr-1 cm at profile 1", "[0, inf)"),
        ("emissivity", 2, 1.2, "emissivity = 1.2 at angle 1, profile 0", "[0, 1]"),
        ("emissivity", 1, -0.1, "emissivity = -0.1 at angle 0, profile 1", "[0, 1]"),
        ("cosine", 1, 0.0, "cosine = 0 at angle 1", "(0, 1]"),
        ("cosine", 0, 1.5, "cosine = 1.5 at angle 0", "(0, 1]"),
        ("cosine", 0, f64::NAN, "cosine = NaN at angle 0", "(0, 1]"),
    ] {
        let outside = format!("{place} lies outside {range}");
        spoilt(|file| file.variable(name).values[index] = value, &[&outside]);
    }
}

#[test]
fn dimensions_that_disagree_are_named() {
    let other_layers = |file: &mut Classic| {
        file.dimensions.push(("lay", 4));
        *file.variable("planck_radiance") = Variable {
            name: "planck_radiance",
            dimensions: vec!["lay", "profile"],
            attributes: Vec::new(),
            units: Some(RADIANCE),
            values: vec![1.0; 8],
        };
    };
    spoilt(other_layers, &["planck_radiance has dimension layer (lay) = 4, but optical_depth has layer = 3"]);
    let other_profiles = |file: &mut Classic| {
        file.dimensions.push(("column", 3));
        let surface = file.variable("surface_planck");
        (surface.dimensions, surface.values) = (vec!["column"], vec![1.0; 3]);
    };
    spoilt(other_profiles, &["surface_planck has dimension profile (column) = 3, but optical_depth has profile = 2"]);
    let other_angles = |file: &mut Classic| {
        file.dimensions.push(("mu", 1));
        file.dimensions.push(("n_angles", 3));
        let emissivity = file.variable("emissivity");
        (emissivity.dimensions, emissivity.values) = (vec!["n_angles"], vec![1.0; 3]);
    };
    spoilt(other_angles, &["emissivity has dimension angle (n_angles) = 3, but cosine has angle = 2"]);
    let no_layer = |file: &mut Classic| {
        let depth = file.variable("optical_depth");
        (depth.dimensions, depth.values) = (vec!["profile"], vec![1.0; 2]);
    };
    spoilt(no_layer, &["optical_depth has no dimension layer; expected (layer, profile)"]);
}

#[test]
fn units_and_variables_that_are_missing_or_wrong_are_named() {
    for (name, expected) in
        [("optical_depth", "\"1\""), ("planck_radiance", "\"mW m-2 sr-1 cm\""), ("emissivity", "\"1\"")]
    {
        let missing = format!("{name} has no attribute \"units\"; expected {expected}");
        // Numbers without dimension need none.
        if expected != "\"1\"" {
            spoilt(|file| file.variable(name).units = None, &[&missing]);
        }
        spoilt(|file| file.variable(name).units = Some("K"), &[&format!("{name} has units \"K\""), expected]);
        spoilt(|file| file.variable(name).units = Some("furlong"), &[&format!("{name} has units \"furlong\"")]);
    }
    for name in ["optical_depth", "planck_radiance", "surface_planck", "emissivity", "cosine"] {
        let missing = |file: &mut Classic| file.variables.retain(|variable| variable.name != name);
        spoilt(missing, &[&format!("{name}("), "is missing", "the file has: "]);
    }
    // A radiance of another kind than the layers'.
    let other = |file: &mut Classic| file.variable("surface_planck").units = Some("W m-2 sr-1 um-1");
    spoilt(other, &["surface_planck has units \"W m-2 sr-1 um-1\"", RADIANCE]);
    let temperature = |file: &mut Classic| {
        let planck = file.variable("planck_radiance");
        (planck.name, planck.units) = ("temperature", Some("K"));
    };
    spoilt(temperature, &["wavenumber in \"cm-1\" is missing"]);
}

#[test]
fn surfaces_and_sources_need_what_they_need() {
    let case = Case::new(&small().bytes());
    case.refused(&["--surface", "lambertian"], &["weight(angle) in \"1\" is missing"]);
    case.refused(&["--linear-source"], &["planck_radiance_level(level, profile)", "is missing"]);
    let dark = small().with("weight", &["angle"], "1", &[0.0, 0.0]);
    Case::new(&dark.bytes()).refused(&["--surface", "lambertian"], &["needs an angle of positive weight"]);
    let mut file = small();
    file.dimensions.push(("level", 3));
    let file = file.with("planck_radiance_level", &["level", "profile"], RADIANCE, &[1.0; 6]);
    Case::new(&file.bytes()).refused(&["--linear-source"], &["level = 3", "layer = 3", "n layers have n + 1 levels"]);
}

#[test]
fn files_that_are_not_netcdf_or_not_there_are_named() {
    for bytes in [&b""[..], b"no", b"CDF", b"CDF\x01", b"\x89HDF\r\n\x1a\n", b"profiles of the day\n"] {
        Case::new(bytes).refused(&[], &["not a NetCDF file that can be read"]);
    }
    let case = Case::new(b"");
    fs::remove_file(case.folder.path().join("in.nc")).unwrap();
    fs::create_dir(case.folder.path().join("in.nc")).unwrap();
    case.refused(&[], &["cannot read"]);
    let output = isobar(&["adding", "/nowhere/in.nc", "--out", "/tmp/isobar-never-written.nc"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).starts_with("isobar: /nowhere/in.nc: cannot read: "), "{}", said(&output));
    assert!(!Path::new("/tmp/isobar-never-written.nc").exists());
}

/// Cut off anywhere, a file is refused in one line, or its end was not needed.
#[test]
fn cut_files_do_not_bring_the_command_down() {
    let nc4 = fs::read(data().join("adding/profiles.nc")).unwrap();
    for bytes in [small().bytes(), nc4] {
        for part in 0..24 {
            let case = Case::new(&bytes[..bytes.len() * part / 24]);
            let output = case.command(&[]);
            if !output.status.success() {
                case.refused(&[], &[]);
            }
        }
        let case = Case::new(&bytes[..bytes.len() - 1]);
        assert!(!said(&case.command(&[])).contains("panicked"));
    }
}
