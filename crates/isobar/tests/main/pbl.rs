//! `isobar pbl` as a user meets it: the reference's columns through NetCDF files, WRF's layout, and what it refuses.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::classic::{Case, Classic};
use crate::common::radiation_file::Numbers;
use crate::common::{data, said};
use isobar_io::netcdf::{Accepted, Axis, Dataset, Dimension, VariableSpec};

/// Sets of the reference with their time steps.
const SETS: [(&str, &str); 4] = [("l35", "72"), ("l50", "30"), ("l72", "150"), ("l60", "10")];
const LAYERS: &[&str] = &["layer", "column"];
const LEVELS: &[&str] = &["level", "column"];
const COLUMN: &[&str] = &["column"];

/// Variables of layers, interfaces and the surface, as the reference has them; the layer's `th` is left out.
const FIELDS: [(&str, &str); 11] = [
    ("u", "m s-1"),
    ("v", "m s-1"),
    ("t", "K"),
    ("", ""),
    ("qv", "kg kg-1"),
    ("qc", "kg kg-1"),
    ("qi", "kg kg-1"),
    ("p", "Pa"),
    ("exner", "1"),
    ("dz", "m"),
    ("rthraten", "K s-1"),
];
pub(crate) const SURFACE: [(&str, &str); 16] = [
    ("psfc", "Pa"),
    ("znt", "m"),
    ("ust", "m s-1"),
    ("psim", "1"),
    ("psih", "1"),
    ("xland", "1"),
    ("hfx", "W m-2"),
    ("qfx", "kg m-2 s-1"),
    ("wspd", "m s-1"),
    ("br", "1"),
    ("u10", "m s-1"),
    ("v10", "m s-1"),
    ("uoce", "m s-1"),
    ("voce", "m s-1"),
    ("ctopo", "1"),
    ("ctopo2", "1"),
];
/// Outputs with their units: of layers, then of columns, in the reference's order.
const LAYER_OUTPUTS: [(&str, &str); 8] = [
    ("tendency_u", "m s-2"),
    ("tendency_v", "m s-2"),
    ("tendency_theta", "K s-1"),
    ("tendency_vapour", "s-1"),
    ("tendency_cloud_water", "s-1"),
    ("tendency_cloud_ice", "s-1"),
    ("diffusivity_heat", "m2 s-1"),
    ("diffusivity_momentum", "m2 s-1"),
];
const COLUMN_OUTPUTS: [(&str, &str); 10] = [
    ("boundary_layer_height", "m"),
    ("boundary_layer_level", "1"),
    ("convective_velocity", "m s-1"),
    ("entrainment_depth", "m"),
    ("u_10m", "m s-1"),
    ("v_10m", "m s-1"),
    ("stress_u", "N m-2"),
    ("stress_v", "N m-2"),
    ("heat", "W m-2"),
    ("latent_heat", "W m-2"),
];
const STATE: [(&str, &str); 6] =
    [("u", "m s-1"), ("v", "m s-1"), ("temperature", "K"), ("vapour", "1"), ("cloud_water", "1"), ("cloud_ice", "1")];

/// `[field][column, level]` as `[field][level * columns + column]`.
pub(crate) fn stack(path: &Path) -> Vec<Vec<f64>> {
    let (shape, values) = isobar_golden::npy(path);
    let (columns, levels) = (shape[1], shape.get(2).copied().unwrap_or(1));
    values.chunks(columns * levels).map(|field| transposed(field, columns, levels)).collect()
}

pub(crate) fn transposed(values: &[f64], columns: usize, levels: usize) -> Vec<f64> {
    (0..values.len()).map(|i| values[i % columns * levels + i / columns]).collect()
}

/// A set of the reference as a file, surface first, without a word about that.
fn reference(dir: &Path) -> Classic {
    let fields = stack(&dir.join("in_3d.npy"));
    let (shape, interfaces) = isobar_golden::npy(&dir.join("in_p_int.npy"));
    let (columns, levels) = (shape[0], shape[1]);
    let mut file = Classic {
        dimensions: vec![("column", columns), ("layer", levels - 1), ("level", levels)],
        ..Classic::default()
    };
    for ((name, units), values) in FIELDS.iter().zip(&fields).filter(|((name, _), _)| !name.is_empty()) {
        file = file.with(name, LAYERS, units, values);
    }
    file = file.with("p_int", LEVELS, "Pa", &transposed(&interfaces, columns, levels));
    for ((name, units), values) in SURFACE.iter().zip(stack(&dir.join("in_2d.npy"))) {
        file = file.with(name, COLUMN, units, &values);
    }
    file
}

