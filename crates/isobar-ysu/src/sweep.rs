//! One sweep upward makes the diffusivities and eliminates, one downward gives the tendencies and their column
//! integrals.
//!
//! What stays between them is near for the lowest layers, on a CPU for all, and above them in the outputs (right-hand
//! sides) and the room for factors: a GPU's thread has no room for columns.

use isobar_core::Real;

use crate::batch::YsuArgs;
use crate::boundary_layer::BoundaryLayer;
use crate::coming::{Coming, EITHER, OWN, SHARED, group};
use crate::constants::{GRAVITY, HEAT_CAPACITY, LATENT_HEAT};
use crate::diffusivity::{NONE_BELOW, SOME_BELOW, UNKNOWN, below_top, interface};
use crate::drag::Drag;
use crate::implicit::{Carried, Coupling, Row};
use crate::layer::Layer;
use crate::near;
use crate::potential_temperature::is_single;
use crate::tile::{AT_A_TIME, Tile, at_a_time, each_level, per_lane};

per_lane! {
    /// Column integrals of the tendencies times gravity, as the systems have them.
    struct Integrals { theta, vapour, u, v }
}

impl<R: Real> Integrals<R> {
    #[inline(always)]
    fn add(self, row: &Row<R>, mass: R) -> Self {
        Self {
            theta: row.theta.mul_add(mass, self.theta),
            vapour: row.vapour.mul_add(mass, self.vapour),
            u: row.u.mul_add(mass, self.u),
            v: row.v.mul_add(mass, self.v),
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
    coming: &mut Coming<R>,
    boundary_layer: &BoundaryLayer<R, W>,
    drag: &Drag<[R; W]>,
) -> Integrals<[R; W]> {
    let top = upward(batch, tile, coming, boundary_layer, drag);
    downward(batch, tile, &boundary_layer.ground.interface_pressure, top)
}

/// The solution of the uppermost row, and the pressures at the interfaces below and above its layer.
struct Top<R, const W: usize> {
    row: Row<[R; W]>,
    pressure: [R; W],
    top_pressure: [R; W],
}

/// Eliminates all rows.
#[inline(always)]
fn upward<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    coming: &mut Coming<R>,
    boundary_layer: &BoundaryLayer<R, W>,
    drag: &Drag<[R; W]>,
) -> Top<R, W> {
    let strides = batch.air.temperature.strides();
    let (ground, reference) = (&boundary_layer.ground, &boundary_layer.lowest.reference);
    let lower = Layer::new(&coming.lowest_again(batch, tile), &Layer::below_lowest(ground), reference);
    let mut carried = Carried::<[R; W]>::ZEROS;
    for lane in 0..W {
        let (mass, step) = (lower.mass[lane], batch.parameters.step);
        carried.set(lane, Carried::from_surface(mass, &ground.lane(lane), &drag.lane(lane), step));
    }
    // SAFETY: there is a lowest layer, whose rows are the item's own.
    unsafe {
        tile.write_once(&batch.diffusivity_heat, tile.row(0, strides), [R::ZERO; W]);
        tile.write_once(&batch.diffusivity_momentum, tile.row(0, strides), [R::ZERO; W]);
    }
    let upper = if W == 1 { Layer::new(&coming.take::<W, OWN>(batch, tile, 1), &lower, reference) } else { lower };
    let mut rise = Elimination { coming: *coming, lower, upper, carried, pressure: ground.interface_pressure };
    // Levels are counted in 32 bits, of which a GPU takes half the time.
    let (mut level, last) = (0, batch.layers() as u32 - 1);
    if W > 1 || !is_single::<R>() {
        while level < last {
            rise.eliminate::<UNKNOWN, EITHER>(batch, tile, boundary_layer, level as usize);
            level += 1;
        }
    } else {
        // Short loops, which a GPU's cache for instructions holds; in double precision, which waits for arithmetic,
        // they gain nothing.
        while level < last && tile.any(&below_top(boundary_layer, level)) {
            rise.eliminate::<SOME_BELOW, EITHER>(batch, tile, boundary_layer, level as usize);
            level += 1;
        }
        while level < last && level + 2 < near::layers::<R, W>() as u32 {
            rise.eliminate::<NONE_BELOW, OWN>(batch, tile, boundary_layer, level as usize);
            level += 1;
        }
        while level < last {
            rise.eliminate::<NONE_BELOW, SHARED>(batch, tile, boundary_layer, level as usize);
            level += 1;
        }
    }
    let mut top = Row::ZEROS;
    let mut coupling = Coupling::<[R; W]>::ZEROS;
    for lane in 0..W {
        let (row, moisture) = rise.carried.lane(lane).top();
        top.set(lane, row);
        coupling.set(lane, moisture);
    }
    write::<R, W, true>(batch, tile, batch.layers() - 1, &top);
    write_coupling(batch, tile, batch.layers() - 1, &coupling);
    Top { row: top, pressure: rise.pressure, top_pressure: rise.lower.top_pressure }
}

/// What the elimination has come to.
struct Elimination<R, const W: usize> {
    coming: Coming<R>,
    lower: Layer<[R; W]>,
    /// The layer above, which a GPU makes ready beside the elimination of the row before.
    upper: Layer<[R; W]>,
    carried: Carried<[R; W]>,
    /// The pressure at the lower interface of `lower`.
    pressure: [R; W],
}

impl<R: Real, const W: usize> Elimination<R, W> {
    /// Eliminates the row of a level, which `lower` is, with lanes `BELOW` their boundary layers' tops there. `PLACE`
    /// is that of the layer two levels up.
    #[inline(always)]
    fn eliminate<const BELOW: u8, const PLACE: u8>(
        &mut self,
        batch: &YsuArgs<'_, R>,
        tile: &Tile<W>,
        boundary_layer: &BoundaryLayer<R, W>,
        level: usize,
    ) {
        let strides = batch.air.temperature.strides();
        let (step, reference) = (batch.parameters.step, &boundary_layer.lowest.reference);
        let lower = self.lower;
        let upper = if W > 1 {
            Layer::new(&self.coming.take::<W, EITHER>(batch, tile, level + 1), &lower, reference)
        } else {
            self.upper
        };
        let at = interface::<R, W, BELOW>(&batch.parameters, tile, boundary_layer, level, &lower, &upper);
        if W == 1 {
            // Beyond the uppermost layer it is any other one, and not used.
            self.upper = Layer::new(&self.coming.take::<W, PLACE>(batch, tile, level + 2), &upper, reference);
        }
        let mut rows = Row::ZEROS;
        let mut coupling = Coupling::<[R; W]>::ZEROS;
        for lane in 0..W {
            let (next, row, moisture) = self.carried.lane(lane).eliminate(
                &lower.lane(lane),
                &upper.lane(lane),
                &at.diffusivity.lane(lane),
                &at.upward.lane(lane),
                step,
            );
            self.carried.set(lane, next);
            rows.set(lane, row);
            coupling.set(lane, moisture);
        }
        let above = tile.row(level + 1, strides);
        // SAFETY: the level and the one above are the batch's, in rows that are the item's own.
        unsafe {
            tile.write_once(&batch.diffusivity_heat, above, at.diffusivity.heat);
            tile.write_once(&batch.diffusivity_momentum, above, at.diffusivity.momentum);
        }
        keep(batch, tile, level, &rows);
        write_coupling(batch, tile, level, &coupling);
        if W == 1 {
            self.pressure = lower.top_pressure;
        }
        self.lower = upper;
    }
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
    ground_pressure: &[R; W],
    top: Top<R, W>,
) -> Integrals<[R; W]> {
    let uppermost = batch.layers() - 1;
    // A CPU reads them again, for it has no register in which to keep them.
    let [top_pressure, pressure] = if W > 1 {
        [uppermost + 1, uppermost].map(|level| interface_pressure(batch, tile, level))
    } else {
        [top.top_pressure, top.pressure]
    };
    let mut below = Substitution { row: top.row, pressure, sums: Integrals::ZEROS };
    below.sum(&top_pressure);
    let near = near::layers::<R, W>().min(uppermost);
    below.descend::<false>(batch, tile, ground_pressure, uppermost, near);
    below.descend::<true>(batch, tile, ground_pressure, near, 0);
    let mut integrals = Integrals::ZEROS;
    for lane in 0..W {
        integrals.set(lane, below.sums.lane(lane).in_units());
    }
    integrals
}

/// What the substitution has come to.
struct Substitution<R, const W: usize> {
    /// The solution of the last row.
    row: Row<[R; W]>,
    /// The pressure of the interface below it.
    pressure: [R; W],
    sums: Integrals<[R; W]>,
}

impl<R: Real, const W: usize> Substitution<R, W> {
    /// Adds the row to the integrals; `above` is the pressure of the interface above it.
    #[inline(always)]
    fn sum(&mut self, above: &[R; W]) {
        for lane in 0..W {
            let sums = self.sums.lane(lane).add(&self.row.lane(lane), self.pressure[lane] - above[lane]);
            self.sums.set(lane, sums);
        }
    }

