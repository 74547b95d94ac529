//! Long-wave radiation of a column at a warp's g-points along slant paths: down through the layers, the surface, up;
//! with rescaling, down once more.

use isobar_core::{Kernel, Lanes, PerLane, Real, Status, Team};
use isobar_optics::state::Place;

use super::longwave_air::Air;
use super::warp::{Warp, bytes};
use crate::arguments::{ANY_SKY, CLEAR, CLOUDY, LongwaveSweeps, RESCALED, band_sum, sum};
use crate::physics::emission::{Layer, Rescaled};

/// Rows that are kept of a layer: absorptance and what it emits upward; with rescaling also what it emits downward, and
/// the part of what goes up above it that it sends back.
const fn rows_of_layer(kind: u32) -> usize {
    if kind & RESCALED == 0 { 2 } else { 4 }
}

/// Rows of a column and warp.
pub(crate) fn rows(kind: u32, layers: usize) -> usize {
    rows_of_layer(kind) * layers
}

// SAFETY: an item writes what its own warp keeps, and its sums.
unsafe impl<R: Real, const KIND: u32> Kernel for LongwaveSweeps<'_, R, KIND> {
    const NAME: &'static str = match KIND {
        CLEAR => "radiation_longwave_clear",
        CLOUDY => "radiation_longwave_cloudy",
        ANY_SKY => "radiation_longwave_any",
        _ => "radiation_longwave_rescaled",
    };
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        self.sweep.items()
    }

    fn memory_bytes(&self) -> usize {
        let layers = self.sweep.columns.layers();
        bytes::<R>(rows(KIND, layers), layers)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        // SAFETY: the caller's; the kernel of gas states comes first.
        let warp = unsafe { self.sweep.warp(self.sweep.place(index), rows(KIND, self.sweep.columns.layers()), lanes) };
        Item { kernel: self, warp }.compute();
        Status::OK
    }
}

/// A column and warp.
struct Item<'k, 'a, R, const KIND: u32, const W: usize> {
    kernel: &'k LongwaveSweeps<'a, R, KIND>,
    warp: Warp<'k, 'a, R, W>,
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

impl<R: Real, const KIND: u32, const W: usize> Item<'_, '_, R, KIND, W> {
    const RESCALED: bool = KIND & RESCALED != 0;
    const ROWS: usize = rows_of_layer(KIND);

