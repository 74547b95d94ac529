//! `isobar longwave` and `isobar shortwave`: one spectrum, with the k-distribution that is named, or ecCKD's.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::classic::{Case, Classic};
use crate::common::radiation_file::{Numbers, difference};
use crate::common::{data, said};
use isobar_core::Real;
use isobar_io::{KDistributionAttributes, write_k_distribution};
use isobar_optics::{Ecckd, EcckdDependence, EcckdGas, EcckdPlanck};

/// Runs a command, whose data are those of a folder.
fn run(command: &str, columns: &Path, out: &Path, data: &Path, more: &[&str]) -> Output {
    let mut isobar = Command::new(env!("CARGO_BIN_EXE_isobar"));
    isobar.arg(command).arg(columns).arg("-o").arg(out).args(["--device", "cpu"]).args(more);
    let nowhere = out.parent().unwrap();
    isobar.env("ISOBAR_DATA", data).env("XDG_DATA_HOME", nowhere).env("HOME", nowhere).current_dir(nowhere);
    isobar.output().unwrap()
}

/// Its output, with the data of the repository.
fn solve(command: &str, columns: &Path, more: &[&str]) -> Numbers {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.nc");
    let output = run(command, columns, &out, &data(), more);
    assert!(output.status.success(), "{command} {more:?}: {}", said(&output));
    Numbers::open(&out)
}

#[test]
fn without_a_k_distribution_it_is_eccks() {
    let day = data().join("radiation/columns.nc");
    let both = solve("radiation", &day, &[]);
    for (command, there, lacking) in [("longwave", "longwave", "shortwave"), ("shortwave", "shortwave", "longwave")] {
        let one = solve(command, &day, &[]);
        for way in ["upward_flux", "downward_flux", "heating_rate"] {
            let name = format!("{there}_{way}");
            assert!(one.all(&name) == both.all(&name), "{name}");
        }
        assert!(!one.has(&format!("{lacking}_upward_flux")));
        let of = |name: &str| one.attribute(&format!("{there}_{name}ward_flux"), "reference_name");
        let names = if command == "longwave" { ["rlu", "rld"] } else { ["rsu", "rsd"] };
        assert_eq!([of("up"), of("down")], names.map(|name| Some(name.to_owned())));
    }
}

/// What leaves the top in the long wave is what leaves an Earth; twice the carbon dioxide keeps some watts of it;
/// warmer ground radiates more, and less of that arrives above.
#[test]
fn the_outgoing_radiation_is_that_of_an_earth() {
    const COLUMNS: usize = 8;
    let day = data().join("radiation/columns.nc");
    let now = solve("longwave", &day, &["--derivative"]);
    let doubled = solve("longwave", &day, &["--gas", "co2=840e-6"]);
    let [outgoing, less] = [&now, &doubled].map(|file| file.all("longwave_upward_flux"));
    let top = outgoing.len() - COLUMNS;
    let (derivative, cooling) = (now.all("longwave_upward_flux_derivative"), now.all("longwave_heating_rate"));
    for column in 0..COLUMNS {
        let [flux, less] = [&outgoing, &less].map(|values| values[top + column]);
        assert!((240.0..300.0).contains(&flux) && (2.0..5.0).contains(&(flux - less)), "{flux} {less}");
        let derivative: Vec<f64> = derivative.iter().skip(column).step_by(COLUMNS).copied().collect();
        // 4 sigma T^3 at most.
        assert!(derivative[0] > 4.0 && derivative[0] < 6.5, "{derivative:?}");
        assert!(derivative.windows(2).all(|pair| pair[1] < pair[0]), "{derivative:?}");
        // The troposphere cools by a degree or two a day.
        let cooling: Vec<f64> = cooling.iter().skip(column).step_by(COLUMNS).copied().collect();
        assert!(cooling[6..18].iter().all(|rate| (-4.0..0.0).contains(rate)), "{cooling:?}");
    }
}

