//! The output file.

use std::path::PathBuf;

use isobar_core::Status;
use isobar_io::ChemistryInput;
use isobar_io::netcdf::{DatasetWriter, OutputVariable, Provenance, Sample};
use isobar_kpp::{Mechanism, Species};
use isobar_launch::Device;
use isobar_rosenbrock::outcome;

use super::Chem;
use super::run::{Run, Work};
use crate::program::failure::Failure;

/// Names of the counters with KPP's, and what they count.
const STATISTICS: [(&str, &str, &str); 8] = [
    ("function_calls", "Nfun", "evaluations of the rates of change"),
    ("jacobian_calls", "Njac", "evaluations of the Jacobian"),
    ("steps", "Nstp", "attempted steps"),
    ("accepted_steps", "Nacc", "accepted steps"),
    ("rejected_steps", "Nrej", "rejected steps, but for those before the first accepted one of an interval"),
    ("decompositions", "Ndec", "factorisations"),
    ("solutions", "Nsol", "solutions of linear systems"),
    ("singular_matrices", "Nsng", "singular matrices"),
];

/// What a status means.
const MEANINGS: [(Status, &str); 5] = [
    (Status::OK, "success"),
    (outcome::NOT_FINITE, "not_finite"),
    (outcome::TOO_MANY_STEPS, "too_many_steps"),
    (outcome::STEP_TOO_SMALL, "step_too_small"),
    (outcome::SINGULAR, "singular_matrix"),
];

/// What else the output has besides species.
const OTHERS: [&str; 8] =
    ["time", "status", "time_reached", "first_step", "next_step", "retries", "solved_species", "reduction_threshold"];

/// Refuses species whose names are those of other variables of the output.
pub(super) fn check_names(mechanism: &Mechanism, input: &ChemistryInput) -> Result<(), Failure> {
    let facts = || input.model.iter().flat_map(|model| &model.facts).map(|fact| fact.name);
    let is_taken = |name: &str| {
        let counters = STATISTICS.iter().map(|(counter, ..)| *counter);
        OTHERS.into_iter().chain(counters).chain(facts()).any(|taken| taken == name)
    };
    match mechanism.species().iter().find(|species| is_taken(&species.name)) {
        None => Ok(()),
        Some(Species { name, .. }) => Err(Failure::new(format!(
            "the mechanism has a species {name}, which is the name of another variable of the output: call it otherwise"
        ))),
    }
}

pub(super) fn write(
    chem: &Chem,
    work: &Work<'_>,
    devices: &[Device],
    run: &Run,
    cells: &[PathBuf],
    mut file: DatasetWriter,
) -> Result<(), Failure> {
    let Work { mechanism, input, clock, .. } = *work;
    file.provenance(&Provenance {
        title: "Concentrations by chemical kinetics".into(),
        device: devices.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        precision: "f64".into(),
        history: history(crate::commands::arguments()),
        inputs: std::iter::once(chem.mechanism().to_owned()).chain(cells.iter().cloned()).collect(),
    })?;
    file.attribute("scheme", &chem.choices.describe(&work.options, mechanism, input.model.as_ref()))?;
    if !input.derived.is_empty() {
        file.attribute("derived", &input.derived.join("\n"))?;
    }
    if run.intervals < clock.intervals() {
        let reached = clock.at(run.intervals);
        let text = format!("after interval {} of {}, at {reached} s", run.intervals, clock.intervals());
        file.attribute("stopped", &text)?;
    }
    if let Some(text) = negative(work, run) {
        file.attribute("negative_concentrations", &text)?;
    }
    let count = input.cells;
    file.dimension("time", run.times.len())?;
    let is_species = |name: &str| mechanism.species().iter().any(|species| species.name == name);
    file.items("cell", count, &input.grid, is_species)?;
    file.variable(&named("time", &["time"], "s", "time", Some("time"), None), &run.times)?;
    let densities: Vec<Option<Vec<f64>>> = run
        .times
        .iter()
        .map(|&time| input.number_density.as_ref().map(|density| density.at(&input.times, time, count)))
        .collect();
    for (i, species) in mechanism.species().iter().enumerate() {
        let fraction = input.mole_fractions[i];
        let at = |(concentrations, density): (&Vec<f64>, &Option<Vec<f64>>)| {
            let row = concentrations[i * count..(i + 1) * count].to_vec();
            match density {
                Some(density) if fraction => row.iter().zip(density).map(|(c, n)| c / n).collect(),
                _ => row,
            }
        };
        let values: Vec<f64> = run
            .concentrations
            .iter()
            .zip(&densities)
            .flat_map(at)
            .map(|x| if x.is_nan() { f64::FILL } else { x })
            .collect();
        let (units, kind) = if fraction { ("mol mol-1", "mole fraction") } else { ("molecule cm-3", "concentration") };
        let long_name = format!("{kind} of {}{}", species.name, if species.fixed { ", held" } else { "" });
        file.variable_with_gaps(&named(&species.name, &["time", "cell"], units, &long_name, None, None), &values)?;
    }
    for fact in input.model.iter().flat_map(|model| &model.facts) {
        file.variable(&named(fact.name, &["cell"], fact.unit, fact.long_name, None, None), &fact.values)?;
    }
    for (i, (name, kpp, what)) in STATISTICS.into_iter().enumerate() {
        let values: Vec<i32> =
            run.counters[i * count..(i + 1) * count].iter().map(|&x| x.min(i32::MAX as u32) as i32).collect();
        file.variable(&named(name, &["cell"], "1", what, None, Some(kpp)), &values)?;
    }
    if !run.attempts.is_empty() {
        let attempts: Vec<i32> = run.attempts.iter().map(|&count| count.min(i32::MAX as u32) as i32).collect();
        let long_name = "attempts after failures, in all intervals";
        file.variable(&named("retries", &["cell"], "1", long_name, None, None), &attempts)?;
    }
    if !run.solved.is_empty() {
        let solved: Vec<i32> = run.solved.iter().map(|&count| count as i32).collect();
        let long_name = "species that were solved for at the end, of those that change";
        file.variable(&named("solved_species", &["cell"], "1", long_name, None, Some("rNVAR")), &solved)?;
        let long_name = "threshold of the autoreduction";
        let units = "molecule cm-3 s-1";
        file.variable(&named("reduction_threshold", &["cell"], units, long_name, None, None), &run.threshold)?;
    }
    let next = "step that would follow, as KPP has it";
    file.variable(&named("next_step", &["cell"], "s", next, None, Some("Hnew")), &run.next_step)?;
    // A cell that failed has none.
    let first: Vec<f64> = run
        .cells
        .first_step_s
        .iter()
        .zip(&run.status)
        .map(|(&step, &status)| if status == 0 { step } else { f64::FILL })
        .collect();
    let long_name = "first step of an interval that goes on from here";
    file.variable_with_gaps(&named("first_step", &["cell"], "s", long_name, None, Some("Hstart")), &first)?;
    file.variable(
        &named("time_reached", &["cell"], "s", "time that the cell reached", None, Some("Texit")),
        &run.reached,
    )?;
    let status: Vec<i32> = run.status.iter().map(|&status| status as i32).collect();
    let meanings = MEANINGS.map(|(status, name)| (status.0 as i32, name));
    file.flags(&named("status", &["cell"], "1", "what became of the cell", None, Some("IERR")), &status, &meanings)?;
    super::account::write(work, run, &mut file)?;
    Ok(file.commit()?)
}

