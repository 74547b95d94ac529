//! GEOS-Chem's restart files as cells of `isobar chem`, and inputs that `--set` gives.

use std::fs;
use std::process::{Command, Output};

use isobar_core::Real;
use isobar_io::netcdf::{Accepted, Axis, Dataset, Dimension, VariableSpec};
use tempfile::TempDir;

use crate::common::classic::Classic;
use crate::common::said;

const GRID: &[&str] = &["time", "lev", "lat", "lon"];
/// A goes at a rate that reads temperature and sunlight; B is held.
const MECHANISM: &str = "#DEFVAR A; C; #DEFFIX B; #INITVALUES CFACTOR = 1.0E19; C = 1.0E-9; B = 2.0E-9;
#EQUATIONS A = C : 1.0E-4*SUN*EXP(-300.0/TEMP); C + B = A : 1.0E-37*PRESS*NUMDEN;";
const BOLTZMANN: f64 = 1.380_649e-23;

/// Two levels, one latitude, three longitudes: as GEOS-Chem 12 to 14 write them.
fn restart() -> Classic {
    let dimensions = vec![("time", 1), ("lev", 2), ("ilev", 3), ("lat", 1), ("lon", 3)];
    Classic { dimensions, ..Classic::default() }
        .with("time", &["time"], "hours since 2019-07-01 00:00:00", &[0.0])
        .with("lev", &["lev"], "level", &[0.99, 0.5])
        .with("hyam", &["lev"], "hPa", &[0.0, 100.0])
        .with("hybm", &["lev"], "1", &[0.99, 0.4])
        .with("lat", &["lat"], "degrees_north", &[-45.0])
        .with("lon", &["lon"], "degrees_east", &[0.0, 120.0, 240.0])
        .with("SpeciesRst_A", GRID, "mol mol-1 dry", &[1e-9, 2e-9, 3e-9, 4e-9, 5e-9, 6e-9])
        .with("SpeciesRst_Other", GRID, "mol mol-1 dry", &[0.0; 6])
        .with("Met_PS1WET", &["time", "lat", "lon"], "hPa", &[1000.0, 990.0, 980.0])
        .with("Met_SPHU1", GRID, "g kg-1", &[10.0, 8.0, 6.0, 0.0, 1.0, 2.0])
        .with("Met_TMPU1", GRID, "K", &[290.0, 285.0, 280.0, 250.0, 249.0, 248.0])
        .with("Chem_KPPHvalue", GRID, "1", &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
}

struct Case(TempDir);

impl Case {
    fn new(files: &[(&str, &Classic)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("m.kpp"), MECHANISM).unwrap();
        files.iter().for_each(|(name, file)| fs::write(folder.path().join(name), file.bytes()).unwrap());
        Self(folder)
    }

    fn run(&self, more: &[&str]) -> Output {
        let usual = ["chem", "--mechanism", "m.kpp", "-o", "out.nc", "--device", "cpu", "--hours", "1", "--dt", "3600"];
        let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
        command.args(usual).args(["--rtol", "1e-8"]).args(more).current_dir(self.0.path()).output().expect("it starts")
    }

    fn read(&self, name: &str, unit: &str) -> Vec<f64> {
        let axes = [Axis::optional(Dimension::Time), Axis::optional(Dimension::Cell)];
        let spec =
            VariableSpec { name, aliases: &[], standard_names: &[], unit, axes: &axes, accepted: Accepted::FINITE };
        Dataset::open(&self.0.path().join("out.nc")).unwrap().read(&spec).unwrap().values
    }
}

fn close(got: &[f64], want: &[f64], tolerance: f64) {
    assert_eq!(got.len(), want.len());
    for (got, want) in got.iter().zip(want) {
        assert!((got - want).abs() <= tolerance * want.abs(), "{got} instead of {want}");
    }
}

/// What a restart file says, as numbers of this test.
fn by_hand() -> [Vec<f64>; 3] {
    let temperature = vec![290.0, 285.0, 280.0, 250.0, 249.0, 248.0];
    let surface = [1000.0, 990.0, 980.0];
    let pressure: Vec<f64> =
        (0..6).map(|i| [0.99 * surface[i % 3], 100.0 + 0.4 * surface[i % 3]][i / 3] * 100.0).collect();
    let humidity = [10e-3, 8e-3, 6e-3, 0.0, 1e-3, 2e-3];
    let dry = (0..6).map(|i: usize| {
        let (dry, water): (f64, f64) = ((1.0 - humidity[i]) / 28.9644, humidity[i] / 18.016);
        1e-6 * pressure[i] / (BOLTZMANN * temperature[i]) * dry / (dry + water)
    });
    [dry.collect(), temperature, pressure]
}

#[test]
fn restart_files_are_cells() {
    let case = Case::new(&[("restart.nc", &restart())]);
    let output = case.run(&["--cells", "restart.nc", "--set", "SUN=0.5"]);
    let text = said(&output);
    assert!(output.status.success(), "{text}");
    for part in [
        "6 cells of a GEOS-Chem restart file: 2 lev x 1 lat x 3 lon",
        "pressure is hyam + hybm Met_PS1WET",
        "dry air from pressure, temperature and specific humidity",
        "SUN = 0.5 in all cells, as --set has it",
        "2 of 3 species start from the mechanism's initial values",
        "restart.nc: nothing needs SpeciesRst_Other",
    ] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    let [dry, temperature, pressure] = by_hand();
    close(&case.read("number_density", "molecule cm-3"), &dry, 1e-14);
    close(&case.read("air_pressure", "Pa"), &pressure, 1e-15);
    close(&case.read("longitude", "degrees"), &[0.0, 120.0, 240.0, 0.0, 120.0, 240.0], 0.0);
    let a = case.read("A", "mol mol-1");
    let start = [1e-9, 2e-9, 3e-9, 4e-9, 5e-9, 6e-9];
    close(&a[..6], &start, 1e-15);
    // What the mechanism has of C is a mixing ratio, too.
    let c = case.read("C", "molecule cm-3");
    let initial: Vec<f64> = dry.iter().map(|dry| 1e-9 * dry).collect();
    close(&c[..6], &initial, 1e-14);
    // dA/dt = -a A + b C, A + C = S: A goes to b S/(a + b).
    let end: Vec<f64> = (0..6)
        .map(|i| {
            let a = 1e-4 * 0.5 * Real::exp(-300.0 / temperature[i]);
            let b = 1e-37 * (pressure[i] / 100.0) * dry[i] * (2e-9 * dry[i]);
            let (sum, rest) = (start[i] + 1e-9, b / (a + b) * (start[i] + 1e-9));
            assert!(sum > rest);
            rest + (start[i] - rest) * Real::exp(-(a + b) * 3600.0)
        })
        .collect();
    close(&a[6..], &end, 1e-7);
}

/// A further file with levels, latitudes or both the other way has the same cells.
#[test]
fn further_files_may_run_the_other_way() {
    let dimensions = vec![("time", 1), ("lev", 2), ("lat", 2), ("lon", 1)];
    let rst = |time: &'static str| {
        Classic { dimensions: dimensions.clone(), ..Classic::default() }
            .with("time", &["time"], time, &[0.0])
            .with("lev", &["lev"], "level", &[0.99, 0.5])
            .with("lat", &["lat"], "degrees_north", &[-10.0, 10.0])
            .with("SpeciesRst_A", GRID, "mol mol-1 dry", &[1e-9, 2e-9, 3e-9, 4e-9])
    };
    let met = |lev: [f64; 2], lat: [f64; 2], time: &'static str| {
        // By level and latitude 290, 280, 240 and 230 K, wherever these stand.
        let at = |i: usize| (if lev[i / 2] > 0.9 { 290.0 } else { 240.0 }) - if lat[i % 2] > 0.0 { 10.0 } else { 0.0 };
        let temperature: Vec<f64> = (0..4).map(at).collect();
        let pressure = lev.map(|lev| 1000.0 * lev);
        Classic { dimensions: dimensions.clone(), ..Classic::default() }
            .with("time", &["time"], time, &[0.0])
            .with("lev", &["lev"], "level", &lev)
            .with("lat", &["lat"], "degrees_north", &lat)
            .with("Met_T", GRID, "K", &temperature)
            .with("Met_PMID", &["lev"], "hPa", &pressure)
    };
    const ONE: &str = "hours since 2019-07-01 00:00:00";
    let run = |met: &Classic| {
        let case = Case::new(&[("restart.nc", &rst(ONE)), ("met.nc", met)]);
        let output = case.run(&["--cells", "restart.nc", "met.nc", "--set", "SUN=0.5"]);
        (case, output.status.success(), said(&output))
    };
    for (lev, lat) in [
        ([0.99, 0.5], [-10.0, 10.0]),
        ([0.5, 0.99], [-10.0, 10.0]),
        ([0.99, 0.5], [10.0, -10.0]),
        ([0.5, 0.99], [10.0, -10.0]),
    ] {
        let (case, good, text) = run(&met(lev, lat, ONE));
        assert!(good, "{text}");
        close(&case.read("air_temperature", "K"), &[290.0, 280.0, 240.0, 230.0], 0.0);
        close(&case.read("air_pressure", "Pa"), &[99_000.0, 99_000.0, 50_000.0, 50_000.0], 1e-15);
        for (name, turned) in [("lev", lev[0] < lev[1]), ("lat", lat[0] > lat[1])] {
            let words = format!("{name} of met.nc runs the other way than that of restart.nc: what it has is turned");
            assert_eq!(text.contains(&words), turned, "{text}");
        }
        assert!(!text.contains("is of 2019"), "{text}");
    }
    let (_, good, text) = run(&met([0.99, 0.4], [-10.0, 10.0], ONE));
    let words = "met.nc: lev[1] is 0.4, that of restart.nc is 0.5: these are not the same cells";
    assert!(!good && text.contains(words), "{text}");
    let (_, good, text) = run(&met([0.99, 0.5], [-10.0, 10.0], "minutes since 2019-07-02 06:30:00"));
    assert!(good && text.contains("met.nc is of 2019-07-02T06:30"), "{text}");
}

