//! Bounds of coordinates, of which each of several files has its own.

use netcdf_reader::NcVariable;

use super::files::{Bounds, OwnBounds};
use super::{Dataset, attribute};

impl Dataset {
    /// The bounds of a coordinate in the file that has a variable, if it has some.
    pub(crate) fn bounds_for(&self, variable: &str, coordinate: &str) -> Option<Bounds> {
        let file = self.files.owner(variable);
        let own = self.files.bounds.iter().find(|own| own.file == file && own.coordinate == coordinate);
        own.map_or_else(|| self.first_bounds(coordinate), |own| own.bounds.clone())
    }

    /// All bounds that the coordinate has in some file.
    pub(crate) fn all_bounds(&self, coordinate: &str) -> Vec<Bounds> {
        let others = self.files.bounds.iter().filter(|own| own.coordinate == coordinate);
        let mut all: Vec<Bounds> = Vec::new();
        for bounds in self.first_bounds(coordinate).into_iter().chain(others.filter_map(|own| own.bounds.clone())) {
            if all.iter().all(|known| known.name != bounds.name) {
                all.push(bounds);
            }
        }
        all
    }

    /// Which file has a variable, in words behind its name, if it is not the one that errors name.
    pub(crate) fn whose(&self, variable: &str) -> String {
        let path = self.files.path_of(variable);
        if path == self.path() { String::new() } else { format!(", which {} has", path.display()) }
    }

    /// The bounds of a coordinate of another file that others has here, or has not.
    pub(super) fn other_bounds(&self, other: &Self, file: usize) -> Vec<OwnBounds> {
        let name = |all: &Self, coordinate: &str| all.text_attribute(coordinate, "bounds");
        let is_other = |one: &&NcVariable| self.has_name(&one.name) && name(self, &one.name) != name(other, &one.name);
        let own =
            |one: &NcVariable| OwnBounds { file, coordinate: one.name.clone(), bounds: other.first_bounds(&one.name) };
        other.variables.iter().filter(is_other).map(own).collect()
    }

    /// The bounds of a coordinate as the first file has it.
    fn first_bounds(&self, coordinate: &str) -> Option<Bounds> {
        let name = self.text_attribute(coordinate, "bounds")?;
        let text = |attribute: &str| {
            let own = self.text_attribute(&name, attribute).filter(|text| !text.is_empty());
            own.or_else(|| self.text_attribute(coordinate, attribute))
        };
        Some(Bounds { units: text("units").unwrap_or_default(), calendar: text("calendar"), name })
    }

    /// An attribute of a variable, or, of bounds without it, of what they bound.
    pub(super) fn text_or_bounded(&self, variable: &NcVariable, name: &str) -> Option<String> {
        let bounds = |one: &&NcVariable| {
            let bounds = |text: &str| attribute::of(one, text).is_some_and(|bounds| bounds == variable.name);
            bounds("bounds") || bounds("climatology")
        };
        let own = attribute::of(variable, name);
        let is_said = own.as_ref().is_some_and(|text| !text.is_empty());
        let Some(bounded) = self.variables.iter().find(bounds).filter(|_| !is_said) else { return own };
        attribute::of(bounded, name)
    }
}
