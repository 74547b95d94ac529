//! Files of one time after the other.

use netcdf_reader::NcVariable;

use super::files::{Later, Link};
use super::unread::says_where;
use super::{Dataset, attribute, values};
use crate::calendar::of_models::Calendar;
use crate::calendar::units::Since;
use crate::date_of_seconds;
use crate::error::Error;

/// Texts of dates, as WRF and MPAS have them.
const TEXTS: [&str; 2] = ["Times", "xtime"];

/// When the columns of a file are.
struct Times {
    /// The dimension along which they run.
    along: String,
    calendar: Calendar,
    /// Seconds of the calendar.
    own: Vec<f64>,
    /// Since 2000-01-01T00:00Z, of the same dates of Gregory's calendar.
    seconds: Vec<f64>,
}

impl Times {
    /// Numbers that rise with time, of both: by their own calendar, if it is one.
    fn comparable<'a>(&'a self, other: &'a Self) -> [&'a [f64]; 2] {
        if self.calendar == other.calendar { [&self.own, &other.own] } else { [&self.seconds, &other.seconds] }
    }

    fn text(&self, other: &Self, number: f64) -> String {
        if self.calendar == other.calendar {
            return self.calendar.text(number);
        }
        date_of_seconds(number).unwrap_or_else(|| format!("{number} s since 2000"))
    }
}

impl Dataset {
    /// The times of a file, if it has them along a dimension of theirs.
    fn times(&self) -> Option<Times> {
        let numbers = self.variables.iter().filter(|one| one.dimensions.len() == 1);
        let counted = |variable: &&NcVariable| since(variable).is_some();
        // The coordinate of its dimension first.
        let mut found: Vec<&NcVariable> = numbers.filter(counted).collect();
        found.sort_by_key(|variable| variable.name != variable.dimensions[0].name);
        if let Some(variable) = found.first() {
            let since = since(variable)?;
            let values = values::unpacked(self.files.of(&variable.name), variable)?;
            let seconds = values.iter().map(|&value| Some(since.seconds(value)?.0)).collect::<Option<_>>()?;
            let own = values.iter().map(|&value| since.own(value)).collect::<Option<_>>()?;
            return Some(Times {
                along: variable.dimensions[0].name.clone(),
                calendar: since.calendar(),
                own,
                seconds,
            });
        }
        let variable = TEXTS.iter().find_map(|name| self.variables.iter().find(|one| one.name == *name))?;
        let texts = self.files.of(&variable.name).strings(variable).ok()?;
        let date = |text: &String| crate::seconds_of_date(text.trim_matches(|c: char| c.is_whitespace() || c == '\0'));
        let seconds = texts.iter().map(date).collect::<Option<Vec<f64>>>()?;
        let calendar = Calendar::Proleptic;
        let own = seconds.iter().map(|&seconds| calendar.own(((2000, 1, 1), 0.0), seconds)).collect::<Option<_>>()?;
        Some(Times { along: variable.dimensions.first()?.name.clone(), calendar, own, seconds })
    }

    /// Whether another file has the same variables, and other times.
    pub(super) fn goes_on_in(&self, other: &Self) -> bool {
        let (Some(here), Some(there)) = (self.times(), other.times()) else { return false };
        let [ours, theirs] = here.comparable(&there);
        here.along == there.along
            && ours != theirs
            && self.fields_of(&here.along).any(|variable| other.has_name(&variable.name))
    }

    /// What varies with time, but for what says when.
    fn fields_of<'a>(&'a self, along: &'a str) -> impl Iterator<Item = &'a NcVariable> {
        let bounds: Vec<String> = self.variables.iter().filter_map(|one| attribute::of(one, "bounds")).collect();
        self.variables.iter().filter(move |one| {
            has_dimension(one, along) && !says_where(one) && one.name != along && !bounds.contains(&one.name)
        })
    }

