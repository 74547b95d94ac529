//! The Curtis-Godson approximation (CGA): the path so far is taken for a homogeneous one at its mean pressure
//! and temperature, weighted by the column density of the gas.

use isobar_core::Real;

use crate::constants::OPAQUE_TRANSMITTANCE;
use crate::curve::CurveView;
use crate::physics::rule::{MOST_MEMORY, Rule, Segment};
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
        let mut cell = tables.locate::<R>(&grid, p, t, &mut self.near, equidistant);
        let count = grid.levels as usize;
        let pressure_of = |i: usize| tables.levels.at(grid.first_level as usize + i.min(count - 1)).pressure_hpa;
        let (lower, upper) = (pressure_of(self.near[0]), pressure_of(self.near[0] + 1));
        if upper > lower {
            cell.pressure_weight = R::from_wide((p / W::from_f64(lower)).ln() / W::from_f64(Real::ln(upper / lower)));
        }
        Some((R::from_wide(self.column_per_cm2), cell))
    }
}

/// The absorbed fraction of one gas in one channel, looked up at the mean state of the path.
#[derive(Clone, Copy, Debug)]
pub struct MeanPath<R: Real> {
    state: MeanState<R::Wide>,
    absorbed: R,
    pool_nodes: [i32; 4],
}

impl<R: Real> Rule<R> for MeanPath<R> {
    const NAME: &'static str = "grow_cga";
    const JACOBIAN: &'static str = "jacobian_grow_cga";
    const JURASSIC: bool = false;
    const MEMORY: usize = 4;

    #[inline(always)]
    fn start() -> Self {
        Self { state: MeanState::start(), absorbed: R::ZERO, pool_nodes: [-1; 4] }
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
            let guess = if *pool_node < 0 { -1 } else { pool_node.wrapping_sub(head.column as i32) };
            let node = curve.find_column(column, guess);
            *pool_node = if node < 0 { -1 } else { node + head.column as i32 };
            *value = emissivity(&curve, node, column);
        }
        let emissivity = cell.interpolate(values).clamp(R::ZERO, R::ONE);
        let increment = emissivity - self.absorbed;
        self.absorbed = emissivity;
        increment / left
    }
}

/// The emissivity of a curve at a column density that lies above `node`.
#[inline(always)]
fn emissivity<R: Real>(curve: &CurveView, node: i32, column_per_cm2: R) -> R {
    if curve.last() < 0 {
        return R::ZERO;
    }
    if node == curve.last() {
        return -(curve.saturation_rate::<R>() * column_per_cm2).exp_m1();
    }
    let (low, left) = (R::from_f32(curve.emissivity(node)), R::from_f32(curve.column(node)));
    let (high, right) = (R::from_f32(curve.emissivity(node + 1)), R::from_f32(curve.column(node + 1)));
    low + (high - low) / (right - left) * (column_per_cm2 - left)
}
