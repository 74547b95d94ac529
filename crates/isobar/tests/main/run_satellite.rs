//! What a satellite sees of the columns of `isobar run`: against the forward model's own command, an analytic case, and
//! what it refuses.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::common::run_case::{CASE, Case};
use crate::common::{data, isobar, said};
use isobar_column::rcemip::CO2;
use isobar_core::Real;
use isobar_io::netcdf::{Accepted, Axis, Dataset, Dimension, VariableSpec};

/// The case with a section for the satellite, and what follows it.
fn case(more: &str) -> String {
    let control = data().join("nadir/nadir.ctl");
    let section = format!("[satellite]\ncontrol = {:?}\nhours = [0.5, 1.5]\n{more}\n", control.display().to_string());
    format!("{}\n{section}", CASE.replacen("every = 4", "every = 4\nemissivity = 1.0", 1))
}

fn read(path: &Path, name: &str, unit: &str, axes: &[Dimension]) -> Vec<f64> {
    let axes: Vec<Axis> = axes.iter().map(|&axis| Axis::required(axis)).collect();
    let spec = VariableSpec { name, aliases: &[], standard_names: &[], unit, axes: &axes, accepted: Accepted::FINITE };
    Dataset::open(path).unwrap().read(&spec).unwrap().values
}

/// The numbers of a variable of what is seen, by time, view, channel and column.
fn seen(path: &Path, name: &str) -> Vec<f64> {
    let file = netcdf_reader::NcFile::open(path).unwrap();
    file.read_variable_as_f64(name).unwrap().iter().copied().collect()
}

#[test]
fn the_forward_command_gives_the_same_radiances() {
    let case = Case::new(&case("height_km = 780.0\nnadir_deg = []\nlimb_km = [5.0, 12.0]"));
    case.done("out.nc", &["--plot", "figure.svg"]);
    let out = case.path("out.nc");
    let svg = fs::read_to_string(case.path("figure-spectra.svg")).unwrap();
    assert!(svg.contains("The limb at 8.5 h, by tangent height") && svg.contains("<polyline"));
    // Column 1 at the end, as a file of the forward command has it.
    let (layers, columns, column, last) = (10, 3, 1, 3);
    let profile = |name: &str, unit: &str| {
        let all = read(&out, name, unit, &[Dimension::Time, Dimension::Layer, Dimension::Profile]);
        (0..layers).map(|layer| all[(last * layers + layer) * columns + column]).collect::<Vec<_>>()
    };
    let (t, w, o3) =
        (profile("air_temperature", "K"), profile("humidity_mixing_ratio", "kg kg-1"), profile("O3", "mol mol-1"));
    let constant = |name: &str, axis: Dimension| {
        let all = read(&out, name, "Pa", &[axis, Dimension::Profile]);
        all.into_iter().skip(column).step_by(columns).collect::<Vec<_>>()
    };
    let (p, levels) = (constant("air_pressure", Dimension::Layer), constant("interface_pressure", Dimension::Level));
    let scale = |layer: usize| 287.0 / 9810.0 * t[layer] * (1.0 + (461.6 / 287.0 - 1.0) * w[layer]);
    let mut atmosphere = String::new();
    let mut put = |z: f64, p: f64, layer: usize| {
        let dry = 28.966 / 18.016 * w[layer];
        let water = dry / (1.0 + dry);
        writeln!(atmosphere, "0 {z:e} 0 0 {:e} {:e} {CO2:e} {water:e} {:e} 0", p / 100.0, t[layer], o3[layer]).unwrap();
    };
    let mut bottom = 0.0;
    put(0.0, levels[0], 0);
    for layer in 0..layers {
        put(bottom + scale(layer) * Real::ln(levels[layer] / p[layer]), p[layer], layer);
        bottom += scale(layer) * Real::ln(levels[layer] / levels[layer + 1]);
    }
    put(bottom, levels[layers], layers - 1);
    fs::write(case.path("atm.tab"), atmosphere).unwrap();
    let ray = |tangent: f64| {
        let angle = Real::acos((6367.421 + tangent) / (6367.421 + 780.0)) * 180.0 / std::f64::consts::PI;
        format!("0 780 0 0 {tangent} 0 {angle:e}\n")
    };
    fs::write(case.path("obs.tab"), [5.0, 12.0].map(ray).concat()).unwrap();
    let path = |name: &str| case.path(name).display().to_string();
    let control = data().join("nadir/nadir.ctl").display().to_string();
    let output = isobar(&[
        "forward",
        "--ctl",
        &control,
        "--atm",
        &path("atm.tab"),
        "--obs",
        &path("obs.tab"),
        "--out",
        &path("rad.tab"),
        "--device",
        "cpu",
        "--quiet",
    ]);
    assert!(output.status.success(), "{}", said(&output));
    let text = fs::read_to_string(case.path("rad.tab")).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let expected: Vec<f64> = rows
        .flat_map(|row| {
            row.split_whitespace().skip(10).take(4).map(|word| word.parse::<f64>().unwrap()).collect::<Vec<_>>()
        })
        .collect();
    let radiance = seen(&out, "radiance");
    assert_eq!((expected.len(), radiance.len()), (8, 2 * 2 * 4 * 3));
    for (number, expected) in expected.iter().enumerate() {
        let radiance = radiance[(8 + number) * columns + column];
        // The text has as many digits as a double, and the heights are rounded differently.
        assert!((radiance / expected - 1.0).abs() < 1e-9 && radiance > 0.0, "{number}: {radiance:e} {expected:e}");
    }
}

