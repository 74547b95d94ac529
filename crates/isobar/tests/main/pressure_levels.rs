//! Pressure levels: what lies below the ground is left, and what is above it has to be there.

use isobar_io::netcdf::Dataset;

use crate::common::classic::{Case, Classic};
use crate::common::radiation_file::Numbers;
use crate::common::said;
use crate::model_files::{COLUMNS, OPTIONS, TIMES, fluxes, grid};

const FIELD: &[&str] = &["time", "plev", "lat", "lon"];
const COLUMN: &[&str] = &["time", "lat", "lon"];
/// The lowest of which lies below the ground of the last column.
const ISOBARS: [f64; 8] = [1e5, 8.5e4, 7e4, 5e4, 3e4, 1e4, 3e3, 1e3];
const FILL: f64 = 9.969_209_968_386_869e36;

/// A file whose air is the same in all columns, with clouds that have no sizes of particles.
fn file() -> Classic {
    let of = |profile: [f64; 8]| -> Vec<f64> {
        (0..TIMES).flat_map(|_| profile.iter().flat_map(|&value| vec![value; 6])).collect()
    };
    let mut surface = vec![101_300.0; COLUMNS];
    surface[COLUMNS - 1] = 9e4;
    let mut file = grid(["time", "lat", "lon"], "hours since 2020-06-21 06:00:00", &[0.0, 6.0]);
    file.dimensions.push(("plev", ISOBARS.len()));
    file.with("plev", &["plev"], "Pa", &ISOBARS)
        .says(&["standard_name=air_pressure", "positive=down"])
        .with("t", FIELD, "K", &of([290.0, 281.0, 273.0, 254.0, 229.0, 208.0, 219.0, 228.0]))
        .with("q", FIELD, "kg kg**-1", &of([9e-3, 6e-3, 3e-3, 8e-4, 1e-4, 3e-6, 3e-6, 3e-6]))
        .with("o3", FIELD, "mol mol**-1", &of([3e-8, 4e-8, 5e-8, 6e-8, 8e-8, 3e-7, 4e-6, 8e-6]))
        .with("cc", FIELD, "(0 - 1)", &of([0.0, 0.0, 0.5, 0.0, 0.4, 0.0, 0.0, 0.0]))
        .with("clwc", FIELD, "kg kg**-1", &of([0.0, 0.0, 5e-5, 0.0, 0.0, 0.0, 0.0, 0.0]))
        .with("ciwc", FIELD, "kg kg**-1", &of([0.0, 0.0, 0.0, 0.0, 1e-6, 0.0, 0.0, 0.0]))
        .with("sp", COLUMN, "Pa", &surface)
        .with("skt", COLUMN, "K", &[292.0; COLUMNS])
        .with("rsds", COLUMN, "W m-2", &[400.0; COLUMNS])
        .with("rsus", COLUMN, "W/m2", &[80.0; COLUMNS])
        .with("lsm", COLUMN, "1", &[1.0; COLUMNS])
}

/// The place of a level's value in the file.
fn at(level: usize, column: usize) -> usize {
    (column / 6 * ISOBARS.len() + level) * 6 + column % 6
}

const NAMES: [&str; 3] = ["longwave_upward_flux", "shortwave_downward_flux", "longwave_heating_rate"];

#[test]
fn what_is_missing_above_the_ground_is_an_error() {
    let refused = |name: &str, index: usize, value: f64, parts: &[&str]| {
        let mut file = file();
        file.variable(name).values[index] = value;
        Case::of("radiation", &file.bytes()).refused(&OPTIONS, parts);
    };
    let place = "at time 0, plev 3, lat 0, lon 1";
    for (name, range) in [("q", "[-0.001, 1)"), ("clwc", "[-0.001, 1]"), ("cc", "[0, 1]"), ("o3", "[0, 1]")] {
        refused(name, at(3, 1), FILL, &[&format!("{name} is missing {place}")]);
        refused(name, at(3, 1), -0.5, &[&format!("{name} = -0.5"), place, range]);
        refused(name, at(3, 1), f64::NAN, &[&format!("{name} = NaN"), place]);
    }
    refused("t", at(3, 1), FILL, &[&format!("t is missing {place}")]);
    for name in ["rsds", "rsus", "lsm", "skt"] {
        refused(name, 1, FILL, &[&format!("{name} is missing at time 0, lat 0, lon 1")]);
    }
    let mut none = file();
    none.variable("clwc").values.fill(FILL);
    Case::of("radiation", &none.bytes()).refused(&OPTIONS, &["clwc is missing at time 0, plev 0, lat 0, lon 0"]);
}

