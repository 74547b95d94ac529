//! A NetCDF file that is read.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use netcdf_reader::{NcDimension, NcVariable};

use super::files::{Files, Part};
use super::groups::Opened;
use super::mask::Mask;
use super::merged::Merged;
use super::open::{open_store, refused};
use super::sizes::Sizes;
use super::{Clamped, Dimension, Refusal, attribute, checksum, dimension};
use crate::error::{Error, Place};

/// An open NetCDF file. It remembers the sizes of the dimensions of what was read: variables that disagree are refused.
pub struct Dataset {
    pub(super) path: PathBuf,
    pub(super) files: Files,
    pub(super) dimensions: Vec<NcDimension>,
    pub(super) variables: Vec<NcVariable>,
    pub(super) sizes: Sizes,
    /// What was read of the vertical: variable and dimension as the file calls them.
    pub(super) vertical: Vec<(String, String)>,
    /// The values that were refused and read as NaN, where reading goes on.
    pub(super) refusals: Option<Vec<Refusal>>,
    /// The values that rounding left out of their range, where these are clamped.
    pub(super) clamped: Option<Vec<Clamped>>,
    /// The variables that are in use.
    pub(super) read: BTreeSet<String>,
    /// The dimensions along which items run, if their names do not say that.
    pub(super) others: Vec<String>,
    /// The dimension of layers, if its name does not say that.
    pub(super) layers: Option<String>,
    /// The dimension of levels, if its name does not say that.
    pub(super) levels: Option<String>,
    /// The dimension of times, if its name does not say that.
    pub(super) times: Option<String>,
    /// What the caller says that the file calls something: our name, and the file's.
    pub(super) names: Vec<(String, String)>,
    /// Whether the caller can give names.
    pub(super) takes_names: bool,
    /// The part of it that will be read, if not all.
    pub(super) wanted: Option<Part>,
    /// The items whose values nobody asks for.
    pub(super) mask: Option<Mask>,
    /// The layers of items whose values nobody asks for.
    pub(super) below_ground: Option<Mask>,
    /// The dimensions along which items run, if they are read as if it were one.
    pub(super) merged: Option<Merged>,
}

impl std::fmt::Debug for Dataset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dataset").field("path", &self.path).field("sizes", &self.sizes).finish_non_exhaustive()
    }
}

/// Whether a file begins as NetCDF does, of the classic formats or of version 4; not, where it cannot be read.
#[must_use]
pub fn is_netcdf(path: &Path) -> bool {
    let mut begin = [0; 4];
    let read = File::open(path).and_then(|mut file| io::Read::read_exact(&mut file, &mut begin));
    read.is_ok() && (begin.starts_with(b"CDF") || begin == *b"\x89HDF")
}

