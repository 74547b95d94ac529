//! `isobar radiation` on the demonstration day, and on RFMIP's columns with RRTMGP's k-distributions.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::classic::{Case, Classic};
use crate::common::radiation_file::{Numbers, difference};
use crate::common::{data, said};

/// Long-wave fluxes \[W/m^2\]: some hundred sums of numbers up to 100 W/m^2.
const LONGWAVE: f64 = 1e-9;
/// RTE forms `1 - exp(-2 k tau)` as a difference, with k tau down to 1e-9 where nothing absorbs: 8 digits of what such
/// layers reflect, of some 10 W/m^2. Ours has all digits.
const SHORTWAVE: f64 = 1e-6;
/// Half a unit in the last place of a published number, of which none is above 512 W/m^2.
const PUBLISHED_LONGWAVE: f64 = 3.06e-5;
/// The published files are older than the reference: upward, downward.
const PUBLISHED_SHORTWAVE: [f64; 2] = [2.5e-4, 7e-4];

/// Runs the command into a folder of its own.
fn solve(columns: &Path, more: &[&str]) -> (tempfile::TempDir, Numbers) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.nc");
    let mut isobar = Command::new(env!("CARGO_BIN_EXE_isobar"));
    isobar.arg("radiation").arg(columns).arg("-o").arg(&out).args(["--device", "cpu", "--quiet"]).args(more);
    let output = isobar.output().unwrap();
    assert!(output.status.success() && said(&output).is_empty(), "{}", said(&output));
    let numbers = Numbers::open(&out);
    (folder, numbers)
}

