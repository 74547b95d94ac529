//! Spectra.

use isobar_spectra::constants::WING_CUT_PER_CM;
use isobar_spectra::{Constants, Grid, Method, Options};

use super::case::{Case, HAPI, against_local_maximum, cases, relative};

const EXACT: Options = Options {
    cut_per_cm: WING_CUT_PER_CM,
    without_pedestal: false,
    wings: isobar_spectra::Wings::Voigt,
    mixing: false,
    method: Method::Exact,
    constants: HAPI,
};

fn names(case: &Case) -> [(&'static str, &Grid, f64); 4] {
    [
        ("coarse_wing25", &case.coarse, WING_CUT_PER_CM),
        ("fine_wing25", &case.fine, WING_CUT_PER_CM),
        ("coarse_nowing", &case.coarse, f64::INFINITY),
        ("fine_nowing", &case.fine, f64::INFINITY),
    ]
}

/// The Voigt function is good to 1e-10, and so are sums of positive terms.
#[test]
fn double_precision_exactly() {
    for case in cases() {
        for (name, grid, cut_per_cm) in names(&case) {
            let got = case.compute::<f64>(grid, Options { cut_per_cm, ..EXACT });
            for ((air, got), golden) in case.states.iter().zip(&got).zip(&case.golden(name)) {
                let error = relative(got, golden);
                println!("{} {name} {air:?}: {error:.1e}", case.gas.name());
                assert!(error < 1e-10, "{} {name} {air:?}: {error:e}", case.gas.name());
            }
        }
    }
}

/// Distances are in double precision, and 16 lines at most are summed in single: what is left is the Voigt function.
#[test]
fn single_precision_exactly() {
    for case in cases() {
        for (name, grid, cut_per_cm) in names(&case) {
            let got = case.compute::<f32>(grid, Options { cut_per_cm, ..EXACT });
            for ((air, got), golden) in case.states.iter().zip(&got).zip(&case.golden(name)) {
                let error = relative(got, golden);
                println!("{} {name} {air:?}: {error:.1e}", case.gas.name());
                assert!(error < 1e-5, "{} {name} {air:?}: {error:e}", case.gas.name());
            }
        }
    }
}

#[test]
fn a_tree_keeps_its_stated_error() {
    for case in cases() {
        for (name, grid, cut_per_cm) in names(&case) {
            let options = Options { cut_per_cm, method: Method::Tree, ..EXACT };
            let double = case.compute::<f64>(grid, options);
            let single = case.compute::<f32>(grid, options);
            for (i, golden) in case.golden(name).iter().enumerate() {
                let errors = [&double[i], &single[i]].map(|got| against_local_maximum(got, golden));
                let air = &case.states[i];
                println!(
                    "{} {name} {air:?}: {:.1e} {:.1e} {:.1e}",
                    case.gas.name(),
                    errors[0],
                    errors[1],
                    relative(&double[i], golden)
                );
                assert!(errors.iter().all(|&error| error < 1e-4), "{} {name} {air:?}: {errors:?}", case.gas.name());
            }
        }
    }
}

/// A difference of two nearby numbers where lines are far: relative to the sum before.
#[test]
fn without_pedestals() {
    let Some(case) = Case::new("h2o", 1) else { return };
    let golden = case.golden("coarse_pedestal_removed");
    let before = case.golden("coarse_wing25");
    for (method, bound) in [(Method::Exact, 1e-10), (Method::Tree, 1e-4)] {
        let got = case.compute::<f64>(&case.coarse, Options { without_pedestal: true, method, ..EXACT });
        for (state, got) in got.iter().enumerate() {
            for (i, got) in got.iter().enumerate() {
                let (golden, before) = (golden[state][i], before[state][i]);
                assert!((got - golden).abs() < bound * before, "{method:?} {i}: {got:e} {golden:e} {before:e}");
            }
        }
    }
}

#[test]
fn with_constants_of_codata() {
    let Some(case) = Case::new("h2o", 1) else { return };
    let got = case.compute::<f64>(&case.coarse, Options { constants: Constants::CODATA_2018, ..EXACT });
    for (got, golden) in got.iter().zip(&case.golden("coarse_wing25_codata")) {
        let error = relative(got, golden);
        assert!(error < 1e-10, "{error:e}");
    }
}
