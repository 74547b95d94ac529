//! The own layout, and RFMIP's, which has other names.

use isobar_longwave::Columns;

use super::derive::level_temperature;
use super::quantity::field;
use super::{LongwaveRequest, cloud, gas};
use crate::columns_file::gas::Forms;
use crate::columns_file::{Fields, Raw, Reading, Stated, derive};
use crate::error::Error;
use crate::netcdf::Dataset;

/// One layer is no profile.
pub(super) const LEAST_LAYERS: usize = 2;

pub(super) fn read(file: Dataset, request: &LongwaveRequest) -> Result<Raw<Columns<f64>>, Error> {
    let mut reading = Reading::new(file);
    // In this order, so that a wrong size is blamed on the variable that is read later.
    reading.need(&field("level_pressure_pa"))?;
    reading.need(&field("temperature_k"))?;
    reading.maybe(&field("pressure_pa"))?;
    reading.maybe(&field("level_temperature_k"))?;
    let stated =
        ["level_pressure_pa", "pressure_pa"].map(|name| Stated::of(&reading.file, &field(name).spec(reading.layout)));
    let surface_and_gases = read_common(&mut reading, request)?;
    let cloudy = cloud::read(&mut reading, request)?;

    let mut fields = reading.arrange("level_pressure", LEAST_LAYERS)?;
    let names = fields.names();
    let (mut derived, mut notes) = (Vec::new(), Vec::new());
    let level_pressure_pa = fields.take(&field("level_pressure_pa"));
    let mut columns = Columns {
        pressure_pa: fields.take(&field("pressure_pa")),
        temperature_k: fields.take(&field("temperature_k")),
        level_temperature_k: fields.take(&field("level_temperature_k")),
        level_pressure_pa,
        ..Columns::default()
    };
    let count = fields.grid().columns();
    if columns.pressure_pa.is_empty() {
        columns.pressure_pa = derive::layer_pressure(&columns.level_pressure_pa, count);
        derived.push("pressure = mean of the levels'".to_owned());
    }
    take_common(&mut fields, &mut columns, request, &surface_and_gases, &mut derived)?;
    if columns.level_temperature_k.is_empty() {
        columns.level_temperature_k = level_temperature(&columns);
        derived.push(
            "level_temperature: linear in ln(pressure) between layers, that of the uppermost at the top".to_owned(),
        );
    }
    if cloudy {
        cloud::take(&mut fields, &mut columns, request, (&mut derived, &mut notes))?;
    }
    let mut raw = Raw::new(&fields, names, columns, derived, ["layer", "level"]);
    (raw.stated, raw.notes) = (stated, notes);
    Ok(raw)
}

/// Reads surface, gases and aerosol.
pub(super) fn read_common(reading: &mut Reading, request: &LongwaveRequest) -> Result<Forms, Error> {
    reading.need(&field("surface_temperature_k"))?;
    reading.need(&field("emissivity"))?;
    let forms = gas::read(reading, request)?;
    reading.maybe(&field("aerosol_optical_depth"))?;
    Ok(forms)
}

/// Fills in surface, gases and aerosol.
pub(super) fn take_common(
    fields: &mut Fields,
    columns: &mut Columns<f64>,
    request: &LongwaveRequest,
    forms: &Forms,
    derived: &mut Vec<String>,
) -> Result<(), Error> {
    fields.check_bands(request.spectrum.0)?;
    columns.surface_temperature_k = fields.take(&field("surface_temperature_k"));
    columns.emissivity = fields.take_compact(&field("emissivity"));
    let count = fields.grid().columns();
    if columns.emissivity.len() == count && count > 1 {
        // The same in all bands.
        columns.emissivity = columns.emissivity.repeat(request.spectrum.0);
    }
    gas::take(forms, fields, columns, derived);
    columns.aerosol_optical_depth = fields.take(&field("aerosol_optical_depth"));
    Ok(())
}
