//! A part of a file along one of its dimensions, and of files that go on one after the other.

use std::ops::Range;
use std::path::Path;

use netcdf_reader::NcVariable;

use super::files::{Files, Link, Part};
use super::groups::Opened;

/// Where a variable is read.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) files: &'a Files,
    /// The file that has it, of several the first.
    pub(super) owner: usize,
    /// The part of it that is read, if not all.
    part: Option<&'a Part>,
}

/// One of the files that have a variable, the indices of time that are read of it, and how its numbers become times of
/// the first file's.
struct InFile {
    file: usize,
    range: Option<Range<usize>>,
    times: Option<[f64; 3]>,
}

/// The numbers of a variable in one of the files that have it.
pub(super) struct Piece {
    /// The variable as this file has it.
    pub(super) variable: NcVariable,
    pub(super) values: Vec<f64>,
    /// How many of its values, and of those of all pieces together, lie between neighbours along the dimensions before
    /// time's; and how many of the pieces before lie there.
    blocks: [usize; 3],
    /// How its numbers become times of the first file's.
    pub(super) times: Option<[f64; 3]>,
}

impl Piece {
    /// Where the value at a position stands among those of all pieces.
    pub(super) fn position(&self, own: usize) -> usize {
        let [block, all, before] = self.blocks;
        own / block * all + before + own % block
    }
}

impl Files {
    /// Where a variable is read.
    pub(super) fn of(&self, variable: &str) -> Source<'_> {
        Source { part: self.part.as_ref(), ..self.whole_of(variable) }
    }

    /// Where a variable is read as a whole, whatever part of the files is.
    pub(super) fn whole_of(&self, variable: &str) -> Source<'_> {
        Source { files: self, owner: self.owner(variable), part: None }
    }
}

