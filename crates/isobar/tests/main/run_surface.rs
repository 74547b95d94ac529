//! The revised MM5 surface layer and large-scale condensation in `isobar run`: each key counts, budgets close, runs go
//! on to the same bytes, and what has no effect is refused.

use std::fs;

use crate::common::data;
use crate::common::run_case::Case;
use isobar_io::netcdf::{Accepted, Axis, Dataset, Dimension, VariableSpec};

/// Moist air over sea or land, an afternoon in steps of ten minutes.
const MOIST: &str = r#"
columns = 3
hours = 4
step_s = 600.0
start_hour = 11.0

[output]
minutes = 60
restart_hours = 2

[grid]
layers = 12
top_m = 12_000.0

[initial]
kind = "profile"
surface_pressure_pa = 101_000.0
potential_temperature_k = { height_m = [0.0, 1000.0, 12_000.0], value = [298.0, 299.0, 342.0] }
vapour_kg_per_kg = { height_m = [0.0, 1500.0, 6000.0, 12_000.0], value = [0.016, 0.014, 0.004, 0.0001] }

[site]
latitude_deg = [10.0, 30.0]
wind_east_m_per_s = [2.0, 30.0]
surface = "land"
roughness_m = 0.2

[ground]
mean_k = [300.0, 304.0]
amplitude_k = 6.0

[surface_layer]
kind = "revised_mm5"

[condensation]
evaporation = false
"#;

/// The field of a column and a time, at the last record.
fn last(case: &Case, name: &str, unit: &str) -> Vec<f64> {
    let axes = [Axis::required(Dimension::Time), Axis::required(Dimension::Profile)];
    let spec = VariableSpec { name, aliases: &[], standard_names: &[], unit, axes: &axes, accepted: Accepted::FINITE };
    Dataset::open(&case.path("out.nc")).unwrap().read(&spec).unwrap().values.split_off(12)
}

fn run(text: &str) -> Case {
    let case = Case::new(text);
    let summary: serde_json::Value = serde_json::from_str(&case.done("out.nc", &["--json"])).unwrap();
    for budget in ["heat_budget_error", "water_budget_error"] {
        assert!(summary[budget].as_f64().unwrap() < 1e-14, "{summary}");
    }
    assert_eq!(summary["flagged_columns"].as_u64(), Some(0), "{summary}");
    case
}

fn heat(case: &Case) -> Vec<f64> {
    last(case, "surface_upward_sensible_heat_flux", "W m-2")
}

fn changed(from: &str, to: &str) -> String {
    assert!(MOIST.contains(from), "{from}");
    MOIST.replacen(from, to, 1)
}

#[test]
fn each_key_of_the_surface_layer_counts() {
    let revised = run(MOIST);
    let flux = heat(&revised);
    let differs = |text: &str| {
        let other = heat(&run(text));
        assert!(flux.iter().zip(&other).all(|(a, b)| (a - b).abs() > 1e-3), "{flux:?} {other:?}");
    };
    // Another surface layer has other fluxes, of the same sign and size.
    let bulk = run(&changed("kind = \"revised_mm5\"", "kind = \"similarity\""));
    let other = heat(&bulk);
    assert!(flux.iter().zip(&other).all(|(a, b)| a != b && (0.3..3.0).contains(&(a / b))), "{flux:?} {other:?}");
    // It is that without the section.
    assert_eq!(heat(&run(&changed("[surface_layer]\nkind = \"revised_mm5\"\n", ""))), other);
    let with = |key: &str| changed("kind = \"revised_mm5\"", &format!("kind = \"revised_mm5\"\n{key}"));
    differs(&with("land_roughness = \"chen_zhang\""));
    differs(&with("land_roughness = \"zilitinkevich\""));
    assert_eq!(heat(&run(&with("land_roughness = \"momentum\""))), flux);

    // Water has the roughness of its waves, which is recorded; land has its own.
    let file = Dataset::open(&revised.path("out.nc")).unwrap();
    assert!(!file.has_name("surface_roughness_length_for_heat_in_air"));
    let sea = MOIST.replacen("\"land\"", "\"water\"", 1);
    let water = run(&sea);
    let roughness = last(&water, "surface_roughness_length", "m");
    assert!(roughness.windows(2).all(|pair| pair[0] < pair[1]) && roughness[2] < 0.003, "{roughness:?}");
    let sea_flux = heat(&water);
    for key in ["constant", "garratt"] {
        let key = format!("kind = \"revised_mm5\"\nwater_roughness = \"{key}\"");
        let other = heat(&run(&sea.replacen("kind = \"revised_mm5\"", &key, 1)));
        assert!(sea_flux.iter().zip(&other).all(|(a, b)| a != b), "{key}: {sea_flux:?} {other:?}");
    }
    let coare = sea.replacen("kind = \"revised_mm5\"", "kind = \"revised_mm5\"\nwater_roughness = \"coare\"", 1);
    assert_eq!(heat(&run(&coare)), sea_flux);
}

