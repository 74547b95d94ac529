//! The output file.

use std::path::Path;

use isobar_core::Status;
use isobar_io::ChemistryInput;
use isobar_io::netcdf::{NetcdfOutput, OutputVariable, Provenance, Sample};
use isobar_kpp::Mechanism;
use isobar_launch::Device;
use isobar_rosenbrock::outcome;

use super::{Chem, Run};
use crate::commands::Failure;

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

pub(super) fn write(
    chem: &Chem,
    mechanism: &Mechanism,
    input: &ChemistryInput,
    devices: &[Device],
    run: &Run,
    cells: &Path,
    mut file: NetcdfOutput,
) -> Result<(), Failure> {
    file.provenance(&Provenance {
        title: "Concentrations by chemical kinetics".into(),
        device: devices.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        precision: "f64".into(),
        // Without the folder of the program, which says nothing about the result.
        history: std::iter::once("isobar".into()).chain(std::env::args().skip(1)).collect::<Vec<_>>().join(" "),
        inputs: vec![chem.mechanism.clone(), cells.to_owned()],
    })?;
    file.attribute("scheme", &chem.choices.describe())?;
    if !input.derived.is_empty() {
        file.attribute("derived", &input.derived.join("\n"))?;
    }
    let count = input.cells;
    file.dimension("time", run.times.len())?;
    file.dimension("cell", count)?;
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
    for (i, (name, kpp, what)) in STATISTICS.into_iter().enumerate() {
        let values: Vec<i32> =
            run.counters[i * count..(i + 1) * count].iter().map(|&x| x.min(i32::MAX as u32) as i32).collect();
        file.variable(&named(name, &["cell"], "1", what, None, Some(kpp)), &values)?;
    }
    let next = "step that would follow, as KPP has it";
    file.variable(&named("next_step", &["cell"], "s", next, None, Some("Hnew")), &run.next_step)?;
    file.variable(
        &named("time_reached", &["cell"], "s", "time that the cell reached", None, Some("Texit")),
        &run.reached,
    )?;
    let status: Vec<i32> = run.status.iter().map(|&status| status as i32).collect();
    let meanings = MEANINGS.map(|(status, name)| (status.0 as i32, name));
    file.flags(&named("status", &["cell"], "1", "what became of the cell", None, Some("IERR")), &status, &meanings)?;
    Ok(file.commit()?)
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
