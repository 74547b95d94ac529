//! Columns of a text table: name, unit and accepted range, for reader and writer alike.

use std::fmt;

use crate::error::{Error, Place};
use crate::number::{Number, Range};

/// The title of the first column of atmospheres and observations, which names its unit in its own way.
pub(crate) const TIME: &str = "time (seconds since 2000-01-01T00:00Z)";

/// One column.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) name: String,
    unit: &'static str,
    /// None: anything goes, not-a-number too.
    range: Option<Range>,
}

impl Column {
    pub(crate) fn new(name: impl Into<String>, unit: &'static str, range: Range) -> Self {
        Self { name: name.into(), unit, range: Some(range) }
    }

    pub(crate) fn anything(name: String, unit: &'static str) -> Self {
        Self { name, unit, range: None }
    }

    /// Refuses a value out of range: what it is, and the range.
    pub(crate) fn check(&self, value: f64, item: &str, index: usize) -> Result<(), (String, String)> {
        match self.range.filter(|range| !range.contains(value)) {
            Some(range) => Err((self.describe(value, item, index), range.to_string())),
            None => Ok(()),
        }
    }

    /// Variable, value, unit and number, as an error names them.
    pub(crate) fn describe(&self, value: f64, item: &str, index: usize) -> String {
        let name = if self.name == TIME { "time" } else { &self.name };
        let blank = if self.unit.is_empty() { "" } else { " " };
        format!("{name} {}{blank}{} of {item} {index}", Number(value), self.unit)
    }
}

/// Spellings of units that mean the same, ours first.
const SPELLINGS: &[&[&str]] = &[
    &["s", "sec", "second", "seconds"],
    &["km", "kilometer", "kilometers", "kilometre", "kilometres"],
    &[
        "deg",
        "degree",
        "degrees",
        "degrees_east",
        "degree_east",
        "degrees_north",
        "degree_north",
        "deg E",
        "deg N",
        "°",
    ],
    &["hPa", "hectopascal", "mbar", "mb", "millibar"],
    &["K", "kelvin"],
    &["ppv", "1", "-", "", "mol/mol", "mol mol-1", "mol mol^-1", "vmr"],
    &[
        "molecules/cm^2",
        "molec/cm^2",
        "molecules/cm2",
        "molec/cm2",
        "molecules cm^-2",
        "molec cm^-2",
        "molecules cm-2",
        "molec cm-2",
        "cm^-2",
        "cm-2",
        "1/cm^2",
        "1/cm2",
    ],
    &["km^-1", "1/km", "km-1", "km**-1"],
    &["W/(m^2 sr cm^-1)", "W/(m2 sr cm-1)", "W m^-2 sr^-1 cm", "W m-2 sr-1 cm", "W m^-2 sr^-1 (cm^-1)^-1"],
];

impl Column {
    /// What a header says of it that it is not: the name of another of the `columns`, or another unit.
    pub(crate) fn contradiction(&self, title: &str, columns: &[Self]) -> Option<String> {
        // Names have units of their own in parentheses, and time has one alone.
        let (name, unit) = match title.trim_ascii().strip_suffix(']').and_then(|title| title.rsplit_once('[')) {
            Some((name, unit)) => (name.trim_ascii(), Some(unit.trim_ascii())),
            None => (title.trim_ascii(), None),
        };
        let ours = if self.name == TIME { "s" } else { self.unit };
        let is_other = |other: &&Self| name.eq_ignore_ascii_case(&other.name);
        // Of another channel or node, as `radiance (792.0000 cm^-1)`: names have four digits.
        let is_elsewhere = || match (at_wavenumber(name), at_wavenumber(&self.name)) {
            (Some((what, there)), Some((own, here))) => what.eq_ignore_ascii_case(own) && (there - here).abs() > 2e-4,
            _ => false,
        };
        if !is_other(&self) && (columns.iter().any(|other| is_other(&other)) || is_elsewhere()) {
            return Some(format!("is titled {name}, {} is expected", self.name));
        }
        let same = |alike: &&&[&str]| {
            [ours, unit.unwrap_or(ours)].iter().all(|unit| alike.iter().any(|other| unit.eq_ignore_ascii_case(other)))
        };
        match unit {
            Some(unit) if unit != ours && SPELLINGS.iter().find(same).is_none() => {
                let expected = if ours.is_empty() { "none" } else { ours };
                Some(format!("holds {name} in [{unit}], expected [{expected}]"))
            }
            _ => None,
        }
    }
}

/// What a title is of, and the wavenumber \[cm^-1\] at its end.
fn at_wavenumber(name: &str) -> Option<(&str, f64)> {
    let (what, number) = name.strip_suffix(" cm^-1)")?.rsplit_once('(')?;
    Some((what.trim_ascii(), number.trim_ascii().parse().ok()?))
}

impl fmt::Display for Column {
    /// As a header names it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.unit.is_empty() { f.write_str(&self.name) } else { write!(f, "{} [{}]", self.name, self.unit) }
    }
}

/// Reads one value a column from a row, which may have more; `item` and `index` name the row in an error.
pub(crate) fn parse_row(
    place: &Place,
    row: &str,
    columns: &[Column],
    item: &str,
    index: usize,
) -> Result<Vec<f64>, Error> {
    let mut tokens = row.split_ascii_whitespace();
    let mut values = Vec::with_capacity(columns.len());
    for (i, column) in columns.iter().enumerate() {
        let Some(token) = tokens.next() else {
            return Err(Error::MissingColumn {
                place: place.clone(),
                column: i + 1,
                name: column.name.clone(),
                found: i,
                expected: columns.len(),
            });
        };
        let value = parse_number(token, place, || format!("column {}, {}", i + 1, column.name))?;
        if let Some(range) = column.range.filter(|range| !range.contains(value)) {
            let what = column.describe(value, item, index);
            return Err(Error::OutOfRange { place: place.clone(), what, range: range.to_string() });
        }
        values.push(value);
    }
    Ok(values)
}

/// Reads a number; `name` says what it means in an error.
pub(crate) fn parse_number(token: &str, place: &Place, name: impl Fn() -> String) -> Result<f64, Error> {
    token.parse().map_err(|_| Error::NotANumber { place: place.clone(), token: token.to_owned(), name: name() })
}
