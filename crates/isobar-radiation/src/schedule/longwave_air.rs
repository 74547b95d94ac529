//! What is in a layer, as lanes see it in the long wave, and what black bodies emit there.

use isobar_core::{PerLane, Real, per_lane};
use isobar_optics::state::Place;
use isobar_optics::tables::Model;

use super::sky::Sky;
use super::tiles::absorbed;
use super::warp::Warp;
use crate::arguments::RESCALED;
use crate::physics::emission::{self, Layer, Source};
use crate::physics::longwave_two_stream;

/// Kinds that need what scatters: all that do, with rescaling or by two streams.
pub(crate) const SCATTERED: u32 = RESCALED;

per_lane! {
    /// Gases, aerosol and clouds of a layer.
    pub(crate) struct Air {
        /// Optical depth of absorption.
        absorption,
        /// Of scattering, times 1 less its asymmetry; only where the long wave is scattered.
        back,
        /// The part of black bodies' radiation that g-points have.
        fraction,
    }
}

/// What a layer does that scatters, between black bodies above and below.
#[inline(always)]
pub(crate) fn two_streams<R: Real, const W: usize>(
    air: &Air<[R; W]>,
    secant: R,
    [above, below]: [&[R; W]; 2],
) -> longwave_two_stream::Layer<[R; W]> {
    let mut exponents = [R::ZERO; W];
    for lane in 0..W {
        exponents[lane] = longwave_two_stream::exponent(air.absorption[lane], air.back[lane], secant);
    }
    let lost = absorbed(&exponents);
    let mut layer = longwave_two_stream::Layer::<[R; W]>::zeros();
    for lane in 0..W {
        let (depths, exponent) = ([air.absorption[lane], air.back[lane]], [exponents[lane], lost[lane]]);
        layer.set(lane, longwave_two_stream::layer(depths, secant, exponent, [above[lane], below[lane]]));
    }
    layer
}

impl<R: Real, const W: usize> Warp<'_, '_, R, W> {
    /// Gases, of these optical depths and fractions, and aerosol of a layer.
    #[inline(always)]
    pub(crate) fn clear_air(&self, layer: usize, gases: ([R; W], [R; W]), scatters: bool) -> Air<[R; W]> {
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
    pub(crate) fn air<const KIND: u32>(&self, layer: usize, sky: &mut Sky<W>) -> Air<[R; W]> {
        let scatters = KIND & SCATTERED != 0;
        let mut air = self.clear_air(layer, self.gases::<true>(layer, sky), scatters);
        if let Some(cloud) = sky.cloud::<R, KIND>(self.sweep, layer, self.points.lane()) {
            for lane in 0..W {
                air.absorption[lane] += cloud.absorption[lane];
            }
            if scatters {
                for lane in 0..W {
                    air.back[lane] += cloud.scattering[lane] - cloud.forward[lane];
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
    pub(crate) fn level_emission(&self, level: usize, above: &Air<[R; W]>, below: &Air<[R; W]>) -> [R; W] {
        let mut fraction = below.fraction;
        if level > 0 && level < self.layers {
            for lane in 0..W {
                fraction[lane] = (above.fraction[lane] * below.fraction[lane]).sqrt();
            }
        }
        self.emission(Place::Level(level), &fraction)
    }
    /// What a layer does along a path of these optical depths, between black bodies above and below.
    #[inline(always)]
    pub(crate) fn passage(
        &self,
        number: usize,
        (depth, fraction): (&[R; W], &[R; W]),
        [above, below]: [&[R; W]; 2],
    ) -> Layer<[R; W]> {
        let mut middle = *above;
        if self.sweep.tables.model == Model::Ecckd as u32 {
            // Linear between the levels.
            for lane in 0..W {
                middle[lane] = R::from_f64(0.5) * (above[lane] + below[lane]);
            }
        } else {
            middle = self.emission(Place::Layer(number), fraction);
        }
        let absorbed = absorbed(depth);
        let mut layer = Layer::<[R; W]>::zeros();
        for lane in 0..W {
            let source = Source { middle: middle[lane], below: below[lane], above: above[lane] };
            layer.set(lane, emission::layer(depth[lane], absorbed[lane], source));
        }
        layer
    }
}
