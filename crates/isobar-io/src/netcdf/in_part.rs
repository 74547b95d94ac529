//! A dataset of which a part is read.

use std::ops::Range;

use super::files::Part;
use super::{Dataset, values};

impl Dataset {
    /// Reads a part alone, as if the file had no more, once it is known what runs along its dimensions.
    pub fn in_part(&mut self, part: Part) {
        self.wanted = Some(part);
    }

    /// From now on there is the part that was asked for, if one was.
    pub(crate) fn take_part(&mut self) {
        let Some(part) = self.wanted.take() else { return };
        let of_variables = self.variables.iter_mut().flat_map(|variable| &mut variable.dimensions);
        for dimension in self.dimensions.iter_mut().chain(of_variables) {
            if let Some(range) = part.along(&dimension.name) {
                dimension.size = range.len() as u64;
            }
        }
        self.files.part = Some(part);
    }

    /// The part that is read, if not all is.
    pub(crate) fn part(&self) -> Option<&Part> {
        self.files.part.as_ref()
    }

    /// All numbers of a variable with one dimension, in its own unit and whatever part is read, and which of them the
    /// part has; nothing where one is missing, or there are other dimensions.
    pub(crate) fn whole_along(&self, name: &str) -> Option<(Vec<f64>, Range<usize>)> {
        let variable = self.variables.iter().find(|variable| variable.name == name)?;
        let [dimension] = &variable.dimensions[..] else { return None };
        let source = self.files.whole_of(name);
        let all = values::unpacked(source, variable)?;
        let is_whole = values::missing(source, variable).is_ok_and(|(missing, _)| missing.is_empty());
        let range = self.part().and_then(|part| part.along(&dimension.name)).unwrap_or(0..all.len());
        (is_whole && all.iter().all(|value| value.is_finite())).then_some((all, range))
    }

    /// The texts of a variable, or those of the part.
    pub(super) fn strings(&self, name: &str) -> netcdf_reader::Result<Vec<String>> {
        match self.variables.iter().find(|variable| variable.name == name) {
            Some(variable) => self.files.of(name).strings(variable),
            None => self.files.all[0].store.strings(name),
        }
    }
}
