//! What the user of tables should know.

use std::path::Path;

use isobar_ega::limits::JURASSIC_LEAST_PRESSURES;

use super::{Bend, TableReport, TableSet};
use crate::control::Control;

/// What the user of tables should know: which gases count as transparent, and which tables lost rows.
#[must_use]
pub fn table_warnings(control: &Control, set: &TableSet, jurassic_exact: bool) -> Vec<String> {
    let mut warnings = Vec::new();
    let channels = control.wavenumbers_per_cm.len();
    // The files that are missing come in the order of the tables.
    let mut missing = set.missing.iter();
    for (gas, tables) in control.emitters.iter().zip(set.tables.chunks(channels)) {
        let absent = tables.iter().filter(|table| table.is_none()).count();
        let files: Vec<String> = missing.by_ref().take(absent).map(|file| file.display().to_string()).collect();
        if let Some(first) = files.first() {
            let others = if absent > 1 { " and others" } else { "" };
            let what = format!("{gas} counts as transparent in {absent} of {channels} channels");
            warnings.push(format!("{what}, for which there is no table: {first}{others}"));
        }
        let short = |pressures: usize| jurassic_exact && pressures < JURASSIC_LEAST_PRESSURES;
        let ignored = tables.iter().flatten().filter(|table| short(table.pressures.len())).count();
        if ignored > 0 {
            warnings.push(format!(
                "{gas} counts as transparent in {ignored} of {channels} channels: as JURASSIC does, --jurassic-exact \
                 ignores a table of fewer than {JURASSIC_LEAST_PRESSURES} pressures"
            ));
        }
    }
    warnings.extend(set.reports.iter().filter_map(|(file, report)| table_warning(file, report)));
    warnings
}

/// What the user of a table's file should know, in words; nothing if all is well.
#[must_use]
pub fn table_warning(file: &Path, report: &TableReport) -> Option<String> {
    let TableReport { dropped, overwritten, bends, first_bend } = *report;
    let mut parts = Vec::new();
    if dropped + overwritten > 0 {
        parts.push(format!(
            "{dropped} rows out of range were dropped, {overwritten} rows were replaced by the next one of their curve"
        ));
    }
    if let Some(Bend { pressure, temperature, entry }) = first_bend {
        parts.push(format!(
            "{bends} emissivities lie below the line through their neighbours, which those of no band do: damaged, or \
             too coarsely rounded; the first is entry {entry} of pressure {pressure}, temperature {temperature}"
        ));
    }
    (!parts.is_empty()).then(|| format!("{}: {}", file.display(), parts.join("; ")))
}
