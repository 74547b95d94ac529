//! `isobar radiation` reads files as models and analyses write them, with the fluxes of the same columns in our own
//! layout, bit for bit.
//!
//! What a file does not have is computed here by the formulas that the reader's documentation says, in the same order
//! of operations.

use std::fs;

use isobar_core::Real;
use isobar_io::netcdf::Dataset;
use isobar_io::seconds_of_date;
use isobar_io::sun::Sun;
use isobar_radiation::constants::GRAVITY;

use crate::common::classic::{Case, Classic};
use crate::common::radiation_file::Numbers;
use crate::common::said;

pub(crate) const TIMES: usize = 2;
pub(crate) const LATITUDES: [f64; 2] = [-30.0, 52.5];
pub(crate) const LONGITUDES: [f64; 3] = [0.0, 100.0, 250.0];
pub(crate) const COLUMNS: usize = TIMES * 6;
const DATES: [&str; TIMES] = ["2020-06-21T06:00:00Z", "2020-06-21T12:00:00Z"];
pub(crate) const OPTIONS: [&str; 10] =
    ["--gas", "co2=4e-4", "--gas", "ch4=1.8e-6", "--gas", "n2o=3e-7", "--gas", "cfc11=0", "--gas", "cfc12=0"];

/// Columns, `[layer * COLUMNS + column]`, the surface first.
#[derive(Clone, Default)]
pub(crate) struct World {
    surface_pressure: Vec<f64>,
    level_pressure: Vec<f64>,
    pressure: Vec<f64>,
    temperature: Vec<f64>,
    humidity: Vec<f64>,
    ozone: Vec<f64>,
    cloud_fraction: Vec<f64>,
    liquid: Vec<f64>,
    ice: Vec<f64>,
    surface_temperature: Vec<f64>,
    albedo: Vec<f64>,
}

/// Pressures that a ground has.
pub(crate) fn ground() -> Vec<f64> {
    (0..COLUMNS).map(|column| 101_000.0 - 700.0 * column as f64).collect()
}

impl World {
    /// Air at these pressures.
    fn new(level_pressure: Vec<f64>, pressure: Vec<f64>) -> Self {
        let of = |f: &dyn Fn(f64, usize) -> f64| -> Vec<f64> {
            pressure.iter().enumerate().map(|(i, &p)| f(p, i % COLUMNS)).collect()
        };
        let cloudy = |p: f64, c: usize| if (6e4..9e4).contains(&p) && c != 3 { 0.4 } else { 0.0 };
        let icy = |p: f64, c: usize| if (2e4..5e4).contains(&p) && c != 5 { 0.25 } else { 0.0 };
        Self {
            surface_pressure: level_pressure[..COLUMNS].to_vec(),
            temperature: of(&|p, c| (215.0 + 75.0 * p / 1e5 + c as f64).min(300.0)),
            humidity: of(&|p, _| 2e-6 + 0.008 * (p / 1e5) * (p / 1e5)),
            ozone: of(&|p, _| 3e-8 + 5e-6 * Real::exp(-p / 3e3)),
            cloud_fraction: of(&|p, c| cloudy(p, c) + icy(p, c)),
            liquid: of(&|p, c| if cloudy(p, c) > 0.0 { 8e-5 } else { 0.0 }),
            ice: of(&|p, c| if icy(p, c) > 0.0 { 1e-5 } else { 0.0 }),
            surface_temperature: (0..COLUMNS).map(|c| 280.0 + 2.0 * c as f64).collect(),
            albedo: (0..COLUMNS).map(|c| 0.05 + 0.06 * c as f64).collect(),
            level_pressure,
            pressure,
        }
    }

    fn layers(&self) -> usize {
        self.pressure.len() / COLUMNS
    }

    /// The own layout; with effective radii of 10 and 30 um where there are clouds.
    fn own(&self, clouds: bool) -> Classic {
        let (layer, level, column) = (&["layer", "column"], &["level", "column"], &["column"]);
        let layers = self.layers();
        let mut file = Classic {
            dimensions: vec![("layer", layers), ("level", layers + 1), ("column", COLUMNS)],
            attributes: vec![("orientation", "bottom_first")],
            ..Classic::default()
        }
        .with("level_pressure", level, "Pa", &self.level_pressure)
        .with("pressure", layer, "Pa", &self.pressure)
        .with("temperature", layer, "K", &self.temperature)
        .with("specific_humidity", layer, "kg kg-1", &self.humidity)
        .with("o3", layer, "mol mol-1", &self.ozone)
        .with("surface_temperature", column, "K", &self.surface_temperature)
        .with("emissivity", &[], "1", &[1.0])
        .with("surface_albedo", column, "1", &self.albedo);
        let (mut cosines, mut distances) = (Vec::new(), Vec::new());
        for date in DATES {
            let sun = Sun::at(seconds_of_date(date).unwrap());
            for latitude in LATITUDES {
                for longitude in LONGITUDES {
                    cosines.push(sun.cosine_zenith(latitude, longitude));
                    distances.push(sun.distance_au);
                }
            }
        }
        assert!(cosines.iter().any(|&cosine| cosine > 0.5) && cosines.iter().any(|&cosine| cosine < 0.0));
        let irradiance: Vec<f64> = distances.iter().map(|d| table_irradiance() / (d * d)).collect();
        file = file.with("cosine_zenith", column, "1", &cosines);
        file = file.with("total_solar_irradiance", column, "W m-2", &irradiance);
        if !clouds {
            return file;
        }
        let path = |water: &[f64]| -> Vec<f64> {
            let one = |(i, water): (usize, &f64)| {
                let mass = (self.level_pressure[i] - self.level_pressure[i + COLUMNS]) / GRAVITY;
                let fraction = self.cloud_fraction[i];
                if fraction > 0.0 { 1e3 * water * mass / fraction } else { 0.0 }
            };
            water.iter().enumerate().map(one).collect()
        };
        file.with("cloud_fraction", layer, "1", &self.cloud_fraction)
            .with("liquid_water_path", layer, "g m-2", &path(&self.liquid))
            .with("ice_water_path", layer, "g m-2", &path(&self.ice))
            .with("liquid_radius", layer, "um", &vec![10.0; self.pressure.len()])
            .with("ice_radius", layer, "um", &vec![30.0; self.pressure.len()])
    }
}

/// What the sun of the repository's k-distribution has.
fn table_irradiance() -> f64 {
    let path = crate::common::data().join("radiation/ecckd-shortwave-32.nc");
    Numbers::open(&path).all("solar_irradiance").iter().sum()
}

/// How a file orders its rows.
#[derive(Clone, Copy)]
pub(crate) struct Order {
    pub(crate) top_first: bool,
    /// Columns behind a row: 6 of `(time, lev, lat, lon)`, 1 of `(Time, nCells, nVertLevels)`.
    pub(crate) inner: usize,
}

