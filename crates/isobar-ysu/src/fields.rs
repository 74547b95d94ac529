//! What goes into the scheme and what comes out, and which of it the kernels read and write layer by layer.

use isobar_core::Field;
use isobar_core::fields::{Accepted, LAYER, LEVEL, TRACER};

use crate::physics::layer::Stored;

isobar_core::fields! {
    /// Columns of air over their surface. Layers and levels go from the surface up; at least 4 layers.
    inputs Columns, ColumnViews
    with #[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))] {
        /// Eastward wind.
        u_m_per_s: Real [LAYER] "m s-1" .within(-1000.0, 1000.0)
            .file("u").aliases(&["U", "ua"]).cf(&["eastward_wind", "x_wind"]);
        /// Northward wind.
        v_m_per_s: Real [LAYER] "m s-1" .within(-1000.0, 1000.0)
            .file("v").aliases(&["V", "va"]).cf(&["northward_wind", "y_wind"]);
        /// Temperature.
        temperature_k: Real [LAYER] "K" .within(100.0, 400.0)
            .file("temperature").aliases(&["t", "T", "ta", "temp"]).cf(&["air_temperature"]);
        /// Mixing ratio of water vapour. Advection leaves small negative ones.
        vapour_kg_per_kg: Real [LAYER] "kg kg-1" .within(-1e-3, 1.0)
            .file("vapour").aliases(&["qv", "QVAPOR"]).cf(&["humidity_mixing_ratio"]);
        /// Mixing ratio of cloud water.
        cloud_water_kg_per_kg: Real [LAYER] "kg kg-1" .within(-1e-3, 1.0)
            .file("cloud_water").aliases(&["qc", "QCLOUD"]).cf(&["cloud_liquid_water_mixing_ratio"]);
        /// Mixing ratio of cloud ice.
        cloud_ice_kg_per_kg: Real [LAYER] "kg kg-1" .within(-1e-3, 1.0)
            .file("cloud_ice").aliases(&["qi", "QICE"]).cf(&["cloud_ice_mixing_ratio"]);
        /// Pressure in the middle of the layer, falling with height. Wider than any atmosphere; quotients of what is in
        /// range stay plain numbers.
        pressure_pa: Real [LAYER] "Pa" .within(1e-6, 1e7)
            .file("pressure").aliases(&["p", "pres", "pfull"]).cf(&["air_pressure"]);
        /// Exner function there, `(p / 1e5 Pa)^(Rd/cp)`.
        exner: Real [LAYER] "1" .within(1e-4, 2.0)
            .aliases(&["pi"]).cf(&["dimensionless_exner_function"]);
        /// Thickness of the layer.
        thickness_m: Real [LAYER] "m" .within(1e-3, 1e5)
            .file("thickness").aliases(&["dz"]).in_state("cell_thickness");
        /// Radiative tendency of potential temperature: read only, and needed, with top-down mixing.
        radiative_heating_k_per_s: Real [LAYER] "K s-1" .optional()
            .file("radiative_heating").aliases(&["rthraten", "RTHRATEN"]);
        /// Pressure of the interfaces, falling with height.
        interface_pressure_pa: Real [LEVEL] "Pa" .accepts(Accepted::OneOrWithin(0.0, 1e-6, 1e7))
            .file("interface_pressure").aliases(&["p_int", "p8w", "pressure_level", "pres_ifc", "phalf"])
            .cf(&["air_pressure"])
            .in_state("interface_pressure");
        /// Pressure at the surface.
        surface_pressure_pa: Real [] "Pa" .within(1e-6, 1e7)
            .file("surface_pressure").aliases(&["psfc", "PSFC", "ps", "PS", "sp", "pres_sfc"])
            .cf(&["surface_air_pressure"]);
        /// Roughness length.
        roughness_m: Real [] "m" .within(0.0, f64::INFINITY)
            .file("roughness").aliases(&["znt", "ZNT", "fsr"]).cf(&["surface_roughness_length"]);
        /// Friction velocity.
        friction_velocity_m_per_s: Real [] "m s-1" .above(0.0, 100.0)
            .file("friction_velocity").aliases(&["ust", "UST", "zust"]);
        /// `ln(z/z0)` less the stability correction of momentum.
        profile_momentum: Real [] "1"
            .aliases(&["psim", "PSIM"]).in_state("similarity_profile_of_momentum");
        /// `ln(z/z0)` less the stability correction of heat.
        profile_heat: Real [] "1" .above(0.0, f64::INFINITY)
            .aliases(&["psih", "PSIH"]).in_state("similarity_profile_of_heat");
        /// 1 for land, 2 for water.
        land_or_water: Real [] "1" .accepts(Accepted::OneOf(&[1.0, 2.0]))
            .aliases(&["xland", "XLAND"]);
        // As WRF has it: the flux of potential temperature times density and heat capacity.
        /// Upward flux of sensible heat.
        sensible_heat_flux_w_per_m2: Real [] "W m-2"
            .file("sensible_heat_flux").aliases(&["hfx", "HFX", "hfss", "SHFLX"])
            .cf(&["surface_upward_sensible_heat_flux"]).in_state("surface_upward_potential_enthalpy_flux");
        /// Upward flux of moisture.
        moisture_flux_kg_per_m2_s: Real [] "kg m-2 s-1"
            .file("moisture_flux").aliases(&["qfx", "QFX", "evspsbl", "QFLX"])
            .cf(&["water_evapotranspiration_flux", "surface_upward_water_vapor_flux_in_air"])
            .in_state("surface_upward_water_flux");
        /// Wind of the lowest layer with its convective enhancement.
        wind_speed_m_per_s: Real [] "m s-1" .above(0.0, f64::INFINITY)
            .file("wind_speed").aliases(&["wspd", "WSPD"]).in_state("wind_speed_with_gusts");
        /// Bulk Richardson number of the surface layer.
        richardson: Real [] "1"
            .aliases(&["br", "BR"]).in_state("bulk_richardson_number");
        /// Eastward wind at 10 m.
        u_10m_m_per_s: Real [] "m s-1" .within(-1000.0, 1000.0)
            .file("u_10m").aliases(&["u10", "U10", "uas"]).in_state("eastward_wind_at_10m");
        /// Northward wind at 10 m.
        v_10m_m_per_s: Real [] "m s-1" .within(-1000.0, 1000.0)
            .file("v_10m").aliases(&["v10", "V10", "vas"]).in_state("northward_wind_at_10m");
        /// Eastward surface current.
        u_current_m_per_s: Real [] "m s-1" .within(-1000.0, 1000.0)
            .file("u_current").aliases(&["uoce", "UOCE"]).cf(&["surface_eastward_sea_water_velocity"]);
        /// Northward surface current.
        v_current_m_per_s: Real [] "m s-1" .within(-1000.0, 1000.0)
            .file("v_current").aliases(&["voce", "VOCE"]).cf(&["surface_northward_sea_water_velocity"]);
        /// Factor of the drag over unresolved orography: read only, and needed, with the topographic option.
        drag_factor: Real [] "1" .within(0.0, f64::INFINITY) .optional()
            .aliases(&["ctopo", "CTOPO"]);
        /// Weight of the 10 m wind against that of the lowest layer: read only, and needed, with the topographic
        /// option.
        wind_weight: Real [] "1" .optional()
            .aliases(&["ctopo2", "CTOPO2"]);
        /// What the buildings of a town take of eastward wind, as rate of change: this and what follows with its name
        /// are read only, and needed, with the option urban.
        urban_u_rate_per_s: Real [LAYER] "s-1" .within(-100.0, 0.0) .optional()
            .aliases(&["a_u"]);
        /// Likewise of northward wind.
        urban_v_rate_per_s: Real [LAYER] "s-1" .within(-100.0, 0.0) .optional()
            .aliases(&["a_v"]);
        /// Likewise of potential temperature less 300 K.
        urban_theta_rate_per_s: Real [LAYER] "s-1" .within(-100.0, 0.0) .optional()
            .aliases(&["a_t"]);
        /// Likewise of water vapour.
        urban_vapour_rate_per_s: Real [LAYER] "s-1" .within(-100.0, 0.0) .optional()
            .aliases(&["a_q"]);
        /// What they add to eastward wind.
        urban_u_source_m_per_s2: Real [LAYER] "m s-2" .optional()
            .aliases(&["b_u"]);
        /// What they add to northward wind.
        urban_v_source_m_per_s2: Real [LAYER] "m s-2" .optional()
            .aliases(&["b_v"]);
        /// What they add to potential temperature.
        urban_theta_source_k_per_s: Real [LAYER] "K s-1" .optional()
            .aliases(&["b_t"]);
        /// What they add to water vapour.
        urban_vapour_source_per_s: Real [LAYER] "s-1" .optional()
            .aliases(&["b_q"]);
        /// Share of the layer's upper face that is not in a building.
        urban_open_faces: Real [LAYER] "1" .above(0.0, 1.0) .optional()
            .aliases(&["sfk"]);
        /// Share of the layer's volume that is not in a building.
        urban_open_volume: Real [LAYER] "1" .above(0.0, 1.0) .optional()
            .aliases(&["vlk"]);
        /// Share of the ground that is town, on which the drag over orography does not act; with the topographic option
        /// only.
        urban_share: Real [] "1" .within(0.0, 1.0) .optional()
            .aliases(&["frcurb", "FRC_URB2D"]);
        /// Turbulent kinetic energy at the lower interface of the layer: read only, and needed, by Shin-Hong, as the
        /// next two.
        turbulent_energy_m2_per_s2: Real [LAYER] "m2 s-2" .within(0.0, 1e4) .optional()
            .file("turbulent_energy").aliases(&["tke", "TKE_PBL"])
            .in_state("specific_turbulent_kinetic_energy_of_air_before");
        /// Distance of the grid's points.
        grid_distance_m: Real [] "m" .within(1.0, 1e7) .optional()
            .file("grid_distance").aliases(&["dx", "dxmeter"]);
        /// Coriolis parameter; below zero it counts as zero.
        coriolis_per_s: Real [] "s-1" .within(-1e-2, 1e-2) .optional()
            .file("coriolis").aliases(&["corf", "f", "F"]).cf(&["coriolis_parameter"]);
        /// Mixing ratios of further tracers, which do not come through the surface.
        tracers: Real [LAYER, TRACER] "any unit" .optional()
            .in_state("mole_fraction_of_tracers");
    }
}

