//! ecRad's input files, as they are.

use std::path::Path;
use std::process::Command;

use crate::common::classic::{Case, Classic};
use crate::common::radiation_file::{Numbers, difference};
use crate::common::{data, said};

/// Runs a command on a file with the k-distributions of the repository, into a folder of its own.
fn solve(command: &str, columns: &Path, more: &[&str]) -> (tempfile::TempDir, Numbers) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.nc");
    let mut isobar = Command::new(env!("CARGO_BIN_EXE_isobar"));
    isobar.arg(command).arg(columns).arg("-o").arg(&out).args(["--device", "cpu", "--quiet"]).args(more);
    let output = isobar.env("ISOBAR_DATA", data()).output().unwrap();
    assert!(output.status.success() && said(&output).is_empty(), "{}", said(&output));
    let numbers = Numbers::open(&out);
    (folder, numbers)
}

/// ecRad's 32 columns from pole to pole without clouds, with ecRad's fluxes. Bounds are those of the library's test
/// (`crates/isobar-radiation/tests/radiation/ecrad.rs`): what ecRad's thin layers emit too much, a difference of near
/// numbers, sums.
#[test]
fn fluxes_are_ecrads() {
    const COLUMNS: usize = 32;
    let Some(dir) = isobar_golden::find("rrtmgp") else { return };
    let (_folder, ours) = solve("radiation", &dir.join("ecckd/ecrad_meridian.nc"), &["--no-clouds"]);
    let theirs = Numbers::open(&dir.join("ecckd/ecrad_cloudless_noaer_ecckd.nc"));
    for (ours_is, theirs_is, accepted) in [
        ("longwave_upward_flux", "flux_up_lw", 3e-3),
        ("longwave_downward_flux", "flux_dn_lw", 3e-3),
        ("shortwave_upward_flux", "flux_up_sw", 1e-9),
        ("shortwave_downward_flux", "flux_dn_sw", 1e-9),
        ("shortwave_direct_flux", "flux_dn_direct_sw", 1e-11),
    ] {
        let found = difference(&ours.all(ours_is), &theirs.all(theirs_is));
        assert!(found < accepted, "{theirs_is}: {found:e}");
    }
    // One spectrum alone, and the same.
    for command in ["longwave", "shortwave"] {
        let (_folder, alone) = solve(command, &dir.join("ecckd/ecrad_meridian.nc"), &["--no-clouds"]);
        let name = format!("{command}_upward_flux");
        assert!(alone.all(&name) == ours.all(&name));
    }
    // With clouds, in the dark and in the sun.
    let (_folder, cloudy) = solve("radiation", &dir.join("ecckd/ecrad_meridian.nc"), &["--clear-sky"]);
    let clear = difference(&cloudy.all("longwave_upward_flux_clear"), &ours.all("longwave_upward_flux"));
    assert!(clear < 1e-9, "{clear:e}");
    let outgoing = |file: &Numbers| {
        let upward = file.all("longwave_upward_flux");
        upward.iter().step_by(upward.len() / COLUMNS).sum::<f64>()
    };
    assert!(outgoing(&cloudy) < outgoing(&ours) - 100.0);
}

/// ecRad's 32 columns with clouds, by Tripleclouds. ecRad's tables of ice end a ten-thousandth of a step before their
/// last size, which is seen in the short wave; the long wave is as without clouds.
#[test]
fn tripleclouds_is_ecrads() {
    let Some(dir) = isobar_golden::find("rrtmgp") else { return };
    let scattering = ["--longwave-scattering", "two-stream"];
    let solver = [&["--solver", "tripleclouds", "--overlap", "exponential-random"][..], &scattering].concat();
    let (_folder, ours) = solve("radiation", &dir.join("ecckd/ecrad_meridian.nc"), &solver);
    let theirs = Numbers::open(&dir.join("ecckd/ecrad_tripleclouds_noaer_ecckd.nc"));
    for (ours_is, theirs_is, accepted) in [
        ("longwave_upward_flux", "flux_up_lw", 3e-3),
        ("longwave_downward_flux", "flux_dn_lw", 3e-3),
        ("shortwave_upward_flux", "flux_up_sw", 1e-3),
        ("shortwave_downward_flux", "flux_dn_sw", 1e-3),
        ("shortwave_direct_flux", "flux_dn_direct_sw", 1e-3),
    ] {
        let found = difference(&ours.all(ours_is), &theirs.all(theirs_is));
        println!("{theirs_is}: {found:.1e} W/m^2");
        assert!(found < accepted, "{theirs_is}: {found:e}");
    }
}

