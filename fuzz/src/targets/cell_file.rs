//! Files of single cells, which `isobar chem --cell` integrates again.

use crate::{check_error, with_file};
use isobar::rosenbrock::CellFile;

pub(super) fn target(bytes: &[u8]) {
    match with_file("cell.json", bytes, CellFile::read) {
        Ok(cell) => drop(cell.cells()),
        Err(error) => check_error(&error, "cell.json"),
    }
}
