//! Where paths leave the tables, without the radiances: Jacobians and retrievals count nothing.

use isobar_raytrace::{Atmosphere, Ray};
use rayon::prelude::*;

use super::in_words::in_words;
use super::infrared::{Infrared, PreparedAtmosphere};
use super::model::{InfraredError, InfraredModel};
use super::scheme::Precision;
use crate::coverage::Outside;
use crate::path_here::PathHere;

/// The points of a path, and of these for each gas those outside its tables; nothing of a ray that cannot be traced.
pub(super) type OfPath = Option<(u32, Vec<Outside>)>;

impl<R: Precision> Infrared<R> {
    /// Traces the path of a ray, and looks where it leaves the tables.
    pub(super) fn path(&self, through: &PreparedAtmosphere<R>, ray: &Ray) -> OfPath {
        let state = &through.0;
        let mut path = PathHere::trace(&state.profile, state.rules, ray, self.setup.gases.len()).ok()?;
        Some((path.summary[0].points, path.outside(self.data.view(), state.channels.len())))
    }

    /// What paths, in the order of their rays, come to, in words.
    pub(super) fn outside_of(&self, paths: impl Iterator<Item = OfPath>) -> Vec<String> {
        let (mut points, mut all) = (0, vec![Outside::default(); self.setup.gases.len()]);
        for (ray, (of_path, found)) in paths.enumerate().filter_map(|(ray, path)| Some((ray, path?))) {
            points += u64::from(of_path);
            all.iter_mut().zip(&found).for_each(|(all, found)| all.add(found, ray));
        }
        in_words(&self.setup.gases, &all, points)
    }
}

impl<R: Precision> InfraredModel<R> {
    /// What [`InfraredModel::run`] counts along the rays through an atmosphere, in words, and Jacobians do not: where
    /// paths leave the tables ([`super::Radiances::outside_tables`]), and channels that end early
    /// ([`super::Radiances::early_ends`]). Paths are traced once more, on threads of the host; rays that cannot be
    /// traced do not count.
    ///
    /// # Errors
    /// An atmosphere that is invalid or does not fit the setup; with `jurassic_exact` those of [`InfraredModel::run`].
    pub fn remarks(&self, atmosphere: &Atmosphere, rays: &[Ray]) -> Result<Vec<String>, InfraredError> {
        let infrared = self.model.scheme();
        let through = infrared.through(atmosphere)?;
        let paths: Vec<OfPath> = rays.par_iter().map(|ray| infrared.path(&through, ray)).collect();
        let outside = infrared.outside_of(paths.into_iter());
        let mut lines: Vec<String> = outside.into_iter().map(|line| format!("{line}; extrapolated")).collect();
        // What lets nothing pass is known where radiances are.
        if infrared.setup.jurassic_exact {
            lines.extend(self.run(atmosphere, rays)?.early_ends());
        }
        Ok(lines)
    }
}
