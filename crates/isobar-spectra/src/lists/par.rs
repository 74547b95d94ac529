//! HITRAN's records of 160 columns (Rothman et al., 2005), which HITEMP has, too; and HITRANonline's tables, whose
//! first line names their columns ([`super::columns`]).
//!
//! | columns | what | format |
//! |---|---|---|
//! | 1-2 | molecule | I2 |
//! | 3 | isotopologue: 1 to 9, `0` is the tenth, `A` the eleventh, and so on | A1 |
//! | 4-15 | position \[cm^-1\] | F12.6 |
//! | 16-25 | intensity at 296 K \[cm^-1/(molecule cm^-2)\] | E10.3 |
//! | 36-40, 41-45 | half widths by air and by the gas itself \[cm^-1/atm\] | F5.4 |
//! | 46-55 | energy of the lower state \[cm^-1\]; -1 if unknown | F10.4 |
//! | 56-59 | exponent of the temperature in the width by air | F4.2 |
//! | 60-67 | shift by air \[cm^-1/atm\] | F8.6 |
//!
//! The exponent serves the width by the gas itself, too, for the format has no other. What lies between and behind is
//! not read; more than 160 columns are accepted.

use std::io::Read;
use std::path::{Path, PathBuf};

use isobar_core::text::Lines;

use super::columns::Columns;
use super::files::{self, number_of};
use super::record::{ParRecord, check, isotopologue_of};
use super::{Odd, Oddities, isotopologue};
use crate::SpectraError;
use crate::physics::line::Line;

/// What is read of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ParOptions {
    /// Leave out lines whose lower energy is unknown (-1), instead of an error.
    pub skip_unknown_energies: bool,
    /// Leave out lines outside of this range \[cm^-1\].
    pub range_per_cm: Option<(f64, f64)>,
}

/// The records of a list, one at a time: a list of any length in the memory of one line.
pub(crate) struct ParReader<S = Box<dyn Read + Send>> {
    lines: Lines<S>,
    path: PathBuf,
    /// Where the numbers stand in a file that begins with their names.
    columns: Option<Columns>,
    /// The last record's place: the number of its line, and its position \[cm^-1\].
    before: (usize, f64),
    /// The records of 160 columns at that position; is the last one there twice?
    texts: Vec<String>,
    is_repeated: bool,
    /// What is odd in what was read.
    odd: Oddities,
    /// The last line that was read, and the one up to which lines were counted when the list was read before.
    lines_read: (usize, usize),
}

impl ParReader {
    pub(crate) fn open(path: &Path) -> Result<Self, SpectraError> {
        Ok(Self::new(files::open(path)?, path))
    }

    /// The list from its beginning: what was counted is not counted again.
    pub(crate) fn again(self) -> Result<Self, SpectraError> {
        let (now, before) = self.lines_read;
        Ok(Self { odd: self.odd, lines_read: (0, now.max(before)), ..Self::open(&self.path)? })
    }
}

impl<S: Read> ParReader<S> {
    fn new(source: S, path: &Path) -> Self {
        let (columns, before, odd) = (None, (0, 0.0), Oddities::default());
        let (lines, path) = (Lines::new(source), path.to_owned());
        Self { lines, path, columns, before, texts: Vec::new(), is_repeated: false, odd, lines_read: (0, 0) }
    }

    /// The next record, checked but for its isotopologue and energy; none at the end. Records with values that no line
    /// has are left out and counted.
    pub(crate) fn read(&mut self) -> Result<Option<ParRecord>, SpectraError> {
        let Self { lines, path, columns, before, texts, is_repeated, odd, lines_read } = self;
        while let Some((number, text)) = lines.next().map_err(|error| SpectraError::file(path, error))? {
            if text.trim().is_empty() {
                continue;
            }
            if before.0 == 0 && columns.is_none() && Columns::are_named(&text) {
                let named = Columns::of(&text, path, number)?;
                odd.note_unread(path, named.unread());
                *columns = Some(named);
                continue;
            }
            let record = match columns {
                Some(columns) => columns.record(&text, path, number)?,
                None => record(&text, path, number)?,
            };
            lines_read.0 = number;
            let is_new = number > lines_read.1;
            if is_new {
                odd.read_one();
            }
            if let Err((kind, why)) = check(&record.line) {
                if is_new {
                    odd.note(kind, path, number, || why);
                    odd.check(false)?;
                }
                continue;
            }
            let (position, last) = (record.line.wavenumber_per_cm, before.1);
            if position < last {
                let why = format!("the position {position} cm^-1 comes after {last} cm^-1; records have to ascend");
                return Err(SpectraError::record(path, number, why));
            }
            if position > last {
                texts.clear();
            }
            // A table's columns may leave out what tells lines apart.
            if columns.is_none() {
                let text = text.trim_end();
                *is_repeated = texts.iter().any(|other| other == text);
                if !*is_repeated {
                    texts.push(text.to_owned());
                }
            }
            *before = (number, position);
            return Ok(Some(record));
        }
        odd.check(true)?;
        Ok(None)
    }

    /// An error of the last record.
    fn wrong(&self, error: impl ToString) -> SpectraError {
        SpectraError::record(&self.path, self.before.0, error.to_string())
    }

    /// What is odd in what was read.
    pub(crate) fn odd(&self) -> &Oddities {
        &self.odd
    }

