//! MPAS's layout: potential temperature, heights of levels, and pressure as a whole or in two parts.

use isobar_core::fields::Need;
use isobar_radiation::Columns;

use super::common::{read_common, take_common};
use super::quantity::need;
use super::temperature_slopes::of_even_layers;
use super::{RadiationRequest, content};
use crate::columns_file::background_radii::Surface;
use crate::columns_file::mpas::Mpas;
use crate::columns_file::pressure::ground::SURFACE_PRESSURE;
use crate::columns_file::{FilePressures, LEAST_LAYERS, Raw, Reading, Stated, Temperatures};
use crate::error::Error;
use crate::netcdf::Dataset;

pub(super) fn read(file: Dataset, request: &RadiationRequest) -> Result<Raw<Columns<f64>>, Error> {
    let mut reading = Reading::new(file);
    let mpas = Mpas::read(&mut reading)?;
    let stated = [Stated::of(&reading.file, &SURFACE_PRESSURE.spec(reading.layout)).map(Stated::of_columns), None];
    let surface_and_gases = read_common(&mut reading, request)?;
    let cloudy = content::are_there(&mut reading, request)? && content::read(&mut reading, request)?;
    if cloudy {
        Surface::read(&mut reading)?;
    }

    let mut fields = reading.arrange(mpas.pressure(), LEAST_LAYERS)?;
    let mut names = fields.names();
    names.extend(mpas.names());
    let (air, level_pressure_pa) = mpas.take(&mut fields);
    let count = fields.grid().columns();
    let mut notes = Vec::new();
    let mut derived = vec![
        mpas.temperature_in_words(),
        "level_pressure: surface_pressure at the surface, between layers linear in height".to_owned(),
    ];
    let mut columns = Columns { level_pressure_pa, ..Columns::default() };
    let layers = air.temperature.len() / count;
    let weights = air.level_temperature(&of_even_layers(layers, count), count);
    let pressures = FilePressures::Interfaces(weights.clone());
    let mut temperatures = Temperatures::Both;
    if need("level_temperature_k", request) != Need::Ignored {
        columns.level_temperature_k = air.level_temperature(&air.temperature, count);
        temperatures = Temperatures::Layers(weights);
        derived.push("level_temperature: linear in height".to_owned());
    }
    (columns.pressure_pa, columns.temperature_k) = (air.pressure, air.temperature);
    take_common(&mut fields, &mut columns, request, &surface_and_gases, &mut derived)?;
    if cloudy {
        content::take(&mut fields, &mut columns, request, content::Kind::OfMpas, (&mut derived, &mut notes))?;
    }
    let mut raw = Raw::new(&fields, names, columns, derived, ["layer", "level"]);
    (raw.temperatures, raw.pressures, raw.water_of_mass) = (temperatures, pressures, cloudy);
    raw.stated = stated;
    raw.notes.extend(notes);
    Ok(raw)
}
