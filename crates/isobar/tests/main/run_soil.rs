//! Layers of soil below a slab in `isobar run`: heat is conserved, keys count, runs go on, and what is no soil is
//! refused.

use isobar_io::netcdf::{Accepted, Axis, Dataset, Dimension, VariableSpec};

use crate::common::run_case::Case;
use crate::run::with_gaps;

const SLAB: &str = r#"
columns = 2
hours = 6.0
step_s = 600.0
start_hour = 9.0

[output]
minutes = 60
restart_hours = 2

[grid]
layers = 10
top_m = 10_000.0

[initial]
kind = "us76"

[site]
latitude_deg = [20.0, 50.0]

[longwave]
kdist = "longwave.nc"
every = 2

[ground]
kind = "slab"
mean_k = [290.0, 285.0]
heat_capacity_j_per_m2_k = 2e4
conductance_w_per_m2_k = 5.0
"#;
const SOIL: &str = r#"
[ground.soil]
thickness_m = [0.02, 0.05, 0.1, 0.3]
conductivity_w_per_m_k = [0.4, 0.8, 1.2, 1.5]
heat_capacity_j_per_m3_k = 2e6
temperature_k = [288.0, 287.0, 286.0, 285.0]
"#;
const COLUMNS: usize = 2;

fn field(case: &Case, name: &str, unit: &str, axes: &[Dimension]) -> Vec<f64> {
    let axes: Vec<Axis> = axes.iter().map(|&axis| Axis::required(axis)).collect();
    let accepted = Accepted::FINITE;
    let spec = VariableSpec { name, aliases: &[], standard_names: &[], unit, axes: &axes, accepted };
    Dataset::open(&case.path("out.nc")).unwrap().read(&spec).unwrap().values
}

fn series(case: &Case, name: &str, unit: &str) -> Vec<f64> {
    field(case, name, unit, &[Dimension::Time, Dimension::Profile])
}

fn soil(case: &Case) -> Vec<f64> {
    field(case, "soil_temperature", "K", &[Dimension::Time, Dimension::SoilLayer, Dimension::Profile])
}

fn run(text: &str) -> Case {
    let case = Case::new(text);
    let summary: serde_json::Value = serde_json::from_str(&case.done("out.nc", &["--json"])).unwrap();
    // 36 steps of ten layers, a few roundings each.
    for budget in ["heat_budget_error", "water_budget_error", "ground_budget_error"] {
        assert!(summary[budget].as_f64().unwrap() < 1e-14, "{summary}");
    }
    case
}

#[test]
fn slab_and_soil_hold_what_came_into_them() {
    let case = run(&(SLAB.to_owned() + SOIL));
    let depths = field(&case, "soil_depth", "m", &[Dimension::SoilLayer]);
    assert!(depths.iter().zip([0.01, 0.045, 0.12, 0.32]).all(|(got, depth)| (got - depth).abs() < 1e-15), "{depths:?}");
    let (temperature, surface) = (soil(&case), series(&case, "surface_temperature", "K"));
    let gained = series(&case, "ground_heat_gained", "J m-2");
    let start: Vec<f64> = [288.0, 287.0, 286.0, 285.0].into_iter().flat_map(|value| [value; COLUMNS]).collect();
    assert_eq!(temperature[..8], start);
    let capacity = [0.02, 0.05, 0.1, 0.3].map(|thickness| 2e6 * thickness);
    for record in 1..7 {
        for column in 0..COLUMNS {
            let soil = |record: usize, layer: usize| temperature[(4 * record + layer) * COLUMNS + column];
            let slab = |record: usize| surface[record * COLUMNS + column];
            let below: f64 = (0..4).map(|layer| capacity[layer] * (soil(record, layer) - soil(0, layer))).sum();
            let stored = below + 2e4 * (slab(record) - slab(0));
            // Sums of 3e8 J/m2.
            assert!((stored - gained[record * COLUMNS + column]).abs() < 1e-5, "{record} {column}: {stored}");
        }
    }
    // The day's warmth goes down, and weakens.
    let last = &temperature[6 * 8..];
    let warmer: Vec<f64> = (0..4).map(|layer| last[2 * layer] - start[2 * layer]).collect();
    assert!(warmer.is_sorted_by(|above, below| above > below) && warmer[0] > 1.5, "{warmer:?}");
    // More than the slab could hold.
    assert!(gained[12] > 5.0 * 2e4 * (surface[12] - surface[0]).abs());
}

/// One implicit solution of air, slab and soil: what the slab does not keep goes into the soil by the temperatures of
/// the step's end, through 5 W/(m2 K) and half of the uppermost layer, 40 W/(m2 K).
#[test]
fn the_flux_into_the_soil_is_that_of_the_end_of_a_step() {
    let case = run(&(SLAB.replacen("minutes = 60", "minutes = 10", 1) + SOIL));
    let (temperature, surface) = (soil(&case), series(&case, "surface_temperature", "K"));
    let flux = with_gaps(&case.path("out.nc"), "downward_heat_flux_in_soil", "W m-2");
    let conductance = 1.0 / (1.0 / 5.0 + 0.01 / 0.4);
    let mut most: f64 = 0.0;
    for place in COLUMNS..flux.len() {
        let (record, column) = (place / COLUMNS, place % COLUMNS);
        let kept = 2e4 * (surface[place] - surface[place - COLUMNS]) / 600.0;
        let conducted = conductance * (surface[place] - temperature[4 * record * COLUMNS + column]);
        // Differences of temperatures near 300 K: 6e-14 K times 40 W/(m2 K).
        assert!((flux[place] - kept - conducted).abs() < 1e-10, "{place}: {} {kept} {conducted}", flux[place]);
        most = most.max(conducted);
    }
    assert!(most > 20.0, "{most} W/m2");
}

