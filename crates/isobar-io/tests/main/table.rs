//! Emissivity tables: reading rules, byte orders, round trips and refusals.

use std::fs;
use std::path::Path;

use crate::common::{control, file, message, written};
use isobar_ega::{Curve, EmissivityTable, PressureLevel};
use isobar_io::table::Bend;
use isobar_io::table::{
    Endian, read_table_ascii, read_table_binary, table_path, write_table_ascii, write_table_binary,
};
use isobar_io::{TableFormat, TableReport, read_table, read_tables};
use proptest::prelude::*;

fn curve(temperature_k: f64, rows: &[(f32, f32)]) -> Curve {
    let (column_per_cm2, emissivity) = rows.iter().copied().unzip();
    Curve { temperature_k, column_per_cm2, emissivity, ..Curve::default() }
}

fn small() -> EmissivityTable {
    let curves = vec![curve(200.0, &[(1e10, 0.1), (2e10, 0.2)]), curve(250.0, &[(1e10, 0.15)])];
    let levels = [1.0, 10.0].map(|pressure_hpa| PressureLevel { pressure_hpa, curves: curves.clone() });
    EmissivityTable { pressures: levels.into() }
}

fn binary(table: &EmissivityTable, endian: Endian) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_table_binary(&mut bytes, table, endian).unwrap();
    bytes
}

#[test]
fn text_rows_are_kept_replaced_or_dropped() {
    let text = "# header\n\n1 200 1e10 .1\n1 200 2e10 .2\n1 200 3e10 .2\n1 200 2.5e10 .3\n1 200 2e31 .4\n\
                1 200 4e10 1.1\n1 200 4e10 nan\n1 200 0 .4\n\n1 250 1e10 .1\n10 250 1e10 .1\n";
    let (_folder, path) = file(text, "t.tab");
    let (table, report) = read_table_ascii(&path).unwrap();
    assert_eq!(report, TableReport { dropped: 4, overwritten: 2, ..TableReport::default() });
    let expected = EmissivityTable {
        pressures: vec![
            PressureLevel {
                pressure_hpa: 1.0,
                curves: vec![curve(200.0, &[(1e10, 0.1), (2.5e10, 0.3)]), curve(250.0, &[(1e10, 0.1)])],
            },
            PressureLevel { pressure_hpa: 10.0, curves: vec![curve(250.0, &[(1e10, 0.1)])] },
        ],
    };
    assert_eq!(table, expected);
}

#[test]
fn text_refusals_name_the_line() {
    let cases = [
        ("1 200 1e10\n", "t.tab:1: column 4 (emissivity) is missing: the row has 3 of 4 columns"),
        ("1 200 1e10 x\n", "t.tab:1: \"x\" is not a number (emissivity)"),
        ("1 2OO 1e10 .1\n", "t.tab:1: \"2OO\" is not a number (temperature)"),
        ("1 200 1e40 .1\n", "t.tab: the table holds no row in range"),
        (
            "1 200 1 .1\n1 200 2 .2\n1 200 .5 .3\n",
            "t.tab:3: column density 5e-1 and emissivity 0.3 do not exceed 1e0 and 0.1, \
             which stand two rows before in their curve",
        ),
        (
            "1 250 1 .1\n1 200 1 .1\n",
            "t.tab:2: temperature 200 K at index 1 breaks the order of the axis: 250 K stands before it",
        ),
        (
            "1 200 1 .1\n10 200 1 .1\n5 200 1 .1\n",
            "t.tab:3: pressure 5 hPa at index 2 breaks the order of the axis: 10 hPa stands before it",
        ),
        (
            "1 200 9 .3\n1 200 5 .2\n1 200 2 .1\n",
            "t.tab:2: column density 5e0 comes after 9e0: those of a curve have to ascend",
        ),
        ("-1 200 1 .1\n", "t.tab: pressure [hPa] -1 at index 0 lies outside (0, inf)"),
    ];
    for (text, expected) in cases {
        let (_folder, path) = file(text, "t.tab");
        assert_eq!(message(read_table(&path), &path), expected);
    }
}

#[test]
fn binary_layout_is_that_of_jurassic() {
    let table = EmissivityTable {
        pressures: vec![PressureLevel { pressure_hpa: 1.0, curves: vec![curve(200.0, &[(1.0, 0.5)])] }],
    };
    let mut expected = vec![1, 0, 0, 0];
    expected.extend(1.0f64.to_le_bytes());
    expected.extend(1i32.to_le_bytes());
    expected.extend(200.0f64.to_le_bytes());
    expected.extend(1i32.to_le_bytes());
    expected.extend(1.0f32.to_le_bytes());
    expected.extend(0.5f32.to_le_bytes());
    assert_eq!(binary(&table, Endian::Little), expected);
}

