//! Case files of `isobar run`, prepared with the files that they name.

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use crate::{data, folder};
use isobar::run::Case;

/// The case file, beside copies of what the demonstration names.
static CASE: LazyLock<PathBuf> = LazyLock::new(|| {
    for name in ["column", "nadir", "radiation", "tables"] {
        fs::create_dir(folder().join(name)).expect("a folder");
        for entry in fs::read_dir(data().join(name)).expect("data") {
            let entry = entry.expect("a file");
            fs::copy(entry.path(), folder().join(name).join(entry.file_name())).expect("a copy");
        }
    }
    folder().join("column/fuzz.toml")
});

pub(super) fn target(bytes: &[u8]) {
    fs::write(&*CASE, bytes).expect("the folder can be written");
    let prepared = Case::open(&*CASE).and_then(|mut case| case.prepare(&mut |_| {}));
    if let Err(error) = prepared {
        assert!(!error.to_string().is_empty());
    }
}