impl Order {
    pub(crate) fn of(self, values: &[f64]) -> Vec<f64> {
        let rows = values.len() / COLUMNS;
        let mut out = Vec::with_capacity(values.len());
        for outer in 0..COLUMNS / self.inner {
            for row in 0..rows {
                let row = if self.top_first { rows - 1 - row } else { row };
                out.extend((0..self.inner).map(|i| values[row * COLUMNS + outer * self.inner + i]));
            }
        }
        out
    }
}

pub(crate) fn fluxes(case: &Case, more: &[&str]) -> Numbers {
    let output = case.command(&[&OPTIONS[..], more].concat());
    assert!(output.status.success(), "{}", said(&output));
    Numbers::open(&case.out())
}

/// That a file has the fluxes of columns in the own layout, in its own order.
pub(crate) fn is_read(file: &Classic, order: Order, world: &World, clouds: bool) -> Numbers {
    let own = Case::of("radiation", &world.own(clouds).bytes());
    let model = Case::of("radiation", &file.bytes());
    let (expected, found) = (fluxes(&own, &[]), fluxes(&model, &[]));
    for name in ["longwave_upward_flux", "longwave_downward_flux", "longwave_heating_rate", "shortwave_direct_flux"] {
        assert_eq!(found.all(name), order.of(&expected.all(name)), "{name}");
    }
    for name in ["shortwave_upward_flux", "shortwave_downward_flux", "shortwave_heating_rate"] {
        assert_eq!(found.all(name), order.of(&expected.all(name)), "{name}");
    }
    if clouds {
        let clear = fluxes(&model, &["--no-clouds"]);
        assert_ne!(clear.all("longwave_upward_flux"), found.all("longwave_upward_flux"));
    }
    found
}

