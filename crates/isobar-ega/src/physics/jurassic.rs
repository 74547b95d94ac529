//! JURASSIC's own arithmetic, for digit-for-digit comparison.
//!
//! The arithmetic is that of 2025, or with [`crate::physics::law::Logarithmic`] that of 2026. It differs from
//! [`crate::physics::growth`] and [`crate::physics::mean_path`] in three ways: the slopes of the straight pieces are
//! formed in single precision (its tables are single precision and so is their quotient), a segment's emissivity is
//! `1 - (1 - E) / tau`, which cancels for thin segments, and temperature grids are taken for equidistant.

use core::marker::PhantomData;

use isobar_core::Real;

use crate::curve::CurveView;
use crate::limits::OPAQUE_TRANSMITTANCE;
use crate::physics::law::{Law, Linear};
use crate::physics::mean_path::MeanState;
use crate::physics::rule::{MOST_MEMORY, Rule, Segment, one_by_one};
use crate::tables::{Cell, TableHead, Tables};

/// Emissivity growth as JURASSIC computes it.
#[derive(Clone, Copy, Debug)]
pub struct JurassicGrowth<R, L = Linear> {
    transmittance: R,
    pool_nodes: [i32; 4],
    law: PhantomData<L>,
}

impl<R: Real, L: Law> Rule<R> for JurassicGrowth<R, L> {
    one_by_one!();

    const NAME: &'static str = L::NAMES[1][0];
    const JACOBIAN: &'static str = L::NAMES[1][1];
    const JURASSIC: bool = true;
    const LOGARITHMIC: bool = L::LOGARITHMIC;
    const MEMORY: usize = 1;

    #[inline(always)]
    fn start() -> Self {
        Self { transmittance: R::ONE, pool_nodes: [-1; 4], law: PhantomData }
    }

    #[inline(always)]
    fn memory(&self) -> [R::Wide; MOST_MEMORY] {
        let zero = <R::Wide as Real>::ZERO;
        [self.transmittance.wide(), zero, zero, zero]
    }

    #[inline(always)]
    fn remember(&mut self, [transmittance, ..]: [R::Wide; MOST_MEMORY]) {
        self.transmittance = R::from_wide(transmittance);
    }

    #[inline(always)]
    fn add(&mut self, tables: &Tables<'_>, table: &TableHead, segment: &Segment<R>) -> R {
        if self.transmittance < R::from_f64(OPAQUE_TRANSMITTANCE) {
            return R::ONE;
        }
        let absorbed = R::ONE - self.transmittance;
        let segment_column = R::from_wide(segment.column_per_cm2);
        let look_up = |curve: &CurveView, pool_node: &mut i32| {
            let passed = L::column_as_jurassic(curve, absorbed, pool_node);
            L::emissivity_as_jurassic(curve, passed + segment_column, pool_node)
        };
        step(tables, table, &segment.cell, &mut self.pool_nodes, &mut self.transmittance, look_up)
    }
}

/// The Curtis-Godson approximation as JURASSIC computes it.
#[derive(Clone, Copy, Debug)]
pub struct JurassicMeanPath<R: Real, L = Linear> {
    state: MeanState<R::Wide>,
    transmittance: R,
    pool_nodes: [i32; 4],
    law: PhantomData<L>,
}

impl<R: Real, L: Law> Rule<R> for JurassicMeanPath<R, L> {
    one_by_one!();

    const NAME: &'static str = L::NAMES[2][0];
    const JACOBIAN: &'static str = L::NAMES[2][1];
    const JURASSIC: bool = true;
    const LOGARITHMIC: bool = L::LOGARITHMIC;
    const MEMORY: usize = 4;

    #[inline(always)]
    fn start() -> Self {
        Self { state: MeanState::start(), transmittance: R::ONE, pool_nodes: [-1; 4], law: PhantomData }
    }

    #[inline(always)]
    fn memory(&self) -> [R::Wide; MOST_MEMORY] {
        let [column, pressure, temperature] = self.state.sums();
        [self.transmittance.wide(), column, pressure, temperature]
    }

    #[inline(always)]
    fn remember(&mut self, [transmittance, column, pressure, temperature]: [R::Wide; MOST_MEMORY]) {
        self.transmittance = R::from_wide(transmittance);
        self.state.set_sums([column, pressure, temperature]);
    }

    #[inline(always)]
    fn add(&mut self, tables: &Tables<'_>, table: &TableHead, segment: &Segment<R>) -> R {
        if self.transmittance < R::from_f64(OPAQUE_TRANSMITTANCE) {
            return R::ONE;
        }
        let Some((column, cell)) = self.state.add(tables, table, segment, true) else { return R::ZERO };
        let look_up = |curve: &CurveView, pool_node: &mut i32| L::emissivity_as_jurassic(curve, column, pool_node);
        step(tables, table, &cell, &mut self.pool_nodes, &mut self.transmittance, look_up)
    }
}

/// The new transmittance from the four curves, and the emissivity of the segment. A table without enough nodes
/// (2 temperatures at either pressure, 2 columns on each curve) is left out, as JURASSIC does.
#[inline(always)]
fn step<R: Real>(
    tables: &Tables<'_>,
    table: &TableHead,
    cell: &Cell<R>,
    pool_nodes: &mut [i32; 4],
    transmittance: &mut R,
    look_up: impl Fn(&CurveView, &mut i32) -> R,
) -> R {
    if cell.nodes[0] == cell.nodes[1] || cell.nodes[2] == cell.nodes[3] {
        return R::ZERO;
    }
    let mut values = [R::ZERO; 4];
    for corner in 0..4 {
        let (head, curve) = tables.curve(table, cell.nodes[corner]);
        if curve.last() < 1 {
            return R::ZERO;
        }
        let mut node = if pool_nodes[corner] < 0 { -1 } else { pool_nodes[corner].wrapping_sub(head.column as i32) };
        values[corner] = look_up(&curve, &mut node);
        pool_nodes[corner] = if node < 0 { -1 } else { node + head.column as i32 };
    }
    let value = cell.interpolate(values).clamp(R::ZERO, R::ONE);
    let emissivity = R::ONE - (R::ONE - value) / *transmittance;
    *transmittance *= R::ONE - emissivity;
    emissivity
}
