//! `isobar kpp`: a look into a mechanism.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use isobar_kpp::Mechanism;
use isobar_rosenbrock::{Method, Options};
use serde_json::{Value, json};

use super::counted;
use super::mechanism_file::Reading;
use crate::program::failure::Failure;
use crate::program::options::Json;
use crate::program::progress::patiently;

/// What is done with a mechanism.
#[derive(Subcommand, Debug)]
pub(crate) enum Kpp {
    /// What a mechanism in KPP's language holds, and what it takes
    Info(Info),
}

/// The options of `isobar kpp info`.
#[derive(Args, Debug)]
pub(crate) struct Info {
    /// Mechanism: .kpp, .def, .eqn, .spc; MCM's .fac; MUSICA's .json, .yaml; or MECCA's .ini
    mechanism: PathBuf,
    #[command(flatten)]
    reading: Reading,
    /// Also list species and reactions
    #[arg(long, conflicts_with = "json")]
    list: bool,
    #[command(flatten)]
    print: Json,
}

pub(crate) fn run(kpp: &Kpp) -> Result<(), Failure> {
    let Kpp::Info(info) = kpp;
    let mechanism = patiently(false, "reading the mechanism", || info.reading.read_open(&info.mechanism))?;
    if info.print.json {
        print_line!("{}", as_json(&mechanism));
        return Ok(());
    }
    summary(&mechanism);
    matrix(&mechanism);
    memory(&mechanism);
    atoms(&mechanism);
    if info.list {
        list(&mechanism);
    }
    for note in mechanism.notes() {
        tell!("note: {note}");
    }
    Ok(())
}

fn summary(mechanism: &Mechanism) {
    let (species, variable) = (mechanism.species(), mechanism.variable());
    let photolysis = mechanism.reactions().iter().filter(|reaction| reaction.photolysis).count();
    print_line!("species       {variable} variable, {} fixed", species.len() - variable);
    if !mechanism.unused().is_empty() {
        print_line!("left out      {}, for no reaction has them", mechanism.unused().join(", "));
    }
    print_line!("reactions     {}, {photolysis} of them photolysis", mechanism.reactions().len());
    for input in mechanism.inputs() {
        let default = input.default.map_or_else(String::new, |value| format!(", {value} unless given"));
        print_line!("input         {}{default}", input.name);
    }
    open_laws(mechanism);
    let program = mechanism.program();
    print_line!("rate program  {} instructions, {} registers", program.len(), program.registers());
    if program.depends_on_time() {
        print_line!("              depends on the time");
    }
    if program.depends_on_species(mechanism.variable()) {
        print_line!("              depends on species that react");
    }
    for family in mechanism.families() {
        let members = family.members.iter().map(|(name, weight)| {
            if (weight - 1.0).abs() < f64::EPSILON { name.clone() } else { format!("{weight} {name}") }
        });
        print_line!("family        {} = {}", family.name, members.collect::<Vec<_>>().join(" + "));
    }
}

/// Functions that are not read, with their calls, which are inputs.
fn open_laws(mechanism: &Mechanism) {
    let laws = mechanism.open_laws();
    let mut names: Vec<&str> = Vec::new();
    for law in laws {
        if !names.iter().any(|name| name.eq_ignore_ascii_case(&law.name)) {
            names.push(&law.name);
        }
    }
    for name in names {
        let calls: Vec<_> = laws.iter().filter(|law| law.name.eq_ignore_ascii_case(name)).collect();
        let reactions: BTreeSet<usize> = calls.iter().flat_map(|law| law.reactions.iter().copied()).collect();
        let (place, why) = (&calls[0].place, &calls[0].why);
        // Within an inlined function it stands elsewhere.
        let reason = match &why.place {
            Some(at) if at != place => format!("{}:{}: {}", at.file.display(), at.line, why.what),
            _ => why.what.clone(),
        };
        let (inputs, reactions) = (counted(calls.len(), "input"), counted(reactions.len(), "reaction"));
        print_line!(
            "open law      {name}, {inputs} in {reactions}, first {}:{}: {reason}",
            place.file.display(),
            place.line
        );
    }
}

