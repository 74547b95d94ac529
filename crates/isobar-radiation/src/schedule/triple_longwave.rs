//! Long-wave radiation of a column whose layers have regions (Tripleclouds), at a warp's g-points: up from the surface,
//! then down.
//!
//! On the way up it is found what all below a level reflects (`albedo`) and emits (`source`), for each region of the
//! layer above the level, as in `triple_shortwave`. Radiation of a region is what it adds to that of the column.

use isobar_core::{Kernel, Lanes, PerLane, Real, Status, Team};
use isobar_optics::state::Place;

use super::longwave_air::{Air, two_streams};
use super::triple::{seen, spread};
use super::warp::{Warp, bytes};
use crate::arguments::{TripleLongwaveSweeps, sum};
use crate::physics::emission::Layer as Passage;
use crate::physics::longwave_two_stream;
use crate::physics::particles::Depths;
use crate::physics::regions::{Each, REGIONS, Regions};

/// Rows that are kept of a layer's region: `albedo`, `source` and derivative of what is below; absorptance,
/// reflectance, what it emits downward and altogether.
const ROWS: usize = 7;

/// Rows of a column and warp.
pub(crate) fn rows(layers: usize) -> usize {
    ROWS * REGIONS * layers
}

// SAFETY: an item writes what its own warp keeps, and its sums.
unsafe impl<R: Real> Kernel for TripleLongwaveSweeps<'_, R> {
    const NAME: &'static str = "radiation_longwave_triple";
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
        let item = Item { kernel: self, warp };
        let below = item.up();
        item.down(&below);
        Status::OK
    }
}

/// A column and warp.
struct Item<'k, 'a, R, const W: usize> {
    kernel: &'k TripleLongwaveSweeps<'a, R>,
    warp: Warp<'k, 'a, R, W>,
}

/// What all below a level does to the regions of the layer above it.
#[derive(Clone, Copy)]
struct Below<R, const W: usize> {
    /// The part that it reflects.
    albedo: Each<[R; W]>,
    /// What it emits.
    source: Each<[R; W]>,
    /// Derivative of that by the surface's temperature.
    derivative: Each<[R; W]>,
}

/// A layer with what black bodies at its boundaries emit.
struct Layer<R, const W: usize> {
    number: usize,
    air: Air<[R; W]>,
    below: [R; W],
    above: [R; W],
}

impl<R: Real, const W: usize> Item<'_, '_, R, W> {
    /// The row of a layer's region.
    #[inline(always)]
    fn row(layer: usize, region: usize) -> usize {
        ROWS * (REGIONS * layer + region)
    }

    /// Up from the surface: what the uppermost layer and all below do.
    #[inline(always)]
    fn up(&self) -> Below<R, W> {
        let warp = &self.warp;
        let scatters = self.kernel.scatters != 0;
        let mut below = Below { albedo: Each::zeros(), source: Each::zeros(), derivative: Each::zeros() };
        let (mut air, mut emitted) = (Air::<[R; W]>::zeros(), [R::ZERO; W]);
        let mut here = warp.regions(0);
        // From level to level, each between a layer below (`air`) and one above (`next`).
        for level in 0..=warp.layers {
            let mut next = air;
            if level < warp.layers {
                next = warp.clear_air(level, warp.gases_of::<true>(level), scatters);
            }
            let above = warp.level_emission(level, &next, if level == 0 { &next } else { &air });
            if level == 0 {
                below = self.surface(&here, &next.fraction);
            } else {
                let number = level - 1;
                below = self.onto(&Layer { number, air, below: emitted, above }, &here, &below);
                let regions = warp.regions(level);
                if here.is_cloudy() || regions.is_cloudy() {
                    let overlap = warp.overlap(number);
                    let (of, to) = (regions.next_to(&here, overlap), here.next_to(&regions, overlap));
                    below.albedo = seen(&below.albedo, &of);
                    below.source = spread(&below.source, &to);
                    if self.kernel.derivative != 0 {
                        below.derivative = spread(&below.derivative, &to);
                    }
                }
                here = regions;
            }
            (air, emitted) = (next, above);
        }
        below
    }

