//! A network as the lists of numbers that the core walks through.

use std::collections::HashMap;

use isobar_core::Column;

use crate::host::network::{Network, Reaction};
use crate::host::rates::{By, Of, WithSlopes};
use crate::host::symbolic::LuPattern;
use crate::physics::index::Index;
use crate::physics::mechanism::Mechanism;
use crate::physics::sizes::Sizes;
use isobar_core::fields::Error;

/// A network as tables: see [`Mechanism`] for what they hold. They are right by construction, so that the core need not
/// check them.
#[derive(Clone, Debug, PartialEq)]
pub struct Tables<I> {
    sizes: Sizes,
    reactants: Vec<[I; 2]>,
    more_reactants: Vec<[I; 2]>,
    derivatives: Vec<[I; 2]>,
    more_derivatives: Vec<[I; 2]>,
    function: Vec<I>,
    loss: Vec<I>,
    factor: Vec<I>,
    rows: Vec<[I; 2]>,
    columns: Vec<I>,
    coefficients: Vec<f64>,
    /// For each reaction the derivatives of its rate as (number, column, power); not for the core.
    derivatives_of: Vec<Vec<[u32; 3]>>,
}

/// The lists of numbers under construction.
struct Builder<'a> {
    network: &'a Network,
    pattern: &'a LuPattern,
    slopes: Option<&'a WithSlopes>,
    coefficients: Vec<f64>,
    coefficient_of: HashMap<u64, usize>,
}

impl<I: Index> Tables<I> {
    /// The tables of a network, whose species are eliminated in their order, with its pattern.
    ///
    /// # Errors
    /// A network too large for the index.
    pub fn new(network: &Network, pattern: &LuPattern) -> Result<Self, Error> {
        Self::of(network, pattern, None)
    }

    /// The tables of a network, with how its rate constants depend on concentrations if `slopes` say it.
    pub(crate) fn of(network: &Network, pattern: &LuPattern, slopes: Option<&WithSlopes>) -> Result<Self, Error> {
        let mut builder = Builder { network, pattern, slopes, coefficients: vec![], coefficient_of: HashMap::new() };
        let (reactants, more_reactants) = builder.reactants();
        let (derivatives, more_derivatives, of) = builder.derivatives();
        let function = builder.function();
        let loss = builder.loss();
        let factor = builder.factor(&of);
        let numbers = slopes.map_or(0, |slopes| slopes.numbers);
        let rows: Vec<[usize; 2]> = (0..pattern.rows())
            .map(|i| [pattern.diagonal[i] - pattern.row_start[i], pattern.row_start[i + 1] - pattern.diagonal[i] - 1])
            .collect();
        let sizes = Sizes {
            variable: network.variable() as u32,
            fixed: network.fixed() as u32,
            sums: (pattern.rows() - network.variable()) as u32,
            reactions: network.reactions().len() as u32,
            constants: network.reactions().len() as u32 + numbers,
            derivatives: derivatives.len() as u32,
            entries: pattern.entries() as u32,
        };
        let derivatives_of = of.iter().take(network.reactions().len()).map(|own| {
            own.iter().map(|&(column, number, power)| [number as u32, column as u32, power as u32]).collect()
        });
        Ok(Self {
            derivatives_of: derivatives_of.collect(),
            sizes,
            reactants: pairs(&reactants)?,
            more_reactants: pairs(&more_reactants)?,
            derivatives: pairs(&derivatives)?,
            more_derivatives: pairs(&more_derivatives)?,
            function: indices(&function)?,
            loss: indices(&loss)?,
            factor: indices(&factor)?,
            rows: pairs(&rows)?,
            columns: indices(&pattern.column)?,
            coefficients: builder.coefficients,
        })
    }

    /// How much there is of everything.
    #[must_use]
    pub fn sizes(&self) -> Sizes {
        self.sizes
    }

    /// See [`crate::Compiled::counted`].
    pub(crate) fn counted(&self, reactions: &[u32]) -> Result<Vec<u32>, Error> {
        let mut all = vec![];
        for &reaction in reactions {
            let Some(derivatives) = self.derivatives_of.get(reaction as usize) else {
                let count = self.derivatives_of.len();
                return Err(Error::Setup(format!("reaction {reaction} is to be counted, but there are {count}")));
            };
            all.extend([reaction, derivatives.len() as u32]);
            all.extend(derivatives.iter().flatten());
        }
        Ok(all)
    }

