//! What goes into the scheme and what comes out.

use isobar_core::fields::Accepted;

isobar_core::fields! {
    /// The lowest layer of columns of air, their surfaces, and what the step before left: a value a column.
    inputs Columns, ColumnViews
    with #[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))] {
        /// Eastward wind of the lowest layer.
        u_m_per_s: Real [] "m s-1" .within(-1000.0, 1000.0)
            .file("u").aliases(&["ux"]).in_state("eastward_wind_of_lowest_layer");
        /// Northward wind of the lowest layer.
        v_m_per_s: Real [] "m s-1" .within(-1000.0, 1000.0)
            .file("v").aliases(&["vx"]).in_state("northward_wind_of_lowest_layer");
        /// Temperature of the lowest layer.
        temperature_k: Real [] "K" .within(100.0, 400.0)
            .file("temperature").aliases(&["t1d"]).in_state("air_temperature_of_lowest_layer");
        /// Mixing ratio of water vapour in the lowest layer. Advection leaves small negative ones.
        vapour_kg_per_kg: Real [] "kg kg-1" .within(-1e-3, 1.0)
            .file("vapour").aliases(&["qv1d"]).in_state("humidity_mixing_ratio_of_lowest_layer");
        /// Pressure in the middle of the lowest layer, below that of the surface.
        pressure_pa: Real [] "Pa" .within(100.0, 1e7)
            .file("pressure").aliases(&["p1d"]).in_state("air_pressure_of_lowest_layer");
        /// Thickness of the lowest layer.
        thickness_m: Real [] "m" .within(0.1, 1e4)
            .file("thickness").aliases(&["dz8w1d"]).in_state("thickness_of_lowest_layer");
        /// Pressure at the surface.
        surface_pressure_pa: Real [] "Pa" .within(100.0, 1e7)
            .file("surface_pressure").aliases(&["psfcpa", "psfc", "PSFC"]).cf(&["surface_air_pressure"]);
        /// Height of the boundary layer in the step before, 0 in the first one.
        boundary_layer_height_m: Real [] "m" .within(0.0, 1e5)
            .file("boundary_layer_height").aliases(&["pblh", "PBLH"]).cf(&["atmosphere_boundary_layer_thickness"]);
        /// The part of potential evaporation that there is water for: 1 over water.
        moisture_availability: Real [] "1" .within(0.0, 1.0)
            .aliases(&["mavail", "MAVAIL"]);
        /// 1 for land and ice, 2 for water.
        land_or_water: Real [] "1" .accepts(Accepted::OneOf(&[1.0, 2.0]))
            .aliases(&["xland", "XLAND"]);
        /// Temperature of the surface.
        surface_temperature_k: Real [] "K" .within(100.0, 400.0)
            .file("surface_temperature").aliases(&["tsk", "TSK", "ts", "TS", "skt", "skintemp", "t_g"])
            .cf(&["surface_temperature"]);
        /// Length of the grid's cells.
        grid_length_m: Real [] "m" .above(0.0, 1e7)
            .file("grid_length").aliases(&["dx"]);
        /// 1 for lakes, whose water has no salt, 0 elsewhere: so it is where it is left out.
        lake: Real [] "1" .accepts(Accepted::OneOf(&[0.0, 1.0])) .optional()
            .aliases(&["lakemask", "LAKEMASK"]);
        /// Depth of water: read only, and needed, with shallow water; over land it is any number.
        water_depth_m: Real [] "m" .within(0.0, 2e4) .optional()
            .file("water_depth").aliases(&["WATER_DEPTH"]).cf(&["sea_floor_depth_below_sea_surface"]);
        /// Standard deviation of heights within the cell: read only, and needed, with form drag.
        orography_deviation_m: Real [] "m" .within(0.0, 1e4) .optional()
            .file("orography_deviation").aliases(&["varf", "VARF"]);
        /// Roughness length of momentum.
        roughness_m: Real [] "m" .within(1e-9, 100.0)
            .file("roughness").aliases(&["znt", "ZNT", "fsr"]).cf(&["surface_roughness_length"]);
        /// Friction velocity of the step before.
        friction_velocity_m_per_s: Real [] "m s-1" .within(0.0, 100.0)
            .file("friction_velocity").aliases(&["ust", "UST", "zust"]);
        /// Friction velocity of the mean wind without gusts, of the step before: that with gusts, where it is left out.
        friction_velocity_of_wind_m_per_s: Real [] "m s-1" .within(0.0, 100.0) .optional()
            .file("friction_velocity_of_wind").aliases(&["ustm", "USTM"]);
        /// Scale of temperature of the step before, `k (theta - theta_s) / psi_h`: below 0 after unstable air.
        temperature_scale_k: Real [] "K" .within(-1e4, 1e4)
            .file("temperature_scale").aliases(&["mol", "MOL"]);
        /// Upward flux of sensible heat, of the step before.
        sensible_heat_flux_w_per_m2: Real [] "W m-2" .within(-1e6, 1e6)
            .file("sensible_heat_flux").aliases(&["hfx", "HFX", "hfss", "SHFLX"])
            .cf(&["surface_upward_sensible_heat_flux"]);
        /// Upward flux of moisture, of the step before.
        moisture_flux_kg_per_m2_s: Real [] "kg m-2 s-1" .within(-1.0, 1.0)
            .file("moisture_flux").aliases(&["qfx", "QFX", "evspsbl", "QFLX"])
            .cf(&["water_evapotranspiration_flux", "surface_upward_water_vapor_flux_in_air"])
            .in_state("surface_upward_water_flux");
        /// Mixing ratio of water vapour at the surface: over land as the land model has it, or 0 for that of
        /// saturated air. Not read over water.
        surface_vapour_kg_per_kg: Real [] "kg kg-1" .within(-1e-3, 1.0)
            .file("surface_vapour").aliases(&["qsfc", "QSFC"]);
    }
}

