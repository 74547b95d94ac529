//! `isobar spectra tables` where a gas does not absorb.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Output;

use crate::common::{isobar, said};
use crate::spectra::done;
use isobar_core::Real;
use isobar_io::read_table;
use isobar_io::table::read_tables_netcdf;

/// Cross-sections from 868 to 872 cm^-1, the same at all wavenumbers: temperatures \[K\] and values.
pub(crate) fn cross_sections(path: &Path, blocks: &[(f64, f64)]) {
    let mut text = String::new();
    for (temperature, value) in blocks {
        let header = format!("  868.0000  872.0000      5{temperature:7.2}   0.0 1.000e-200.030");
        writeln!(text, "{:>20}{header}{:>15}    air  1", "CCl2F2", "CFC-12").unwrap();
        writeln!(text, "{}", format!("{value:10.3e}").repeat(5)).unwrap();
    }
    fs::write(path, text).unwrap();
}

/// The words of `isobar spectra tables` for a gas of such cross-sections.
fn tables(folder: &Path, format: &str, more: &str) -> Output {
    let (file, base) = (folder.join("s.xsc"), folder.join("own"));
    let words = format!(
        "spectra tables --xsc F12={} --gas F12 --base {} --format {format} --step 0.05 --rtol 0 --device cpu --quiet \
         --pressures 100:1000:2 --temperatures 200:296:3 {more}",
        file.display(),
        base.display()
    );
    isobar(&words.split_whitespace().collect::<Vec<_>>())
}

/// A measurement below its noise at the coldest temperature leaves the others as they are: 1 - exp(-sigma u).
#[test]
fn a_temperature_without_absorption_is_transparent_and_no_more() {
    let folder = tempfile::tempdir().unwrap();
    cross_sections(&folder.path().join("s.xsc"), &[(200.0, -1e-23), (296.0, 1e-20)]);
    let output = tables(folder.path(), "tab", "--nu 870");
    done(&output);
    let line = "F12 does not absorb at 870 cm^-1 at 2 of 6 pressures and temperatures, the first 100 hPa and 200 K";
    assert!(said(&output).contains(line), "{}", said(&output));
    let (table, _) = read_table(&folder.path().join("own_870.0000_F12.tab")).unwrap();
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

/// A table that stays behind would absorb where the new run says that nothing does.
#[test]
fn a_channel_without_a_table_leaves_none_of_an_earlier_run() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.xsc");
    for (format, name) in [("tab", "own_870.0000_F12.tab"), ("packed", "own_870.0000_F12.bin"), ("nc", "own_F12.nc")] {
        let name = folder.path().join(name);
        cross_sections(&file, &[(200.0, 1e-20), (296.0, 1e-20)]);
        done(&tables(folder.path(), format, "--nu 870"));
        assert!(name.exists());
        cross_sections(&file, &[(200.0, 0.0), (296.0, 0.0)]);
        let output = tables(folder.path(), format, "--nu 870");
        done(&output);
        let line = format!("{}: removed, for F12 has no table at 870 cm^-1", name.display());
        assert!(said(&output).contains(&line) && !name.exists(), "{}", said(&output));
    }
}

#[test]
fn a_netcdf_file_keeps_its_other_channels() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.xsc");
    let channels = || -> Vec<(f64, isobar_io::table::PackedTable)> {
        read_tables_netcdf(&folder.path().join("own_F12.nc"), "F12").unwrap()
    };
    let numbers = || channels().iter().map(|of| of.0).collect::<Vec<_>>();
    cross_sections(&file, &[(200.0, 1e-20), (296.0, 1e-20)]);
    done(&tables(folder.path(), "nc", "--nu 870"));
    let first = channels();
    cross_sections(&file, &[(200.0, 2e-20), (296.0, 2e-20)]);
    done(&tables(folder.path(), "nc", "--nu 871"));
    assert_eq!(numbers(), [870.0, 871.0]);
    assert_eq!(channels()[..1], first);
    // Its own channel is made anew.
    done(&tables(folder.path(), "nc", "--nu 870"));
    assert_eq!(numbers(), [871.0, 870.0]);
    assert_ne!(channels()[1], first[0]);
    cross_sections(&file, &[(200.0, 0.0), (296.0, 0.0)]);
    done(&tables(folder.path(), "nc", "--nu 871"));
    assert_eq!(numbers(), [870.0]);
}

/// Names have four decimals: two channels of one name would be one file.
#[test]
fn channels_of_one_name_are_refused_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    cross_sections(&folder.path().join("s.xsc"), &[(200.0, 1e-20), (296.0, 1e-20)]);
    for format in ["nc", "tab", "packed"] {
        for (nu, two) in [("870,869,870", "870 and 870"), ("870,870.00004", "870 and 870.00004")] {
            let output = tables(folder.path(), format, &format!("--nu {nu}"));
            let line = format!("--nu {two} are one channel in names of tables, which have four decimals: 870.0000");
            assert!(output.status.code() == Some(2) && said(&output).contains(&line), "{}", said(&output));
            assert_eq!(said(&output).lines().count(), 1, "{}", said(&output));
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{format}");
        }
    }
    done(&tables(folder.path(), "tab", "--nu 870,870.0001"));
}
