//! Variables of a file, read as they are asked for.

use std::collections::BTreeSet;

use netcdf_reader::NcVariable;

use super::values::{Bad, Refused, Unfit};
use super::{
    Axis, Conversion, Dataset, Dimension, Field, Refusal, Unit, VariableSpec, attribute, checksum, find, values,
};
use crate::error::{Error, Place};

/// The unit of a specification of numbers that are times, which `units` and `calendar` say together.
pub(crate) const AS_STORED: &str = "as stored";

impl Dataset {
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

    /// What the file calls a variable, if it has it.
    pub(crate) fn name_of(&self, spec: &VariableSpec) -> Option<String> {
        self.find(spec).ok()?.map(|variable| variable.name.clone())
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
            None => Err(self.invalid(self.missing_in_words(spec))),
        }
    }

    /// Reads a variable that was written with a checksum
    /// ([`DatasetWriter::variable_with_checksum`](super::DatasetWriter::variable_with_checksum)) in the same unit and
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

    /// Reads a variable as [`Dataset::read_optional`] does, but leaves values that are not accepted as they are, and
    /// makes missing ones NaN: for variables of which others say where they count.
    ///
    /// # Errors
    /// As [`Dataset::read_optional`], but for values.
    pub(crate) fn read_unchecked(&mut self, spec: &VariableSpec) -> Result<Option<Field>, Error> {
        self.read_by(spec, true)
    }

    fn read_by(&mut self, spec: &VariableSpec, unchecked: bool) -> Result<Option<Field>, Error> {
        let Some(variable) = self.find(spec)?.cloned() else { return Ok(None) };
        let conversion = self.conversion(&variable, spec)?;
        let sources = self.sources(&variable, spec).map_err(|problem| self.invalid_in(&variable.name, problem))?;
        // Checked against other variables before the values, which may take long.
        let mut sizes = self.sizes.clone();
        for (axis, source) in spec.axes.iter().zip(&sources) {
            let merged = self.merged.as_ref().and_then(|merged| merged.size(axis.dimension));
            let found = source.map(|position| &variable.dimensions[position]);
            let found = found.map(|one| merged.unwrap_or((one.size as usize, one.name.clone())));
            if let Some((size, called)) = found.filter(|(size, _)| !(axis.optional && *size == 1)) {
                let noted = sizes.note(axis.dimension, &called, size, self.path_in_groups(&variable.name));
                let of_groups = self.clash(&called).map(|clash| {
                    format!(": {clash}, and of dimensions of one name in several groups one is read at a time")
                });
                let text = |problem| format!("{problem}{}", of_groups.unwrap_or_default());
                noted.map_err(|problem| self.invalid_in(&variable.name, text(problem)))?;
            }
        }
        let (mut bad, mut clamped) = (Vec::new(), None);
        let masks = || self.mask.iter().chain(&self.below_ground);
        let unfit = match (&self.clamped, &self.refusals) {
            _ if unchecked => Unfit::Left(&mut clamped),
            (_, Some(_)) => Unfit::Noted(&mut clamped, &mut bad),
            _ if masks().next().is_some() => Unfit::Noted(&mut clamped, &mut bad),
            (Some(_), None) => Unfit::Clamped(&mut clamped),
            (None, None) => Unfit::Refused,
        };
        let name = &variable.name;
        let error = |why| match why {
            Refused::Problem(problem) => self.invalid_in(name, problem),
            Refused::Missing { what, file } => Error::invalid(Place::File(file), what),
            Refused::OutOfRange { what, range, file, .. } => {
                Error::OutOfRange { place: Place::File(file), what, range }
            }
        };
        let source = self.files.of(name);
        let values = values::read(source, &variable, spec, conversion, unfit).map_err(error)?;
        bad.retain(|(position, _)| {
            let index = self.index(&variable, *position);
            !masks().any(|mask| mask.covers(&index))
        });
        if let (Some((position, bad)), None) = (bad.first(), &self.refusals) {
            return Err(error(bad.refused(source, &variable, spec, *position)));
        }
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
        Ok(Some(self.arrange(variable, spec, &sources, values)))
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
            let source = self.files.of(&variable.name);
            let (text, finite, file) = match bad.refused(source, variable, spec, position) {
                Refused::Problem(text) => (text, false, None),
                Refused::Missing { what, file } => (what, false, Some(file)),
                Refused::OutOfRange { what, range, finite, file } => {
                    (format!("{what} lies outside {range}"), finite, Some(file))
                }
            };
            let file = file.filter(|_| source.goes_on(variable));
            let text = file.map_or(text.clone(), |file| format!("{}: {text}", file.display()));
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

    /// That a variable is missing, and by which names it would be found; where another has its standard name, what is
    /// wrong with that.
    pub(crate) fn missing_in_words(&self, spec: &VariableSpec) -> String {
        let meant = find::by_standard_name(&self.variables, spec).map(|variable| self.sources(variable, spec));
        meant.and_then(Result::err).unwrap_or_else(|| find::missing(&self.variables, spec, &self.in_words(spec.axes)))
    }

    /// In words which variables go by a name of this and say that they are something else, if any do.
    pub(crate) fn others_in_words(&self, spec: &VariableSpec) -> Option<String> {
        find::others(&self.variables, spec)
    }

    /// Dimensions as the file calls them, if it is known what it calls them.
    fn in_words(&self, axes: &[Axis]) -> String {
        let name = |axis: &Axis| match axis.dimension {
            Dimension::Other(number) => self.others.get(usize::from(number)).cloned(),
            known => Some(known.name().to_owned()),
        };
        axes.iter().filter_map(name).collect::<Vec<_>>().join(", ")
    }

    pub(super) fn find(&self, spec: &VariableSpec) -> Result<Option<&NcVariable>, Error> {
        if let Some((_, theirs)) = self.names.iter().find(|(ours, _)| ours == spec.name) {
            return Ok(self.variables.iter().find(|variable| variable.name == *theirs));
        }
        let fits = |variable: &NcVariable| self.sources(variable, spec).is_ok();
        let found = find::find(&self.variables, spec, fits);
        found.map_err(|problem| {
            let option =
                if self.takes_names { format!(", or say --name {}=VARIABLE", spec.name) } else { String::new() };
            self.invalid(problem + &option)
        })
    }

    pub(super) fn conversion(&self, variable: &NcVariable, spec: &VariableSpec) -> Result<Conversion, Error> {
        let (name, unit) = (&variable.name, spec.unit);
        if unit == AS_STORED {
            return Ok(Conversion::NONE);
        }
        // CF (3.1) lets quantities without dimension go without.
        let stated = attribute::of(variable, "units").or_else(|| {
            // So do the volume mixing ratios of CAM.
            let is_ratio = unit == "1" || (unit == "mol mol-1" && name.ends_with("vmr"));
            is_ratio.then(|| "1".to_owned())
        });
        let Some(text) = stated else {
            let text = format!("{name} has no attribute \"units\"; expected {unit:?} or a unit that converts to it");
            return Err(self.invalid_in(name, text));
        };
        let expected: Unit = unit.parse().map_err(|problem| self.invalid(format!("unit of {name}: {problem}")))?;
        let given: Unit = text.parse().map_err(|problem| {
            self.invalid_in(
                name,
                format!("{name} has units {text:?}: {problem}; expected {unit:?} or a unit that converts to it"),
            )
        })?;
        given.conversion(&expected).ok_or_else(|| {
            self.invalid_in(name, format!("{name} has units {text:?}, which do not convert to {unit:?}"))
        })
    }

    /// For each dimension of the specification its position in the file.
    pub(super) fn sources(&self, variable: &NcVariable, spec: &VariableSpec) -> Result<Vec<Option<usize>>, String> {
        let name = &variable.name;
        let expected =
            || if spec.axes.is_empty() { "a single value".into() } else { format!("({})", self.in_words(spec.axes)) };
        let mut sources = vec![None; spec.axes.len()];
        for (position, dimension) in variable.dimensions.iter().enumerate() {
            let (called, size) = (&dimension.name, dimension.size);
            if size == 0 {
                return Err(format!("{name} has dimension {called} = 0: it is empty"));
            }
            let role = self.role(called);
            match spec.axes.iter().position(|axis| Some(axis.dimension) == role) {
                Some(axis) if sources[axis].is_none() => sources[axis] = Some(position),
                Some(_) if self.merged.as_ref().is_some_and(|merged| merged.takes(variable, position)) => {}
                // A dimension of size 1 says nothing.
                _ if size == 1 => {}
                Some(axis) => {
                    let twice = spec.axes[axis].dimension;
                    return Err(format!("{name} has dimension {twice} twice, the second called {called}"));
                }
                None => {
                    return Err(format!("{name} has dimension {called} = {size}; expected {}", expected()));
                }
            }
        }
        for (axis, source) in spec.axes.iter().zip(&sources) {
            if source.is_none() && !axis.optional {
                return Err(format!("{name} has no dimension {}; expected {}", axis.dimension, expected()));
            }
        }
        Ok(sources)
    }
}
