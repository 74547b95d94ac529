//! The cell that is explained.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use isobar_io::chemistry::Series;
use isobar_kpp::Mechanism;
use isobar_rosenbrock::{Cells, Options, Rates};

use super::options::Explain;
use crate::commands::chem::{cells, clock, one_cell};
use crate::commands::counted;
use crate::program::failure::Failure;

/// One cell, and what its file says of it.
pub(super) struct OneCell {
    pub(super) name: String,
    /// One cell: concentrations, rate constants or inputs, and its first step, or 0.
    pub(super) cells: Cells<f64>,
    pub(super) options: Options,
    /// The interval \[s\].
    pub(super) start_s: f64,
    pub(super) length_s: f64,
    /// Rate constants at the start.
    pub(super) rate_constants: Vec<f64>,
    /// What was made up or taken, in words.
    pub(super) told: Vec<String>,
}

/// Reads the cell.
pub(super) fn read(explain: &Explain, mechanism: &Mechanism) -> Result<OneCell, Failure> {
    let is_failure = is_json(explain.first());
    let mut cell = if is_failure { of_failure(explain, mechanism)? } else { of_cells(explain, mechanism)? };
    if cell.options.rates != Rates::Frozen && !cell.cells.rate_input.is_empty() {
        // Inputs are what rates follow from.
        cell.cells.rate_constant.clear();
    }
    cell.rate_constants = if cell.cells.rate_constant.is_empty() {
        let inputs = &cell.cells.rate_input;
        mechanism.program().rate_constants(&cell.cells.concentration, inputs, cell.start_s)
    } else {
        cell.cells.rate_constant.clone()
    };
    Ok(cell)
}

/// Is it the file of a cell that failed? One that cannot be read is not.
fn is_json(path: &Path) -> bool {
    let mut first = [0; 64];
    let read = File::open(path).and_then(|mut file| file.read(&mut first));
    read.is_ok_and(|count| first[..count].trim_ascii_start().starts_with(b"{"))
}

fn of_failure(explain: &Explain, mechanism: &Mechanism) -> Result<OneCell, Failure> {
    let path = explain.first();
    if let Some(other) = explain.cells.get(1) {
        let (file, other) = (path.display(), other.display());
        return Err(Failure::usage(format!("{other}: {file} is of a cell that failed and needs no further file")));
    }
    if let Some((name, _)) = explain.set.first() {
        return Err(Failure::usage(format!("--set {name}: {} has what the cell had", path.display())));
    }
    let options = explain.choices.options(mechanism)?;
    let (file, more) = one_cell::read(path, mechanism, options.rates)?;
    if explain.index != 0 {
        return Err(Failure::usage(format!("--index: {} has one cell", path.display())));
    }
    let cells = file.cells();
    let told = format!(
        "{}: cell {} from {} s on, where it ended: {} at step {}",
        path.display(),
        file.cell,
        file.time_s,
        file.outcome,
        file.steps
    );
    Ok(OneCell {
        name: format!("cell {} of {}", file.cell, path.display()),
        cells,
        options,
        start_s: explain.start.unwrap_or(file.time_s),
        length_s: explain.dt.unwrap_or(file.left_s),
        rate_constants: vec![],
        told: std::iter::once(told).chain(more).collect(),
    })
}

fn of_cells(explain: &Explain, mechanism: &Mechanism) -> Result<OneCell, Failure> {
    let path = explain.first();
    let input = cells::read(&explain.cells, mechanism, &explain.set)?;
    if explain.index >= input.cells {
        let cells = counted(input.cells, "cell");
        return Err(Failure::usage(format!("--index {}: {} has {cells}", explain.index, path.display())));
    }
    let mut told = input.derived.clone();
    told.extend(input.contradictions.iter().cloned());
    let options = match &input.model {
        Some(model) => {
            let (options, taken) = explain.choices.of_model(mechanism, model, path)?;
            told.extend(taken);
            options
        }
        None => explain.choices.options(mechanism)?,
    };
    let start_s = clock::start_s(explain.start, &explain.reading, mechanism, &input);
    let of_model = input.model.as_ref().and_then(|model| model.interval_s);
    let length_s = explain.dt.or(of_model).ok_or_else(|| {
        Failure::usage(format!("--dt <S> is needed: {} does not say how long an interval is", path.display()))
    })?;
    if explain.dt.is_none() {
        told.push(format!("--dt is the interval of the model, {length_s} s, as its cells have it"));
    }
    let one = |series: &Series| -> Vec<f64> {
        series.at(&input.times, start_s, input.cells).iter().skip(explain.index).step_by(input.cells).copied().collect()
    };
    let cells = Cells {
        concentration: input.concentrations.iter().flat_map(one).collect(),
        rate_constant: input.rate_constants.as_ref().map_or_else(Vec::new, one),
        rate_input: input.inputs.iter().flat_map(one).collect(),
        first_step_s: input.first_steps.as_ref().map_or_else(|| vec![0.0], one),
        ..Cells::default()
    };
    let name = format!("cell {} of {}", explain.index, path.display());
    Ok(OneCell { name, cells, options, start_s, length_s, rate_constants: vec![], told })
}
