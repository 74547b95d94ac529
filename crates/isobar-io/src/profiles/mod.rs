//! What JURASSIC's NetCDF files of atmospheres, observations and matrices have in common: variables over a dimension
//! `profile` that may grow, and one of levels or rays of which each profile fills as many as it has.

mod lock;
mod write;

use std::io;
use std::path::{Path, PathBuf};

use netcdf_reader::{NcFile, NcType, NcVariable};

use crate::column::Column;
use crate::control::Control;
use crate::error::{Error, Place};
use crate::netcdf::{numbers, open};
use crate::text::unwritable;

pub(crate) use write::{Cells, RecordDimension, RecordFile, RecordVariable, letters};

/// An open file of profiles.
pub(crate) struct ProfileDataset {
    path: PathBuf,
    file: NcFile,
    /// Profiles, and entries of each at most.
    shape: (usize, usize),
    /// The dimensions of these sizes.
    dimensions: [String; 2],
    counts: Vec<usize>,
    /// The variable of the counts, and those that are no count of entries that there may be.
    count: &'static str,
    odd: Vec<(usize, f64)>,
}

/// More entries than a profile has; NetCDF's own fill value of whole numbers is below the negative of it.
const MOST_ENTRIES: f64 = 2e9;

/// The names of the dimension along a profile, and of the variable that says how many entries a profile has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Along {
    pub(crate) dimension: &'static str,
    pub(crate) count: &'static str,
}

