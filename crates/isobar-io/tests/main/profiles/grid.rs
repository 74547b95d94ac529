//! Columns of weather models as profiles.

use isobar_core::Real;
use isobar_io::{Grid, GridPlace, GridRequest, is_grid, places_along};
use isobar_raytrace::constants::EARTH_RADIUS_KM;
use isobar_raytrace::{Atmosphere, Horizontal, Position, Ray};
use netcdf_writer::{NcAttrValue, NcFileBuilder, NcWriteFormat, NcWriteOptions};

use crate::common::{control, file, message};

mod hybrid_levels;
mod readings;

const GRAVITY: f64 = 9.80665;
const AIR: f64 = 28.96456;
const WATER: f64 = 18.0153;

/// A variable: its dimensions, attributes and values.
#[derive(Clone)]
struct Variable {
    name: &'static str,
    dimensions: Vec<&'static str>,
    attributes: Vec<(&'static str, &'static str)>,
    values: Vec<f64>,
}

#[derive(Clone, Default)]
struct Made {
    dimensions: Vec<(&'static str, usize)>,
    variables: Vec<Variable>,
    /// WRF's.
    dates: Vec<&'static str>,
}

impl Made {
    fn with(mut self, name: &'static str, dimensions: &[&'static str], units: &'static str, values: Vec<f64>) -> Self {
        let attributes = if units.is_empty() { Vec::new() } else { vec![("units", units)] };
        self.variables.push(Variable { name, dimensions: dimensions.to_vec(), attributes, values });
        self
    }

    fn without(mut self, name: &str) -> Self {
        self.variables.retain(|variable| variable.name != name);
        self
    }

    fn variable(&mut self, name: &str) -> &mut Variable {
        self.variables.iter_mut().find(|variable| variable.name == name).unwrap()
    }

    fn changed(mut self, name: &str, change: impl FnOnce(&mut Variable)) -> Self {
        change(self.variable(name));
        self
    }

    fn bytes(&self, format: NcWriteFormat) -> Vec<u8> {
        let mut builder = NcFileBuilder::new();
        let ids: Vec<_> = self
            .dimensions
            .iter()
            .map(|&(name, size)| (name, builder.add_dimension(name, size as u64).unwrap()))
            .collect();
        let id = |wanted: &str| ids.iter().find(|(name, _)| *name == wanted).unwrap().1;
        for variable in &self.variables {
            let dimensions: Vec<_> = variable.dimensions.iter().map(|name| id(name)).collect();
            let handle = builder.add_variable::<f64>(variable.name, &dimensions).unwrap();
            for (name, text) in &variable.attributes {
                builder.add_variable_attribute(handle, *name, NcAttrValue::Chars((*text).into())).unwrap();
            }
            builder.set_variable_fill_value(handle, -9999.0).unwrap();
            builder.write_variable(handle, &variable.values).unwrap();
        }
        if !self.dates.is_empty() {
            let handle = builder.add_char_variable("Times", &[id("Time"), id("DateStrLen")]).unwrap();
            builder.write_char_variable(handle, self.dates.concat().as_bytes()).unwrap();
        }
        builder.to_vec(NcWriteOptions { format }).unwrap().1
    }

    fn profiles(&self, emitters: &[&str], places: &[GridPlace], request: &GridRequest) -> Atmosphere {
        let (_folder, path) = file(self.bytes(NcWriteFormat::Classic), "grid.nc");
        assert!(is_grid(&path));
        Grid::open(&path).unwrap().profiles(&gases(emitters), places, request).unwrap().atmosphere
    }

    fn refused(&self, emitters: &[&str], place: GridPlace) -> String {
        let (_folder, path) = file(self.bytes(NcWriteFormat::Classic), "grid.nc");
        let found =
            Grid::open(&path).and_then(|grid| grid.profiles(&gases(emitters), &[place], &GridRequest::default()));
        message(found, &path)
    }
}

