//! Derivatives by a layer's state from those by its optics, which are linear in weights of rows, amounts and air. What
//! multiplies a derivative is summed over rows first, and then over g-points.

use isobar_core::Real;

use crate::state::ColumnState;
use crate::tables::{BandRow, RegionOfBand};

/// A layer's rows in the tables of a band, at the `N` neighbouring g-points that a thread has.
pub(super) trait TableRows<R, const N: usize> {
    /// One of the four rows of a half of the stencil: absorption and, if there are any, Planck fractions.
    fn major<const FRACTION: bool>(&self, half: usize, corner: usize) -> [[R; N]; 2];

    /// The four rows of one of the region's lesser gases.
    fn minor(&self, number: usize) -> [[R; N]; 4];

    /// The four rows of Rayleigh scattering.
    fn rayleigh(&self) -> [[R; N]; 4];

    /// The sum over all g-points that are taken together.
    fn sum(&self, values: [R; N]) -> R;
}

/// Adds rows times factors to others.
#[inline(always)]
fn add<R: Real, const N: usize>(sums: &mut [R; N], row: &[R; N], factor: R) {
    for i in 0..N {
        sums[i] = row[i].mul_add(factor, sums[i]);
    }
}

/// What multiplies derivatives by one kind of optics in those by a stencil.
#[derive(Clone, Copy)]
struct Slopes<R, const N: usize> {
    minor: [[R; N]; 4],
    beyond: [R; N],
}

impl<R: Real, const N: usize> Slopes<R, N> {
    #[inline(always)]
    fn zeros() -> Self {
        Self { minor: [[R::ZERO; N]; 4], beyond: [R::ZERO; N] }
    }

    /// Adds those by what [`crate::state::Stencil::major`] makes of a half, each times a factor.
    #[inline(always)]
    fn add_major<const HALF: usize>(&mut self, [a, b, c, d]: [&[R; N]; 4], stencil: &Weights<R>, factor: R) {
        let [first, second] = [stencil.minor[2 * HALF], stencil.minor[2 * HALF + 1]];
        let (here, beyond) = (factor * (R::ONE - stencil.beyond), factor * stencil.beyond);
        add(&mut self.minor[2 * HALF], a, here);
        add(&mut self.minor[2 * HALF], c, beyond);
        add(&mut self.minor[2 * HALF + 1], b, here);
        add(&mut self.minor[2 * HALF + 1], d, beyond);
        let (first, second) = (factor * first, factor * second);
        add(&mut self.beyond, c, first);
        add(&mut self.beyond, a, -first);
        add(&mut self.beyond, d, second);
        add(&mut self.beyond, b, -second);
    }
}

/// Derivatives by a stencil, and those that they come from.
struct Adjoint<'a, R, T, const N: usize> {
    rows: &'a T,
    stencil: Weights<R>,
    /// By absorption, and by Planck fractions or Rayleigh scattering.
    by: [[R; N]; 2],
    slopes: [Slopes<R, N>; 2],
}

type Weights<R> = crate::state::Stencil<R>;

impl<R: Real, T: TableRows<R, N>, const N: usize> Adjoint<'_, R, T, N> {
    /// The sum over g-points of numbers times derivatives by one kind of optics.
    #[inline(always)]
    fn product(&self, mut values: [R; N], kind: usize) -> R {
        for i in 0..N {
            values[i] *= self.by[kind][i];
        }
        self.rows.sum(values)
    }

    /// Of both kinds.
    #[inline(always)]
    fn products(&self, mut values: [R; N], second: [R; N]) -> R {
        for i in 0..N {
            values[i] = values[i].mul_add(self.by[0][i], second[i] * self.by[1][i]);
        }
        self.rows.sum(values)
    }

    /// A half of the stencil; returns the derivative by its amount.
    #[inline(always)]
    fn major<const HALF: usize, const FRACTION: bool>(&mut self) -> R {
        // One by one: what is counted at run time a GPU would keep in slow memory.
        let row = |corner| self.rows.major::<FRACTION>(HALF, corner);
        let [a, b, c, d] = [row(0), row(1), row(2), row(3)];
        let weights = self.stencil.major(HALF);
        let mut sum = [R::ZERO; N];
        add(&mut sum, &a[0], weights[0]);
        add(&mut sum, &b[0], weights[1]);
        add(&mut sum, &c[0], weights[2]);
        add(&mut sum, &d[0], weights[3]);
        let amount = self.stencil.amount[HALF];
        self.slopes[0].add_major::<HALF>([&a[0], &b[0], &c[0], &d[0]], &self.stencil, amount);
        if FRACTION {
            self.slopes[1].add_major::<HALF>([&a[1], &b[1], &c[1], &d[1]], &self.stencil, R::ONE);
        }
        self.product(sum, 0)
    }

    /// Four rows times an amount; returns the derivative by that.
    #[inline(always)]
    fn minor<const KIND: usize>(&mut self, rows: &[[R; N]; 4], amount: R) -> R {
        let mut sum = [R::ZERO; N];
        for k in 0..4 {
            add(&mut sum, &rows[k], self.stencil.minor[k]);
            add(&mut self.slopes[KIND].minor[k], &rows[k], amount);
        }
        self.product(sum, KIND)
    }
}

/// Adds derivatives by a layer's state to `to`, unless it only looks on, from those by absorption and by Planck
/// fractions or Rayleigh scattering.
#[inline(always)]
pub(super) fn add_derivatives<R: Real, const LONGWAVE: bool, const N: usize>(
    (band, here): (&BandRow, &RegionOfBand),
    [state, to]: [&ColumnState<R>; 2],
    (layer, writes): (usize, bool),
    rows: &impl TableRows<R, N>,
    by: [[R; N]; 2],
) {
    let stencil = state.stencil(layer, here.flavour);
    let mut adjoint = Adjoint { rows, stencil, by, slopes: [Slopes::zeros(); 2] };
    let by_amounts = if LONGWAVE && band.fraction != 0 {
        [adjoint.major::<0, true>(), adjoint.major::<1, true>()]
    } else {
        [adjoint.major::<0, false>(), adjoint.major::<1, false>()]
    };
    for number in 0..here.minors {
        let slot = here.slot + number;
        let by_amount = adjoint.minor::<0>(&rows.minor(number as usize), state.amount(layer, slot));
        if writes {
            to.set_amount(layer, slot, to.amount(layer, slot) + by_amount);
        }
    }
    if !LONGWAVE {
        let by_air = adjoint.minor::<1>(&rows.rayleigh(), state.air(layer));
        if writes {
            to.set_air(layer, to.air(layer) + by_air);
        }
    }
    let [first, second] = adjoint.slopes;
    let by_minor = [
        adjoint.products(first.minor[0], second.minor[0]),
        adjoint.products(first.minor[1], second.minor[1]),
        adjoint.products(first.minor[2], second.minor[2]),
        adjoint.products(first.minor[3], second.minor[3]),
    ];
    let by_beyond = adjoint.products(first.beyond, second.beyond);
    if writes {
        let mut sums = to.stencil(layer, here.flavour);
        sums.amount[0] += by_amounts[0];
        sums.amount[1] += by_amounts[1];
        for k in 0..4 {
            sums.minor[k] += by_minor[k];
        }
        sums.beyond += by_beyond;
        to.set_stencil(layer, here.flavour, state.rows(layer, here.flavour), sums);
    }
}