isobar_core::fields! {
    /// Tendencies by mixing, diffusivities, and what is known of each column afterwards.
    outputs Results, ResultViews
    with #[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))] {
        /// Tendency of eastward wind.
        u_tendency_m_per_s2: Real [LAYER] "m s-2"
            .file("tendency_u").aliases(&["rublten"]).cf(&["tendency_of_eastward_wind_due_to_diffusion"])
            .in_state("tendency_of_eastward_wind_due_to_boundary_layer_mixing");
        /// Tendency of northward wind.
        v_tendency_m_per_s2: Real [LAYER] "m s-2"
            .file("tendency_v").aliases(&["rvblten"]).cf(&["tendency_of_northward_wind_due_to_diffusion"])
            .in_state("tendency_of_northward_wind_due_to_boundary_layer_mixing");
        /// Tendency of potential temperature.
        theta_tendency_k_per_s: Real [LAYER] "K s-1"
            .file("tendency_theta").aliases(&["rthblten"])
            .in_state("tendency_of_air_potential_temperature_due_to_boundary_layer_mixing");
        /// Tendency of the mixing ratio of water vapour.
        vapour_tendency_kg_per_kg_s: Real [LAYER] "kg kg-1 s-1"
            .file("tendency_vapour").aliases(&["rqvblten"])
            .in_state("tendency_of_humidity_mixing_ratio_due_to_boundary_layer_mixing");
        /// Tendency of the mixing ratio of cloud water.
        cloud_water_tendency_kg_per_kg_s: Real [LAYER] "kg kg-1 s-1"
            .file("tendency_cloud_water").aliases(&["rqcblten"])
            .in_state("tendency_of_cloud_liquid_water_due_to_boundary_layer_mixing");
        /// Tendency of the mixing ratio of cloud ice.
        cloud_ice_tendency_kg_per_kg_s: Real [LAYER] "kg kg-1 s-1"
            .file("tendency_cloud_ice").aliases(&["rqiblten"])
            .in_state("tendency_of_cloud_ice_due_to_boundary_layer_mixing");
        /// Diffusivity of heat at the lower interface of the layer, 0 at the surface.
        diffusivity_heat_m2_per_s: Real [LAYER] "m2 s-1"
            .file("diffusivity_heat").aliases(&["exch_h"]).cf(&["atmosphere_heat_diffusivity"]);
        /// Diffusivity of momentum at the lower interface of the layer, 0 at the surface.
        diffusivity_momentum_m2_per_s: Real [LAYER] "m2 s-1"
            .file("diffusivity_momentum").aliases(&["exch_m"]).cf(&["atmosphere_momentum_diffusivity"]);
        /// Height of the boundary layer.
        height_m: Real [] "m"
            .file("boundary_layer_height").aliases(&["hpbl"]).cf(&["atmosphere_boundary_layer_thickness"]);
        /// Convective velocity scale.
        convective_velocity_m_per_s: Real [] "m s-1"
            .file("convective_velocity").aliases(&["wstar"]).in_state("convective_velocity_scale");
        /// Depth of the entrainment zone, 0 where nothing is entrained.
        entrainment_depth_m: Real [] "m"
            .file("entrainment_depth").aliases(&["delta"]).in_state("entrainment_zone_depth");
        /// Eastward wind at 10 m, adjusted with the topographic option.
        u_10m_m_per_s: Real [] "m s-1"
            .file("u_10m").aliases(&["u10"]).cf(&["eastward_wind"]).in_state("eastward_wind_at_10m_of_the_scheme");
        /// Northward wind at 10 m, adjusted with the topographic option.
        v_10m_m_per_s: Real [] "m s-1"
            .file("v_10m").aliases(&["v10"]).cf(&["northward_wind"]).in_state("northward_wind_at_10m_of_the_scheme");
        /// Column integral of the tendency of eastward momentum.
        stress_u_n_per_m2: Real [] "N m-2"
            .file("stress_u").aliases(&["dusfc"]).in_state("column_tendency_of_eastward_momentum");
        /// Column integral of the tendency of northward momentum.
        stress_v_n_per_m2: Real [] "N m-2"
            .file("stress_v").aliases(&["dvsfc"]).in_state("column_tendency_of_northward_momentum");
        /// Column integral of the tendency of potential temperature times heat capacity, as WRF has it: of potential
        /// enthalpy, not of enthalpy.
        heat_w_per_m2: Real [] "W m-2"
            .file("heat").aliases(&["dtsfc"]).in_state("column_heating_by_mixing");
        /// Column integral of the moistening, as latent heat.
        latent_heat_w_per_m2: Real [] "W m-2"
            .file("latent_heat").aliases(&["dqsfc"]).in_state("column_moistening_by_mixing");
        /// Tendencies of the tracers, per second.
        tracers_tendency_per_s: Real [LAYER, TRACER] "any unit"
            .in_state("tendency_of_tracers_due_to_boundary_layer_mixing");
        /// Turbulent kinetic energy at the lower interface of the layer after the step: of Shin-Hong, as the next.
        turbulent_energy_m2_per_s2: Real [LAYER] "m2 s-2"
            .file("turbulent_energy").aliases(&["tke"]).cf(&["specific_turbulent_kinetic_energy_of_air"]);
        /// Mixing length of turbulent energy there, 0 at the surface.
        mixing_length_m: Real [LAYER] "m"
            .file("mixing_length").aliases(&["el_pbl"]).in_state("mixing_length_of_turbulent_energy");
        /// Layer in which the boundary layer ends, counted from 1 at the surface.
        level: Word [] "1"
            .file("boundary_layer_level").aliases(&["kpbl"]);
        /// What became of the column: 0 if it was computed.
        status: Word [] "1";
    }
}

