//! Control files, with what they say of retrievals.

use crate::{check_error, with_file};
use isobar::io::Control;

pub(super) fn target(bytes: &[u8]) {
    let read = with_file("fuzz.ctl", bytes, |path| Control::read(path, &[]));
    match read {
        Ok((control, _)) => {
            let _ = (control.retrieval(), control.path_options(), control.require_channels());
        }
        Err(error) => check_error(&error, "fuzz.ctl"),
    }
}