/// RRTMG_LW's coefficients are taken where they are named, and not because they lie about.
#[test]
fn rrtmg_is_taken_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.nc");
    let files = tempfile::tempdir().unwrap();
    fs::write(files.path().join("RRTMG_LW_DATA"), b"nothing").unwrap();
    let day = data().join("radiation/columns.nc");
    for name in ["ecckd-longwave-32.nc", "ecckd-longwave-32-clouds.nc"] {
        fs::copy(data().join("radiation").join(name), files.path().join(name)).unwrap();
    }
    let output = run("longwave", &day, &out, files.path(), &[]);
    assert!(output.status.success() && said(&output).contains("sum of gases (ecCKD)"), "{}", said(&output));
    let output = run("longwave", &day, &out, files.path(), &["--kdist", "RRTMG_LW_DATA"]);
    let text = said(&output);
    assert!(!output.status.success() && text.contains("no coefficient file of RRTMG_LW"), "{text}");
    assert!(text.contains(files.path().to_str().unwrap()), "{text}");
    // A name with a folder is that file, and no other.
    let output = run("longwave", &day, &out, files.path(), &["--kdist", "./RRTMG_LW_DATA"]);
    assert!(!output.status.success() && said(&output).contains("./RRTMG_LW_DATA: "), "{}", said(&output));
}

#[test]
fn options_without_use_are_named_with_the_reason() {
    let case = Case::of("longwave", &fs::read(data().join("radiation/columns.nc")).unwrap());
    let longwave = data().join("radiation/ecckd-longwave-32.nc").to_str().unwrap().to_owned();
    let shortwave = longwave.replace("longwave", "shortwave");
    fs::write(case.folder.path().join("rrtmg"), b"nothing").unwrap();
    let check = |command: &str, options: &[&str], parts: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_isobar"))
            .args([command, "in.nc", "-o", "out.nc", "--quiet", "--device", "cpu"])
            .args(options)
            .current_dir(case.folder.path())
            .output()
            .unwrap();
        let text = said(&output);
        assert_eq!(output.status.code(), Some(2), "{options:?}: {text}");
        assert!(!case.out().exists());
        for part in parts {
            assert!(text.contains(part), "{options:?}: {part:?} is not in {text}");
        }
    };
    for (options, reason) in [
        (&["--rrtmg-exact"][..], "it is for RRTMG_LW's"),
        (&["--ice", "fu"], "tables of --clouds"),
        (&["--liquid", "one"], "tables of --clouds"),
    ] {
        let named = [&["--kdist", &longwave], options].concat();
        check(
            "longwave",
            &named,
            &[options[0], "is of no use with the k-distribution", "ecckd-longwave-32.nc: ", reason],
        );
    }
    for (options, reason) in [
        (&["--clouds", "clouds.nc"][..], "--ice and --liquid"),
        (&["--roughness", "rough"], "RRTMG_LW's optics of ice are --ice"),
        (&["--longwave-scattering", "rescaled"], "RRTMG_LW's clouds only absorb"),
        (&["--solver", "tripleclouds"], "it is for all others"),
    ] {
        let named = [&["--kdist", "rrtmg"], options].concat();
        check("longwave", &named, &[options[0], "of no use with the k-distribution rrtmg: ", reason]);
    }
    check("longwave", &["--kdist", &longwave, "--solver", "random"], &["--solver random: it is for RRTMG_LW's"]);
    check("longwave", &["--kdist", &shortwave], &["is of the short wave: isobar shortwave computes it"]);
    check("shortwave", &["--kdist", &longwave], &["is of the long wave: isobar longwave computes it"]);
    check("shortwave", &["--angles", "2"], &["--angles"]);
    check("radiation", &["--kdist", &shortwave, "--angles", "2"], &["--angles: no long wave is computed"]);
    check("radiation", &["--kdist", &shortwave, "--derivative"], &["--derivative: no long wave is computed"]);
}

const LEVEL: &[&str] = &["level", "column"];
const LAYER: &[&str] = &["layer", "column"];
const COLUMN: &[&str] = &["column"];

/// Two columns of three layers, the surface first, without a surface and a sun.
fn air() -> Classic {
    let twice = |values: &[f64]| values.iter().flat_map(|&value| [value, 0.99 * value]).collect::<Vec<_>>();
    Classic { dimensions: vec![("column", 2), ("layer", 3), ("level", 4)], ..Classic::default() }
        .with("plev", LEVEL, "Pa", &twice(&[1e5, 7e4, 3e4, 1e3]))
        .with("play", LAYER, "Pa", &twice(&[8.5e4, 5e4, 1e4]))
        .with("tlay", LAYER, "K", &twice(&[285.0, 265.0, 220.0]))
        .with("h2o", LAYER, "mol mol-1", &twice(&[0.01, 0.003, 4e-6]))
        .with("o3", LAYER, "mol mol-1", &twice(&[3e-8, 4e-8, 4e-6]))
        .with("co2", &[], "1e-6", &[420.0])
        .with("ch4", &[], "1e-9", &[1900.0])
        .with("n2o", &[], "1e-9", &[335.0])
}

