//! What goes into the scheme and what comes out.

use isobar_core::Field;
use isobar_core::fields::{Accepted, Dimension, G_POINT, LAYER, LEVEL, MASK_WORD};
use isobar_optics::Atmosphere;

/// What a column is called in messages.
pub const ITEM: &str = "column";

/// Interfaces between layers, from the lowest on: one fewer than layers.
pub const INTERFACE: Dimension = Dimension("layer_interface");
/// Bands of the long wave, or its g-points.
pub const LONGWAVE_BAND: Dimension = Dimension("longwave_band");
/// Bands of the short wave, or its g-points.
pub const SHORTWAVE_BAND: Dimension = Dimension("shortwave_band");
/// Bands of the long wave's k-distribution, whatever the input has.
pub const LONGWAVE_FLUX_BAND: Dimension = Dimension("longwave_flux_band");
/// Bands of the short wave's.
pub const SHORTWAVE_FLUX_BAND: Dimension = Dimension("shortwave_flux_band");

isobar_core::fields! {
    /// Columns of air over their surfaces, with clouds where there is a `cloud_fraction`. Layers and levels go from the
    /// surface up. What only one spectrum reads is needed where that is computed, and else not read.
    ///
    /// Gases are mixing ratios relative to dry air.
    inputs Columns, ColumnViews {
        /// Pressure of the levels, falling with height.
        level_pressure_pa: Real [LEVEL] "Pa" .within(0.0, f64::INFINITY)
            .file("level_pressure")
            .aliases(&[
                "plev", "p_int", "pres_level", "pressure_level", "p_lev", "pressure_hl", "pres_ifc", "phalf",
                "air_pressure_on_interface_levels",
            ])
            .cf(&["air_pressure"]).in_state("interface_pressure");
        /// Pressure of the layers, between that of the levels around.
        pressure_pa: Real [LAYER] "Pa" .above(0.0, f64::INFINITY)
            .file("pressure").aliases(&["p", "play", "pres_layer", "p_lay", "pres", "pfull"]).cf(&["air_pressure"]);
        /// Temperature of the layers.
        temperature_k: Real [LAYER] "K" .within(100.0, 400.0)
            .file("temperature").aliases(&["t", "T", "ta", "temp", "tlay", "temp_layer", "t_lay", "Tatm"])
            .cf(&["air_temperature"]);
        /// Temperature of the levels, for the long wave.
        level_temperature_k: Real [LEVEL] "K" .within(100.0, 400.0) .optional()
            .file("level_temperature")
            .aliases(&["tlev", "t_int", "temp_level", "temperature_level", "t_lev", "temperature_hl", "temp_ifc"])
            .cf(&["air_temperature"]).in_state("level_temperature");
        /// Temperature of the surface, for the long wave.
        surface_temperature_k: Real [] "K" .within(100.0, 400.0) .optional()
            .file("surface_temperature")
            .aliases(&["tsfc", "ts", "TS", "Ts", "TSK", "skin_temperature", "skt", "skintemp", "t_g"])
            .cf(&["surface_temperature"]);
        /// Emissivity of the surface, for the long wave: by band, or by g-point.
        emissivity: Real [LONGWAVE_BAND] "1" .within(0.0, 1.0) .optional()
            .aliases(&["emis", "surface_emissivity", "EMISS", "lw_emissivity", "sfc_emiss"])
            .cf(&["surface_longwave_emissivity"]);
        /// Cosine of the sun's zenith angle, for the short wave: 0 or less at night.
        cosine_zenith: Real [] "1" .within(-1.0, 1.0) .optional()
            .aliases(&["mu0", "coszen", "COSZEN", "coszr", "COSZRS", "cosmu0", "cos_solar_zenith_angle"])
            .cf(&["cosine_of_solar_zenith_angle"]);
        /// Irradiance of the sun at the top, for the short wave; that of the k-distribution where it is left out.
        total_solar_irradiance_w_per_m2: Real [] "W m-2" .within(0.0, 1e4) .optional()
            .file("total_solar_irradiance").aliases(&["tsi", "solar_irradiance", "sol_tsi"]).cf(&["solar_irradiance"]);
        /// Albedo of the surface for the sun's beam, for the short wave: by band, or by g-point.
        surface_albedo_direct: Real [SHORTWAVE_BAND] "1" .within(0.0, 1.0) .optional()
            .aliases(&[
                "surface_albedo", "albedo", "ALBEDO", "fal", "sfc_albedo", "sw_albedo_direct",
                "surface_albedo_for_direct_shortwave",
            ])
            .cf(&["surface_albedo"]);
        /// Albedo for diffuse light; that for the beam where it is left out.
        surface_albedo_diffuse: Real [SHORTWAVE_BAND] "1" .within(0.0, 1.0) .optional()
            .aliases(&["sw_albedo", "surface_albedo_for_diffuse_shortwave"]);
        /// Water vapour: needed unless no k-distribution knows it.
        h2o: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["water_vapor", "water_vapour", "h2ovmr"]).in_state("mole_fraction_of_water_vapor");
        /// Carbon dioxide; none where a gas is left out.
        co2: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["carbon_dioxide", "carbon_dioxide_GM", "co2_vmr", "co2vmr", "co2_mole_fraction_fl"])
            .cf(&["mole_fraction_of_carbon_dioxide_in_air"]);
        /// Ozone.
        o3: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["ozone", "ozone_GM", "O3", "o3vmr", "o3_vmr", "o3_mole_fraction_fl"])
            .cf(&["mole_fraction_of_ozone_in_air"]);
        /// Nitrous oxide.
        n2o: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["nitrous_oxide", "nitrous_oxide_GM", "n2o_vmr", "n2ovmr", "n2o_mole_fraction_fl"])
            .cf(&["mole_fraction_of_nitrous_oxide_in_air"]);
        /// Carbon monoxide.
        co: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["carbon_monoxide", "carbon_monoxide_GM", "co_vmr", "co_mole_fraction_fl"])
            .cf(&["mole_fraction_of_carbon_monoxide_in_air"]);
        /// Methane.
        ch4: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["methane", "methane_GM", "ch4_vmr", "ch4vmr", "ch4_mole_fraction_fl"])
            .cf(&["mole_fraction_of_methane_in_air"]);
        /// Oxygen.
        o2: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["oxygen", "oxygen_GM", "o2_vmr", "o2vmr", "o2_mole_fraction_fl"])
            .cf(&["mole_fraction_of_molecular_oxygen_in_air"]);
        /// Nitrogen.
        n2: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["nitrogen", "nitrogen_GM", "n2_vmr", "n2_mole_fraction_fl"]);
        /// Carbon tetrachloride.
        ccl4: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["carbon_tetrachloride", "carbon_tetrachloride_GM", "ccl4_vmr", "ccl4vmr"])
            .cf(&["mole_fraction_of_carbon_tetrachloride_in_air"]);
        /// CFC-11.
        cfc11: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["cfc11_GM", "cfc11_vmr", "cfc11vmr", "f11vmr", "cfc11_mole_fraction_fl"])
            .cf(&["mole_fraction_of_cfc11_in_air"]);
        /// CFC-12.
        cfc12: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["cfc12_GM", "cfc12_vmr", "cfc12vmr", "f12vmr", "cfc12_mole_fraction_fl"])
            .cf(&["mole_fraction_of_cfc12_in_air"]);
        /// HCFC-22.
        cfc22: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["cfc22_GM", "cfc22vmr", "hcfc22", "hcfc22_GM", "hcfc22_vmr"])
            .cf(&["mole_fraction_of_hcfc22_in_air"]);
        /// HFC-143a.
        hfc143a: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["hfc143a_GM"]);
        /// HFC-125.
        hfc125: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["hfc125_GM"]);
        /// HFC-23.
        hfc23: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["hfc23_GM"]);
        /// HFC-32.
        hfc32: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["hfc32_GM"]);
        /// HFC-134a.
        hfc134a: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["hfc134a_GM"]);
        /// Carbon tetrafluoride.
        cf4: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["cf4_GM"]);
        /// Nitrogen dioxide.
        no2: Real [LAYER] "mol mol-1" .within(0.0, 1.0) .optional()
            .aliases(&["nitrogen_dioxide", "no2_GM"]);
        /// Columns of dry air, in molecules, for RRTMG_LW alone: gases are columns then, in molecules/cm^2, halocarbons
        /// in 1e20 molecules/cm^2. Where they are left out, they follow from the levels' pressure.
        dry_column_per_cm2: Real [LAYER] "cm-2" .above(0.0, f64::INFINITY) .optional();
        /// Columns of all that broadens lines besides the gases: given where those of dry air are.
        broadening_column_per_cm2: Real [LAYER] "cm-2" .within(0.0, f64::INFINITY) .optional();
        /// Absorption optical depth of aerosol in the bands of the long wave; not beside the next three, which RRTMG_LW
        /// does not have.
        aerosol_absorption_longwave: Real [LAYER, LONGWAVE_BAND] "1" .within(0.0, f64::INFINITY) .optional()
            .aliases(&["tauaer"]);
        /// Extinction optical depth of aerosol in the bands of the long wave, with the next two: of these only
        /// absorption counts where the long wave does not scatter.
        aerosol_optical_depth_longwave: Real [LAYER, LONGWAVE_BAND] "1" .within(0.0, f64::INFINITY) .optional();
        /// Single-scattering albedo of aerosol in the long wave.
        aerosol_albedo_longwave: Real [LAYER, LONGWAVE_BAND] "1" .within(0.0, 1.0) .optional();
        /// Asymmetry of aerosol in the long wave.
        aerosol_asymmetry_longwave: Real [LAYER, LONGWAVE_BAND] "1" .within(-1.0, 1.0) .optional();
        /// Extinction optical depth of aerosol in the bands of the short wave, with the next two.
        aerosol_optical_depth: Real [LAYER, SHORTWAVE_BAND] "1" .within(0.0, f64::INFINITY) .optional();
        /// Single-scattering albedo of aerosol.
        aerosol_albedo: Real [LAYER, SHORTWAVE_BAND] "1" .within(0.0, 1.0) .optional();
        /// Asymmetry of aerosol.
        aerosol_asymmetry: Real [LAYER, SHORTWAVE_BAND] "1" .within(-1.0, 1.0) .optional();
        /// The cloudy part of the layer.
        cloud_fraction: Real [LAYER] "1" .within(0.0, 1.0) .optional()
            .aliases(&[
                "cldfrac", "cldfra", "CLDFRA", "CLOUD", "cc", "cf", "cl", "clc", "cloud_area_fraction", "cloud_cover",
            ])
            .cf(&["cloud_area_fraction_in_atmosphere_layer"]);
        /// Liquid water path of the cloudy part: needed for clouds, as are the next three.
        liquid_path_g_per_m2: Real [LAYER] "g m-2" .within(0.0, f64::INFINITY) .optional()
            .file("liquid_water_path").aliases(&["clwp", "lwp"]);
        /// Ice water path of the cloudy part.
        ice_path_g_per_m2: Real [LAYER] "g m-2" .within(0.0, f64::INFINITY) .optional()
            .file("ice_water_path").aliases(&["ciwp", "iwp"]);
        /// Effective radius of droplets, in the range of the cloud tables; read where there is liquid.
        liquid_radius_um: Real [LAYER] "um" .accepts(Accepted::Anything) .optional()
            .file("liquid_radius").aliases(&["rel", "REL", "reliq", "re_liq", "RE_CLOUD", "reff_qc"]);
        /// Effective size of ice, as the cloud tables mean it (RRTMGP's: the diameter) or the optics of ice that are
        /// chosen of RRTMG_LW's, in their range; read where there is ice.
        ice_size_um: Real [LAYER] "um" .accepts(Accepted::Anything) .optional()
            .file("ice_size").aliases(&["dei"]);
        /// Absorption optical depth of the cloudy part in the bands of the long wave, for RRTMG_LW alone: instead of
        /// paths and sizes.
        cloud_absorption_longwave: Real [LAYER, LONGWAVE_BAND] "1" .within(0.0, f64::INFINITY) .optional();
        /// Rain water path of the cloudy part, beside the liquid; none where it is left out. Needs a `rain_radius_um`,
        /// and tables of clouds that have rain.
        rain_path_g_per_m2: Real [LAYER] "g m-2" .within(0.0, f64::INFINITY) .optional()
            .file("rain_water_path").aliases(&["crwp", "rwp"]);
        /// Snow water path of the cloudy part, beside the ice; none where it is left out. Needs a `snow_size_um`, and
        /// tables of clouds that have snow.
        snow_path_g_per_m2: Real [LAYER] "g m-2" .within(0.0, f64::INFINITY) .optional()
            .file("snow_water_path").aliases(&["cswp", "swp"]);
        /// Effective radius of rain, in the range of the cloud tables; read where there is rain.
        rain_radius_um: Real [LAYER] "um" .accepts(Accepted::Anything) .optional()
            .file("rain_radius").aliases(&["re_rain", "RE_RAIN"]);
        /// Effective size of snow, as the cloud tables mean it (the diameter), in their range; read where there is
        /// snow.
        snow_size_um: Real [LAYER] "um" .accepts(Accepted::Anything) .optional()
            .file("snow_size").aliases(&["des"]);
        /// Overlap of the clouds of neighbouring layers, 1 as much as possible, 0 at random: read only for exponential
        /// overlap, where it may be given instead of the thickness.
        overlap_parameter: Real [INTERFACE] "1" .within(0.0, 1.0) .optional()
            .aliases(&["overlap_param"]);
        /// Standard deviation of the cloud's water relative to its mean: read by Tripleclouds only, 1 where it is left
        /// out.
        fractional_standard_deviation: Real [LAYER] "1" .within(0.0, 10.0) .optional()
            .aliases(&["fractional_std"]);
        /// Thickness of the layers: read only for exponential overlap, and needed there unless there is an
        /// `overlap_parameter`.
        thickness_m: Real [LAYER] "m" .above(0.0, f64::INFINITY) .optional()
            .file("thickness").aliases(&["dz"]);
        /// Latitude: read only for RRTMG_LW's decorrelation length by latitude, 0 if it is left out.
        latitude_deg: Real [] "degree" .within(-90.0, 90.0) .optional()
            .file("latitude").aliases(&["lat", "XLAT"]).cf(&["latitude"]);
        /// What the clouds that a g-point of RRTMG_LW sees have of the layer's water or optical depth; 1 where it is
        /// left out.
        cloud_share: Real [LAYER, G_POINT] "1" .within(0.0, f64::INFINITY) .optional();
        /// Which g-points of RRTMG_LW see the cloud, a bit each, the first in the lowest; where it is left out, it is
        /// generated.
        cloud_mask: Word [LAYER, MASK_WORD] "1" .optional();
        /// What the random sub-columns of a column begin with, besides the pressure of its lowest level and the lowest
        /// of its temperatures; RRTMG_LW's have a seed for all.
        subcolumn_seed: Word [] "1" .optional();
    }
}