/// The file with its top first.
fn upside_down(file: &Classic) -> Classic {
    let columns = file.dimensions[0].1;
    let mut file = file.clone();
    for variable in &mut file.variables {
        if variable.dimensions.len() > 1 {
            variable.values = flipped(&variable.values, columns);
        }
    }
    file
}

fn flipped(values: &[f64], columns: usize) -> Vec<f64> {
    values.chunks(columns).rev().flatten().copied().collect()
}

/// A variable of an output, whatever its dimensions; gaps are NaN.
fn read(path: &Path, name: &'static str, unit: &'static str) -> Vec<f64> {
    const AXES: [Axis; 4] = [
        Axis::optional(Dimension::Layer),
        Axis::optional(Dimension::Profile),
        Axis::optional(Dimension::SouthNorth),
        Axis::optional(Dimension::WestEast),
    ];
    let spec = VariableSpec { name, aliases: &[], standard_names: &[], unit, axes: &AXES, accepted: Accepted::FINITE };
    let mut file = Dataset::open(path).unwrap();
    file.keep_going();
    file.read(&spec).unwrap().values
}

pub(crate) fn output(case: &Case, (name, unit): (&'static str, &'static str)) -> Vec<f64> {
    read(&case.out(), name, unit)
}

/// Everything that a run with `--steps` writes.
fn all(case: &Case) -> Vec<(&'static str, Vec<f64>)> {
    let names = LAYER_OUTPUTS.iter().chain(&COLUMN_OUTPUTS).chain(&STATE);
    names.map(|&named| (named.0, output(case, named))).collect()
}

fn pbl(file: &Classic) -> Case {
    Case::of("pbl", &file.bytes())
}

/// Compares relative to the largest of a column, as in isobar-ysu's own tests.
fn check(what: &str, got: &[f64], expected: &[f64], columns: usize, tolerance: f64) {
    assert_eq!(got.len(), expected.len(), "{what}");
    for column in 0..columns {
        let of = |values: &[f64]| values.iter().skip(column).step_by(columns).copied().collect::<Vec<f64>>();
        let (got, expected) = (of(got), of(expected));
        let largest = expected.iter().fold(1e-14, |a: f64, b| a.max(b.abs()));
        for (got, expected) in got.iter().zip(&expected) {
            let error = (got - expected).abs() / largest;
            assert!(error <= tolerance, "{what} column {column}: {got} instead of {expected}: {error:e}");
        }
    }
}

#[test]
fn the_reference_sets() {
    let Some(dir) = isobar_golden::find("ysu") else { return };
    for (set, step) in SETS {
        let dir = dir.join(set);
        let file = reference(&dir);
        let (case, columns) = (pbl(&file), file.dimensions[0].1);
        for (name, options) in [
            ("base", &[][..]),
            ("td", &["--top-down"][..]),
            ("tdtopo", &["--top-down", "--topographic"][..]),
            ("wrf361", &["--version", "wrf361"][..]),
        ] {
            case.solve(&[&["--dt", step], options].concat());
            let fields = match name {
                "tdtopo" => stack(&dir.join("out_tdtopo_f64_uv.npy")),
                _ => stack(&dir.join(format!("out_{name}_f64_3d.npy"))),
            };
            for (named, expected) in LAYER_OUTPUTS.iter().zip(&fields) {
                check(&format!("{set} {name} {}", named.0), &output(&case, *named), expected, columns, 1e-9);
            }
            let values = stack(&dir.join(format!("out_{name}_f64_2d.npy")));
            for (named, expected) in COLUMN_OUTPUTS.iter().zip(&values) {
                // Integrals may be small differences.
                let tolerance =
                    if ["stress_u", "stress_v", "heat", "latent_heat"].contains(&named.0) { 1e-6 } else { 1e-12 };
                let got = output(&case, *named);
                for (i, (got, expected)) in got.iter().zip(expected).enumerate() {
                    let error = (got - expected).abs() / (1.0 + expected.abs());
                    assert!(error <= tolerance, "{set} {name} {} {i}: {got} for {expected}", named.0);
                }
            }
            assert!(output(&case, ("status", "1")).iter().all(|status| *status == 0.0));
        }
    }
}

#[test]
fn single_precision_is_near() {
    let Some(dir) = isobar_golden::find("ysu") else { return };
    let file = reference(&dir.join("l35"));
    let case = pbl(&file);
    case.solve(&["--dt", "72", "--precision", "f32"]);
    let expected = stack(&dir.join("l35/out_base_f64_2d.npy"));
    let height = output(&case, COLUMN_OUTPUTS[0]);
    for (got, expected) in height.iter().zip(&expected[0]) {
        assert!((got / expected - 1.0).abs() < 1e-3, "{got} for {expected}");
    }
}

