//! The Curtis-Godson approximation (CGA): the path so far is taken for a homogeneous one at its mean pressure
//! and temperature, weighted by the column density of the gas.

use core::marker::PhantomData;

use isobar_core::Real;

use crate::limits::OPAQUE_TRANSMITTANCE;
use crate::physics::law::{Law, Linear};
use crate::physics::rule::{MOST_MEMORY, Rule, Segment, one_by_one};
use crate::tables::{Cell, TableHead, Tables};

/// The mean state of one gas between the observer and a segment.
#[derive(Clone, Copy, Debug)]
pub struct MeanState<W> {
    column_per_cm2: W,
    pressure: W,
    temperature: W,
    near: [usize; 3],
}

impl<W: Real<Wide = W>> MeanState<W> {
    /// At the observer.
    #[inline(always)]
    #[must_use]
    pub fn start() -> Self {
        Self { column_per_cm2: W::ZERO, pressure: W::ZERO, temperature: W::ZERO, near: [0; 3] }
    }

    /// Sums of the column density, and of pressure and temperature weighted by it.
    #[inline(always)]
    #[must_use]
    pub fn sums(&self) -> [W; 3] {
        [self.column_per_cm2, self.pressure, self.temperature]
    }

    /// Replaces the sums.
    #[inline(always)]
    pub fn set_sums(&mut self, sums: [W; 3]) {
        [self.column_per_cm2, self.pressure, self.temperature] = sums;
    }

    /// Adds a segment; returns the column density so far and the cell of the mean state, with the pressure weight
    /// logarithmic. Nothing while there is no gas on the path.
    #[inline(always)]
    pub fn add<R: Real<Wide = W>>(
        &mut self,
        tables: &Tables<'_>,
        table: &TableHead,
        segment: &Segment<R>,
        equidistant: bool,
    ) -> Option<(R, Cell<R>)> {
        self.column_per_cm2 += segment.column_per_cm2;
        self.pressure += segment.column_per_cm2 * segment.pressure_hpa;
        self.temperature += segment.column_per_cm2 * segment.temperature_k;
        if self.column_per_cm2 <= W::ZERO {
            return None;
        }
        let (p, t) = (self.pressure / self.column_per_cm2, self.temperature / self.column_per_cm2);
        let grid = tables.grids.at(table.grid as usize);
        let cell = tables.locate::<R>(&grid, p, t, &mut self.near, equidistant, true);
        Some((R::from_wide(self.column_per_cm2), cell))
    }
}

/// The absorbed fraction of one gas in one channel, looked up at the mean state of the path.
#[derive(Clone, Copy, Debug)]
pub struct MeanPath<R: Real, L = Linear> {
    state: MeanState<R::Wide>,
    absorbed: R,
    pool_nodes: [i32; 4],
    law: PhantomData<L>,
}

impl<R: Real, L: Law> Rule<R> for MeanPath<R, L> {
    one_by_one!();

    const NAME: &'static str = L::NAMES[0][0];
    const JACOBIAN: &'static str = L::NAMES[0][1];
    const JURASSIC: bool = false;
    const LOGARITHMIC: bool = L::LOGARITHMIC;
    const MEMORY: usize = 4;

    #[inline(always)]
    fn start() -> Self {
        Self { state: MeanState::start(), absorbed: R::ZERO, pool_nodes: [-1; 4], law: PhantomData }
    }

    #[inline(always)]
    fn memory(&self) -> [R::Wide; MOST_MEMORY] {
        let [column, pressure, temperature] = self.state.sums();
        [self.absorbed.wide(), column, pressure, temperature]
    }

    #[inline(always)]
    fn remember(&mut self, [absorbed, column, pressure, temperature]: [R::Wide; MOST_MEMORY]) {
        self.absorbed = R::from_wide(absorbed);
        self.state.set_sums([column, pressure, temperature]);
    }

    #[inline(always)]
    fn add(&mut self, tables: &Tables<'_>, table: &TableHead, segment: &Segment<R>) -> R {
        let left = R::ONE - self.absorbed;
        if left < R::from_f64(OPAQUE_TRANSMITTANCE) {
            return R::ONE;
        }
        let Some((column, cell)) = self.state.add(tables, table, segment, false) else { return R::ZERO };
        let mut values = [R::ZERO; 4];
        for ((value, pool_node), &node) in values.iter_mut().zip(&mut self.pool_nodes).zip(&cell.nodes) {
            let (head, curve) = tables.curve(table, node);
            let mut node = if *pool_node < 0 { -1 } else { pool_node.wrapping_sub(head.column as i32) };
            *value = L::emissivity(&curve, column, &mut node);
            *pool_node = if node < 0 { -1 } else { node + head.column as i32 };
        }
        let emissivity = cell.interpolate(values).clamp(R::ZERO, R::ONE);
        let increment = emissivity - self.absorbed;
        self.absorbed = emissivity;
        increment / left
    }
}
