//! From radiances to their components in azimuth.

use isobar_core::{Field, FieldMut, Real};

use crate::fields::azimuth::CotangentViews;
use crate::schedule::azimuth::batch::Batch;
use crate::schedule::azimuth::sum::azimuth_cosine;

/// Derivatives by the components of a profile's radiances: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SumAdjoint<'a, R> {
    /// The profiles.
    pub batch: Batch<'a, R>,
    /// Derivatives by the radiances.
    pub cotangents: CotangentViews<'a, R>,
    /// By each component upward at `((m * levels + level) * suns + sun) * views + view`, of all levels.
    pub up: FieldMut<'a, R>,
    /// Downward.
    pub down: FieldMut<'a, R>,
}

impl<R: Real> SumAdjoint<'_, R> {
    #[inline(always)]
    pub(crate) fn profile(&self, profile: usize) {
        let (last, rows) = (self.batch.layers(), self.batch.suns() * self.batch.views as usize);
        let given = &self.cotangents;
        for level in 0..=last {
            for row in 0..rows {
                for m in 0..self.batch.components as usize {
                    let place = (m * (last + 1) + level) * rows + row;
                    self.up.set(place, profile, R::ZERO);
                    self.down.set(place, profile, R::ZERO);
                }
                let place = level * rows + row;
                self.add(&self.up, &given.upward_radiance, place, place, profile);
                self.add(&self.down, &given.downward_radiance, place, place, profile);
                if level == 0 {
                    self.add(&self.up, &given.top_radiance, place, row, profile);
                }
                if level == last {
                    self.add(&self.down, &given.surface_downward_radiance, place, row, profile);
                }
            }
        }
    }

    /// `I = sum_m I_m cos(m phi)`.
    #[inline(always)]
    fn add(&self, to: &FieldMut<'_, R>, from: &Field<'_, R>, place: usize, row: usize, profile: usize) {
        if from.is_empty() {
            return;
        }
        let azimuths = self.batch.inputs.relative_azimuth.levels().max(1);
        let rows = (self.batch.layers() + 1) * self.batch.suns() * self.batch.views as usize;
        for azimuth in 0..azimuths {
            let bar = from.at(row * azimuths + azimuth, profile);
            let cosine = azimuth_cosine(&self.batch, azimuth, profile, 1.0);
            let (mut before, mut now) = (cosine, R::ONE);
            for m in 0..self.batch.components as usize {
                let place = m * rows + place;
                to.set(place, profile, now.mul_add(bar, to.at(place, profile)));
                let next = (cosine + cosine).mul_add(now, -before);
                before = now;
                now = next;
            }
        }
    }
}
