//! Filters and fields of view.

use crate::{check_error, with_file};
use isobar::io::{read_shape, write_shape};

pub(super) fn target(bytes: &[u8]) {
    match with_file("fuzz.filt", bytes, read_shape) {
        Ok(shape) => {
            let mut written = Vec::new();
            write_shape(&mut written, &shape).expect("what was read can be written");
            let again = with_file("again.filt", &written, read_shape);
            assert_eq!(format!("{:?}", again.expect("what was written")), format!("{shape:?}"));
        }
        Err(error) => check_error(&error, "fuzz.filt"),
    }
}
