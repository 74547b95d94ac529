//! Land and sea.

use super::{Per, Quantity, between};

/// The part of the surface that is land, by the names of ERA5, CAM, CMIP, WRF, MPAS and ICON.
pub(crate) const LAND: Quantity = Quantity::new(
    "land_area_fraction",
    &["lsm", "LANDFRAC", "sftlf", "landmask", "LANDMASK", "fr_land"],
    &["land_area_fraction", "land_binary_mask"],
    "1",
    Per::Column,
    between(0.0, 1.0),
);
