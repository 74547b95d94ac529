//! What is asked of a file.

use crate::columns_file::Per::{Band, Column, Layer, LayerAndBand, Level};
use crate::columns_file::{Per, Quantity, between};
use crate::netcdf::Accepted;

const TEMPERATURES: Accepted = between(100.0, 400.0);

const fn temperature(
    name: &'static str,
    aliases: &'static [&'static str],
    standard: &'static [&'static str],
    per: Per,
) -> Quantity {
    Quantity::new(name, aliases, standard, "K", per, TEMPERATURES)
}

pub(super) const PRESSURE: Quantity =
    Quantity::new("pressure", &["p", "play", "pres_layer"], &["air_pressure"], "Pa", Layer, Accepted::POSITIVE);
pub(super) const LEVEL_PRESSURE: Quantity = Quantity::new(
    "level_pressure",
    &["plev", "p_int", "pres_level", "pressure_level"],
    &["air_pressure"],
    "Pa",
    Level,
    Accepted::NOT_NEGATIVE,
);
pub(super) const TEMPERATURE: Quantity =
    temperature("temperature", &["t", "tlay", "temp_layer"], &["air_temperature"], Layer);
pub(super) const LEVEL_TEMPERATURE: Quantity = temperature(
    "level_temperature",
    &["tlev", "t_int", "temp_level", "temperature_level"],
    &["air_temperature"],
    Level,
);
pub(super) const SURFACE_TEMPERATURE: Quantity =
    temperature("surface_temperature", &["tsfc", "ts", "TSK"], &["surface_temperature"], Column);
pub(super) const SURFACE_PRESSURE: Quantity =
    Quantity::new("PSFC", &[], &["surface_air_pressure"], "Pa", Column, Accepted::POSITIVE);
pub(super) const EMISSIVITY: Quantity = Quantity::new(
    "emissivity",
    &["emis", "surface_emissivity", "EMISS"],
    &["surface_longwave_emissivity"],
    "1",
    Band,
    Accepted::FRACTION,
);
pub(super) const AEROSOL: Quantity =
    Quantity::new("aerosol_optical_depth", &["tauaer"], &[], "1", LayerAndBand, Accepted::NOT_NEGATIVE);

pub(super) const CLOUD_FRACTION: Quantity = Quantity::new(
    "cloud_fraction",
    &["cldfrac", "cldfra", "CLDFRA"],
    &["cloud_area_fraction_in_atmosphere_layer"],
    "1",
    Layer,
    Accepted::FRACTION,
);
pub(super) const LIQUID_PATH: Quantity = path("liquid_water_path", &["clwp"]);
pub(super) const ICE_PATH: Quantity = path("ice_water_path", &["ciwp"]);
pub(super) const LIQUID_RADIUS: Quantity = size("liquid_radius", &["reliq", "re_liq", "RE_CLOUD"]);
pub(super) const ICE_SIZE: Quantity = size("ice_size", &["reice"]);
pub(super) const ICE_RADIUS: Quantity = size("ice_radius", &["re_ice", "RE_ICE"]);
pub(super) const CLOUD_DEPTH: Quantity =
    Quantity::new("cloud_optical_depth", &["tauc"], &[], "1", LayerAndBand, Accepted::NOT_NEGATIVE);
pub(super) const THICKNESS: Quantity = Quantity::new("thickness", &["dz"], &[], "m", Layer, Accepted::POSITIVE);

/// Mixing ratios of mass, as WRF has them; advection leaves some below zero.
pub(super) const CLOUD_WATER: Quantity = Quantity::new("QCLOUD", &[], &[], "kg kg-1", Layer, between(-1e-3, 1.0));
pub(super) const CLOUD_ICE: Quantity = Quantity::new("QICE", &[], &[], "kg kg-1", Layer, between(-1e-3, 1.0));

const fn path(name: &'static str, aliases: &'static [&'static str]) -> Quantity {
    Quantity::new(name, aliases, &[], "g m-2", Layer, Accepted::NOT_NEGATIVE)
}

const fn size(name: &'static str, aliases: &'static [&'static str]) -> Quantity {
    Quantity::new(name, aliases, &[], "um", Layer, Accepted::NOT_NEGATIVE)
}
