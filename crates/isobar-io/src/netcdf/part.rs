//! A part of a file along one of its dimensions.

use std::ops::Range;

use netcdf_reader::{NcFile, NcSliceInfo, NcSliceInfoElem, NcVariable};

use super::Dataset;

/// Some indices of a dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The dimension, as the file calls it.
    pub dimension: String,
    /// Its indices.
    pub range: Range<usize>,
}

/// Where a variable is read.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) file: &'a NcFile,
    pub(super) part: Option<&'a Part>,
}

impl Source<'_> {
    /// The first of the indices along a dimension that are read.
    pub(super) fn start(self, dimension: &str) -> usize {
        self.part.filter(|part| part.dimension == dimension).map_or(0, |part| part.range.start)
    }

    /// All numbers of a variable, or those of the part.
    pub(super) fn numbers(self, variable: &NcVariable) -> netcdf_reader::Result<Vec<f64>> {
        let name = &variable.name;
        let array = match self.part {
            Some(part) if variable.dimensions.iter().any(|one| one.name == part.dimension) => {
                let all = NcSliceInfoElem::Slice { start: 0, end: u64::MAX, step: 1 };
                let (start, end) = (part.range.start as u64, part.range.end as u64);
                let selections = variable.dimensions.iter().map(|one| {
                    let is_along = one.name == part.dimension;
                    if is_along { NcSliceInfoElem::Slice { start, end, step: 1 } } else { all.clone() }
                });
                self.file.read_variable_slice_as_f64(name, &NcSliceInfo { selections: selections.collect() })?
            }
            _ => self.file.read_variable_as_f64(name)?,
        };
        let in_order = array.is_standard_layout();
        Ok(if in_order { array.into_raw_vec_and_offset().0 } else { array.iter().copied().collect() })
    }
}

impl Dataset {
    /// Reads a part alone, as if the file had no more, once it is known what runs along its dimensions.
    pub fn in_part(&mut self, part: Part) {
        self.wanted = Some(part);
    }

    /// From now on there is the part that was asked for, if one was.
    pub(crate) fn take_part(&mut self) {
        let Some(part) = self.wanted.take() else { return };
        let size = part.range.len() as u64;
        let of_variables = self.variables.iter_mut().flat_map(|variable| &mut variable.dimensions);
        for dimension in self.dimensions.iter_mut().chain(of_variables).filter(|one| one.name == part.dimension) {
            dimension.size = size;
        }
        self.files.part = Some(part);
    }

    /// The part that is read, if not all is.
    pub(crate) fn part(&self) -> Option<&Part> {
        self.files.part.as_ref()
    }

    /// The texts of a variable, or those of the part.
    pub(super) fn strings(&self, name: &str) -> netcdf_reader::Result<Vec<String>> {
        let Source { file, part } = self.files.of(name);
        let mut all = file.read_variable_as_strings(name)?;
        let variable = self.variables.iter().find(|variable| variable.name == name);
        let first = variable.and_then(|variable| variable.dimensions.first());
        if let (Some(part), Some(first)) = (part, first)
            && first.name == part.dimension
        {
            all = all.drain(part.range.clone()).collect();
        }
        Ok(all)
    }
}
