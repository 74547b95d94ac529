//! Effective radii of MPAS's microphysics where there is nothing: its radiation takes others for them, as WRF's.

use isobar_core::Real;

use crate::common::classic::{Case, Classic};
use crate::common::radiation_file::Numbers;
use crate::model_files::fluxes;

const CELLS: usize = 2;
const LAYERS: usize = 5;
/// Of which the third has ice and the first droplets.
const PRESSURE: [f64; LAYERS] = [9e4, 7e4, 5e4, 3e4, 1e4];
const TEMPERATURE: [f64; LAYERS] = [285.0, 270.0, 250.0, 230.0, 215.0];
const FIELD: [&str; 3] = ["Time", "nCells", "nVertLevels"];
const NAMES: [&str; 4] =
    ["longwave_upward_flux", "longwave_downward_flux", "shortwave_upward_flux", "shortwave_downward_flux"];

/// Land and sea with a cloud of droplets in the lowest layer, and of ice at 230 K, of these radii \[m\] by cell.
fn file(droplets: [f64; CELLS], ice: f64) -> Classic {
    let by_layer = |values: [f64; LAYERS]| [values; CELLS].concat();
    let theta: Vec<f64> = PRESSURE.iter().zip(TEMPERATURE).map(|(p, t)| t / Real::powf(p / 1e5, 2.0 / 7.0)).collect();
    let heights: Vec<f64> = (0..=LAYERS).map(|level| 2500.0 * level as f64).collect();
    let column = ["Time", "nCells"];
    let dimensions = vec![("Time", 1), ("nCells", CELLS), ("nVertLevels", LAYERS), ("nVertLevelsP1", LAYERS + 1)];
    Classic { dimensions, ..Classic::default() }
        .with("time", &["Time"], "hours since 2020-06-21", &[12.0])
        .with("latCell", &["nCells"], "degree", &[20.0; CELLS])
        .with("lonCell", &["nCells"], "degree", &[0.0; CELLS])
        .with("zgrid", &["nCells", "nVertLevelsP1"], "m", &heights.repeat(CELLS))
        .with("pressure", &FIELD, "Pa", &by_layer(PRESSURE))
        .with("theta", &FIELD, "K", &theta.repeat(CELLS))
        .with("qv", &FIELD, "kg kg^{-1}", &by_layer([0.01, 0.005, 1e-3, 1e-4, 4e-6]))
        .with("o3", &FIELD, "mol mol-1", &by_layer([3e-8, 3e-8, 4e-8, 8e-8, 1e-6]))
        .with("surface_pressure", &column, "Pa", &[1e5; CELLS])
        .with("skintemp", &column, "K", &[290.0; CELLS])
        .with("sfc_albedo", &column, "unitless", &[0.2; CELLS])
        .with("cldfrac", &FIELD, "1", &by_layer([0.5, 0.0, 0.0, 0.4, 0.0]))
        .with("qc", &FIELD, "kg kg^{-1}", &by_layer([2e-4, 0.0, 0.0, 0.0, 0.0]))
        .with("qi", &FIELD, "kg kg^{-1}", &by_layer([0.0, 0.0, 0.0, 3e-5, 0.0]))
        .with("re_cloud", &FIELD, "m", &droplets.into_iter().flat_map(|radius| [radius; LAYERS]).collect::<Vec<_>>())
        .with("re_ice", &FIELD, "m", &[ice; LAYERS * CELLS])
        .with("xland", &column, "1", &[1.0, 2.0])
}

fn are_close(found: &Numbers, expected: &Numbers) {
    for name in NAMES {
        let pairs = found.all(name).into_iter().zip(expected.all(name));
        pairs.for_each(|(found, expected)| assert!((found - expected).abs() < 1e-6, "{name}: {found} {expected}"));
    }
}

/// By RRTMG's interface of WRF and MPAS: 7.5 um over land, 10.5 um over sea, 40.5552 um at 230 K.
#[test]
fn background_radii_are_none() {
    let solve = |file: &Classic| fluxes(&Case::of("radiation", &file.bytes()), &[]);
    let of_model = file([2.49e-6; CELLS], 4.99e-6);
    let expected = solve(&file([7.5e-6, 10.5e-6], 40.5552e-6));
    are_close(&solve(&of_model), &expected);
    // Without a mask all is sea.
    let mut without = of_model;
    without.variables.retain(|one| one.name != "xland");
    are_close(&solve(&without), &solve(&file([10.5e-6; CELLS], 40.5552e-6)));
    // Others are what they are.
    assert_ne!(solve(&file([8e-6; CELLS], 30e-6)).all(NAMES[2]), expected.all(NAMES[2]));
}
