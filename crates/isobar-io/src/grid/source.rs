//! Variables of a file by name, and their values in the columns that are wanted.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use netcdf_reader::{NcFile, NcSliceInfo, NcSliceInfoElem, NcType, NcVariable};

use super::clock::{self, Clock};
use super::mesh::Mesh;
use crate::calendar::seconds_of_date;
use crate::error::{Error, Place};
use crate::netcdf::{Conversion, Unit, open, refused, text_of};

/// A column of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Node {
    pub(super) time: usize,
    pub(super) row: usize,
    pub(super) column: usize,
}

/// What runs along a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Time,
    /// Levels, or layers of a model.
    Level,
    /// Boundaries of layers.
    Boundary,
    Row,
    Column,
}

/// What runs along the dimensions of a variable, which part of each was read, and the values.
type Part<'a> = (&'a [Option<Role>], &'a [(usize, usize)], &'a [f64]);

/// An open file.
pub(super) struct Source {
    path: PathBuf,
    file: NcFile,
    variables: Vec<NcVariable>,
    /// The dimensions that have a role, by name.
    roles: Vec<(String, Role)>,
    mesh: OnceCell<Mesh>,
    clock: OnceCell<Clock>,
}

/// Temperature by our names, for what runs along its dimensions.
pub(super) const TEMPERATURE: [&str; 5] = ["t", "ta", "T", "temperature", "air_temperature"];

/// 2 GiB: more than a field of any model at one time.
const MOST: u64 = 1 << 28;

impl Source {
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let file = open(path)?;
        let refuse = |cause| refused(path, cause);
        let variables = file.variables().map_err(refuse)?.to_vec();
        let (mesh, clock) = (OnceCell::new(), OnceCell::new());
        let mut this = Self { path: path.to_owned(), file, variables, roles: Vec::new(), mesh, clock };
        this.roles = if this.is_wrf() { wrf_roles() } else { this.roles_of_coordinates() };
        Ok(this)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn invalid(&self, problem: impl Into<String>) -> Error {
        Error::invalid(Place::File(self.path.clone()), problem)
    }

    pub(super) fn is_wrf(&self) -> bool {
        ["PB", "PHB", "XLAT"].iter().all(|name| self.named(name).is_some())
    }

    pub(super) fn is_grid(&self) -> bool {
        let has = |role: Role| self.roles.iter().any(|(_, other)| *other == role);
        self.is_wrf() || (has(Role::Row) && has(Role::Column) && self.named("nlev").is_none())
    }

    fn named(&self, name: &str) -> Option<&NcVariable> {
        self.variables.iter().find(|variable| variable.name == name)
    }

    /// By one of these names, or by a CF standard name.
    pub(super) fn find(&self, names: &[&str], standard: &[&str]) -> Option<&NcVariable> {
        let by_standard = || {
            self.variables.iter().find(|variable| {
                text_of(variable, "standard_name").is_some_and(|name| standard.contains(&name.as_str()))
            })
        };
        names.iter().find_map(|name| self.named(name)).or_else(by_standard)
    }

    /// The same where it must be there.
    pub(super) fn need(&self, names: &[&str], standard: &[&str]) -> Result<&NcVariable, Error> {
        self.find(names, standard).ok_or_else(|| {
            let mut text = format!("variable {} is missing", names[0]);
            let others: Vec<String> = names[1..].iter().map(|&name| name.to_owned()).collect();
            let standard = standard.iter().map(|name| format!("standard_name {name:?}"));
            let accepted: Vec<String> = others.into_iter().chain(standard).collect();
            if !accepted.is_empty() {
                text += &format!("; also accepted: {}", accepted.join(", "));
            }
            let there: Vec<&str> = self.variables.iter().take(20).map(|variable| variable.name.as_str()).collect();
            self.invalid(format!("{text}; the file has: {}", there.join(", ")))
        })
    }

