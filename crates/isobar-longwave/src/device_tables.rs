//! The tables of a k-distribution where kernels read them.

use std::sync::Arc;

use isobar_core::Real;
use isobar_launch::{Buffer, Error, Plain, Queue};

use crate::host::table_data::TableData;
use crate::tables::{BandRow, CloudTables, Quad, Tables};

// SAFETY: numbers.
unsafe impl<R: Real + Plain> Plain for BandRow<R> {}

// SAFETY: numbers.
unsafe impl<R: Real + Plain> Plain for Quad<R> {}

/// Tables in the memory of one device: of a CPU the host's own.
#[allow(clippy::large_enum_variant, reason = "there is one a device")]
pub enum DeviceTables<R: Real + Plain> {
    /// The host's.
    #[doc(hidden)]
    Host(Arc<TableData<R>>),
    /// A GPU's.
    #[doc(hidden)]
    Gpu(GpuTables<R>),
}

/// Tables in the memory of a GPU.
#[doc(hidden)]
pub struct GpuTables<R: Real + Plain> {
    coefficients: Buffer<R>,
    bands: Buffer<BandRow<R>>,
    quads: Buffer<Quad<R>>,
    atmosphere: Buffer<R>,
    planck: Buffer<R>,
    planck_derivative: Buffer<R>,
    ice_spheres: Buffer<R>,
    ice_fu: Buffer<R>,
    liquid: Buffer<R>,
    points: u32,
    terms: u32,
}

impl<R: Real + Plain> DeviceTables<R> {
    pub(crate) fn new(queue: &Queue, tables: &Arc<TableData<R>>) -> Result<Self, Error> {
        if queue.device().is_cpu() {
            return Ok(Self::Host(tables.clone()));
        }
        Ok(Self::Gpu(GpuTables {
            coefficients: queue.upload(&tables.coefficients)?,
            bands: queue.upload(&tables.bands)?,
            quads: queue.upload(&tables.quads)?,
            atmosphere: queue.upload(&tables.atmosphere)?,
            planck: queue.upload(&tables.planck)?,
            planck_derivative: queue.upload(&tables.planck_derivative)?,
            ice_spheres: queue.upload(&tables.ice_spheres)?,
            ice_fu: queue.upload(&tables.ice_fu)?,
            liquid: queue.upload(&tables.liquid)?,
            points: tables.points as u32,
            terms: tables.terms as u32,
        }))
    }

    pub(crate) fn view(&self) -> Tables<'_, R> {
        match self {
            Self::Host(tables) => tables.view(),
            Self::Gpu(tables) => Tables {
                coefficients: tables.coefficients.column(),
                bands: tables.bands.column(),
                quads: tables.quads.column(),
                atmosphere: tables.atmosphere.column(),
                planck: tables.planck.column(),
                planck_derivative: tables.planck_derivative.column(),
                clouds: CloudTables {
                    ice_spheres: tables.ice_spheres.column(),
                    ice_fu: tables.ice_fu.column(),
                    liquid: tables.liquid.column(),
                },
                points: tables.points,
                terms: tables.terms,
            },
        }
    }
}