fn gases(emitters: &[&str]) -> isobar_io::Control {
    let mut keys = vec![("NG".to_owned(), emitters.len().to_string())];
    keys.extend(emitters.iter().enumerate().map(|(i, gas)| (format!("EMITTER[{i}]"), (*gas).to_owned())));
    let keys: Vec<(&str, &str)> = keys.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    control(&keys)
}

fn at(longitude_deg: f64, latitude_deg: f64, time_s: Option<f64>) -> GridPlace {
    GridPlace { longitude_deg, latitude_deg, time_s }
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-13 * expected.abs(), "{found} {expected}");
}

const LONGITUDES: [f64; 4] = [0.0, 90.0, 180.0, 270.0];
const LATITUDES: [f64; 3] = [60.0, 0.0, -60.0];
/// The top first, as in ERA5.
const LEVELS: [f64; 3] = [100.0, 500.0, 1000.0];
const DIMENSIONS: [&str; 4] = ["time", "level", "latitude", "longitude"];

/// `[time][level][latitude][longitude]`.
fn field(f: impl Fn(f64, usize, f64, f64) -> f64) -> Vec<f64> {
    let mut values = Vec::new();
    for time in 0..2 {
        for level in 0..3 {
            for latitude in LATITUDES {
                values.extend(LONGITUDES.map(|longitude| f(time as f64, level, latitude, longitude)));
            }
        }
    }
    values
}

fn temperature(time: f64, level: usize, latitude: f64, longitude: f64) -> f64 {
    220.0 + 30.0 * level as f64 + 0.5 * time - latitude / 8.0 + longitude / 64.0 + latitude * longitude / 1024.0
}

fn humidity(level: usize, longitude: f64) -> f64 {
    0.002 * level as f64 * (1.0 + longitude / 360.0)
}

fn geopotential(level: usize, latitude: f64) -> f64 {
    GRAVITY * [16_000.0, 5_500.0, 100.0][level] * (1.0 - latitude / 6000.0)
}

fn geometric(geopotential: f64) -> f64 {
    let height = geopotential / GRAVITY / 1e3;
    EARTH_RADIUS_KM * height / (EARTH_RADIUS_KM - height)
}

fn era5() -> Made {
    let made =
        Made { dimensions: vec![("time", 2), ("level", 3), ("latitude", 3), ("longitude", 4)], ..Made::default() };
    made.with("longitude", &["longitude"], "degrees_east", LONGITUDES.to_vec())
        .with("latitude", &["latitude"], "degrees_north", LATITUDES.to_vec())
        .with("level", &["level"], "millibars", LEVELS.to_vec())
        .with("time", &["time"], "hours since 1900-01-01 00:00:00.0", vec![876_576.0, 876_582.0])
        .with("t", &DIMENSIONS, "K", field(temperature))
        .with("q", &DIMENSIONS, "kg kg**-1", field(|_, level, _, longitude| humidity(level, longitude)))
        .with("o3", &DIMENSIONS, "kg kg**-1", field(|_, level, _, _| 1e-6 * (3.0 - level as f64)))
        .with("z", &DIMENSIONS, "m**2 s**-2", field(|_, level, latitude, _| geopotential(level, latitude)))
}

fn of_humidity(q: f64) -> f64 {
    q / WATER / (q / WATER + (1.0 - q) / AIR)
}