/// ecCKD's first short wave does not say how the sun radiates: albedos by band then count as a black body of 5777 K
/// does, and the ground sends back what it does with the later one, which says it, but for what two k-distributions and
/// the sun's lines differ in; a black body of 273 K would make it 64 W/m^2.
#[test]
fn albedos_count_as_the_sun_radiates() {
    let Some(dir) = isobar_golden::find("rrtmgp") else { return };
    let mut file = ecrad();
    // Snow: bright where it is seen, dark in the near infrared.
    file.variable("sw_albedo").values = vec![0.95, 0.98, 0.97, 0.7, 0.2, 0.05];
    let fluxes = |name: &str| {
        let case = Case::of("shortwave", &file.bytes());
        let kdist = dir.join("ecckd").join(name);
        case.solve(&["--kdist", kdist.to_str().unwrap(), "--no-clouds", "--assume-zero"]);
        let out = Numbers::open(&case.out());
        ["shortwave_upward_flux", "shortwave_downward_flux"].map(|name| *out.all(name).last().unwrap())
    };
    let first = fluxes("ecckd-1.0_sw_climate_rgb-32b_ckd-definition.nc");
    let later = fluxes("ecckd-1.4_sw_climate_rgb-32b_ckd-definition.nc");
    let albedo = |[up, down]: [f64; 2]| up / down;
    println!("{} {}, {} {}", first[0], albedo(first), later[0], albedo(later));
    assert!((first[0] - later[0]).abs() < 4.0, "{first:?} {later:?}");
    assert!((albedo(first) - albedo(later)).abs() < 0.005);
}

const HALF: &[&str] = &["column", "half_level"];
const FULL: &[&str] = &["column", "level"];
const COLUMN: &[&str] = &["column"];
const Q: [f64; 4] = [1e-6, 2e-4, 3e-3, 9e-3];
const PRESSURE: [f64; 5] = [0.0, 2e4, 5e4, 8e4, 1e5];
const TEMPERATURE: [f64; 5] = [214.0, 222.0, 257.0, 278.0, 289.0];

/// A column of four layers, the top first, with a water cloud in the third and an ice cloud in the second, in ecRad's
/// terms.
fn ecrad() -> Classic {
    Classic {
        dimensions: vec![
            ("column", 1),
            ("level", 4),
            ("half_level", 5),
            ("lw_emissivity_band", 2),
            ("sw_albedo_band", 6),
        ],
        ..Classic::default()
    }
    .with("pressure_hl", HALF, "Pa", &PRESSURE)
    .with("temperature_hl", HALF, "K", &TEMPERATURE)
    .with("q", FULL, "1", &Q)
    .with("o3_mmr", FULL, "1", &[6e-6, 2e-7, 8e-8, 5e-8])
    .with("co2_vmr", FULL, "1", &[4e-4; 4])
    .with("ch4_vmr", FULL, "1", &[1.8e-6; 4])
    .with("n2o_vmr", FULL, "1", &[3.2e-7; 4])
    .with("skin_temperature", COLUMN, "K", &[290.0])
    .with("cos_solar_zenith_angle", COLUMN, "1", &[0.6])
    .with("solar_irradiance", &[], "W m-2", &[1400.0])
    .with("lw_emissivity", &["column", "lw_emissivity_band"], "1", &[0.97, 0.97])
    .with("sw_albedo", &["column", "sw_albedo_band"], "1", &[0.2; 6])
    .with("cloud_fraction", FULL, "1", &[0.0, 1.0, 1.0, 1e-7])
    .with("q_liquid", FULL, "1", &[0.0, 0.0, 1e-4, 1e-4])
    .with("q_ice", FULL, "1", &[0.0, 2e-5, 0.0, 0.0])
    .with("re_liquid", FULL, "m", &[1e-5; 4])
    .with("re_ice", FULL, "m", &[3e-5; 4])
}