#[test]
fn columns_without_it_are_left_out() {
    let whole = fluxes(&Case::of("radiation", &file().bytes()), &[]);
    for (name, index) in [("q", at(3, 1)), ("clwc", at(2, 1)), ("rsds", 1)] {
        let mut file = file();
        file.variable(name).values[index] = FILL;
        let case = Case::of("radiation", &file.bytes());
        let output = case.command(&[&OPTIONS[..], &["--keep-going"]].concat());
        assert!(output.status.code() == Some(3) && said(&output).contains(&format!("{name} is missing at")));
        let found = Numbers::open(&case.out());
        let status = found.all("status");
        assert!((0..COLUMNS).all(|column| (status[column] != 0.0) == (column == 1)), "{name} {status:?}");
        for flux in NAMES {
            let (found, whole) = (found.all(flux), whole.all(flux));
            let rows = whole.len() / COLUMNS;
            let is_out = |i: usize| i / (6 * rows) == 0 && i % 6 == 1;
            assert!((0..whole.len()).all(|i| if is_out(i) { found[i] > 9e36 } else { found[i] == whole[i] }), "{flux}");
        }
    }
}

#[test]
fn below_the_ground_anything_will_do() {
    let whole = fluxes(&Case::of("radiation", &file().bytes()), &[]);
    for value in [FILL, -0.5, f64::NAN, 7.0] {
        let mut file = file();
        for name in ["t", "q", "o3", "cc", "clwc", "ciwc"] {
            file.variable(name).values[at(0, COLUMNS - 1)] = value;
        }
        for more in [&[][..], &["--at-once", "4"]] {
            let found = fluxes(&Case::of("radiation", &file.bytes()), more);
            NAMES.iter().for_each(|name| assert_eq!(found.all(name), whole.all(name), "{name} {value}"));
        }
    }
    // Of a file without a ground all layers count.
    let mut file = file();
    file.variables.retain(|variable| variable.name != "sp");
    file.variable("q").values[at(0, COLUMNS - 1)] = FILL;
    Case::of("radiation", &file.bytes()).refused(&OPTIONS, &["q is missing at time 1, plev 0, lat 1, lon 2"]);
}

/// Parts of the lowest layer, and the levels around them, have temperatures as the layer without parts has: below its
/// pressure on the line through the two lowest layers, above it as between layers. Fluxes are those of the own layout
/// with these, and next to those of the levels above the ground alone.
#[test]
fn a_mountain_has_the_air_above_it() {
    const GROUND: f64 = 6e4;
    let without_clouds = ["--no-clouds", "--precision", "f64"];
    let mut levels = file();
    levels.variable("sp").values[COLUMNS - 1] = GROUND;
    levels.variables.retain(|one| !["rsds", "rsus"].contains(&one.name));
    let found = fluxes(&Case::of("longwave", &levels.bytes()), &without_clouds);
    // The lowest above the ground, 500 and 300 hPa, have 254 and 229 K.
    let temperature = |p: f64| match p {
        p if p >= 5e4 => 254.0 + 25.0 * (p - 5e4) / 2e4,
        p => (229.0 * 3e4 + (254.0 * 5e4 - 229.0 * 3e4) * (p - 3e4) / 2e4) / p,
    };
    let edges = [GROUND, 5.5e4, 5e4, 4.5e4, 4e4, 2e4, 6.5e3, 2e3, 0.0];
    let parts = [5.75e4, 5.25e4, 4.75e4, 4.25e4];
    let own = |edges: &[f64], pressure: &[f64], of_edges: &[f64]| {
        let above = [254.0, 229.0, 208.0, 219.0, 228.0];
        let lowest = pressure.len() - 5;
        let temperatures: Vec<f64> = (0..pressure.len())
            .map(|i| if lowest > 0 && i <= lowest { temperature(pressure[i]) } else { above[i - lowest] })
            .collect();
        let of = |all: [f64; 5]| -> Vec<f64> { (0..pressure.len()).map(|i| all[i.saturating_sub(lowest)]).collect() };
        let (layer, level) = (&["layer"], &["level"]);
        let mut file = Classic {
            dimensions: vec![("layer", pressure.len()), ("level", edges.len()), ("column", 1)],
            attributes: vec![("orientation", "bottom_first")],
            ..Classic::default()
        }
        .with("level_pressure", level, "Pa", edges)
        .with("pressure", layer, "Pa", pressure)
        .with("temperature", layer, "K", &temperatures)
        .with("specific_humidity", layer, "kg kg-1", &of([8e-4, 1e-4, 3e-6, 3e-6, 3e-6]))
        .with("o3", layer, "mol mol-1", &of([6e-8, 8e-8, 3e-7, 4e-6, 8e-6]))
        .with("surface_temperature", &["column"], "K", &[292.0]);
        if !of_edges.is_empty() {
            file = file.with("level_temperature", level, "K", of_edges);
        }
        let found = fluxes(&Case::of("longwave", &file.bytes()), &without_clouds);
        ["longwave_upward_flux", "longwave_downward_flux"].map(|name| found.all(name))
    };
    let alone = [5e4, 3e4, 1e4, 3e3, 1e3];
    let of_upper = {
        // As between layers and at the top of the others.
        let between = |[p, q]: [f64; 2], [t, u]: [f64; 2], at: f64| (u * q + (t * p - u * q) * (at - q) / (p - q)) / at;
        [
            between([3e4, 1e4], [229.0, 208.0], 2e4),
            between([1e4, 3e3], [208.0, 219.0], 6.5e3),
            between([3e3, 1e3], [219.0, 228.0], 2e3),
            228.0 + 9.0 / 2e3 * 1e3,
        ]
    };
    let of_edges = [edges[..5].iter().map(|&p| temperature(p)).collect(), of_upper.to_vec()].concat();
    let all = [&parts[..], &alone[1..]].concat();
    let divided = own(&edges, &all, &of_edges);
    let coarse = own(&[&edges[..1], &edges[4..]].concat(), &alone, &[]);
    for (flux, name) in ["longwave_upward_flux", "longwave_downward_flux"].into_iter().enumerate() {
        let found = found.all(name);
        let of = |level: usize| found[(9 + level) * 6 + 5];
        assert!(of(2) > 9e36, "{name}");
        // The lowest level above the ground has the ground's flux.
        let expected = [divided[flux][0]].into_iter().chain(divided[flux][4..].iter().copied());
        for (level, expected) in (3..9).zip(expected) {
            assert!((of(level) - expected).abs() < 1e-9, "{name} {level}: {} {expected}", of(level));
        }
        for (level, coarse) in (3..9).zip(&coarse[flux]) {
            assert!((of(level) - coarse).abs() < 0.5, "{name} {level}: {} {coarse}", of(level));
        }
    }
}