#[test]
fn pressure_levels_are_linear_between_columns_and_times() {
    let request = GridRequest { constants: vec![("CO2".into(), 4.2e-4)], ..GridRequest::default() };
    // 876,576 h after 1900 is 2000-01-01, 6 h before the second time.
    let places = [at(22.5, 45.0, Some(5400.0)), at(-45.0, -15.0, Some(21_600.0)), at(90.0, 0.0, Some(0.0))];
    let found = era5().profiles(&["CO2", "H2O", "O3"], &places, &request);
    assert_eq!((found.horizontal, found.profiles().len()), (Horizontal::Track, 3));
    for (profile, ((south, north), latitude), (west, east, share), hours) in [
        (0, ((0.0, 60.0), 45.0), (0.0, 90.0, 0.25), 0.25),
        (1, ((-60.0, 0.0), -15.0), (270.0, 0.0, 0.5), 1.0),
        (2, ((0.0, 0.0), 0.0), (90.0, 90.0, 0.0), 0.0),
    ] {
        for (i, level) in [2, 1, 0].into_iter().enumerate() {
            let i = 3 * profile + i;
            let up = if south == north { 0.0 } else { (latitude - south) / (north - south) };
            // Of a quantity at the four columns, without the order of operations that is tested.
            let mean = |f: &dyn Fn(f64, f64) -> f64| {
                (1.0 - up) * (1.0 - share) * f(south, west)
                    + (1.0 - up) * share * f(south, east)
                    + up * (1.0 - share) * f(north, west)
                    + up * share * f(north, east)
            };
            assert_eq!(found.pressure_hpa[i], LEVELS[level]);
            close(found.temperature_k[i], mean(&|y, x| temperature(hours, level, y, x)));
            close(found.height_km[i], mean(&|y, _| geometric(geopotential(level, y))));
            assert_eq!(found.mixing_ratio[0][i], 4.2e-4);
            close(found.mixing_ratio[1][i], mean(&|_, x| of_humidity(humidity(level, x))));
            let ozone = |x: f64| {
                let moist = 1.0 / (humidity(level, x) / WATER + (1.0 - humidity(level, x)) / AIR);
                1e-6 * (3.0 - level as f64) * moist / 47.9982
            };
            close(found.mixing_ratio[2][i], mean(&|_, x| ozone(x)));
            let place = places[profile];
            assert_eq!((found.longitude_deg[i], found.latitude_deg[i]), (place.longitude_deg, place.latitude_deg));
            assert_eq!(found.time_s[i], place.time_s.unwrap());
        }
    }
    // A grid of NetCDF-4 and one whose dimensions go another way are the same.
    let (_folder, path) = file(era5().bytes(NcWriteFormat::Nc4), "grid.nc");
    let again = Grid::open(&path).unwrap().profiles(&gases(&["CO2", "H2O", "O3"]), &places, &request).unwrap();
    assert_eq!(again.atmosphere, found);
}

#[test]
fn what_a_grid_lacks_comes_from_a_background() {
    // Heights falling, to 20 km, where the pressure is a tenth of that of the grid's top.
    let background = Atmosphere {
        time_s: vec![0.0; 3],
        longitude_deg: vec![0.0; 3],
        latitude_deg: vec![0.0; 3],
        height_km: vec![40.0, 20.0, 0.0],
        pressure_hpa: vec![2.0, 50.0, 1250.0],
        temperature_k: vec![250.0, 210.0, 290.0],
        mixing_ratio: vec![vec![2e-4, 4e-4, 8e-4], vec![1e-6, 2e-6, 9e-3]],
        extinction_per_km: vec![vec![0.0, 1e-4, 2e-4]],
        ..Atmosphere::default()
    };
    let request = GridRequest { background: Some(background), ..GridRequest::default() };
    let found = era5().profiles(&["CO2", "H2O"], &[at(0.0, 0.0, Some(0.0))], &request);
    assert_eq!(found.horizontal, Horizontal::Uniform);
    let heights = [100.0, 5500.0, 16_000.0].map(|height| geometric(GRAVITY * height));
    assert_eq!(found.height_km[3..], [20.0, 40.0]);
    for (i, height) in heights.into_iter().enumerate() {
        close(found.height_km[i], height);
        close(found.mixing_ratio[0][i], 8e-4 - 4e-4 * height / 20.0);
        close(found.extinction_per_km[0][i], 2e-4 - 1e-4 * height / 20.0);
        close(found.mixing_ratio[1][i], of_humidity(humidity(2 - i, 0.0)));
    }
    assert_eq!((found.mixing_ratio[0][4], found.mixing_ratio[1][3]), (2e-4, 2e-6));
    assert_eq!(found.temperature_k[3..], [210.0, 250.0]);
    // Its own pressure at the grid's top is exponential between 0 and 20 km: 1250 25^(-z/20).
    let there = 1250.0 * Real::powf(25.0, -heights[2] / 20.0);
    close(found.pressure_hpa[3], 100.0 * 50.0 / there);
    close(found.pressure_hpa[4], 100.0 * 2.0 / there);
}