    /// Is the last record, which lies in the range that is wanted, taken? It is counted if it is odd.
    pub(crate) fn takes(&mut self, record: &ParRecord, skip_unknown_energies: bool) -> Result<bool, SpectraError> {
        let (odd, path, number) = (&mut self.odd, &self.path, self.before.0);
        if let Err(error) = isotopologue(record.molecule, record.isotopologue) {
            odd.note(Odd::UnknownMolecule, path, number, || error.to_string());
            odd.check(false)?;
            return Ok(false);
        }
        if !energy_is_known(record) {
            if !skip_unknown_energies {
                return Err(self.without_energy(record));
            }
            odd.note(Odd::UnknownEnergy, path, number, String::new);
            return Ok(false);
        }
        if self.is_repeated {
            odd.note(Odd::Repeated, path, number, String::new);
        }
        if record.line.air_width_per_cm_atm == 0.0 {
            odd.note(Odd::NoAirWidth, path, number, String::new);
        }
        Ok(true)
    }

    /// That the last record has no known energy.
    fn without_energy(&self, record: &ParRecord) -> SpectraError {
        let energy = record.line.lower_energy_per_cm;
        self.wrong(format!("the lower state's energy is {energy} cm^-1, which means unknown; accepted is 0 or more"))
    }
}

/// Is the energy of the lower state known?
pub(crate) fn energy_is_known(record: &ParRecord) -> bool {
    record.line.lower_energy_per_cm >= 0.0
}

/// Reads a file, packed by bzip2 or gzip or not: its records, and what was odd.
///
/// # Errors
/// A file that cannot be read, and the first record that is cut or out of order; one with a value that no line has, or
/// of an unknown molecule, if more than 1 % of the records are such; each with the number of its line. What comes after
/// the range is not looked at.
pub fn read_par(path: &Path, options: ParOptions) -> Result<(Vec<ParRecord>, Oddities), SpectraError> {
    all(ParReader::open(path)?, options)
}

/// Reads records from any source as [`read_par`] does from a file; `path` is for messages.
///
/// # Errors
/// As [`read_par`].
pub fn parse_par(
    source: impl Read,
    path: &Path,
    options: ParOptions,
) -> Result<(Vec<ParRecord>, Oddities), SpectraError> {
    all(ParReader::new(source, path), options)
}

fn all(reader: ParReader<impl Read>, options: ParOptions) -> Result<(Vec<ParRecord>, Oddities), SpectraError> {
    let mut records = Vec::new();
    let odd = each_record(reader, options, &mut |record| {
        records.push(record);
        Ok(())
    })?;
    Ok((records, odd))
}

/// Calls `each` with every record of a file, which may be longer than memory. Returns what was odd.
///
/// # Errors
/// As [`read_par`]; what `each` refuses is told with the number of the line.
pub fn for_each_par(
    path: &Path,
    options: ParOptions,
    each: &mut dyn FnMut(ParRecord) -> Result<(), SpectraError>,
) -> Result<Oddities, SpectraError> {
    each_record(ParReader::open(path)?, options, each)
}

fn each_record(
    mut reader: ParReader<impl Read>,
    options: ParOptions,
    each: &mut dyn FnMut(ParRecord) -> Result<(), SpectraError>,
) -> Result<Oddities, SpectraError> {
    while let Some(record) = reader.read()? {
        match options.range_per_cm {
            Some((low, _)) if record.line.wavenumber_per_cm < low => continue,
            Some((_, high)) if record.line.wavenumber_per_cm > high => break,
            _ => {}
        }
        if reader.takes(&record, options.skip_unknown_energies)? {
            each(record).map_err(|error| reader.wrong(error))?;
        }
    }
    Ok(reader.odd)
}

/// One record, checked.
fn record(text: &str, path: &Path, number: usize) -> Result<ParRecord, SpectraError> {
    let wrong = |why: String| SpectraError::record(path, number, why);
    if text.len() < 160 || !text.is_ascii() && text.chars().count() < 160 {
        return Err(wrong(format!("the record has {} columns; 160 are needed", text.chars().count())));
    }
    // Numbers stand in the first 67 columns, which are ASCII in a record that is one.
    let Some(text) = text.get(..67).filter(|text| text.is_ascii()) else {
        return Err(wrong("the first 67 columns are not all ASCII".to_owned()));
    };
    let value = |from: usize, to: usize, what: &str| number_of(&text[from - 1..to], what, path, number);
    let molecule = text[..2].trim();
    let molecule = molecule.parse::<u32>().ok().filter(|&molecule| molecule > 0);
    let molecule = molecule.ok_or_else(|| wrong(format!("the molecule is '{}'; accepted is a number", &text[..2])))?;
    let isotopologue = isotopologue_of(&text[2..3]).map_err(wrong)?;
    let exponent = value(56, 59, "the temperature's exponent")?;
    let line = Line {
        wavenumber_per_cm: value(4, 15, "the position [cm^-1]")?,
        intensity: value(16, 25, "the intensity")?,
        air_width_per_cm_atm: value(36, 40, "the width by air [cm^-1/atm]")?,
        self_width_per_cm_atm: value(41, 45, "the width by the gas itself [cm^-1/atm]")?,
        lower_energy_per_cm: value(46, 55, "the lower state's energy [cm^-1]")?,
        air_exponent: exponent,
        self_exponent: exponent,
        air_shift_per_cm_atm: value(60, 67, "the shift by air [cm^-1/atm]")?,
        ..Line::default()
    };
    Ok(ParRecord { molecule, isotopologue, line })
}
