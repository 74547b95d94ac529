//! Equations as stoichiometry.

use std::collections::HashMap;

use isobar_rosenbrock::Network;

use crate::declarations::{Declarations, Declared};
use crate::error::Fault;
use crate::item::{Equation, Term};
use crate::limits::LEAST_NET_PART;
use crate::source::{Sources, Span};

/// A reaction. Species count as in [`crate::Mechanism::species`].
#[derive(Clone, Debug, PartialEq)]
pub struct Reaction {
    /// The label in `<>`, if there is one.
    pub label: Option<String>,
    /// The equation as it stands there.
    pub equation: String,
    /// The rate as it stands there.
    pub rate: String,
    /// Does light drive it (`hv`)?
    pub photolysis: bool,
    /// What it takes: species and power.
    pub reactants: Vec<(usize, u32)>,
    /// What it changes of the variable species, each once.
    pub net: Vec<(usize, f64)>,
}

/// A side's species, by their numbers among the declared ones, with their factors.
pub(crate) type Side = Vec<(usize, f64)>;

/// An equation whose species are known.
#[derive(Clone, Debug)]
pub(crate) struct Resolved {
    pub(crate) left: Side,
    pub(crate) right: Side,
    pub(crate) photolysis: bool,
    /// Does anything vanish that balance would count, as in `PROD`?
    pub(crate) open: bool,
}

/// Names that stand for no species, unless one is declared so.
const NOTHING: [&str; 2] = ["prod", "dummy"];

/// Declared species by names in lower case.
pub(crate) fn names(found: &Declarations, sources: &Sources) -> Result<HashMap<String, usize>, Fault> {
    let mut names = HashMap::new();
    for (number, species) in found.species.iter().enumerate() {
        if let Some(first) = names.insert(species.name.to_lowercase(), number) {
            let place = sources.place(found.species[first].span);
            let fault = Fault::at(species.span, format!("species `{}` is declared twice", species.name));
            return Err(fault.help(format!("first in {}, line {}", place.file.display(), place.line)));
        }
    }
    Ok(names)
}

/// What an unknown name may have meant.
pub(crate) fn unknown(name: &str, span: Span, declared: &[Declared]) -> Fault {
    let fault =
        Fault::at(span, format!("unknown species `{name}`")).nearest(name, declared.iter().map(|s| s.name.as_str()));
    if fault.help.is_some() { fault } else { fault.help("declare it in #DEFVAR or #DEFFIX") }
}

/// Finds the species of an equation.
pub(crate) fn resolve(
    equation: &Equation,
    names: &HashMap<String, usize>,
    declared: &[Declared],
) -> Result<Resolved, Fault> {
    let mut resolved = Resolved { left: vec![], right: vec![], photolysis: false, open: false };
    for (terms, is_left) in [(&equation.left, true), (&equation.right, false)] {
        let mut side: Side = vec![];
        for Term { factor, name, span } in terms {
            let lower = name.to_lowercase();
            let Some(&species) = names.get(&lower) else {
                if lower == "hv" {
                    // Behind the sign it is nothing.
                    resolved.photolysis |= is_left;
                } else if NOTHING.contains(&lower.as_str()) {
                    resolved.open = true;
                } else {
                    return Err(unknown(name, *span, declared));
                }
                continue;
            };
            side.push((species, *factor));
        }
        *(if is_left { &mut resolved.left } else { &mut resolved.right }) = side;
    }
    let order: u64 = resolved.powers().iter().map(|&(_, power)| u64::from(power)).sum();
    if order > Network::MOST_ORDER {
        let largest =
            equation.left.iter().max_by(|a, b| a.factor.total_cmp(&b.factor)).map_or(equation.span, |t| t.span);
        let fault = Fault::at(largest, format!("with this the reaction is of the order {order}"));
        return Err(fault.help(format!("orders up to {} are accepted", Network::MOST_ORDER)));
    }
    Ok(resolved)
}

impl Resolved {
    /// Species and powers of the rate: the whole part of the sum of their factors on the left. What is subtracted there
    /// does not count.
    pub(crate) fn powers(&self) -> Vec<(usize, u32)> {
        let all = self.factors();
        all.into_iter().map(|(species, factor)| (species, factor as u32)).filter(|&(_, power)| power > 0).collect()
    }

    /// The factors of what stands on the left, each species once.
    pub(crate) fn factors(&self) -> Side {
        sums(self.left.iter().copied().filter(|&(_, factor)| factor > 0.0))
    }

    /// What a reaction makes of each species, without what cancels.
    pub(crate) fn net(&self) -> Side {
        let left = self.left.iter().map(|&(species, factor)| (species, -factor));
        let largest = self.left.iter().chain(&self.right).fold(0.0_f64, |most, &(_, factor)| most.max(factor.abs()));
        let counts = |&(_, net): &(usize, f64)| net.abs() > LEAST_NET_PART * largest;
        sums(left.chain(self.right.iter().copied())).into_iter().filter(counts).collect()
    }
}

/// Sums of the factors of each species, in the order of their first mention.
fn sums(terms: impl Iterator<Item = (usize, f64)>) -> Side {
    let mut all: Side = vec![];
    let mut place = HashMap::new();
    for (species, factor) in terms {
        let i = *place.entry(species).or_insert_with(|| {
            all.push((species, 0.0));
            all.len() - 1
        });
        all[i].1 += factor;
    }
    all
}