/// Dimensions of a grid and its coordinates.
pub(crate) fn grid(names: [&'static str; 3], since: &'static str, times: &[f64]) -> Classic {
    let [time, latitude, longitude] = names;
    Classic { dimensions: vec![(time, TIMES), (latitude, 2), (longitude, 3)], ..Classic::default() }
        .with(time, &[time], since, times)
        .says(&["standard_name=time"])
        .with(latitude, &[latitude], "degrees_north", &LATITUDES)
        .says(&["standard_name=latitude"])
        .with(longitude, &[longitude], "degrees_east", &LONGITUDES)
        .says(&["standard_name=longitude"])
}

/// Hybrid coefficients of levels \[Pa; 1\], the surface first.
pub(crate) fn hybrid(layers: usize) -> Vec<[f64; 2]> {
    let sigma = |level: usize| 1.0 - level as f64 / layers as f64;
    (0..=layers).map(|level| [6000.0 * sigma(level) * (1.0 - sigma(level)), sigma(level) * sigma(level)]).collect()
}

pub(crate) fn by_coefficients(coefficients: &[[f64; 2]], surface: &[f64]) -> Vec<f64> {
    coefficients.iter().flat_map(|[a, b]| surface.iter().map(move |surface| a + b * surface)).collect()
}

pub(crate) fn means(levels: &[f64]) -> Vec<f64> {
    levels.iter().zip(&levels[COLUMNS..]).map(|(below, above)| 0.5 * (below + above)).collect()
}

pub(crate) const LAYERS: usize = 12;
pub(crate) const TOP_FIRST: Order = Order { top_first: true, inner: 6 };
pub(crate) const BOTTOM_FIRST: Order = Order { top_first: false, inner: 6 };

fn split(coefficients: &[[f64; 2]], which: usize, scale: f64) -> Vec<f64> {
    coefficients.iter().rev().map(|pair| pair[which] / scale).collect()
}

/// CAM's pressures: hybrid coefficients of levels and layers, and the surface's.
pub(crate) fn with_cam_pressure(
    file: Classic,
    [levels, middles]: [&[[f64; 2]]; 2],
    column: &[&'static str],
    surface: &[f64],
) -> Classic {
    file.with("hyai", &["ilev"], "", &split(levels, 0, 1e5))
        .with("hybi", &["ilev"], "", &split(levels, 1, 1.0))
        .with("hyam", &["lev"], "", &split(middles, 0, 1e5))
        .with("hybm", &["lev"], "", &split(middles, 1, 1.0))
        .with("P0", &[], "Pa", &[1e5])
        .with("PS", column, "Pa", surface)
}

pub(crate) fn cam() -> (Classic, World) {
    let levels = hybrid(LAYERS);
    let middles: Vec<[f64; 2]> =
        levels.windows(2).map(|pair| [0.5 * (pair[0][0] + pair[1][0]), 0.5 * (pair[0][1] + pair[1][1])]).collect();
    // As the reader computes them: P0 times what the file has.
    let stored = |all: &[[f64; 2]]| -> Vec<[f64; 2]> { all.iter().map(|[a, b]| [1e5 * (a / 1e5), *b]).collect() };
    let surface = ground();
    let pressures = [stored(&levels), stored(&middles)].map(|all| by_coefficients(&all, &surface));
    let [level_pressure, pressure] = pressures;
    let world = World::new(level_pressure, pressure);
    let (field, column) = (&["time", "lev", "lat", "lon"], &["time", "lat", "lon"]);
    let mut file = grid(["time", "lat", "lon"], "hours since 2020-06-21 06:00:00", &[0.0, 6.0]);
    file.dimensions.extend([("lev", LAYERS), ("ilev", LAYERS + 1)]);
    let of = |values: &[f64]| TOP_FIRST.of(values);
    let down: Vec<f64> = vec![400.0; COLUMNS];
    let net: Vec<f64> = world.albedo.iter().map(|albedo| 400.0 - 400.0 * albedo).collect();
    let world = World {
        albedo: down.iter().zip(&net).map(|(down, net)| ((down - net) / down).clamp(0.0, 1.0)).collect(),
        ..world
    };
    let file = with_cam_pressure(file, [&levels, &middles], column, &surface)
        .with("T", field, "K", &of(&world.temperature))
        .with("Q", field, "kg/kg", &of(&world.humidity))
        .with("O3", field, "mol/mol", &of(&world.ozone))
        .with("CLOUD", field, "fraction", &of(&world.cloud_fraction))
        .with("CLDLIQ", field, "kg/kg", &of(&world.liquid))
        .with("CLDICE", field, "kg/kg", &of(&world.ice))
        .with("REL", field, "um", &vec![10.0; world.pressure.len()])
        .with("REI", field, "um", &vec![30.0; world.pressure.len()])
        .with("TS", column, "K", &world.surface_temperature)
        .with("FSDS", column, "W/m2", &down)
        .with("FSNS", column, "W/m2", &net);
    (file, world)
}

#[test]
fn cam_and_its_hybrid_levels() {
    let (file, world) = cam();
    let out = is_read(&file, TOP_FIRST, &world, true);
    let names: Vec<String> = out.shape("longwave_upward_flux").into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["time", "ilev", "lat", "lon"]);
    assert_eq!(out.all("lat"), LATITUDES);
    assert_eq!(out.attribute("time", "units").as_deref(), Some("hours since 2020-06-21 06:00:00"));
}

/// The same date in each calendar: of 360 days it is another part of the year, and other fluxes.
#[test]
fn calendars_have_their_own_days() {
    let (file, world) = cam();
    for (calendar, units, days) in [
        ("calendar=noleap", "days since 2020-01-01", 171.25),
        ("calendar=standard", "days since 2020-01-01", 172.25),
        ("calendar=proleptic_gregorian", "days since 2020-01-01", 172.25),
        ("calendar=julian", "days since 2020-06-08 06:00", 0.0),
    ] {
        let mut file = file.clone();
        let time = file.variable("time");
        (time.units, time.values) = (Some(units), vec![days, days + 0.25]);
        time.attributes.push(calendar.split_once('=').unwrap());
        is_read(&file, TOP_FIRST, &world, true);
    }
    let mut other = file.clone();
    other.variable("time").attributes.push(("calendar", "lunar"));
    Case::of("radiation", &other.bytes()).refused(&OPTIONS, &["time has calendar \"lunar\"", "noleap"]);
}

fn cmip6() -> (Classic, World) {
    let levels = hybrid(LAYERS);
    let middles: Vec<[f64; 2]> =
        levels.windows(2).map(|pair| [0.5 * (pair[0][0] + pair[1][0]), 0.5 * (pair[0][1] + pair[1][1])]).collect();
    let surface = ground();
    let world = World::new(by_coefficients(&levels, &surface), by_coefficients(&middles, &surface));
    let (field, column) = (&["time", "lev", "lat", "lon"], &["time", "lat", "lon"]);
    let mut file = grid(["time", "lat", "lon"], "days since 2020-06-21", &[0.25, 0.5]);
    file.dimensions.extend([("lev", LAYERS), ("bnds", 2)]);
    let bounds = |which: usize| -> Vec<f64> { levels.windows(2).flat_map(|p| [p[0][which], p[1][which]]).collect() };
    let one = |which: usize| -> Vec<f64> { middles.iter().map(|pair| pair[which]).collect() };
    let of = |values: &[f64]| BOTTOM_FIRST.of(values);
    let percent: Vec<f64> = world.cloud_fraction.iter().map(|x| 100.0 * x).collect();
    let world = World { cloud_fraction: percent.iter().map(|x| x / 100.0).collect(), ..world };
    let file = file
        .with("lev", &["lev"], "1", &(0..LAYERS).map(|k| 1.0 - k as f64 / 20.0).collect::<Vec<_>>())
        .says(&[
            "axis=Z",
            "positive=down",
            "standard_name=atmosphere_hybrid_sigma_pressure_coordinate",
            "formula_terms=ap: ap b: b ps: ps",
        ])
        .with("ap", &["lev"], "Pa", &one(0))
        .with("b", &["lev"], "1", &one(1))
        .with("ap_bnds", &["lev", "bnds"], "Pa", &bounds(0))
        .with("b_bnds", &["lev", "bnds"], "1", &bounds(1))
        .with("ps", column, "Pa", &surface)
        .says(&["standard_name=surface_air_pressure"])
        .with("ta", field, "K", &of(&world.temperature))
        .says(&["standard_name=air_temperature"])
        .with("hus", field, "1", &of(&world.humidity))
        .says(&["standard_name=specific_humidity"])
        .with("o3", field, "mol mol-1", &of(&world.ozone))
        .with("cl", field, "%", &of(&percent))
        .with("clw", field, "kg kg-1", &of(&world.liquid))
        .with("cli", field, "kg kg-1", &of(&world.ice))
        .with("liquid_radius", field, "um", &vec![10.0; world.pressure.len()])
        .with("ice_radius", field, "um", &vec![30.0; world.pressure.len()])
        .with("ts", column, "K", &world.surface_temperature)
        .with("surface_albedo", column, "1", &world.albedo);
    (file, world)
}

#[test]
fn cmip6_and_its_bounds() {
    let (file, world) = cmip6();
    let out = is_read(&file, BOTTOM_FIRST, &world, true);
    assert_eq!(out.attribute("lev", "formula_terms").as_deref(), Some("ap: ap b: b ps: ps"));
    assert_eq!(out.all("ap").len(), LAYERS);
    // Upside down, with the bounds of each layer as they are, as tools turn files.
    let mut turned = file.clone();
    for variable in turned.variables.iter_mut().filter(|variable| variable.dimensions.contains(&"lev")) {
        let place = variable.dimensions.iter().position(|name| *name == "lev").unwrap();
        let size = |name: &&str| file.dimensions.iter().find(|(known, _)| known == name).unwrap().1;
        let run: usize = variable.dimensions[place + 1..].iter().map(size).product();
        let layers = |block: &[f64]| block.chunks(run).rev().flatten().copied().collect::<Vec<f64>>();
        variable.values = variable.values.chunks(run * LAYERS).flat_map(layers).collect();
    }
    is_read(&turned, TOP_FIRST, &world, true);
    // Bounds without a unit have that of what they bound.
    let mut file = file;
    file.variable("ap_bnds").units = None;
    is_read(&file, BOTTOM_FIRST, &world, true);
}

/// 137 levels by ECMWF's coefficients and the logarithm of the ground's pressure, which the file has.
#[test]
fn era5_on_model_levels() {
    let logarithm: Vec<f64> = ground().iter().map(|&p| Real::ln(p)).collect();
    let surface: Vec<f64> = logarithm.iter().map(|&x| Real::exp(x)).collect();
    let a_of_level_100 = 15_596.695_313;
    let (field, column) = (&["time", "hybrid", "latitude", "longitude"], &["time", "latitude", "longitude"]);
    let mut file =
        grid(["time", "latitude", "longitude"], "hours since 1900-01-01 00:00:00.0", &[1_056_030.0, 1_056_036.0]);
    file.dimensions.push(("hybrid", 137));
    let numbers: Vec<f64> = (1..=137).map(f64::from).collect();
    // Pressures as the output says them, which the test of the coefficients compares with ECMWF's list.
    let base = file.with("hybrid", &["hybrid"], "1", &numbers).with("lnsp", column, "~", &logarithm);
    let with = |world: &World| {
        let of = |values: &[f64]| TOP_FIRST.of(values);
        let mass: Vec<f64> = world.ozone.iter().map(|x| x * 1e-3).collect();
        base.clone()
            .with("t", field, "K", &of(&world.temperature))
            .with("q", field, "kg kg**-1", &of(&world.humidity))
            .with("o3", field, "kg kg**-1", &of(&mass))
            .says(&["standard_name=mass_fraction_of_ozone_in_air"])
            .with("skt", column, "K", &world.surface_temperature)
            .with("fal", column, "(0 - 1)", &world.albedo)
    };
    let flat = World::new(vec![1e5; 138 * COLUMNS], vec![1e5; 137 * COLUMNS]);
    let first = fluxes(&Case::of("radiation", &with(&flat).bytes()), &[]);
    let back = |values: Vec<f64>| -> Vec<f64> {
        let rows = values.len() / COLUMNS;
        let at = |row: usize, c: usize| values[(c / 6 * rows + rows - 1 - row) * 6 + c % 6];
        (0..rows).flat_map(|row| (0..COLUMNS).map(move |c| at(row, c))).collect()
    };
    let (levels, layers) = (back(first.all("level_pressure")), back(first.all("pressure")));
    assert_eq!((&levels[..COLUMNS], &layers[..]), (&surface[..], &means(&levels)[..]));
    assert!((levels[37 * COLUMNS] - a_of_level_100 - 0.438_391_208_6 * surface[0]).abs() < 1e-9);
    let mut world = World::new(levels, layers);
    let file = with(&world);
    // The mass of ozone in moist air, as an amount relative to dry air: the reader's operations.
    let water: Vec<f64> = world.humidity.iter().map(|q| q / (1.0 - q) * (28.964 / 18.0153)).collect();
    for (i, ozone) in world.ozone.iter_mut().enumerate() {
        let wet = water[i] / (28.964 / 18.0153);
        *ozone = *ozone * 1e-3 * (28.964 / 47.9982) * (1.0 + wet);
    }
    let expected = fluxes(&Case::of("radiation", &world.own(false).bytes()), &[]);
    let found = fluxes(&Case::of("radiation", &file.bytes()), &[]);
    for name in ["longwave_upward_flux", "shortwave_downward_flux"] {
        let pairs = found.all(name).into_iter().zip(TOP_FIRST.of(&expected.all(name)));
        // Molar masses are known to six digits, and only ozone's counts with them: 1e-5 of what it absorbs.
        pairs.for_each(|(found, expected)| assert!((found - expected).abs() < 2e-3, "{name}: {found} {expected}"));
    }
}

/// Pressure levels, of which some lie below the ground: they are parts of the lowest layer above it.
#[test]
fn era5_on_pressure_levels() {
    let isobars = [1000.0, 950.0, 850.0, 700.0, 500.0, 300.0, 200.0, 100.0, 50.0, 10.0, 1.0].map(|hpa| 100.0 * hpa);
    let mut surface = ground();
    // A plateau above two levels, and a mountain above three.
    (surface[2], surface[7]) = (87_000.0, 72_000.0);
    let layers = isobars.len();
    let lid = |layer: usize| match isobars.get(layer + 1) {
        Some(above) => 0.5 * (isobars[layer] + above),
        None => (1.5 * isobars[layer] - 0.5 * isobars[layer - 1]).max(0.0),
    };
    let (mut levels, mut middles) = (vec![0.0; (layers + 1) * COLUMNS], vec![0.0; layers * COLUMNS]);
    let below: Vec<usize> = surface.iter().map(|p| isobars.iter().filter(|isobar| *isobar >= p).count()).collect();
    assert_eq!((below[2], below[7], below[0]), (2, 3, 0));
    for (c, &n) in below.iter().enumerate() {
        for level in 0..=layers {
            let part = level as f64 / (n + 1) as f64;
            levels[level * COLUMNS + c] = match level {
                0 => surface[c],
                level if level <= n => surface[c] - (surface[c] - lid(n)) * part,
                level => lid(level - 1),
            };
        }
        for layer in 0..layers {
            let mean = 0.5 * (levels[layer * COLUMNS + c] + levels[(layer + 1) * COLUMNS + c]);
            middles[layer * COLUMNS + c] = if n > 0 && layer <= n { mean } else { isobars[layer] };
        }
    }
    // Air by the isobars; below the ground the file has none, and the columns that of the layer above.
    let on_isobars: Vec<f64> = isobars.iter().flat_map(|&p| vec![p; COLUMNS]).collect();
    let mut world = World::new(levels.clone(), on_isobars);
    // What NetCDF fills unwritten values with.
    let missing = 9.969_209_968_386_869e36;
    let mut stored = world.clone();
    for fields in [&mut world, &mut stored] {
        let all = [&mut fields.temperature, &mut fields.humidity, &mut fields.ozone, &mut fields.cloud_fraction];
        for field in all.into_iter().chain([&mut fields.liquid, &mut fields.ice]) {
            for (c, &n) in below.iter().enumerate() {
                (0..n).for_each(|layer| field[layer * COLUMNS + c] = field[n * COLUMNS + c]);
            }
        }
    }
    // Parts of the lowest layer and levels have the temperatures of their pressures, as RTE has levels between layers.
    let of_file = world.temperature.clone();
    let temperature = |row: usize, c: usize, p: f64| {
        let upper = row.clamp(below[c] + 1, layers - 1);
        let [p0, p1] = [isobars[upper - 1], isobars[upper]];
        let [t0, t1] = [upper - 1, upper].map(|layer| of_file[layer * COLUMNS + c]);
        if row == layers || (row <= below[c] && p >= p0) {
            t0 + (p - p0) * ((t1 - t0) / (p1 - p0))
        } else {
            (p0 * t0 * (p - p1) + p1 * t1 * (p0 - p)) / (p * (p0 - p1))
        }
    };
    let of_rows = |pressures: &[f64]| -> Vec<f64> {
        pressures.iter().enumerate().map(|(i, &p)| temperature(i / COLUMNS, i % COLUMNS, p)).collect()
    };
    let (level_temperature, of_parts) = (of_rows(&levels), of_rows(&middles));
    for (c, &n) in below.iter().enumerate().filter(|(_, n)| **n > 0) {
        (0..=n).for_each(|layer| world.temperature[layer * COLUMNS + c] = of_parts[layer * COLUMNS + c]);
    }
    world.pressure = middles;
    for field in [&mut stored.temperature, &mut stored.humidity, &mut stored.cloud_fraction, &mut stored.liquid] {
        for (c, &n) in below.iter().enumerate() {
            (0..n).for_each(|layer| field[layer * COLUMNS + c] = missing);
        }
    }
    let names = ["valid_time", "pressure_level", "latitude", "longitude"];
    let (field, column) = (&names, &["valid_time", "latitude", "longitude"]);
    let mut file =
        grid(["valid_time", "latitude", "longitude"], "seconds since 1970-01-01", &[1_592_719_200.0, 1_592_740_800.0]);
    file.dimensions.push(("pressure_level", layers));
    let of = |values: &[f64]| BOTTOM_FIRST.of(values);
    let file = file
        .with("pressure_level", &["pressure_level"], "hPa", &isobars.map(|p| p / 100.0))
        .says(&["standard_name=air_pressure", "positive=down"])
        .with("t", field, "K", &of(&stored.temperature))
        .with("q", field, "kg kg**-1", &of(&stored.humidity))
        .with("o3", field, "mol mol**-1", &of(&world.ozone))
        .with("cc", field, "(0 - 1)", &of(&stored.cloud_fraction))
        .with("clwc", field, "kg kg**-1", &of(&stored.liquid))
        .with("ciwc", field, "kg kg**-1", &of(&world.ice))
        .with("liquid_radius", field, "um", &vec![10.0; world.pressure.len()])
        .with("ice_radius", field, "um", &vec![30.0; world.pressure.len()])
        .with("sp", column, "Pa", &surface)
        .with("skt", column, "K", &world.surface_temperature)
        .with("fal", column, "(0 - 1)", &world.albedo);
    let model = fluxes(&Case::of("radiation", &file.bytes()), &[]);
    let own = world.own(true).with("level_temperature", &["level", "column"], "K", &level_temperature);
    let own = fluxes(&Case::of("radiation", &own.bytes()), &[]);
    for name in ["longwave_upward_flux", "shortwave_downward_flux", "longwave_heating_rate"] {
        let (found, expected) = (model.all(name), own.all(name));
        let rows = found.len() / COLUMNS;
        let on_levels = rows == layers + 1;
        for (c, &n) in below.iter().enumerate() {
            let found = |row: usize| found[(c / 6 * rows + row) * 6 + c % 6];
            let expected = |row: usize| expected[row * COLUMNS + c];
            for row in 0..rows {
                if row < n {
                    assert!(found(row) > 9e36, "{name} {c} {row}: {}", found(row));
                } else if row > n || n == 0 {
                    assert_eq!(found(row), expected(row), "{name} {c} {row}");
                } else if on_levels {
                    // The ground's is that of the lowest level above it.
                    assert_eq!(found(row), expected(0), "{name} {c} {row}");
                } else {
                    let mean = (0..=n).map(expected).sum::<f64>() / (n + 1) as f64;
                    assert!((found(row) - mean).abs() < 1e-12 * mean.abs(), "{name} {c}");
                }
            }
        }
    }
}

/// Cells by their number, with the pressures of both.
pub(crate) fn icon() -> (Classic, World) {
    let levels = by_coefficients(&hybrid(LAYERS), &ground());
    let world = World::new(levels.clone(), means(&levels));
    let (field, column) = (&["time", "height", "ncells"], &["time", "ncells"]);
    let places = |values: &dyn Fn(usize) -> f64| (0..6).map(values).collect::<Vec<f64>>();
    let of = |values: &[f64]| TOP_FIRST.of(values);
    let file = Classic {
        dimensions: vec![("time", TIMES), ("height", LAYERS), ("height_2", LAYERS + 1), ("ncells", 6)],
        ..Classic::default()
    }
    .with("time", &["time"], "minutes since 2020-06-21", &[360.0, 720.0])
    .with("clat", &["ncells"], "degrees_north", &places(&|i| LATITUDES[i / 3]))
    .says(&["standard_name=latitude"])
    .with("clon", &["ncells"], "degrees_east", &places(&|i| LONGITUDES[i % 3]))
    .says(&["standard_name=longitude"])
    .with("pres", field, "Pa", &of(&world.pressure))
    .says(&["standard_name=air_pressure"])
    .with("pres_ifc", &["time", "height_2", "ncells"], "Pa", &of(&world.level_pressure))
    .says(&["standard_name=air_pressure"])
    .with("temp", field, "K", &of(&world.temperature))
    .with("qv", field, "kg kg-1", &of(&world.humidity))
    .says(&["standard_name=specific_humidity"])
    .with("o3", field, "mol mol-1", &of(&world.ozone))
    .with("clc", field, "1", &of(&world.cloud_fraction))
    .with("qc", field, "kg kg-1", &of(&world.liquid))
    .says(&["standard_name=mass_fraction_of_cloud_liquid_water_in_air"])
    .with("qi", field, "kg kg-1", &of(&world.ice))
    .says(&["standard_name=mass_fraction_of_cloud_ice_in_air"])
    .with("reff_qc", field, "um", &vec![10.0; world.pressure.len()])
    .with("reff_qi", field, "um", &vec![30.0; world.pressure.len()])
    .with("t_g", column, "K", &world.surface_temperature)
    .with("albedo", column, "1", &world.albedo);
    (file, world)
}

/// A humidity that `qv` does not say is of moist air.
#[test]
fn icon_and_its_cells() {
    let (mut file, world) = icon();
    let out = is_read(&file, TOP_FIRST, &world, true);
    assert_eq!(out.attribute("longwave_upward_flux", "coordinates").as_deref(), Some("clat clon"));
    // Numbers of levels go by the standard name of height, and count from the top.
    let numbers = |size: usize| (1..=size).map(|number| number as f64).collect::<Vec<_>>();
    let says = ["standard_name=height", "long_name=generalized_height", "axis=Z"];
    let counted = file.clone().with("height", &["height"], "", &numbers(LAYERS)).says(&says);
    let counted = counted.with("height_2", &["height_2"], "", &numbers(LAYERS + 1)).says(&says);
    is_read(&counted, TOP_FIRST, &world, true);
    // Dates as numbers, and radii by their standard names.
    let mut said = file.clone();
    said.variable("time").units = Some("day as %Y%m%d.%f");
    said.variable("time").values = vec![20_200_621.25, 20_200_621.5];
    for (name, other, standard_name) in [
        ("reff_qc", "drops", "effective_radius_of_cloud_liquid_water_particles"),
        ("reff_qi", "crystals", "effective_radius_of_cloud_ice_particles"),
    ] {
        let variable = said.variable(name);
        (variable.name, variable.attributes) = (other, vec![("standard_name", standard_name)]);
    }
    is_read(&said, TOP_FIRST, &world, true);
    // Water without a standard name is that of a mass of dry air, as MPAS's, which is said.
    said.variable("qc").attributes.clear();
    let case = Case::of("radiation", &said.bytes());
    fluxes(&case, &[]);
    let derived = Dataset::open(&case.out()).unwrap().attribute("derived").unwrap();
    assert!(derived.contains("qc: a mass in a mass of dry air, as no standard_name says otherwise"), "{derived}");
    assert!(!derived.contains("qi: a mass"), "{derived}");
    // A mixing ratio is another humidity.
    file.variable("qv").attributes.clear();
    let other = fluxes(&Case::of("radiation", &file.bytes()), &[]);
    assert_ne!(other.all("longwave_upward_flux"), out.all("longwave_upward_flux"));
}

/// Levels behind the cells, potential temperature, and pressure in two parts.
#[test]
fn mpas_and_its_potential_temperature() {
    const CELLS: Order = Order { top_first: false, inner: 1 };
    let levels = by_coefficients(&hybrid(LAYERS), &ground());
    let middles = means(&levels);
    let heights: Vec<f64> =
        (0..=LAYERS).flat_map(|k| (0..6).map(move |i| 1100.0 * k as f64 + 10.0 * i as f64)).collect();
    let height = |k: usize, c: usize| heights[k * 6 + c % 6];
    let [base, perturbation] = [0.75, 0.25].map(|part| middles.iter().map(|p| part * p).collect::<Vec<f64>>());
    let pressure: Vec<f64> = base.iter().zip(&perturbation).map(|(a, b)| a + b).collect();
    let exner: Vec<f64> = pressure.iter().map(|p| Real::powf(p / 1e5, 2.0 / 7.0)).collect();
    let first = World::new(levels.clone(), pressure.clone());
    let theta: Vec<f64> = first.temperature.iter().zip(&exner).map(|(t, exner)| t / exner).collect();
    let temperature: Vec<f64> = theta.iter().zip(&exner).map(|(theta, exner)| theta * exner).collect();
    // Linear in height between layers; at the top in the logarithm of pressure.
    let middle = |k: usize, c: usize| 0.5 * (height(k, c) + height(k + 1, c));
    let between = |values: &[f64], k: usize, c: usize| {
        let share = (height(k, c) - middle(k - 1, c)) / (middle(k, c) - middle(k - 1, c));
        share * values[k * COLUMNS + c] + (1.0 - share) * values[(k - 1) * COLUMNS + c]
    };
    let (mut level_pressure, mut level_temperature) = (first.surface_pressure.clone(), Vec::new());
    for c in 0..COLUMNS {
        let share = (height(0, c) - middle(0, c)) / (middle(1, c) - middle(0, c));
        level_temperature.push(share * temperature[COLUMNS + c] + (1.0 - share) * temperature[c]);
    }
    for k in 1..LAYERS {
        level_pressure.extend((0..COLUMNS).map(|c| between(&pressure, k, c)));
        level_temperature.extend((0..COLUMNS).map(|c| between(&temperature, k, c)));
    }
    for c in 0..COLUMNS {
        let (above, below) = ((LAYERS - 1) * COLUMNS + c, (LAYERS - 2) * COLUMNS + c);
        let share = (height(LAYERS, c) - middle(LAYERS - 2, c)) / (middle(LAYERS - 1, c) - middle(LAYERS - 2, c));
        let (p, q) = (Real::ln(pressure[above]), Real::ln(pressure[below]));
        level_pressure.push(Real::exp(share * p + (1.0 - share) * q));
        level_temperature.push(share * temperature[above] + (1.0 - share) * temperature[below]);
    }
    let mut world = World::new(level_pressure, pressure);
    world.temperature = temperature;
    let (field, column) = (&["Time", "nCells", "nVertLevels"], &["Time", "nCells"]);
    let places = |values: &dyn Fn(usize) -> f64| (0..6).map(values).collect::<Vec<f64>>();
    let of = |values: &[f64]| CELLS.of(values);
    let by_cell: Vec<f64> =
        (0..6).flat_map(|i| (0..=LAYERS).map(move |k| (k, i))).map(|(k, i)| heights[k * 6 + i]).collect();
    let file = Classic {
        dimensions: vec![("Time", TIMES), ("nCells", 6), ("nVertLevels", LAYERS), ("nVertLevelsP1", LAYERS + 1)],
        ..Classic::default()
    }
    .with("time", &["Time"], "hours since 2020-06-21", &[6.0, 12.0])
    .with("latCell", &["nCells"], "degree", &places(&|i| LATITUDES[i / 3]))
    .with("lonCell", &["nCells"], "degree", &places(&|i| LONGITUDES[i % 3]))
    .with("zgrid", &["nCells", "nVertLevelsP1"], "m", &by_cell)
    .with("pressure_base", field, "Pa", &of(&base))
    .with("pressure_p", field, "Pa", &of(&perturbation))
    .with("theta", field, "K", &of(&theta))
    .with("specific_humidity", field, "kg kg^{-1}", &of(&world.humidity))
    .with("o3", field, "mol mol-1", &of(&world.ozone))
    .with("surface_pressure", column, "Pa", &world.surface_pressure)
    .with("skintemp", column, "K", &world.surface_temperature)
    .with("sfc_albedo", column, "unitless", &world.albedo);
    let own = world.own(false).with("level_temperature", &["level", "column"], "K", &level_temperature);
    let expected = fluxes(&Case::of("radiation", &own.bytes()), &[]);
    let found = fluxes(&Case::of("radiation", &file.bytes()), &[]);
    for name in ["longwave_upward_flux", "shortwave_downward_flux", "longwave_heating_rate"] {
        assert_eq!(found.all(name), CELLS.of(&expected.all(name)), "{name}");
    }
    let names: Vec<String> = found.shape("longwave_upward_flux").into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["Time", "nCells", "nVertLevelsP1"]);
}

