//! Which dimensions of a file make up its items, and values in their order.

use netcdf_reader::NcVariable;

use super::field::{Field, gather, strides};
use super::merged::Merged;
use super::{Coordinates, Dataset, Dimension, VariableSpec, attribute};
use crate::error::Error;

/// How a file has the items of a computation, for results that have them alike.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ItemGrid {
    /// Names and sizes of the dimensions, slowest first; none where there is the usual one.
    pub dimensions: Vec<(String, usize)>,
    /// What says where the items are.
    pub coordinates: Coordinates,
}

/// How many values a byte of a file may stand for: deflate, which packs NetCDF-4, never does better than 1 to 1032.
const MOST_PACKED: u64 = 1032;

impl Dataset {
    /// Takes all dimensions of that of some variables which has most of them for those of items, but for those that a
    /// scheme has of its own; nothing where these are what the items' own dimension is called.
    ///
    /// # Errors
    /// The header says that the variable is longer than the file can be.
    pub(crate) fn merge_items(
        &mut self,
        role: Dimension,
        is_own: impl Fn(Dimension) -> bool,
        is_wanted: impl Fn(&NcVariable) -> bool,
    ) -> Result<(), Error> {
        let bounds: Vec<String> = self.variables.iter().filter_map(|one| attribute::of(one, "bounds")).collect();
        let wanted = self
            .variables
            .iter()
            .filter(|one| is_wanted(one) && !bounds.contains(&one.name) && !self.is_coordinate(&one.name))
            // One that has a dimension twice is refused where it is read.
            .filter(|one| {
                let is_first =
                    |(at, name): (usize, &String)| !one.dimensions[..at].iter().any(|before| before.name == *name);
                one.dimensions.iter().map(|dimension| &dimension.name).enumerate().all(is_first)
            });
        let beside = |variable: &NcVariable| -> (String, Vec<(String, usize)>) {
            let of_items = |name: &str| self.role(name).is_none_or(|role| !is_own(role));
            let dimensions = variable.dimensions.iter().filter(|one| of_items(&one.name));
            (variable.name.clone(), dimensions.map(|one| (one.name.clone(), one.size as usize)).collect())
        };
        // Of several with as many, the first in the file.
        let Some((name, found)) = wanted.map(beside).rev().max_by_key(|(_, found)| found.len()) else { return Ok(()) };
        // A dimension of size 1 says nothing.
        let mut long = found.iter().filter(|(_, size)| *size > 1);
        let is_usual = long.all(|(name, _)| self.role(name) == Some(role));
        if !is_usual {
            self.check_length(&name, &found)?;
            self.merged = Some(Merged { role, dimensions: found });
        }
        Ok(())
    }

    /// Variables along one of the items' dimensions are repeated along the others, whose sizes a damaged header may
    /// have made anything.
    fn check_length(&self, variable: &str, dimensions: &[(String, usize)]) -> Result<(), Error> {
        let bytes: u64 =
            self.files.all.iter().filter_map(|one| std::fs::metadata(&one.path).ok()).map(|one| one.len()).sum();
        let items = dimensions.iter().fold(1_u64, |items, (_, size)| items.saturating_mul(*size as u64));
        if items <= bytes.saturating_mul(MOST_PACKED) {
            return Ok(());
        }
        let sizes: Vec<String> = dimensions.iter().map(|(name, size)| format!("{name} = {size}")).collect();
        let problem = format!("{variable}: {bytes} bytes cannot hold its values along {}", sizes.join(", "));
        Err(self.invalid_in(variable, problem))
    }

    /// How the file has its items.
    pub(crate) fn item_grid(&self) -> ItemGrid {
        let Some(merged) = &self.merged else { return ItemGrid::default() };
        let names: Vec<String> = merged.dimensions.iter().map(|(name, _)| name.clone()).collect();
        ItemGrid { dimensions: merged.dimensions.clone(), coordinates: self.coordinates_of(&names) }
    }

    /// Values in the order of the specification; along items that run along several dimensions, in the order of these.
    pub(super) fn arrange(
        &self,
        variable: NcVariable,
        spec: &VariableSpec,
        sources: &[Option<usize>],
        values: Vec<f64>,
    ) -> Field {
        let stored: Vec<usize> = variable.dimensions.iter().map(|dimension| dimension.size as usize).collect();
        let apart = strides(&stored);
        let (mut shape, mut sizes, mut steps) = (Vec::new(), Vec::new(), Vec::new());
        for (axis, source) in spec.axes.iter().zip(sources) {
            let merged = self.merged.as_ref().filter(|merged| merged.role == axis.dimension);
            let Some((merged, _)) = merged.zip(*source) else {
                shape.push(source.map_or(1, |position| stored[position]));
                sizes.push(source.map_or(1, |position| stored[position]));
                steps.push(source.map_or(0, |position| apart[position]));
                continue;
            };
            shape.push(merged.dimensions.iter().map(|(_, size)| size).product());
            for (name, size) in &merged.dimensions {
                let position = variable.dimensions.iter().position(|one| one.name == *name);
                sizes.push(*size);
                // One value for all along it.
                steps.push(position.filter(|&position| stored[position] > 1).map_or(0, |position| apart[position]));
            }
        }
        let in_order = values.len() == sizes.iter().product::<usize>()
            && strides(&sizes).iter().zip(&sizes).zip(&steps).all(|((apart, size), step)| *size == 1 || apart == step);
        let values = if in_order { values } else { gather(&values, &sizes, &steps) };
        Field { name: variable.name, dimensions: spec.axes.iter().map(|axis| axis.dimension).collect(), shape, values }
    }
}
