//! Adding layer upon layer, from the surface up: for batches of many profiles.

use isobar_core::{Column, FieldMut, Lanes, Real, Status};

use crate::physics::scattering::below::{Below, Passage};
use crate::physics::scattering::surface::Surface;
use crate::schedule::scattering::slab::{Pairs, Slab, Slabs};
use crate::schedule::scattering::streams::Streams;

/// Where radiances go, and what is kept of each level to compute them. Levels count from the top; without elements
/// where unused.
///
/// Radiances have the unit of the Planck radiances.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Levels<'a, R> {
    /// Reflection of all that is below a level, element of `(level * order + row, profile * order + column)`.
    pub reflection: FieldMut<'a, R>,
    /// Radiance upward at a level if none comes down, of `(level, profile * order + stream)`.
    pub source: FieldMut<'a, R>,
    /// Radiance upward of `(level * order + stream, profile)`.
    pub up: FieldMut<'a, R>,
    /// Radiance downward of `(level * order + stream, profile)`.
    pub down: FieldMut<'a, R>,
}

impl<R: Copy> Levels<'_, R> {
    /// For the top alone.
    #[must_use]
    pub fn none() -> Self {
        Self {
            reflection: FieldMut::empty(),
            source: FieldMut::empty(),
            up: FieldMut::empty(),
            down: FieldMut::empty(),
        }
    }
}

impl<R: Real> Levels<'_, R> {
    /// Keeps what is below the level of `at`.
    #[inline(always)]
    pub(crate) fn keep<const N: usize, const W: usize>(&self, at: &Pairs<N, W>, below: &Below<R, N, W>) {
        at.put(&self.reflection, &below.reflection);
        at.put_vector(&self.source, &below.source);
    }

    /// What is below the level of `at`.
    #[inline(always)]
    pub(crate) fn kept<const N: usize, const W: usize>(&self, at: &Pairs<N, W>) -> Below<R, N, W> {
        Below { reflection: at.matrix_again(&self.reflection), source: at.vector_again(&self.source) }
    }

    /// Writes both radiances at the level of `at`.
    #[inline(always)]
    pub(crate) fn radiances<const N: usize, const W: usize>(&self, at: &Pairs<N, W>, up: [R; W], down: [R; W]) {
        at.put_radiance(&self.down, &down);
        at.put_radiance(&self.up, &up);
    }
}

/// Radiances of a few neighbouring profiles: an item.
///
/// From the surface up, [`Below::under`] gives `R_k` and `U_k` of every level, and the way down through each layer;
/// then, if all levels are wanted, `D_0 = C`, `D_k = passage_k(D_(k-1))`, `up_k = U_k + R_k D_k`.
///
/// # Accuracy
/// Tests `reference_sets`, `reference_sets_in_single_precision`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct AddLayers<'a, R, const N: usize> {
    /// The streams of a hemisphere, at most `N`.
    pub order: u32,
    /// The layers, from the top.
    pub layers: Slabs<'a, R>,
    /// The surface.
    pub surface: Surface<'a, R>,
    /// Radiance that enters each profile from above.
    pub cosmic: Column<'a, R>,
    /// Radiance upward at the top, of `(stream, profile)`.
    pub top: FieldMut<'a, R>,
    /// Takes [`Status::NOT_FINITE`] of profiles whose radiance at the top is not.
    pub status: FieldMut<'a, u32>,
    /// All levels, or [`Levels::none`].
    pub levels: Levels<'a, R>,
    /// Scratch for the way down through each layer, if all levels are wanted: element of
    /// `(layer * order + row, profile * order + column)`.
    pub transmission: FieldMut<'a, R>,
    /// Source; element of `(layer, profile * order + stream)`.
    pub source: FieldMut<'a, R>,
}

impl<R: Real, const N: usize> AddLayers<'_, R, N> {
    /// The radiances of the profiles of warp number `index`.
    #[inline(always)]
    pub(crate) fn run<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let streams = Streams::<N, W>::new(lanes, self.order as usize);
        let pairs = Pairs::new(streams, index, 1, self.cosmic.len());
        let layers = self.layers.source_up.levels();
        let keeps = !self.levels.up.is_empty();

        let mut below = self.surface.below(&pairs);
        if keeps {
            self.levels.keep(&pairs.at(|_| layers), &below);
        }
        for layer in (0..layers).rev() {
            let at = pairs.at(|_| layer);
            let slab = Slab { slabs: &self.layers, pairs: at, missing: [false; W] };
            let (above, between) = below.under(&slab);
            if keeps {
                let passage = between.passage(&slab);
                at.put(&self.transmission, &passage.transmission);
                at.put_vector(&self.source, &passage.source);
                self.levels.keep(&at, &above);
            }
            below = above;
        }

        let mut down = cosmic(&self.cosmic, &pairs);
        let top = below.upward(streams, down);
        if keeps {
            self.levels.radiances(&pairs, top, down);
            for layer in 0..layers {
                let (at, level) = (pairs.at(|_| layer), pairs.at(|_| layer + 1));
                let passage = Passage {
                    transmission: at.matrix_again(&self.transmission),
                    source: at.vector_again(&self.source),
                };
                down = passage.downward(streams, down);
                self.levels.radiances(&level, self.levels.kept(&level).upward(streams, down), down);
            }
        }
        finish((&self.top, &self.status), &pairs, top)
    }
}

/// The radiance that enters from above, in lanes with a stream.
#[inline(always)]
pub(crate) fn cosmic<R: Real, const N: usize, const W: usize>(cosmic: &Column<'_, R>, pairs: &Pairs<N, W>) -> [R; W] {
    core::array::from_fn(|lane| if pairs.streams.has_column(lane) { cosmic.at(pairs.profile[lane]) } else { R::ZERO })
}

/// Writes the radiance at the top, to which comes what is not finite anywhere.
#[inline(always)]
pub(crate) fn finish<R: Real, const N: usize, const W: usize>(
    (field, statuses): (&FieldMut<'_, R>, &FieldMut<'_, u32>),
    pairs: &Pairs<N, W>,
    top: [R; W],
) -> Status {
    pairs.at(|_| 0).put_radiance(field, &top);
    let mut status = Status::OK;
    #[allow(clippy::needless_range_loop, reason = "a lane has a number in each array")]
    for lane in 0..W {
        if pairs.inside[lane] && !top[lane].is_finite() {
            status = Status::NOT_FINITE;
            statuses.mark(pairs.profile[lane], status);
        }
    }
    status
}
