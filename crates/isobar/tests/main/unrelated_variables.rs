//! What has nothing to do with the air of columns changes nothing of it, whatever its coordinates are.

use crate::common::classic::{Case, Classic};
use crate::model_files::{COLUMNS, LAYERS, TOP_FIRST, cam, fluxes, icon, is_read};

const SOIL: [f64; 4] = [0.03, 0.2, 0.6, 2.0];

/// Temperatures of soil on a depth.
fn with_soil(mut file: Classic, says: &[&'static str], columns: &[&'static str]) -> Classic {
    file.dimensions.push(("depth", SOIL.len()));
    let all = [&["time", "depth"], columns].concat();
    file.with("depth", &["depth"], "m", &SOIL).says(says).with("tsl", &all, "K", &[285.0; 4 * COLUMNS])
}

/// Soil, and temperatures on isobars, of as many layers or others.
#[test]
fn other_temperatures_are_not_those_of_the_layers() {
    let (file, world) = cam();
    let columns = ["lat", "lon"];
    let depth = ["standard_name=depth", "axis=Z", "positive=down"];
    is_read(&with_soil(file.clone(), &depth, &columns), TOP_FIRST, &world, true);
    is_read(&with_soil(file.clone(), &["axis=Z", "positive=down"], &columns), TOP_FIRST, &world, true);
    for size in [3, LAYERS, LAYERS + 1] {
        let mut other = file.clone();
        other.dimensions.push(("plev", size));
        let isobars: Vec<f64> = (1..=size).map(|k| 7e4 * k as f64 / size as f64).collect();
        let other = other
            .with("plev", &["plev"], "Pa", &isobars)
            .says(&["standard_name=air_pressure", "axis=Z", "positive=down"])
            .with("ta_plev", &["time", "plev", "lat", "lon"], "K", &vec![250.0; size * COLUMNS])
            .says(&["standard_name=air_temperature"]);
        is_read(&other, TOP_FIRST, &world, true);
    }
}

fn numbers(size: usize) -> Vec<f64> {
    (1..=size).map(|number| number as f64).collect()
}

/// ICON's heights of 2 m, and soil, beside layers that are numbered, with the levels around them or without.
#[test]
fn heights_of_one_are_not_those_of_the_layers() {
    const SAYS: [&str; 2] = ["standard_name=height", "axis=Z"];
    let (file, world) = icon();
    for levels in ["height_2", "height_3", "height_4"] {
        let mut file = file.clone();
        let screen = if levels == "height_2" { "height_3" } else { "height_2" };
        file.dimensions.iter_mut().filter(|(name, _)| *name == "height_2").for_each(|(name, _)| *name = levels);
        file.variable("pres_ifc").dimensions[1] = levels;
        file.dimensions.push((screen, 1));
        let file = file
            .with("height", &["height"], "1", &numbers(LAYERS))
            .says(&SAYS)
            .with(levels, &[levels], "1", &numbers(LAYERS + 1))
            .says(&SAYS)
            .with(screen, &[screen], "m", &[2.0])
            .says(&SAYS)
            .with("t_2m", &["time", screen, "ncells"], "K", &[288.0; COLUMNS])
            .says(&["standard_name=air_temperature"]);
        let file = with_soil(file, &["standard_name=depth", "axis=Z", "positive=down"], &["ncells"]);
        let out = is_read(&file, TOP_FIRST, &world, true);
        let names: Vec<String> = out.shape("longwave_upward_flux").into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["time", levels, "ncells"]);
        assert_eq!((out.all("height"), out.all(levels)), (numbers(LAYERS), numbers(LAYERS + 1)));
    }
    // Of pressures of layers alone, by which of both the height of 2 m changes nothing.
    let mut alone = file;
    alone.variables.retain(|one| one.name != "pres_ifc");
    alone.dimensions.retain(|(name, _)| *name != "height_2");
    let alone = alone.with("height", &["height"], "1", &numbers(LAYERS)).says(&SAYS);
    let expected = fluxes(&Case::of("radiation", &alone.bytes()), &[]);
    let mut with_screen = alone;
    with_screen.dimensions.push(("height_2", 1));
    let with_screen = with_screen
        .with("height_2", &["height_2"], "m", &[2.0])
        .says(&SAYS)
        .with("t_2m", &["time", "height_2", "ncells"], "K", &[288.0; COLUMNS])
        .says(&["standard_name=air_temperature"]);
    let found = fluxes(&Case::of("radiation", &with_screen.bytes()), &[]);
    for name in ["longwave_upward_flux", "shortwave_downward_flux", "longwave_heating_rate"] {
        assert_eq!((found.shape(name), found.all(name)), (expected.shape(name), expected.all(name)), "{name}");
    }
    assert_eq!(found.all("height"), numbers(LAYERS));
}

/// A latitude more than there are layers is no level.
#[test]
fn what_is_beside_layers_is_not_around_them() {
    let layers = 4;
    let mut file = Classic { dimensions: vec![("plev", layers), ("y", layers + 1)], ..Classic::default() };
    let of = |values: [f64; 4]| values.into_iter().flat_map(|value| [value; 5]).collect::<Vec<f64>>();
    file = file
        .with("plev", &["plev"], "Pa", &[1e4, 3e4, 6e4, 9e4])
        .with("temperature", &["plev", "y"], "K", &of([215.0, 235.0, 265.0, 285.0]))
        .with("h2o", &["plev", "y"], "mol mol-1", &of([4e-6, 3e-4, 5e-3, 0.02]))
        .with("o3", &["plev", "y"], "mol mol-1", &of([4e-6, 8e-8, 4e-8, 3e-8]))
        .with("surface_temperature", &["y"], "K", &[290.0; 5])
        .with("surface_albedo", &["y"], "1", &[0.2; 5])
        .with("cosine_zenith", &["y"], "1", &[0.7; 5]);
    let found = fluxes(&Case::of("radiation", &file.bytes()), &[]);
    let shape = found.shape("longwave_heating_rate");
    assert_eq!(shape, [("plev".to_owned(), 4), ("y".to_owned(), 5)]);
    let rates = found.all("longwave_heating_rate");
    assert!(rates.chunks(5).all(|row| row.iter().all(|rate| *rate == row[0])), "{rates:?}");
}
