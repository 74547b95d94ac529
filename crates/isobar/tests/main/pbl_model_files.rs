//! `isobar pbl` reads files as models and analyses write them, with the results of the same columns in our own layout,
//! bit for bit.
//!
//! What a file does not have is computed here by the formulas that the reader's documentation says, in the same order
//! of operations.

use std::fs;
use std::path::PathBuf;

use isobar_core::Real;
use isobar_io::read_boundary_layer_files;

use crate::common::classic::{Case, Classic};
use crate::common::isobar;
use crate::common::radiation_file::Numbers;
use crate::common::{printed, said};
use crate::model_files::{
    BOTTOM_FIRST, COLUMNS, LATITUDES, LAYERS, Order, TIMES, TOP_FIRST, by_coefficients, grid, ground, hybrid, means,
    with_cam_pressure,
};

const LATENT_HEAT: f64 = 2.5e6;
/// Intervals that sums of two times are of.
const SECONDS: [f64; TIMES] = [3600.0, 21_600.0];
const RESULTS: [&str; 8] = [
    "height",
    "tendency_u",
    "tendency_v",
    "tendency_theta",
    "tendency_vapour",
    "tendency_cloud_water",
    "diffusivity_heat",
    "boundary_layer_height",
];

/// Columns, `[layer * COLUMNS + column]`, the surface first.
#[derive(Clone, Default)]
pub(crate) struct World {
    pub(crate) level_pressure: Vec<f64>,
    pub(crate) pressure: Vec<f64>,
    pub(crate) temperature: Vec<f64>,
    /// In moist air, as water below.
    pub(crate) humidity: Vec<f64>,
    pub(crate) liquid: Vec<f64>,
    pub(crate) ice: Vec<f64>,
    pub(crate) u: Vec<f64>,
    pub(crate) v: Vec<f64>,
    pub(crate) roughness: Vec<f64>,
    pub(crate) land: Vec<f64>,
    pub(crate) heat: Vec<f64>,
    pub(crate) moisture: Vec<f64>,
    pub(crate) height: Vec<f64>,
    pub(crate) surface_temperature: Vec<f64>,
}

impl World {
    pub(crate) fn new(level_pressure: Vec<f64>, pressure: Vec<f64>) -> Self {
        let of = |f: &dyn Fn(f64, f64) -> f64| -> Vec<f64> {
            pressure.iter().enumerate().map(|(i, &p)| f(p, (i % COLUMNS) as f64)).collect()
        };
        let column = |f: &dyn Fn(f64) -> f64| -> Vec<f64> { (0..COLUMNS).map(|c| f(c as f64)).collect() };
        Self {
            temperature: of(&|p, c| (215.0 + 75.0 * p / 1e5 + c).min(300.0)),
            humidity: of(&|p, _| 2e-6 + 0.008 * (p / 1e5) * (p / 1e5)),
            liquid: of(&|p, c| if (8e4..9.5e4).contains(&p) && c != 3.0 { 8e-5 } else { 0.0 }),
            ice: of(&|p, _| if (2e4..9e4).contains(&p) { 1e-5 } else { 0.0 }),
            u: of(&|p, c| 3.0 + c + 1.5e-4 * (1e5 - p)),
            v: of(&|p, c| 1.0 - 0.5 * c + 2e-5 * (1e5 - p)),
            roughness: column(&|c| 0.01 + 0.02 * c),
            land: column(&|c| [0.0, 0.5, 0.75, 1.0][c as usize % 4]),
            heat: column(&|c| 250.0 - 30.0 * c),
            moisture: column(&|c| 1e-5 * (6.0 - c)),
            height: column(&|c| 900.0 - 40.0 * c),
            surface_temperature: column(&|c| 288.0 + c),
            level_pressure,
            pressure,
        }
    }

    /// The mass of vapour in a mass of dry air.
    pub(crate) fn vapour(&self) -> Vec<f64> {
        self.humidity.iter().map(|q| q / (1.0 - q)).collect()
    }

    /// Water of moist air in a mass of dry air.
    pub(crate) fn dry(&self, water: &[f64]) -> Vec<f64> {
        water.iter().zip(self.vapour()).map(|(water, vapour)| water * (1.0 + vapour)).collect()
    }

    /// The own layout of the air, with land and roughness below.
    fn air(&self) -> Classic {
        let (layer, level, column) = (&["layer", "column"], &["level", "column"], &["column"]);
        let layers = self.pressure.len() / COLUMNS;
        let kind: Vec<f64> = self.land.iter().map(|&land| if land > 0.5 { 1.0 } else { 2.0 }).collect();
        Classic {
            dimensions: vec![("layer", layers), ("level", layers + 1), ("column", COLUMNS)],
            attributes: vec![("orientation", "bottom_first")],
            ..Classic::default()
        }
        .with("p_int", level, "Pa", &self.level_pressure)
        .with("p", layer, "Pa", &self.pressure)
        .with("t", layer, "K", &self.temperature)
        .with("qv", layer, "kg kg-1", &self.vapour())
        .with("qc", layer, "kg kg-1", &self.dry(&self.liquid))
        .with("qi", layer, "kg kg-1", &self.dry(&self.ice))
        .with("u", layer, "m s-1", &self.u)
        .with("v", layer, "m s-1", &self.v)
        .with("znt", column, "m", &self.roughness)
        .with("xland", column, "1", &kind)
        .with("hpbl", column, "m", &self.height)
    }

