//! The tables of a k-distribution in the memory of one device.

use isobar_core::Real;
use isobar_longwave::tables::{BandRow, CloudTables, PLANCK_PITCH, PLANCK_PITCH_OF_GPU, QUADS, Quad, Tables};
use isobar_longwave::{Extents, TableData};

use crate::{Buffer, Device, Error, Plain, Queue};

/// Tables on a device, for all that computes there.
#[derive(Debug)]
pub struct DeviceTables<R: Real + Plain> {
    coefficients: Buffer<R>,
    bands: Buffer<BandRow<R>>,
    quads: Buffer<Quad<R>>,
    atmosphere: Buffer<R>,
    planck: Buffer<R>,
    planck_derivative: Buffer<R>,
    planck_pitch: [u32; 2],
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
        let planck_pitch = if queue.device() == Device::Cpu { PLANCK_PITCH } else { PLANCK_PITCH_OF_GPU };
        let planck = |table: &[R]| {
            if planck_pitch == PLANCK_PITCH {
                return queue.upload(table);
            }
            let bands = PLANCK_PITCH[0] as usize;
            let transposed = (0..bands).flat_map(|band| table.iter().copied().skip(band).step_by(bands));
            queue.upload(&transposed.collect::<Vec<_>>())
        };
        Ok(Self {
            coefficients: queue.upload(&tables.coefficients)?,
            bands: queue.upload(&tables.bands)?,
            quads: queue.upload(&tables.quads)?,
            atmosphere: queue.upload(&tables.atmosphere)?,
            planck: planck(&tables.planck)?,
            planck_derivative: planck(&tables.planck_derivative)?,
            planck_pitch,
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
            planck_pitch: self.planck_pitch,
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
