//! The directions of the streams of a hemisphere.

use isobar_core::{Column, Real};

/// Cosines and weights: those of the nodes are all profiles', the viewing angle is each one's own and has no weight.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct StreamDirections<'a, R> {
    /// Cosine of each node against the vertical, in (0, 1).
    pub node_cosine: Column<'a, R>,
    /// Quadrature weight of each node.
    pub node_weight: Column<'a, R>,
    /// Cosine of each profile's viewing angle, in (0, 1]; without items where there is none.
    pub viewing_cosine: Column<'a, R>,
}

impl<R: Real> StreamDirections<'_, R> {
    /// The streams that have weights.
    #[inline(always)]
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.node_cosine.len()
    }

    /// The cosine of a stream.
    #[inline(always)]
    #[must_use]
    pub fn cosine(&self, stream: usize, profile: usize) -> R {
        if stream < self.nodes() { self.node_cosine.at(stream) } else { self.viewing_cosine.at(profile) }
    }

    /// The weight of a stream.
    #[inline(always)]
    #[must_use]
    pub fn weight(&self, stream: usize) -> R {
        if stream < self.nodes() { self.node_weight.at(stream) } else { R::ZERO }
    }
}
