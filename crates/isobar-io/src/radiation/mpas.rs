//! MPAS's layout: potential temperature, and pressure in two parts.

use isobar_core::fields::Need;
use isobar_radiation::Columns;

use super::common::{read_common, take_common};
use super::quantity::need;
use super::{RadiationRequest, content};
use crate::columns_file::pressure::ground::SURFACE_PRESSURE;
use crate::columns_file::wrf::{self, Air, any};
use crate::columns_file::{LEAST_LAYERS, Per, Quantity, Raw, Reading};
use crate::error::Error;
use crate::netcdf::Dataset;

const PRESSURE: [Quantity; 2] = [any("pressure_base", "Pa", Per::Layer), any("pressure_p", "Pa", Per::Layer)];
const THETA: Quantity = any("theta", "K", Per::Layer);
const HEIGHT: Quantity = any("zgrid", "m", Per::Level);

/// Whether a file is MPAS's.
pub(super) fn is_mpas(file: &Dataset) -> bool {
    ["pressure_base", "pressure_p", "theta", "zgrid"].iter().all(|name| file.has_name(name))
}

pub(super) fn read(file: Dataset, request: &RadiationRequest) -> Result<Raw<Columns<f64>>, Error> {
    let mut reading = Reading::new(file);
    PRESSURE.iter().chain([&THETA, &HEIGHT, &SURFACE_PRESSURE]).try_for_each(|quantity| reading.need(quantity))?;
    let surface_and_gases = read_common(&mut reading, request)?;
    let cloudy = content::are_there(&mut reading, request)? && content::read(&mut reading, request)?;

    let mut fields = reading.arrange("pressure_base", LEAST_LAYERS)?;
    let mut names = fields.names();
    names.extend([("pressure", "pressure_base + pressure_p".to_owned()), ("temperature", "theta exner".to_owned())]);
    let pressure = wrf::sum(&mut fields, &PRESSURE);
    let exner = wrf::exner(&pressure);
    let temperature = fields.take(&THETA).iter().zip(&exner).map(|(theta, exner)| theta * exner).collect();
    let air = Air::new(pressure, exner, temperature, fields.take(&HEIGHT));
    let count = fields.grid().columns();
    let mut notes = Vec::new();
    let mut derived = vec![
        "temperature = theta ((pressure_base + pressure_p) / 1e5 Pa)^(2/7)".to_owned(),
        "level_pressure: surface_pressure at the surface, between layers linear in height".to_owned(),
    ];
    let mut columns =
        Columns { level_pressure_pa: air.interface_pressure(&fields.take(&SURFACE_PRESSURE)), ..Columns::default() };
    if need("level_temperature_k", request) != Need::Ignored {
        columns.level_temperature_k = air.level_temperature(count);
        derived.push("level_temperature: linear in height".to_owned());
    }
    (columns.pressure_pa, columns.temperature_k) = (air.pressure, air.temperature);
    take_common(&mut fields, &mut columns, request, &surface_and_gases, &mut derived)?;
    if cloudy {
        content::take(&mut fields, &mut columns, request, (&mut derived, &mut notes))?;
    }
    let mut raw = Raw::new(&fields, names, columns, derived, ["layer", "level"]);
    raw.notes = notes;
    Ok(raw)
}
