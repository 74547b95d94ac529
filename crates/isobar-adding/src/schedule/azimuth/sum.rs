//! Radiances from their components in azimuth.

use isobar_core::{Field, FieldMut, Real, Status};

use crate::fields::azimuth::RadianceViews;
use crate::schedule::azimuth::batch::Batch;

/// Radiances of a profile: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SumComponents<'a, R> {
    /// The profiles.
    pub batch: Batch<'a, R>,
    /// As [`super::add::AddLayers`] leaves them.
    pub up: Field<'a, R>,
    /// Downward.
    pub down: Field<'a, R>,
    /// All levels? 0 or 1.
    pub levels: u32,
    /// The radiances.
    pub outputs: RadianceViews<'a, R>,
}

impl<R: Real> SumComponents<'_, R> {
    #[inline(always)]
    pub(crate) fn profile(&self, profile: usize) -> Status {
        let (suns, views) = (self.batch.suns(), self.batch.views as usize);
        let azimuths = self.azimuths();
        let levels = if self.levels != 0 { self.batch.layers() + 1 } else { 1 };
        let mut finite = true;
        for row in 0..levels * suns * views {
            for azimuth in 0..azimuths {
                let (up, down) = self.of_azimuth(row, levels * suns * views, azimuth, profile);
                finite &= up.is_finite() && down.is_finite();
                let (level, within) = (row / (suns * views), row % (suns * views) * azimuths + azimuth);
                let put = |field: &FieldMut<'_, R>, row: usize, value: R| field.set(row, profile, value);
                if self.levels != 0 {
                    let place = level * suns * views * azimuths + within;
                    put(&self.outputs.upward_radiance, place, up);
                    put(&self.outputs.downward_radiance, place, down);
                }
                if level == 0 {
                    put(&self.outputs.top_radiance, within, up);
                }
                if level + 1 == levels {
                    put(&self.outputs.surface_downward_radiance, within, down);
                }
            }
        }
        let status = if finite { Status::OK } else { Status::NOT_FINITE };
        self.outputs.status.set(0, profile, status.0);
        status
    }

    #[inline(always)]
    fn azimuths(&self) -> usize {
        let azimuths = &self.batch.inputs.relative_azimuth;
        if azimuths.items() == 0 { 1 } else { azimuths.levels() }
    }

    /// `sum_m I_m cos(m phi)`, with `cos(m phi) = 2 cos(phi) cos((m - 1) phi) - cos((m - 2) phi)`.
    #[inline(always)]
    fn of_azimuth(&self, row: usize, rows: usize, azimuth: usize, profile: usize) -> (R, R) {
        let cosine = azimuth_cosine(&self.batch, azimuth, profile, 1.0);
        let (mut before, mut now) = (cosine, R::ONE);
        let (mut up, mut down) = (R::ZERO, R::ZERO);
        for m in 0..self.batch.components as usize {
            up = now.mul_add(self.up.at(m * rows + row, profile), up);
            down = now.mul_add(self.down.at(m * rows + row, profile), down);
            let next = (cosine + cosine).mul_add(now, -before);
            before = now;
            now = next;
        }
        (up, down)
    }
}

/// The cosine of an azimuth times a factor; 1 where none is given.
#[inline(always)]
pub(crate) fn azimuth_cosine<R: Real>(batch: &Batch<'_, R>, azimuth: usize, profile: usize, factor: f64) -> R {
    let azimuths = &batch.inputs.relative_azimuth;
    if azimuths.items() == 0 {
        return R::ONE;
    }
    (azimuths.at(azimuth, profile) * R::from_f64(factor * core::f64::consts::PI / 180.0)).cos()
}