impl Dataset {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// The file cannot be read, or is not NetCDF.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let store = open_store(path)?;
        let refuse = |cause| refused(path, cause);
        let (file, dimensions, variables) = Opened::new(path, store).map_err(refuse)?;
        Ok(Self {
            path: path.to_owned(),
            files: Files::one(file),
            dimensions,
            variables,
            sizes: Sizes::default(),
            vertical: Vec::new(),
            refusals: None,
            clamped: None,
            read: BTreeSet::new(),
            others: Vec::new(),
            layers: None,
            levels: None,
            times: None,
            names: Vec::new(),
            takes_names: false,
            wanted: None,
            mask: None,
            below_ground: None,
            merged: None,
        })
    }

    /// Values that rounding left a hair out of their range are from now on read as the end of it and counted in
    /// [`Dataset::clamped`], instead of being errors: those of floating-point variables within a millionth of that
    /// end, or beyond 0 of the variable's largest value; packed ones also within half a step.
    pub fn clamp_rounding(&mut self) {
        self.clamped.get_or_insert_default();
    }

    /// What was clamped since [`Dataset::clamp_rounding`], by variable.
    #[must_use]
    pub fn clamped(&self) -> &[Clamped] {
        self.clamped.as_deref().unwrap_or_default()
    }

    /// Values that are missing or not accepted are from now on read as NaN, and the first of each item and variable is
    /// noted in [`Dataset::refusals`], instead of being errors; but for those that [`Dataset::clamp_rounding`]
    /// clamps, which this includes.
    pub fn keep_going(&mut self) {
        self.refusals.get_or_insert_default();
        self.clamp_rounding();
    }

    /// Takes these variables for what goes by other names: our name, and the file's.
    ///
    /// # Errors
    /// There is no such variable.
    pub fn take_for(&mut self, names: &[(String, String)]) -> Result<(), Error> {
        self.names.clear();
        for (ours, theirs) in names {
            if let Some((_, other)) = self.names.iter().find(|(name, _)| name == ours) {
                return Err(self.invalid(format!("{other} and {theirs} are both to be {ours}: one of them can be")));
            }
            let in_group = self.files.all.iter().find_map(|file| file.name_of(theirs));
            match in_group.filter(|_| !self.has_name(theirs)).map(str::to_owned) {
                Some(name) => self.names.push((ours.clone(), name)),
                None if self.has_name(theirs) => self.names.push((ours.clone(), theirs.clone())),
                None => return Err(self.invalid(format!("{theirs}, which is to be {ours}, is not in the file"))),
            }
        }
        self.takes_names = true;
        Ok(())
    }

    /// Takes a dimension for that of layers.
    ///
    /// # Errors
    /// There is no such dimension.
    pub fn take_for_layers(&mut self, name: &str) -> Result<(), Error> {
        if self.dimensions.iter().all(|dimension| dimension.name != name) {
            let all: Vec<&str> = self.dimensions.iter().map(|dimension| dimension.name.as_str()).collect();
            return Err(self.invalid(format!("there is no dimension {name}; the file has: {}", all.join(", "))));
        }
        self.layers = Some(name.to_owned());
        Ok(())
    }

    /// Refuses a file none of whose dimensions is known to be vertical.
    pub(crate) fn need_vertical(&self) -> Result<(), Error> {
        if self.has_dimension(Dimension::Layer) || self.has_dimension(Dimension::Level) {
            return Ok(());
        }
        let all: Vec<String> = self.dimensions.iter().map(|one| format!("{} {}", one.name, one.size)).collect();
        let text = "no dimension is known to be vertical, by its name, or its coordinate's axis, positive, \
                    standard_name or unit of pressure; --vertical says which is that of layers, of";
        Err(self.invalid(format!("{text} {}", all.join(", "))))
    }

    /// From now on values of these layers of items are not checked, for they lie below the ground: those that are not
    /// accepted are read as NaN.
    pub(crate) fn leave_below_ground(&mut self, below_ground: Mask) {
        self.below_ground = Some(below_ground);
    }

    /// Whether the caller has said what the file calls something of ours.
    pub(crate) fn is_named(&self, ours: &str) -> bool {
        self.names.iter().any(|(name, _)| name == ours)
    }

    /// Whether [`Dataset::keep_going`] was asked for.
    #[must_use]
    pub(crate) fn keeps_going(&self) -> bool {
        self.refusals.is_some()
    }

    /// What was refused since [`Dataset::keep_going`].
    #[must_use]
    pub fn refusals(&self) -> &[Refusal] {
        self.refusals.as_deref().unwrap_or_default()
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A global attribute that is a text.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<String> {
        attribute::global_text(self.files.all[0].store.attributes().ok()?, name)
    }

    /// A global attribute that is one number, and the same in all files that have it.
    pub(crate) fn number(&self, name: &str) -> Result<Option<f64>, Error> {
        let of = |one: &Opened| attribute::global_number(one.store.attributes().ok()?, name);
        let mut all = self.files.all.iter().filter_map(|one| Some((one, of(one)?)));
        let Some((first, number)) = all.next() else { return Ok(None) };
        match all.find(|(_, other)| *other != number) {
            None => Ok(Some(number)),
            Some((other, found)) => Err(self.invalid(format!(
                "attribute {name} is {number} in {} and {found} in {}",
                first.path.display(),
                other.path.display()
            ))),
        }
    }

    /// A global attribute that is a text in each of the files that have it, and in which if there are several.
    pub(super) fn attributes_of_all(&self, name: &str) -> Vec<(String, String)> {
        let several = self.files.all.len() > 1;
        let of = |one: &Opened| {
            let text = attribute::global_text(one.store.attributes().ok()?, name)?;
            Some((text, if several { format!(" of {}", one.path.display()) } else { String::new() }))
        };
        self.files.all.iter().filter_map(of).collect()
    }

    /// Global attributes that were written with a checksum
    /// ([`DatasetWriter::attributes_with_checksum`](super::DatasetWriter::attributes_with_checksum)), in that order.
    ///
    /// # Errors
    /// One of them is missing, or the checksum is, or it is not theirs.
    pub fn whole_attributes<const N: usize>(&self, names: [&str; N]) -> Result<[String; N], Error> {
        let mut texts = [const { String::new() }; N];
        for (text, name) in texts.iter_mut().zip(names) {
            *text = self.attribute(name).ok_or_else(|| self.invalid(format!("it has no attribute {name:?}")))?;
        }
        let noted = self.attribute(checksum::ATTRIBUTE);
        if noted.is_none_or(|noted| noted != checksum::checksum(&texts.each_ref().map(String::as_str))) {
            let names = names.join(", ");
            let text = format!("{names} are not what was written: their checksum differs; the file is damaged");
            return Err(self.invalid(text));
        }
        Ok(texts)
    }

    /// The size of a dimension, if a variable that was read has it.
    #[must_use]
    pub fn size(&self, dimension: Dimension) -> Option<usize> {
        self.sizes.get(dimension)
    }

    /// Whether the file has a dimension that goes by one of its names.
    #[must_use]
    pub fn has_dimension(&self, dimension: Dimension) -> bool {
        self.dimensions.iter().any(|other| self.role(&other.name) == Some(dimension))
    }

    /// The file's name of the only dimension that goes by one of the names of a dimension, and its size.
    pub(crate) fn dimension_of(&self, wanted: Dimension) -> Option<(String, usize)> {
        let mut all = self.dimensions.iter().filter(|other| self.role(&other.name) == Some(wanted));
        let (first, second) = (all.next()?, all.next());
        second.is_none().then(|| (first.name.clone(), first.size as usize))
    }

    /// A variable with its groups, if it is in one.
    pub(super) fn path_in_groups<'a>(&'a self, variable: &'a str) -> &'a str {
        self.files.all[self.files.owner(variable)].path_of(variable)
    }

    /// In words which groups have dimensions of this name and other sizes, if any do.
    pub(crate) fn clash(&self, dimension: &str) -> Option<&str> {
        self.files.all.iter().find_map(|file| file.clash(dimension))
    }

    /// Whether the file has a variable of exactly this name.
    #[must_use]
    pub fn has_name(&self, name: &str) -> bool {
        self.variables.iter().any(|variable| variable.name == name)
    }

    /// By the header alone: the most values that a variable has without bands, moments and the like, and the values of
    /// all variables that have these.
    #[must_use]
    pub fn sizes_in_header(&self) -> (u64, u64) {
        const MANIFOLD: [Dimension; 9] = [
            Dimension::Angle,
            Dimension::Stream,
            Dimension::Moment,
            Dimension::ScatteringAngle,
            Dimension::Azimuth,
            Dimension::Sun,
            Dimension::Band,
            Dimension::LongwaveBand,
            Dimension::ShortwaveBand,
        ];
        let manifold =
            |dimension: &&NcDimension| self.role(&dimension.name).is_some_and(|role| MANIFOLD.contains(&role));
        let (mut largest, mut others) = (0_u64, 0_u64);
        for variable in &self.variables {
            let product = |sizes: &mut dyn Iterator<Item = &NcDimension>| {
                sizes.fold(1_u64, |values, dimension| values.saturating_mul(dimension.size))
            };
            largest = largest.max(product(&mut variable.dimensions.iter().filter(|d| !manifold(d))));
            if variable.dimensions.iter().any(|dimension| manifold(&dimension)) {
                others = others.saturating_add(product(&mut variable.dimensions.iter()));
            }
        }
        (largest, others)
    }

    /// The names of all variables.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(|variable| variable.name.as_str())
    }

    /// Whether a variable is the coordinate of a dimension, whose name it has.
    #[must_use]
    pub fn is_coordinate(&self, name: &str) -> bool {
        self.dimensions.iter().any(|dimension| dimension.name == name)
    }

    pub(super) fn place(&self) -> Place {
        Place::File(self.path.clone())
    }

    /// The file that has a variable.
    pub(super) fn place_of(&self, variable: &str) -> Place {
        Place::File(self.files.path_of(variable).to_owned())
    }

    /// The error that says this of the file that has a variable.
    pub(crate) fn invalid_in(&self, variable: &str, problem: impl Into<String>) -> Error {
        Error::invalid(self.place_of(variable), problem)
    }

    pub(crate) fn invalid(&self, problem: impl Into<String>) -> Error {
        Error::invalid(self.place(), problem)
    }

    pub(super) fn was_read(&self, name: &str) -> bool {
        self.read.contains(name)
    }

    /// Notes that a variable is in use, whatever has read it.
    pub(crate) fn uses(&mut self, name: &str) {
        self.read.insert(name.to_owned());
    }

    pub(crate) fn role(&self, name: &str) -> Option<Dimension> {
        if let Some(role) = self.merged.as_ref().and_then(|merged| merged.role_of(name)) {
            return Some(role);
        }
        if let Some(number) = self.others.iter().position(|other| other == name) {
            return Some(Dimension::Other(number as u8));
        }
        if self.layers.as_deref() == Some(name) {
            return Some(Dimension::Layer);
        }
        if self.levels.as_deref() == Some(name) {
            return Some(Dimension::Level);
        }
        if self.times.as_deref() == Some(name) {
            return Some(Dimension::Time);
        }
        dimension::in_file(name, self.dimensions.iter().map(|dimension| (dimension.name.as_str(), dimension.size)))
    }
}