/// Short-wave fluxes, upward and downward, of a file.
fn shortwave(file: &Classic) -> [Vec<f64>; 2] {
    let case = Case::of("shortwave", &file.bytes());
    let out = solve("shortwave", &case.folder.path().join("in.nc"), &[]);
    ["shortwave_upward_flux", "shortwave_downward_flux"].map(|name| out.all(name))
}

/// Every way to give the sun and the surface; each has to count.
#[test]
fn sun_and_surface_in_every_way() {
    let sun = |file: Classic| file.with("cosine_zenith", COLUMN, "1", &[0.5, 0.25]);
    let grey = |file: Classic| file.with("surface_albedo_direct", COLUMN, "1", &[0.1, 0.3]);
    let plain = shortwave(&grey(sun(air())));
    // The angle; a right one is no sun at all.
    let angles = |second: f64| {
        let file = air().with("solar_zenith_angle", COLUMN, "degree", &[60.0, second]);
        shortwave(&grey(file))
    };
    let found = angles(Real::acos(0.25_f64).to_degrees());
    assert!(difference(&found[0], &plain[0]) < 1e-9 && difference(&found[1], &plain[1]) < 1e-9);
    let night = angles(90.0);
    assert!(night[1].iter().skip(1).step_by(2).all(|&flux| flux == 0.0));
    // Twice the sun is twice the flux, to the last bit.
    let with_sun = |value: f64| shortwave(&grey(sun(air())).with("total_solar_irradiance", &[], "W m-2", &[value]));
    let (once, twice) = (with_sun(1361.0), with_sun(2722.0));
    assert!(once[0].iter().zip(&twice[0]).all(|(once, twice)| 2.0 * once == *twice));
    // 1361 W/m^2 at the top, at the cosine.
    assert!((once[1][6] - 0.5 * 1361.0).abs() < 1e-9);
    // Two albedos of the same value are one; another for diffuse light is another.
    let diffuse = |values: &[f64]| shortwave(&grey(sun(air())).with("surface_albedo_diffuse", COLUMN, "1", values));
    assert_eq!(diffuse(&[0.1, 0.3]), plain);
    assert!(difference(&diffuse(&[0.9, 0.3])[0], &plain[0]) > 5.0);
    // By g-point, in either name of the dimension; g-points that reflect all of it count.
    for dimension in ["band", "shortwave_band"] {
        let spectral = |changed: f64| {
            let mut file = sun(air());
            file.dimensions.push((dimension, 32));
            let mut values: Vec<f64> = (0..32).flat_map(|_| [0.1, 0.3]).collect();
            values.iter_mut().step_by(4).for_each(|value| *value = changed);
            let values = values.as_slice();
            let both: &[&str] = if dimension == "band" { &["band", "column"] } else { &["shortwave_band", "column"] };
            shortwave(&file.with("surface_albedo_direct", both, "1", values).with(
                "surface_albedo_diffuse",
                both,
                "1",
                values,
            ))
        };
        assert_eq!(spectral(0.1), plain, "{dimension}");
        assert!(difference(&spectral(1.0)[0], &plain[0]) > 1.0, "{dimension}");
    }
    // Mistakes.
    let kdist = data().join("radiation/ecckd-shortwave-32.nc");
    let options = ["--kdist", kdist.to_str().unwrap()];
    let refused = |file: Classic, parts: &[&str]| Case::of("shortwave", &file.bytes()).refused(&options, parts);
    refused(grey(air()), &["cosine_zenith", "is missing", "solar_zenith_angle"]);
    refused(sun(air()), &["surface_albedo_direct", "is missing"]);
    refused(
        grey(sun(air())).with("total_solar_irradiance", &[], "W m-2", &[-1.0]),
        &["total_solar_irradiance = -1", "outside [0, 10000]"],
    );
    refused(
        grey(sun(air())).with("surface_albedo_diffuse", COLUMN, "1", &[0.5, 1.5]),
        &["surface_albedo_diffuse = 1.5 at column 1", "outside [0, 1]"],
    );
}

