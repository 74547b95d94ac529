//! Random sub-columns of clouds in columns of one state: whether they are the same is said, and a file can tell.

use crate::common::classic::{Case, Classic};
use crate::common::radiation_file::Numbers;
use crate::common::said;

const COUNT: usize = 40;
const LEVEL: &[&str] = &["level"];
const LAYER: &[&str] = &["layer"];
const SAYS: &str = "have the lowest pressure and temperature of others";

/// Columns that are all the same but for their Suns, half covered by one cloud.
fn columns(fraction: f64) -> Classic {
    let mut file = Classic { dimensions: vec![("column", COUNT), ("layer", 4), ("level", 5)], ..Classic::default() }
        .with("level_pressure", LEVEL, "Pa", &[1e5, 8e4, 5e4, 2e4, 1e3])
        .with("temperature", LAYER, "K", &[285.0, 270.0, 240.0, 215.0])
        .with("h2o", LAYER, "mol mol-1", &[0.01, 0.005, 0.0003, 4e-6])
        .with("o3", LAYER, "mol mol-1", &[3e-8, 4e-8, 8e-8, 4e-6])
        .with("cosine_zenith", &["column"], "1", &[0.5; COUNT])
        .with("surface_albedo", &[], "1", &[0.2])
        .with("cloud_fraction", LAYER, "1", &[0.0, fraction, 0.0, 0.0])
        .with("liquid_water_path", LAYER, "g m-2", &[0.0, 60.0, 0.0, 0.0])
        .with("liquid_radius", LAYER, "um", &[10.0; 4]);
    for (name, value) in [("co2", 420e-6), ("ch4", 1900e-9), ("n2o", 335e-9), ("o2", 0.209), ("n2", 0.781)] {
        file = file.with(name, &[], "1", &[value]);
    }
    file
}

/// Sunlight at the ground, and what the output says of the input.
fn solve(file: &Classic, more: &[&str]) -> (Vec<f64>, String) {
    let case = Case::of("shortwave", &file.bytes());
    let output = case.command(more);
    assert!(output.status.success(), "{}", said(&output));
    let notes = isobar_io::netcdf::Dataset::open(&case.out()).unwrap().attribute("derived").unwrap_or_default();
    (Numbers::open(&case.out()).all("shortwave_downward_flux")[..COUNT].to_vec(), notes)
}

fn distinct(values: &[f64]) -> usize {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values.dedup();
    values.len()
}

/// A seed of each column's own draws other sub-columns, whose mean is what clear and overcast skies make of the cloudy
/// part: with one cloud each g-point sees either.
#[test]
fn seeds_of_columns_make_them_independent() {
    let file = columns(0.5);
    let (one, notes) = solve(&file, &[]);
    assert!(distinct(&one) == 1 && notes.contains(SAYS), "{notes}");
    let seeds: Vec<f64> = (0..COUNT).map(|column| 7.0 * column as f64 + 1.0).collect();
    let seeded = file.clone().with("subcolumn_seed", &["column"], "1", &seeds);
    let (all, notes) = solve(&seeded, &[]);
    assert!(distinct(&all) > COUNT / 2 && !notes.contains(SAYS), "{} {notes}", distinct(&all));
    // The first has the seed of a file that has none.
    assert_eq!(all[0], one[0]);
    let (clear, overcast) = (solve(&columns(0.0), &[]).0[0], solve(&columns(1.0), &[]).0[0]);
    let mean = all.iter().sum::<f64>() / COUNT as f64;
    let square = all.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (COUNT - 1) as f64;
    let error = (square / COUNT as f64).sqrt();
    let expected = 0.5 * (clear + overcast);
    assert!((mean - expected).abs() < 4.0 * error, "{mean} +- {error}, {expected}");
    assert!(error < 0.1 * (clear - overcast).abs(), "{error} {clear} {overcast}");
    // One that is asked for wins, and is said.
    let (asked, notes) = solve(&seeded, &["--seed", "1"]);
    assert!(asked == one && notes.contains("subcolumn_seed of the file does not count beside --seed"), "{notes}");
}

#[test]
fn nothing_is_said_where_nothing_is_drawn() {
    for (fraction, more) in [(1.0, &[][..]), (0.5, &["--solver", "tripleclouds"])] {
        assert!(!solve(&columns(fraction), more).1.contains(SAYS));
    }
}

#[test]
fn what_is_no_seed_is_refused() {
    let of = |value: f64| columns(0.5).with("subcolumn_seed", &["column"], "1", &[value; COUNT]).bytes();
    let refused = |value: f64, part: &str| Case::of("shortwave", &of(value)).refused(&[], &[part]);
    refused(1.5, "subcolumn_seed = 1.5 at column 0 is no whole number in [0, 4294967295]");
    refused(-1.0, "subcolumn_seed = -1 at column 0");
}
