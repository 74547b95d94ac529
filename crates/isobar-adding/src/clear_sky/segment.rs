//! Eight neighbouring layers: their absorption along an angle, their element, and the radiance at the levels between them.

use isobar_core::{Field, Real};

use super::batch::LINEAR;
use super::element::Element;
use super::order::SEGMENT;
use super::place::Place;
use super::slant::Slant;

/// Optical depths and Planck radiances of a segment, for each lane's profile.
///
/// `above` holds the layers' Planck radiances, or with a source linear in optical depth those of the levels above them; `below`
/// those of the levels below them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment<R, const W: usize> {
    optical_depth: [[R; W]; SEGMENT],
    above: [[R; W]; SEGMENT],
    below: [[R; W]; SEGMENT],
}

/// A segment along one angle: what each layer takes away, and the effective Planck radiance of either direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passage<R, const W: usize> {
    /// Transmittance less one, between -1 and 0.
    loss: [[R; W]; SEGMENT],
    planck_up: [[R; W]; SEGMENT],
    planck_down: [[R; W]; SEGMENT],
}

impl<R: Real, const W: usize> Segment<R, W> {
    /// Reads every lane's segment; layers beyond the last are empty. [`LINEAR`]: Planck radiances are those of levels.
    #[inline(always)]
    pub(super) fn read<const SOURCE: usize>(
        optical_depth: &Field<'_, R>,
        planck: &Field<'_, R>,
        place: &Place,
    ) -> Self {
        // SAFETY: a lane's profile is one of the batch.
        unsafe {
            let mut below = [[R::ZERO; W]; SEGMENT];
            if SOURCE == LINEAR {
                below = planck.tile(|lane| place.layer(lane) as usize + 1, |lane| place.profile(lane), R::ZERO);
            }
            Self {
                optical_depth: optical_depth.tile(
                    |lane| place.layer(lane) as usize,
                    |lane| place.profile(lane),
                    R::ZERO,
                ),
                above: planck.tile(|lane| place.layer(lane) as usize, |lane| place.profile(lane), R::ZERO),
                below,
            }
        }
    }

    /// The segment along an angle. [`LINEAR`]: the source is linear in optical depth between the levels.
    #[inline(always)]
    pub(super) fn along<const SOURCE: usize>(&self, slant: &Slant<R>) -> Passage<R, W> {
        let mut loss = [[R::ZERO; W]; SEGMENT];
        if W == 1 {
            // A GPU's lane works on all of its layers at once, a CPU on all lanes.
            loss = slant.loss(self.optical_depth.map(|row| row[0])).map(|loss| [loss; W]);
        } else {
            for i in 0..SEGMENT {
                loss[i] = slant.loss(self.optical_depth[i]);
            }
        }
        let mut planck_up = [[R::ZERO; W]; SEGMENT];
        let mut planck_down = [[R::ZERO; W]; SEGMENT];
        for i in 0..SEGMENT {
            for lane in 0..W {
                let above = self.above[i][lane];
                if SOURCE == LINEAR {
                    let below = self.below[i][lane];
                    let far = slant.far_weight(self.optical_depth[i][lane], loss[i][lane]);
                    planck_up[i][lane] = far.mul_add(below - above, above);
                    planck_down[i][lane] = far.mul_add(above - below, below);
                } else {
                    planck_up[i][lane] = above;
                    planck_down[i][lane] = above;
                }
            }
        }
        Passage { loss, planck_up, planck_down }
    }

    /// The same with the layers' transmittances given, at the place's angle.
    #[inline(always)]
    pub(super) fn given(&self, transmittance: &Field<'_, R>, place: &Place) -> Passage<R, W> {
        // SAFETY: a lane's profile is one of the batch.
        let transmittance: [[R; W]; SEGMENT] =
            unsafe { transmittance.tile(|lane| place.layer(lane) as usize, |lane| place.item(lane), R::ONE) };
        let loss = transmittance.map(|row| row.map(|t| t - R::ONE));
        Passage { loss, planck_up: self.above, planck_down: self.above }
    }
}

impl<R: Real, const W: usize> Passage<R, W> {
    /// The segment's element; `down` stays zero unless `DOWN`.
    #[inline(always)]
    pub(super) fn element<const DOWN: bool>(&self) -> Element<R, W> {
        let mut element = Element::<R, W>::IDENTITY;
        for i in 0..SEGMENT {
            for lane in 0..W {
                let transmittance = element.transmittance[lane];
                element.transmittance[lane] = transmittance.mul_add(self.loss[i][lane], transmittance);
            }
            if DOWN {
                element.down = self.downward(i, element.down);
            }
        }
        for i in (0..SEGMENT).rev() {
            element.up = self.upward(i, element.up);
        }
        element
    }

    /// The radiance above layer `i` from that below it: what is lost is replaced by emission, `x + loss (x - B)`.
    #[inline(always)]
    pub(super) fn upward(&self, i: usize, below: [R; W]) -> [R; W] {
        let mut above = below;
        for lane in 0..W {
            above[lane] = self.loss[i][lane].mul_add(below[lane] - self.planck_up[i][lane], below[lane]);
        }
        above
    }

    /// The radiance below layer `i` from that above it.
    #[inline(always)]
    pub(super) fn downward(&self, i: usize, above: [R; W]) -> [R; W] {
        let mut below = above;
        for lane in 0..W {
            below[lane] = self.loss[i][lane].mul_add(above[lane] - self.planck_down[i][lane], above[lane]);
        }
        below
    }
}
