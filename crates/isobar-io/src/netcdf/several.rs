//! Files that complete each other, read as one: levels in one and the surface in another, or a variable in each; and
//! files of one time after the other.

use std::path::{Path, PathBuf};

use netcdf_reader::NcVariable;

use super::Dataset;
use crate::error::{Error, Place};

impl Dataset {
    /// Opens files that are read as one. Those with the same variables at other times go on one after the other, in the
    /// order that they are named in; others complete each other, and what several of them have, as coordinates, has to
    /// be the same in all: the same instants, whatever they count from, and values that are the same in one unit.
    ///
    /// # Errors
    /// As [`Dataset::open`]; there is no file; a dimension has another size in another file, or a variable other
    /// values; times do not follow each other, or a file lacks a variable that goes on.
    pub fn open_all<P: AsRef<Path>>(paths: &[P]) -> Result<Self, Error> {
        let mut groups: Vec<Self> = Vec::new();
        for path in paths {
            let file = Self::open(path.as_ref())?;
            match groups.iter_mut().find(|group| group.goes_on_in(&file)) {
                Some(group) => group.go_on_in(file)?,
                None => groups.push(file),
            }
        }
        let mut groups = groups.into_iter();
        let Some(mut all) = groups.next() else {
            return Err(Error::invalid(Place::File(PathBuf::new()), "no file was given"));
        };
        groups.try_for_each(|group| all.complete_by(group))?;
        Ok(all)
    }

    /// Takes what other files have besides.
    fn complete_by(&mut self, mut other: Self) -> Result<(), Error> {
        self.leave_out_level_of_ground(&other);
        other.leave_out_level_of_ground(self);
        for dimension in &other.dimensions {
            self.check_dimension(dimension, &other)?;
        }
        let along = |files: &super::files::Files| files.later.as_ref().map(|later| later.along.clone());
        if let (Some(here), Some(there)) = (along(&self.files), along(&other.files))
            && here != there
        {
            let text = format!("it goes on along {there}, and {} along {here}", self.path.display());
            return Err(other.invalid(text));
        }
        for variable in &other.variables {
            self.check_shared(variable, &other)?;
        }
        let bounds = self.other_bounds(&other, self.files.all.len());
        self.files.bounds.extend(bounds);
        self.take_others(other);
        Ok(())
    }

    /// Refuses a dimension that has another size here.
    pub(super) fn check_dimension(&self, dimension: &netcdf_reader::NcDimension, other: &Self) -> Result<(), Error> {
        match self.dimensions.iter().find(|known| known.name == dimension.name) {
            Some(known) if known.size != dimension.size => {
                let (name, here, there) = (&dimension.name, dimension.size, known.size);
                let first = self.path.display();
                let single = if here.min(there) == 1 {
                    format!("; tools as `ncwa -a {name}` leave {name} out of the file that has 1")
                } else {
                    String::new()
                };
                Err(other.invalid(format!(
                    "dimension {name} = {here}, but {there} in {first}: files that are read together have one grid; \
                     others are read one by one{single}"
                )))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a variable that says something else here.
    pub(super) fn check_shared(&self, variable: &NcVariable, other: &Self) -> Result<(), Error> {
        let known = self.variables.iter().find(|known| known.name == variable.name);
        let Some(difference) = known.and_then(|known| self.difference(known, other, variable)) else { return Ok(()) };
        let (name, there) = (&variable.name, self.files.path_of(&variable.name).display());
        Err(other.invalid(format!(
            "{name} is not that of {there}: it {difference}; files that are read together complete each other, or go \
             on in time: others are read one by one"
        )))
    }

    /// Takes dimensions and variables that are not here, which other files own.
    pub(super) fn take_others(&mut self, other: Self) {
        for dimension in other.dimensions {
            if self.dimensions.iter().all(|known| known.name != dimension.name) {
                self.dimensions.push(dimension);
            }
        }
        let mut owned = Vec::new();
        for variable in other.variables {
            if self.variables.iter().all(|known| known.name != variable.name) {
                owned.push(variable.name.clone());
                self.variables.push(variable);
            }
        }
        self.files.append(other.files, owned);
    }
}
