//! `isobar adding` and `isobar chem` on grids: dimensions that are not the scheme's own are those of profiles and
//! cells, and results have them, with the bits of a list of the same.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::classic::{Case, Classic};
use crate::common::radiation_file::Numbers;
use crate::common::said;

const TIMES: usize = 2;
const PLACES: usize = 6;
const ITEMS: usize = TIMES * PLACES;
const LAYERS: usize = 4;
const RADIANCE: &str = "mW m-2 sr-1 cm";

/// `[layer][item]` as (time, lev, lat, lon) has it.
fn of_grid(values: &[f64]) -> Vec<f64> {
    let layers = values.len() / ITEMS;
    let at = |time: usize, layer: usize, place: usize| values[layer * ITEMS + time * PLACES + place];
    let mut all = Vec::new();
    for time in 0..TIMES {
        for layer in 0..layers {
            all.extend((0..PLACES).map(|place| at(time, layer, place)));
        }
    }
    all
}

/// A grid of times and places with coordinates.
fn grid() -> Classic {
    let dimensions = vec![("time", TIMES), ("lev", LAYERS), ("lat", 2), ("lon", 3), ("angle", 2)];
    Classic { dimensions, ..Classic::default() }
        .with("time", &["time"], "hours since 2020-06-21", &[0.0, 6.0])
        .with("lat", &["lat"], "degrees_north", &[-30.0, 52.5])
        .with("lon", &["lon"], "degrees_east", &[0.0, 100.0, 250.0])
}

fn list() -> Classic {
    Classic { dimensions: vec![("profile", ITEMS), ("layer", LAYERS), ("angle", 2)], ..Classic::default() }
}

fn names(file: &Numbers, variable: &str) -> Vec<String> {
    file.shape(variable).into_iter().map(|(name, _)| name).collect()
}

fn run(file: &Classic, more: &[&str]) -> Numbers {
    let case = Case::new(&file.bytes());
    let output = case.command(more);
    assert!(output.status.success(), "{more:?}: {}", said(&output));
    Numbers::open(&case.out())
}

/// Depths by layer and item, radiances of layers, and of the ground.
fn numbers() -> [Vec<f64>; 3] {
    let layers = |f: &dyn Fn(f64, f64) -> f64| -> Vec<f64> {
        (0..LAYERS * ITEMS).map(|i| f((i / ITEMS) as f64, (i % ITEMS) as f64)).collect()
    };
    [
        layers(&|layer, item| 0.05 + 0.1 * layer + 0.02 * item),
        layers(&|layer, item| 40.0 + 12.0 * layer + item),
        (0..ITEMS).map(|item| 95.0 + item as f64).collect(),
    ]
}

#[test]
fn clear_profiles() {
    let [depth, planck, ground] = numbers();
    let angles = [1.0, 0.5];
    // Of places alone: the same at all times.
    let emissivity: Vec<f64> = (0..PLACES).map(|place| 0.9 + 0.01 * place as f64).collect();
    let plain = list()
        .with("optical_depth", &["layer", "profile"], "1", &depth)
        .with("planck_radiance", &["layer", "profile"], RADIANCE, &planck)
        .with("surface_planck", &["profile"], RADIANCE, &ground)
        .with("emissivity", &["profile"], "1", &emissivity.repeat(TIMES))
        .with("cosine", &["angle"], "1", &angles);
    let (field, column) = (&["time", "lev", "lat", "lon"], &["time", "lat", "lon"]);
    let on_grid = grid()
        .with("optical_depth", field, "1", &of_grid(&depth))
        .with("planck_radiance", field, RADIANCE, &of_grid(&planck))
        .with("surface_planck", column, RADIANCE, &ground)
        .with("emissivity", &["lat", "lon"], "1", &emissivity)
        .with("cosine", &["angle"], "1", &angles);
    let (found, expected) = (run(&on_grid, &["--levels"]), run(&plain, &["--levels"]));
    for name in ["top_radiance", "upward_radiance", "surface_downward_radiance"] {
        assert_eq!(found.all(name), expected.all(name), "{name}");
    }
    assert_eq!(names(&found, "top_radiance"), ["angle", "time", "lat", "lon"]);
    assert_eq!(names(&found, "upward_radiance"), ["level", "angle", "time", "lat", "lon"]);
    assert_eq!(found.all("lat"), [-30.0, 52.5]);
    assert_eq!(found.attribute("time", "units").as_deref(), Some("hours since 2020-06-21"));
    assert_eq!(names(&expected, "top_radiance"), ["angle", "profile"]);
    // The vertical is what its coordinate says, whatever its name is.
    let mut other = on_grid.clone();
    other.dimensions.iter_mut().filter(|(name, _)| *name == "lev").for_each(|(name, _)| *name = "model_layer");
    for variable in &mut other.variables {
        variable.dimensions.iter_mut().filter(|name| **name == "lev").for_each(|name| *name = "model_layer");
    }
    let other =
        other.with("model_layer", &["model_layer"], "1", &[1.0, 2.0, 3.0, 4.0]).says(&["axis=Z", "positive=down"]);
    assert_eq!(run(&other, &[]).all("top_radiance"), expected.all("top_radiance"));
    // A dimension of one variable is no grid's.
    let wide = on_grid.with("cosmic_background", &["angle", "lat"], RADIANCE, &[0.0; 4]);
    Case::new(&wide.bytes()).refused(&[], &["cosmic_background has dimension angle = 2"]);
}