isobar_core::fields! {
    /// Fluxes, profiles and what the next step starts from: a value a column. Names are those of the inputs of the
    /// boundary-layer scheme (`isobar-ysu`).
    outputs Results, ResultViews
    with #[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))] {
        /// Roughness length of momentum: over water that of the waves, elsewhere what came in.
        roughness_m: Real [] "m"
            .file("roughness").aliases(&["znt"]).cf(&["surface_roughness_length"]);
        /// Friction velocity, the mean of the new one and that of the step before.
        friction_velocity_m_per_s: Real [] "m s-1"
            .file("friction_velocity").aliases(&["ust"]);
        /// The same of the mean wind without gusts.
        friction_velocity_of_wind_m_per_s: Real [] "m s-1"
            .file("friction_velocity_of_wind").aliases(&["ustm"]);
        /// Height of the middle of the lowest layer over Obukhov's length.
        stability: Real [] "1"
            .aliases(&["zol"]).in_state("stability_of_lowest_layer");
        /// Scale of temperature.
        temperature_scale_k: Real [] "K"
            .file("temperature_scale").aliases(&["mol"]);
        /// The inverse of Obukhov's length.
        inverse_obukhov_length_per_m: Real [] "m-1"
            .file("inverse_obukhov_length").aliases(&["rmol"]);
        /// Upward flux of sensible heat.
        sensible_heat_flux_w_per_m2: Real [] "W m-2"
            .file("sensible_heat_flux").aliases(&["hfx"]).cf(&["surface_upward_sensible_heat_flux"]);
        /// Upward flux of moisture.
        moisture_flux_kg_per_m2_s: Real [] "kg m-2 s-1"
            .file("moisture_flux").aliases(&["qfx"])
            .cf(&["water_evapotranspiration_flux", "surface_upward_water_vapor_flux_in_air"])
            .in_state("surface_upward_water_flux");
        /// Upward flux of latent heat.
        latent_heat_flux_w_per_m2: Real [] "W m-2"
            .file("latent_heat_flux").aliases(&["lh"]).cf(&["surface_upward_latent_heat_flux"]);
        /// Mixing ratio of water vapour at the surface.
        surface_vapour_kg_per_kg: Real [] "kg kg-1"
            .file("surface_vapour").aliases(&["qsfc"]);
        /// Mixing ratio of saturated air in the lowest layer.
        saturation_kg_per_kg: Real [] "kg kg-1"
            .file("saturation").aliases(&["qgh"]);
        /// `ln((z + z0) / z0)` of the middle of the lowest layer.
        logarithm: Real [] "1"
            .aliases(&["gz1oz0"]);
        /// Wind of the lowest layer with gusts, which the schemes of boundary layers divide by.
        wind_speed_m_per_s: Real [] "m s-1"
            .file("wind_speed").aliases(&["wspd"]).in_state("wind_speed_with_gusts");
        /// Bulk Richardson number.
        richardson: Real [] "1"
            .aliases(&["br"]).in_state("bulk_richardson_number");
        /// Stability correction of momentum.
        correction_momentum: Real [] "1"
            .aliases(&["psim"]);
        /// Stability correction of heat; over water that of moisture, which is another one with Garratt's roughness.
        correction_heat: Real [] "1"
            .aliases(&["psih"]);
        /// `ln((z + z0) / z0)` less the stability correction of momentum: what YSU calls psim.
        profile_momentum: Real [] "1"
            .aliases(&["fm"]).in_state("similarity_profile_of_momentum");
        /// The same of heat, from its own roughness length: what YSU calls psih.
        profile_heat: Real [] "1"
            .aliases(&["fh"]).in_state("similarity_profile_of_heat");
        /// Specific heat of moist air at constant pressure.
        heat_capacity_j_per_kg_k: Real [] "J kg-1 K-1"
            .file("heat_capacity").aliases(&["cpm"]);
        /// Exchange velocity of moisture, which land models take for heat, too: `k u* / psi_q`.
        exchange_m_per_s: Real [] "m s-1"
            .file("exchange").aliases(&["chs"]);
        /// Exchange velocity of heat at 2 m.
        exchange_heat_2m_m_per_s: Real [] "m s-1"
            .file("exchange_heat_2m").aliases(&["chs2"]);
        /// Exchange velocity of moisture at 2 m.
        exchange_moisture_2m_m_per_s: Real [] "m s-1"
            .file("exchange_moisture_2m").aliases(&["cqs2"]);
        /// Flux of heat a kelvin between surface and air.
        exchange_heat_w_per_m2_k: Real [] "W m-2 K-1"
            .file("exchange_heat").aliases(&["flhc"]);
        /// Flux of moisture a unit of mixing ratio between surface and air.
        exchange_moisture_kg_per_m2_s: Real [] "kg m-2 s-1"
            .file("exchange_moisture").aliases(&["flqc"]);
        /// Eastward wind at 10 m.
        u_10m_m_per_s: Real [] "m s-1"
            .file("u_10m").aliases(&["u10"]).in_state("eastward_wind_at_10m");
        /// Northward wind at 10 m.
        v_10m_m_per_s: Real [] "m s-1"
            .file("v_10m").aliases(&["v10"]).in_state("northward_wind_at_10m");
        /// Potential temperature at 2 m.
        theta_2m_k: Real [] "K"
            .file("theta_2m").aliases(&["th2"]);
        /// Temperature at 2 m.
        temperature_2m_k: Real [] "K"
            .file("temperature_2m").aliases(&["t2"]);
        /// Mixing ratio of water vapour at 2 m.
        vapour_2m_kg_per_kg: Real [] "kg kg-1"
            .file("vapour_2m").aliases(&["q2"]);
        /// Enthalpy exchange coefficient at 10 m.
        enthalpy_coefficient_10m: Real [] "1"
            .aliases(&["ck"]);
        /// Enthalpy exchange coefficient at the middle of the lowest layer.
        enthalpy_coefficient: Real [] "1"
            .aliases(&["cka"]);
        /// Drag coefficient at 10 m.
        drag_coefficient_10m: Real [] "1"
            .aliases(&["cd"]);
        /// Drag coefficient at the middle of the lowest layer.
        drag_coefficient: Real [] "1"
            .aliases(&["cda"]);
        /// 1 for stable, 3 for neutral, 4 for unstable air.
        regime: Word [] "1";
        /// What became of the column: 0 if it was computed.
        status: Word [] "1";
    }
}

