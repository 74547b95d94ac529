//! One sweep upward makes the diffusivities and eliminates, one downward gives the tendencies and their column integrals.
//!
//! What stays between them lies in the outputs (right-hand sides) and in the scratch (factors): a GPU's thread has no room for columns.

use isobar_core::Real;

use crate::batch::YsuArgs;
use crate::boundary_layer::BoundaryLayer;
use crate::constants::{GRAVITY, HEAT_CAPACITY, LATENT_HEAT};
use crate::diffusivity::interface;
use crate::drag::Drag;
use crate::implicit::{Carried, Coupling, Row};
use crate::layer::Layer;
use crate::tile::{Tile, per_lane};

per_lane! {
    /// Column integrals of the tendencies times gravity, as the systems have them.
    struct Integrals { theta, vapour, u, v }
}

impl<R: Real> Integrals<R> {
    #[inline(always)]
    fn add(self, row: &Row<R>, mass: R) -> Self {
        Self {
            theta: self.theta + row.theta * mass,
            vapour: self.vapour + row.vapour * mass,
            u: self.u + row.u * mass,
            v: self.v + row.v * mass,
        }
    }

    /// In N/m^2 and W/m^2.
    #[inline(always)]
    pub(crate) fn in_units(self) -> Self {
        Self {
            theta: self.theta * R::from_f64(HEAT_CAPACITY / GRAVITY),
            vapour: self.vapour * R::from_f64(LATENT_HEAT / GRAVITY),
            u: self.u * R::from_f64(1.0 / GRAVITY),
            v: self.v * R::from_f64(1.0 / GRAVITY),
        }
    }
}

#[inline(always)]
pub(crate) fn diffuse<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    boundary_layer: &BoundaryLayer<R, W>,
    drag: &Drag<[R; W]>,
) -> Integrals<[R; W]> {
    let top = upward(batch, tile, boundary_layer, drag);
    downward(batch, tile, top)
}

/// Eliminates all rows and returns the solution of the uppermost.
#[inline(always)]
fn upward<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    boundary_layer: &BoundaryLayer<R, W>,
    drag: &Drag<[R; W]>,
) -> Row<[R; W]> {
    let step = batch.parameters.step;
    let strides = batch.air.temperature.strides();
    let reference = &boundary_layer.lowest.reference;
    let mut lower = Layer::read(batch, tile, 0, &Layer::ground(batch, tile), reference);
    let mut carried = Carried::<[R; W]>::ZEROS;
    for lane in 0..W {
        let ground = boundary_layer.ground.lane(lane);
        carried.set(lane, Carried::from_surface(lower.mass[lane], &ground, &drag.lane(lane), step));
    }
    // SAFETY: there is a lowest layer, whose rows are the item's own.
    unsafe {
        tile.write(&batch.diffusivity_heat, tile.row(0, strides), [R::ZERO; W]);
        tile.write(&batch.diffusivity_momentum, tile.row(0, strides), [R::ZERO; W]);
    }
    for level in 0..batch.layers() - 1 {
        let upper = Layer::read(batch, tile, level + 1, &lower, reference);
        let at = interface(&batch.parameters, tile, boundary_layer, level, &lower, &upper);
        let mut rows = Row::ZEROS;
        let mut coupling = Coupling::<[R; W]>::ZEROS;
        for lane in 0..W {
            let explicit = (boundary_layer.mixed[lane] & at.below[lane]) != 0;
            let (next, row, moisture) = carried.lane(lane).eliminate(
                &lower.lane(lane),
                &upper.lane(lane),
                &at.diffusivity.lane(lane),
                &boundary_layer.mixing.lane(lane),
                explicit,
                at.entrained[lane],
                step,
            );
            carried.set(lane, next);
            rows.set(lane, row);
            coupling.set(lane, moisture);
        }
        let above = tile.row(level + 1, strides);
        // SAFETY: the level and the one above are the batch's, in rows that are the item's own.
        unsafe {
            tile.write(&batch.diffusivity_heat, above, at.diffusivity.heat);
            tile.write(&batch.diffusivity_momentum, above, at.diffusivity.momentum);
            tile.write(&batch.scratch.heat, tile.row(level, strides), rows.factor_heat);
            tile.write(&batch.scratch.moisture, tile.row(level, strides), rows.factor_moisture);
            tile.write(&batch.scratch.momentum, tile.row(level, strides), rows.factor_momentum);
        }
        write(batch, tile, level, &rows);
        write_coupling(batch, tile, level, &coupling);
        lower = upper;
    }
    let mut top = Row::ZEROS;
    let mut coupling = Coupling::<[R; W]>::ZEROS;
    for lane in 0..W {
        let (row, moisture) = carried.lane(lane).top();
        top.set(lane, row);
        coupling.set(lane, moisture);
    }
    write(batch, tile, batch.layers() - 1, &top);
    write_coupling(batch, tile, batch.layers() - 1, &coupling);
    top
}

