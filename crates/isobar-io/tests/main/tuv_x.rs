//! TUV-x's configuration as tables, of files that these tests write.

use std::fs;
use std::path::Path;

use isobar_io::read_tuv_x;
use netcdf_writer::{NcAttrValue, NcFileBuilder, NcWriteFormat, NcWriteOptions};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A data file as TUV-x has it: parameters by wavelength, maybe at temperatures.
pub(crate) fn data(path: &Path, name: &str, wavelengths: &[f64], parameters: &[Vec<f64>], temperatures: &[f64]) {
    let mut file = NcFileBuilder::new();
    file.add_attribute("title", NcAttrValue::Chars("data".into())).unwrap();
    let bins = file.add_dimension("bins", wavelengths.len() as u64).unwrap();
    let count = file.add_dimension("parameters", parameters.len() as u64).unwrap();
    let wavelength = file.add_variable::<f64>("wavelength", &[bins]).unwrap();
    file.write_variable(wavelength, wavelengths).unwrap();
    let variable = file.add_variable::<f64>(name, &[count, bins]).unwrap();
    file.write_variable(variable, &parameters.concat()).unwrap();
    if !temperatures.is_empty() {
        let all = file.add_dimension("temperatures", temperatures.len() as u64).unwrap();
        let variable = file.add_variable::<f64>("temperature", &[all]).unwrap();
        file.write_variable(variable, temperatures).unwrap();
    }
    let mut bytes = Vec::new();
    file.write(&mut bytes, NcWriteOptions { format: NcWriteFormat::Classic }).unwrap();
    fs::write(path, bytes).unwrap();
}

pub(crate) fn configuration() -> Value {
    json!({
        "grids": [
            { "name": "height", "type": "equal interval", "units": "km" },
            { "name": "wavelength", "type": "from csv file", "units": "nm", "file path": "data/grid.csv" },
        ],
        "profiles": [
            { "name": "extraterrestrial flux", "type": "extraterrestrial flux",
              "file path": ["data/sun.txt", "data/sun.txt", "data/sun.txt"] }
        ],
        "radiative transfer": {
            "cross sections": [
                { "name": "O3", "type": "base", "netcdf files": [{ "file path": "data/flat.nc" }] },
                { "name": "O2", "type": "base", "netcdf files": [{ "file path": "data/flat.nc" }] },
            ],
            "radiators": [{ "name": "air" }, { "name": "dust" }],
        },
        "photolysis": { "reactions": [
            {
                "name": "flat",
                "cross section": { "type": "base", "netcdf files": ["data/flat.nc"] },
                "quantum yield": { "type": "base", "constant value": 0.5 },
                "scaling factor": 2.0,
            },
            {
                "name": "warm",
                "cross section": { "type": "tint", "netcdf files": [{ "file path": "data/warm.nc" }] },
                "quantum yield": {
                    "type": "base",
                    "constant value": 1.0,
                    "override bands": [{ "band": "range", "minimum wavelength": 320.0, "value": 0.25 }],
                },
            },
            {
                "name": "harwood",
                "cross section": {
                    "type": "temperature based",
                    "parameterization": {
                        "type": "HARWOOD", "aa": [-18.0, -19.0], "bb": [-100.0, 0.0], "base temperature": 0.0,
                        "temperature ranges": [{ "maximum": 250.0, "fixed value": 250.0 }, { "minimum": 250.0 }],
                    },
                },
                "quantum yield": { "type": "MVK+hv->Products" },
            },
            {
                "name": "strange",
                "cross section": { "type": "base", "netcdf files": ["data/flat.nc"] },
                "quantum yield": { "type": "of my own" },
            },
        ]},
    })
}

