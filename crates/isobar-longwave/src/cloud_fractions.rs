//! All sky through a layer with a fraction of clouds, without sub-columns.

use isobar_core::Real;

use crate::overlap_weights::{LEAST_FRACTION, Weights};
use crate::passage::{Gas, Layer};
use crate::sweep::{Streams, Sweep};
use crate::transfer::RANDOM;

impl<R: Real, const SKY: u32> Sweep<'_, R, SKY> {
    /// All sky through a layer with a fraction of clouds: what it gains, and the mean absorptance.
    #[inline(always)]
    pub(crate) fn pass_fraction<const W: usize, const UP: bool>(
        &self,
        streams: &mut Streams<R, W>,
        (layer_number, memory): (usize, &mut [R; 2]),
        gas: &Gas<R, W>,
        layer: &Layer<R, W>,
    ) -> ([R; W], [R; W]) {
        let fraction = |layer: usize| self.batch.clouds.fraction.at(layer, self.column);
        let part = fraction(layer_number);
        let cloudy = self.cloudy_layer(gas);
        let (mut gains, mut mean) = ([R::ZERO; W], [R::ZERO; W]);
        for lane in 0..W {
            mean[lane] = part * cloudy.absorptance[lane] + (R::ONE - part) * layer.absorptance[lane];
        }
        if self.sky() == RANDOM {
            for lane in 0..W {
                let (before, a) = (streams[0][lane], layer.absorptance[lane]);
                let stopped = -(-gas.cloud[lane]).exp_m1();
                let (clear, whole) = (layer.source[lane] * a, cloudy.source[lane] * cloudy.absorptance[lane]);
                gains[lane] = clear + part * (whole - clear) - before * (a + part * stopped * (R::ONE - a));
                streams[0][lane] = before + gains[lane];
            }
            return (gains, mean);
        }
        let last = self.batch.sources.temperature.levels() - 1;
        let beside = |inside: bool, layer: usize| if inside { fraction(layer) } else { R::ZERO };
        let above = beside(layer_number < last, layer_number + 1);
        let below = beside(layer_number > 0, layer_number.wrapping_sub(1));
        let (before, next) = if UP { (below, above) } else { (above, below) };
        let before = (before >= R::from_f64(LEAST_FRACTION)).then_some(before);
        let weights = Weights::new(before, part, next, memory);
        let [all, _, _, _, inside, outside, handed] = streams;
        for lane in 0..W {
            let was = all[lane];
            if before.is_none() {
                inside[lane] = part * was;
                outside[lane] = was - inside[lane];
                handed[lane] = R::ZERO;
            }
            let (a, whole) = (layer.absorptance[lane], cloudy.absorptance[lane]);
            let (clear_source, cloudy_source) = (layer.source[lane] * a, cloudy.source[lane] * whole);
            inside[lane] = inside[lane] * (R::ONE - whole) + part * cloudy_source;
            outside[lane] = outside[lane] * (R::ONE - a) + (R::ONE - part) * clear_source;
            all[lane] = inside[lane] + outside[lane];
            gains[lane] = all[lane] - was;
            let moved = handed[lane] * (weights.grown * (R::ONE - a) + weights.shrunk * (R::ONE - whole))
                - weights.clear_source * clear_source
                + weights.cloudy_source * cloudy_source;
            let (cloudy_part, clear_part) = (inside[lane] - moved, outside[lane] + moved);
            handed[lane] = weights.to_cloudy * clear_part - weights.to_clear * cloudy_part - moved;
            inside[lane] += handed[lane];
            outside[lane] -= handed[lane];
        }
        (gains, mean)
    }
}
