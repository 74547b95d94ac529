//! Files that are read, computed and written part by part, for they are larger than memory.

use std::path::Path;

use super::layout::Layout;
use crate::error::Error;
use crate::netcdf::{Dataset, Dimension, Part};

/// Of a file that is read as a whole, a value of each layer of each column: with inputs in two precisions and results
/// about 600 MB.
const MOST_VALUES: usize = 1 << 21;

/// Those of a part: two dozen of them may be in memory.
const PART_VALUES: usize = 1 << 17;

/// The parts of a file, along one of the dimensions of its columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// One after the other, all of the dimension.
    pub all: Vec<Part>,
    /// The name of the dimension.
    pub dimension: String,
    /// Its size.
    pub size: usize,
    /// The columns of the whole file.
    pub columns: usize,
}

impl Parts {
    /// How files that are read together are divided so that a part has so many columns, or else 131,072 layers; nothing
    /// where all of them are no more, or else no more than two million layers, or cannot be divided.
    ///
    /// `vertical` is the dimension of layers, where the files do not say which is.
    ///
    /// # Errors
    /// As [`Dataset::open_all`]; there is no such dimension.
    pub fn of<P: AsRef<Path>>(
        files: &[P],
        vertical: Option<&str>,
        most_columns: Option<usize>,
    ) -> Result<Option<Self>, Error> {
        let mut file = Dataset::open_all(files)?;
        let layout = Layout::with_vertical(&mut file, vertical)?;
        let along = |dimension| file.dimension_of(dimension).map(|(_, size)| size);
        let layers = along(Dimension::Layer).or(along(Dimension::Level)).unwrap_or(1);
        let [most_values, part_values] =
            most_columns.map_or([MOST_VALUES, PART_VALUES], |columns| [columns * layers; 2]);
        let dimensions = layout.in_header(&file);
        // The header does not tell which of them the columns have.
        let vertical = [Dimension::Layer, Dimension::Level].map(|one| file.dimension_of(one).map(|(name, _)| name));
        let names = dimensions.iter().map(|(name, _)| name).chain(vertical.iter().flatten());
        if let Some(clash) = names.filter_map(|name| file.clash(name)).next() {
            let refuse = || file.invalid(format!("{clash}: a file with such dimensions is read as a whole alone"));
            return if most_columns.is_some() { Err(refuse()) } else { Ok(None) };
        }
        let columns: usize = dimensions.iter().map(|&(_, size)| size).product();
        if columns.saturating_mul(layers) <= most_values {
            return Ok(None);
        }
        let values = |size: usize| columns / size.max(1) * layers;
        // The slowest of those of which one index is not too much, or the one with the least.
        let fits = dimensions.iter().find(|&&(_, size)| values(size) <= part_values);
        let Some((name, size)) = fits.or_else(|| dimensions.iter().max_by_key(|(_, size)| *size)) else {
            return Ok(None);
        };
        let step = (part_values / values(*size).max(1)).max(1);
        let staggered = |cells: Dimension| match cells {
            Dimension::SouthNorth => Some(Dimension::SouthNorthStaggered),
            Dimension::WestEast => Some(Dimension::WestEastStaggered),
            _ => None,
        };
        let faces = file.role(name).and_then(staggered).and_then(|faces| Some(file.dimension_of(faces)?.0));
        let part =
            |start| Part { dimension: name.clone(), range: start..(start + step).min(*size), faces: faces.clone() };
        let all: Vec<Part> = (0..*size).step_by(step).map(part).collect();
        Ok((all.len() > 1).then(|| Self { all, dimension: name.clone(), size: *size, columns }))
    }

    /// The number in the whole of a column of a part, whose columns have these dimensions.
    #[must_use]
    pub fn number(&self, part: &Part, horizontal: &[(String, usize)], column: usize) -> usize {
        let (mut rest, mut number, mut step) = (column, 0, 1);
        for (name, size) in horizontal.iter().rev() {
            let along = *name == self.dimension;
            number += step * (rest % size + if along { part.range.start } else { 0 });
            step *= if along { self.size } else { *size };
            rest /= size;
        }
        number
    }
}
