//! Photolysis of a run: the tables, and which inputs of the mechanism's rates they give.

use std::path::PathBuf;

use isobar_kpp::Mechanism;
use isobar_photolysis::Tables;

use super::error::Error;
use super::processes::Photolysis;
use super::reader::{CaseFile, closest};

/// Photolysis of a run.
pub(super) struct PhotolysisSetup {
    pub(super) tables: Tables,
    pub(super) albedo: f64,
    /// Inputs of the rate program with their reactions.
    pub(super) rates: Vec<[u32; 2]>,
}

/// What stands for a rate of photolysis in mechanisms: the name alone, or one of these around it.
const AROUND: [&str; 4] = ["PHOTO(", "J(", "jx(", "j("];

/// The name within an input's name.
fn within(input: &str) -> &str {
    let around = AROUND.iter().find_map(|around| input.strip_prefix(around)?.strip_suffix(')'));
    let inner = around.unwrap_or(input);
    inner.strip_prefix("ip_").or_else(|| inner.strip_prefix("Pj_")).unwrap_or(inner)
}

/// Reads the tables, and finds the reaction of each input.
pub(super) fn photolysis_of(
    file: &CaseFile,
    case: &Photolysis,
    mechanism: &Mechanism,
    inputs: &mut Vec<PathBuf>,
    notes: &mut Vec<String>,
) -> Result<PhotolysisSetup, Error> {
    let path = file.named(&case.tuvx)?;
    let read = isobar_io::read_tuv_x(&path)?;
    notes.extend(read.notes.iter().map(|note| format!("{}: {note}", path.display())));
    inputs.extend(read.files);
    let reactions = read.tables.reactions();
    let reaction = |name: &str| reactions.iter().position(|known| known.eq_ignore_ascii_case(name));
    let mut rates: Vec<[u32; 2]> = Vec::new();
    for (input, name) in &case.rates {
        let wanted = input.get_ref();
        let own = mechanism.inputs().iter().position(|own| own.name.eq_ignore_ascii_case(wanted)).ok_or_else(|| {
            let names = mechanism.inputs().iter().map(|input| input.name.as_str());
            let hint = closest(wanted, names).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            file.refuse(input, format!("the mechanism's rates have no input `{wanted}`{hint}"))
        })?;
        let number = reaction(name.get_ref()).ok_or_else(|| {
            let near = closest(name.get_ref(), reactions.iter().map(String::as_str));
            let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            file.refuse(name, format!("photolysis has no reaction `{}`{hint}", name.get_ref()))
        })?;
        rates.push([own as u32, number as u32]);
    }
    for (number, input) in mechanism.inputs().iter().enumerate() {
        let given = rates.iter().any(|pair| pair[0] as usize == number);
        if let (false, Some(reaction)) = (given, reaction(&input.name).or_else(|| reaction(within(&input.name)))) {
            rates.push([number as u32, reaction as u32]);
        }
    }
    if rates.is_empty() {
        let names: Vec<&str> = mechanism.inputs().iter().map(|input| input.name.as_str()).collect();
        let problem = format!("none of the inputs of the mechanism's rates is a reaction of it: {}", names.join(", "));
        return Err(file.refuse(&case.tuvx, problem));
    }
    let named = rates.iter().map(|&[input, reaction]| {
        format!("{} of {}", mechanism.inputs()[input as usize].name, reactions[reaction as usize])
    });
    notes.push(format!("rates of photolysis: {}", named.collect::<Vec<_>>().join(", ")));
    Ok(PhotolysisSetup { tables: read.tables, albedo: case.albedo, rates })
}
