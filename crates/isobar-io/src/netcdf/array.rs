//! Variables by exact names, with dimensions by the names that a file's own layout gives them: tables of coefficients.

use std::ops::RangeInclusive;

use netcdf_reader::NcVariable;

use super::field::{gather, strides};
use super::values::{self, Refused, Unfit};
use super::{Accepted, Dataset, Unit, VariableSpec, attribute};
use crate::error::{Error, Place};

/// A variable that a layout has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Array<'a> {
    /// Its name.
    pub(crate) name: &'a str,
    /// Its dimensions in the order of the values that are returned, slowest first; the file may have another order.
    pub(crate) dimensions: &'a [&'a str],
    /// The unit of the values that are returned.
    pub(crate) unit: &'a str,
    /// Whether files of the layout have `units`, which then must be there and are converted.
    pub(crate) states_unit: bool,
    /// The accepted values.
    pub(crate) accepted: Accepted,
}

/// The most values that a table may have: 2 GiB of them.
const MOST: u64 = 1 << 28;

impl Dataset {
    /// The size of a dimension by its exact name.
    ///
    /// # Errors
    /// The file does not have it, or it is out of this range.
    pub(crate) fn exact_size(&self, name: &str, accepted: RangeInclusive<usize>) -> Result<usize, Error> {
        let found = self.dimensions.iter().find(|dimension| dimension.name == name);
        let size = found.ok_or_else(|| self.invalid(format!("dimension {name} is missing")))?.size as usize;
        // Sums and products of sizes stay far from the largest number.
        let (low, high) = (*accepted.start(), (*accepted.end()).min(MOST as usize));
        if (low..=high).contains(&size) {
            return Ok(size);
        }
        let range = if low == high { low.to_string() } else { format!("from {low} to {high}") };
        Err(self.invalid(format!("dimension {name} = {size}; expected {range}")))
    }

    /// Names and sizes of the dimensions of a variable, slowest first, by its exact name.
    pub(crate) fn dimensions_of(&self, name: &str) -> Option<Vec<(String, usize)>> {
        let variable = self.variables.iter().find(|variable| variable.name == name)?;
        Some(variable.dimensions.iter().map(|one| (one.name.clone(), one.size as usize)).collect())
    }

    /// What a variable's attribute `units` says, by its exact name.
    pub(crate) fn units_of(&self, name: &str) -> Option<String> {
        attribute::of(self.variables.iter().find(|variable| variable.name == name)?, "units")
    }

    /// An attribute of a variable that is a text, by its exact name.
    pub(crate) fn text_attribute(&self, name: &str, attribute: &str) -> Option<String> {
        attribute::of(self.variables.iter().find(|variable| variable.name == name)?, attribute)
    }

    /// How many pascals one of a variable is, by its exact name; nothing where it has no unit of pressure.
    pub(crate) fn pascals(&self, name: &str) -> Option<f64> {
        let unit: Unit = self.units_of(name)?.parse().ok()?;
        Some(unit.conversion(&"Pa".parse().ok()?)?.apply(1.0))
    }

    /// Whether the file has a dimension of exactly this name.
    pub(crate) fn has_exact_dimension(&self, name: &str) -> bool {
        self.dimensions.iter().any(|dimension| dimension.name == name)
    }

    /// Reads numbers.
    ///
    /// # Errors
    /// The variable is missing, has other dimensions or no unit that converts; a value is missing or not accepted.
    pub(crate) fn numbers(&self, array: &Array) -> Result<Vec<f64>, Error> {
        let (name, variable) = (array.name, self.exact(array.name, array.dimensions)?);
        let spec = VariableSpec {
            name,
            aliases: &[],
            standard_names: &[],
            unit: array.unit,
            axes: &[],
            accepted: array.accepted,
        };
        let conversion = if array.states_unit {
            self.conversion(variable, &spec)?
        } else {
            let unit: Unit =
                array.unit.parse().map_err(|problem| self.invalid(format!("unit of {name}: {problem}")))?;
            unit.conversion(&unit).ok_or_else(|| self.invalid(format!("unit of {name}: {}", array.unit)))?
        };
        let values =
            values::read(self.files.of(name), variable, &spec, conversion, Unfit::Refused).map_err(
                |why| match why {
                    Refused::Problem(problem) => self.invalid_in(name, problem),
                    Refused::Missing { what, file } => Error::invalid(Place::File(file), what),
                    Refused::OutOfRange { what, range, file, .. } => {
                        Error::OutOfRange { place: Place::File(file), what, range }
                    }
                },
            )?;
        let sizes: Vec<usize> = variable.dimensions.iter().map(|dimension| dimension.size as usize).collect();
        let steps = strides(&sizes);
        let order: Vec<usize> = array.dimensions.iter().filter_map(|&wanted| position(variable, wanted)).collect();
        if order.is_sorted() {
            return Ok(values);
        }
        let pick = |from: &[usize]| order.iter().map(|&position| from[position]).collect::<Vec<_>>();
        Ok(gather(&values, &pick(&sizes), &pick(&steps)))
    }

