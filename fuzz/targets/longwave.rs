//! Columns of `isobar longwave`: any bytes are a file or an error.
#![no_main]

use isobar_fuzz::{check_error, readers, with_file};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // An option that is the same for the same file.
    let option = bytes.len() as u8;
    if let Err(error) = with_file("longwave.nc", bytes, |path| readers::longwave(path, option)) {
        check_error(&error, "longwave.nc");
    }
});
