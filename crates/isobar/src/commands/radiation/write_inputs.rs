//! What samples were computed from, as `isobar radiation` reads it again.

use isobar_core::Real;
use isobar_core::fields::{Declared, LAYER, LEVEL, OwnedInputs};
use isobar_io::RadiationInput;
use isobar_io::netcdf::{Orientation, Sample};
use isobar_radiation::{CloudSolver, INTERFACE, LONGWAVE_BAND, SHORTWAVE_BAND};

use super::Work;
use crate::commands::column_results::{Writer, named, variable};
use crate::program::failure::Failure;

/// The dimensions of bands, of the long wave and the short wave.
pub(super) const BANDS: [&str; 2] = ["longwave_band", "shortwave_band"];

/// Refuses inputs of samples by other bands than fluxes have, as writing them does.
pub(super) fn check_bands(work: &Work<'_>, input: &RadiationInput) -> Result<(), Failure> {
    let (count, layers) = (input.columns.columns(), input.columns.layers());
    let mut known = flux_bands(work);
    let mut outcome = Ok(());
    input.columns.clone().each_real(&mut |declared, values| {
        if let Some((wave, bands)) = bands_of(declared, values.len(), [layers, count])
            && outcome.is_ok()
        {
            outcome = are_new(&mut known[wave], bands, declared).map(|_| ());
        }
    });
    outcome
}

/// The bands of each spectrum that fluxes have, 0 if they have none.
fn flux_bands(work: &Work<'_>) -> [usize; 2] {
    work.tables.flux_bands().map(|bands| if work.scheme.band_fluxes { bands } else { 0 })
}

/// The vertical dimension of a field, and its size.
fn vertical(declared: &Declared, layers: usize) -> Option<(&'static str, usize)> {
    match declared.shape.first() {
        Some(&LAYER) => Some(("layer", layers)),
        Some(&LEVEL) => Some(("level", layers + 1)),
        Some(&INTERFACE) => Some(("layer_interface", layers - 1)),
        _ => None,
    }
}

/// Of which spectrum a field with so many values, or one for all, has how many bands, if it is written with them.
fn bands_of(declared: &Declared, values: usize, [layers, count]: [usize; 2]) -> Option<(usize, usize)> {
    let vertical = vertical(declared, layers);
    let bands = if values == 1 { 1 } else { values / (vertical.map_or(1, |(_, levels)| levels) * count) };
    let wave = [LONGWAVE_BAND, SHORTWAVE_BAND].iter().position(|band| declared.shape.last() == Some(band))?;
    // What has a value for each layer and band is not read without its bands, of which there may be one.
    (bands > 1 || (vertical.is_some() && bands > 0)).then_some((wave, bands))
}

/// Whether these are the first bands of a spectrum; other ones are refused.
fn are_new(known: &mut usize, bands: usize, declared: &Declared) -> Result<bool, Failure> {
    match std::mem::replace(known, bands) {
        0 => Ok(true),
        before if before == bands => Ok(false),
        before => {
            let what = format!("fluxes have {before} bands, {} has {bands}", declared.file_name);
            Err(Failure::usage(format!("--bands: {what}, and a file cannot have both")))
        }
    }
}

/// Writes the inputs of samples, but for pressures, and the columns of the file that they were.
pub(super) fn write_inputs<R: Real + Sample>(
    writer: &mut Writer<'_>,
    work: &Work<'_>,
    input: &RadiationInput,
    sources: &[usize],
) -> Result<(), Failure> {
    let mut inputs = Inputs {
        count: sources.len(),
        layers: input.columns.layers(),
        top_first: input.orientation == Orientation::TopFirst,
        bands: flux_bands(work),
        writer,
    };
    let mut outcome = Ok(());
    input.columns.rounded::<R>().each_real(&mut |declared, values| {
        let is_written = ["pressure_pa", "level_pressure_pa"].contains(&declared.name);
        if outcome.is_ok() && !values.is_empty() && !is_written {
            outcome = inputs.put(declared, values);
        }
    });
    outcome?;
    let draws = work.scheme.cloud_solver == CloudSolver::McIca && input.columns.is_cloudy();
    if draws && work.tables.radiation::<f64>()?.spectra().gas_optics().next().is_some() {
        let named = ("subcolumn_seed", "1", "seed of the random sub-columns of clouds".to_owned(), None, None);
        let seeds: Vec<i32> = input.columns.subcolumn_seed.iter().map(|&seed| seed as i32).collect();
        writer.file.variable(&variable(&named, &["column"]), &seeds)?;
    }
    let named = ("source_column", "1", "column of the file that this was, from 0".to_owned(), None, None);
    let sources: Vec<i32> = sources.iter().map(|&source| source as i32).collect();
    Ok(writer.file.variable(&variable(&named, &["column"]), &sources)?)
}

/// Inputs on their way into a file.
struct Inputs<'a, 'b> {
    count: usize,
    layers: usize,
    top_first: bool,
    /// The bands of each spectrum that the file has, 0 if it has none so far.
    bands: [usize; 2],
    writer: &'a mut Writer<'b>,
}

impl Inputs<'_, '_> {
    /// Writes a field, `[(layer * bands + band) * columns + column]`, or one value for all.
    fn put<R: Real + Sample>(&mut self, declared: &'static Declared, values: &[R]) -> Result<(), Failure> {
        let (count, layers) = (self.count, self.layers);
        let vertical = vertical(declared, layers);
        let levels = vertical.map_or(1, |(_, levels)| levels);
        let values = if let [one] = values { vec![*one; levels * count] } else { values.to_vec() };
        let mut dimensions: Vec<&str> = vertical.iter().map(|(name, _)| *name).collect();
        if declared.shape.first() == Some(&INTERFACE) {
            self.writer.file.dimension("layer_interface", levels)?;
        }
        let bands = values.len() / (levels * count);
        if let Some((wave, bands)) = bands_of(declared, values.len(), [layers, count]) {
            if are_new(&mut self.bands[wave], bands, declared)? {
                self.writer.file.dimension(BANDS[wave], bands)?;
            }
            dimensions.push(BANDS[wave]);
        }
        dimensions.push("column");
        let rows = values.chunks(bands * count);
        let values: Vec<R> =
            if self.top_first && vertical.is_some() { rows.rev().flatten().copied().collect() } else { values };
        let named = named(declared);
        Ok(self.writer.file.variable(&variable(&named, &dimensions), &values)?)
    }
}
