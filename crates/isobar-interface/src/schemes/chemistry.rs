//! Chemical kinetics of a mechanism in KPP's language.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use isobar_core::fields::{Extents, OwnedInputs, REACTION, SPECIES};
use isobar_io::chemistry::Series;
use isobar_io::netcdf::Remarks;
use isobar_io::{ChemistryRequest, read_chemistry};
use isobar_kpp::{Mechanism, Reader};
use isobar_launch::BadItems;
use isobar_rosenbrock::{Cells, Chemistry, Interval, Options, RATE_INPUT, Rates};
use serde_json::{Map, Value, json};

use super::{Setup, as_defaults, of_file};
use crate::callable::Callable;
use crate::error::CallError;
use crate::files::{FileChoices, FileFields};
use crate::options;
use crate::wrapped::{Parts, ReadFile};

fn by_name() -> Map<String, Value> {
    as_defaults(&Options::default().over(0.0..0.0), &["end_s"])
}

/// That of `autonomous` follows from the rates.
pub(super) fn defaults() -> Map<String, Value> {
    let mut all = by_name();
    let autonomous = all.values_mut().find_map(|group| group.get_mut("autonomous"));
    *autonomous.expect("there is such an option") = Value::Null;
    all
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    mechanism: PathBuf,
    #[serde(default)]
    include: Vec<PathBuf>,
    #[serde(default)]
    sun_from_time: bool,
}

/// Reads a mechanism.
fn read(tables: &Tables) -> Result<Mechanism, CallError> {
    let reader = tables.include.iter().fold(Reader::new(), |reader, folder| reader.folder(folder));
    let reader = if tables.sun_from_time { reader.sun_from_time() } else { reader };
    reader.read_file(&tables.mechanism).map_err(|error| CallError::File(error.to_string()))
}

/// What a mechanism says.
fn facts(mechanism: &Mechanism) -> Value {
    let inputs = mechanism.inputs().iter().map(|input| json!({ "name": input.name, "default": input.default }));
    let reactions = mechanism.reactions().iter();
    let reactions = reactions.map(|reaction| json!({ "equation": reaction.equation, "rate": reaction.rate }));
    json!({
        "species": mechanism.species().iter().map(|species| &species.name).collect::<Vec<_>>(),
        "variable_species": mechanism.variable(),
        "initial": mechanism.initial(),
        "rate_inputs": inputs.collect::<Vec<_>>(),
        "reactions": reactions.collect::<Vec<_>>(),
        "counters": isobar_rosenbrock::COUNTERS,
    })
}

/// The mechanism of a setup.
pub(super) fn of_tables(setup: &Setup) -> Result<Mechanism, CallError> {
    read(&setup.tables("chemistry")?)
}

pub(super) fn open(setup: &Setup) -> Result<Box<dyn Callable>, CallError> {
    let mechanism = Arc::new(of_tables(setup)?);
    let chemistry = Chemistry::new(mechanism.compiled().clone(), Some(mechanism.program().clone()));
    let facts = facts(&mechanism);
    let of_file = mechanism.clone();
    let file = move |path: &Path, _: &Interval, choices: &FileChoices| cells(&of_file, path, choices.time_s);
    let read = move |given: &Map<String, Value>| Ok((interval(&mechanism, given)?, Vec::new()));
    let (read, file) = (Box::new(read), Some(Box::new(file) as Box<ReadFile<Chemistry>>));
    let parts = Parts {
        name: "chemistry",
        threads: 0,
        bad_items: BadItems::Stop,
        defaults: defaults(),
        facts,
        notes: Vec::new(),
        read,
        file,
    };
    setup.wrap(|devices| chemistry.on(devices), parts)
}