/// What kernels read of a layer, as a list for other macros: the name that the physics has for it, the field, and where
/// that has it, in the layer or at the interface above.
macro_rules! layer_numbers {
    ($each:ident) => {
        $each! {
            u u_m_per_s LAYER,
            v v_m_per_s LAYER,
            temperature temperature_k LAYER,
            vapour vapour_kg_per_kg LAYER,
            cloud_water cloud_water_kg_per_kg LAYER,
            cloud_ice cloud_ice_kg_per_kg LAYER,
            pressure pressure_pa LAYER,
            exner exner LAYER,
            thickness thickness_m LAYER,
            top_pressure interface_pressure_pa ABOVE,
        }
    };
}
pub(crate) use layer_numbers;

/// What kernels write of a layer: the name of the physics, and the field.
macro_rules! tendencies {
    ($each:ident) => {
        $each! {
            theta theta_tendency_k_per_s,
            vapour vapour_tendency_kg_per_kg_s,
            cloud_water cloud_water_tendency_kg_per_kg_s,
            cloud_ice cloud_ice_tendency_kg_per_kg_s,
            u u_tendency_m_per_s2,
            v v_tendency_m_per_s2,
        }
    };
}
pub(crate) use tendencies;

impl<'a, R> ColumnViews<'a, R> {
    /// The fields with the numbers of a layer.
    #[inline(always)]
    pub(crate) fn layer(&self) -> Stored<&Field<'a, R>> {
        macro_rules! fields {
            ($($name:ident $field:ident $place:ident,)*) => { Stored { $($name: &self.$field),* } };
        }
        layer_numbers!(fields)
    }
}
