//! Families: species that are counted together, and tracers of what is made and lost of them.

use std::collections::HashMap;

use crate::declarations::{Declarations, Declared};
use crate::error::Fault;
use crate::limits::LEAST_GAIN;
use crate::reactions::{Resolved, unknown};

/// A family of `#FAMILIES`.
#[derive(Clone, Debug, PartialEq)]
pub struct Family {
    /// The name, which is that of a tracer: one with P gains what is made of the family, one with L what is lost of it.
    pub name: String,
    /// Species and their weights.
    pub members: Vec<(String, f64)>,
}

/// Adds the tracers of all families to species and equations.
pub(crate) fn add(
    found: &mut Declarations,
    names: &mut HashMap<String, usize>,
    equations: &mut [Resolved],
) -> Result<Vec<Family>, Fault> {
    let mut all = vec![];
    for (name, span, terms) in std::mem::take(&mut found.families) {
        let first = name.chars().next().unwrap_or(' ').to_ascii_uppercase();
        if first != 'P' && first != 'L' {
            return Err(Fault::at(
                span,
                "the name of a family begins with P, for what is made, or L, for what is lost",
            ));
        }
        let mut weight = HashMap::new();
        for term in &terms {
            let species =
                names.get(&term.name.to_lowercase()).ok_or_else(|| unknown(&term.name, term.span, &found.species))?;
            *weight.entry(*species).or_insert(0.0) += term.factor;
        }
        let tracer = *names.entry(name.to_lowercase()).or_insert_with(|| {
            found.species.push(Declared { name: name.clone(), span, fixed: false, composition: None });
            found.species.len() - 1
        });
        for equation in equations.iter_mut() {
            let change: f64 =
                equation.net().iter().map(|(species, net)| weight.get(species).unwrap_or(&0.0) * net).sum();
            let gain = if first == 'P' { change } else { -change };
            if gain > LEAST_GAIN {
                equation.right.push((tracer, gain));
            }
        }
        all.push(Family { name, members: terms.into_iter().map(|term| (term.name, term.factor)).collect() });
    }
    Ok(all)
}
