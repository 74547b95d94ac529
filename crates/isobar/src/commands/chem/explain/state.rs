//! Rates at a state: what makes and takes a species.

use isobar_kpp::Mechanism;

use super::cell::OneCell;

/// Reactions of a species that are named.
const NAMED: usize = 3;

/// Concentrations, and what reactions do there.
pub(super) struct State {
    pub(super) concentrations: Vec<f64>,
    /// Of each reaction \[molecule/(cm^3 s)\].
    pub(super) rates: Vec<f64>,
    /// Of each entry of the factors' pattern \[1/s\].
    pub(super) jacobian: Vec<f64>,
    /// Gross production and loss of each variable species \[molecule/(cm^3 s)\].
    pub(super) production: Vec<f64>,
    pub(super) loss: Vec<f64>,
}

impl State {
    pub(super) fn new(mechanism: &Mechanism, cell: &OneCell, concentrations: Vec<f64>) -> Self {
        let here = mechanism.compiled().evaluate(&concentrations, &cell.rate_constants);
        let here = here.expect("concentrations and rate constants of the mechanism");
        let variable = mechanism.variable();
        let (mut production, mut loss) = (vec![0.0; variable], vec![0.0; variable]);
        for (reaction, rate) in mechanism.compiled().network().reactions().iter().zip(&here.rates) {
            for &(species, power) in reaction.reactants.iter().filter(|(species, _)| *species < variable) {
                loss[species] += f64::from(power) * rate;
                // What is on both sides is made, too.
                production[species] += f64::from(power) * rate;
            }
            for &(species, factor) in reaction.net.iter().filter(|(species, _)| *species < variable) {
                production[species] += factor * rate;
            }
        }
        Self { concentrations, rates: here.rates, jacobian: here.jacobian, production, loss }
    }

    /// The reactions that change a species most, from the largest on, and by how much \[molecule/(cm^3 s)\].
    pub(super) fn changes(&self, mechanism: &Mechanism, species: usize) -> Vec<(usize, f64)> {
        let reactions = mechanism.compiled().network().reactions().iter().enumerate();
        let of = |(number, reaction): (usize, &isobar_rosenbrock::Reaction)| {
            let factor = reaction.net.iter().find(|&&(one, _)| one == species)?.1;
            let change = factor * self.rates[number];
            (change != 0.0).then_some((number, change))
        };
        let mut all: Vec<(usize, f64)> = reactions.filter_map(of).collect();
        all.sort_by(|one, other| other.1.abs().total_cmp(&one.1.abs()));
        all.truncate(NAMED);
        all
    }

    /// The lifetime of a species against its loss \[s\]; infinite without one, and nothing where there is none of it.
    pub(super) fn lifetime_s(&self, species: usize) -> Option<f64> {
        match (self.concentrations[species], self.loss[species]) {
            (0.0, 0.0) => None,
            (_, 0.0) => Some(f64::INFINITY),
            (concentration, loss) => Some(concentration / loss),
        }
    }
}
