//! Emissivity tables: what is accepted can be packed, and is read again as it is written in binary.

use isobar::ega::TableData;
use isobar::io::read_table;
use isobar::io::table::{Endian, write_table_binary};

use crate::{check_error, with_file};

pub(super) fn ascii(bytes: &[u8]) {
    read("fuzz.tab", bytes);
}

pub(super) fn binary(bytes: &[u8]) {
    read("fuzz.bin", bytes);
}

fn read(name: &str, bytes: &[u8]) {
    match with_file(name, bytes, read_table) {
        Ok((table, _)) => {
            let mut written = Vec::new();
            if write_table_binary(&mut written, &table, Endian::Big).is_ok() {
                let again = with_file("again.bin", &written, read_table);
                assert_eq!(format!("{:?}", again.expect("what was written").0), format!("{table:?}"));
            }
            let _ = TableData::new(&[Some(table)], 1, false);
        }
        Err(error) => check_error(&error, name),
    }
}
