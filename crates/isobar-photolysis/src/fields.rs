//! Columns of air, and their photolysis rates.

use isobar_core::fields::{Dimension, LAYER, LEVEL, REACTION};

/// Wavelength bins.
pub const BIN: Dimension = Dimension("wavelength bin");

isobar_core::fields! {
    /// Columns of air under the Sun. Layers and levels go from the surface up.
    inputs Columns, ColumnViews
    with #[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))] {
        /// Height of the levels above the sea, rising.
        height_km: Real [LEVEL] "km" .within(-1.0, 200.0)
            .file("height").cf(&["altitude", "height"]);
        /// Temperature.
        temperature_k: Real [LAYER] "K" .within(100.0, 400.0)
            .file("temperature").cf(&["air_temperature"]);
        /// Molecules of air in the layer.
        air_per_cm2: Real [LAYER] "molecule cm-2" .within(0.0, 1e27)
            .file("air");
        /// Molecules of ozone in the layer.
        ozone_per_cm2: Real [LAYER] "molecule cm-2" .within(0.0, 1e22)
            .file("ozone");
        /// Optical depth of clouds in the layer, of any wavelength.
        cloud_optical_depth: Real [LAYER] "1" .within(0.0, 1e4) .optional();
        /// Cosine of the Sun's zenith angle, negative below the horizon.
        cosine_of_zenith: Real [] "1" .within(-1.0, 1.0)
            .file("cosine_of_zenith").cf(&["cosine_of_solar_zenith_angle"]);
        /// Albedo of the ground, of any wavelength.
        albedo: Real [] "1" .within(0.0, 1.0)
            .file("albedo").cf(&["surface_albedo"]);
        /// The square of the Sun's mean distance by that of the day, which multiplies its light.
        nearness: Real [] "1" .within(0.5, 2.0);
    }
}

isobar_core::fields! {
    /// Rates in the layers of columns.
    outputs Rates, RateViews
    with #[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))] {
        /// Photolysis rates, a row a reaction and layer.
        rate_per_s: Real [REACTION, LAYER] "s-1";
        /// Photons of a bin that come from all directions: actinic flux, the mean of the layer.
        actinic_flux_per_cm2_s: Real [BIN, LAYER] "cm-2 s-1";
        /// What became of each column: 0 if it was computed.
        status: Word [] "1";
    }
}
