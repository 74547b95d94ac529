//! Optical depths of neighbouring g-points of a band: weighted sums of rows.

use isobar_core::Real;

use crate::state::ColumnState;
use crate::tables::GasTables;

/// What the optics of a layer are at `N` neighbouring g-points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GasOptics<R, const N: usize> {
    /// Optical depth of absorption.
    pub(crate) absorption: [R; N],
    /// Optical depth of Rayleigh scattering; of a long-wave table the Planck fraction.
    pub(crate) second: [R; N],
}

#[inline(always)]
fn row<R: Real, const N: usize>(start: *const R, offset: u32) -> [R; N] {
    let mut values = [R::ZERO; N];
    for (i, value) in values.iter_mut().enumerate() {
        // SAFETY: offsets are those of tables, which have room for N numbers behind each row.
        *value = unsafe { start.add(offset as usize + i).read() };
    }
    values
}

/// A weighted sum of four rows.
#[inline(always)]
fn four<R: Real, const N: usize>(start: *const R, offsets: [u32; 4], weights: &[R; 4]) -> [R; N] {
    let mut sum = row::<R, N>(start, offsets[0]);
    for value in &mut sum {
        *value *= weights[0];
    }
    for k in 1..4 {
        let values = row::<R, N>(start, offsets[k]);
        for i in 0..N {
            sum[i] = values[i].mul_add(weights[k], sum[i]);
        }
    }
    sum
}

/// A row, the next, and the same one node further along the table's second axis.
#[inline(always)]
fn corners(first: u32, stride: u32, inner: u32) -> [u32; 4] {
    [first, first + stride, first + inner, first + inner + stride]
}

/// Two rows and the next of each.
#[inline(always)]
fn pairs([first, second]: [u32; 2], stride: u32) -> [u32; 4] {
    [first * stride, (first + 1) * stride, second * stride, (second + 1) * stride]
}

/// Absorption of a layer, and its scattering or emission, at the g-points of a band from `point` on.
#[inline(always)]
pub(crate) fn gas_optics<R: Real, const N: usize, const LONGWAVE: bool>(
    tables: &GasTables<'_, R>,
    state: &ColumnState<R>,
    layer: usize,
    (band, point): (usize, u32),
) -> GasOptics<R, N> {
    let band = tables.band(band);
    let region = state.region(layer);
    let (rows, stencil) = state.stencil(layer, band.flavour[region]);

    let (stride, inner) = (band.major_stride, tables.major_inner * band.major_stride);
    let start = tables.coefficient(band.major + point);
    let first = corners(rows.major[0] * stride, stride, inner);
    let second_four = corners(rows.major[1] * stride, stride, inner);
    let mut absorption = four::<R, N>(start, first, &stencil.major[0]);
    let warm = four::<R, N>(start, second_four, &stencil.major[1]);
    for i in 0..N {
        absorption[i] = absorption[i] * stencil.amount[0] + warm[i] * stencil.amount[1];
    }

    let stride = band.minor_stride;
    let offsets = pairs(rows.minor, stride);
    let mut table = band.minor[region] + point;
    for slot in band.slot[region]..band.slot[region] + band.minors[region] {
        let amount = state.amount(layer, slot);
        let values = four::<R, N>(tables.coefficient(table), offsets, &stencil.minor);
        for i in 0..N {
            absorption[i] = values[i].mul_add(amount, absorption[i]);
        }
        table += tables.minor_rows * stride;
    }
    for value in &mut absorption {
        // What ecCKD's gases lack of the reference may be more than all others have.
        *value = value.at_least(R::ZERO);
    }

    let mut second = [R::ONE; N];
    if LONGWAVE {
        if band.fraction != 0 {
            let start = start.wrapping_add(band.fraction as usize);
            let cold = four::<R, N>(start, first, &stencil.major[0]);
            let warm = four::<R, N>(start, second_four, &stencil.major[1]);
            for i in 0..N {
                second[i] = cold[i] + warm[i];
            }
        }
    } else {
        let offsets = pairs(rows.minor, band.rayleigh_stride);
        second = four::<R, N>(tables.coefficient(band.rayleigh[region] + point), offsets, &stencil.minor);
        let air = state.air(layer);
        for value in &mut second {
            *value *= air;
        }
    }
    GasOptics { absorption, second }
}
