//! The relative humidity of aerosols that take up water: beyond the tables, and in wrong units.

use std::path::Path;

use crate::common::classic::{Case, Classic};
use crate::common::radiation_file::Numbers;
use crate::common::said;

const LEVEL: &[&str] = &["level"];
const LAYER: &[&str] = &["layer"];

/// One column by day with a mixing ratio of an aerosol and this relative humidity in its lowest layer.
fn column(aerosol: &'static str, humidity: f64) -> Classic {
    let mut file = Classic { dimensions: vec![("layer", 3), ("level", 4)], ..Classic::default() }
        .with("level_pressure", LEVEL, "Pa", &[1e5, 8e4, 4e4, 1e3])
        .with("temperature", LAYER, "K", &[285.0, 260.0, 220.0])
        .with("h2o", LAYER, "1", &[0.01, 0.002, 1e-5])
        .with("o3", LAYER, "1", &[3e-8, 5e-8, 1e-6])
        .with("cosine_zenith", &[], "1", &[0.5])
        .with("surface_albedo", &[], "1", &[0.2])
        .with("relative_humidity", LAYER, "1", &[humidity, 0.5, 0.1])
        .with(aerosol, LAYER, "kg kg-1", &[1e-8, 1e-8, 0.0]);
    for (name, value) in [("co2", 420e-6), ("ch4", 1900e-9), ("n2o", 335e-9), ("o2", 0.209), ("n2", 0.781)] {
        file = file.with(name, &[], "1", &[value]);
    }
    file
}

/// RRTMGP's tables, if they are here.
fn options() -> Option<Vec<String>> {
    let dir = isobar_golden::find("rrtmgp")?;
    let path = |name: &str| Path::new(&dir).join(name).to_str().unwrap().to_owned();
    let kdist = ["--kdist".to_owned(), path("coeff/sw-g112.nc")];
    Some([kdist, ["--aerosols".to_owned(), path("aerosol/rrtmgp-aerosols-merra-sw.nc")]].concat())
}

fn derived(case: &Case) -> String {
    isobar_io::netcdf::Dataset::open(&case.out()).unwrap().attribute("derived").unwrap_or_default()
}

#[test]
fn what_lies_beyond_the_tables_is_said_or_refused() {
    let Some(options) = options() else { return };
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let strict = [&options[..], &["--outside", "error"]].concat();
    let solve = |file: &Classic, options: &[&str]| {
        let case = Case::of("shortwave", &file.bytes());
        let output = case.command(options);
        assert!(output.status.success(), "{}", said(&output));
        (derived(&case), Numbers::open(&case.out()).all("shortwave_downward_flux"))
    };
    // The tables end at 0.99: moister air has the optics of their end.
    let (text, fluxes) = solve(&column("SO4", 1.2), &options);
    let first = "relative_humidity = 1.2 at layer 0";
    assert!(text.contains("1 values beyond the tables of aerosols") && text.contains(first), "{text}");
    assert!(text.contains("is not in [0, 0.99]"), "{text}");
    assert_eq!(fluxes, solve(&column("SO4", 1.5), &options).1);
    Case::of("shortwave", &column("SO4", 1.2).bytes()).refused(&strict, &[first, "[0, 0.99]"]);
    let (text, drier) = solve(&column("SO4", 0.98), &strict);
    assert!(!text.contains("beyond the tables") && drier[0] > fluxes[0], "{text}");
    // What takes up no water has no need of it.
    assert!(!solve(&column("DU002", 1.2), &strict).0.contains("beyond the tables"));
}

#[test]
fn a_number_of_per_cent_is_no_part() {
    let Some(options) = options() else { return };
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    for units in [Some("1"), None] {
        let mut file = column("SO4", 80.0);
        file.variable("relative_humidity").units = units;
        Case::of("shortwave", &file.bytes()).refused(&options, &["relative_humidity = 80", "outside [0, 2]"]);
    }
    let mut file = column("SO4", 80.0);
    let humidity = file.variable("relative_humidity");
    humidity.units = Some("%");
    humidity.values = vec![80.0, 50.0, 10.0];
    let case = Case::of("shortwave", &file.bytes());
    assert!(case.command(&options).status.success());
    let in_per_cent = Numbers::open(&case.out()).all("shortwave_downward_flux");
    let case = Case::of("shortwave", &column("SO4", 0.8).bytes());
    assert!(case.command(&options).status.success());
    let found = Numbers::open(&case.out()).all("shortwave_downward_flux");
    assert!(crate::common::radiation_file::difference(&found, &in_per_cent) < 1e-9);
    // MERRA-2's own name.
    let mut file = column("SO4", 0.8);
    file.variable("relative_humidity").name = "RH";
    let case = Case::of("shortwave", &file.bytes());
    assert!(case.command(&options).status.success());
    assert_eq!(Numbers::open(&case.out()).all("shortwave_downward_flux"), found);
}
