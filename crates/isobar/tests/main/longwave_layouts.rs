//! `isobar longwave` reads one set of columns in many layouts, with the same result.

use std::fs;

use crate::common::classic::Classic;
use crate::common::flux_file::FluxFile;
use crate::common::longwave::{
    COLUMN, COLUMNS, LAYER, LAYERS, LEVEL, assert_near, case, clear, cloudy, fluxes, kdist, level_pressure, ozone,
    pressure, solve, table, temperature, upside_down, water,
};
use crate::common::radiation_file::Numbers;
use crate::common::{printed, said};
use isobar_core::Real;
use isobar_io::netcdf::Dataset;

/// Molar masses of dry air and water \[g/mol\].
const DRY_OVER_WATER: f64 = 28.966 / 18.016;

/// The file with a variable replaced.
fn replaced(
    mut file: Classic,
    old: &str,
    name: &'static str,
    dimensions: &[&'static str],
    units: &'static str,
    values: &[f64],
) -> Classic {
    file.variables.retain(|variable| variable.name != old);
    file.with(name, dimensions, units, values)
}

/// Said by the pressure, by an attribute, or both; and said again in the output and on the terminal.
#[test]
fn top_first_gives_the_same_bits_upside_down() {
    let options = ["--derivative", "--bands"];
    let expected = fluxes(&cloudy(), &options);
    assert!(expected.has("longwave_upward_flux_by_band") && expected.has("longwave_upward_flux_derivative_clear"));
    for attribute in [None, Some(("orientation", "top_first")), Some(("positive", "down"))] {
        let mut file = upside_down(&cloudy());
        file.attributes.extend(attribute);
        let case = case(&file);
        assert_near(&solve(&case, &options), &expected, 0.0);
        assert_eq!(Dataset::open(&case.out()).unwrap().attribute("orientation").as_deref(), Some("top_first"));
    }
    // The other way around it is refused: pressure would grow with height.
    let mut file = cloudy();
    file.attributes.push(("orientation", "top_first"));
    crate::common::longwave::refused(&file, &[], &["orientation", "top_first", "plev falls with the index"]);
}

#[test]
fn gases_come_in_any_shape_and_unit() {
    let expected = fluxes(&clear(), &[]);
    for (name, dimensions, units, value) in [
        ("carbon_dioxide_GM", &[][..], "1.e-6", 400.0),
        ("co2", COLUMN, "ppmv", 400.0),
        ("co2", &["layer"], "umol mol-1", 400.0),
        ("carbon_dioxide", LAYER, "mol mol-1", 4e-4),
        ("co2", &[], "kg kg-1", 4e-4 * 44.009 / 28.966),
    ] {
        let size = dimensions.iter().map(|name| if *name == "layer" { LAYERS } else { COLUMNS }).product();
        let file = replaced(clear(), "co2", name, dimensions, units, &vec![value; size]);
        assert_near(&fluxes(&file, &[]), &expected, 1e-14);
    }
    assert_near(&fluxes(&clear(), &["--gas", "CO2=4e-4"]), &expected, 0.0);
    let without = replaced(clear(), "co2", "unknown", &[], "1", &[1.0]);
    assert_near(&fluxes(&without, &["--gas", "co2=400e-6"]), &expected, 0.0);
    let none = fluxes(&without, &["--assume-zero"]);
    assert!(none.column("longwave_upward_flux", 0)[LAYERS] > expected.column("longwave_upward_flux", 0)[LAYERS] + 2.0);

    let water_as = |name, units, of: &dyn Fn(f64) -> f64| {
        let values = table(LAYERS, |k, c| of(water(k, c)));
        fluxes(&replaced(clear(), "h2o", name, LAYER, units, &values), &[])
    };
    let mass = |x: f64| x / DRY_OVER_WATER;
    assert_near(&water_as("qv", "g kg-1", &|x| 1000.0 * mass(x)), &expected, 1e-14);
    assert_near(&water_as("h2o", "kg kg-1", &mass), &expected, 1e-14);
    assert_near(&water_as("specific_humidity", "1", &|x| mass(x) / (1.0 + mass(x))), &expected, 1e-13);
    assert_near(&water_as("mole_fraction_of_water_vapor_in_air", "1", &|x| x / (1.0 + x)), &expected, 1e-13);
}

#[test]
fn surfaces_have_bands_or_none() {
    let emissivity = |dimensions: &[&'static str], values: &[f64]| {
        fluxes(&replaced(clear(), "emissivity", "emis", dimensions, "%", values), &[])
    };
    let expected = emissivity(&[], &[90.0]);
    assert_near(&emissivity(COLUMN, &[90.0; COLUMNS]), &expected, 0.0);
    assert_near(&emissivity(&["band"], &[90.0; 16]), &expected, 0.0);
    assert_near(&emissivity(&["column", "band"], &[90.0; 16 * COLUMNS]), &expected, 0.0);
    let window = emissivity(&["band"], &std::array::from_fn::<f64, 16, _>(|band| if band == 5 { 80.0 } else { 90.0 }));
    assert!(window.column("longwave_upward_flux", 0)[0] < expected.column("longwave_upward_flux", 0)[0]);
    // Without any it is 1.
    let mut file = clear();
    file.variables.retain(|variable| variable.name != "emissivity");
    assert_near(&fluxes(&file, &[]), &emissivity(&[], &[100.0]), 0.0);
}

#[test]
fn what_is_missing_is_derived_and_said() {
    let mut file = clear();
    file.variables.retain(|variable| !["play", "tlev"].contains(&variable.name));
    let case = case(&file);
    let derived = solve(&case, &[]);
    let attribute = Dataset::open(&case.out()).unwrap().attribute("derived").unwrap();
    assert!(attribute.contains("pressure = mean") && attribute.contains("level_temperature: linear"), "{attribute}");
    // Layers are the means of their levels; temperatures of levels are near, but for the warm top.
    let expected = fluxes(&clear(), &[]);
    let (got, wanted) = (derived.column("longwave_downward_flux", 0), expected.column("longwave_downward_flux", 0));
    assert!((got[0] - wanted[0]).abs() < 1.0, "{got:?} {wanted:?}");
}

/// Two experiments at three sites.
fn rfmip() -> Classic {
    let sites = |rows: usize, value: &dyn Fn(usize, usize) -> f64| -> Vec<f64> {
        (0..COLUMNS * rows).map(|i| value(rows - 1 - i % rows, i / rows)).collect()
    };
    let twice = |values: Vec<f64>| [&values[..], &values[..]].concat();
    let layers = &["expt", "site", "layer"];
    Classic {
        dimensions: vec![("expt", 2), ("site", COLUMNS), ("layer", LAYERS), ("level", LAYERS + 1)],
        ..Classic::default()
    }
    .with("pres_layer", &["site", "layer"], "Pa", &sites(LAYERS, &pressure))
    .with("pres_level", &["site", "level"], "Pa", &sites(LAYERS + 1, &level_pressure))
    .with("temp_layer", layers, "K", &twice(sites(LAYERS, &|k, c| temperature(pressure(k, c), c))))
    .with(
        "temp_level",
        &["expt", "site", "level"],
        "K",
        &twice(sites(LAYERS + 1, &|k, c| temperature(level_pressure(k, c), c))),
    )
    .with("surface_temperature", &["expt", "site"], "K", &twice(vec![289.0, 293.0, 297.0]))
    .with("surface_emissivity", &["site"], "1", &[0.98, 0.96, 0.99])
    .with("water_vapor", layers, "1", &twice(sites(LAYERS, &water)))
    .with("ozone", layers, "1", &twice(sites(LAYERS, &|k, _| ozone(k))))
    .with("carbon_dioxide_GM", &["expt"], "1.e-6", &[400.0, 800.0])
    .with("methane_GM", &["expt"], "1.e-9", &[1800.0, 700.0])
    .with("nitrous_oxide_GM", &["expt"], "1.e-9", &[335.0, 335.0])
    .with("oxygen_GM", &["expt"], "1", &[0.209, 0.209])
}

#[test]
fn a_file_of_rfmip_gives_what_plain_files_give() {
    let case = case(&rfmip());
    let both = solve(&case, &[]);
    for (experiment, co2) in ["co2=400e-6", "co2=800e-6"].into_iter().enumerate() {
        let methane = [1800.0, 700.0][experiment];
        let plain = fluxes(&replaced(clear(), "ch4", "ch4", &[], "1e-9", &[methane]), &["--gas", co2]);
        for column in 0..COLUMNS {
            for name in ["longwave_upward_flux", "longwave_downward_flux_clear", "longwave_heating_rate"] {
                let (got, expected) = (both.column(name, experiment * COLUMNS + column), plain.column(name, column));
                for (got, expected) in got.iter().zip(&expected) {
                    assert!((got - expected).abs() < 1e-11, "{name} {experiment} {column}: {got} {expected}");
                }
            }
        }
    }
    let shape = Numbers::open(&case.out()).shape("longwave_heating_rate");
    assert_eq!(shape.iter().map(|(name, _)| &**name).collect::<Vec<_>>(), ["expt", "site", "layer"]);
    let file = Dataset::open(&case.out()).unwrap();
    assert_eq!(file.attribute("orientation").as_deref(), Some("top_first"));
    assert!(file.attribute("k_distribution").unwrap().starts_with("RRTMG_LW, 140 g-points"));
    assert!(file.attribute("inputs").unwrap().lines().count() == 2);
}

/// A made-up WRF file of a row of three columns, with clouds, and the same numbers as a plain file.
fn wrf() -> (Classic, Classic) {
    const GRAVITY: f64 = 9.81;
    let mass: &[&str] = &["Time", "bottom_top", "south_north", "west_east"];
    let staggered: &[&str] = &["Time", "bottom_top_stag", "south_north", "west_east"];
    let plane: &[&str] = &["Time", "south_north", "west_east"];
    let base = table(LAYERS, |k, _| 97_000.0 - 11_000.0 * k as f64);
    let perturbation = table(LAYERS, |k, c| 128.0 * c as f64 - 32.0 * k as f64);
    let p: Vec<f64> = base.iter().zip(&perturbation).map(|(a, b)| a + b).collect();
    let theta = table(LAYERS, |k, c| -8.0 + 5.0 * k as f64 + c as f64);
    let height = |k: usize| 450.0 * k as f64 * (1.0 + 0.1 * k as f64);
    let surface: Vec<f64> = (0..COLUMNS).map(|c| 101_000.0 + 128.0 * c as f64).collect();
    let vapour = table(LAYERS, |k, c| water(k, c) / DRY_OVER_WATER);
    let only = |layer: usize, value: f64| table(LAYERS, move |k, _| if k == layer { value } else { 0.0 });
    let fraction: Vec<f64> = only(1, 0.5).iter().zip(only(5, 0.25)).map(|(a, b)| a + b).collect();
    let (cloud, ice) = (only(1, 5e-5), only(5, 8e-6));
    let wrf = Classic {
        dimensions: vec![
            ("Time", 1),
            ("bottom_top", LAYERS),
            ("bottom_top_stag", LAYERS + 1),
            ("south_north", 1),
            ("west_east", COLUMNS),
        ],
        ..Classic::default()
    }
    .with("T", mass, "K", &theta)
    .with("P", mass, "Pa", &perturbation)
    .with("PB", mass, "Pa", &base)
    .with("PH", staggered, "m2 s-2", &vec![0.0; (LAYERS + 1) * COLUMNS])
    .with("PHB", staggered, "m2 s-2", &table(LAYERS + 1, |k, _| GRAVITY * height(k)))
    .with("PSFC", plane, "Pa", &surface)
    .with("TSK", plane, "K", &[289.0, 293.0, 297.0])
    .with("EMISS", plane, "1", &[0.98, 0.96, 0.99])
    .with("QVAPOR", mass, "kg kg-1", &vapour)
    .with("O3", mass, "ppmv", &table(LAYERS, |k, _| 1e6 * ozone(k)))
    .with("CLDFRA", mass, "1", &fraction)
    .with("QCLOUD", mass, "kg kg-1", &cloud)
    .with("QICE", mass, "kg kg-1", &ice)
    .with("RE_CLOUD", mass, "m", &[8e-6; LAYERS * COLUMNS])
    .with("RE_ICE", mass, "m", &[20e-6; LAYERS * COLUMNS]);

    // Pressures and temperatures of levels by the documented rules.
    let t: Vec<f64> = theta.iter().zip(&p).map(|(theta, p)| (theta + 300.0) * Real::powf(p / 1e5, 2.0 / 7.0)).collect();
    let middle = |k: usize| 0.5 * (height(k) + height(k + 1));
    let at = |values: &[f64], k: usize, c: usize| values[k * COLUMNS + c];
    let share = |k: usize| {
        let upper = k.clamp(1, LAYERS - 1);
        (upper, (height(k) - middle(upper - 1)) / (middle(upper) - middle(upper - 1)))
    };
    let linear = |values: &[f64], k: usize, c: usize| {
        let (upper, share) = share(k);
        share * at(values, upper, c) + (1.0 - share) * at(values, upper - 1, c)
    };
    let level_p = table(LAYERS + 1, |k, c| match k {
        0 => surface[c],
        LAYERS => {
            let ln: Vec<f64> = p.iter().map(|&p| Real::ln(p)).collect();
            Real::exp(linear(&ln, k, c))
        }
        _ => linear(&p, k, c),
    });
    let path = |ratio: &[f64]| {
        table(LAYERS, |k, c| {
            let mass = (at(&level_p, k, c) - at(&level_p, k + 1, c)) / 9.8066;
            1000.0 * at(ratio, k, c) * mass / at(&fraction, k, c).max(0.01)
        })
    };
    let plain = Classic {
        dimensions: vec![("column", COLUMNS), ("layer", LAYERS), ("level", LAYERS + 1)],
        ..Classic::default()
    }
    .with("p", LAYER, "Pa", &p)
    .with("plev", LEVEL, "Pa", &level_p)
    .with("t", LAYER, "K", &t)
    .with("tlev", LEVEL, "K", &table(LAYERS + 1, |k, c| linear(&t, k, c)))
    .with("tsfc", COLUMN, "K", &[289.0, 293.0, 297.0])
    .with("emis", COLUMN, "1", &[0.98, 0.96, 0.99])
    .with("qv", LAYER, "kg kg-1", &vapour)
    .with("o3", LAYER, "1", &table(LAYERS, |k, _| ozone(k)))
    .with("cldfrac", LAYER, "1", &fraction)
    .with("clwp", LAYER, "g m-2", &path(&cloud))
    .with("ciwp", LAYER, "g m-2", &path(&ice))
    .with("reliq", LAYER, "um", &[8.0; LAYERS * COLUMNS])
    // Fu's size is 1.0315 times the effective radius.
    .with("reice", LAYER, "um", &[1.0315 * 20.0; LAYERS * COLUMNS]);
    (wrf, plain)
}

#[test]
fn a_file_of_wrf_gives_what_the_plain_file_gives() {
    let (wrf, plain) = wrf();
    for options in [&[][..], &["--solver", "maximum-random"]] {
        let options = [&["--gas", "co2=400e-6", "--assume-zero"], options].concat();
        let expected = fluxes(&plain, &options);
        assert_near(&fluxes(&wrf, &options), &expected, 1e-12);
        // Clouds are seen.
        let ground = |name: &str| expected.column(name, 0)[0];
        assert!(ground("longwave_downward_flux") > ground("longwave_downward_flux_clear") + 1.0);
    }
    let case = case(&wrf);
    let expected = solve(&case, &["--gas", "co2=400e-6", "--assume-zero", "--no-clouds"]);
    assert_eq!(expected.column("longwave_upward_flux", 1), expected.column("longwave_upward_flux_clear", 1));
    assert!(Dataset::open(&case.out()).unwrap().has_dimension(isobar_io::netcdf::Dimension::WestEast));
    crate::common::longwave::refused(&wrf, &[], &["gases are missing: co2, n2o, ch4, o2;"]);
}

/// Optical depths given by band, and sub-columns of every overlap, which derive the layers' thickness where they need
/// it.
#[test]
fn clouds_come_by_water_or_optical_depth_and_overlap_in_five_ways() {
    let clear_sky = fluxes(&clear(), &[]);
    let by_water = fluxes(&cloudy(), &[]);
    let ground = |file: &FluxFile, name: &str| file.column(name, 0)[0];
    assert_eq!(ground(&by_water, "longwave_downward_flux_clear"), ground(&clear_sky, "longwave_downward_flux"));
    // A droplet's coefficient is the same in all bands with one coefficient.
    let water = 40.0 * 0.090_361_4;
    let only = |file: Classic, column: usize| {
        let mut file = file;
        for variable in &mut file.variables {
            if ["clwp", "ciwp", "cldfrac"].contains(&variable.name) {
                for (i, value) in variable.values.iter_mut().enumerate() {
                    *value *= f64::from(i % COLUMNS == column && i / COLUMNS == 1);
                }
            }
        }
        file
    };
    let by_water = fluxes(&only(cloudy(), 0), &["--liquid", "one", "--solver", "random"]);
    let mut depths = vec![0.0; LAYERS * 16 * COLUMNS];
    (0..16).for_each(|band| depths[(16 + band) * COLUMNS] = water);
    let file = only(cloudy(), 0).with("tauc", &["layer", "band", "column"], "1", &depths);
    assert_near(&fluxes(&file, &["--solver", "random"]), &by_water, 1e-13);

    let mut seen = Vec::new();
    for overlap in ["random", "maximum-random", "maximum", "exponential", "exponential-random"] {
        let fluxes = fluxes(&cloudy(), &["--overlap", overlap]);
        seen.push(ground(&fluxes, "longwave_downward_flux"));
        let other = crate::common::longwave::fluxes(&cloudy(), &["--overlap", overlap, "--seed", "7"]);
        assert!(ground(&fluxes, "longwave_downward_flux") != ground(&other, "longwave_downward_flux"), "{overlap}");
    }
    assert!(seen.iter().all(|flux| *flux > ground(&clear_sky, "longwave_downward_flux")), "{seen:?}");
}

#[test]
fn a_layer_on_top_radiates_downwards() {
    let (without, with) = (fluxes(&cloudy(), &[]), fluxes(&cloudy(), &["--top-layer", "--bands", "--derivative"]));
    assert_eq!(without.column("longwave_downward_flux", 0)[LAYERS], 0.0);
    assert!(with.column("longwave_downward_flux", 0)[LAYERS] > 1.0);
    assert_eq!(with.column("longwave_heating_rate", 0).len(), LAYERS);
    assert_eq!(with.bands("longwave_upward_flux_by_band", 1).len(), LAYERS + 1);
}

#[test]
fn aerosol_warms_the_ground() {
    let depths = vec![0.05; LAYERS * 16 * COLUMNS];
    let hazy = fluxes(&clear().with("aerosol_absorption_longwave", &["layer", "band", "column"], "1", &depths), &[]);
    let expected = fluxes(&clear(), &[]);
    assert!(hazy.column("longwave_downward_flux", 2)[0] > expected.column("longwave_downward_flux", 2)[0] + 5.0);
    // The short wave's is not taken for it without a word.
    let other = clear().with("aerosol_optical_depth", &["layer", "band", "column"], "1", &depths);
    let case = case(&other);
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_isobar"))
        .args(["longwave", "in.nc", "-o", "out.nc", "--device", "cpu", "--kdist", &kdist()])
        .current_dir(case.folder.path())
        .output()
        .unwrap();
    let text = format!("{}{}", printed(&output), said(&output));
    assert!(text.contains("aerosol_optical_depth is the short wave's and not read"), "{text}");
}

#[test]
fn single_precision_and_more_angles_are_near() {
    let expected = fluxes(&cloudy(), &["--solver", "maximum-random"]);
    assert_near(&fluxes(&cloudy(), &["--solver", "maximum-random", "--precision", "f32"]), &expected, 5e-5);
    let angles = fluxes(&cloudy(), &["--solver", "maximum-random", "--angles", "3"]);
    assert_near(&angles, &expected, 0.06);
    assert!(angles.column("longwave_upward_flux", 0) != expected.column("longwave_upward_flux", 0));
}

/// Random numbers begin with pressures, which f32 rounds: sub-columns are others, and that is said.
#[test]
fn single_precision_draws_other_sub_columns() {
    let case = case(&cloudy());
    let said_with = |more: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_isobar"))
            .args(["longwave", "in.nc", "-o", "out.nc", "--device", "cpu", "--kdist", &kdist()])
            .args(more)
            .current_dir(case.folder.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{more:?}: {}", said(&output));
        said(&output)
    };
    let text = "isobar: note: --precision f32: RRTMG_LW's sub-columns of clouds are drawn by pressures in f32";
    assert_eq!(said_with(&["--precision", "f32"]).matches(text).count(), 1);
    for more in [&[][..], &["--precision", "f32", "--solver", "maximum-random"], &["--precision", "f32", "--no-clouds"]]
    {
        assert!(!said_with(more).contains(text), "{more:?}");
    }
}

#[test]
fn differences_are_printed_with_their_place() {
    let case = case(&clear());
    solve(&case, &[]);
    let other = case.folder.path().join("other.nc");
    fs::rename(case.out(), &other).unwrap();
    let compare = |more: &[&str]| {
        let output = case.command(&[&["--kdist", &kdist(), "--clear-sky", "--compare", "other.nc"], more].concat());
        assert!(output.status.success(), "{}", said(&output));
        printed(&output)
    };
    let same = compare(&[]);
    assert_eq!(same.lines().count(), 7, "{same}");
    assert!(same.lines().skip(1).all(|line| line.contains("0.000e0") && line.ends_with("nowhere")), "{same}");
    let doubled = compare(&["--gas", "co2=800e-6"]);
    let line = doubled.lines().find(|line| line.starts_with("longwave_upward_flux [W m-2]")).unwrap();
    assert!(line.contains(&format!("level {LAYERS} from the surface, column ")) && line.contains(" -"), "{doubled}");
    // Another shape.
    fs::write(case.folder.path().join("in.nc"), rfmip().bytes()).unwrap();
    let output = case.command(&["--kdist", &kdist(), "--clear-sky", "--compare", "other.nc"]);
    assert!(
        !output.status.success()
            && said(&output).contains("longwave_upward_flux has 9 x 3 values instead of 9 x 2 x 3")
    );
}

#[test]
fn plots_are_svg() {
    let case = case(&cloudy());
    solve(&case, &["--plot", "plot.svg"]);
    let svg = fs::read_to_string(case.folder.path().join("plot.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert_eq!(svg.matches('<').count(), svg.matches('>').count());
    for word in ["Long-wave fluxes", "heating rate [K day⁻¹]", "height [km]"] {
        assert!(svg.contains(word), "{word}");
    }
}
