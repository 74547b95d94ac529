//! The own layout, and RFMIP's, which has other names.

use isobar_longwave::Columns;

use super::check::Raw;
use super::derive;
use super::pressure_unit::Stated;
use super::quantity as q;
use super::{LongwaveRequest, cloud, gas};
use crate::columns_file::{Fields, Reading};
use crate::error::Error;
use crate::netcdf::Dataset;

/// One layer is no profile.
pub(super) const LEAST_LAYERS: usize = 2;

pub(super) fn read(file: Dataset, request: &LongwaveRequest) -> Result<Raw, Error> {
    let mut reading = Reading::new(file);
    // In this order, so that a wrong size is blamed on the variable that is read later.
    reading.need(&q::LEVEL_PRESSURE)?;
    reading.need(&q::TEMPERATURE)?;
    reading.maybe(&q::PRESSURE)?;
    reading.maybe(&q::LEVEL_TEMPERATURE)?;
    let stated =
        [&q::LEVEL_PRESSURE, &q::PRESSURE].map(|quantity| Stated::of(&reading.file, &quantity.spec(reading.layout)));
    let surface_and_gases = read_common(&mut reading, request)?;
    let cloudy = cloud::read(&mut reading, request)?;

    let mut fields = reading.arrange("level_pressure", LEAST_LAYERS)?;
    let names = fields.names();
    let mut derived = Vec::new();
    let level_pressure = fields.take(&q::LEVEL_PRESSURE);
    let mut columns = Columns {
        pressure: fields.take(&q::PRESSURE),
        temperature: fields.take(&q::TEMPERATURE),
        level_temperature: fields.take(&q::LEVEL_TEMPERATURE),
        level_pressure,
        ..Columns::default()
    };
    let count = fields.grid().columns();
    if columns.pressure.is_empty() {
        columns.pressure = derive::layer_pressure(&columns.level_pressure, count);
        derived.push("pressure = mean of the levels'".to_owned());
    }
    take_common(&mut fields, &mut columns, request, &surface_and_gases, &mut derived)?;
    if columns.level_temperature.is_empty() {
        columns.level_temperature = derive::level_temperature(&columns);
        derived.push(
            "level_temperature: linear in ln(pressure) between layers, that of the uppermost at the top".to_owned(),
        );
    }
    if cloudy {
        columns.clouds = Some(cloud::take(&mut fields, request.options, &mut derived));
    }
    let mut raw = Raw::new(fields, names, columns, derived, ["layer", "level"]);
    raw.stated = stated;
    Ok(raw)
}

/// Reads surface, gases and aerosol.
pub(super) fn read_common(reading: &mut Reading, request: &LongwaveRequest) -> Result<gas::Forms, Error> {
    reading.need(&q::SURFACE_TEMPERATURE)?;
    reading.need(&q::EMISSIVITY)?;
    let forms = gas::read(reading, request)?;
    reading.maybe(&q::AEROSOL)?;
    Ok(forms)
}

/// Fills in surface, gases and aerosol.
pub(super) fn take_common(
    fields: &mut Fields,
    columns: &mut Columns<f64>,
    request: &LongwaveRequest,
    forms: &gas::Forms,
    derived: &mut Vec<String>,
) -> Result<(), Error> {
    fields.check_bands(request.spectrum.0)?;
    columns.surface_temperature = fields.take(&q::SURFACE_TEMPERATURE);
    columns.emissivity = fields.take_compact(&q::EMISSIVITY);
    let count = fields.grid().columns();
    if columns.emissivity.len() == count && count > 1 {
        // The same in all bands.
        columns.emissivity = columns.emissivity.repeat(request.spectrum.0);
    }
    forms.take(fields, columns, derived);
    columns.aerosol = fields.take(&q::AEROSOL);
    Ok(())
}