    /// From the layer under `from` to layer `to`, whose rows are in the scratch (`NEAR`) or in memory.
    #[inline(always)]
    fn descend<const NEAR: bool>(
        &mut self,
        batch: &YsuArgs<'_, R>,
        tile: &Tile<W>,
        ground_pressure: &[R; W],
        from: usize,
        to: usize,
    ) {
        // Of rows in the scratch, which come sooner, half as many.
        let together = if NEAR { group::<R, W>() } else { at_a_time::<R, W>() };
        let mut rows = [Row::ZEROS; AT_A_TIME];
        let mut pressures = [[R::ZERO; W]; AT_A_TIME];
        let (mut level, to) = (from as i32, to as i32);
        while level > to {
            each_level!(I < together => {
                let level = (level - (I as i32 + 1)).max(to) as usize;
                // SAFETY: the sweep upward kept it.
                rows[I] = unsafe { if NEAR { near::take(tile, level) } else { read(batch, tile, level) } };
                pressures[I] = if NEAR && W == 1 {
                    // SAFETY: the layer came to its own place, for its row is near.
                    let pressure = unsafe { near::top_pressure(tile, level.max(1) - 1) };
                    if level == 0 { *ground_pressure } else { pressure }
                } else {
                    interface_pressure(batch, tile, level)
                };
            });
            each_level!(I < together => {
                if level > to {
                    level -= 1;
                    for lane in 0..W {
                        self.row.set(lane, rows[I].lane(lane).below(&self.row.lane(lane)));
                    }
                    let above = self.pressure;
                    self.pressure = pressures[I];
                    self.sum(&above);
                    write::<R, W, true>(batch, tile, level as usize, &self.row);
                }
            });
        }
    }
}

#[inline(always)]
fn interface_pressure<R: Real, const W: usize>(batch: &YsuArgs<'_, R>, tile: &Tile<W>, level: usize) -> [R; W] {
    // SAFETY: the callers' levels are interfaces of the batch.
    unsafe { tile.read(&batch.interface_pressure, tile.row(level, batch.interface_pressure.strides())) }
}

/// Keeps an eliminated row for the sweep downward.
#[inline(always)]
fn keep<R: Real, const W: usize>(batch: &YsuArgs<'_, R>, tile: &Tile<W>, level: usize, rows: &Row<[R; W]>) {
    if (level as u32) < near::layers::<R, W>() as u32 {
        // SAFETY: the layer is one of the scratch's.
        unsafe { near::keep(tile, level, rows) };
        return;
    }
    let row = tile.row(level, batch.air.temperature.strides());
    // SAFETY: the caller's level is the batch's; the rows are the item's own.
    unsafe {
        tile.write(&batch.scratch.heat, row, rows.factor_heat);
        tile.write(&batch.scratch.moisture, row, rows.factor_moisture);
        tile.write(&batch.scratch.momentum, row, rows.factor_momentum);
    }
    write::<R, W, false>(batch, tile, level, rows);
}

/// Writes the values of a row to the outputs, to stay there (`LAST`) or to be read back.
#[inline(always)]
fn write<R: Real, const W: usize, const LAST: bool>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    level: usize,
    rows: &Row<[R; W]>,
) {
    let tendencies = &batch.tendencies;
    let row = tile.row(level, batch.air.temperature.strides());
    macro_rules! write {
        ($($field:ident),*) => {$(
            // SAFETY: the callers' levels are the batch's; the rows are the item's own.
            unsafe {
                if LAST {
                    tile.write_once(&tendencies.$field, row, rows.$field);
                } else {
                    tile.write(&tendencies.$field, row, rows.$field);
                }
            }
        )*};
    }
    write!(theta, vapour, cloud_water, cloud_ice, u, v);
}

/// Reads back an eliminated row.
///
/// # Safety
/// The sweep upward wrote it.
#[inline(always)]
unsafe fn read<R: Real, const W: usize>(batch: &YsuArgs<'_, R>, tile: &Tile<W>, level: usize) -> Row<[R; W]> {
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
