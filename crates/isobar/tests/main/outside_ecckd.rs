//! Air beyond ecCKD's tables, which have temperatures around a mean of each pressure: what is said of it, against the
//! tables as their file has them.

use isobar_core::Real;

use crate::common::classic::{Case, Classic};
use crate::common::radiation_file::{Numbers, difference};
use crate::common::{data, said};

const LEVEL: &[&str] = &["level"];
const LAYER: &[&str] = &["layer"];
const LOWEST_PA: f64 = 8.7e4;

/// One column by day, whose uppermost layer lies at this pressure \[Pa\].
fn column(top_pa: f64) -> Classic {
    Classic { dimensions: vec![("layer", 4), ("level", 5)], ..Classic::default() }
        .with("level_pressure", LEVEL, "Pa", &[1e5, 7e4, 4e4, 1e4, 0.5 * top_pa])
        .with("pressure", LAYER, "Pa", &[LOWEST_PA, 5e4, 2e4, top_pa])
        .with("temperature", LAYER, "K", &[280.0, 255.0, 222.0, 200.0])
        .with("h2o", LAYER, "mol mol-1", &[0.006, 0.001, 1e-5, 4e-6])
        .with("o3", LAYER, "mol mol-1", &[3e-8, 5e-8, 3e-7, 4e-6])
        .with("co2", &[], "1e-6", &[420.0])
        .with("ch4", &[], "1e-9", &[1900.0])
        .with("n2o", &[], "1e-9", &[335.0])
        .with("cosine_zenith", &[], "1", &[0.5])
        .with("surface_albedo", &[], "1", &[0.2])
}

fn with(name: &str, layer: usize, value: f64) -> Classic {
    let mut file = column(1e3);
    file.variable(name).values[layer] = value;
    file
}

/// What is said of the tables, in the short wave, and the fluxes.
fn run(file: &Classic, more: &[&str]) -> (String, Vec<f64>) {
    let case = Case::of("shortwave", &file.bytes());
    let output = case.command(more);
    assert!(output.status.success(), "{}", said(&output));
    let numbers = Numbers::open(&case.out());
    let attribute = isobar_io::netcdf::Dataset::open(&case.out()).unwrap().attribute("outside_tables");
    (attribute.unwrap_or_default(), numbers.all("shortwave_downward_flux"))
}

fn is_refused(file: &Classic, part: &str) {
    Case::of("shortwave", &file.bytes()).refused(&["--outside", "error"], &[part]);
}

/// The least and the largest temperature of the tables at a pressure, linear in its logarithm between their pressures.
fn temperatures(pressure_pa: f64) -> [f64; 2] {
    let file = Numbers::open(&data().join("radiation/ecckd-shortwave-32.nc"));
    let (pressures, all) = (file.all("pressure"), file.all("temperature"));
    let above = pressures.iter().position(|&node| node > pressure_pa).unwrap();
    let [low, here, high] = [pressures[above - 1], pressure_pa, pressures[above]].map(Real::ln);
    let at = |row: usize| {
        let row = &all[row * pressures.len()..];
        row[above - 1] + (row[above] - row[above - 1]) * (here - low) / (high - low)
    };
    [at(0), at(all.len() / pressures.len() - 1)]
}

#[test]
fn temperatures_have_a_range_by_pressure() {
    let [least, most] = temperatures(LOWEST_PA);
    assert!((most - least - 100.0).abs() < 1e-3 && least > 216.0);
    for inside in [least + 0.01, most - 0.01] {
        assert_eq!(run(&with("temperature", 0, inside), &["--outside", "error"]).0, "");
    }
    for (outside, end) in [(215.0, least), (most + 1.0, most)] {
        let file = with("temperature", 0, outside);
        let (text, fluxes) = run(&file, &[]);
        assert!(text.starts_with("1 values lie outside of the tables, left as they are; the first: "), "{text}");
        // The range that is said is that of this pressure.
        let (_, range) = text.split_once(" [").unwrap_or_else(|| panic!("{text}"));
        let ends: Vec<f64> = range.split([',', ']']).take(2).map(|end| end.trim().parse().unwrap()).collect();
        assert!((ends[0] - least).abs() < 0.01 && (ends[1] - most).abs() < 0.01, "{text}: {least} {most}");
        is_refused(&file, "for which the tables are at its pressure");
        // The tables hold the values of their ends.
        let (clamped, of_clamped) = run(&file, &["--outside", "clamp"]);
        assert!(clamped.contains("clamped"), "{clamped}");
        let (_, of_end) = run(&with("temperature", 0, end), &[]);
        assert!(difference(&of_clamped, &of_end) < 1e-2 && difference(&of_clamped, &fluxes) < 1e-6);
    }
}

#[test]
fn pressures_and_water_vapour_have_ends() {
    let file = Numbers::open(&data().join("radiation/ecckd-shortwave-32.nc"));
    let (least_pa, fractions) = (file.all("pressure")[0], file.all("h2o_mole_fraction"));
    assert_eq!(run(&column(1.01 * least_pa), &["--outside", "error"]).0, "");
    let high = column(0.9 * least_pa);
    assert!(run(&high, &[]).0.starts_with("1 "));
    is_refused(&high, "for which the tables are");
    // A mole fraction of moist air, as ecRad has it, of so many moles in one of dry air.
    let most = fractions.last().unwrap() / (1.0 - 18.0152833 / 28.970 * fractions.last().unwrap());
    let water = |value: f64| with("h2o", 0, value);
    assert_eq!(run(&water(0.999 * most), &["--outside", "error"]).0, "");
    is_refused(&water(1.001 * most), "h2o = ");
    let (text, fluxes) = run(&water(1.1 * most), &["--outside", "clamp"]);
    assert!(text.starts_with("1 ") && difference(&fluxes, &run(&water(1.1 * most), &[]).1) == 0.0, "{text}");
    // Little water absorbs in proportion: less than the tables' least is nothing beyond them.
    assert_eq!(run(&with("h2o", 3, 0.1 * fractions[0]), &["--outside", "error"]).0, "");
}
