//! Derivatives by clouds and aerosol from those by the optical depths of layers.

use isobar_core::{FieldMut, PerLane, Real};

use super::backward::{Backward, add};
use crate::cloud_tables::{Particles, QUANTITIES};
use crate::physics::adjoint::{of_aerosol, of_delta_scaled, of_particles};
use crate::physics::particles::Depths;
use crate::schedule::warp::Warp;

/// Whose forward peak was taken away before particles were added to a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Peak {
    /// Nobody's, or that of the layer.
    Kept,
    /// That of the particles.
    Taken,
}

impl<R: Real> Backward<'_, R> {
    /// Adds derivatives by a cloud, from those by optical depths at the lanes that see it.
    ///
    /// # Safety
    /// Layer and column are those of the views, and the column is the caller's own.
    #[inline(always)]
    pub(super) unsafe fn add_cloud<const W: usize>(
        &self,
        warp: &Warp<'_, '_, R, W>,
        (layer, cloud): (usize, &Depths<[R; W]>),
        by: &Depths<[R; W]>,
        peak: Peak,
    ) {
        let mut by_cloud = Depths::<[R; W]>::zeros();
        for lane in 0..W {
            let cloud = cloud.lane(lane);
            // A lane that sees none has no extinction.
            if cloud.absorption + cloud.scattering > R::ZERO {
                let by = by.lane(lane);
                by_cloud.set(lane, if peak == Peak::Taken { of_delta_scaled(cloud, by) } else { by });
            }
        }
        let (clouds, columns, gradients) = (&self.sweep.clouds, &self.sweep.columns, &self.gradients);
        for (particles, [path, size], [to_path, to_size]) in [
            (
                &clouds.liquid,
                [&columns.liquid_path_g_per_m2, &columns.liquid_radius_um],
                [&gradients.liquid_path_g_per_m2, &gradients.liquid_radius_um],
            ),
            (
                &clouds.ice,
                [&columns.ice_path_g_per_m2, &columns.ice_size_um],
                [&gradients.ice_path_g_per_m2, &gradients.ice_size_um],
            ),
            (
                &clouds.rain,
                [&columns.rain_path_g_per_m2, &columns.rain_radius_um],
                [&gradients.rain_path_g_per_m2, &gradients.rain_radius_um],
            ),
            (
                &clouds.snow,
                [&columns.snow_path_g_per_m2, &columns.snow_size_um],
                [&gradients.snow_path_g_per_m2, &gradients.snow_size_um],
            ),
        ] {
            if path.is_empty() {
                continue;
            }
            let place = (layer, warp.column);
            // SAFETY: the caller's.
            unsafe {
                let given = [path.get(layer, warp.column), size.get(layer, warp.column)];
                if given[0] > R::ZERO {
                    let lanes = (warp.points.lane(), clouds.lanes);
                    let [by_path, by_size] = particles.derivatives(given, lanes, &by_cloud);
                    add(to_path, place, warp.lanes.sum(by_path));
                    add(to_size, place, warp.lanes.sum(by_size));
                }
            }
        }
    }

    /// Adds derivatives by the aerosol of the short wave.
    ///
    /// # Safety
    /// As [`Backward::add_cloud`].
    #[inline(always)]
    pub(super) unsafe fn add_aerosol<const W: usize>(
        &self,
        warp: &Warp<'_, '_, R, W>,
        layer: usize,
        by: &Depths<[R; W]>,
        peak: Peak,
    ) {
        let (columns, gradients) = (&self.sweep.columns, &self.gradients);
        if columns.aerosol_optical_depth.is_empty() {
            return;
        }
        let rows = columns.aerosol_optical_depth.levels() / warp.layers;
        let [depth, albedo, asymmetry] =
            [&columns.aerosol_optical_depth, &columns.aerosol_albedo, &columns.aerosol_asymmetry]
                .map(|field| warp.spectral(field, (layer, rows)));
        let to = [&gradients.aerosol_optical_depth, &gradients.aerosol_albedo, &gradients.aerosol_asymmetry];
        for lane in 0..W {
            let optics = [depth[lane], albedo[lane], asymmetry[lane]];
            let mut by = by.lane(lane);
            if peak == Peak::Taken {
                let scattering = optics[0] * optics[1];
                let aerosol =
                    Depths { absorption: optics[0] - scattering, scattering, forward: scattering * optics[2] };
                by = of_delta_scaled(aerosol, by);
            }
            let row = layer * rows + warp.points.spectral(lane, rows);
            for (field, value) in to.into_iter().zip(of_aerosol(optics, &by)) {
                // SAFETY: the caller's; rows are those of the views.
                unsafe { add(field, (row, warp.column), value) };
            }
        }
    }

    /// Adds derivatives by the aerosol of a long wave that is not scattered.
    ///
    /// # Safety
    /// As [`Backward::add_cloud`].
    #[inline(always)]
    pub(super) unsafe fn add_absorbing_aerosol<const W: usize>(
        &self,
        warp: &Warp<'_, '_, R, W>,
        layer: usize,
        by_absorption: &[R; W],
    ) {
        let (columns, gradients) = (&self.sweep.columns, &self.gradients);
        let aerosol = &columns.aerosol_absorption_longwave;
        if aerosol.is_empty() {
            return;
        }
        let rows = aerosol.levels() / warp.layers;
        let row = |lane| layer * rows + warp.points.spectral(lane, rows);
        if columns.aerosol_albedo_longwave.is_empty() {
            let to = &gradients.aerosol_absorption_longwave;
            self.add_rows(to, warp.column, row, by_absorption);
            return;
        }
        // It is an extinction.
        let depth = warp.spectral(aerosol, (layer, rows));
        let albedo = warp.spectral(&columns.aerosol_albedo_longwave, (layer, rows));
        let (mut by_depth, mut by_albedo) = (*by_absorption, *by_absorption);
        for lane in 0..W {
            by_depth[lane] *= R::ONE - albedo[lane];
            by_albedo[lane] *= -depth[lane];
        }
        self.add_rows(&gradients.aerosol_optical_depth_longwave, warp.column, row, &by_depth);
        self.add_rows(&gradients.aerosol_albedo_longwave, warp.column, row, &by_albedo);
    }

    /// Adds the lanes' numbers to their rows of a field.
    #[inline(always)]
    pub(super) fn add_rows<const W: usize>(
        &self,
        field: &FieldMut<'_, R>,
        column: usize,
        row: impl Fn(usize) -> usize,
        values: &[R; W],
    ) {
        for (lane, value) in values.iter().enumerate() {
            // SAFETY: callers' rows and columns are those of the views, and the column their own.
            unsafe { add(field, (row(lane), column), *value) };
        }
    }
}

