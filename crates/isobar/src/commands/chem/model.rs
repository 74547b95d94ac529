//! Cells of a model's own files against the mechanism.

use std::path::Path;

use isobar_io::ChemistryInput;
use isobar_io::chemistry::{ModelRun, Series};
use isobar_kpp::Mechanism;

use crate::program::remarks::warn;

/// Rates, relative: files have 15 digits, and rates are products of some of their numbers.
const RATE: f64 = 1e-9;
/// Nothing, in any mechanism \[molecule/(cm^3 s)\].
const NOTHING: f64 = 1e-30;

/// Warns where the model's rates of the first cell are not the mechanism's: another one of as many species and
/// reactions would give numbers, too.
pub(super) fn compare_rates(mechanism: &Mechanism, input: &ChemistryInput, model: &ModelRun, path: &Path) {
    let first =
        |series: &Series| series.at(&input.times, 0.0, input.cells).iter().step_by(input.cells).copied().collect();
    let concentrations: Vec<f64> =
        input.concentrations.iter().flat_map(|series| -> Vec<f64> { first(series) }).collect();
    let constants: Vec<f64> = input.rate_constants.as_ref().map_or_else(Vec::new, first);
    let Ok(here) = mechanism.compiled().evaluate(&concentrations, &constants) else { return };
    let all = mechanism.reactions().iter().zip(model.first_rates.iter().zip(here.rates)).enumerate();
    let differ = |&(_, (_, (&of_model, here))): &(usize, (&isobar_kpp::Reaction, (&f64, f64)))| {
        (here - of_model).abs() > RATE * of_model.abs() + NOTHING
    };
    if let Some((number, (reaction, (of_model, here)))) =
        all.filter(|(_, (reaction, _))| !reaction.net.is_empty()).find(differ)
    {
        warn(format!(
            "{}: A({}) is {of_model:e}, but the rate of {} is {here:e} here: are these cells of this mechanism?",
            path.display(),
            number + 1,
            reaction.equation
        ));
    }
}
