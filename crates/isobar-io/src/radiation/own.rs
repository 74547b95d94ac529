//! The own layout, and RFMIP's, which has other names.

use isobar_core::fields::Need;
use isobar_radiation::Columns;

use super::common::{read_common, take_common};
use super::derive::{layer_temperature, level_temperature, level_temperature_by_logarithm};
use super::quantity::{field, need};
use super::{RadiationRequest, cloud};
use crate::columns_file::{LEAST_LAYERS, Raw, Reading, Stated, derive};
use crate::error::Error;
use crate::netcdf::Dataset;

pub(super) fn read(file: Dataset, request: &RadiationRequest) -> Result<Raw<Columns<f64>>, Error> {
    let mut reading = Reading::new(file);
    let with_levels = need("level_temperature_k", request) != Need::Ignored;
    // In this order, so that a wrong size is blamed on the variable that is read later.
    reading.need(&field("level_pressure_pa"))?;
    let by_levels = !has_layers(&reading)?;
    if !by_levels {
        reading.need(&field("temperature_k"))?;
    }
    reading.maybe(&field("pressure_pa"))?;
    if with_levels || by_levels {
        reading.maybe(&field("level_temperature_k"))?;
    }
    let stated =
        ["level_pressure_pa", "pressure_pa"].map(|name| Stated::of(&reading.file, &field(name).spec(reading.layout)));
    let surface_and_gases = read_common(&mut reading, request)?;
    let cloudy = cloud::read(&mut reading, request)?;
    let (mut derived, mut notes) = (Vec::new(), Vec::new());
    let aerosol = ["aerosol_optical_depth", "aerosol_absorption_longwave"].map(field);
    if request.is_rrtmg_alone() && reading.has(&aerosol[0])? && !reading.found(&aerosol[1]) {
        notes.push(format!("{} is the short wave's and not read: RRTMG_LW reads {}", aerosol[0].name, aerosol[1].name));
    }

    let mut fields = reading.arrange("level_pressure", LEAST_LAYERS)?;
    let names = fields.names();
    let mut columns = Columns {
        level_pressure_pa: fields.take(&field("level_pressure_pa")),
        pressure_pa: fields.take(&field("pressure_pa")),
        temperature_k: fields.take(&field("temperature_k")),
        level_temperature_k: fields.take(&field("level_temperature_k")),
        ..Columns::default()
    };
    let count = fields.grid().columns();
    if columns.pressure_pa.is_empty() {
        columns.pressure_pa = derive::layer_pressure(&columns.level_pressure_pa, count);
        derived.push(derive::LAYER_PRESSURE.to_owned());
    }
    if by_levels {
        columns.temperature_k = layer_temperature(&columns.level_temperature_k, &columns.level_pressure_pa, count);
        derived.push("temperature = mean of the levels', weighted by pressure".to_owned());
    }
    take_common(&mut fields, &mut columns, request, &surface_and_gases, &mut derived)?;
    if columns.level_temperature_k.is_empty() && with_levels {
        let how = if request.spectra.is_rrtmg() {
            columns.level_temperature_k = level_temperature_by_logarithm(&columns);
            "linear in ln(pressure) between layers, that of the uppermost at the top"
        } else {
            let pressures = [&columns.level_pressure_pa[..], &columns.pressure_pa];
            columns.level_temperature_k = level_temperature(&columns.temperature_k, pressures);
            "times pressure, linear in pressure between layers; linear in pressure at the ends"
        };
        derived.push(format!("level_temperature: {how}"));
    }
    if !with_levels {
        columns.level_temperature_k.clear();
    }
    if cloudy {
        cloud::take(&mut fields, &mut columns, request, (&mut derived, &mut notes))?;
    }
    let mut raw = Raw::new(&fields, names, columns, derived, ["layer", "level"]);
    (raw.stated, raw.notes) = (stated, notes);
    Ok(raw)
}

/// Whether temperatures of layers have to be there: they are, or those of levels are not either. One variable with the
/// standard name of both is that of levels if it has levels.
fn has_layers(reading: &Reading) -> Result<bool, Error> {
    let [layers, levels] = ["temperature_k", "level_temperature_k"].map(|name| field(name).spec(reading.layout));
    let file = &reading.file;
    if !file.has(&levels)? || !file.fits(&levels)? {
        return Ok(true);
    }
    let same = file.name_and_units(&layers).is_some() && file.name_and_units(&layers) == file.name_and_units(&levels);
    Ok(file.has(&layers)? && (!same || file.fits(&layers)?))
}
