//! Which rays and channels an item has.

use isobar_core::Lanes;
use isobar_core::kernel::WARP;

/// The rays and channels of a kernel whose items are teams of a warp: 32 rays times 32 channels are 32 items.
///
/// The lanes of a GPU's warp are rays in one channel: neighbours go along similar paths, and so they read the same
/// curves at nearly the same nodes and find at the same points that they have to. A CPU's thread has the neighbouring
/// channels of one ray, which share its path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tiles {
    pub(super) rays: usize,
    pub(super) channels: usize,
}

/// Channels of a ray.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tile {
    pub(super) ray: usize,
    /// The first of the channels.
    pub(super) first: usize,
    /// How many of them there are; 0 beyond the rays or channels.
    pub(super) here: usize,
}

impl Tiles {
    #[inline(always)]
    pub(super) fn items(&self) -> usize {
        self.rays.div_ceil(WARP) * WARP * self.channels.div_ceil(WARP)
    }

    /// What the `W` lanes have of an item, where a lane of a GPU takes `EACH` neighbouring channels, a divisor of 32.
    #[inline(always)]
    pub(super) fn tile<const W: usize, const EACH: usize>(&self, item: usize, lanes: Lanes<W>) -> Tile {
        let blocks = self.channels.div_ceil(WARP);
        let (ray, first, most) = if W == WARP {
            (item / blocks, item % blocks * WARP, WARP)
        } else {
            // Warps of the same rays are neighbours; where a lane takes several channels, the last items are idle.
            let groups = blocks * (WARP / EACH);
            (item / groups * WARP + lanes.first(), item % groups * EACH, EACH)
        };
        let here = if ray < self.rays { most.min(self.channels.saturating_sub(first)) } else { 0 };
        Tile { ray, first, here }
    }
}

/// Where a ray's channel stands among the items of a field: which of them are neighbours depends on who computes them.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Rows {
    /// From a ray to the next.
    pub ray: u32,
    /// From a channel to the next.
    pub channel: u32,
}

impl Rows {
    /// The channels of a ray are neighbours.
    #[must_use]
    pub fn channels_together(channels: usize) -> Self {
        Self { ray: channels as u32, channel: 1 }
    }

    /// The rays of a channel are neighbours.
    #[must_use]
    pub fn rays_together(rays: usize) -> Self {
        Self { ray: 1, channel: rays as u32 }
    }

    /// The item of a ray's channel.
    #[inline(always)]
    #[must_use]
    pub fn at(&self, ray: usize, channel: usize) -> usize {
        ray * self.ray as usize + channel * self.channel as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_and_threads_have_each_ray_and_channel_once() {
        for (rays, channels) in [(1, 1), (3, 37), (32, 32), (70, 4), (33, 65)] {
            let tiles = Tiles { rays, channels };
            let mut seen = vec![[0; 3]; rays * channels];
            let mut count = |tile: Tile, who: usize| {
                (tile.first..tile.first + tile.here).for_each(|channel| seen[tile.ray * channels + channel][who] += 1);
            };
            for item in 0..tiles.items() {
                count(tiles.tile::<WARP, 1>(item, Lanes::starting_at(0)), 0);
                for lane in 0..WARP {
                    count(tiles.tile::<1, 1>(item, Lanes::starting_at(lane)), 1);
                    count(tiles.tile::<1, 4>(item, Lanes::starting_at(lane)), 2);
                }
            }
            assert!(seen.iter().all(|&counts| counts == [1; 3]), "{rays} rays, {channels} channels");
        }
    }
}
