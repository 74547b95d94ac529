//! The adjoint of a layer's impedances: of the approximant of `phi`, and of each doubling.

use isobar_core::{Real, out_of_line};

use crate::limits::{DEEPEST, MOST_DOUBLINGS};
use crate::physics::azimuth::impedance::{
    DENOMINATOR, Impedance, NUMERATOR, TERMS, THIN, high, largest_eigenvalue, polynomial,
};
use crate::physics::azimuth::medium::Medium;
use crate::physics::azimuth::operator::{Directions, Operator, Order};

/// Doublings between two layers of a chain that are kept: all of the chain is computed once more, and no third time.
const STRIDE: usize = 8;
const _: () = assert!(STRIDE * STRIDE >= MOST_DOUBLINGS);

/// Derivatives by what [`Impedance::of`] takes.
#[derive(Clone, Copy, Debug)]
pub struct Coefficients<R, const N: usize> {
    /// By the coefficients of differences.
    pub a: Operator<R, N>,
    /// By those of sums.
    pub b: Operator<R, N>,
    /// By the optical depth.
    pub depth: R,
}

/// A layer of a chain, and `2 (1 + Z W)^-1` of the layer before.
#[derive(Clone, Copy)]
struct Link<R, const N: usize> {
    layer: Impedance<R, N>,
    twice_inverse: Operator<R, N>,
}

/// What [`Impedance::of`] computes on its way: the thin layer, and the last doublings.
pub struct Chain<R, const N: usize> {
    thin: Thin<R, N>,
    /// Every eighth layer.
    kept: [Impedance<R, N>; STRIDE],
    links: [Link<R, N>; STRIDE + 1],
    doublings: usize,
    /// Half the depth of the thin layer, and what it is of the whole.
    half: R,
    share: R,
}

impl<R: Real, const N: usize> Chain<R, N> {
    /// Of what [`Impedance::of`] takes.
    #[inline(always)]
    pub fn of(medium: &Medium<R, N>, depth: R, isotropic: Option<&Directions<R, N>>, order: Order) -> Self {
        let Medium { a, b } = medium;
        let largest = largest_eigenvalue(a, b, order);
        let (mut share, mut doublings) = (R::from_f64(0.5), 0);
        while {
            let half = share * depth;
            half * half * largest > R::from_f64(THIN * THIN) && doublings < MOST_DOUBLINGS
        } {
            share *= R::from_f64(0.5);
            doublings += 1;
        }
        let mut half = share * depth;
        if half * half * largest > R::from_f64(THIN * THIN) && depth <= R::from_f64(DEEPEST) {
            (half, share) = (R::from_f64(THIN) / largest.sqrt(), R::ZERO);
        }
        let (mut thin_a, mut thin_b) = (*a, *b);
        thin_a.scale(half, order);
        thin_b.scale(half, order);
        let thin = out_of_line(Thin::of, (&thin_a, &thin_b, order));
        let first = thin.impedance(isotropic, order);
        let mut kept = [first; STRIDE];
        let mut links = [Link { layer: first, twice_inverse: Operator::ZERO }; STRIDE + 1];
        for number in 0..doublings {
            if number % STRIDE == 0 {
                kept[number / STRIDE] = links[if number == 0 { 0 } else { STRIDE }].layer;
                links[0].layer = kept[number / STRIDE];
            }
            links[number % STRIDE + 1] = out_of_line(Link::doubled, (&links[number % STRIDE].layer, isotropic, order));
        }
        Self { thin, kept, links, doublings, half, share }
    }

    /// The impedances of the layer.
    #[inline(always)]
    pub fn last(&self) -> &Impedance<R, N> {
        let last = if self.doublings == 0 { 0 } else { (self.doublings - 1) % STRIDE + 1 };
        &self.links[last].layer
    }

    /// The adjoint of [`Impedance::of`], with the derivatives `bar` by the impedances.
    #[inline(always)]
    pub fn adjoint(
        mut self,
        medium: &Medium<R, N>,
        mut bar: Impedance<R, N>,
        isotropic: Option<&Directions<R, N>>,
        order: Order,
    ) -> Coefficients<R, N> {
        for number in (0..self.doublings).rev() {
            let place = number % STRIDE;
            if place + 1 == STRIDE && number + 1 < self.doublings {
                self.links[0].layer = self.kept[number / STRIDE];
                for i in 0..STRIDE {
                    self.links[i + 1] = out_of_line(Link::doubled, (&self.links[i].layer, isotropic, order));
                }
            }
            let [before, link] = [place, place + 1].map(|at| &self.links[at]);
            bar = out_of_line(Link::adjoint, (link, &before.layer, &bar, isotropic, order));
        }
        let [mut a_bar, mut b_bar] = out_of_line(Thin::adjoint, (&self.thin, &bar, isotropic, order));
        // `half a` and `half b`.
        let half_bar = a_bar.inner(&medium.a, order) + b_bar.inner(&medium.b, order);
        a_bar.scale(self.half, order);
        b_bar.scale(self.half, order);
        Coefficients { a: a_bar, b: b_bar, depth: self.share * half_bar }
    }
}

