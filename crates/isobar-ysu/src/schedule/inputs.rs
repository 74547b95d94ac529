//! Reads of the inputs from memory: levels of the columns of a tile.

use isobar_core::{PerLane, Real};

use crate::arguments::YsuArgs;
use crate::fields::{layer_numbers, tendencies};
use crate::physics::layer::Stored;
use crate::physics::richardson::Searched;
use crate::physics::sample::Sample;
use crate::physics::surface::Ground;
use crate::physics::top_down::{Cooled, Scanned};
use crate::schedule::tile::Tile;

/// The surface.
#[inline(always)]
pub(crate) fn ground<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
) -> Ground<[R; W]> {
    let surface = &batch.columns;
    Ground {
        pressure: tile.read_column(&surface.surface_pressure_pa),
        roughness: tile.read_column(&surface.roughness_m),
        friction_velocity: tile.read_column(&surface.friction_velocity_m_per_s),
        profile_momentum: tile.read_column(&surface.profile_momentum),
        profile_heat: tile.read_column(&surface.profile_heat),
        land_or_water: tile.read_column(&surface.land_or_water),
        sensible_heat_flux: tile.read_column(&surface.sensible_heat_flux_w_per_m2),
        moisture_flux: tile.read_column(&surface.moisture_flux_kg_per_m2_s),
        wind_speed: tile.read_column(&surface.wind_speed_m_per_s),
        richardson: tile.read_column(&surface.richardson),
        u_10m: tile.read_column(&surface.u_10m_m_per_s),
        v_10m: tile.read_column(&surface.v_10m_m_per_s),
        u_current: tile.read_column(&surface.u_current_m_per_s),
        v_current: tile.read_column(&surface.v_current_m_per_s),
        interface_pressure: interface_pressure(batch, tile, 0),
    }
}

/// The pressure of an interface.
#[inline(always)]
pub(crate) fn interface_pressure<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    level: usize,
) -> [R; W] {
    tile.read(&batch.columns.interface_pressure_pa, tile.offset(level, batch.columns.interface_pressure_pa.strides()))
}

/// A layer.
#[inline(always)]
pub(crate) fn stored<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    level: usize,
) -> Stored<[R; W]> {
    prefetch_next_tile(batch, tile, level);
    let air = &batch.columns;
    let row = tile.offset(level, batch.strides());
    let above = tile.offset(level + 1, air.interface_pressure_pa.strides());
    macro_rules! read {
        ($($name:ident $field:ident $place:ident,)*) => {
            Stored { $($name: tile.read(&air.$field, read!(@ $place))),* }
        };
        (@ LAYER) => { row };
        (@ ABOVE) => { above };
    }
    layer_numbers!(read)
}

/// Says what the next tile of a CPU's thread will need of a level: the second-level cache holds all levels of a tile,
/// and they have time to arrive while this one is computed.
#[inline(always)]
fn prefetch_next_tile<R: Real, const W: usize, const F: u8>(batch: &YsuArgs<'_, R>, tile: &Tile<W, F>, level: usize) {
    if W == 1 {
        return;
    }
    let tile = tile.next();
    let (air, out) = (&batch.columns, &batch.results);
    let row = tile.offset(level, batch.strides());
    let above = tile.offset(level + 1, air.interface_pressure_pa.strides());
    let to_write = tile.offset(level, batch.result_strides::<W>());
    macro_rules! prefetch {
        ($($name:ident $field:ident $place:ident,)*) => {$(
            tile.prefetch(air.$field.as_ptr(), prefetch!(@ $place));
        )*};
        ($($name:ident $field:ident,)*) => {$( tile.prefetch(out.$field.as_ptr().cast_const(), to_write); )*};
        (@ LAYER) => { row };
        (@ ABOVE) => { above };
    }
    layer_numbers!(prefetch);
    tendencies!(prefetch);
    for field in [&out.diffusivity_heat_m2_per_s, &out.diffusivity_momentum_m2_per_s] {
        tile.prefetch(field.as_ptr().cast_const(), to_write);
    }
}

/// What a search needs of a layer.
#[inline(always)]
pub(crate) fn searched<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    level: usize,
) -> Searched<[R; W]> {
    let row = tile.offset(level, batch.strides());
    let air = &batch.columns;
    Searched {
        temperature: tile.read(&air.temperature_k, row),
        exner: tile.read(&air.exner, row),
        vapour: tile.read(&air.vapour_kg_per_kg, row),
        u: tile.read(&air.u_m_per_s, row),
        v: tile.read(&air.v_m_per_s, row),
        thickness: tile.read(&air.thickness_m, row),
    }
}

/// What the scan for a cloud's top needs of a layer.
#[inline(always)]
pub(crate) fn scanned<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    level: usize,
) -> Scanned<[R; W]> {
    let row = tile.offset(level, batch.strides());
    Scanned::from(batch.columns.layer()).map(|field| tile.read(field, row))
}

/// What entrainment needs of a layer, another one in each lane, or the uppermost.
#[inline(always)]
pub(crate) fn samples<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    layers: &[u32; W],
) -> Sample<[R; W]> {
    let fields = Sample::from(batch.columns.layer());
    let mut samples = Sample::<[R; W]>::zeros();
    for lane in 0..W {
        let layer = (layers[lane] as usize).min(batch.layers() - 1);
        let at = tile.offset_of_lane(layer, lane, batch.strides());
        samples.each_mut().zip(fields).map(|(values, field)| values[lane] = tile.value(field, at));
    }
    samples
}

/// What radiative cooling needs of a layer.
#[inline(always)]
pub(crate) fn cooled<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    level: usize,
) -> Cooled<[R; W]> {
    let air = &batch.columns;
    let row = tile.offset(level, batch.strides());
    Cooled {
        heating: tile.read(&air.radiative_heating_k_per_s, row),
        exner: tile.read(&air.exner, row),
        below: interface_pressure(batch, tile, level),
        above: interface_pressure(batch, tile, level + 1),
    }
}
