//! Reactions among numbered species: stoichiometry, and the pattern of the Jacobian.

use std::collections::BTreeSet;

use isobar_core::fields::Error;

/// A reaction of mass-action kinetics. Species are numbers, the variable ones first, then the fixed ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reaction {
    /// What it takes: species and power. The rate is the rate constant times all powers of concentrations.
    pub reactants: Vec<(usize, u32)>,
    /// What it changes: species, and how many of it are made (negative: lost), no species twice.
    pub net: Vec<(usize, f64)>,
}

/// Reactions among species.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    variable: usize,
    fixed: usize,
    reactions: Vec<Reaction>,
}

impl Network {
    /// The highest order of a reaction: the sum of its reactants' powers. The tables name each reactant as often as its
    /// power, and again for each derivative, so that an order without bounds would end memory.
    pub const MOST_ORDER: u64 = 100;

    /// Reactions among `variable` species that change and `fixed` ones that do not.
    ///
    /// # Errors
    /// No variable species, no reaction, a species beyond the last, a power of 0, an order above
    /// [`Network::MOST_ORDER`], or a coefficient that is not finite.
    pub fn new(variable: usize, fixed: usize, reactions: Vec<Reaction>) -> Result<Self, Error> {
        if variable == 0 || reactions.is_empty() {
            let missing = if variable == 0 { "variable species" } else { "reactions" };
            return Err(Error::Setup(format!("a mechanism without {missing}")));
        }
        let species = variable + fixed;
        for (number, reaction) in reactions.iter().enumerate() {
            let named = reaction.reactants.iter().map(|&(species, _)| species);
            if let Some(unknown) = named.chain(reaction.net.iter().map(|&(species, _)| species)).find(|&s| s >= species)
            {
                return Err(Error::Setup(format!("reaction {number} has species {unknown}, but there are {species}")));
            }
            if reaction.reactants.iter().any(|&(_, power)| power == 0) {
                return Err(Error::Setup(format!("reaction {number} has a reactant to the power of 0")));
            }
            let order: u64 = reaction.reactants.iter().map(|&(_, power)| u64::from(power)).sum();
            if order > Self::MOST_ORDER {
                let most = Self::MOST_ORDER;
                return Err(Error::Setup(format!(
                    "reaction {number} is of the order {order}; orders up to {most} are accepted"
                )));
            }
            if let Some((_, factor)) = reaction.net.iter().find(|(_, factor)| !factor.is_finite()) {
                return Err(Error::Setup(format!("reaction {number} has the coefficient {factor}")));
            }
        }
        Ok(Self { variable, fixed, reactions })
    }

    /// The number of species that change.
    #[must_use]
    pub fn variable(&self) -> usize {
        self.variable
    }

    /// The number of species that do not.
    #[must_use]
    pub fn fixed(&self) -> usize {
        self.fixed
    }

    /// The reactions.
    #[must_use]
    pub fn reactions(&self) -> &[Reaction] {
        &self.reactions
    }

    /// The columns of each row of the Jacobian that are not zero by structure, and the diagonal.
    #[must_use]
    pub fn pattern(&self) -> Vec<BTreeSet<u32>> {
        pattern(self.variable, &self.reactions)
    }
}

/// See [`Network::pattern`].
pub(crate) fn pattern(variable: usize, reactions: &[Reaction]) -> Vec<BTreeSet<u32>> {
    let mut rows: Vec<BTreeSet<u32>> = (0..variable as u32).map(|i| BTreeSet::from([i])).collect();
    for reaction in reactions {
        for &(made, factor) in reaction.net.iter().filter(|&&(made, factor)| made < variable && factor != 0.0) {
            debug_assert!(factor != 0.0);
            rows[made].extend(reaction.reactants.iter().map(|&(s, _)| s as u32).filter(|&s| (s as usize) < variable));
        }
    }
    rows
}
