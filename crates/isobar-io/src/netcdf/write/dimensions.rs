//! Dimensions and coordinates of a file that is written.

use netcdf_writer::DimensionId;

use super::DatasetWriter;
use crate::error::Error;
use crate::netcdf::ItemGrid;
use crate::netcdf::coordinates::{Coordinate, Coordinates, Values};
use crate::netcdf::output_variable::sealed;

impl DatasetWriter {
    /// Adds a dimension.
    ///
    /// # Errors
    /// The name is taken or none, or the size is 0.
    pub fn dimension(&mut self, name: &str, size: usize) -> Result<(), Error> {
        if self.has_header()
            && let Some((_, known, _)) = self.dimensions.iter_mut().find(|(known, ..)| known == name)
        {
            // That of the parts has another size in each.
            *known = size;
            return Ok(());
        }
        if size == 0 {
            // NetCDF takes a size of 0 for "unlimited".
            return Err(self.invalid(format!("dimension {name} = 0: it is empty")));
        }
        let whole = self.whole_size(name, size);
        let id = self.builder.add_dimension(name, whole as u64).map_err(|cause| self.refused(cause))?;
        self.dimensions.push((name.to_owned(), size, id));
        self.parts.dimension(name, whole);
        Ok(())
    }

    /// Adds the dimension of items: that of this name and size, or those of a grid in its place, with its coordinates
    /// but for those of some names.
    ///
    /// # Errors
    /// A name is taken or none.
    pub fn items(
        &mut self,
        name: &str,
        size: usize,
        grid: &ItemGrid,
        taken: impl Fn(&str) -> bool,
    ) -> Result<(), Error> {
        if grid.dimensions.is_empty() {
            return self.dimension(name, size);
        }
        grid.dimensions.iter().try_for_each(|(name, size)| self.dimension(name, *size))?;
        let names: Vec<&str> = grid.dimensions.iter().map(|(name, _)| name.as_str()).collect();
        self.items = Some((name.to_owned(), names.iter().map(|&name| name.to_owned()).collect()));
        self.coordinates(&names, &grid.coordinates, taken)
    }

    /// Dimensions with those of a grid in the place of the one that stands for them.
    pub(super) fn spread<'a>(&'a self, dimensions: &'a [&'a str]) -> Vec<&'a str> {
        let of = |name: &'a str| match &self.items {
            Some((items, grid)) if items == name => grid.iter().map(String::as_str).collect(),
            _ => vec![name],
        };
        dimensions.iter().flat_map(|&name| of(name)).collect()
    }

    /// Adds what says where the points of a grid of these dimensions are, but for variables of some names; from now on
    /// variables on this grid have attributes that say so.
    ///
    /// # Errors
    /// A name is taken or none.
    pub fn coordinates(
        &mut self,
        dimensions: &[&str],
        coordinates: &Coordinates,
        taken: impl Fn(&str) -> bool,
    ) -> Result<(), Error> {
        for coordinate in coordinates.variables.iter().filter(|one| !taken(&one.name)) {
            let mut ids = Vec::new();
            for (name, size) in &coordinate.dimensions {
                if self.dimensions.iter().all(|(known, ..)| known != name) {
                    self.dimension(name, *size)?;
                }
                let known = self.dimensions.iter().find(|(known, ..)| known == name);
                match known {
                    Some((_, known, id)) if known == size => ids.push(*id),
                    _ => return Err(self.invalid(format!("{} has another {name} than the results", coordinate.name))),
                }
            }
            let added = match &coordinate.values {
                Values::Float(values) => self.carry_over(coordinate, &ids, values),
                Values::Double(values) => self.carry_over(coordinate, &ids, values),
                Values::Int(values) => self.carry_over(coordinate, &ids, values),
            };
            added.map_err(|cause| self.refused(cause))?;
        }
        let has = |name: &str| coordinates.variables.iter().any(|one| one.name == name && !taken(name));
        let named = coordinates.attributes.iter().map(|(attribute, names)| {
            (attribute.clone(), names.split(' ').filter(|name| has(name)).collect::<Vec<_>>().join(" "))
        });
        let named = named.filter(|(_, names)| !names.is_empty()).collect();
        self.grid = (dimensions.iter().map(|&name| name.to_owned()).collect(), named);
        Ok(())
    }

    fn carry_over<T: sealed::Sealed>(
        &mut self,
        coordinate: &Coordinate,
        dimensions: &[DimensionId],
        values: &[T],
    ) -> netcdf_writer::Result<()> {
        if self.define::<T>(&coordinate.name, dimensions)? {
            for (name, value) in &coordinate.attributes {
                self.annotate(name, value.clone())?;
            }
        }
        self.store(values);
        Ok(())
    }

    /// The size of a dimension in the whole file.
    pub(super) fn whole_size(&self, dimension: &str, size: usize) -> usize {
        self.parts.along.as_ref().filter(|(name, _)| name == dimension).map_or(size, |(_, whole)| *whole)
    }
}
