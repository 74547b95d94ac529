//! Zarr stores: those of other programs, and ours beside NetCDF files of the same content.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::message;
use isobar_io::FilesInUse;
use isobar_io::netcdf::{Accepted, Axis, Dataset, DatasetWriter, Dimension, OutputVariable, VariableSpec, file_hash};

const LEVELS: usize = 5;
const PROFILES: usize = 3;

/// A store that zarr-python has written: `tests/data/zarr/make.py`.
fn of_others(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/zarr").join(name)
}

fn spec(name: &'static str, unit: &'static str, axes: &'static [Axis]) -> VariableSpec<'static> {
    VariableSpec { name, aliases: &[], standard_names: &[], unit, axes, accepted: Accepted::FINITE }
}

const LEVEL: [Axis; 1] = [Axis::required(Dimension::Level)];
const PROFILE: [Axis; 1] = [Axis::required(Dimension::Profile)];
const BOTH: [Axis; 2] = [Axis::required(Dimension::Level), Axis::required(Dimension::Profile)];

#[test]
fn stores_of_zarr_python_are_read() {
    for version in ["version-2.zarr", "version-3.zarr"] {
        let mut file = Dataset::open(&of_others(version)).unwrap();
        assert_eq!(file.attribute("title").as_deref(), Some("of others"), "{version}");
        // Packed, in steps of a half.
        let height: Vec<f64> = (0..LEVELS * PROFILES).map(|index| -5000.0 + 100.0 * index as f64).collect();
        let read = file.read(&spec("height", "m", &BOTH)).unwrap();
        assert_eq!((read.shape, read.values), (vec![LEVELS, PROFILES], height), "{version}");
        // More digits than single precision has.
        let time = file.read(&spec("time", "s", &PROFILE)).unwrap();
        assert_eq!(time.values, [0, 1, 2].map(|profile| ((1_i64 << 40) + profile) as f64), "{version}");
        let land = file.read(&spec("land", "1", &PROFILE)).unwrap();
        assert_eq!(land.values, [1.0, 0.0, 1.0], "{version}");
        // A mark of what is missing.
        let temperature = spec("temperature", "K", &BOTH);
        let refused = file.read(&temperature).unwrap_err().to_string();
        assert!(refused.ends_with("temperature is missing at level 3, profile 1 (_FillValue -999)"), "{refused}");
        file.keep_going();
        let read = file.read(&temperature).unwrap();
        for (index, value) in read.values.iter().enumerate() {
            let (level, profile) = (index / PROFILES, index % PROFILES);
            if (level, profile) == (3, 1) {
                assert!(value.is_nan(), "{version}");
            } else {
                assert_eq!(*value, (200 + 10 * level + profile) as f64, "{version}, level {level}, profile {profile}");
            }
        }
    }
}

#[test]
fn columns_first_and_groups() {
    let mut file = Dataset::open(&of_others("version-2.zarr")).unwrap();
    let pressure: Vec<f64> = (1..=LEVELS * PROFILES).map(|number| 10.0 * number as f64).collect();
    assert_eq!(file.read(&spec("pressure", "hPa", &BOTH)).unwrap().values, pressure);
    // Of a group, whose variable has a name of its own.
    let mut file = Dataset::open(&of_others("version-3.zarr")).unwrap();
    let inner = file.read(&spec("pressure", "hPa", &LEVEL)).unwrap();
    assert_eq!(inner.values, [10.0, 20.0, 30.0, 40.0, 50.0]);
}

const RADIANCE: OutputVariable = OutputVariable {
    name: "radiance",
    dimensions: &["level", "profile"],
    units: "W m-2 sr-1 cm",
    long_name: "upward radiance",
    standard_name: None,
    reference_name: None,
};

/// Variables of all kinds, of a range of profiles.
fn fill(out: &mut DatasetWriter, range: std::ops::Range<usize>) {
    out.dimension("level", LEVELS).unwrap();
    out.dimension("profile", range.len()).unwrap();
    out.attribute("title", "of ours").unwrap();
    let indices = |level: usize| range.clone().map(move |profile| (level * PROFILES + profile) as f64);
    let doubles: Vec<f64> = (0..LEVELS).flat_map(indices).map(|index| 0.1 * index - 1.0).collect();
    let mut singles: Vec<f32> = doubles.iter().map(|&value| value as f32).collect();
    out.variable(&RADIANCE, &doubles).unwrap();
    if range.start == 0 {
        singles[0] = 9.969_21e36;
    }
    out.variable_with_gaps(&OutputVariable { name: "gaps", ..RADIANCE }, &singles).unwrap();
    let whole: Vec<i32> = range.clone().map(|profile| profile as i32 % 2).collect();
    let status = OutputVariable { name: "status", dimensions: &["profile"], units: "1", ..RADIANCE };
    out.flags(&status, &whole, &[(0, "none"), (1, "some")]).unwrap();
    let alone = OutputVariable { name: "wavenumber", dimensions: &[], units: "cm-1", ..RADIANCE };
    out.variable(&alone, &[667.0]).unwrap();
}

/// All that a file has, as numbers.
fn content(path: &Path) -> Vec<Vec<f64>> {
    let mut file = Dataset::open(path).unwrap();
    assert_eq!(file.attribute("title").as_deref(), Some("of ours"));
    file.keep_going();
    let mut read = |spec: &VariableSpec| file.read(spec).unwrap().values;
    let mut all = vec![
        read(&spec("radiance", "W m-2 sr-1 cm", &BOTH)),
        read(&spec("gaps", "W m-2 sr-1 cm", &BOTH)),
        read(&spec("status", "1", &PROFILE)),
        read(&spec("wavenumber", "cm-1", &[])),
    ];
    assert!(all[1][0].is_nan());
    all[1][0] = 0.0;
    all
}

#[test]
fn a_store_has_what_a_file_would_have() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["whole.nc", "whole.zarr"] {
        let mut out = DatasetWriter::create(&path(name)).unwrap();
        fill(&mut out, 0..PROFILES);
        out.commit().unwrap();
    }
    let expected = content(&path("whole.nc"));
    assert_eq!(content(&path("whole.zarr")), expected);
    // Part by part, in the place of what was there, and by two processes.
    let mut parts = DatasetWriter::create(&path("whole.zarr")).unwrap();
    parts.in_parts("profile", PROFILES);
    for range in [0..2, 2..3] {
        parts.begin_part(range.start);
        fill(&mut parts, range);
        parts.end_part().unwrap();
    }
    assert!(path("whole.zarr/radiance/c/0/0").exists() && !path("whole.zarr/radiance/c/0/1").exists());
    parts.commit().unwrap();
    assert!(path("whole.zarr/radiance/c/0/1").exists());
    assert_eq!(content(&path("whole.zarr")), expected);

    let unfinished = path("ranks.zarr.unfinished");
    DatasetWriter::clear_shared(&unfinished).unwrap();
    for own in [None, Some(2..3)] {
        let mut out = DatasetWriter::shared(&unfinished).unwrap();
        out.in_parts("profile", PROFILES);
        for range in [Some(0..2), own].into_iter().flatten() {
            out.begin_part(range.start);
            fill(&mut out, range);
            out.end_part().unwrap();
            out.sync().unwrap();
        }
    }
    DatasetWriter::finish_shared(&unfinished, &path("ranks.zarr")).unwrap();
    assert_eq!(content(&path("ranks.zarr")), expected);
    assert_eq!(file_hash(&path("ranks.zarr")).unwrap(), file_hash(&path("whole.zarr")).unwrap());
    // Nothing else is left.
    let mut names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["ranks.zarr", "whole.nc", "whole.zarr"]);
}

