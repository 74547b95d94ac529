//! What stays on a device: the tables for all runs, the atmosphere and the channels for one.

use std::sync::Arc;

use isobar_core::{Column, Field, Real};
use isobar_launch::{Buffer, Error, Plain, Queue};
use isobar_raytrace::profile::Profile;
use isobar_raytrace::track::{Foot, Track};

use crate::TableData;
use crate::channel::{Channel, Channels};
use crate::constants::SOURCE_NODES;
use crate::curve::CurveHead;
use crate::state::State;
use crate::tables::{GridHead, LevelHead, TableHead, Tables};

/// What stays on one device for all runs: source functions, and the tables, which a CPU shares with the caller.
pub struct DeviceTables<R: Plain> {
    tables: TableStorage,
    /// `(temperature node, channel)`; neighbours are the channels on a CPU, the nodes on a GPU: what a team reads.
    source: Buffer<R>,
}

enum TableStorage {
    Host(Arc<TableData>),
    Copied(Box<TableBuffers>),
}

struct TableBuffers {
    tables: Buffer<TableHead>,
    grids: Buffer<GridHead>,
    levels: Buffer<LevelHead>,
    temperatures_k: Buffer<f64>,
    curves: Buffer<CurveHead>,
    column_per_cm2: Buffer<f32>,
    inverse_width_cm2: Buffer<f64>,
    inverse_width_cm2_f32: Buffer<f32>,
    emissivity: Buffer<f32>,
}

impl<R: Real + Plain> DeviceTables<R> {
    pub(super) fn new(queue: &Queue, data: &Arc<TableData>, source: &[R]) -> Result<Self, Error> {
        if queue.device().is_cpu() {
            return Ok(Self { tables: TableStorage::Host(data.clone()), source: queue.upload(source)? });
        }
        let channels = source.len() / SOURCE_NODES;
        let by_channel: Vec<R> =
            (0..source.len()).map(|i| source[i % SOURCE_NODES * channels + i / SOURCE_NODES]).collect();
        let source = queue.upload(&by_channel)?;
        let parts = data.parts();
        let buffers = TableBuffers {
            tables: queue.upload(parts.tables)?,
            grids: queue.upload(parts.grids)?,
            levels: queue.upload(parts.levels)?,
            temperatures_k: queue.upload(parts.temperatures_k)?,
            curves: queue.upload(parts.curves)?,
            column_per_cm2: queue.upload(parts.column_per_cm2)?,
            inverse_width_cm2: queue.upload(parts.inverse_width_cm2)?,
            inverse_width_cm2_f32: queue.upload(parts.inverse_width_cm2_f32)?,
            emissivity: queue.upload(parts.emissivity)?,
        };
        Ok(Self { tables: TableStorage::Copied(Box::new(buffers)), source })
    }

    /// The source function, `(temperature node, channel)`.
    pub(super) fn source(&self, channels: usize) -> Field<'_, R> {
        match self.tables {
            TableStorage::Host(_) => self.source.item_fastest(SOURCE_NODES, channels),
            TableStorage::Copied(_) => self.source.level_fastest(SOURCE_NODES, channels),
        }
    }

    pub(super) fn view(&self) -> Tables<'_> {
        match &self.tables {
            TableStorage::Host(data) => data.view(),
            TableStorage::Copied(b) => Tables {
                tables: b.tables.column(),
                grids: b.grids.column(),
                levels: b.levels.column(),
                temperatures_k: b.temperatures_k.column(),
                curves: b.curves.column(),
                column_per_cm2: b.column_per_cm2.column(),
                inverse_width_cm2: b.inverse_width_cm2.column(),
                inverse_width_cm2_f32: b.inverse_width_cm2_f32.column(),
                emissivity: b.emissivity.column(),
            },
        }
    }
}

/// The atmosphere and the channels on a device.
pub(super) struct Resident<R: Plain> {
    height_km: Buffer<f64>,
    pressure_hpa: Buffer<f64>,
    log_pressure_slope_per_km: Buffer<f64>,
    temperature_k: Buffer<f64>,
    mixing_ratio: Buffer<f64>,
    extinction_per_km: Buffer<f64>,
    feet: Buffer<Foot<f64>>,
    ends_km: [f64; 2],
    channels: Buffer<Channel<R>>,
    wavenumber_per_cm: Buffer<f64>,
}

impl<R: Real + Plain> Resident<R> {
    pub(super) fn new(queue: &Queue, state: &State<R>, wavenumbers_per_cm: &[f64]) -> Result<Self, Error> {
        Ok(Self {
            height_km: queue.upload(&state.profile.height_km)?,
            pressure_hpa: queue.upload(&state.profile.pressure_hpa)?,
            log_pressure_slope_per_km: queue.upload(&state.profile.log_pressure_slope_per_km)?,
            temperature_k: queue.upload(&state.profile.temperature_k)?,
            mixing_ratio: queue.upload(&state.profile.mixing_ratio)?,
            extinction_per_km: queue.upload(&state.profile.extinction_per_km)?,
            feet: queue.upload(&state.profile.feet)?,
            ends_km: state.profile.ends_km(),
            channels: queue.upload(&state.channels)?,
            wavenumber_per_cm: queue.upload(wavenumbers_per_cm)?,
        })
    }

    /// The profiles of a track; nothing where one profile counts everywhere.
    pub(super) fn track(&self) -> Option<Track<'_, f64>> {
        let [lowest_km, highest_km] = self.ends_km;
        (!self.feet.is_empty()).then(|| Track {
            levels: self.profile(),
            feet: self.feet.column(),
            lowest_km,
            highest_km,
        })
    }

    pub(super) fn profile(&self) -> Profile<'_, f64> {
        let levels = self.height_km.len();
        Profile {
            height_km: self.height_km.column(),
            pressure_hpa: self.pressure_hpa.column(),
            log_pressure_slope_per_km: self.log_pressure_slope_per_km.column(),
            temperature_k: self.temperature_k.column(),
            mixing_ratio: self.mixing_ratio.level_fastest(levels, self.mixing_ratio.len() / levels),
            extinction_per_km: self.extinction_per_km.level_fastest(levels, self.extinction_per_km.len() / levels),
        }
    }

    pub(super) fn wavenumber_per_cm(&self) -> Column<'_, f64> {
        self.wavenumber_per_cm.column()
    }

    pub(super) fn channels<'a>(&'a self, tables: &'a DeviceTables<R>) -> Channels<'a, R> {
        let channels = self.channels.column();
        Channels { channels, source: tables.source(channels.len()) }
    }
}
