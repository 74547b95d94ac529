//! Files of single cells, which `isobar chem --cell` integrates again.
#![no_main]

use isobar::rosenbrock::CellFile;
use isobar_fuzz::{check_error, with_file};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    match with_file("cell.json", bytes, CellFile::read) {
        Ok(cell) => drop(cell.cells()),
        Err(error) => check_error(&error, "cell.json"),
    }
});
