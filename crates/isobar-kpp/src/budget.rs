//! What reactions make and lose of a species, or of a family of species.

use std::collections::HashMap;

use crate::error::{Error, Fault};
use crate::limits::LEAST_GAIN;
use crate::mechanism::Mechanism;
use crate::source::Sources;

/// A species or a family whose budget is wanted: which reactions change it, and by how much each.
///
/// ```
/// let text = "#DEFVAR O; O3; #DEFFIX O2; #EQUATIONS O + O2 = O3 : 1e-15; O3 = O + O2 : 1e-3; O + O3 = 2 O2 : 8e-15;";
/// let mechanism = isobar_kpp::Reader::new().read_text("chapman.kpp", text)?;
/// // What only goes to and fro within the family is not in its budget.
/// assert_eq!(mechanism.budget("Ox = O + O3")?.terms, [(2, -2.0)]);
/// assert_eq!(mechanism.budget("O3")?.terms, [(0, 1.0), (1, -1.0), (2, -1.0)]);
/// # Ok::<(), isobar_kpp::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Budget {
    /// The name: that of the species as it was declared, or the family's.
    pub name: String,
    /// Variable species, and how often each counts.
    pub members: Vec<(usize, f64)>,
    /// The reactions that change it, in their order, and how many of it each makes (negative: loses).
    pub terms: Vec<(usize, f64)>,
}

impl Budget {
    /// What goes into a reaction besides the members, in words: `OH`, `O2 + M`, `light`; `itself` where there is
    /// nothing else.
    #[must_use]
    pub fn partner(&self, mechanism: &Mechanism, reaction: usize) -> String {
        let reaction = &mechanism.reactions()[reaction];
        let is_member = |species: &usize| self.members.iter().any(|(member, _)| member == species);
        let mut others: Vec<String> = Vec::new();
        for (species, power) in reaction.reactants.iter().filter(|(species, _)| !is_member(species)) {
            let name = &mechanism.species()[*species].name;
            others.push(if *power == 1 { name.clone() } else { format!("{power} {name}") });
        }
        if reaction.photolysis {
            others.push("light".to_owned());
        }
        if others.is_empty() { "itself".to_owned() } else { others.join(" + ") }
    }
}

impl Mechanism {
    /// The budget of a species (`O3`), or of a family (`Ox = O3 + NO2 + 2*N2O5`), names in any case.
    ///
    /// # Errors
    /// A name that is not that of a variable species, one that stands there twice, a family's name with other signs
    /// than letters, digits and `_`, a factor that is not a positive number, or nothing that changes it.
    pub fn budget(&self, text: &str) -> Result<Budget, Error> {
        self.find_budget(text).map_err(|fault| fault.error(&Sources::default()))
    }

    fn find_budget(&self, text: &str) -> Result<Budget, Fault> {
        let fails = |what: String| Err(Fault::nowhere(what));
        let (name, sum) = text.split_once('=').unwrap_or((text, text));
        let name = name.trim();
        if text.contains('=') && (name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')) {
            return fails(format!("budget `{text}`: the name of a family has letters, digits and _"));
        }
        let mut members: Vec<(usize, f64)> = Vec::new();
        for term in sum.split('+').map(str::trim) {
            let (factor, species) = match term.split_once('*') {
                Some((factor, species)) => (factor.trim().parse::<f64>().unwrap_or(f64::NAN), species.trim()),
                None => (1.0, term),
            };
            if !(factor > 0.0 && factor.is_finite()) {
                return fails(format!("budget `{text}`: the factor in `{term}` is not a positive number"));
            }
            let Some(species) = self.species_index(species) else {
                let fault = Fault::nowhere(format!("budget `{text}`: the mechanism has no species `{species}`"));
                return Err(fault.nearest(species, self.species().iter().map(|species| species.name.as_str())));
            };
            let known = &self.species()[species].name;
            if species >= self.variable() {
                return fails(format!("budget `{text}`: {known} is held, so that nothing changes it"));
            }
            if members.iter().any(|&(member, _)| member == species) {
                return fails(format!("budget `{text}`: {known} stands there twice"));
            }
            members.push((species, factor));
        }
        let name = if text.contains('=') { name.to_owned() } else { self.species()[members[0].0].name.clone() };
        let weights: HashMap<usize, f64> = members.iter().copied().collect();
        let change = |net: &[(usize, f64)]| -> f64 {
            net.iter().filter_map(|(species, net)| weights.get(species).map(|weight| weight * net)).sum()
        };
        let all = self.reactions().iter().enumerate().map(|(number, reaction)| (number, change(&reaction.net)));
        let terms: Vec<(usize, f64)> = all.filter(|(_, net)| net.abs() > LEAST_GAIN).collect();
        if terms.is_empty() {
            return fails(format!("budget `{text}`: no reaction changes it"));
        }
        Ok(Budget { name, members, terms })
    }
}
