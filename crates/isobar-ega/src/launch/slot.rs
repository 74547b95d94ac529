//! The memory of a worker for the Jacobians of many atmospheres, and the views that kernels have of it.

use std::sync::Arc;

use isobar_launch::{Buffer, Queue};
use isobar_raytrace::hydrostatic_slopes::HydrostaticStep;
use isobar_raytrace::path::PathSummary;
use isobar_raytrace::track::Foot;

use super::resident::DeviceTables;
use super::scratch::{HostBuffer, first};
use crate::channel::Channel;
use crate::jacobian::{Batch, Case, CaseRay, Elements, Geometry};
use crate::radiance::NO_GAS;
use crate::{ForwardSetup, Interpolation};

/// A queue on a device and memory: what a worker leaves to the next run.
pub(super) struct Slot {
    pub(super) queue: Queue,
    pub(super) tables: Arc<DeviceTables<f64>>,
    pub(super) statuses: Buffer<u32>,
    pub(super) memory: Buffer<f64>,
    pub(super) results: HostBuffer<f64>,
    pub(super) summaries: Buffer<PathSummary<f64>>,
    pub(super) touched: Buffer<u32>,
    pub(super) inputs: Inputs,
}

/// What the kernels read.
#[derive(Default)]
pub(super) struct Inputs {
    pub(super) cases: Buffer<Case>,
    pub(super) channels: Buffer<Channel<f64>>,
    pub(super) rays: Buffer<CaseRay>,
    /// Heights, pressures, their slopes, temperatures, mixing ratios, extinctions, nodes of the cloud and of the
    /// surface.
    pub(super) numbers: [Buffer<f64>; 8],
    pub(super) wanted: Buffer<u32>,
    /// The weights of the radiances of some rays; empty where every radiance has its own derivatives.
    pub(super) weights: Buffer<f64>,
    /// The profiles of tracks; empty without.
    pub(super) feet: Buffer<Foot<f64>>,
    pub(super) in_atmosphere: Buffer<u32>,
    /// The steps of hydrostatic pressures; empty without.
    pub(super) hydrostatic: Buffer<HydrostaticStep>,
}

/// The shape of what a slot holds.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) rays: usize,
    pub(super) cases: usize,
    pub(super) elements: Elements,
    /// The profiles of each track; none where each atmosphere is one profile.
    pub(super) profiles: usize,
    /// Steps of hydrostatic pressures; none where pressures are what they are.
    pub(super) steps: usize,
    /// Elements by which derivatives are wanted; none: all.
    pub(super) wanted: usize,
}

impl Inputs {
    pub(super) fn batch<'b>(
        &'b self,
        setup: &ForwardSetup,
        tables: &'b DeviceTables<f64>,
        geometry: Geometry,
        Shape { rays, cases, elements, profiles, steps, wanted }: Shape,
    ) -> Batch<'b> {
        let (channels, levels) = (setup.wavenumbers_per_cm.len(), elements.levels);
        let gas = |name| setup.gas(name).map_or(NO_GAS, |gas| gas as u32);
        let [height, pressure, slope, temperature, mixing_ratio, extinction, cloud, surface] = &self.numbers;
        Batch {
            elements,
            tables: tables.view(),
            source: tables.source(channels),
            cases: first(&self.cases, cases),
            channels: self.channels.level_fastest(channels, cases),
            height_km: height.item_fastest(levels, cases),
            pressure_hpa: pressure.item_fastest(levels, cases),
            log_pressure_slope_per_km: slope.item_fastest(levels - 1, cases),
            temperature_k: temperature.item_fastest(levels, cases),
            mixing_ratio: mixing_ratio.item_fastest(levels, cases * elements.gases),
            extinction_per_km: extinction.item_fastest(levels, cases * elements.windows),
            feet: self.feet.level_fastest(profiles, if profiles > 0 { cases } else { 0 }),
            in_atmosphere: self.in_atmosphere.level_fastest(levels, if profiles > 0 { cases } else { 0 }),
            hydrostatic: self.hydrostatic.level_fastest(steps, if steps > 0 { cases } else { 0 }),
            rays: first(&self.rays, rays),
            wanted: self.wanted.level_fastest(wanted, if wanted > 0 { cases } else { 0 }),
            cloud_nodes: cloud.level_fastest(elements.cloud_nodes, channels),
            surface_nodes: surface.level_fastest(elements.surface_nodes, channels),
            solar_zenith_deg: setup.solar_zenith_deg.unwrap_or(-1.0),
            co2: gas("CO2"),
            h2o: gas("H2O"),
            transmittances_given: u32::from(setup.jurassic_exact),
            frozen: u32::from(geometry == Geometry::Frozen),
            logarithmic: u32::from(setup.interpolation == Interpolation::Logarithmic),
            first_channel: 0,
            tile: channels as u32,
            summed: 0,
        }
    }
}
