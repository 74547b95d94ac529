//! Fields of layers that scatter.

use isobar_core::fields::{Dimension, LAYER, LEVEL, MOMENT};

/// The directions of a hemisphere: the nodes of the double-Gauss quadrature, ascending, and then the viewing angle, if
/// there is one.
pub const STREAM: Dimension = Dimension("stream");

isobar_core::fields! {
    /// Profiles of layers that scatter, over a surface. Phase functions are given by their asymmetry, or by moments.
    inputs Profiles, ProfileViews
    with #[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))] {
        /// Cosine of the angle under which each profile is seen, if it is to be a stream of its own.
        viewing_cosine: Real [] "1" .above(0.0, 1.0).optional();
        /// Vertical optical depth.
        optical_depth: Real [LAYER] "1" .within(0.0, 1e30).aliases(&["tau"]);
        /// Single-scattering albedo.
        single_scattering_albedo: Real [LAYER] "1" .within(0.0, 1.0)
            .cf(&["single_scattering_albedo_in_air_due_to_ambient_aerosol_particles"]).aliases(&["omega", "ssa", "w0"]);
        /// Asymmetry of Henyey and Greenstein's phase function.
        asymmetry: Real [LAYER] "1" .between(-1.0, 1.0).cf(&["asymmetry_factor_of_ambient_aerosol_particles"])
            .aliases(&["g", "asymmetry_factor", "asymmetry_parameter"]).optional();
        /// Legendre moments of the phase function, the first 1, in the place of an asymmetry: any number. Those that
        /// are not there are 0.
        phase_moments: Real [LAYER, MOMENT] "1" .within(-1.0, 1.0).aliases(&["pmom", "legendre_moments"]).optional();
        /// Planck radiance of each layer.
        planck_radiance: Real [LAYER] "any unit" .within(0.0, f64::INFINITY).aliases(&["planck"]);
        /// Planck radiance of the surface.
        surface_planck_radiance: Real [] "any unit" .within(0.0, f64::INFINITY)
            .file("surface_planck").aliases(&["planck_sfc", "surface_planck_radiance"]);
        /// Emissivity of the surface.
        emissivity: Real [STREAM] "1" .within(0.0, 1.0).cf(&["surface_longwave_emissivity"]).aliases(&["emis"]);
        /// Radiance that enters from above.
        cosmic_background: Real [] "any unit" .within(0.0, f64::INFINITY).aliases(&["cosmic"]);
        /// Cosine of the Sun's zenith angle; no light at zero or less. The component of sunlight that does not depend
        /// on azimuth is computed.
        sun_cosine: Real [] "1" .within(-1.0, 1.0).aliases(&["mu0"]).optional();
        /// Irradiance of the Sun at the top and normal to the beam, in the unit of the radiances times sr.
        sun_irradiance: Real [] "any unit" .within(0.0, f64::INFINITY)
            .cf(&["solar_irradiance", "solar_irradiance_per_unit_wavelength"]).aliases(&["f_sun"]).optional();
        /// Reflectivity of the surface for the direct beam.
        sun_reflectivity: Real [STREAM] "1" .within(0.0, f64::INFINITY).aliases(&["refl_direct"]).optional();
    }
}

isobar_core::fields! {
    /// Radiances of profiles that scatter.
    outputs Radiances, RadianceViews
    with #[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))] {
        /// Upward at the top.
        top_radiance: Real [STREAM] "any unit" .cf(&["toa_outgoing_radiance_per_unit_wavenumber"]);
        /// Upward at every level.
        upward_radiance: Real [LEVEL, STREAM] "any unit" .cf(&["upwelling_radiance_per_unit_wavenumber_in_air"]);
        /// Downward at every level, without the direct beam of the Sun.
        downward_radiance: Real [LEVEL, STREAM] "any unit" .cf(&["downwelling_radiance_per_unit_wavenumber_in_air"]);
        /// What became of each profile: 0 if it was computed.
        status: Word [] "1";
    }
}