#[test]
fn further_files_have_what_a_restart_file_lacks() {
    let mut bare = restart();
    bare.variables.retain(|variable| !variable.name.starts_with("Met_") && !variable.name.starts_with("Chem_"));
    // Of another order of dimensions, and fewer of them.
    let met = Classic { dimensions: vec![("lon", 3), ("lev", 2), ("lat", 1)], ..Classic::default() }
        .with("Met_T", &["lon", "lev", "lat"], "K", &[290.0, 250.0, 285.0, 249.0, 280.0, 248.0])
        .with("Met_PMID", &["lev"], "hPa", &[900.0, 400.0])
        .with("SUN", &["lon"], "1", &[0.0, 0.5, 1.0]);
    let case = Case::new(&[("restart.nc", &bare), ("met.nc", &met)]);
    let output = case.run(&["--cells", "restart.nc", "met.nc"]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).contains("the air is taken as dry: no file has its humidity"), "{}", said(&output));
    close(&case.read("air_temperature", "K"), &by_hand()[1], 0.0);
    close(&case.read("air_pressure", "Pa"), &[9e4, 9e4, 9e4, 4e4, 4e4, 4e4], 1e-15);
    // Without sunlight A gains alone.
    let a = case.read("A", "mol mol-1");
    assert!(a[6] > a[0] && a[8] < a[2], "{a:?}");
    // Or options say it, which win.
    let output =
        case.run(&["--cells", "restart.nc", "met.nc", "--set", "TEMP=300", "--set", "PRESS=5e4", "--set", "sun=0"]);
    assert!(output.status.success(), "{}", said(&output));
    let density = 1e-6 * 5e4 / (BOLTZMANN * 300.0);
    close(&case.read("number_density", "molecule cm-3"), &[density; 6], 1e-14);
    let a = case.read("A", "mol mol-1");
    assert!((0..6).all(|i| a[6 + i] > a[i]), "{a:?}");
}