isobar_core::fields! {
    /// Fluxes, positive in their direction, and heating rates.
    outputs Fluxes, FluxViews {
        /// Upward long-wave flux.
        longwave_up_w_per_m2: Real [LEVEL] "W m-2"
            .file("longwave_upward_flux").aliases(&["rlu", "lw_flux_up"]).cf(&["upwelling_longwave_flux_in_air"]);
        /// Downward long-wave flux.
        longwave_down_w_per_m2: Real [LEVEL] "W m-2"
            .file("longwave_downward_flux").aliases(&["rld", "lw_flux_dn"]).cf(&["downwelling_longwave_flux_in_air"]);
        /// Long-wave heating rate of the layer.
        longwave_heating_k_per_day: Real [LAYER] "K day-1"
            .file("longwave_heating_rate").cf(&["tendency_of_air_temperature_due_to_longwave_heating"]);
        /// Derivative of the upward long-wave flux by the surface's temperature.
        longwave_up_derivative_w_per_m2_k: Real [LEVEL] "W m-2 K-1"
            .file("longwave_upward_flux_derivative");
        /// Upward short-wave flux.
        shortwave_up_w_per_m2: Real [LEVEL] "W m-2"
            .file("shortwave_upward_flux").aliases(&["rsu", "sw_flux_up"]).cf(&["upwelling_shortwave_flux_in_air"]);
        /// Downward short-wave flux, the sun's beam and diffuse light.
        shortwave_down_w_per_m2: Real [LEVEL] "W m-2"
            .file("shortwave_downward_flux").aliases(&["rsd", "sw_flux_dn"])
            .cf(&["downwelling_shortwave_flux_in_air"]);
        /// Flux of the sun's beam.
        shortwave_direct_w_per_m2: Real [LEVEL] "W m-2"
            .file("shortwave_direct_flux").aliases(&["sw_flux_dir"])
            .cf(&["direct_downwelling_shortwave_flux_in_air"]);
        /// Short-wave heating rate of the layer.
        shortwave_heating_k_per_day: Real [LAYER] "K day-1"
            .file("shortwave_heating_rate").cf(&["tendency_of_air_temperature_due_to_shortwave_heating"]);
        /// Upward long-wave flux of each band of the k-distribution.
        longwave_up_by_band_w_per_m2: Real [LEVEL, LONGWAVE_FLUX_BAND] "W m-2"
            .file("longwave_upward_flux_by_band");
        /// Downward long-wave flux of each band.
        longwave_down_by_band_w_per_m2: Real [LEVEL, LONGWAVE_FLUX_BAND] "W m-2"
            .file("longwave_downward_flux_by_band");
        /// Upward short-wave flux of each band of the k-distribution.
        shortwave_up_by_band_w_per_m2: Real [LEVEL, SHORTWAVE_FLUX_BAND] "W m-2"
            .file("shortwave_upward_flux_by_band");
        /// Downward short-wave flux of each band, the sun's beam and diffuse light.
        shortwave_down_by_band_w_per_m2: Real [LEVEL, SHORTWAVE_FLUX_BAND] "W m-2"
            .file("shortwave_downward_flux_by_band");
        /// Flux of the sun's beam of each band.
        shortwave_direct_by_band_w_per_m2: Real [LEVEL, SHORTWAVE_FLUX_BAND] "W m-2"
            .file("shortwave_direct_flux_by_band");
        /// Upward long-wave flux without clouds.
        longwave_up_clear_w_per_m2: Real [LEVEL] "W m-2"
            .file("longwave_upward_flux_clear").cf(&["upwelling_longwave_flux_in_air_assuming_clear_sky"]);
        /// Downward long-wave flux without clouds.
        longwave_down_clear_w_per_m2: Real [LEVEL] "W m-2"
            .file("longwave_downward_flux_clear").cf(&["downwelling_longwave_flux_in_air_assuming_clear_sky"]);
        /// Long-wave heating rate of the layer without clouds.
        longwave_heating_clear_k_per_day: Real [LAYER] "K day-1"
            .file("longwave_heating_rate_clear")
            .cf(&["tendency_of_air_temperature_due_to_longwave_heating_assuming_clear_sky"]);
        /// Derivative of the upward long-wave flux by the surface's temperature without clouds.
        longwave_up_clear_derivative_w_per_m2_k: Real [LEVEL] "W m-2 K-1"
            .file("longwave_upward_flux_derivative_clear");
        /// Upward short-wave flux without clouds.
        shortwave_up_clear_w_per_m2: Real [LEVEL] "W m-2"
            .file("shortwave_upward_flux_clear").cf(&["upwelling_shortwave_flux_in_air_assuming_clear_sky"]);
        /// Downward short-wave flux without clouds.
        shortwave_down_clear_w_per_m2: Real [LEVEL] "W m-2"
            .file("shortwave_downward_flux_clear").cf(&["downwelling_shortwave_flux_in_air_assuming_clear_sky"]);
        /// Short-wave heating rate of the layer without clouds.
        shortwave_heating_clear_k_per_day: Real [LAYER] "K day-1"
            .file("shortwave_heating_rate_clear")
            .cf(&["tendency_of_air_temperature_due_to_shortwave_heating_assuming_clear_sky"]);
        /// Whether the column was computed.
        status: Word [] "1";
    }
}

