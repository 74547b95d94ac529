//! `isobar spectra tables` where a gas does not absorb.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::common::{isobar, said};
use crate::spectra::done;
use isobar_core::Real;
use isobar_io::read_table;

/// Cross-sections from 868 to 872 cm^-1, the same at all wavenumbers: temperatures \[K\] and values.
fn cross_sections(path: &Path, blocks: &[(f64, f64)]) {
    let mut text = String::new();
    for (temperature, value) in blocks {
        let header = format!("  868.0000  872.0000      5{temperature:7.2}   0.0 1.000e-200.030");
        writeln!(text, "{:>20}{header}{:>15}    air  1", "CCl2F2", "CFC-12").unwrap();
        writeln!(text, "{}", format!("{value:10.3e}").repeat(5)).unwrap();
    }
    fs::write(path, text).unwrap();
}

/// A measurement below its noise at the coldest temperature leaves the others as they are: 1 - exp(-sigma u).
#[test]
fn a_temperature_without_absorption_is_transparent_and_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    cross_sections(Path::new(&file("s.xsc")), &[(200.0, -1e-23), (296.0, 1e-20)]);
    let words = format!(
        "spectra tables --xsc F12={} --gas F12 --nu 870 --base {} --format tab --step 0.05 --pressures 100:1000:2 \
         --temperatures 200:296:3 --rtol 0 --device cpu --quiet",
        file("s.xsc"),
        file("own")
    );
    let output = isobar(&words.split_whitespace().collect::<Vec<_>>());
    done(&output);
    let line = "F12 does not absorb at 870 cm^-1 at 2 of 6 pressures and temperatures, the first 100 hPa and 200 K";
    assert!(said(&output).contains(line), "{}", said(&output));
    let (table, _) = read_table(Path::new(&file("own_870.0000_F12.tab"))).unwrap();
    assert_eq!(table.pressures.len(), 2);
    for level in &table.pressures {
        let temperatures: Vec<f64> = level.curves.iter().map(|curve| curve.temperature_k).collect();
        assert_eq!(temperatures, [200.0, 248.0, 296.0]);
        for (curve, sigma) in level.curves.iter().zip([0.0, 4.995e-21, 1e-20]) {
            for (&column, &emissivity) in curve.column_per_cm2.iter().zip(&curve.emissivity) {
                let (column, emissivity) = (f64::from(column), f64::from(emissivity));
                if sigma == 0.0 {
                    // From there to the origin a curve is straight.
                    assert!(emissivity < 1.1e-36 * column, "{column:e} {emissivity:e}");
                } else {
                    // Single precision, and six digits of the text.
                    let exact = -Real::exp_m1(-sigma * column);
                    assert!((emissivity / exact - 1.0).abs() < 5e-6, "{column:e} {emissivity:e} {exact:e}");
                }
            }
        }
    }
}
