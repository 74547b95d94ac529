//! Optical depths of a g-point, as a GPU's thread has them: the sums of `neighbours`, in their order, of coefficients
//! that it reads two at once ([`crate::TableData::side_by_side`]) and all before it needs the first.

use isobar_core::Real;

use crate::physics::absorption::{corners, of_key_gases, pairs, weighted};
use crate::read_pair::read_pair;
use crate::state::{ColumnState, Rows};
use crate::tables::{GasTables, LaneRow, RegionOfBand};

/// Where an element begins: in bytes, 32 bits are enough for any table, and a GPU adds them to an address at once.
#[inline(always)]
pub(super) fn at<R: Real>(coefficients: *const R, offset: u32) -> *const R {
    coefficients.wrapping_byte_add(offset.wrapping_mul(size_of::<R>() as u32) as usize)
}

/// Four coefficients.
#[inline(always)]
fn four<R: Real>(coefficients: *const R, [a, b, c, d]: [u32; 4]) -> [R; 4] {
    // SAFETY: offsets are those of tables.
    let read = |offset| unsafe { at(coefficients, offset).read() };
    [read(a), read(b), read(c), read(d)]
}

/// Four pairs of them.
#[inline(always)]
fn four_pairs<R: Real>(coefficients: *const R, [a, b, c, d]: [u32; 4]) -> [[R; 2]; 4] {
    // SAFETY: as above, and pairs are aligned, for tables begin at a multiple of eight numbers.
    let read = |offset| unsafe { read_pair(at(coefficients, offset)) };
    [read(a), read(b), read(c), read(d)]
}

/// The first or the second of each pair.
#[inline(always)]
fn each<R: Real>(pairs: &[[R; 2]; 4], which: usize) -> [R; 4] {
    [pairs[0][which], pairs[1][which], pairs[2][which], pairs[3][which]]
}

/// Where a g-point is in its band's tables.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    pub(super) major: u32,
    pub(super) major_stride: u32,
    pub(super) fraction: u32,
    pub(super) minor_stride: u32,
    pub(super) rayleigh_stride: u32,
    pub(super) point: u32,
}

impl Place {
    /// Of a lane.
    #[inline(always)]
    pub(crate) fn new<R: Real>(tables: &GasTables<'_, R>, lane: LaneRow) -> Self {
        let band = tables.band(lane.band as usize);
        Self {
            major: band.major,
            major_stride: band.major_stride,
            fraction: band.fraction,
            minor_stride: band.minor_stride,
            rayleigh_stride: band.rayleigh_stride,
            point: lane.point,
        }
    }
}

/// What a g-point's thread knows of a layer before it comes there.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ahead {
    /// What its band has in the layer's region.
    pub(crate) region: RegionOfBand,
    /// The layer's rows.
    pub(crate) rows: Rows,
}

/// The sum over the gases of optical depths of absorption of a layer at a g-point, which may be negative, and that of
/// Rayleigh scattering; of a long-wave table the Planck fraction.
#[inline(always)]
pub(crate) fn gas_optics<R: Real, const LONGWAVE: bool>(
    tables: &GasTables<'_, R>,
    state: &ColumnState<R>,
    layer: usize,
    band: &Place,
    ahead: &Ahead,
) -> [R; 2] {
    let (here, rows, point) = (ahead.region, ahead.rows, band.point);
    let coefficients = tables.coefficients.as_ptr();
    let (stride, inner) = (band.major_stride, tables.major_inner * band.major_stride);
    let [first, other] = rows.major;
    let (table, minors) = (2 * tables.minor_rows * band.minor_stride, here.slot + here.minors);
    let mut offsets = pairs(here.minor + 2 * point, rows.minor, 2 * band.minor_stride);
    let mut slot = here.slot;
    let lesser = |offsets, slot| {
        // The second of the last pair may be nothing's.
        let next = if slot + 1 < minors { slot + 1 } else { slot };
        (four_pairs(coefficients, offsets), [state.amount(layer, slot), state.amount(layer, next)])
    };
    let stencil = state.stencil(layer, here.flavour);

    let (halves, mut second);
    if LONGWAVE && band.fraction != 0 {
        let major = band.major + 2 * point;
        let first = four_pairs(coefficients, corners(major + first * stride, stride, inner));
        let other = four_pairs(coefficients, corners(major + other * stride, stride, inner));
        let weights = [stencil.major(0), stencil.major(1)];
        halves = [weighted(each(&first, 0), &weights[0], R::ZERO), weighted(each(&other, 0), &weights[1], R::ZERO)];
        second = weighted(each(&other, 1), &weights[1], weighted(each(&first, 1), &weights[0], R::ZERO));
    } else {
        let major = band.major + point;
        let first = four(coefficients, corners(major + first * stride, stride, inner));
        let other = four(coefficients, corners(major + other * stride, stride, inner));
        let weights = [stencil.major(0), stencil.major(1)];
        halves = [weighted(first, &weights[0], R::ZERO), weighted(other, &weights[1], R::ZERO)];
        second = R::ONE;
    }
    let mut absorption = of_key_gases(halves, &stencil.amount);

    if !LONGWAVE {
        let rayleigh = pairs(here.rayleigh + point, rows.minor, band.rayleigh_stride);
        second = weighted(four(coefficients, rayleigh), &stencil.minor, R::ZERO) * state.air(layer);
    }
    while slot < minors {
        let (pairs, [amount, next]) = lesser(offsets, slot);
        absorption = weighted(each(&pairs, 0), &stencil.minor, R::ZERO).mul_add(amount, absorption);
        if slot + 1 < minors {
            absorption = weighted(each(&pairs, 1), &stencil.minor, R::ZERO).mul_add(next, absorption);
        }
        slot += 2;
        for offset in &mut offsets {
            *offset += table;
        }
    }
    [absorption, second]
}
