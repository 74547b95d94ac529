//! What commands tell of a run: as JSON, and of what an input lacked.

use std::path::Path;

use isobar_io::netcdf::Remarks;
use isobar_launch::Device;

use crate::program::remarks::note;

/// A summary for a program, on standard output: the number of items of a kind, what was said of them, and more.
pub(crate) fn print_json(items: (&str, usize), failed: usize, devices: &[Device], seconds: f64, out: &Path) {
    crate::program::print::summary(json_summary(items, failed, devices, seconds, out));
}

/// A summary for a program, to which more may be added.
pub(crate) fn json_summary(
    items: (&str, usize),
    failed: usize,
    devices: &[Device],
    seconds: f64,
    out: &Path,
) -> serde_json::Value {
    let devices: Vec<String> = devices.iter().map(ToString::to_string).collect();
    let out = out.to_string_lossy();
    let mut summary = serde_json::json!({ "failed": failed, "devices": devices, "seconds": seconds, "out": out });
    summary[items.0] = items.1.into();
    summary
}

/// What an input file did not have, and what else there is to say of it, a line each.
pub(crate) fn say_remarks(quiet: bool, path: &Path, derived: &[String], remarks: &Remarks) {
    let derived = (!derived.is_empty()).then(|| format!("derived: {}", derived.join("; ")));
    for line in derived.into_iter().chain(remarks.lines()) {
        note(quiet, format!("{}: {line}", path.display()));
    }
}

/// The summary for a program with what an input file did not have, and what else there is to say of it.
pub(crate) fn with_remarks(mut summary: serde_json::Value, derived: &[String], remarks: &Remarks) -> serde_json::Value {
    let clamped = remarks.clamped.iter().map(
        |clamped| serde_json::json!({ "variable": clamped.variable, "count": clamped.count, "first": clamped.first }),
    );
    summary["derived"] = derived.into();
    summary["clamped"] = clamped.collect();
    summary["not_read"] = remarks.not_read.as_slice().into();
    summary
}

/// A number and the name of what is counted, whose plural ends with an s.
pub(crate) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
