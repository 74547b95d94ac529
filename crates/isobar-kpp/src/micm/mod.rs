//! Mechanisms of MUSICA and MICM: its configuration of version 1 in JSON, as a text in KPP's language.
//!
//! Format: MechanismConfiguration's documentation, version 1. Its concentrations are in mol/m3; rate constants become
//! those of molecule/cm3.

mod file;
mod rates;
mod value;

use std::fmt::Write as _;

use crate::error::Fault;
use file::{File, Species, required};
use rates::{MOLECULES, number};
use value::{Object, Value, known_keys};

/// The mechanism in KPP's language, with notes.
pub(crate) fn translated(text: &str, source: usize) -> Result<(String, Vec<Fault>), Fault> {
    let whole = Value::read(text, source)?;
    let top = whole.object()?;
    let mut notes = vec![];
    let missing = |key: &str| Fault::at(whole.span(), format!("`{key}` is missing")).of_start();
    const ONE: &str = "only version 1 of MUSICA's configurations is read";
    let version = top.get("version").ok_or_else(|| missing("version").help(ONE))?;
    if version.string()?.split('.').next() != Some("1") {
        return Err(Fault::at(version.span(), ONE));
    }
    for (key, value) in &top {
        let known = ["version", "name", "species", "phases", "reactions"].contains(&key.as_str());
        if !known && !key.starts_with("__") {
            notes.push(Fault::at(value.span(), format!("`{key}` is read over")).of_start());
        }
    }
    let list = |key: &str| top.get(key).ok_or_else(|| missing(key)).and_then(|value| listed(*value));
    let mut file = File::default();
    for species in list("species")? {
        file.add_species(species)?;
    }
    for phase in list("phases")? {
        file.add_phase(phase)?;
    }
    let mut equations = String::new();
    for reaction in list("reactions")? {
        file.add_reaction(reaction, &mut equations)?;
    }
    Ok((file.text(&equations), notes))
}