    /// How the values of a variable become values in a unit.
    pub(super) fn conversion(&self, variable: &NcVariable, unit: &str) -> Result<Conversion, Error> {
        let name = &variable.name;
        let Some(text) = text_of(variable, "units") else {
            return Err(
                self.invalid(format!("{name} has no attribute \"units\"; expected one that converts to {unit}"))
            );
        };
        self.converts(&text, unit).ok_or_else(|| {
            self.invalid(format!("{name} has units {text:?}; expected {unit} or a unit that converts to it"))
        })
    }

    /// The same for a text.
    pub(super) fn converts(&self, text: &str, unit: &str) -> Option<Conversion> {
        let text = match text.trim() {
            // As the Copernicus store has it.
            "millibars" => "millibar",
            // As ECMWF's tables have it.
            "kg kg**-1" => "kg kg-1",
            text => text,
        };
        text.parse::<Unit>().ok()?.conversion(&unit.parse().ok()?)
    }

    fn role(&self, name: &str) -> Option<Role> {
        self.roles.iter().find(|(known, _)| known == name).map(|(_, role)| *role)
    }

    /// What runs along the dimensions of temperature, as its coordinates say.
    fn roles_of_coordinates(&self) -> Vec<(String, Role)> {
        let mut roles = Vec::new();
        for variable in &self.variables {
            let [dimension] = &variable.dimensions[..] else { continue };
            let units = text_of(variable, "units").unwrap_or_default();
            let is = |plain: &[&str], prefix: &str| {
                plain.contains(&variable.name.as_str()) || units.to_lowercase().starts_with(prefix)
            };
            let own = variable.name == dimension.name;
            let role = match () {
                () if own && is(&["lat", "latitude"], "degrees_n") => Role::Row,
                () if own && is(&["lon", "longitude"], "degrees_e") => Role::Column,
                () if own && (units.contains(" since ") || is_time(&variable.name)) => Role::Time,
                () => continue,
            };
            roles.push((dimension.name.clone(), role));
        }
        // What else temperature varies along is the vertical.
        if let Some(temperature) = self.find(&TEMPERATURE, &["air_temperature"]) {
            // Times without their coordinate are missed where they are asked for.
            let times = temperature.dimensions.iter().filter(|dimension| is_time(&dimension.name));
            let times = times.filter(|dimension| roles.iter().all(|(name, _)| *name != dimension.name));
            roles.extend(times.map(|dimension| (dimension.name.clone(), Role::Time)).collect::<Vec<_>>());
            let others = temperature
                .dimensions
                .iter()
                .filter(|dimension| dimension.size > 1 && roles.iter().all(|(name, _)| *name != dimension.name));
            roles.extend(others.map(|dimension| (dimension.name.clone(), Role::Level)).collect::<Vec<_>>());
        }
        roles
    }

    /// All values of a variable of few dimensions, decoded.
    pub(super) fn values(&self, variable: &NcVariable) -> Result<Vec<f64>, Error> {
        let name = &variable.name;
        self.check_size(variable, variable.dimensions.iter().map(|dimension| dimension.size))?;
        if matches!(variable.dtype, NcType::Char | NcType::String) {
            return Err(self.invalid(format!("{name} is text, expected numbers")));
        }
        let array = self.file.read_variable_unpacked_masked(name);
        let array = array.map_err(|cause| self.invalid(format!("{name}: cannot be read: {cause}")))?;
        let values: Vec<f64> = array.iter().copied().collect();
        match values.iter().position(|value| !value.is_finite()) {
            Some(index) => Err(self.invalid(format!("{name}: a value is missing at index {index}"))),
            None => Ok(values),
        }
    }

    fn check_size(&self, variable: &NcVariable, sizes: impl Iterator<Item = u64>) -> Result<(), Error> {
        let count = sizes.fold(1_u64, |count, size| count.saturating_mul(size));
        match (1..=MOST).contains(&count) {
            true => Ok(()),
            false => Err(self.invalid(format!("{} has {count} values to read; expected 1 to {MOST}", variable.name))),
        }
    }

