//! NetCDF output: what is written is read back, as a whole or not at all.

use std::fs;

use crate::common::message;
use isobar_io::netcdf::{
    Accepted, Axis, Dataset, DatasetWriter, Dimension, OutputVariable, Provenance, Sample, VariableSpec, file_hash,
};

const RADIANCE: OutputVariable = OutputVariable {
    name: "radiance",
    dimensions: &["level", "profile", "angle"],
    units: "W m-2 sr-1 cm",
    long_name: "upward radiance",
    standard_name: Some("toa_outgoing_radiance_per_unit_wavenumber"),
    reference_name: Some("level_up"),
};

fn started(path: &std::path::Path) -> DatasetWriter {
    let mut out = DatasetWriter::create(path).unwrap();
    out.dimension("profile", 3).unwrap();
    out.dimension("level", 2).unwrap();
    out.dimension("angle", 4).unwrap();
    out
}

fn radiance(axes: &'static [Axis]) -> VariableSpec<'static> {
    VariableSpec {
        name: "radiance",
        aliases: &[],
        standard_names: &[],
        unit: "mW m-2 sr-1 cm",
        axes,
        accepted: Accepted::FINITE,
    }
}

const AXES: [Axis; 3] =
    [Axis::required(Dimension::Level), Axis::required(Dimension::Profile), Axis::required(Dimension::Angle)];

#[test]
fn both_precisions_are_read_back_bit_for_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.nc");
    let values: Vec<f32> = (0..24).map(|i| i as f32 * 0.1 - 1.0).collect();
    let doubles: Vec<f64> = (0..24).map(|i| f64::from(i) * 0.1 - 1.0).collect();
    let mut out = started(&path);
    out.variable(&RADIANCE, &values).unwrap();
    out.variable(&OutputVariable { name: "double", units: "mW m-2 sr-1 cm", ..RADIANCE }, &doubles).unwrap();
    out.variable(&OutputVariable { name: "single_value", dimensions: &[], units: "cm-1", ..RADIANCE }, &[667.0])
        .unwrap();
    out.commit().unwrap();
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);

    let mut file = Dataset::open(&path).unwrap();
    let field = file.read(&radiance(&AXES)).unwrap();
    assert_eq!(field.shape, [2, 3, 4]);
    let expected: Vec<f64> = values.iter().map(|&value| f64::from(value) * 1000.0).collect();
    assert_eq!(field.values, expected);
    let double = file.read(&VariableSpec { name: "double", ..radiance(&AXES) }).unwrap();
    assert_eq!(double.values, doubles);
    let single = VariableSpec { name: "single_value", unit: "m-1", ..radiance(&[]) };
    assert_eq!(file.read(&single).unwrap().values, [66_700.0]);
}

#[test]
fn attributes_say_where_the_file_comes_from() {
    let (folder, input) = crate::common::file("abc", "in.nc");
    let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(file_hash(&input).unwrap(), hash);
    let path = folder.path().join("out.nc");
    let mut out = started(&path);
    let provenance = Provenance {
        title: "Radiances".into(),
        device: "cpu, 2 threads".into(),
        precision: "f32".into(),
        history: "isobar adding in.nc -o out.nc".into(),
        inputs: vec![input.clone()],
    };
    out.provenance(&provenance).unwrap();
    out.commit().unwrap();
    let file = Dataset::open(&path).unwrap();
    assert_eq!(file.attribute("title").unwrap(), "Radiances");
    assert_eq!(file.attribute("source").unwrap(), format!("isobar {}", env!("CARGO_PKG_VERSION")));
    assert_eq!(file.attribute("device").unwrap(), "cpu, 2 threads");
    assert_eq!(file.attribute("precision").unwrap(), "f32");
    assert_eq!(file.attribute("history").unwrap(), "isobar adding in.nc -o out.nc");
    assert_eq!(file.attribute("inputs").unwrap(), format!("{} sha256:{hash}", input.display()));
}

#[test]
fn equal_content_is_an_equal_file() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = |name: &str| {
        let path = folder.path().join(name);
        let mut out = started(&path);
        out.variable(&RADIANCE, &[0.5_f32; 24]).unwrap();
        out.commit().unwrap();
        fs::read(path).unwrap()
    };
    assert!(bytes("a.nc") == bytes("b.nc"));
}