/// Isobar's layout of a k-distribution of the long wave with one gas that always is there, of one absorption
/// \[m^2/mol\]: air is grey, and black bodies radiate all that they do.
fn grey(path: &Path, absorption: f64) {
    let temperature_k: Vec<f64> = (0..251).map(|node| 150.0 + f64::from(node)).collect();
    let irradiance = temperature_k.iter().map(|kelvin| STEFAN_BOLTZMANN * kelvin * kelvin * kelvin * kelvin).collect();
    let model = Ecckd {
        points: 1,
        pressure_pa: vec![1.0, 1e3, 1e6],
        temperature_k: vec![150.0, 150.0, 150.0, 350.0, 350.0, 350.0],
        gases: vec![EcckdGas {
            name: "composite".to_owned(),
            dependence: EcckdDependence::None,
            absorption: vec![absorption; 6],
        }],
        bands: vec![[1.0, 3000.0]],
        band_of_point: vec![0],
        planck: Some(EcckdPlanck { temperature_k, irradiance }),
        ..Ecckd::default()
    };
    write_k_distribution(path, &model, &KDistributionAttributes::default()).unwrap();
}

/// CODATA's, with as many digits as the reader compares totals with.
const STEFAN_BOLTZMANN: f64 = 5.670_374_419e-8;

/// Air without water vapour is enough for a k-distribution that does not know it. In an enclosure of one temperature a
/// layer of depth tau emits `sigma T^4 (1 - exp(-1.66 tau))`, which is what comes down at each level from all above it,
/// and a ground of any emissivity and air above it send up what a closed form says.
#[test]
fn grey_air_is_a_closed_form() {
    const KELVIN: f64 = 287.0;
    let folder = tempfile::tempdir().unwrap();
    let kdist = folder.path().join("grey.nc");
    let levels = [1e5, 8.7e4, 6.1e4, 3.3e4, 1.2e4, 40.0, 0.0];
    let count = levels.len();
    let air = |emissivity: f64| {
        let middle: Vec<f64> = levels.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
        Classic { dimensions: vec![("column", 1), ("layer", count - 1), ("level", count)], ..Classic::default() }
            .with("plev", LEVEL, "Pa", &levels)
            .with("play", LAYER, "Pa", &middle)
            .with("tlay", LAYER, "K", &vec![KELVIN; count - 1])
            .with("tlev", LEVEL, "K", &vec![KELVIN; count])
            .with("tsfc", COLUMN, "K", &[KELVIN])
            .with("emis", COLUMN, "1", &[emissivity])
    };
    // ecCKD's gravity and mass of air: moles in a unit of pressure.
    let moles = 1.0 / (9.80665 * 0.001 * 28.970);
    for absorption in [1e-9, 1e-6, 5.6e-6, 1e-2] {
        grey(&kdist, absorption);
        for emissivity in [1.0, 0.6, 0.0] {
            let case = Case::of("longwave", &air(emissivity).bytes());
            case.solve(&["--kdist", kdist.to_str().unwrap()]);
            let out = Numbers::open(&case.out());
            let [up, down] = ["upward", "downward"].map(|way| out.all(&format!("longwave_{way}_flux")));
            let black = STEFAN_BOLTZMANN * KELVIN * KELVIN * KELVIN * KELVIN;
            let emitted = |pressure: f64| -black * Real::exp_m1(-1.66 * absorption * moles * pressure);
            let reflected = emissivity * black + (1.0 - emissivity) * emitted(levels[0]);
            for (level, &pressure) in levels.iter().enumerate() {
                let below = levels[0] - pressure;
                let expected = reflected * Real::exp(-1.66 * absorption * moles * below) + emitted(below);
                // Some hundred roundings of 385 W/m^2.
                for (found, expected) in [(up[level], expected), (down[level], emitted(pressure))] {
                    let place = format!("{absorption} {emissivity} {level}");
                    assert!((found - expected).abs() < 1e-11, "{place}: {found} {expected}");
                }
            }
            let heating = out.all("longwave_heating_rate");
            for layer in 0..count - 1 {
                let net = |level: usize| up[level] - down[level];
                let mass = (levels[layer] - levels[layer + 1]) / 9.80665;
                let expected = 86400.0 * (net(layer) - net(layer + 1)) / (1004.64 * mass);
                // The same division of fluxes rounded in other places: 1e-13 W/m^2 in the thinnest layer.
                assert!((heating[layer] - expected).abs() < 1e-11 * (1e5 / mass).max(1.0), "{layer}: {heating:?}");
            }
        }
    }
    // What the air lacks for others is said as ever.
    let [ecckd] = ["ecckd-longwave-32.nc"].map(|name| data().join("radiation").join(name));
    let parts = ["gases are missing: h2o, co2"];
    Case::of("longwave", &air(1.0).bytes()).refused(&["--kdist", ecckd.to_str().unwrap()], &parts);
}

