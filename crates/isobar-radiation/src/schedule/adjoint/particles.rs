//! Derivatives by clouds, rain and snow from those by the optical depths of layers.

use isobar_core::{PerLane, Real};

use super::backward::Backward;
use crate::cloud_tables::{Particles, QUANTITIES};
use crate::physics::adjoint::{of_delta_scaled, of_particles};
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
        let (clouds, columns, to) = (&self.sweep.clouds, &self.sweep.columns, &self.particles);
        let place = (layer, warp.column);
        macro_rules! add {
            ($species:ident, $path:ident, $size:ident) => {
                if !columns.$path.is_empty() {
                    // SAFETY: the caller's.
                    let given = unsafe { [columns.$path.get(place.0, place.1), columns.$size.get(place.0, place.1)] };
                    if given[0] > R::ZERO {
                        let lanes = (warp.points.lane(), clouds.lanes);
                        let [by_path, by_size] = clouds.$species.derivatives(given, lanes, &by_cloud);
                        warp.add_sum(&to.$species[0], layer, by_path);
                        warp.add_sum(&to.$species[1], layer, by_size);
                    }
                }
            };
        }
        add!(liquid, liquid_path_g_per_m2, liquid_radius_um);
        add!(ice, ice_path_g_per_m2, ice_size_um);
        add!(rain, rain_path_g_per_m2, rain_radius_um);
        add!(snow, snow_path_g_per_m2, snow_size_um);
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