    /// The bytes of all lists that the core walks through.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let pairs = [&self.reactants, &self.more_reactants, &self.derivatives, &self.more_derivatives, &self.rows];
        let numbers = 2 * pairs.iter().map(|list| list.len()).sum::<usize>()
            + [&self.function, &self.loss, &self.factor, &self.columns].iter().map(|list| list.len()).sum::<usize>();
        numbers * size_of::<I>() + self.coefficients.len() * size_of::<f64>()
    }

    /// Views of the lists, for a kernel on the host.
    #[must_use]
    pub fn view(&self) -> Mechanism<'_, I> {
        Mechanism {
            sizes: self.sizes,
            reactants: column(&self.reactants),
            more_reactants: column(&self.more_reactants),
            derivatives: column(&self.derivatives),
            more_derivatives: column(&self.more_derivatives),
            function: column(&self.function),
            loss: column(&self.loss),
            factor: column(&self.factor),
            rows: column(&self.rows),
            columns: column(&self.columns),
            coefficients: column(&self.coefficients),
        }
    }
}

fn column<T: Copy>(values: &[T]) -> Column<'_, T> {
    if values.is_empty() { Column::empty() } else { Column::from(values) }
}

fn index<I: Index>(number: usize) -> Result<I, Error> {
    if number <= I::MAX {
        return Ok(I::of(number));
    }
    Err(Error::Setup(format!("the mechanism needs number {number}, but its tables have room up to {}", I::MAX)))
}

fn indices<I: Index>(numbers: &[usize]) -> Result<Vec<I>, Error> {
    numbers.iter().map(|&number| index(number)).collect()
}

fn pairs<I: Index>(numbers: &[[usize; 2]]) -> Result<Vec<[I; 2]>, Error> {
    numbers.iter().map(|&[first, second]| Ok([index(first)?, index(second)?])).collect()
}

/// Reactants one by one, as often as their power says.
fn factors(reaction: &Reaction) -> Vec<usize> {
    reaction.reactants.iter().flat_map(|&(species, power)| std::iter::repeat_n(species, power as usize)).collect()
}

