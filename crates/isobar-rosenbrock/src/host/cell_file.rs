//! One cell as a file: what it takes to see a failure again.

use std::path::Path;

use isobar_core::Status;
use serde_json::{Value, json};

use crate::host::batch_on_host::Batch;
use crate::host::cells::Cells;
use crate::host::error::Error;
use crate::physics::outcome;

/// The format of the files.
const FORMAT: &str = "isobar cell 1";

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
    pub time: f64,
    /// The end of the interval \[s\].
    pub end: f64,
    /// The step that failed, or the next one \[s\].
    pub step: f64,
    /// Concentrations at that time, variable species first.
    pub concentrations: Vec<f64>,
    /// Rate constants, where they are frozen.
    pub rate_constants: Vec<f64>,
    /// Inputs of the rate program, temperature among them, where there are any.
    pub inputs: Vec<f64>,
}

impl Batch {
    /// A cell as the last interval, which was to end at `end` \[s\], left it.
    ///
    /// # Panics
    /// If there is no such cell.
    #[must_use]
    pub fn cell_file(&self, mechanism: &str, cell: usize, end: f64) -> CellFile {
        let (cells, outputs) = (self.cells(), self.outputs());
        let of = |values: &[f64]| values.iter().skip(cell).step_by(cells.count).copied().collect();
        CellFile {
            mechanism: mechanism.to_owned(),
            cell,
            outcome: outcome::describe(Status(outputs.status[cell])).to_owned(),
            steps: outputs.counters[2 * cells.count + cell],
            time: outputs.times[cell],
            end,
            step: outputs.times[2 * cells.count + cell],
            concentrations: of(&cells.concentrations),
            rate_constants: of(&cells.rate_constants),
            inputs: of(&cells.inputs),
        }
    }
}

impl CellFile {
    /// The cell as a batch of one: it goes on from where it was, with the step that failed.
    #[must_use]
    pub fn cells(&self) -> Cells {
        Cells {
            count: 1,
            concentrations: self.concentrations.clone(),
            rate_constants: self.rate_constants.clone(),
            inputs: self.inputs.clone(),
            first_step: vec![self.step],
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
            "time_s": number(self.time),
            "end_s": number(self.end),
            "step_s": number(self.step),
            "concentrations": list(&self.concentrations),
            "rate_constants": list(&self.rate_constants),
            "inputs": list(&self.inputs),
        });
        let text = format!("{value:#}\n");
        std::fs::write(path, text).map_err(|error| Error::File { path: path.to_owned(), reason: error.to_string() })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, or something is missing in it.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let fails = |reason: String| Error::File { path: path.to_owned(), reason };
        let text = std::fs::read_to_string(path).map_err(|error| fails(error.to_string()))?;
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
        Ok(Self {
            mechanism: text("mechanism")?,
            cell: whole("cell")? as usize,
            outcome: text("outcome")?,
            steps: u32::try_from(whole("steps")?).map_err(|_| missing("steps"))?,
            time: real("time_s")?,
            end: real("end_s")?,
            step: real("step_s")?,
            concentrations: list("concentrations")?,
            rate_constants: list("rate_constants")?,
            inputs: list("inputs")?,
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