/// A grid turned by nothing: the middle of a cell around the origin is the mean of its corners.
fn wrf() -> Made {
    let dimensions = vec![
        ("Time", 2),
        ("DateStrLen", 19),
        ("bottom_top", 2),
        ("bottom_top_stag", 3),
        ("south_north", 2),
        ("west_east", 2),
    ];
    let made = Made { dimensions, dates: vec!["2000-01-01_00:00:00", "2000-01-01_01:00:00"], ..Made::default() };
    let surface = ["Time", "south_north", "west_east"];
    let layers = ["Time", "bottom_top", "south_north", "west_east"];
    let boundaries = ["Time", "bottom_top_stag", "south_north", "west_east"];
    let corners = |levels: usize, f: &dyn Fn(usize, usize) -> f64| {
        let one = (0..levels).flat_map(|level| (0..4).map(move |corner| (level, corner)));
        let one: Vec<f64> = one.map(|(level, corner)| f(level, corner)).collect();
        [one.clone(), one].concat()
    };
    made.with("XLAT", &surface, "degree_north", [-1.0, -1.0, 1.0, 1.0].repeat(2))
        .with("XLONG", &surface, "degree_east", [-1.0, 1.0, -1.0, 1.0].repeat(2))
        .with("P", &layers, "Pa", corners(2, &|_, corner| 100.0 * corner as f64))
        .with("PB", &layers, "Pa", corners(2, &|level, _| [90_000.0, 30_000.0][level]))
        .with("T", &layers, "K", corners(2, &|level, corner| [-5.0, 25.0][level] + corner as f64))
        .with("PH", &boundaries, "m2 s-2", corners(3, &|level, corner| (level * corner) as f64 * 98.1))
        .with("PHB", &boundaries, "m2 s-2", corners(3, &|level, _| 9.81 * [0.0, 2000.0, 16_000.0][level]))
        .with("QVAPOR", &layers, "kg kg-1", corners(2, &|level, _| [0.008, -1e-9][level]))
        .with("o3", &layers, "ppmv", corners(2, &|level, _| [0.05, 0.5][level]))
}

#[test]
fn wrf_columns_have_their_temperature_and_heights() {
    let places = [at(0.0, 0.0, Some(1800.0)), at(1.0, 1.0, Some(3600.0))];
    let found = wrf().profiles(&["H2O", "O3"], &places, &GridRequest::default());
    let water = of_humidity(0.008 / 1.008);
    for (profile, corners) in [(0, 0..4), (1, 3..4)] {
        for level in 0..2 {
            let i = 2 * profile + level;
            let mean = |f: &dyn Fn(f64) -> f64| {
                corners.clone().map(|corner| f(corner as f64)).sum::<f64>() / corners.len() as f64
            };
            let pressure = |corner: f64| [90_000.0, 30_000.0][level] + 100.0 * corner;
            close(found.pressure_hpa[i], mean(&pressure) / 100.0);
            let temperature =
                |corner: f64| ([295.0, 325.0][level] + corner) * Real::powf(pressure(corner) / 1e5, 2.0 / 7.0);
            close(found.temperature_k[i], mean(&temperature));
            let height = |corner: f64| {
                let height = [1.0, 9.0][level] + 0.01 * corner * (level as f64 + 0.5);
                EARTH_RADIUS_KM * height / (EARTH_RADIUS_KM - height)
            };
            close(found.height_km[i], mean(&height));
            close(found.mixing_ratio[0][i], [water, 0.0][level]);
            close(found.mixing_ratio[1][i], [0.05e-6 * (1.0 - water), 0.5e-6][level]);
        }
    }
    assert_eq!(found.time_s, [1800.0, 1800.0, 3600.0, 3600.0]);
    let origin = at(0.0, 0.0, Some(0.0));
    for (made, expected) in [
        (wrf().without("QVAPOR"), "variable QVAPOR is missing"),
        (Made { dates: Vec::new(), ..wrf() }, "variable Times is missing; also accepted: XTIME"),
        (Made { dates: vec!["2000-01-01_00:00:00", "2000-01-01_00:00:0x"], ..wrf() }, "is no date"),
        (
            Made { dates: vec!["2000-01-01_01:00:00", "2000-01-01_00:00:00"], ..wrf() },
            "time 0 at index 1 does not come after 3600",
        ),
    ] {
        let message = made.refused(&["H2O"], origin);
        assert!(message.starts_with("grid.nc: ") && message.contains(expected), "{message}");
    }
}

