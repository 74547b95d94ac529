//! What samples were computed from, as `isobar radiation` reads it again.

use isobar_core::Real;
use isobar_core::fields::{LAYER, LEVEL, OwnedInputs};
use isobar_io::RadiationInput;
use isobar_io::netcdf::{Orientation, Sample};
use isobar_radiation::{INTERFACE, LONGWAVE_BAND, SHORTWAVE_BAND};

use super::Work;
use super::write::BANDS;
use crate::commands::column_results::{Writer, named, variable};
use crate::program::failure::Failure;

/// Writes the inputs of samples, but for pressures, and the columns of the file that they were.
pub(super) fn write_inputs<R: Real + Sample>(
    writer: &mut Writer<'_>,
    work: &Work<'_>,
    input: &RadiationInput,
    sources: &[usize],
) -> Result<(), Failure> {
    let count = sources.len();
    let layers = input.columns.layers();
    let top_first = input.orientation == Orientation::TopFirst;
    let mut bands = work.tables.flux_bands().map(|bands| if work.scheme.band_fluxes { bands } else { 0 });
    let mut outcome = Ok(());
    input.columns.rounded::<R>().each_real(&mut |declared, values| {
        if outcome.is_err() || values.is_empty() || ["pressure_pa", "level_pressure_pa"].contains(&declared.name) {
            return;
        }
        let vertical = match declared.shape.first() {
            Some(&LAYER) => Some(("layer", layers)),
            Some(&LEVEL) => Some(("level", layers + 1)),
            Some(&INTERFACE) => Some(("layer_interface", layers - 1)),
            _ => None,
        };
        let levels = vertical.map_or(1, |(_, levels)| levels);
        if values.len() == 1 {
            *values = vec![values[0]; levels * count];
        }
        let mut dimensions: Vec<&str> = vertical.iter().map(|(name, _)| *name).collect();
        let each = values.len() / (levels * count);
        let wave =
            declared.shape.last().and_then(|last| [LONGWAVE_BAND, SHORTWAVE_BAND].iter().position(|b| b == last));
        let mut put = || -> Result<(), Failure> {
            if let (Some(wave), true) = (wave, each > 1) {
                match bands[wave] {
                    0 => writer.file.dimension(BANDS[wave], each)?,
                    known if known == each => (),
                    known => {
                        let what = format!("fluxes have {known} bands, {} has {each}", declared.file_name);
                        return Err(Failure::usage(format!("--bands: {what}: not both in a file")));
                    }
                }
                bands[wave] = each;
                dimensions.push(BANDS[wave]);
            }
            if declared.shape.first() == Some(&INTERFACE) {
                writer.file.dimension("layer_interface", levels)?;
            }
            dimensions.push("column");
            let named = named(declared);
            let variable = variable(&named, &dimensions);
            if top_first && vertical.is_some() {
                let turned: Vec<R> = values.chunks(each * count).rev().flatten().copied().collect();
                return Ok(writer.file.variable(&variable, &turned)?);
            }
            Ok(writer.file.variable(&variable, values)?)
        };
        outcome = put();
    });
    outcome?;
    let named = ("source_column", "1", "column of the file that this was, from 0".to_owned(), None, None);
    let sources: Vec<i32> = sources.iter().map(|&source| source as i32).collect();
    Ok(writer.file.variable(&variable(&named, &["column"]), &sources)?)
}
