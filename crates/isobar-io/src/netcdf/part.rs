//! A part of a file along one of its dimensions.

use std::ops::Range;

use netcdf_reader::{NcFile, NcSliceInfo, NcSliceInfoElem, NcVariable};

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
