//! Fields of a clear sky.

use isobar_core::fields::{ANGLE, LAYER, LEVEL};

isobar_core::fields! {
    /// Profiles of clear layers over a surface. Layers have an optical depth or transmittances, and a Planck radiance
    /// for each layer or for each level.
    inputs Profiles, ProfileViews
    with #[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))] {
        /// Vertical optical depth.
        optical_depth: Real [LAYER] "1" .within(0.0, f64::INFINITY).aliases(&["tau"]).optional();
        /// Transmittance along each angle, in the place of optical depths.
        transmittance: Real [LAYER, ANGLE] "1" .within(0.0, 1.0).aliases(&["layer_trans"]).optional();
        /// Planck radiance of each layer: isothermal layers, as in CRTM.
        planck_radiance: Real [LAYER] "any unit" .within(0.0, f64::INFINITY).aliases(&["planck"]).optional();
        /// Planck radiance of each level, in the place of the layers': linear in optical depth in between.
        planck_radiance_level: Real [LEVEL] "any unit" .within(0.0, f64::INFINITY).aliases(&["planck_lev"]).optional();
        /// Planck radiance of the surface.
        surface_planck_radiance: Real [] "any unit" .within(0.0, f64::INFINITY)
            .file("surface_planck").aliases(&["planck_sfc", "surface_planck_radiance"]);
        /// Emissivity of the surface.
        emissivity: Real [ANGLE] "1" .within(0.0, 1.0).cf(&["surface_longwave_emissivity"]).aliases(&["emis"]);
        /// Radiance that enters from above.
        cosmic_background: Real [] "any unit" .within(0.0, f64::INFINITY).aliases(&["cosmic"]);
        /// Cosine of the Sun's zenith angle; no light at zero or less. Sunlight is reflected by the surface alone, and
        /// needs optical depths.
        sun_cosine: Real [] "1" .within(-1.0, 1.0).aliases(&["mu0"]).optional();
        /// Irradiance of the Sun at the top and normal to the beam, in the unit of the radiances times sr.
        sun_irradiance: Real [] "any unit" .within(0.0, f64::INFINITY)
            .cf(&["solar_irradiance", "solar_irradiance_per_unit_wavelength"]).aliases(&["f_sun"]).optional();
        /// Reflectivity of the surface for the direct beam.
        sun_reflectivity: Real [ANGLE] "1" .within(0.0, f64::INFINITY).aliases(&["refl_direct"]).optional();
    }
}

isobar_core::fields! {
    /// Radiances of profiles.
    outputs Radiances, RadianceViews
    with #[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))] {
        /// Upward at the top.
        top_radiance: Real [ANGLE] "any unit" .cf(&["toa_outgoing_radiance_per_unit_wavenumber"]);
        /// Downward at the surface.
        surface_downward_radiance: Real [ANGLE] "any unit" .cf(&["surface_downwelling_radiance_per_unit_wavenumber"]);
        /// Upward at every level.
        upward_radiance: Real [LEVEL, ANGLE] "any unit" .cf(&["upwelling_radiance_per_unit_wavenumber_in_air"]);
        /// Downward at every level.
        downward_radiance: Real [LEVEL, ANGLE] "any unit" .cf(&["downwelling_radiance_per_unit_wavenumber_in_air"]);
        /// What became of each profile: 0 if it was computed.
        status: Word [] "1";
    }
}