/// CAM's spectral elements: columns by their number, and coefficients of CMIP5 with `p0`.
#[test]
fn columns_by_their_number() {
    let (mut file, world) = cam();
    file.dimensions.retain(|(name, _)| !["lat", "lon"].contains(name));
    file.dimensions.extend([("ncol", 6), ("bnds", 2)]);
    for variable in &mut file.variables {
        match variable.name {
            "lat" => variable.values = (0..6).map(|i| LATITUDES[i / 3]).collect(),
            "lon" => variable.values = (0..6).map(|i| LONGITUDES[i % 3]).collect(),
            _ => {}
        }
        let is_place = |name: &str| ["lat", "lon"].contains(&name);
        if variable.dimensions.iter().any(|name| is_place(name)) {
            variable.dimensions.retain(|name| !is_place(name));
            variable.dimensions.push("ncol");
        }
    }
    let out = is_read(&file, TOP_FIRST, &world, true);
    assert_eq!(out.attribute("longwave_upward_flux", "coordinates").as_deref(), Some("lat lon"));
    let bounds = |name: &str| -> Vec<f64> {
        let values = &file.variables.iter().find(|variable| variable.name == name).unwrap().values;
        values.windows(2).flat_map(|pair| [pair[0], pair[1]]).collect()
    };
    let both = [bounds("hyai"), bounds("hybi")];
    let mut file = file.with("a_bnds", &["lev", "bnds"], "1", &both[0]).with("b_bnds", &["lev", "bnds"], "1", &both[1]);
    file.variables.retain(|variable| !["hyai", "hybi"].contains(&variable.name));
    for (old, new) in [("hyam", "a"), ("hybm", "b"), ("P0", "p0")] {
        file.variable(old).name = new;
    }
    is_read(&file, TOP_FIRST, &world, true);
}

