//! Gases of a grid as volume mixing ratios of moist air.

use isobar_raytrace::constants::{MOLAR_MASS_AIR_KG_PER_MOL as AIR, MOLAR_MASS_WATER_KG_PER_MOL as WATER};
use netcdf_reader::NcVariable;

use super::GridRequest;
use super::source::{Node, Source};
use crate::control::Control;
use crate::error::Error;
use crate::netcdf::text_of;

/// Molar masses \[g/mol\] of gases that files have by mass.
const MOLAR_MASSES: [(&str, f64); 18] = [
    ("H2O", 1e3 * WATER),
    ("CO2", 44.0095),
    ("O3", 47.9982),
    ("N2O", 44.0128),
    ("CO", 28.0101),
    ("CH4", 16.0425),
    ("O2", 31.9988),
    ("N2", 28.0134),
    ("NO", 30.0061),
    ("SO2", 64.0638),
    ("NO2", 46.0055),
    ("NH3", 17.0305),
    ("HNO3", 63.0128),
    ("OCS", 60.0751),
    ("C2H6", 30.069),
    ("HCN", 27.0253),
    ("H2O2", 34.0147),
    ("H2CO", 30.026),
];

/// Moles of water in a mole of moist air, by specific humidity.
pub(super) fn of_specific_humidity(q: f64) -> f64 {
    let water = q / WATER;
    water / (water + (1.0 - q) / AIR)
}

/// Moles of water in a mole of moist air, by the mass of water a mass of dry air.
pub(super) fn of_mixing_ratio(r: f64) -> f64 {
    of_specific_humidity(r / (1.0 + r))
}

/// Packing and advection leave little below zero; more is an error where ranges are checked.
pub(super) fn not_negative(value: f64) -> f64 {
    const ROUNDING: f64 = -1e-3;
    if (ROUNDING..0.0).contains(&value) { 0.0 } else { value }
}

/// The emitters' names in the file: JURASSIC's, in small letters as in ERA5, `go3` as CAMS has it.
fn names(emitter: &str) -> Vec<String> {
    let small = emitter.to_lowercase();
    let mut names = vec![emitter.to_owned(), emitter.to_uppercase(), small.clone()];
    names.push(if small == "o3" { "go3".into() } else { format!("{small}_c") });
    names
}

/// CF's names of gases where they are no formulas.
const WORDS: [(&str, &str); 14] = [
    ("H2O", "water_vapor"),
    ("CO2", "carbon_dioxide"),
    ("O3", "ozone"),
    ("N2O", "nitrous_oxide"),
    ("CO", "carbon_monoxide"),
    ("CH4", "methane"),
    ("O2", "molecular_oxygen"),
    ("NO", "nitrogen_monoxide"),
    ("SO2", "sulfur_dioxide"),
    ("NO2", "nitrogen_dioxide"),
    ("NH3", "ammonia"),
    ("HNO3", "nitric_acid"),
    ("C2H6", "ethane"),
    ("H2CO", "formaldehyde"),
];

/// The variable of an emitter.
pub(super) fn find<'a>(source: &'a Source, emitter: &str) -> Option<&'a NcVariable> {
    let names = names(emitter);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let word = WORDS.iter().find(|(gas, _)| gas.eq_ignore_ascii_case(emitter)).map(|(_, word)| word);
    let standard = word.map(|word| ["mole", "mass"].map(|of| format!("{of}_fraction_of_{word}_in_air")));
    let standard: Vec<&str> = standard.iter().flatten().map(String::as_str).collect();
    source.find(&names, &standard).filter(|variable| source.has_levels(variable))
}

