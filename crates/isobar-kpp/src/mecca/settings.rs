//! The settings of a run of xmecca: `.ini` (`key = value`), or `.bat` (`set key = "value"`) of older versions.

use std::collections::BTreeMap;

use super::wanted::Wanted;
use crate::error::Fault;
use crate::source::Span;

/// Settings that choose the mechanism.
pub(super) struct Settings {
    /// The number of aerosol phases.
    pub(super) phases: usize,
    pub(super) equations: (String, Span),
    pub(super) species: (String, Span),
    pub(super) replacements: Option<(String, Span)>,
    pub(super) wanted: Wanted,
    /// Fixed species with semicolons, if they are given.
    pub(super) fixed: Option<String>,
}

/// The most aerosol phases: names have two digits.
const MOST_PHASES: usize = 99;
/// Settings that change the mechanism in ways that are not known here, and what they are if they do not.
const OTHERS: [(&str, &[&str]); 6] = [
    ("mcfct", &["n"]),
    ("diagtracfile", &[""]),
    ("rxnrates", &["n"]),
    ("tag", &["n"]),
    ("tagdbl", &["n"]),
    ("embud", &["n"]),
];

impl Settings {
    /// Reads a text; gives notes of what is read over, too.
    pub(super) fn read(text: &str, number: usize) -> Result<(Self, Vec<Fault>), Fault> {
        let all = pairs(text, number);
        let get = |key: &str| all.get(key).cloned().filter(|(value, _)| !value.is_empty());
        let whole = Span { text: number, start: 0, end: 1 };
        let or = |key: &str, default: &str| get(key).unwrap_or_else(|| (default.to_owned(), whole));
        let Some((condition, span)) = get("wanted") else {
            return Err(Fault::at(
                whole,
                "`wanted`, which says what reactions there are, is missing in these settings",
            ));
        };
        let wanted = Wanted::read(&condition, span)?;
        let (phases, span) = or("apn", "0");
        let phases = phases.parse().ok().filter(|&phases| phases <= MOST_PHASES);
        let phases = phases.ok_or_else(|| Fault::at(span, format!("`apn` is a number of 0 to {MOST_PHASES}")))?;
        let mut notes = vec![];
        for (key, plain) in OTHERS {
            if let Some((value, span)) = get(key).filter(|(value, _)| !plain.contains(&value.as_str())) {
                notes.push(Fault::at(span, format!("`{key} = {value}` is read over: it adds what only MECCA has")));
            }
        }
        let fixed = get("setfixlist").map(|(list, _)| list.trim_matches(['"', '\'', ';', ' ']).to_owned());
        let file = |key: &str, default: &str| {
            let (name, span) = or(key, default);
            (name.trim_end_matches(';').to_owned(), span)
        };
        let settings = Self {
            phases,
            equations: file("gaseqnfile", "gas.eqn"),
            species: file("gasspcfile", "gas.spc"),
            replacements: get("rplfile"),
            wanted,
            fixed,
        };
        Ok((settings, notes))
    }
}

/// The last value of each key, and where it stands.
fn pairs(text: &str, number: usize) -> BTreeMap<String, (String, Span)> {
    let mut all = BTreeMap::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let at = start;
        start += line.len();
        let words = line.trim();
        if words.starts_with(['#', '[', ';']) {
            continue;
        }
        let words = words.strip_prefix("set ").unwrap_or(words);
        let Some((key, value)) = words.split_once('=') else { continue };
        // A comment begins outside of quotes.
        let mut quote = None;
        let end = value.find(|c: char| {
            match (quote, c) {
                (None, '"' | '\'') => quote = Some(c),
                (Some(open), c) if c == open => quote = None,
                _ => {}
            }
            quote.is_none() && c == '#'
        });
        let value = value[..end.unwrap_or(value.len())].trim().trim_matches(['"', '\'']).replace("\\!", "!");
        let place = at + line.find('=').unwrap_or(0) + 1;
        let span = Span { text: number, start: place, end: place + 1 };
        all.insert(key.trim().to_owned(), (value.trim().to_owned(), span));
    }
    all
}
