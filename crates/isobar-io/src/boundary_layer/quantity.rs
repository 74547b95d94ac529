//! What is asked of a file besides the fields of the scheme.

use isobar_core::fields::Declared;
use isobar_ysu::ColumnViews;

use crate::columns_file::{Per, Quantity, between};
use crate::netcdf::Accepted;

use Per::{Column, Layer, Level};

pub(super) const WIND: Accepted = between(-1000.0, 1000.0);

pub(super) const THETA: Quantity =
    Quantity::new("theta", &["th"], &["air_potential_temperature"], "K", Layer, Accepted::POSITIVE);
pub(super) const INTERFACE_HEIGHT: Quantity = Quantity::new(
    "interface_height",
    &["z_int", "z_level", "height_level", "z_ifc"],
    &[],
    "m",
    Level,
    Accepted::FINITE,
);
pub(super) const BOUNDARY_LAYER_HEIGHT: Quantity = Quantity::new(
    "boundary_layer_height",
    &["hpbl", "pblh", "PBLH", "blh", "zmla"],
    &["atmosphere_boundary_layer_thickness"],
    "m",
    Column,
    Accepted::NOT_NEGATIVE,
);

/// The scheme's profiles as WRF and MPAS call them, whose `PSIM` and `PSIH` are corrections to the neutral ones.
pub(super) fn profiles_of_models() -> [Quantity; 2] {
    [
        field("profile_momentum").also_known_as(&["fm", "FM"]),
        field("profile_heat").also_known_as(&["fhh", "FHH", "fh", "FH"]),
    ]
}

/// What may be any number, in each column.
pub(super) const fn of_column(
    name: &'static str,
    aliases: &'static [&'static str],
    standard_names: &'static [&'static str],
    unit: &'static str,
) -> Quantity {
    Quantity::new(name, aliases, standard_names, unit, Column, Accepted::FINITE)
}

/// A field of the scheme, by its name.
pub(super) fn field(name: &str) -> Quantity {
    Quantity::declared(Declared::named(ColumnViews::<f64>::DECLARED, name))
}
