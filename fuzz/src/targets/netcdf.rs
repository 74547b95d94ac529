//! NetCDF columns of each command, changed with their structure known. A file that means the same is read as the same,
//! digit by digit; any other is read, too, or refused.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex};

use crate::netcdf::Content;
use crate::readers::{FILES, READERS};
use crate::{check_error, with_file};

/// What a reader reads of its good file, with an option of its own.
fn expected(which: usize, option: u8) -> String {
    static ALL: Mutex<BTreeMap<(usize, u8), String>> = Mutex::new(BTreeMap::new());
    let read = || READERS[which](&FILES[which], option).expect("the file as it was is read");
    // Readers have no more options than these.
    ALL.lock().expect("no thread has failed").entry((which, option % 12)).or_insert_with(read).clone()
}

static GOOD: LazyLock<Vec<Content>> = LazyLock::new(|| {
    // Option 1 assumes that gases that are missing are zero.
    (0..FILES.len()).for_each(|which| drop(expected(which, 1)));
    FILES.iter().map(|file| Content::open(file)).collect()
});

pub(super) fn target(bytes: &[u8]) {
    let [which, option, script @ ..] = bytes else { return };
    let which = usize::from(*which) % READERS.len();
    let mut content = GOOD[which].clone();
    let same = content.change(script);
    // Not all that a script asks for can be written.
    let Some(file) = content.bytes() else { return };
    match with_file("netcdf.nc", &file, |path| READERS[which](path, *option)) {
        Ok(read) => {
            if same {
                let expected = expected(which, *option);
                let place = read.bytes().zip(expected.bytes()).take_while(|(read, expected)| read == expected).count();
                let about = |text: &str| text.chars().skip(place.saturating_sub(200)).take(400).collect::<String>();
                assert!(
                    read == expected,
                    "a file that means the same is read as another: {} instead of {}",
                    about(&read),
                    about(&expected)
                );
            }
        }
        Err(error) => check_error(&error, "netcdf.nc"),
    }
}
