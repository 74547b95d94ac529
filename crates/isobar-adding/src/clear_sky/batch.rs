//! The arguments that all clear-sky kernels have, and what they have in common.

use isobar_core::{Column, Field, FieldMut, Real, Status};

use super::element::Element;
use super::order::{GROUP_LAYERS, SEGMENT};
use super::place::Place;
use super::segment::{Passage, Segment};
use super::slant::Slant;

/// A kernel's output: the radiance at the top over a surface that emits and does not reflect.
pub const EMISSION: usize = 0;
/// The radiance at the top and that which falls on the surface; the surface may reflect.
pub const REFLECTION: usize = 1;
/// The same, and the radiance upward and downward at every level.
pub const LEVELS: usize = 2;

/// Profiles, angles, and where the results go. Layers and levels count from the top.
///
/// What depends on angle and profile has the item `angle * profiles + profile`. Radiances have the unit of the Planck radiances.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ClearSky<'a, R> {
    /// Vertical optical depth of `(layer, profile)`, zero or more.
    pub optical_depth: Field<'a, R>,
    /// Transmittance of `(layer, angle and profile)` instead, 0 to 1; without items where it follows from the optical depth.
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
    #[inline(always)]
    pub(super) fn layers(&self) -> usize {
        self.planck.levels() - self.linear as usize
    }

    #[inline(always)]
    pub(super) fn profiles(&self) -> usize {
        self.planck.items()
    }

    #[inline(always)]
    pub(super) fn angles(&self) -> usize {
        self.slant.len()
    }

    /// The lanes from `lane` on: each `profiles` of them share a segment, `step` layers from the next. Lane 0 has profile `first`.
    #[inline(always)]
    pub(super) fn place(&self, lane: usize, first: usize, profiles: usize, angle: usize, step: usize) -> Place {
        Place { lane, first, profiles, batch: self.profiles(), angle, layer: 0, step }
    }

    #[inline(always)]
    pub(super) fn groups(&self) -> usize {
        self.layers().div_ceil(GROUP_LAYERS)
    }

    /// The radiance that enters from above.
    #[inline(always)]
    pub(super) fn above<const W: usize>(&self, place: &Place) -> [R; W] {
        core::array::from_fn(|lane| self.cosmic.at(place.profile(lane)))
    }

    /// Every lane's segment along its angle.
    #[inline(always)]
    pub(super) fn passage<const LINEAR: bool, const W: usize>(&self, place: &Place) -> Passage<R, W> {
        self.along::<LINEAR, W>(&self.segment(place), place)
    }

    /// Every lane's segment.
    #[inline(always)]
    pub(super) fn segment<const W: usize>(&self, place: &Place) -> Segment<R, W> {
        Segment::read(&self.optical_depth, &self.planck, place)
    }

    /// The segment along the angle of the place.
    #[inline(always)]
    pub(super) fn along<const LINEAR: bool, const W: usize>(
        &self,
        segment: &Segment<R, W>,
        place: &Place,
    ) -> Passage<R, W> {
        if self.transmittance.is_empty() {
            segment.along::<LINEAR>(&self.slant.at(place.angle))
        } else {
            segment.given(&self.transmittance, place, place.angle * place.batch)
        }
    }

    /// The radiance that leaves the surface, where `total` is the whole atmosphere.
    #[inline(always)]
    pub(super) fn surface_up<const W: usize>(&self, place: &Place, total: &Element<R, W>, above: [R; W]) -> [R; W] {
        let down = total.downward(above);
        core::array::from_fn(|lane| {
            let profile = place.profile(lane);
            let emissivity = self.emissivity.at(place.angle, profile);
            let mut up = emissivity * self.surface_planck.at(profile);
            if !self.surface_source.is_empty() {
                up += self.surface_source.at(place.angle, profile);
            }
            if self.specular != 0 {
                up += (R::ONE - emissivity) * down[lane];
            }
            up
        })
    }

    /// Writes what leaves at the top and what arrives at the surface: the lanes of the first segment do it.
    #[inline(always)]
    pub(super) fn finish<const OUTPUT: usize, const W: usize>(
        &self,
        place: &Place,
        total: &Element<R, W>,
        above: [R; W],
    ) -> Status {
        let surface_up = self.surface_up(place, total, above);
        let top = total.upward(surface_up);
        let down = total.downward(above);
        let mut status = Status::OK;
        for lane in 0..W {
            if place.inside(lane) && place.layer(lane) == place.layer {
                let profile = place.profile(lane);
                self.top.set(place.angle, profile, top[lane]);
                if OUTPUT != EMISSION {
                    self.surface_down.set(place.angle, profile, down[lane]);
                }
                if OUTPUT == LEVELS {
                    let item = place.item(lane);
                    self.level_up.set(0, item, top[lane]);
                    self.level_down.set(self.layers(), item, down[lane]);
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
    pub(super) fn write_down<const W: usize>(&self, place: &Place, passage: &Passage<R, W>, above: [R; W]) {
        let mut radiance = above;
        for i in 0..SEGMENT {
            self.write(&self.level_down, i, 0, place, radiance);
            radiance = passage.downward(i, radiance);
        }
    }

    /// Writes the upward radiance from a segment's lower boundary, where it is `below`, to its first inner level.
    #[inline(always)]
    pub(super) fn write_up<const W: usize>(&self, place: &Place, passage: &Passage<R, W>, below: [R; W]) {
        let mut radiance = below;
        for i in (0..SEGMENT).rev() {
            self.write(&self.level_up, i, 1, place, radiance);
            radiance = passage.upward(i, radiance);
        }
    }

    /// Writes the radiance at the upper (`side` 0) or lower (1) boundary of layer `i` of every lane's segment.
    #[inline(always)]
    fn write<const W: usize>(&self, field: &FieldMut<'_, R>, i: usize, side: usize, place: &Place, radiance: [R; W]) {
        for (lane, value) in radiance.into_iter().enumerate() {
            let layer = place.layer(lane) + i;
            if layer < self.layers() && place.inside(lane) {
                // SAFETY: there is a level on either side of a layer, and the lane's profile is inside.
                unsafe { field.put(layer + side, place.item(lane), value) };
            }
        }
    }
}
