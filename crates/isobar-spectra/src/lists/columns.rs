//! HITRANonline's tables of columns that the user has chosen, with commas, tabs or blanks between, whose first line
//! names them as HITRAN does:
//!
//! | column | what |
//! |---|---|
//! | `molec_id`, `local_iso_id` | molecule, isotopologue |
//! | `nu`, `sw`, `elower` | position, intensity, energy of the lower state (`#` if unknown) |
//! | `gamma_air`, `n_air` | half width by air and its exponent of the temperature (`#` if unknown: 0, as in 160 columns) |
//! | `gamma_self`, `n_self` | those by the gas itself; without: unknown, and the exponent by air |
//! | `delta_air`, `delta_self` | shifts; without: none |
//! | `y_air` | line mixing of first order by air \[1/atm\]; without: none |
//!
//! Others are not read, and `#` is a value that is missing. Of those that would change a line, as widths by other
//! gases, profiles beyond Voigt's and what depends on the temperature, it is said that they are not.

use std::path::Path;

use super::files::number_of;
use super::record::{ParRecord, isotopologue_of};
use crate::SpectraError;
use crate::physics::line::Line;

const NAMES: [&str; 12] = [
    "molec_id",
    "local_iso_id",
    "nu",
    "sw",
    "elower",
    "gamma_air",
    "n_air",
    "gamma_self",
    "n_self",
    "delta_air",
    "delta_self",
    "y_air",
];
/// The number of them that have to be there.
const NEEDED: usize = 7;

/// How names of columns begin that would change a line. Those of errors and references end otherwise.
const OF_LINES: [&str; 11] =
    ["gamma_", "n_", "delta_", "deltap_", "sd_", "y_", "nu_ht_", "kappa_ht_", "eta_ht_", "nuvc_", "beta_g_"];
const OF_ERRORS: [&str; 4] = ["-err", "_err", "-ref", "_ref"];

/// Where the numbers stand.
pub(super) struct Columns {
    separator: Option<char>,
    count: usize,
    places: [Option<usize>; NAMES.len()],
    unread: Vec<String>,
}

impl Columns {
    /// Does a first line name columns?
    pub(super) fn are_named(text: &str) -> bool {
        text.to_ascii_lowercase().contains(NAMES[0])
    }

    pub(super) fn of(text: &str, path: &Path, number: usize) -> Result<Self, SpectraError> {
        let separator = [',', '\t'].into_iter().find(|&separator| text.contains(separator));
        let words = split(text, separator);
        let places = NAMES.map(|name| words.iter().position(|word| word.eq_ignore_ascii_case(name)));
        let missing = NAMES.iter().zip(&places).take(NEEDED).find(|(_, place)| place.is_none());
        if let Some((name, _)) = missing {
            return Err(SpectraError::record(path, number, format!("there is no column {name}")));
        }
        let is_unread = |name: &String| {
            !NAMES.contains(&name.as_str())
                && OF_LINES.iter().any(|begin| name.starts_with(begin))
                && !OF_ERRORS.iter().any(|end| name.ends_with(end))
        };
        let unread = words.iter().map(|word| word.to_ascii_lowercase()).filter(is_unread).collect();
        Ok(Self { separator, count: words.len(), places, unread })
    }

    /// The columns that would change a line, and are not read: in small letters.
    pub(super) fn unread(&self) -> &[String] {
        &self.unread
    }

    pub(super) fn record(&self, text: &str, path: &Path, number: usize) -> Result<ParRecord, SpectraError> {
        let wrong = |why: String| SpectraError::record(path, number, why);
        let words = split(text, self.separator);
        if words.len() != self.count {
            return Err(wrong(format!("the record has {} columns; the first line names {}", words.len(), self.count)));
        }
        let word =
            |which: usize| self.places[which].map(|place| words[place]).filter(|word| !matches!(*word, "#" | ""));
        let value = |which: usize| word(which).map(|word| number_of(word, NAMES[which], path, number)).transpose();
        let needed = |which: usize| value(which)?.ok_or_else(|| wrong(format!("{} is missing", NAMES[which])));
        let molecule = word(0).and_then(|word| word.parse::<u32>().ok()).filter(|&molecule| molecule > 0);
        let molecule = molecule
            .ok_or_else(|| wrong(format!("the molecule is '{}'; accepted is a number", word(0).unwrap_or_default())))?;
        let isotopologue = match word(1).unwrap_or_default() {
            // Written as a number, too.
            "10" => 10,
            "11" => 11,
            "12" => 12,
            other => isotopologue_of(other).map_err(wrong)?,
        };
        // Unknown numbers are 0 in records of 160 columns.
        let air_exponent = value(6)?.unwrap_or(0.0);
        let line = Line {
            wavenumber_per_cm: needed(2)?,
            intensity: needed(3)?,
            lower_energy_per_cm: value(4)?.unwrap_or(-1.0),
            air_width_per_cm_atm: value(5)?.unwrap_or(0.0),
            air_exponent,
            self_width_per_cm_atm: value(7)?.unwrap_or(0.0),
            self_exponent: value(8)?.unwrap_or(air_exponent),
            air_shift_per_cm_atm: value(9)?.unwrap_or(0.0),
            self_shift_per_cm_atm: value(10)?.unwrap_or(0.0),
            mixing_per_atm: value(11)?.unwrap_or(0.0),
            ..Line::default()
        };
        Ok(ParRecord { molecule, isotopologue, line })
    }
}

fn split(text: &str, separator: Option<char>) -> Vec<&str> {
    match separator {
        Some(separator) => text.split(separator).map(str::trim).collect(),
        None => text.split_whitespace().collect(),
    }
}
