//! What a cell's file says before its numbers.

use std::path::Path;

use crate::error::{Error, Place};
use crate::number::Range;

/// KPP's options of each kind.
const OPTIONS: usize = 20;

/// The values of known labels.
#[derive(Clone, Debug, Default)]
pub(super) struct Header {
    /// \[K\]
    pub(super) temperature: Option<f64>,
    /// \[hPa\]
    pub(super) pressure: Option<f64>,
    /// \[molecule/cm^3\]
    pub(super) number_density: Option<f64>,
    pub(super) longitude: Option<f64>,
    pub(super) latitude: Option<f64>,
    pub(super) level: Option<f64>,
    pub(super) cosine_of_zenith_angle: Option<f64>,
    /// \[s\]
    pub(super) first_step: Option<f64>,
    /// \[s\]
    pub(super) interval: Option<f64>,
    /// KPP's integer options, none or 20.
    pub(super) icntrl: Vec<i32>,
    /// KPP's real options, none or 20.
    pub(super) rcntrl: Vec<f64>,
    /// Labels with values that nothing needs.
    pub(super) not_read: Vec<String>,
    /// Of which list the next lines are.
    list: Option<List>,
}

#[derive(Clone, Copy, Debug)]
enum List {
    Whole,
    Real,
}

/// What a label is called, and what its value may be.
struct Known {
    labels: &'static [&'static str],
    unit: &'static str,
    range: Range,
    place: fn(&mut Header) -> &mut Option<f64>,
}

const KNOWN: [Known; 9] = [
    Known {
        labels: &["temperature"],
        unit: " K",
        range: Range::closed(100.0, 400.0),
        place: |header| &mut header.temperature,
    },
    Known {
        labels: &["pressure"],
        unit: " hPa",
        range: Range::above_to(0.0, 1e4),
        place: |header| &mut header.pressure,
    },
    Known {
        labels: &["air number density", "dry air density"],
        unit: " molecule cm-3",
        range: Range::above_to(0.0, super::super::ranges::DENSEST),
        place: |header| &mut header.number_density,
    },
    Known { labels: &["longitude"], unit: " degrees", range: Range::FINITE, place: |header| &mut header.longitude },
    Known { labels: &["latitude"], unit: " degrees", range: Range::FINITE, place: |header| &mut header.latitude },
    Known {
        labels: &["level", "geos-chem vertical level"],
        unit: "",
        range: Range::FINITE,
        place: |header| &mut header.level,
    },
    Known {
        labels: &["cos", "cosine of solar zenith angle"],
        unit: "",
        range: Range::closed(-1.0, 1.0),
        place: |header| &mut header.cosine_of_zenith_angle,
    },
    Known {
        labels: &["kpp h val", "init kpp timestep"],
        unit: " s",
        range: Range::NOT_NEGATIVE,
        place: |header| &mut header.first_step,
    },
    Known {
        labels: &["chemistry operator timestep"],
        unit: " s",
        range: Range::POSITIVE,
        place: |header| &mut header.interval,
    },
];

/// Labels that say what is of no use here.
const WITHOUT_USE: [&str; 7] = [
    "location",
    "timestamp",
    "average water",
    "water vapor mixing ratio",
    "cloud fraction",
    "exit kpp timestep",
    "number of internal timesteps",
];

impl Header {
    /// Takes a line, numbered from 1. What has no known label is free text.
    pub(super) fn take(&mut self, path: &Path, number: usize, line: &str) -> Result<(), Error> {
        let place = || Place::line(path, number);
        if let Some(list) = self.list {
            return self.take_options(list, &place(), line);
        }
        let Some((label, value)) = line.split_once(':') else { return Ok(()) };
        let name = label.split('(').next().unwrap_or_default().trim_ascii().to_lowercase();
        if let Some(known) = KNOWN.iter().find(|known| known.labels.contains(&name.as_str())) {
            let value = number_in(value.trim_ascii(), &place(), label.trim_ascii(), known.unit, &known.range)?;
            let old = (known.place)(self).replace(value);
            return match old {
                None => Ok(()),
                Some(_) => Err(Error::invalid(place(), format!("{} stands here again", label.trim_ascii()))),
            };
        }
        match name.as_str() {
            "icntrl integrator options used" => self.list = Some(List::Whole),
            "rcntrl integrator options used" => self.list = Some(List::Real),
            name if WITHOUT_USE.contains(&name) => self.not_read.push(label.trim_ascii().to_owned()),
            _ => {}
        }
        Ok(())
    }

    /// Takes a line of options.
    fn take_options(&mut self, list: List, place: &Place, line: &str) -> Result<(), Error> {
        let too_many =
            |name: &str| Err(Error::invalid(place.clone(), format!("{name} has more than {OPTIONS} numbers")));
        let done = match list {
            List::Whole => {
                for token in line.split_ascii_whitespace() {
                    let name = format!("ICNTRL({})", self.icntrl.len() + 1);
                    self.icntrl.push(token.parse().map_err(|_| Error::NotANumber {
                        place: place.clone(),
                        token: token.to_owned(),
                        name: format!("{name}, a whole number"),
                    })?);
                }
                if self.icntrl.len() > OPTIONS {
                    return too_many("ICNTRL");
                }
                self.icntrl.len() == OPTIONS
            }
            List::Real => {
                for token in line.split_ascii_whitespace() {
                    let name = format!("RCNTRL({})", self.rcntrl.len() + 1);
                    self.rcntrl.push(number_in(token, place, &name, "", &Range::FINITE)?);
                }
                if self.rcntrl.len() > OPTIONS {
                    return too_many("RCNTRL");
                }
                self.rcntrl.len() == OPTIONS
            }
        };
        if done {
            self.list = None;
        }
        Ok(())
    }

    /// The first step, which one of the options may say, too.
    pub(super) fn first_step_s(&self) -> Option<f64> {
        self.first_step.or_else(|| self.rcntrl.get(2).copied().filter(|&step| step > 0.0))
    }
}

/// A number of Fortran's in a range.
pub(super) fn number_in(token: &str, place: &Place, name: &str, unit: &str, range: &Range) -> Result<f64, Error> {
    let Some(value) = fortran(token) else {
        return Err(Error::NotANumber { place: place.clone(), token: token.to_owned(), name: name.to_owned() });
    };
    if range.contains(value) {
        return Ok(value);
    }
    let what = format!("{name} = {}{unit}", crate::number::Number(value));
    Err(Error::OutOfRange { place: place.clone(), what, range: range.to_string() })
}

/// A number as Fortran writes it.
fn fortran(token: &str) -> Option<f64> {
    if let Ok(value) = token.parse() {
        return Some(value);
    }
    if token.contains(['d', 'D']) {
        return token.replace(['d', 'D'], "E").parse().ok();
    }
    // An exponent of three digits has no room for its letter.
    let sign = token.char_indices().skip(1).find(|&(_, c)| c == '+' || c == '-')?.0;
    let (mantissa, exponent) = token.split_at(sign);
    format!("{mantissa}E{exponent}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::fortran;

    #[test]
    fn numbers_are_fortrans() {
        for (token, value) in [
            ("4.187220031448374E-002", 4.187_220_031_448_374e-2),
            ("-1.5D+03", -1.5e3),
            ("0.25-103", 0.25e-103),
            ("7", 7.0),
        ] {
            assert_eq!(fortran(token), Some(value), "{token}");
        }
        for token in ["", "*****", "1.0E", "-", "1,5", "1.0-x"] {
            assert_eq!(fortran(token), None, "{token}");
        }
    }
}
