//! Mass action along directions: how rates change with concentrations, how these changes change, and the transposes of
//! both.
//!
//! With the rate `w_r = k_r p_r(c)`, `p_r` the product of all its factors:
//!
//! ```text
//! dw_r = k_r p_r'(c) d + dk_r p_r(c)                       along a change d of c, and dk of k
//! d(w_r' x) = k_r p_r''(c)[d, x] + dk_r p_r'(c) x          the same of the derivative of the rate along x
//! ```
//!
//! The second is what the Jacobian's change `dJ x = (H d) x + dJ/dk dk x` is made of, H being the Hessian of dc/dt, as
//! Sandu, Daescu and Carmichael 2003 (doi:10.1016/j.atmosenv.2003.08.019, part I) and Daescu, Sandu and Carmichael 2003
//! (doi:10.1016/j.atmosenv.2003.08.020, part II) need it for discrete tangents and adjoints of Rosenbrock methods. No
//! Hessian is stored: a product of numbers `c + a x + b d + e x d` gives both derivatives in one pass.
//!
//! Units: concentrations \[molecules/cm^3\], rates \[molecules/(cm^3 s)\]; directions have the units of what they
//! change.

use isobar_core::{Column, Real, Trusted};

use crate::physics::index::Index;
use crate::physics::kinetics::Kinetics;
use crate::schedule::numbers::{Block, Numbers, Reader, add_products};

/// The factors of a rate, as often as their powers say; the number 1 fills up to two.
#[derive(Clone, Copy)]
struct Factors<'k, 'a, I> {
    two: [I; 2],
    more: Trusted<'k, Column<'a, [I; 2]>>,
    first_more: usize,
    count: usize,
}

impl<I: Index> Factors<'_, '_, I> {
    /// The place of a factor among the concentrations.
    #[inline(always)]
    fn at(&self, number: usize) -> usize {
        if number < 2 { self.two[number].place() } else { self.more.get(self.first_more + number - 2)[1].place() }
    }
}

/// What the rates of a cell are made of: concentrations, fixed species and the number 1 behind them, and rate
/// constants.
#[derive(Clone, Copy)]
pub(crate) struct Point<R, const V: usize> {
    pub(crate) state: Block<R, V>,
    pub(crate) rate_constants: Block<R, V>,
}

/// A sum, and what is added along a direction of its factors: `value + slope x`.
#[derive(Clone, Copy)]
struct Along<R, const V: usize> {
    value: [R; V],
    slope: [R; V],
}

impl<R: Real, const V: usize> Along<R, V> {
    const ONE: Self = Self { value: [R::ONE; V], slope: [R::ZERO; V] };

    /// The product with another.
    #[inline(always)]
    fn times(mut self, value: [R; V], slope: [R; V]) -> Self {
        for lane in 0..V {
            self.slope[lane] = self.slope[lane] * value[lane] + self.value[lane] * slope[lane];
            self.value[lane] *= value[lane];
        }
        self
    }
}

impl<'k, 'a, I: Index> Kinetics<'k, 'a, I> {
    /// Calls a function with the number of each reaction and its factors.
    #[inline(always)]
    fn each_reaction(&self, mut of: impl FnMut(usize, Factors<'k, 'a, I>)) {
        let more = self.mechanism.part(|m| &m.more_reactants);
        let mut first_more = 0;
        for reaction in 0..self.mechanism.sizes.reactions as usize {
            // Further factors stand in the order of their reactions.
            let mut end = first_more;
            while end < more.len() && more.get(end)[0].place() == reaction {
                end += 1;
            }
            let two = self.mechanism.part(|m| &m.reactants).get(reaction);
            of(reaction, Factors { two, more, first_more, count: 2 + end - first_more });
            first_more = end;
        }
    }

    /// The component of a direction of variable species, which others do not have.
    #[inline(always)]
    fn of_variable<R: Real, const V: usize>(&self, direction: Block<R, V>, place: usize) -> [R; V] {
        if place < self.mechanism.sizes.variable as usize { direction.get(place) } else { [R::ZERO; V] }
    }

    /// The change of each rate along changes of all concentrations (0 for the number 1) and of the rate constants.
    #[inline(always)]
    pub(crate) fn rates_along<R: Real, const V: usize>(
        &self,
        point: Point<R, V>,
        along: Point<R, V>,
        changes: Block<R, V>,
    ) {
        self.each_reaction(|reaction, factors| {
            let mut product = Along::ONE;
            for number in 0..factors.count {
                let place = factors.at(number);
                product = product.times(point.state.get(place), along.state.get(place));
            }
            let constant =
                Along { value: point.rate_constants.get(reaction), slope: along.rate_constants.get(reaction) };
            changes.set(reaction, constant.times(product.value, product.slope).slope);
        });
    }