/// The fields of gases of a set, in the order of [`isobar_optics::gases::GASES`].
macro_rules! in_order_of_gases {
    ($set:expr) => {
        [
            $set.h2o,
            $set.co2,
            $set.o3,
            $set.n2o,
            $set.co,
            $set.ch4,
            $set.o2,
            $set.n2,
            $set.ccl4,
            $set.cfc11,
            $set.cfc12,
            $set.cfc22,
            $set.hfc143a,
            $set.hfc125,
            $set.hfc23,
            $set.hfc32,
            $set.hfc134a,
            $set.cf4,
            $set.no2,
        ]
    };
}
#[cfg(feature = "adjoint")]
pub(crate) use in_order_of_gases;

impl<'a, R: Copy> ColumnViews<'a, R> {
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

    /// What gas optics reads.
    #[must_use]
    pub fn atmosphere(&self) -> Atmosphere<'a, R> {
        Atmosphere {
            pressure_pa: self.pressure_pa,
            level_pressure_pa: self.level_pressure_pa,
            temperature_k: self.temperature_k,
            level_temperature_k: self.level_temperature_k,
            surface_temperature_k: isobar_core::fields::field_of(self.surface_temperature_k),
            gases: self.gases(),
        }
    }

    /// The gases, in the order of [`isobar_optics::gases::GASES`].
    #[must_use]
    pub fn gases(&self) -> [Field<'a, R>; 19] {
        in_order_of_gases!(self)
    }
}

/// The input of a name.
#[cfg(feature = "std")]
pub(crate) fn declared(name: &str) -> &'static isobar_core::fields::Declared {
    isobar_core::fields::Declared::named(ColumnViews::<f64>::DECLARED, name)
}
