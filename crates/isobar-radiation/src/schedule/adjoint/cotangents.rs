//! Derivatives by radiation that goes through levels, from those by fluxes and heating rates.

use isobar_core::Real;

use super::backward::{Backward, add, get};

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
    fn layers(&self) -> usize {
        self.sweep.columns.layers()
    }

    /// By what a layer absorbs \[W/m^2\].
    ///
    /// # Safety
    /// The column is one of the views'.
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
    unsafe fn weight(&self, (layer, column): (usize, usize)) -> R {
        let pressure = &self.sweep.columns.level_pressure_pa;
        // SAFETY: the caller's.
        unsafe { pressure.get(layer, column) - pressure.get(layer + 1, column) }
    }

    /// Leaves for all levels of a column what [`Backward::through`] gives: what a layer absorbs is what goes in less
    /// what goes out.
    ///
    /// # Safety
    /// As [`Backward::by_absorbed`], and the column is the caller's own.
    pub(super) unsafe fn begin_levels(&self, column: usize) {
        let layers = self.layers();
        for level in 0..=layers {
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

    /// Notes what a layer absorbs.
    ///
    /// # Safety
    /// As [`Backward::through`].
    #[inline(always)]
    pub(super) unsafe fn note_absorbed(&self, (layer, column): (usize, usize), absorbed: R) {
        // SAFETY: the caller's.
        unsafe { add(&self.levels, (layer * ROWS + 3, column), absorbed) };
    }

    /// Adds derivatives by the pressure of levels, by which what layers absorb heats them.
    ///
    /// # Safety
    /// As [`Backward::through`]; all that is absorbed was noted.
    pub(super) unsafe fn end_levels(&self, column: usize) {
        if self.cotangents.is_heating_empty() {
            return;
        }
        for layer in 0..self.layers() {
            // SAFETY: the caller's.
            unsafe {
                let absorbed = self.levels.get(layer * ROWS + 3, column);
                let by_weight = -self.by_absorbed((layer, column)) * absorbed / self.weight((layer, column));
                add(&self.gradients.level_pressure_pa, (layer, column), by_weight);
                add(&self.gradients.level_pressure_pa, (layer + 1, column), -by_weight);
            }
        }
    }
}
