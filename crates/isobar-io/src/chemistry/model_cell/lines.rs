//! The numbers of a cell's file, in either form.

use std::path::Path;

use super::header::{Header, number_in};
use crate::error::{Error, Place};
use crate::number::Range;

/// A species of the later form.
#[derive(Clone, Debug)]
pub(super) struct NamedSpecies {
    pub(super) name: String,
    pub(super) concentration: f64,
    /// \[molecule/cm^3\]
    pub(super) absolute_tolerance: Option<f64>,
    pub(super) line: usize,
}

/// Species by their number or by name.
#[derive(Clone, Debug)]
pub(super) enum Amounts {
    /// In KPP's order.
    Numbered(Vec<f64>),
    Named(Vec<NamedSpecies>),
}

/// Everything but the header.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) amounts: Amounts,
    pub(super) rate_constants: Vec<f64>,
    /// Rates at the start \[molecule/(cm^3 s)\].
    pub(super) rates: Vec<f64>,
    /// The line of the last rate constant.
    pub(super) rate_constants_end: usize,
}

/// What is listed one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Species,
    RateConstants,
    Rates,
}

impl Part {
    fn letter(self) -> char {
        match self {
            Self::Species => 'C',
            Self::RateConstants => 'R',
            Self::Rates => 'A',
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Species => "species",
            Self::RateConstants => "rate constants",
            Self::Rates => "rates",
        }
    }
}

/// Species may be below 0 by what a model leaves.
const AMOUNTS: Range = Range::closed(-super::super::ranges::DENSEST, super::super::ranges::DENSEST);

/// Reads a file.
pub(super) fn read(path: &Path, text: &str) -> Result<(Header, Body), Error> {
    let mut header = Header::default();
    let mut lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim_ascii()));
    let mut list = Lists::default();
    for (number, line) in lines.by_ref() {
        if line.starts_with("Name,") {
            list.named = Some(Vec::new());
            break;
        }
        if let Some(entry) = Entry::labelled(line) {
            list.take_labelled(path, number, &entry)?;
            break;
        }
        header.take(path, number, line)?;
    }
    for (number, line) in lines.filter(|(_, line)| !line.is_empty()) {
        if list.named.is_some() {
            list.take_named(path, number, line)?;
        } else if let Some(entry) = Entry::labelled(line) {
            list.take_labelled(path, number, &entry)?;
        } else if line.starts_with("Integration counts:") {
            header.not_read.push("Integration counts".to_owned());
        } else {
            let problem = format!("{line:?} is not of the form `C( i ) = value`, `R( i ) = value` or `A( i ) = value`");
            return Err(Error::invalid(Place::line(path, number), problem));
        }
    }
    Ok((header, list.body(path)?))
}

/// A line `C( i ) = value`.
struct Entry<'a> {
    part: Part,
    index: &'a str,
    value: &'a str,
}

impl<'a> Entry<'a> {
    fn labelled(line: &'a str) -> Option<Self> {
        let part = [Part::Species, Part::RateConstants, Part::Rates]
            .into_iter()
            .find(|part| line.starts_with(part.letter()))?;
        let (index, value) = line[1..].trim_ascii_start().strip_prefix('(')?.split_once(')')?;
        Some(Self { part, index: index.trim_ascii(), value: value.trim_ascii().strip_prefix('=')?.trim_ascii() })
    }
}

/// What was read so far.
#[derive(Default)]
struct Lists {
    numbered: [Vec<f64>; 3],
    named: Option<Vec<NamedSpecies>>,
    rate_constants_end: usize,
}

impl Lists {
    fn take_labelled(&mut self, path: &Path, number: usize, entry: &Entry<'_>) -> Result<(), Error> {
        let place = Place::line(path, number);
        let next = self.numbered[entry.part as usize].len() + 1;
        let later = (entry.part as usize + 1..3).any(|part| !self.numbered[part].is_empty());
        if later || entry.index.parse() != Ok(next) {
            let (letter, index) = (entry.part.letter(), entry.index);
            return Err(Error::invalid(
                place,
                format!("{letter}( {index} ) stands where {} belongs", self.expected(next, entry.part)),
            ));
        }
        self.push(entry.part, next, (&place, number), entry.value)
    }

