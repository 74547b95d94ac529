//! Subsidence by pressure and values that jump, in `isobar run`.

use isobar_io::netcdf::{Accepted, Axis, Dataset, Dimension, VariableSpec};

use crate::common::run_case::Case;

/// A dry afternoon without radiation, whose potential temperature rises by 5 K/km from 500 m.
const SINKING: &str = r#"
columns = 2
hours = 1.0
step_s = 60.0

[output]
minutes = 20
restart_hours = 0.5

[grid]
layers = 10
top_m = 2000.0
stretch = 1.0

[initial]
kind = "profile"
surface_pressure_pa = 1e5
potential_temperature_k = { height_m = [0, 500, 2000], value = [290, 290, 297.5] }
vapour_kg_per_kg = 0.0

[surface_flux]
sensible_w_per_m2 = { time_s = [0, 1800, 1800, 3600], value = [50, 50, 90, 90] }
latent_w_per_m2 = 0.0

[forcing]
pressure_velocity_pa_per_s = { time_s = [0, 1830, 1830, 3600], value = [0.1, 0.1, 0.3, 0.3] }
"#;

fn field(case: &Case, name: &str, unit: &str, axes: &[Dimension]) -> Vec<f64> {
    let axes: Vec<Axis> = axes.iter().map(|&axis| Axis::required(axis)).collect();
    let accepted = Accepted::FINITE;
    let spec = VariableSpec { name, aliases: &[], standard_names: &[], unit, axes: &axes, accepted };
    Dataset::open(&case.path("out.nc")).unwrap().read(&spec).unwrap().values
}

fn run(text: &str) -> Case {
    let case = Case::new(text);
    case.done("out.nc", &[]);
    case
}

/// What is recorded: omega as given in the middle of the step that ends, and `w = omega dz / dp` with it.
#[test]
fn subsidence_by_pressure_and_its_velocity_are_recorded() {
    let case = run(SINKING);
    let layers = [Dimension::Time, Dimension::Layer, Dimension::Profile];
    let omega = field(&case, "lagrangian_tendency_of_air_pressure", "Pa s-1", &layers);
    let velocity = field(&case, "upward_air_velocity", "m s-1", &layers);
    let thickness = field(&case, "cell_thickness", "m", &layers);
    let pressure = field(&case, "interface_pressure", "Pa", &[Dimension::Level, Dimension::Profile]);
    for (place, omega) in omega.iter().enumerate().skip(20) {
        // The records of 20, 40 and 60 minutes: the value jumps after half an hour.
        let (record, layer) = (place / 20, place % 20);
        assert_eq!(*omega, if record == 1 { 0.1 } else { 0.3 }, "{place}");
        let expected = -omega * thickness[place] / (pressure[layer] - pressure[layer + 2]);
        // The thickness at the record is that at the start of its last step, as it is for forcing.
        assert!((velocity[place] - expected).abs() < 1e-14 * expected.abs(), "{place}: {}", velocity[place]);
    }
    // The flux of the first record is the start's, before the jump; of the second one that of the step before it.
    let heat = field(&case, "surface_upward_sensible_heat_flux", "W m-2", &[Dimension::Time, Dimension::Profile]);
    let by_record: Vec<f64> = heat.iter().step_by(2).map(|heat| heat.round()).collect();
    assert_eq!(by_record, [50.0, 50.0, 90.0, 90.0]);
    // The column gains by sinking air of higher potential temperature, where nothing else warms it: cp / g omega dtheta
    // with the 7 K from the middle of the lowest layer to that of the uppermost one. A little is mixed downward.
    let gained = |case: &Case| field(case, "heat_gained", "J m-2", &[Dimension::Time, Dimension::Profile])[7];
    let gain = gained(&run(&SINKING.replacen("[50, 50, 90, 90]", "[0, 0, 0, 0]", 1)));
    let expected = 1004.5 / 9.81 * (0.1 * 1830.0 + 0.3 * 1770.0) * 7.0;
    assert!((gain / expected - 1.0).abs() < 0.02, "{gain} {expected}");
    let still = run(&SINKING.replacen("[0.1, 0.1, 0.3, 0.3]", "[0.0, 0.0, 0.0, 0.0]", 1));
    // Half an hour of 50 W/m2, and one of 90.
    assert!((gained(&still) / (1800.0 * 140.0) - 1.0).abs() < 0.02, "{}", gained(&still));
}

/// Of dry air without chemistry there is neither water nor photolysis to be drawn.
#[test]
fn figures_leave_out_what_is_not_there() {
    let moist = SINKING.replacen("vapour_kg_per_kg = 0.0", "vapour_kg_per_kg = 1e-3", 1);
    for (text, water) in [(SINKING, false), (&moist, true)] {
        let case = Case::new(text);
        case.done("out.nc", &["--plot", "figure.svg"]);
        let [profiles, day] =
            ["profiles", "day"].map(|part| std::fs::read_to_string(case.path(&format!("figure-{part}.svg"))).unwrap());
        assert!(profiles.contains("Wind") && profiles.contains("Water vapour") == water, "{water}");
        assert!(day.contains("Momentum") && !day.contains("Photolysis"));
    }
}

#[test]
fn subsidence_by_pressure_goes_on_after_a_restart() {
    Case::new(SINKING).goes_on_after_a_restart();
}

#[test]
fn what_pressure_velocities_cannot_be_is_refused() {
    let bad = |from: &str, to: &str, expected: &str| {
        assert!(SINKING.contains(from), "{from}");
        let said = Case::new(&SINKING.replacen(from, to, 1)).fails(&[]);
        assert!(said.starts_with("isobar: case.toml:") && said.contains(expected), "{to}: {said}");
    };
    bad("[0.1, 0.1, 0.3, 0.3]", "[0.1, 0.1, 0.3, 30.0]", "case.toml:26: 30 is not in [-10, 10]");
    // Layers of 1 m: 0.3 Pa/s are 1.5 m in a step.
    bad("top_m = 2000.0", "top_m = 10.0", "case.toml:26: -0.02");
    bad("top_m = 2000.0", "top_m = 10.0", " m/s in layer 0 carry air 1.5");
    // Before a jump, too: 50 m in layers of 20.
    let thin = SINKING.replacen("top_m = 2000.0", "top_m = 200.0", 1);
    let said = Case::new(&thin.replacen("[0.1, 0.1, 0.3, 0.3]", "[0.1, 9.9, 0.3, 0.3]", 1)).fails(&[]);
    assert!(said.contains("in layer 0 carry air 5"), "{said}");
    bad("[forcing]", "[forcing]\nvertical_velocity_m_per_s = 0.0", "27: there is a vertical_velocity_m_per_s: one of");
    let thrice = "case.toml:26: time 4 is 1830, and times have to rise, or to be the same twice where the values jump";
    let times =
        ("[0, 1830, 1830, 3600], value = [0.1, 0.1, 0.3, 0.3]", "[0, 1830, 1830, 1830, 3600], value = [0, 0, 0, 0, 0]");
    bad(times.0, times.1, thrice);
}
