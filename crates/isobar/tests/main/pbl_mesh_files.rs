//! `isobar pbl` reads files of models on meshes, MPAS's and ICON's, as `pbl_model_files` has others.

use isobar_core::Real;

use crate::common::classic::{Case, Classic};
use crate::model_files::{
    COLUMNS, LATITUDES, LAYERS, LONGITUDES, Order, TIMES, TOP_FIRST, by_coefficients, ground, hybrid, means,
};
use crate::pbl_model_files::{World, is_read, names};

/// Levels behind the cells.
const CELLS: Order = Order { top_first: false, inner: 1 };

/// MPAS's file with pressure in parts and as a whole, and its columns in our own layout.
pub(crate) fn mpas() -> [Classic; 3] {
    let levels = by_coefficients(&hybrid(LAYERS), &ground());
    let middles = means(&levels);
    let heights: Vec<f64> =
        (0..=LAYERS).flat_map(|k| (0..6).map(move |i| 60.0 * (k * (k + 1)) as f64 + 10.0 * i as f64)).collect();
    let height = |k: usize, c: usize| heights[k * 6 + c % 6];
    let [base, perturbation] = [0.75, 0.25].map(|part| middles.iter().map(|p| part * p).collect::<Vec<f64>>());
    let pressure: Vec<f64> = base.iter().zip(&perturbation).map(|(a, b)| a + b).collect();
    let exner: Vec<f64> = pressure.iter().map(|p| Real::powf(p / 1e5, 2.0 / 7.0)).collect();
    let first = World::new(levels.clone(), pressure.clone());
    let theta: Vec<f64> = first.temperature.iter().zip(&exner).map(|(t, exner)| t / exner).collect();
    let middle = |k: usize, c: usize| 0.5 * (height(k, c) + height(k + 1, c));
    let mut level_pressure = levels[..COLUMNS].to_vec();
    for k in 1..LAYERS {
        level_pressure.extend((0..COLUMNS).map(|c| {
            let share = (height(k, c) - middle(k - 1, c)) / (middle(k, c) - middle(k - 1, c));
            share * pressure[k * COLUMNS + c] + (1.0 - share) * pressure[(k - 1) * COLUMNS + c]
        }));
    }
    level_pressure.extend((0..COLUMNS).map(|c| {
        let (above, below) = ((LAYERS - 1) * COLUMNS + c, (LAYERS - 2) * COLUMNS + c);
        let share = (height(LAYERS, c) - middle(LAYERS - 2, c)) / (middle(LAYERS - 1, c) - middle(LAYERS - 2, c));
        let (p, q) = (Real::ln(pressure[above]), Real::ln(pressure[below]));
        Real::exp(share * p + (1.0 - share) * q)
    }));
    let mut world = World::new(level_pressure, pressure.clone());
    world.temperature = theta.iter().zip(&exner).map(|(theta, exner)| theta * exner).collect();
    let (field, column) = (&["Time", "nCells", "nVertLevels"], &["Time", "nCells"]);
    let of = |values: &[f64]| CELLS.of(values);
    let by_cell: Vec<f64> =
        (0..6).flat_map(|i| (0..=LAYERS).map(move |k| (k, i))).map(|(k, i)| heights[k * 6 + i]).collect();
    let places = |values: &dyn Fn(usize) -> f64| (0..6).map(values).collect::<Vec<f64>>();
    let kind: Vec<f64> = world.land.iter().map(|&land| if land > 0.5 { 1.0 } else { 2.0 }).collect();
    let dimensions =
        [("Time", TIMES), ("nCells", 6), ("nEdges", 9), ("nVertLevels", LAYERS), ("nVertLevelsP1", LAYERS + 1)];
    let file = Classic { dimensions: dimensions.to_vec(), ..Classic::default() }
        .with("time", &["Time"], "hours since 2020-06-21", &[6.0, 12.0])
        .with("latCell", &["nCells"], "degree", &places(&|i| LATITUDES[i / 3]))
        .with("lonCell", &["nCells"], "degree", &places(&|i| LONGITUDES[i % 3]))
        .with("zgrid", &["nCells", "nVertLevelsP1"], "m", &by_cell)
        .with("u", &["Time", "nEdges", "nVertLevels"], "m s^{-1}", &vec![1.0; TIMES * 9 * LAYERS])
        .with("uReconstructZonal", field, "m s^{-1}", &of(&world.u))
        .with("uReconstructMeridional", field, "m s^{-1}", &of(&world.v))
        .with("theta", field, "K", &of(&theta))
        .with("qv", field, "kg kg^{-1}", &of(&world.vapour()))
        .with("qc", field, "kg kg^{-1}", &of(&world.dry(&world.liquid)))
        .with("qi", field, "kg kg^{-1}", &of(&world.dry(&world.ice)))
        .with("surface_pressure", column, "Pa", &levels[..COLUMNS])
        .with("xland", column, "unitless", &kind)
        .with("znt", column, "m", &world.roughness)
        .with("hfx", column, "W m^{-2}", &world.heat)
        .with("qfx", column, "kg m^{-2} s^{-1}", &world.moisture)
        .with("hpbl", column, "m", &world.height)
        .with("rthratenlw", field, "K s^{-1}", &vec![-3e-5; pressure.len()])
        .with("rthratensw", field, "K s^{-1}", &vec![1e-5; pressure.len()]);
    let layers: Vec<f64> = (0..LAYERS * COLUMNS)
        .map(|i| height(i / COLUMNS + 1, i % COLUMNS) - height(i / COLUMNS, i % COLUMNS))
        .collect();
    let own = world.own().with("dz", &["layer", "column"], "m", &layers).with(
        "rthraten",
        &["layer", "column"],
        "K s-1",
        &vec![-3e-5 + 1e-5; pressure.len()],
    );
    let in_parts =
        file.clone().with("pressure_base", field, "Pa", &of(&base)).with("pressure_p", field, "Pa", &of(&perturbation));
    [in_parts, file.with("pressure", field, "Pa", &of(&pressure)), own]
}