fn matrix(mechanism: &Mechanism) {
    let compiled = mechanism.compiled();
    let (jacobian, factors) = (compiled.jacobian_entries(), compiled.pattern().entries());
    print_line!("Jacobian      {jacobian} entries, {factors} after elimination: {} fill in", factors - jacobian);
    let names: Vec<_> =
        mechanism.species()[..mechanism.variable()].iter().map(|species| species.name.as_str()).collect();
    print_line!("elimination   {}", names.join(" "));
}

fn memory(mechanism: &Mechanism) {
    print_line!("tables        {} bytes, the same for all cells", mechanism.tables().bytes());
    let bytes = |method: Method| {
        let layout = mechanism.compiled().layout(&Options::new(method, 1e-3, 1.0), 0);
        format!("{} {}", method.name(), layout.bytes_per_cell())
    };
    print_line!("bytes a cell in flight: {}", Method::ALL.map(bytes).join(", "));
}

fn atoms(mechanism: &Mechanism) {
    for imbalance in mechanism.imbalances() {
        let reaction = &mechanism.reactions()[imbalance.reaction];
        let verb = if imbalance.change < 0.0 { "loses" } else { "makes" };
        print_line!("{verb} {} {}: {}", imbalance.change.abs(), imbalance.atom, reaction.equation);
    }
}

/// The mechanism for programs, with the reactions.
fn as_json(mechanism: &Mechanism) -> Value {
    let compiled = mechanism.compiled();
    let species = mechanism.species().iter().zip(mechanism.initial());
    let bytes = |method: Method| {
        let layout = compiled.layout(&Options::new(method, 1e-3, 1.0), 0);
        (method.name().to_owned(), json!(layout.bytes_per_cell()))
    };
    let imbalance = |found: &isobar_kpp::Imbalance| {
        let equation = mechanism.reactions()[found.reaction].equation.to_string();
        json!({ "reaction": equation, "atom": found.atom, "change": found.change })
    };
    json!({
        "species": species.map(|(species, initial)| {
            json!({ "name": species.name, "fixed": species.fixed, "initial_per_cm3": initial })
        }).collect::<Vec<_>>(),
        "unused": mechanism.unused(),
        "reactions": mechanism.reactions().iter().map(|reaction| {
            json!({
                "label": reaction.label,
                "equation": reaction.equation.to_string(),
                "rate": reaction.rate.to_string(),
                "photolysis": reaction.photolysis,
            })
        }).collect::<Vec<_>>(),
        "inputs": mechanism.inputs().iter().map(|input| {
            json!({ "name": input.name, "default": input.default })
        }).collect::<Vec<_>>(),
        "open_laws": mechanism.open_laws().iter().map(|law| {
            json!({
                "name": law.name,
                "input": law.input,
                "reactions": law.reactions,
                "file": law.place.file,
                "line": law.place.line,
                "why": law.why.to_string(),
            })
        }).collect::<Vec<_>>(),
        "rate_program": {
            "instructions": mechanism.program().len(),
            "registers": mechanism.program().registers(),
            "depends_on_time": mechanism.program().depends_on_time(),
            "depends_on_species": mechanism.program().depends_on_species(mechanism.variable()),
        },
        "jacobian_entries": compiled.jacobian_entries(),
        "entries_after_elimination": compiled.pattern().entries(),
        "table_bytes": mechanism.tables().bytes(),
        "bytes_per_cell": Method::ALL.map(bytes).into_iter().collect::<serde_json::Map<_, _>>(),
        "imbalances": mechanism.imbalances().iter().map(imbalance).collect::<Vec<_>>(),
        "notes": mechanism.notes().iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn list(mechanism: &Mechanism) {
    for (species, initial) in mechanism.species().iter().zip(mechanism.initial()) {
        let atoms = species.atoms.as_ref().map_or_else(
            || "ignored".to_owned(),
            |atoms| atoms.iter().map(|(atom, count)| format!("{count} {atom}")).collect::<Vec<_>>().join(" + "),
        );
        let fixed = if species.fixed { "fixed" } else { "" };
        print_line!("{:>16} {fixed:5} {initial:12.4e} molecule/cm3  {atoms}", species.name);
    }
    for reaction in mechanism.reactions() {
        let label = reaction.label.as_deref().unwrap_or("");
        print_line!("{label:>12} {} : {}", reaction.equation, reaction.rate);
    }
}