/// Said by the pressure, by an attribute, or both.
#[test]
fn top_first_gives_the_same_bits_upside_down() {
    let Some(dir) = isobar_golden::find("ysu") else { return };
    let file = reference(&dir.join("l50"));
    let columns = file.dimensions[0].1;
    let options = ["--dt", "30", "--steps", "3", "--top-down"];
    let case = pbl(&file);
    case.solve(&options);
    let expected = all(&case);
    for attribute in [None, Some(("orientation", "top_first")), Some(("positive", "down"))] {
        let mut file = upside_down(&file);
        file.attributes.extend(attribute);
        let turned = pbl(&file);
        turned.solve(&options);
        for ((name, expected), (_, got)) in expected.iter().zip(all(&turned)) {
            let got = if got.len() > columns { flipped(&got, columns) } else { got };
            assert!(*expected == got, "{name}");
        }
        assert_eq!(Dataset::open(&turned.out()).unwrap().attribute("orientation").as_deref(), Some("top_first"));
    }
}

/// A made-up WRF file of 2 by 3 columns of 6 layers, and the same numbers as a plain file.
pub(crate) fn wrf() -> (Classic, Classic) {
    const NX: usize = 3;
    const NY: usize = 2;
    const N: usize = 6;
    let columns = NX * NY;
    let layer = |value: &dyn Fn(usize, usize) -> f64| -> Vec<f64> {
        (0..N * columns).map(|i| value(i / columns, i % columns)).collect()
    };
    // Halves and sums are exact.
    let u_face = |k: usize, j: usize, i: usize| 4.0 + k as f64 + 0.25 * j as f64 + 0.5 * (i * i) as f64;
    let v_face = |k: usize, j: usize, i: usize| 1.0 - 0.5 * k as f64 + 0.125 * (j * j) as f64 + 0.25 * i as f64;
    let faces = |ny: usize, nx: usize, value: &dyn Fn(usize, usize, usize) -> f64| -> Vec<f64> {
        (0..N * ny * nx).map(|n| value(n / (ny * nx), n / nx % ny, n % nx)).collect()
    };
    let base = layer(&|k, _| 97_000.0 - 6000.0 * k as f64);
    let perturbation = layer(&|k, c| 128.0 * c as f64 - 32.0 * k as f64);
    let theta = layer(&|k, c| -2.0 + 0.5 * k as f64 + 0.25 * c as f64);
    let height = |k: usize| 100.0 * k as f64 * (k as f64 + 1.0);
    let potential: Vec<f64> = (0..(N + 1) * columns).map(|n| 9.81 * height(n / columns)).collect();
    let surface_pressure: Vec<f64> = (0..columns).map(|c| 99_000.0 + 128.0 * c as f64).collect();
    let by_column = |value: &dyn Fn(f64) -> f64| (0..columns).map(|c| value(c as f64)).collect::<Vec<f64>>();
    let pressure: Vec<f64> = base.iter().zip(&perturbation).map(|(a, b)| a + b).collect();
    let exner: Vec<f64> = pressure.iter().map(|p| isobar_core::Real::powf(p / 1e5, 2.0 / 7.0)).collect();
    let vapour = layer(&|k, c| 0.01 - 0.001 * k as f64 + 1e-4 * c as f64);

    let mass: &[&str] = &["Time", "bottom_top", "south_north", "west_east"];
    let plane: &[&str] = &["Time", "south_north", "west_east"];
    let mut wrf = Classic {
        dimensions: vec![
            ("Time", 1),
            ("bottom_top", N),
            ("bottom_top_stag", N + 1),
            ("south_north", NY),
            ("south_north_stag", NY + 1),
            ("west_east", NX),
            ("west_east_stag", NX + 1),
        ],
        ..Classic::default()
    }
    .with("U", &["Time", "bottom_top", "south_north", "west_east_stag"], "m s-1", &faces(NY, NX + 1, &u_face))
    .with("V", &["Time", "bottom_top", "south_north_stag", "west_east"], "m s-1", &faces(NY + 1, NX, &v_face))
    .with("T", mass, "K", &theta)
    .with("P", mass, "Pa", &perturbation)
    .with("PB", mass, "Pa", &base)
    .with("PH", &["Time", "bottom_top_stag", "south_north", "west_east"], "m2 s-2", &vec![0.0; potential.len()])
    .with("PHB", &["Time", "bottom_top_stag", "south_north", "west_east"], "m2 s-2", &potential)
    .with("QVAPOR", mass, "kg kg-1", &vapour);

    let mean_u = faces(NY, NX, &|k, j, i| 0.5 * (u_face(k, j, i) + u_face(k, j, i + 1)));
    let mean_v = faces(NY, NX, &|k, j, i| 0.5 * (v_face(k, j, i) + v_face(k, j + 1, i)));
    let temperature: Vec<f64> = theta.iter().zip(&exner).map(|(theta, exner)| (theta + 300.0) * exner).collect();
    let heights: Vec<f64> = potential.iter().map(|potential| potential / 9.81).collect();
    let middle = |k: usize| 0.5 * (heights[k * columns] + heights[(k + 1) * columns]);
    let mut interfaces = surface_pressure.clone();
    for k in 1..N {
        let share = (heights[k * columns] - middle(k - 1)) / (middle(k) - middle(k - 1));
        interfaces.extend(
            (0..columns).map(|c| share * pressure[k * columns + c] + (1.0 - share) * pressure[(k - 1) * columns + c]),
        );
    }
    let share = (heights[N * columns] - middle(N - 2)) / (middle(N - 1) - middle(N - 2));
    let ln = |p: f64| isobar_core::Real::ln(p);
    interfaces.extend((0..columns).map(|c| {
        let (above, below) = (pressure[(N - 1) * columns + c], pressure[(N - 2) * columns + c]);
        isobar_core::Real::exp(share * ln(above) + (1.0 - share) * ln(below))
    }));
    let mut plain =
        Classic { dimensions: vec![("column", columns), ("layer", N), ("level", N + 1)], ..Classic::default() }
            .with("u", LAYERS, "m s-1", &mean_u)
            .with("v", LAYERS, "m s-1", &mean_v)
            .with("t", LAYERS, "K", &temperature)
            .with("p", LAYERS, "Pa", &pressure)
            .with("p_int", LEVELS, "Pa", &interfaces)
            .with("z_int", LEVELS, "m", &heights)
            .with("qv", LAYERS, "kg kg-1", &vapour);
    for (capital, small, units, values) in [
        ("PSFC", "psfc", "Pa", surface_pressure),
        ("ZNT", "znt", "m", by_column(&|c| 0.1 + 0.05 * c)),
        ("XLAND", "xland", "1", by_column(&|c| if c < 3.0 { 1.0 } else { 2.0 })),
        ("HFX", "hfx", "W m-2", by_column(&|c| 200.0 - 60.0 * c)),
        ("QFX", "qfx", "kg m-2 s-1", by_column(&|c| 1e-5 * c)),
        ("UST", "ust", "m s-1", by_column(&|c| 0.3 + 0.02 * c)),
        ("PBLH", "pblh", "m", by_column(&|c| 800.0 - 100.0 * c)),
    ] {
        wrf = wrf.with(capital, plane, units, &values);
        plain = plain.with(small, COLUMN, units, &values);
    }
    (wrf, plain)
}

