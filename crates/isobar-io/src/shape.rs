//! Shapes: filter functions and fields of view, two columns of text.

use std::io::{self, Write};
use std::path::Path;

use crate::column::{Column, parse_row};
use crate::control::Control;
use crate::error::{Error, Place};
use crate::number::Range;
use crate::table::filter_path;
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
/// A file that cannot be read, a row without two finite numbers, fewer than 2 rows, abscissae that do not ascend.
pub fn read_shape(path: &Path) -> Result<Shape, Error> {
    let columns = ["shape x", "shape y"].map(|name| Column::new(name, "", Range::FINITE));
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
    Ok(shape)
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

/// Reads the filter of each channel, [`filter_path`] below the control file's `TBLBASE`.
///
/// # Errors
/// No `TBLBASE` though there are channels, a missing filter, those of [`read_shape`].
pub fn read_filters(control: &Control) -> Result<Vec<Shape>, Error> {
    if control.wavenumbers_per_cm.is_empty() {
        return Ok(Vec::new());
    }
    let base = control.require_table_base()?;
    control.wavenumbers_per_cm.iter().map(|&nu| read_shape(&filter_path(base, nu))).collect()
}
