//! NetCDF files of every kind, sound and damaged.

use std::path::Path;

use crate::common::message;
use crate::common::netcdf::{COSINE, EMISSIVITY, Make, SIX, TEMPERATURE, layers};
use isobar_io::Parts;
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

/// Each file of one time after the other has its own packing, marks of missing values and place of time among its
/// dimensions; dates may be texts.
#[test]
fn files_that_go_on_have_their_own_packing() {
    const AXES: [Axis; 3] =
        [Axis::required(Dimension::Layer), Axis::required(Dimension::Time), Axis::optional(Profile)];
    let spec = VariableSpec { axes: &AXES, ..TEMPERATURE };
    let folder = tempfile::tempdir().unwrap();
    let paths = ["1.nc", "2.nc"].map(|name| folder.path().join(name));
    // Halves are exact: 200, 200.5, ... in each file.
    let write = |number: usize, times: u64, scale: f64, fill: f64, dates: bool| {
        let make = Make::new(&[("layer", 2), ("time", times), ("profile", 2), ("letters", 10)]);
        let count = 4 * times as usize;
        let packed: Vec<i16> = (0..count).map(|i| ((0.5 * (i as f64) + 4.0 * number as f64) / scale) as i16).collect();
        let numbers = [("scale_factor", scale), ("add_offset", 200.0), ("_FillValue", fill)];
        let make = make.with_numbers("temperature(layer, time, profile)", &["units=K"], &numbers, &packed);
        let make = if dates {
            let text = (0..times).map(|time| format!("2020-0{}-1{time}", number + 1)).collect::<String>();
            make.with_text("Times(time, letters)", &text)
        } else {
            let days: Vec<f64> = (0..times).map(|time| 10.0 * number as f64 + time as f64).collect();
            make.with("time(time)", &["units=days since 2020-01-01"], &days)
        };
        let (_folder, path) = make.save(NcWriteFormat::Nc4);
        std::fs::rename(path, &paths[number]).unwrap();
    };
    for dates in [false, true] {
        write(0, 2, 0.5, -1.0, dates);
        write(1, 3, 0.25, -2.0, dates);
        let values = Dataset::open_all(&paths).unwrap().read(&spec).unwrap();
        assert_eq!(values.shape, [2, 5, 2]);
        let of = |number: usize, rows: std::ops::Range<usize>| {
            rows.map(|i| 200.0 + 0.5 * i as f64 + 4.0 * number as f64).collect::<Vec<f64>>()
        };
        assert_eq!(values.values, [of(0, 0..4), of(1, 0..6), of(0, 4..8), of(1, 6..12)].concat(), "{dates}");
    }
    // The fourth value of the second file, as this one marks it: 2.0 + 4.0 in quarters are 24.
    write(1, 3, 0.25, 22.0, true);
    let problem = message(Dataset::open_all(&paths).unwrap().read(&spec), &paths[1]);
    assert_eq!(problem, "2.nc: temperature is missing at layer 0, time 1, profile 1");
}

/// Each of two groups is read by itself; together they are an error that names both.
#[test]
fn dimensions_of_one_name_in_two_groups() {
    const PRESSURE: VariableSpec =
        VariableSpec { name: "pressure", aliases: &[], standard_names: &[], unit: "Pa", ..TEMPERATURE };
    let make = || {
        Make::new(&[("one/layer", 3), ("two/layer", 4)])
            .with("one/temperature(one/layer)", &["units=K"], &[200.0, 210.0, 220.0])
            .with("two/pressure(two/layer)", &["units=Pa"], &[1.0, 2.0, 3.0, 4.0])
    };
    assert_eq!(make().read(&TEMPERATURE).values, [200.0, 210.0, 220.0]);
    assert_eq!(make().read(&PRESSURE).values, [1.0, 2.0, 3.0, 4.0]);
    let text = make().refuses(&[&TEMPERATURE, &PRESSURE]);
    let expected = "in.nc: /two/pressure has dimension layer = 4, but /one/temperature has layer = 3: layer is 3 in \
                    /one and 4 in /two, and of dimensions of one name in several groups one is read at a time";
    assert_eq!(text, expected);
    // A part of the file cannot be told from the header.
    let (_folder, path) = make().save(NcWriteFormat::Nc4);
    let text = Parts::of(&[&path], None, Some(1)).unwrap_err().to_string();
    assert!(
        text.contains("layer is 3 in /one and 4 in /two: a file with such dimensions is read as a whole"),
        "{text}"
    );
    assert!(Parts::of(&[&path], None, None).unwrap().is_none());
}
