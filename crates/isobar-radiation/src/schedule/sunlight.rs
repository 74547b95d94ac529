//! Sunlight before clouds: the beam at the top, optical depths of gases and aerosol, the surface's albedos.

use isobar_core::Real;

use super::warp::Warp;
use crate::physics::cloud::Cloud;
use crate::physics::two_stream::{Depths, delta_scaled};

/// Particles without their forward peak, unless it is that of the mixture that goes.
#[inline(always)]
fn scaled<R: Real>(scattering: R, forward: R, mixture: bool) -> (R, R) {
    if mixture { (scattering, forward) } else { delta_scaled(scattering, forward) }
}

impl<R: Real, const W: usize> Warp<'_, '_, R, W> {
    /// The sun's beam at the top, of this irradiance unless the column has one.
    #[inline(always)]
    pub(crate) fn beam(&self, irradiance_w_per_m2: R, cosine: R) -> [R; W] {
        let irradiance = &self.sweep.columns.total_solar_irradiance_w_per_m2;
        let irradiance = if irradiance.is_empty() {
            irradiance_w_per_m2
        } else {
            // SAFETY: the column is one of the view.
            unsafe { irradiance.get(self.column) }
        };
        let mut beam = self.points.solar_parts();
        for part in &mut beam {
            *part *= irradiance * cosine;
        }
        beam
    }

    /// Albedos of the surface for the beam and for diffuse light.
    #[inline(always)]
    pub(crate) fn albedos(&self) -> [[R; W]; 2] {
        let columns = &self.sweep.columns;
        let direct = &columns.surface_albedo_direct;
        let diffuse = if columns.surface_albedo_diffuse.is_empty() { direct } else { &columns.surface_albedo_diffuse };
        [self.surface(direct), self.surface(diffuse)]
    }

    /// Optical depths of gases, of these, and aerosol in a layer; with its forward peak if that of the mixture is to
    /// go.
    #[inline(always)]
    pub(crate) fn clear_depths(
        &self,
        layer: usize,
        (absorption, scattering): ([R; W], [R; W]),
        mixture: bool,
    ) -> Depths<R, W> {
        let mut depths = Depths { absorption, scattering, forward: [R::ZERO; W] };
        let columns = &self.sweep.columns;
        if !columns.aerosol_optical_depth.is_empty() {
            let place = (layer, columns.aerosol_optical_depth.levels() / self.layers);
            let depth = self.spectral(&columns.aerosol_optical_depth, place);
            let albedo = self.spectral(&columns.aerosol_albedo, place);
            let asymmetry = self.spectral(&columns.aerosol_asymmetry, place);
            for lane in 0..W {
                let scattering = depth[lane] * albedo[lane];
                depths.absorption[lane] += depth[lane] - scattering;
                let (scattering, forward) = scaled(scattering, scattering * asymmetry[lane], mixture);
                depths.scattering[lane] += scattering;
                depths.forward[lane] += forward;
            }
        }
        depths
    }
}

impl<R: Real, const W: usize> Depths<R, W> {
    /// Scales the forward peak of all that scatters away.
    #[inline(always)]
    pub(crate) fn scale(&mut self) {
        for lane in 0..W {
            let (scattering, forward) = delta_scaled(self.scattering[lane], self.forward[lane]);
            self.scattering[lane] = scattering;
            self.forward[lane] = forward;
        }
    }

    /// Adds a cloud; with its forward peak if that of the mixture is to go.
    #[inline(always)]
    pub(crate) fn add(&mut self, [absorption, scattering, forward]: &Cloud<R, W>, mixture: bool) {
        for lane in 0..W {
            self.absorption[lane] += absorption[lane];
            let (scattering, forward) = scaled(scattering[lane], forward[lane], mixture);
            self.scattering[lane] += scattering;
            self.forward[lane] += forward;
        }
    }
}
