//! Long-wave radiation of a column at a warp's g-points: down through the layers, the surface, up.

use isobar_core::{Kernel, Lanes, Real, Status, Team};
use isobar_optics::state::Place;
use isobar_optics::tables::Model;

use super::saved::bytes;
use super::sky::Sky;
use super::warp::Warp;
use crate::arguments::{CLEAR, LongwaveSweeps, sum};
use crate::physics::emission::{Layer, Source, layer};

/// Rows that are kept of a layer: absorptance and what it emits upward.
const ROWS: usize = 2;

/// Rows of a column and warp.
pub(crate) fn rows(layers: usize) -> usize {
    ROWS * layers
}

// SAFETY: an item writes what its own warp keeps, and its sums.
unsafe impl<R: Real, const SKY: u32> Kernel for LongwaveSweeps<'_, R, SKY> {
    const NAME: &'static str = if SKY == CLEAR { "radiation_longwave_clear" } else { "radiation_longwave_cloudy" };
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        self.sweep.items()
    }

    fn memory_bytes(&self) -> usize {
        bytes::<R>(rows(self.sweep.columns.layers()))
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        // SAFETY: the caller's; the kernel of gas states comes first.
        let warp = unsafe { self.sweep.warp(self.sweep.place(index), rows(self.sweep.columns.layers()), lanes) };
        Item { kernel: self, warp }.compute();
        Status::OK
    }
}

/// A column and warp.
struct Item<'k, 'a, R, const SKY: u32, const W: usize> {
    kernel: &'k LongwaveSweeps<'a, R, SKY>,
    warp: Warp<'k, 'a, R, W>,
}

/// Optics of a layer.
#[derive(Clone, Copy)]
struct Optics<R, const W: usize> {
    depth: [R; W],
    fraction: [R; W],
}

/// What is at the end of the way down.
struct Way<R, const W: usize> {
    /// Radiation at the surface.
    radiation: [R; W],
    /// Optical depth of the column.
    depth: [R; W],
    /// Planck fractions of the lowest layer, which are those of the surface.
    fraction: [R; W],
}

impl<R: Real, const SKY: u32, const W: usize> Item<'_, '_, R, SKY, W> {
    #[inline(always)]
    fn compute(&self) {
        let kernel = self.kernel;
        // Where each g-point has a secant of its own, the optical depth of the column says which: one more pass, by the
        // same code, for a GPU's program is long enough.
        let search = u32::from(kernel.angle_count == 0);
        let passes = kernel.angle_count + 2 * search;
        let (mut secants, mut weight) = ([R::ONE; W], R::ONE);
        for pass in 0..passes {
            if search == 0 {
                let [secant, its_weight] = self.angle(pass);
                (secants, weight) = ([secant; W], its_weight);
            }
            let searches = pass < search;
            let way = self.down(&secants, (weight, pass == search), searches);
            if searches {
                secants = self.best_secants(&way.depth);
            } else {
                self.up(&way, (weight, pass == search));
            }
        }
    }

    /// An angle's secant and weight. By a number that the compiler does not know, a GPU would keep all arguments in slow
    /// memory.
    #[inline(always)]
    fn angle(&self, number: u32) -> [R; 2] {
        let [first, second, third, fourth] = self.kernel.angles;
        match number {
            0 => first,
            1 => second,
            2 => third,
            _ => fourth,
        }
    }

    /// Optics of gases, aerosol and clouds in a layer.
    #[inline(always)]
    fn optics(&self, layer: usize, sky: &mut Sky<W>) -> Optics<R, W> {
        let warp = &self.warp;
        let (mut depth, fraction) = warp.points.optics::<true>(&warp.state, layer);
        let aerosol = &warp.sweep.columns.aerosol_absorption_longwave;
        if !aerosol.is_empty() {
            let aerosol = warp.spectral(aerosol, (layer, aerosol.levels() / warp.layers));
            for lane in 0..W {
                depth[lane] += aerosol[lane];
            }
        }
        if let Some([absorption, ..]) = sky.cloud::<R, SKY>(warp.sweep, layer, warp.points.lane()) {
            for lane in 0..W {
                depth[lane] += absorption[lane];
            }
        }
        Optics { depth, fraction }
    }

    /// What a black body emits at a place, of which a g-point has some part.
    #[inline(always)]
    fn emission(&self, place: Place, fraction: &[R; W]) -> [R; W] {
        let mut emission = self.warp.points.black_body(self.warp.state.place(place));
        for lane in 0..W {
            emission[lane] *= fraction[lane];
        }
        emission
    }