#[test]
fn a_file_of_wrf_gives_what_the_plain_file_gives() {
    let (wrf, plain) = wrf();
    let (wrf, plain) = (pbl(&wrf), pbl(&plain));
    let options = ["--dt", "60", "--steps", "4"];
    wrf.solve(&options);
    plain.solve(&options);
    for ((name, expected), (_, got)) in all(&plain).into_iter().zip(all(&wrf)) {
        assert!(expected == got, "{name}: {got:?} instead of {expected:?}");
        assert!(expected.iter().all(|x| x.is_finite()), "{name}");
    }
    // Something was mixed, and the grid is kept.
    assert!(output(&wrf, LAYER_OUTPUTS[2]).iter().any(|x| x.abs() > 1e-5));
    const GRID: &[Axis] = &[Axis::required(Dimension::SouthNorth), Axis::required(Dimension::WestEast)];
    let mut file = Dataset::open(&wrf.out()).unwrap();
    let spec = VariableSpec {
        name: "boundary_layer_height",
        aliases: &[],
        standard_names: &["atmosphere_boundary_layer_thickness"],
        unit: "m",
        axes: GRID,
        accepted: Accepted::POSITIVE,
    };
    assert_eq!(file.read(&spec).unwrap().shape, [2, 3]);
    let derived = file.attribute("derived").unwrap();
    for part in
        ["wind_speed = wind of the lowest layer, with the enhancement", "u_10m", "from friction velocity and fluxes"]
    {
        assert!(derived.contains(part), "{derived}");
    }
}

