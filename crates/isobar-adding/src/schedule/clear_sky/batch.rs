//! The arguments that all clear-sky kernels have, and what they have in common.

use isobar_core::{Column, Field, FieldMut, Lanes, Real, Status, Trusted};

use crate::fields::clear_sky::{ProfileViews, RadianceViews};
use crate::physics::clear_sky::layer::{GIVEN, ISOTHERMAL, LINEAR};
use crate::physics::clear_sky::slant::Slant;
use crate::schedule::clear_sky::elements::Elements;
use crate::schedule::clear_sky::order::{GROUP_LAYERS_U32, SEGMENT};
use crate::schedule::clear_sky::segment::{Passage, Segment};
use crate::schedule::clear_sky::tile::Tile;

/// A kernel's output: the radiance at the top over a surface that emits and does not reflect.
pub const EMISSION: usize = 0;
/// The radiance at the top and that which falls on the surface; the surface may reflect.
pub const REFLECTION: usize = 1;
/// [`REFLECTION`], and the radiance upward and downward at every level.
pub const LEVELS: usize = 2;

/// Profiles, angles, and where the results go.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Batch<'a, R> {
    /// The profiles.
    pub inputs: ProfileViews<'a, R>,
    /// The radiances: with [`EMISSION`] those at the top alone, with [`REFLECTION`] those at the surface, too.
    pub outputs: RadianceViews<'a, R>,
    /// The angles.
    pub slant: Column<'a, Slant<R>>,
    /// What else leaves the surface upward for `(angle, profile)`; without items where there is nothing.
    pub surface_source: Field<'a, R>,
    /// The layers.
    pub layers: u32,
    /// Does the surface reflect, with 1 less the emissivity and each angle into itself? 0 or 1.
    pub specular: u32,
}

