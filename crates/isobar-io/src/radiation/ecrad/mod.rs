//! The layout of ecRad's input files: half levels and mass mixing ratios, the top first.

mod cloud;
mod surface;

use std::ops::Bound;

use isobar_core::fields::Need;
use isobar_optics::constants::{ECCKD_AIR, ECCKD_WATER};
use isobar_optics::gases::GASES;
use isobar_radiation::Columns;

use super::derive::layer_temperature;
use super::quantity::{field, need, read as read_field};
use super::{RadiationRequest, gas, sun};
use crate::columns_file::gas::{Form, Gas, read_by};
use crate::columns_file::{FilePressures, LEAST_LAYERS, Per, Quantity, Raw, Reading, Temperatures, derive};
use crate::error::Error;
use crate::netcdf::{Accepted, Dataset};

/// By these variables the layout is known.
const MARKS: [&str; 3] = ["pressure_hl", "temperature_hl", "q"];

/// Water vapour in a mass of moist air.
const HUMIDITY: Quantity = Quantity::new("q", &[], &[], "kg kg-1", Per::Layer, BELOW_ONE);
const BELOW_ONE: Accepted = Accepted { low: Bound::Included(0.0), high: Bound::Excluded(1.0) };

/// ecRad's molar mass of ozone \[kg/mol\].
const OZONE: f64 = 0.001 * 47.9982;

/// What ecRad calls masses of gases in a mass of moist air, in the order of [`GASES`].
const MASSES: [&str; GASES.len()] = [
    "h2o_mmr",
    "co2_mmr",
    "o3_mmr",
    "n2o_mmr",
    "co_mmr",
    "ch4_mmr",
    "o2_mmr",
    "n2_mmr",
    "ccl4_mmr",
    "cfc11_mmr",
    "cfc12_mmr",
    "hcfc22_mmr",
    "hfc143a_mmr",
    "hfc125_mmr",
    "hfc23_mmr",
    "hfc32_mmr",
    "hfc134a_mmr",
    "cf4_mmr",
    "no2_mmr",
];

/// Whether a file is one of ecRad's.
pub(crate) fn is_ecrad(file: &Dataset) -> bool {
    MARKS.iter().all(|name| file.has_name(name))
}

pub(super) fn read(file: Dataset, request: &RadiationRequest) -> Result<Raw<Columns<f64>>, Error> {
    let mut reading = Reading::new(file);
    reading.need(&field("level_pressure_pa"))?;
    reading.need(&field("level_temperature_k"))?;
    reading.need(&HUMIDITY)?;
    sun::read(&mut reading, request)?;
    for name in ["surface_temperature_k", "emissivity", "total_solar_irradiance_w_per_m2"] {
        read_field(&mut reading, name, request)?;
    }
    surface::read_albedo(&mut reading, request)?;
    let forms = read_by(&mut reading, gas::wanted(request), request.assume_zero, in_file)?;
    let cloudy = cloud::read(&mut reading, request)?;

    let mut fields = reading.arrange("level_pressure", LEAST_LAYERS)?;
    let names = fields.names();
    let count = fields.grid().columns();
    let level_pressure_pa = fields.take(&field("level_pressure_pa"));
    let level_temperature_k = fields.take(&field("level_temperature_k"));
    let humidity = fields.take(&HUMIDITY);
    let mut notes = Vec::new();
    let mut derived = vec![
        "pressure = mean of the levels'".to_owned(),
        "temperature = mean of the levels', weighted by pressure".to_owned(),
        "h2o = q / (1 - q) 28.970 / 18.0152833; other gases relative to dry air likewise".to_owned(),
    ];
    let mut columns = Columns {
        pressure_pa: derive::layer_pressure(&level_pressure_pa, count),
        temperature_k: layer_temperature(&level_temperature_k, &level_pressure_pa, count),
        level_pressure_pa,
        level_temperature_k,
        ..Columns::default()
    };
    columns.surface_temperature_k = fields.take(&field("surface_temperature_k"));
    sun::take(&mut fields, &mut columns, request, &mut derived)?;
    surface::take(&mut fields, &mut columns, request, &mut derived)?;
    gas::take(&forms, &mut fields, &mut columns, (request, &humidity), &mut derived)?;
    if cloudy {
        cloud::take(&mut fields, &mut columns, request, (&mut derived, &mut notes))?;
    }
    let mut levels = Vec::new();
    if need("level_temperature_k", request) == Need::Ignored {
        levels = std::mem::take(&mut columns.level_temperature_k);
    }
    let mut raw = Raw::new(&fields, names, columns, derived, ["level", "half_level"]);
    (raw.temperatures, raw.pressures) = (Temperatures::Levels(levels), FilePressures::Levels);
    raw.water_of_mass = cloudy;
    raw.notes.extend(notes);
    Ok(raw)
}

/// Reads a gas, if it is there: its mass, or its mole fraction. Water is read before.
fn in_file(reading: &mut Reading, gas: &Gas) -> Result<Option<Form>, Error> {
    let molar_mass = match gas.name {
        "h2o" => return Ok(Some(Form::Humidity(ECCKD_AIR / ECCKD_WATER))),
        "o3" => OZONE,
        _ => 1e-3 * gas.molar_mass,
    };
    let name = GASES.iter().zip(MASSES).find(|(name, _)| **name == gas.name).map_or("", |(_, mass)| mass);
    let mass = Quantity::new(name, &[], &[], "kg kg-1", Per::AnyLayer, BELOW_ONE);
    if reading.has(&mass)? {
        reading.need(&mass)?;
        return Ok(Some(Form::OfMoistAir(mass, ECCKD_AIR / molar_mass)));
    }
    let fraction = gas.amount.per(Per::AnyLayer);
    if reading.has(&fraction)? {
        reading.need(&fraction)?;
        return Ok(Some(Form::OfMoistAir(fraction, 1.0)));
    }
    Ok(None)
}