#[test]
fn bad_grids_say_what_and_where() {
    let here = at(22.5, 45.0, Some(0.0));
    let swap =
        |name: &'static str, from: usize, to: usize| era5().changed(name, |variable| variable.values.swap(from, to));
    // Level 1, row 1, column 1.
    let index = (3 + 1) * 4 + 1;
    for (made, gases, place, expected) in [
        (era5(), &["H2O", "CO2", "CH4"][..], here, "grid.nc: gases are missing: CO2, CH4; isobar jurassic"),
        (era5().without("t"), &[], here, "grid.nc: variable t is missing; also accepted: ta, T, temperature"),
        (era5().without("z"), &[], here, "grid.nc: variable z is missing; also accepted: gh, zg"),
        (era5().without("latitude"), &[], here, "grid.nc: variable latitude is missing; also accepted: lat"),
        (era5().without("time"), &[], here, "grid.nc: variable time is missing; also accepted: valid_time"),
        (
            swap("longitude", 1, 2),
            &[],
            here,
            "grid.nc: longitude = 90 at index 2 follows 180: an axis rises or falls throughout",
        ),
        (swap("latitude", 0, 1), &[], here, "grid.nc: latitude = -60 at index 2 follows 60"),
        (swap("level", 0, 1), &[], here, "grid.nc: level = 1000 at index 2 follows 100"),
        (swap("time", 0, 1), &[], here, "grid.nc: time 0 at index 1 does not come after 21600"),
        (era5(), &[], at(22.5, 61.0, Some(0.0)), "grid.nc: longitude 22.5, latitude 61 lies outside the grid: "),
        (era5(), &[], at(0.0, 0.0, Some(-1.0)), "grid.nc: time -1 s since 2000 lies outside [0, 21600], the file's"),
        (era5(), &[], at(0.0, 0.0, None), "grid.nc: there are 2 times from 0 to 21600 s since 2000: name one"),
        (
            era5().changed("t", |t| t.values[index] = -9999.0),
            &[],
            here,
            "grid.nc: t: the value at time 0, level 1, row 1, column 1 (counted from 0) is missing",
        ),
        (
            era5().changed("t", |t| t.values[index] = 2000.0),
            &[],
            here,
            "grid.nc: temperature 2000 K at level 1, time 0, row 1, column 1 (counted from 0) lies outside [100, 400]",
        ),
        (
            era5().changed("z", |z| z.values[index] = 0.0),
            &[],
            here,
            "grid.nc: height 0 km at level 1, time 0, row 1, column 1 (counted from 0) does not lie above",
        ),
        (
            era5().changed("q", |q| q.attributes[0].1 = "K"),
            &["H2O"],
            here,
            "grid.nc: q has units \"K\"; expected kg kg-1 or a unit that converts to it",
        ),
        (
            era5().changed("time", |time| time.attributes[0].1 = "hours"),
            &[],
            here,
            "grid.nc: time has units \"hours\"; expected such as \"hours since 1900-01-01 00:00:00\"",
        ),
        (
            era5().changed("o3", |gas| gas.attributes[0].1 = "1"),
            &["O3"],
            here,
            "grid.nc: o3 has units \"1\"; expected those of a ratio, \"kg kg-1\" or \"mol mol-1\"",
        ),
    ] {
        let message = made.refused(gases, place);
        assert!(message.starts_with(expected), "{message}\nis not {expected}");
    }
    // Cut anywhere: one error that names the file, or nothing that was needed is missing.
    let bytes = era5().bytes(NcWriteFormat::Classic);
    for length in [3, 100, bytes.len() / 2, bytes.len() - 800] {
        let (_folder, path) = file(&bytes[..length], "grid.nc");
        let found = Grid::open(&path).and_then(|grid| grid.profiles(&gases(&["O3"]), &[here], &GridRequest::default()));
        assert!(message(found, &path).starts_with("grid.nc: "), "{length}");
    }
}

