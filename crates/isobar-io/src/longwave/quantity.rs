//! What is asked of a file: fields of the scheme, and what they are made of.

use isobar_longwave::ColumnViews;

use crate::columns_file::Per::{Column, Layer};
use crate::columns_file::{Quantity, between};
use crate::netcdf::Accepted;

/// A field of the scheme, by its name.
pub(super) fn field(name: &str) -> Quantity {
    let declared = ColumnViews::<f64>::DECLARED.iter().find(|declared| declared.name == name);
    Quantity::declared(declared.unwrap_or_else(|| unreachable!("{name} is a field of the scheme")))
}

pub(super) const SURFACE_PRESSURE: Quantity =
    Quantity::new("PSFC", &[], &["surface_air_pressure"], "Pa", Column, Accepted::POSITIVE);
pub(super) const ICE_RADIUS: Quantity =
    Quantity::new("ice_radius", &["re_ice", "RE_ICE"], &[], "um", Layer, Accepted::NOT_NEGATIVE);

/// Mixing ratios of mass, as WRF has them; advection leaves some below zero.
pub(super) const CLOUD_WATER: Quantity = Quantity::new("QCLOUD", &[], &[], "kg kg-1", Layer, between(-1e-3, 1.0));
pub(super) const CLOUD_ICE: Quantity = Quantity::new("QICE", &[], &[], "kg kg-1", Layer, between(-1e-3, 1.0));
