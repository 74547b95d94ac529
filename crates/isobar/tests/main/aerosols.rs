//! Aerosols in `isobar radiation`: MERRA-2's types by RRTMGP's tables, and optical properties of the file.

use std::path::Path;

use crate::common::classic::{Case, Classic};
use crate::common::data;
use crate::common::radiation_file::{Numbers, difference};

const LEVEL: &[&str] = &["level", "column"];
const LAYER: &[&str] = &["layer", "column"];
const COLUMN: &[&str] = &["column"];
const LAYERS: usize = 72;

/// RRTMGP's published example with clouds and aerosols, whose file has what goes in and what comes out.
struct AllSky {
    file: Numbers,
    options: Vec<String>,
}

impl AllSky {
    fn open(spectrum: &str, points: &str) -> Option<Self> {
        let dir = isobar_golden::find("rrtmgp")?;
        let path = |name: String| dir.join(name).to_str().unwrap().to_owned();
        let options = [
            ("--kdist", format!("coeff/{spectrum}-{points}.nc")),
            ("--clouds", format!("cloud/rrtmgp-clouds-{spectrum}-bnd.nc")),
            ("--aerosols", format!("aerosol/rrtmgp-aerosols-merra-{spectrum}.nc")),
        ];
        let options = options.into_iter().flat_map(|(option, name)| [option.to_owned(), path(name)]).collect();
        let file = Numbers::open(Path::new(&path(format!("allsky/rrtmgp-allsky-{spectrum}.nc"))));
        Some(Self { file, options })
    }

    fn options(&self) -> Vec<&str> {
        self.options.iter().map(String::as_str).collect()
    }

    /// The columns without aerosol.
    fn columns(&self) -> Classic {
        let all = |name: &str| self.file.all(name);
        let (levels, liquid, ice) = (all("t_lev"), all("lwp"), all("iwp"));
        let count = levels.len() / (LAYERS + 1);
        let fraction: Vec<f64> = liquid.iter().zip(&ice).map(|(liquid, ice)| f64::from(liquid + ice > 0.0)).collect();
        let mut file = Classic {
            dimensions: vec![("column", count), ("layer", LAYERS), ("level", LAYERS + 1)],
            ..Classic::default()
        }
        .with("level_pressure", LEVEL, "Pa", &all("p_lev"))
        .with("level_temperature", LEVEL, "K", &levels)
        .with("surface_temperature", COLUMN, "K", &levels[..count])
        .with("cloud_fraction", LAYER, "1", &fraction)
        .with("emissivity", COLUMN, "1", &vec![0.98; count])
        .with("cosine_zenith", COLUMN, "1", &vec![0.86; count])
        .with("surface_albedo", COLUMN, "1", &vec![0.06; count]);
        for (name, theirs, unit) in [
            ("pressure", "p_lay", "Pa"),
            ("temperature", "t_lay", "K"),
            ("h2o", "h2o", "1"),
            ("o3", "o3", "1"),
            ("liquid_water_path", "lwp", "g m-2"),
            ("ice_water_path", "iwp", "g m-2"),
            ("liquid_radius", "rel", "um"),
            ("ice_size", "rei", "um"),
        ] {
            file = file.with(name, LAYER, unit, &all(theirs));
        }
        for (name, value) in
            [("co2", 348e-6), ("ch4", 1650e-9), ("n2o", 306e-9), ("n2", 0.7808), ("o2", 0.2095), ("co", 0.0)]
        {
            file = file.with(name, &[], "1", &[value]);
        }
        file
    }

    /// The columns with their aerosols, under RRTMGP's names.
    fn with_aerosols(&self) -> Classic {
        let all = |name: &str| self.file.all(name);
        self.columns()
            .with("aero_type", LAYER, "1", &all("aero_type"))
            .with("aero_size", LAYER, "um", &all("aero_size"))
            .with("aero_mass", LAYER, "kg m-2", &all("aero_mass"))
    }
}

