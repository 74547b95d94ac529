//! `isobar radiation --compare`: columns are those of the same place, and what one file lacks is no agreement.

use std::fs;

use crate::common::classic::{Case, Classic};
use crate::common::{printed, said};

const LEVEL: &[&str] = &["level"];
const LAYER: &[&str] = &["layer"];

/// Four columns on a grid, by these temperatures of the surface and coordinates.
fn grid(along: [&'static str; 2], surface: &[f64; 4], latitudes: &[f64; 2]) -> Classic {
    let mut file =
        Classic { dimensions: vec![("lat", 2), ("lon", 2), ("layer", 4), ("level", 5)], ..Classic::default() }
            .with("level_pressure", LEVEL, "Pa", &[1e5, 8e4, 5e4, 2e4, 1e3])
            .with(
                "temperature",
                &["layer", along[0], along[1]],
                "K",
                &[[285.0; 4], [270.0; 4], [240.0; 4], [215.0; 4]].concat(),
            )
            .with("h2o", LAYER, "mol mol-1", &[0.01, 0.005, 0.0003, 4e-6])
            .with("o3", LAYER, "mol mol-1", &[3e-8, 4e-8, 8e-8, 4e-6])
            .with("surface_temperature", &along, "K", surface)
            .with("lat", &["lat"], "degrees_north", latitudes)
            .with("lon", &["lon"], "degrees_east", &[100.0, 110.0]);
    for (name, value) in [("co2", 420e-6), ("ch4", 1900e-9), ("n2o", 335e-9), ("o2", 0.209), ("n2", 0.781)] {
        file = file.with(name, &[], "1", &[value]);
    }
    file
}

const SURFACE: [f64; 4] = [280.0, 285.0, 290.0, 295.0];

/// What comparing results of the second file with those of the first prints and says.
fn compare(first: &Classic, second: &Classic) -> (bool, String, String) {
    let case = Case::of("longwave", &first.bytes());
    let more = ["--clear-sky", "--keep-going"];
    case.command(&more);
    fs::rename(case.out(), case.folder.path().join("other.nc")).unwrap();
    fs::write(case.folder.path().join("in.nc"), second.bytes()).unwrap();
    let output = case.command(&[&more[..], &["--compare", "other.nc"]].concat());
    (output.status.success(), printed(&output), said(&output))
}

#[test]
fn columns_in_another_order_are_refused() {
    let first = grid(["lat", "lon"], &SURFACE, &[10.0, 20.0]);
    let (same, text, _) = compare(&first, &first);
    assert!(same && text.contains("nowhere"), "{text}");
    let [a, b, c, d] = SURFACE;
    let (other, _, problem) = compare(&first, &grid(["lon", "lat"], &[a, c, b, d], &[10.0, 20.0]));
    assert!(!other && problem.contains("along (lat, lon), and those here lie along (lon, lat)"), "{problem}");
    let (other, _, problem) = compare(&first, &grid(["lat", "lon"], &[c, d, a, b], &[20.0, 10.0]));
    let text = "lat is 10 there and 20 here at its value 0: it runs the other way";
    assert!(!other && problem.contains("other.nc") && problem.contains(text), "{problem}");
    let (other, _, problem) = compare(&first, &grid(["lat", "lon"], &SURFACE, &[10.0, 25.0]));
    assert!(!other && problem.contains("lat is 20 there and 25 here at its value 1"), "{problem}");
}

#[test]
fn what_is_missing_in_one_file_is_counted() {
    let first = grid(["lat", "lon"], &SURFACE, &[10.0, 20.0]);
    let mut second = first.clone();
    // Three columns that cannot be computed.
    second.variable("surface_temperature").values[..3].fill(f64::NAN);
    let line = |text: &str| text.lines().find(|line| line.starts_with("longwave_upward_flux [")).unwrap().to_owned();
    let (_, text, _) = compare(&first, &second);
    assert!(line(&text).ends_with("nowhere; 15 missing here alone"), "{text}");
    let (_, text, _) = compare(&second, &first);
    assert!(line(&text).ends_with("nowhere; 15 missing there alone"), "{text}");
    let (_, text, _) = compare(&second, &second);
    assert!(line(&text).ends_with("nowhere"), "{text}");
    let mut third = first.clone();
    third.variable("surface_temperature").values[3] = f64::NAN;
    let (_, text, _) = compare(&second, &third);
    assert!(line(&text).ends_with("nothing to compare; 5 missing here alone; 15 missing there alone"), "{text}");
    assert!(!line(&text).contains("0.000e0"), "{text}");
}
