//! One cell as a file: what it takes to see a failure again.

use std::path::Path;

use isobar_core::Status;
use isobar_core::fields::Error;
use serde_json::{Value, json};

use crate::fields::{Cells, Integrated};
use crate::host::options::Interval;
use crate::physics::outcome;

/// The format of the files.
const FORMAT: &str = "isobar cell 1";

/// What the numbers of a cell belong to: none of a file that lacks them, whose order then is all there is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellNames {
    /// The species.
    pub species: Vec<String>,
    /// The reactions, by their labels and equations.
    pub reactions: Vec<String>,
    /// The formula of each reaction's rate.
    pub rates: Vec<String>,
    /// The inputs of the rate program.
    pub inputs: Vec<String>,
}

/// A cell on its own: its state when it failed, and how it came there.
#[derive(Clone, Debug, PartialEq)]
pub struct CellFile {
    /// The mechanism's name.
    pub mechanism: String,
    /// The cell's number in its batch.
    pub cell: usize,
    /// What became of it, in words.
    pub outcome: String,
    /// The steps that were attempted.
    pub steps: u32,
    /// The time that was reached, where the failing step began \[s\].
    pub time_s: f64,
    /// The end of the interval \[s\].
    pub end_s: f64,
    /// What is left of the interval \[s\]: late times round more than their difference does.
    pub left_s: f64,
    /// The step that failed, or the next one \[s\].
    pub step_s: f64,
    /// Concentrations at that time, variable species first.
    pub concentrations: Vec<f64>,
    /// Rate constants, where they are frozen.
    pub rate_constants: Vec<f64>,
    /// Inputs of the rate program, temperature among them, where there are any.
    pub inputs: Vec<f64>,
    /// What these belong to.
    pub names: CellNames,
}

impl CellFile {
    /// A cell as an interval left it. `rate_constants` are those that the program gave it, if it did.
    ///
    /// # Panics
    /// If there is no such cell.
    #[must_use]
    pub fn new(
        mechanism: &str,
        (cells, done): (&Cells<f64>, &Integrated<f64>),
        cell: usize,
        interval: &Interval,
        rate_constants: Vec<f64>,
    ) -> Self {
        let count = cells.first_step_s.len();
        let of = |values: &[f64]| values.iter().skip(cell).step_by(count).copied().collect::<Vec<_>>();
        Self {
            mechanism: mechanism.to_owned(),
            cell,
            outcome: outcome::describe(Status(done.status[cell])).to_owned(),
            steps: done.counters[2 * count + cell],
            time_s: done.time_reached_s[cell],
            end_s: interval.end_s,
            left_s: interval.length_s() - (done.time_reached_s[cell] - interval.start_s),
            step_s: done.next_step_s[cell],
            concentrations: of(&done.concentration),
            rate_constants: if rate_constants.is_empty() { of(&cells.rate_constant) } else { rate_constants },
            inputs: of(&cells.rate_input),
            names: CellNames::default(),
        }
    }

    /// The cell as a batch of one: it goes on from where it was, with the step that failed.
    #[must_use]
    pub fn cells(&self) -> Cells<f64> {
        Cells {
            concentration: self.concentrations.clone(),
            rate_constant: self.rate_constants.clone(),
            rate_input: self.inputs.clone(),
            first_step_s: vec![self.step_s],
            ..Cells::default()
        }
    }

    /// Writes the file. Numbers have all their digits; what is not finite is a text.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        let list = |values: &[f64]| values.iter().copied().map(number).collect::<Vec<_>>();
        let value = json!({
            "format": FORMAT,
            "mechanism": self.mechanism,
            "cell": self.cell,
            "outcome": self.outcome,
            "steps": self.steps,
            "time_s": number(self.time_s),
            "end_s": number(self.end_s),
            "left_s": number(self.left_s),
            "step_s": number(self.step_s),
            "concentrations": list(&self.concentrations),
            "rate_constants": list(&self.rate_constants),
            "inputs": list(&self.inputs),
            "species": self.names.species,
            "reactions": self.names.reactions,
            "rates": self.names.rates,
            "input_names": self.names.inputs,
        });
        let text = format!("{value:#}\n");
        std::fs::write(path, text).map_err(|error| Error::Setup(format!("{}: {error}", path.display())))
    }

    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, or something is missing in it.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let fails = |reason: String| Error::Setup(format!("{}: {reason}", path.display()));
        let text = isobar_core::text::read_to_string(path).map_err(|error| fails(error.to_string()))?;
        let value: Value = serde_json::from_str(&text).map_err(|error| fails(error.to_string()))?;
        if value["format"] != FORMAT {
            return Err(fails(format!("this is no file of a cell: its format is not `{FORMAT}`")));
        }
        let missing = |key: &str| fails(format!("`{key}` is missing, or is not what it should be"));
        let text = |key: &str| value[key].as_str().map(str::to_owned).ok_or_else(|| missing(key));
        let whole = |key: &str| value[key].as_u64().ok_or_else(|| missing(key));
        let real = |key: &str| parse(&value[key]).ok_or_else(|| missing(key));
        let list = |key: &str| {
            let all = value[key].as_array().ok_or_else(|| missing(key))?;
            all.iter().map(|x| parse(x).ok_or_else(|| missing(key))).collect::<Result<Vec<_>, _>>()
        };
        // Files of before do not have names.
        let names = |key: &str| match &value[key] {
            Value::Null => Ok(vec![]),
            Value::Array(all) => {
                all.iter().map(|x| x.as_str().map(str::to_owned).ok_or_else(|| missing(key))).collect()
            }
            _ => Err(missing(key)),
        };
        let mechanism = text("mechanism")?;
        let (time_s, end_s) = (real("time_s")?, real("end_s")?);
        // Files of before do not have it.
        let left_s = if value["left_s"].is_null() { end_s - time_s } else { real("left_s")? };
        Ok(Self {
            mechanism,
            cell: whole("cell")? as usize,
            outcome: text("outcome")?,
            steps: u32::try_from(whole("steps")?).map_err(|_| missing("steps"))?,
            time_s,
            end_s,
            left_s,
            step_s: real("step_s")?,
            concentrations: list("concentrations")?,
            rate_constants: list("rate_constants")?,
            inputs: list("inputs")?,
            names: CellNames {
                species: names("species")?,
                reactions: names("reactions")?,
                rates: names("rates")?,
                inputs: names("input_names")?,
            },
        })
    }
}

/// A number, as text: JSON has no NaN, and its readers may round.
fn number(x: f64) -> Value {
    Value::String(format!("{x:e}"))
}

fn parse(value: &Value) -> Option<f64> {
    value.as_str()?.parse().ok()
}