/// A folder with a configuration in a folder below that of its data.
pub(crate) fn folder(configuration: &Value) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("data")).unwrap();
    fs::create_dir_all(at("examples")).unwrap();
    fs::write(at("examples/config.json"), configuration.to_string()).unwrap();
    fs::write(at("data/grid.csv"), " 3\n300.0\n310.0\n330.0\n").unwrap();
    fs::write(at("data/sun.txt"), "# nm W m-2 nm-1\n200.0 1.0\n500.0 1.0\n").unwrap();
    // A cross-section that rises by 1e-20 a nm from 300 nm on.
    data(&at("data/flat.nc"), "cross_section_parameters", &[290.0, 300.0, 400.0], &[vec![0.0, 0.0, 1e-18]], &[]);
    // From warm to cold, as some files have it.
    let rows = [vec![3e-20, 3e-20], vec![1e-20, 1e-20]];
    data(&at("data/warm.nc"), "cross_section_parameters", &[250.0, 400.0], &rows, &[300.0, 200.0]);
    folder
}

/// What a reaction has at a temperature and a density of air, by its rate in two bins without an atmosphere.
pub(crate) fn rates(tables: &isobar_photolysis::Tables, name: &str, t: f64) -> (Vec<f64>, Vec<f64>) {
    let number = tables.reactions().iter().position(|known| known == name).expect("the reaction");
    tables.laws(number, t)
}

pub(crate) fn close(got: f64, want: f64) {
    assert!((got - want).abs() <= 1e-12 * want.abs(), "{got} instead of {want}");
}

#[test]
fn laws_are_those_of_the_files() {
    let folder = folder(&configuration());
    let read = read_tuv_x(&folder.path().join("examples/config.json")).unwrap();
    assert_eq!(read.tables.edges_nm(), [300.0, 310.0, 330.0]);
    assert_eq!(read.tables.reactions(), ["flat", "warm", "harwood"]);
    for part in ["dust does not absorb", "strange is left out: the quantum yield \"of my own\" is not read"] {
        assert!(read.notes.iter().any(|note| note.contains(part)), "{part}: {:?}", read.notes);
    }
    // Each file once, by its path from the configuration's folder.
    let files = ["config.json", "../data/grid.csv", "../data/sun.txt", "../data/flat.nc", "../data/warm.nc"];
    assert_eq!(read.files, files.map(|name| folder.path().join("examples").join(name)));
    // 1 W/(m2 nm) over a bin, in photons.
    let photon = 6.626_070_15e-34 * 2.997_924_58e8;
    for (got, want) in read.tables.sun_per_cm2_s().iter().zip([1e-13 * 305.0 * 10.0, 1e-13 * 320.0 * 20.0]) {
        close(*got, want / photon);
    }
    // Means of the line over bins, times the yield and the factor.
    let (product, quenching) = rates(&read.tables, "flat", 250.0);
    close(product[0], 5e-20 * 0.5 * 2.0);
    close(product[1], 20e-20 * 0.5 * 2.0);
    assert_eq!(quenching, [0.0, 0.0]);
    // Linear in the temperature, and constant beyond; the band with another yield begins within the second bin.
    for (t, want) in [(200.0, 1e-20), (250.0, 2e-20), (300.0, 3e-20), (180.0, 1e-20), (320.0, 3e-20)] {
        let (product, _) = rates(&read.tables, "warm", t);
        close(product[0], want);
        close(product[1], 0.25 * want);
    }
    // 10^(A + B/T) at the middles of bins, linear between them: the points are these.
    let (cold, quenching) = rates(&read.tables, "harwood", 200.0);
    let (same, _) = rates(&read.tables, "harwood", 250.0);
    assert_eq!(cold, same);
    let (warm, _) = rates(&read.tables, "harwood", 300.0);
    assert!(warm[0] > cold[0] && quenching[0] == 9.2e-19 / 5.5, "{warm:?} {cold:?} {quenching:?}");
}

