//! The output file.

use isobar_core::Real;
use isobar_core::fields::{AnyValues, OwnedOutputs};
use isobar_io::RadiationInput;
use isobar_io::netcdf::{NetcdfOutput, Sample};
use isobar_launch::Device;
use isobar_radiation::{Fluxes, LONGWAVE_FLUX_BAND, Options, SHORTWAVE_FLUX_BAND};

use super::Job;
use super::tables::Tables;
use crate::commands::Failure;
use crate::commands::column_results::{Layout, named, provenance};

/// The dimensions of bands, of the long wave and the short wave.
const BANDS: [&str; 2] = ["longwave_band", "shortwave_band"];
/// The variables with their limits.
const LIMITS: [[&str; 2]; 2] = [
    ["longwave_band_lower_wavenumber", "longwave_band_upper_wavenumber"],
    ["shortwave_band_lower_wavenumber", "shortwave_band_upper_wavenumber"],
];

/// Writes the results with the input's dimensions and orientation.
pub(super) fn write<R: Real + Sample>(
    job: Job<'_>,
    (scheme, tables): (&Options, &Tables),
    devices: &[Device],
    (input, fluxes): (&RadiationInput, &Fluxes<R>),
    mut file: NetcdfOutput,
) -> Result<(), Failure> {
    let inputs = std::iter::once(&job.files.columns).chain(tables.paths()).cloned().collect();
    let title = match tables.waves() {
        [true, false] => "Long-wave fluxes and heating rates",
        [false, true] => "Short-wave fluxes and heating rates",
        _ => "Fluxes and heating rates of radiation",
    };
    file.provenance(&provenance(title, devices, R::NAME, inputs))?;
    let columns = &input.columns;
    let layout = Layout {
        horizontal: &input.horizontal,
        vertical: input.vertical,
        orientation: input.orientation,
        layers: columns.temperature_k.len() / fluxes.status.len().max(1),
        status: &fluxes.status,
    };
    layout.say_orientation(&mut file)?;
    file.attribute("scheme", &job.choices.in_words(scheme, tables.waves(), !columns.cloud_fraction.is_empty()))?;
    file.attribute("k_distribution", &tables.description())?;
    let derived = [&input.derived[..], &input.notes].concat();
    if !derived.is_empty() {
        file.attribute("derived", &derived.join("\n"))?;
    }
    if let Some(text) = job.outside_in_words(input) {
        file.attribute("outside_tables", &text)?;
    }
    let mut writer = layout.writer(file)?;
    writer.pressures::<R>(&columns.pressure_pa, &columns.level_pressure_pa)?;
    if scheme.band_fluxes {
        for gases in tables.gases() {
            let wave = usize::from(!gases.is_longwave());
            writer.bands(BANDS[wave], LIMITS[wave], gases.band_limits_per_cm.iter().copied())?;
        }
    }
    let bands = |wave: usize| Some((BANDS[wave], tables.flux_bands()[wave]));
    let mut outcome = Ok(());
    fluxes.each(&mut |declared, values| {
        if outcome.is_ok() {
            outcome = match values {
                AnyValues::Real([]) => Ok(()),
                AnyValues::Real(values) => {
                    let band = match declared.shape {
                        [_, LONGWAVE_FLUX_BAND] => bands(0),
                        [_, SHORTWAVE_FLUX_BAND] => bands(1),
                        _ => None,
                    };
                    writer.put(&named(declared), values, band)
                }
                AnyValues::Word(_) => writer.status(declared),
            };
        }
    });
    outcome?;
    writer.file.commit()?;
    Ok(())
}
