//! A homogeneous layer of any depth, by two matrices: what its middle makes of even and of odd light.
//!
//! Let `I+` and `I-` be the radiances downward and upward, times the square roots of weight and cosine. Of their sum
//! `u = I+ + I-` and difference `v = I+ - I-` the equation of transfer makes
//!
//! ```text
//! du/dtau = -A v,   dv/dtau = -B u .
//! ```
//!
//! Light that is the same from both sides of a layer of depth `h` has `v = Z u` at its edges, light that is opposite
//! from both sides `u = W v`, with
//!
//! ```text
//! Z = h/2 phi(B A h^2/4) B,   W = h/2 A phi(B A h^2/4),   phi(x) = tanh(sqrt x) / sqrt x .
//! ```
//!
//! `phi` is a rational function for small arguments, and `tanh 2y = 2 tanh y / (1 + tanh^2 y)` doubles the depth:
//!
//! ```text
//! Z' = 2 (1 + Z W)^-1 Z,   W' = 2 W (1 + Z W)^-1 .
//! ```
//!
//! Nothing is subtracted from anything: a layer of depth 1e6 is as exact as one of depth 1. Where the first of the
//! directions is the flux ([`super::medium`]), the first row and column of `B` are proportional to what is absorbed,
//! and so are those of `Z` through all of this: where nothing is absorbed they are zero, and no light is lost.

use isobar_core::{Real, any_of_warp, out_of_line};

use crate::limits::{DEEPEST, MOST_DOUBLINGS};
use crate::physics::azimuth::medium::Medium;
use crate::physics::azimuth::operator::{Directions, Operator, Order, SUNS, VIEWS};
use crate::physics::azimuth::square::for_rows;

/// The two matrices of a layer, and with a source how far its middle is from equilibrium.
#[derive(Clone, Copy, Debug)]
pub struct Impedance<R, const N: usize> {
    /// `v = Z u` for light that is the same from both sides.
    pub even: Operator<R, N>,
    /// `u = W v` for light that is opposite from both sides.
    pub odd: Operator<R, N>,
    /// `(1 - phi(A B h^2/4)) f` of the isotropic radiance `f` that was asked for.
    pub curvature: Directions<R, N>,
}

/// Terms of the approximant of `phi`.
pub(super) const TERMS: usize = 16;

/// The largest `k h/2`, with `k^2` an eigenvalue of `B A`, for which `phi` is taken from its approximant: the error
/// there is `16 * 4^31 / (31!! 33!!)`, 4e-18.
pub(super) const THIN: f64 = 4.0;

/// Coefficients of Pade's approximant of the exponential of `2 y`, `sum_j c_j (2 y)^j` over the same of `-2 y` (Moler
/// and Van Loan 2003, doi:10.1137/S00361445024180, Sect. 3), whose odd terms over even ones are `tanh y`: here the odd
/// ones over `y` (`first` 1) or the even ones (`first` 0), as polynomials of `x = y^2`.
const fn coefficients(first: usize) -> [f64; TERMS / 2 + 1] {
    let mut result = [0.0; TERMS / 2 + 1];
    let (mut j, mut value) = (0, 1.0);
    while j <= TERMS {
        if j % 2 == first {
            result[j / 2] = value;
        }
        value *= 2.0 * (TERMS - j) as f64 / ((2 * TERMS - j) as f64 * (j + 1) as f64);
        j += 1;
    }
    result
}

/// Numerator of `phi(x)`.
pub(super) const NUMERATOR: [f64; TERMS / 2 + 1] = coefficients(1);
/// Denominator of `phi(x)`.
pub(super) const DENOMINATOR: [f64; TERMS / 2 + 1] = coefficients(0);

impl<R: Real, const N: usize> Impedance<R, N> {
    /// Of a layer of optical depth `depth`. The `isotropic` radiance is that of 1 everywhere, where light is emitted.
    #[inline(always)]
    pub fn of(medium: Medium<R, N>, depth: R, isotropic: Option<&Directions<R, N>>, order: Order) -> Self {
        out_of_line(Self::of_medium, (medium, depth, isotropic, order))
    }

    #[inline(always)]
    fn of_medium((mut medium, depth, isotropic, order): (Medium<R, N>, R, Option<&Directions<R, N>>, Order)) -> Self {
        let largest = largest_eigenvalue(&medium.a, &medium.b, order);
        let mut half = R::from_f64(0.5) * depth;
        let mut doublings = 0;
        while half * half * largest > R::from_f64(THIN * THIN) && doublings < MOST_DOUBLINGS {
            half *= R::from_f64(0.5);
            doublings += 1;
        }
        if half * half * largest > R::from_f64(THIN * THIN) && depth <= R::from_f64(DEEPEST) {
            half = R::from_f64(THIN) / largest.sqrt();
        }
        medium.a.scale(half, order);
        medium.b.scale(half, order);
        let mut layer = Self::thin(&medium, isotropic, order);
        while any_of_warp(doublings > 0) {
            let doubled = layer.doubled(isotropic, order);
            if doublings > 0 {
                layer = doubled;
                doublings -= 1;
            }
        }
        layer
    }

