//! A NetCDF file that is read.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use netcdf_reader::{NcDimension, NcFile, NcVariable};

use super::field::{gather, strides};
use super::open::{open, refused};
use super::sizes::Sizes;
use super::values::{Bad, Refused, Unfit};
use super::{
    Axis, Clamped, Conversion, Dimension, Field, Orientation, Unit, VariableSpec, attribute, checksum, dimension, find,
    orientation, values,
};
use crate::error::{Error, Place};

/// An open NetCDF file. It remembers the sizes of the dimensions of what was read: variables that disagree are refused.
pub struct Dataset {
    path: PathBuf,
    file: NcFile,
    dimensions: Vec<NcDimension>,
    variables: Vec<NcVariable>,
    sizes: Sizes,
    /// What was read of the vertical: variable and dimension as the file calls them.
    vertical: Vec<(String, String)>,
    /// The values that were refused and read as NaN, where reading goes on.
    refusals: Option<Vec<Refusal>>,
    /// The values that rounding left out of their range, where these are clamped.
    clamped: Option<Vec<Clamped>>,
    /// The variables that are in use.
    read: BTreeSet<String>,
    /// The dimensions along which items run, if their names do not say that.
    others: Vec<String>,
}

/// A value that was refused, by a file whose reading goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Variable, value and index, in words.
    pub text: String,
    /// Whether it was a finite number, out of its range.
    pub finite: bool,
    /// Its index along each dimension of the variable that has a known name.
    pub index: Vec<(Dimension, usize)>,
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
        let file = open(path)?;
        let refuse = |cause| refused(path, cause);
        let dimensions = file.dimensions().map_err(refuse)?.to_vec();
        let variables = file.variables().map_err(refuse)?.to_vec();
        Ok(Self {
            path: path.to_owned(),
            file,
            dimensions,
            variables,
            sizes: Sizes::default(),
            vertical: Vec::new(),
            refusals: None,
            clamped: None,
            read: BTreeSet::new(),
            others: Vec::new(),
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
        attribute::global_text(&self.file, name)
    }

    /// Global attributes that were written with a checksum
    /// ([`NetcdfOutput::attributes_with_checksum`](super::NetcdfOutput::attributes_with_checksum)), in that order.
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

    /// Whether the file has a variable of exactly this name.
    #[must_use]
    pub fn has_name(&self, name: &str) -> bool {
        self.variables.iter().any(|variable| variable.name == name)
    }

    /// By the header alone: the most values that a variable has without bands, moments and the like, and the values of
    /// all variables that have these.
    #[must_use]
    pub fn sizes_in_header(&self) -> (u64, u64) {
        const MANIFOLD: [Dimension; 6] = [
            Dimension::Angle,
            Dimension::Stream,
            Dimension::Moment,
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

    /// Whether the file has a variable.
    ///
    /// # Errors
    /// Two variables fit equally well.
    pub fn has(&self, spec: &VariableSpec) -> Result<bool, Error> {
        self.find(spec).map(|variable| variable.is_some())
    }

    /// Whether the file has a variable with the dimensions of the specification.
    ///
    /// # Errors
    /// Two variables fit equally well.
    pub fn fits(&self, spec: &VariableSpec) -> Result<bool, Error> {
        Ok(self.find(spec)?.is_some_and(|variable| self.sources(variable, spec).is_ok()))
    }

    /// Whether the file has a variable whose unit converts to that of the specification.
    ///
    /// # Errors
    /// Two variables fit equally well.
    pub fn converts(&self, spec: &VariableSpec) -> Result<bool, Error> {
        Ok(self.find(spec)?.is_some_and(|variable| self.conversion(variable, spec).is_ok()))
    }

    /// What the file calls a variable, and the unit that it says, if there is both.
    #[must_use]
    pub fn name_and_units(&self, spec: &VariableSpec) -> Option<(String, String)> {
        let variable = self.find(spec).ok()??;
        Some((variable.name.clone(), attribute::of(variable, "units")?))
    }

    /// Reads a variable that must be there.
    ///
    /// # Errors
    /// The variable is missing, or as [`Dataset::read_optional`].
    pub fn read(&mut self, spec: &VariableSpec) -> Result<Field, Error> {
        match self.read_optional(spec)? {
            Some(field) => Ok(field),
            None => Err(self.missing(spec)),
        }
    }

    /// The error of a variable that is missing: where another has its standard name, what is wrong with that.
    fn missing(&self, spec: &VariableSpec) -> Error {
        let meant = find::by_standard_name(&self.variables, spec).map(|variable| self.sources(variable, spec));
        meant.and_then(Result::err).unwrap_or_else(|| self.invalid(find::missing(&self.variables, spec)))
    }

    /// Reads a variable that was written with a checksum
    /// ([`NetcdfOutput::variable_with_checksum`](super::NetcdfOutput::variable_with_checksum)) in the same unit and
    /// order of dimensions.
    ///
    /// # Errors
    /// As [`Dataset::read`]; the checksum is missing, or is not that of the values.
    pub fn read_whole(&mut self, spec: &VariableSpec) -> Result<Field, Error> {
        let field = self.read(spec)?;
        let noted = self.find(spec)?.and_then(|variable| attribute::of(variable, checksum::ATTRIBUTE));
        let Some(noted) = noted else {
            return Err(self.invalid(format!("{} has no checksum", field.name)));
        };
        let dimensions = field.dimensions.iter().zip(&field.shape).map(|(dimension, &size)| (dimension.name(), size));
        if noted != checksum::of_variable(spec.name, dimensions, field.values.iter().copied()) {
            let text = format!("{} is not what was written: its checksum differs; the file is damaged", field.name);
            return Err(self.invalid(text));
        }
        Ok(field)
    }

    /// Reads a variable that may be there. Its dimensions come in the order of the specification.
    ///
    /// # Errors
    /// Two variables fit equally well; the unit is missing, unknown or of another kind; a dimension is missing,
    /// unexpected or of another size than that of a variable read before; a value is missing or not accepted.
    pub fn read_optional(&mut self, spec: &VariableSpec) -> Result<Option<Field>, Error> {
        self.read_by(spec, false)
    }

    /// The same, but values that are not accepted stay as they are, and those that are missing are NaN: for variables
    /// of which others say where they count.
    ///
    /// # Errors
    /// As [`Dataset::read_optional`], but for values.
    pub(crate) fn read_unchecked(&mut self, spec: &VariableSpec) -> Result<Option<Field>, Error> {
        self.read_by(spec, true)
    }

    fn read_by(&mut self, spec: &VariableSpec, unchecked: bool) -> Result<Option<Field>, Error> {
        let Some(variable) = self.find(spec)?.cloned() else { return Ok(None) };
        let conversion = self.conversion(&variable, spec)?;
        let sources = self.sources(&variable, spec)?;
        // Checked against other variables before the values, which may take long.
        let mut sizes = self.sizes.clone();
        for (axis, source) in spec.axes.iter().zip(&sources) {
            if let Some(source) = source.map(|position| &variable.dimensions[position])
                && !(axis.optional && source.size == 1)
            {
                let noted = sizes.note(axis.dimension, &source.name, source.size as usize, &variable.name);
                noted.map_err(|problem| self.invalid(problem))?;
            }
        }
        let (mut bad, mut clamped) = (Vec::new(), None);
        let unfit = match (&self.clamped, &self.refusals) {
            _ if unchecked => Unfit::Left(&mut clamped),
            (_, Some(_)) => Unfit::Noted(&mut clamped, &mut bad),
            (Some(_), None) => Unfit::Clamped(&mut clamped),
            (None, None) => Unfit::Refused,
        };
        let values = values::read(&self.file, &variable, spec, conversion, unfit).map_err(|why| match why {
            Refused::Problem(problem) | Refused::Missing(problem) => self.invalid(problem),
            Refused::OutOfRange { what, range, .. } => Error::OutOfRange { place: self.place(), what, range },
        })?;
        self.note_refusals(&variable, spec, &bad);
        // A variable is read twice where its unit is found by trying.
        if let (Some(all), Some(clamped)) = (&mut self.clamped, clamped)
            && !all.contains(&clamped)
        {
            all.push(clamped);
        }
        self.sizes = sizes;
        self.read.insert(variable.name.clone());
        for source in sources.iter().flatten().map(|&position| &variable.dimensions[position].name) {
            if self.role(source).is_some_and(Dimension::is_vertical) {
                self.vertical.push((variable.name.clone(), source.clone()));
            }
        }
        Ok(Some(arrange(variable, spec, &sources, values)))
    }

    /// The first of each item, which has as many bad values as layers and bands.
    fn note_refusals(&mut self, variable: &NcVariable, spec: &VariableSpec, bad: &[(usize, Bad)]) {
        let mut items = BTreeSet::new();
        for &(position, bad) in bad {
            let index = self.index(variable, position);
            let item: Vec<_> = index.iter().filter(|(dimension, _)| dimension.is_of_items()).copied().collect();
            if !items.insert(item) {
                continue;
            }
            let (text, finite) = match bad.refused(variable, spec, position) {
                Refused::Problem(text) | Refused::Missing(text) => (text, false),
                Refused::OutOfRange { what, range, finite } => (format!("{what} lies outside {range}"), finite),
            };
            self.refusals.get_or_insert_default().push(Refusal { text, finite, index });
        }
    }

    /// Repeats a field along the dimensions that its variable leaves out, to the sizes of the other variables read;
    /// those of unknown size stay 1.
    #[must_use]
    pub fn broadcast(&self, field: Field) -> Field {
        let full = |(&dimension, &size): (&Dimension, &usize)| {
            if size == 1 { self.sizes.get(dimension).unwrap_or(1) } else { size }
        };
        let shape: Vec<usize> = field.dimensions.iter().zip(&field.shape).map(full).collect();
        field.expand(&shape)
    }

    /// Which end of the layers and levels read so far is the top: as the attributes `orientation` (`top_first`,
    /// `bottom_first`) and `positive` (`up`, `down`) of the file say, or the vertical coordinates with their
    /// `positive`, pressures or heights. The top, where nothing says so.
    ///
    /// # Errors
    /// Two of these contradict each other, or make no sense.
    pub fn orientation(&self) -> Result<Orientation, Error> {
        Ok(self.stated_orientation()?.unwrap_or(Orientation::TopFirst))
    }

    /// As [`Dataset::orientation`], but nothing where nothing says so.
    ///
    /// # Errors
    /// As [`Dataset::orientation`].
    pub fn stated_orientation(&self) -> Result<Option<Orientation>, Error> {
        Ok(self.orientation_evidence()?.map(|evidence| evidence.says))
    }

    /// The same with what says so.
    pub(crate) fn orientation_evidence(&self) -> Result<Option<orientation::Evidence>, Error> {
        orientation::of(self).map_err(|problem| self.invalid(problem))
    }

    pub(super) fn file(&self) -> &NcFile {
        &self.file
    }

    pub(super) fn variables(&self) -> &[NcVariable] {
        &self.variables
    }

    pub(super) fn vertical(&self) -> &[(String, String)] {
        &self.vertical
    }

    /// A position in the order of the file along each dimension that has a known name.
    fn index(&self, variable: &NcVariable, mut position: usize) -> Vec<(Dimension, usize)> {
        let mut index = Vec::new();
        for dimension in variable.dimensions.iter().rev() {
            let size = (dimension.size as usize).max(1);
            index.extend(self.role(&dimension.name).map(|role| (role, position % size)));
            position /= size;
        }
        index
    }

    pub(super) fn dimensions(&self) -> &[NcDimension] {
        &self.dimensions
    }

    pub(super) fn place(&self) -> Place {
        Place::File(self.path.clone())
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

    /// Names and sizes of the dimensions of variables in one of these units that run along the vertical, but for the
    /// vertical ones: in the order of the variable that has most of them. Bounds of coordinates have one of their own.
    pub(crate) fn dimensions_beside_vertical(&self, units: &[&str]) -> Vec<(String, usize)> {
        let wanted: Vec<Unit> = units.iter().filter_map(|unit| unit.parse().ok()).collect();
        let bounds: Vec<String> =
            self.variables.iter().filter_map(|variable| attribute::of(variable, "bounds")).collect();
        let is_wanted = |variable: &&NcVariable| {
            let unit = attribute::of(variable, "units").and_then(|text| text.parse::<Unit>().ok());
            unit.is_some_and(|unit| wanted.iter().any(|wanted| unit.conversion(wanted).is_some()))
                && !bounds.contains(&variable.name)
                && !["_bnds", "_bounds"].iter().any(|ending| variable.name.ends_with(ending))
        };
        let is_vertical = |name: &str| self.role(name).is_some_and(Dimension::is_vertical);
        let beside = |variable: &NcVariable| -> Option<Vec<(String, usize)>> {
            let (vertical, beside): (Vec<_>, Vec<_>) =
                variable.dimensions.iter().partition(|dimension| is_vertical(&dimension.name));
            (!vertical.is_empty())
                .then(|| beside.iter().map(|dimension| (dimension.name.clone(), dimension.size as usize)).collect())
        };
        let mut all: Vec<_> = self.variables.iter().filter(is_wanted).filter_map(beside).collect();
        all.sort_by_key(|beside| std::cmp::Reverse(beside.len()));
        let mut found: Vec<(String, usize)> = Vec::new();
        for dimension in all.into_iter().flatten() {
            if !found.contains(&dimension) {
                found.push(dimension);
            }
        }
        found
    }

    /// Takes dimensions for those along which items run: [`Dimension::Other`] in this order.
    pub(crate) fn take_for_items(&mut self, names: Vec<String>) {
        self.others = names;
    }

    /// Names and sizes of the dimensions that were taken for those of items.
    pub(crate) fn of_items(&self) -> Vec<(String, usize)> {
        let size =
            |name: &String| self.dimensions.iter().find(|other| other.name == *name).map_or(1, |d| d.size as usize);
        self.others.iter().map(|name| (name.clone(), size(name))).collect()
    }

    /// Dimensions as the file calls them, if it is known what it calls them.
    fn in_words(&self, axes: &[Axis]) -> String {
        let name = |axis: &Axis| match axis.dimension {
            Dimension::Other(number) => self.others.get(usize::from(number)).cloned(),
            known => Some(known.name().to_owned()),
        };
        axes.iter().filter_map(name).collect::<Vec<_>>().join(", ")
    }

    pub(crate) fn role(&self, name: &str) -> Option<Dimension> {
        if let Some(number) = self.others.iter().position(|other| other == name) {
            return Some(Dimension::Other(number as u8));
        }
        dimension::in_file(name, self.dimensions.iter().map(|dimension| (dimension.name.as_str(), dimension.size)))
    }

    fn find(&self, spec: &VariableSpec) -> Result<Option<&NcVariable>, Error> {
        let fits = |variable: &NcVariable| self.sources(variable, spec).is_ok();
        find::find(&self.variables, spec, fits).map_err(|problem| self.invalid(problem))
    }

    pub(super) fn conversion(&self, variable: &NcVariable, spec: &VariableSpec) -> Result<Conversion, Error> {
        let (name, unit) = (&variable.name, spec.unit);
        // CF (3.1) lets quantities without dimension go without.
        let stated = attribute::of(variable, "units").or_else(|| (unit == "1").then(|| "1".to_owned()));
        let Some(text) = stated else {
            let text = format!("{name} has no attribute \"units\"; expected {unit:?} or a unit that converts to it");
            return Err(self.invalid(text));
        };
        let expected: Unit = unit.parse().map_err(|problem| self.invalid(format!("unit of {name}: {problem}")))?;
        let given: Unit = text.parse().map_err(|problem| {
            self.invalid(format!(
                "{name} has units {text:?}: {problem}; expected {unit:?} or a unit that converts to it"
            ))
        })?;
        given
            .conversion(&expected)
            .ok_or_else(|| self.invalid(format!("{name} has units {text:?}, which do not convert to {unit:?}")))
    }

    /// For each dimension of the specification its position in the file.
    fn sources(&self, variable: &NcVariable, spec: &VariableSpec) -> Result<Vec<Option<usize>>, Error> {
        let name = &variable.name;
        let expected =
            || if spec.axes.is_empty() { "a single value".into() } else { format!("({})", self.in_words(spec.axes)) };
        let mut sources = vec![None; spec.axes.len()];
        for (position, dimension) in variable.dimensions.iter().enumerate() {
            let (called, size) = (&dimension.name, dimension.size);
            if size == 0 {
                return Err(self.invalid(format!("{name} has dimension {called} = 0: it is empty")));
            }
            let role = self.role(called);
            match spec.axes.iter().position(|axis| Some(axis.dimension) == role) {
                Some(axis) if sources[axis].is_none() => sources[axis] = Some(position),
                // A dimension of size 1 says nothing.
                _ if size == 1 => {}
                Some(axis) => {
                    let twice = spec.axes[axis].dimension;
                    return Err(self.invalid(format!("{name} has dimension {twice} twice, the second called {called}")));
                }
                None => {
                    let text = format!("{name} has dimension {called} = {size}; expected {}", expected());
                    return Err(self.invalid(text));
                }
            }
        }
        for (axis, source) in spec.axes.iter().zip(&sources) {
            if source.is_none() && !axis.optional {
                let text = format!("{name} has no dimension {}; expected {}", axis.dimension, expected());
                return Err(self.invalid(text));
            }
        }
        Ok(sources)
    }
}

/// Values in the order of the specification.
fn arrange(variable: NcVariable, spec: &VariableSpec, sources: &[Option<usize>], values: Vec<f64>) -> Field {
    let stored: Vec<usize> = variable.dimensions.iter().map(|dimension| dimension.size as usize).collect();
    let strides = strides(&stored);
    let shape: Vec<usize> = sources.iter().map(|source| source.map_or(1, |position| stored[position])).collect();
    let steps: Vec<usize> = sources.iter().map(|source| source.map_or(0, |position| strides[position])).collect();
    let in_order = sources.iter().flatten().is_sorted();
    let values = if in_order { values } else { gather(&values, &shape, &steps) };
    Field { name: variable.name, dimensions: spec.axes.iter().map(|axis| axis.dimension).collect(), shape, values }
}