#[test]
fn all_columns_or_those_below_rays() {
    let (_folder, path) = file(era5().bytes(NcWriteFormat::Classic), "grid.nc");
    let grid = Grid::open(&path).unwrap();
    assert_eq!(grid.columns(1, None).unwrap().len(), 12);
    let every = grid.columns(2, Some(0.0)).unwrap();
    assert_eq!(every, [(0.0, 60.0), (180.0, 60.0), (0.0, -60.0), (180.0, -60.0)].map(|(x, y)| at(x, y, Some(0.0))));

    let position = |height_km, longitude_deg, latitude_deg| Position { height_km, longitude_deg, latitude_deg };
    // A tangent at 10 km above the equator, seen from the west.
    let distance = Real::acos((EARTH_RADIUS_KM + 10.0) / (EARTH_RADIUS_KM + 800.0)).to_degrees();
    let ray = |time_s, z| Ray { time_s, observer: position(800.0, -distance, 0.0), view_point: position(z, 0.0, 0.0) };
    let places = places_along(&[ray(60.0, 10.0), ray(61.0, 10.0)], 80.0, 80.0);
    assert!(places.iter().all(|place| place.time_s == Some(60.0)), "the second ray adds nothing");
    let mut east: Vec<f64> = places.iter().map(|place| place.longitude_deg).collect();
    assert!(east[0].abs() < 1e-9 && places.iter().all(|place| place.latitude_deg.abs() < 1e-9));
    east.sort_by(f64::total_cmp);
    let end = Real::acos((EARTH_RADIUS_KM + 10.0) / (EARTH_RADIUS_KM + 80.0)).to_degrees();
    let step = (80.0 / EARTH_RADIUS_KM).to_degrees();
    assert!((east[0] + end).abs() < 1e-9 && (east[east.len() - 1] - end).abs() < 1e-9);
    assert!(east.windows(2).all(|pair| pair[1] - pair[0] < step + 1e-9));
    assert_eq!(places.len(), 2 * ((end / step).floor() as usize + 1) + 1);
    // Straight down there is one place, and a ray that misses the air has one below its view point.
    let down = Ray { time_s: 0.0, observer: position(700.0, 5.0, 40.0), view_point: position(0.0, 5.0, 40.0) };
    let [only] = places_along(&[down], 25.0, 80.0)[..] else { panic!() };
    assert!((only.longitude_deg - 5.0).abs() < 1e-9 && (only.latitude_deg - 40.0).abs() < 1e-9);

    let control = gases(&[]);
    let below = grid.below(&control, &[Ray { time_s: 60.0, ..down }], 25.0, &GridRequest::default()).unwrap();
    assert_eq!((below.atmosphere.levels(), below.outside), (3, 0));
    let beyond = Ray { view_point: position(0.0, 5.0, 70.0), observer: position(700.0, 5.0, 70.0), time_s: 60.0 };
    let request = GridRequest { skip_outside: true, ..GridRequest::default() };
    let both = grid.below(&control, &[beyond, Ray { time_s: 60.0, ..down }], 25.0, &request).unwrap();
    assert_eq!((both.atmosphere.levels(), both.outside), (3, 1));
    assert!(message(grid.below(&control, &[beyond], 25.0, &request), &path).contains("no place lies in the grid"));
}

