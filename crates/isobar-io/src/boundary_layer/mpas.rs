//! MPAS's layout: winds that its history has beside those on edges, potential temperature, heights of levels.

use isobar_core::fields::{Declared, Need};
use isobar_ysu::{Chosen, ColumnViews, Columns};

use super::BoundaryLayerRequest;
use super::own::{LEAST_LAYERS, read_surface, read_towns, take_columns};
use super::quantity::WIND;
use super::read::{Read, Surroundings};
use super::water::Water;
use crate::columns_file::mpas::Mpas;
use crate::columns_file::pressure::ground::SURFACE_PRESSURE;
use crate::columns_file::wrf::{self, any};
use crate::columns_file::{Per, Quantity, Stated};
use crate::error::Error;
use crate::netcdf::Dataset;

const U: Quantity = wind("uReconstructZonal");
const V: Quantity = wind("uReconstructMeridional");
const HEATING: [Quantity; 2] = [any("rthratenlw", "K s-1", Per::Layer), any("rthratensw", "K s-1", Per::Layer)];

const fn wind(name: &'static str) -> Quantity {
    Quantity::new(name, &[], &[], "m s-1", Per::Layer, WIND)
}

pub(super) fn read(file: Dataset, options: &impl Chosen, request: &BoundaryLayerRequest) -> Result<Read, Error> {
    let mut reading = request.begin(file)?;
    let mpas = Mpas::read(&mut reading)?;
    let stated = [Stated::of(&reading.file, &SURFACE_PRESSURE.spec(reading.layout)).map(Stated::of_columns), None];
    reading.need(&U)?;
    reading.need(&V)?;
    let water = Water::read(&mut reading)?;
    let heating = Declared::named(ColumnViews::<f64>::DECLARED, "radiative_heating_k_per_s");
    let needs_heating = options.need(heating) == Need::Required;
    if needs_heating {
        HEATING.iter().try_for_each(|quantity| reading.need(quantity))?;
    }
    read_towns(&mut reading, options)?;
    let below = read_surface(&mut reading, options, request.surface)?;

    let mut fields = reading.arrange(mpas.pressure(), LEAST_LAYERS)?;
    let around = Surroundings::of(&fields).also(mpas.names());
    let (air, interface_pressure_pa) = mpas.take(&mut fields);
    let mut columns = Columns {
        u_m_per_s: fields.take(&U),
        v_m_per_s: fields.take(&V),
        interface_pressure_pa,
        temperature_k: air.temperature,
        pressure_pa: air.pressure,
        exner: air.exner,
        ..Columns::default()
    };
    if needs_heating {
        columns.radiative_heating_k_per_s = wrf::sum(&mut fields, &HEATING);
    }
    take_columns(&mut fields, &mut columns);
    let mut derived = vec![
        mpas.temperature_in_words(),
        "interface_pressure: surface_pressure at the surface, between layers linear in height".to_owned(),
    ];
    water.take(&mut fields, &mut columns, &mut derived);
    let mut read = around.read(fields, columns, (air.heights, below), derived, ["layer", "level"])?;
    read.raw.stated = stated;
    Ok(read)
}