/// Pressures as coordinates, and as variables that have standard names for names.
#[test]
fn climlab_and_climt() {
    let levels: Vec<f64> = (0..=LAYERS).map(|k| 1000.0 - 1000.0 * k as f64 / LAYERS as f64).collect();
    let pascals = |hpa: &f64| hpa * 100.0;
    let of_all = |values: &[f64]| -> Vec<f64> { values.iter().flat_map(|&value| vec![value; COLUMNS]).collect() };
    let middles: Vec<f64> = levels.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
    let [level_pressure, pressure] =
        [&levels, &middles].map(|all| of_all(&all.iter().map(pascals).collect::<Vec<_>>()));
    let world = World::new(level_pressure, pressure);
    let top_first = |values: &[f64]| values.iter().rev().copied().collect::<Vec<f64>>();
    let of = |values: &[f64]| TOP_FIRST.of(values);
    let (field, column) = (&["time", "lev", "lat", "lon"], &["time", "lat", "lon"]);
    let mut climlab = grid(["time", "lat", "lon"], "hours since 2020-06-21 06:00:00", &[0.0, 6.0]);
    climlab.dimensions.extend([("lev", LAYERS), ("lev_bounds", LAYERS + 1)]);
    let climlab = climlab
        .with("lev", &["lev"], "mb", &top_first(&middles))
        .with("lev_bounds", &["lev_bounds"], "mb", &top_first(&levels))
        .with("Tatm", field, "K", &of(&world.temperature))
        .with("Ts", column, "K", &world.surface_temperature)
        .with("specific_humidity", field, "kg/kg", &of(&world.humidity))
        .with("o3", field, "mol/mol", &of(&world.ozone))
        .with("albedo", column, "1", &world.albedo);
    is_read(&climlab, TOP_FIRST, &world, false);

    let (field, level) = (&["time", "mid_levels", "lat", "lon"], &["time", "interface_levels", "lat", "lon"]);
    let of = |values: &[f64]| BOTTOM_FIRST.of(values);
    let mut climt = grid(["time", "lat", "lon"], "hours since 2020-06-21 06:00:00", &[0.0, 6.0]);
    climt.dimensions.extend([("mid_levels", LAYERS), ("interface_levels", LAYERS + 1)]);
    let climt = climt
        .with("air_pressure", field, "Pa", &of(&world.pressure))
        .with("air_pressure_on_interface_levels", level, "Pa", &of(&world.level_pressure))
        .with("air_temperature", field, "degK", &of(&world.temperature))
        .with("specific_humidity", field, "kg/kg", &of(&world.humidity))
        .with("mole_fraction_of_ozone_in_air", field, "mole/mole", &of(&world.ozone))
        .with("surface_temperature", column, "degK", &world.surface_temperature)
        .with("surface_albedo_for_direct_shortwave", column, "dimensionless", &world.albedo);
    is_read(&climt, BOTTOM_FIRST, &world, false);
}

