//! How far the results are from those of another file.

use std::path::Path;

use isobar_core::fields::{Declared, LEVEL};
use isobar_io::netcdf::{Accepted, Axis, Dataset, Dimension, Orientation, VariableSpec};

use crate::program::failure::Failure;

/// The dimensions of columns, whatever made them up.
macro_rules! axes {
    ($vertical:ident) => {
        &[
            Axis::required(Dimension::$vertical),
            Axis::optional(Dimension::Time),
            Axis::optional(Dimension::Profile),
            Axis::optional(Dimension::SouthNorth),
            Axis::optional(Dimension::WestEast),
            Axis::optional(Dimension::Experiment),
            Axis::optional(Dimension::Site),
        ]
    };
}

const LEVELS: &[Axis] = axes!(Level);
const LAYERS: &[Axis] = axes!(Layer);

/// Prints the largest and the root mean square difference of each of these fields that both files have, on columns.
pub(super) fn compare(
    ours: &Path,
    theirs: &Path,
    compared: impl Iterator<Item = &'static Declared>,
) -> Result<(), Failure> {
    let (mut a, mut b) = (Dataset::open(ours)?, Dataset::open(theirs)?);
    // Gaps where a column was not computed.
    a.keep_going();
    b.keep_going();
    print_line!("{:<32}{:>12}{:>12}  largest at", format!("less {}", theirs.display()), "largest", "rms");
    for &Declared { file_name: name, aliases, unit, shape, .. } in compared {
        let axes = if shape == [LEVEL] { LEVELS } else { LAYERS };
        let spec = VariableSpec { name, aliases, standard_names: &[], unit, axes, accepted: Accepted::FINITE };
        // An output has all of them; another file may lack some.
        let (Some(mut got), Some(mut other)) = (a.read_optional(&spec)?, b.read_optional(&spec)?) else {
            print_line!("{name:<32}{:>12}", "missing");
            continue;
        };
        if got.shape != other.shape {
            let sizes = |shape: &[usize]| {
                shape.iter().filter(|size| **size > 1).map(ToString::to_string).collect::<Vec<_>>().join(" x ")
            };
            return Err(Failure::new(format!(
                "{}: {name} has {} values instead of {}",
                theirs.display(),
                sizes(&other.shape),
                sizes(&got.shape)
            )));
        }
        got.bottom_first(stated(&a)?);
        other.bottom_first(stated(&b)?);
        let columns: usize = got.shape[1..].iter().product();
        let difference = Difference::of(&got.values, &other.values);
        let place = difference.place.map_or_else(
            || "nowhere".to_owned(),
            |i| format!("{} {} from the surface, column {}", axes[0].dimension, i / columns, i % columns),
        );
        print_line!(
            "{:<32}{:>12.3e}{:>12.3e}  {place}",
            format!("{name} [{unit}]"),
            difference.largest,
            difference.rms
        );
    }
    Ok(())
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
}

impl Difference {
    /// The difference of values that both have.
    fn of(got: &[f64], other: &[f64]) -> Self {
        let (mut largest, mut squares, mut count, mut place) = (0.0_f64, 0.0, 0_usize, None);
        for (i, (got, other)) in got.iter().zip(other).enumerate() {
            let difference = got - other;
            if difference.is_nan() {
                continue;
            }
            if difference.abs() > largest.abs() {
                (largest, place) = (difference, Some(i));
            }
            squares += difference * difference;
            count += 1;
        }
        Self { largest, rms: (squares / count.max(1) as f64).sqrt(), place }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_keep_their_sign_and_leave_out_gaps() {
        let difference = Difference::of(&[1.0, f64::NAN, 3.0, 4.0], &[1.0, 2.0, 6.0, 3.0]);
        assert_eq!(difference, Difference { largest: -3.0, rms: (10.0_f64 / 3.0).sqrt(), place: Some(2) });
        assert_eq!(Difference::of(&[1.0], &[1.0]), Difference { largest: 0.0, rms: 0.0, place: None });
    }
}
