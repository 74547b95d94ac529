//! `--top-layer`: fluxes are those of a file that has the layer, bit for bit, with each k-distribution.

use std::path::Path;
use std::process::{Command, Output};

use isobar_io::read_k_distribution;

use crate::common::classic::{Case, Classic};
use crate::common::longwave::kdist as rrtmg;
use crate::common::radiation_file::Numbers;
use crate::common::{data, said};

const LEVEL: &[&str] = &["level", "column"];
const LAYER: &[&str] = &["layer", "column"];
const COLUMN: &[&str] = &["column"];

/// Two columns of four layers with clouds in three, from the surface up; with a fifth layer up to a pressure \[Pa\].
fn columns(top: Option<f64>) -> Classic {
    let rows = |values: &[f64], more: Option<f64>| -> Vec<f64> {
        let all = values.iter().copied().chain(more.filter(|_| top.is_some()));
        all.flat_map(|value| [value, 0.99 * value]).collect()
    };
    // The second column's layer ends where that of the first does.
    let ending = |mut values: Vec<f64>| {
        if let (Some(top), Some(last)) = (top, values.last_mut()) {
            *last = top;
        }
        values
    };
    let layers = 4 + usize::from(top.is_some());
    let levels = ending(rows(&[1e5, 8e4, 5e4, 2e4, 1e3], top));
    let mut pressure = rows(&[9e4, 6.4e4, 3.4e4, 9e3], Some(0.0));
    let above = levels.len() - 2;
    for column in 0..if top.is_some() { 2 } else { 0 } {
        pressure[8 + column] = 0.5 * (levels[above - 2 + column] + levels[above + column]);
    }
    Classic { dimensions: vec![("column", 2), ("layer", layers), ("level", layers + 1)], ..Classic::default() }
        .with("plev", LEVEL, "Pa", &levels)
        .with("play", LAYER, "Pa", &pressure)
        .with("tlay", LAYER, "K", &rows(&[285.0, 270.0, 240.0, 215.0], Some(215.0)))
        .with("tlev", LEVEL, "K", &rows(&[289.0, 278.0, 257.0, 222.0, 214.0], Some(215.0)))
        .with("tsfc", COLUMN, "K", &[290.0, 285.0])
        .with("emis", COLUMN, "1", &[0.98, 0.96])
        .with("mu0", COLUMN, "1", &[0.7, 0.3])
        .with("albedo", COLUMN, "1", &[0.1, 0.3])
        .with("h2o", LAYER, "mol mol-1", &rows(&[0.01, 0.005, 0.0003, 4e-6], Some(4e-6)))
        .with("o3", LAYER, "mol mol-1", &rows(&[3e-8, 4e-8, 8e-8, 4e-6], Some(4e-6)))
        .with("co2", &[], "1e-6", &[420.0])
        .with("ch4", &[], "1e-9", &[1900.0])
        .with("n2o", &[], "1e-9", &[335.0])
        .with("o2", &[], "1", &[0.209])
        .with("n2", &[], "1", &[0.781])
        .with("cloud_fraction", LAYER, "1", &rows(&[0.4, 0.6, 0.5, 0.0], Some(0.0)))
        .with("liquid_water_path", LAYER, "g m-2", &rows(&[20.0, 30.0, 0.0, 0.0], Some(0.0)))
        .with("ice_water_path", LAYER, "g m-2", &rows(&[0.0, 0.0, 15.0, 0.0], Some(0.0)))
        .with("liquid_radius", LAYER, "um", &rows(&[10.0; 4], Some(10.0)))
        .with("ice_size", LAYER, "um", &rows(&[60.0; 4], Some(60.0)))
        .with("fractional_std", LAYER, "1", &rows(&[0.7; 4], Some(0.7)))
}

fn run(folder: &Path, (command, file, out): (&str, &str, &str), options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_isobar"))
        .args([command, file, "-o", out, "--quiet", "--device", "cpu"])
        .args(options)
        .env("ISOBAR_DATA", data())
        .current_dir(folder)
        .output()
        .unwrap()
}

