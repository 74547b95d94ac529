//! TUV-x's types of cross-sections and of the Sun that take one of several files by wavelength.

use std::fs;
use std::path::Path;

use isobar_io::{TuvX, read_tuv_x};
use serde_json::{Value, json};

use crate::tuv_x::{close, configuration, data, folder, rates};

/// A configuration of one reaction `own` with this cross-section, on a grid.
fn read(edges: &[f64], section: Value, files: &dyn Fn(&Path)) -> Result<TuvX, isobar_io::Error> {
    let mut all = configuration();
    all["grids"][1] = json!({ "name": "wavelength", "type": "from config file", "values": edges });
    let one = json!({ "type": "base", "constant value": 1.0 });
    all["photolysis"]["reactions"] = json!([{ "name": "own", "cross section": section, "quantum yield": one }]);
    let folder = folder(&all);
    files(&folder.path().join("data"));
    read_tuv_x(&folder.path().join("examples/config.json"))
}

/// A file of cross-sections that are the same at all wavelengths, at temperatures.
fn flat(path: &Path, at: &[(f64, f64)]) {
    let rows: Vec<Vec<f64>> = at.iter().map(|(_, value)| vec![*value; 2]).collect();
    let temperatures: Vec<f64> = at.iter().map(|(t, _)| *t).collect();
    data(path, "cross_section_parameters", &[100.0, 900.0], &rows, &temperatures);
}

fn all_four(folder: &Path) {
    flat(&folder.join("1.nc"), &[(295.0, 7e-20)]);
    flat(&folder.join("2.nc"), &[(295.0, 9e-20), (243.0, 4e-20), (228.0, 3e-20), (218.0, 1e-20)]);
    flat(&folder.join("3.nc"), &[(203.0, 10e-20), (273.0, 20e-20)]);
    flat(&folder.join("4.nc"), &[(295.0, 60e-20), (218.0, 40e-20)]);
}

fn named(count: usize) -> Value {
    let files: Vec<Value> = (1..=count).map(|i| json!({ "file path": format!("data/{i}.nc") })).collect();
    json!({ "type": "O3", "netcdf files": files })
}

#[test]
fn ozone_is_of_one_of_four_files_by_the_lower_edge_of_a_bin() {
    // 185, 195 and 345 nm in air are 185.06, 195.06 and 345.10 nm in vacuum.
    let edges = [170.0, 185.03, 190.0, 195.03, 195.1, 300.0, 345.05, 345.2, 400.0];
    let read = read(&edges, named(4), &all_four).unwrap();
    let bins = |t: f64| rates(&read.tables, "own", t).0;
    let want = |all: [f64; 4]| [all[2], all[2], all[3], all[3], all[1], all[1], all[1], all[0]];
    // Cold and warm ends, and between: the warmest of the second file is that of the first.
    for (t, all) in [
        (180.0, [7.0, 1.0, 10.0, 40.0]),
        (320.0, [7.0, 7.0, 20.0, 60.0]),
        (235.0, [7.0, 3.0 + 7.0 / 15.0, 10.0 + 32.0 / 7.0, 40.0 + 20.0 * 17.0 / 77.0]),
        (270.0, [7.0, 4.0 + 3.0 * 27.0 / 52.0, 10.0 + 67.0 / 7.0, 40.0 + 20.0 * 52.0 / 77.0]),
    ] {
        bins(t).iter().zip(want(all)).for_each(|(got, want)| close(*got, 1e-20 * want));
    }
}

#[test]
fn ozone_s_files_have_wavelengths_in_air() {
    let line = |folder: &Path| {
        all_four(folder);
        data(&folder.join("1.nc"), "cross_section_parameters", &[400.0, 600.0], &[vec![0.0, 1e-18]], &[295.0]);
    };
    let read = read(&[450.0, 460.0], named(2), &line).unwrap();
    // Air at 15 C and 1013.25 hPa has the indices 1.00028275 and 1.00027698 there; this one is thinner.
    let thinner = 2.45e19 / 2.5500e19;
    let [from, to] = [400.0 * (1.0 + 2.8275e-4 * thinner), 600.0 * (1.0 + 2.7698e-4 * thinner)];
    let (got, want) = (rates(&read.tables, "own", 250.0).0[0], 1e-18 * (455.0 - from) / (to - from));
    assert!((got / want - 1.0).abs() < 1e-5, "{got} instead of {want}");
}

#[test]
fn ozone_s_missing_files_are_named() {
    let refused = |edges: &[f64], count: usize, part: &str| {
        let error = read(edges, named(count), &all_four).expect_err(part).to_string();
        assert!(error.contains(part) && error.lines().count() == 1, "{part:?} is not in {error}");
    };
    refused(&[300.0, 310.0], 1, "it has 1 files; the bin from 300 nm needs file 2");
    refused(&[190.0, 200.0], 3, "it has 3 files; the bin from 190 nm needs file 4");
    let short = |folder: &Path| {
        all_four(folder);
        flat(&folder.join("2.nc"), &[(295.0, 9e-20), (243.0, 4e-20)]);
    };
    let error = read(&[300.0, 310.0], named(2), &short).expect_err("two parameters").to_string();
    assert!(error.contains("its file 2 has 2 parameters of 4"), "{error}");
}

