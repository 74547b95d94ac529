//! Slabs composed: the Redheffer star product.

use isobar_core::Real;

use crate::physics::scattering::matrix::Matrix;
use crate::physics::scattering::solve::solve;
use crate::schedule::scattering::slab::{Pairs, Slab, SlabsMut};

/// A stack of layers in registers: see [`crate::schedule::scattering::slab::Slabs`] for its parts.
#[derive(Clone, Copy, Debug)]
pub struct Stack<R, const N: usize, const W: usize> {
    /// Reflection of light from above.
    pub reflection_above: Matrix<R, N, W>,
    /// Reflection of light from below.
    pub reflection_below: Matrix<R, N, W>,
    /// Transmission downward.
    pub transmission_down: Matrix<R, N, W>,
    /// Transmission upward.
    pub transmission_up: Matrix<R, N, W>,
    /// Emission upward, each lane its element.
    pub source_up: [R; W],
    /// Emission downward, each lane its element.
    pub source_down: [R; W],
}

/// The upper slab `A` over the lower one `B`: one elimination, eight products.
///
/// ```text
/// (1 - Ra_B Rb_A) [Y | Z | z] = [Ra_B Td_A | Tu_B | Su_B + Ra_B Sd_A]
/// Ra = Ra_A + Tu_A Y    Td = Td_B (Td_A + Rb_A Y)
/// Rb = Rb_B + Td_B Rb_A Z    Tu = Tu_A Z
/// Su = Su_A + Tu_A z    Sd = Sd_B + Td_B (Sd_A + Rb_A z)
/// ```
///
/// It equals the form with `G = Tu_A (1 - Ra_B Rb_A)^-1` and `F = Td_B (1 - Rb_A Ra_B)^-1`, for
/// `(1 - Rb_A Ra_B)^-1 = 1 + Rb_A (1 - Ra_B Rb_A)^-1 Ra_B`. It is associative. A missing slab below changes no bit.
#[inline(always)]
#[must_use]
pub fn star<R: Real, const N: usize, const W: usize>(
    upper: &Slab<'_, '_, R, N, W>,
    lower: &Slab<'_, '_, R, N, W>,
) -> Stack<R, N, W> {
    let streams = upper.pairs.streams;
    let reflection = lower.reflection_above();
    let between = upper.reflection_below();
    let one_less = Matrix::one_less_product(streams, &reflection, &between);
    let mut right = [reflection.times(streams, &upper.transmission_down()), lower.transmission_up()];
    let mut z = streams.all(reflection.apply(streams, upper.source_down(), lower.source_up()));
    solve(streams, one_less, &mut right, &mut z);
    let (right, z) = (right, streams.own(&z));

    let transmission_up = upper.transmission_up();
    let reflection_above = upper.reflection_above().add_product(streams, &transmission_up, &right[0]);
    let source_up = transmission_up.apply(streams, z, upper.source_up());
    let composed_up = transmission_up.times(streams, &right[1]);

    let down_to_middle = upper.transmission_down().add_product(streams, &between, &right[0]);
    let source_middle = between.apply(streams, z, upper.source_down());
    let reflected_middle = between.times(streams, &right[1]);

    let transmission_down = lower.transmission_down();
    Stack {
        reflection_above,
        reflection_below: lower.reflection_below().add_product(streams, &transmission_down, &reflected_middle),
        transmission_down: transmission_down.times(streams, &down_to_middle),
        transmission_up: composed_up,
        source_up,
        source_down: transmission_down.apply(streams, source_middle, lower.source_down()),
    }
}

impl<R: Real> SlabsMut<'_, R> {
    /// Writes a stack.
    #[inline(always)]
    pub(crate) fn put<const N: usize, const W: usize>(&self, at: &Pairs<N, W>, stack: &Stack<R, N, W>) {
        at.put(&self.reflection_above, &stack.reflection_above);
        at.put(&self.reflection_below, &stack.reflection_below);
        at.put(&self.transmission_down, &stack.transmission_down);
        at.put(&self.transmission_up, &stack.transmission_up);
        at.put_vector(&self.source_up, &stack.source_up);
        at.put_vector(&self.source_down, &stack.source_down);
    }
}