impl Builder<'_> {
    /// The place of the number 1 behind all concentrations.
    fn one(&self) -> usize {
        self.network.variable() + self.network.fixed()
    }

    fn coefficient(&mut self, value: f64) -> usize {
        *self.coefficient_of.entry(value.to_bits()).or_insert_with(|| {
            self.coefficients.push(value);
            self.coefficients.len() - 1
        })
    }

    /// Two factors of each rate, and further ones as (number, species).
    fn split(&self, products: &[(usize, Vec<usize>)]) -> (Vec<[usize; 2]>, Vec<[usize; 2]>) {
        let (mut first, mut more) = (vec![], vec![]);
        for (number, (rate, factors)) in products.iter().enumerate() {
            first.push([*rate, factors.first().copied().unwrap_or(self.one())]);
            more.extend(factors.iter().skip(1).map(|&species| [number, species]));
        }
        (first, more)
    }

    fn reactants(&self) -> (Vec<[usize; 2]>, Vec<[usize; 2]>) {
        let (mut two, mut more) = (vec![], vec![]);
        for (number, reaction) in self.network.reactions().iter().enumerate() {
            let factors = factors(reaction);
            let factor = |i: usize| factors.get(i).copied().unwrap_or(self.one());
            two.push([factor(0), factor(1)]);
            more.extend(factors.iter().skip(2).map(|&species| [number, species]));
        }
        (two, more)
    }

    /// Derivatives as (rate constant, species), further factors, and for each reaction, then for each sum, the
    /// derivatives as (column, number, power).
    #[allow(clippy::type_complexity, reason = "three lists that belong together")]
    fn derivatives(&self) -> (Vec<[usize; 2]>, Vec<[usize; 2]>, Vec<Vec<(usize, usize, f64)>>) {
        let (mut products, mut of) = (vec![], vec![]);
        for (number, reaction) in self.network.reactions().iter().enumerate() {
            let mut own = vec![];
            let changes =
                reaction.net.iter().any(|&(species, factor)| species < self.network.variable() && factor != 0.0);
            let variable = reaction.reactants.iter().filter(|&&(s, _)| changes && s < self.network.variable());
            for &(species, power) in variable {
                let mut rest = factors(reaction);
                rest.remove(rest.iter().position(|&s| s == species).expect("a reactant is a factor"));
                own.push((species, products.len(), f64::from(power)));
                products.push((number, rest));
            }
            of.push(own);
        }
        self.add_slopes(&mut products, &mut of);
        let (first, more) = self.split(&products);
        (first, more, of)
    }

    /// Adds the derivatives of rate constants, times all reactants, and those of sums.
    fn add_slopes(&self, products: &mut Vec<(usize, Vec<usize>)>, of: &mut Vec<Vec<(usize, usize, f64)>>) {
        let Some(slopes) = self.slopes else { return };
        let (reactions, variable) = (self.network.reactions(), self.network.variable());
        of.resize(reactions.len() + slopes.program.sums, vec![]);
        let mut known = HashMap::new();
        for slope in &slopes.program.slopes {
            let (row, all) = match slope.of {
                Of::Rate(reaction) => (reaction as usize, factors(&reactions[reaction as usize])),
                Of::Sum(sum) => (reactions.len() + sum as usize, vec![]),
            };
            let column = match slope.by {
                By::Species(species) => species as usize,
                By::Sum(sum) => variable + sum as usize,
            };
            // Sums have no factors: one derivative serves all of one value.
            let product = (if all.is_empty() { usize::MAX } else { row }, slope.number);
            let number = *known.entry(product).or_insert_with(|| {
                products.push((reactions.len() + slope.number as usize, all));
                products.len() - 1
            });
            of[row].push((column, number, 1.0));
        }
    }

    /// For each species the number of its reactions, and (reaction, coefficient) of each.
    fn function(&mut self) -> Vec<usize> {
        let network = self.network;
        let mut terms = vec![vec![]; network.variable()];
        for (number, reaction) in network.reactions().iter().enumerate() {
            let changed = reaction.net.iter().filter(|&&(s, factor)| s < network.variable() && factor != 0.0);
            for &(species, factor) in changed {
                terms[species].push([number, self.coefficient(factor)]);
            }
        }
        terms.iter().flat_map(|terms| std::iter::once(terms.len()).chain(terms.iter().flatten().copied())).collect()
    }

    /// For each species the number of terms of its loss, and the reaction of each.
    fn loss(&self) -> Vec<usize> {
        let network = self.network;
        let mut terms = vec![vec![]; network.variable()];
        for (number, reaction) in network.reactions().iter().enumerate() {
            for species in factors(reaction).into_iter().filter(|&species| species < network.variable()) {
                terms[species].push(number);
            }
        }
        terms.iter().flat_map(|terms| std::iter::once(terms.len()).chain(terms.iter().copied())).collect()
    }

    /// For each row of the matrix: the number of entries left and right of the diagonal; then for each entry from left
    /// to right the diagonal by which it is divided (left of the diagonal only), the number of derivatives, the number
    /// of products, (derivative, coefficient) of each, (entry of L, entry of U) of each.
    fn factor(&mut self, derivatives: &[Vec<(usize, usize, f64)>]) -> Vec<usize> {
        let pattern = self.pattern;
        let mut jacobian = vec![vec![]; pattern.entries()];
        for (reaction, derivatives) in self.network.reactions().iter().zip(derivatives) {
            let net = reaction.net.iter().filter(|&&(s, factor)| s < self.network.variable() && factor != 0.0);
            for &(made, factor) in net {
                for &(by, number, power) in derivatives {
                    let place = pattern.place(made, by).expect("the pattern covers the Jacobian");
                    jacobian[place].push([number, self.coefficient(factor * power)]);
                }
            }
        }
        let sums = derivatives.iter().skip(self.network.reactions().len());
        for (sum, derivatives) in sums.enumerate() {
            for &(by, number, _) in derivatives {
                let place = pattern.place(self.network.variable() + sum, by).expect("the pattern covers the sums");
                jacobian[place].push([number, self.coefficient(1.0)]);
            }
        }
        let mut all = vec![];
        for row in 0..pattern.rows() {
            let (start, diagonal, end) = (pattern.row_start[row], pattern.diagonal[row], pattern.row_start[row + 1]);
            let mut products = vec![vec![]; end - start];
            for lower in start..diagonal {
                let pivot = pattern.column[lower];
                for upper in pattern.diagonal[pivot] + 1..pattern.row_start[pivot + 1] {
                    let place = pattern.place(row, pattern.column[upper]).expect("the pattern covers its fill-in");
                    products[place - start].push([lower, upper]);
                }
            }
            all.extend([diagonal - start, end - diagonal - 1]);
            for place in start..end {
                if place < diagonal {
                    all.push(pattern.diagonal[pattern.column[place]]);
                }
                let products = &products[place - start];
                all.extend([jacobian[place].len(), products.len()]);
                all.extend(jacobian[place].iter().chain(products).flatten());
            }
        }
        all
    }
}
