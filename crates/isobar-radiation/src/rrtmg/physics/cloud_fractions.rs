//! All sky through a layer with a fraction of clouds, without sub-columns.

use isobar_core::Real;

use crate::rrtmg::physics::overlap_weights::{LEAST_FRACTION, Weights};
use crate::rrtmg::physics::passage::{Gas, Layer, Streams};

/// The mean absorptance of a layer of which a part is cloudy.
#[inline(always)]
pub(crate) fn mean_absorptance<R: Real, const W: usize>(part: R, clear: &Layer<R, W>, cloudy: &Layer<R, W>) -> [R; W] {
    let mut mean = [R::ZERO; W];
    for lane in 0..W {
        mean[lane] = part * cloudy.absorptance[lane] + (R::ONE - part) * clear.absorptance[lane];
    }
    mean
}

/// Passes a layer whose clouds overlap those of others at random; what the stream gains.
#[inline(always)]
pub(crate) fn pass_random<R: Real, const W: usize>(
    stream: &mut [R; W],
    part: R,
    gas: &Gas<R, W>,
    [layer, cloudy]: [&Layer<R, W>; 2],
) -> [R; W] {
    let mut gains = [R::ZERO; W];
    for lane in 0..W {
        let (before, a) = (stream[lane], layer.absorptance[lane]);
        let stopped = -(-gas.cloud[lane]).exp_m1();
        let (clear, whole) = (layer.source[lane] * a, cloudy.source[lane] * cloudy.absorptance[lane]);
        gains[lane] = clear + part * (whole - clear) - before * (a + part * stopped * (R::ONE - a));
        stream[lane] = before + gains[lane];
    }
    gains
}

/// Passes a layer whose clouds overlap the neighbours' as much as possible, for the cloud fractions of the layer
/// before, this one and the next; what the stream gains. `memory` is that of [`Weights::new`].
#[inline(always)]
pub(crate) fn pass_maximum_random<R: Real, const W: usize>(
    streams: &mut Streams<R, W>,
    [before, part, next]: [R; 3],
    memory: &mut [R; 2],
    [layer, cloudy]: [&Layer<R, W>; 2],
) -> [R; W] {
    let before = (before >= R::from_f64(LEAST_FRACTION)).then_some(before);
    let weights = Weights::new(before, part, next, memory);
    let mut gains = [R::ZERO; W];
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
    gains
}