/// Beside `each_key_of_the_surface_layer_counts`: those of fluxes, depth, hills and the root.
#[test]
fn every_option_of_the_revised_surface_layer_counts() {
    let with = |text: &str, keys: &str, site: &str| {
        let text = text.replacen("kind = \"revised_mm5\"", &format!("kind = \"revised_mm5\"\n{keys}"), 1);
        run(&text.replacen("roughness_m = 0.2", &format!("roughness_m = 0.2\n{site}"), 1))
    };
    let friction = |case: &Case| last(case, "friction_velocity", "m s-1");
    let usual = run(MOIST);
    let hills = with(MOIST, "form_drag = true", "orography_deviation_m = [8.0, 12.0]");
    assert!(friction(&usual).iter().zip(friction(&hills)).all(|(a, b)| *a < b));
    let higher = with(MOIST, "form_drag = true\nform_drag_factor = 2.0", "orography_deviation_m = [8.0, 12.0]");
    let twice = with(MOIST, "form_drag = true", "orography_deviation_m = [16.0, 24.0]");
    assert_eq!(friction(&higher), friction(&twice));
    assert_ne!(friction(&higher), friction(&hills));
    assert_ne!(heat(&with(MOIST, "root = \"converged\"", "")), heat(&usual));
    assert_eq!(heat(&with(MOIST, "root = \"secants\"\nform_drag = false", "")), heat(&usual));
    assert_eq!(heat(&with(MOIST, "fluxes = \"zero\"", "")), [0.0; 3]);
    assert_eq!(heat(&with(MOIST, "fluxes = \"computed\"", "")), heat(&usual));
    let sea = MOIST.replacen("\"land\"", "\"water\"", 1);
    let roughness = |keys: &str, site: &str| last(&with(&sea, keys, site), "surface_roughness_length", "m");
    let [shallow, deep] =
        ["water_depth_m = 12.0", "water_depth_m = 90.0"].map(|depth| roughness("shallow_water = true", depth));
    assert!(shallow.iter().zip(&deep).all(|(shallow, deep)| shallow > deep), "{shallow:?} {deep:?}");
}

#[test]
fn options_of_the_revised_surface_layer_that_have_no_effect_are_refused() {
    let bad = |surface: &str, keys: &str, site: &str, expected: &str| {
        let text = MOIST.replacen("\"land\"", surface, 1);
        let text = text.replacen("kind = \"revised_mm5\"", keys, 1);
        let said = Case::new(&text.replacen("roughness_m = 0.2", &format!("roughness_m = 0.2\n{site}"), 1)).fails(&[]);
        assert!(said.starts_with("isobar: case.toml:") && said.contains(expected), "{keys} {site}: {said}");
    };
    let kind = |keys: &str| format!("kind = \"revised_mm5\"\n{keys}");
    for key in [
        "shallow_water = true",
        "form_drag = false",
        "form_drag_factor = 2.0",
        "root = \"secants\"",
        "fluxes = \"zero\"",
    ] {
        bad("\"land\"", &format!("kind = \"similarity\"\n{key}"), "", "this is of `kind = \"revised_mm5\"`");
    }
    let depth = "water_depth_m = 20.0";
    bad("\"land\"", "kind = \"similarity\"", depth, "this is of `kind = \"revised_mm5\"`");
    bad("\"land\"", &kind("shallow_water = true"), depth, "this has no effect: all columns are land");
    bad("\"water\"", &kind("land_roughness = \"momentum\""), "", "this has no effect: all columns are water");
    bad("\"water\"", &kind("shallow_water = true"), "", "this needs `water_depth_m` in [site]");
    bad("\"water\"", &kind(""), depth, "this has no effect without `shallow_water = true`");
    bad("\"water\"", &kind("shallow_water = true"), "water_depth_m = -1.0", "-1 is not in [0, 20000]");
    let hills = "orography_deviation_m = 20.0";
    bad("\"land\"", &kind("form_drag = true"), "", "this needs `orography_deviation_m` in [site]");
    bad("\"land\"", &kind("form_drag = false"), hills, "this has no effect without `form_drag = true`");
    bad("\"land\"", &kind("form_drag_factor = 2.0"), "", "this has no effect without `form_drag = true`");
    bad("\"land\"", &kind("form_drag = true\nform_drag_factor = 0.0"), hills, "form_drag_factor is 0, which is not in");
    bad("\"land\"", &kind("fluxes = \"given\""), "", "[surface_flux] gives fluxes");
    let both = kind("shallow_water = true\nwater_roughness = \"garratt\"");
    bad("\"water\"", &both, depth, "water_roughness has to be coare with shallow_water");
}

