//! Eight neighbouring layers: their absorption along an angle, their element, and the radiance at the levels between them.

use isobar_core::{Field, Real};

use super::element::Element;
use super::order::SEGMENT;
use super::place::Place;
use super::slant::Slant;

/// Optical depths and Planck radiances of a segment, for each lane's profile.
///
/// `planck` is that of the layers; with a source linear in optical depth it is that of the levels around them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment<R, const W: usize> {
    optical_depth: [[R; W]; SEGMENT],
    planck: [[R; W]; SEGMENT + 1],
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
    /// Reads every lane's segment; layers beyond the last are empty.
    #[inline(always)]
    pub(super) fn read(optical_depth: &Field<'_, R>, planck: &Field<'_, R>, place: &Place) -> Self {
        let mut segment = Self { optical_depth: [[R::ZERO; W]; SEGMENT], planck: [[R::ZERO; W]; SEGMENT + 1] };
        for (i, row) in segment.optical_depth.iter_mut().enumerate() {
            *row = read_row(optical_depth, i, place, 0, R::ZERO);
        }
        for (i, row) in segment.planck.iter_mut().enumerate() {
            *row = read_row(planck, i, place, 0, R::ZERO);
        }
        segment
    }

    /// The segment along an angle. `LINEAR`: the source is linear in optical depth between the levels.
    #[inline(always)]
    pub(super) fn along<const LINEAR: bool>(&self, slant: &Slant<R>) -> Passage<R, W> {
        let mut loss = [[R::ZERO; W]; SEGMENT];
        for i in 0..SEGMENT {
            for lane in 0..W {
                loss[i][lane] = slant.loss(self.optical_depth[i][lane]);
            }
        }
        let mut planck_up = [[R::ZERO; W]; SEGMENT];
        let mut planck_down = [[R::ZERO; W]; SEGMENT];
        for i in 0..SEGMENT {
            for lane in 0..W {
                let above = self.planck[i][lane];
                if LINEAR {
                    let below = self.planck[i + 1][lane];
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

    /// The same with the layers' transmittances given, of items `base` and a lane's profile.
    #[inline(always)]
    pub(super) fn given(&self, transmittance: &Field<'_, R>, place: &Place, base: usize) -> Passage<R, W> {
        let mut passage = Passage {
            loss: [[R::ZERO; W]; SEGMENT],
            planck_up: [[R::ZERO; W]; SEGMENT],
            planck_down: [[R::ZERO; W]; SEGMENT],
        };
        for i in 0..SEGMENT {
            passage.loss[i] = read_row(transmittance, i, place, base, R::ONE).map(|t| t - R::ONE);
            passage.planck_up[i] = self.planck[i];
            passage.planck_down[i] = self.planck[i];
        }
        passage
    }
}

/// The value of every lane's layer (or level) number `i` and item `base` plus its profile; `beyond` the last layer.
#[inline(always)]
fn read_row<R: Real, const W: usize>(field: &Field<'_, R>, i: usize, place: &Place, base: usize, beyond: R) -> [R; W] {
    if W > 1 && place.profiles == W {
        // A CPU reads neighbours in one go.
        if place.layer + i >= field.levels() {
            return [beyond; W];
        }
        if place.first + W <= place.batch
            && let Some(row) = field.neighbours(place.layer + i, base + place.first)
        {
            return row;
        }
    }
    let mut row = [beyond; W];
    for (lane, value) in row.iter_mut().enumerate() {
        let level = place.layer(lane) + i;
        if level < field.levels() {
            // SAFETY: the level was checked, and a lane's profile is one of the batch.
            *value = unsafe { field.get(level, base + place.profile(lane)) };
        }
    }
    row
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
