//! What goes into the scheme and what comes out.

use isobar_core::fields::{Accepted, BAND, G_POINT, LAYER, LEVEL, MASK_WORD};

/// What a column is called in messages.
pub const ITEM: &str = "column";

isobar_core::fields! {
    /// Columns of air over their surfaces, with clouds where there is a `cloud_fraction`. Layers and levels go from the
    /// surface up.
    ///
    /// Gases are mixing ratios relative to dry air. Where `dry_column_per_cm2` is given, they are columns instead:
    /// gases in molecules/cm^2, halocarbons in 1e20 molecules/cm^2.
    inputs Columns, ColumnViews {
        /// Pressure of the levels, falling with height; the top may be at 0.
        level_pressure_pa: Real [LEVEL] "Pa" .within(0.0, f64::INFINITY)
            .file("level_pressure").aliases(&["plev", "p_int", "pres_level", "pressure_level"]).cf(&["air_pressure"])
            .in_state("interface_pressure");
        /// Pressure of the layers, between that of the levels around.
        pressure_pa: Real [LAYER] "Pa" .above(0.0, f64::INFINITY)
            .file("pressure").aliases(&["p", "play", "pres_layer"]).cf(&["air_pressure"]);
        /// Temperature of the layers.
        temperature_k: Real [LAYER] "K" .within(100.0, 400.0)
            .file("temperature").aliases(&["t", "tlay", "temp_layer"]).cf(&["air_temperature"]);
        /// Temperature of the levels.
        level_temperature_k: Real [LEVEL] "K" .within(100.0, 400.0)
            .file("level_temperature").aliases(&["tlev", "t_int", "temp_level", "temperature_level"])
            .cf(&["air_temperature"]).in_state("level_temperature");
        /// Temperature of the surface.
        surface_temperature_k: Real [] "K" .within(100.0, 400.0)
            .file("surface_temperature").aliases(&["tsfc", "ts", "TSK"]).cf(&["surface_temperature"]);
        /// Emissivity of the surface.
        emissivity: Real [BAND] "1" .within(0.0, 1.0)
            .aliases(&["emis", "surface_emissivity", "EMISS"]).cf(&["surface_longwave_emissivity"]);
        /// Water vapour; none where a gas is left out.
        h2o: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["water_vapor", "water_vapour"]).in_state("mole_fraction_of_water_vapor");
        /// Carbon dioxide.
        co2: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["carbon_dioxide", "carbon_dioxide_GM"]).cf(&["mole_fraction_of_carbon_dioxide_in_air"]);
        /// Ozone.
        o3: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["ozone", "ozone_GM", "O3", "o3vmr"]).cf(&["mole_fraction_of_ozone_in_air"]);
        /// Nitrous oxide.
        n2o: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["nitrous_oxide", "nitrous_oxide_GM"]).cf(&["mole_fraction_of_nitrous_oxide_in_air"]);
        /// Carbon monoxide.
        co: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["carbon_monoxide", "carbon_monoxide_GM"]).cf(&["mole_fraction_of_carbon_monoxide_in_air"]);
        /// Methane.
        ch4: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["methane", "methane_GM"]).cf(&["mole_fraction_of_methane_in_air"]);
        /// Oxygen.
        o2: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["oxygen", "oxygen_GM"]).cf(&["mole_fraction_of_molecular_oxygen_in_air"]);
        /// Carbon tetrachloride.
        ccl4: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["carbon_tetrachloride", "carbon_tetrachloride_GM"])
            .cf(&["mole_fraction_of_carbon_tetrachloride_in_air"]);
        /// CFC-11.
        cfc11: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["cfc11_GM"]).cf(&["mole_fraction_of_cfc11_in_air"]);
        /// CFC-12.
        cfc12: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["cfc12_GM"]).cf(&["mole_fraction_of_cfc12_in_air"]);
        /// HCFC-22.
        cfc22: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["cfc22_GM", "hcfc22", "hcfc22_GM"]).cf(&["mole_fraction_of_hcfc22_in_air"]);
        /// Columns of dry air, in molecules; where they are left out, they follow from the levels' pressure.
        dry_column_per_cm2: Real [LAYER] "cm-2" .above(0.0, f64::INFINITY) .optional();
        /// Columns of all that broadens lines besides the gases, likewise: given where those of dry air are.
        broadening_column_per_cm2: Real [LAYER] "cm-2" .within(0.0, f64::INFINITY) .optional();
        /// Absorption optical depth of aerosol.
        aerosol_optical_depth: Real [LAYER, BAND] "1" .within(0.0, f64::INFINITY) .optional()
            .aliases(&["tauaer"]);
        /// The cloudy part of the layer.
        cloud_fraction: Real [LAYER] "1" .within(0.0, 1.0) .optional()
            .aliases(&["cldfrac", "cldfra", "CLDFRA", "cc", "cf", "cl", "clc", "cloud_area_fraction", "cloud_cover"])
            .cf(&["cloud_area_fraction_in_atmosphere_layer"]);
        /// Ice water path of the cloudy part: needed for clouds, as are the next three, unless their optical depth is
        /// given.
        ice_path_g_per_m2: Real [LAYER] "g m-2" .within(0.0, f64::INFINITY) .optional()
            .file("ice_water_path").aliases(&["ciwp"]);
        /// Liquid water path of the cloudy part.
        liquid_path_g_per_m2: Real [LAYER] "g m-2" .within(0.0, f64::INFINITY) .optional()
            .file("liquid_water_path").aliases(&["clwp"]);
        /// Size of ice particles, in the range of the optics of ice that are chosen; read where there is ice.
        ice_size_um: Real [LAYER] "um" .accepts(Accepted::Anything) .optional()
            .file("ice_size").aliases(&["reice"]);
        /// Effective radius of droplets, in the range of the optics of liquid that are chosen; read where there is
        /// liquid.
        liquid_radius_um: Real [LAYER] "um" .accepts(Accepted::Anything) .optional()
            .file("liquid_radius").aliases(&["reliq", "re_liq", "RE_CLOUD"]);
        /// Absorption optical depth of the cloudy part, instead of water.
        cloud_optical_depth: Real [LAYER, BAND] "1" .within(0.0, f64::INFINITY) .optional()
            .aliases(&["tauc"]);
        /// Thickness of the layers: read only, and needed, to generate masks with exponential overlap.
        thickness_m: Real [LAYER] "m" .above(0.0, f64::INFINITY) .optional()
            .file("thickness").aliases(&["dz"]);
        /// Latitude: read only for a decorrelation length by latitude, 0 if it is left out.
        latitude_deg: Real [] "degree" .within(-90.0, 90.0) .optional()
            .file("latitude").aliases(&["lat", "XLAT"]).cf(&["latitude"]);
        /// What the clouds that a g-point sees have of the layer's water or optical depth; 1 where it is left out.
        cloud_share: Real [LAYER, G_POINT] "1" .within(0.0, f64::INFINITY) .optional();
        /// Which g-points see the cloud, a bit each, the first in the lowest; where it is left out, it is generated.
        cloud_mask: Word [LAYER, MASK_WORD] "1" .optional();
    }
}

