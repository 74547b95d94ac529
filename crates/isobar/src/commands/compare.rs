//! How far the results are from those of another file.

use std::path::Path;

use isobar_core::fields::{Declared, LEVEL};
use isobar_io::netcdf::{Accepted, Dataset, Field, Orientation, VariableSpec};
use isobar_io::{columns_differ, open_results};

use crate::program::failure::Failure;

/// Prints the largest and the root mean square difference of each of these fields that both files have, on columns.
pub(super) fn compare(
    [ours, theirs]: [&Path; 2],
    vertical: Option<&str>,
    compared: impl Iterator<Item = &'static Declared>,
) -> Result<(), Failure> {
    let ((mut a, our_axes), (mut b, their_axes)) = (open_results(ours, vertical)?, open_results(theirs, vertical)?);
    // Gaps where a column was not computed.
    a.keep_going();
    b.keep_going();
    print_line!("{:<32}{:>12}{:>12}  largest at", format!("less {}", theirs.display()), "largest", "rms");
    for &Declared { file_name: name, aliases, unit, shape, .. } in compared {
        let [our_spec, their_spec] = [our_axes, their_axes].map(|[levels, layers]| {
            let axes = if shape == [LEVEL] { levels } else { layers };
            VariableSpec { name, aliases, standard_names: &[], unit, axes, accepted: Accepted::FINITE }
        });
        // An output has all of them; another file may lack some.
        let (Some(mut got), Some(mut other)) = (a.read_optional(&our_spec)?, b.read_optional(&their_spec)?) else {
            print_line!("{name:<32}{:>12}", "missing");
            continue;
        };
        if sizes(&got) != sizes(&other) {
            return Err(Failure::new(format!(
                "{}: {name} has {} values instead of {}",
                theirs.display(),
                sizes(&other),
                sizes(&got)
            )));
        }
        if let Some(how) = columns_differ([&a, &b], [&got.name, &other.name]) {
            return Err(Failure::new(format!("{}: the columns are not those of the results: {how}", theirs.display())));
        }
        got.bottom_first(stated(&a)?);
        other.bottom_first(stated(&b)?);
        let columns: usize = got.shape[1..].iter().product();
        let difference = Difference::of(&got.values, &other.values);
        let place = difference.place.map_or_else(
            || "nowhere".to_owned(),
            |i| format!("{} {} from the surface, column {}", our_spec.axes[0].dimension, i / columns, i % columns),
        );
        let (what, [here, there]) = (format!("{name} [{unit}]"), difference.missing);
        // What only one file has is no agreement.
        let missing = [(here, "here alone"), (there, "there alone")];
        let missing = missing.into_iter().filter(|(count, _)| *count > 0);
        let missing: String = missing.map(|(count, file)| format!("; {count} missing {file}")).collect();
        if difference.count == 0 {
            print_line!("{what:<32}{:>12}{:>12}  nothing to compare{missing}", "-", "-");
        } else {
            print_line!("{what:<32}{:>12.3e}{:>12.3e}  {place}{missing}", difference.largest, difference.rms);
        }
    }
    Ok(())
}

/// Those of a field that count.
fn sizes(field: &Field) -> String {
    field.shape.iter().filter(|size| **size > 1).map(ToString::to_string).collect::<Vec<_>>().join(" x ")
}

fn stated(file: &Dataset) -> Result<Orientation, Failure> {
    Ok(file.stated_orientation()?.unwrap_or(Orientation::BottomFirst))
}

#[derive(Debug, PartialEq)]
struct Difference {
    /// With its sign.
    largest: f64,
    rms: f64,
    /// Where the largest is; nowhere if there is none.
    place: Option<usize>,
    /// How many values both have.
    count: usize,
    /// How many are missing in the first alone, and in the second alone.
    missing: [usize; 2],
}

impl Difference {
    /// The difference of values that both have.
    fn of(got: &[f64], other: &[f64]) -> Self {
        let (mut largest, mut squares, mut count, mut place) = (0.0_f64, 0.0, 0_usize, None);
        let mut missing = [0; 2];
        for (i, (got, other)) in got.iter().zip(other).enumerate() {
            let difference = got - other;
            if difference.is_nan() {
                missing[0] += usize::from(!other.is_nan());
                missing[1] += usize::from(!got.is_nan());
                continue;
            }
            if difference.abs() > largest.abs() {
                (largest, place) = (difference, Some(i));
            }
            squares += difference * difference;
            count += 1;
        }
        Self { largest, rms: (squares / count.max(1) as f64).sqrt(), place, count, missing }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_keep_their_sign_and_count_gaps() {
        let nan = f64::NAN;
        let difference = Difference::of(&[1.0, nan, 3.0, 4.0, 5.0, nan, 6.0], &[1.0, 2.0, 6.0, 3.0, nan, nan, nan]);
        let (rms, place) = ((10.0_f64 / 3.0).sqrt(), Some(2));
        assert_eq!(difference, Difference { largest: -3.0, rms, place, count: 3, missing: [1, 2] });
        let same = Difference { largest: 0.0, rms: 0.0, place: None, count: 1, missing: [0; 2] };
        assert_eq!(Difference::of(&[1.0], &[1.0]), same);
    }
}