/// A cell without its dimensions is that of the file with them.
#[test]
fn one_cell_of_wrf_needs_no_grid() {
    const CELL: [usize; 2] = [1, 2];
    let (file, _) = wrf();
    let whole = pbl(&file);
    whole.solve(&["--dt", "60"]);
    let mut one = file.clone();
    one.dimensions =
        vec![("Time", 1), ("bottom_top", 6), ("bottom_top_stag", 7), ("south_north_stag", 2), ("west_east_stag", 2)];
    for variable in &mut one.variables {
        let sizes: Vec<usize> = variable
            .dimensions
            .iter()
            .map(|name| file.dimensions.iter().find(|(known, _)| known == name).unwrap().1)
            .collect();
        let is_kept = |mut index: usize| {
            variable.dimensions.iter().zip(&sizes).rev().all(|(name, size)| {
                let at = index % size;
                index /= size;
                match *name {
                    "south_north" => at == CELL[0],
                    "west_east" => at == CELL[1],
                    "south_north_stag" => at == CELL[0] || at == CELL[0] + 1,
                    "west_east_stag" => at == CELL[1] || at == CELL[1] + 1,
                    _ => true,
                }
            })
        };
        let kept: Vec<f64> =
            variable.values.iter().enumerate().filter(|(i, _)| is_kept(*i)).map(|(_, value)| *value).collect();
        variable.values = kept;
        variable.dimensions.retain(|name| !["south_north", "west_east"].contains(name));
    }
    let one = pbl(&one);
    one.solve(&["--dt", "60"]);
    for name in ["tendency_u", "tendency_v", "tendency_theta", "boundary_layer_height"] {
        let [whole, one] = [&whole, &one].map(|case| Numbers::open(&case.out()).all(name));
        let expected: Vec<f64> = whole.into_iter().skip(5).step_by(6).collect();
        assert_eq!(one, expected, "{name}");
    }
}

/// WRF's `PSIM` and `PSIH` are corrections; its profiles are `FM` and `FHH`, YSU's `psim` and `psih`.
#[test]
fn corrections_of_wrf_are_no_profiles() {
    const PLANE: &[&str] = &["Time", "south_north", "west_east"];
    let (file, plain) = wrf();
    let solved = |file: &Classic| {
        let case = pbl(file);
        case.solve(&["--dt", "60", "--steps", "1"]);
        all(&case)
    };
    let corrected = file.clone().with("PSIM", PLANE, "", &[-0.4; 6]).with("PSIH", PLANE, "", &[-0.7; 6]);
    assert_eq!(solved(&corrected), solved(&file));
    let profiles = corrected.with("FM", PLANE, "", &[4.5; 6]).with("FHH", PLANE, "", &[4.2; 6]);
    let plain = plain.with("psim", COLUMN, "1", &[4.5; 6]).with("psih", COLUMN, "1", &[4.2; 6]);
    let found = solved(&profiles);
    assert_eq!(found, solved(&plain));
    assert_ne!(found, solved(&file));
}

/// Winds stay along the grid's axes, and results say so unless these lie east and north.
#[test]
fn winds_of_a_turned_grid_are_not_called_eastward() {
    let (file, _) = wrf();
    let turned = |angle: Option<[f64; 2]>| {
        let mut file = file.clone();
        for (name, value) in ["COSALPHA", "SINALPHA"].into_iter().zip(angle.into_iter().flatten()) {
            file = file.with(name, &["Time", "south_north", "west_east"], "1", &[value; 6]);
        }
        let case = pbl(&file);
        case.solve(&["--dt", "60", "--steps", "1"]);
        let derived = Dataset::open(&case.out()).unwrap().attribute("derived").unwrap();
        (all(&case), derived, Numbers::open(&case.out()))
    };
    let (expected, derived, east) = turned(Some([1.0, 0.0]));
    assert!(!derived.contains("axes of the grid"), "{derived}");
    assert_eq!(east.attribute("u_10m", "standard_name").as_deref(), Some("eastward_wind"));
    for angle in [None, Some([0.6, 0.8])] {
        let (got, derived, file) = turned(angle);
        assert!(got == expected && derived.contains("u, v: along the axes of the grid, and so are"), "{derived}");
        assert_eq!(file.attribute("v", "standard_name").as_deref(), Some("y_wind"));
        assert_eq!(file.attribute("u_10m", "standard_name").as_deref(), Some("x_wind"));
        assert_eq!(file.attribute("tendency_u", "standard_name"), None);
        let long_name = "tendency of wind along the grid's x axis";
        assert_eq!(file.attribute("tendency_u", "long_name").as_deref(), Some(long_name));
    }
}

/// Each of two times in a file has its columns.
#[test]
fn all_times_of_a_file_of_wrf_are_computed() {
    let (mut file, _) = wrf();
    let once = pbl(&file);
    once.solve(&["--dt", "60"]);
    file.dimensions[0].1 = 2;
    for variable in &mut file.variables {
        variable.values = variable.values.repeat(2);
    }
    let twice = pbl(&file);
    twice.solve(&["--dt", "60"]);
    const AXES: &[Axis] = &[
        Axis::required(Dimension::Layer),
        Axis::required(Dimension::Time),
        Axis::required(Dimension::SouthNorth),
        Axis::required(Dimension::WestEast),
    ];
    let (name, unit) = LAYER_OUTPUTS[2];
    let spec = VariableSpec { name, aliases: &[], standard_names: &[], unit, axes: AXES, accepted: Accepted::FINITE };
    let got = Dataset::open(&twice.out()).unwrap().read(&spec).unwrap();
    assert_eq!(got.shape, [6, 2, 2, 3]);
    let expected = output(&once, LAYER_OUTPUTS[2]);
    for (both, one) in got.values.chunks(12).zip(expected.chunks(6)) {
        assert!(both[..6] == *one && both[6..] == *one);
    }
}

