//! Derivatives by a layer's state from those by its optics. Gas optics is linear in weights of rows, amounts and air:
//! so all that is needed of the tables are sums over g-points, of a row times derivatives.

use isobar_core::Real;

use crate::state::ColumnState;
use crate::tables::{BandRow, RegionOfBand};

/// Sums over neighbouring g-points of a band: of a layer's rows in the tables, times derivatives by its optics.
pub(super) trait TableProducts<R> {
    /// Of one of the four rows of a half of the stencil: with derivatives by absorption and, of its Planck fractions,
    /// with those by these.
    fn major<const FRACTION: bool>(&self, half: usize, corner: usize) -> [R; 2];

    /// Of the four rows of one of the region's lesser gases, with derivatives by absorption.
    fn minor(&self, number: usize) -> [R; 4];

    /// Of the four rows of Rayleigh scattering, with derivatives by that.
    fn rayleigh(&self) -> [R; 4];
}

/// Adds derivatives by a layer's state to `to`, unless it only looks on.
#[inline(always)]
pub(super) fn add_derivatives<R: Real, const LONGWAVE: bool>(
    (band, here): (&BandRow, &RegionOfBand),
    [state, to]: [&ColumnState<R>; 2],
    (layer, writes): (usize, bool),
    products: &impl TableProducts<R>,
) {
    let (rows, stencil) = (state.rows(layer, here.flavour), state.stencil(layer, here.flavour));
    let mut by = to.stencil(layer, here.flavour);
    let has_fractions = LONGWAVE && band.fraction != 0;
    for half in 0..2 {
        let weights = stencil.major(half);
        let mut by_weights = [R::ZERO; 4];
        for corner in 0..4 {
            let [of_row, of_fraction] = if has_fractions {
                products.major::<true>(half, corner)
            } else {
                products.major::<false>(half, corner)
            };
            by.amount[half] += weights[corner] * of_row;
            by_weights[corner] = stencil.amount[half] * of_row;
            if has_fractions {
                by_weights[corner] += of_fraction;
            }
        }
        by.add_major(half, &stencil, &by_weights);
    }
    for number in 0..here.minors {
        let (slot, of_rows) = (here.slot + number, products.minor(number as usize));
        let (amount, mut by_amount) = (state.amount(layer, slot), R::ZERO);
        for k in 0..4 {
            by_amount += stencil.minor[k] * of_rows[k];
            by.minor[k] += amount * of_rows[k];
        }
        if writes {
            to.set_amount(layer, slot, to.amount(layer, slot) + by_amount);
        }
    }
    if !LONGWAVE {
        let (air, of_rows, mut by_air) = (state.air(layer), products.rayleigh(), R::ZERO);
        for k in 0..4 {
            by_air += stencil.minor[k] * of_rows[k];
            by.minor[k] += air * of_rows[k];
        }
        if writes {
            to.set_air(layer, to.air(layer) + by_air);
        }
    }
    if writes {
        to.set_stencil(layer, here.flavour, rows, by);
    }
}
