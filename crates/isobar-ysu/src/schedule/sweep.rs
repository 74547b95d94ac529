//! One sweep upward makes the diffusivities and eliminates, one downward gives the tendencies and their column
//! integrals.

use isobar_core::{PerLane, Real};

use crate::arguments::YsuArgs;
use crate::physics::boundary_layer::BoundaryLayer;
use crate::physics::drag::Drag;
use crate::physics::implicit::{Carried, Coupling, Integrals, Row, Upward};
use crate::physics::layer::Layer;
use crate::physics::mixed_layer::Diffusivity;
use crate::physics::potential_temperature::is_single;
use crate::physics::shin_hong::length::Mean;
use crate::physics::shin_hong::scaled;
use crate::physics::urban::{CarriedVapour, Urban};
use crate::schedule::dissipation;
use crate::schedule::energy::{self, Rising};
use crate::schedule::inputs::interface_pressure;
use crate::schedule::interface::{Interface, NONE_BELOW, SOME_BELOW, UNKNOWN, below_top, interface};
use crate::schedule::layers::{layer, lowest_layer};
use crate::schedule::prefetch::{EITHER, IN_TURNS, OWN};
use crate::schedule::rows::{keep, read, write, write_coupling, write_diffusivities};
use crate::schedule::shared;
use crate::schedule::source::Source;
use crate::schedule::tile::{AT_A_TIME, SCALE_AWARE, TOWN, Tile, at_a_time, each_level, group};
use crate::schedule::urban::{self, CarriedBoth, Eliminated};

/// Both sweeps.
#[inline(always)]
pub(crate) fn diffuse<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    source: &mut Source<R>,
    boundary_layer: &BoundaryLayer<[R; W], [u32; W]>,
    drag: &Drag<[R; W]>,
) -> Mixed<R, W> {
    let top = upward(batch, tile, source, boundary_layer, drag);
    let mean = top.mean;
    let mut mixed = downward(batch, tile, &boundary_layer.ground.interface_pressure, top);
    if F == SCALE_AWARE {
        mixed.energy = energy::advance(batch, tile, boundary_layer, &mean);
        if batch.parameters.dissipative != 0 {
            dissipation::add(batch, tile);
        }
    }
    mixed
}

/// Leaves of diffusivities below the top what the grid does not resolve.
#[inline(always)]
fn partly<R: Real, const W: usize, const F: u8>(
    tile: &Tile<W, F>,
    boundary_layer: &BoundaryLayer<[R; W], [u32; W]>,
    lower: &Layer<[R; W]>,
    at: &Interface<[R; W], [u32; W]>,
    conducting: &mut Diffusivity<[R; W]>,
) {
    if tile.any(&at.below) {
        for lane in 0..W {
            let (whole, mixing) = (conducting.lane(lane), boundary_layer.mixing.lane(lane));
            let part = scaled::conducting(lower.top[lane], &whole, &mixing, boundary_layer.scaled.distance[lane]);
            let mixed = boundary_layer.mixed[lane] & at.below[lane] != 0;
            conducting.set(lane, if mixed { part } else { whole });
        }
    }
}

/// The solution of the uppermost row, and the pressures at the interfaces below and above its layer.
struct Top<R, const W: usize> {
    row: Row<[R; W]>,
    pressure: [R; W],
    top_pressure: [R; W],
    mean: Mean<[R; W]>,
}

