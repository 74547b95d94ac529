//! What is asked of a file.

use std::ops::Bound;

use crate::columns_file::{Per, Quantity, between};
use crate::netcdf::Accepted;

pub(super) const WIND: Accepted = between(-1000.0, 1000.0);
pub(super) const TEMPERATURE: Accepted = between(100.0, 400.0);
pub(super) const MIXING_RATIO: Accepted = between(-1e-3, 1.0);

use Per::{Column, Layer, Level};

const fn of(
    name: &'static str,
    aliases: &'static [&'static str],
    unit: &'static str,
    per: Per,
    accepted: Accepted,
) -> Quantity {
    Quantity::new(name, aliases, &[], unit, per, accepted)
}

// Standard names only where a file without the quantity has nothing else by that name, or where it must be there.

pub(super) const U: Quantity = Quantity::new("u", &["U"], &["eastward_wind", "x_wind"], "m s-1", Layer, WIND);
pub(super) const V: Quantity = Quantity::new("v", &["V"], &["northward_wind", "y_wind"], "m s-1", Layer, WIND);
pub(super) const T: Quantity = Quantity::new("temperature", &["t"], &["air_temperature"], "K", Layer, TEMPERATURE);
pub(super) const THETA: Quantity =
    Quantity::new("theta", &["th"], &["air_potential_temperature"], "K", Layer, Accepted::POSITIVE);
pub(super) const VAPOUR: Quantity =
    Quantity::new("vapour", &["qv", "QVAPOR"], &["humidity_mixing_ratio"], "kg kg-1", Layer, MIXING_RATIO);
pub(super) const CLOUD_WATER: Quantity = Quantity::new(
    "cloud_water",
    &["qc", "QCLOUD"],
    &["cloud_liquid_water_mixing_ratio"],
    "kg kg-1",
    Layer,
    MIXING_RATIO,
);
pub(super) const CLOUD_ICE: Quantity =
    Quantity::new("cloud_ice", &["qi", "QICE"], &["cloud_ice_mixing_ratio"], "kg kg-1", Layer, MIXING_RATIO);
pub(super) const PRESSURE: Quantity =
    Quantity::new("pressure", &["p"], &["air_pressure"], "Pa", Layer, Accepted::POSITIVE);
pub(super) const INTERFACE_PRESSURE: Quantity = Quantity::new(
    "interface_pressure",
    &["p_int", "p8w", "pressure_level"],
    &["air_pressure"],
    "Pa",
    Level,
    Accepted::NOT_NEGATIVE,
);
pub(super) const EXNER: Quantity = Quantity::new(
    "exner",
    &["pi"],
    &["dimensionless_exner_function"],
    "1",
    Layer,
    Accepted { low: Bound::Excluded(0.0), high: Bound::Included(2.0) },
);
pub(super) const THICKNESS: Quantity = of("thickness", &["dz"], "m", Layer, Accepted::POSITIVE);
pub(super) const INTERFACE_HEIGHT: Quantity =
    of("interface_height", &["z_int", "z_level", "height_level"], "m", Level, Accepted::FINITE);
pub(super) const RADIATIVE_HEATING: Quantity =
    of("radiative_heating", &["rthraten", "RTHRATEN"], "K s-1", Layer, Accepted::FINITE);
pub(super) const SURFACE_PRESSURE: Quantity =
    Quantity::new("surface_pressure", &["psfc", "PSFC"], &["surface_air_pressure"], "Pa", Column, Accepted::POSITIVE);
pub(super) const ROUGHNESS: Quantity =
    Quantity::new("roughness", &["znt", "ZNT"], &["surface_roughness_length"], "m", Column, Accepted::NOT_NEGATIVE);
pub(super) const LAND_OR_WATER: Quantity = of("land_or_water", &["xland", "XLAND"], "1", Column, between(1.0, 2.0));
pub(super) const LAND_MASK: Quantity = Quantity::new(
    "land_binary_mask",
    &["landmask", "LANDMASK"],
    &["land_binary_mask"],
    "1",
    Column,
    Accepted::FRACTION,
);
pub(super) const SENSIBLE_HEAT_FLUX: Quantity = Quantity::new(
    "sensible_heat_flux",
    &["hfx", "HFX"],
    &["surface_upward_sensible_heat_flux"],
    "W m-2",
    Column,
    Accepted::FINITE,
);
pub(super) const MOISTURE_FLUX: Quantity = Quantity::new(
    "moisture_flux",
    &["qfx", "QFX"],
    &["water_evapotranspiration_flux", "surface_upward_water_vapor_flux_in_air"],
    "kg m-2 s-1",
    Column,
    Accepted::FINITE,
);
pub(super) const FRICTION_VELOCITY: Quantity =
    of("friction_velocity", &["ust", "UST"], "m s-1", Column, Accepted::POSITIVE);
pub(super) const PROFILE_MOMENTUM: Quantity = of("profile_momentum", &["psim", "PSIM"], "1", Column, Accepted::FINITE);
pub(super) const PROFILE_HEAT: Quantity = of("profile_heat", &["psih", "PSIH"], "1", Column, Accepted::POSITIVE);
pub(super) const RICHARDSON: Quantity = of("richardson", &["br", "BR"], "1", Column, Accepted::FINITE);
pub(super) const WIND_SPEED: Quantity = of("wind_speed", &["wspd", "WSPD"], "m s-1", Column, Accepted::POSITIVE);
pub(super) const U_10M: Quantity = of("u_10m", &["u10", "U10"], "m s-1", Column, WIND);
pub(super) const V_10M: Quantity = of("v_10m", &["v10", "V10"], "m s-1", Column, WIND);
pub(super) const U_CURRENT: Quantity =
    Quantity::new("u_current", &["uoce", "UOCE"], &["surface_eastward_sea_water_velocity"], "m s-1", Column, WIND);
pub(super) const V_CURRENT: Quantity =
    Quantity::new("v_current", &["voce", "VOCE"], &["surface_northward_sea_water_velocity"], "m s-1", Column, WIND);
pub(super) const BOUNDARY_LAYER_HEIGHT: Quantity = Quantity::new(
    "boundary_layer_height",
    &["hpbl", "pblh", "PBLH"],
    &["atmosphere_boundary_layer_thickness"],
    "m",
    Column,
    Accepted::NOT_NEGATIVE,
);
pub(super) const DRAG_FACTOR: Quantity = of("drag_factor", &["ctopo", "CTOPO"], "1", Column, Accepted::NOT_NEGATIVE);
pub(super) const WIND_WEIGHT: Quantity = of("wind_weight", &["ctopo2", "CTOPO2"], "1", Column, Accepted::FINITE);
