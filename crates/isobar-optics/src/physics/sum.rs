//! Optical depths of neighbouring g-points of a band, as a CPU has them: weighted sums of rows.

use isobar_core::Real;

use crate::state::ColumnState;
use crate::tables::{BandRow, GasTables};

/// What the optics of a layer are at `N` neighbouring g-points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GasOptics<R, const N: usize> {
    /// Optical depth of absorption.
    pub(crate) absorption: [R; N],
    /// Optical depth of Rayleigh scattering; of a long-wave table the Planck fraction.
    pub(crate) second: [R; N],
}

/// A row of the coefficients from element `offset` on. In bytes, 32 bits are enough for any table, and a GPU adds them
/// to an address at once.
#[inline(always)]
fn row<R: Real, const N: usize>(coefficients: *const R, offset: u32) -> [R; N] {
    let start = coefficients.wrapping_byte_add(offset.wrapping_mul(size_of::<R>() as u32) as usize);
    let mut values = [R::ZERO; N];
    for (i, value) in values.iter_mut().enumerate() {
        // SAFETY: offsets are those of tables, which have room for N numbers behind each row.
        *value = unsafe { start.add(i).read() };
    }
    values
}

/// Adds a weighted sum of four rows.
#[inline(always)]
fn add<R: Real, const N: usize>(sum: &mut [R; N], coefficients: *const R, offsets: [u32; 4], weights: &[R; 4]) {
    for k in 0..4 {
        let values = row::<R, N>(coefficients, offsets[k]);
        for i in 0..N {
            sum[i] = values[i].mul_add(weights[k], sum[i]);
        }
    }
}

/// A row, the next, and the same one node further along the table's second axis.
#[inline(always)]
pub(crate) fn corners(first: u32, stride: u32, inner: u32) -> [u32; 4] {
    [first, first + stride, first + inner, first + inner + stride]
}

/// Two rows from element `table` on, and the next of each.
#[inline(always)]
pub(crate) fn pairs(table: u32, [first, second]: [u32; 2], stride: u32) -> [u32; 4] {
    let (first, second) = (table + first * stride, table + second * stride);
    [first, first + stride, second, second + stride]
}

/// Absorption of a layer, and its scattering or emission, at the g-points of a band from `point` on.
#[inline(always)]
pub(crate) fn gas_optics<R: Real, const N: usize, const LONGWAVE: bool>(
    tables: &GasTables<'_, R>,
    state: &ColumnState<R>,
    (layer, region): (usize, usize),
    (band, point): (&BandRow, u32),
) -> GasOptics<R, N> {
    let here = band.region(region);
    let (rows, stencil) = (state.rows(layer, here.flavour), state.stencil(layer, here.flavour));

    let coefficients = tables.coefficients.as_ptr();
    let weights = [stencil.major(0), stencil.major(1)];
    let (stride, inner) = (band.major_stride, tables.major_inner * band.major_stride);
    let major = band.major + point;
    let first = corners(major + rows.major[0] * stride, stride, inner);
    let other = corners(major + rows.major[1] * stride, stride, inner);
    let (mut absorption, mut more) = ([R::ZERO; N], [R::ZERO; N]);
    add(&mut absorption, coefficients, first, &weights[0]);
    add(&mut more, coefficients, other, &weights[1]);
    for i in 0..N {
        // Fused: of a plain sum a compiler swaps the two sides, and then reads rows in pieces.
        absorption[i] = more[i].mul_add(stencil.amount[1], absorption[i] * stencil.amount[0]);
    }

    let stride = band.minor_stride;
    let mut offsets = pairs(here.minor + point, rows.minor, stride);
    for slot in here.slot..here.slot + here.minors {
        let mut sum = [R::ZERO; N];
        add(&mut sum, coefficients, offsets, &stencil.minor);
        let amount = state.amount(layer, slot);
        for i in 0..N {
            absorption[i] = sum[i].mul_add(amount, absorption[i]);
        }
        for offset in &mut offsets {
            *offset += tables.minor_rows * stride;
        }
    }
    for value in &mut absorption {
        // What ecCKD's gases lack of the reference may be more than all others have.
        *value = value.at_least(R::ZERO);
    }

    let mut second = [R::ONE; N];
    if LONGWAVE {
        if band.fraction != 0 {
            second = [R::ZERO; N];
            add(&mut second, coefficients, shifted(first, band.fraction), &weights[0]);
            add(&mut second, coefficients, shifted(other, band.fraction), &weights[1]);
        }
    } else {
        second = [R::ZERO; N];
        let offsets = pairs(here.rayleigh + point, rows.minor, band.rayleigh_stride);
        add(&mut second, coefficients, offsets, &stencil.minor);
        let air = state.air(layer);
        for value in &mut second {
            *value *= air;
        }
    }
    GasOptics { absorption, second }
}

/// All offsets, so much further.
#[inline(always)]
fn shifted([a, b, c, d]: [u32; 4], by: u32) -> [u32; 4] {
    [a + by, b + by, c + by, d + by]
}