#[test]
fn condensation_rains_and_evaporation_keeps_some() {
    let rain = |case: &Case| last(case, "precipitation_amount", "kg m-2");
    let all = rain(&run(MOIST));
    assert!(all.iter().all(|&rain| rain > 0.1), "{all:?}");
    let less = rain(&run(&changed("evaporation = false", "evaporation = true")));
    assert!(less.iter().zip(&all).all(|(less, all)| less < all && *less >= 0.0), "{less:?} {all:?}");
    assert_eq!(rain(&run(&changed("evaporation = false\n", ""))), all);
    let none = run(&changed("[condensation]\nevaporation = false\n", ""));
    assert!(!Dataset::open(&none.path("out.nc")).unwrap().has_name("precipitation_amount"));
}

#[test]
fn rain_and_waves_go_on_after_a_restart() {
    Case::new(&MOIST.replacen("\"land\"", "\"water\"", 1)).goes_on_after_a_restart();
}

#[test]
fn what_has_no_effect_is_refused_with_its_line() {
    let bad = |from: &str, to: &str, expected: &str| {
        let said = Case::new(&changed(from, to)).fails(&[]);
        assert!(said.starts_with("isobar: case.toml:") && said.contains(expected), "{to}: {said}");
    };
    bad("kind = \"revised_mm5\"", "kind = \"revised_mm4\"", "unknown name `revised_mm4`; did you mean `revised_mm5`?");
    let kind = |more: &str| format!("kind = \"similarity\"\n{more}");
    bad("kind = \"revised_mm5\"", &kind("land_roughness = \"momentum\""), "this is of `kind = \"revised_mm5\"`");
    bad("kind = \"revised_mm5\"", &kind("water_roughness = \"coare\""), "this is of `kind = \"revised_mm5\"`");
    let kind = |more: &str| format!("kind = \"revised_mm5\"\n{more}");
    bad("kind = \"revised_mm5\"", &kind("water_roughness = \"coare\""), "all columns are land");
    bad("kind = \"revised_mm5\"", &kind("land_roughness = \"rough\""), "unknown name `rough`");
    bad("kind = \"revised_mm5\"", &kind("roughness = 1.0"), "unknown key `roughness`");
    bad("roughness_m = 0.2", "roughness_m = 0.2\nroughness_heat_m = 0.02", "this has no effect");
    let fluxes = "[surface_flux]\nsensible_w_per_m2 = 50.0\nlatent_w_per_m2 = 50.0\n\n[condensation]";
    let given = MOIST.replacen("[condensation]", fluxes, 1);
    let said = Case::new(&given).fails(&[]);
    assert!(said.contains("case.toml:32: the revised MM5 surface layer computes fluxes"), "{said}");
    bad("evaporation = false", "evaporation = \"no\"", "invalid type: string \"no\", expected a boolean");
    bad("evaporation = false", "evaporate = false", "unknown key `evaporate`; did you mean `evaporation`?");
    let stages = "stages = [\"sun\", \"ground\", \"diagnose\", \"surface_flux\", \"ysu\", \"advance\"]\ncolumns = 3";
    bad("columns = 3", stages, "there is a [condensation] and no stage `condensation`");
}

/// GABLS1 with the revised MM5 surface layer: friction and height are within what single-column models have (Cuxart et
/// al. 2006). More heat goes down than in any of the range, -20 to -10 W/m2, by a few parts in a hundred.
#[test]
fn gabls1_has_the_friction_and_height_that_models_have() {
    let text = fs::read_to_string(data().join("column/gabls1.toml")).unwrap();
    let case = Case::new(&(text + "\n[surface_layer]\nkind = \"revised_mm5\"\n"));
    case.done("out.nc", &[]);
    let at_end = |name: &str, unit: &str| *last(&case, name, unit).last().unwrap();
    let friction = at_end("friction_velocity", "m s-1");
    let heat = at_end("surface_upward_sensible_heat_flux", "W m-2");
    let height = at_end("atmosphere_boundary_layer_thickness", "m");
    assert!((0.25..0.34).contains(&friction), "{friction} m/s");
    assert!((-21.0..-20.0).contains(&heat), "{heat} W/m2");
    assert!((150.0..300.0).contains(&height), "{height} m");
}
