//! Tables of JURASSIC of 2026: `.bin` with a length, logarithms and the filter, and the same in NetCDF.

use std::path::{Path, PathBuf};

use crate::common::{control, file, message, written};
use isobar_ega::{Curve, EmissivityTable, PressureLevel};
use isobar_io::table::{
    Endian, read_table_ascii_with_logarithms, read_tables_netcdf, write_packed_binary, write_table_binary,
    write_tables_netcdf,
};
use isobar_io::{Shape, read_filters, read_table, read_table_file, read_tables};
use netcdf_writer::{NcAttrValue, NcFileBuilder, NcWriteFormat, NcWriteOptions};
use tempfile::TempDir;

/// Numbers of the last bit of single precision, which pass no exponential and back.
const NODES: [[f32; 2]; 3] = [[41.000_004, -7.000_000_5], [43.5, -0.25], [50.25, -1e-7]];

fn table() -> EmissivityTable {
    let curves = vec![Curve::from_logarithms(200.0, NODES.to_vec())];
    EmissivityTable { pressures: [1.0, 10.0].map(|p| PressureLevel { pressure_hpa: p, curves: curves.clone() }).into() }
}

fn filter() -> Shape {
    Shape { x: vec![791.5, 792.0, 792.5], y: vec![0.5, 1.0, 0.25] }
}

/// Number by number, as JURASSIC writes them.
fn blob() -> Vec<u8> {
    let mut bytes = 2i32.to_le_bytes().to_vec();
    [1.0f64, 10.0].iter().for_each(|p| bytes.extend(p.to_le_bytes()));
    for _ in 0..2 {
        bytes.extend(1i32.to_le_bytes());
        bytes.extend(200.0f64.to_le_bytes());
        bytes.extend(3i32.to_le_bytes());
        NODES.iter().for_each(|node| bytes.extend(node[0].to_le_bytes()));
        NODES.iter().for_each(|node| bytes.extend(node[1].to_le_bytes()));
    }
    bytes.extend(3i32.to_le_bytes());
    filter().x.iter().chain(&filter().y).for_each(|x| bytes.extend(x.to_le_bytes()));
    bytes
}

fn with_length(blob: &[u8]) -> Vec<u8> {
    [&(blob.len() as u64).to_le_bytes()[..], blob].concat()
}

/// A file as the netCDF library makes it of these variables.
fn netcdf(variables: &[(&str, &[u8])], emitter: &str, format: NcWriteFormat) -> (TempDir, PathBuf) {
    let mut builder = NcFileBuilder::new();
    builder.add_attribute("format_version", NcAttrValue::Chars("1".into())).unwrap();
    builder.add_attribute("emitter", NcAttrValue::Chars(emitter.into())).unwrap();
    for (nu, bytes) in variables {
        let length = builder.add_dimension(format!("len_{nu}"), bytes.len() as u64).unwrap();
        let variable = builder.add_variable::<u8>(format!("tbl_{nu}"), &[length]).unwrap();
        builder.write_variable(variable, bytes).unwrap();
    }
    file(builder.to_vec(NcWriteOptions { format }).unwrap().1, "t_CO2.nc")
}

#[test]
fn the_binary_of_2026_is_told_from_that_of_2025() {
    let (_folder, path) = file(with_length(&blob()), "t.bin");
    let found = read_table_file(&path, false).unwrap();
    assert_eq!((found.table, found.filter), (table(), Some(filter())));
    let (_folder, path) = written("t.bin", |out| write_table_binary(out, &table(), Endian::Little)).unwrap();
    let found = read_table_file(&path, false).unwrap();
    assert_eq!(found.filter, None);
    assert!(found.table.pressures[0].curves[0].logarithms.is_empty());
    assert_eq!(found.table.pressures[0].curves[0].emissivity, table().pressures[0].curves[0].emissivity);
}

#[test]
fn the_binary_is_written_byte_by_byte_as_jurassic_has_it() {
    let write = |endian| {
        let mut bytes = Vec::new();
        write_packed_binary(&mut bytes, &table(), &filter(), endian).unwrap();
        bytes
    };
    assert_eq!(write(Endian::Little), with_length(&blob()));
    let (_folder, path) = file(write(Endian::Big), "t.bin");
    assert_eq!(read_table(&path).unwrap().0, table());
}