/// The plain file of the same numbers.
fn small() -> Classic {
    wrf().1
}

fn spoilt(name: &str, index: usize, value: f64) -> Classic {
    let mut file = small();
    file.variable(name).values[index] = value;
    file
}

#[test]
fn what_is_wrong_is_named_with_place_value_and_range() {
    pbl(&small()).solve(&["--dt", "60"]);
    for (name, index, value, text) in [
        ("t", 14, 99.0, "t = 99 K at layer 2, column 2 lies outside [100, 400]"),
        ("t", 35, 401.0, "t = 401 K at layer 5, column 5 lies outside [100, 400]"),
        ("t", 0, f64::NAN, "t = NaN K at layer 0, column 0 lies outside [100, 400]"),
        ("u", 7, f64::NAN, "u = NaN m s-1 at layer 1, column 1 lies outside [-1000, 1000]"),
        ("qv", 6, -0.5, "qv = -0.5 kg kg-1 at layer 1, column 0 lies outside [-0.001, 1]"),
        ("znt", 3, -0.1, "znt = -0.1 m at column 3 lies outside [0, inf)"),
        ("znt", 3, 0.0, "roughness = 0 m at column 3 lies outside (0, inf)"),
        ("ust", 4, -0.2, "ust = -0.2 m s-1 at column 4 lies outside (0, 100]"),
        ("ust", 4, 0.0, "ust = 0 m s-1 at column 4 lies outside (0, 100]"),
        ("hfx", 1, f64::INFINITY, "hfx = inf W m-2 at column 1 lies outside [-1000000, 1000000]"),
        ("xland", 1, 3.0, "xland = 3 at column 1 lies outside [1, 2]"),
        (
            "p",
            8,
            98_000.0,
            "pressure = 98000 Pa at layer 1, column 2 lies outside [0, 97256): pressure falls with height",
        ),
        ("p_int", 13, 1e5, "interface_pressure = 100000 Pa at level 2, column 1 lies outside [0, "),
        ("p", 30, 67.0, "pressure = 67 Pa at layer 5, column 0 lies outside ["),
        ("psfc", 0, 0.0, "psfc = 0 Pa at column 0 lies outside [0.000001, 10000000]"),
        ("z_int", 12, 100.0, "thickness = -100 at layer 1, column 0 is not in [0.001, 1e5] m"),
    ] {
        pbl(&spoilt(name, index, value)).refused(&["--dt", "60"], &[text]);
    }
    let thickness = |value: f64| {
        let mut file = small();
        file.variables.retain(|variable| variable.name != "z_int");
        file.with("dz", &["layer"], "m", &[200.0, 400.0, value, 800.0, 1000.0, 1200.0])
    };
    pbl(&thickness(600.0)).solve(&["--dt", "60"]);
    pbl(&thickness(0.0)).refused(&["--dt", "60"], &["dz = 0 m at layer 2 lies outside [0.001, 100000]"]);
    // Places are those of the file, whose top may be first.
    let turned = upside_down(&spoilt("p", 8, 98_000.0));
    pbl(&turned).refused(&["--dt", "60"], &["pressure = 98000 Pa at layer 4, column 2 lies outside [0, 97256)"]);
    let (mut wrf, _) = wrf();
    wrf.variable("U").values[4 + 1] = f64::NAN;
    pbl(&wrf).refused(&["--dt", "60"], &["U = NaN m s-1 at Time 0, bottom_top 0, south_north 1, west_east_stag 1"]);
}

#[test]
fn sizes_units_and_variables_are_named() {
    let mut file = small();
    file.dimensions = vec![("column", 6), ("layer", 3), ("level", 4)];
    for variable in &mut file.variables {
        match variable.dimensions[0] {
            "layer" => variable.values.truncate(18),
            "level" => variable.values.truncate(24),
            _ => {}
        }
    }
    pbl(&file).refused(&["--dt", "60"], &["layer = 3", "at least 4"]);
    for name in ["u", "v", "t", "qv", "p", "p_int", "znt", "xland", "hfx", "qfx"] {
        let mut file = small();
        file.variable(name).units = None;
        // Land and water are numbers without a unit.
        if name == "xland" {
            pbl(&file).solve(&["--dt", "60"]);
        } else {
            pbl(&file).refused(&["--dt", "60"], &[&format!("{name} has no attribute \"units\"")]);
        }
        file.variables.retain(|variable| variable.name != name);
        // Pressures follow from each other, which is said.
        if ["p", "p_int"].contains(&name) {
            let case = pbl(&file);
            case.solve(&["--dt", "60"]);
            let derived = Dataset::open(&case.out()).unwrap().attribute("derived").unwrap();
            let how = if name == "p" { "pressure = mean of the levels'" } else { "interface_pressure: means of" };
            assert!(derived.contains(how), "{derived}");
        } else {
            pbl(&file).refused(&["--dt", "60"], &["is missing", name]);
        }
    }
    let case = pbl(&small());
    case.refused(&["--dt", "60", "--top-down"], &["radiative_heating(layer, time, profile)", "is missing"]);
    case.refused(&["--dt", "60", "--topographic"], &["drag_factor", "is missing"]);
}

