//! Atmospheres: what is accepted is written and read again as it was.

use std::sync::LazyLock;

use crate::{check_error, data, with_file};
use isobar::io::{Control, read_atmosphere, write_atmosphere};

static CONTROL: LazyLock<Control> =
    LazyLock::new(|| Control::read(&data().join("limb/limb.ctl"), &[]).expect("a control file").0);

pub(super) fn target(bytes: &[u8]) {
    match with_file("atmosphere.tab", bytes, |path| read_atmosphere(path, &CONTROL)) {
        Ok(atmosphere) => {
            let mut written = Vec::new();
            write_atmosphere(&mut written, &atmosphere, &CONTROL).expect("what was read can be written");
            let again = with_file("again.tab", &written, |path| read_atmosphere(path, &CONTROL));
            assert_eq!(format!("{:?}", again.expect("what was written")), format!("{:?}", atmosphere));
        }
        Err(error) => check_error(&error, "atmosphere.tab"),
    }
}
