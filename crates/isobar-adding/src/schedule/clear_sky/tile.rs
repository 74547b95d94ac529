//! Which layers, profiles and angle the lanes of a warp have.

use isobar_core::Lanes;

/// Lanes next to each other have neighbouring profiles, and every `profiles` lanes the next segment.
///
/// Numbers of 32 bits: a GPU computes addresses beside the physics, and 64 bits take it twice as long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tile {
    /// This thread's first lane.
    pub(crate) lane: u32,
    /// The profile of lane 0.
    pub(crate) first: u32,
    /// The neighbouring profiles of the warp.
    pub(crate) profiles: u32,
    /// The profiles of the batch.
    pub(crate) batch: u32,
    /// The angle.
    pub(crate) angle: u32,
    /// The first layer of lane 0's segment.
    pub(crate) layer: u32,
    /// The layers from a segment to that which `profiles` lanes further have.
    pub(crate) step: u32,
}

impl Tile {
    /// The lanes of a warp whose lane 0 has the profile `first` and the first layer.
    #[inline(always)]
    pub(crate) fn new<const W: usize>(lanes: Lanes<W>, first: u32, profiles: u32, batch: u32, step: u32) -> Self {
        Self { lane: lanes.first() as u32, first, profiles, batch, angle: 0, layer: 0, step }
    }

    /// The tile at an angle.
    #[inline(always)]
    pub(crate) fn at_angle(&self, angle: u32) -> Self {
        Self { angle, ..*self }
    }

    /// The tile of the segment whose first layer in lane 0 is `layer`.
    #[inline(always)]
    pub(crate) fn at_layer(&self, layer: u32) -> Self {
        Self { layer, ..*self }
    }

    /// The first layer of the lane's segment, which may be beyond the last.
    #[inline(always)]
    pub(crate) fn layer(&self, lane: usize) -> u32 {
        self.layer + (self.lane + lane as u32) / self.profiles * self.step
    }

    /// The lane's profile, or the batch's last one for lanes beyond it.
    #[inline(always)]
    pub(crate) fn profile(&self, lane: usize) -> usize {
        let profile = self.first + (self.lane + lane as u32) % self.profiles;
        if profile < self.batch { profile as usize } else { self.batch as usize - 1 }
    }

    /// Is the lane's profile one of the batch?
    #[inline(always)]
    pub(crate) fn inside(&self, lane: usize) -> bool {
        self.first + (self.lane + lane as u32) % self.profiles < self.batch
    }
}