#[test]
fn options_are_checked() {
    let case = pbl(&small());
    for step in ["0", "-60", "nan", "inf", "an hour"] {
        let output = case.command(&["--dt", step]);
        assert!(
            !output.status.success() && said(&output).contains("a number of seconds in (0, inf)"),
            "{}",
            said(&output)
        );
    }
    assert!(!case.command(&["--dt", "60", "--steps", "0"]).status.success());
    assert!(said(&case.command(&[])).contains("--dt"));
    let output = case.command(&["--dt", "60", "--version", "wrf361", "--top-down"]);
    assert_eq!(said(&output), "isobar: WRF 3.6.1 has no top-down mixing: --top-down is for --version wrf4\n");
    assert!(!case.out().exists());
}

#[test]
fn bad_columns_are_left_out_and_the_rest_is_the_same() {
    let good = pbl(&small());
    let options = ["--dt", "60", "--steps", "3"];
    good.solve(&options);
    let mut file = small();
    file.variable("t").values[6 + 1] = f64::NAN;
    file.variable("ust").values[4] = -1.0;
    file.variable("p").values[6 + 2] = 98_000.0;
    let case = pbl(&file);
    case.refused(&options, &["t = NaN"]);
    let output = case.command(&[&options[..], &["--keep-going"]].concat());
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert_eq!(
        said(&output),
        "isobar: warning: 3 of 6 columns left out; the first: t = NaN K at layer 1, column 1 lies outside [100, 400]\n"
    );
    assert_eq!(read(&case.out(), "status", "1"), [0.0, 1.0, 2.0, 0.0, 2.0, 0.0]);
    for ((name, expected), (_, got)) in all(&good).into_iter().zip(all(&case)) {
        for (i, (expected, got)) in expected.iter().zip(got).enumerate() {
            let is_bad = [1, 2, 4].contains(&(i % 6));
            assert!(if is_bad { got.is_nan() } else { got == *expected }, "{name}[{i}]: {got}");
        }
    }
    // None left.
    let mut file = small();
    file.variable("ust").values.fill(-1.0);
    pbl(&file).refused(&["--dt", "60", "--keep-going"], &["no column can be computed", "ust = -1 m s-1 at column 0"]);
    // A bad value on a face spoils both of its neighbours.
    let (mut wrf, _) = wrf();
    wrf.variable("U").values[4 + 1] = f64::NAN;
    let case = pbl(&wrf);
    assert_eq!(case.command(&["--dt", "60", "--keep-going"]).status.code(), Some(3));
    assert_eq!(read(&case.out(), "status", "1"), [0.0, 0.0, 0.0, 1.0, 1.0, 0.0]);
}

/// Three steps are three runs, each of which starts from the state of the one before, over the same surface.
#[test]
fn steps_follow_each_other() {
    let mut file = small();
    for (name, units, value) in [
        ("psim", "1", 5.0),
        ("psih", "1", 5.2),
        ("br", "1", -0.05),
        ("wspd", "m s-1", 5.0),
        ("u10", "m s-1", 3.0),
        ("v10", "m s-1", 0.5),
    ] {
        file = file.with(name, COLUMN, units, &[value; 6]);
    }
    file = file.with("qc", LAYERS, "kg kg-1", &[1e-5; 36]).with("qi", LAYERS, "kg kg-1", &[0.0; 36]);
    let case = pbl(&file);
    case.solve(&["--dt", "60"]);
    let without = Dataset::open(&case.out()).unwrap();
    assert!(without.has_name("tendency_u") && !without.has_name("temperature"), "no state without --steps");
    case.solve(&["--dt", "60", "--steps", "3"]);
    let expected = all(&case);
    let mut last = Vec::new();
    for _ in 0..3 {
        let case = pbl(&file);
        case.solve(&["--dt", "60", "--steps", "1"]);
        for (named, name) in STATE.into_iter().zip(["u", "v", "t", "qv", "qc", "qi"]) {
            file.variable(name).values = output(&case, named);
        }
        last = all(&case);
    }
    for ((name, expected), (_, got)) in expected.iter().zip(&last) {
        assert!(expected == got, "{name}");
    }
    let (start, end) = (small().variable("t").values.clone(), &file.variable("t").values);
    let change = start.iter().zip(end).map(|(before, after)| (after - before).abs()).fold(0.0, f64::max);
    assert!(change > 1e-3 && change < 30.0, "{change}");
}

