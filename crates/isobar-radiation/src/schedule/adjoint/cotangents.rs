//! Derivatives by radiation that goes through levels, from those by fluxes and heating rates.

use isobar_core::{Lanes, Real};

use super::backward::{Backward, add, get};
use crate::schedule::warp::Warp;

/// Numbers a level: derivatives by what goes through it, the beam, up and down, and what the layer above it absorbs.
pub(crate) const ROWS: usize = 4;

/// Derivatives by what goes through a level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThroughLevel<R> {
    /// The sun's beam.
    pub(crate) beam: R,
    pub(crate) up: R,
    /// All of the long wave, diffuse light of the sun.
    pub(crate) down: R,
}

impl<R: Real> Backward<'_, R> {
    #[inline(always)]
    fn layers(&self) -> usize {
        self.sweep.columns.layers()
    }

    /// By what a layer absorbs \[W/m^2\].
    ///
    /// # Safety
    /// The column is one of the views'.
    #[inline(always)]
    unsafe fn by_absorbed(&self, (layer, column): (usize, usize)) -> R {
        // SAFETY: the caller's; layers are those of the views.
        unsafe {
            let by_heating = get(&self.cotangents.heating, (layer, column));
            by_heating * self.heating_factor / self.weight((layer, column))
        }
    }

    /// What a layer weighs \[Pa\].
    ///
    /// # Safety
    /// As [`Backward::by_absorbed`].
    #[inline(always)]
    unsafe fn weight(&self, (layer, column): (usize, usize)) -> R {
        let pressure = &self.sweep.columns.level_pressure_pa;
        // SAFETY: the caller's.
        unsafe { pressure.get(layer, column) - pressure.get(layer + 1, column) }
    }

    /// Leaves for all levels of a column what [`Backward::through`] gives: what a layer absorbs is what goes in less
    /// what goes out.
    ///
    /// # Safety
    /// As [`Backward::by_absorbed`], and the column is the warp's own.
    #[inline(always)]
    pub(super) unsafe fn begin_levels<const W: usize>(&self, column: usize, lanes: Lanes<W>) {
        let layers = self.layers();
        for level in lanes.strided(layers + 1) {
            // SAFETY: the caller's.
            unsafe {
                let above = if level < layers { self.by_absorbed((level, column)) } else { R::ZERO };
                let below = if level > 0 { self.by_absorbed((level - 1, column)) } else { R::ZERO };
                let [up, down, direct] = [&self.cotangents.up, &self.cotangents.down, &self.cotangents.direct]
                    .map(|field| get(field, (level, column)));
                let down = down + (below - above);
                for (which, value) in [direct + down, up + (above - below), down, R::ZERO].into_iter().enumerate() {
                    self.levels.put(level * ROWS + which, column, value);
                }
            }
        }
        lanes.wait();
    }

    /// Derivatives by what goes through a level.
    ///
    /// # Safety
    /// [`Backward::begin_levels`] came before.
    #[inline(always)]
    pub(super) unsafe fn through(&self, (level, column): (usize, usize)) -> ThroughLevel<R> {
        // SAFETY: the caller's.
        let at = |which| unsafe { self.levels.get(level * ROWS + which, column) };
        ThroughLevel { beam: at(0), up: at(1), down: at(2) }
    }

    /// Notes what a layer absorbs, where it heats the layer: the first lane does.
    ///
    /// # Safety
    /// As [`Backward::through`].
    #[inline(always)]
    pub(super) unsafe fn note_absorbed<const W: usize>(
        &self,
        warp: &Warp<'_, '_, R, W>,
        layer: usize,
        (absorbed, weight): (&[R; W], R),
    ) {
        if self.cotangents.is_heating_empty() {
            return;
        }
        let sum = weight * warp.lanes.sum(*absorbed);
        if warp.lanes.first() == 0 {
            // SAFETY: the caller's.
            unsafe { add(&self.levels, (layer * ROWS + 3, warp.column), sum) };
        }
    }

    /// Adds derivatives by the pressure of levels, by which what layers absorb heats them.
    ///
    /// # Safety
    /// As [`Backward::through`]; all that is absorbed was noted.
    #[inline(always)]
    pub(super) unsafe fn end_levels<const W: usize>(&self, column: usize, lanes: Lanes<W>) {
        if self.cotangents.is_heating_empty() {
            return;
        }
        lanes.wait();
        // SAFETY: the caller's.
        let by_weight = |layer: usize| unsafe {
            let absorbed = self.levels.get(layer * ROWS + 3, column);
            -self.by_absorbed((layer, column)) * absorbed / self.weight((layer, column))
        };
        for level in lanes.strided(self.layers() + 1) {
            let above = if level < self.layers() { by_weight(level) } else { R::ZERO };
            let below = if level > 0 { by_weight(level - 1) } else { R::ZERO };
            // SAFETY: the caller's.
            unsafe { add(&self.level_pressure_pa, (level, column), above - below) };
        }
    }
}
