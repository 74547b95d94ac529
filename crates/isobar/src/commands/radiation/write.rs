//! The output file.

use isobar_core::Real;
use isobar_core::fields::{AnyValues, OwnedOutputs};
use isobar_io::RadiationInput;
use isobar_io::netcdf::{NetcdfOutput, Sample};
use isobar_launch::Device;
use isobar_radiation::Fluxes;

use super::Radiation;
use super::tables::Tables;
use crate::commands::Failure;
use crate::commands::column_results::{Layout, named, provenance};

/// Writes the results with the input's dimensions and orientation.
pub(super) fn write<R: Real + Sample>(
    options: &Radiation,
    tables: &Tables,
    devices: &[Device],
    (input, fluxes): (&RadiationInput, &Fluxes<R>),
    mut file: NetcdfOutput,
) -> Result<(), Failure> {
    let inputs = std::iter::once(&options.columns).chain(tables.paths()).cloned().collect();
    file.provenance(&provenance("Fluxes and heating rates of radiation", devices, R::NAME, inputs))?;
    let columns = &input.columns;
    let layout = Layout {
        horizontal: &input.horizontal,
        vertical: input.vertical,
        orientation: input.orientation,
        layers: columns.temperature_k.len() / fluxes.status.len().max(1),
        status: &fluxes.status,
    };
    layout.say_orientation(&mut file)?;
    file.attribute("scheme", &options.choices.in_words(tables.waves(), !columns.cloud_fraction.is_empty()))?;
    file.attribute("k_distribution", &tables.description())?;
    if !input.derived.is_empty() {
        file.attribute("derived", &input.derived.join("\n"))?;
    }
    if let Some(text) = options.outside_in_words(input) {
        file.attribute("outside_tables", &text)?;
    }
    let mut writer = layout.writer(file)?;
    writer.pressures::<R>(&columns.pressure_pa, &columns.level_pressure_pa)?;
    let mut outcome = Ok(());
    fluxes.each(&mut |declared, values| {
        if outcome.is_ok() {
            outcome = match values {
                AnyValues::Real([]) => Ok(()),
                AnyValues::Real(values) => writer.put(&named(declared), values, 1),
                AnyValues::Word(_) => writer.status(declared),
            };
        }
    });
    outcome?;
    writer.file.commit()?;
    Ok(())
}