    /// Takes a file behind this and those that it goes on in.
    pub(super) fn go_on_in(&mut self, other: Self) -> Result<(), Error> {
        let (Some(here), Some(there)) = (self.times(), other.times()) else { return Ok(()) };
        self.check_order(&here, &there, &other)?;
        let along = here.along;
        for dimension in other.dimensions.iter().filter(|dimension| dimension.name != along) {
            self.check_dimension(dimension, &other)?;
        }
        let names =
            |variable: &NcVariable| -> Vec<String> { variable.dimensions.iter().map(|one| one.name.clone()).collect() };
        for variable in &self.variables {
            let found = other.variables.iter().find(|one| one.name == variable.name);
            if !has_dimension(variable, &along) {
                found.map_or(Ok(()), |found| self.check_shared(found, &other))?;
                continue;
            }
            let (name, first) = (&variable.name, self.path.display());
            let Some(found) = found else {
                return Err(other.invalid(format!(
                    "{name} is missing, which {first} has: files that go on have the same variables"
                )));
            };
            if names(found) != names(variable) {
                let [here, there] = [found, variable].map(|one| names(one).join(", "));
                return Err(other.invalid(format!("{name} has dimensions ({here}), but ({there}) in {first}")));
            }
            let units = |variable: &NcVariable| attribute::of(variable, "units");
            if units(found) != units(variable) && self.since(variable).is_none() {
                let [here, there] = [found, variable].map(|one| units(one).unwrap_or_default());
                return Err(other.invalid(format!("{name} has units {here:?}, but {there:?} in {first}")));
            }
        }
        let has = |name: &str| self.has_name(name);
        if let Some(more) = other.variables.iter().find(|one| has_dimension(one, &along) && !has(&one.name)) {
            let (name, first) = (&more.name, self.path.display());
            return Err(other.invalid(format!("{name} is not in {first}: files that go on have the same variables")));
        }
        let times = self.rebased(&along, &other)?;
        let later = self.files.later.get_or_insert_with(|| Later {
            along: along.clone(),
            chains: vec![vec![Link { file: 0, size: here.seconds.len(), times: Vec::new() }]],
        });
        let size = there.seconds.len();
        later.chains[0].push(Link { file: self.files.all.len(), size, times });
        let of_variables = self.variables.iter_mut().flat_map(|variable| &mut variable.dimensions);
        for dimension in self.dimensions.iter_mut().chain(of_variables).filter(|one| one.name == along) {
            dimension.size += size as u64;
        }
        self.take_others(other);
        Ok(())
    }

    /// How numbers of a variable are times, if they are; those of bounds that do not say it are what they bound is.
    fn since(&self, variable: &NcVariable) -> Option<Since> {
        let units = self.text_or_bounded(variable, "units")?;
        Since::of(&units, self.text_or_bounded(variable, "calendar").as_deref()).ok()
    }

    /// Refuses times that are not after those before.
    fn check_order(&self, here: &Times, there: &Times, other: &Self) -> Result<(), Error> {
        let [ours, theirs] = here.comparable(there);
        let last = ours.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let first = theirs.iter().copied().fold(f64::INFINITY, f64::min);
        if first > last {
            return Ok(());
        }
        let [first, last] = [first, last].map(|number| here.text(there, number));
        let file = self.files.chain(0).last().map_or(0, |link| link.file);
        let before = self.files.all[file].path.display();
        Err(other.invalid(format!(
            "its times begin at {first}, and those of {before} end at {last}: files that go on in time are named in \
             its order, and have each time once"
        )))
    }

    /// The variables of another file that count time otherwise than here, and how their numbers become numbers of here.
    fn rebased(&self, along: &str, other: &Self) -> Result<Vec<(String, [f64; 3])>, Error> {
        let mut all = Vec::new();
        for variable in self.variables.iter().filter(|one| has_dimension(one, along)) {
            let Some(ours) = self.since(variable) else { continue };
            let Some(found) = other.variables.iter().find(|one| one.name == variable.name) else { continue };
            let name = &variable.name;
            let Some(factors) = other.since(found).and_then(|theirs| ours.factors(&theirs)) else {
                let [here, there] = [(other, found), (self, variable)].map(|(all, one)| {
                    ["units", "calendar"].map(|text| all.text_or_bounded(one, text).unwrap_or_default()).join(", ")
                });
                let first = self.path.display();
                return Err(other.invalid(format!("{name} is in {here:?}, but in {there:?} in {first}")));
            };
            let [step, shift, unit] = factors;
            if step != unit || shift != 0.0 {
                all.push((name.clone(), factors));
            }
        }
        Ok(all)
    }
}

fn has_dimension(variable: &NcVariable, name: &str) -> bool {
    variable.dimensions.iter().any(|one| one.name == name)
}

/// How numbers of a variable are times, if they are.
fn since(variable: &NcVariable) -> Option<Since> {
    let units = attribute::of(variable, "units")?;
    Since::of(&units, attribute::of(variable, "calendar").as_deref()).ok()
}
