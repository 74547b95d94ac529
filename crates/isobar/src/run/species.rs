//! The chemistry of a run: its mechanism, and the tracers that the columns get from it.

use std::path::PathBuf;

use isobar_column::Initial;
use isobar_column::cells::number_density;
use isobar_column::constants::{DRY_AIR_KG_PER_MOL, WATER_KG_PER_MOL};
use isobar_column::stages::part_of_density;
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
    /// The fixed species that is the column's vapour, by its number among them.
    pub(super) vapour: Option<usize>,
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
            if let Some(unused) = mechanism.unused().iter().find(|unused| unused.eq_ignore_ascii_case(wanted)) {
                return file.refuse(name, format!("no reaction of the mechanism has `{unused}`: it is left out"));
            }
            let hint = closest(wanted, known.iter().copied()).map(|near| format!("; did you mean `{near}`?"));
            let hint = hint.unwrap_or_else(|| format!("; there are {}", known.join(", ")));
            file.refuse(name, format!("the mechanism has no such species `{wanted}`{hint}"))
        })
    };
    let variable = mechanism.variable();
    let part = mechanism.part_of_air();
    let mut given = vec![None; names.len()];
    for (name, value) in &case.initial {
        let number = find(name, &names)?;
        if given[number].replace(file.check(value, (0.0, 1.0))?).is_some() {
            let problem = format!("`{}` stands here twice: the case of letters does not count", names[number]);
            return Err(file.refuse(name, problem));
        }
    }
    let water = mechanism.species_index("H2O").filter(|&number| given[number].is_none());
    let vapour = water.and_then(|number| number.checked_sub(variable));
    if let Some(number) =
        (variable..names.len()).find(|&number| part.is_none() && given[number].is_none() && water != Some(number))
    {
        let problem = format!(
            "the mechanism's CFACTOR is no part of the air: give the mole fraction of {} in initial",
            names[number]
        );
        return Err(file.refuse(&case.mechanism, problem));
    }
    tracers(file, case, &mechanism, &given, initial, notes)?;
    let mut emission = vec![0.0; variable];
    let mut emitted = vec![false; variable];
    for (name, value) in &case.emission_per_cm2_s {
        if let Some(number) = mechanism.species_index(name.get_ref()).filter(|&number| number >= variable) {
            let problem = format!("`{}` is fixed in the mechanism: emissions would not change it", names[number]);
            return Err(file.refuse(name, problem));
        }
        let number = find(name, &names[..variable])?;
        if std::mem::replace(&mut emitted[number], true) {
            let problem = format!("`{}` stands here twice: the case of letters does not count", names[number]);
            return Err(file.refuse(name, problem));
        }
        emission[number] = file.check(value, (0.0, 1e20))? * 1e4 / AVOGADRO_PER_MOL;
    }
    let fixed = (variable..names.len()).map(|number| match (given[number], part) {
        (Some(given), _) => given,
        (None, Some(part)) => mechanism.initial()[number] / mechanism.cfactor() * part,
        // The column's vapour, whose number here does not count.
        (None, None) => 0.0,
    });
    let fixed = fixed.collect();
    notes.extend(said_of_water(&mechanism, &given));
    let tolerances = [case.relative_tolerance, case.absolute_tolerance];
    let photolysis = case.photolysis.as_ref();
    let photolysis = photolysis.map(|section| photolysis_of(file, section, &mechanism, inputs, notes)).transpose()?;
    notes.extend(defaults(&mechanism, photolysis.as_ref()));
    notes.extend(left_out(&mechanism));
    Ok(ChemistrySetup { mechanism, fixed, vapour, emission, every: case.every, tolerances, photolysis })
}