#[test]
fn what_was_there_stays_until_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.zarr");
    let write = |commit: bool| {
        let mut out = DatasetWriter::create(&path).unwrap();
        fill(&mut out, 0..PROFILES);
        if commit { out.commit().unwrap() } else { drop(out) }
    };
    write(false);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    write(true);
    let before = file_hash(&path).unwrap();
    fs::write(path.join("more"), "beside").unwrap();
    assert_ne!(file_hash(&path).unwrap(), before);
    write(false);
    assert!(path.join("more").exists());
    write(true);
    assert_eq!(file_hash(&path).unwrap(), before);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    // A folder of other things is not replaced, and a store that is read not overwritten.
    let other = folder.path().join("other.zarr");
    fs::create_dir(&other).unwrap();
    assert_eq!(
        message(DatasetWriter::create(&other).map(drop), &other),
        "other.zarr: it is there, and no Zarr store: it stays as it is"
    );
    let mut in_use = FilesInUse::default();
    in_use.reads("the columns", &path).unwrap();
    let refused = in_use.writes("the output", &folder.path().join("./out.zarr/")).unwrap_err().to_string();
    assert!(refused.contains("the output would overwrite the columns"), "{refused}");
    // Nor written into, nor what a store has that is going to be replaced.
    for inside in ["out.zarr/radiance/c/0/0", "out.zarr/new.nc", "out.zarr/new.zarr"] {
        let refused = in_use.clone().writes("the output", &folder.path().join(inside)).unwrap_err().to_string();
        assert!(refused.contains("the output would lie in the columns"), "{refused}");
    }
    in_use.writes("the output", &folder.path().join("out.zarr.nc")).unwrap();
    let mut in_use = FilesInUse::default();
    in_use.reads("the columns", &path.join("radiance")).unwrap();
    let refused = in_use.writes("the output", &path).unwrap_err().to_string();
    assert!(refused.contains("the columns would lie in the output"), "{refused}");
}