    /// Down through the column. Keeps what the way up needs; or finds the optical depth of the column alone.
    #[inline(always)]
    fn down(&self, secants: &[R; W], scale: (R, bool), searches: bool) -> Way<R, W> {
        let warp = &self.warp;
        let (layers, mut sky) = (warp.layers, warp.sky());
        let zeros = [R::ZERO; W];
        let mut way = Way { radiation: zeros, depth: zeros, fraction: zeros };
        let (mut here, mut above) = (Optics { depth: zeros, fraction: zeros }, zeros);
        // From level to level, each between a layer above (`here`) and one below (`next`), whose fractions it has.
        for level in (0..=layers).rev() {
            let mut next = here;
            if level > 0 {
                next = self.optics(level - 1, &mut sky);
            }
            if searches {
                if level > 0 {
                    for lane in 0..W {
                        way.depth[lane] += next.depth[lane];
                    }
                }
                continue;
            }
            let mut fraction = next.fraction;
            if level > 0 && level < layers {
                for lane in 0..W {
                    fraction[lane] = (here.fraction[lane] * next.fraction[lane]).sqrt();
                }
            }
            let below = self.emission(Place::Level(level), &fraction);
            let mut lost = zeros;
            if level < layers {
                let passage = self.passage(level, &here, secants, &Source { middle: above, below, above });
                for lane in 0..W {
                    lost[lane] = passage.absorptance[lane] * way.radiation[lane] - passage.down[lane];
                    way.radiation[lane] -= lost[lane];
                }
                warp.saved.put(ROWS * level, passage.absorptance);
                warp.saved.put(ROWS * level + 1, passage.up);
            }
            warp.sums.put_two((level, sum::DOWN), [way.radiation, lost], warp.lanes, scale);
            (here, above) = (next, below);
        }
        way.fraction = here.fraction;
        way
    }

    /// What a layer does along the path.
    #[inline(always)]
    fn passage(&self, number: usize, here: &Optics<R, W>, secants: &[R; W], edges: &Source<R, W>) -> Layer<R, W> {
        let mut depth = here.depth;
        for lane in 0..W {
            depth[lane] *= secants[lane];
        }
        let mut middle = edges.above;
        if self.warp.sweep.tables.model == Model::Ecckd as u32 {
            // Linear between the levels.
            for lane in 0..W {
                middle[lane] = R::from_f64(0.5) * (edges.above[lane] + edges.below[lane]);
            }
        } else {
            middle = self.emission(Place::Layer(number), &here.fraction);
        }
        layer(&depth, &Source { middle, ..*edges })
    }

    /// From the surface up.
    #[inline(always)]
    fn up(&self, way: &Way<R, W>, scale: (R, bool)) {
        let warp = &self.warp;
        let emissivity = warp.surface(&warp.sweep.columns.emissivity);
        let surface = self.emission(Place::Surface, &way.fraction);
        let warmer = self.emission(Place::WarmerSurface, &way.fraction);
        let (mut radiation, mut derivative) = ([R::ZERO; W], [R::ZERO; W]);
        for lane in 0..W {
            radiation[lane] = emissivity[lane] * surface[lane] + (R::ONE - emissivity[lane]) * way.radiation[lane];
            derivative[lane] = emissivity[lane] * (warmer[lane] - surface[lane]);
        }
        for number in 0..=warp.layers {
            let mut gain = [R::ZERO; W];
            let here = radiation;
            let derivative_here = derivative;
            if number < warp.layers {
                let absorptance = warp.saved.get::<W>(ROWS * number);
                let emitted = warp.saved.get::<W>(ROWS * number + 1);
                for lane in 0..W {
                    gain[lane] = absorptance[lane] * radiation[lane] - emitted[lane];
                    radiation[lane] -= gain[lane];
                    derivative[lane] -= absorptance[lane] * derivative[lane];
                }
            }
            let place = (number, sum::UP);
            if self.kernel.derivative == 0 {
                warp.sums.put_two(place, [here, gain], warp.lanes, scale);
            } else {
                warp.sums.put_three(place, [here, gain, derivative_here], warp.lanes, scale);
            }
        }
    }

    /// Each g-point's best secant, by the optical depth of the whole column.
    #[inline(always)]
    fn best_secants(&self, depth: &[R; W]) -> [R; W] {
        let mut secants = [R::ZERO; W];
        for lane in 0..W {
            let [slope, intercept] = self.warp.points.secant_fit(lane);
            secants[lane] = slope * (-depth[lane]).exp() + intercept;
        }
        secants
    }
}
