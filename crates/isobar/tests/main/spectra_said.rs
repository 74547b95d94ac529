//! What commands of spectra say of inputs that do not do what one may expect.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::said;
use crate::spectra::{done, list, spectra, variable};
use crate::spectra_tables::cross_sections;

/// Pairs of molecules with one coefficient from 868 to 872 cm^-1.
fn pairs(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join("pair.cia");
    let mut text = String::new();
    for temperature in [200.0, 300.0] {
        writeln!(text, "{name:>20}   868.000   872.000      3{temperature:7.1} 1.000e-45-0.999").unwrap();
        (0..3).for_each(|i| writeln!(text, "{:10.4} {:10.3e}", 868.0 + 2.0 * f64::from(i), 1e-45).unwrap());
    }
    fs::write(&path, text).unwrap();
    path
}

/// Line lists are told that do not reach a range; so are measurements.
#[test]
fn measurements_that_do_not_reach_the_range_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let (xsc, out) = (folder.path().join("s.xsc"), folder.path().join("k.nc"));
    cross_sections(&xsc, &[(200.0, 1e-20), (296.0, 1e-20)]);
    let cia = pairs(folder.path(), "N2-N2");
    for (range, expected) in [
        ("780:781", Some("780 to 781 cm^-1: it absorbs")),
        ("870:874", Some("872 to 874 cm^-1: it absorbs")),
        ("867:873", Some("867 to 868 cm^-1, nor in another part: it absorbs")),
        ("869:871", None),
    ] {
        let words = format!(
            "--xsc F12={} --cia {} --range {range} --step 0.01 --state 500,250,F12=1e-9 -o {}",
            xsc.display(),
            cia.display(),
            out.display()
        );
        let output = spectra("absorption", &list(), &words);
        done(&output);
        for name in ["--xsc F12", "--cia N2-N2"] {
            let (line, told) = (format!("{name}: nothing is measured from "), said(&output));
            match expected {
                Some(expected) => assert!(told.contains(&(line + expected)), "{range}: {told}"),
                None => assert!(!told.contains(&line), "{range}: {told}"),
            }
        }
        // It is so: zeros where it is told, and no others.
        let (nu, sigma) = (variable(&out, "wavenumber"), variable(&out, "cross_section_f12"));
        for (nu, sigma) in nu.iter().zip(sigma) {
            assert_eq!(sigma > 0.0, (868.0..=872.0).contains(nu), "{nu}");
        }
    }
}

/// The first channel has no lines: that says nothing of the others.
#[test]
fn a_coarse_grid_is_told_in_whichever_channel() {
    let folder = tempfile::tempdir().unwrap();
    for (nu, steps, expected) in [("500,792", 0.01, 1), ("500,786,798", 0.01, 1), ("500,792", 5e-4, 0)] {
        let words = format!(
            "--gas CO2 --nu {nu} --step {steps} --format tab --pressures 100:1000:2 --temperatures 200:296:2 --base {}",
            folder.path().join("own").display()
        );
        let output = spectra("tables", &list(), &words);
        done(&output);
        let told = said(&output).matches("larger than CO2's Doppler half width").count();
        assert_eq!(told, expected, "{nu}, {steps}: {}", said(&output));
    }
}