/// Eliminates all rows.
#[inline(always)]
fn upward<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    source: &mut Source<R>,
    boundary_layer: &BoundaryLayer<[R; W], [u32; W]>,
    drag: &Drag<[R; W]>,
) -> Top<R, W> {
    let (ground, reference) = (&boundary_layer.ground, &boundary_layer.lowest.reference);
    let lower = lowest_layer(&source.lowest_again(batch, tile), ground, reference, &batch.parameters.physical);
    let mut carried = Carried::<[R; W]>::zeros();
    for lane in 0..W {
        let (ground, drag) = (ground.lane(lane), drag.lane(lane));
        carried.set(lane, Carried::from_surface(lower.mass[lane], &ground, &drag, F == TOWN, &batch.parameters));
    }
    write_diffusivities(batch, tile, 0, [R::ZERO; W], [R::ZERO; W]);
    let physical = &batch.parameters.physical;
    let upper =
        if W == 1 { layer(&source.next::<W, OWN, F>(batch, tile, 1), &lower, reference, physical) } else { lower };
    let vapour = CarriedVapour { mass: carried.mass_moisture };
    let pressure = ground.interface_pressure;
    let turbulence = if F == SCALE_AWARE { Rising::start(batch, tile) } else { Rising::nothing() };
    let mut rise = Elimination { source: *source, lower, upper, carried: (carried, vapour), pressure, turbulence };
    // Levels are counted in 32 bits, of which a GPU takes half the time.
    let (mut level, last) = (0, batch.layers() as u32 - 1);
    if W > 1 || !is_single::<R>() {
        while level < last {
            rise.eliminate::<UNKNOWN, EITHER, F>(batch, tile, boundary_layer, level as usize);
            level += 1;
        }
    } else {
        // Short loops, which a GPU's cache for instructions holds; in double precision, which waits for arithmetic,
        // they gain nothing.
        while level < last && tile.any(&below_top(boundary_layer, level)) {
            rise.eliminate::<SOME_BELOW, EITHER, F>(batch, tile, boundary_layer, level as usize);
            level += 1;
        }
        while level < last && level + 2 < shared::kept_rows::<R, W, F>() as u32 {
            rise.eliminate::<NONE_BELOW, OWN, F>(batch, tile, boundary_layer, level as usize);
            level += 1;
        }
        while level < last {
            rise.eliminate::<NONE_BELOW, IN_TURNS, F>(batch, tile, boundary_layer, level as usize);
            level += 1;
        }
    }
    let mut top = Row::<[R; W]>::zeros();
    let mut coupling = Coupling::<[R; W]>::zeros();
    let in_town = F == TOWN;
    let town = if in_town { urban::read(batch, tile, batch.layers() - 1) } else { Urban::<[R; W]>::zeros() };
    if in_town {
        urban::add(batch, &town, &rise.lower, reference, &mut rise.carried);
    }
    for lane in 0..W {
        let (row, moisture) = rise.carried.0.lane(lane).top();
        top.set(lane, row);
        coupling.set(lane, moisture);
        if in_town {
            let carried = (rise.carried.0.lane(lane), rise.carried.1.lane(lane));
            top.set(lane, town.lane(lane).correct_top(carried, row, &rise.lower.lane(lane), batch.parameters.step));
        }
    }
    write::<R, W, true, F>(batch, tile, batch.layers() - 1, &top);
    write_coupling(batch, tile, batch.layers() - 1, &coupling);
    Top { row: top, pressure: rise.pressure, top_pressure: rise.lower.top_pressure, mean: rise.turbulence.mean }
}

/// What the elimination has come to.
struct Elimination<R, const W: usize> {
    source: Source<R>,
    lower: Layer<[R; W]>,
    /// The layer above, which a GPU makes ready beside the elimination of the row before.
    upper: Layer<[R; W]>,
    carried: CarriedBoth<R, W>,
    /// The pressure at the lower interface of `lower`.
    pressure: [R; W],
    /// Of Shin-Hong.
    turbulence: Rising<R, W>,
}

impl<R: Real, const W: usize> Elimination<R, W> {
    /// Eliminates the row of a level, which `lower` is, with lanes `BELOW` their boundary layers' tops there. `SLOT` is
    /// that of the layer two levels up.
    #[inline(always)]
    fn eliminate<const BELOW: u8, const SLOT: u8, const F: u8>(
        &mut self,
        batch: &YsuArgs<'_, R>,
        tile: &Tile<W, F>,
        boundary_layer: &BoundaryLayer<[R; W], [u32; W]>,
        level: usize,
    ) {
        let (step, reference) = (batch.parameters.step, &boundary_layer.lowest.reference);
        let physical = &batch.parameters.physical;
        let lower = self.lower;
        let upper = if W > 1 {
            layer(&self.source.next::<W, EITHER, F>(batch, tile, level + 1), &lower, reference, physical)
        } else {
            self.upper
        };
        let at = interface::<R, W, BELOW, F>(&batch.parameters, tile.lanes(), boundary_layer, level, &lower, &upper);
        if W == 1 {
            // Beyond the uppermost layer it is any other one, and not used.
            self.upper = layer(&self.source.next::<W, SLOT, F>(batch, tile, level + 2), &upper, reference, physical);
        }
        // Copies where they change alone: a CPU would make them in memory.
        let (in_town, scale_aware) = (F == TOWN, F == SCALE_AWARE);
        let (mut narrowed, mut narrowed_upward) = (Diffusivity::<[R; W]>::zeros(), Upward::<[R; W]>::zeros());
        let mut town = Urban::<[R; W]>::zeros();
        if in_town {
            town = urban::read(batch, tile, level);
            (narrowed, narrowed_upward) = (at.diffusivity, at.upward);
            urban::add(batch, &town, &lower, reference, &mut self.carried);
            urban::narrow(&town, &mut narrowed, &mut narrowed_upward);
        }
        if scale_aware {
            narrowed = at.diffusivity;
            energy::keep_source(batch, tile, boundary_layer, level, [&lower, &upper], &at, &mut self.turbulence);
            partly(tile, boundary_layer, &lower, &at, &mut narrowed);
        }
        let conducting = if in_town | scale_aware { &narrowed } else { &at.diffusivity };
        let upward = if in_town { &narrowed_upward } else { &at.upward };
        let before = if in_town { Some(self.carried) } else { None };
        let mut rows = Row::<[R; W]>::zeros();
        let mut coupling = Coupling::<[R; W]>::zeros();
        for lane in 0..W {
            let (next, row, moisture) = self.carried.0.lane(lane).eliminate(
                &lower.lane(lane),
                &upper.lane(lane),
                &conducting.lane(lane),
                &upward.lane(lane),
                step,
            );
            self.carried.0.set(lane, next);
            rows.set(lane, row);
            coupling.set(lane, moisture);
        }
        if let Some(before) = before {
            let eliminated = Eliminated { layers: [&lower, &upper], diffusivity: conducting, upward, before };
            urban::correct(batch, tile, level, &town, &eliminated, &mut self.carried, &mut rows);
        }
        write_diffusivities(batch, tile, level + 1, at.diffusivity.heat, at.diffusivity.momentum);
        keep(batch, tile, level, &rows);
        write_coupling(batch, tile, level, &coupling);
        if W == 1 {
            self.pressure = lower.top_pressure;
        }
        self.lower = upper;
    }
}