/// Nothing in the way: the ground alone is seen, as it is, and beside it cold space.
#[test]
fn air_that_absorbs_nothing_shows_the_ground() {
    let gases = "[satellite.gases]\nCO2 = 0.0\nh2o = 0.0\nO3 = 0.0";
    let theirs = data().join("nadir/nadir.ctl");
    for (precision, tolerance) in [("f64", 2e-3), ("f32", 2e-3)] {
        let text = case(&format!("nadir_deg = [0.0, 50.0]\nlimb_km = [9.0]\n{gases}"));
        let case = Case::new(&text.replacen(&theirs.display().to_string(), "own.ctl", 1));
        // Nor the oxygen, which no gas of the file has.
        let base = format!("TBLBASE = {}", data().join("tables/demo").display());
        let control = fs::read_to_string(&theirs).unwrap().replacen("TBLBASE = ../tables/demo", &base, 1);
        fs::write(case.path("own.ctl"), format!("{control}\nCTM_N2 = 0\nCTM_O2 = 0\n")).unwrap();
        case.done("out.nc", &["--precision", precision]);
        let out = case.path("out.nc");
        let ground = read(&out, "surface_temperature", "K", &[Dimension::Time, Dimension::Profile]);
        let (temperature, radiance) = (seen(&out, "brightness_temperature"), seen(&out, "radiance"));
        for (i, (temperature, radiance)) in temperature.iter().zip(&radiance).enumerate() {
            let (time, view, column) = (i / 36, i / 12 % 3, i % 3);
            if view == 2 {
                assert_eq!((*radiance, *temperature), (0.0, 0.0));
                continue;
            }
            // Records 1 and 3. The source function lies between nodes of a table.
            let ground = ground[[1, 3][time] * 3 + column];
            assert!((temperature - ground).abs() < tolerance, "{precision}, {i}: {temperature} {ground}");
        }
        assert_eq!(seen(&out, "satellite_time"), [27_000.0, 30_600.0]);
        assert_eq!(seen(&out, "nadir_angle")[..2], [0.0, 50.0]);
        assert_eq!(seen(&out, "tangent_height")[2], 9.0);
        assert_eq!(seen(&out, "wavenumber"), [792.0, 832.0, 1043.0, 1410.0]);
    }
}

#[test]
fn a_resumed_run_and_columns_in_turns_see_the_same() {
    let case = Case::new(&case("limb_km = [8.0]"));
    case.done("one.nc", &["--threads", "1"]);
    case.done("turns.nc", &["--at-once", "2"]);
    case.done("resumed.nc", &["--resume", "one.restart.nc"]);
    let bytes = |name: &str| fs::read(case.path(name)).unwrap();
    assert!(bytes("one.nc") == bytes("turns.nc") && bytes("one.nc") == bytes("resumed.nc"));
}

#[test]
fn what_cannot_be_seen_is_refused_with_its_line() {
    let bad = |more: &str, expected: &str| {
        let said = Case::new(&case(more)).fails(&[]);
        assert!(said.starts_with("isobar: case.toml:") && said.contains(expected), "{more}: {said}");
    };
    bad("nadir_deg = [0.0, 70.0]", "70 is not in [0, 62.");
    bad("limb_km = [17.0]", "17 is not in (0, 15.9");
    bad("nadir_deg = []", "give nadir_deg or limb_km");
    bad("height_km = 10.0", "10 is not in [15.9");
    bad("angle_deg = 3.0", "unknown key `angle_deg`");
    bad("[satellite.gases]\nCO2 = 1.5", "1.5 is not in [0, 1]");
    let near = "case.toml:46: the control file has no gas `CO22`; did you mean `CO2`?";
    bad("[satellite.gases]\nCO22 = 1e-4", near);
    let said = Case::new(&case("").replacen("[0.5, 1.5]", "[0.25]", 1)).fails(&[]);
    assert!(said.contains("there is no output 0.25 hours after the start"), "{said}");
    // A gas that nothing tells of, a field of view, the Sun: a control file of one's own.
    for (lines, expected) in [
        ("NG = 2\nEMITTER[0] = CO2\nEMITTER[1] = F11", "nothing says how much F11 there is"),
        ("FOV = fov.tab", "the control file has a field of view"),
        ("NSF = 2\nSFNU[0] = 700\nSFNU[1] = 1500\nSFTYPE = 3", "the ground mirrors the Sun"),
    ] {
        let base = data().join("tables/demo").display().to_string();
        let case = Case::new(&case("").replacen(&data().join("nadir/nadir.ctl").display().to_string(), "own.ctl", 1));
        fs::write(case.path("own.ctl"), format!("{lines}\nND = 1\nNU[0] = 832\nTBLBASE = {base}\nTBLFMT = 2\n"))
            .unwrap();
        let said = case.run("out.nc", &[]);
        let said = crate::common::said(&said);
        assert!(said.contains(expected), "{lines}: {said}");
    }
}