impl ProfileDataset {
    /// Opens a file and reads the number of entries of each profile.
    pub(crate) fn open(path: &Path, along: Along) -> Result<Self, Error> {
        let file = open(path)?;
        let dimensions = ["profile", along.dimension].map(str::to_owned);
        let mut this = Self {
            path: path.to_owned(),
            file,
            shape: (0, 0),
            dimensions,
            counts: Vec::new(),
            count: along.count,
            odd: Vec::new(),
        };
        let counts = this.variable(along.count)?;
        let [profiles] = &counts.dimensions[..] else {
            return Err(this.refuse(along.count, "expected one dimension, profile"));
        };
        this.dimensions[0] = profiles.name.clone();
        let profiles = profiles.size as usize;
        let entries = this.file.dimension(along.dimension);
        let entries = entries.map_err(|_| invalid(path, format!("there is no dimension {}", along.dimension)))?.size;
        this.shape = (profiles, entries as usize);
        let counts = this.numbers(&counts)?;
        for (profile, &count) in counts.iter().enumerate() {
            // A profile that nobody has written is the fill value; it is refused when it is asked for.
            let there = if (1.0..=entries as f64).contains(&count) { count as usize } else { 0 };
            if there == 0 && count != 0.0 && count.abs() < MOST_ENTRIES {
                this.odd.push((profile, count));
            }
            debug_assert_eq!(this.counts.len(), profile);
            this.counts.push(there);
        }
        Ok(this)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The number of profiles, those without entries counted.
    pub(crate) fn profiles(&self) -> usize {
        self.shape.0
    }

    /// The entries of a profile.
    pub(crate) fn entries(&self, profile: usize) -> Result<usize, Error> {
        match self.counts.get(profile) {
            Some(&count) if count > 0 => Ok(count),
            Some(_) => {
                let odd = self.odd.iter().find(|odd| odd.0 == profile);
                let why = odd.map_or_else(String::new, |(_, count)| {
                    format!(": its {} = {count} lies outside [1, {}]", self.count, self.shape.1)
                });
                Err(invalid(&self.path, format!("profile {profile} has no entries{why}")))
            }
            None => {
                let problem =
                    format!("there is no profile {profile}: the file has {}, counted from 0", self.profiles());
                Err(invalid(&self.path, problem))
            }
        }
    }

    /// How many profiles with entries there are besides one.
    pub(crate) fn filled_besides(&self, profile: usize) -> usize {
        self.counts.iter().enumerate().filter(|&(number, &count)| number != profile && count > 0).count()
    }

    /// The variables that profiles have.
    pub(crate) fn names(&self) -> Vec<String> {
        let of_profiles =
            |variable: &&NcVariable| variable.dimensions.iter().any(|dimension| dimension.name == self.dimensions[0]);
        let variables = self.file.variables().unwrap_or_default();
        variables.iter().filter(of_profiles).map(|variable| variable.name.clone()).collect()
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.variable(name).is_ok()
    }

    fn variable(&self, name: &str) -> Result<NcVariable, Error> {
        let variables = self.file.variables().map_err(|cause| invalid(&self.path, cause.to_string()))?;
        let found = variables.iter().find(|variable| variable.name == name);
        found.cloned().ok_or_else(|| invalid(&self.path, format!("variable {name} is missing")))
    }

    /// NaN where the file marks a value as missing.
    fn numbers(&self, variable: &NcVariable) -> Result<Vec<f64>, Error> {
        let refused = |cause| self.refuse(&variable.name, &format!("cannot be read: {cause}"));
        numbers(&self.file, variable).map_err(refused)
    }

    /// All values of a variable with its unit checked, one a profile and entry or one a profile.
    pub(crate) fn read(&self, name: &str, unit: &str) -> Result<Values, Error> {
        let variable = self.variable(name)?;
        if matches!(variable.dtype, NcType::Char | NcType::String) {
            return Err(self.refuse(name, "is text, expected numbers"));
        }
        if let Some(found) = crate::netcdf::text_of(&variable, "units")
            && found != unit
        {
            return Err(self.refuse(name, &format!("units {found:?}, expected {unit:?}")));
        }
        let sizes: Vec<usize> = variable.dimensions.iter().map(|dimension| dimension.size as usize).collect();
        let (profiles, entries) = self.shape;
        let [of_profiles, of_entries] = &self.dimensions;
        let names: Vec<&str> = variable.dimensions.iter().map(|dimension| dimension.name.as_str()).collect();
        // Sizes that are equal do not say which dimension is which; names do.
        let strides = match (&names[..], &sizes[..]) {
            ([first, second], _) if first == of_entries && second == of_profiles => (1, profiles),
            ([first], _) if first == of_entries => (0, 0),
            (_, [first, second]) if (*first, *second) == (profiles, entries) => (entries, 1),
            (_, [first]) if *first == profiles => (1, 0),
            _ => (0, 0),
        };
        if strides == (0, 0) {
            let problem = format!(
                "has dimensions ({}) of {sizes:?}, expected ({of_profiles}, {of_entries}) of [{profiles}, {entries}], \
                 or ({of_profiles})",
                names.join(", ")
            );
            return Err(self.refuse(name, &problem));
        }
        Ok(Values { name: name.to_owned(), values: self.numbers(&variable)?, strides })
    }

    fn refuse(&self, name: &str, problem: &str) -> Error {
        invalid(&self.path, format!("{name}: {problem}"))
    }
}

/// The values of a variable.
pub(crate) struct Values {
    name: String,
    values: Vec<f64>,
    /// From a profile to the next, and from an entry to the next.
    strides: (usize, usize),
}

impl Values {
    /// That of an entry of a profile, in the range of its column.
    pub(crate) fn at(
        &self,
        path: &Path,
        (profile, entry): (usize, usize),
        column: &Column,
        item: &str,
    ) -> Result<f64, Error> {
        let value = self.values[profile * self.strides.0 + entry * self.strides.1];
        column.check(value, item, entry).map_err(|(what, range)| Error::OutOfRange {
            place: Place::File(path.to_owned()),
            what: format!("{}, profile {profile}: {what}", self.name),
            range,
        })?;
        Ok(value)
    }
}

pub(crate) fn invalid(path: &Path, problem: String) -> Error {
    Error::invalid(Place::File(path.to_owned()), problem)
}

/// An error in writing to what has no name yet.
pub(crate) fn nameless(error: Error) -> io::Error {
    match error {
        Error::Invalid { problem, .. } => unwritable(problem),
        other => unwritable(other.to_string()),
    }
}

/// Says that of several profiles one is read, unless the control file names it. `besides`: what else takes them.
pub(crate) fn profiles_left_out(path: &Path, control: &Control, left_out: usize, besides: &str) -> Option<String> {
    (left_out > 0 && control.raw("PROF_IN").is_none()).then(|| {
        format!(
            "{}: {left_out} of {} profiles are left out: PROF_IN names the one that is read, {} by default{besides}",
            path.display(),
            left_out + 1,
            control.profile
        )
    })
}
