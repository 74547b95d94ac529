//! The tables of a k-distribution in the memory of one device.

use isobar_core::Real;
use isobar_launch::{Buffer, Error, Plain, Queue};

use super::ptx::load;
use crate::tables::{BandRow, CloudTables, QUADS, Quad, Tables};
use crate::{Extents, TableData};

/// Tables on a device, for all that computes there.
#[derive(Debug)]
pub struct DeviceTables<R: Real + Plain> {
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
    /// Takes the tables to the device of a queue.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], or what the driver answers.
    pub fn new(queue: &Queue, tables: &TableData<R>) -> Result<Self, Error> {
        load(queue)?;
        Ok(Self {
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
        })
    }

    /// The extents of columns of so many layers.
    pub(super) fn extents(&self, layers: usize) -> Extents {
        let (bands, points, terms) = (self.bands.len(), self.points as usize, self.terms as usize);
        Extents { layers, bands, points, warps: self.quads.len() / QUADS, terms }
    }

    pub(super) fn view(&self) -> Tables<'_, R> {
        Tables {
            coefficients: self.coefficients.column(),
            bands: self.bands.column(),
            quads: self.quads.column(),
            atmosphere: self.atmosphere.column(),
            planck: self.planck.column(),
            planck_derivative: self.planck_derivative.column(),
            clouds: CloudTables {
                ice_spheres: self.ice_spheres.column(),
                ice_fu: self.ice_fu.column(),
                liquid: self.liquid.column(),
            },
            points: self.points,
            terms: self.terms,
        }
    }
}