/// Levels in one file and the surface in another, as of ERA5, or a variable in each, as of CMIP.
#[test]
fn several_files_complete_each_other() {
    let (file, world) = cam();
    let coordinates = ["time", "lat", "lon", "P0"];
    let part = |is_in: &dyn Fn(&str) -> bool| {
        let mut part = file.clone();
        part.variables.retain(|variable| coordinates.contains(&variable.name) || is_in(variable.name));
        part.dimensions.retain(|(name, _)| {
            part.variables.iter().any(|variable| variable.dimensions.contains(name)) || *name == "lev"
        });
        part
    };
    let on_levels = ["T", "Q", "O3", "CLOUD", "CLDLIQ", "CLDICE", "REL", "REI", "hyai", "hybi", "hyam", "hybm"];
    let levels = part(&|name| on_levels.contains(&name));
    let surface = part(&|name| !on_levels.contains(&name));
    assert!(!levels.variables.iter().any(|variable| variable.name == "PS"));
    let whole = fluxes(&Case::of("radiation", &file.bytes()), &[]);
    let case = Case::of("radiation", &levels.bytes());
    let other = |part: &Classic| fs::write(case.folder.path().join("other.nc"), part.bytes()).unwrap();
    other(&surface);
    let both = fluxes(&case, &["other.nc"]);
    for name in ["longwave_upward_flux", "shortwave_downward_flux"] {
        assert_eq!(both.all(name), whole.all(name), "{name}");
    }
    drop(world);
    let refused = |change: &dyn Fn(&mut Classic), parts: &[&str]| {
        let mut part = surface.clone();
        change(&mut part);
        other(&part);
        let output = case.command(&[&OPTIONS[..], &["other.nc"]].concat());
        let text = said(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.lines().count() == 1 && text.starts_with("isobar: other.nc: "), "{text}");
        parts.iter().for_each(|part| assert!(text.contains(part), "{part:?} is not in {text}"));
    };
    let later = |file: &mut Classic| file.variable("time").values[1] = 7.0;
    refused(&later, &["time is not that of in.nc", "read one by one"]);
    let wider = |file: &mut Classic| {
        file.dimensions.retain(|(name, _)| *name != "lev");
        file.dimensions.push(("lev", LAYERS + 5));
    };
    refused(&wider, &["dimension lev = 17, but 12 in in.nc"]);
    refused(&|file| file.variable("PS").units = Some("K"), &["PS has units \"K\""]);
}

