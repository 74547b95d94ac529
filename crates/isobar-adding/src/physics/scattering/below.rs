//! Everything below a level, and a slab laid upon it.

use isobar_core::Real;

use crate::physics::scattering::matrix::Matrix;
use crate::physics::scattering::solve::solve;
use crate::schedule::scattering::slab::Slab;
use crate::schedule::scattering::streams::Streams;

/// What a level sees below it.
#[derive(Clone, Copy, Debug)]
pub struct Below<R, const N: usize, const W: usize> {
    /// Reflection of light that comes down through the level, `R_k`.
    pub reflection: Matrix<R, N, W>,
    /// Radiance upward through the level if none comes down, `U_k`, each lane its element.
    pub source: [R; W],
}

/// The light that goes up between a slab and what is below it: `reflection * D + source` for `D` from above the slab,
/// `Z` and `z` in [`Below::under`].
#[derive(Clone, Copy, Debug)]
pub struct Between<R, const N: usize, const W: usize> {
    /// Of light from above the slab.
    pub reflection: Matrix<R, N, W>,
    /// Without any, each lane its element.
    pub source: [R; W],
}

/// The light inside: what arrives below a slab that has something under it is `transmission * D + source` for `D` from
/// above.
#[derive(Clone, Copy, Debug)]
pub struct Passage<R, const N: usize, const W: usize> {
    /// Down through the slab, with all reflections between it and what is below.
    pub transmission: Matrix<R, N, W>,
    /// What arrives below without light from above, each lane its element.
    pub source: [R; W],
}

impl<R: Real, const N: usize, const W: usize> Below<R, N, W> {
    /// The slab `(Ra, Rb, Td, Tu, Su, Sd)` on top of this, and the light between both.
    ///
    /// ```text
    /// (1 - R_k Rb) [Z | z] = [R_k Td | R_k Sd + U_k]
    /// R_(k-1) = Ra + Tu Z        U_(k-1) = Su + Tu z
    /// ```
    ///
    /// This is the adding of the literature, `G = Tu (1 - R_k Rb)^-1`, with the equations solved from the left.
    #[inline(always)]
    #[must_use]
    pub fn under(&self, slab: &Slab<'_, '_, R, N, W>) -> (Self, Between<R, N, W>) {
        let streams = slab.pairs.streams;
        let one_less = Matrix::one_less_product(streams, &self.reflection, &slab.reflection_below());
        let mut z = [self.reflection.times(streams, &slab.transmission_down())];
        let mut z_source = streams.all(self.reflection.apply(streams, slab.source_down(), self.source));
        solve(streams, one_less, &mut z, &mut z_source);
        let ([z], z_source) = (z, streams.own(&z_source));
        let transmission_up = slab.transmission_up();
        let above = Self {
            reflection: slab.reflection_above().add_product(streams, &transmission_up, &z),
            source: transmission_up.apply(streams, z_source, slab.source_up()),
        };
        (above, Between { reflection: z, source: z_source })
    }

    /// The radiance upward where `down` goes down.
    #[inline(always)]
    #[must_use]
    pub fn upward(&self, streams: Streams<N, W>, down: [R; W]) -> [R; W] {
        self.reflection.apply(streams, down, self.source)
    }

    /// The radiance down to this level through a slab that `above` enters from above.
    ///
    /// ```text
    /// (1 - Rb R_k) D = Td above + Sd + Rb U_k
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn downward(&self, slab: &Slab<'_, '_, R, N, W>, above: [R; W]) -> [R; W] {
        let streams = slab.pairs.streams;
        let reflection_below = slab.reflection_below();
        let sources = reflection_below.apply(streams, self.source, slab.source_down());
        let mut down = streams.all(slab.transmission_down().apply(streams, above, sources));
        let one_less = Matrix::one_less_product(streams, &reflection_below, &self.reflection);
        solve(streams, one_less, &mut [], &mut down);
        streams.own(&down)
    }
}

impl<R: Real, const N: usize, const W: usize> Between<R, N, W> {
    /// The way down through the slab.
    ///
    /// ```text
    /// transmission = Td + Rb Z   source = Sd + Rb z
    /// ```
    ///
    /// For `(1 - Rb R_k)^-1 = 1 + Rb (1 - R_k Rb)^-1 R_k`: no second elimination, here or on the way down.
    #[inline(always)]
    #[must_use]
    pub fn passage(&self, slab: &Slab<'_, '_, R, N, W>) -> Passage<R, N, W> {
        let (streams, reflection_below) = (slab.pairs.streams, slab.reflection_below());
        Passage {
            transmission: slab.transmission_down().add_product(streams, &reflection_below, &self.reflection),
            source: reflection_below.apply(streams, self.source, slab.source_down()),
        }
    }
}

impl<R: Real, const N: usize, const W: usize> Passage<R, N, W> {
    /// The radiance that arrives below when `above` enters above.
    #[inline(always)]
    #[must_use]
    pub fn downward(&self, streams: Streams<N, W>, above: [R; W]) -> [R; W] {
        self.transmission.apply(streams, above, self.source)
    }
}
