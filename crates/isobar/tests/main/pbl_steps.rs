//! Steps follow each other as if each began from a file with the state that the one before left: what the file has
//! stays, and what was derived from the state follows it.

use crate::common::classic::{Case, Classic};
use crate::common::radiation_file::Numbers;
use crate::common::said;
use crate::model_files::{by_coefficients, ground, hybrid, means};
use crate::pbl_model_files::World;

const STEPS: usize = 4;
/// What the state is called in a result, and in a file.
const STATE: [(&str, &str); 6] =
    [("u", "u"), ("v", "v"), ("temperature", "t"), ("vapour", "qv"), ("cloud_water", "qc"), ("cloud_ice", "qi")];
const RESULTS: [&str; 9] = [
    "height",
    "u_10m",
    "v_10m",
    "stress_u",
    "stress_v",
    "boundary_layer_height",
    "tendency_u",
    "tendency_theta",
    "temperature",
];

fn columns() -> Classic {
    const LAYERS: usize = 12;
    let levels = by_coefficients(&hybrid(LAYERS), &ground());
    World::new(levels.clone(), means(&levels)).own()
}

fn run(file: &Classic, steps: usize) -> Numbers {
    let case = Case::of("pbl", &file.bytes());
    let output = case.command(&["--dt", "120", "--steps", &steps.to_string()]);
    assert!(output.status.success(), "{}", said(&output));
    Numbers::open(&case.out())
}

/// The results of as many files, each with the state of the one before.
fn one_by_one(mut file: Classic) -> Numbers {
    for _ in 1..STEPS {
        let found = run(&file, 1);
        for (of_result, of_file) in STATE {
            file.variable(of_file).values = found.all(of_result);
        }
    }
    run(&file, 1)
}

fn is_the_same(file: &Classic) -> Numbers {
    let (chained, found) = (one_by_one(file.clone()), run(file, STEPS));
    for name in RESULTS {
        assert_eq!(found.all(name), chained.all(name), "{name}");
    }
    found
}

#[test]
fn what_is_derived_follows_the_state() {
    let file = columns();
    let count = file.dimensions.iter().find(|(name, _)| *name == "column").unwrap().1;
    let column = |name: &'static str, unit: &'static str, value: f64| {
        file.clone().with(name, &["column"], unit, &vec![value; count])
    };
    // All of the surface layer by wind and fluxes; by friction velocity; by the Richardson number; friction velocity by
    // stress.
    let found = is_the_same(&file);
    assert_ne!(found.all("u_10m"), run(&file, 1).all("u_10m"));
    is_the_same(&column("ust", "m s-1", 0.3));
    is_the_same(&column("br", "1", -0.02));
    let stress = column("iews", "N m-2", 0.1).with("inss", &["column"], "N m-2", &vec![0.02; count]);
    is_the_same(&stress);
    // What is given stays.
    let given = column("u10", "m s-1", 2.5).with("v10", &["column"], "m s-1", &vec![-1.5; count]);
    assert!(is_the_same(&given).all("u_10m").iter().all(|&wind| wind == 2.5));
}

/// A wind that is all of the lowest layer's is turned and shortened with it: the stress is along it after each step, of
/// the size that its friction velocity has.
#[test]
fn the_stress_is_along_the_wind_of_its_step() {
    let file = columns();
    let before = run(&file, STEPS - 1);
    let after = run(&file, STEPS);
    let [u, v] = ["u", "v"].map(|name| before.all(name));
    let [x, y] = ["u_10m", "v_10m"].map(|name| after.all(name));
    for i in 0..x.len() {
        assert!((x[i] * v[i] - y[i] * u[i]).abs() < 1e-12 * (u[i] * u[i] + v[i] * v[i]), "{i}");
    }
}

/// Times of a result are those of the file, and it says of when it is.
#[test]
fn results_say_of_when_they_are() {
    let file = columns();
    let comment = |steps: &str| {
        let case = Case::of("pbl", &file.bytes());
        assert!(case.command(&["--dt", "120", "--steps", steps]).status.success());
        isobar_io::netcdf::Dataset::open(&case.out()).unwrap().attribute("comment")
    };
    let says =
        "times are those of the columns that were read: results are of 240 s later, the last state is of 360 s later";
    assert_eq!(comment("3").as_deref(), Some(says));
    let says = "times are those of the columns that were read: the last state is of 120 s later";
    assert_eq!(comment("1").as_deref(), Some(says));
}