#[test]
fn headers_of_other_columns_are_refused() {
    let rows = "1 200 1e15 .1\n1 200 2e15 .2\n";
    let read = |header: &str| {
        let (_folder, path) = file(format!("{header}\n{rows}"), "t.tab");
        read_table(&path).map_err(|error| message(Err::<(), _>(error), &path))
    };
    assert_eq!(read("# $1 = pressure [Pa]").unwrap_err(), "t.tab:1: column 1 holds pressure in [Pa], expected [hPa]");
    let swapped = "t.tab:1: column 3 is titled emissivity, column density is expected";
    assert_eq!(read("# $3 = emissivity [-]").unwrap_err(), swapped);
    assert!(read("# $1 = pressure [hPa]\n# $3 = column density [molec/cm^2]\n# $4 = emissivity []").is_ok());
}

#[test]
fn both_byte_orders_are_found_out() {
    for endian in [Endian::Little, Endian::Big] {
        let (_folder, path) = file(binary(&small(), endian), "t.bin");
        assert_eq!(read_table(&path).unwrap().0, small(), "{endian:?}");
    }
}

#[test]
fn binary_refusals_name_offset_and_item() {
    let good = binary(&small(), Endian::Little);
    let cut = |length: usize| good[..length].to_vec();
    let with = |offset: usize, value: &[u8]| {
        let mut bytes = good.clone();
        bytes[offset..offset + value.len()].copy_from_slice(value);
        bytes
    };
    // 0 count, 4 pressures, 20 count, 24 temperatures, 40 count, 44 columns, 52 emissivities, 60 count, ...
    let cases = [
        (cut(0), "t.bin: byte 0: the file ends within the number of pressures: 4 bytes are missing"),
        (cut(10), "t.bin: byte 4: the file ends within the pressures: 10 bytes are missing"),
        (cut(30), "t.bin: byte 24: the file ends within the temperatures of pressure 0: 10 bytes are missing"),
        (
            cut(55),
            "t.bin: byte 52: the file ends within the emissivities of pressure 0, temperature 0: 5 bytes are missing",
        ),
        ([&good[..], &[0; 3]].concat(), "t.bin: byte 124: the table ends here, but 3 bytes follow"),
        (
            with(0, &[1, 1, 1, 1]),
            "t.bin: byte 0: the number of pressures 16843009 lies outside [1, 65535] in either byte order",
        ),
        (
            with(20, &(-3i32).to_le_bytes()),
            "t.bin: byte 20: the number of temperatures of pressure 0 -3 lies outside [1, 2147483647]",
        ),
        (with(12, &1.0f64.to_le_bytes()), "t.bin: pressure [hPa] 1 at index 1 breaks the order of the axis"),
        (
            with(32, &150.0f64.to_le_bytes()),
            "t.bin: temperature [K] 150 at index 1 breaks the order of the axis at 1 hPa",
        ),
        (
            with(48, &1e10f32.to_le_bytes()),
            "t.bin: column density 10000000000 at index 1 breaks the order of the axis at 1 hPa, 200 K",
        ),
        (with(56, &1.5f32.to_le_bytes()), "t.bin: emissivity 1.5 at index 1 lies outside [0, 1] at 1 hPa, 200 K"),
    ];
    for (bytes, expected) in cases {
        let (_folder, path) = file(bytes, "t.bin");
        assert_eq!(message(read_table_binary(&path), &path), expected);
    }
    let (_folder, path) = file(&binary(&small(), Endian::Big)[..10], "t.bin");
    assert_eq!(
        message(read_table_binary(&path), &path),
        "t.bin: byte 4: the file ends within the pressures: 10 bytes are missing",
        "in the right byte order"
    );
}

#[test]
fn sets_hold_what_exists() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().join("syn");
    let lines = |base: &Path| {
        control(&[
            ("NG", "2"),
            ("EMITTER[0]", "CO2"),
            ("EMITTER[1]", "H2O"),
            ("ND", "2"),
            ("NU[0]", "792"),
            ("NU[1]", "832.12346"),
            ("TBLFMT", "2"),
            ("TBLBASE", base.to_str().unwrap()),
        ])
    };
    let path = table_path(&base, 832.12346, "H2O", TableFormat::Binary);
    assert_eq!(path, folder.path().join("syn_832.1235_H2O.bin"));
    assert_eq!(
        message(read_tables(&lines(&base)), &path),
        "command line: TBLBASE = syn: none of the 4 emissivity tables exists, for example syn_792.0000_CO2.bin"
    );
    fs::write(&path, binary(&small(), Endian::Little)).unwrap();
    let set = read_tables(&lines(&base)).unwrap();
    assert_eq!(set.tables, [None, None, None, Some(small())]);
    let missing = [(792.0, "CO2"), (832.12346, "CO2"), (792.0, "H2O")];
    assert_eq!(set.missing, missing.map(|(nu, gas)| table_path(&base, nu, gas, TableFormat::Binary)));
    fs::write(&path, [0]).unwrap();
    assert_eq!(
        message(read_tables(&lines(&base)), &path),
        "syn_832.1235_H2O.bin: byte 0: the file ends within the number of pressures: 3 bytes are missing"
    );
    assert!(read_tables(&control(&[])).unwrap().tables.is_empty());
}