    /// The surface under the regions of the lowest layer.
    #[inline(always)]
    fn surface(&self, here: &Regions<R>, fraction: &[R; W]) -> Below<R, W> {
        let emissivity = self.warp.surface(&self.warp.sweep.columns.emissivity);
        let surface = self.warp.emission(Place::Surface, fraction);
        let warmer = self.warp.emission(Place::WarmerSurface, fraction);
        let mut below = Below { albedo: Each::zeros(), source: Each::zeros(), derivative: Each::zeros() };
        let areas = Each { clear: here.area(0), thin: here.area(1), thick: here.area(2) };
        for lane in 0..W {
            let emitted = emissivity[lane] * surface[lane];
            let change = emissivity[lane] * (warmer[lane] - surface[lane]);
            below.albedo.set(lane, Each::same(R::ONE - emissivity[lane]));
            below.source.set(lane, areas.map(|area| area * emitted));
            below.derivative.set(lane, areas.map(|area| area * change));
        }
        below
    }

    /// What a layer of this air does along the path, where nothing scatters.
    #[inline(always)]
    fn passage(&self, layer: &Layer<R, W>, air: &Air<[R; W]>) -> longwave_two_stream::Layer<[R; W]> {
        let mut depth = air.absorption;
        for lane in 0..W {
            depth[lane] *= self.kernel.secant;
        }
        let edges = [&layer.above, &layer.below];
        let Passage { absorptance, down, up } = self.warp.passage(layer.number, (&depth, &air.fraction), edges);
        let mut transmittance = absorptance;
        for lane in 0..W {
            transmittance[lane] = R::ONE - absorptance[lane];
        }
        longwave_two_stream::Layer { reflectance: [R::ZERO; W], transmittance, absorptance, up, down }
    }

    /// A layer onto what is below it.
    #[inline(always)]
    fn onto(&self, layer: &Layer<R, W>, here: &Regions<R>, below: &Below<R, W>) -> Below<R, W> {
        let (warp, kernel, number) = (&self.warp, self.kernel, layer.number);
        let mut cloud = Depths::<[R; W]>::zeros();
        if here.is_cloudy() {
            cloud = warp.sweep.cloud((number, warp.column), warp.points.lane());
            warp.sweep.add_rain_and_snow((number, warp.column), warp.points.lane(), &mut cloud);
        }
        let mut all = Below { albedo: Each::zeros(), source: Each::zeros(), derivative: Each::zeros() };
        for region in 0..here.count() {
            let (mut air, part) = (layer.air, here.depth(region));
            for lane in 0..W {
                air.absorption[lane] += part * cloud.absorption[lane];
                air.back[lane] += part * (cloud.scattering[lane] - cloud.forward[lane]);
            }
            let does = if kernel.scatters == 0 {
                self.passage(layer, &air)
            } else {
                two_streams(&air, kernel.secant, [&layer.above, &layer.below])
            };
            let area = here.area(region);
            let (albedo, source) = (below.albedo.of(region), below.source.of(region));
            let derivative = below.derivative.of(region);
            let (mut to_albedo, mut to_source, mut to_derivative) = (albedo, source, derivative);
            let (mut down, mut emitted) = ([R::ZERO; W], [R::ZERO; W]);
            for lane in 0..W {
                let (reflectance, transmittance) = (does.reflectance[lane], does.transmittance[lane]);
                // Radiation goes to and fro between the layer and what is below it.
                let through = transmittance / (R::ONE - albedo[lane] * reflectance);
                down[lane] = area * does.down[lane];
                let up = area * does.up[lane];
                emitted[lane] = up + down[lane];
                to_albedo[lane] = reflectance + transmittance * albedo[lane] * through;
                to_source[lane] = up + through * (source[lane] + albedo[lane] * down[lane]);
                to_derivative[lane] = through * derivative[lane];
            }
            let row = Self::row(number, region);
            warp.saved.put(row, albedo);
            warp.saved.put(row + 1, source);
            if kernel.derivative != 0 {
                warp.saved.put(row + 2, derivative);
            }
            warp.saved.put(row + 3, does.absorptance);
            warp.saved.put(row + 4, does.reflectance);
            warp.saved.put(row + 5, down);
            warp.saved.put(row + 6, emitted);
            all.albedo.put(region, to_albedo);
            all.source.put(region, to_source);
            all.derivative.put(region, to_derivative);
        }
        all
    }

