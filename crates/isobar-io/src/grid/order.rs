//! In which order levels lie, whose pressures follow by coefficients.

use netcdf_reader::NcVariable;

use super::source::Source;
use crate::columns_file::pressure::order::{Numbers, beside_coefficients, not_said};
use crate::error::Error;
use crate::netcdf::{Dimension, Orientation, evidence};

impl Source {
    /// Which end of the levels is the top, beside coefficients with this end first. These have one value more than
    /// levels, and so a dimension of their own: tools that turn a file upside down leave them as they are.
    pub(super) fn top_of_levels(&self, coefficients: &NcVariable, first: Orientation) -> Result<Orientation, Error> {
        let Some((coordinate, values)) = self.levels()? else { return Ok(first) };
        let (name, other) = (&coordinate.name, &coefficients.name);
        let numbers = Numbers::of(&values);
        // Dimensions of layers and of levels around them are turned together: what is no number does not count, as
        // GEOS-Chem's fall with height and are positive upwards.
        let is_of_levels = |name: &str| Dimension::from_name(name) == Some(Dimension::Level);
        let are_beside = coefficients.dimensions.iter().any(|dimension| is_of_levels(&dimension.name));
        if are_beside && numbers.is_none() {
            return Ok(first);
        }
        let stated = self.stated_top(coordinate, &values)?;
        let top = match beside_coefficients(first, numbers, || Ok(stated))? {
            Some(top) => top,
            None if are_beside => first,
            None => return Err(self.invalid(not_said(name, other))),
        };
        match stated.filter(|stated| *stated != top) {
            None => Ok(top),
            Some(stated) => Err(self.invalid(format!(
                "{name} says {}, but its numbers beside {other} say {}",
                stated.text(),
                top.text()
            ))),
        }
    }

    /// What the coordinate of levels says by its attributes.
    fn stated_top(&self, coordinate: &NcVariable, values: &[f64]) -> Result<Option<Orientation>, Error> {
        let [first, .., last] = values else { return Ok(None) };
        let upward = evidence::direction(coordinate).map_err(|problem| self.invalid(problem))?;
        Ok(upward.map(|upward| evidence::index_direction(upward == (first < last))))
    }
}
