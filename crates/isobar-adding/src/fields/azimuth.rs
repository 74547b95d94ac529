//! Fields of layers that scatter, seen from any direction.

use isobar_core::fields::{Dimension, LAYER, LEVEL, MOMENT};

/// The suns of a batch: each with its own zenith angle, over the same air.
pub const SUN: Dimension = Dimension("sun");

/// The zenith angles under which a profile is seen.
pub const VIEW: Dimension = Dimension("view");

/// The azimuths under which a profile is seen.
pub const AZIMUTH: Dimension = Dimension("azimuth");

/// Parameters of a surface's reflection.
pub const PARAMETER: Dimension = Dimension("surface_parameter");

isobar_core::fields! {
    /// Profiles of layers that scatter, over a surface. Phase functions are given by their asymmetry, or by moments.
    inputs Profiles, ProfileViews
    with #[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))] {
        /// Cosine of each viewing direction's zenith angle: of light that comes up to the viewer, and of light that
        /// comes down to him.
        viewing_cosine: Real [VIEW] "1" .above(0.0, 1.0);
        /// Azimuth between the directions in which the light and the sunbeam travel: 0 is forward. Without it radiances
        /// are means over the azimuth.
        relative_azimuth: Real [AZIMUTH] "degree" .within(-360.0, 360.0).optional();
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
        planck_radiance: Real [LAYER] "any unit" .within(0.0, f64::INFINITY).aliases(&["planck"]).optional();
        /// Planck radiance of each level, in the place of the layers': linear in optical depth in between.
        planck_radiance_level: Real [LEVEL] "any unit" .within(0.0, f64::INFINITY).aliases(&["planck_lev"]).optional();
        /// Planck radiance of the surface; 0 in sunlight alone.
        surface_planck_radiance: Real [] "any unit" .within(0.0, f64::INFINITY)
            .file("surface_planck").aliases(&["planck_sfc", "surface_planck_radiance"]);
        /// Parameters of how the surface reflects, in the order of the option `surface`.
        surface_parameters: Real [PARAMETER] "1" .within(-1e3, 1e3);
        /// Radiance that enters from above, from everywhere.
        cosmic_background: Real [] "any unit" .within(0.0, f64::INFINITY).aliases(&["cosmic"]);
        /// Cosine of the zenith angle of each sun; no light at zero or less.
        sun_cosine: Real [SUN] "1" .within(-1.0, 1.0).aliases(&["mu0"]).optional();
        /// Irradiance of each sun at the top and normal to the beam, in the unit of the radiances times sr.
        sun_irradiance: Real [SUN] "any unit" .within(0.0, f64::INFINITY)
            .cf(&["solar_irradiance", "solar_irradiance_per_unit_wavelength"]).aliases(&["f_sun"]).optional();
    }
}

isobar_core::fields! {
    /// Radiances and fluxes of profiles, without the direct beams but where it is said.
    outputs Radiances, RadianceViews
    with #[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))] {
        /// Upward at the top.
        top_radiance: Real [SUN, VIEW, AZIMUTH] "any unit";
        /// Downward at the surface.
        surface_downward_radiance: Real [SUN, VIEW, AZIMUTH] "any unit";
        /// Upward at every level.
        upward_radiance: Real [LEVEL, SUN, VIEW, AZIMUTH] "any unit";
        /// Downward at every level.
        downward_radiance: Real [LEVEL, SUN, VIEW, AZIMUTH] "any unit";
        /// Irradiance upward at every level.
        upward_flux: Real [LEVEL, SUN] "any unit";
        /// Diffuse irradiance downward at every level.
        downward_flux: Real [LEVEL, SUN] "any unit";
        /// Irradiance of the direct beam at every level, on a horizontal surface.
        direct_flux: Real [LEVEL, SUN] "any unit";
        /// Actinic flux at every level, diffuse light and beam: the radiance from everywhere.
        actinic_flux: Real [LEVEL, SUN] "any unit";
        /// What became of each profile: 0 if it was computed.
        status: Word [] "1";
    }
}

isobar_core::fields! {
    /// Derivatives of a number by each radiance and flux from which it is computed; those that are left out are 0.
    inputs Cotangents, CotangentViews
    with #[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))] {
        /// By the radiance upward at the top.
        top_radiance: Real [SUN, VIEW, AZIMUTH] "1" .optional();
        /// By that downward at the surface.
        surface_downward_radiance: Real [SUN, VIEW, AZIMUTH] "1" .optional();
        /// By that upward at every level.
        upward_radiance: Real [LEVEL, SUN, VIEW, AZIMUTH] "1" .optional();
        /// By that downward at every level.
        downward_radiance: Real [LEVEL, SUN, VIEW, AZIMUTH] "1" .optional();
        /// By the irradiance upward at every level.
        upward_flux: Real [LEVEL, SUN] "1" .optional();
        /// By the diffuse irradiance downward at every level.
        downward_flux: Real [LEVEL, SUN] "1" .optional();
        /// By the irradiance of the direct beam at every level.
        direct_flux: Real [LEVEL, SUN] "1" .optional();
        /// By the actinic flux at every level.
        actinic_flux: Real [LEVEL, SUN] "1" .optional();
    }
}

isobar_core::fields! {
    /// Derivatives of a number by what a profile is: those by directions are not among them.
    outputs Gradients, GradientViews
    with #[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))] {
        /// By the vertical optical depth.
        optical_depth: Real [LAYER] "any unit";
        /// By the single-scattering albedo.
        single_scattering_albedo: Real [LAYER] "any unit";
        /// By the asymmetry, where it is given.
        asymmetry: Real [LAYER] "any unit";
        /// By the moments of the phase function, where they are given: by the first, and by those beyond the streams,
        /// too.
        phase_moments: Real [LAYER, MOMENT] "any unit";
        /// By Planck's radiance of each layer: by as much more everywhere in it.
        planck_radiance: Real [LAYER] "any unit";
        /// By Planck's radiance of each level, linear in optical depth in between.
        planck_radiance_level: Real [LEVEL] "any unit";
        /// By the Planck radiance of the surface.
        surface_planck_radiance: Real [] "any unit";
        /// By the parameters of the surface.
        surface_parameters: Real [PARAMETER] "any unit";
        /// By the radiance that enters from above.
        cosmic_background: Real [] "any unit";
        /// By the irradiance of each sun; 0 at night and where there is none.
        sun_irradiance: Real [SUN] "any unit";
        /// What became of each profile: 0 if it was computed.
        status: Word [] "1";
    }
}
