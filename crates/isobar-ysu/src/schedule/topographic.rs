//! The height up to which unresolved orography matters: two sweeps upward, which leave the energy in the workspace of
//! momentum between them.

use isobar_core::Real;

use crate::arguments::YsuArgs;
use crate::physics::boundary_layer::BoundaryLayer;
use crate::physics::diffusivity::{Interface, UNKNOWN, interface};
use crate::physics::layer::Layer;
use crate::physics::topographic::{Extremes, MixingHeight, Searched, smooth_share as share_of_height};
use crate::schedule::inputs;
use crate::schedule::tile::Tile;

/// The share of the drag that orography does not change, 0 to 1.
#[inline(always)]
pub(crate) fn smooth_share<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    boundary_layer: &BoundaryLayer<R, W>,
) -> [R; W] {
    let extremes = energies(batch, tile, boundary_layer);
    let height = mixing_height(batch, tile, boundary_layer, &extremes);
    share_of_height(boundary_layer, &height)
}

/// Upward once: the energy of every interface goes to the workspace, its largest and the least potential temperature
/// stay.
#[inline(always)]
fn energies<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    boundary_layer: &BoundaryLayer<R, W>,
) -> Extremes<R, W> {
    let strides = batch.workspace_strides::<W>();
    let reference = &boundary_layer.lowest.reference;
    let below = Layer::below_lowest(boundary_layer.ground.interface_pressure);
    let mut lower = Layer::new(&inputs::stored(batch, tile, 0), &below, reference);
    let mut bottom = [R::ZERO; W];
    let mut extremes = Extremes::start();
    for level in 0..batch.layers() - 1 {
        let upper = Layer::new(&inputs::stored(batch, tile, level + 1), &lower, reference);
        let at: Interface<R, W> =
            interface::<R, W, UNKNOWN>(&batch.parameters, tile.lanes(), boundary_layer, level, &lower, &upper);
        let energies = extremes.add(boundary_layer, level, &bottom, (&lower, &upper), &at);
        tile.write(&batch.workspace.momentum, tile.offset(level, strides), energies);
        bottom = lower.top;
        lower = upper;
    }
    extremes
}

/// Upward again, to the height of mixing \[m\].
#[inline(always)]
fn mixing_height<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    boundary_layer: &BoundaryLayer<R, W>,
    extremes: &Extremes<R, W>,
) -> [R; W] {
    let air = &batch.columns;
    let exit = batch.layers() as u32 - 1;
    let mut search = MixingHeight::start(boundary_layer);
    for level in 0..batch.layers() - 2 {
        if !tile.any(&search.seeking()) {
            break;
        }
        let row = tile.offset(level, batch.strides());
        let searched = Searched {
            temperature: tile.read(&air.temperature_k, row),
            exner: tile.read(&air.exner, row),
            vapour: tile.read(&air.vapour_kg_per_kg, row),
            thickness: tile.read(&air.thickness_m, row),
            energy: tile.read_back(&batch.workspace.momentum, tile.offset(level, batch.workspace_strides::<W>())),
        };
        let layer = level as u32 + 1;
        search.rise(boundary_layer, extremes, &searched, layer, layer + 1 == exit);
    }
    search.height()
}
