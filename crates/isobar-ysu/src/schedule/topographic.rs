//! The height up to which unresolved orography matters: two sweeps upward, which leave the energy in the workspace of
//! momentum between them.

use isobar_core::{PerLane, Real};

use crate::arguments::YsuArgs;
use crate::physics::boundary_layer::BoundaryLayer;
use crate::physics::topographic::{self, Extremes, MixingHeight, Searched, counts, energy};
use crate::schedule::inputs;
use crate::schedule::interface::{UNKNOWN, interface};
use crate::schedule::layers::{layer, lowest_layer};
use crate::schedule::tile::Tile;

/// The share of the drag that orography does not change, 0 to 1.
#[inline(always)]
pub(crate) fn smooth_share<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    boundary_layer: &BoundaryLayer<[R; W], [u32; W]>,
) -> [R; W] {
    let extremes = energies(batch, tile, boundary_layer);
    let height = mixing_height(batch, tile, boundary_layer, &extremes);
    let mut share = height;
    for lane in 0..W {
        let (ground, lowest) = (boundary_layer.ground.lane(lane), boundary_layer.lowest.lane(lane));
        share[lane] = topographic::smooth_share(&ground, &lowest, height[lane], &batch.parameters.physical);
    }
    share
}

/// Upward once: the energy of every interface goes to the workspace, its largest and the least potential temperature
/// stay.
#[inline(always)]
fn energies<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    boundary_layer: &BoundaryLayer<[R; W], [u32; W]>,
) -> Extremes<[R; W], [u32; W]> {
    let strides = batch.workspace_strides::<W>();
    let reference = &boundary_layer.lowest.reference;
    let physical = &batch.parameters.physical;
    let mut lower = lowest_layer(&inputs::stored(batch, tile, 0), &boundary_layer.ground, reference, physical);
    let mut bottom = [R::ZERO; W];
    let mut extremes = Extremes::<[R; W], [u32; W]>::all(Extremes::start());
    for level in 0..batch.layers() - 1 {
        let upper = layer(&inputs::stored(batch, tile, level + 1), &lower, reference, physical);
        let at = interface::<R, W, UNKNOWN, F>(&batch.parameters, tile.lanes(), boundary_layer, level, &lower, &upper);
        let (number, mut energies) = (level as u32 + 1, [R::ZERO; W]);
        for lane in 0..W {
            let (here, mixing) = (lower.lane(lane), boundary_layer.mixing.lane(lane));
            let diffusivities = [at.local_momentum[lane], at.diffusivity.heat[lane]];
            let below = at.below[lane] != 0;
            let upper = upper.lane(lane);
            let energy = energy(&here, &upper, &mixing, reference[lane], diffusivities, below, physical);
            let low = counts(number, bottom[lane]);
            extremes.set(lane, extremes.lane(lane).with(number, energy, here.virtual_theta, low));
            energies[lane] = energy;
        }
        tile.write(&batch.workspace.momentum, tile.offset(level, strides), energies);
        bottom = lower.top;
        lower = upper;
    }
    extremes
}

/// Upward again, to the height of mixing \[m\].
#[inline(always)]
fn mixing_height<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    boundary_layer: &BoundaryLayer<[R; W], [u32; W]>,
    extremes: &Extremes<[R; W], [u32; W]>,
) -> [R; W] {
    let air = &batch.columns;
    let exit = batch.layers() as u32 - 1;
    let mut search = MixingHeight::<[R; W], [u32; W]>::zeros();
    for lane in 0..W {
        search.set(lane, MixingHeight::start(&boundary_layer.lowest.lane(lane)));
    }
    for level in 0..batch.layers() - 2 {
        let mut seeking = search.seek_energy;
        for lane in 0..W {
            seeking[lane] |= search.seek_warmth[lane];
        }
        if !tile.any(&seeking) {
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
        for lane in 0..W {
            let column = (&boundary_layer.ground.lane(lane), &boundary_layer.lowest.lane(lane));
            let (extremes, air) = (extremes.lane(lane), searched.lane(lane));
            let (before, last) = (search.lane(lane), layer + 1 == exit);
            search.set(lane, before.rise(column, &extremes, &air, layer, last, &batch.parameters.physical));
        }
    }
    let mut height = [R::ZERO; W];
    for lane in 0..W {
        height[lane] = search.lane(lane).height();
    }
    height
}
