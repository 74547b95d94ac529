//! The bytes of a file, and its format.

use super::*;

/// Bytes, of which three fill no word, and numbers behind them; against the writer's own way to a file.
#[test]
fn a_file_has_the_bytes_of_its_encoder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.nc");
    let mut file = DatasetWriter::create(&path).unwrap();
    file.attribute("title", "odd").unwrap();
    file.dimension("column", 3).unwrap();
    let variable = |name| OutputVariable {
        name,
        dimensions: &["column"],
        units: "1",
        long_name: "numbers",
        standard_name: None,
        reference_name: None,
    };
    file.bytes(&variable("first"), &[1, 2, 3]).unwrap();
    file.variable(&variable("second"), &[1.5_f64, -0.0, f64::NAN]).unwrap();
    file.bytes(&variable("last"), &[4, 5, 6]).unwrap();
    file.commit().unwrap();

    let mut builder = NcFileBuilder::new();
    builder.add_attribute("title", NcAttrValue::Chars("odd".into())).unwrap();
    let dimension = builder.add_dimension("column", 3).unwrap();
    let attributes = |builder: &mut NcFileBuilder, id| {
        for (name, text) in [("units", "1"), ("long_name", "numbers")] {
            builder.add_variable_attribute(id, name, NcAttrValue::Chars(text.into())).unwrap();
        }
    };
    for (name, values) in [("first", Some([1_u8, 2, 3])), ("second", None), ("last", Some([4, 5, 6]))] {
        if let Some(values) = values {
            let id = builder.add_variable::<u8>(name, &[dimension]).unwrap();
            attributes(&mut builder, id);
            builder.write_variable(id, &values).unwrap();
        } else {
            let id = builder.add_variable::<f64>(name, &[dimension]).unwrap();
            attributes(&mut builder, id);
            builder.write_variable(id, &[1.5, -0.0, f64::NAN]).unwrap();
        }
    }
    let mut expected = Vec::new();
    let options = netcdf_writer::NcWriteOptions { format: NcWriteFormat::Cdf5 };
    builder.write(&mut std::io::Cursor::new(&mut expected), options).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), expected);
}

#[test]
fn the_oldest_format_with_the_room() {
    const GIB: u64 = 1 << 30;
    for (longest, bytes, largest, expected) in [
        (10, 80, 80, NcWriteFormat::Classic),
        (10, 19 * GIB / 10, GIB, NcWriteFormat::Classic),
        (10, 2 * GIB - 8, GIB, NcWriteFormat::Offset64),
        (10, 100 * GIB, 4 * GIB - 4, NcWriteFormat::Offset64),
        (10, 4 * GIB, 4 * GIB, NcWriteFormat::Cdf5),
        (2 * GIB - 1, 2 * GIB, GIB, NcWriteFormat::Offset64),
        (2 * GIB, 2 * GIB, 2 * GIB, NcWriteFormat::Cdf5),
    ] {
        assert_eq!(format(longest, (bytes, largest)), expected, "{longest} {bytes} {largest}");
    }
}