    /// An axis: at least one value, rising or falling throughout.
    fn axis(&self, names: &[&str], standard: &str, role: Role) -> Result<Vec<f64>, Error> {
        let by_role = self.roles.iter().find(|(_, other)| *other == role).and_then(|(name, _)| self.named(name));
        let variable = by_role.map_or_else(|| self.need(names, &[standard]), Ok)?;
        let values = self.values(variable)?;
        self.check_order(&variable.name, &values)?;
        Ok(values)
    }

    fn check_order(&self, name: &str, values: &[f64]) -> Result<(), Error> {
        let rises = values.len() < 2 || values[1] > values[0];
        let broken = values.windows(2).position(|pair| pair[0] == pair[1] || (pair[1] > pair[0]) != rises);
        match broken {
            Some(i) => {
                let (here, next) = (values[i], values[i + 1]);
                let text =
                    format!("{name} = {next} at index {} follows {here}: an axis rises or falls throughout", i + 1);
                Err(self.invalid(text))
            }
            None => Ok(()),
        }
    }

    pub(super) fn mesh(&self) -> Result<&Mesh, Error> {
        if self.mesh.get().is_none() {
            let found = if self.is_wrf() { self.curved()? } else { self.axes()? };
            let _ = self.mesh.set(found);
        }
        Ok(self.mesh.get().expect("it was set"))
    }

    fn axes(&self) -> Result<Mesh, Error> {
        let latitude = self.axis(&["latitude", "lat"], "latitude", Role::Row)?;
        let longitude = self.axis(&["longitude", "lon"], "longitude", Role::Column)?;
        if let Some(wrong) = latitude.iter().find(|latitude| latitude.abs() > 90.0) {
            return Err(self.invalid(format!("latitude {wrong} lies outside [-90, 90]")));
        }
        let around = Mesh::is_around(&longitude);
        Ok(Mesh::Axes { longitude, latitude, around })
    }