/// The results of these columns with `--top-layer`, and what levels and layers below the added one have in a file that
/// has it up to this pressure.
fn assert_same(command: &'static str, top: f64, options: &[&str]) {
    let case = Case::of(command, &columns(None).bytes());
    let folder = case.folder.path();
    std::fs::write(folder.join("higher.nc"), columns(Some(top)).bytes()).unwrap();
    for (file, out, more) in
        [("in.nc", "ours.nc", &["--top-layer"][..]), ("higher.nc", "theirs.nc", &[]), ("in.nc", "without.nc", &[])]
    {
        let output = run(folder, (command, file, out), &[options, more].concat());
        assert!(output.status.success(), "{command} {options:?}: {}", said(&output));
    }
    let [ours, theirs, without] = ["ours.nc", "theirs.nc", "without.nc"].map(|name| Numbers::open(&folder.join(name)));
    let mut seen = 0;
    for wave in ["longwave", "shortwave"] {
        for what in ["upward_flux", "downward_flux", "heating_rate", "upward_flux_by_band", "upward_flux_clear"] {
            let name = format!("{wave}_{what}");
            if !ours.has(&name) {
                continue;
            }
            let [ours, theirs, without] = [&ours, &theirs, &without].map(|file| file.all(&name));
            assert_eq!(ours.len(), without.len());
            assert!(ours == theirs[..ours.len()], "{command} {options:?}: {name}: {ours:?} {theirs:?}");
            assert!(ours != without, "{command} {options:?}: {name}");
            seen += 1;
        }
    }
    assert!(seen >= 3, "{command} {options:?}: {seen}");
}

#[test]
fn with_eccks_it_is_a_layer_of_the_file() {
    let all: &[&[&str]] = &[
        &[],
        &["--overlap", "exponential", "--bands"],
        &["--solver", "tripleclouds", "--clear-sky"],
        &["--precision", "f32"],
    ];
    for command in ["radiation", "longwave", "shortwave"] {
        all.iter().for_each(|options| assert_same(command, 0.01, options));
        assert_same(command, 0.01, &["--at-once", "1"]);
    }
}

#[test]
fn with_rrtmg_lws_it_is_a_layer_of_the_file() {
    let (kdist, shortwave) = (rrtmg(), data().join("radiation/ecckd-shortwave-32.nc"));
    let clouds = data().join("radiation/ecckd-shortwave-32-clouds.nc");
    assert_same("longwave", 0.01, &["--kdist", &kdist, "--overlap", "exponential", "--bands"]);
    let both = ["--kdist", &kdist, "--kdist", shortwave.to_str().unwrap(), "--clouds", clouds.to_str().unwrap()];
    assert_same("radiation", 0.01, &both);
}

/// RRTMGP's tables end below 0.01 Pa, and so does the layer.
#[test]
fn with_rrtmgps_it_ends_with_the_tables() {
    let Some(dir) = isobar_golden::find("rrtmgp") else { return };
    let paths = ["coeff/lw-g128.nc", "coeff/sw-g112.nc"].map(|name| dir.join(name).to_str().unwrap().to_owned());
    let optics = read_k_distribution(paths[0].as_ref()).unwrap().gas_optics().unwrap();
    let end = optics.pressure_range_pa[0];
    assert!(end > 1.0 && end < 1.01, "{end}");
    assert_same("longwave", end, &["--kdist", &paths[0], "--no-clouds"]);
    assert_same("shortwave", end, &["--kdist", &paths[1], "--no-clouds"]);
    assert_same("radiation", end, &["--kdist", &paths[0], "--kdist", &paths[1], "--no-clouds"]);
    let case = Case::of("longwave", &columns(None).bytes());
    case.solve(&["--kdist", &paths[0], "--no-clouds", "--top-layer"]);
    let scheme = netcdf_reader::NcFile::open(case.out()).unwrap();
    let scheme = scheme.global_attribute("scheme").unwrap().value.as_string().unwrap();
    assert!(scheme.ends_with(&format!("; a layer on top, up to {end} Pa")), "{scheme}");
}

#[test]
fn columns_that_reach_there_are_refused() {
    let mut file = columns(None);
    let last = file.variable("plev").values.len() - 1;
    file.variable("plev").values[last] = 0.015;
    let case = Case::of("shortwave", &file.bytes());
    let output = case.command(&["--top-layer"]);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    let expected = "isobar: --top-layer: level_pressure_pa at column 1, level 4 is 0.015, which is not above 0.02 Pa, \
                    which a layer on top needs\n";
    assert_eq!(text, expected);
}
