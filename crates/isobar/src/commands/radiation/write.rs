//! The output file.

use isobar_core::Real;
use isobar_core::fields::{AnyValues, OwnedOutputs};
use isobar_io::RadiationInput;
use isobar_io::netcdf::{DatasetWriter, Sample};
use isobar_launch::Device;
use isobar_radiation::{Fluxes, LONGWAVE_FLUX_BAND, SHORTWAVE_FLUX_BAND};

use super::Work;
use super::draw::Draw;
use super::gradient::Kernel;
use super::write_inputs::{BANDS, write_inputs};
use crate::commands::column_results::{Contents, Writer, begin, is_of_radiation, named, provenance};
use crate::program::failure::Failure;

/// The variables with their limits.
const LIMITS: [[&str; 2]; 2] = [
    ["longwave_band_lower_wavenumber", "longwave_band_upper_wavenumber"],
    ["shortwave_band_lower_wavenumber", "shortwave_band_upper_wavenumber"],
];

/// What was computed, of what.
pub(super) struct Results<'a, R> {
    pub(super) input: &'a RadiationInput,
    pub(super) fluxes: &'a Fluxes<R>,
    pub(super) kernels: &'a [Kernel<R>],
    /// How columns were drawn, and from which of the file's, if they were.
    pub(super) drawn: Option<(&'a Draw, &'a [usize])>,
}

/// Writes the results with the input's dimensions and orientation.
pub(super) fn write<R: Real + Sample>(
    work: &Work<'_>,
    devices: &[Device],
    results: Results<'_, R>,
    file: &mut DatasetWriter,
) -> Result<(), Failure> {
    let &Work { job, scheme, tables, .. } = work;
    let Results { input, fluxes, kernels, drawn } = results;
    let inputs = job.files.columns.iter().chain(tables.paths()).cloned().collect();
    let title = match tables.waves() {
        [true, false] => "Long-wave fluxes and heating rates",
        [false, true] => "Short-wave fluxes and heating rates",
        _ => "Fluxes and heating rates of radiation",
    };
    file.provenance(&provenance(title, devices, R::NAME, inputs))?;
    let columns = &input.columns;
    let layers = columns.temperature_k.len() / fluxes.status.len().max(1);
    let mut in_words = job.choices.in_words(scheme, tables, columns.is_cloudy());
    if job.choices.common.top_layer {
        let top_pa = tables.radiation::<f64>()?.spectra().top_pa();
        in_words += &format!("; a layer on top, up to {top_pa} Pa");
    }
    let mut texts = vec![("scheme", in_words), ("k_distribution", tables.description())];
    texts.extend(drawn.map(|(draw, _)| ("samples", draw.in_words())));
    let contents =
        Contents { layers, status: &fluxes.status, has_levels: true, texts: &texts, is_result: is_of_radiation };
    let mut writer = begin(file, input, contents)?;
    if let Some(text) = job.outside_in_words(&input.outside, tables) {
        writer.file.attribute("outside_tables", &text)?;
    }
    writer.pressures::<R>(&columns.pressure_pa, &columns.level_pressure_pa)?;
    if scheme.band_fluxes {
        for (wave, limits) in tables.band_limits().into_iter().enumerate().filter(|(_, limits)| !limits.is_empty()) {
            writer.bands(BANDS[wave], LIMITS[wave], limits.iter().copied())?;
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
                    writer.put(&named(declared), values, band).and_then(|()| net(&mut writer, declared.name, fluxes))
                }
                AnyValues::Word(_) => writer.status(&named(declared), "not_finite"),
            };
        }
    });
    outcome?;
    for Kernel { name, unit, long_name, values } in kernels {
        writer.put_derivatives(&(name, unit, long_name.clone(), None, None), values)?;
    }
    drawn.map_or(Ok(()), |(_, sources)| write_inputs::<R>(&mut writer, work, input, sources))
}

/// Writes upward less downward long-wave flux behind the downward one.
fn net<R: Real + Sample>(writer: &mut Writer<'_>, name: &str, fluxes: &Fluxes<R>) -> Result<(), Failure> {
    let (named, up, down) = match name {
        "longwave_down_w_per_m2" => (
            ("longwave_net_flux", "net_upward_longwave_flux_in_air"),
            &fluxes.longwave_up_w_per_m2,
            &fluxes.longwave_down_w_per_m2,
        ),
        "longwave_down_clear_w_per_m2" => (
            ("longwave_net_flux_clear", "net_upward_longwave_flux_in_air_assuming_clear_sky"),
            &fluxes.longwave_up_clear_w_per_m2,
            &fluxes.longwave_down_clear_w_per_m2,
        ),
        _ => return Ok(()),
    };
    let (name, standard_name) = named;
    let net: Vec<R> = up.iter().zip(down).map(|(&up, &down)| up - down).collect();
    let long_name = "upward less downward long-wave flux".to_owned();
    writer.put(&(name, "W m-2", long_name, Some(standard_name), None), &net, None)
}