impl<'a> Source<'a> {
    /// The same variable in another part.
    pub(super) fn of_part<'b>(self, part: &'b Part) -> Source<'b>
    where
        'a: 'b,
    {
        Source { part: Some(part), ..self }
    }

    /// All parts of a variable of which one is read, each of its size; none where all of the variable is read.
    pub(super) fn parts(self, variable: &NcVariable) -> Vec<Part> {
        let own = self.files.all[self.owner].variable(&variable.name);
        let (Some(part), Ok(own)) = (self.part, own) else { return Vec::new() };
        let Some(along) = own.dimensions.iter().find(|one| part.along(&one.name).is_some()) else { return Vec::new() };
        let chain = self.files.chain(self.owner).iter().filter(|_| self.is_time(&along.name));
        let size = chain.map(|link| link.size).reduce(|sum, size| sum + size).unwrap_or(along.size as usize);
        let size = size - usize::from(along.name != part.dimension);
        let of = |start: usize| Part { range: start..(start + part.range.len()).min(size), ..part.clone() };
        (0..size).step_by(part.range.len().max(1)).map(of).collect()
    }

    /// The first of the indices along a dimension that are read.
    pub(super) fn start(self, dimension: &str) -> usize {
        self.part.and_then(|part| part.along(dimension)).map_or(0, |range| range.start)
    }

    /// The file with an index along a dimension, its path, and the index there.
    pub(super) fn place(self, dimension: &str, index: usize) -> (&'a Path, usize) {
        let path = |file: usize| self.files.all[file].path.as_path();
        let is_time = self.is_time(dimension);
        let mut rest = index;
        for link in self.files.chain(self.owner).iter().filter(|_| is_time) {
            if rest < link.size {
                return (path(link.file), rest);
            }
            rest -= link.size;
        }
        (path(self.owner), index)
    }

    /// Whether files go on along a dimension.
    pub(super) fn is_time(self, dimension: &str) -> bool {
        self.files.later.as_ref().is_some_and(|later| later.along == dimension)
    }

    /// Whether a variable goes on from file to file.
    pub(super) fn goes_on(self, variable: &NcVariable) -> bool {
        !self.files.chain(self.owner).is_empty() && self.time_of(variable).is_some()
    }

    /// Where the dimension of time is among those of a variable.
    fn time_of(self, variable: &NcVariable) -> Option<usize> {
        let along = &self.files.later.as_ref()?.along;
        variable.dimensions.iter().position(|one| one.name == *along)
    }

    /// The files that have a variable one after the other, with the indices of time that are read of each.
    fn links(self, variable: &NcVariable) -> Vec<InFile> {
        let Some(position) = self.time_of(variable).filter(|_| self.goes_on(variable)) else {
            return vec![InFile { file: self.owner, range: None, times: None }];
        };
        let along = &variable.dimensions[position].name;
        let wanted = match self.part {
            Some(part) if part.dimension == *along => part.range.clone(),
            _ => 0..usize::MAX,
        };
        let (mut links, mut first) = (Vec::new(), 0);
        for Link { file, size, times } in self.files.chain(self.owner) {
            let here = wanted.start.max(first)..wanted.end.min(first + size);
            if here.start < here.end {
                let times = times.iter().find(|(name, _)| *name == variable.name).map(|(_, times)| *times);
                let range = Some(here.start - first..here.end - first);
                links.push(InFile { file: *file, range, times });
            }
            first += size;
        }
        links
    }

    /// All numbers of a variable, or those of the part, file by file.
    pub(super) fn pieces(self, variable: &NcVariable) -> netcdf_reader::Result<Vec<Piece>> {
        let position = self.time_of(variable).unwrap_or(0);
        let behind: usize = variable.dimensions.iter().skip(position + 1).map(|one| one.size as usize).product();
        let links = self.links(variable);
        let all: usize = links.iter().filter_map(|link| link.range.as_ref()).map(|range| range.len() * behind).sum();
        let (mut pieces, mut before) = (Vec::new(), 0);
        for InFile { file, range, times } in links {
            let file = &self.files.all[file];
            // It may have a level that was left out here.
            let own = file.variable(&variable.name)?;
            let time = range.as_ref().map(|range| (self.time_of(&own).unwrap_or(position), range.clone()));
            let values = self.numbers_of(file, &own, time)?;
            let block = range.map_or(values.len(), |range| range.len() * behind);
            let (block, all) = (block.max(1), if all == 0 { block.max(1) } else { all });
            pieces.push(Piece { variable: own, values, blocks: [block, all, before], times });
            before += block;
        }
        Ok(pieces)
    }

    /// Numbers of a variable in one file, at these indices of time if they are given.
    fn numbers_of(
        self,
        opened: &Opened,
        variable: &NcVariable,
        time: Option<(usize, Range<usize>)>,
    ) -> netcdf_reader::Result<Vec<f64>> {
        let of_part = |dimension: &str| self.part?.along(dimension);
        let indices = |(position, one): (usize, &netcdf_reader::NcDimension)| match &time {
            Some((along, range)) if *along == position => {
                Some(range.clone()).filter(|range| range.len() as u64 != one.size)
            }
            _ => of_part(&one.name),
        };
        let indices: Vec<Option<Range<usize>>> = variable.dimensions.iter().enumerate().map(indices).collect();
        opened.store.numbers(opened.path_of(&variable.name), &indices)
    }

    /// The texts of a variable, file by file.
    pub(super) fn strings(self, variable: &NcVariable) -> netcdf_reader::Result<Vec<String>> {
        let mut all = Vec::new();
        let first = variable.dimensions.first().map(|one| one.name.as_str());
        let goes_on = self.goes_on(variable) && self.time_of(variable) == Some(0);
        let chain = self.files.chain(self.owner).iter().map(|link| link.file);
        let files: Vec<usize> = if goes_on { chain.collect() } else { vec![self.owner] };
        for file in files {
            let opened = &self.files.all[file];
            all.extend(opened.store.strings(opened.path_of(&variable.name))?);
        }
        if let Some(part) = self.part.filter(|part| Some(part.dimension.as_str()) == first) {
            all = all.drain(part.range.clone()).collect();
        }
        Ok(all)
    }
}
