//! What is asked of a file: fields of the scheme, and what they are made of.

use isobar_core::fields::{Declared, Need};
use isobar_radiation::ColumnViews;

use super::RadiationRequest;
use crate::columns_file::Per::{Band, Column, LayerAndBand};
use crate::columns_file::{Bands, Per, Quantity, Reading, between};
use crate::error::Error;
use crate::netcdf::Accepted;

pub(super) const SURFACE_PRESSURE: Quantity =
    Quantity::new("PSFC", &[], &["surface_air_pressure"], "Pa", Column, Accepted::POSITIVE);
pub(super) const ZENITH_ANGLE: Quantity = Quantity::new(
    "solar_zenith_angle",
    &["sza", "solar_zenith", "zenith_angle"],
    &["solar_zenith_angle"],
    "degree",
    Column,
    between(0.0, 180.0),
);

fn declared(name: &str) -> &'static Declared {
    Declared::named(ColumnViews::<f64>::DECLARED, name)
}

/// CF's standard names of the effective radius of droplets. Those of convective and of stratiform clouds alone are
/// others.
const DROPLET_RADIUS: &[&str] =
    &["effective_radius_of_cloud_liquid_water_particles", "effective_radius_of_cloud_liquid_water_particle"];

/// A field of the scheme, by its name.
pub(super) fn field(name: &str) -> Quantity {
    let quantity = Quantity::declared(declared(name));
    if name == "liquid_radius_um" { quantity.by_standard_names(DROPLET_RADIUS) } else { quantity }
}

/// What a computation makes of a field.
pub(super) fn need(name: &str, request: &RadiationRequest) -> Need {
    request.spectra.need(declared(name), request.options)
}

/// Reads a field if it is needed, or may be there and is. Plain bands are those of the only spectrum.
pub(super) fn read(reading: &mut Reading, name: &str, request: &RadiationRequest) -> Result<(), Error> {
    let quantity = with_bands(reading, name, request);
    match need(name, request) {
        Need::Required => reading.need(&quantity),
        Need::Optional => reading.maybe(&quantity),
        Need::Ignored => Ok(()),
    }
}

/// Reads a field that counts in some places alone ([`Reading::maybe_where`]), as [`read`] does.
pub(super) fn read_where(reading: &mut Reading, name: &str, request: &RadiationRequest) -> Result<(), Error> {
    let quantity = with_bands(reading, name, request);
    match need(name, request) {
        Need::Required => reading.need_where(&quantity),
        Need::Optional => reading.maybe_where(&quantity),
        Need::Ignored => Ok(()),
    }
}

/// A field, of plain bands where the file has no others and one spectrum alone is computed.
pub(super) fn with_bands(reading: &Reading, name: &str, request: &RadiationRequest) -> Quantity {
    let mut quantity = field(name);
    let only = request.spectra.count() == 1;
    let plain = |bands: Bands| if only && !reading.file.has_dimension(bands.dimension()) { Bands::Any } else { bands };
    let per: Per = match quantity.per {
        Band(bands) => Band(plain(bands)),
        LayerAndBand(bands) => LayerAndBand(plain(bands)),
        other => other,
    };
    quantity.per = per;
    quantity
}
