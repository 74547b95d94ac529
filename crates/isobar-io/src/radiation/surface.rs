//! The surface: its temperature, and how it emits and reflects.

use isobar_core::fields::Need;
use isobar_radiation::Columns;

use super::RadiationRequest;
use super::quantity::{field, need, read as read_field, read_where};
use crate::columns_file::{Fields, Per, Quantity, Reading};
use crate::error::Error;
use crate::netcdf::{AS_STORED, Accepted, Dataset, Unit};

/// Sunlight at the surface, downward, and upward or net, in whatever unit: only their ratio is wanted.
const DOWN: Quantity = sunlight("rsds", &["FSDS", "ssrd"], &["surface_downwelling_shortwave_flux_in_air"]);
const UP: Quantity = sunlight("rsus", &["FSUS"], &["surface_upwelling_shortwave_flux_in_air"]);
const NET: Quantity = sunlight("rsns", &["FSNS", "ssr"], &["surface_net_downward_shortwave_flux"]);

const fn sunlight(name: &'static str, aliases: &'static [&'static str], standard: &'static [&'static str]) -> Quantity {
    Quantity::new(name, aliases, standard, AS_STORED, Per::Column, Accepted::FINITE)
}

/// Packed fluxes are known to this part of them.
const ROUNDING: f64 = 1e-3;

/// Reads what the spectra need of it.
pub(super) fn read(reading: &mut Reading, request: &RadiationRequest) -> Result<(), Error> {
    read_field(reading, "surface_temperature_k", request)?;
    if reading.has(&field("emissivity"))? {
        read_field(reading, "emissivity", request)?;
    }
    read_field(reading, "total_solar_irradiance_w_per_m2", request)?;
    // Nobody asks for an albedo at night.
    let direct = "surface_albedo_direct";
    if need(direct, request) == Need::Required && !reading.has(&field(direct))? && reading.has(&DOWN)? {
        let other = if reading.has(&UP)? { UP } else { NET };
        if reading.has(&other)? {
            reading.need_where(&DOWN)?;
            return reading.need_where(&other);
        }
    }
    read_where(reading, direct, request)?;
    read_where(reading, "surface_albedo_diffuse", request)
}

/// The emissivity, 1 where the file has none.
pub(super) fn take_emissivity(fields: &mut Fields, bands: usize, derived: &mut Vec<String>) -> Vec<f64> {
    let emissivity = fields.take_compact(&field("emissivity"));
    if emissivity.is_empty() {
        derived.push("emissivity = 1, for the file has none".to_owned());
        return vec![1.0];
    }
    fields.in_each_band("emissivity", emissivity, bands)
}

/// Whether two variables say the same unit, in whatever words.
fn have_same_units(file: &Dataset, names: [&str; 2]) -> bool {
    let [one, other] = names.map(|name| file.units_of(name));
    if one == other {
        return true;
    }
    let [Some(one), Some(other)] = [one, other].map(|text| text?.parse::<Unit>().ok()) else { return false };
    one.conversion(&other).is_some_and(|conversion| conversion.is_identity())
}

/// Albedos for the beam and for diffuse light, where they count.
pub(super) fn take_albedos(
    fields: &mut Fields,
    columns: &mut Columns<f64>,
    bands: usize,
    derived: &mut Vec<String>,
) -> Result<(), Error> {
    let count = fields.grid().columns();
    let cosine = &columns.cosine_zenith;
    let by_day = |index: usize| cosine.get(index % count).is_none_or(|&cosine| cosine > 0.0 || cosine.is_nan());
    if let Some(name) = fields.name(DOWN.name) {
        let net = fields.name(NET.name);
        let other = net.clone().or_else(|| fields.name(UP.name)).unwrap_or_default();
        if !have_same_units(fields.file(), [&name, &other]) {
            return Err(fields.refuse(format!("{name} and {other} have different units: their ratio is no albedo")));
        }
        let down = fields.take_where(&DOWN, by_day)?;
        let (up, how) = if net.is_some() {
            let net = fields.take_where(&NET, by_day)?;
            (down.iter().zip(&net).map(|(down, net)| down - net).collect(), format!("1 - {other}/{name}"))
        } else {
            (fields.take_where(&UP, by_day)?, format!("{other}/{name}"))
        };
        let albedo: Vec<f64> =
            up.iter().zip(&down).map(|(up, down)| if *down > 0.0 { up / down } else { 0.0 }).collect();
        let is_out = |albedo: &f64| *albedo < -ROUNDING || *albedo > 1.0 + ROUNDING;
        if let Some(first) = albedo.iter().position(is_out) {
            let (count, value) = (albedo.iter().filter(|albedo| is_out(albedo)).count(), albedo[first]);
            let place = fields.grid().place(first);
            let values = if count == 1 { "value" } else { "values" };
            fields.note(format!(
                "surface_albedo = {how}: {count} {values} brought into [0, 1]; the first: {value} at {place}"
            ));
        }
        let is_dark = |column: &usize| {
            down[*column] <= 0.0 && columns.cosine_zenith.get(*column).is_some_and(|&cosine| cosine > 0.0)
        };
        let dark: Vec<usize> = (0..count).filter(is_dark).filter(|column| !fields.is_masked(*column)).collect();
        if let Some(&first) = dark.first() {
            let columns = if dark.len() == 1 { "column" } else { "columns" };
            fields.note(format!(
                "surface_albedo = {how}: 0 in {} {columns} where the Sun is up and {name} is not above 0; the first: \
                 {}",
                dark.len(),
                fields.grid().place(first)
            ));
        }
        let albedo = albedo.into_iter().map(|albedo| albedo.clamp(0.0, 1.0)).collect();
        columns.surface_albedo_direct = fields.in_each_band("surface_albedo_direct", albedo, bands);
        derived.push(format!("surface_albedo = {how}, 0 where there is no sunlight"));
    } else {
        let mut albedo = |name: &'static str| {
            let values = fields.take_compact_where(&field(name), by_day)?;
            Ok::<_, Error>(fields.in_each_band(name, values, bands))
        };
        let (direct, diffuse) = (albedo("surface_albedo_direct")?, albedo("surface_albedo_diffuse")?);
        (columns.surface_albedo_direct, columns.surface_albedo_diffuse) = (direct, diffuse);
    }
    if !columns.surface_albedo_direct.is_empty() && columns.surface_albedo_diffuse.is_empty() {
        derived.push("surface_albedo_diffuse = surface_albedo_direct".to_owned());
    }
    Ok(())
}
