//! The commands, and what they have in common.

pub(crate) mod adding;
pub(crate) mod check;
pub(crate) mod chem;
mod column_results;
mod compare;
pub(crate) mod data;
pub(crate) mod devices;
pub(crate) mod examples;
pub(crate) mod forward;
pub(crate) mod jurassic;
pub(crate) mod kernel;
pub(crate) mod kpp;
pub(crate) mod lbl;
pub(crate) mod longwave;
mod mechanism_file;
mod path_table;
pub(crate) mod pbl;
pub(crate) mod radiation;
mod radiation_files;
mod ranks;
pub(crate) mod raytrace;
pub(crate) mod retrieve;
pub(crate) mod run;
mod shared;
pub(crate) mod shell;
pub(crate) mod spectra;
mod stop;
pub(crate) mod tables;

use std::path::Path;

use isobar_io::netcdf::Remarks;
use isobar_launch::Device;

use crate::program::remarks::note;

/// A summary for a program, on standard output: the number of items of a kind, what was said of them, and more.
fn print_json(items: (&str, usize), failed: usize, devices: &[Device], seconds: f64, out: &Path) {
    crate::program::print::summary(json_summary(items, failed, devices, seconds, out));
}

/// A summary for a program, to which more may be added.
fn json_summary(
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
fn say_remarks(quiet: bool, path: &Path, derived: &[String], remarks: &Remarks) {
    let derived = (!derived.is_empty()).then(|| format!("derived: {}", derived.join("; ")));
    for line in derived.into_iter().chain(remarks.lines()) {
        note(quiet, format!("{}: {line}", path.display()));
    }
}

/// The summary for a program with what an input file did not have, and what else there is to say of it.
fn with_remarks(mut summary: serde_json::Value, derived: &[String], remarks: &Remarks) -> serde_json::Value {
    let clamped = remarks.clamped.iter().map(
        |clamped| serde_json::json!({ "variable": clamped.variable, "count": clamped.count, "first": clamped.first }),
    );
    summary["derived"] = derived.into();
    summary["clamped"] = clamped.collect();
    summary["not_read"] = remarks.not_read.as_slice().into();
    summary
}

/// A number and the name of what is counted, whose plural ends with an s.
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// The words of the command line. A name may be any bytes; in words, letters stand for those that are none.
fn arguments() -> impl Iterator<Item = String> {
    crate::program::words().iter().map(|word| word.to_string_lossy().into_owned())
}

/// The command line as a file's history: without the folder of the program, which says nothing about the result.
fn history() -> String {
    std::iter::once("isobar".to_owned()).chain(arguments().skip(1)).collect::<Vec<_>>().join(" ")
}

/// The same of a file that several processes write, without which of them this is.
fn history_of_all_ranks() -> String {
    let (mut words, mut all) = (vec!["isobar".to_owned()], arguments().skip(1));
    while let Some(word) = all.next() {
        let name = word.split('=').next().unwrap_or_default();
        if !["--rank", "--ranks"].contains(&name) {
            words.push(word);
        } else if name == word {
            all.next();
        }
    }
    words.join(" ")
}
