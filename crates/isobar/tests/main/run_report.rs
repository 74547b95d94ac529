//! What `isobar run` says at its end: nothing of what is not there.

use std::process::{Command, Output};

use netcdf_reader::NcFile;

use crate::common::run_case::Case;
use crate::common::{printed, said};

/// Dry air without radiation.
const AIR: &str = "columns = 2\nhours = 1.0\nstep_s = 60.0\n[output]\nminutes = 60\n[grid]\nlayers = 6\n\
                   top_m = 3000.0\n[initial]\nkind = \"profile\"\nsurface_pressure_pa = 1e5\n\
                   potential_temperature_k = 290.0\n\
                   vapour_kg_per_kg = 1e-4\n[surface_flux]\nsensible_w_per_m2 = 0.0\nlatent_w_per_m2 = 0.0\n";

fn run(case: &Case, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
    command.args(["run", "case.toml", "-o", "out.nc", "--device", "cpu"]).args(more);
    command.current_dir(case.path("")).output().unwrap()
}

/// An hour takes 3.6e-4 kg/kg of 1e-4.
#[test]
fn vapour_below_nothing_is_no_matter_of_radiation_where_there_is_none() {
    let case = Case::new(&format!("{AIR}[forcing]\nvapour_per_s = -1e-7\n"));
    assert!(!case.told().contains("radiation took"), "{}", case.told());
    let file = NcFile::open(case.path("out.nc")).unwrap();
    let vapour = file.read_variable_as_f64("humidity_mixing_ratio").unwrap();
    assert!(vapour.iter().any(|&vapour| vapour < -1e-4) && file.variable("clamped_values").is_err());
    let summary = said(&run(&case, &[]));
    assert!(summary.contains("; 0 clamps, 0 columns flagged"), "{summary}");
}

/// An hour of 0.1 K/s leaves the range of temperatures.
#[test]
fn columns_that_all_stopped_have_no_budgets() {
    let case = Case::new(&format!("{AIR}[forcing]\ntemperature_k_per_s = 0.1\n"));
    let output = run(&case, &[]);
    let summary = said(&output);
    assert_eq!(output.status.code(), Some(4), "{summary}");
    let expected = "budgets have no numbers; 0 clamps, 2 columns flagged, 2 of them stopped";
    assert!(summary.contains(expected), "{summary}");
    let json: serde_json::Value = serde_json::from_str(&printed(&run(&case, &["--json"]))).unwrap();
    assert!(json["heat_budget_error"].is_null() && json["water_budget_error"].is_null(), "{json}");
    // Air without water has a budget that closes.
    let dry = Case::new(&AIR.replacen("vapour_kg_per_kg = 1e-4", "vapour_kg_per_kg = 0.0", 1));
    let json: serde_json::Value = serde_json::from_str(&printed(&run(&dry, &["--json"]))).unwrap();
    assert_eq!(json["water_budget_error"].as_f64(), Some(0.0), "{json}");
}