/// Gives the columns the variable species as tracers: what the case has, the columns' own ozone and vapour, or what
/// the mechanism has, as a part of the air or in molecules.
fn tracers(
    file: &CaseFile,
    case: &Chemistry,
    mechanism: &Mechanism,
    given: &[Option<f64>],
    initial: &mut Initial,
    notes: &mut Vec<String>,
) -> Result<(), Error> {
    let (variable, layers, columns) = (mechanism.variable(), initial.layers(), initial.columns);
    let part = mechanism.part_of_air();
    let mut in_molecules = Vec::new();
    let mut all = vec![0.0; layers * variable * columns];
    for (number, species) in mechanism.species()[..variable].iter().enumerate() {
        let own = mechanism.initial()[number];
        let as_molecules = given[number].is_none() && part.is_none() && own != 0.0;
        let is = |name: &str| given[number].is_none() && species.name.eq_ignore_ascii_case(name);
        if as_molecules && !is("O3") && !is("H2O") {
            in_molecules.push(species.name.as_str());
        }
        for place in 0..layers * columns {
            let (layer, column) = (place / columns, place % columns);
            let air = number_density(initial.temperature_k[place], initial.pressure_pa[place]);
            let fraction = match (given[number], part) {
                (Some(given), _) => given,
                _ if is("O3") => initial.ozone_mol_per_mol[place],
                _ if is("H2O") => mole_fraction(initial.vapour_kg_per_kg[place]),
                (None, Some(part)) => own / mechanism.cfactor() * part,
                (None, None) => own / air,
            };
            if fraction.is_nan() || fraction > 1.0 {
                let problem = format!(
                    "the mechanism has {own:e} molecules of {} in a cm3, but there are {air:e} of air in layer {layer} \
                     of column {column}: give the mole fraction in initial",
                    species.name
                );
                return Err(file.refuse(&case.mechanism, problem));
            }
            all[layer * variable * columns + number * columns + column] = fraction;
        }
    }
    if !in_molecules.is_empty() {
        let names = in_molecules.join(", ");
        notes.push(format!("the mechanism's molecules in a cm3, over the air of each layer, are the start of {names}"));
    }
    (initial.tracers, initial.tracers_mol_per_mol) = (variable, all);
    Ok(())
}

/// Mole fraction of vapour, of all molecules, by its mixing ratio.
fn mole_fraction(vapour_kg_per_kg: f64) -> f64 {
    let of_dry = vapour_kg_per_kg.max(0.0) * DRY_AIR_KG_PER_MOL / WATER_KG_PER_MOL;
    of_dry / (1.0 + of_dry)
}

/// What the mechanism's water is.
fn said_of_water(mechanism: &Mechanism, given: &[Option<f64>]) -> Option<String> {
    let number = mechanism.species_index("H2O")?;
    let name = &mechanism.species()[number].name;
    Some(match (number < mechanism.variable(), given[number]) {
        (false, None) => format!("{name} of the mechanism, which is fixed, is the column's water vapour"),
        (false, Some(value)) => format!("{name} of the mechanism is {value}, not the column's water vapour"),
        (true, None) => {
            format!("{name} reacts: a tracer that starts as the column's water vapour, and goes its own way")
        }
        (true, Some(value)) => {
            format!("{name} reacts: a tracer that starts with {value}, not the column's water vapour")
        }
    })
}

/// The inputs of rates that have the mechanism's own value, which a column does not have.
fn defaults(mechanism: &Mechanism, photolysis: Option<&PhotolysisSetup>) -> Option<String> {
    let lit = |number: usize| {
        photolysis.is_some_and(|photolysis| photolysis.rates.iter().any(|pair| pair[0] as usize == number))
    };
    let own = mechanism.inputs().iter().enumerate().filter_map(|(number, input)| {
        let name = input.name.to_lowercase();
        let of_column = ["temp", "press", "sun"].contains(&name.as_str())
            || part_of_density(&name, mechanism.part_of_air()).is_some();
        let value = input.default.filter(|_| !of_column && !lit(number))?;
        Some(format!("{} = {value}", input.name))
    });
    let own: Vec<String> = own.collect();
    (!own.is_empty()).then(|| format!("inputs of rates as the mechanism has them: {}", own.join(", ")))
}

/// The species that no reaction has, which are no tracers.
fn left_out(mechanism: &Mechanism) -> Option<String> {
    let unused = mechanism.unused();
    (!unused.is_empty()).then(|| format!("no reaction has {}: left out, no tracers", unused.join(", ")))
}
