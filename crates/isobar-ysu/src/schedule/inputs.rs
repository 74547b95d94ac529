//! Reads of the inputs from memory: levels of the columns of a tile.

use isobar_core::Real;

use crate::arguments::YsuArgs;
use crate::physics::layer::Stored;
use crate::physics::richardson::Searched;
use crate::physics::sample::Sample;
use crate::physics::surface::Ground;
use crate::physics::top_down::{Cooled, Scanned};
use crate::schedule::tile::Tile;

/// The surface.
#[inline(always)]
pub(crate) fn ground<R: Real, const W: usize>(batch: &YsuArgs<'_, R>, tile: &Tile<W>) -> Ground<[R; W]> {
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
pub(crate) fn interface_pressure<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    level: usize,
) -> [R; W] {
    tile.read(&batch.columns.interface_pressure_pa, tile.offset(level, batch.columns.interface_pressure_pa.strides()))
}

/// A layer.
#[inline(always)]
pub(crate) fn stored<R: Real, const W: usize>(batch: &YsuArgs<'_, R>, tile: &Tile<W>, level: usize) -> Stored<[R; W]> {
    let air = &batch.columns;
    prefetch_next_tile(batch, tile, level);
    let row = tile.offset(level, batch.strides());
    let above = tile.offset(level + 1, batch.columns.interface_pressure_pa.strides());
    Stored {
        u: tile.read(&air.u_m_per_s, row),
        v: tile.read(&air.v_m_per_s, row),
        temperature: tile.read(&air.temperature_k, row),
        vapour: tile.read(&air.vapour_kg_per_kg, row),
        cloud_water: tile.read(&air.cloud_water_kg_per_kg, row),
        cloud_ice: tile.read(&air.cloud_ice_kg_per_kg, row),
        pressure: tile.read(&air.pressure_pa, row),
        exner: tile.read(&air.exner, row),
        thickness: tile.read(&air.thickness_m, row),
        top_pressure: tile.read(&batch.columns.interface_pressure_pa, above),
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
    let (air, out) = (&batch.columns, &batch.results);
    let row = tile.offset(level, batch.strides());
    let inputs = [
        &air.u_m_per_s,
        &air.v_m_per_s,
        &air.temperature_k,
        &air.vapour_kg_per_kg,
        &air.cloud_water_kg_per_kg,
        &air.cloud_ice_kg_per_kg,
    ];
    for field in inputs {
        tile.prefetch(field.as_ptr(), row);
    }
    for field in [&air.pressure_pa, &air.exner, &air.thickness_m] {
        tile.prefetch(field.as_ptr(), row);
    }
    let interfaces = &batch.columns.interface_pressure_pa;
    tile.prefetch(interfaces.as_ptr(), tile.offset(level + 1, interfaces.strides()));
    let row = tile.offset(level, batch.result_strides::<W>());
    for field in [
        &out.u_tendency_m_per_s2,
        &out.v_tendency_m_per_s2,
        &out.theta_tendency_k_per_s,
        &out.vapour_tendency_kg_per_kg_s,
        &out.cloud_water_tendency_kg_per_kg_s,
        &out.cloud_ice_tendency_kg_per_kg_s,
    ] {
        tile.prefetch(field.as_ptr().cast_const(), row);
    }
    for field in [&batch.results.diffusivity_heat_m2_per_s, &batch.results.diffusivity_momentum_m2_per_s] {
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
    let air = &batch.columns;
    let row = tile.offset(level, batch.strides());
    Searched {
        temperature: tile.read(&air.temperature_k, row),
        exner: tile.read(&air.exner, row),
        vapour: tile.read(&air.vapour_kg_per_kg, row),
        u: tile.read(&air.u_m_per_s, row),
        v: tile.read(&air.v_m_per_s, row),
        thickness: tile.read(&air.thickness_m, row),
    }
}

/// What entrainment needs of a layer, another one in each lane, or the uppermost.
#[inline(always)]
pub(crate) fn samples<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    layers: &[u32; W],
) -> Sample<[R; W]> {
    let air = &batch.columns;
    let mut samples = Sample::<[R; W]>::ZEROS;
    for lane in 0..W {
        let layer = (layers[lane] as usize).min(batch.layers() - 1);
        let at = tile.offset_of_lane(layer, lane, batch.strides());
        samples.u[lane] = tile.value(&air.u_m_per_s, at);
        samples.v[lane] = tile.value(&air.v_m_per_s, at);
        samples.temperature[lane] = tile.value(&air.temperature_k, at);
        samples.exner[lane] = tile.value(&air.exner, at);
        samples.vapour[lane] = tile.value(&air.vapour_kg_per_kg, at);
        samples.cloud_water[lane] = tile.value(&air.cloud_water_kg_per_kg, at);
        samples.cloud_ice[lane] = tile.value(&air.cloud_ice_kg_per_kg, at);
        samples.pressure[lane] = tile.value(&air.pressure_pa, at);
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
    let air = &batch.columns;
    let row = tile.offset(level, batch.strides());
    Scanned {
        temperature: tile.read(&air.temperature_k, row),
        exner: tile.read(&air.exner, row),
        cloud_water: tile.read(&air.cloud_water_kg_per_kg, row),
        cloud_ice: tile.read(&air.cloud_ice_kg_per_kg, row),
        thickness: tile.read(&air.thickness_m, row),
        u: tile.read(&air.u_m_per_s, row),
        v: tile.read(&air.v_m_per_s, row),
    }
}

/// What radiative cooling needs of a layer.
#[inline(always)]
pub(crate) fn cooled<R: Real, const W: usize>(batch: &YsuArgs<'_, R>, tile: &Tile<W>, level: usize) -> Cooled<[R; W]> {
    let air = &batch.columns;
    let row = tile.offset(level, batch.strides());
    Cooled {
        heating: tile.read(&air.radiative_heating_k_per_s, row),
        exner: tile.read(&air.exner, row),
        below: interface_pressure(batch, tile, level),
        above: interface_pressure(batch, tile, level + 1),
    }
}