    #[inline(always)]
    fn compute(&self) {
        self.warp.prepare::<true>();
        let kernel = self.kernel;
        // Where each g-point has a secant of its own, the optical depth of the column says which: one more pass, by the
        // same code, for a GPU's program is long enough.
        let search = u32::from(kernel.angle_count == 0 && !Self::RESCALED);
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
                if Self::RESCALED {
                    self.down_again((weight, pass == search));
                }
            }
        }
    }

    /// An angle's secant and weight. By a number that the compiler does not know, a GPU would keep all arguments in
    /// slow memory.
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

    /// Down through the column. Keeps what the way up needs; or finds the optical depth of the column alone.
    #[inline(always)]
    fn down(&self, secants: &[R; W], scale: (R, bool), searches: bool) -> Way<R, W> {
        let warp = &self.warp;
        let (layers, mut sky) = (warp.layers, warp.sky());
        let zeros = [R::ZERO; W];
        let mut way = Way { radiation: zeros, depth: zeros, fraction: zeros };
        let (mut here, mut above) = (Air::<[R; W]>::zeros(), zeros);
        // From level to level, each between a layer above (`here`) and one below (`next`), whose fractions it has.
        for level in (0..=layers).rev() {
            let mut next = here;
            if level > 0 {
                next = warp.air::<KIND>(level - 1, &mut sky);
            }
            if searches {
                if level > 0 {
                    for lane in 0..W {
                        way.depth[lane] += next.absorption[lane];
                    }
                }
                continue;
            }
            let below = warp.level_emission(level, &here, &next);
            let mut lost = zeros;
            if level < layers {
                let passage = self.passage(level, &here, secants, [&above, &below]);
                let into = way.radiation;
                for lane in 0..W {
                    lost[lane] = passage.absorptance[lane] * way.radiation[lane] - passage.down[lane];
                    way.radiation[lane] -= lost[lane];
                }
                warp.saved.put(Self::ROWS * level, passage.absorptance);
                if Self::RESCALED {
                    let mut rescaled = Rescaled::<[R; W]>::zeros();
                    for lane in 0..W {
                        let here = here.lane(lane);
                        rescaled.set(lane, passage.lane(lane).rescaled(here.absorption, here.back, into[lane]));
                    }
                    warp.saved.put(Self::ROWS * level + 1, rescaled.up);
                    warp.saved.put(Self::ROWS * level + 2, rescaled.down);
                    warp.saved.put(Self::ROWS * level + 3, rescaled.back);
                } else {
                    warp.saved.put(Self::ROWS * level + 1, passage.up);
                }
            }
            if !Self::RESCALED {
                warp.sums.put_two((level, sum::DOWN), [way.radiation, lost], warp.lanes, scale);
                warp.put_bands::<KIND>((level, band_sum::DOWN), &way.radiation, scale);
            }
            (here, above) = (next, below);
        }
        way.fraction = here.fraction;
        way
    }

    /// What a layer does along the path.
    #[inline(always)]
    fn passage(&self, number: usize, here: &Air<[R; W]>, secants: &[R; W], edges: [&[R; W]; 2]) -> Layer<[R; W]> {
        let mut depth = here.absorption;
        for lane in 0..W {
            if Self::RESCALED {
                depth[lane] += R::from_f64(0.5) * here.back[lane];
            }
            depth[lane] *= secants[lane];
        }
        self.warp.passage(number, (&depth, &here.fraction), edges)
    }

    /// From the surface up.
    #[inline(always)]
    fn up(&self, way: &Way<R, W>, scale: (R, bool)) {
        let warp = &self.warp;
        let emissivity = warp.surface(&warp.sweep.columns.emissivity);
        let surface = warp.emission(Place::Surface, &way.fraction);
        let warmer = warp.emission(Place::WarmerSurface, &way.fraction);
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
                let absorptance = warp.saved.get::<W>(Self::ROWS * number);
                let emitted = warp.saved.get::<W>(Self::ROWS * number + 1);
                for lane in 0..W {
                    gain[lane] = absorptance[lane] * radiation[lane] - emitted[lane];
                    radiation[lane] -= gain[lane];
                    derivative[lane] -= absorptance[lane] * derivative[lane];
                }
                if Self::RESCALED {
                    let mut down = warp.saved.get::<W>(Self::ROWS * number + 2);
                    let back = warp.saved.get::<W>(Self::ROWS * number + 3);
                    for lane in 0..W {
                        down[lane] += back[lane] * radiation[lane];
                    }
                    warp.saved.put(Self::ROWS * number + 2, down);
                }
            }
            warp.put_bands::<KIND>((number, band_sum::UP), &here, scale);
            let place = (number, sum::UP);
            if self.kernel.derivative == 0 {
                warp.sums.put_two(place, [here, gain], warp.lanes, scale);
            } else {
                warp.sums.put_three(place, [here, gain, derivative_here], warp.lanes, scale);
            }
        }
    }

    /// Down once more, with what layers send back of what goes up.
    #[inline(always)]
    fn down_again(&self, scale: (R, bool)) {
        let warp = &self.warp;
        let mut radiation = [R::ZERO; W];
        warp.sums.put_two((warp.layers, sum::DOWN), [radiation; 2], warp.lanes, scale);
        warp.put_bands::<KIND>((warp.layers, band_sum::DOWN), &radiation, scale);
        for number in (0..warp.layers).rev() {
            let absorptance = warp.saved.get::<W>(Self::ROWS * number);
            let emitted = warp.saved.get::<W>(Self::ROWS * number + 2);
            let mut lost = radiation;
            for lane in 0..W {
                lost[lane] = absorptance[lane] * radiation[lane] - emitted[lane];
                radiation[lane] -= lost[lane];
            }
            warp.sums.put_two((number, sum::DOWN), [radiation, lost], warp.lanes, scale);
            warp.put_bands::<KIND>((number, band_sum::DOWN), &radiation, scale);
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