/// A link, the layer before it, derivatives by its own, and what all layers share.
type BackThrough<'a, R, const N: usize> =
    (&'a Link<R, N>, &'a Impedance<R, N>, &'a Impedance<R, N>, Option<&'a Directions<R, N>>, Order);

impl<R: Real, const N: usize> Link<R, N> {
    /// The layer twice as deep.
    #[inline(always)]
    fn doubled((before, isotropic, order): (&Impedance<R, N>, Option<&Directions<R, N>>, Order)) -> Self {
        let mut both = before.even.times(&before.odd, order);
        both.add_one(order);
        let mut twice_inverse = both.inverse(order);
        twice_inverse.scale(R::from_f64(2.0), order);
        let even = twice_inverse.times(&before.even, order);
        let odd = before.odd.times(&twice_inverse, order);
        let mut curvature = Directions::ZERO;
        if let Some(isotropic) = isotropic {
            let more = before.odd.apply(&before.even.apply(isotropic, order), order);
            let sum = before.curvature.combine(R::ONE, R::ONE, &more);
            let less = odd.apply(&before.even.apply(&sum, order), order);
            curvature = sum.combine(R::ONE, R::from_f64(-0.5), &less);
        }
        Self { layer: Impedance { even, odd, curvature }, twice_inverse }
    }

    /// With `S = 2 (1 + Z W)^-1` and `Z' = S Z`, `W' = W S`:
    ///
    /// ```text
    /// S_bar = Z'_bar Z^T + W^T W'_bar,   (Z W)_bar = -S^T S_bar S^T / 2,
    /// Z_bar = S^T Z'_bar + (Z W)_bar W^T,   W_bar = W'_bar S^T + Z^T (Z W)_bar .
    /// ```
    ///
    /// The curvature is `c' = s - W' Z s / 2` of `s = c + W Z f`.
    #[inline(always)]
    fn adjoint((this, before, bar, isotropic, order): BackThrough<'_, R, N>) -> Impedance<R, N> {
        let Impedance { even: even_bar, odd: mut odd_bar, curvature: mut sum_bar } = *bar;
        let (mut even_before, mut odd_before) = (Operator::ZERO, Operator::ZERO);
        if let Some(isotropic) = isotropic {
            let bent = before.even.apply(isotropic, order);
            let sum = before.curvature.combine(R::ONE, R::ONE, &before.odd.apply(&bent, order));
            let inner = before.even.apply(&sum, order);
            let less_bar = sum_bar.combine(R::from_f64(-0.5), R::ZERO, &Directions::ZERO);
            odd_bar.add_outer(&less_bar, &inner, order);
            let inner_bar = this.layer.odd.apply_transposed(&less_bar, order);
            even_before.add_outer(&inner_bar, &sum, order);
            sum_bar = sum_bar.combine(R::ONE, R::ONE, &before.even.apply_transposed(&inner_bar, order));
            odd_before.add_outer(&sum_bar, &bent, order);
            even_before.add_outer(&before.odd.apply_transposed(&sum_bar, order), isotropic, order);
        }
        let inverse = &this.twice_inverse;
        let mut inverse_bar = even_bar.times_transposed(&before.even, order);
        inverse_bar.add(R::ONE, &before.odd.transposed_times(&odd_bar, order), order);
        let mut product_bar = inverse.transposed_around(&inverse_bar, order);
        product_bar.scale(R::from_f64(-0.5), order);
        even_before.add(R::ONE, &inverse.transposed_times(&even_bar, order), order);
        even_before.add(R::ONE, &product_bar.times_transposed(&before.odd, order), order);
        odd_before.add(R::ONE, &odd_bar.times_transposed(inverse, order), order);
        odd_before.add(R::ONE, &before.even.transposed_times(&product_bar, order), order);
        Impedance { even: even_before, odd: odd_before, curvature: sum_bar }
    }
}

/// What the approximant of `phi` computes on its way, of coefficients that are scaled by half the depth.
struct Thin<R, const N: usize> {
    /// `b`, `a`, and `x = b a` with its second, third and fourth power.
    values: [Operator<R, N>; 6],
    /// Of the denominator.
    inverse: Operator<R, N>,
    phi: Operator<R, N>,
}

/// The products of which [`Thin::values`] are made: the places of the result and of both factors.
const PRODUCTS: [[usize; 3]; 4] = [[2, 0, 1], [3, 2, 2], [4, 3, 2], [5, 3, 3]];

impl<R: Real, const N: usize> Thin<R, N> {
    #[inline(always)]
    fn of((a, b, order): (&Operator<R, N>, &Operator<R, N>, Order)) -> Self {
        let mut values = [*b, *a, *a, *a, *a, *a];
        for [result, left, right] in PRODUCTS {
            values[result] = values[left].times(&values[right], order);
        }
        let mut sums = [Operator::ZERO; 2];
        for (number, sum) in sums.iter_mut().enumerate() {
            *sum = polynomial(coefficients(number), powers(&values), order);
        }
        let [numerator, denominator] = sums;
        let inverse = denominator.inverse(order);
        let phi = inverse.times(&numerator, order);
        Self { values, inverse, phi }
    }