    /// Reads whole numbers of this range.
    ///
    /// # Errors
    /// As [`Dataset::numbers`]; a number is not whole.
    pub(crate) fn whole_numbers(
        &self,
        name: &str,
        dimensions: &[&str],
        (low, high): (usize, usize),
    ) -> Result<Vec<usize>, Error> {
        use std::ops::Bound::Included;
        let accepted = Accepted { low: Included(low as f64), high: Included(high as f64) };
        let values = self.numbers(&Array { name, dimensions, unit: "1", states_unit: false, accepted })?;
        if let Some(index) = values.iter().position(|value| value.fract() != 0.0) {
            let (value, place) = (values[index], self.place_along(dimensions, index));
            return Err(self.invalid(format!("{name} = {value}{place} is no whole number")));
        }
        Ok(values.into_iter().map(|value| value as usize).collect())
    }

    /// Reads texts along a dimension, of characters along another or whole; without the blanks around them.
    ///
    /// # Errors
    /// The variable is missing, has other dimensions or is no text.
    pub(crate) fn texts(&self, name: &str, dimension: &str) -> Result<Vec<String>, Error> {
        let Some(variable) = self.variables.iter().find(|variable| variable.name == name) else {
            return Err(self.lacks(name, &[dimension]));
        };
        let sizes: Vec<_> = variable.dimensions.iter().map(|other| other.name.as_str()).collect();
        if sizes.first() != Some(&dimension) || sizes.len() > 2 {
            let problem = format!(
                "{name} has dimensions ({}); expected ({dimension}) and those of its characters",
                sizes.join(", ")
            );
            return Err(self.invalid(problem));
        }
        self.small(variable)?;
        let texts = self.strings(name);
        let texts = texts.map_err(|cause| self.invalid(format!("{name}: {cause}")))?;
        let count = variable.dimensions[0].size as usize;
        if texts.len() != count {
            return Err(self.invalid(format!("{name} has {} of {count} texts", texts.len())));
        }
        let blank = |c: char| c.is_whitespace() || c == '\0';
        Ok(texts.into_iter().map(|text| text.trim_matches(blank).to_owned()).collect())
    }

    /// ` at band 3, pair 1`: a place among values in the order of these dimensions.
    pub(crate) fn place_along(&self, dimensions: &[&str], mut index: usize) -> String {
        let mut places = Vec::new();
        for &name in dimensions.iter().rev() {
            let size = self.exact_size(name, 1..=usize::MAX).unwrap_or(1);
            places.push(format!("{name} {}", index % size));
            index /= size;
        }
        places.reverse();
        if places.is_empty() { String::new() } else { format!(" at {}", places.join(", ")) }
    }

    fn exact(&self, name: &str, dimensions: &[&str]) -> Result<&NcVariable, Error> {
        let Some(variable) = self.variables.iter().find(|variable| variable.name == name) else {
            return Err(self.lacks(name, dimensions));
        };
        let same = variable.dimensions.len() == dimensions.len()
            && dimensions.iter().all(|&wanted| position(variable, wanted).is_some());
        if !same {
            let sizes: Vec<_> = variable.dimensions.iter().map(|d| format!("{} = {}", d.name, d.size)).collect();
            let problem = format!("{name} has dimensions ({}); expected ({})", sizes.join(", "), dimensions.join(", "));
            return Err(self.invalid(problem));
        }
        self.small(variable)?;
        Ok(variable)
    }

    /// Refuses what a damaged header alone makes large.
    fn small(&self, variable: &NcVariable) -> Result<(), Error> {
        let values = variable.dimensions.iter().fold(1_u64, |values, dimension| values.saturating_mul(dimension.size));
        if (1..=MOST).contains(&values) {
            return Ok(());
        }
        Err(self.invalid(format!("{} has {values} values; expected from 1 to {MOST}", variable.name)))
    }

    fn lacks(&self, name: &str, dimensions: &[&str]) -> Error {
        let dimensions = if dimensions.is_empty() { String::new() } else { format!("({})", dimensions.join(", ")) };
        let names: Vec<_> = self.names().take(20).collect();
        let more = if self.variables.len() > names.len() { ", ..." } else { "" };
        self.invalid(format!("{name}{dimensions} is missing; the file has: {}{more}", names.join(", ")))
    }
}

fn position(variable: &NcVariable, dimension: &str) -> Option<usize> {
    variable.dimensions.iter().position(|other| other.name == dimension)
}
