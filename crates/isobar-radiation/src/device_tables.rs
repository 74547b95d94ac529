//! Tables where kernels read them.

use std::sync::Arc;

use isobar_core::{Column, Real};
use isobar_launch::{Buffer, Error, Plain, Queue};
use isobar_optics::TableColumns;
use isobar_optics::tables::{AbsorberRow, BandRow, FlavourRow, LaneRow, Run};

use crate::host::cloud_optics::{self, CloudData, ICE, LIQUID, RAIN, SNOW, SPECIES};
use crate::host::spectrum::{Spectra, Spectrum};
use crate::order::Tables;

/// A table's row as bytes that travel to a device.
macro_rules! rows {
    ($($row:ident $of:ident),*) => {$(
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        struct $of($row);
        // SAFETY: numbers.
        unsafe impl Plain for $of {}
    )*};
}
rows!(BandRow Band, FlavourRow Flavour, LaneRow LaneOf, Run RunOf);

#[derive(Clone, Copy)]
#[repr(transparent)]
struct Absorber<R>(AbsorberRow<R>);
// SAFETY: numbers.
unsafe impl<R: Real + Plain> Plain for Absorber<R> {}

/// The tables of all spectra in the memory of one device: of a CPU the host's own.
pub enum DeviceTables<R: Real + Plain> {
    /// The host's.
    #[doc(hidden)]
    Host(Arc<Spectra<R>>),
    /// A GPU's.
    #[doc(hidden)]
    Gpu(Arc<Spectra<R>>, Vec<GpuTables<R>>),
}

/// The tables of a spectrum in the memory of a GPU.
#[doc(hidden)]
pub struct GpuTables<R: Real + Plain> {
    coefficients: Buffer<R>,
    bands: Buffer<Band>,
    flavour_rows: Buffer<Flavour>,
    ratios: Buffer<R>,
    absorbers: Buffer<Absorber<R>>,
    lanes: Buffer<LaneOf>,
    runs: Buffer<RunOf>,
    first_runs: Buffer<u32>,
    flux_runs: Buffer<RunOf>,
    first_flux_runs: Buffer<u32>,
    planck: Buffer<R>,
    solar: Buffer<R>,
    secants: Buffer<R>,
    first_temperature: Buffer<R>,
    particles: [Buffer<R>; SPECIES],
}

impl<R: Real + Plain> DeviceTables<R> {
    pub(crate) fn new(queue: &Queue, spectra: &Arc<Spectra<R>>) -> Result<Self, Error> {
        if queue.device().is_cpu() {
            return Ok(Self::Host(spectra.clone()));
        }
        let tables = spectra.each().map(|spectrum| GpuTables::new(queue, spectrum)).collect::<Result<_, _>>()?;
        Ok(Self::Gpu(spectra.clone(), tables))
    }

    /// Those of each spectrum.
    pub(crate) fn views(&self) -> Vec<Tables<'_, R>> {
        match self {
            Self::Host(spectra) => {
                spectra.each().map(|spectrum| Tables::new(spectrum.view(), &spectrum.optics)).collect()
            }
            Self::Gpu(spectra, tables) => {
                spectra.each().zip(tables).map(|(spectrum, tables)| tables.view(spectrum)).collect()
            }
        }
    }
}

impl<R: Real + Plain> GpuTables<R> {
    fn new(queue: &Queue, spectrum: &Spectrum<R>) -> Result<Self, Error> {
        let gases = &spectrum.gases;
        let (coefficients, bands) = gases.side_by_side();
        let of_species = |species: usize| spectrum.clouds.as_ref().map_or(&[][..], |clouds| &clouds.tables[species]);
        Ok(Self {
            coefficients: queue.upload(&coefficients)?,
            bands: queue.upload(&bands.into_iter().map(Band).collect::<Vec<_>>())?,
            flavour_rows: queue.upload(&gases.flavour_rows.iter().copied().map(Flavour).collect::<Vec<_>>())?,
            ratios: queue.upload(&gases.ratios)?,
            absorbers: queue.upload(&gases.absorbers.iter().copied().map(Absorber).collect::<Vec<_>>())?,
            lanes: queue.upload(&gases.lanes.iter().copied().map(LaneOf).collect::<Vec<_>>())?,
            runs: queue.upload(&gases.runs.iter().copied().map(RunOf).collect::<Vec<_>>())?,
            first_runs: queue.upload(&gases.first_runs)?,
            flux_runs: queue.upload(&gases.flux_runs.iter().copied().map(RunOf).collect::<Vec<_>>())?,
            first_flux_runs: queue.upload(&gases.first_flux_runs)?,
            planck: queue.upload(&gases.planck)?,
            solar: queue.upload(&gases.solar)?,
            secants: queue.upload(&gases.secants)?,
            first_temperature: queue.upload(&gases.first_temperature)?,
            particles: [
                queue.upload(of_species(LIQUID))?,
                queue.upload(of_species(ICE))?,
                queue.upload(of_species(RAIN))?,
                queue.upload(of_species(SNOW))?,
            ],
        })
    }

    fn view<'a>(&'a self, spectrum: &Spectrum<R>) -> Tables<'a, R> {
        let gases = spectrum.gases.view_of(TableColumns {
            coefficients: self.coefficients.column(),
            bands: unwrapped(self.bands.column()),
            flavour_rows: unwrapped(self.flavour_rows.column()),
            ratios: self.ratios.column(),
            absorbers: unwrapped(self.absorbers.column()),
            lanes: unwrapped(self.lanes.column()),
            runs: unwrapped(self.runs.column()),
            first_runs: self.first_runs.column(),
            flux_runs: unwrapped(self.flux_runs.column()),
            first_flux_runs: self.first_flux_runs.column(),
            planck: self.planck.column(),
            solar: self.solar.column(),
            secants: self.secants.column(),
            first_temperature: self.first_temperature.column(),
        });
        let view = |clouds: &CloudData<R>| clouds.view_of(self.particles.each_ref().map(Buffer::column));
        let clouds = spectrum.clouds.as_ref().map_or_else(cloud_optics::none, view);
        Tables::new((gases, clouds), &spectrum.optics)
    }
}

/// The rows themselves.
fn unwrapped<T: Copy, U: Copy>(column: Column<'_, T>) -> Column<'_, U> {
    const { assert!(size_of::<T>() == size_of::<U>()) };
    // SAFETY: callers' rows are transparent wrappers.
    unsafe { Column::from_raw(column.as_ptr().cast(), column.len(), column.stride()) }
}