/// Leaves the system of moisture to other tracers, where there are any.
#[inline(always)]
fn write_coupling<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    level: usize,
    coupling: &Coupling<[R; W]>,
) {
    if !batch.exchange.is_empty() {
        let row = tile.row(level, batch.air.temperature.strides());
        // SAFETY: the callers' levels are the batch's; the rows are the item's own.
        unsafe {
            tile.write(&batch.exchange, row, coupling.exchange);
            tile.write(&batch.reciprocal, row, coupling.reciprocal);
        }
    }
}

/// Substitutes from the top down, and sums in this order.
#[inline(always)]
fn downward<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    mut above: Row<[R; W]>,
) -> Integrals<[R; W]> {
    let strides = batch.interface_pressure.strides();
    let top = batch.layers() - 1;
    // SAFETY: these interfaces are the batch's.
    let (mut upper, mut lower) = unsafe {
        (
            tile.read(&batch.interface_pressure, tile.row(top + 1, strides)),
            tile.read(&batch.interface_pressure, tile.row(top, strides)),
        )
    };
    let mut sums = Integrals::ZEROS;
    for lane in 0..W {
        sums.set(lane, Integrals::ZERO.add(&above.lane(lane), lower[lane] - upper[lane]));
    }
    for level in (0..top).rev() {
        upper = lower;
        // SAFETY: as above.
        lower = unsafe { tile.read(&batch.interface_pressure, tile.row(level, strides)) };
        let rows = read(batch, tile, level);
        for lane in 0..W {
            let solution = rows.lane(lane).below(&above.lane(lane));
            sums.set(lane, sums.lane(lane).add(&solution, lower[lane] - upper[lane]));
            above.set(lane, solution);
        }
        write(batch, tile, level, &above);
    }
    for lane in 0..W {
        let integrals = sums.lane(lane);
        sums.set(lane, integrals.in_units());
    }
    sums
}

/// Writes the values of a row to the outputs.
#[inline(always)]
fn write<R: Real, const W: usize>(batch: &YsuArgs<'_, R>, tile: &Tile<W>, level: usize, rows: &Row<[R; W]>) {
    let tendencies = &batch.tendencies;
    let row = tile.row(level, batch.air.temperature.strides());
    // SAFETY: the callers' levels are the batch's; the rows are the item's own.
    unsafe {
        tile.write(&tendencies.theta, row, rows.theta);
        tile.write(&tendencies.vapour, row, rows.vapour);
        tile.write(&tendencies.cloud_water, row, rows.cloud_water);
        tile.write(&tendencies.cloud_ice, row, rows.cloud_ice);
        tile.write(&tendencies.u, row, rows.u);
        tile.write(&tendencies.v, row, rows.v);
    }
}

/// Reads back an eliminated row.
#[inline(always)]
fn read<R: Real, const W: usize>(batch: &YsuArgs<'_, R>, tile: &Tile<W>, level: usize) -> Row<[R; W]> {
    let (tendencies, scratch) = (&batch.tendencies, &batch.scratch);
    let row = tile.row(level, batch.air.temperature.strides());
    // SAFETY: the callers' levels are the batch's, and were written by the sweep upward.
    unsafe {
        Row {
            factor_heat: tile.read_back(&scratch.heat, row),
            factor_moisture: tile.read_back(&scratch.moisture, row),
            factor_momentum: tile.read_back(&scratch.momentum, row),
            theta: tile.read_back(&tendencies.theta, row),
            vapour: tile.read_back(&tendencies.vapour, row),
            cloud_water: tile.read_back(&tendencies.cloud_water, row),
            cloud_ice: tile.read_back(&tendencies.cloud_ice, row),
            u: tile.read_back(&tendencies.u, row),
            v: tile.read_back(&tendencies.v, row),
        }
    }
}