/// The mixing ratios of each emitter in columns, `[emitter][column][level]`; none where the background has it.
pub(super) fn read(
    source: &Source,
    control: &Control,
    nodes: &[Node],
    vapour: Option<&[Vec<f64>]>,
    request: &GridRequest,
) -> Result<Vec<Option<Vec<Vec<f64>>>>, Error> {
    let mut gases = Vec::new();
    let mut missing = Vec::new();
    if let Some((name, _)) =
        request.constants.iter().find(|(name, _)| !control.emitters.iter().any(|e| e.eq_ignore_ascii_case(name)))
    {
        return Err(source.invalid(format!("gas {name} = ... is asked for, which is no EMITTER of the control file")));
    }
    for emitter in &control.emitters {
        let constant =
            request.constants.iter().find(|(name, _)| name.eq_ignore_ascii_case(emitter)).map(|(_, value)| *value);
        if let Some(value) = constant {
            if !(0.0..=1.0).contains(&value) {
                return Err(source.invalid(format!("mixing ratio of {emitter} {value} lies outside [0, 1]")));
            }
            gases.push(Some(vec![vec![value]; nodes.len()]));
            continue;
        }
        if emitter.eq_ignore_ascii_case("H2O")
            && let Some(vapour) = vapour
        {
            gases.push(Some(vapour.to_vec()));
            continue;
        }
        match find(source, emitter) {
            Some(variable) => {
                let convert = conversion(source, variable, emitter)?;
                let mut values = source.gather(variable, convert.unit, nodes)?;
                for (column, values) in values.iter_mut().enumerate() {
                    for (level, value) in values.iter_mut().enumerate() {
                        let water = vapour.map_or(0.0, |vapour| vapour[column][level]);
                        *value = not_negative(*value) * convert.factor(water, source.is_wrf());
                    }
                }
                gases.push(Some(values));
            }
            None if request.background.is_some() => gases.push(None),
            None => missing.push(emitter.as_str()),
        }
    }
    match missing[..] {
        [] => Ok(gases),
        _ => {
            let text = format!(
                "gases are missing: {}; isobar jurassic atmosphere-from takes constants (--gas NAME=VALUE) and a \
                 profile that has them (--background FILE)",
                missing.join(", ")
            );
            Err(source.invalid(text))
        }
    }
}

/// What a file's ratio is of.
pub(super) struct Ratio {
    pub(super) unit: &'static str,
    /// Molar mass \[g/mol\] where it is by mass.
    pub(super) mass: Option<f64>,
}

impl Ratio {
    /// The factor from the file's ratio to moles a mole of moist air, of which `water` moles are water. WRF's ratios
    /// are to dry air.
    fn factor(&self, water: f64, of_dry_air: bool) -> f64 {
        let moist = water * WATER + (1.0 - water) * AIR;
        match (self.mass, of_dry_air) {
            (Some(mass), false) => 1e3 * moist / mass,
            (Some(mass), true) => 1e3 * AIR / mass * (1.0 - water),
            (None, false) => 1.0,
            (None, true) => 1.0 - water,
        }
    }
}

pub(super) fn conversion(source: &Source, variable: &NcVariable, emitter: &str) -> Result<Ratio, Error> {
    let (name, units) = (&variable.name, text_of(variable, "units").unwrap_or_default());
    let of = |unit: &str| source.converts(&units, unit).is_some();
    match (of("kg kg-1"), of("mol mol-1")) {
        (false, true) => Ok(Ratio { unit: "mol mol-1", mass: None }),
        (true, false) => {
            let mass = MOLAR_MASSES.iter().find(|(gas, _)| gas.eq_ignore_ascii_case(emitter)).map(|(_, mass)| *mass);
            let mass = mass.ok_or_else(|| {
                let text = format!("{name} is by mass, and the molar mass of {emitter} is not known: give mol mol-1");
                source.invalid(text)
            })?;
            Ok(Ratio { unit: "kg kg-1", mass: Some(mass) })
        }
        _ => {
            let text = format!("{name} has units {units:?}; expected those of a ratio, \"kg kg-1\" or \"mol mol-1\"");
            Err(source.invalid(text))
        }
    }
}
