//! Columns of `isobar pbl`: any bytes are a file or an error.
#![no_main]

use isobar_fuzz::{check_error, readers, with_file};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // An option that is the same for the same file.
    let option = bytes.len() as u8;
    if let Err(error) = with_file("boundary_layer.nc", bytes, |path| readers::boundary_layer(path, option)) {
        check_error(&error, "boundary_layer.nc");
    }
});
