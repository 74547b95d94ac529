//! The files in which the variables of a dataset are.

use std::path::{Path, PathBuf};

use netcdf_reader::NcFile;

use super::part::{Part, Source};

/// The files of a dataset, the first of which has the global attributes.
pub(super) struct Files {
    pub(super) all: Vec<(PathBuf, NcFile)>,
    /// In which of them each of the dataset's variables is.
    pub(super) owners: Vec<(String, usize)>,
    /// The part of it that is read, if not all.
    pub(super) part: Option<Part>,
}

impl Files {
    pub(super) fn one(path: &Path, file: NcFile) -> Self {
        Self { all: vec![(path.to_owned(), file)], owners: Vec::new(), part: None }
    }

    /// The first.
    pub(super) fn first(&self) -> &NcFile {
        &self.all[0].1
    }

    /// The path of the file that has a variable.
    pub(super) fn path_of(&self, variable: &str) -> &Path {
        &self.all[self.owner(variable)].0
    }

    /// The file that has a variable.
    pub(super) fn of(&self, variable: &str) -> Source<'_> {
        Source { file: &self.all[self.owner(variable)].1, part: self.part.as_ref() }
    }

    fn owner(&self, variable: &str) -> usize {
        self.owners.iter().find(|(name, _)| name == variable).map_or(0, |&(_, owner)| owner)
    }
}