/// What kernels read of a column: the name that the physics has for it, and the field.
macro_rules! read_by_name {
    ($each:ident) => {
        $each! {
            u u_m_per_s,
            v v_m_per_s,
            temperature temperature_k,
            vapour vapour_kg_per_kg,
            pressure pressure_pa,
            thickness thickness_m,
            surface_pressure surface_pressure_pa,
            boundary_layer_height boundary_layer_height_m,
            availability moisture_availability,
            land_or_water land_or_water,
            surface_temperature surface_temperature_k,
            grid_length grid_length_m,
            lake lake,
            depth water_depth_m,
            deviation orography_deviation_m,
            roughness roughness_m,
            friction friction_velocity_m_per_s,
            temperature_scale temperature_scale_k,
            heat_flux sensible_heat_flux_w_per_m2,
            moisture_flux moisture_flux_kg_per_m2_s,
            surface_vapour surface_vapour_kg_per_kg,
        }
    };
}
pub(crate) use read_by_name;

/// What kernels write of a column: the name of the physics, and the field.
macro_rules! written_by_name {
    ($each:ident) => {
        $each! {
            roughness roughness_m,
            friction friction_velocity_m_per_s,
            friction_of_wind friction_velocity_of_wind_m_per_s,
            stability stability,
            temperature_scale temperature_scale_k,
            inverse_length inverse_obukhov_length_per_m,
            heat_flux sensible_heat_flux_w_per_m2,
            moisture_flux moisture_flux_kg_per_m2_s,
            latent_heat latent_heat_flux_w_per_m2,
            surface_vapour surface_vapour_kg_per_kg,
            saturation saturation_kg_per_kg,
            logarithm logarithm,
            wind wind_speed_m_per_s,
            richardson richardson,
            correction_momentum correction_momentum,
            correction_heat correction_heat,
            profile_momentum profile_momentum,
            profile_heat profile_heat,
            capacity heat_capacity_j_per_kg_k,
            exchange exchange_m_per_s,
            exchange_heat_2m exchange_heat_2m_m_per_s,
            exchange_moisture_2m exchange_moisture_2m_m_per_s,
            heat_per_kelvin exchange_heat_w_per_m2_k,
            moisture_per_unit exchange_moisture_kg_per_m2_s,
            u_10m u_10m_m_per_s,
            v_10m v_10m_m_per_s,
            theta_2m theta_2m_k,
            temperature_2m temperature_2m_k,
            vapour_2m vapour_2m_kg_per_kg,
            enthalpy_10m enthalpy_coefficient_10m,
            enthalpy enthalpy_coefficient,
            drag_10m drag_coefficient_10m,
            drag drag_coefficient,
        }
    };
}
pub(crate) use written_by_name;
