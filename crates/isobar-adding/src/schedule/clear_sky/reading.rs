//! Segments from memory, and what each lane computes of their absorption.

#![allow(clippy::needless_range_loop, reason = "one index for several arrays, and no closure: see order.rs")]

use isobar_core::{Field, Real};

use crate::physics::clear_sky::layer::LINEAR;
use crate::physics::clear_sky::slant::Slant;
use crate::schedule::clear_sky::order::SEGMENT;
use crate::schedule::clear_sky::segment::{Passage, Segment};
use crate::schedule::clear_sky::tile::Tile;

impl<R: Real, const W: usize> Segment<R, W> {
    /// Reads every lane's segment; layers beyond the last are empty. [`LINEAR`]: Planck radiances are those of levels.
    ///
    /// From plain references: of an [`isobar_core::Trusted`] view the compiler knows less, and its code is longer.
    #[inline(always)]
    pub(crate) fn read<const SOURCE: usize>(optical_depth: &Field<'_, R>, planck: &Field<'_, R>, tile: &Tile) -> Self {
        // SAFETY: a lane's profile is one of the batch.
        unsafe {
            let mut below = [[R::ZERO; W]; SEGMENT];
            if SOURCE == LINEAR {
                below = planck.tile(|lane| tile.layer(lane) as usize + 1, |lane| tile.profile(lane), R::ZERO);
            }
            Self {
                optical_depth: optical_depth.tile(|lane| tile.layer(lane) as usize, |lane| tile.profile(lane), R::ZERO),
                above: planck.tile(|lane| tile.layer(lane) as usize, |lane| tile.profile(lane), R::ZERO),
                below,
            }
        }
    }

    /// The segment along an angle; `SOURCE` is [`LINEAR`] or isothermal.
    #[inline(always)]
    pub(crate) fn along<const SOURCE: usize>(&self, slant: &Slant<R>) -> Passage<'_, R, SOURCE, W> {
        let mut loss = [[R::ZERO; W]; SEGMENT];
        for i in 0..SEGMENT {
            for lane in 0..W {
                loss[i][lane] = slant.loss(self.optical_depth[i][lane]);
            }
        }
        self.with_loss(slant, loss)
    }

    /// The layers with their transmittances along the tile's angle.
    #[inline(always)]
    pub(crate) fn given<const SOURCE: usize>(
        &self,
        transmittance: &Field<'_, R>,
        tile: &Tile,
    ) -> Passage<'_, R, SOURCE, W> {
        // SAFETY: a lane's profile is one of the batch.
        let mut loss: [[R; W]; SEGMENT] =
            unsafe { transmittance.tile(|lane| tile.layer(lane) as usize, |lane| tile.profile(lane), R::ONE) };
        for row in &mut loss {
            for loss in row {
                *loss -= R::ONE;
            }
        }
        self.isothermal(loss)
    }
}