/// Bounds are those of the library's test: round-off of some hundred sums in the long wave, RTE's digits of layers that
/// absorb nothing in the short wave.
#[test]
fn rrtmgps_example_with_clouds_and_aerosols() {
    for (spectrum, points, long, bound) in [("lw", "g256", "longwave", 1e-9), ("sw", "g224", "shortwave", 1e-6)] {
        let Some(sky) = AllSky::open(spectrum, points) else { return };
        let case = Case::of("radiation", &sky.with_aerosols().bytes());
        case.solve(&sky.options());
        let ours = Numbers::open(&case.out());
        for (way, theirs) in [("upward", "up"), ("downward", "dn")] {
            let theirs = sky.file.all(&format!("{spectrum}_flux_{theirs}"));
            let found = difference(&ours.all(&format!("{long}_{way}_flux")), &theirs);
            println!("{spectrum} {way}: {found:.1e} W/m^2");
            assert!(found < bound, "{spectrum} {way}: {found:e}");
        }
        // Aerosol is seen.
        let case = Case::of("radiation", &sky.columns().bytes());
        case.solve(&sky.options()[..4]);
        let without = Numbers::open(&case.out()).all(&format!("{long}_downward_flux"));
        assert!(difference(&without, &ours.all(&format!("{long}_downward_flux"))) > 0.01);
    }
}

/// MERRA-2's mixing ratios of several types are the same as masses, and add up.
#[test]
fn merras_mixing_ratios() {
    let Some(sky) = AllSky::open("sw", "g224") else { return };
    let columns = sky.columns();
    let pressure = sky.file.all("p_lev");
    let count = pressure.len() / (LAYERS + 1);
    let ratio = 3e-8;
    let by_ratio = |names: &[&'static str]| {
        let mut file = columns.clone();
        for name in names {
            file = file.with(name, LAYER, "kg kg-1", &vec![ratio; LAYERS * count]);
        }
        let case = Case::of("radiation", &file.bytes());
        case.solve(&sky.options());
        Numbers::open(&case.out()).all("shortwave_downward_flux")
    };
    let masses: Vec<f64> =
        (0..LAYERS * count).map(|index| ratio * (pressure[index] - pressure[index + count]) / 9.80665).collect();
    // The second size of dust has radii from 1 to 1.8 um.
    let file = columns
        .clone()
        .with("aerosol_type", LAYER, "1", &vec![1.0; masses.len()])
        .with("aerosol_radius", LAYER, "um", &vec![1.5; masses.len()])
        .with("aerosol_mass", LAYER, "kg m-2", &masses);
    let case = Case::of("radiation", &file.bytes());
    case.solve(&sky.options());
    let by_mass = Numbers::open(&case.out()).all("shortwave_downward_flux");
    // Products of three numbers in another order.
    let found = difference(&by_ratio(&["DU002"]), &by_mass);
    assert!(found < 1e-9, "{found:e}");
    let surface = |fluxes: &[f64]| fluxes[0];
    let [one, two, dark] =
        [&["SO4"][..], &["SO4", "SS003"], &["SO4", "BCPHILIC"]].map(|names| surface(&by_ratio(names)));
    assert!(dark < two && two < one, "{dark} {two} {one}");
}

