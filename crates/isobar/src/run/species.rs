//! The chemistry of a run: its mechanism, and the tracers that the columns get from it.

use std::path::PathBuf;

use isobar_column::Initial;
use isobar_core::constants::AVOGADRO_PER_MOL;
use isobar_kpp::{Mechanism, Reader};
use toml::Spanned;

use super::error::Error;
use super::light::{PhotolysisSetup, photolysis_of};
use super::processes::Chemistry;
use super::reader::{CaseFile, closest};

/// The chemistry of a run.
pub(super) struct ChemistrySetup {
    pub(super) mechanism: Mechanism,
    pub(super) fixed: Vec<f64>,
    /// The emission of each tracer \[mol/(m^2 s)\].
    pub(super) emission: Vec<f64>,
    pub(super) every: u64,
    pub(super) tolerances: [f64; 2],
    pub(super) photolysis: Option<PhotolysisSetup>,
}

/// The number of a tracer.
pub(super) fn tracer(mechanism: &Mechanism, name: &str) -> Option<usize> {
    mechanism.species_index(name).filter(|&number| number < mechanism.variable())
}

/// Reads the mechanism, and gives the columns its variable species as tracers.
pub(super) fn chemistry_of(
    file: &CaseFile,
    case: &Chemistry,
    initial: &mut Initial,
    inputs: &mut Vec<PathBuf>,
    notes: &mut Vec<String>,
) -> Result<ChemistrySetup, Error> {
    let path = file.named(&case.mechanism)?;
    let mechanism = Reader::new().read_file(&path)?;
    inputs.extend_from_slice(mechanism.files());
    let names: Vec<&str> = mechanism.species().iter().map(|species| species.name.as_str()).collect();
    let find = |name: &Spanned<String>, known: &[&str]| {
        let wanted = name.get_ref();
        known.iter().position(|known| known.eq_ignore_ascii_case(wanted)).ok_or_else(|| {
            let hint = closest(wanted, known.iter().copied()).map(|near| format!("; did you mean `{near}`?"));
            let hint = hint.unwrap_or_else(|| format!("; there are {}", known.join(", ")));
            file.refuse(name, format!("the mechanism has no such species `{wanted}`{hint}"))
        })
    };
    let (variable, layers, columns) = (mechanism.variable(), initial.layers(), initial.columns);
    let part = mechanism.part_of_air();
    let own = mechanism.initial().iter().map(|&x| part.map_or(0.0, |part| x / mechanism.cfactor() * part));
    let mut fractions: Vec<f64> = own.collect();
    let mut given = vec![false; fractions.len()];
    for (name, value) in &case.initial {
        let number = find(name, &names)?;
        (fractions[number], given[number]) = (file.check(value, (0.0, 1.0))?, true);
    }
    if let Some(number) = (variable..names.len()).find(|&number| part.is_none() && !given[number]) {
        let problem = format!(
            "the mechanism's CFACTOR is no part of the air: give the mole fraction of {} in initial",
            names[number]
        );
        return Err(file.refuse(&case.mechanism, problem));
    }
    let ozone = tracer(&mechanism, "O3").filter(|&number| !given[number]);
    initial.tracers = variable;
    initial.tracers_mol_per_mol = Vec::with_capacity(layers * variable * columns);
    for layer in 0..layers {
        for (number, &fraction) in fractions[..variable].iter().enumerate() {
            if ozone == Some(number) {
                initial
                    .tracers_mol_per_mol
                    .extend_from_slice(&initial.ozone_mol_per_mol[layer * columns..(layer + 1) * columns]);
            } else {
                initial.tracers_mol_per_mol.extend(std::iter::repeat_n(fraction, columns));
            }
        }
    }
    let mut emission = vec![0.0; variable];
    for (name, value) in &case.emission_per_cm2_s {
        let number = find(name, &names[..variable])?;
        emission[number] = file.check(value, (0.0, 1e20))? * 1e4 / AVOGADRO_PER_MOL;
    }
    let fixed = fractions.split_off(variable);
    let tolerances = [case.relative_tolerance, case.absolute_tolerance];
    let photolysis = case.photolysis.as_ref();
    let photolysis = photolysis.map(|section| photolysis_of(file, section, &mechanism, inputs, notes)).transpose()?;
    Ok(ChemistrySetup { mechanism, fixed, emission, every: case.every, tolerances, photolysis })
}