/// What the substitution ends with.
pub(crate) struct Mixed<R, const W: usize> {
    pub(crate) integrals: Integrals<[R; W]>,
    /// The tendencies of the lowest layer.
    pub(crate) lowest: Row<[R; W]>,
    /// Finite if all turbulent energies are.
    pub(crate) energy: [R; W],
}

/// Substitutes from the top down, and sums in this order.
#[inline(always)]
fn downward<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    ground_pressure: &[R; W],
    top: Top<R, W>,
) -> Mixed<R, W> {
    let uppermost = batch.layers() - 1;
    // A CPU reads them again, for it has no register in which to keep them.
    let [top_pressure, pressure] = if W > 1 {
        [uppermost + 1, uppermost].map(|level| interface_pressure(batch, tile, level))
    } else {
        [top.top_pressure, top.pressure]
    };
    let mut below = Substitution { row: top.row, pressure, sums: Integrals::<[R; W]>::zeros() };
    below.sum(&top_pressure);
    let kept = shared::kept_rows::<R, W, F>().min(uppermost);
    below.descend::<false, F>(batch, tile, ground_pressure, uppermost, kept);
    below.descend::<true, F>(batch, tile, ground_pressure, kept, 0);
    let mut integrals = Integrals::<[R; W]>::zeros();
    for lane in 0..W {
        integrals.set(lane, below.sums.lane(lane).in_units(&batch.parameters.physical));
    }
    Mixed { integrals, lowest: below.row, energy: [R::ZERO; W] }
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

    /// From the layer under `from` to layer `to`, whose rows are [`shared::kept_rows`] (`KEPT`) or in memory.
    #[inline(always)]
    fn descend<const KEPT: bool, const F: u8>(
        &mut self,
        batch: &YsuArgs<'_, R>,
        tile: &Tile<W, F>,
        ground_pressure: &[R; W],
        from: usize,
        to: usize,
    ) {
        // Of rows in shared memory, which arrive sooner, half as many.
        let together = if KEPT { group::<R, W>() } else { at_a_time::<R, W>() };
        let mut rows = [Row::<[R; W]>::zeros(); AT_A_TIME];
        let mut pressures = [[R::ZERO; W]; AT_A_TIME];
        let (mut level, to) = (from as i32, to as i32);
        while level > to {
            each_level!(I < together => {
                let level = (level - (I as i32 + 1)).max(to) as usize;
                rows[I] = if KEPT { shared::take(tile, level) } else { read(batch, tile, level) };
                pressures[I] = if KEPT && W == 1 {
                    let pressure = shared::top_pressure(tile, level.max(1) - 1);
                    if level == 0 { *ground_pressure } else { pressure }
                } else {
                    interface_pressure(batch, tile, level)
                };
            });
            each_level!(I < together => {
                if level > to {
                    level -= 1;
                    let in_town = F == TOWN;
                    let above_vapour = if in_town { self.row.vapour } else { [R::ZERO; W] };
                    for lane in 0..W {
                        self.row.set(lane, rows[I].lane(lane).below(&self.row.lane(lane)));
                    }
                    if in_town {
                        let value = &rows[I].vapour;
                        self.row.vapour = urban::vapour_below(batch, tile, level as usize, &above_vapour, value);
                    }
                    let above = self.pressure;
                    self.pressure = pressures[I];
                    self.sum(&above);
                    write::<R, W, true, F>(batch, tile, level as usize, &self.row);
                }
            });
        }
    }
}