#[test]
fn failure_leaves_the_former_file_and_nothing_else() {
    let (folder, path) = crate::common::file("old", "out.nc");
    let mut out = started(&path);
    assert_eq!(
        message(out.dimension("level", 2), &path),
        "out.nc: cannot be written: invalid definition: duplicate dimension 'level'"
    );
    assert_eq!(message(out.dimension("band", 0), &path), "out.nc: dimension band = 0: it is empty");
    assert_eq!(
        message(out.variable(&RADIANCE, &[1.0_f32; 23]), &path),
        "out.nc: radiance has 23 values; its dimensions have 24"
    );
    let unknown = OutputVariable { dimensions: &["band"], ..RADIANCE };
    assert_eq!(
        message(out.variable(&unknown, &[1.0_f32]), &path),
        "out.nc: radiance has dimension band, which the file has not"
    );
    let unit = OutputVariable { units: "furlong", ..RADIANCE };
    assert_eq!(
        message(out.variable(&unit, &[1.0_f32; 24]), &path),
        "out.nc: radiance: units \"furlong\": \"furlong\" is not a known unit"
    );
    drop(out);
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);

    let nowhere = folder.path().join("nowhere/out.nc");
    assert!(
        message(DatasetWriter::create(&nowhere).map(|_| ()), &nowhere)
            .starts_with("out.nc: cannot write: No such file")
    );
}

#[test]
fn sample_for_other_programs() {
    // Where other programs are to read a file of ours, this names where it is put.
    let Some(path) = std::env::var_os("ISOBAR_NETCDF_SAMPLE") else { return };
    let mut out = started(path.as_ref());
    let provenance = Provenance { title: "Sample".into(), history: "isobar\u{b5}".into(), ..Provenance::default() };
    out.provenance(&provenance).unwrap();
    let values: Vec<f32> = (0..24).map(|i| i as f32).collect();
    out.variable(&RADIANCE, &values).unwrap();
    out.variable(
        &OutputVariable { name: "angle", dimensions: &["angle"], units: "1", ..RADIANCE },
        &[1.0, 0.75, 0.5, 0.25],
    )
    .unwrap();
    out.commit().unwrap();
}

#[test]
fn gaps_and_flags_say_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.nc");
    let mut out = DatasetWriter::create(&path).unwrap();
    out.dimension("profile", 3).unwrap();
    let variable = |name| OutputVariable { name, dimensions: &["profile"], units: "1", ..RADIANCE };
    out.variable_with_gaps(&variable("single"), &[1.0_f32, f32::FILL, 3.0]).unwrap();
    out.variable_with_gaps(&variable("double"), &[1.0, f64::FILL, 3.0]).unwrap();
    out.variable_with_gaps(&variable("whole"), &[1, i32::FILL, 3]).unwrap();
    out.flags(&variable("status"), &[0, 2, 0], &[(0, "good"), (2, "bad")]).unwrap();
    out.commit().unwrap();

    for name in ["single", "double", "whole"] {
        let spec = VariableSpec {
            name,
            aliases: &[],
            standard_names: &[],
            unit: "1",
            axes: &AXES[1..2],
            accepted: Accepted::FINITE,
        };
        let text = message(Dataset::open(&path).unwrap().read(&spec), &path);
        assert!(text.starts_with(&format!("out.nc: {name} is missing at profile 1 (_FillValue ")), "{text}");
        let mut file = Dataset::open(&path).unwrap();
        file.keep_going();
        let values = file.read(&spec).unwrap().values;
        assert!(values[0] == 1.0 && values[1].is_nan() && values[2] == 3.0, "{values:?}");
        let refusal = &file.refusals()[0];
        assert_eq!((refusal.finite, &refusal.index[..]), (false, &[(Dimension::Profile, 1)][..]));
    }
    let file = netcdf_reader::NcFile::open(&path).unwrap();
    let status = file.variable("status").unwrap();
    assert_eq!(status.attribute("flag_meanings").unwrap().value.as_string().as_deref(), Some("good bad"));
    assert!(status.attribute("flag_values").is_some());
}

#[test]
fn sizes_are_known_from_the_header() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.nc");
    let mut out = started(&path);
    out.variable(&RADIANCE, &[1.0; 24]).unwrap();
    let level = OutputVariable { name: "pressure", dimensions: &["level", "profile"], ..RADIANCE };
    out.variable(&level, &[1.0; 6]).unwrap();
    out.commit().unwrap();
    // Without angles 6 values at most; with them 24.
    assert_eq!(Dataset::open(&path).unwrap().sizes_in_header(), (6, 24));
}