#[test]
fn netcdf_files_hold_the_same_bytes() {
    for format in [NcWriteFormat::Nc4, NcWriteFormat::Cdf5] {
        let (_folder, path) = netcdf(&[("792.0000", &blob()), ("832.1250", &blob())], "CO2", format);
        let tables = read_tables_netcdf(&path, "co2").unwrap();
        assert_eq!(tables.iter().map(|table| table.0).collect::<Vec<_>>(), [792.0, 832.125]);
        assert!(tables.iter().all(|(_, found)| (&found.table, &found.filter) == (&table(), &filter())));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("u_CO2.nc");
    write_tables_netcdf(&path, "CO2", &[(792.0, &table(), &filter()), (832.125, &table(), &filter())]).unwrap();
    let reader = netcdf_reader::NcFile::open(&path).unwrap();
    for name in ["tbl_792.0000", "tbl_832.1250"] {
        let found: Vec<u8> = reader.read_variable::<u8>(name).unwrap().into_iter().collect();
        assert_eq!(found, blob(), "{name}");
        let variable = reader.variable(name).unwrap();
        assert_eq!(variable.attribute("long_name").unwrap().value.as_string().unwrap(), "Packed lookup table blob");
    }
    let twice = write_tables_netcdf(&path, "CO2", &[(792.0, &table(), &filter()), (792.000_01, &table(), &filter())]);
    assert!(twice.unwrap_err().to_string().contains("len_792.0000"));
}

/// A run of two gases and two channels: one variable and one file are missing.
#[test]
fn a_control_file_takes_tables_and_filters_from_netcdf() {
    let (folder, _) = netcdf(&[("792.0000", &blob())], "CO2", NcWriteFormat::Nc4);
    let base = folder.path().join("t");
    let base = base.to_str().unwrap();
    let gases = [("NG", "2"), ("EMITTER[0]", "CO2"), ("EMITTER[1]", "H2O"), ("TBLFMT", "3"), ("TBLBASE", base)];
    let both = control(&[&gases[..], &[("ND", "2"), ("NU[0]", "792"), ("NU[1]", "832")]].concat());
    let set = read_tables(&both).unwrap();
    assert_eq!(set.tables, [Some(table()), None, None, None]);
    let names: Vec<_> = set.missing.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["t_CO2.nc", "t_H2O.nc", "t_H2O.nc"]);
    let one = control(&[&gases[..], &[("ND", "1"), ("NU[0]", "792")]].concat());
    assert_eq!(read_filters(&one).unwrap(), [filter()]);
    // The other channel has no filter anywhere.
    assert!(read_filters(&both).unwrap_err().to_string().contains("t_832.0000.filt"));
    let none = control(&[&gases[1..], &[("NG", "1"), ("ND", "1"), ("NU[0]", "700")]].concat());
    assert!(read_tables(&none).unwrap_err().to_string().contains("none of the 1 emissivity tables exists"));
}

#[test]
fn refusals_name_file_variable_and_byte() {
    let refused = |bytes: &[u8]| {
        let (_folder, path) = netcdf(&[("792.0000", bytes)], "CO2", NcWriteFormat::Nc4);
        message(read_tables_netcdf(&path, "CO2"), &path)
    };
    let with = |offset: usize, value: &[u8]| {
        let mut bytes = blob();
        bytes[offset..offset + value.len()].copy_from_slice(value);
        bytes
    };
    // 0 count, 4 pressures, 20 count, 24 temperature, 32 count, 36 columns, 48 emissivities, 60 count, ..., 100 filter.
    let cases = [
        (
            blob()[..40].to_vec(),
            "t_CO2.nc: tbl_792.0000: byte 36: the file ends within the column densities of pressure 0, temperature 0: \
             8 bytes are missing",
        ),
        (
            with(4, &10.0f64.to_le_bytes()),
            "t_CO2.nc: tbl_792.0000: byte 0: pressure [hPa] 10 at index 1 breaks the order of the axis",
        ),
        (
            with(40, &1.0f32.to_le_bytes()),
            "t_CO2.nc: tbl_792.0000: byte 0: ln of column density 1 at index 1 breaks the order of the axis at \
             1 hPa, 200 K",
        ),
        (
            with(56, &0.5f32.to_le_bytes()),
            "t_CO2.nc: tbl_792.0000: byte 0: ln of emissivity 0.5 at index 2 lies outside (-inf, 0] at 1 hPa, 200 K",
        ),
        (
            with(112, &791.0f64.to_le_bytes()),
            "t_CO2.nc: tbl_792.0000: byte 100: filter: wavenumber 791 cm^-1 of point 1 does not exceed 791.5 before it",
        ),
        ([blob(), vec![0; 5]].concat(), "t_CO2.nc: tbl_792.0000: byte 152: the filter ends here, but 5 bytes follow"),
    ];
    for (bytes, expected) in cases {
        assert_eq!(refused(&bytes), expected);
    }
    let (_folder, path) = netcdf(&[("792.0000", &blob())], "O3", NcWriteFormat::Nc4);
    let other = message(read_tables_netcdf(&path, "CO2"), &path);
    assert_eq!(other, "t_CO2.nc: its attribute emitter is \"O3\", expected \"CO2\"");
    // Cut short anywhere, a file is one error, or its variables are.
    let whole = std::fs::read(&path).unwrap();
    for length in (0..whole.len()).step_by(97) {
        let (_folder, path) = file(&whole[..length], "t_O3.nc");
        let error = message(read_tables_netcdf(&path, "O3"), &path);
        assert!(error.starts_with("t_O3.nc: "), "{length}: {error}");
    }
}

#[test]
fn texts_give_logarithms_of_what_they_say() {
    let (_folder, path) = file("1 200 1.23456789e18 1.23456789e-3\n1 200 2e18 .9999994\n10 200 1e18 0\n", "t.tab");
    let (table, _) = read_table_ascii_with_logarithms(&path).unwrap();
    let ln = |x: f64| isobar_core::Real::ln(x) as f32;
    let nodes = [[ln(1.234_567_89e18), ln(1.234_567_89e-3)], [ln(2e18), ln(0.999_999_4)]];
    assert_eq!(table.pressures[0].curves[0].logarithms, nodes);
    // In single precision, the emissivity near 1 has another logarithm.
    assert_ne!(table.pressures[0].curves[0].logarithms[1][1], ln(f64::from(0.999_999_4_f32)));
    assert!(table.pressures[1].curves[0].logarithms.is_empty());
    let none = write_packed_binary(&mut Vec::new(), &table, &filter(), Endian::Little).unwrap_err().to_string();
    assert_eq!(none, "the curve at 10 hPa, 200 K has no emissivity above 0");
    assert!(Path::new(&path).exists());
}
