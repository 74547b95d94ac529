//! What is asked of a file: fields of the scheme, and what they are made of.

use isobar_core::fields::Declared;
use isobar_longwave::ColumnViews;

use crate::columns_file::Per::Column;
use crate::columns_file::Quantity;
use crate::netcdf::Accepted;

/// A field of the scheme, by its name.
pub(super) fn field(name: &str) -> Quantity {
    Quantity::declared(Declared::named(ColumnViews::<f64>::DECLARED, name))
}

pub(super) const SURFACE_PRESSURE: Quantity =
    Quantity::new("PSFC", &[], &["surface_air_pressure"], "Pa", Column, Accepted::POSITIVE);