#[test]
fn what_has_a_checksum_is_whole_or_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.nc");
    let values: Vec<f64> = (0..24).map(|i| if i == 7 { f64::NAN } else { 0.1 - f64::from(i) }).collect();
    let write = |noted: &str| {
        let mut out = started(&path);
        out.attributes_with_checksum(&[("run", "a case"), ("steps", noted)]).unwrap();
        out.variable_with_checksum(&OutputVariable { units: "mW m-2 sr-1 cm", ..RADIANCE }, &values).unwrap();
        let plain = OutputVariable { name: "plain", ..RADIANCE };
        out.variable(&plain, &values).unwrap();
        out.commit().unwrap();
    };
    write("12");
    let open = || {
        let mut file = Dataset::open(&path).unwrap();
        file.keep_going();
        file
    };
    let read = open().read_whole(&radiance(&AXES)).unwrap().values;
    assert!(read.iter().zip(&values).all(|(a, b)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())));
    assert_eq!(open().whole_attributes(["run", "steps"]).unwrap(), ["a case", "12"]);
    // Other texts than those that were written together.
    assert!(message(open().whole_attributes(["steps", "run"]), &path).contains("their checksum differs"));
    assert!(message(open().whole_attributes(["run", "stops"]), &path).contains("it has no attribute \"stops\""));
    let plain = VariableSpec { name: "plain", ..radiance(&AXES) };
    assert!(message(open().read_whole(&plain), &path).ends_with("plain has no checksum"));
    let good = fs::read(&path).unwrap();
    // The first value in the file is the checked one's, or the other's.
    let number = values[1].to_be_bytes();
    let places: Vec<usize> = (0..good.len() - 8).filter(|&at| good[at..at + 8] == number).collect();
    let refused = places.iter().filter(|&&at| {
        let mut bytes = good.clone();
        bytes[at + 3] ^= 4;
        fs::write(&path, bytes).unwrap();
        open().read_whole(&radiance(&AXES)).is_err_and(|error| {
            error.to_string().contains("radiance is not what was written: its checksum differs; the file is damaged")
        })
    });
    assert_eq!(refused.count(), 1, "of {places:?}");
}

/// A file of parts has the bytes of the whole, which the library encodes: variables along the dimension of the parts in
/// the first, a middle and the last place, and one without it.
#[test]
fn parts_make_the_same_bytes_as_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    const SIZES: [(&str, usize); 3] = [("level", 3), ("profile", 7), ("angle", 2)];
    let size = |name: &str| SIZES.iter().find(|(known, _)| *known == name).unwrap().1;
    let of = |name: &'static str, dimensions: &'static [&'static str]| OutputVariable { name, dimensions, ..RADIANCE };
    let variables = [
        of("first", &["profile", "level"]),
        of("middle", &["level", "profile", "angle"]),
        of("last", &["angle", "profile"]),
        of("without", &["level"]),
    ];
    // Values by their place in the whole.
    let value = |index: usize| 0.5 * index as f64 - 3.0;
    let fill = |out: &mut DatasetWriter, range: std::ops::Range<usize>| {
        for (name, size) in SIZES {
            out.dimension(name, if name == "profile" { range.len() } else { size }).unwrap();
        }
        out.attribute("title", "parts").unwrap();
        for (number, variable) in variables.iter().enumerate() {
            let mut indices = vec![0];
            for name in variable.dimensions {
                let along = if *name == "profile" { range.clone() } else { 0..size(name) };
                indices = indices.iter().flat_map(|i| along.clone().map(move |j| i * size(name) + j)).collect();
            }
            let values: Vec<f64> = indices.into_iter().map(value).collect();
            let singles: Vec<f32> = values.iter().map(|&value| value as f32).collect();
            match number {
                0 => out.variable_with_gaps(variable, &values).unwrap(),
                1 => out.variable(variable, &singles).unwrap(),
                2 => {
                    let whole: Vec<i32> = values.iter().map(|&value| value as i32).collect();
                    out.flags(variable, &whole, &[(0, "none"), (1, "some")]).unwrap();
                }
                _ => out.variable(variable, &values).unwrap(),
            }
        }
    };
    let mut whole = DatasetWriter::create(&path("whole.nc")).unwrap();
    fill(&mut whole, 0..7);
    whole.commit().unwrap();
    let expected = fs::read(path("whole.nc")).unwrap();
    for step in [1, 3, 7] {
        let mut parts = DatasetWriter::create(&path("parts.nc")).unwrap();
        parts.in_parts("profile", 7);
        for start in (0..7).step_by(step) {
            parts.begin_part(start);
            fill(&mut parts, start..(start + step).min(7));
            parts.end_part().unwrap();
        }
        parts.commit().unwrap();
        assert_eq!(fs::read(path("parts.nc")).unwrap(), expected, "{step}");
    }
    // Another variable in a later part is refused.
    let mut parts = DatasetWriter::create(&path("other.nc")).unwrap();
    parts.in_parts("profile", 7);
    parts.begin_part(0);
    fill(&mut parts, 0..4);
    parts.end_part().unwrap();
    parts.begin_part(4);
    let refused = parts.variable(&of("another", &["level"]), &[0.0; 3]);
    assert!(message(refused, &path("other.nc")).contains("another is not next in the first part"));
}
