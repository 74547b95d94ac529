//! How long what a file has as a sum over time was summed.

use crate::columns_file::{Fields, Per, Quantity, Reading, intervals};
use crate::error::Error;
use crate::netcdf::Accepted;

/// As a caller, or a file, says it outright.
const LENGTH: Quantity = Quantity::new("accumulation_interval", &[], &[], "s", Per::Column, Accepted::POSITIVE);

/// How an interval is said that is not.
pub(super) const UNKNOWN: &str =
    "over an interval that neither bounds of its time nor --value accumulation_interval=SECONDS says";

/// Reads the interval that a sum is of, if it is known: the one that is given, or the bounds of the time in its file.
pub(super) fn read(reading: &mut Reading, sum: &Quantity) -> Result<bool, Error> {
    if reading.found(&LENGTH) {
        return Ok(true);
    }
    if reading.has(&LENGTH)? {
        return reading.need(&LENGTH).map(|()| true);
    }
    let name = reading.name(sum).unwrap_or_default();
    intervals::has_bounds(reading, &name)
}

/// Sums of all columns, by their name in the file, as means over the interval, and by what they were divided in words.
pub(super) fn means(fields: &Fields, (name, sums): (&str, &[f64])) -> Result<(Vec<f64>, String), Error> {
    let given = fields.copy(&LENGTH);
    let (lengths, whose) = if given.is_empty() {
        (intervals::lengths(fields, name)?, "the bounds of its time")
    } else {
        (given, LENGTH.name)
    };
    let [least, most] = lengths.iter().fold([f64::INFINITY, 0.0_f64], |[a, b], &x| [a.min(x), b.max(x)]);
    let seconds = if least == most { format!("{most} s") } else { format!("{least} to {most} s") };
    let means = sums.iter().zip(&lengths).map(|(sum, length)| sum / length).collect();
    Ok((means, format!(" / {seconds}, {whose}")))
}
