//! Kernels of `isobar radiation --gradient` by what a file has one value of for all bands, against differences.

use std::path::Path;

use crate::common::classic::{Case, Classic};
use crate::common::radiation_file::Numbers;
use crate::common::said;

const LEVEL: &[&str] = &["level", "column"];
const LAYER: &[&str] = &["layer", "column"];
const COLUMN: &[&str] = &["column"];
const LAYERS: usize = 3;

fn columns() -> Classic {
    let twice = |values: &[f64]| values.iter().flat_map(|&value| [value, 0.99 * value]).collect::<Vec<_>>();
    let mut file =
        Classic { dimensions: vec![("column", 2), ("layer", LAYERS), ("level", LAYERS + 1)], ..Classic::default() }
            .with("level_pressure", LEVEL, "Pa", &twice(&[1e5, 8e4, 4e4, 1e3]))
            .with("temperature", LAYER, "K", &twice(&[285.3, 262.4, 226.2]))
            .with("surface_temperature", COLUMN, "K", &[290.3, 281.2])
            .with("h2o", LAYER, "1", &twice(&[0.01, 0.002, 1e-5]))
            .with("o3", LAYER, "1", &twice(&[3e-8, 5e-8, 1e-6]))
            .with("cosine_zenith", COLUMN, "1", &[0.5, 0.8])
            .with("emissivity", COLUMN, "1", &[0.9, 0.97])
            .with("surface_albedo", COLUMN, "1", &[0.2, 0.4]);
    for (name, value) in [("co2", 420e-6), ("ch4", 1900e-9), ("n2o", 335e-9), ("o2", 0.209), ("n2", 0.781)] {
        file = file.with(name, &[], "1", &[value]);
    }
    file
}

fn solve(file: &Classic, more: &[&str]) -> Numbers {
    let case = Case::of("radiation", &file.bytes());
    let output = case.command(&[&["--precision", "f64"], more].concat());
    assert!(output.status.success(), "{more:?}: {}", said(&output));
    Numbers::open(&case.out())
}

/// The net flux at the top, by column.
fn net(file: &Classic, options: &[&str]) -> [f64; 2] {
    let fluxes = solve(file, options);
    [0, 1].map(|column| {
        let at = |name: &str| fluxes.all(name)[2 * LAYERS + column];
        let [down, up] = ["down", "up"]
            .map(|way| at(&format!("longwave_{way}ward_flux")) + at(&format!("shortwave_{way}ward_flux")));
        down - up
    })
}

/// The kernel by a variable's `row` against a central difference.
fn agrees(file: &Classic, (variable, by): (&str, &str), row: usize, options: &[&str]) {
    let kernel = solve(file, &[options, &["--gradient", "toa_net"]].concat()).all(&format!("toa_net_by_{by}"));
    assert_eq!(kernel.len(), file.clone().variable(variable).values.len(), "{by}");
    let step = 1e-4;
    let moved = |sign: f64| {
        let mut file = file.clone();
        file.variable(variable).values[2 * row..][..2].iter_mut().for_each(|value| *value += sign * step);
        net(&file, options)
    };
    let (more, less) = (moved(1.0), moved(-1.0));
    for column in 0..2 {
        let (exact, found) = (kernel[2 * row + column], (more[column] - less[column]) / (2.0 * step));
        assert!((exact - found).abs() < 1e-5 * exact.abs() + 1e-6, "{by} {row} {column}: {exact} {found}");
        assert!(exact.abs() > 0.1, "{by} {row} {column}: {exact}");
    }
}

/// RRTMGP has many bands: what holds for all of them has the sum of theirs.
#[test]
fn one_value_for_all_bands_has_one_derivative() {
    let Some(dir) = isobar_golden::find("rrtmgp") else { return };
    let path = |name: &str| Path::new(&dir).join(name).to_str().unwrap().to_owned();
    let [long, short] = ["coeff/lw-g128.nc", "coeff/sw-g112.nc"].map(path);
    let options = ["--kdist", &long, "--kdist", &short];
    agrees(&columns(), ("emissivity", "emissivity"), 0, &options);
    agrees(&columns(), ("surface_albedo", "surface_albedo_direct"), 0, &options);
    let asked = [&options[..], &["--gradient", "toa_net", "--by", "emissivity,surface_albedo"]].concat();
    assert!(solve(&columns(), &asked).has("toa_net_by_emissivity"));
    // By bands there are none.
    let mut banded = columns();
    banded.dimensions.push(("longwave_band", 16));
    banded.variables.retain(|one| one.name != "emissivity");
    let banded = banded.with("emissivity", &["longwave_band", "column"], "1", &[0.95; 32]);
    assert!(!solve(&banded, &[&options[..], &["--gradient", "toa_net"]].concat()).has("toa_net_by_emissivity"));
}

/// ecCKD has one band, in which a file may have aerosol.
#[test]
fn one_band_of_layers_has_a_derivative_by_each() {
    let banded = &["layer", "shortwave_band", "column"];
    let mut file = columns();
    file.dimensions.push(("shortwave_band", 1));
    let file = file
        .with("aerosol_optical_depth", banded, "1", &[0.05, 0.1, 0.02, 0.03, 0.01, 0.01])
        .with("aerosol_albedo", banded, "1", &[0.9; 6])
        .with("aerosol_asymmetry", banded, "1", &[0.7; 6]);
    for (by, row) in [("aerosol_optical_depth", 0), ("aerosol_optical_depth", 2), ("aerosol_albedo", 0)] {
        agrees(&file, (by, by), row, &[]);
    }
}