    fn curved(&self) -> Result<Mesh, Error> {
        let read = |name: &'static str| {
            let variable = self.need(&[name], &[])?;
            // The grid does not move: that of the first time.
            let nested = variable.dimensions.iter().any(|dimension| self.role(&dimension.name) == Some(Role::Time));
            let sizes: Vec<usize> = variable.dimensions.iter().map(|dimension| dimension.size as usize).collect();
            let (rows, columns) = match sizes[..] {
                [_, rows, columns] if nested => (rows, columns),
                [rows, columns] if !nested => (rows, columns),
                _ => {
                    let text = format!("{name} has dimensions {sizes:?}; expected (Time, south_north, west_east)");
                    return Err(self.invalid(text));
                }
            };
            let mut values = self.values(variable)?;
            values.truncate(rows * columns);
            Ok((columns, values))
        };
        let ((columns, latitude), (other, longitude)) = (read("XLAT")?, read("XLONG")?);
        if other != columns || longitude.len() != latitude.len() {
            return Err(self.invalid("XLAT and XLONG differ in size"));
        }
        if let Some(wrong) = latitude.iter().find(|latitude| latitude.abs() > 90.0) {
            return Err(self.invalid(format!("XLAT {wrong} lies outside [-90, 90]")));
        }
        Ok(Mesh::Curved { longitude, latitude, columns })
    }

    pub(super) fn clock(&self) -> Result<&Clock, Error> {
        if self.clock.get().is_none() {
            let found = if self.is_wrf() && self.named("Times").is_some() { self.texts()? } else { self.times()? };
            if let Some(i) = found.windows(2).position(|pair| pair[1] <= pair[0]) {
                let text = format!("time {} at index {} does not come after {}", found[i + 1], i + 1, found[i]);
                return Err(self.invalid(text));
            }
            let _ = self.clock.set(Clock(found));
        }
        Ok(self.clock.get().expect("it was set"))
    }

    /// WRF's dates.
    fn texts(&self) -> Result<Vec<f64>, Error> {
        let texts = self.file.read_variable_as_strings("Times");
        let texts = texts.map_err(|cause| self.invalid(format!("Times: cannot be read: {cause}")))?;
        if texts.is_empty() {
            return Err(self.invalid("Times has no date"));
        }
        let read = |(index, text): (usize, &String)| {
            let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
            seconds_of_date(text).ok_or_else(|| self.invalid(format!("Times: {text:?} at index {index} is no date")))
        };
        texts.iter().enumerate().map(read).collect()
    }

    fn times(&self) -> Result<Vec<f64>, Error> {
        let by_role = self.roles.iter().find(|(_, role)| *role == Role::Time).and_then(|(name, _)| self.named(name));
        let names: &[&str] = if self.is_wrf() { &["Times", "XTIME"] } else { &["time", "valid_time"] };
        let variable = by_role.map_or_else(|| self.need(names, &["time"]), Ok)?;
        let (name, units) = (&variable.name, text_of(variable, "units").unwrap_or_default());
        let Some([step, zero]) = clock::since(&units) else {
            let text = format!("{name} has units {units:?}; expected such as \"hours since 1900-01-01 00:00:00\"");
            return Err(self.invalid(text));
        };
        if let Some(calendar) = text_of(variable, "calendar")
            && !["standard", "gregorian", "proleptic_gregorian"].contains(&calendar.to_lowercase().as_str())
        {
            return Err(self.invalid(format!("{name} has calendar {calendar:?}; expected that of Gregory")));
        }
        Ok(self.values(variable)?.into_iter().map(|value| value * step + zero).collect())
    }

    /// Refuses a temperature that varies along more than time, levels, rows and columns.
    pub(super) fn check_levels(&self) -> Result<(), Error> {
        let levels: Vec<&str> =
            self.roles.iter().filter(|(_, role)| *role == Role::Level).map(|(name, _)| name.as_str()).collect();
        match levels[..] {
            [] | [_] => Ok(()),
            _ => Err(self.invalid(format!("temperature varies along {}: one of them is levels", levels.join(" and ")))),
        }
    }

    /// The coordinate of the levels, if there is one: its variable and values.
    pub(super) fn levels(&self) -> Result<Option<(&NcVariable, Vec<f64>)>, Error> {
        let name = self.roles.iter().find(|(_, role)| *role == Role::Level).map(|(name, _)| name);
        let Some(variable) = name.and_then(|name| self.named(name)) else { return Ok(None) };
        let values = self.values(variable)?;
        self.check_order(&variable.name, &values)?;
        Ok(Some((variable, values)))
    }

    /// Whether a variable has values at levels.
    pub(super) fn has_levels(&self, variable: &NcVariable) -> bool {
        let vertical = |role| matches!(role, Some(Role::Level | Role::Boundary));
        variable.dimensions.iter().any(|dimension| dimension.size > 1 && vertical(self.role(&dimension.name)))
    }

    /// The values of a variable in columns (ascending), `[column][level]`, in a unit; one value where it has no levels.
    pub(super) fn gather(&self, variable: &NcVariable, unit: &str, nodes: &[Node]) -> Result<Vec<Vec<f64>>, Error> {
        let conversion = self.conversion(variable, unit)?;
        self.gather_by(variable, |value| conversion.apply(value), nodes)
    }

    pub(super) fn gather_by(
        &self,
        variable: &NcVariable,
        convert: impl Fn(f64) -> f64,
        nodes: &[Node],
    ) -> Result<Vec<Vec<f64>>, Error> {
        let name = &variable.name;
        if matches!(variable.dtype, NcType::Char | NcType::String) {
            return Err(self.invalid(format!("{name} is text, expected numbers")));
        }
        let mesh = self.mesh()?;
        let (rows, columns) = mesh.size();
        let times = self.clock()?.0.len();
        let mut roles = Vec::new();
        for dimension in &variable.dimensions {
            let role = self.role(&dimension.name);
            let expected = match role {
                Some(Role::Time) => times,
                Some(Role::Row) => rows,
                Some(Role::Column) => columns,
                // A dimension of size 1 says nothing.
                None => 1,
                Some(Role::Level | Role::Boundary) => dimension.size as usize,
            };
            if dimension.size as usize != expected {
                let text = format!("{name} has dimension {} = {}; expected {expected}", dimension.name, dimension.size);
                return Err(self.invalid(text));
            }
            roles.push(role);
        }
        for (role, size, called) in [(Role::Row, rows, "latitudes"), (Role::Column, columns, "longitudes")] {
            if size > 1 && !roles.contains(&Some(role)) {
                return Err(self.invalid(format!("{name} has no dimension of the {called}")));
            }
        }
        let ends = |pick: &dyn Fn(&Node) -> usize| {
            let (low, high) = nodes.iter().map(pick).fold((usize::MAX, 0), |(low, high), i| (low.min(i), high.max(i)));
            (low, high + 1)
        };
        let (of_rows, of_columns) = (ends(&|node| node.row), ends(&|node| node.column));
        let varies = roles.contains(&Some(Role::Time));
        let mut gathered = Vec::with_capacity(nodes.len());
        for of_time in nodes.chunk_by(|a, b| !varies || a.time == b.time) {
            let range = |(role, dimension): (&Option<Role>, &netcdf_reader::NcDimension)| match role {
                Some(Role::Time) => (of_time[0].time, of_time[0].time + 1),
                Some(Role::Row) => of_rows,
                Some(Role::Column) => of_columns,
                _ => (0, dimension.size as usize),
            };
            let ranges: Vec<(usize, usize)> = roles.iter().zip(&variable.dimensions).map(range).collect();
            self.check_size(variable, ranges.iter().map(|(start, end)| (end - start) as u64))?;
            let selections = ranges.iter().map(|&(start, end)| NcSliceInfoElem::Slice {
                start: start as u64,
                end: end as u64,
                step: 1,
            });
            let selection = NcSliceInfo { selections: selections.collect() };
            let array = self.file.read_variable_slice_unpacked_masked(name, &selection);
            let array = array.map_err(|cause| self.invalid(format!("{name}: cannot be read: {cause}")))?;
            let expected: usize = ranges.iter().map(|(start, end)| end - start).product();
            let values: Vec<f64> = array.iter().copied().collect();
            if values.len() != expected {
                return Err(self.invalid(format!("{name} has {} of {expected} values", values.len())));
            }
            for node in of_time {
                gathered.push(self.column(variable, (&roles, &ranges, &values), node, &convert)?);
            }
        }
        Ok(gathered)
    }

    /// One column of what was read.
    fn column(
        &self,
        variable: &NcVariable,
        (roles, ranges, values): Part<'_>,
        node: &Node,
        convert: &impl Fn(f64) -> f64,
    ) -> Result<Vec<f64>, Error> {
        let (mut start, mut stride, mut level_stride, mut levels) = (0, 1, 0, 1);
        for (role, (low, high)) in roles.iter().zip(ranges).rev() {
            match role {
                Some(Role::Row) => start += (node.row - low) * stride,
                Some(Role::Column) => start += (node.column - low) * stride,
                Some(Role::Level | Role::Boundary) => (level_stride, levels) = (stride, high - low),
                Some(Role::Time) | None => {}
            }
            stride *= high - low;
        }
        let one = |level: usize| {
            let value = convert(values[start + level * level_stride]);
            if value.is_finite() {
                return Ok(value);
            }
            let Node { time, row, column } = node;
            let text = format!(
                "{}: the value at time {time}, level {level}, row {row}, column {column} (counted from 0) is missing",
                variable.name
            );
            Err(self.invalid(text))
        };
        (0..levels).map(one).collect()
    }
}

fn is_time(name: &str) -> bool {
    ["time", "valid_time"].contains(&name)
}

fn wrf_roles() -> Vec<(String, Role)> {
    let named = [
        ("Time", Role::Time),
        ("bottom_top", Role::Level),
        ("bottom_top_stag", Role::Boundary),
        ("south_north", Role::Row),
        ("west_east", Role::Column),
    ];
    named.map(|(name, role)| (name.to_owned(), role)).to_vec()
}