/// That column in our own layout.
fn own() -> Classic {
    let (level, layer) = (&["level", "column"][..], &["layer", "column"][..]);
    let of_layers = |value: &dyn Fn(usize) -> f64| (0..4).map(value).collect::<Vec<_>>();
    let [p, t] = [PRESSURE, TEMPERATURE];
    let path = |k: usize, q: f64| 1e3 * q * (p[k + 1] - p[k]) / 9.80665;
    let dry = |k: usize, x: f64| x / (1.0 - Q[k]);
    let ozone = [6e-6, 2e-7, 8e-8, 5e-8];
    Classic { dimensions: vec![("column", 1), ("layer", 4), ("level", 5)], ..Classic::default() }
        .with("plev", level, "Pa", &p)
        .with("play", layer, "Pa", &of_layers(&|k| 0.5 * (p[k] + p[k + 1])))
        .with("tlev", level, "K", &t)
        .with("tlay", layer, "K", &of_layers(&|k| (t[k] * p[k] + t[k + 1] * p[k + 1]) / (p[k] + p[k + 1])))
        .with("h2o", layer, "1", &of_layers(&|k| dry(k, Q[k] * 28.970 / 18.0152833)))
        .with("o3", layer, "1", &of_layers(&|k| dry(k, ozone[k] * 28.970 / 47.9982)))
        .with("co2", layer, "1", &of_layers(&|k| dry(k, 4e-4)))
        .with("ch4", layer, "1", &of_layers(&|k| dry(k, 1.8e-6)))
        .with("n2o", layer, "1", &of_layers(&|k| dry(k, 3.2e-7)))
        .with("surface_temperature", COLUMN, "K", &[290.0])
        .with("cosine_zenith", COLUMN, "1", &[0.6])
        .with("total_solar_irradiance", &[], "W m-2", &[1400.0])
        .with("emissivity", COLUMN, "1", &[0.97])
        .with("surface_albedo", COLUMN, "1", &[0.2])
        .with("cloud_fraction", layer, "1", &[0.0, 1.0, 1.0, 0.0])
        .with("lwp", layer, "g m-2", &[0.0, 0.0, path(2, 1e-4), 0.0])
        .with("iwp", layer, "g m-2", &[0.0, path(1, 2e-5), 0.0, 0.0])
        .with("rel", layer, "um", &[10.0; 4])
        .with("dei", layer, "um", &[60.0; 4])
}

/// Fluxes of a file with the repository's k-distributions and clouds.
fn fluxes(file: &Classic) -> [Vec<f64>; 3] {
    let case = Case::of("radiation", &file.bytes());
    let (_folder, out) = solve("radiation", &case.folder.path().join("in.nc"), &[]);
    ["longwave_upward_flux", "longwave_downward_flux", "shortwave_upward_flux"].map(|name| out.all(name))
}

#[test]
fn what_ecrad_means_is_what_is_computed() {
    let (theirs, ours) = (fluxes(&ecrad()), fluxes(&own()));
    for (theirs, ours) in theirs.iter().zip(&ours) {
        // Sums of 32 numbers up to 500 W/m^2, with inputs that differ by their rounding.
        let found = difference(ours, theirs);
        assert!(found < 1e-10, "{found:e}");
    }
    // By amount instead of by mass.
    let mut file = ecrad();
    let ozone = file.variable("o3_mmr");
    ozone.name = "o3_vmr";
    ozone.values.iter_mut().for_each(|value| *value *= 28.970 / 47.9982);
    for (theirs, ours) in fluxes(&file).iter().zip(&ours) {
        assert!(difference(ours, theirs) < 1e-10);
    }
    // The beam's albedo is that of diffuse light, unless there is one.
    let mut clear = ecrad();
    clear.variable("cloud_fraction").values.fill(0.0);
    let plain = fluxes(&clear);
    let direct =
        |albedo: f64| fluxes(&clear.clone().with("sw_albedo_direct", &["column", "sw_albedo_band"], "1", &[albedo; 6]));
    assert_eq!(direct(0.2), plain);
    assert!(difference(&direct(0.5)[2], &plain[2]) > 100.0);
    // A dark band in the near infrared takes from what comes back.
    clear.variable("sw_albedo").values[3] = 0.0;
    assert!(fluxes(&clear)[2][0] < plain[2][0] - 10.0);
}