#[test]
fn profiles_from_any_direction() {
    let [depth, ..] = numbers();
    let both = |file: Classic| {
        file.with("cosine", &["angle"], "1", &[1.0, 0.5])
            .with("relative_azimuth_angle", &[], "degree", &[60.0])
            .with("sun_irradiance", &[], "mW m-2 cm", &[100.0])
            .with("asymmetry", &[], "1", &[0.7])
    };
    let albedo: Vec<f64> = depth.iter().map(|depth| 1.0 - 0.2 * depth).collect();
    let surface: Vec<f64> = (0..ITEMS).map(|item| 0.05 * item as f64).collect();
    let zenith: Vec<f64> = (0..ITEMS).map(|item| 5.0 * item as f64).collect();
    let plain = both(list())
        .with("optical_depth", &["layer", "profile"], "1", &depth)
        .with("single_scattering_albedo", &["layer", "profile"], "1", &albedo)
        .with("surface_albedo", &["profile"], "1", &surface)
        .with("solar_zenith_angle", &["profile"], "degree", &zenith);
    let (field, column) = (&["time", "lev", "lat", "lon"], &["time", "lat", "lon"]);
    let on_grid = both(grid())
        .with("optical_depth", field, "1", &of_grid(&depth))
        .with("single_scattering_albedo", field, "1", &of_grid(&albedo))
        .with("surface_albedo", column, "1", &surface)
        .with("solar_zenith_angle", column, "degree", &zenith);
    let (found, expected) = (run(&on_grid, &[]), run(&plain, &[]));
    for name in ["top_radiance", "upward_flux", "direct_flux", "solar_zenith_angle"] {
        assert_eq!(found.all(name), expected.all(name), "{name}");
    }
    assert_eq!(names(&found, "upward_flux"), ["level", "time", "lat", "lon"]);
    assert_eq!(names(&found, "top_radiance"), ["angle", "time", "lat", "lon"]);
    assert_eq!(names(&found, "solar_zenith_angle"), ["time", "lat", "lon"]);
}

