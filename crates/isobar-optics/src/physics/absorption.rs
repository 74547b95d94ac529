//! Absorption at a g-point: coefficients between the nodes of the tables, times amounts.

use isobar_core::Real;

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

/// A sum of four coefficients, onto another: in this order.
#[inline(always)]
pub(crate) fn weighted<R: Real>([a, b, c, d]: [R; 4], weights: &[R; 4], sum: R) -> R {
    d.mul_add(weights[3], c.mul_add(weights[2], b.mul_add(weights[1], a.mul_add(weights[0], sum))))
}

/// What the key gases absorb, from the coefficients of both halves of the stencil.
///
/// Fused: of a plain sum a compiler swaps the two sides, and then reads rows in pieces.
#[inline(always)]
pub(crate) fn of_key_gases<R: Real>([first, second]: [R; 2], amounts: &[R; 2]) -> R {
    second.mul_add(amounts[1], first * amounts[0])
}

/// What is absorbed, from the sum over all gases: what ecCKD's lack of the reference may be more than all others have.
#[inline(always)]
pub(crate) fn of_all<R: Real>(sum: R) -> R {
    sum.at_least(R::ZERO)
}
