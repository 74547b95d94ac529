//! Version 0, CAMP's form: species and reactions are items with types, and rate constants are in molecules and cm3.

use super::file::{File, required};
use super::value::{Object, Value, known_keys};
use crate::error::Fault;

/// What version 1 calls a type of reactions.
pub(super) fn of_version_1(kind: &str) -> &str {
    match kind {
        "BRANCHED" | "WENNBERG_NO_RO2" => "BRANCHED_NO_RO2",
        "WENNBERG_TUNNELING" => "TUNNELING",
        kind => kind,
    }
}

/// The other keys of types of reactions.
const OTHER: [(&str, &str); 4] = [
    ("name", "MUSICA name"),
    ("gas-phase species", "gas-phase reactant"),
    ("FIRST_ORDER_LOSS", "species"),
    ("EMISSION", "species"),
];

/// The keys of a type, of those of version 1.
pub(super) fn keys<'k>(kind: &str, keys: &[&'k str]) -> Vec<&'k str> {
    let mut all: Vec<&str> = keys.to_vec();
    for (of, key) in OTHER {
        if of == kind {
            all.retain(|key| *key != "reactants");
            all.push(key);
        }
        all.iter_mut().filter(|known| **known == of).for_each(|known| *known = key);
    }
    all
}

impl File {
    /// The items of a file, species first: reactions may stand before them. The rest is noted.
    pub(super) fn add_camp<'a>(
        &mut self,
        items: &[Value<'a>],
        equations: &mut String,
        notes: &mut Vec<Fault>,
    ) -> Result<(), Fault> {
        let mut mechanisms = vec![];
        for &item in items {
            let object = item.object()?;
            let kind = required(&object, "type", item)?;
            match kind.string()?.as_str() {
                "CHEM_SPEC" => self.add_chemical(item, &object, notes)?,
                "MECHANISM" => mechanisms.push(required(&object, "reactions", item)?),
                "RELATIVE_TOLERANCE" => {
                    notes.push(Fault::at(kind.span(), "tolerances are the integrator's: this one is read over"));
                }
                other => {
                    return Err(Fault::at(kind.span(), format!("items of the type {other} are not read")));
                }
            }
        }
        for reactions in mechanisms {
            for reaction in reactions.list()? {
                self.add_reaction(reaction, equations)?;
            }
        }
        Ok(())
    }

    fn add_chemical<'a>(&mut self, value: Value<'a>, object: &Object<'a>, notes: &mut Vec<Fault>) -> Result<(), Fault> {
        let mut species = object.clone();
        species.remove("type");
        // MUSICA keeps what it does not know.
        const KNOWN: [&str; 5] = [
            "name",
            "molecular weight [kg mol-1]",
            "diffusion coefficient [m2 s-1]",
            "absolute tolerance",
            "tracer type",
        ];
        for (key, value) in object.iter().filter(|(key, _)| !KNOWN.contains(&key.as_str()) && *key != "type") {
            if species.remove(key).is_some() && !key.starts_with("__") {
                notes.push(Fault::at(value.span(), format!("`{key}` is read over")).of_start());
            }
        }
        self.declare(value, &species)
    }

    /// A side of a reaction, `{\"A\": {\"qty\": 2}}`, by the name of the coefficients.
    pub(super) fn camp_side(&self, object: &Object<'_>, key: &str) -> Result<Vec<(String, f64)>, Fault> {
        let Some(value) = object.get(key) else { return Ok(vec![]) };
        // One species alone stands by its name.
        if value.object().is_err() {
            return Ok(vec![(self.known(*value)?, 1.0)]);
        }
        let coefficient = if key == "reactants" { "qty" } else { "yield" };
        let mut side = vec![];
        for (name, value) in value.object()? {
            let inner = value.object()?;
            known_keys(&inner, "a reactant or product", &[coefficient])?;
            let number = inner.get(coefficient).map_or(Ok(1.0), |value| value.number())?;
            side.push((self.named(&name, value.span())?, number));
        }
        Ok(side)
    }
}
