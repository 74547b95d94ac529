//! Control files, with what they say of retrievals.
#![no_main]

use isobar::io::Control;
use isobar_fuzz::{check_error, with_file};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let read = with_file("fuzz.ctl", bytes, |path| Control::read(path, &[]));
    match read {
        Ok((control, _)) => {
            let _ = (control.retrieval(), control.path_options(), control.require_channels());
        }
        Err(error) => check_error(&error, "fuzz.ctl"),
    }
});