#[test]
fn ozone_of_jpl_has_two_temperatures_in_its_bands() {
    let section = json!({
        "type": "O3 JPL06",
        "base netcdf file": { "file path": "data/1.nc" },
        "low-temperature netcdf file": { "file path": "data/cold.nc" },
        "high-temperature netcdf file": { "file path": "data/hot.nc" },
    });
    let files = |folder: &Path| {
        all_four(folder);
        flat(&folder.join("cold.nc"), &[(218.0, 2e-20)]);
        flat(&folder.join("hot.nc"), &[(298.0, 6e-20)]);
    };
    let read = read(&[190.0, 196.0, 196.078, 300.0, 342.5, 350.0], section, &files).unwrap();
    for (t, within) in [(180.0, 2e-20), (260.0, 2e-20 + 4e-20 * 42.0 / 80.0), (320.0, 6e-20)] {
        let got = rates(&read.tables, "own", t).0;
        got.iter().zip([7e-20, 7e-20, within, within, 7e-20]).for_each(|(got, want)| close(*got, want));
    }
}

#[test]
fn the_sun_s_files_have_each_its_own_wavelengths() {
    let edges = [140.0, 160.0, 250.0, 300.0, 1001.0, 1002.0];
    let read = |count: usize| {
        let mut all = configuration();
        all["grids"][1] = json!({ "name": "wavelength", "type": "from config file", "values": edges });
        let names: Vec<String> = (1..=count).map(|i| format!("data/{i}.txt")).collect();
        all["profiles"][0]["file path"] = json!(names);
        let flat = all["photolysis"]["reactions"][0].take();
        all["photolysis"]["reactions"] = json!([flat]);
        all["profiles"][0]["interpolator"] = json!(["", "conserving", "linear"]);
        let folder = folder(&all);
        for i in 1..=count {
            let text = format!("100.0 {i}.0\n2000.0 {i}.0\n");
            fs::write(folder.path().join(format!("data/{i}.txt")), text).unwrap();
        }
        read_tuv_x(&folder.path().join("examples/config.json"))
    };
    let photon = 6.626_070_15e-34 * 2.997_924_58e8;
    for count in 1..=4 {
        let read = read(count).unwrap();
        for ((bin, got), file) in edges.windows(2).zip(read.tables.sun_per_cm2_s()).zip([1, 2, 3, 3, 4]) {
            let watts = if file <= count { file as f64 } else { 0.0 };
            close(*got, watts * 1e-13 * 0.5 * (bin[0] + bin[1]) * (bin[1] - bin[0]) / photon);
        }
        assert!(read.notes.iter().any(|note| note.contains("interpolator \"linear\"")), "{:?}", read.notes);
        let dark = read.notes.iter().find(|note| note.contains("has no photons"));
        let from = [160.0, 250.0, 1001.0].get(count - 1);
        assert_eq!(dark.is_some(), from.is_some(), "{dark:?}");
        if let (Some(dark), Some(from)) = (dark, from) {
            assert!(dark.contains(&format!("from {from} nm on")), "{dark}");
        }
    }
    assert!(read(5).unwrap_err().to_string().contains("it names 5 files; expected 1 to 4"));
}

#[test]
fn a_formula_s_range_is_none_of_its_file() {
    // The formula holds at 295 and 305 nm; of the file, 292 and 308 nm are within its range, too.
    let section = json!({
        "type": "temperature based",
        "netcdf file": "data/beyond.nc",
        "parameterization wavelength grid": { "type": "from config file", "values": [290.0, 300.0, 310.0] },
        "parameterization": {
            "type": "HARWOOD", "aa": [-18.0, -18.0], "bb": [0.0, 0.0], "base temperature": 0.0,
            "minimum wavelength": 290.0, "maximum wavelength": 310.0,
        },
    });
    let files = |folder: &Path| {
        let (l, values) = ([280.0, 292.0, 308.0, 320.0], vec![1e-18, 9e-18, 9e-18, 1e-18]);
        data(&folder.join("beyond.nc"), "cross_section_parameters", &l, &[values], &[]);
    };
    let read = read(&[285.0, 295.0, 305.0, 315.0], section, &files).unwrap();
    rates(&read.tables, "own", 250.0).0.iter().for_each(|got| close(*got, 1e-18));
}

#[test]
fn a_formula_out_of_reach_of_the_grid_absorbs_nothing() {
    let section = |more: &Value| {
        let mut section = json!({
            "type": "temperature based",
            "parameterization": {
                "AA": [-40.0], "BB": [0.0], "lp": [0.0], "base temperature": 0.0, "base wavelength": 0.0,
                "logarithm": "natural", "minimum wavelength": 178.0, "maximum wavelength": 280.0,
            },
        });
        section.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        section
    };
    let files = |folder: &Path| {
        let (l, values) = ([150.0, 292.0, 400.0], vec![1e-18, 2e-20, 2e-20]);
        data(&folder.join("beyond.nc"), "cross_section_parameters", &l, &[values], &[]);
    };
    let edges = [290.0, 292.0, 300.0];
    let alone = read(&edges, section(&json!({})), &files).unwrap();
    assert_eq!(rates(&alone.tables, "own", 250.0).0, [0.0, 0.0]);
    let note = "\"own\": it absorbs nothing: no bin has its middle in its range of 178 to 280 nm";
    assert!(alone.notes.iter().any(|line| line.contains(note)), "{:?}", alone.notes);
    // What the file has above the formula stays, from 0 at its end on.
    let both = read(&edges, section(&json!({ "netcdf file": "data/beyond.nc" })), &files).unwrap();
    let got = rates(&both.tables, "own", 250.0).0;
    got.iter().zip([2e-20 * 11.0 / 12.0, 2e-20]).for_each(|(got, want)| close(*got, want));
    // Wavelengths of the formula's own are meant to be in its range.
    let own = json!({ "parameterization wavelength grid": { "type": "from config file", "values": [290.0, 300.0] } });
    let error = read(&edges, section(&own), &files).expect_err("out of range").to_string();
    assert!(error.contains("none of its wavelengths is in its range") && error.contains("\"own\""), "{error}");
}