impl<R: Real> Particles<'_, R> {
    /// Derivatives by path and size of particles at the lanes from `lane` on, from those by the optical depths that
    /// [`Particles::add`] adds.
    #[inline(always)]
    fn derivatives<const W: usize>(
        &self,
        [path, size]: [R; 2],
        (lane, lanes): (usize, u32),
        by: &Depths<[R; W]>,
    ) -> [[R; W]; 2] {
        let (lanes, steps) = (lanes as usize, (size - self.size.first) / self.size.step);
        let node = steps.index(0, self.size.nodes as i32 - 2);
        let fraction = steps - R::from_f64(f64::from(node));
        let start = self.table.as_ptr().wrapping_add(node as usize * QUANTITIES * lanes + lane);
        let (mut by_path, mut by_size) = ([R::ZERO; W], [R::ZERO; W]);
        for i in 0..W {
            let (mut optics, mut slopes) = ([R::ZERO; QUANTITIES], [R::ZERO; QUANTITIES]);
            for quantity in 0..QUANTITIES {
                // SAFETY: nodes and lanes are those of the table.
                let (small, large) = unsafe {
                    (start.add(quantity * lanes + i).read(), start.add((QUANTITIES + quantity) * lanes + i).read())
                };
                optics[quantity] = small + fraction * (large - small);
                slopes[quantity] = (large - small) / self.size.step;
            }
            [by_path[i], by_size[i]] = of_particles(path, optics, slopes, &by.lane(i));
        }
        [by_path, by_size]
    }
}
