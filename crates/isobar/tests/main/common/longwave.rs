//! Columns for `isobar longwave` that tests write, and running it.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use isobar::radiation::rrtmg::TableKind;
use isobar_core::Real;

use super::classic::{Case, Classic};
use super::flux_file::FluxFile;
use super::said;

pub(crate) const LAYERS: usize = 8;
pub(crate) const COLUMNS: usize = 3;
pub(crate) const LAYER: &[&str] = &["layer", "column"];
pub(crate) const LEVEL: &[&str] = &["level", "column"];
pub(crate) const COLUMN: &[&str] = &["column"];

/// Made-up coefficients of RRTMG_LW's bands, in a file that all tests share.
pub(crate) fn kdist() -> String {
    static PATH: LazyLock<PathBuf> = LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        // Another program may write it, too: the same bytes, which get their name when they are complete.
        let (path, own) = (folder.join("made_up.kd"), folder.join(format!("made_up-{}.kd", std::process::id())));
        let mut made_up = isobar::radiation::rrtmg::analytic::k_distribution();
        // Ten times as much of everything that absorbs, so that air is neither clear nor black.
        let tables = made_up.tables.iter_mut().flatten();
        for table in tables.filter(|table| !matches!(table.kind, TableKind::Fractions(_))) {
            table.values.iter_mut().for_each(|value| *value *= 10.0);
        }
        std::fs::write(&own, isobar::radiation::rrtmg::analytic::rrtmg_file(&made_up)).unwrap();
        std::fs::rename(own, &path).unwrap();
        path
    });
    PATH.to_str().unwrap().to_owned()
}

/// The pressure of a level \[Pa\].
pub(crate) fn level_pressure(level: usize, column: usize) -> f64 {
    (1e5 + 100.0 * column as f64) * Real::exp(-0.45 * level as f64)
}

pub(crate) fn pressure(layer: usize, column: usize) -> f64 {
    0.5 * (level_pressure(layer, column) + level_pressure(layer + 1, column))
}

/// At a pressure \[Pa\].
pub(crate) fn temperature(pressure: f64, column: usize) -> f64 {
    (288.0 + 4.0 * column as f64 + 26.0 * Real::ln(pressure / 1e5)).max(210.0)
}

pub(crate) fn water(layer: usize, column: usize) -> f64 {
    (0.012 + 0.002 * column as f64) * Real::exp(-0.9 * layer as f64)
}

pub(crate) fn ozone(layer: usize) -> f64 {
    3e-8 * Real::exp(0.7 * layer as f64)
}

/// A value for each row and column.
pub(crate) fn table(rows: usize, value: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    (0..rows * COLUMNS).map(|i| value(i / COLUMNS, i % COLUMNS)).collect()
}

/// Clear columns, the surface first, without a word about that.
pub(crate) fn clear() -> Classic {
    let middle = table(LAYERS, |k, c| temperature(pressure(k, c), c));
    let levels = table(LAYERS + 1, |k, c| temperature(level_pressure(k, c), c));
    Classic {
        dimensions: vec![("column", COLUMNS), ("layer", LAYERS), ("level", LAYERS + 1), ("band", 16)],
        ..Classic::default()
    }
    .with("plev", LEVEL, "Pa", &table(LAYERS + 1, level_pressure))
    .with("play", LAYER, "Pa", &table(LAYERS, pressure))
    .with("tlay", LAYER, "K", &middle)
    .with("tlev", LEVEL, "K", &levels)
    .with("tsfc", COLUMN, "K", &[289.0, 293.0, 297.0])
    .with("emissivity", COLUMN, "1", &[0.98, 0.96, 0.99])
    .with("h2o", LAYER, "mol mol-1", &table(LAYERS, water))
    .with("co2", &[], "1e-6", &[400.0])
    .with("o3", LAYER, "1", &table(LAYERS, |k, _| ozone(k)))
    .with("n2o", &[], "1e-9", &[335.0])
    .with("ch4", &[], "1e-9", &[1900.0])
    .with("o2", &[], "1", &[0.209])
}

/// The columns of [`clear`] with clouds in the second and the sixth layer.
pub(crate) fn cloudy() -> Classic {
    let only =
        |layer: usize, value: f64| table(LAYERS, move |k, c| if k == layer { value + 0.1 * c as f64 } else { 0.0 });
    let fraction: Vec<f64> = only(1, 0.5).iter().zip(only(5, 0.3)).map(|(a, b)| a + b).collect();
    clear()
        .with("cldfrac", LAYER, "1", &fraction)
        .with("clwp", LAYER, "g m-2", &only(1, 40.0))
        .with("ciwp", LAYER, "g m-2", &only(5, 10.0))
        .with("reliq", LAYER, "um", &table(LAYERS, |_, _| 9.0))
        .with("reice", LAYER, "um", &table(LAYERS, |_, _| 50.0))
}

/// A case of the command.
pub(crate) fn case(file: &Classic) -> Case {
    Case::of("longwave", &file.bytes())
}

/// Runs the command with made-up coefficients; nothing may be said but that nobody knows them.
pub(crate) fn solve(case: &Case, more: &[&str]) -> FluxFile {
    let output = case.command(&[&["--kdist", &kdist(), "--clear-sky"], more].concat());
    let text = said(&output);
    assert!(output.status.success(), "{more:?}: {text}");
    assert!(text.lines().count() == 1 && text.contains("by its SHA-256 it is neither RRTMG_LW_DATA nor"), "{text}");
    FluxFile::read(&case.out())
}

pub(crate) fn fluxes(file: &Classic, more: &[&str]) -> FluxFile {
    solve(&case(file), more)
}

/// The command refuses it with one line that holds all of `parts`.
pub(crate) fn refused(file: &Classic, more: &[&str], parts: &[&str]) {
    case(file).refused(&[&["--kdist", &kdist()], more].concat(), parts);
}

/// The file with its top first.
pub(crate) fn upside_down(file: &Classic) -> Classic {
    let mut file = file.clone();
    for variable in &mut file.variables {
        if variable.dimensions.first().is_some_and(|name| ["layer", "level"].contains(name)) {
            let rows = if variable.dimensions[0] == "layer" { LAYERS } else { LAYERS + 1 };
            let row = variable.values.len() / rows;
            variable.values = variable.values.chunks(row).rev().flatten().copied().collect();
        }
    }
    file
}

/// All variables of two outputs are the same but for so much, relative to a hundred.
pub(crate) fn assert_near(got: &FluxFile, expected: &FluxFile, tolerance: f64) {
    for (name, ..) in super::flux_file::VARIABLES.iter().filter(|(name, ..)| expected.has(name)) {
        for (i, (got, expected)) in got.values(name).iter().zip(expected.values(name)).enumerate() {
            let error = (got - expected).abs() / 100.0;
            assert!(error <= tolerance, "{name} {i}: {got} instead of {expected}");
        }
    }
}