/// As the Copernicus store hands them out: whole numbers with a scale and an offset, other names of coordinates, the
/// lowest level first, and coordinates without a dimension.
#[test]
fn packed_fields_of_era5_are_unpacked() {
    let mut builder = NcFileBuilder::new();
    let dimensions = [("valid_time", 1), ("pressure_level", 2), ("latitude", 2), ("longitude", 2)];
    let ids = dimensions.map(|(name, size)| builder.add_dimension(name, size).unwrap());
    let text = |text: &str| NcAttrValue::Chars(text.into());
    for (name, id, units, values) in [
        ("valid_time", 0, "seconds since 1970-01-01", [946_684_860.0, 0.0]),
        ("pressure_level", 1, "hPa", [1000.0, 100.0]),
        ("latitude", 2, "degrees_north", [50.0, 40.0]),
        ("longitude", 3, "degrees_east", [-10.0, 10.0]),
    ] {
        let handle = builder.add_variable::<f64>(name, &[ids[id]]).unwrap();
        builder.add_variable_attribute(handle, "units", text(units)).unwrap();
        builder.add_variable_attribute(handle, "calendar", text("proleptic_gregorian")).unwrap();
        builder.write_variable(handle, &values[..dimensions[id].1 as usize]).unwrap();
    }
    let number = builder.add_variable::<i32>("number", &[]).unwrap();
    builder.write_variable(number, &[0]).unwrap();
    for (name, units, scale, offset, values) in [
        ("t", "K", 0.5, 200.0, [100, 102, 104, 106, 10, 12, 14, 16]),
        ("q", "kg kg**-1", 1e-6, 0.0, [5000, 5000, 5000, 5000, -1, 0, 0, 0]),
        ("z", "m**2 s**-2", 8.0, 80_000.0, [-9999, -9999, -9999, -9999, 9000, 9000, 9000, 9000]),
    ] {
        let handle = builder.add_variable::<i16>(name, &ids).unwrap();
        builder.add_variable_attribute(handle, "units", text(units)).unwrap();
        for (name, number) in [("scale_factor", scale), ("add_offset", offset)] {
            builder.add_variable_attribute(handle, name, NcAttrValue::Doubles(vec![number])).unwrap();
        }
        builder.set_variable_fill_value(handle, -32_767_i16).unwrap();
        builder.write_variable(handle, &values.map(|value: i16| value)).unwrap();
    }
    let bytes = builder.to_vec(NcWriteOptions { format: NcWriteFormat::Nc4 }).unwrap().1;
    let (_folder, path) = file(&bytes, "grid.nc");
    let grid = Grid::open(&path).unwrap();
    let place = [at(350.0, 45.0, None), at(5.0, 40.0, Some(60.0))];
    let found = grid.profiles(&gases(&["H2O"]), &place, &GridRequest::default()).unwrap().atmosphere;
    assert_eq!(found.pressure_hpa, [1000.0, 100.0, 1000.0, 100.0]);
    // Half way from 250 K to 252 K, three quarters of the way from 252 K to 253 K, and so above.
    assert_eq!(found.temperature_k, [251.0, 206.0, 252.75, 207.75]);
    assert_eq!(found.time_s, [60.0; 4]);
    close(found.height_km[0], geometric(8.0 * -9999.0 + 80_000.0));
    close(found.height_km[1], geometric(8.0 * 9000.0 + 80_000.0));
    // Packing leaves less than nothing.
    assert_eq!(found.mixing_ratio[0][1], 0.0);
    close(found.mixing_ratio[0][0], of_humidity(5e-3));
}

/// Bytes of the header changed one by one: a result or one error, and no panic.
#[test]
fn damaged_grids_are_read_or_refused() {
    let good = [era5().bytes(NcWriteFormat::Classic), wrf().bytes(NcWriteFormat::Classic)];
    for good in good {
        let header = good.len().min(2500);
        for at in (0..header).step_by(7) {
            let mut bytes = good.clone();
            bytes[at] ^= [0x80, 0x04, 0x20, 0x01][at % 4];
            let (_folder, path) = file(&bytes, "grid.nc");
            let control = gases(&["H2O", "O3"]);
            let found =
                Grid::open(&path).and_then(|grid| grid.profiles(&control, &[at_origin()], &GridRequest::default()));
            if let Err(error) = found {
                let message = error.to_string();
                assert!(message.contains("grid.nc") && message.lines().count() == 1, "byte {at}: {message}");
            }
        }
    }
}

fn at_origin() -> GridPlace {
    at(0.5, 0.5, Some(60.0))
}