/// Winds that are not those on edges, potential temperature, pressure as a whole or in parts.
#[test]
fn mpas_and_its_reconstructed_winds() {
    let [in_parts, whole, own] = mpas();
    for file in [&in_parts, &whole] {
        let out = is_read(file, CELLS, &own, [&[], &[]]);
        assert_eq!(names(&out, "tendency_u"), ["Time", "nCells", "nVertLevels"]);
        is_read(file, CELLS, &own, [&[], &["--top-down"]]);
    }
    let gone = |name: &str| {
        let mut file = whole.clone();
        file.variables.retain(|variable| variable.name != name);
        file
    };
    Case::of("pbl", &gone("uReconstructZonal").bytes()).refused(&["--dt", "60"], &["uReconstructZonal"]);
}

/// ICON's cells: humidity and clouds of moist air by their standard names, heights of half levels.
#[test]
fn icon_and_its_cells() {
    let levels = by_coefficients(&hybrid(LAYERS), &ground());
    let world = World::new(levels.clone(), means(&levels));
    let heights: Vec<f64> =
        (0..=LAYERS).flat_map(|k| (0..6).map(move |i| 70.0 * (k * (k + 2)) as f64 + i as f64)).collect();
    let (field, column) = (&["time", "height", "ncells"], &["time", "ncells"]);
    let of = |values: &[f64]| TOP_FIRST.of(values);
    let top_first: Vec<f64> = heights.chunks(6).rev().flatten().copied().collect();
    let file = Classic {
        dimensions: vec![("time", TIMES), ("height", LAYERS), ("height_2", LAYERS + 1), ("ncells", 6)],
        ..Classic::default()
    }
    .with("time", &["time"], "minutes since 2020-06-21", &[360.0, 720.0])
    .with("pres", field, "Pa", &of(&world.pressure))
    .says(&["standard_name=air_pressure"])
    .with("pres_ifc", &["time", "height_2", "ncells"], "Pa", &of(&world.level_pressure))
    .says(&["standard_name=air_pressure"])
    .with("z_ifc", &["height_2", "ncells"], "m", &top_first)
    .with("temp", field, "K", &of(&world.temperature))
    .with("u", field, "m s-1", &of(&world.u))
    .with("v", field, "m s-1", &of(&world.v))
    .with("qv", field, "kg kg-1", &of(&world.humidity))
    .says(&["standard_name=specific_humidity"])
    .with("qc", field, "kg kg-1", &of(&world.liquid))
    .says(&["standard_name=mass_fraction_of_cloud_liquid_water_in_air"])
    .with("qi", field, "kg kg-1", &of(&world.ice))
    .says(&["standard_name=mass_fraction_of_cloud_ice_in_air"])
    .with("fr_land", column, "1", &world.land)
    .with("z0", column, "m", &world.roughness)
    .says(&["standard_name=surface_roughness_length"])
    .with("shfl_s", column, "W m-2", &world.heat)
    .says(&["standard_name=surface_upward_sensible_heat_flux"])
    .with("qhfl_s", column, "kg m-2 s-1", &world.moisture)
    .says(&["standard_name=water_evapotranspiration_flux"])
    .with("hpbl", column, "m", &world.height);
    let layers: Vec<f64> = (0..LAYERS * COLUMNS)
        .map(|i| (i / COLUMNS, i % 6))
        .map(|(k, i)| heights[(k + 1) * 6 + i] - heights[k * 6 + i])
        .collect();
    let own = world.own().with("dz", &["layer", "column"], "m", &layers);
    let numbers: Vec<f64> = (1..=LAYERS).map(|number| number as f64).collect();
    let file = file.with("height", &["height"], "1", &numbers).says(&["axis=Z", "positive=down"]);
    let found = is_read(&file, TOP_FIRST, &own, [&[], &[]]);
    // The coordinate stays, and heights have another name.
    assert_eq!((found.all("height"), found.shape("height").len()), (numbers, 1));
    assert_eq!(found.all("height_above_ground").len(), LAYERS * COLUMNS);
}