/// One atmosphere over grounds of a grid, and pixels that see it from elsewhere.
#[test]
fn grounds_and_pixels_of_a_grid() {
    let sky = |file: Classic| {
        file.with("optical_depth", &["layer"], "1", &[0.1, 0.2, 0.3, 0.4])
            .with("single_scattering_albedo", &[], "1", &[0.9])
            .with("asymmetry", &[], "1", &[0.7])
            .with("cosine", &["angle"], "1", &[1.0, 0.5])
            .with("relative_azimuth_angle", &[], "degree", &[60.0])
            .with("sun_irradiance", &[], "mW m-2 cm", &[100.0])
    };
    let on_grid = || {
        let dimensions = vec![("layer", LAYERS), ("angle", 2), ("lat", 2), ("lon", 3)];
        sky(Classic { dimensions, ..Classic::default() })
    };
    let plain = || {
        let dimensions = vec![("layer", LAYERS), ("angle", 2), ("profile", PLACES)];
        sky(Classic { dimensions, ..Classic::default() })
    };
    let steps = |step: f64| -> Vec<f64> { (0..PLACES).map(|place| step * place as f64).collect() };
    let fixed = |file: Classic, name: &'static str, dimensions: &'static [&'static str], unit: &'static str| {
        let (ground, sun) = (name == "surface_albedo", name == "solar_zenith_angle");
        let file = if ground { file } else { file.with("surface_albedo", &[], "1", &[0.3]) };
        let file = if sun { file } else { file.with("solar_zenith_angle", &[], "degree", &[40.0]) };
        file.with(name, dimensions, unit, &steps(if ground { 0.15 } else { 12.0 }))
    };
    for (name, unit) in [("surface_albedo", "1"), ("solar_zenith_angle", "degree")] {
        let found = run(&fixed(on_grid(), name, &["lat", "lon"], unit), &[]);
        let expected = run(&fixed(plain(), name, &["profile"], unit), &[]);
        assert_eq!(found.all("top_radiance"), expected.all("top_radiance"), "{name}");
        assert_eq!(names(&found, "top_radiance"), ["angle", "lat", "lon"]);
    }
}

/// Levels are cells as places are; times stay the times of inputs.
#[test]
fn cells_of_grids() {
    const CELLS: usize = LAYERS * PLACES;
    let mechanism = "#DEFVAR A = IGNORE; B = IGNORE; #EQUATIONS <R1> A = B : K; <R2> B = PROD : 0.0;";
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("m.kpp"), mechanism).unwrap();
    let start: Vec<f64> = (0..CELLS).map(|cell| 1e9 * (1.0 + cell as f64)).collect();
    // Of levels alone, and of two times.
    let rate: Vec<f64> = (0..2 * LAYERS).map(|i| 1e-4 * (1.0 + i as f64)).collect();
    let of_cells: Vec<f64> = rate.iter().flat_map(|&rate| vec![rate; PLACES]).collect();
    let command = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
        command
            .args(["chem", "--mechanism", "m.kpp", "--cells", "in.nc", "-o", "out.nc", "--device", "cpu", "--quiet"])
            .args(["--method", "rodas4", "--rtol", "1e-8", "--atol", "1e-3", "--hours", "1", "--dt", "600"])
            .current_dir(folder.path());
        command
    };
    let run = |file: &Classic| {
        fs::write(path("in.nc"), file.bytes()).unwrap();
        let output = command().output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        Numbers::open(Path::new(&path("out.nc")))
    };
    let times = |file: Classic| file.with("time", &["time"], "s", &[0.0, 3600.0]);
    let dimensions = vec![("time", 2), ("cell", CELLS)];
    let plain = times(Classic { dimensions, ..Classic::default() }).with("A", &["cell"], "molecule cm-3", &start).with(
        "K",
        &["time", "cell"],
        "s-1",
        &of_cells,
    );
    let dimensions = vec![("time", 2), ("lev", LAYERS), ("lat", 2), ("lon", 3), ("ilev", LAYERS + 1)];
    let on_grid = times(Classic { dimensions, ..Classic::default() })
        .with("lat", &["lat"], "degrees_north", &[-30.0, 52.5])
        .with("A", &["lev", "lat", "lon"], "molecule cm-3", &start)
        .with("K", &["time", "lev"], "s-1", &rate)
        .with("hyai", &["ilev"], "1", &[0.0; LAYERS + 1]);
    let (expected, found) = (run(&plain), run(&on_grid));
    for name in ["A", "B", "steps", "status", "time_reached"] {
        assert_eq!(found.all(name), expected.all(name), "{name}");
    }
    assert_eq!(names(&found, "A"), ["time", "lev", "lat", "lon"]);
    assert_eq!(names(&found, "steps"), ["lev", "lat", "lon"]);
    assert_eq!((found.all("lat"), found.all("time").len()), (vec![-30.0, 52.5], 7));
    assert_eq!(names(&expected, "A"), ["time", "cell"]);
    // No variable has all of the dimensions.
    let mut apart = on_grid.clone();
    (apart.variable("A").dimensions, apart.variable("A").values) = (vec!["lat", "lon"], start[..PLACES].to_vec());
    fs::write(path("in.nc"), apart.bytes()).unwrap();
    let output = command().output().unwrap();
    assert!(said(&output).contains("K has dimension lev = 4; expected (time, cell)"), "{}", said(&output));
    // Neither a variable that makes the grid nor another one has a dimension twice.
    for (name, dimensions, size, why) in [
        ("K", ["time", "lat", "lat"], 2 * 2 * 2, "K has dimension cell twice, the second called lat"),
        ("A", ["lev", "lat", "lat"], LAYERS * 2 * 2, "A has dimension"),
    ] {
        let mut twice = on_grid.clone();
        (twice.variable(name).dimensions, twice.variable(name).values) = (dimensions.to_vec(), vec![1.0; size]);
        fs::write(path("in.nc"), twice.bytes()).unwrap();
        let output = command().output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        assert!(said(&output).contains(why), "{}", said(&output));
    }
    // The order of the file's dimensions is that of the cells.
    let mut turned = on_grid.clone();
    let a = turned.variable("A");
    a.dimensions = vec!["lat", "lon", "lev"];
    a.values = (0..CELLS).map(|i| start[i % LAYERS * PLACES + i / LAYERS]).collect();
    let found = run(&turned);
    assert_eq!(names(&found, "A"), ["time", "lat", "lon", "lev"]);
    let at = |i: usize| expected.all("A")[i / CELLS * CELLS + i % LAYERS * PLACES + i % CELLS / LAYERS];
    assert_eq!(found.all("A"), (0..7 * CELLS).map(at).collect::<Vec<_>>());
}