fn listed(value: Value<'_>) -> Result<Vec<Value<'_>>, Fault> {
    if value.object().is_ok_and(|object| object.contains_key("files")) {
        let what = "lists in other files are not read: put them into this one";
        return Err(Fault::at(value.span(), what).of_start());
    }
    value.list()
}

/// Is this a name in KPP's language?
fn is_name(name: &str) -> bool {
    let first = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    first && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

impl File {
    fn add_species(&mut self, value: Value<'_>) -> Result<(), Fault> {
        let object = value.object()?;
        let name = required(&object, "name", value)?;
        let (name, span) = (name.string()?, name.span());
        known_keys(
            &object,
            "a species",
            &[
                "name",
                "molecular weight [kg mol-1]",
                "constant concentration [mol m-3]",
                "constant mixing ratio [mol mol-1]",
                "is third body",
                "HLC(298K) [mol m-3 Pa-1]",
                "HLC exponential factor [K]",
                "N star",
                "density [kg m-3]",
                "tracer type",
                "absolute tolerance",
                "diffusion coefficient [m2 s-1]",
            ],
        )?;
        if !is_name(&name) {
            return Err(Fault::at(span, "the name of a species is made of letters, digits and `_`"));
        }
        let maybe = |key: &str| object.get(key).map(|value| value.number()).transpose();
        let third_body = object.get("is third body").map(|value| value.boolean()).transpose()? == Some(true);
        let species = Species {
            part_of_air: if third_body { Some(1.0) } else { maybe("constant mixing ratio [mol mol-1]")? },
            constant: maybe("constant concentration [mol m-3]")?.map(|constant| constant * MOLECULES),
            molar_mass: maybe("molecular weight [kg mol-1]")?,
            diffusion: maybe("diffusion coefficient [m2 s-1]")?,
        };
        if self.species.insert(name.clone(), species).is_some() {
            return Err(Fault::at(span, format!("species `{name}` is declared twice")));
        }
        Ok(())
    }

    /// A phase, of which the coefficients of diffusion count.
    fn add_phase(&mut self, value: Value<'_>) -> Result<(), Fault> {
        let object = value.object()?;
        for member in required(&object, "species", value)?.list()? {
            // A name alone is one without properties.
            if member.string().is_ok() {
                self.known(member)?;
                continue;
            }
            let inner = member.object()?;
            let name = required(&inner, "name", member)?;
            let species = self.known(name)?;
            if let Some(diffusion) = inner.get("diffusion coefficient [m2 s-1]") {
                let diffusion = diffusion.number()?;
                self.species.entry(species).or_default().diffusion = Some(diffusion);
            }
        }
        Ok(())
    }

    /// The name of a declared species.
    fn known(&self, name: Value<'_>) -> Result<String, Fault> {
        let (name, span) = (name.string()?, name.span());
        if self.species.contains_key(&name) {
            return Ok(name);
        }
        Err(Fault::at(span, format!("unknown species `{name}`"))
            .nearest(&name, self.species.keys().map(String::as_str)))
    }

    /// A side of a reaction: species and coefficients.
    fn side(&self, object: &Object<'_>, key: &str) -> Result<Vec<(String, f64)>, Fault> {
        let Some(value) = object.get(key) else { return Ok(vec![]) };
        // One alone may stand without the brackets.
        let all = if value.object().is_ok() { vec![*value] } else { value.list()? };
        let term = |value: Value<'_>| {
            let inner = value.object()?;
            known_keys(&inner, "a reactant or product", &["species name", "name", "coefficient"])?;
            let name = match inner.get("name") {
                Some(name) => *name,
                None => required(&inner, "species name", value)?,
            };
            let coefficient = inner.get("coefficient").map_or(Ok(1.0), |value| value.number())?;
            Ok((self.known(name)?, coefficient))
        };
        all.into_iter().map(term).collect()
    }

    /// An equation, without the species whose concentration is a part of the air's.
    fn equation(
        &mut self,
        label: Option<&str>,
        [left, right]: [&[(String, f64)]; 2],
        rate: &str,
        equations: &mut String,
    ) {
        let terms = |side: &[(String, f64)]| {
            let held = side.iter().filter(|(name, _)| self.species[name].part_of_air.is_none());
            let mut terms = String::new();
            for (name, coefficient) in held {
                let sign = match (terms.is_empty(), *coefficient < 0.0) {
                    (_, true) => " - ",
                    (true, false) => "",
                    (false, false) => " + ",
                };
                terms += &format!("{sign}{} {name}", coefficient.abs());
            }
            if terms.is_empty() { "PROD".to_owned() } else { terms.trim_start().to_owned() }
        };
        let light = if rate.contains("*PHOTO(") { " + hv" } else { "" };
        let sides = format!("{}{light} = {}", terms(left), terms(right));
        let label = label.map(|label| label.replace(|c: char| !(c.is_ascii_alphanumeric() || c == '_'), "_"));
        let label = label.filter(|label| !label.is_empty() && self.labels.insert(label.to_lowercase()));
        let label = label.map_or_else(String::new, |label| format!("<{label}> "));
        let _ = writeln!(equations, "{label}{sides} : {rate};");
    }

    fn text(&self, equations: &str) -> String {
        let mut text = String::from("#DEFVAR\n");
        let held = |species: &&Species| species.part_of_air.is_none();
        for (name, species) in self.species.iter().filter(|(_, species)| held(species)) {
            if species.constant.is_none() {
                let _ = writeln!(text, "{name} = IGNORE;");
            }
        }
        let constant = || self.species.iter().filter_map(|(name, species)| Some((name, species.constant?)));
        text += "#DEFFIX\n";
        constant().for_each(|(name, _)| text += &format!("{name} = IGNORE;\n"));
        text += "#INITVALUES\n";
        constant().for_each(|(name, value)| text += &format!("{name} = {};\n", number(value)));
        text + "#EQUATIONS\n" + equations
    }
}