/// A file that is read, computed and written part by part has the results of the whole; places in errors are the
/// file's.
#[test]
fn parts_have_the_bits_of_the_whole() {
    let (by_time, _) = cam();
    let (by_cell, _) = cmip6();
    for file in [by_time, by_cell] {
        let case = Case::of("radiation", &file.bytes());
        let whole = fluxes(&case, &[]);
        let names = ["longwave_upward_flux", "shortwave_heating_rate", "level_pressure", "status", "time", "lon"];
        let expected = names.map(|name| whole.all(name));
        drop(whole);
        for columns in ["1", "4", "7"] {
            let parts = fluxes(&case, &["--at-once", columns]);
            assert_eq!(names.map(|name| parts.all(name)), expected, "{columns}");
        }
        let mut bad = file.clone();
        let place = bad.variable("time").values.len() * 6 - 1;
        bad.variables.iter_mut().find(|one| ["TS", "ts"].contains(&one.name)).unwrap().values[place] = 1e4;
        let place = "time 1, lat 1, lon 2";
        let refused = Case::of("radiation", &bad.bytes());
        refused.refused(&[&OPTIONS[..], &["--at-once", "1"]].concat(), &["10000", place]);
        let output = refused.command(&[&OPTIONS[..], &["--at-once", "2", "--keep-going"]].concat());
        assert!(said(&output).contains(place) && output.status.code() == Some(3), "{}", said(&output));
        assert_eq!(Numbers::open(&refused.out()).all("status").iter().filter(|&&status| status != 0.0).count(), 1);
    }
    let (file, _) = cam();
    let case = Case::of("radiation", &file.bytes());
    let output = case.command(&[&OPTIONS[..], &["--at-once", "2", "--plot", "out.svg"]].concat());
    assert!(said(&output).contains("--plot: a plot shows all columns") && output.status.code() == Some(2));
}

/// Names that nobody knows are those that the caller gives.
#[test]
fn names_of_ones_own() {
    let (file, _) = cam();
    let expected = fluxes(&Case::of("radiation", &file.bytes()), &[]).all("longwave_upward_flux");
    let mut own = file;
    (own.variable("T").name, own.variable("O3").name) = ("warmth", "xo3");
    let case = Case::of("radiation", &own.bytes());
    case.refused(&OPTIONS, &["gases are missing: o3"]);
    case.refused(&[&OPTIONS[..], &["--name", "o3=ozone"]].concat(), &["ozone, which is to be o3, is not in the file"]);
    let names = ["--name", "temperature=warmth", "--name", "o3=xo3"];
    assert_eq!(fluxes(&case, &names).all("longwave_upward_flux"), expected);
    let output = case.command(&[&OPTIONS[..], &names, &["--name", "ozon=xo3"]].concat());
    assert!(said(&output).contains("--name ozon=xo3 has no effect: nothing is read as ozon"), "{}", said(&output));
}

