//! Which of a warp's lanes a thread computes: all on a CPU, one on a GPU. Neighbouring lanes have one thing in common:
//! four a band, when a lane has a g-point; eight a chunk of layers, when a lane has a layer.

use crate::rrtmg::sizes::CHUNK;
use crate::rrtmg::tables::QUAD;

/// The g-points of a quad that a thread computes.
pub(crate) const fn point_lanes<const W: usize>() -> usize {
    if W < QUAD { W } else { QUAD }
}

/// The quads of a warp that a thread computes.
pub(crate) const fn point_groups<const W: usize>() -> usize {
    if W < QUAD { 1 } else { W / QUAD }
}

/// The layers of a chunk that a thread computes.
pub(crate) const fn layer_lanes<const W: usize>() -> usize {
    if W < CHUNK { W } else { CHUNK }
}

/// The groups of a warp's lanes, each with the layers of a chunk, that a thread computes.
pub(crate) const fn layer_groups<const W: usize>() -> usize {
    if W < CHUNK { 1 } else { W / CHUNK }
}
