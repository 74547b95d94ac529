//! The files in which the variables of a dataset are.

use std::ops::Range;
use std::path::Path;

use super::groups::Opened;

/// The files of a dataset, the first of which has the global attributes.
pub(super) struct Files {
    pub(super) all: Vec<Opened>,
    /// In which of them each of the dataset's variables is, of several the first.
    pub(super) owners: Vec<(String, usize)>,
    /// Coordinates of files behind the first that have other bounds than there.
    pub(super) bounds: Vec<OwnBounds>,
    /// Files that go on where others end.
    pub(super) later: Option<Later>,
    /// The part of it that is read, if not all.
    pub(super) part: Option<Part>,
}

/// The bounds of a coordinate, and what their numbers are: what they say themselves, or else what the coordinate of
/// their file says (CF conventions 1.11, 7.1).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) name: String,
    pub(crate) units: String,
    pub(crate) calendar: Option<String>,
}

/// A coordinate that several files have, whose bounds are others in one of them, or not there.
#[derive(Clone, Debug)]
pub(super) struct OwnBounds {
    /// The number of the file.
    pub(super) file: usize,
    pub(super) coordinate: String,
    pub(super) bounds: Option<Bounds>,
}

/// Some indices of a dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The dimension, as the file calls it.
    pub dimension: String,
    /// Its indices.
    pub range: Range<usize>,
    /// The dimension of the faces between these and around them, one more, where the file has one.
    pub faces: Option<String>,
}

impl Part {
    /// The indices of a dimension that are read; none where all are.
    pub(super) fn along(&self, dimension: &str) -> Option<Range<usize>> {
        if self.dimension == dimension {
            return Some(self.range.clone());
        }
        let is_faces = self.faces.as_deref() == Some(dimension);
        is_faces.then_some(self.range.start..self.range.end + 1)
    }
}

/// Files of one time after the other.
#[derive(Clone, Debug)]
pub(super) struct Later {
    /// The dimension of time.
    pub(super) along: String,
    /// Files that go on, each after the one that owns the variables.
    pub(super) chains: Vec<Vec<Link>>,
}

/// A file of a chain.
#[derive(Clone, Debug)]
pub(super) struct Link {
    /// Its number.
    pub(super) file: usize,
    /// How many times it has.
    pub(super) size: usize,
    /// Variables that count time from another date or in another unit than the first file, and how numbers of theirs
    /// become numbers of its: times the first plus the second, over the third.
    pub(super) times: Vec<(String, [f64; 3])>,
}

impl Files {
    pub(super) fn one(file: Opened) -> Self {
        Self { all: vec![file], owners: Vec::new(), bounds: Vec::new(), later: None, part: None }
    }

    /// The path of the file that has a variable, of several the first.
    pub(super) fn path_of(&self, variable: &str) -> &Path {
        &self.all[self.owner(variable)].path
    }

    /// The files that begin with one and go on one after the other, if it is not alone.
    pub(super) fn chain(&self, first: usize) -> &[Link] {
        let chains = self.later.iter().flat_map(|later| &later.chains);
        let found = chains.into_iter().find(|chain| chain.first().is_some_and(|link| link.file == first));
        found.map_or(&[], Vec::as_slice)
    }

    pub(super) fn owner(&self, variable: &str) -> usize {
        self.owners.iter().find(|(name, _)| name == variable).map_or(0, |&(_, owner)| owner)
    }

    /// Takes others behind these, which own these variables.
    pub(super) fn append(&mut self, others: Self, owned: Vec<String>) {
        let shift = self.all.len();
        let owners = owned.into_iter().map(|name| (others.owner(&name) + shift, name));
        self.owners.extend(owners.map(|(owner, name)| (name, owner)));
        if let Some(Later { along, chains }) = others.later {
            let shifted = |link: Link| Link { file: link.file + shift, ..link };
            let moved = chains.into_iter().map(|chain| chain.into_iter().map(shifted).collect());
            self.later.get_or_insert_with(|| Later { along, chains: Vec::new() }).chains.extend(moved);
        }
        self.all.extend(others.all);
    }
}