/// A vertical of which nothing says that it is one.
#[test]
fn a_vertical_without_a_word() {
    let (mut file, world) = cam();
    let other = |name: &'static str| match name {
        "lev" => "k",
        "ilev" => "kk",
        other => other,
    };
    file.dimensions.iter_mut().for_each(|(name, _)| *name = other(name));
    for variable in &mut file.variables {
        variable.dimensions.iter_mut().for_each(|name| *name = other(name));
    }
    let case = Case::of("radiation", &file.bytes());
    case.refused(&OPTIONS, &["no dimension is known to be vertical", "--vertical", "k 12, kk 13"]);
    case.refused(&[&OPTIONS[..], &["--vertical", "z"]].concat(), &["there is no dimension z", "lon, k, kk"]);
    let in_parts = fluxes(&case, &["--vertical", "k", "--at-once", "2"]).all("longwave_upward_flux");
    let found = fluxes(&case, &["--vertical", "k"]);
    assert_eq!(in_parts, found.all("longwave_upward_flux"));
    let expected = fluxes(&Case::of("radiation", &world.own(true).bytes()), &[]);
    assert_eq!(found.all("longwave_upward_flux"), TOP_FIRST.of(&expected.all("longwave_upward_flux")));
    // Two that could be the same.
    let values = TOP_FIRST.of(&world.temperature);
    let twice = cam().0.with("ta", &["time", "lev", "lat", "lon"], "K", &values);
    let case = Case::of("radiation", &twice.bytes());
    case.refused(&OPTIONS, &["both T and ta could be temperature", "--name temperature=VARIABLE"]);
    fluxes(&case, &["--name", "temperature=ta"]);
}

/// The means of six hours are those of the file's own bounds, and of half the way to neighbours where it has none.
#[test]
fn the_sun_as_a_mean() {
    let (file, _) = cam();
    let mean = |file: &Classic| fluxes(&Case::of("radiation", &file.bytes()), &["--mean-sun"]);
    let down = |file: &Numbers| file.all("shortwave_downward_flux");
    let halves = down(&mean(&file));
    let mut with_bounds = file.clone();
    with_bounds.dimensions.push(("nbnd", 2));
    with_bounds.variable("time").attributes.push(("bounds", "time_bnds"));
    let with_bounds = with_bounds.with("time_bnds", &["time", "nbnd"], "", &[-3.0, 3.0, 3.0, 9.0]);
    assert_eq!(down(&mean(&with_bounds)), halves);
    assert_ne!(down(&fluxes(&Case::of("radiation", &file.bytes()), &[])), halves);
    // At the top, a mean of the cosine times the sun.
    let sun = |hours: f64| Sun::at(seconds_of_date(DATES[0]).unwrap() + 3600.0 * hours);
    let mean: f64 = (0..6000)
        .map(|i| sun(-3.0 + (f64::from(i) + 0.5) / 1000.0))
        .map(|s| s.cosine_zenith(52.5, 100.0).max(0.0))
        .sum();
    let distance = sun(0.0).distance_au;
    let expected = mean / 6000.0 * table_irradiance() / (distance * distance);
    assert!((halves[4] - expected).abs() < 1e-3, "{} {expected}", halves[4]);
    let mut single = file;
    single.variable("time").attributes.push(("bounds", "nowhere"));
    Case::of("radiation", &single.bytes()).refused(&[&OPTIONS[..], &["--mean-sun"]].concat(), &["nowhere"]);
}

/// Gases that a file lacks are those of its year, and are said.
#[test]
fn gases_of_the_year() {
    let (mut file, world) = cam();
    let said_of = |file: &Classic| {
        let case = Case::of("radiation", &file.bytes());
        let output = case.command(&[]);
        assert!(output.status.success(), "{}", said(&output));
        Numbers::open(&case.out())
    };
    let found = said_of(&file);
    let mut own = world.own(true);
    for (gas, value) in
        [("co2", 412.4e-6), ("n2o", 333.2e-9), ("ch4", 1_878.9e-9), ("cfc11", 224.0e-12), ("cfc12", 497.0e-12)]
    {
        own = own.with(gas, &[], "mol mol-1", &[value]);
    }
    let expected = said_of(&own);
    for (found, expected) in
        found.all("longwave_upward_flux").iter().zip(TOP_FIRST.of(&expected.all("longwave_upward_flux")))
    {
        // Amounts here are rounded: 1 per cent of what a doubling of CO2 takes.
        assert!((found - expected).abs() < 0.05, "{found} {expected}");
    }
    let time = file.variable("time");
    time.units = Some("hours since 1500-06-21 06:00:00");
    Case::of("radiation", &file.bytes()).refused(&[], &["1850 to 2024", "1500", "--gas"]);
}

#[test]
fn bad_files_have_one_error() {
    let refused = |change: &dyn Fn(&mut Classic), parts: &[&str]| {
        let (mut file, _) = cam();
        change(&mut file);
        Case::of("radiation", &file.bytes()).refused(&OPTIONS, parts);
    };
    refused(&|file| file.variables.retain(|v| v.name != "PS"), &["surface_pressure", "PSFC", "lnsp"]);
    refused(&|file| file.variables.retain(|v| v.name != "P0"), &["hyai has no unit of pressure", "P0"]);
    refused(
        &|file| {
            file.dimensions.push(("few", LAYERS));
            let levels = file.variable("hyai");
            (levels.dimensions, levels.values) = (vec!["few"], levels.values[1..].to_vec());
        },
        &["hyai has 12 values, and hybi has 13"],
    );
    refused(
        &|file| {
            for name in ["hyai", "hybi", "hyam", "hybm"] {
                let levels = file.variable(name);
                levels.values.pop();
                levels.dimensions = if name.ends_with('i') { vec!["lev"] } else { vec!["few"] };
            }
            file.dimensions.push(("few", LAYERS - 1));
        },
        &["hybrid coefficients of 12 levels", "12 layers need 13"],
    );
    refused(&|file| file.variable("FSNS").units = Some("J/m2"), &["FSDS and FSNS have different units"]);
    refused(
        &|file| file.variable("time").units = Some("hours"),
        &["cosine_zenith", "all of time, latitude and longitude"],
    );
    refused(
        &|file| file.variable("Q").attributes.push(("standard_name", "relative_humidity")),
        &["h2o (Q has standard_name \"relative_humidity\")"],
    );
    refused(&|file| file.variables.retain(|v| v.name != "TS"), &["surface_temperature", "skt"]);
    refused(&|file| file.variable("T").units = None, &["T has no attribute \"units\"", "\"K\""]);
    refused(&|file| file.variable("T").units = Some("furlong"), &["T has units \"furlong\""]);
}

#[test]
fn what_is_derived_is_said() {
    let (file, _) = cam();
    let case = Case::of("radiation", &file.bytes());
    fluxes(&case, &[]);
    let derived = Dataset::open(&case.out()).unwrap().attribute("derived").unwrap();
    for part in ["level_pressure = hyai + hybi * surface pressure", "emissivity = 1", "1 - FSNS/FSDS"] {
        assert!(derived.contains(part), "{part:?} is not in {derived}");
    }
}
