//! NetCDF columns of the commands: any bytes are a file or an error.

use crate::readers::{self, Reader};
use crate::{check_error, with_file};

pub(super) fn adding(bytes: &[u8]) {
    read("adding.nc", bytes, readers::adding);
}

pub(super) fn boundary_layer(bytes: &[u8]) {
    read("boundary_layer.nc", bytes, readers::boundary_layer);
}

pub(super) fn chemistry(bytes: &[u8]) {
    read("chemistry.nc", bytes, readers::chemistry);
}

pub(super) fn longwave(bytes: &[u8]) {
    read("longwave.nc", bytes, readers::longwave);
}

fn read(name: &str, bytes: &[u8], reader: Reader) {
    // An option that is the same for the same file.
    let option = bytes.len() as u8;
    if let Err(error) = with_file(name, bytes, |path| reader(path, option)) {
        check_error(&error, name);
    }
}
