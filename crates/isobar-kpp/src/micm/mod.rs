//! Mechanisms of MUSICA and MICM: its configurations of versions 1 and 0, in JSON and YAML, as a text in KPP's
//! language.
//!
//! Format: MechanismConfiguration's documentation. Concentrations are in mol/m3; rate constants become those of
//! molecule/cm3.

mod file;
mod parts;
mod rates;
mod reading;
mod value;
mod version_0;
mod yaml;

use std::fmt::Write as _;
use std::path::Path;

use crate::error::Fault;
use crate::source::Span;
use file::{File, Species, required};
use parts::{Part, beside, parts};
use rates::{MOLECULES, number};
use value::{Object, Text, Tree, Value, known_keys};

/// Is a file of this name a configuration; in YAML?
pub(crate) fn is_yaml(name: &Path) -> Option<bool> {
    let is =
        |ends: &[&str]| name.extension().is_some_and(|end| ends.iter().any(|known| end.eq_ignore_ascii_case(known)));
    (is(&["yaml", "yml"]).then_some(true)).or(is(&["json"]).then_some(false))
}

/// The mechanism in KPP's language, with notes. `others` are the files that it names.
fn translated(main: Text<'_>, others: &[(Part, Text<'_>)]) -> Result<(String, Vec<Fault>), Fault> {
    let main = Tree::read(main)?;
    let whole = parts::mechanism(main.value())?;
    let top = whole.object()?;
    let trees = others.iter().map(|(part, text)| Ok((*part, Tree::read(*text)?)));
    let others = trees.collect::<Result<Vec<(Part, Tree<'_>)>, Fault>>()?;
    if top.contains_key("camp-files") || top.contains_key("camp-data") {
        return camp(&top, &others);
    }
    let mut notes = parts::beside_value(main.value())?;
    let missing = |key: &str| Fault::at(whole.span(), format!("`{key}` is missing")).of_start();
    const KNOWN: &str = "versions 1 and 0 (`camp-files`, `camp-data`) of MUSICA's configurations are read";
    let version = top.get("version").ok_or_else(|| missing("version").help(KNOWN))?;
    if version.string()?.split('.').next() != Some("1") {
        return Err(Fault::at(version.span(), KNOWN));
    }
    for (key, value) in &top {
        let known = ["version", "name"].contains(&key.as_str()) || parts::LISTS.contains(&key.as_str());
        if !known && !key.starts_with("__") {
            notes.push(Fault::at(value.span(), format!("`{key}` is read over")).of_start());
        }
    }
    let list = |key: &str| -> Result<Vec<Value<'_>>, Fault> {
        let value = top.get(key).ok_or_else(|| missing(key))?;
        if value.object().is_ok_and(|object| object.contains_key("files")) {
            let of_this = others
                .iter()
                .filter(|(part, _)| *part == Part::List(parts::LISTS.into_iter().find(|k| *k == key).unwrap_or("")));
            return of_this.map(|(_, tree)| tree.value().list()).collect::<Result<Vec<_>, _>>().map(|all| all.concat());
        }
        value.list()
    };
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
    notes.append(&mut file.all_notes());
    Ok((file.text(&equations), notes))
}

/// A configuration of version 0.
fn camp(top: &Object<'_>, others: &[(Part, Tree<'_>)]) -> Result<(String, Vec<Fault>), Fault> {
    let mut items = top.get("camp-data").map_or(Ok(vec![]), |data| data.list())?;
    for (_, tree) in others {
        let value = tree.value();
        items.extend(required(&value.object()?, "camp-data", value)?.list()?);
    }
    let mut file = File { version_0: true, ..File::default() };
    let (mut equations, mut notes) = (String::new(), vec![]);
    file.add_camp(&items, &mut equations, &mut notes)?;
    notes.append(&mut file.all_notes());
    Ok((file.text(&equations), notes))
}

impl File {
    fn add_species(&mut self, value: Value<'_>) -> Result<(), Fault> {
        let object = value.object()?;
        self.declare(value, &object)
    }

