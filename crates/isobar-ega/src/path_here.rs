//! The path of one ray, on the thread that calls.

use isobar_core::kernel::run;
use isobar_core::{Column, FieldMut, Status};
use isobar_raytrace::kernel::{CountPoints, TracePaths};
use isobar_raytrace::path::{PathSummary, Paths};
use isobar_raytrace::trace::StepRules;
use isobar_raytrace::{ProfileData, Ray};

use crate::kernels::CheckCoverage;
use crate::physics::coverage::Outside;
use crate::tables::Tables;

/// A path, as kernels read it.
pub(crate) struct PathHere {
    pub(crate) summary: [PathSummary<f64>; 1],
    gases: usize,
    /// Height, pressure, temperature, length, column of air, mixing ratios, extinctions.
    memory: [Vec<f64>; 7],
}

impl PathHere {
    /// Traces a ray through an atmosphere of so many gases. A path without points has room for one.
    ///
    /// # Errors
    /// The status of a ray that cannot be traced.
    pub(crate) fn trace(
        data: &ProfileData<f64>,
        rules: StepRules<f64>,
        ray: &Ray,
        gases: usize,
    ) -> Result<Self, Status> {
        let sight = [ray.line_of_sight()];
        let rays = Column::from(&sight[..]);
        let profile = data.view();
        let mut summary = [PathSummary::default()];
        let summaries = one_level(&mut summary);
        let status = match data.track() {
            None => run(&CountPoints { profile, rules, rays, summaries }),
            Some(profile) => run(&CountPoints { profile, rules, rays, summaries }),
        };
        if !status.is_ok() {
            return Err(status);
        }
        let points = summary[0].points.max(1) as usize;
        let memory = [1, 1, 1, 1, 1, gases, profile.windows()].map(|items| vec![0.0; points * items]);
        let mut this = Self { summary, gases, memory };
        let (paths, summaries) = (this.paths(), one_level(&mut summary));
        match data.track() {
            None => run(&TracePaths { profile, rules, rays, paths, summaries }),
            Some(profile) => run(&TracePaths { profile, rules, rays, paths, summaries }),
        };
        this.summary = summary;
        Ok(this)
    }

    /// The points that there is room for.
    pub(crate) fn points(&self) -> usize {
        self.summary[0].points.max(1) as usize
    }

    /// The path as a batch of one.
    pub(crate) fn paths(&mut self) -> Paths<'_, f64> {
        let points = self.points();
        let mut field = self.memory.iter_mut().map(|values| along_path(values, points));
        let mut next = || field.next().expect("seven fields");
        Paths {
            height_km: next(),
            pressure_hpa: next(),
            temperature_k: next(),
            length_km: next(),
            air_column_per_cm2: next(),
            mixing_ratio: next(),
            extinction_per_km: next(),
            position_km: FieldMut::empty(),
        }
    }

    /// For each gas, the points that lie outside its tables.
    #[cfg_attr(not(feature = "launch"), allow(dead_code, reason = "for batches"))]
    pub(crate) fn outside(&mut self, tables: Tables<'_>, channels: usize) -> Vec<Outside> {
        let (summary, mut found) = (self.summary, vec![Outside::default(); self.gases]);
        if self.gases > 0 {
            let (summaries, paths, outside) = (Column::from(&summary[..]), self.paths(), one_level(&mut found));
            run(&CheckCoverage { tables, summaries, paths, outside, channels: channels as u32, unused: 0 });
        }
        found
    }
}

/// One value an item; nothing where there are no items.
pub(crate) fn one_level<T: Copy>(values: &mut [T]) -> FieldMut<'_, T> {
    let items = values.len();
    if items == 0 { FieldMut::empty() } else { FieldMut::item_fastest(values, 1, items) }
}

/// The points of a path, neighbours in memory, once an item; nothing where there are no items.
pub(crate) fn along_path<T: Copy>(values: &mut [T], points: usize) -> FieldMut<'_, T> {
    let items = values.len() / points;
    if items == 0 { FieldMut::empty() } else { FieldMut::level_fastest(values, points, items) }
}