#[test]
fn what_is_wrong_is_one_error_with_its_place() {
    let refused = |change: &dyn Fn(&mut Value, &Path), parts: &[&str]| {
        let mut configuration = configuration();
        let folder = folder(&configuration);
        change(&mut configuration, folder.path());
        fs::write(folder.path().join("examples/config.json"), configuration.to_string()).unwrap();
        let error = read_tuv_x(&folder.path().join("examples/config.json")).expect_err(parts[0]).to_string();
        assert_eq!(error.lines().count(), 1, "{error}");
        for part in parts {
            assert!(error.contains(part), "{part:?} is not in {error}");
        }
    };
    refused(&|c, _| c["grids"] = json!([]), &["config.json", "\"grids\" has no \"wavelength\""]);
    refused(&|c, _| c["grids"][1]["type"] = json!("odd"), &["\"grids\", \"wavelength\": type \"odd\" is not read"]);
    refused(&|c, _| c["grids"][1]["file path"] = json!("data/none.csv"), &["there is no file data/none.csv"]);
    refused(&|c, _| c["photolysis"] = json!({}), &["\"photolysis\" of the configuration: \"reactions\" is missing"]);
    refused(&|_, f| fs::write(f.join("data/grid.csv"), "2\n310\n300\n").unwrap(), &["edge 1 of the bins is 300 nm"]);
    refused(&|_, f| fs::write(f.join("data/sun.txt"), "300 x\n").unwrap(), &["sun.txt:1: \"x\" is not a number"]);
    refused(
        &|_, f| fs::write(f.join("data/sun.txt"), "300 1\n200 1\n").unwrap(),
        &["sun.txt", "300 nm is followed by 200 nm"],
    );
    let flat = |f: &Path| f.join("data/flat.nc");
    refused(
        &|_, f| data(&flat(f), "quantum_yield_parameters", &[1.0, 2.0], &[vec![0.0, 1.0]], &[]),
        &["flat.nc", "cross_section_parameters is missing"],
    );
    refused(
        &|_, f| data(&flat(f), "cross_section_parameters", &[300.0, 200.0], &[vec![0.0, 1.0]], &[]),
        &["flat.nc", "wavelength[1] is 200 nm, not above 300 nm"],
    );
    refused(
        &|_, f| data(&f.join("data/warm.nc"), "cross_section_parameters", &[1.0, 2.0], &[vec![0.0, 1.0]], &[]),
        &["\"warm\"", "its file has 0 temperatures for 1 parameters"],
    );
    refused(&|c, _| c["photolysis"]["reactions"] = json!([]), &["none of its reactions can be read"]);
    let folder = folder(&configuration());
    let path = folder.path().join("examples/config.json");
    fs::write(&path, "{ \"grids\": [ }").unwrap();
    assert!(read_tuv_x(&path).unwrap_err().to_string().contains("line 1 column"));
}

/// Of TUV-x's types by temperature, `NO2 tint` of a yield goes on along its lines.
#[test]
fn yields_of_no2_go_on_along_their_lines() {
    for (kind, cold, warm) in [("NO2 tint", 0.3, 0.95), ("tint", 0.4, 0.8)] {
        let mut configuration = configuration();
        let mut reaction = configuration["photolysis"]["reactions"][0].take();
        reaction["quantum yield"] = json!({ "type": kind, "netcdf files": ["data/yield.nc"] });
        configuration["photolysis"]["reactions"] = json!([reaction]);
        let folder = folder(&configuration);
        // Above 300 nm 0.4 at 240 K, 0.5 at 280 K and 0.8 at 300 K; elsewhere nothing at 240 K.
        let rows = [vec![0.4, 0.4, 0.0, 0.0], vec![0.5; 4], vec![0.8; 4]];
        let wavelengths = [290.0, 310.0, 310.01, 400.0];
        data(
            &folder.path().join("data/yield.nc"),
            "quantum_yield_parameters",
            &wavelengths,
            &rows,
            &[240.0, 280.0, 300.0],
        );
        let read = read_tuv_x(&folder.path().join("examples/config.json")).unwrap();
        let at = |t: f64| rates(&read.tables, "flat", t).0[0] / 1e-19;
        // 0.4 - 40 K * 0.1 / 40 K, and 0.8 + 10 K * 0.3 / 20 K.
        for (t, want) in [(200.0, cold), (260.0, 0.45), (290.0, 0.65), (310.0, warm)] {
            close(at(t), want);
        }
        // No yield is below 0.
        assert_eq!(rates(&read.tables, "flat", 200.0).0[1] == 0.0, kind == "NO2 tint");
    }
}