#[test]
fn text_sets_report_what_was_dropped() {
    let (folder, path) = file("1 200 1 .1\n1 200 2 2\n", "syn_792.0000_CO2.tab");
    let base = folder.path().join("syn");
    let lines =
        [("NG", "1"), ("EMITTER[0]", "CO2"), ("ND", "1"), ("NU[0]", "792"), ("TBLBASE", base.to_str().unwrap())];
    assert_eq!(
        read_tables(&control(&lines)).unwrap().reports,
        [(path, TableReport { dropped: 1, ..TableReport::default() })]
    );
}

/// Values from anywhere in (0, high], ascending.
fn ascending(bits: &[u32], high: f32) -> Vec<f32> {
    let mut values: Vec<f32> = bits.iter().map(|bits| f32::from_bits(1 + bits % high.to_bits())).collect();
    values.sort_by(f32::total_cmp);
    values.dedup();
    values
}

fn tables() -> impl Strategy<Value = EmissivityTable> {
    let bits = || prop::collection::vec(any::<u32>(), 1..20);
    let curve = (1e-300f64..1.0, bits(), bits()).prop_map(|(step, columns, emissivities)| {
        let (mut columns, mut emissivities) = (ascending(&columns, 1e30), ascending(&emissivities, 1.0));
        let length = columns.len().min(emissivities.len());
        columns.truncate(length);
        emissivities.truncate(length);
        (step, columns, emissivities)
    });
    let level = prop::collection::vec(curve, 1..4).prop_map(|curves| {
        let curve = |(i, (step, column_per_cm2, emissivity))| {
            let temperature_k = (i + 1) as f64 * (100.0 + step);
            Curve { temperature_k, column_per_cm2, emissivity, ..Curve::default() }
        };
        curves.into_iter().enumerate().map(curve).collect::<Vec<_>>()
    });
    (prop::collection::vec(level, 1..4), 1e-300f64..1e300, any::<bool>()).prop_map(|(levels, p, descending)| {
        let level = |(i, curves)| PressureLevel { pressure_hpa: p * (i + 1) as f64, curves };
        let mut pressures: Vec<_> = levels.into_iter().enumerate().map(level).collect();
        if descending {
            pressures.reverse();
        }
        EmissivityTable { pressures }
    })
}

proptest! {
    #[test]
    fn written_tables_read_back_equal(table in tables()) {
        let (_folder, path) = written("t.tab", |out| write_table_ascii(out, &table)).unwrap();
        let (read, report) = read_table(&path).unwrap();
        prop_assert_eq!((read, report.dropped, report.overwritten), (table.clone(), 0, 0));
        for endian in [Endian::Little, Endian::Big] {
            let (_folder, path) = written("t.bin", |out| write_table_binary(out, &table, endian)).unwrap();
            prop_assert_eq!(&read_table(&path).unwrap().0, &table);
        }
    }

    #[test]
    fn no_bytes_make_the_readers_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        text in "[0-9 .e\n-]{0,200}",
    ) {
        let (_folder, path) = file(bytes, "t.bin");
        let _ = read_table(&path);
        let (_folder, path) = file(text, "t.tab");
        let _ = read_table(&path);
    }
}

/// A curve of growth is concave.
#[test]
fn values_that_no_band_has_are_counted() {
    let rows =
        |middle: &str| format!("1000 250 1e18 0.01\n1000 250 2e18 {middle}\n1000 250 3e18 0.029\n1000 260 1e18 0.1\n");
    for (middle, bends) in [("0.0195", 0), ("0.020", 0), ("0.01949", 1), ("0.028", 0)] {
        let (_folder, path) = file(rows(middle), "a.tab");
        let (_, report) = read_table(&path).unwrap();
        assert_eq!(report.bends, bends, "{middle}");
        let first = (bends > 0).then_some(Bend { pressure: 0, temperature: 0, entry: 1 });
        assert_eq!(report.first_bend, first);
    }
}

/// Of values whose upper bits are wrong most are told, or refused. Column densities where a curve is saturated, which
/// hardly change a result, may be wrong unseen.
#[test]
fn damaged_values_of_a_table_are_told() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/tables/demo_792.0000_CO2.bin");
    let whole = std::fs::read(&path).unwrap();
    assert_eq!(read_table(&path).unwrap().1, TableReport::default());
    let (folder, _) = file("", "unused");
    let copy = folder.path().join("copy.bin");
    let (mut told, mut unseen) = (0, 0);
    for flip in 0..200_usize {
        // Bits of the exponent and the first bits of the mantissa of a number in single precision.
        let word = (flip * 0x9E37_79B9 + 4_001) % (whole.len() / 4 - 4_000) + 4_000;
        let mut bytes = whole.clone();
        bytes[4 * word + 2 + flip % 2] ^= 1 << (flip % 7);
        std::fs::write(&copy, &bytes).unwrap();
        match read_table(&copy) {
            Ok((_, report)) if report.bends == 0 => unseen += 1,
            _ => told += 1,
        }
    }
    assert!(told >= 150, "{told} told, {unseen} unseen");
}
