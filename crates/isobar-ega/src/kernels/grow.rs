//! Absorption by all gases along each path: the look-ups.

use core::marker::PhantomData;

use isobar_core::kernel::{Kernel, Team};
use isobar_core::{Column, FieldMut, Lanes, Real, Status};
use isobar_raytrace::path::{PathSummary, Paths};

use super::along::Along;
use super::tile::{Rows, Tile, Tiles};
use crate::physics::rule::{Rule, Segment, SideBySide};
use crate::physics::transfer::combine;
use crate::tables::{Cell, NO_GRID, TableHead, Tables};

/// Follows every gas along every path in every channel: 32 rays in one channel an item, or 32 channels of one ray.
///
/// Gases are the outer loop, so that the state of one gas stays in registers along the whole path; what all
/// gases absorb together is gathered in `absorptance`.
///
/// Its fields are not public, for an item reads without checks: the crate makes it of views that fit each other.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Grow<'a, R, A> {
    /// The tables.
    pub(crate) tables: Tables<'a>,
    /// The rays; their number of points counts.
    pub(crate) summaries: Column<'a, PathSummary<f64>>,
    /// The paths; of these fields and those below points are less than 4 GiB apart and ascend.
    pub(crate) paths: Paths<'a, f64>,
    /// The cells of [`super::LocateCells`].
    pub(crate) cells: FieldMut<'a, Cell<R>>,
    /// The result, `(point, row)`: what all gases of a segment absorb, a fraction; with a rule
    /// that repeats JURASSIC, what they let pass.
    pub(crate) absorptance: FieldMut<'a, R>,
    /// The rows.
    pub(crate) rows: Rows,
    /// The number of gases.
    pub(crate) gases: u32,
    /// The number of channels.
    pub(crate) channels: u32,
    /// The approximation.
    pub(crate) rule: PhantomData<A>,
}

// SAFETY: an item writes the absorptance of its own ray and channels.
unsafe impl<'a, R: Real, A: Rule<R>> Kernel for Grow<'a, R, A> {
    const NAME: &'static str = A::NAME;
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    #[inline(always)]
    fn items(&self) -> usize {
        self.tiles().items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, item: usize, lanes: Lanes<W>) -> Status {
        let channels = self.channels as usize;
        let Tile { ray, first, here } = self.tiles().tile::<W, 1>(item, lanes);
        if here == 0 {
            return Status::OK;
        }
        let points = self.summaries.at(ray).points;
        let rays = self.summaries.len();

        if self.gases == 0 {
            for point in 0..points {
                for lane in 0..here {
                    self.absorptance.set(point as usize, self.rows.at(ray, first + lane), A::NOTHING);
                }
            }
        }
        // SAFETY: the fields have the ray, its gases, grids and channels, and as many points as its path.
        let along = |field: &FieldMut<'a, f64>, item: usize| unsafe { Along::of(field, item) };
        let air = along(&self.paths.air_column_per_cm2, ray);
        let [pressure, temperature] =
            [&self.paths.pressure_hpa, &self.paths.temperature_k].map(|field| along(field, ray));
        for gas in 0..self.gases as usize {
            let mixing_ratio = along(&self.paths.mixing_ratio, gas * rays + ray);
            let heads: [TableHead; W] =
                core::array::from_fn(|lane| self.tables.tables.at(gas * channels + (first + lane).min(channels - 1)));
            let cells: [Along<'_, Cell<R>>; W] = core::array::from_fn(|lane| {
                let grid = if heads[lane].grid == NO_GRID { 0 } else { heads[lane].grid as usize };
                // SAFETY: as above.
                unsafe { Along::of(&self.cells, grid * rays + ray) }
            });
            let absorptance: [Along<'_, R>; W] = core::array::from_fn(|lane| {
                // SAFETY: as above.
                unsafe { Along::of(&self.absorptance, self.rows.at(ray, (first + lane).min(channels - 1))) }
            });
            let beside = SideBySide { tables: self.tables, heads, here };
            let mut rules = A::start_all::<W>();
            for point in 0..points {
                let segment = Segment {
                    pressure_hpa: <R::Wide>::from_f64(pressure.at(point)),
                    temperature_k: <R::Wide>::from_f64(temperature.at(point)),
                    column_per_cm2: <R::Wide>::from_f64(mixing_ratio.at(point) * air.at(point)),
                    cell: Cell::default(),
                };
                let absorbed = |lane: usize| if gas == 0 { A::NOTHING } else { absorptance[lane].at(point) };
                // A GPU has registers to read it long before it is needed in single precision alone: there growth takes
                // 9 % longer otherwise, and in double precision 6 to 15 % longer with it (`isobar-bench ega --device
                // cuda --rays 67584`, with `--nadir` and without, `early` turned round).
                let early = size_of::<R>() == 4;
                let before: [R; W] = if early { core::array::from_fn(absorbed) } else { [A::NOTHING; W] };
                let emissivities = A::add_all(&mut rules, &beside, |lane| cells[lane].at(point), segment);
                for lane in 0..here.min(W) {
                    let before = if early { before[lane] } else { absorbed(lane) };
                    absorptance[lane].set(point, combine(before, emissivities[lane], A::JURASSIC));
                }
            }
        }
        Status::OK
    }
}

impl<R, A> Grow<'_, R, A> {
    #[inline(always)]
    fn tiles(&self) -> Tiles {
        Tiles { rays: self.summaries.len(), channels: self.channels as usize }
    }
}