/// Water in layers without cloud is not seen, which is said with a count.
#[test]
fn water_outside_of_clouds_is_counted() {
    let derived = |file: &Classic| {
        let case = Case::of("radiation", &file.bytes());
        fluxes(&case, &[]);
        Dataset::open(&case.out()).unwrap().attribute("derived").unwrap()
    };
    assert!(!derived(&file()).contains("have no cloud"));
    let mut wet = file();
    (0..COLUMNS).for_each(|column| wet.variable("clwc").values[at(1, column)] = 2e-5);
    // Below the ground there is none; of what is next to nothing nobody speaks.
    (wet.variable("clwc").values[at(0, COLUMNS - 1)], wet.variable("ciwc").values[at(1, 0)]) = (2e-5, 1e-12);
    let derived = derived(&wet);
    assert!(derived.contains("clwc: 12 of 24 layers with it have no cloud, and it is not seen there"), "{derived}");
    assert!(!derived.contains("ciwc: "), "{derived}");
}

/// One long wave, whether the sun has asked for the latitude or not, by which ice is the larger.
#[test]
fn ice_knows_where_it_is() {
    let longwave = |command: &'static str, file: &Classic| {
        fluxes(&Case::of(command, &file.bytes()), &[]).all("longwave_upward_flux")
    };
    let both = longwave("radiation", &file());
    assert_eq!(both, longwave("longwave", &file()));
    // Smaller ice, of which there is more, lets less through.
    let mut polar = file();
    polar.variable("lat").values = vec![-80.0, 80.0];
    let polar = longwave("radiation", &polar);
    let top = (ISOBARS.len() * 6)..((ISOBARS.len() + 1) * 6);
    assert!(top.clone().all(|i| polar[i] < both[i]), "{:?} {:?}", &polar[top.clone()], &both[top]);
}

/// Results on a grid are compared with those of the same grid.
#[test]
fn results_of_a_grid_are_compared() {
    let case = Case::of("radiation", &file().bytes());
    let whole = fluxes(&case, &[]).all("longwave_upward_flux");
    std::fs::rename(case.out(), case.folder.path().join("other.nc")).unwrap();
    let mut warmer = file();
    warmer.variable("skt").values[0] = 302.0;
    std::fs::write(case.folder.path().join("in.nc"), warmer.bytes()).unwrap();
    let output = case.command(&[&OPTIONS[..], &["--compare", "other.nc"]].concat());
    assert!(output.status.success(), "{}", said(&output));
    let found = Numbers::open(&case.out()).all("longwave_upward_flux");
    let largest = found.iter().zip(&whole).map(|(a, b)| a - b).fold(0.0, f64::max);
    let printed = crate::common::printed(&output);
    let line = printed.lines().find(|line| line.starts_with("longwave_upward_flux [W m-2]")).unwrap();
    assert!(line.contains(&format!("{largest:.3e}")) && line.ends_with("level 0 from the surface, column 0"), "{line}");
    assert!(printed.contains("shortwave_heating_rate [K day-1]") && !printed.contains("missing"), "{printed}");
}
