//! Long-wave radiation of a column at a warp's g-points by two streams: down through the layers, which become one that
//! grows, the surface, up.

use isobar_core::{Kernel, Lanes, PerLane, Real, Status, Team};
use isobar_optics::state::Place;

use super::longwave_air::{Air, SCATTERED, two_streams};
use super::tiles;
use super::warp::{Warp, bytes};
use crate::arguments::{ANY_SKY, LongwaveTwoStream, band_sum, sum};
use crate::physics::adding::Above;

/// Rows that are kept of a layer: what is above it reflects and sends down, its gain and offset, the part that it
/// absorbs, and what black bodies at its boundaries emit.
const ROWS: usize = 6;

/// Rows of a column and warp.
pub(crate) fn rows(layers: usize) -> usize {
    ROWS * layers
}

// SAFETY: an item writes what its own warp keeps, and its sums.
unsafe impl<R: Real> Kernel for LongwaveTwoStream<'_, R> {
    const NAME: &'static str = "radiation_longwave_two_stream";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        self.sweep.items()
    }

    fn memory_bytes(&self) -> usize {
        let layers = self.sweep.columns.layers();
        bytes::<R>(rows(layers), layers)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        // SAFETY: the caller's; the kernel of gas states comes first.
        let warp = unsafe { self.sweep.warp(self.sweep.place(index), rows(self.sweep.columns.layers()), lanes) };
        warp.prepare::<true>();
        let (above, lowest) = self.down(&warp);
        self.up(&warp, &above, &lowest);
        Status::OK
    }
}

impl<R: Real> LongwaveTwoStream<'_, R> {
    /// Down through the column: all of it as one layer, and what is in the lowest.
    #[inline(always)]
    fn down<const W: usize>(&self, warp: &Warp<'_, '_, R, W>) -> (Above<[R; W]>, Air<[R; W]>) {
        let mut sky = warp.sky();
        let (mut all, mut here, mut above) = (Above::<[R; W]>::zeros(), Air::<[R; W]>::zeros(), [R::ZERO; W]);
        // From level to level, each between a layer above (`here`) and one below (`next`).
        for level in (0..=warp.layers).rev() {
            let mut next = here;
            if level > 0 {
                next = warp.air::<{ ANY_SKY | SCATTERED }>(level - 1, &mut sky);
            }
            let below = warp.level_emission(level, &here, &next);
            if level < warp.layers {
                let row = ROWS * level;
                let layer = two_streams(&here, self.secant, [&above, &below]);
                warp.saved.put(row, all.sky);
                warp.saved.put(row + 1, all.glow);
                let does = [&layer.reflectance, &layer.transmittance];
                let rise = tiles::add(&mut all, does, [&layer.up, &layer.down]);
                warp.saved.put(row + 2, rise.gain);
                warp.saved.put(row + 3, rise.offset);
                let mut emission = above;
                for lane in 0..W {
                    emission[lane] += below[lane];
                }
                warp.saved.put(row + 4, layer.absorptance);
                warp.saved.put(row + 5, emission);
            }
            (here, above) = (next, below);
        }
        (all, here)
    }

    /// From the surface up.
    #[inline(always)]
    fn up<const W: usize>(&self, warp: &Warp<'_, '_, R, W>, above: &Above<[R; W]>, lowest: &Air<[R; W]>) {
        let emissivity = warp.surface(&warp.sweep.columns.emissivity);
        let surface = warp.emission(Place::Surface, &lowest.fraction);
        let warmer = warp.emission(Place::WarmerSurface, &lowest.fraction);
        let zeros = [R::ZERO; W];
        let (mut up, mut down, mut derivative) = (zeros, zeros, zeros);
        for lane in 0..W {
            let reflected = R::ONE - emissivity[lane];
            let between = R::ONE / (R::ONE - reflected * above.sky[lane]);
            up[lane] = (emissivity[lane] * surface[lane] + reflected * above.glow[lane]) * between;
            down[lane] = above.sky[lane] * up[lane] + above.glow[lane];
            derivative[lane] = emissivity[lane] * (warmer[lane] - surface[lane]) * between;
        }
        let all = (R::ONE, true);
        for level in 0..=warp.layers {
            let (here_up, here_down, here_derivative, mut gained) = (up, down, derivative, zeros);
            if level < warp.layers {
                let row = ROWS * level;
                let (sky, glow) = (warp.saved.get::<W>(row), warp.saved.get::<W>(row + 1));
                let (gain, offset) = (warp.saved.get::<W>(row + 2), warp.saved.get::<W>(row + 3));
                let (absorptance, emission) = (warp.saved.get::<W>(row + 4), warp.saved.get::<W>(row + 5));
                for lane in 0..W {
                    up[lane] = gain[lane] * up[lane] + offset[lane];
                    down[lane] = sky[lane] * up[lane] + glow[lane];
                    derivative[lane] *= gain[lane];
                    // What comes into the layer against what it emits both ways.
                    gained[lane] = absorptance[lane] * (here_up[lane] + down[lane] - emission[lane]);
                }
            }
            warp.put_bands::<ANY_SKY>((level, band_sum::DOWN), &here_down, all);
            warp.put_bands::<ANY_SKY>((level, band_sum::UP), &here_up, all);
            warp.sums.put_two((level, sum::DOWN), [here_down, gained], warp.lanes, all);
            if self.derivative == 0 {
                warp.sums.put_two((level, sum::UP), [here_up, zeros], warp.lanes, all);
            } else {
                warp.sums.put_three((level, sum::UP), [here_up, zeros, here_derivative], warp.lanes, all);
            }
        }
    }
}
