//! What absorbs in a gas.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use isobar_core::Column;
use isobar_io::WaterContinuum;
use isobar_launch::Device;
use isobar_spectra::launch::Precision;
use isobar_spectra::lists::{CollisionInduced, CrossSections};
use isobar_spectra::physics::collision_induced::absorption_per_cm;
use isobar_spectra::physics::water_continuum::Coefficients;
use isobar_spectra::{Air, Gas, Grid, Options, SpectraError, each_cross_sections};
use rayon::prelude::*;

/// The mole fractions of dry air that count where a state says nothing else: nitrogen and oxygen.
pub const DRY_AIR: [(&str, f64); 2] = [("N2", 0.780_84), ("O2", 0.209_46)];

/// A gas with all that absorbs in proportion to its column density.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its name, as `H2O`.
    pub name: String,
    /// Its lines.
    pub lines: Option<Gas>,
    /// How lines are computed.
    pub options: Options,
    /// Measured cross-sections, in addition.
    pub cross_sections: Option<CrossSections>,
    /// The water continuum, in addition, for lines without their pedestals.
    pub water_continuum: Option<WaterContinuum>,
}

impl Source {
    /// Cross-sections \[cm^2/molecule\] over a grid in each air, on the devices. `progress` is told how many are done.
    ///
    /// # Errors
    /// Those of [`isobar_spectra::cross_sections`].
    pub fn cross_sections<R: Precision>(
        &self,
        devices: &[Device],
        grid: &Grid,
        airs: &[Air<f64>],
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Vec<f64>>, SpectraError> {
        let results: Vec<Mutex<Vec<f64>>> = airs.iter().map(|_| Mutex::default()).collect();
        let done = AtomicUsize::new(0);
        self.each_cross_sections::<R>(devices, grid, airs, [None, None], &|number, spectrum| {
            *results[number].lock().expect("no worker panics") = spectrum;
            progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        })?;
        Ok(results.into_iter().map(|result| result.into_inner().expect("no worker panics")).collect())
    }

    /// Calls `each` with the number of every air and the cross-sections in it, as [`each_cross_sections`] does.
    ///
    /// # Errors
    /// Those of [`each_cross_sections`].
    pub fn each_cross_sections<R: Precision>(
        &self,
        devices: &[Device],
        grid: &Grid,
        airs: &[Air<f64>],
        stop: [Option<&AtomicBool>; 2],
        each: &(dyn Fn(usize, Vec<f64>) + Sync),
    ) -> Result<(), SpectraError> {
        let complete = |number: usize, mut spectrum: Vec<f64>| {
            self.add_what_has_no_lines(grid, &airs[number], &mut spectrum);
            each(number, spectrum);
        };
        if let Some(lines) = &self.lines {
            return each_cross_sections::<R>(devices, lines, grid, self.options, airs, stop, &complete);
        }
        let stopped = || stop.iter().flatten().any(|stop| stop.load(Ordering::Relaxed));
        let one = |number: usize| {
            if stopped() {
                return Err(isobar_launch::Error::Stopped.into());
            }
            complete(number, vec![0.0; grid.wavenumbers_per_cm().len()]);
            Ok(())
        };
        (0..airs.len()).into_par_iter().try_for_each(one)
    }

    /// Measured cross-sections and the continuum.
    fn add_what_has_no_lines(&self, grid: &Grid, air: &Air<f64>, sum: &mut [f64]) {
        let nu = grid.wavenumbers_per_cm();
        let Air { pressure_hpa, temperature_k, mole_fraction } = *air;
        if let Some(measured) = &self.cross_sections {
            let more = |(sum, &nu): (&mut f64, &f64)| *sum += measured.at(nu, pressure_hpa, temperature_k);
            sum.iter_mut().zip(nu).for_each(more);
        }
        if let Some(continuum) = &self.water_continuum {
            let coefficients = Coefficients {
                first_per_cm: continuum.first_per_cm,
                step_per_cm: continuum.step_per_cm,
                own: Column::from(continuum.own.as_slice()),
                foreign: Column::from(continuum.foreign.as_slice()),
                exponent: Column::from(continuum.exponent.as_slice()),
            };
            let c2 = self.options.constants.second_radiation_cm_k;
            let at = |nu: f64| coefficients.at(nu, pressure_hpa, temperature_k, mole_fraction, c2);
            sum.iter_mut().zip(nu).for_each(|(sum, &nu)| *sum += at(nu));
        }
    }
}

/// Molecules of air \[1/cm^3\] at a pressure \[hPa\] and temperature \[K\].
#[must_use]
pub fn air_per_cm3(pressure_hpa: f64, temperature_k: f64, options: &Options) -> f64 {
    // 1e-4 = 100 Pa/hPa * 1e-6 m^3/cm^3
    1e-4 * pressure_hpa / (options.constants.boltzmann_j_per_k * temperature_k)
}

/// The absorption coefficient of a pair of molecules \[cm^-1\] at each wavenumber, in air of a pressure \[hPa\] and
/// temperature \[K\]. `fraction` gives the mole fraction of a gas by its name; of `Air` it is 1.
pub fn collision_induced_per_cm(
    pair: &CollisionInduced,
    wavenumbers_per_cm: &[f64],
    (pressure_hpa, temperature_k): (f64, f64),
    fraction: impl Fn(&str) -> f64,
    options: &Options,
) -> Vec<f64> {
    let air = air_per_cm3(pressure_hpa, temperature_k, options);
    let (first, second) = molecules_of(pair);
    let density = |name: &str| if name.eq_ignore_ascii_case("air") { air } else { fraction(name) * air };
    let (first, second) = (density(first), density(second));
    let at = |&nu: &f64| absorption_per_cm(pair.at(nu, temperature_k).max(0.0), first, second);
    wavenumbers_per_cm.iter().map(at).collect()
}

/// The two molecules of a pair like `N2-O2`.
#[must_use]
pub fn molecules_of(pair: &CollisionInduced) -> (&str, &str) {
    let (first, second) = pair.pair().split_once('-').unwrap_or((pair.pair(), pair.pair()));
    (first.trim(), second.trim())
}
