//! NetCDF files of every kind, sound and damaged.

use std::path::Path;

use crate::common::message;
use crate::common::netcdf::{COSINE, EMISSIVITY, SIX, TEMPERATURE, layers};
use isobar_io::netcdf::{Accepted, Axis, Dataset, Dimension, Orientation, VariableSpec};
use netcdf_writer::NcWriteFormat;

use Dimension::{Level, Profile};

#[test]
fn every_format_gives_the_same() {
    for format in [
        NcWriteFormat::Classic,
        NcWriteFormat::Offset64,
        NcWriteFormat::Cdf5,
        NcWriteFormat::Nc4,
        NcWriteFormat::Nc4Classic,
    ] {
        let (_folder, path) = layers().with("temperature(layer, profile)", &["units=K"], &SIX).save(format);
        let field = Dataset::open(&path).unwrap().read(&TEMPERATURE).unwrap();
        assert_eq!((field.shape, field.values), (vec![3, 2], SIX.to_vec()));
    }
}

#[test]
fn what_cannot_be_opened_says_why() {
    let (_folder, path) = crate::common::file("not a NetCDF file", "in.nc");
    assert_eq!(
        message(Dataset::open(&path), &path),
        "in.nc: not a NetCDF file that can be read: invalid NetCDF magic bytes"
    );
    let (_folder, path) = crate::common::file("", "in.nc");
    assert!(message(Dataset::open(&path), &path).starts_with("in.nc: not a NetCDF file"));
    let nowhere = path.with_file_name("nowhere.nc");
    assert!(Dataset::open(&nowhere).unwrap_err().is_not_found());
    let folder = path.parent().unwrap();
    assert!(message(Dataset::open(folder), folder).contains("cannot read"));
}

#[test]
fn truncated_files_are_errors() {
    for format in [NcWriteFormat::Classic, NcWriteFormat::Nc4] {
        let (_folder, path) = layers().with("temperature(layer, profile)", &["units=K"], &SIX).save(format);
        let bytes = std::fs::read(&path).unwrap();
        for length in (0..bytes.len()).step_by(7) {
            let (_folder, path) = crate::common::file(&bytes[..length], "in.nc");
            let result = Dataset::open(&path).and_then(|mut file| file.read(&TEMPERATURE));
            // Padding at the end may be cut off.
            if let Ok(field) = result {
                assert_eq!(field.values, SIX, "{format:?}: {length} of {}", bytes.len());
            }
        }
    }
}

#[test]
fn files_of_the_netcdf_library() {
    const PROFILE: [Axis; 1] = [Axis::required(Profile)];
    const LEVEL: [Axis; 1] = [Axis::required(Level)];
    for name in ["profiles-nc4.nc", "profiles-nc3.nc"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
        let mut file = Dataset::open(&path).unwrap();
        assert_eq!(file.attribute("title").unwrap(), "made for tests");
        let depth = VariableSpec {
            name: "optical_depth",
            aliases: &["tau"],
            unit: "1",
            accepted: Accepted::NOT_NEGATIVE,
            ..TEMPERATURE
        };
        let depth = file.read(&depth).unwrap();
        assert_eq!(depth.shape, [4, 3]);
        // profile * 4 + layer, in eighths
        let expected: Vec<f64> = (0..12).map(|i| f64::from(i % 3 * 4 + i / 3) * 0.125).collect();
        assert_eq!(depth.values, expected);
        let temperature = file.read(&TEMPERATURE).unwrap();
        let expected: Vec<f64> = (0..12).map(|i| f64::from(i - 20) * 0.5 + 10.0 + 273.15).collect();
        assert_eq!(temperature.values, expected);
        assert_eq!(file.read(&COSINE).unwrap().values, [1.0, 0.5]);
        let emissivity = file.read(&EMISSIVITY).unwrap();
        assert_eq!(file.broadcast(emissivity).values, [1.0, 1.0, 1.0, 0.95, 0.95, 0.95]);
        let gap = VariableSpec { name: "gap", axes: &PROFILE, ..TEMPERATURE };
        assert_eq!(message(file.read(&gap), &path), format!("{name}: gap is missing at ncol 0 (never written)"));
        // Pressures of levels, from the surface up.
        let level = VariableSpec { name: "nlev", unit: "Pa", axes: &LEVEL, ..TEMPERATURE };
        assert_eq!(file.read(&level).unwrap().values[0], 1e5);
        assert_eq!(file.orientation().unwrap(), Orientation::BottomFirst);
    }
}

#[test]
fn damaged_files_are_errors_not_panics() {
    for name in ["profiles-nc4.nc", "profiles-nc3.nc"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
        let bytes = std::fs::read(&path).unwrap();
        for at in (0..bytes.len()).step_by(if bytes.len() > 1000 { 61 } else { 3 }) {
            let mut bytes = bytes.clone();
            bytes[at] ^= 0xff;
            let (_folder, path) = crate::common::file(&bytes, "in.nc");
            if let Ok(mut file) = Dataset::open(&path) {
                let _ = file.read(&TEMPERATURE);
                let _ = file.read(&COSINE);
                let _ = file.orientation();
            }
        }
    }
}