isobar_core::fields! {
    /// Fluxes, positive in their direction, and heating rates.
    outputs Fluxes, FluxViews {
        /// Upward long-wave flux.
        up_w_per_m2: Real [LEVEL] "W m-2"
            .file("upward_flux").aliases(&["uflx"]).cf(&["upwelling_longwave_flux_in_air"]);
        /// Downward long-wave flux.
        down_w_per_m2: Real [LEVEL] "W m-2"
            .file("downward_flux").aliases(&["dflx"]).cf(&["downwelling_longwave_flux_in_air"]);
        /// Long-wave heating rate of the layer.
        heating_k_per_day: Real [LAYER] "K day-1"
            .file("heating_rate").aliases(&["hr"]).cf(&["tendency_of_air_temperature_due_to_longwave_heating"]);
        /// Upward long-wave flux without clouds.
        up_clear_w_per_m2: Real [LEVEL] "W m-2"
            .file("upward_flux_clear").aliases(&["uflxc"]).cf(&["upwelling_longwave_flux_in_air_assuming_clear_sky"]);
        /// Downward long-wave flux without clouds.
        down_clear_w_per_m2: Real [LEVEL] "W m-2"
            .file("downward_flux_clear").aliases(&["dflxc"])
            .cf(&["downwelling_longwave_flux_in_air_assuming_clear_sky"]);
        /// Long-wave heating rate of the layer without clouds.
        heating_clear_k_per_day: Real [LAYER] "K day-1"
            .file("heating_rate_clear").aliases(&["hrc"])
            .cf(&["tendency_of_air_temperature_due_to_longwave_heating_assuming_clear_sky"]);
        /// Derivative of the upward flux by the surface's temperature.
        up_derivative_w_per_m2_k: Real [LEVEL] "W m-2 K-1"
            .file("upward_flux_derivative").aliases(&["duflx_dt"]);
        /// Derivative of the upward flux by the surface's temperature without clouds.
        up_clear_derivative_w_per_m2_k: Real [LEVEL] "W m-2 K-1"
            .file("upward_flux_derivative_clear").aliases(&["duflxc_dt"]);
        /// Upward long-wave flux of the band.
        band_up_w_per_m2: Real [LEVEL, BAND] "W m-2"
            .file("band_upward_flux");
        /// Downward long-wave flux of the band.
        band_down_w_per_m2: Real [LEVEL, BAND] "W m-2"
            .file("band_downward_flux");
        /// Whether the column was computed.
        status: Word [] "1";
    }
}

impl<R: Copy> ColumnViews<'_, R> {
    /// The number of columns.
    #[inline(always)]
    #[must_use]
    pub fn columns(&self) -> usize {
        self.temperature_k.items()
    }

    /// The number of layers.
    #[inline(always)]
    #[must_use]
    pub fn layers(&self) -> usize {
        self.temperature_k.levels()
    }

    /// Are there clouds?
    #[must_use]
    pub fn is_cloudy(&self) -> bool {
        !self.cloud_fraction.is_empty()
    }
}
