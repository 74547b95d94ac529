//! The arguments that all clear-sky kernels have, and what they have in common.

use isobar_core::{Column, Field, FieldMut, Lanes, Real, Status, Trusted};

use crate::physics::clear_sky::element::Element;
use crate::physics::clear_sky::order::{GROUP_LAYERS_U32, SEGMENT};
use crate::physics::clear_sky::segment::{GIVEN, ISOTHERMAL, LINEAR, Passage, Segment};
use crate::physics::clear_sky::slant::Slant;
use crate::schedule::clear_sky::tile::Tile;

/// A kernel's output: the radiance at the top over a surface that emits and does not reflect.
pub const EMISSION: usize = 0;
/// The radiance at the top and that which falls on the surface; the surface may reflect.
pub const REFLECTION: usize = 1;
/// The same, and the radiance upward and downward at every level.
pub const LEVELS: usize = 2;

/// Profiles, angles, and where the results go. Layers and levels count from the top.
///
/// What depends on angle and profile has the item `angle * profiles + profile`. Radiances have the unit of the Planck
/// radiances.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ClearSky<'a, R> {
    /// Vertical optical depth of `(layer, profile)`, zero or more.
    pub optical_depth: Field<'a, R>,
    /// Transmittance of `(layer, angle and profile)` instead, 0 to 1; without items where it follows from the optical
    /// depth.
    pub transmittance: Field<'a, R>,
    /// Planck radiance of `(layer, profile)`, or with `linear` of `(level, profile)`.
    pub planck: Field<'a, R>,
    /// Is the source linear in optical depth between levels? (Otherwise layers are isothermal.) 0 or 1.
    pub linear: u32,
    /// Does the surface reflect, with 1 less the emissivity and each angle into itself? 0 or 1.
    pub specular: u32,
    /// The angles.
    pub slant: Column<'a, Slant<R>>,
    /// Planck radiance of the surface of each profile.
    pub surface_planck: Column<'a, R>,
    /// Emissivity of the surface for `(angle, profile)`, 0 to 1.
    pub emissivity: Field<'a, R>,
    /// What else leaves the surface upward for `(angle, profile)`; without items where there is nothing.
    pub surface_source: Field<'a, R>,
    /// Radiance that enters each profile from above.
    pub cosmic: Column<'a, R>,
    /// Upward radiance at the top of `(angle, profile)`.
    pub top: FieldMut<'a, R>,
    /// Downward radiance at the surface of `(angle, profile)`; unless [`EMISSION`].
    pub surface_down: FieldMut<'a, R>,
    /// Upward radiance of `(level, angle and profile)` if [`LEVELS`].
    pub level_up: FieldMut<'a, R>,
    /// Downward radiance of `(level, angle and profile)` if [`LEVELS`].
    pub level_down: FieldMut<'a, R>,
}

impl<R: Real> ClearSky<'_, R> {
    /// The kind of layers.
    #[inline(always)]
    pub(crate) fn source(&self) -> usize {
        if !self.transmittance.is_empty() {
            GIVEN
        } else if self.linear != 0 {
            LINEAR
        } else {
            ISOTHERMAL
        }
    }

    #[inline(always)]
    pub(crate) fn layers(&self) -> u32 {
        self.planck.levels() as u32 - self.linear
    }

    #[inline(always)]
    pub(crate) fn profiles(&self) -> u32 {
        self.planck.items() as u32
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
        core::array::from_fn(|lane| self.trusted().part(|b| &b.cosmic).get(tile.profile(lane)))
    }

    /// Every lane's segment; layers beyond the last are empty.
    #[inline(always)]
    pub(crate) fn segment<const SOURCE: usize, const W: usize>(&self, tile: &Tile) -> Segment<R, W> {
        Segment::read::<SOURCE>(&self.optical_depth, &self.planck, tile)
    }

    /// The segment along the angle of the tile, which is `slant`.
    #[inline(always)]
    pub(crate) fn along<'a, const SOURCE: usize, const W: usize>(
        &self,
        segment: &'a Segment<R, W>,
        tile: &Tile,
        slant: &Slant<R>,
    ) -> Passage<'a, R, SOURCE, W> {
        if SOURCE == GIVEN { segment.given(&self.transmittance, tile) } else { segment.along(slant) }
    }

    /// The radiance that leaves the surface, where `total` is the whole atmosphere.
    #[inline(always)]
    pub(crate) fn surface_up<const W: usize>(&self, tile: &Tile, total: &Element<R, W>, above: [R; W]) -> [R; W] {
        let down = total.downward(above);
        core::array::from_fn(|lane| {
            let (angle, profile) = (tile.angle as usize, tile.profile(lane));
            let emissivity = self.trusted().part(|b| &b.emissivity).get(angle, profile);
            let mut up = emissivity * self.trusted().part(|b| &b.surface_planck).get(profile);
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
        total: &Element<R, W>,
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
                batch.part(|b| &b.top).put(angle, profile, top[lane]);
                if OUTPUT != EMISSION {
                    batch.part(|b| &b.surface_down).put(angle, profile, down[lane]);
                }
                if OUTPUT == LEVELS {
                    batch.part(|b| &b.level_up).put(0, tile.item(lane), top[lane]);
                    batch.part(|b| &b.level_down).put(self.layers() as usize, tile.item(lane), down[lane]);
                }
                if !top[lane].is_finite() {
                    status = Status::NOT_FINITE;
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
            self.write(self.trusted().part(|b| &b.level_down), i, 0, tile, radiance);
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
            self.write(self.trusted().part(|b| &b.level_up), i, 1, tile, radiance);
            radiance = passage.upward(i, radiance);
        }
    }

    /// Writes the radiance at the upper (`side` 0) or lower (1) boundary of layer `i` of every lane's segment.
    #[inline(always)]
    fn write<const W: usize>(
        &self,
        field: Trusted<'_, FieldMut<'_, R>>,
        i: usize,
        side: usize,
        tile: &Tile,
        radiance: [R; W],
    ) {
        // A CPU writes neighbours in one go.
        let whole =
            W > 1 && tile.profiles as usize == W && tile.inside(W - 1) && tile.layer + (i as u32) < self.layers();
        if whole && field.put_neighbours(tile.layer as usize + i + side, tile.item(0), radiance) {
            return;
        }
        for (lane, value) in radiance.into_iter().enumerate() {
            let layer = tile.layer(lane) + i as u32;
            if layer < self.layers() && tile.inside(lane) {
                // There is a level on either side of a layer.
                field.put(layer as usize + side, tile.item(lane), value);
            }
        }
    }
}
