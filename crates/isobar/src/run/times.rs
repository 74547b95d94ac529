//! Times of a run in its results.

use isobar_io::netcdf::{DatasetWriter, OutputVariable};
use isobar_io::{Error, date_of_seconds};

use super::setup::Setup;

/// Adds times of the run: they are CF's where the date is known, and seconds otherwise.
pub(super) fn put_times(
    setup: &Setup,
    file: &mut DatasetWriter,
    (name, long_name): (&str, &str),
    values: &[f64],
) -> Result<(), Error> {
    let date = setup.midnight.and_then(date_of_seconds);
    let since = date.map(|date| format!("seconds since {} 00:00:00", date.split('T').next().unwrap_or_default()));
    let time = OutputVariable {
        name,
        dimensions: &[name],
        units: since.as_deref().unwrap_or("s"),
        long_name,
        // The time of the fields alone: readers take it for that of all.
        standard_name: (name == "time").then_some(name),
        reference_name: None,
    };
    // A file's date counts as one of Gregory's calendar, whatever its own.
    if since.is_some() { file.times(&time, values, "proleptic_gregorian") } else { file.variable(&time, values) }
}
