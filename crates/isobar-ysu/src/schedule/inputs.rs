//! Reads of the inputs from memory: levels of the columns of a tile.

use isobar_core::Real;

use crate::physics::layer::Stored;
use crate::physics::richardson::Searched;
use crate::physics::sample::Sample;
use crate::physics::surface::Ground;
use crate::physics::top_down::{Cooled, Scanned};
use crate::schedule::tile::Tile;
use crate::views::YsuArgs;

/// The surface.
#[inline(always)]
pub(crate) fn ground<R: Real, const W: usize>(batch: &YsuArgs<'_, R>, tile: &Tile<W>) -> Ground<[R; W]> {
    let surface = &batch.surface;
    Ground {
        pressure: tile.read_column(&surface.pressure),
        roughness: tile.read_column(&surface.roughness),
        friction_velocity: tile.read_column(&surface.friction_velocity),
        profile_momentum: tile.read_column(&surface.profile_momentum),
        profile_heat: tile.read_column(&surface.profile_heat),
        land_or_water: tile.read_column(&surface.land_or_water),
        sensible_heat_flux: tile.read_column(&surface.sensible_heat_flux),
        moisture_flux: tile.read_column(&surface.moisture_flux),
        wind_speed: tile.read_column(&surface.wind_speed),
        richardson: tile.read_column(&surface.richardson),
        u_10m: tile.read_column(&surface.u_10m),
        v_10m: tile.read_column(&surface.v_10m),
        u_current: tile.read_column(&surface.u_current),
        v_current: tile.read_column(&surface.v_current),
        interface_pressure: interface_pressure(batch, tile, 0),
    }
}

/// The pressure of an interface.
#[inline(always)]
pub(crate) fn interface_pressure<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    level: usize,
) -> [R; W] {
    tile.read(&batch.interface_pressure, tile.offset(level, batch.interface_pressure.strides()))
}

/// A layer.
#[inline(always)]
pub(crate) fn stored<R: Real, const W: usize>(batch: &YsuArgs<'_, R>, tile: &Tile<W>, level: usize) -> Stored<[R; W]> {
    let air = &batch.air;
    prefetch_next_tile(batch, tile, level);
    let row = tile.offset(level, air.temperature.strides());
    let above = tile.offset(level + 1, batch.interface_pressure.strides());
    Stored {
        u: tile.read(&air.u, row),
        v: tile.read(&air.v, row),
        temperature: tile.read(&air.temperature, row),
        vapour: tile.read(&air.vapour, row),
        cloud_water: tile.read(&air.cloud_water, row),
        cloud_ice: tile.read(&air.cloud_ice, row),
        pressure: tile.read(&air.pressure, row),
        exner: tile.read(&air.exner, row),
        thickness: tile.read(&air.thickness, row),
        top_pressure: tile.read(&batch.interface_pressure, above),
    }
}

/// Says what the next tile of a CPU's thread will need of a level: the second-level cache holds all levels of a tile,
/// and they have time to arrive while this one is computed.
#[inline(always)]
fn prefetch_next_tile<R: Real, const W: usize>(batch: &YsuArgs<'_, R>, tile: &Tile<W>, level: usize) {
    if W == 1 {
        return;
    }
    let tile = tile.next();
    let (air, out) = (&batch.air, &batch.tendencies);
    let row = tile.offset(level, air.temperature.strides());
    let inputs = [&air.u, &air.v, &air.temperature, &air.vapour, &air.cloud_water, &air.cloud_ice];
    for field in inputs {
        tile.prefetch(field.as_ptr(), row);
    }
    for field in [&air.pressure, &air.exner, &air.thickness] {
        tile.prefetch(field.as_ptr(), row);
    }
    tile.prefetch(batch.interface_pressure.as_ptr(), tile.offset(level + 1, batch.interface_pressure.strides()));
    for field in [&out.u, &out.v, &out.theta, &out.vapour, &out.cloud_water, &out.cloud_ice] {
        tile.prefetch(field.as_ptr().cast_const(), row);
    }
    for field in [&batch.diffusivity_heat, &batch.diffusivity_momentum] {
        tile.prefetch(field.as_ptr().cast_const(), row);
    }
}

/// What a search needs of a layer.
#[inline(always)]
pub(crate) fn searched<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    level: usize,
) -> Searched<[R; W]> {
    let air = &batch.air;
    let row = tile.offset(level, air.temperature.strides());
    Searched {
        temperature: tile.read(&air.temperature, row),
        exner: tile.read(&air.exner, row),
        vapour: tile.read(&air.vapour, row),
        u: tile.read(&air.u, row),
        v: tile.read(&air.v, row),
        thickness: tile.read(&air.thickness, row),
    }
}

/// What entrainment needs of a layer, another one in each lane, or the uppermost.
#[inline(always)]
pub(crate) fn samples<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    layers: &[u32; W],
) -> Sample<[R; W]> {
    let air = &batch.air;
    let mut samples = Sample::<[R; W]>::ZEROS;
    for lane in 0..W {
        let layer = (layers[lane] as usize).min(batch.layers() - 1);
        let at = tile.offset_of_lane(layer, lane, air.temperature.strides());
        samples.u[lane] = tile.value(&air.u, at);
        samples.v[lane] = tile.value(&air.v, at);
        samples.temperature[lane] = tile.value(&air.temperature, at);
        samples.exner[lane] = tile.value(&air.exner, at);
        samples.vapour[lane] = tile.value(&air.vapour, at);
        samples.cloud_water[lane] = tile.value(&air.cloud_water, at);
        samples.cloud_ice[lane] = tile.value(&air.cloud_ice, at);
        samples.pressure[lane] = tile.value(&air.pressure, at);
    }
    samples
}

/// What the scan for a cloud's top needs of a layer.
#[inline(always)]
pub(crate) fn scanned<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    level: usize,
) -> Scanned<[R; W]> {
    let air = &batch.air;
    let row = tile.offset(level, air.temperature.strides());
    Scanned {
        temperature: tile.read(&air.temperature, row),
        exner: tile.read(&air.exner, row),
        cloud_water: tile.read(&air.cloud_water, row),
        cloud_ice: tile.read(&air.cloud_ice, row),
        thickness: tile.read(&air.thickness, row),
        u: tile.read(&air.u, row),
        v: tile.read(&air.v, row),
    }
}

/// What radiative cooling needs of a layer.
#[inline(always)]
pub(crate) fn cooled<R: Real, const W: usize>(batch: &YsuArgs<'_, R>, tile: &Tile<W>, level: usize) -> Cooled<[R; W]> {
    let air = &batch.air;
    let row = tile.offset(level, air.temperature.strides());
    Cooled {
        heating: tile.read(&air.radiative_heating, row),
        exner: tile.read(&air.exner, row),
        below: interface_pressure(batch, tile, level),
        above: interface_pressure(batch, tile, level + 1),
    }
}
