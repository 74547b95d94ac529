//! What is asked of a file besides the fields of the scheme.

use crate::columns_file::{Per, Quantity, between};
use crate::netcdf::Accepted;

use Per::{Column, Layer, Level};

pub(super) const WIND: Accepted = between(-1000.0, 1000.0);

pub(super) const THETA: Quantity =
    Quantity::new("theta", &["th"], &["air_potential_temperature"], "K", Layer, Accepted::POSITIVE);
pub(super) const INTERFACE_HEIGHT: Quantity =
    Quantity::new("interface_height", &["z_int", "z_level", "height_level"], &[], "m", Level, Accepted::FINITE);
pub(super) const LAND_MASK: Quantity = Quantity::new(
    "land_binary_mask",
    &["landmask", "LANDMASK"],
    &["land_binary_mask"],
    "1",
    Column,
    Accepted::FRACTION,
);
pub(super) const BOUNDARY_LAYER_HEIGHT: Quantity = Quantity::new(
    "boundary_layer_height",
    &["hpbl", "pblh", "PBLH"],
    &["atmosphere_boundary_layer_thickness"],
    "m",
    Column,
    Accepted::NOT_NEGATIVE,
);
