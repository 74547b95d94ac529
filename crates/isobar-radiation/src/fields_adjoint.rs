//! What the adjoint takes and gives: derivatives of a number by fluxes, and by columns.

use isobar_core::fields::{LAYER, LEVEL};
use isobar_optics::AtmosphereGradients;

use crate::fields::{ColumnViews, LONGWAVE_BAND, SHORTWAVE_BAND, in_order_of_gases};

isobar_core::fields! {
    /// Derivatives of a number by each flux and heating rate from which it is computed; those that are left out are 0.
    inputs Cotangents, CotangentViews {
        /// By the upward long-wave flux.
        longwave_up_w_per_m2: Real [LEVEL] "W-1 m2" .optional();
        /// By the downward long-wave flux.
        longwave_down_w_per_m2: Real [LEVEL] "W-1 m2" .optional();
        /// By the long-wave heating rate.
        longwave_heating_k_per_day: Real [LAYER] "K-1 day" .optional();
        /// By the upward short-wave flux.
        shortwave_up_w_per_m2: Real [LEVEL] "W-1 m2" .optional();
        /// By the downward short-wave flux.
        shortwave_down_w_per_m2: Real [LEVEL] "W-1 m2" .optional();
        /// By that of the sun's beam alone.
        shortwave_direct_w_per_m2: Real [LEVEL] "W-1 m2" .optional();
        /// By the short-wave heating rate.
        shortwave_heating_k_per_day: Real [LAYER] "K-1 day" .optional();
    }
}

isobar_core::fields! {
    /// Derivatives of a number by what a column has, in the unit of the number over that of the column's. Which
    /// g-points see a cloud is held: there is none by cloud fractions and overlap.
    outputs Gradients, GradientViews {
        /// By the pressure of the levels.
        level_pressure_pa: Real [LEVEL] "Pa-1";
        /// By the pressure of the layers.
        pressure_pa: Real [LAYER] "Pa-1";
        /// By the temperature of the layers.
        temperature_k: Real [LAYER] "K-1";
        /// By the temperature of the levels.
        level_temperature_k: Real [LEVEL] "K-1";
        /// By the temperature of the surface.
        surface_temperature_k: Real [] "K-1";
        /// By the emissivity of the surface.
        emissivity: Real [LONGWAVE_BAND] "1";
        /// By the cosine of the sun's zenith angle; 0 at night.
        cosine_zenith: Real [] "1";
        /// By the irradiance of the sun, that of the k-distribution where the column has none.
        total_solar_irradiance_w_per_m2: Real [] "W-1 m2";
        /// By the albedo for the beam; for all light where there is no other.
        surface_albedo_direct: Real [SHORTWAVE_BAND] "1";
        /// By the albedo for diffuse light, where it is given.
        surface_albedo_diffuse: Real [SHORTWAVE_BAND] "1";
        /// By water vapour.
        h2o: Real [LAYER] "mol-1 mol";
        /// By carbon dioxide.
        co2: Real [LAYER] "mol-1 mol";
        /// By ozone.
        o3: Real [LAYER] "mol-1 mol";
        /// By nitrous oxide.
        n2o: Real [LAYER] "mol-1 mol";
        /// By carbon monoxide.
        co: Real [LAYER] "mol-1 mol";
        /// By methane.
        ch4: Real [LAYER] "mol-1 mol";
        /// By oxygen.
        o2: Real [LAYER] "mol-1 mol";
        /// By nitrogen.
        n2: Real [LAYER] "mol-1 mol";
        /// By carbon tetrachloride.
        ccl4: Real [LAYER] "mol-1 mol";
        /// By CFC-11.
        cfc11: Real [LAYER] "mol-1 mol";
        /// By CFC-12.
        cfc12: Real [LAYER] "mol-1 mol";
        /// By HCFC-22.
        cfc22: Real [LAYER] "mol-1 mol";
        /// By HFC-143a.
        hfc143a: Real [LAYER] "mol-1 mol";
        /// By HFC-125.
        hfc125: Real [LAYER] "mol-1 mol";
        /// By HFC-23.
        hfc23: Real [LAYER] "mol-1 mol";
        /// By HFC-32.
        hfc32: Real [LAYER] "mol-1 mol";
        /// By HFC-134a.
        hfc134a: Real [LAYER] "mol-1 mol";
        /// By carbon tetrafluoride.
        cf4: Real [LAYER] "mol-1 mol";
        /// By nitrogen dioxide.
        no2: Real [LAYER] "mol-1 mol";
        /// By the absorption optical depth of aerosol in the long wave, where it is given.
        aerosol_absorption_longwave: Real [LAYER, LONGWAVE_BAND] "1";
        /// By the extinction optical depth of aerosol in the long wave, where it is given.
        aerosol_optical_depth_longwave: Real [LAYER, LONGWAVE_BAND] "1";
        /// By the single-scattering albedo of aerosol in the long wave.
        aerosol_albedo_longwave: Real [LAYER, LONGWAVE_BAND] "1";
        /// By the extinction optical depth of aerosol in the short wave, where it is given.
        aerosol_optical_depth: Real [LAYER, SHORTWAVE_BAND] "1";
        /// By the single-scattering albedo of aerosol.
        aerosol_albedo: Real [LAYER, SHORTWAVE_BAND] "1";
        /// By the asymmetry of aerosol.
        aerosol_asymmetry: Real [LAYER, SHORTWAVE_BAND] "1";
        /// By the liquid water path of the cloudy part: 0 where there is none, for then its size is not read.
        liquid_path_g_per_m2: Real [LAYER] "g-1 m2";
        /// By the ice water path of the cloudy part, likewise.
        ice_path_g_per_m2: Real [LAYER] "g-1 m2";
        /// By the effective radius of droplets.
        liquid_radius_um: Real [LAYER] "um-1";
        /// By the effective size of ice.
        ice_size_um: Real [LAYER] "um-1";
        /// By the rain water path of the cloudy part.
        rain_path_g_per_m2: Real [LAYER] "g-1 m2";
        /// By the snow water path of the cloudy part.
        snow_path_g_per_m2: Real [LAYER] "g-1 m2";
        /// By the effective radius of rain.
        rain_radius_um: Real [LAYER] "um-1";
        /// By the effective size of snow.
        snow_size_um: Real [LAYER] "um-1";
        /// What became of each column: 0 if it was computed, not if a derivative is no number.
        status: Word [] "1";
    }
}

isobar_core::input_pair! {
    /// Columns, and derivatives by their fluxes.
    AdjointViews { columns: ColumnViews, cotangents: CotangentViews }
}

impl<'a, R: Copy> GradientViews<'a, R> {
    /// Those that gas optics adds to.
    pub(crate) fn atmosphere(&self) -> AtmosphereGradients<'a, R> {
        AtmosphereGradients {
            pressure_pa: self.pressure_pa,
            level_pressure_pa: self.level_pressure_pa,
            temperature_k: self.temperature_k,
            level_temperature_k: self.level_temperature_k,
            surface_temperature_k: self.surface_temperature_k,
            gases: in_order_of_gases!(self),
        }
    }
}
