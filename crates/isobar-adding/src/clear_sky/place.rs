//! Which layers, profiles and angle the lanes of a warp have.

/// Lanes next to each other have neighbouring profiles, and every `profiles` lanes the next segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// This thread's first lane.
    pub(super) lane: usize,
    /// The profile of lane 0.
    pub(super) first: usize,
    /// The neighbouring profiles of the warp.
    pub(super) profiles: usize,
    /// The profiles of the batch.
    pub(super) batch: usize,
    /// The angle.
    pub(super) angle: usize,
    /// The first layer of lane 0's segment.
    pub(super) layer: usize,
    /// The layers from a segment to that which `profiles` lanes further have.
    pub(super) step: usize,
}

impl Place {
    /// The same for the segment whose first layer in lane 0 is `layer`.
    #[inline(always)]
    pub(super) fn at_layer(&self, layer: usize) -> Self {
        Self { layer, ..*self }
    }

    /// The first layer of the lane's segment, which may be beyond the last.
    #[inline(always)]
    pub(super) fn layer(&self, lane: usize) -> usize {
        self.layer + (self.lane + lane) / self.profiles * self.step
    }

    /// The lane's profile, or the batch's last one for lanes beyond it.
    #[inline(always)]
    pub(super) fn profile(&self, lane: usize) -> usize {
        let profile = self.first + (self.lane + lane) % self.profiles;
        if profile < self.batch { profile } else { self.batch - 1 }
    }

    /// Is the lane's profile one of the batch?
    #[inline(always)]
    pub(super) fn inside(&self, lane: usize) -> bool {
        self.first + (self.lane + lane) % self.profiles < self.batch
    }

    /// The lane's item in what depends on angle and profile.
    #[inline(always)]
    pub(super) fn item(&self, lane: usize) -> usize {
        self.angle * self.batch + self.profile(lane)
    }
}
