//! Where and when the columns of a file are, and at which levels.

use netcdf_reader::NcVariable;

use super::clock::Clock;
use super::mesh::Mesh;
use super::source::{Role, Source};
use crate::calendar::of_models::Calendar;
use crate::calendar::seconds_of_date;
use crate::calendar::units::Since;
use crate::error::Error;
use crate::netcdf::text_of;

impl Source {
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
        let variable = self.time_of_air()?;
        let (name, units) = (&variable.name, text_of(variable, "units").unwrap_or_default());
        let calendar = text_of(variable, "calendar");
        let refuse = |problem: String| self.invalid(format!("{name} has {problem}"));
        let since = Since::of(&units, calendar.as_deref()).map_err(refuse)?;
        // The dates of others are no instants.
        if ![Calendar::Standard, Calendar::Proleptic, Calendar::Julian].contains(&since.calendar()) {
            return Err(refuse(format!("calendar {:?}; expected that of Gregory", calendar.unwrap_or_default())));
        }
        let one = |value: f64| since.seconds(value).ok_or_else(|| refuse(format!("the time {value}, {units:?}")));
        self.values(variable)?.into_iter().map(|value| Ok(one(value)?.0)).collect()
    }

    /// The variable that says of when the air is: forecasts have the time from which they were made, too.
    fn time_of_air(&self) -> Result<&NcVariable, Error> {
        let standard = |variable: &NcVariable| text_of(variable, "standard_name").unwrap_or_default();
        let is_reference = |variable: &NcVariable| standard(variable) == "forecast_reference_time";
        let by_role = self.roles.iter().find(|(_, role)| *role == Role::Time).and_then(|(name, _)| self.named(name));
        if let Some(own) = by_role.filter(|own| !is_reference(own)) {
            return Ok(own);
        }
        let names: &[&str] = if self.is_wrf() { &["Times", "XTIME"] } else { &["time", "valid_time"] };
        let named = || names.iter().filter_map(|name| self.named(name)).find(|variable| !is_reference(variable));
        let by_standard = self.variables.iter().find(|variable| standard(variable) == "time");
        match by_standard.or_else(named) {
            Some(variable) => Ok(variable),
            None => match by_role.or_else(|| self.variables.iter().find(|variable| is_reference(variable))) {
                Some(reference) => Err(self.invalid(format!(
                    "{} is the time from which a forecast was made (its standard_name), and there is no time of the \
                     air (standard_name \"time\", as valid_time has)",
                    reference.name
                ))),
                None => self.need(names, &["time"]),
            },
        }
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
}
