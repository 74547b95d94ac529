//! How the transmittance of one gas in one channel is followed along a path: the approximations have this in common.

use isobar_core::Real;

use crate::tables::{Cell, TableHead, Tables};

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
}