/// Cells of a file at a time \[s\].
fn cells(mechanism: &Mechanism, path: &Path, time_s: f64) -> Result<FileFields, CallError> {
    let species = mechanism.species().iter().zip(mechanism.initial());
    let species: Vec<_> = species.map(|(species, &initial)| (species.name.as_str(), initial)).collect();
    let inputs: Vec<_> = mechanism.inputs().iter().map(|input| (input.name.as_str(), input.default)).collect();
    let (cfactor, part_of_air) = (mechanism.cfactor(), mechanism.part_of_air());
    let reactions: Vec<_> = mechanism.reactions().iter().map(|reaction| reaction.label.as_deref()).collect();
    let radians = mechanism.radians();
    let orders = mechanism.orders();
    let (inputs, radians, orders, reactions) = (&inputs[..], &radians[..], &orders[..], &reactions[..]);
    let (species, variable) = (&species[..], mechanism.variable());
    let request =
        ChemistryRequest { species, variable, cfactor, part_of_air, inputs, radians, orders, reactions, given: &[] };
    let input = read_chemistry(path, &request).map_err(of_file)?;
    let at = |series: &Series| series.at(&input.times, time_s, input.cells);
    let cells = Cells {
        concentration: input.concentrations.iter().flat_map(at).collect(),
        rate_constant: input.rate_constants.as_ref().map_or_else(Vec::new, at),
        rate_input: input.inputs.iter().flat_map(at).collect(),
        first_step_s: input.first_steps.as_ref().map_or_else(|| vec![0.0; input.cells], at),
        ..Cells::default()
    };
    let extents = Extents::new(input.cells)
        .with(SPECIES, species.len())
        .with(REACTION, reactions.len())
        .with(RATE_INPUT, inputs.len());
    let mut notes = input.contradictions;
    if !input.unused.is_empty() {
        notes.push(format!("nothing needs {}", input.unused.join(", ")));
    }
    notes.extend(Remarks { clamped: input.clamped, not_read: Vec::new() }.lines());
    let fields = FileFields::of(&cells.views(&extents, "cell")?, &extents, input.derived);
    Ok(fields.with_notes(notes, Vec::new()))
}

/// The options of an interval. Tolerances may be given by species, and the others then have the default; rates that
/// change with the time alone count as such, unless something else is said.
pub(super) fn interval(mechanism: &Mechanism, given: &Map<String, Value>) -> Result<Interval, CallError> {
    let mut given = given.clone();
    for (name, default) in [("absolute_tolerance", 1.0), ("relative_tolerance", 1e-3)] {
        let Some(Value::Object(by_species)) = given.get(name) else { continue };
        let mut all = vec![Value::from(default); mechanism.variable()];
        for (species, tolerance) in by_species {
            let index = mechanism.species_index(species).filter(|&index| index < all.len());
            let names = mechanism.species()[..all.len()].iter().map(|species| species.name.as_str());
            all[index.ok_or_else(|| CallError::name("variable species", species, names))?] = tolerance.clone();
        }
        given.insert(name.to_owned(), all.into());
    }
    let mut interval: Interval = options::read(&by_name(), &given)?;
    let in_group = given.get("options").and_then(|group| group.get("autonomous"));
    if [given.get("autonomous"), in_group].into_iter().flatten().all(Value::is_null) {
        let changes = interval.options.rates == Rates::Stage && mechanism.program().depends_on_time();
        interval.options.autonomous = !changes;
    }
    Ok(interval)
}

#[cfg(test)]
mod tests {
    use super::{Tables, interval, read};
    use serde_json::json;

    #[test]
    fn an_option_of_a_group_is_not_replaced_by_what_follows_from_others() {
        let mechanism = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/mechanisms/chapman_nox.kpp").into();
        let mechanism = read(&Tables { mechanism, include: vec![], sun_from_time: false }).unwrap();
        let autonomous =
            |given: serde_json::Value| interval(&mechanism, given.as_object().unwrap()).unwrap().options.autonomous;
        assert!(autonomous(json!({ "end_s": 60 })));
        assert!(autonomous(json!({ "end_s": 60, "options": { "autonomous": null } })));
        assert!(!autonomous(json!({ "end_s": 60, "autonomous": false })));
        assert!(!autonomous(json!({ "end_s": 60, "options": { "autonomous": false } })));
    }
}