/// A store with arrays of one dimension, each of a type, bytes and attributes.
fn store(path: &Path, arrays: &[(&str, &str, &[u8], usize, &str)]) {
    fs::create_dir_all(path).unwrap();
    fs::write(path.join("zarr.json"), r#"{"zarr_format":3,"node_type":"group"}"#).unwrap();
    for (name, kind, bytes, size, attributes) in arrays {
        fs::create_dir_all(path.join(name).join("c")).unwrap();
        let text = format!(
            r#"{{"zarr_format":3,"node_type":"array","shape":[{size}],"data_type":{kind},"chunk_grid":{{"name":
            "regular","configuration":{{"chunk_shape":[{size}]}}}},"chunk_key_encoding":{{"name":"default"}},
            "fill_value":0,"codecs":[{{"name":"bytes","configuration":{{"endian":"little"}}}}],
            "attributes":{attributes},"dimension_names":["profile"]}}"#
        );
        fs::write(path.join(name).join("zarr.json"), text).unwrap();
        fs::write(path.join(name).join("c/0"), bytes).unwrap();
    }
}

#[test]
fn halves_times_and_words_of_python() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.zarr");
    let days: Vec<u8> = [1_i64, 365, i64::MIN].iter().flat_map(|days| days.to_le_bytes()).collect();
    let date = r#"{"name":"numpy.datetime64","configuration":{"unit":"D","scale_factor":1}}"#;
    let half = [0x00, 0x3c, 0x00, 0xc0, 0x00, 0x5c];
    store(
        &path,
        &[
            ("temperature", r#""float16""#, &half, 3, r#"{"units": "K", "missing_value": NaN, "valid_max": Infinity}"#),
            ("fraction", r#""uint8""#, &[0, 1, 7], 3, r#"{"units": 1, "missing_value": 7}"#),
            ("start", date, &days, 3, "{}"),
        ],
    );
    let mut file = Dataset::open(&path).unwrap();
    assert_eq!(file.read(&spec("temperature", "K", &PROFILE)).unwrap().values, [1.0, -2.0, 256.0]);
    let fraction = file.read(&spec("fraction", "1", &PROFILE)).unwrap_err().to_string();
    assert!(fraction.contains("fraction is missing at profile 2 (missing_value 7)"), "{fraction}");
    // Times have CF's unit; what they are is seen by the results of `tests/test_zarr.py`.
    let start = file.read(&spec("start", "K", &PROFILE)).unwrap_err().to_string();
    assert!(start.contains("days since 1970-01-01 00:00:00"), "{start}");
}

#[test]
fn hashes_are_those_of_a_list() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("b", "abc");
    fs::create_dir(folder.path().join("a")).unwrap();
    write("a/c", "");
    // `find . -type f | LC_ALL=C sort | xargs sha256sum | sha256sum`.
    let expected = "cd9f7e484aad49d380b13d8c7ff645cf5ce714de61ba68fae6af402362ea5d03";
    assert_eq!(file_hash(folder.path()).unwrap(), expected);
}

#[test]
fn what_is_no_store_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.zarr");
    let refused = |path: &Path| message(Dataset::open(path).map(drop), path);
    assert!(refused(&path).starts_with("in.zarr: cannot read: No such file"));
    fs::create_dir(&path).unwrap();
    assert_eq!(refused(&path), "in.zarr: cannot read: not a regular file");
    fs::write(path.join("zarr.json"), "{").unwrap();
    assert!(refused(&path).starts_with("in.zarr: no Zarr store that can be read: "), "{}", refused(&path));
    // Arrays of one group with dimensions of one name and two sizes; numbers of a type that is not known.
    fs::write(path.join("zarr.json"), r#"{"zarr_format":3,"node_type":"group"}"#).unwrap();
    let array = |name: &str, size: usize, kind: &str| {
        fs::create_dir_all(path.join(name)).unwrap();
        let text = format!(
            r#"{{"zarr_format":3,"node_type":"array","shape":[{size}],"data_type":"{kind}","chunk_grid":{{"name":
            "regular","configuration":{{"chunk_shape":[{size}]}}}},"chunk_key_encoding":{{"name":"default"}},
            "fill_value":0,"codecs":[{{"name":"bytes","configuration":{{"endian":"little"}}}}],
            "attributes":{{"units":"K"}},"dimension_names":["profile"]}}"#
        );
        fs::write(path.join(name).join("zarr.json"), text).unwrap();
    };
    array("one", 3, "float32");
    array("other", 4, "float32");
    let text = "in.zarr: no Zarr store that can be read: other has 4 profile, and an array beside it has 3";
    assert_eq!(refused(&path), text);
    array("other", 3, "float128");
    let mut file = Dataset::open(&path).unwrap();
    // Chunks that are not there are the fill value.
    assert_eq!(file.read(&spec("one", "K", &PROFILE)).unwrap().values, [0.0; 3]);
    let unknown = file.read(&VariableSpec { name: "other", ..spec("one", "K", &PROFILE) }).map(drop);
    let text = "in.zarr: other holds no numbers that are known here: data type float128 is not supported";
    assert_eq!(message(unknown, &path), text);
}