/// The command line, without what says nothing about the result: the folder of the program, and how the run was saved
/// and resumed.
fn history(arguments: impl Iterator<Item = String>) -> String {
    const SAVING: [&str; 3] = ["--restart", "--restart-hours", "--resume"];
    let mut words = vec!["isobar".to_owned()];
    let mut arguments = arguments.skip(1);
    while let Some(word) = arguments.next() {
        match word.split_once('=') {
            _ if SAVING.contains(&word.as_str()) => drop(arguments.next()),
            Some((name, _)) if SAVING.contains(&name) => {}
            _ => words.push(word),
        }
    }
    words.join(" ")
}

/// The species that have values below zero, how many and the lowest: round-off leaves such, unless they are clipped.
fn negative(work: &Work<'_>, run: &Run) -> Option<String> {
    let count = work.input.cells;
    let tolerances = &work.options.absolute_tolerance;
    let line = |(i, species): (usize, &isobar_kpp::Species)| {
        let values = || run.concentrations.iter().flat_map(|all| &all[i * count..(i + 1) * count]);
        let (below, lowest) = values()
            .filter(|&&value| value < 0.0)
            .fold((0_usize, 0.0_f64), |(below, lowest), &value| (below + 1, lowest.min(value)));
        // One tolerance for all, or one each; fixed species have none.
        let tolerance = if tolerances.len() == 1 { tolerances.first() } else { tolerances.get(i) };
        let tolerance = tolerance.map(|tolerance| format!(" (absolute tolerance {tolerance:e})")).unwrap_or_default();
        let (name, of) = (&species.name, values().count());
        (below > 0).then(|| {
            format!("{name}: {below} of {of} values are below 0, the lowest {lowest:e} molecule cm-3{tolerance}")
        })
    };
    let lines: Vec<String> = work.mechanism.species().iter().enumerate().filter_map(line).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn named<'a>(
    name: &'a str,
    dimensions: &'a [&'a str],
    units: &'a str,
    long_name: &'a str,
    standard_name: Option<&'a str>,
    reference_name: Option<&'a str>,
) -> OutputVariable<'a> {
    OutputVariable { name, dimensions, units, long_name, standard_name, reference_name }
}

#[cfg(test)]
mod tests {
    #[test]
    fn how_a_run_was_saved_is_not_its_history() {
        let line = "/usr/bin/isobar chem -o x.nc --restart r.nc --dt 60 --resume=r.nc --restart-hours 2 --restarted";
        let history = super::history(line.split(' ').map(str::to_owned));
        assert_eq!(history, "isobar chem -o x.nc --dt 60 --restarted");
    }
}