    /// Down from the top, above which there is nothing.
    #[inline(always)]
    fn down(&self, below: &Below<R, W>) {
        let (warp, all, zeros) = (&self.warp, (R::ONE, true), [R::ZERO; W]);
        let with_derivative = self.kernel.derivative != 0;
        warp.sums.put_two((warp.layers, sum::DOWN), [zeros, zeros], warp.lanes, all);
        let top = [below.source.of(0), zeros, below.derivative.of(0)];
        warp.sums.put_three((warp.layers, sum::UP), top, warp.lanes, all);
        let (mut radiation, mut change) = (Each::same(zeros), Each::same(zeros));
        let mut above = Regions::clear();
        for number in (0..warp.layers).rev() {
            let here = warp.regions(number);
            if here.is_cloudy() || above.is_cloudy() {
                let parts = above.next_to(&here, warp.overlap(number));
                radiation = spread(&radiation, &parts);
                if with_derivative {
                    change = spread(&change, &parts);
                }
            }
            let (mut sum_down, mut gained, mut sum_up, mut sum_change) = (zeros, zeros, zeros, zeros);
            for region in 0..here.count() {
                let row = Self::row(number, region);
                let (albedo, source) = (warp.saved.get::<W>(row), warp.saved.get::<W>(row + 1));
                let (absorptance, reflectance) = (warp.saved.get::<W>(row + 3), warp.saved.get::<W>(row + 4));
                let (down, emitted) = (warp.saved.get::<W>(row + 5), warp.saved.get::<W>(row + 6));
                let mut falling = radiation.of(region);
                let mut between = zeros;
                for lane in 0..W {
                    let from_above = falling[lane];
                    let transmittance = R::ONE - (absorptance[lane] + reflectance[lane]);
                    between[lane] = R::ONE / (R::ONE - albedo[lane] * reflectance[lane]);
                    falling[lane] =
                        (transmittance * from_above + reflectance[lane] * source[lane] + down[lane]) * between[lane];
                    let rising = source[lane] + albedo[lane] * falling[lane];
                    gained[lane] += absorptance[lane] * (from_above + rising) - emitted[lane];
                    sum_down[lane] += falling[lane];
                    sum_up[lane] += rising;
                }
                radiation.put(region, falling);
                if with_derivative {
                    let derivative = warp.saved.get::<W>(row + 2);
                    let mut falling = change.of(region);
                    for lane in 0..W {
                        let transmittance = R::ONE - (absorptance[lane] + reflectance[lane]);
                        falling[lane] =
                            (transmittance * falling[lane] + reflectance[lane] * derivative[lane]) * between[lane];
                        sum_change[lane] += derivative[lane] + albedo[lane] * falling[lane];
                    }
                    change.put(region, falling);
                }
            }
            warp.sums.put_two((number, sum::DOWN), [sum_down, gained], warp.lanes, all);
            let up = (number, sum::UP);
            if with_derivative {
                warp.sums.put_three(up, [sum_up, zeros, sum_change], warp.lanes, all);
            } else {
                warp.sums.put_two(up, [sum_up, zeros], warp.lanes, all);
            }
            above = here;
        }
    }
}