#[test]
fn what_is_missing_or_wrong_is_one_error() {
    let refused = |change: &dyn Fn(&mut Classic), more: &[&str], parts: &[&str]| {
        let mut file = restart();
        change(&mut file);
        let case = Case::new(&[("restart.nc", &file)]);
        let output = case.run(&[&["--cells", "restart.nc"][..], more].concat());
        let text = said(&output);
        assert!(!output.status.success() && !case.0.path().join("out.nc").exists(), "{parts:?}: {text}");
        for part in parts {
            assert!(text.contains(part), "{part:?} is not in {text}");
        }
    };
    let without = |name: &'static str| move |file: &mut Classic| file.variables.retain(|v| v.name != name);
    let sun = ["--set", "SUN=1"];
    refused(&|_| (), &[], &["restart.nc: no SUN", "--set SUN=VALUE"]);
    refused(&without("Met_TMPU1"), &sun, &["no temperature", "--set TEMP=K"]);
    refused(&without("hyam"), &sun, &["no pressure", "--set PRESS=PA"]);
    let unit =
        |name: &'static str, unit: &'static str| move |file: &mut Classic| file.variable(name).units = Some(unit);
    refused(
        &unit("SpeciesRst_A", "kg kg-1"),
        &sun,
        &["units of SpeciesRst_A are \"kg kg-1\"; expected one of mol mol-1 dry"],
    );
    refused(&unit("Met_PS1WET", "m"), &sun, &["units of Met_PS1WET are \"m\"; expected one of hPa"]);
    // Neither hPa nor parts of 1000 hPa.
    let strange = |file: &mut Classic| {
        file.variable("hyam").units = Some("1");
        file.variable("lev").values = vec![1.0, 2.0];
    };
    refused(&strange, &sun, &["lev is not hyam/1000 hPa + hybm"]);
    let value = |name: &'static str, value: f64| move |file: &mut Classic| file.variable(name).values[4] = value;
    refused(&value("Met_TMPU1", 500.0), &sun, &["Met_TMPU1 of cell 4 is 500, not between 1e2 and 4e2"]);
    refused(&value("SpeciesRst_A", 2.0), &sun, &["SpeciesRst_A of cell 4 is 2, not between"]);
    refused(&value("SpeciesRst_A", f64::NAN), &sun, &["SpeciesRst_A"]);
    refused(&|_| (), &["--set", "SUM=1"], &["--set SUM: the rates have no such input, but SUN"]);
    refused(&|_| (), &["--set", "SUN=x"], &["\"x\" is not a finite number"]);
    let more_times = |file: &mut Classic| {
        file.dimensions[0].1 = 2;
        file.variables.iter_mut().filter(|v| v.dimensions[0] == "time").for_each(|v| v.values.extend(v.values.clone()));
    };
    refused(&more_times, &sun, &["has 2 times; cells start from one"]);
    let other_grid = |file: &mut Classic| {
        file.dimensions.push(("x", 3));
        file.variable("Met_PS1WET").dimensions = vec!["time", "lat", "x"];
    };
    refused(&other_grid, &sun, &["Met_PS1WET has dimension x = 3; the cells have lev = 2, lat = 1, lon = 3"]);
}