/// Likewise over ground of one temperature: what the slab does not keep goes there, through 5 W/(m2 K).
#[test]
fn the_flux_into_the_ground_is_what_a_slab_keeps_and_conducts() {
    let case = run(&SLAB.replacen("minutes = 60", "minutes = 10", 1));
    let surface = series(&case, "surface_temperature", "K");
    let flux = with_gaps(&case.path("out.nc"), "downward_heat_flux_in_soil", "W m-2");
    let mut most: f64 = 0.0;
    for place in COLUMNS..flux.len() {
        let kept = 2e4 * (surface[place] - surface[place - COLUMNS]) / 600.0;
        let conducted = 5.0 * (surface[place] - [290.0, 285.0][place % COLUMNS]);
        assert!((flux[place] - kept - conducted).abs() < 1e-10, "{place}: {} {kept} {conducted}", flux[place]);
        most = most.max(conducted.abs());
    }
    assert!(most > 5.0, "{most} W/m2");
}

/// Soil that holds a thousand times what comes in stays as warm as it is: a slab over ground of one temperature,
/// through 5 W/(m2 K) and half of a layer of 100 m, 2 W/(m2 K).
#[test]
fn soil_of_one_great_layer_is_the_ground_below_a_slab() {
    let great =
        "\n[ground.soil]\nthickness_m = [100.0]\nconductivity_w_per_m_k = 100\nheat_capacity_j_per_m3_k = 1e7\n";
    let one = run(&(SLAB.to_owned() + great));
    let slab = run(&SLAB.replacen("k = 5.0", "k = 1.4285714285714286", 1));
    let other = run(SLAB);
    let [one, slab, other] = [&one, &slab, &other].map(|case| series(case, "surface_temperature", "K"));
    for (place, expected) in slab.iter().enumerate().skip(COLUMNS) {
        // 3e6 J/m2 warm it by 3e-3 K.
        assert!((one[place] - expected).abs() < 4e-3, "{place}: {} {expected}", one[place]);
        assert!((other[place] - expected).abs() > 0.05, "{place}");
    }
}

#[test]
fn each_key_of_the_soil_counts() {
    let text = SLAB.to_owned() + SOIL;
    let usual = soil(&run(&text));
    for (from, to) in [
        ("[0.02, 0.05, 0.1, 0.3]", "[0.03, 0.05, 0.1, 0.3]"),
        ("[0.4, 0.8, 1.2, 1.5]", "0.4"),
        ("2e6", "[2e6, 2e6, 2e6, 3e6]"),
        ("[288.0, 287.0, 286.0, 285.0]", "288"),
        ("conductance_w_per_m2_k = 5.0", "conductance_w_per_m2_k = 6.0"),
    ] {
        assert!(text.contains(from), "{from}");
        let other = soil(&run(&text.replacen(from, to, 1)));
        assert!(usual[8..].iter().zip(&other[8..]).any(|(a, b)| (a - b).abs() > 1e-3), "{from}");
    }
    // Without a temperature the soil is as warm as its column's slab.
    let own = soil(&run(&text.replacen("temperature_k = [288.0, 287.0, 286.0, 285.0]", "", 1)));
    assert_eq!(own[..8], [290.0, 285.0, 290.0, 285.0, 290.0, 285.0, 290.0, 285.0]);
}

#[test]
fn soil_goes_on_after_a_restart() {
    Case::new(&(SLAB.to_owned() + SOIL)).goes_on_after_a_restart();
}

#[test]
fn what_is_no_soil_is_refused() {
    let bad = |from: &str, to: &str, expected: &str| {
        let text = SLAB.to_owned() + SOIL;
        assert!(text.contains(from), "{from}");
        let said = Case::new(&text.replacen(from, to, 1)).fails(&[]);
        assert!(said.starts_with("isobar: case.toml:") && said.contains(expected), "{to}: {said}");
    };
    bad("[0.02, 0.05, 0.1, 0.3]", "[]", "case.toml:32: 0 layers of soil are not in [1, 100]");
    bad("[0.02, 0.05, 0.1, 0.3]", "[0.02, 0.0, 0.1, 0.3]", "case.toml:32: layer 1: 0 is not in [0.001, 100]");
    bad("[0.4, 0.8, 1.2, 1.5]", "[0.4, 0.8]", "case.toml:33: 2 values for 4 layers of soil");
    bad(
        "[0.4, 0.8, 1.2, 1.5]",
        "\"clay\"",
        "case.toml:33: invalid type: string \"clay\", expected a number, or one for",
    );
    bad("2e6", "2.0", "case.toml:34: layer 0: 2 is not in [10000, 10000000]");
    bad("287.0", "27.0", "case.toml:35: layer 1: 27 is not in [150, 350]");
    bad("thickness_m", "thicknes_m", "case.toml:32: unknown key `thicknes_m`; did you mean `thickness_m`?");
    bad(
        "kind = \"slab\"",
        "kind = \"given\"",
        "case.toml:32: layers of soil are below a slab: kind = \"slab\" of [ground]",
    );
    let stages = |list: &str| format!("columns = 2\nstages = [{list}]");
    let needs = "[ground.soil] needs the stages `ground`, `soil`, `advance` and `soil_step` in this order";
    let without = "'sun', 'diagnose', 'longwave', 'ground', 'surface_flux', 'ysu', 'advance'";
    bad("columns = 2", &stages(without), needs);
    let late = "'sun', 'diagnose', 'longwave', 'ground', 'surface_flux', 'ysu', 'advance', 'soil', 'soil_step'";
    bad("columns = 2", &stages(late), needs);
}
