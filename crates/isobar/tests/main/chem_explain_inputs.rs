//! What `isobar chem explain` takes and finds of cells: files and `--set` as a run has them, and species without loss.

use std::fs;

use crate::chem_explain::{Small, explain, parsed, says};
use crate::common::classic::Classic;
use crate::common::said;

const GRID: &[&str] = &["time", "lev", "lat", "lon"];

/// A file with all that rates read, and one without for which `--set` says it, are the same cell.
#[test]
fn files_and_settings_are_those_of_a_run() {
    let small = |constants: &[(&'static str, &'static str, f64)]| {
        Small::new("#DEFVAR A = IGNORE; #EQUATIONS A + A = PROD : K;", &[("A", 1e9)], constants)
    };
    let whole = small(&[("K", "cm3 s-1", 1e-12)]).json(&[]);
    let bare = small(&[]);
    assert_eq!(bare.json(&["--set", "K=1e-12"]), whole);
    let usual = ["--dt", "600"];
    assert!(said(&bare.command("in.nc", &usual)).contains("K is missing"));
    let output = bare.command("in.nc", &["--dt", "600", "--set", "Q=1"]);
    assert!(said(&output).contains("--set Q: the rates have no such input, but K"), "{}", said(&output));
    // A restart file of GEOS-Chem, and behind it one that has what it lacks.
    let restart = Classic { dimensions: vec![("time", 1), ("lev", 1), ("lat", 1), ("lon", 2)], ..Classic::default() };
    let put = |name: &str, file: Classic| fs::write(bare.0.path().join(name), file.bytes()).unwrap();
    put("rst.nc", restart.clone().with("SpeciesRst_A", GRID, "mol mol-1 dry", &[1e-10, 2e-10]));
    let met = restart.with("Met_T", GRID, "K", &[280.0, 290.0]).with("Met_PMID", GRID, "hPa", &[900.0, 900.0]);
    put("met.nc", met);
    let more = ["--mechanism", "m.kpp", "--dt", "600", "--set", "K=1e-12", "--index", "1", "--json"];
    let output = explain(bare.0.path(), &[&["rst.nc", "met.nc"], &more[..]].concat());
    let found = parsed(&output);
    // What 290 K and 900 hPa have of molecules, times its part, after 600 s: 1/A - 1/A0 = 2 K t.
    let start = 2e-10 * 1e-6 * 9e4 / (1.380_649e-23 * 290.0);
    let (got, want) = (found["concentrations"][0].as_f64().unwrap(), start / (1.0 + 2e-12 * 600.0 * start));
    assert!((got - want).abs() < 2e-2 * want, "{got} instead of {want}");
    // The file of a cell that failed has all.
    let runaway = ["chem", "--mechanism", "m.kpp", "--cells", "in.nc", "-o", "o.nc", "--hours", "1", "--dt", "600"];
    let runs = Small::new("#DEFVAR A = IGNORE; #EQUATIONS A + A = PROD : K;", &[("A", -2e9)], &[]);
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_isobar"));
    command.args(runaway).args(["--set", "K=1e-12", "--method", "rodas4", "--rtol", "1e-6", "--atol", "1e-2"]);
    command.current_dir(runs.0.path()).output().unwrap();
    for (more, words) in [
        (["--set", "K=1"], "--set K: o.cell0.json has what the cell had"),
        (["in.nc", "--json"], "in.nc: o.cell0.json is of a cell that failed and needs no further file"),
    ] {
        let arguments = [&["o.cell0.json"], &more[..], &["--mechanism", "m.kpp"]].concat();
        let output = explain(runs.0.path(), &arguments);
        assert!(output.status.code() == Some(2) && said(&output).contains(words), "{words}: {}", said(&output));
    }
}

/// At the shortest step, the first, P is not yet there, and nothing of it is lost; it reacts all the same.
#[test]
fn species_that_react_are_no_counters() {
    let rules = |more: &str| {
        let mechanism = format!("#DEFVAR A = IGNORE; P = IGNORE; #EQUATIONS A = P : K; A = PROD : 1.0; {more}");
        let small = Small::new(&mechanism, &[("A", 1e9), ("P", 0.0)], &[("K", "s-1", 1e-6)]);
        let found = small.json(&["--tolerance", "A=1e-6,1e20"]);
        assert_eq!(found["ruling"][0]["species"], "P");
        says(&found, "P rule the error and are lost by no reaction")
    };
    assert!(rules(""));
    assert!(!rules("P = PROD : 1.0E-9;"));
    assert!(!rules("P + P = PROD : 1.0E-30;"));
}