impl<R: Real> Batch<'_, R> {
    /// The kind of layers.
    #[inline(always)]
    pub(crate) fn source(&self) -> usize {
        if !self.inputs.transmittance.is_empty() {
            GIVEN
        } else if !self.inputs.planck_radiance_level.is_empty() {
            LINEAR
        } else {
            ISOTHERMAL
        }
    }

    #[inline(always)]
    pub(crate) fn layers(&self) -> u32 {
        self.layers
    }

    #[inline(always)]
    pub(crate) fn profiles(&self) -> u32 {
        self.inputs.surface_planck_radiance.len() as u32
    }

    #[inline(always)]
    pub(crate) fn angles(&self) -> u32 {
        self.slant.len() as u32
    }

    #[inline(always)]
    pub(crate) fn groups(&self) -> u32 {
        self.layers().div_ceil(GROUP_LAYERS_U32)
    }

    /// The lanes of a warp: each `profiles` of them share a segment, `step` layers from the next. Lane 0 has profile
    /// `first`.
    #[inline(always)]
    pub(crate) fn tile<const W: usize>(&self, lanes: Lanes<W>, first: u32, profiles: u32, step: u32) -> Tile {
        Tile::new(lanes, first, profiles, self.profiles(), step)
    }

    /// The views without checks.
    #[inline(always)]
    fn trusted(&self) -> Trusted<'_, Self> {
        // SAFETY: kernels, whose callers vouch for the views, ask for their items' own angles, profiles and layers, and
        // for outputs that they have.
        unsafe { Trusted::new(self) }
    }

    /// The slant of one of the batch's angles.
    #[inline(always)]
    pub(crate) fn slant(&self, angle: u32) -> Slant<R> {
        self.trusted().part(|b| &b.slant).get(angle as usize)
    }

    /// The radiance that enters from above.
    #[inline(always)]
    pub(crate) fn above<const W: usize>(&self, tile: &Tile) -> [R; W] {
        core::array::from_fn(|lane| self.trusted().part(|b| &b.inputs.cosmic_background).get(tile.profile(lane)))
    }

    /// Every lane's segment; layers beyond the last are empty.
    #[inline(always)]
    pub(crate) fn segment<const SOURCE: usize, const W: usize>(&self, tile: &Tile) -> Segment<R, W> {
        let ProfileViews { optical_depth, planck_radiance, planck_radiance_level, .. } = &self.inputs;
        Segment::read::<SOURCE>(
            optical_depth,
            if SOURCE == LINEAR { planck_radiance_level } else { planck_radiance },
            tile,
        )
    }

    /// The segment along the angle of the tile, which is `slant`.
    #[inline(always)]
    pub(crate) fn along<'a, const SOURCE: usize, const W: usize>(
        &self,
        segment: &'a Segment<R, W>,
        tile: &Tile,
        slant: &Slant<R>,
    ) -> Passage<'a, R, SOURCE, W> {
        if SOURCE == GIVEN {
            let (angle, angles, layers) = (tile.angle as usize, self.angles() as usize, self.layers as usize);
            segment.given(&self.inputs.transmittance.every(angle, angles, layers), tile)
        } else {
            segment.along(slant)
        }
    }

    /// The radiance that leaves the surface, where `total` is the whole atmosphere.
    #[inline(always)]
    pub(crate) fn surface_up<const W: usize>(&self, tile: &Tile, total: &Elements<R, W>, above: [R; W]) -> [R; W] {
        let down = total.downward(above);
        core::array::from_fn(|lane| {
            let (angle, profile) = (tile.angle as usize, tile.profile(lane));
            let emissivity = self.trusted().part(|b| &b.inputs.emissivity).get(angle, profile);
            let mut up = emissivity * self.trusted().part(|b| &b.inputs.surface_planck_radiance).get(profile);
            if !self.surface_source.is_empty() {
                up += self.trusted().part(|b| &b.surface_source).get(angle, profile);
            }
            if self.specular != 0 {
                up += (R::ONE - emissivity) * down[lane];
            }
            up
        })
    }

    /// Writes what leaves at the top and what arrives at the surface: the lanes of the first segment do it.
    #[inline(always)]
    pub(crate) fn finish<const OUTPUT: usize, const W: usize>(
        &self,
        tile: &Tile,
        total: &Elements<R, W>,
        above: [R; W],
    ) -> Status {
        let surface_up = self.surface_up(tile, total, above);
        let top = total.upward(surface_up);
        let down = total.downward(above);
        let mut status = Status::OK;
        for lane in 0..W {
            if tile.inside(lane) && tile.layer(lane) == tile.layer {
                let (angle, profile) = (tile.angle as usize, tile.profile(lane));
                let batch = self.trusted();
                batch.part(|b| &b.outputs.top_radiance).put(angle, profile, top[lane]);
                if OUTPUT != EMISSION {
                    batch.part(|b| &b.outputs.surface_downward_radiance).put(angle, profile, down[lane]);
                }
                if OUTPUT == LEVELS {
                    let last = self.layers() as usize * self.angles() as usize + angle;
                    batch.part(|b| &b.outputs.upward_radiance).put(angle, profile, top[lane]);
                    batch.part(|b| &b.outputs.downward_radiance).put(last, profile, down[lane]);
                }
                // What is not finite in any layer has come to either end.
                if !(top[lane].is_finite() && (OUTPUT == EMISSION || down[lane].is_finite())) {
                    status = Status::NOT_FINITE;
                    batch.outputs.status.mark(profile, status);
                }
            }
        }
        status
    }

    /// Writes the downward radiance from a segment's upper boundary, where it is `above`, to its last inner level.
    #[inline(always)]
    pub(crate) fn write_down<const SOURCE: usize, const W: usize>(
        &self,
        tile: &Tile,
        passage: &Passage<'_, R, SOURCE, W>,
        above: [R; W],
    ) {
        let mut radiance = above;
        for i in 0..SEGMENT {
            self.write(self.trusted().part(|b| &b.outputs.downward_radiance), i, 0, tile, radiance);
            radiance = passage.downward(i, radiance);
        }
    }

    /// Writes the upward radiance from a segment's lower boundary, where it is `below`, to its first inner level.
    #[inline(always)]
    pub(crate) fn write_up<const SOURCE: usize, const W: usize>(
        &self,
        tile: &Tile,
        passage: &Passage<'_, R, SOURCE, W>,
        below: [R; W],
    ) {
        let mut radiance = below;
        for i in (0..SEGMENT).rev() {
            self.write(self.trusted().part(|b| &b.outputs.upward_radiance), i, 1, tile, radiance);
            radiance = passage.upward(i, radiance);
        }
    }

    /// Writes the radiance at the upper (`side` 0) or lower (1) boundary of layer `i` of every lane's segment.
    #[inline(always)]
    fn write<const W: usize>(
        &self,
        field: Trusted<'_, FieldMut<'_, R>>,
        i: usize,
        side: u32,
        tile: &Tile,
        radiance: [R; W],
    ) {
        // There is a level on either side of a layer.
        let row = |layer: u32| ((layer + side) * self.angles() + tile.angle) as usize;
        // A CPU writes neighbours in one go.
        let whole =
            W > 1 && tile.profiles as usize == W && tile.inside(W - 1) && tile.layer + (i as u32) < self.layers();
        if whole && field.put_neighbours(row(tile.layer + i as u32), tile.profile(0), radiance) {
            return;
        }
        for (lane, value) in radiance.into_iter().enumerate() {
            let layer = tile.layer(lane) + i as u32;
            if layer < self.layers() && tile.inside(lane) {
                field.put(row(layer), tile.profile(lane), value);
            }
        }
    }
}
