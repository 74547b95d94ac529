//! RRTMG_LW's k-distribution, as edits of a file that is good, and as it comes.

use std::sync::LazyLock;

use crate::edits::edited;
use crate::{check_error, with_file};
use isobar::io::read_rrtmg_lw;
use isobar::radiation::rrtmg::analytic;

/// A file whose numbers have no meaning.
static GOOD: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let good = analytic::rrtmg_file(&analytic::k_distribution());
    with_file("fuzz.kd", &good, read_rrtmg_lw).expect("it is good");
    good
});

pub(super) fn target(bytes: &[u8]) {
    let Some((&which, script)) = bytes.split_first() else { return };
    let file = if which % 2 == 0 { edited(&GOOD, script) } else { script.to_vec() };
    match with_file("fuzz.kd", &file, read_rrtmg_lw) {
        Ok(read) => {
            let _ = read.gases();
        }
        Err(error) => check_error(&error, "fuzz.kd"),
    }
}
