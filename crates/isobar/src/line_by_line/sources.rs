//! What absorbs in a gas.

use isobar_core::Column;
use isobar_io::WaterContinuum;
use isobar_launch::Device;
use isobar_spectra::launch::Precision;
use isobar_spectra::lists::{CollisionInduced, CrossSections};
use isobar_spectra::physics::collision_induced::absorption_per_cm;
use isobar_spectra::physics::water_continuum::Coefficients;
use isobar_spectra::{Air, Gas, Grid, Options, SpectraError, cross_sections};

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
        let nu = grid.wavenumbers_per_cm();
        let mut sums = match &self.lines {
            Some(lines) => cross_sections::<R>(devices, lines, grid, self.options, airs, progress)?,
            None => vec![vec![0.0; nu.len()]; airs.len()],
        };
        for (sum, air) in sums.iter_mut().zip(airs) {
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
        Ok(sums)
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
