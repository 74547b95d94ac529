//! A single cell again, from its file.

use std::path::Path;

use isobar_kpp::Mechanism;
use isobar_rosenbrock::{Batch, COUNTERS, CellFile, Options, Rates, outcome};

use crate::commands::Failure;

pub(super) fn run(path: &Path, mechanism: &Mechanism, options: Options) -> Result<(), Failure> {
    let file = CellFile::read(path)?;
    let (species, reactions) = (mechanism.species().len(), mechanism.reactions().len());
    let fits = |list: &[f64], count: usize| list.is_empty() || list.len() == count;
    if file.concentrations.len() != species || !fits(&file.rate_constants, reactions) {
        let what = format!("{} species and {} rate constants", file.concentrations.len(), file.rate_constants.len());
        let path = path.display();
        return Err(Failure(format!("{path}: {what}, but the mechanism has {species} and {reactions}")));
    }
    let mut cells = file.cells();
    if options.rates != Rates::Frozen {
        // Inputs are what rates follow from.
        cells.rate_constants.clear();
    }
    println!("cell {}: {} at step {}, time {} s", file.cell, file.outcome, file.steps, file.time);
    let program = Some(mechanism.program().clone());
    let mut batch = Batch::with_bad_cells(mechanism.compiled().clone(), program, cells, options)?;
    batch.integrate(file.time, file.end)?;
    let outputs = batch.outputs();
    let [reached, last, next] = [outputs.times[0], outputs.times[1], outputs.times[2]];
    println!("again from there to {} s: {}", file.end, outcome::describe(batch.status(0)));
    println!("time {reached} s, last step {last:e} s, next step {next:e} s");
    let counters = COUNTERS.iter().zip(&outputs.counters).map(|(name, count)| format!("{name} {count}"));
    println!("{}", counters.collect::<Vec<_>>().join(", "));
    println!("{:>16} {:>24} {:>24}", "species", "before", "after");
    let after = &batch.cells().concentrations;
    for (i, species) in mechanism.species().iter().enumerate() {
        println!("{:>16} {:24e} {:24e}", species.name, file.concentrations[i], after[i]);
    }
    Ok(())
}