    /// The own layout with fluxes.
    pub(crate) fn own(&self) -> Classic {
        let column = &["column"];
        self.air().with("hfx", column, "W m-2", &self.heat).with("qfx", column, "kg m-2 s-1", &self.moisture)
    }
}

fn results(case: &Case, more: &[&str]) -> Numbers {
    let output = case.command(&[&["--dt", "60"], more].concat());
    assert!(output.status.success(), "{more:?}: {}", said(&output));
    Numbers::open(&case.out())
}

/// That a file has the results of columns in the own layout, in its own order.
pub(crate) fn is_read(file: &Classic, order: Order, own: &Classic, [of_file, of_both]: [&[&str]; 2]) -> Numbers {
    let expected = results(&Case::of("pbl", &own.bytes()), of_both);
    let found = results(&Case::of("pbl", &file.bytes()), &[of_file, of_both].concat());
    are_the_same(&found, &expected, order);
    found
}

fn are_the_same(found: &Numbers, expected: &Numbers, order: Order) {
    for name in RESULTS {
        let values = expected.all(name);
        assert!(values.iter().all(|value| value.abs() < 1e30), "{name}");
        // Where a dimension is called `height`.
        let name = if name == "height" && found.has("height_above_ground") { "height_above_ground" } else { name };
        assert_eq!(found.all(name), order.of(&values), "{name}");
    }
    assert!(found.all("tendency_theta").iter().any(|tendency| tendency.abs() > 1e-5));
}

pub(crate) fn names(file: &Numbers, variable: &str) -> Vec<String> {
    file.shape(variable).into_iter().map(|(name, _)| name).collect()
}

pub(crate) fn cam() -> (Classic, World) {
    let levels = hybrid(LAYERS);
    let middles: Vec<[f64; 2]> =
        levels.windows(2).map(|pair| [0.5 * (pair[0][0] + pair[1][0]), 0.5 * (pair[0][1] + pair[1][1])]).collect();
    // As the reader computes them: P0 times what the file has.
    let stored = |all: &[[f64; 2]]| -> Vec<[f64; 2]> { all.iter().map(|[a, b]| [1e5 * (a / 1e5), *b]).collect() };
    let surface = ground();
    let [level_pressure, pressure] = [stored(&levels), stored(&middles)].map(|all| by_coefficients(&all, &surface));
    let world = World::new(level_pressure, pressure);
    let (field, column) = (&["time", "lev", "lat", "lon"], &["time", "lat", "lon"]);
    let mut file = grid(["time", "lat", "lon"], "hours since 2020-06-21 06:00:00", &[0.0, 6.0]);
    file.dimensions.extend([("lev", LAYERS), ("ilev", LAYERS + 1)]);
    let of = |values: &[f64]| TOP_FIRST.of(values);
    let speed: Vec<f64> = (0..COLUMNS).map(|c| 4.0 + c as f64).collect();
    let file = with_cam_pressure(file, [&levels, &middles], column, &surface)
        .with("U", field, "m/s", &of(&world.u))
        .with("V", field, "m/s", &of(&world.v))
        .with("T", field, "K", &of(&world.temperature))
        .with("Q", field, "kg/kg", &of(&world.humidity))
        .with("CLDLIQ", field, "kg/kg", &of(&world.liquid))
        .with("CLDICE", field, "kg/kg", &of(&world.ice))
        .with("LANDFRAC", column, "1", &world.land)
        .with("SHFLX", column, "W/m2", &world.heat)
        .with("QFLX", column, "kg/m2/s", &world.moisture)
        // A speed, and no eastward wind.
        .with("U10", column, "m/s", &speed)
        .with("PBLH", column, "m", &world.height)
        .with("TS", column, "K", &world.surface_temperature);
    (file, world)
}

/// CAM has no roughness: the user gives one, by `--value` or under another name.
#[test]
fn cam_and_its_hybrid_levels() {
    let (file, mut world) = cam();
    world.roughness = vec![0.25; COLUMNS];
    let given: [&[&str]; 2] = [&["--value", "roughness=0.25"], &[]];
    let out = is_read(&file, TOP_FIRST, &world.own(), given);
    assert_eq!(names(&out, "tendency_theta"), ["time", "lev", "lat", "lon"]);
    assert_eq!(names(&out, "boundary_layer_height"), ["time", "lat", "lon"]);
    assert_eq!(out.all("lat"), LATITUDES);
    assert_eq!(out.attribute("time", "units").as_deref(), Some("hours since 2020-06-21 06:00:00"));
    let named = file.clone().with("Z0", &["time", "lat", "lon"], "cm", &[25.0; COLUMNS]);
    is_read(&named, TOP_FIRST, &world.own(), [&["--name", "roughness=Z0"], &[]]);
    Case::of("pbl", &file.bytes()).refused(&["--dt", "60"], &["roughness", "is missing", "--value roughness="]);
    let case = Case::of("pbl", &file.bytes());
    let output = case.command(&["--dt", "60", "--value", "roughness=0.25", "--value", "tusk=1"]);
    assert!(said(&output).contains("--value tusk=1 has no effect"), "{}", said(&output));
    case_refuses_values(&file);
    // Latent heat in the place of moisture.
    let mut latent = file.clone();
    latent.variable("QFLX").name = "LHFLX";
    latent.variable("LHFLX").units = Some("W/m2");
    latent.variable("LHFLX").values.iter_mut().for_each(|flux| *flux *= LATENT_HEAT);
    let stored = latent.variable("LHFLX").values.clone();
    world.moisture = stored.iter().map(|flux| flux / LATENT_HEAT).collect();
    is_read(&latent, TOP_FIRST, &world.own(), given);
}

