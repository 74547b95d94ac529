//! What is said of results that are written.

use isobar_io::netcdf::Remarks;
use isobar_launch::Device;

use super::options::Pbl;
use crate::commands::column_results::summarize;
use crate::commands::{json_summary, with_remarks};
use crate::program::failure::Failure;
use crate::program::remarks::warn;

/// Results, and what it took.
pub(super) struct Done<'a> {
    /// Columns and layers.
    pub(super) size: [usize; 2],
    /// How many columns were left out, and why the first was.
    pub(super) left_out: (usize, Option<&'a str>),
    pub(super) masked: usize,
    pub(super) derived: &'a [String],
    pub(super) remarks: &'a Remarks,
    /// What of the surface layer was made up.
    pub(super) made_up: Option<&'a str>,
    pub(super) devices: &'a [Device],
    pub(super) precision: &'static str,
    pub(super) seconds: f64,
}

impl Done<'_> {
    /// Says so, and fails where no column was computed that has values.
    pub(super) fn report(&self, options: &Pbl) -> Result<(), Failure> {
        let &Self { size, left_out: (left_out, first), devices, precision, seconds, .. } = self;
        let columns = size[0];
        if let Some(first) = first {
            warn(format!("{left_out} of {columns} columns left out; the first: {first}"));
        }
        if !options.print.quiet() {
            let times = options.times();
            let steps = if times == 1 { String::new() } else { format!(", {times} steps") };
            summarize(size, &steps, (devices, precision), (seconds, times));
        }
        if options.print.json() {
            let summary = json_summary(("columns", columns), left_out, devices, seconds, &options.results.out);
            let mut summary = with_remarks(summary, self.derived, self.remarks);
            summary["masked"] = self.masked.into();
            summary["made_up"] = self.made_up.into();
            crate::program::print::summary(summary);
        }
        Failure::unless_all(left_out, columns - self.masked)
    }
}
