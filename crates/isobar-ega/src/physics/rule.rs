//! How the transmittance of one gas in one channel is followed along a path: the approximations have this in common.

use isobar_core::Real;

use crate::tables::{Cell, NO_GRID, TableHead, Tables};

/// One segment of a path, for one gas.
#[derive(Clone, Copy, Debug)]
pub struct Segment<R: Real> {
    /// Pressure \[hPa\].
    pub pressure_hpa: R::Wide,
    /// Temperature \[K\].
    pub temperature_k: R::Wide,
    /// Column density of the gas \[molecules/cm^2\].
    pub column_per_cm2: R::Wide,
    /// Where the state lies in the grid of the table.
    pub cell: Cell<R>,
}

/// Channels side by side: their tables of one gas.
#[derive(Clone, Copy, Debug)]
pub struct SideBySide<'a, const W: usize> {
    /// All tables.
    pub tables: Tables<'a>,
    /// Those of the channels.
    pub heads: [TableHead; W],
    /// How many of the channels there are.
    pub here: usize,
}

/// The most numbers that a rule remembers.
pub const MOST_MEMORY: usize = 4;

/// An approximation: what it remembers along a path, and what it makes of the next segment.
pub trait Rule<R: Real>: Copy + Send + Sync {
    /// The name of its kernel.
    const NAME: &'static str;
    /// The name of the kernel with its derivatives.
    const JACOBIAN: &'static str;
    /// Does it repeat JURASSIC's arithmetic step by step?
    const JURASSIC: bool;

    /// Does it read tables of logarithms, and weigh pressures by theirs?
    const LOGARITHMIC: bool;

    /// What [`crate::kernels::Grow`] stores for a segment without any gas: no absorption, or full transmission.
    const NOTHING: R = if Self::JURASSIC { R::ONE } else { R::ZERO };

    /// The numbers that it remembers, at most [`MOST_MEMORY`]: through them a segment depends on those before.
    const MEMORY: usize;

    /// At the observer.
    fn start() -> Self;

    /// What it remembers, zeros beyond [`Rule::MEMORY`].
    fn memory(&self) -> [R::Wide; MOST_MEMORY];

    /// Replaces what it remembers by numbers of the same values, which may have other derivatives.
    fn remember(&mut self, memory: [R::Wide; MOST_MEMORY]);

    /// The emissivity of the next segment; 1 where the gas has become opaque.
    fn add(&mut self, tables: &Tables<'_>, table: &TableHead, segment: &Segment<R>) -> R;

    /// Several of them, of channels side by side.
    type Several<const W: usize>: Copy;

    /// All at the observer.
    fn start_all<const W: usize>() -> Self::Several<W>;

    /// [`Rule::add`] in channels side by side, each with its own cell; 0 in those without a table.
    fn add_all<const W: usize>(
        several: &mut Self::Several<W>,
        channels: &SideBySide<'_, W>,
        cell: impl Fn(usize) -> Cell<R>,
        segment: Segment<R>,
    ) -> [R; W];
}

/// [`Rule::Several`] of rules that know one channel each.
macro_rules! one_by_one {
    () => {
        type Several<const W: usize> = [Self; W];

        #[inline(always)]
        fn start_all<const W: usize>() -> [Self; W] {
            [Self::start(); W]
        }

        #[inline(always)]
        fn add_all<const W: usize>(
            rules: &mut [Self; W],
            channels: &$crate::physics::rule::SideBySide<'_, W>,
            cell: impl Fn(usize) -> $crate::tables::Cell<R>,
            segment: Segment<R>,
        ) -> [R; W] {
            $crate::physics::rule::add_in_turn(rules, channels, cell, segment)
        }
    };
}
pub(crate) use one_by_one;

/// [`Rule::add_all`], one channel after the other.
#[inline(always)]
pub(crate) fn add_in_turn<R: Real, A: Rule<R>, const W: usize>(
    rules: &mut [A; W],
    channels: &SideBySide<'_, W>,
    cell: impl Fn(usize) -> Cell<R>,
    mut segment: Segment<R>,
) -> [R; W] {
    let (mut emissivities, mut grid) = ([R::ZERO; W], NO_GRID);
    for (lane, rule) in rules.iter_mut().enumerate() {
        if lane >= channels.here {
            break;
        }
        let table = &channels.heads[lane];
        if table.grid != NO_GRID {
            if table.grid != grid {
                grid = table.grid;
                segment.cell = cell(lane);
            }
            emissivities[lane] = rule.add(&channels.tables, table, &segment);
        }
    }
    emissivities
}