fn case_refuses_values(file: &Classic) {
    let case = Case::of("pbl", &file.bytes());
    case.refused(&["--dt", "60", "--value", "roughness=-1"], &["roughness = -1 m, as given, lies outside [0, inf)"]);
    let output = Case::of("pbl", &file.bytes()).command(&["--dt", "60", "--value", "roughness"]);
    assert!(output.status.code() == Some(2) && said(&output).contains("NAME=NUMBER"), "{}", said(&output));
}

/// Lists of columns keep their own names and order of dimensions and what says where they are, as grids do.
#[test]
fn lists_of_columns_have_results_like_themselves() {
    const BEHIND: Order = Order { top_first: false, inner: 1 };
    let levels = by_coefficients(&hybrid(LAYERS), &ground());
    let world = World::new(levels.clone(), means(&levels));
    let relaid = |order: Order, columns: &[(&'static str, usize)], vertical: [&'static str; 2]| {
        let mut file = world.own();
        let names: Vec<&'static str> = columns.iter().map(|(name, _)| *name).collect();
        file.dimensions = vec![(vertical[0], LAYERS), (vertical[1], LAYERS + 1)];
        file.dimensions.extend(columns);
        for variable in &mut file.variables {
            let found =
                variable.dimensions.first().and_then(|name| ["layer", "level"].iter().position(|one| one == name));
            let inner = found.map(|row| (vertical[row], order.inner));
            variable.dimensions = names.clone();
            if let Some((name, inner)) = inner {
                let position =
                    if inner == 1 { names.len() } else { names.iter().take_while(|one| **one == "time").count() };
                variable.dimensions.insert(position, name);
                variable.values = order.of(&variable.values);
            }
        }
        file
    };
    let places: Vec<f64> = (0..COLUMNS).map(|c| -80.0 + 10.0 * c as f64).collect();
    let profiles = relaid(BEHIND, &[("profile", COLUMNS)], ["nlay", "nlev"]);
    let profiles = profiles.with("lat", &["profile"], "degrees_north", &places).says(&["standard_name=latitude"]);
    let out = is_read(&profiles, BEHIND, &world.own(), [&[], &[]]);
    assert_eq!(names(&out, "tendency_theta"), ["profile", "nlay"]);
    assert_eq!(names(&out, "boundary_layer_height"), ["profile"]);
    assert_eq!(out.all("lat"), places);
    assert_eq!(out.attribute("lat", "standard_name").as_deref(), Some("latitude"));
    assert_eq!(out.attribute("tendency_u", "coordinates").as_deref(), Some("lat"));
    // The times of each column together, and one time.
    let times = [0.0, 6.0];
    let columns = relaid(BEHIND, &[("column", COLUMNS / TIMES), ("time", TIMES)], ["layer", "level"]);
    let columns = columns.with("time", &["time"], "hours since 2020-06-21", &times);
    let out = is_read(&columns, BEHIND, &world.own(), [&[], &[]]);
    assert_eq!(names(&out, "tendency_theta"), ["column", "time", "layer"]);
    assert_eq!(out.all("time"), times);
    let order = Order { top_first: false, inner: COLUMNS };
    let once = relaid(order, &[("time", 1), ("columns", COLUMNS)], ["layer", "level"]);
    let once = once.with("time", &["time"], "hours since 2020-06-21", &times[..1]);
    let out = is_read(&once, order, &world.own(), [&[], &[]]);
    assert_eq!(names(&out, "tendency_theta"), ["time", "layer", "columns"]);
    assert_eq!(names(&out, "status"), ["time", "columns"]);
    assert_eq!(out.attribute("time", "units").as_deref(), Some("hours since 2020-06-21"));
}

/// What a variable says of itself counts more than its name: ratios are converted by it, potential temperature is that,
/// and what is something else is not read.
#[test]
fn a_standard_name_counts_more_than_a_name() {
    const SAYS: [&str; 3] = ["specific_humidity", "humidity_mixing_ratio", "relative_humidity"];
    let levels = by_coefficients(&hybrid(LAYERS), &ground());
    let world = World::new(levels.clone(), means(&levels));
    let own = world.own();
    let order = Order { top_first: false, inner: COLUMNS };
    let called = |ours: &str, name: &'static str, standard_name: &'static str, values: &[f64]| {
        let mut file = own.clone();
        let variable = file.variable(ours);
        (variable.name, variable.values) = (name, values.to_vec());
        variable.attributes.push(("standard_name", standard_name));
        file
    };
    for name in ["q", "qv", "specific_humidity"] {
        for (says, values) in SAYS.into_iter().zip([world.humidity.clone(), world.vapour()]) {
            is_read(&called("qv", name, says, &values), order, &own, [&[], &[]]);
        }
    }
    for name in ["q", "qv"] {
        let file = called("qv", name, SAYS[2], &world.vapour());
        let says = format!("{name} has standard_name \"relative_humidity\"");
        Case::of("pbl", &file.bytes()).refused(&["--dt", "60"], &["vapour", &says]);
        // Another variable is what is looked for, or the user says that this one is.
        let beside = file.clone().with("moist", &["layer", "column"], "kg kg-1", &world.humidity);
        is_read(&beside.says(&["standard_name=specific_humidity"]), order, &own, [&[], &[]]);
        is_read(&file, order, &own, [&["--name", &format!("vapour={name}")], &[]]);
        let mut share = own.clone();
        (share.variable("qv").units, share.variable("qv").name) = (Some("%"), name);
        let says = format!("{name} has units \"%\"");
        Case::of("pbl", &share.bytes()).refused(&["--dt", "60"], &["vapour", &says]);
    }
    let exner = world.pressure.iter().map(|p| Real::powf(p / 1e5, 2.0 / 7.0));
    let theta: Vec<f64> = world.temperature.iter().zip(exner).map(|(t, exner)| t / exner).collect();
    let named = called("t", "theta", "air_potential_temperature", &theta);
    is_read(&called("t", "t", "air_potential_temperature", &theta), order, &named, [&[], &[]]);
    let wet = called("t", "t", "wet_bulb_temperature", &world.temperature);
    let says = "t has standard_name \"wet_bulb_temperature\"";
    Case::of("pbl", &wet.bytes()).refused(&["--dt", "60"], &["temperature(", "is missing", says]);
}

/// Where fluxes are missing the message names the way out; the surface layer is that of the own layout.
#[test]
fn a_surface_layer_is_computed_where_fluxes_are_missing() {
    let (mut file, mut world) = cam();
    file.variables.retain(|variable| !["SHFLX", "QFLX"].contains(&variable.name));
    let given = ["--value", "roughness=0.25", "--value", "moisture_availability=0.4"];
    let refused = ["sensible_heat_flux", "moisture_flux", "--surface revised-mm5"];
    Case::of("pbl", &file.bytes()).refused(&["--dt", "60", "--value", "roughness=0.25"], &refused);
    world.roughness = vec![0.25; COLUMNS];
    let column = &["column"];
    let own = world.air().with("mavail", column, "1", &[0.4; COLUMNS]);
    let own = own.with("tsk", column, "K", &world.surface_temperature);
    let out = is_read(&file, TOP_FIRST, &own, [&given, &["--surface", "revised-mm5"]]);
    assert_eq!(names(&out, "friction_velocity"), ["time", "lat", "lon"]);
    let computed = ["--dt", "60", "--surface", "revised-mm5"];
    let words = ["roughness (znt) is missing, which land needs", "--value roughness="];
    Case::of("pbl", &file.bytes()).refused(&[&computed[..], &given[2..]].concat(), &words);
    let words = ["moisture_availability (mavail) is missing", "--value moisture_availability="];
    Case::of("pbl", &file.bytes()).refused(&[&computed[..], &given[..2]].concat(), &words);
    // Water needs neither.
    file.variable("LANDFRAC").values = vec![0.0; COLUMNS];
    let sea = results(&Case::of("pbl", &file.bytes()), &["--surface", "revised-mm5"]);
    assert!(sea.all("roughness").iter().all(|roughness| (1e-6..1e-2).contains(roughness)));
}

/// 137 levels by ECMWF's coefficients, levels in one file and the surface in another, fluxes that count downward.
#[test]
fn era5_on_model_levels() {
    let logarithm: Vec<f64> = ground().iter().map(|&p| Real::ln(p)).collect();
    let (field, column) = (&["time", "hybrid", "latitude", "longitude"], &["time", "latitude", "longitude"]);
    let empty =
        || grid(["time", "latitude", "longitude"], "hours since 1900-01-01 00:00:00.0", &[1_056_030.0, 1_056_036.0]);
    let numbers: Vec<f64> = (1..=137).map(f64::from).collect();
    let files = |world: &World| {
        let of = |values: &[f64]| TOP_FIRST.of(values);
        let mut levels = empty();
        levels.dimensions.push(("hybrid", 137));
        let levels = levels
            .with("hybrid", &["hybrid"], "1", &numbers)
            .says(&["positive=down", "standard_name=hybrid_height"])
            .with("u", field, "m s**-1", &of(&world.u))
            .with("v", field, "m s**-1", &of(&world.v))
            .with("t", field, "K", &of(&world.temperature))
            .with("q", field, "kg kg**-1", &of(&world.humidity))
            .with("clwc", field, "kg kg**-1", &of(&world.liquid))
            .with("ciwc", field, "kg kg**-1", &of(&world.ice));
        let negative = |values: &[f64]| values.iter().map(|value| -value).collect::<Vec<f64>>();
        let surface = empty()
            .with("lnsp", column, "~", &logarithm)
            .with("lsm", column, "(0 - 1)", &world.land)
            .with("fsr", column, "m", &world.roughness)
            .with("ishf", column, "W m**-2", &negative(&world.heat))
            .with("ie", column, "kg m**-2 s**-1", &negative(&world.moisture))
            .with("sshf", column, "J m**-2", &negative(&world.heat))
            .says(&["standard_name=surface_upward_sensible_heat_flux"])
            .with("blh", column, "m", &world.height)
            .with("skt", column, "K", &world.surface_temperature);
        [levels, surface]
    };
    let folder = tempfile::tempdir().unwrap();
    let paths: [PathBuf; 2] = ["levels.nc", "surface.nc"].map(|name| folder.path().join(name));
    let write = |world: &World| {
        for (path, file) in paths.iter().zip(files(world)) {
            fs::write(path, file.bytes()).unwrap();
        }
    };
    // Pressures as the reader has them, which the test of the coefficients compares with ECMWF's list.
    write(&World::new(vec![1e5; 138 * COLUMNS], vec![1e5; 137 * COLUMNS]));
    let read = read_boundary_layer_files(&paths, &isobar_ysu::Options::new(60.0), &Default::default()).unwrap();
    let (levels, layers) = (read.air.columns.interface_pressure_pa, read.air.columns.pressure_pa);
    let surface: Vec<f64> = logarithm.iter().map(|&x| Real::exp(x)).collect();
    assert_eq!((&levels[..COLUMNS], &layers[..]), (&surface[..], &means(&levels)[..]));
    assert!((levels[37 * COLUMNS] - 15_596.695_313 - 0.438_391_208_6 * surface[0]).abs() < 1e-9);
    assert_eq!(levels[137 * COLUMNS..], [0.0; COLUMNS]);
    let world = World::new(levels, layers);
    write(&world);
    let run = |files: &[PathBuf]| {
        let words = |text: &str| PathBuf::from(text);
        let mut all = vec![words("pbl")];
        all.extend(files.iter().cloned());
        all.extend(["--dt", "60", "--device", "cpu", "--quiet", "-o"].map(words));
        all.push(folder.path().join("out.nc"));
        isobar(&all)
    };
    let output = run(&paths);
    assert!(output.status.success(), "{}", said(&output));
    let found = Numbers::open(&folder.path().join("out.nc"));
    let expected = results(&Case::of("pbl", &world.own().bytes()), &[]);
    are_the_same(&found, &expected, TOP_FIRST);
    assert_eq!(names(&found, "tendency_u"), ["time", "hybrid", "latitude", "longitude"]);
    assert_eq!(found.attribute("hybrid", "positive").as_deref(), Some("down"));
    // Sums over time are no fluxes.
    let [_, mut surface] = files(&world);
    surface.variables.retain(|variable| variable.name != "ishf");
    fs::write(&paths[1], surface.bytes()).unwrap();
    let output = run(&paths);
    let text = said(&output);
    assert!(text.contains("sshf in \"J m**-2\" is a sum over time") && text.contains("--surface"), "{text}");
}

/// Sums over time are means times the interval that bounds of the time or the caller say, and an error without.
#[test]
fn sums_over_time_are_divided_by_their_interval() {
    let column = &["time", "lat", "lon"];
    let (mut file, mut world) = cam();
    world.roughness = vec![0.25; COLUMNS];
    let given: [&[&str]; 2] = [&["--value", "roughness=0.25"], &[]];
    file.variables.retain(|variable| !["SHFLX", "QFLX"].contains(&variable.name));
    file.dimensions.push(("nv", 2));
    let file = file.with("time_bnds", &["time", "nv"], "", &[-1.0, 0.0, 0.0, 6.0]);
    let over = |values: &[f64], per: f64| -> Vec<f64> {
        values.iter().enumerate().map(|(i, value)| -value * SECONDS[i / 6] * per).collect()
    };
    let upward = |sums: &[f64], per: f64, seconds: [f64; TIMES]| -> Vec<f64> {
        sums.iter().enumerate().map(|(i, sum)| -(sum / seconds[i / 6]) / per).collect()
    };
    let heat = over(&world.heat, 1.0);
    let unbounded = file.with("sshf", column, "J m**-2", &heat);
    let mut bounded = unbounded.clone();
    bounded.variable("time").attributes.push(("bounds", "time_bnds"));
    // Latent heat, or water: a metre of it has a thousand kilograms on each square metre.
    let latent = over(&world.moisture, LATENT_HEAT);
    let metres = over(&world.moisture, 1e-3);
    let millimetres: Vec<f64> = metres.iter().map(|sum| sum * 1000.0).collect();
    for (name, units, sums, per) in [
        ("slhf", "J m**-2", (&latent, &latent), LATENT_HEAT),
        ("e", "m of water equivalent", (&metres, &millimetres), 1.0),
    ] {
        let [bounded, unbounded] = [&bounded, &unbounded].map(|file| file.clone().with(name, column, units, sums.0));
        let own = |world: &World, seconds| {
            let (heat, moisture) = (upward(&heat, 1.0, seconds), upward(sums.1, per, seconds));
            World { heat, moisture, ..world.clone() }.own()
        };
        let case = Case::of("pbl", &bounded.bytes());
        results(&case, given[0]);
        let derived = isobar_io::netcdf::Dataset::open(&case.out()).unwrap().attribute("derived").unwrap();
        assert!(derived.contains("sensible_heat_flux = -sshf / 3600 to 21600 s, the bounds of its time"), "{derived}");
        is_read(&bounded, TOP_FIRST, &own(&world, SECONDS), given);
        let value = ["--value", "roughness=0.25", "--value", "accumulation_interval=1800"];
        is_read(&unbounded, TOP_FIRST, &own(&world, [1800.0; TIMES]), [&value, &[]]);
        is_read(&bounded, TOP_FIRST, &own(&world, [1800.0; TIMES]), [&value, &[]]);
        let sum = format!("{name} in {units:?} is a sum over time, and no moisture_flux");
        let words = ["sshf in \"J m**-2\" is a sum over time, and no sensible_heat_flux", &sum, "bounds of its time"];
        Case::of("pbl", &unbounded.bytes()).refused(&["--dt", "60", "--value", "roughness=0.25"], &words);
    }
}

/// The square of friction velocity is stress over density: of an ideal gas of the virtual temperature of moist air.
#[test]
fn friction_velocity_is_that_of_the_stress() {
    let column = &["time", "lat", "lon"];
    let (mut file, mut world) = cam();
    world.roughness = vec![0.25; COLUMNS];
    let given: [&[&str]; 2] = [&["--value", "roughness=0.25"], &[]];
    file.dimensions.push(("nv", 2));
    file.variable("time").attributes.push(("bounds", "time_bnds"));
    let file = file.with("time_bnds", &["time", "nv"], "", &[-1.0, 0.0, 0.0, 6.0]);
    let [east, north] = [[0.05, 0.02], [-0.1, 0.013]]
        .map(|[start, step]| (0..COLUMNS).map(|c| start + step * c as f64).collect::<Vec<f64>>());
    let vapour = world.vapour();
    let density = |c: usize| {
        let moist = 1.0 + isobar_ysu::constants::VIRTUAL * vapour[c];
        world.level_pressure[c] / (isobar_ysu::constants::GAS_CONSTANT * world.temperature[c] * moist)
    };
    assert!((0..COLUMNS).all(|c| (1.1..1.4).contains(&density(c))));
    let velocity = |stress: &dyn Fn(usize) -> f64| -> Vec<f64> {
        (0..COLUMNS).map(|c| Real::sqrt(stress(c) / density(c))).collect()
    };
    let magnitude = |[east, north]: [f64; 2]| Real::sqrt(east * east + north * north);
    let own = |stress: &dyn Fn(usize) -> f64| world.own().with("ust", &["column"], "m s-1", &velocity(stress));
    for names in [["iews", "inss"], ["metss", "mntss"], ["tauu", "tauv"], ["TAUX", "TAUY"]] {
        let file = file.clone().with(names[0], column, "N m**-2", &east).with(names[1], column, "Pa", &north);
        is_read(&file, TOP_FIRST, &own(&|c| magnitude([east[c], north[c]])), given);
    }
    let [east, north] = [east, north]
        .map(|stress| stress.iter().enumerate().map(|(c, stress)| stress * SECONDS[c / 6]).collect::<Vec<f64>>());
    let file = file.with("ewss", column, "N m**-2 s", &east).with("nsss", column, "N m**-2 s", &north);
    let means = |c: usize| [east[c], north[c]].map(|sum| sum / SECONDS[c / 6]);
    is_read(&file, TOP_FIRST, &own(&|c| magnitude(means(c))), given);
    // A velocity that is there wins.
    let both = file.with("zust", column, "m s**-1", &[0.3; COLUMNS]);
    let own = world.own().with("ust", &["column"], "m s-1", &[0.3; COLUMNS]);
    is_read(&both, TOP_FIRST, &own, given);
}

/// ECMWF's downward fluxes stay so under the standard names of upward ones, which its tools give them.
#[test]
fn names_of_downward_fluxes_come_before_standard_names() {
    let (file, mut world) = cam();
    world.roughness = vec![0.25; COLUMNS];
    let negative = |values: &[f64], factor: f64| values.iter().map(|value| -value * factor).collect::<Vec<_>>();
    let column = &["time", "lat", "lon"];
    let heats = ["ishf", "msshf", "sshf"];
    let waters = [("ie", "kg m**-2 s**-1", 1.0), ("mslhf", "W m**-2", 2.5e6), ("slhf", "W m**-2", 2.5e6)];
    for (heat, (water, units, factor)) in heats.into_iter().zip(waters) {
        let mut file = file.clone();
        file.variables.retain(|one| !["SHFLX", "QFLX"].contains(&one.name));
        let standard = if factor == 1.0 { "water_evapotranspiration_flux" } else { "surface_upward_latent_heat_flux" };
        let mut file = file
            .with(heat, column, "W m**-2", &negative(&world.heat, 1.0))
            .says(&["standard_name=surface_upward_sensible_heat_flux"])
            .with(water, column, units, &negative(&world.moisture, factor));
        file.variable(water).attributes.push(("standard_name", standard));
        // A sum with the same standard name beside it.
        if heat != "sshf" {
            file = file
                .with("sshf", column, "J m**-2", &negative(&world.heat, 3600.0))
                .says(&["standard_name=surface_upward_sensible_heat_flux"]);
        }
        let mut world = world.clone();
        world.moisture = file.variable(water).values.iter().map(|flux| -flux / factor).collect();
        is_read(&file, TOP_FIRST, &world.own(), [&["--value", "roughness=0.25"], &[]]);
        let case = Case::of("pbl", &file.bytes());
        results(&case, &["--value", "roughness=0.25"]);
        let derived = isobar_io::netcdf::Dataset::open(&case.out()).unwrap().attribute("derived").unwrap();
        let line = format!("sensible_heat_flux = -{heat}: it counts downward, though its standard_name is surface_up");
        assert!(derived.contains(&line), "{line} is not in {derived}");
    }
}

/// ICON's clouds are parts of the air's mass by their standard name, to a boundary layer as to radiation.
#[test]
fn contents_of_moist_air_are_those_by_their_standard_name() {
    let (file, mut world) = cam();
    world.roughness = vec![0.25; COLUMNS];
    for standard in [["specific_cloud_water_content", "specific_cloud_ice_content"], MASS_FRACTIONS] {
        let mut file = file.clone();
        for ((theirs, icon), standard) in [("CLDLIQ", "qc"), ("CLDICE", "qi")].into_iter().zip(standard) {
            let variable = file.variable(theirs);
            variable.name = icon;
            variable.attributes.push(("standard_name", standard));
        }
        is_read(&file, TOP_FIRST, &world.own(), [&["--value", "roughness=0.25"], &[]]);
    }
}

const MASS_FRACTIONS: [&str; 2] = ["mass_fraction_of_cloud_liquid_water_in_air", "mass_fraction_of_cloud_ice_in_air"];

/// Pressure levels are taken where none lies below the ground, and refused column by column elsewhere.
#[test]
fn pressure_levels_above_the_ground_alone() {
    let isobars = [950.0, 900.0, 850.0, 700.0, 500.0, 300.0, 200.0, 100.0].map(|hpa| 100.0 * hpa);
    let lid = |layer: usize| match isobars.get(layer + 1) {
        Some(above) => 0.5 * (isobars[layer] + above),
        None => 1.5 * isobars[layer] - 0.5 * isobars[layer - 1],
    };
    // All columns but the last stand above the lowest level.
    let mut surface: Vec<f64> = ground().iter().map(|p| p - 1000.0).collect();
    let levels: Vec<f64> =
        surface.iter().copied().chain((0..isobars.len()).flat_map(|layer| vec![lid(layer); COLUMNS])).collect();
    let middles: Vec<f64> = isobars.iter().flat_map(|&p| vec![p; COLUMNS]).collect();
    assert!(surface.iter().all(|&surface| surface < 101_000.0));
    surface.iter_mut().for_each(|surface| *surface = surface.max(96_000.0));
    let levels = [&surface[..], &levels[COLUMNS..]].concat();
    let world = World::new(levels, middles);
    let (field, column) = (&["time", "plev", "lat", "lon"], &["time", "lat", "lon"]);
    let mut file = grid(["time", "lat", "lon"], "days since 2020-06-21", &[0.25, 0.5]);
    file.dimensions.push(("plev", isobars.len()));
    let of = |values: &[f64]| BOTTOM_FIRST.of(values);
    let mut file = file
        .with("plev", &["plev"], "Pa", &isobars)
        .says(&["axis=Z", "positive=down", "standard_name=air_pressure"])
        .with("ps", column, "Pa", &surface)
        .with("ua", field, "m s-1", &of(&world.u))
        .says(&["standard_name=eastward_wind"])
        .with("va", field, "m s-1", &of(&world.v))
        .with("ta", field, "K", &of(&world.temperature))
        .with("hus", field, "1", &of(&world.humidity))
        .with("clw", field, "kg kg-1", &of(&world.liquid))
        .with("cli", field, "kg kg-1", &of(&world.ice))
        .with("sftlf", &["time", "lat", "lon"], "%", &world.land.iter().map(|x| 100.0 * x).collect::<Vec<_>>())
        .with("surface_roughness", column, "m", &world.roughness)
        .says(&["standard_name=surface_roughness_length"])
        .with("hfss", column, "W m-2", &world.heat)
        .with("evspsbl", column, "kg m-2 s-1", &world.moisture)
        .with("zmla", column, "m", &world.height);
    let out = is_read(&file, BOTTOM_FIRST, &world.own(), [&[], &[]]);
    let expected = out.all("tendency_theta");
    // By a name that levels around layers have elsewhere.
    let mut called = file.clone();
    let rename = |name: &mut &'static str| *name = if *name == "plev" { "lev" } else { name };
    called.dimensions.iter_mut().for_each(|(name, _)| rename(name));
    for variable in &mut called.variables {
        rename(&mut variable.name);
        variable.dimensions.iter_mut().for_each(rename);
    }
    let case = Case::of("pbl", &called.bytes());
    let output = case.command(&["--dt", "60"]);
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(Numbers::open(&case.out()).all("tendency_theta"), expected);
    // A mountain, below which the file has no air.
    file.variable("ps").values[7] = 92_000.0;
    for name in ["ua", "va", "ta", "hus"] {
        file.variable(name).values[6 * isobars.len() + 1] = 9.969_209_968_386_869e36;
    }
    let words = ["1 of 8 pressure levels lie below the ground at time 1, lat 0, lon 1", "model levels", "--keep-going"];
    Case::of("pbl", &file.bytes()).refused(&["--dt", "60"], &words);
    let case = Case::of("pbl", &file.bytes());
    let output = case.command(&["--dt", "60", "--keep-going"]);
    assert!(said(&output).contains("1 of 12 columns left out"), "{}", said(&output));
    let found = Numbers::open(&case.out());
    assert_eq!(found.all("status").iter().filter(|&&status| status != 0.0).count(), 1);
    for (i, (found, expected)) in found.all("tendency_theta").iter().zip(&expected).enumerate() {
        let is_out = i / (6 * isobars.len()) == 1 && i % 6 == 1;
        assert!(if is_out { *found > 9e36 } else { found == expected }, "{i}");
    }
}

/// Shin-Hong takes the Coriolis parameter of the file's latitudes.
#[test]
fn shin_hong_turns_with_the_earth() {
    let (file, mut world) = cam();
    world.roughness = vec![0.25; COLUMNS];
    let of = |c: usize| 2.0 * 7.292_115e-5 * Real::sin(LATITUDES[c / 3 % 2].to_radians());
    let coriolis: Vec<f64> = (0..COLUMNS).map(of).collect();
    let own = world.own().with("f", &["column"], "s-1", &coriolis);
    let options = ["--scheme", "shinhong", "--grid-distance", "3000"];
    let found = is_read(&file, TOP_FIRST, &own, [&["--value", "roughness=0.25"], &options]);
    // It limits the length of eddies.
    let lengths = |file: &Classic| results(&Case::of("pbl", &file.bytes()), &options).all("mixing_length");
    assert_eq!(found.all("mixing_length"), TOP_FIRST.of(&lengths(&own)));
    assert_ne!(lengths(&world.own()), lengths(&own));
    // South of the equator it counts as 0, which is said, or as much as in the north.
    let line = "the Coriolis parameter of 6 of 12 columns is negative, which Shin-Hong takes for 0";
    let magnitude = [&options[..], &["--coriolis-magnitude"]].concat();
    let cam = ["--value", "roughness=0.25", "--at-once", "6"];
    for (file, more) in [(&own, &[][..]), (&file, &cam[..])] {
        let output = Case::of("pbl", &file.bytes()).command(&[&["--dt", "60"], &options[..], more].concat());
        assert!(said(&output).contains(line), "{}", said(&output));
        let output = Case::of("pbl", &file.bytes()).command(&[&["--dt", "60"], &magnitude[..], more].concat());
        assert!(!said(&output).contains("Coriolis"), "{}", said(&output));
    }
    let with = |f: &dyn Fn(f64) -> f64| {
        world.own().with("f", &["column"], "s-1", &coriolis.iter().map(|&coriolis| f(coriolis)).collect::<Vec<_>>())
    };
    assert_eq!(lengths(&own), lengths(&with(&|f| f.max(0.0))));
    let taken = results(&Case::of("pbl", &own.bytes()), &magnitude).all("mixing_length");
    assert_eq!(taken, lengths(&with(&f64::abs)));
    assert_ne!(taken, lengths(&own));
    let refused = Case::of("pbl", &own.bytes()).command(&["--dt", "60", "--coriolis-magnitude"]);
    assert!(said(&refused).contains("--coriolis-magnitude is for --scheme shinhong"), "{}", said(&refused));
}

/// `isobar check` says all that is missing, and what is read as what.
#[test]
fn check_says_what_is_read() {
    let (file, _) = cam();
    let check = |more: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("in.nc");
        fs::write(&path, file.bytes()).unwrap();
        isobar(&[&["check", path.to_str().unwrap(), "--for", "pbl"], more].concat())
    };
    let output = check(&["--value", "roughness=0.25"]);
    let text = printed(&output);
    assert!(output.status.success(), "{}", said(&output));
    for line in [
        "12 columns (time 2, lat 2, lon 3), 12 layers from the top (lev, ilev)",
        "u                                U                            m s-1",
        "specific_humidity                Q",
        "sensible_heat_flux               SHFLX                        W m-2",
        "derived: vapour = Q / (1 - Q)",
        "derived: roughness = 0.25, as asked for",
        "derived: interface_pressure = hyai + hybi * surface pressure",
        "not read: U10",
    ] {
        assert!(text.contains(line), "{line:?} is not in {text}");
    }
    let output = check(&["--surface", "revised-mm5", "--value", "roughness=0.25"]);
    assert!(said(&output).contains("moisture_availability (mavail) is missing"), "{}", said(&output));
    let given = ["--surface", "revised-mm5", "--value", "roughness=0.25", "--value", "moisture_availability=1"];
    let text = printed(&check(&given));
    assert!(text.contains("surface_temperature              TS"), "{text}");
    let output = check(&["--gas", "co2=4e-4"]);
    assert!(output.status.code() == Some(2), "{}", said(&output));
}
