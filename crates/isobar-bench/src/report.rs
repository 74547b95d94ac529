//! What a bench says: lines for people, or with `--json` one object for programs.

use std::fmt;
use std::sync::Mutex;

use isobar::launch::Device;
use isobar::program::print;
use serde_json::{Value, json};

/// What is measured, as it becomes known.
pub(crate) struct Report {
    json: bool,
    energy: bool,
    figures: Mutex<Vec<Value>>,
}

impl Report {
    pub(crate) fn new(json: bool, energy: bool) -> Self {
        Self { json, energy, figures: Mutex::default() }
    }

    /// Is energy to be measured ([`Report::energy`])?
    pub(crate) fn wants_energy(&self) -> bool {
        self.energy
    }

    /// Prints a line for people.
    pub(crate) fn line(&self, line: fmt::Arguments<'_>) {
        if !self.json {
            print::line(line);
        }
    }

    /// Keeps a figure for programs, of which more is better: `work` says of what, as `{"columns": 1000}`.
    pub(crate) fn figure(&self, name: &str, value: f64, unit: &str, work: Value) {
        let mut figure = json!({ "name": name, "value": value, "unit": unit });
        if let (Some(figure), Value::Object(work)) = (figure.as_object_mut(), work) {
            figure.extend(work);
        }
        self.figures.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(figure);
    }

    /// Prints the object, if it is wanted.
    pub(crate) fn finish(self) {
        if self.json {
            let figures = self.figures.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
            print::line(format_args!("{}", json!({ "version": env!("CARGO_PKG_VERSION"), "figures": figures })));
        }
    }
}

/// The devices' names, for people and for programs.
pub(crate) fn names(devices: &[Device]) -> String {
    devices.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Prints a line for people.
macro_rules! say {
    ($report:expr, $($text:tt)*) => { $report.line(format_args!($($text)*)) };
}
pub(crate) use say;
