//! `isobar longwave` reads gases by RRTMG_LW's names.

use crate::common::longwave::{assert_near, case, clear, fluxes, kdist};

/// RRTMG_LW's names of gases, and ours.
const NAMES: [(&str, &str); 6] =
    [("h2ovmr", "h2o"), ("co2vmr", "co2"), ("o3vmr", "o3"), ("n2ovmr", "n2o"), ("ch4vmr", "ch4"), ("o2vmr", "o2")];
const HALOCARBONS: [(&str, &str, f64); 4] = [
    ("cfc11vmr", "cfc11", 250.0),
    ("cfc12vmr", "cfc12", 500.0),
    ("cfc22vmr", "cfc22", 230.0),
    ("ccl4vmr", "ccl4", 80.0),
];

#[test]
fn all_gases_go_by_rrtmgs_names() {
    let (mut ours, mut theirs) = (clear(), clear());
    for (name, own) in NAMES {
        theirs.variable(own).name = name;
    }
    for (name, own, amount) in HALOCARBONS {
        ours = ours.with(own, &[], "1e-12", &[amount]);
        theirs = theirs.with(name, &[], "1e-12", &[amount]);
    }
    let expected = fluxes(&ours, &[]);
    assert_near(&fluxes(&theirs, &[]), &expected, 0.0);
    // RRTMG's have no unit, and are ratios.
    for (name, ..) in NAMES.into_iter().filter(|(name, _)| ["h2ovmr", "o3vmr", "o2vmr"].contains(name)) {
        theirs.variable(name).units = None;
    }
    assert_near(&fluxes(&theirs, &[]), &expected, 0.0);
}

/// A gas by a name that nobody reads is asked after.
#[test]
fn names_that_are_like_it_are_asked_after() {
    let mut file = clear();
    file.variable("o2").name = "my_O2vmr";
    let options = ["--kdist", &kdist(), "--clear-sky"];
    let output = case(&file).command(&options);
    let said = crate::common::said(&output);
    assert!(!output.status.success() && said.contains("o2 (is it my_O2vmr?)"), "{said}");
}
