//! What a mechanism asks of a file of cells.

use super::ranges::{DENSITY_NAMES, NUMBER_DENSITY, PRESSURE, TEMPERATURE};
use super::series::{Of, Series};
use super::units::RateInput;
use crate::netcdf::Accepted;

/// What a mechanism asks of a file.
#[derive(Clone, Debug)]
pub struct ChemistryRequest<'a> {
    /// Species with the concentrations that cells have where the file has none \[molecule/cm^3\].
    pub species: &'a [(&'a str, f64)],
    /// How many of them, the first ones, react; others are fixed.
    pub variable: usize,
    /// What 1 among the mechanism's initial values is \[molecule/cm^3\].
    pub cfactor: f64,
    /// What part of the air that is, if these values follow the air.
    pub part_of_air: Option<f64>,
    /// Inputs of the rate formulas with what they are where the file has none.
    pub inputs: &'a [(&'a str, Option<f64>)],
    /// Those among them of which rates take a sine, cosine or tangent: angles in radians.
    pub radians: &'a [&'a str],
    /// Those among them that are rate constants, with the order of their reactions.
    pub orders: &'a [(&'a str, u32)],
    /// The labels of the reactions, of those that have one.
    pub reactions: &'a [Option<&'a str>],
    /// Inputs, temperature (`TEMP` \[K\]) and pressure (`PRESS` \[Pa\]) that hold in all cells, whatever the file has.
    pub given: &'a [(String, f64)],
}

/// Species that are parts of the air, and which ones.
const PARTS_OF_AIR: [(&str, f64); 4] = [("M", 1.0), ("AIR", 1.0), ("N2", 0.7808), ("O2", 0.2095)];

