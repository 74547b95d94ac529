//! What a command takes of the host's memory, estimated before it computes anything.

use std::path::Path;

use isobar_io::netcdf::Dataset;
use isobar_launch::memory::{Bytes, available, check};

use super::failure::{Exit, Failure};

/// Less is not worth a word.
const MUCH: u64 = 1 << 30;
/// Copies of its values that an output takes until it is written: the results, the file's variables, the file.
pub const WRITTEN: u64 = 5;

/// Refuses work that takes more memory than there is, in one line that says what would fit; of much, tells that it is
/// going to be taken.
pub fn need(tell: bool, what: &str, bytes: u64, fits: impl FnOnce(u64) -> String) -> Result<(), Failure> {
    check(what, bytes, fits)?;
    if tell {
        say(what, bytes);
    }
    Ok(())
}

/// Says how much memory is going to be taken, if it is much; too much is refused elsewhere.
pub fn say(what: &str, bytes: u64) {
    if bytes >= MUCH && available().is_none_or(|known| known.bytes >= bytes) {
        let of = available().map(|known| format!(" of {} {}", Bytes(known.bytes), known.limit)).unwrap_or_default();
        tell!("{what}: about {} of memory{of}", Bytes(bytes));
    }
}

/// Refuses items that take more memory than there is, all the same number of bytes.
pub fn need_for(tell: bool, items: usize, name: &str, bytes_each: u64) -> Result<(), Failure> {
    let bytes = (items as u64).saturating_mul(bytes_each);
    need(tell, &format!("{items} {name}"), bytes, |bytes| format!("{} would fit", bytes / bytes_each.max(1)))
}

/// Copies of what has bands or moments: as it is read, in another precision, and on its way.
const MANIFOLD: u64 = 5;

/// Refuses a NetCDF file whose work takes more memory than there is, by its header alone: `fields` fields of the size
/// of its largest variable without bands and the like.
pub fn need_for_file(tell: bool, path: &Path, fields: u64) -> Result<(), Failure> {
    need_for_files(tell, &[path], fields)
}

/// Likewise, of files that are read together.
pub fn need_for_files<P: AsRef<Path>>(tell: bool, paths: &[P], fields: u64) -> Result<(), Failure> {
    let mut values = 0_u64;
    for path in paths {
        let (largest, manifold) = Dataset::open(path.as_ref())?.sizes_in_header();
        values =
            values.saturating_add(largest.saturating_mul(fields)).saturating_add(manifold.saturating_mul(MANIFOLD));
    }
    let bytes = values.saturating_mul(8);
    let named = |path: &P| path.as_ref().display().to_string();
    let named = paths.iter().map(named).collect::<Vec<_>>().join(", ");
    need(tell, &format!("{named}: its items"), bytes, |fit| {
        format!("{:.1} % of them would fit", 100.0 * fit as f64 / bytes as f64)
    })
}

/// Refuses a text with numbers that takes more memory than there is; it has some copies in all: as numbers are read, as
/// results, as text.
pub fn need_for_text(tell: bool, path: &Path) -> Result<(), Failure> {
    // Who reads it says what is wrong with a file that is not there.
    let bytes = std::fs::metadata(path).map_or(0, |file| file.len().saturating_mul(6));
    need(tell, &format!("{}: its rows", path.display()), bytes, |fit| {
        format!("{:.1} % of them would fit", 100.0 * fit as f64 / bytes as f64)
    })
}

/// A copy of values, or an error where there is no memory for it.
pub fn copied(values: &[f64]) -> Result<Vec<f64>, Failure> {
    let mut copy = Vec::new();
    let full = |_| Failure::of(Exit::Device, format!("no memory for {} of results", Bytes(size_of_val(values) as u64)));
    copy.try_reserve_exact(values.len()).map_err(full)?;
    copy.extend_from_slice(values);
    Ok(copy)
}
