//! WRF's layout.

use isobar_core::fields::Need;
use isobar_radiation::Columns;

use super::common::{read_common, take_common};
use super::quantity::{SURFACE_PRESSURE, need};
use super::temperature_slopes::of_even_layers;
use super::{RadiationRequest, cloud};
use crate::columns_file::wrf::{self, Air};
use crate::columns_file::wrf_clouds::masses;
use crate::columns_file::{FilePressures, LEAST_LAYERS, Raw, Reading, Stated, Temperatures};
use crate::error::Error;
use crate::netcdf::Dataset;

pub(super) fn read(file: Dataset, request: &RadiationRequest) -> Result<Raw<Columns<f64>>, Error> {
    let mut reading = Reading::new(file);
    wrf::read(&mut reading)?;
    reading.need(&SURFACE_PRESSURE)?;
    let stated = [Stated::of(&reading.file, &SURFACE_PRESSURE.spec(reading.layout)).map(Stated::of_columns), None];
    let surface_and_gases = read_common(&mut reading, request)?;
    let cloudy = cloud::read_wrf(&mut reading, request)?;

    let mut fields = reading.arrange("PB", LEAST_LAYERS)?;
    let mut names = fields.names();
    names.extend([("pressure", "P + PB".to_owned()), ("temperature", "(T + 300 K) exner".to_owned())]);
    let air = Air::take(&mut fields);
    let count = fields.grid().columns();
    let mut notes = Vec::new();
    let mut derived = vec![wrf::TEMPERATURE.to_owned(), wrf::LEVEL_PRESSURE.to_owned()];
    let mut columns =
        Columns { level_pressure_pa: air.interface_pressure(&fields.take(&SURFACE_PRESSURE)), ..Columns::default() };
    let layers = air.temperature.len() / count;
    let weights = air.level_temperature(&of_even_layers(layers, count), count);
    let pressures = FilePressures::Interfaces(weights.clone());
    let mut temperatures = Temperatures::Both;
    if need("level_temperature_k", request) != Need::Ignored {
        columns.level_temperature_k = air.level_temperature(&air.temperature, count);
        temperatures = Temperatures::Layers(weights);
        derived.push(wrf::LEVEL_TEMPERATURE.to_owned());
    }
    (columns.pressure_pa, columns.temperature_k) = (air.pressure, air.temperature);
    take_common(&mut fields, &mut columns, request, &surface_and_gases, &mut derived)?;
    if cloudy {
        let mass = masses(&columns.level_pressure_pa, count, request.gravity());
        cloud::take_wrf(&mut fields, &mut columns, &mass, request, (&mut derived, &mut notes))?;
    }
    let mut raw = Raw::new(&fields, names, columns, derived, ["bottom_top", "bottom_top_stag"]);
    (raw.temperatures, raw.pressures, raw.water_of_mass) = (temperatures, pressures, cloudy);
    raw.stated = stated;
    raw.notes.extend(notes);
    Ok(raw)
}