/// Levels whose first coefficients have no unit are told by the coordinate.
#[test]
fn coefficients_without_a_unit_are_told_by_the_levels() {
    for (a, pascal) in [([0.0, 100.0], 100.0), ([0.0, 0.1], 1e5)] {
        let mut file = restart();
        file.variable("hyam").units = Some("1");
        file.variable("hyam").values = a.to_vec();
        let case = Case::new(&[("restart.nc", &file)]);
        let output = case.run(&["--cells", "restart.nc", "--set", "SUN=1"]);
        assert!(output.status.success(), "{}", said(&output));
        close(&case.read("air_pressure", "Pa")[3..4], &[a[1] * pascal + 0.4 * 1e5], 1e-14);
    }
}

/// Sunlight beyond 1 is refused as in other files, and the pressure is that by which thresholds are scaled.
#[test]
fn sunlight_and_pressure_of_restart_files_are_those_of_cells() {
    let sun = |sun: f64| restart().with("SUN", &["lon"], "1", &[0.5, sun, 0.5]);
    let output = Case::new(&[("restart.nc", &sun(3.0))]).run(&["--cells", "restart.nc"]);
    assert!(said(&output).contains("restart.nc: SUN of cell 1 is 3, not between 0e0 and 1e0"), "{}", said(&output));
    let case = Case::new(&[("restart.nc", &sun(1.0))]);
    let output = case.run(&["--cells", "restart.nc", "--reduce", "100", "--reduce-pressure", "101325"]);
    assert!(output.status.success(), "{}", said(&output));
    let want: Vec<f64> = by_hand()[2].iter().map(|pressure| 100.0 * pressure / 101_325.0).collect();
    close(&case.read("reduction_threshold", "molecule cm-3 s-1"), &want, 1e-13);
}