    /// Of a layer whose half, times `a` and `b` of the `medium`, is thin.
    #[inline(always)]
    fn thin(medium: &Medium<R, N>, isotropic: Option<&Directions<R, N>>, order: Order) -> Self {
        let Medium { a, b } = medium;
        let x = b.times(a, order);
        let second = x.times(&x, order);
        let third = second.times(&x, order);
        let fourth = second.times(&second, order);
        let powers = [&x, &second, &third, &fourth];
        let inverse = polynomial(&DENOMINATOR, powers, order).inverse(order);
        let phi = inverse.times(&polynomial(&NUMERATOR, powers, order), order);
        let mut curvature = Directions::ZERO;
        if let Some(isotropic) = isotropic {
            // (1 - phi(A B)) f = A Q^-1(B A) D(B A) B f, with D = (Q - P)/x.
            let bent = b.apply(isotropic, order);
            let mut sum = Directions::ZERO;
            for k in (1..=TERMS / 2).rev() {
                let difference = R::from_f64(DENOMINATOR[k] - NUMERATOR[k]);
                sum = x.apply(&sum, order).combine(R::ONE, difference, &bent);
            }
            curvature = a.apply(&inverse.apply(&sum, order), order);
        }
        Self { even: phi.times(b, order), odd: a.times(&phi, order), curvature }
    }

    /// Of a layer twice as deep.
    #[inline(always)]
    fn doubled(&self, isotropic: Option<&Directions<R, N>>, order: Order) -> Self {
        let mut both = self.even.times(&self.odd, order);
        both.add_one(order);
        let mut inverse = both.inverse(order);
        inverse.scale(R::from_f64(2.0), order);
        let (even, odd) = (inverse.times(&self.even, order), self.odd.times(&inverse, order));
        let mut curvature = Directions::ZERO;
        if let Some(isotropic) = isotropic {
            // (1 + W Z)^-1 = 1 - W (1 + Z W)^-1 Z, of the curvature and W Z f.
            let more = self.odd.apply(&self.even.apply(isotropic, order), order);
            let sum = self.curvature.combine(R::ONE, R::ONE, &more);
            let less = odd.apply(&self.even.apply(&sum, order), order);
            curvature = sum.combine(R::ONE, R::from_f64(-0.5), &less);
        }
        Self { even, odd, curvature }
    }
}

/// No eigenvalue of `b a` is larger, for their sum is the trace and none is negative where scattering is physical.
#[inline(always)]
pub(super) fn largest_eigenvalue<R: Real, const N: usize>(a: &Operator<R, N>, b: &Operator<R, N>, order: Order) -> R {
    let mut largest = R::ZERO;
    for_rows!(i < order.nodes, N => {
        largest += a.core[i].dot(&b.core[i]);
    });
    for_rows!(v < order.views, VIEWS => {
        largest = largest.at_least(a.view_diagonal[v] * b.view_diagonal[v]);
    });
    let suns = a.sun_diagonal.with(&b.sun_diagonal, |x, y| x * y);
    for_rows!(s < order.suns, SUNS => {
        largest = largest.at_least(suns.element(s));
    });
    largest
}

/// `sum_k c_k x^k`, where `c_8 x^4 + .. + c_4` times `x^4` is most of it.
#[inline(always)]
pub(super) fn polynomial<R: Real, const N: usize>(
    c: &[f64; TERMS / 2 + 1],
    powers: [&Operator<R, N>; 4],
    order: Order,
) -> Operator<R, N> {
    let [first, second, third, fourth] = powers;
    let number = |k: usize| R::from_f64(c[k]);
    let others = [(number(1), first), (number(2), second), (number(3), third)];
    fourth.times(&high(c, powers, order), order).sum(number(0), R::ONE, others, order)
}

/// `c_4 + c_5 x + .. + c_8 x^4`.
#[inline(always)]
pub(super) fn high<R: Real, const N: usize>(
    c: &[f64; TERMS / 2 + 1],
    [first, second, third, fourth]: [&Operator<R, N>; 4],
    order: Order,
) -> Operator<R, N> {
    let number = |k: usize| R::from_f64(c[k]);
    fourth.sum(number(4), number(8), [(number(5), first), (number(6), second), (number(7), third)], order)
}