    #[inline(always)]
    fn impedance(&self, isotropic: Option<&Directions<R, N>>, order: Order) -> Impedance<R, N> {
        let [b, a, ..] = &self.values;
        let mut curvature = Directions::ZERO;
        if let Some(isotropic) = isotropic {
            let sums = self.sums(&b.apply(isotropic, order), order);
            curvature = a.apply(&self.inverse.apply(&sums[0], order), order);
        }
        Impedance { even: self.phi.times(b, order), odd: a.times(&self.phi, order), curvature }
    }

    /// `D(x) g`, `D = (Q - P)/x`, by Horner's scheme: the last is the first of the sums.
    #[inline(always)]
    fn sums(&self, bent: &Directions<R, N>, order: Order) -> [Directions<R, N>; TERMS / 2 + 1] {
        let mut sums = [Directions::ZERO; TERMS / 2 + 1];
        for k in (0..TERMS / 2).rev() {
            sums[k] = self.values[2].apply(&sums[k + 1], order).combine(R::ONE, difference(k + 1), bent);
        }
        sums
    }

    /// `Z = phi b`, `W = a phi`, `phi = Q^-1 P`, and `P` and `Q` are `x^4 H(x)` and terms below, with products'
    /// adjoints all the way. The curvature is `a Q^-1 D(x) b f`.
    #[inline(always)]
    fn adjoint(
        (this, bar, isotropic, order): (&Self, &Impedance<R, N>, Option<&Directions<R, N>>, Order),
    ) -> [Operator<R, N>; 2] {
        let [b, a, ..] = &this.values;
        let mut bars = [Operator::ZERO; 6];
        bars[0] = this.phi.transposed_times(&bar.even, order);
        bars[1] = bar.odd.times_transposed(&this.phi, order);
        let mut phi_bar = bar.even.times_transposed(b, order);
        phi_bar.add(R::ONE, &a.transposed_times(&bar.odd, order), order);
        let numerator_bar = this.inverse.transposed_times(&phi_bar, order);
        let mut denominator_bar = numerator_bar.times_transposed(&this.phi, order);
        denominator_bar.scale(-R::ONE, order);
        if let Some(isotropic) = isotropic {
            let bent = b.apply(isotropic, order);
            let sums = this.sums(&bent, order);
            let inner = this.inverse.apply(&sums[0], order);
            bars[1].add_outer(&bar.curvature, &inner, order);
            let inner_bar = a.apply_transposed(&bar.curvature, order);
            let mut sum_bar = this.inverse.apply_transposed(&inner_bar, order);
            let opposite = inner.combine(-R::ONE, R::ZERO, &Directions::ZERO);
            denominator_bar.add_outer(&sum_bar, &opposite, order);
            let mut bent_bar = Directions::ZERO;
            for k in 0..TERMS / 2 {
                bent_bar = bent_bar.combine(R::ONE, difference(k + 1), &sum_bar);
                bars[2].add_outer(&sum_bar, &sums[k + 1], order);
                sum_bar = this.values[2].apply_transposed(&sum_bar, order);
            }
            bars[0].add_outer(&bent_bar, isotropic, order);
        }
        for (number, sum_bar) in [numerator_bar, denominator_bar].iter().enumerate() {
            let c = coefficients(number);
            bars[5].add(R::ONE, &sum_bar.times_transposed(&high(c, powers(&this.values), order), order), order);
            let high_bar = this.values[5].transposed_times(sum_bar, order);
            for k in 1..4 {
                bars[k + 1].add(R::from_f64(c[k]), sum_bar, order);
            }
            for k in 1..5 {
                bars[k + 1].add(R::from_f64(c[k + 4]), &high_bar, order);
            }
        }
        for [result, left, right] in PRODUCTS.into_iter().rev() {
            let bar = bars[result];
            bars[left].add(R::ONE, &bar.times_transposed(&this.values[right], order), order);
            bars[right].add(R::ONE, &this.values[left].transposed_times(&bar, order), order);
        }
        [bars[1], bars[0]]
    }
}

/// Of the numerator (0) or the denominator (1) of `phi`.
#[inline(always)]
fn coefficients(number: usize) -> &'static [f64; TERMS / 2 + 1] {
    if number == 0 { &NUMERATOR } else { &DENOMINATOR }
}

#[inline(always)]
fn difference<R: Real>(k: usize) -> R {
    R::from_f64(DENOMINATOR[k] - NUMERATOR[k])
}

/// `x` with its second, third and fourth power.
#[inline(always)]
fn powers<R: Real, const N: usize>(values: &[Operator<R, N>; 6]) -> [&Operator<R, N>; 4] {
    let [_, _, x, second, third, fourth] = values;
    [x, second, third, fourth]
}
