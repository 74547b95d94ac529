//! Shapes: filter functions and fields of view, two columns of text.

use std::io::{self, Write};
use std::path::Path;

use crate::column::{Column, parse_row};
use crate::error::{Error, Place};
use crate::number::Range;
use crate::text::{read_bytes, rows, to_text, write_header, write_row};

/// A curve through at least 2 points: a filter function over wavenumber \[cm^-1\], or the weights of a field of view
/// over vertical offset \[km\].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    /// Abscissae, strictly ascending.
    pub x: Vec<f64>,
    /// Values, one an abscissa.
    pub y: Vec<f64>,
}

impl From<Shape> for isobar_ega::Filter {
    fn from(shape: Shape) -> Self {
        Self { wavenumber_per_cm: shape.x, transmission: shape.y }
    }
}

/// Reads a shape.
///
/// # Errors
/// A file that cannot be read, a row without two finite numbers, fewer than 2 rows, abscissae that do not ascend,
/// values whose sum is not positive.
pub fn read_shape(path: &Path) -> Result<Shape, Error> {
    read_within(path, ("shape x", "", Range::FINITE))
}

/// Wavenumbers of filters \[cm^-1\]: a filter is sampled at 1 cm^-1 or less for each of 1,201 temperatures, and beyond
/// 20,000 no atmosphere emits.
const FILTER: Range = Range::closed(0.0, 20_000.0);

fn read_within(path: &Path, (x, unit, range): (&'static str, &'static str, Range)) -> Result<Shape, Error> {
    let columns = [Column::new(x, unit, range), Column::new("shape y", "", Range::FINITE)];
    let bytes = read_bytes(path)?;
    let mut shape = Shape::default();
    for (index, (line, row)) in rows(&to_text(&bytes)).enumerate() {
        let place = Place::line(path, line);
        let values = parse_row(&place, row, &columns, "row", index)?;
        if let Some(&before) = shape.x.last().filter(|&&before| values[0] <= before) {
            let problem =
                format!("{} does not exceed {before} of the row before", columns[0].describe(values[0], "row", index));
            return Err(Error::invalid(place, problem));
        }
        shape.x.push(values[0]);
        shape.y.push(values[1]);
    }
    if shape.x.len() < 2 {
        let problem = format!("a shape needs at least 2 rows, the file has {}", shape.x.len());
        return Err(Error::invalid(Place::File(path.to_owned()), problem));
    }
    match no_weight(&shape) {
        Some(problem) => Err(Error::invalid(Place::File(path.to_owned()), problem)),
        None => Ok(shape),
    }
}

/// Why there is nothing to average over, if so.
fn no_weight(shape: &Shape) -> Option<String> {
    let sum: f64 = shape.y.iter().sum();
    (!(sum.is_finite() && sum > 0.0)).then(|| format!("the weights of the shape sum to {sum}, outside (0, inf)"))
}

/// Writes a shape.
///
/// # Errors
/// Those of `out`.
pub fn write_shape(out: &mut impl Write, shape: &Shape) -> io::Result<()> {
    write_header(out, ["shape function x-value [-]", "shape function y-value [-]"])?;
    writeln!(out)?;
    shape.x.iter().zip(&shape.y).try_for_each(|(&x, &y)| write_row(out, [x, y]))
}

/// Samples of a filter at most: as many as one from 0 to 20,000 cm^-1 at 0.1 cm^-1 has.
const MOST_SAMPLES: f64 = 2e5;

/// Reads a filter.
pub(crate) fn read_filter(path: &Path) -> Result<Shape, Error> {
    let filter = read_within(path, ("wavenumber", "cm^-1", FILTER))?;
    match too_many_samples(&filter) {
        Some(problem) => Err(Error::invalid(Place::File(path.to_owned()), problem)),
        None => Ok(filter),
    }
}

/// Why there are too many samples to average over.
fn too_many_samples(filter: &Shape) -> Option<String> {
    let (first, last) = (filter.x[0], filter.x[filter.x.len() - 1]);
    let spacing = filter.x.windows(2).map(|pair| pair[1] - pair[0]).fold(1.0, f64::min);
    let samples = (last - first) / spacing;
    (samples > MOST_SAMPLES).then(|| {
        format!(
            "from {first} to {last} cm^-1 at its smallest spacing, {spacing:.3e} cm^-1, the filter has {samples:.0} \
             samples; at most {MOST_SAMPLES} are accepted"
        )
    })
}

/// Why a filter that no reader of text has seen is none, if so.
pub(crate) fn filter_problem(filter: &Shape) -> Option<String> {
    if filter.x.len() < 2 {
        return Some(format!("a shape needs at least 2 points, this one has {}", filter.x.len()));
    }
    for (i, (&x, &y)) in filter.x.iter().zip(&filter.y).enumerate() {
        if !(0.0..=20_000.0).contains(&x) {
            return Some(format!("wavenumber {x} cm^-1 of point {i} lies outside [0, 20000]"));
        }
        if !y.is_finite() {
            return Some(format!("transmission {y} of point {i} is not finite"));
        }
        if i > 0 && x <= filter.x[i - 1] {
            return Some(format!("wavenumber {x} cm^-1 of point {i} does not exceed {} before it", filter.x[i - 1]));
        }
    }
    no_weight(filter).or_else(|| too_many_samples(filter))
}
