//! The own layout, and RFMIP's, which has other names.

use isobar_core::fields::Need;
use isobar_radiation::Columns;

use super::common::{read_common, take_common};
use super::derive::{layer_temperature, level_temperature, temperature_with_parts};
use super::neighbours::{Law, Neighbours};
use super::quantity::{field, need};
use super::{RadiationRequest, cloud, content, subcolumn_seed};
use crate::columns_file::pressure::Pressure;
use crate::columns_file::{BelowGround, FilePressures, LEAST_LAYERS, Raw, Reading, Stated, Temperatures, derive};
use crate::error::Error;
use crate::netcdf::Dataset;

pub(super) fn read(file: Dataset, request: &RadiationRequest) -> Result<Raw<Columns<f64>>, Error> {
    let mut reading = Reading::new(file);
    reading.file.need_vertical()?;
    let with_levels = need("level_temperature_k", request) != Need::Ignored;
    let pressure = Pressure::read_unless(
        &mut reading,
        ["level_pressure_pa", "pressure_pa"].map(field).each_ref(),
        &["temperature_k", "level_temperature_k"].map(field),
    )?;
    // In this order, so that a wrong size is blamed on the variable that is read later.
    if pressure.is_none() {
        reading.need(&field("level_pressure_pa"))?;
    }
    let by_levels = !has_layers(&reading)?;
    if !by_levels {
        reading.need(&field("temperature_k"))?;
    }
    if pressure.is_none() {
        reading.maybe(&field("pressure_pa"))?;
    }
    if with_levels || by_levels {
        reading.maybe(&field("level_temperature_k"))?;
    }
    let mut stated =
        ["level_pressure_pa", "pressure_pa"].map(|name| Stated::of(&reading.file, &field(name).spec(reading.layout)));
    if let Some(ground) = pressure.as_ref().and_then(|pressure| pressure.ground_stated(&reading)) {
        stated[0] = Some(ground);
    }
    let surface_and_gases = read_common(&mut reading, request)?;
    let by_content = content::are_there(&mut reading, request)?;
    let cloudy = if by_content { content::read(&mut reading, request)? } else { cloud::read(&mut reading, request)? };
    if cloudy {
        subcolumn_seed::read(&mut reading, request)?;
    }
    let (mut derived, mut notes) = (Vec::new(), Vec::new());
    let aerosol = ["aerosol_optical_depth", "aerosol_absorption_longwave"].map(field);
    if request.is_rrtmg_alone() && reading.has(&aerosol[0])? && !reading.found(&aerosol[1]) {
        notes.push(format!("{} is the short wave's and not read: RRTMG_LW reads {}", aerosol[0].name, aerosol[1].name));
    }

    let of_levels = pressure.as_ref().map_or("level_pressure", |_| "pressure");
    let known = match &pressure {
        Some(pressure) => pressure.orientation(&reading)?,
        None => None,
    };
    let mut fields = reading.arrange_by(of_levels, known, LEAST_LAYERS)?;
    let names = fields.names();
    let count = fields.grid().columns();
    let mut columns = Columns::default();
    let (mut of_file, mut below_ground) = (FilePressures::Both, BelowGround::default());
    if let Some(pressure) = pressure {
        let pressures = pressure.take(&mut fields, "level_pressure")?;
        (columns.level_pressure_pa, columns.pressure_pa) = (pressures.levels, pressures.layers);
        derived.push(pressures.derived);
        of_file = pressures.of_file;
        below_ground = pressures.below_ground;
        notes.extend(below_ground_in_words(&below_ground.layers));
        fields.leave_below_ground(below_ground.layers.clone());
    } else {
        columns.level_pressure_pa = fields.take(&field("level_pressure_pa"));
        columns.pressure_pa = fields.take(&field("pressure_pa"));
    }
    if columns.pressure_pa.is_empty() {
        columns.pressure_pa = derive::layer_pressure(&columns.level_pressure_pa, count);
        derived.push(derive::LAYER_PRESSURE.to_owned());
        of_file = FilePressures::Levels;
    }
    columns.temperature_k = fields.take(&field("temperature_k"));
    columns.level_temperature_k = fields.take(&field("level_temperature_k"));
    let mut temperatures = Temperatures::Both;
    if by_levels {
        columns.temperature_k = layer_temperature(&columns.level_temperature_k, &columns.level_pressure_pa, count);
        temperatures = Temperatures::Levels(Vec::new());
        derived.push("temperature = mean of the levels', weighted by pressure".to_owned());
    }
    take_common(&mut fields, &mut columns, request, &surface_and_gases, &mut derived)?;
    if columns.level_temperature_k.is_empty() && (with_levels || !below_ground.layers.is_empty()) {
        let law = if request.spectra.is_rrtmg() { Law::Logarithm } else { Law::Pressure };
        let neighbours = Neighbours::of(&columns, &below_ground);
        let of_parts = temperature_with_parts(&columns.temperature_k, law, neighbours);
        if with_levels {
            columns.level_temperature_k = level_temperature(&columns.temperature_k, law, neighbours);
            derived.push(format!("level_temperature: {}", law.in_words()));
        }
        let divided = below_ground.layers.iter().enumerate();
        below_ground.temperature =
            divided.map(|(column, below)| columns.temperature_k[below * count + column]).collect();
        columns.temperature_k = of_parts;
        temperatures = law.temperatures();
    }
    if !with_levels {
        let levels = std::mem::take(&mut columns.level_temperature_k);
        if by_levels {
            temperatures = Temperatures::Levels(levels);
        }
    }
    if cloudy && by_content {
        content::take(&mut fields, &mut columns, request, content::Kind::Any, (&mut derived, &mut notes))?;
    } else if cloudy {
        cloud::take(&mut fields, &mut columns, request, (&mut derived, &mut notes))?;
    }
    columns.subcolumn_seed = subcolumn_seed::take(&mut fields)?;
    let mut raw = Raw::new(&fields, names, columns, derived, ["layer", "level"]);
    (raw.temperatures, raw.pressures, raw.below_ground) = (temperatures, of_file, below_ground);
    raw.water_of_mass = cloudy && by_content;
    raw.stated = stated;
    raw.notes.extend(notes);
    Ok(raw)
}

/// How many layers lie below the ground, if any do.
fn below_ground_in_words(below_ground: &[usize]) -> Option<String> {
    let layers: usize = below_ground.iter().sum();
    let columns = below_ground.iter().filter(|&&below| below > 0).count();
    (layers > 0).then(|| format!("{layers} layers of {columns} columns lie below the ground, and are left out"))
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