/// What ecRad's files have beside what is read is named, whatever else there is.
#[test]
fn what_is_not_read_is_named() {
    let mut file = ecrad();
    file.dimensions.extend([("aerosol_type", 2), ("hydrometeor", 2)]);
    let file = file
        .with("aerosol_mmr", &["column", "aerosol_type", "level"], "1", &[1e-9; 8])
        .with("q_hydrometeor", &["column", "hydrometeor", "level"], "1", &[1e-5; 8])
        .with("inv_cloud_effective_size", FULL, "m-1", &[1e-3; 4])
        .with("inv_inhom_effective_size", FULL, "m-1", &[1e-3; 4])
        .with("iseed", COLUMN, "1", &[7.0]);
    let case = Case::of("radiation", &file.bytes());
    let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
    command.args(["radiation", "in.nc", "-o", "o.nc", "--device", "cpu"]);
    let output = command.env("ISOBAR_DATA", data()).current_dir(case.folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let text = said(&output);
    let line = text.lines().find(|line| line.contains("not read: ")).unwrap_or_else(|| panic!("{text}"));
    for name in ["aerosol_mmr", "q_hydrometeor", "inv_cloud_effective_size", "inv_inhom_effective_size", "iseed"] {
        assert!(line.contains(name), "{name}: {line}");
    }
}

#[test]
fn what_is_wrong_is_said_in_one_line() {
    let kdist = ["longwave", "shortwave"].map(|wave| data().join(format!("radiation/ecckd-{wave}-32.nc")));
    let kdist = kdist.each_ref().map(|path| path.to_str().unwrap());
    let options = ["--kdist", kdist[0], "--kdist", kdist[1], "--no-clouds"];
    let refused = |change: &dyn Fn(&mut Classic), parts: &[&str]| {
        let mut file = ecrad();
        change(&mut file);
        Case::of("radiation", &file.bytes()).refused(&options, parts);
    };
    refused(&|file| file.variable("q").values[2] = 1.5, &["q = 1.5 kg kg-1 at column 0, level 2 lies outside [0, 1)"]);
    refused(
        &|file| file.variable("temperature_hl").values[0] = 20.0,
        &["temperature_hl = 20 K at column 0, half_level 0 lies outside [100, 400]"],
    );
    refused(
        &|file| {
            file.dimensions[3].1 = 3;
            file.variable("lw_emissivity").values = vec![0.9; 3];
        },
        &["lw_emissivity has 3 bands: the k-distribution has one band and 32 g-points, and ECMWF's model has 2"],
    );
    refused(&|file| file.variables.retain(|v| v.name != "sw_albedo"), &["neither sw_albedo nor sw_albedo_direct"]);
    refused(&|file| file.variables.retain(|v| v.name != "ch4_vmr"), &["gases are missing: ch4;"]);
    Case::of("radiation", &ecrad().bytes()).refused(&options[..4], &["no tables of clouds for the long wave"]);
    let Some(dir) = isobar_golden::find("rrtmgp") else { return };
    let rrtmgp = dir.join("coeff/lw-g128.nc");
    let options = ["--kdist", rrtmgp.to_str().unwrap(), "--assume-zero", "--no-clouds", "--outside", "clamp"];
    let parts = ["lw_emissivity has 2 bands: the k-distribution has 16 bands and 128 g-points, and does not say where"];
    Case::of("longwave", &ecrad().bytes()).refused(&options, &parts);
}