/// Columns know nothing of each other: in another order they are the same, to the last bit, and so are two of them
/// alone; clouds' random numbers are a column's own.
#[test]
fn columns_are_independent_of_their_order() {
    const COLUMNS: usize = 2;
    let cloudy = |order: &[usize]| {
        let pick = |values: &[f64]| -> Vec<f64> {
            values.chunks(COLUMNS).flat_map(|row| order.iter().map(|&column| row[column])).collect()
        };
        let clouds = air()
            .with("cosine_zenith", COLUMN, "1", &[0.5, 0.25])
            .with("surface_albedo", COLUMN, "1", &[0.1, 0.3])
            .with("surface_temperature", COLUMN, "K", &[288.0, 291.0])
            .with("emissivity", COLUMN, "1", &[0.95, 0.99])
            .with("tlev", LEVEL, "K", &[290.0, 292.0, 275.0, 276.0, 243.0, 244.0, 210.0, 212.0])
            .with("o2", &[], "1", &[0.209])
            .with("cloud_fraction", LAYER, "1", &[0.3, 0.6, 0.5, 0.2, 0.0, 0.0])
            .with("liquid_water_path", LAYER, "g m-2", &[20.0, 40.0, 30.0, 10.0, 0.0, 0.0])
            .with("liquid_radius", LAYER, "um", &[10.0; 6]);
        let mut file = clouds;
        for variable in file.variables.iter_mut().filter(|variable| variable.dimensions.contains(&"column")) {
            variable.values = pick(&variable.values);
        }
        file.dimensions[0].1 = order.len();
        file
    };
    let fluxes = |order: &[usize]| {
        let case = Case::of("radiation", &cloudy(order).bytes());
        let out = solve("radiation", &case.folder.path().join("in.nc"), &[]);
        let names = ["longwave_upward_flux", "shortwave_downward_flux", "longwave_heating_rate"];
        names.map(|name| out.all(name))
    };
    let plain = fluxes(&[0, 1]);
    for order in [&[1, 0][..], &[1], &[0, 1, 1, 0, 1]] {
        for (found, plain) in fluxes(order).iter().zip(&plain) {
            let expected: Vec<f64> =
                plain.chunks(COLUMNS).flat_map(|row| order.iter().map(|&column| row[column])).collect();
            assert_eq!(*found, expected, "{order:?}");
        }
    }
}

/// ecCKD's models were trained for columns with amounts of three gases: others are extrapolated, with a word and a
/// count.
#[test]
fn gases_beyond_what_ecckd_was_trained_for_are_said() {
    let case = Case::of("longwave", &fs::read(data().join("radiation/columns.nc")).unwrap());
    let longwave = data().join("radiation/ecckd-longwave-32.nc");
    let words = |gas: &str| {
        let output = case.command(&["--kdist", longwave.to_str().unwrap(), "--gas", gas]);
        assert!(output.status.success());
        said(&output)
    };
    for inside in ["ch4=350e-9", "ch4=3500e-9", "n2o=190e-9", "n2o=540e-9", "co2=180e-6", "co2=2240e-6"] {
        assert_eq!(words(inside), "", "{inside}");
    }
    for (outside, text) in [
        (
            "ch4=0",
            "ch4 is 0 mol/mol at the ground of column 0, and so outside of [0.00000035, 0.0000035] in 8 of 8 columns",
        ),
        ("ch4=3.6e-6", "ch4 is 0.0000036 mol/mol at the ground of column 0"),
        ("n2o=1e-7", "n2o is 0.0000001 mol/mol"),
        ("n2o=6e-7", "outside of [0.00000019, 0.00000054] in 8 of 8"),
        ("co2=1e-4", "co2 is 0.0001 mol/mol"),
        ("co2=3e-3", "outside of [0.00018, 0.00224] in 8 of 8"),
    ] {
        let words = words(outside);
        assert!(words.starts_with("isobar: warning: ") && words.contains(text), "{words}");
        assert!(words.lines().count() == 1 && words.contains("was trained for"), "{words}");
    }
}