fn shown(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

/// The k-distributions of the repository: long wave, short wave.
fn kdist() -> [String; 2] {
    ["ecckd-longwave-32.nc", "ecckd-shortwave-32.nc"].map(|name| shown(&data().join("radiation").join(name)))
}

const COLUMNS: usize = 8;
const LAYERS: usize = 40;

/// A column of `[level][column]`.
fn column(values: &[f64], column: usize) -> Vec<f64> {
    values.iter().skip(column).step_by(COLUMNS).copied().collect()
}

#[test]
fn a_day_has_sun_and_budgets_close() {
    let path = data().join("radiation/columns.nc");
    let (_folder, file) = solve(&path, &[]);
    let input = Numbers::open(&path);
    let cosine = input.all("cosine_zenith");
    assert!(cosine.iter().any(|&mu| mu < 0.0) && cosine.iter().any(|&mu| mu > 0.8), "{cosine:?}");
    let fields = ["up", "down"].map(|way| file.all(&format!("shortwave_{way}ward_flux")));
    let direct = file.all("shortwave_direct_flux");
    let albedo = ["direct", "diffuse"].map(|light| input.all(&format!("surface_albedo_{light}")));
    for (i, &mu) in cosine.iter().enumerate() {
        let [up, down] = fields.each_ref().map(|values| column(values, i));
        let beam = column(&direct, i);
        if mu <= 0.0 {
            assert!(up.iter().chain(&down).chain(&beam).all(|&flux| flux == 0.0), "{i}");
            continue;
        }
        // The sun at the top, what the ground gives back at the bottom.
        assert!((down[LAYERS] - 1361.0 * mu).abs() < 1e-9 && (beam[LAYERS] - down[LAYERS]).abs() < 1e-9);
        let back = albedo[0][i] * beam[0] + albedo[1][i] * (down[0] - beam[0]);
        assert!((up[0] - back).abs() < 1e-9, "{} {back}", up[0]);
        assert!(down[0] < 0.85 * down[LAYERS] && beam[0] < down[0] && up[LAYERS] > up[0] * 0.7);
    }
    // The ground radiates as a grey body, and the tables' Planck functions add up to that within a thousandth.
    let [up, down] = ["up", "down"].map(|way| file.all(&format!("longwave_{way}ward_flux")));
    let (surface, emissivity) = (input.all("surface_temperature"), input.all("emissivity"));
    for i in 0..COLUMNS {
        let emitted = emissivity[i] * 5.670_374e-8 * surface[i] * surface[i] * surface[i] * surface[i];
        let expected = emitted + (1.0 - emissivity[i]) * down[i];
        assert!((up[i] - expected).abs() < 1e-3 * expected, "{} {expected}", up[i]);
        let outgoing = column(&up, i)[LAYERS];
        assert!((240.0..300.0).contains(&outgoing) && column(&down, i)[LAYERS] == 0.0, "{outgoing}");
    }
    // What layers gain is what levels lose: cp/g dp dT/dt.
    let levels = file.all("level_pressure");
    for (wave, [up, down]) in [("longwave", &[up, down]), ("shortwave", &fields)] {
        let heating = file.all(&format!("{wave}_heating_rate"));
        for i in 0..COLUMNS {
            let mass = |k: usize| (levels[k * COLUMNS + i] - levels[(k + 1) * COLUMNS + i]) / 9.80665;
            let gain: f64 = (0..LAYERS).map(|k| heating[k * COLUMNS + i] * 1004.64 / 86400.0 * mass(k)).sum();
            let net = |k: usize| down[k * COLUMNS + i] - up[k * COLUMNS + i];
            assert!((gain - (net(LAYERS) - net(0))).abs() < 1e-9, "{wave} {i}: {gain}");
        }
    }
    let names = [("longwave_upward_flux", "rlu"), ("longwave_downward_flux", "rld"), ("shortwave_upward_flux", "rsu")];
    for (name, reference) in names.into_iter().chain([("shortwave_downward_flux", "rsd")]) {
        assert_eq!(file.attribute(name, "reference_name").as_deref(), Some(reference));
        assert!(file.attribute(name, "standard_name").is_some());
    }
}

#[test]
fn one_k_distribution_computes_one_spectrum() {
    let path = data().join("radiation/columns.nc");
    let (_folder, both) = solve(&path, &[]);
    let [longwave, shortwave] = kdist();
    for (kdist, there, lacking) in [(longwave, "longwave", "shortwave"), (shortwave, "shortwave", "longwave")] {
        let (_folder, one) = solve(&path, &["--kdist", &kdist]);
        let name = format!("{there}_upward_flux");
        assert!(one.all(&name) == both.all(&name));
        assert!(!one.has(&format!("{lacking}_upward_flux")));
    }
    // The sun is nothing to the long wave, and surfaces that radiate nothing to the short wave.
    let case = Case::of("radiation", &without(columns(), &["mu0", "albedo"]).bytes());
    case.solve(&["--kdist", &kdist()[0]]);
    let case = Case::of("radiation", &without(columns(), &["tsfc", "emis"]).bytes());
    case.solve(&["--kdist", &kdist()[1]]);
}

#[test]
fn plots_differences_and_single_precision() {
    let path = data().join("radiation/columns.nc");
    let (folder, double) = solve(&path, &[]);
    let (plot, out) = (folder.path().join("fluxes.svg"), folder.path().join("single.nc"));
    let other = folder.path().join("out.nc");
    let output = Command::new(env!("CARGO_BIN_EXE_isobar"))
        .args(["radiation", &shown(&path), "-o", &shown(&out), "--device", "cpu", "--precision", "f32", "--quiet"])
        .args(["--plot", &shown(&plot), "--compare", &shown(&other)])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert!(std::fs::read_to_string(plot).unwrap().contains("Short-wave fluxes"));
    let printed = crate::common::printed(&output);
    assert!(printed.contains("longwave_upward_flux [W m-2]") && printed.contains("from the surface, column"));
    let single = Numbers::open(&out);
    // RTE's own tests allow 0.35 W/m^2 in single precision.
    for (name, bound) in [("longwave_upward_flux", 0.01), ("shortwave_downward_flux", 0.05)] {
        let largest = difference(&single.all(name), &double.all(name));
        assert!(largest > 0.0 && largest < bound, "{name}: {largest}");
    }
}

const LEVEL: &[&str] = &["level", "column"];
const LAYER: &[&str] = &["layer", "column"];
const COLUMN: &[&str] = &["column"];

/// Two columns of four layers, the first at noon, the second at night.
fn columns() -> Classic {
    let twice = |values: &[f64]| values.iter().flat_map(|&value| [value, 0.99 * value]).collect::<Vec<_>>();
    Classic { dimensions: vec![("column", 2), ("layer", 4), ("level", 5)], ..Classic::default() }
        .with("plev", LEVEL, "Pa", &twice(&[1e5, 8e4, 5e4, 2e4, 1e3]))
        .with("play", LAYER, "Pa", &twice(&[9e4, 6.4e4, 3.4e4, 9e3]))
        .with("tlay", LAYER, "K", &twice(&[285.0, 270.0, 240.0, 215.0]))
        .with("tlev", LEVEL, "K", &twice(&[289.0, 278.0, 257.0, 222.0, 214.0]))
        .with("tsfc", COLUMN, "K", &[290.0, 285.0])
        .with("emis", COLUMN, "1", &[0.98, 0.96])
        .with("mu0", COLUMN, "1", &[0.7, -0.3])
        .with("albedo", COLUMN, "1", &[0.1, 0.3])
        .with("h2o", LAYER, "mol mol-1", &twice(&[0.01, 0.005, 0.0003, 4e-6]))
        .with("o3", LAYER, "mol mol-1", &twice(&[3e-8, 4e-8, 8e-8, 4e-6]))
        .with("co2", &[], "1e-6", &[420.0])
        .with("ch4", &[], "1e-9", &[1900.0])
        .with("n2o", &[], "1e-9", &[335.0])
        .with("o2", &[], "1", &[0.209])
        .with("n2", &[], "1", &[0.781])
}

fn cloudy() -> Classic {
    let one = |value: f64| [0.0, 0.0, value, value, 0.0, 0.0, 0.0, 0.0];
    columns().with("cldfrac", LAYER, "1", &one(0.5)).with("lwp", LAYER, "g m-2", &one(40.0)).with(
        "rel",
        LAYER,
        "um",
        &one(10.0),
    )
}

fn with(mut file: Classic, variable: &str, index: usize, value: f64) -> Classic {
    file.variable(variable).values[index] = value;
    file
}

fn without(mut file: Classic, names: &[&str]) -> Classic {
    file.variables.retain(|variable| !names.contains(&variable.name));
    file
}

/// Fluxes of a file: upward of long wave and short wave.
fn fluxes(file: &Classic) -> [Vec<f64>; 2] {
    let case = Case::of("radiation", &file.bytes());
    let [longwave, shortwave] = kdist();
    case.solve(&["--kdist", &longwave, "--kdist", &shortwave]);
    let out = Numbers::open(&case.out());
    ["longwave_upward_flux", "shortwave_upward_flux"].map(|name| out.all(name))
}

#[test]
fn layouts_mean_the_same() {
    let plain = fluxes(&columns());
    // From the top.
    let mut file = columns();
    for name in ["plev", "play", "tlay", "tlev", "h2o", "o3"] {
        let values = &mut file.variable(name).values;
        *values = values.chunks(2).rev().flatten().copied().collect();
    }
    let upside_down = fluxes(&file).map(|values| values.chunks(2).rev().flatten().copied().collect::<Vec<_>>());
    assert_eq!(upside_down, plain);
    // The angle, and not its cosine.
    let file = without(columns(), &["mu0"]).with("solar_zenith_angle", COLUMN, "degree", &[60.0, 120.0]);
    let (by_angle, by_cosine) = (fluxes(&file), fluxes(&with(columns(), "mu0", 0, 0.5)));
    assert!(by_angle[0] == plain[0] && difference(&by_angle[1], &by_cosine[1]) < 1e-10);
    // Layers from levels, as ecRad has them: the temperature is the mean weighted by pressure.
    let mut given = columns();
    let (pressure, temperature) = (given.variable("plev").values.clone(), given.variable("tlev").values.clone());
    for i in 0..8 {
        let (low, high) = (pressure[i], pressure[i + 2]);
        given.variable("play").values[i] = 0.5 * (low + high);
        given.variable("tlay").values[i] = (low * temperature[i] + high * temperature[i + 2]) / (low + high);
    }
    let mut lacking = without(given.clone(), &["play", "tlay"]);
    lacking.variable("plev").name = "pressure_hl";
    lacking.variable("tlev").name = "temperature_hl";
    let found = fluxes(&lacking);
    for (ours, theirs) in found.iter().zip(&fluxes(&given)) {
        assert!(difference(ours, theirs) < 1e-10);
    }
    assert!(difference(&found[0], &plain[0]) > 0.1);
    // Bands: the only one of the k-distribution.
    let mut file = columns();
    file.dimensions.extend([("longwave_band", 1), ("shortwave_band", 1)]);
    file.variable("emis").dimensions = vec!["longwave_band", "column"];
    file.variable("albedo").dimensions = vec!["column", "shortwave_band"];
    assert_eq!(fluxes(&file), plain);
}

/// Columns along dimensions of any name, which results keep.
#[test]
fn columns_lie_along_whatever_dimensions() {
    let plain = fluxes(&columns());
    let [longwave, _] = kdist();
    for (of_columns, names) in [
        (vec![("time", 1), ("lat", 2), ("lon", 1)], ["lev", "ilev"]),
        (vec![("lat", 1), ("lon", 2)], ["mid_levels", "interface_levels"]),
        (vec![("y", 2), ("x", 1)], ["lev", "lev_bounds"]),
        (vec![("time", 1), ("nCells", 2)], ["nVertLevels", "nVertLevelsP1"]),
        (vec![("ncells", 2)], ["height", "height_2"]),
    ] {
        let mut file = columns();
        file.dimensions = [&of_columns[..], &[(names[0], 4), (names[1], 5)]].concat();
        for variable in &mut file.variables {
            let of_columns = of_columns.iter().map(|(name, _)| *name);
            let dimensions = variable.dimensions.iter().flat_map(|&name| match name {
                "layer" => vec![names[0]],
                "level" => vec![names[1]],
                _ => of_columns.clone().collect(),
            });
            variable.dimensions = dimensions.collect();
        }
        assert_eq!(fluxes(&file), plain, "{of_columns:?}");
        let case = Case::of("longwave", &file.bytes());
        case.solve(&["--kdist", &longwave]);
        let shape = Numbers::open(&case.out()).shape("longwave_upward_flux");
        let found: Vec<(&str, usize)> = shape[1..].iter().map(|(name, size)| (&**name, *size as usize)).collect();
        assert_eq!(found, of_columns);
        // Another dimension is no column's.
        let mut file = file.clone();
        file.dimensions.push(("wavelength", 3));
        file.variable("albedo").dimensions.insert(0, "wavelength");
        file.variable("albedo").values = [0.1, 0.3].repeat(3);
        let [longwave, shortwave] = kdist();
        let both = ["--kdist", &longwave, "--kdist", &shortwave];
        Case::of("radiation", &file.bytes()).refused(&both, &["albedo has dimension wavelength = 3; expected ("]);
    }
}

#[test]
fn what_is_wrong_is_said_in_one_line() {
    let [longwave, shortwave] = kdist();
    let both = ["--kdist", &longwave, "--kdist", &shortwave];
    let refused = |file: Classic, more: &[&str], parts: &[&str]| {
        Case::of("radiation", &file.bytes()).refused(&[&both, more].concat(), parts);
    };
    refused(with(columns(), "albedo", 0, 1.2), &[], &["albedo = 1.2 at column 0", "outside [0, 1]"]);
    refused(with(columns(), "mu0", 0, 1.5), &[], &["mu0 = 1.5 at column 0", "outside [-1, 1]"]);
    let angle = without(columns(), &["mu0"]).with("solar_zenith_angle", COLUMN, "degree", &[10.0, 190.0]);
    refused(angle, &[], &["solar_zenith_angle = 190 degree at column 1", "outside [0, 180]"]);
    refused(with(columns(), "tlay", 5, 20.0), &[], &["tlay = 20 K at layer 2, column 1", "outside [100, 400]"]);
    refused(with(columns(), "plev", 4, 9e4), &[], &["plev = 90000 Pa at level 2, column 0", "falls with height"]);
    refused(with(columns(), "play", 4, 9e4), &[], &["play = 90000 at layer 2, column 0 is not between the 50000"]);
    // The sun's needs, one by one.
    refused(without(columns(), &["mu0"]), &[], &["cosine_zenith(time, profile)", "is missing", "solar_zenith_angle"]);
    refused(without(columns(), &["albedo"]), &[], &["surface_albedo_direct(", "is missing", "surface_albedo"]);
    let mut file = columns();
    file.dimensions.push(("shortwave_band", 3));
    file.variable("albedo").dimensions = vec!["shortwave_band", "column"];
    file.variable("albedo").values = vec![0.1; 6];
    refused(file, &[], &["dimension shortwave_band = 3: the k-distribution has one band and 32 g-points"]);
    // Gases.
    let lacking = without(columns(), &["co2", "o3"]);
    let parts = ["gases are missing: co2, o3;", "--gas", "--assume-zero"];
    refused(lacking.clone(), &[], &parts);
    refused(lacking.clone(), &["--gas", "co2=4e-4"], &["gases are missing: o3;"]);
    let case = Case::of("radiation", &lacking.bytes());
    case.solve(&[&both[..], &["--gas", "CO2=4e-4", "--assume-zero"]].concat());
    // Clouds.
    let parts = ["cloud_fraction", "no tables of clouds for the long wave", "--clouds", "--no-clouds"];
    refused(cloudy(), &[], &parts);
    Case::of("radiation", &cloudy().bytes()).solve(&[&both[..], &["--no-clouds"]].concat());
    // Those of the repository are found with its k-distributions.
    let case = Case::of("radiation", &cloudy().bytes());
    let output = Command::new(env!("CARGO_BIN_EXE_isobar"))
        .args(["radiation", "in.nc", "-o", "out.nc", "--device", "cpu", "--clear-sky"])
        .current_dir(case.folder.path())
        .env("ISOBAR_DATA", data())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let out = Numbers::open(&case.out());
    let top = |name: &str| out.all(name)[8];
    assert!(top("shortwave_upward_flux") > top("shortwave_upward_flux_clear") + 10.0);
    refused(columns(), &["--angles", "best"], &["does not know the best secants"]);
    let scattered = ["--longwave-scattering", "two-stream"];
    refused(columns(), &[&scattered[..], &["--angles", "2"]].concat(), &["two streams", "have one secant"]);
    let absorbed = top("longwave_upward_flux");
    let output = Command::new(env!("CARGO_BIN_EXE_isobar"))
        .args([
            "radiation",
            "in.nc",
            "-o",
            "scattered.nc",
            "--device",
            "cpu",
            "--longwave-scattering",
            "rescaled",
            "--bands",
        ])
        .current_dir(case.folder.path())
        .env("ISOBAR_DATA", data())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let file = Numbers::open(&case.folder.path().join("scattered.nc"));
    let scattered = file.all("longwave_upward_flux")[8];
    assert!(scattered < absorbed - 0.1, "{scattered} {absorbed}");
    // ecCKD's one band of the long wave, and five of the short wave, add up to the whole.
    for (wave, bands) in [("longwave", 1), ("shortwave", 5)] {
        for direction in ["upward", "downward"] {
            let [all, by_band] = ["", "_by_band"].map(|part| file.all(&format!("{wave}_{direction}_flux{part}")));
            assert_eq!(by_band.len(), bands * all.len());
            for (index, all) in all.iter().enumerate() {
                let (level, column) = (index / 2, index % 2);
                let sum: f64 = (0..bands).map(|band| by_band[(level * bands + band) * 2 + column]).sum();
                assert!((all - sum).abs() < 1e-9, "{wave} {direction} {index}: {all} {sum}");
            }
        }
        let [lower, upper] = ["lower", "upper"].map(|end| file.all(&format!("{wave}_band_{end}_wavenumber")));
        assert!(lower.len() == bands && lower.iter().zip(&upper).all(|(lower, upper)| lower < upper));
    }
}

/// A black ground radiates as one, within what tables of Planck functions are linear between their temperatures; one
/// for which there is none is refused, or clamped.
#[test]
fn the_ground_is_checked_as_the_air_is() {
    let [ecckd, _] = kdist();
    let rrtmgp = isobar_golden::find("rrtmgp").map(|dir| shown(&dir.join("coeff/lw-g128.nc")));
    // Of RRTMGP's large file less, which takes its time.
    for (kdist, range, inside, outside) in [
        (Some(ecckd), [120.0, 350.0], &[120.0, 300.5, 350.0][..], &[100.0, 350.1][..]),
        (rrtmgp, [160.0, 355.0], &[160.0], &[100.0]),
    ] {
        let Some(kdist) = kdist else { continue };
        let ground = |kelvin: f64| {
            let file = with(with(columns(), "tsfc", 1, kelvin), "emis", 1, 1.0);
            Case::of("longwave", &file.bytes())
        };
        let named = ["--kdist", &kdist];
        let check = |case: &Case, kelvin: f64| {
            let found = Numbers::open(&case.out()).all("longwave_upward_flux")[1];
            let expected = 5.670_374_419e-8 * kelvin * kelvin * kelvin * kelvin;
            // 1e-5 between temperatures 1 K apart; what lies beyond the spectrum of the tables is more.
            assert!((found / expected - 1.0).abs() < 1e-3, "{kelvin} K: {found} {expected}");
        };
        for &kelvin in inside {
            let case = ground(kelvin);
            case.solve(&named);
            check(&case, kelvin);
        }
        for &kelvin in outside {
            let [low, high] = range;
            let place = format!("tsfc = {kelvin} at column 1 is not in [{low}, {high}] K, for which the tables are");
            ground(kelvin).refused(&named, &[&place]);
            ground(kelvin).refused(&[&named[..], &["--outside", "error"]].concat(), &[&place]);
            let case = ground(kelvin);
            let output = case.command(&[&named[..], &["--outside", "clamp", "--json"]].concat());
            assert!(output.status.success(), "{}", said(&output));
            check(&case, kelvin.clamp(low, high));
            let json: serde_json::Value = serde_json::from_str(&crate::common::printed(&output)).unwrap();
            let note = json["notes"][0].as_str().unwrap();
            assert!(note.starts_with("1 values lie ") && note.contains("clamped; the first: tsfc"), "{note}");
        }
    }
}

/// The short-wave and long-wave fluxes of a file with clouds, and the notes of it.
fn cloudy_fluxes(file: &Classic, options: &[&str]) -> ([Vec<f64>; 2], String) {
    let case = Case::of("radiation", &file.bytes());
    let clouds = ["ecckd-longwave-32-clouds.nc", "ecckd-shortwave-32-clouds.nc"];
    let clouds = clouds.map(|name| shown(&data().join("radiation").join(name)));
    let [longwave, shortwave] = kdist();
    let tables = ["--kdist", &longwave, "--kdist", &shortwave, "--clouds", &clouds[0], "--clouds", &clouds[1]];
    let output = case.command(&[&tables[..], options, &["--json"]].concat());
    assert!(output.status.success(), "{}", said(&output));
    let json: serde_json::Value = serde_json::from_str(&crate::common::printed(&output)).unwrap();
    let out = Numbers::open(&case.out());
    (["longwave_upward_flux", "shortwave_upward_flux"].map(|name| out.all(name)), json["notes"].to_string())
}

/// Water without a fraction means fraction 1, or that which is asked for, and is said; a fraction has many names.
#[test]
fn water_without_a_fraction_is_a_cloud() {
    let (half, notes) = cloudy_fluxes(&cloudy(), &[]);
    assert!(!notes.contains("cloud fraction"), "{notes}");
    for name in ["cc", "cf", "cl", "clc", "cloud_area_fraction", "cloud_cover", "CLDFRA"] {
        let mut file = cloudy();
        file.variable("cldfrac").name = name;
        assert_eq!(cloudy_fluxes(&file, &[]).0, half, "{name}");
    }
    let mut full = cloudy();
    full.variable("cldfrac").values = vec![0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0];
    let full = cloudy_fluxes(&full, &[]).0;
    assert!(difference(&full[1], &half[1]) > 10.0);
    let lacking = without(cloudy(), &["cldfrac"]);
    let (found, notes) = cloudy_fluxes(&lacking, &[]);
    assert_eq!(found, full);
    assert!(notes.contains("the file has no cloud fraction: 1 in 2 of 8 layers, those with cloud water"), "{notes}");
    let (found, notes) = cloudy_fluxes(&lacking, &["--cloud-fraction", "0.5"]);
    assert_eq!(found, half);
    assert!(notes.contains("the file has no cloud fraction: 0.5 in 2 of 8"), "{notes}");
    let (clear, _) = cloudy_fluxes(&without(cloudy(), &["cldfrac", "lwp", "rel"]), &[]);
    assert_eq!(cloudy_fluxes(&lacking, &["--no-clouds"]).0, clear);
    // Nothing of water is a clear sky, without tables; water is none.
    let [longwave, shortwave] = kdist();
    let both = ["--kdist", &longwave, "--kdist", &shortwave];
    let mut dry = lacking.clone();
    dry.variable("lwp").values = vec![0.0; 8];
    Case::of("radiation", &dry.bytes()).solve(&both);
    let parts = ["there is water of clouds, but there are no tables of clouds for the long wave", "--no-clouds"];
    Case::of("radiation", &lacking.bytes()).refused(&both, &parts);
    for value in ["0", "1.1", "nan"] {
        let output = Case::of("radiation", &lacking.bytes()).command(&["--cloud-fraction", value]);
        assert_eq!(output.status.code(), Some(2));
        assert!(said(&output).contains("not a number in (0, 1]"), "{}", said(&output));
    }
}

/// The summary for programs of a run that may leave columns out.
fn summary(file: &Classic, command: &'static str, options: &[&str]) -> (Case, Option<i32>, serde_json::Value) {
    let case = Case::of(command, &file.bytes());
    let output = case.command(&[options, &["--json"]].concat());
    let json = serde_json::from_str(&crate::common::printed(&output));
    (case, output.status.code(), json.unwrap_or_else(|_| panic!("{}", said(&output))))
}

/// The other columns have the bits that they have without the bad one, whose results are gaps.
#[test]
fn bad_columns_are_left_out_if_asked_for() {
    let [longwave, shortwave] = kdist();
    let [longwave, shortwave] = [["--kdist", &longwave], ["--kdist", &shortwave]];
    for (command, tables, flux) in [
        ("radiation", [longwave, shortwave].concat(), "shortwave_downward_flux"),
        ("longwave", longwave.to_vec(), "longwave_downward_flux"),
        ("shortwave", shortwave.to_vec(), "shortwave_downward_flux"),
    ] {
        let good = Case::of(command, &columns().bytes());
        good.solve(&tables);
        let expected = Numbers::open(&good.out()).all(flux);
        let going = [&tables[..], &["--keep-going"]].concat();
        for (file, status, text) in [
            (with(columns(), "tlay", 5, f64::NAN), 1.0, "tlay = NaN K at layer 2, column 1 lies outside [100, 400]"),
            (with(columns(), "tlay", 5, 20.0), 2.0, "tlay = 20 K at layer 2, column 1 lies outside [100, 400]"),
            (with(columns(), "plev", 5, 9e4), 2.0, "plev = 90000 Pa at level 2, column 1"),
            (with(columns(), "plev", 1, 1000.0), 2.0, "plev = 1000 at level 0, column 1 looks like hPa"),
            (with(columns(), "h2o", 3, -0.1), 2.0, "h2o = -0.1 mol mol-1 at layer 1, column 1"),
        ] {
            let case = Case::of(command, &file.bytes());
            case.refused(&tables, &[text]);
            let output = case.command(&going);
            assert_eq!(output.status.code(), Some(3), "{text}: {}", said(&output));
            let words = "1 of 2 columns have a status, and fill values; the first: ";
            assert!(said(&output).contains(&format!("{words}{text}")), "{}", said(&output));
            let out = Numbers::open(&case.out());
            assert_eq!(out.all("status"), [0.0, status], "{text}");
            for (index, (found, expected)) in out.all(flux).iter().zip(&expected).enumerate() {
                let fill = 9.969_209_968_386_869e36;
                assert_eq!(*found, if index % 2 == 0 { *expected } else { fill }, "{text} {index}");
            }
        }
        // Nothing is left.
        let none = with(with(columns(), "tlay", 4, 20.0), "tlay", 5, 20.0);
        Case::of(command, &none.bytes()).refused(&going, &["no column can be computed; the first: tlay = 20 K"]);
        // And nothing is wrong.
        let case = Case::of(command, &columns().bytes());
        case.solve(&going);
        assert_eq!(Numbers::open(&case.out()).all(flux), expected);
    }
}

/// A value that rounding left outside is the end of the range, counted and said; what the file has and nothing reads is
/// said once.
#[test]
fn what_is_clamped_and_what_is_not_read_is_said() {
    let [longwave, shortwave] = kdist();
    let both = ["--kdist", &longwave, "--kdist", &shortwave];
    let exact = fluxes(&with(with(columns(), "mu0", 0, 1.0), "emis", 1, 1.0));
    let hair = with(with(columns(), "mu0", 0, 1.000_000_1), "emis", 1, 1.000_000_12);
    let hair = hair.with("foo", &["layer"], "1", &[0.0; 4]).with("sulphur", COLUMN, "1", &[0.0; 2]);
    let (case, code, json) = summary(&hair, "radiation", &both);
    assert_eq!(code, Some(0));
    let out = Numbers::open(&case.out());
    assert_eq!(["longwave_upward_flux", "shortwave_upward_flux"].map(|name| out.all(name)), exact);
    assert_eq!(json["clamped"].as_array().unwrap().len(), 2);
    assert_eq!(json["clamped"][0]["variable"], "mu0");
    assert_eq!(
        (&json["clamped"][0]["count"], &json["not_read"]),
        (&1.into(), &["foo", "o2", "n2", "sulphur"][..].into())
    );
    let mut aloud = Command::new(env!("CARGO_BIN_EXE_isobar"));
    aloud.args(["radiation", "in.nc", "-o", "out.nc", "--device", "cpu"]).args(both).current_dir(case.folder.path());
    let text = said(&aloud.output().unwrap());
    for part in
        ["in.nc: not read: foo, o2, n2, sulphur\n", "taken for the end of it: mu0 (1 value, the first 1.0000001"]
    {
        assert_eq!(text.matches(part).count(), 1, "{text}");
    }
    Case::of("radiation", &with(columns(), "mu0", 0, 1.000_01).bytes()).refused(&both, &["outside [-1, 1]"]);
    let (_, _, json) = summary(&columns(), "radiation", &both);
    // ecCKD's air has so much of both everywhere.
    assert_eq!((&json["clamped"], &json["not_read"]), (&serde_json::json!([]), &["o2", "n2"][..].into()));
}

/// A gas is one in whatever case, and is not taken for zero; another name is suggested.
#[test]
fn gases_have_names_in_any_case() {
    let [longwave, shortwave] = kdist();
    let both = ["--kdist", &longwave, "--kdist", &shortwave];
    let expected = fluxes(&columns());
    let mut file = columns();
    for (name, capitals) in [("h2o", "H2O"), ("co2", "CO2"), ("ch4", "CH4"), ("n2o", "N2O"), ("n2", "N2")] {
        file.variable(name).name = capitals;
    }
    assert_eq!(fluxes(&file), expected);
    let case = Case::of("radiation", &file.bytes());
    case.solve(&[&both[..], &["--assume-zero"]].concat());
    assert_eq!(Numbers::open(&case.out()).all("longwave_upward_flux"), expected[0]);
    file.variable("CO2").name = "CO2_dry";
    Case::of("radiation", &file.bytes()).refused(&both, &["gases are missing: co2 (is it CO2_dry?);"]);
}

/// Where there is no cloud nobody asks how large its particles are, nor for an albedo at night or of aerosol that is
/// not there; where there is, a value that is missing is an error.
#[test]
fn what_is_not_used_is_not_checked() {
    let nan = f64::NAN;
    let expected = cloudy_fluxes(&cloudy(), &[]).0;
    let masked = |values: [f64; 8]| {
        let mut file = cloudy();
        file.variable("rel").values = values.to_vec();
        file
    };
    let radii = masked([nan, -7.0, 10.0, 10.0, nan, nan, nan, nan]);
    assert_eq!(cloudy_fluxes(&radii, &[]).0, expected);
    let paths = with(radii, "lwp", 0, nan);
    assert_eq!(cloudy_fluxes(&paths, &[]).0, expected);
    let [longwave, shortwave] = kdist();
    let clouds = ["ecckd-longwave-32-clouds.nc", "ecckd-shortwave-32-clouds.nc"];
    let clouds = clouds.map(|name| shown(&data().join("radiation").join(name)));
    let tables = ["--kdist", &longwave, "--kdist", &shortwave, "--clouds", &clouds[0], "--clouds", &clouds[1]];
    for (value, part) in [
        (nan, "rel is missing at layer 1, column 1, where it is used"),
        (-3.0, "rel = -3 at layer 1, column 1 is not in"),
    ] {
        let file = masked([10.0, 10.0, 10.0, value, 10.0, 10.0, 10.0, 10.0]);
        Case::of("radiation", &file.bytes()).refused(&tables, &[part]);
        let (case, code, _) = summary(&file, "radiation", &[&tables[..], &["--keep-going"]].concat());
        let status = if value.is_nan() { 1.0 } else { 2.0 };
        assert_eq!((code, Numbers::open(&case.out()).all("status")), (Some(3), vec![0.0, status]));
    }
    // The Sun of the second column is below the horizon.
    let plain = fluxes(&columns());
    assert!(columns().variable("mu0").values[1] < 0.0);
    assert_eq!(fluxes(&with(columns(), "albedo", 1, nan)), plain);
    Case::of("radiation", &with(columns(), "albedo", 0, nan).bytes())
        .refused(&tables, &["albedo is missing at column 0"]);
    let aerosol = |albedo: &[f64]| {
        let mut file = columns();
        file.dimensions.push(("shortwave_band", 1));
        let layers: &[&'static str] = &["layer", "shortwave_band", "column"];
        file.with("aerosol_optical_depth", layers, "1", &[0.1, 0.1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
            .with("aerosol_albedo", layers, "1", albedo)
            .with("aerosol_asymmetry", layers, "1", albedo)
    };
    let of = |rest: f64| [0.8, 0.8, rest, rest, rest, rest, rest, rest];
    assert_eq!(fluxes(&aerosol(&of(nan))), fluxes(&aerosol(&of(0.3))));
    let file = aerosol(&[0.8, nan, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    Case::of("radiation", &file.bytes()).refused(&tables, &["aerosol_albedo is missing at layer 0, column 1, where"]);
}

#[test]
fn damaged_tables_are_named() {
    let case = Case::of("radiation", &columns().bytes());
    let [longwave, _] = kdist();
    let bytes = std::fs::read(&longwave).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let cut = folder.path().join("cut.nc");
    std::fs::write(&cut, &bytes[..bytes.len() / 2]).unwrap();
    for (options, part) in [
        (vec!["--kdist", cut.to_str().unwrap()], "cut.nc: "),
        (vec!["--kdist", &longwave, "--kdist", &longwave], "are both of the long wave"),
        (vec!["--kdist", "in.nc"], "in.nc: it is no k-distribution"),
        (vec!["--kdist", &longwave, "--clouds", &longwave], "ecckd-longwave-32.nc: "),
        (vec!["--kdist", "nowhere.nc"], "nowhere.nc: cannot "),
    ] {
        let output = case.command(&options);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.lines().count() == 1 && text.contains(part), "{part}: {text}");
        assert!(!case.out().exists());
    }
    for (options, part) in [
        (["--angles", "5"], "not own, not best, nor a number in [1, 4]"),
        (["--gas", "xenon=1e-6"], "there is no gas \"xenon\"; known: h2o, co2"),
        (["--gas", "co2=2"], "in [0, 1] mol/mol"),
    ] {
        let output = case.command(&options);
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains(part), "{}", said(&output));
    }
}

/// The reference's folder, if it is there.
fn reference() -> Option<PathBuf> {
    isobar_golden::find("rrtmgp")
}

const RFMIP: &str = "rfmip/multiple_input4MIPs_radiation_RFMIP_UColorado-RFMIP-1-2_none.nc";
const EXPERIMENTS: usize = 18;

#[test]
fn rfmip_with_all_g_points() {
    let Some(dir) = reference() else { return };
    let coefficients = ["lw-g256.nc", "sw-g224.nc"].map(|name| shown(&dir.join("coeff").join(name)));
    let kdist = ["--kdist", &coefficients[0], "--kdist", &coefficients[1]];
    let (_folder, ours) = solve(&dir.join(RFMIP), &[&kdist[..], &["--outside", "clamp"]].concat());
    // The reference in double precision has the first six experiments.
    let double = Numbers::open(&dir.join("rfmip/fluxes_f64_expt0-5.nc"));
    for (name, short) in FLUXES.into_iter().chain([("shortwave_direct_flux", "rsdir")]) {
        let (set, bound) = if name.starts_with("longwave") { ("lw256", LONGWAVE) } else { ("sw224", SHORTWAVE) };
        let all = ours.all(name);
        let largest = difference(&all[..6 * all.len() / EXPERIMENTS], &double.all(&format!("{set}_{short}")));
        assert!(largest < bound, "{set} {short}: {largest:e}");
    }
    let bounds = [PUBLISHED_LONGWAVE, PUBLISHED_LONGWAVE, PUBLISHED_SHORTWAVE[0], PUBLISHED_SHORTWAVE[1]];
    for ((name, short), bound) in FLUXES.into_iter().zip(bounds) {
        let published = dir.join(format!("rfmip/{short}_Efx_RTE-RRTMGP-181204_rad-irf_r1i1p1f1_gn.nc"));
        let theirs = Numbers::open(&published).all(short);
        let largest = difference(&ours.all(name), &theirs);
        assert!(largest < bound, "{short}: {largest:e}");
    }
}

const FLUXES: [(&str, &str); 4] = [
    ("longwave_upward_flux", "rlu"),
    ("longwave_downward_flux", "rld"),
    ("shortwave_upward_flux", "rsu"),
    ("shortwave_downward_flux", "rsd"),
];

#[test]
fn levels_without_temperatures_are_as_rte_has_them() {
    let Some(dir) = reference() else { return };
    let theirs = Numbers::open(&dir.join("detail/rfmip_3columns.nc"));
    let (layers, levels): (&[&str], &[&str]) = (&["column", "layer"], &["column", "level"]);
    let mut file = Classic {
        dimensions: vec![("column", 3), ("layer", 60), ("level", 61), ("band", 16)],
        attributes: vec![("orientation", "top_first")],
        ..Classic::default()
    }
    .with("p_lay", layers, "Pa", &theirs.all("in_p_lay"))
    .with("p_lev", levels, "Pa", &theirs.all("in_p_lev"))
    .with("t_lay", layers, "K", &theirs.all("in_t_lay"))
    .with("tsfc", &["column"], "K", &theirs.all("in_t_sfc"))
    .with("emis", &["column", "band"], "1", &theirs.all("in_emis"));
    let gases = theirs.all("in_vmr");
    for (name, values) in isobar::optics::gases::GASES.into_iter().zip(gases.chunks(3 * 60)) {
        file = file.with(name, layers, "1", values);
    }
    let case = Case::of("radiation", &file.bytes());
    case.solve(&["--kdist", &shown(&dir.join("coeff/lw-g256.nc"))]);
    let ours = Numbers::open(&case.out());
    for (name, short) in [("longwave_upward_flux", "up"), ("longwave_downward_flux", "dn")] {
        let largest = difference(&ours.all(name), &theirs.all(&format!("lw256_clr_notlev_{short}")));
        assert!(largest < LONGWAVE, "{short}: {largest:e}");
    }
}

#[test]
fn clouds_need_tables_that_fit() {
    let Some(dir) = reference() else { return };
    let path = |name: &str| shown(&dir.join(name));
    let (longwave, shortwave) = (path("coeff/lw-g128.nc"), path("coeff/sw-g112.nc"));
    let clouds = ["lw", "sw"].map(|wave| path(&format!("cloud/rrtmgp-clouds-{wave}-bnd.nc")));
    let both = ["--kdist", &shortwave, "--kdist", &longwave];
    let case = Case::of("radiation", &cloudy().bytes());
    let parts = ["no tables of clouds for the long wave"];
    case.refused(&[&both[..], &["--clouds", &clouds[1]]].concat(), &parts);
    case.solve(&[&both[..], &["--clouds", &clouds[1], "--clouds", &clouds[0], "--clear-sky"]].concat());
    let out = Numbers::open(&case.out());
    let top = |name: &str| out.all(name)[8];
    assert!(top("shortwave_upward_flux") > top("shortwave_upward_flux_clear") + 10.0);
    assert!(top("longwave_upward_flux") < top("longwave_upward_flux_clear") - 1.0);
    // Those of the other wave fit nothing.
    let output = case.command(&["--kdist", &longwave, "--clouds", &clouds[1]]);
    assert!(!output.status.success() && said(&output).contains("14 bands"), "{}", said(&output));
    let size = with(cloudy(), "rel", 2, 40.0);
    let all = [&both[..], &["--clouds", &clouds[1], "--clouds", &clouds[0]]].concat();
    Case::of("radiation", &size.bytes()).refused(&all, &["rel = 40 at layer 1, column 0 is not in [2.5, 21.5] um"]);
}

/// Overlap of neighbouring layers and how uneven clouds are: from a file in either order, in the ranges that they have.
#[test]
fn tripleclouds_with_what_the_file_has() {
    const OVERLAP: &str = "exponential-random";
    let paths = ["long", "short"].map(|wave| shown(&data().join(format!("radiation/ecckd-{wave}wave-32-clouds.nc"))));
    let [longwave, shortwave] = kdist();
    let tables = ["--kdist", &longwave, "--kdist", &shortwave, "--clouds", &paths[0], "--clouds", &paths[1]];
    let solver = [&tables[..], &["--solver", "tripleclouds", "--overlap"]].concat();
    let two = |lower: f64, upper: f64| [0.0, 0.0, lower, lower, upper, upper, 0.0, 0.0];
    let mut file = cloudy();
    file.dimensions.push(("layer_interface", 3));
    file.variable("cldfrac").values = two(0.5, 0.4).to_vec();
    file.variable("lwp").values = two(40.0, 30.0).to_vec();
    file.variable("rel").values = two(10.0, 8.0).to_vec();
    let file = file.with("overlap_param", &["layer_interface", "column"], "1", &[0.1, 0.1, 0.9, 0.9, 0.2, 0.2]).with(
        "fractional_std",
        LAYER,
        "1",
        &two(0.7, 1.2),
    );
    let top = |file: &Classic, overlap: &str| {
        let case = Case::of("radiation", &file.bytes());
        case.solve(&[&solver[..], &[overlap]].concat());
        let out = Numbers::open(&case.out());
        ["longwave_upward_flux", "shortwave_upward_flux"].map(|name| out.all(name))
    };
    let plain = top(&file, OVERLAP);
    // From the top.
    let mut turned = file.clone();
    for name in
        ["plev", "play", "tlay", "tlev", "h2o", "o3", "cldfrac", "lwp", "rel", "overlap_param", "fractional_std"]
    {
        let values = &mut turned.variable(name).values;
        *values = values.chunks(2).rev().flatten().copied().collect();
    }
    let turned = top(&turned, OVERLAP).map(|values| values.chunks(2).rev().flatten().copied().collect::<Vec<_>>());
    assert_eq!(turned, plain);
    // More light comes back from clouds that lie side by side, and from even ones. Column 0 has sun.
    let apart = top(&with(file.clone(), "overlap_param", 2, 0.0), OVERLAP);
    assert!(apart[1][8] > plain[1][8] + 1.0, "{} {}", apart[1][8], plain[1][8]);
    assert!(apart[1][9] == 0.0 && apart[0][9] == plain[0][9]);
    let even = top(&with(file.clone(), "fractional_std", 2, 0.0), OVERLAP);
    assert!(even[1][8] > plain[1][8] + 1.0, "{} {}", even[1][8], plain[1][8]);
    // Only the overlap between the two clouds counts, but for rounding.
    let agree = |ours: &[Vec<f64>; 2], theirs: &[Vec<f64>; 2]| {
        assert!(ours.iter().zip(theirs).all(|(ours, theirs)| difference(ours, theirs) < 1e-10));
    };
    agree(&top(&with(file.clone(), "overlap_param", 0, 0.6), OVERLAP), &plain);
    let maximum = top(&with(with(file.clone(), "overlap_param", 2, 1.0), "overlap_param", 3, 1.0), OVERLAP);
    agree(&top(&file, "maximum-random"), &maximum);
    // What it says is wrong.
    let refused = |file: &Classic, more: &[&str], parts: &[&str]| {
        Case::of("radiation", &file.bytes()).refused(&[&solver[..], more].concat(), parts);
    };
    let wrong = with(file.clone(), "overlap_param", 4, 1.5);
    refused(&wrong, &[OVERLAP], &["overlap_param = 1.5 at layer_interface 2, column 0", "outside [0, 1]"]);
    let wrong = with(file.clone(), "fractional_std", 3, -1.0);
    refused(&wrong, &[OVERLAP], &["fractional_std = -1 at layer 1, column 1", "outside [0, 10]"]);
    refused(&file, &["maximum"], &["overlap of neighbouring layers alone"]);
    refused(&file, &[OVERLAP, "--angles", "2"], &["one angle"]);
    let mut wrong = file.clone();
    let overlap = wrong.variable("overlap_param");
    (overlap.dimensions, overlap.values) = (vec!["level", "column"], vec![0.5; 10]);
    refused(&wrong, &[OVERLAP], &["overlap_param"]);
}
