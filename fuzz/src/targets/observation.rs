//! Observations: what is accepted is written and read again as it was.

use std::sync::LazyLock;

use crate::{check_error, data, with_file};
use isobar::io::{Control, read_observation, write_observation};

static CONTROL: LazyLock<Control> =
    LazyLock::new(|| Control::read(&data().join("limb/limb.ctl"), &[]).expect("a control file").0);

pub(super) fn target(bytes: &[u8]) {
    match with_file("observation.tab", bytes, |path| read_observation(path, &CONTROL)) {
        Ok(observation) => {
            let mut written = Vec::new();
            write_observation(&mut written, &observation, &CONTROL).expect("what was read can be written");
            let again = with_file("again.tab", &written, |path| read_observation(path, &CONTROL));
            assert_eq!(format!("{:?}", again.expect("what was written")), format!("{:?}", observation));
        }
        Err(error) => check_error(&error, "observation.tab"),
    }
}