/// The committed result comes from one more run of the command, by `cargo xtask demo-data`.
#[test]
fn the_demonstration_gives_the_committed_bytes() {
    let folder = data().join("pbl");
    let work = tempfile::tempdir().unwrap();
    fs::copy(folder.join("columns.nc"), work.path().join("columns.nc")).unwrap();
    let run = |more: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_isobar"))
            .args(["pbl", "columns.nc", "-o", "tendencies.nc", "--dt", "60"])
            .args(more)
            .args(["--device", "cpu"])
            .current_dir(work.path())
            .output()
            .unwrap()
    };
    let output = run(&["--steps", "60"]);
    let text = said(&output);
    assert!(text.contains("\n4 columns, 40 layers, 60 steps on cpu in f64: "), "{text}");
    assert_eq!(text.matches("columns.nc: not read: rthraten, ctopo, ctopo2\n").count(), 1, "{text}");
    // The file has fluxes and no surface layer.
    let made_up = "friction_velocity, profile_momentum, profile_heat, richardson, u_10m, v_10m by similarity formulas";
    let warning = "isobar: warning: columns.nc: without a surface layer this is made up";
    assert!(text.contains(warning) && text.contains(made_up), "{text}");
    let json = run(&["--json", "--quiet"]);
    assert!(said(&json).starts_with(warning) && said(&json).lines().count() == 1, "{}", said(&json));
    let json: serde_json::Value = serde_json::from_str(&crate::common::printed(&json)).unwrap();
    assert!(json["made_up"].as_str().unwrap().starts_with(made_up), "{json}");
    let output = run(&["--steps", "60"]);
    assert!(output.status.success());
    assert!(fs::read(work.path().join("tendencies.nc")).unwrap() == fs::read(folder.join("tendencies.nc")).unwrap());
    let height = |more: &[&str]| {
        let output = run(more);
        assert!(output.status.success(), "{}", said(&output));
        read(&work.path().join("tendencies.nc"), "boundary_layer_height", "m")
    };
    let base = height(&[]);
    assert!((600.0..1100.0).contains(&base[0]) && base[1] < 300.0, "{base:?}");
    // Each option counts.
    assert!(height(&["--top-down"])[3] != base[3]);
    let momentum = |more: &[&str]| {
        run(more);
        read(&work.path().join("tendencies.nc"), "tendency_u", "m s-2")
    };
    let base = momentum(&[]);
    assert!(momentum(&["--topographic"]) != base && momentum(&["--version", "wrf361"]) != base);
}

#[test]
fn plots_are_drawn_with_the_result_or_not_at_all() {
    let case = Case::of("pbl", &fs::read(data().join("pbl/columns.nc")).unwrap());
    let svg = case.folder.path().join("out.svg");
    for options in [&["--dt", "60"][..], &["--dt", "60", "--steps", "30", "--precision", "f32"]] {
        let output = case.command(&[options, &["--plot", "out.svg"]].concat());
        assert!(output.status.success(), "{}", said(&output));
        let text = fs::read_to_string(&svg).unwrap();
        assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"), "{text}");
        for part in [
            "potential temperature [K]",
            "water vapour [g kg⁻¹]",
            "wind speed [m s⁻¹]",
            "diffusivity [m² s⁻¹]",
            "height [km]",
            "before, column 0",
            "after, column 3",
            "K, column 1",
            "h, column 2",
        ] {
            assert!(text.contains(part), "{part}");
        }
        assert!(!text.contains("NaN"));
    }
    fs::remove_file(&svg).unwrap();
    fs::remove_file(case.out()).unwrap();
    let output = case.command(&["--dt", "60", "--plot", "nowhere/out.svg"]);
    assert!(!output.status.success() && said(&output).starts_with("isobar: nowhere/out.svg: "), "{}", said(&output));
    assert!(!case.out().exists());
}

#[test]
fn cut_files_do_not_bring_the_command_down() {
    let nc4 = fs::read(data().join("pbl/columns.nc")).unwrap();
    for bytes in [small().bytes(), wrf().0.bytes(), nc4] {
        for part in 0..8 {
            let case = Case::of("pbl", &bytes[..bytes.len() * part / 8]);
            if !case.command(&["--dt", "60"]).status.success() {
                case.refused(&["--dt", "60"], &[]);
            }
        }
    }
}