/// Four layers with aerosol of one band, as ecCKD has it.
fn with_properties(properties: &[(&'static str, f64)]) -> Classic {
    let mut file = Classic {
        dimensions: vec![("column", 1), ("layer", 3), ("level", 4), ("longwave_band", 1)],
        ..Classic::default()
    }
    .with("level_pressure", LEVEL, "Pa", &[1e5, 8e4, 4e4, 1e3])
    .with("temperature", LAYER, "K", &[285.0, 260.0, 220.0])
    .with("surface_temperature", COLUMN, "K", &[290.0])
    .with("emissivity", COLUMN, "1", &[0.98])
    .with("h2o", LAYER, "1", &[0.01, 0.002, 1e-5])
    .with("o3", LAYER, "1", &[3e-8, 5e-8, 1e-6]);
    for (name, value) in [("co2", 420e-6), ("ch4", 1900e-9), ("n2o", 335e-9), ("o2", 0.209), ("n2", 0.781)] {
        file = file.with(name, &[], "1", &[value]);
    }
    for &(name, value) in properties {
        file = file.with(name, &["layer", "longwave_band", "column"], "1", &[value, 0.5 * value, 0.0]);
    }
    file
}

fn longwave_fluxes(file: &Classic, more: &[&str]) -> Vec<f64> {
    let case = Case::of("longwave", &file.bytes());
    let kdist = data().join("radiation/ecckd-longwave-32.nc");
    case.solve(&[&["--kdist", kdist.to_str().unwrap()], more].concat());
    Numbers::open(&case.out()).all("longwave_downward_flux")
}

/// Without scattering only absorption counts of extinction, albedo and asymmetry.
#[test]
fn optical_properties_of_the_long_wave() {
    let extinct = with_properties(&[
        ("aerosol_optical_depth_longwave", 0.5),
        ("aerosol_albedo_longwave", 0.0),
        ("aerosol_asymmetry_longwave", 0.6),
    ]);
    let absorbs = with_properties(&[("aerosol_absorption_longwave", 0.5)]);
    let fluxes = longwave_fluxes(&extinct, &[]);
    assert_eq!(fluxes, longwave_fluxes(&absorbs, &[]));
    assert!(fluxes[0] > longwave_fluxes(&with_properties(&[]), &[])[0] + 10.0);
    let mut scatters = extinct.clone();
    scatters.variable("aerosol_albedo_longwave").values = vec![0.4, 0.4, 0.0];
    let scattered = longwave_fluxes(&scatters, &["--longwave-scattering", "two-stream"]);
    assert!(scattered[0] < fluxes[0] - 0.1, "{} {}", scattered[0], fluxes[0]);
}

#[test]
fn what_is_wrong_is_said_in_one_line() {
    let lacking = with_properties(&[("aerosol_optical_depth_longwave", 0.5), ("aerosol_albedo_longwave", 0.0)]);
    let kdist = data().join("radiation/ecckd-longwave-32.nc").to_str().unwrap().to_owned();
    let refused =
        |file: &Classic, more: &[&str], parts: &[&str]| Case::of("radiation", &file.bytes()).refused(more, parts);
    refused(&lacking, &["--kdist", &kdist], &["aerosol_asymmetry_longwave is missing"]);

    let Some(sky) = AllSky::open("sw", "g224") else { return };
    let options = sky.options();
    let with = |name: &str, value: f64| {
        let mut file = sky.with_aerosols();
        let kinds = file.variable("aero_type").values.clone();
        let dust = kinds.iter().position(|&kind| kind == 1.0).expect("there is dust");
        file.variable(name).values[dust] = value;
        file
    };
    refused(&with("aero_type", 2.5), &options, &["aero_type = 2.5 at layer", "no number of a type"]);
    refused(&with("aero_type", 9.0), &options, &["aero_type = 9", "outside [0, 7]"]);
    let none = ["aero_size = 20 um at layer", "is in none of the tables' bins, 0.1 to 1, 1 to 1.8,", "6 to 10 um"];
    refused(&with("aero_size", 20.0), &options, &none);
    refused(&with("aero_mass", -1.0), &options, &["aero_mass = -1", "at layer"]);
    let mut file = sky.with_aerosols();
    file.variables.retain(|variable| variable.name != "aero_mass");
    refused(&file, &options, &["aerosol_mass", "is missing"]);
    refused(&sky.columns(), &options, &["neither aerosol_type", "MERRA-2's mixing ratios"]);
    let output = Case::of("radiation", &sky.columns().bytes()).command(&["--kdist", &kdist, options[4], options[5]]);
    assert!(
        crate::common::said(&output).contains("14 bands of aerosols fit none of"),
        "{}",
        crate::common::said(&output)
    );
}