    /// What belongs where an entry stands that does not.
    fn expected(&self, next: usize, part: Part) -> String {
        let last = [Part::Rates, Part::RateConstants, Part::Species]
            .into_iter()
            .find(|&part| !self.numbered[part as usize].is_empty());
        match last.filter(|&last| last > part) {
            Some(last) => format!("{}( {} )", last.letter(), self.numbered[last as usize].len() + 1),
            None => format!("{}( {next} )", part.letter()),
        }
    }

    fn push(&mut self, part: Part, index: usize, (place, number): (&Place, usize), value: &str) -> Result<(), Error> {
        let (range, unit) = match part {
            Part::Species => (AMOUNTS, " molecule cm-3"),
            Part::RateConstants | Part::Rates => (Range::FINITE, ""),
        };
        let value = number_in(value, place, &format!("{}({index})", part.letter()), unit, &range)?;
        self.numbered[part as usize].push(value);
        if part == Part::RateConstants {
            self.rate_constants_end = number;
        }
        Ok(())
    }

    /// A line `NAME, value`, with an absolute tolerance or not.
    fn take_named(&mut self, path: &Path, number: usize, line: &str) -> Result<(), Error> {
        let place = Place::line(path, number);
        let mut columns = line.split(',').map(str::trim_ascii);
        let (name, value, more) = (columns.next().unwrap_or_default(), columns.next(), columns.next());
        let Some(value) = value.filter(|_| !name.is_empty() && columns.next().is_none()) else {
            let problem = format!("{line:?} is not of the form `NAME, value` or `NAME, value, absolute tolerance`");
            return Err(Error::invalid(place, problem));
        };
        let of =
            |part: Part, lists: &Self| name == format!("{}{}", part.letter(), lists.numbered[part as usize].len() + 1);
        let [no_constants, no_rates] = [1, 2].map(|part: usize| self.numbered[part].is_empty());
        if no_rates && of(Part::RateConstants, self) {
            return self.push(Part::RateConstants, self.numbered[1].len() + 1, (&place, number), value);
        }
        if !no_constants && of(Part::Rates, self) {
            return self.push(Part::Rates, self.numbered[2].len() + 1, (&place, number), value);
        }
        if !no_constants {
            let (part, next) =
                if no_rates { ('R', self.numbered[1].len() + 1) } else { ('A', self.numbered[2].len() + 1) };
            return Err(Error::invalid(place, format!("{name} stands where {part}{next} belongs")));
        }
        let concentration = number_in(value, &place, name, " molecule cm-3", &AMOUNTS)?;
        let tolerance = |text: &str| {
            number_in(text, &place, &format!("the absolute tolerance of {name}"), " molecule cm-3", &Range::POSITIVE)
        };
        let absolute_tolerance = more.map(tolerance).transpose()?;
        let name = name.to_owned();
        self.named.get_or_insert_default().push(NamedSpecies { name, concentration, absolute_tolerance, line: number });
        Ok(())
    }

    /// The numbers, if there are some of each.
    fn body(self, path: &Path) -> Result<Body, Error> {
        let Self { numbered: [species, rate_constants, rates], named, rate_constants_end } = self;
        let counts = [named.as_ref().map_or(species.len(), Vec::len), rate_constants.len(), rates.len()];
        for (count, part) in counts.into_iter().zip([Part::Species, Part::RateConstants, Part::Rates]) {
            // Rates at the start are no more than a check.
            if count == 0 && part != Part::Rates {
                return Err(Error::invalid(Place::File(path.to_owned()), format!("the file has no {}", part.words())));
            }
        }
        if !rates.is_empty() && rates.len() != rate_constants.len() {
            let problem = format!("{} rates of {} reactions: is the file whole?", rates.len(), rate_constants.len());
            return Err(Error::invalid(Place::File(path.to_owned()), problem));
        }
        let amounts = named.map_or(Amounts::Numbered(species), Amounts::Named);
        Ok(Body { amounts, rate_constants, rates, rate_constants_end })
    }
}