    /// Adds to `base`, which gives `changes`, the change of the derivative of each rate along the variable species of
    /// `stage`: see the head of this file.
    #[inline(always)]
    pub(crate) fn slopes_along<R: Real, const V: usize>(
        &self,
        point: Point<R, V>,
        along: Point<R, V>,
        stage: Block<R, V>,
        (base, changes): (Block<R, V>, Block<R, V>),
    ) {
        self.each_reaction(|reaction, factors| {
            // value + a x + b d + e x d: the first along the stage, then how both change along the direction.
            let mut product = Along::<R, V>::ONE;
            let mut change = Along::<R, V> { value: [R::ZERO; V], slope: [R::ZERO; V] };
            for number in 0..factors.count {
                let place = factors.at(number);
                let (value, slope) = (point.state.get(place), self.of_variable(stage, place));
                let own = product.times(along.state.get(place), [R::ZERO; V]);
                change = change.times(value, slope);
                for lane in 0..V {
                    change.value[lane] += own.value[lane];
                    change.slope[lane] += own.slope[lane];
                }
                product = product.times(value, slope);
            }
            let (constant, constant_along) = (point.rate_constants.get(reaction), along.rate_constants.get(reaction));
            let mut sum = base.get(reaction);
            for lane in 0..V {
                sum[lane] += constant[lane] * change.slope[lane] + constant_along[lane] * product.slope[lane];
            }
            changes.set(reaction, sum);
        });
    }

    /// What a weight of dc/dt of each variable species is as a weight of each rate: the transpose of the sums of rates.
    #[inline(always)]
    pub(crate) fn weights_of_rates<R: Real, const V: usize>(&self, of_function: Block<R, V>, of_rates: Block<R, V>) {
        for reaction in 0..self.mechanism.sizes.reactions as usize {
            of_rates.set(reaction, [R::ZERO; V]);
        }
        let mut table = Reader::new(self.mechanism.part(|m| &m.function));
        for species in 0..self.mechanism.sizes.variable as usize {
            let weight = of_function.get(species);
            for _ in 0..table.next() {
                let reaction = table.next();
                let coefficient = R::from_f64(self.mechanism.part(|m| &m.coefficients).get(table.next()));
                let mut sum = of_rates.get(reaction);
                for lane in 0..V {
                    sum[lane] = Real::mul_add(coefficient, weight[lane], sum[lane]);
                }
                of_rates.set(reaction, sum);
            }
        }
    }

    /// Adds the weights of rates, as weights of what the rates depend on: the transpose of [`Kinetics::rates_along`].
    #[inline(always)]
    pub(crate) fn add_gradient<R: Real, const V: usize>(
        &self,
        point: Point<R, V>,
        of_rates: Block<R, V>,
        gradient: Point<R, V>,
    ) {
        self.each_reaction(|reaction, factors| {
            let (weight, constant) = (of_rates.get(reaction), point.rate_constants.get(reaction));
            let mut all = [R::ONE; V];
            for number in 0..factors.count {
                let (mut product, value) = (constant, point.state.get(factors.at(number)));
                for other in (0..factors.count).filter(|&other| other != number) {
                    let factor = point.state.get(factors.at(other));
                    for lane in 0..V {
                        product[lane] *= factor[lane];
                    }
                }
                add(gradient.state, factors.at(number), weight, product);
                for lane in 0..V {
                    all[lane] *= value[lane];
                }
            }
            add(gradient.rate_constants, reaction, weight, all);
        });
    }

    /// Adds the weights of derivatives of rates along the variable species of `stage`, as weights of what these depend
    /// on: the transpose of [`Kinetics::slopes_along`].
    #[inline(always)]
    pub(crate) fn add_gradient_of_slopes<R: Real, const V: usize>(
        &self,
        point: Point<R, V>,
        stage: Block<R, V>,
        of_rates: Block<R, V>,
        gradient: Point<R, V>,
    ) {
        self.each_reaction(|reaction, factors| {
            let (weight, constant) = (of_rates.get(reaction), point.rate_constants.get(reaction));
            let of = |number: usize| {
                let place = factors.at(number);
                (point.state.get(place), self.of_variable(stage, place))
            };
            let mut all = Along::ONE;
            for number in 0..factors.count {
                let mut product = Along { value: constant, slope: [R::ZERO; V] };
                for other in (0..factors.count).filter(|&other| other != number) {
                    let (value, slope) = of(other);
                    product = product.times(value, slope);
                }
                add(gradient.state, factors.at(number), weight, product.slope);
                let (value, slope) = of(number);
                all = all.times(value, slope);
            }
            add(gradient.rate_constants, reaction, weight, all.slope);
        });
    }

    /// The change of dc/dt with changes of rates, added up as [`Kinetics::sum_rates`] does it, times a share of each
    /// stage before, for the right side of a stage.
    #[inline(always)]
    pub(crate) fn sum_changes<R: Real, const V: usize>(&self, changes: Block<R, V>, right: Block<R, V>) {
        let mut table = Reader::new(self.mechanism.part(|m| &m.function));
        for species in 0..self.mechanism.sizes.variable as usize {
            let mut sum = right.get(species);
            add_products!(sum, table.next(), {
                let change = changes.get(table.next());
                ([R::from_f64(self.mechanism.part(|m| &m.coefficients).get(table.next())); V], change)
            });
            right.set(species, sum);
        }
    }
}

/// Adds a product to an entry.
#[inline(always)]
fn add<R: Real, const V: usize>(sums: Block<R, V>, place: usize, weight: [R; V], factor: [R; V]) {
    let mut sum = sums.get(place);
    for lane in 0..V {
        sum[lane] += weight[lane] * factor[lane];
    }
    sums.set(place, sum);
}
