//! Radiances at nodes and of the view, from the component that does not depend on azimuth.

use isobar_core::{Field, Real, Status};

use crate::fields::scattering::RadianceViews;
use crate::schedule::azimuth::batch::Batch;

/// Radiances of a level of a profile: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct StreamRadiances<'a, R> {
    /// The profiles.
    pub batch: Batch<'a, R>,
    /// Light at the nodes, as [`super::add::AddLayers`] leaves it.
    pub light: Field<'a, R>,
    /// Radiances upward of the view, likewise.
    pub up: Field<'a, R>,
    /// Downward.
    pub down: Field<'a, R>,
    /// All levels? 0 or 1.
    pub levels: u32,
    /// The radiances.
    pub outputs: RadianceViews<'a, R>,
}

impl<R: Real> StreamRadiances<'_, R> {
    pub(crate) fn items(&self) -> usize {
        self.batch.profiles() * if self.levels != 0 { self.batch.layers() + 1 } else { 1 }
    }

    /// Nodes are turned, and counted times `sqrt(w mu)`.
    #[inline(always)]
    pub(crate) fn item(&self, index: usize) -> Status {
        let batch = &self.batch;
        let (n, views) = (batch.n(), batch.views as usize);
        let (level, profile) = (index / batch.profiles(), index % batch.profiles());
        let mut finite = true;
        for way in 0..if self.levels != 0 { 2 } else { 1 } {
            let upward = way == 0;
            let row = (2 * level + usize::from(upward)) * n;
            let (of_view, at_levels) = if upward {
                (&self.up, &self.outputs.upward_radiance)
            } else {
                (&self.down, &self.outputs.downward_radiance)
            };
            let mut along = R::ZERO;
            for j in 0..n {
                along = self.light.at(row + j, profile).mul_add(batch.nodes.axis.at(j), along);
            }
            for direction in 0..n + views {
                let stream = batch.stream(direction);
                let radiance = if direction < n {
                    let axis = batch.nodes.axis.at(direction);
                    (-along).mul_add(axis, self.light.at(row + direction, profile)) / batch.nodes.flux.at(direction)
                } else {
                    of_view.at(level * views + direction - n, profile)
                };
                finite &= radiance.is_finite();
                if self.levels != 0 {
                    at_levels.set(level * (n + views) + stream, profile, radiance);
                }
                if upward && level == 0 {
                    self.outputs.top_radiance.set(stream, profile, radiance);
                }
            }
        }
        let status = if finite { Status::OK } else { Status::NOT_FINITE };
        self.outputs.status.mark(profile, status);
        status
    }
}
