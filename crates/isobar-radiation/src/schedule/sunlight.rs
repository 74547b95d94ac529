//! Sunlight before clouds: the beam at the top, optical depths of gases and aerosol, the surface's albedos.

use isobar_core::{PerLane, Real};

use super::tiles::absorbed;
use super::warp::Warp;
use crate::physics::particles::Depths;
use crate::physics::two_stream::{self, Decay, Layer};
use crate::physics::two_stream_slopes::with_slopes;

/// Particles without their forward peak, unless it is that of the mixture that goes.
#[inline(always)]
fn scaled<R: Real>(particles: Depths<R>, mixture: bool) -> Depths<R> {
    if mixture { particles } else { particles.delta_scaled() }
}

/// Adds particles; with their forward peak if that of the mixture is to go.
#[inline(always)]
pub(crate) fn add<R: Real, const W: usize>(depths: &mut Depths<[R; W]>, particles: &Depths<[R; W]>, mixture: bool) {
    for lane in 0..W {
        depths.set(lane, depths.lane(lane).and(scaled(particles.lane(lane), mixture)));
    }
}

/// A layer in sunlight.
pub(crate) struct Sunlit<R: Real, const W: usize> {
    /// How fast diffuse light decays with the optical depth.
    pub(crate) k: [R; W],
    /// The parts of diffuse light and of the beam that are lost on their way through it.
    pub(crate) gone: [[R; W]; 2],
    /// What it does.
    pub(crate) layer: Layer<[R; W]>,
}

/// A layer in sunlight.
#[inline(always)]
pub(crate) fn sunlit<R: Real, const W: usize>(depths: &Depths<[R; W]>, cosine: R) -> Sunlit<R, W> {
    let mut decays = Decay::<[R; W]>::zeros();
    for lane in 0..W {
        decays.set(lane, two_stream::decay(depths.lane(lane), cosine));
    }
    let (lost, extinct) = (absorbed(&decays.exponent), absorbed(&decays.slant));
    let mut layer = Layer::<[R; W]>::zeros();
    for lane in 0..W {
        layer.set(lane, two_stream::layer(decays.lane(lane), cosine, [lost[lane], extinct[lane]]));
    }
    Sunlit { k: decays.k, gone: [lost, extinct], layer }
}

/// What a layer does to sunlight.
#[inline(always)]
pub(crate) fn layer<R: Real, const W: usize>(depths: &Depths<[R; W]>, cosine: R) -> Layer<[R; W]> {
    let Sunlit { mut layer, .. } = sunlit(depths, cosine);
    for lane in 0..W {
        layer.set(lane, with_slopes(depths.lane(lane), cosine, layer.lane(lane)));
    }
    layer
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
    ) -> Depths<[R; W]> {
        let mut depths = Depths { absorption, scattering, forward: [R::ZERO; W] };
        let columns = &self.sweep.columns;
        if !columns.aerosol_optical_depth.is_empty() {
            let place = (layer, columns.aerosol_optical_depth.levels() / self.layers);
            let depth = self.spectral(&columns.aerosol_optical_depth, place);
            let albedo = self.spectral(&columns.aerosol_albedo, place);
            let asymmetry = self.spectral(&columns.aerosol_asymmetry, place);
            let mut aerosol = Depths::<[R; W]>::zeros();
            for lane in 0..W {
                let scattering = depth[lane] * albedo[lane];
                let (absorption, forward) = (depth[lane] - scattering, scattering * asymmetry[lane]);
                aerosol.set(lane, Depths { absorption, scattering, forward });
            }
            add(&mut depths, &aerosol, mixture);
        }
        depths
    }
}