impl ChemistryRequest<'_> {
    /// Refuses values given for all cells that no file may have, and names that are given twice.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check_given(&self) -> Result<(), String> {
        for (number, (name, value)) in self.given.iter().enumerate() {
            if self.given[..number].iter().any(|(other, _)| other.eq_ignore_ascii_case(name)) {
                return Err(format!("{name} is given twice"));
            }
            let (unit, accepted) = match name.to_lowercase().as_str() {
                "temp" => TEMPERATURE[0],
                "press" => PRESSURE[0],
                "sun" => ("1", Accepted::FRACTION),
                lower if DENSITY_NAMES.contains(&lower) || lower == "cfactor" => NUMBER_DENSITY[0],
                _ => continue,
            };
            if !accepted.contains(*value) {
                return Err(format!("{name} = {value} {unit} is not in {accepted}"));
            }
        }
        Ok(())
    }

    /// Is this an input of the rates, or something of the air, on which all that follows it depends?
    #[must_use]
    pub fn takes(&self, name: &str) -> bool {
        let lower = name.to_lowercase();
        let is_input = self.inputs.iter().any(|(input, _)| input.eq_ignore_ascii_case(name));
        is_input || self.is_of_air(&lower) || (lower == "cfactor" && self.cfactor == 1.0)
    }

    /// What is known of an input of the rates.
    pub(super) fn rate_input<'n>(&self, name: &'n str) -> RateInput<'n> {
        let order = self.orders.iter().find(|(known, _)| *known == name).map(|&(_, order)| order);
        RateInput { name, radians: self.radians.contains(&name), order }
    }

    /// What the mechanism has for an input where nothing else does; the name is in lower case.
    pub(super) fn default(&self, lower: &str) -> Option<f64> {
        self.inputs.iter().find(|(name, _)| name.eq_ignore_ascii_case(lower))?.1
    }

    /// Is this the name, in lower case, of an input that follows from the air?
    pub(super) fn is_of_air(&self, lower: &str) -> bool {
        ["temp", "press"].contains(&lower) || self.part_of_density(lower).is_some()
    }

    /// What species start from of which the file has nothing: the mechanism's initial values, and which part of the air
    /// these are, or 0. `given` are those of which it has something; nothing is said of none.
    pub(super) fn initial_in_words(&self, given: &[bool], density: Option<&Series>) -> Option<String> {
        let own: Vec<f64> =
            self.species.iter().zip(given).filter(|(_, given)| !**given).map(|((_, x), _)| *x).collect();
        let (all, zeros) = (self.species.len(), own.iter().filter(|&&value| value == 0.0).count());
        let parts = [(1.0, "mol/mol"), (1e-6, "ppm"), (1e-9, "ppb"), (1e-12, "ppt")];
        let part = parts.into_iter().find(|(part, _)| density.is_some() && self.part_of_air == Some(*part));
        let part = part.map(|(_, unit)| format!(", in {unit} of the cell's air (CFACTOR {:e})", self.cfactor));
        let at_zero = if zeros > 0 { format!(", {zeros} of them at 0") } else { String::new() };
        match own.len() {
            0 => None,
            count if count == zeros => {
                Some(format!("{count} of {all} species start at 0: nothing has another value of them"))
            }
            count => Some(format!(
                "{count} of {all} species start from the mechanism's initial values{at_zero}{}",
                part.unwrap_or_default()
            )),
        }
    }

    /// What concentration a species has that starts from the mechanism's initial value.
    pub(super) fn initial(&self, value: f64, number_density: Option<&Series>) -> Series {
        match self.part_of_air.zip(number_density) {
            Some((part, density)) => Series::constant(value / self.cfactor * part).with(density, Of::Product),
            None => Series::constant(value),
        }
    }

    /// Which species that are parts of the air hold in all cells what the mechanism has, and not the cells' air, in
    /// words with by how much: of those that are not given, where initial values do not follow the air, and of fixed
    /// ones that nothing has, too.
    pub(super) fn held_air(&self, given: &[bool], density: &Series) -> Vec<String> {
        const MOST: f64 = 0.01;
        let held = self.species.iter().zip(given).enumerate().filter(|(_, (_, given))| !**given);
        let one = |(place, (&(name, value), _)): (usize, (&(&str, f64), &bool))| {
            let (_, part) = PARTS_OF_AIR.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
            let of_air = density.values().iter().map(|density| part * density);
            let [least, most] = of_air.fold([f64::INFINITY, 0.0], |[low, high], x| [x.min(low), x.max(high)]);
            let differs = (value - least).abs().max((value - most).abs()) > MOST * most;
            let range = if least == most { format!("{least:.3e}") } else { format!("{least:.3e} to {most:.3e}") };
            if value == 0.0 {
                let what = "is 0 in all cells, for neither their file nor the mechanism has it, and not";
                return (place >= self.variable).then(|| format!("{name} {what} the {range} of their air"));
            }
            (self.part_of_air.is_none() && differs).then(|| {
                format!(
                    "{name} is {value:.3e} molecule cm-3 in all cells, as the mechanism has it (CFACTOR {}), and not \
                     the {range} of their air",
                    self.cfactor_in_words()
                )
            })
        };
        held.filter_map(one).collect()
    }

    fn cfactor_in_words(&self) -> String {
        if self.cfactor < 1e6 { self.cfactor.to_string() } else { format!("{:e}", self.cfactor) }
    }

    /// What part of the number density an input is that follows from it; the name is in lower case.
    pub(super) fn part_of_density(&self, lower: &str) -> Option<f64> {
        if lower == "cfactor" { self.part_of_air } else { DENSITY_NAMES.contains(&lower).then_some(1.0) }
    }

    /// What an input is in all cells, which is said.
    pub(super) fn given(&self, name: &str, derived: &mut Vec<String>) -> Option<f64> {
        let (_, value) = self.given.iter().find(|(given, _)| given.eq_ignore_ascii_case(name))?;
        derived.push(format!("{name} = {value} in all cells, as --set has it"));
        Some(*value)
    }
}

/// The name of a variable for a name with signs: `jx(ip_NO2)` as `jx_ip_NO2`.
pub(super) fn plain(name: &str) -> String {
    let words = name.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|part| !part.is_empty());
    words.collect::<Vec<_>>().join("_")
}