    /// Declares a species of these properties.
    fn declare(&mut self, value: Value<'_>, object: &Object<'_>) -> Result<(), Fault> {
        let name = required(object, "name", value)?;
        let (name, span) = (name.string()?, name.span());
        known_keys(
            object,
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
        let plain = self.plain(&name, span)?;
        let third_body = self.is_third_body(object)?;
        if let Some(value) = object.get("absolute tolerance") {
            value.number()?;
            self.tolerances.push(value.span());
        }
        let maybe = |key: &str| object.get(key).map(|value| value.number()).transpose();
        let species = Species {
            plain,
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

    /// Is a species the air? `tracer type` is the older word for it, and what else it says is noted.
    fn is_third_body(&mut self, object: &Object<'_>) -> Result<bool, Fault> {
        if object.get("is third body").map(|value| value.boolean()).transpose()? == Some(true) {
            return Ok(true);
        }
        let Some(tracer) = object.get("tracer type") else { return Ok(false) };
        let kind = tracer.string()?;
        let held = object.keys().any(|key| key.starts_with("constant "));
        if kind == "CONSTANT" && !held {
            let note = "`CONSTANT` is read over, as MUSICA does: reactions change it";
            self.notes.push(Fault::at(tracer.span(), note));
        } else if kind != "CONSTANT" && kind != "THIRD_BODY" {
            self.notes.push(Fault::at(tracer.span(), format!("the tracer type `{kind}` is read over")));
        }
        Ok(kind == "THIRD_BODY")
    }

    /// The notes of the species.
    fn all_notes(&mut self) -> Vec<Fault> {
        let mut notes = std::mem::take(&mut self.notes);
        if let [first, others @ ..] = &self.tolerances[..] {
            let of = if others.is_empty() { "a species".to_owned() } else { format!("{} species", others.len() + 1) };
            let note = format!("`absolute tolerance` of {of} is read over: tolerances are the integrator's");
            notes.push(Fault::at(*first, note).of_start());
        }
        notes
    }

    /// A name as KPP's language can have it, which no other species has; there, upper and lower case are the same.
    fn plain(&mut self, name: &str, span: Span) -> Result<String, Fault> {
        let good = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.is_empty() || name.len() > 200 {
            return Err(Fault::at(span, "the name of a species has 1 to 200 characters").of_start());
        }
        let digit = name.starts_with(|c: char| c.is_ascii_digit());
        let mut plain: String = if digit { "_".to_owned() } else { String::new() };
        plain.extend(name.chars().map(|c| if good(c) { c } else { '_' }));
        let start = plain.clone();
        // Of many like names each finds its number at once.
        while !self.plain.insert(plain.to_lowercase()) {
            let next = self.next.entry(start.to_lowercase()).or_insert(1);
            *next += 1;
            plain = format!("{start}_{next}");
        }
        if plain != name {
            self.notes.push(Fault::at(span, format!("`{name}` is called {plain} here")));
        }
        Ok(plain)
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
        self.named(&name.string()?, name.span())
    }

    fn named(&self, name: &str, span: Span) -> Result<String, Fault> {
        if self.species.contains_key(name) {
            return Ok(name.to_owned());
        }
        let shown = Span { end: span.end.min(span.start + 40), ..span };
        let fault = Fault::at(shown, format!("unknown species `{name}`"));
        Err(fault.nearest(name, self.species.keys().map(String::as_str)))
    }

    /// A side of a reaction: species and coefficients.
    fn side(&self, object: &Object<'_>, key: &str) -> Result<Vec<(String, f64)>, Fault> {
        if self.version_0 {
            return self.camp_side(object, key);
        }
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
                terms += &format!("{sign}{} {}", coefficient.abs(), self.species[name].plain);
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
        for species in self.species.values().filter(held) {
            if species.constant.is_none() {
                let _ = writeln!(text, "{} = IGNORE;", species.plain);
            }
        }
        let constant = || self.species.values().filter_map(|species| Some((&species.plain, species.constant?)));
        text += "#DEFFIX\n";
        constant().for_each(|(name, _)| text += &format!("{name} = IGNORE;\n"));
        text += "#INITVALUES\n";
        constant().for_each(|(name, value)| text += &format!("{name} = {};\n", number(value)));
        if !self.functions.is_empty() {
            text += &format!("#LANGUAGE C\n#INLINE C_RATES\n{}#ENDINLINE\n", self.functions);
        }
        text + "#EQUATIONS\n" + equations
    }
}
