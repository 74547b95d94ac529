//! What is in a layer, as lanes see it in the long wave, and what black bodies emit there.

use isobar_core::Real;
use isobar_optics::state::Place;

use super::sky::Sky;
use super::warp::Warp;
use crate::arguments::RESCALED;

/// Kinds that need what scatters: all that do, with rescaling or by two streams.
pub(crate) const SCATTERED: u32 = RESCALED;

/// Gases, aerosol and clouds of a layer.
#[derive(Clone, Copy)]
pub(crate) struct Air<R, const W: usize> {
    /// Optical depth of absorption.
    pub(crate) absorption: [R; W],
    /// Of scattering, times 1 less its asymmetry; only where the long wave is scattered.
    pub(crate) back: [R; W],
    /// The part of black bodies' radiation that g-points have.
    pub(crate) fraction: [R; W],
}

impl<R: Real, const W: usize> Air<R, W> {
    /// Nothing.
    #[inline(always)]
    pub(crate) fn none() -> Self {
        Self { absorption: [R::ZERO; W], back: [R::ZERO; W], fraction: [R::ZERO; W] }
    }
}

impl<R: Real, const W: usize> Warp<'_, '_, R, W> {
    /// Gases, of these optical depths and fractions, and aerosol of a layer.
    #[inline(always)]
    pub(crate) fn clear_air(&self, layer: usize, gases: ([R; W], [R; W]), scatters: bool) -> Air<R, W> {
        let (absorption, fraction) = gases;
        let mut air = Air { absorption, back: [R::ZERO; W], fraction };
        let columns = &self.sweep.columns;
        // Where there is an albedo, it is that of an extinction, which stands in its place.
        let aerosol = &columns.aerosol_absorption_longwave;
        if !aerosol.is_empty() {
            let place = (layer, aerosol.levels() / self.layers);
            let mut depth = self.spectral(aerosol, place);
            if !columns.aerosol_albedo_longwave.is_empty() {
                let albedo = self.spectral(&columns.aerosol_albedo_longwave, place);
                if scatters {
                    let asymmetry = self.spectral(&columns.aerosol_asymmetry_longwave, place);
                    for lane in 0..W {
                        air.back[lane] += depth[lane] * albedo[lane] * (R::ONE - asymmetry[lane]);
                    }
                }
                for lane in 0..W {
                    depth[lane] *= R::ONE - albedo[lane];
                }
            }
            for lane in 0..W {
                air.absorption[lane] += depth[lane];
            }
        }
        air
    }

    /// What is in a layer.
    #[inline(always)]
    pub(crate) fn air<const KIND: u32>(&self, layer: usize, sky: &mut Sky<W>) -> Air<R, W> {
        let scatters = KIND & SCATTERED != 0;
        let mut air = self.clear_air(layer, self.gases::<true>(layer, sky), scatters);
        if let Some([absorption, scattering, forward]) = sky.cloud::<R, KIND>(self.sweep, layer, self.points.lane()) {
            for lane in 0..W {
                air.absorption[lane] += absorption[lane];
            }
            if scatters {
                for lane in 0..W {
                    air.back[lane] += scattering[lane] - forward[lane];
                }
            }
        }
        air
    }

    /// What a black body emits at a place, of which a g-point has some part.
    #[inline(always)]
    pub(crate) fn emission(&self, place: Place, fraction: &[R; W]) -> [R; W] {
        let mut emission = self.points.black_body(self.state.place(place));
        for lane in 0..W {
            emission[lane] *= fraction[lane];
        }
        emission
    }

    /// What a black body emits at a level, of which a g-point has the part of both layers around.
    #[inline(always)]
    pub(crate) fn level_emission(&self, level: usize, above: &Air<R, W>, below: &Air<R, W>) -> [R; W] {
        let mut fraction = below.fraction;
        if level > 0 && level < self.layers {
            for lane in 0..W {
                fraction[lane] = (above.fraction[lane] * below.fraction[lane]).sqrt();
            }
        }
        self.emission(Place::Level(level), &fraction)
    }
}
