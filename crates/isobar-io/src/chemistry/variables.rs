//! The variables of a file of cells: found by name, in whatever unit will do.

use std::collections::BTreeSet;
use std::path::Path;

use super::labels;
use super::series::Series;
use super::units::{self, RateInput};
use crate::calendar::units::Since;
use crate::error::{Error, Place};
use crate::netcdf::{AS_STORED, Accepted, Axis, Dataset, Dimension, VariableSpec};

const AXES: &[Axis] = &[Axis::optional(Dimension::Time), Axis::optional(Dimension::Cell)];
const RATE_AXES: &[Axis] =
    &[Axis::required(Dimension::Reaction), Axis::optional(Dimension::Time), Axis::optional(Dimension::Cell)];
const TIMES: VariableSpec = VariableSpec {
    name: "time",
    aliases: &[],
    standard_names: &["time"],
    unit: "s",
    axes: &[Axis::required(Dimension::Time)],
    accepted: Accepted::FINITE,
};

/// A file, and which of its variables were asked for.
pub(super) struct Variables {
    pub(super) file: Dataset,
    known: BTreeSet<String>,
}

impl Variables {
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let mut file = Dataset::open(path)?;
        file.clamp_rounding();
        Ok(Self { file, known: BTreeSet::new() })
    }

    /// Takes all dimensions of some variables, but for times and reactions, for those of cells.
    pub(super) fn take_cells(&mut self, names: &[&str]) -> Result<(), Error> {
        self.file.take_times();
        let is_own = |role: Dimension| [Dimension::Time, Dimension::Reaction].contains(&role);
        let is_named = |name: &str| names.iter().any(|wanted| name.eq_ignore_ascii_case(wanted));
        self.file.merge_items(Dimension::Cell, is_own, |variable| is_named(&variable.name))
    }

    /// The file's own name for the first of these names that it has, in any case.
    pub(super) fn find(&mut self, names: &[&str]) -> Option<String> {
        let exact = |wanted: &&str| self.file.names().find(|name| name == wanted);
        let any_case = |wanted: &&str| self.file.names().find(|name| name.eq_ignore_ascii_case(wanted));
        let found = names.iter().find_map(exact).or_else(|| names.iter().find_map(any_case))?.to_owned();
        self.known.insert(found.clone());
        Some(found)
    }

    /// The file's own name for the only variable that says by its standard name that it is this quantity.
    pub(super) fn with_standard_name(&self, quantity: &str) -> Option<String> {
        let says = |name: &&str| self.file.text_attribute(name, "standard_name").as_deref() == Some(quantity);
        let mut all = self.file.names().filter(says);
        let first = all.next()?;
        all.next().is_none().then(|| first.to_owned())
    }

    /// A variable in the first of the units to which its own converts, within that unit's range, and which that was;
    /// not one that says by its standard name that it is another quantity than that of these.
    pub(super) fn read(
        &mut self,
        name: &str,
        units: &[(&'static str, Accepted)],
        standard_names: &[&str],
    ) -> Result<(Series, &'static str), Error> {
        let spec = |&(unit, accepted): &(&'static str, Accepted)| VariableSpec {
            name,
            aliases: &[],
            standard_names,
            unit,
            axes: AXES,
            accepted,
        };
        // A number without unit is one of what has none.
        if units[0].0 != "1" {
            self.need_units(name, &format!("; expected {:?} or a unit that converts to it", units[0].0))?;
        }
        let mut unit = &units[0];
        for other in units {
            if self.file.converts(&spec(other))? {
                unit = other;
                break;
            }
        }
        Ok((Series::of(self.file.read(&spec(unit))?), unit.0))
    }

    /// A variable as rates read an input.
    pub(super) fn read_for_rates(
        &mut self,
        variable: &str,
        input: RateInput<'_>,
        density: Option<&Series>,
        derived: &mut Vec<String>,
    ) -> Result<Series, Error> {
        let own = self.read_in_own_unit(variable)?;
        let text = self.file.units_of(variable).unwrap_or_default();
        let read = units::of_rates(input, (variable, &text), own, density, derived);
        read.map_err(|problem| self.invalid(problem))
    }

    /// Rate constants of all reactions, whose labels these are.
    pub(super) fn read_rate_constants(
        &mut self,
        name: &str,
        reactions: &[Option<&str>],
        derived: &mut Vec<String>,
    ) -> Result<Series, Error> {
        if let Some(text) = self.file.units_of(name) {
            units::check_rate_constants(name, &text).map_err(|problem| self.invalid(problem))?;
        }
        self.need_units(name, "")?;
        // One unit cannot be that of all orders: a text that says so is none.
        let accepted = Accepted::FINITE;
        let spec = VariableSpec { name, aliases: &[], standard_names: &[], unit: AS_STORED, axes: RATE_AXES, accepted };
        let mut field = self.file.read(&spec)?;
        let (got, want) = (field.size(Dimension::Reaction), reactions.len());
        if got != want {
            let problem = format!("{name} has dimension reaction = {got}, but the mechanism has {want} reactions");
            return Err(self.invalid(problem));
        }
        // A coordinate of numbers counts reactions.
        let coordinate = self.file.dimension_of(Dimension::Reaction).map(|(dimension, _)| dimension);
        let texts = coordinate.and_then(|dimension| Some((self.file.texts(&dimension, &dimension).ok()?, dimension)));
        if let Some((texts, dimension)) = texts {
            let order = labels::order((&dimension, &texts), (name, reactions), derived);
            if let Some(order) = order.map_err(|problem| self.invalid(problem))? {
                field.arrange(Dimension::Reaction, &order);
            }
        }
        Ok(Series::of(field))
    }

    fn need_units(&self, name: &str, expected: &str) -> Result<(), Error> {
        let spec =
            VariableSpec { name, aliases: &[], standard_names: &[], unit: "1", axes: AXES, accepted: Accepted::FINITE };
        match self.file.name_and_units(&spec) {
            Some(_) => Ok(()),
            None => Err(self.invalid(format!("{name} has no attribute \"units\"{expected}"))),
        }
    }

    fn read_in_own_unit(&mut self, name: &str) -> Result<Series, Error> {
        self.need_units(name, "")?;
        let accepted = Accepted::FINITE;
        let spec = VariableSpec { name, aliases: &[], standard_names: &[], unit: "1", axes: AXES, accepted };
        let own = self.file.name_and_units(&spec).map_or_else(|| "1".to_owned(), |(_, unit)| unit);
        Ok(Series::of(self.file.read(&VariableSpec { unit: &own, ..spec })?))
    }

    /// The times \[s\], if a variable has any; dates count from the midnight before the first. A single one that cannot
    /// be read, as one since a date, is none, which is said.
    pub(super) fn times(&mut self, derived: &mut Vec<String>) -> Result<Vec<f64>, Error> {
        let of_file = || self.file.dimension_of(Dimension::Time).map(|(_, size)| size).filter(|&size| size == 1);
        let single = match self.file.size(Dimension::Time).or_else(of_file) {
            None | Some(0) => return Ok(vec![]),
            Some(size) => size == 1,
        };
        let called = self.file.dimension_of(Dimension::Time).map(|(name, _)| name);
        let aliases: Vec<&str> = called.iter().map(String::as_str).collect();
        let spec = VariableSpec { aliases: &aliases, ..TIMES };
        let stated = self.file.name_and_units(&spec).filter(|_| !single);
        let calendar = stated.as_ref().and_then(|(name, _)| self.file.text_attribute(name, "calendar"));
        let since = stated.and_then(|(_, units)| Since::of(&units, calendar.as_deref()).ok());
        let unit = if since.is_some() { AS_STORED } else { TIMES.unit };
        let times = match self.file.read(&VariableSpec { unit, ..spec }) {
            Ok(times) => match since {
                Some(since) => since_midnight(&since, &times.values, derived),
                None => times.values,
            },
            Err(why) if single => {
                derived.push(format!("the file's one time is not read ({why})"));
                return Ok(vec![]);
            }
            Err(why) => return Err(why),
        };
        match times.windows(2).position(|pair| pair[0] >= pair[1]) {
            None => Ok(times),
            Some(at) => {
                let (one, next) = (times[at], times[at + 1]);
                Err(self.invalid(format!("time[{}] is {next} s, but time[{at}] is {one} s: times rise", at + 1)))
            }
        }
    }

    /// Variables that nothing asked for, but for coordinates, texts and the like.
    pub(super) fn unused(&self) -> Vec<String> {
        self.file.not_read().into_iter().filter(|name| !self.known.contains(name)).collect()
    }

    pub(super) fn invalid(&self, problem: String) -> Error {
        Error::invalid(Place::File(self.file.path().to_owned()), problem)
    }
}

/// Seconds since the beginning of the day of the first of some dates, which is said.
fn since_midnight(since: &Since, numbers: &[f64], derived: &mut Vec<String>) -> Vec<f64> {
    const DAY: f64 = 86_400.0;
    let own = |number: f64| since.own(number).unwrap_or(f64::NAN);
    let midnight = numbers.first().map_or(0.0, |&first| DAY * (own(first) / DAY).floor());
    derived.push(format!("times are seconds since {}", since.calendar().text(midnight)));
    numbers.iter().map(|&number| own(number) - midnight).collect()
}
