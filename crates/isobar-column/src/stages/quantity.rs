//! The fields of the column model.

use isobar_core::fields::{ANY_UNIT, Declared, LAYER, LEVEL, TRACER};

use crate::{Quantity, Shape};

macro_rules! quantities {
    ($($shape:ident { $($constant:ident: $name:literal, $unit:literal, $doc:literal;)* })*) => {
        $($(
            #[doc = concat!($doc, " \\[", $unit, "\\].")]
            pub const $constant: Quantity = Quantity { name: $name, unit: $unit, shape: Shape::$shape };
        )*)*

        /// All of them, with a description.
        pub const ALL: &[(Quantity, &str)] = &[$($(($constant, $doc),)*)*];
    };
}

quantities! {
    Layers {
        WIND_EAST: "eastward_wind", "m s-1", "Eastward wind";
        WIND_NORTH: "northward_wind", "m s-1", "Northward wind";
        GEOSTROPHIC_EAST: "geostrophic_eastward_wind", "m s-1", "Eastward geostrophic wind";
        GEOSTROPHIC_NORTH: "geostrophic_northward_wind", "m s-1", "Northward geostrophic wind";
        POTENTIAL_TEMPERATURE: "air_potential_temperature", "K", "Potential temperature";
        VAPOUR: "humidity_mixing_ratio", "kg kg-1", "Mixing ratio of water vapour";
        CLOUD_WATER: "cloud_liquid_water_mixing_ratio", "kg kg-1", "Mixing ratio of cloud water";
        CLOUD_ICE: "cloud_ice_mixing_ratio", "kg kg-1", "Mixing ratio of cloud ice";
        PRESSURE: "air_pressure", "Pa", "Pressure";
        EXNER: "dimensionless_exner_function", "1", "Exner function";
        LOG_THICKNESS: "log_pressure_thickness", "1", "Logarithm of the pressures below and above";
        TEMPERATURE: "air_temperature", "K", "Temperature";
        THICKNESS: "cell_thickness", "m", "Thickness of the layers";
        WATER: "mole_fraction_of_water_vapor", "mol mol-1", "Water vapour relative to dry air";
        OZONE: "mole_fraction_of_ozone_in_air", "mol mol-1", "Ozone";
        HEATING: "tendency_of_air_temperature_due_to_longwave_heating", "K day-1", "Long-wave heating";
        HEATING_DERIVATIVE: "derivative_of_longwave_heating_by_surface_temperature", "day-1", "Derivative of long-wave \
            heating by the ground's temperature";
        SHORTWAVE_HEATING: "tendency_of_air_temperature_due_to_shortwave_heating", "K day-1", "Short-wave heating";
        CLOUD_FRACTION: "cloud_area_fraction_in_atmosphere_layer", "1", "Cloudy part of the layers";
        LIQUID_PATH: "liquid_water_path", "g m-2", "Liquid water of the cloudy part";
        ICE_PATH: "ice_water_path", "g m-2", "Ice of the cloudy part";
        LIQUID_RADIUS: "liquid_radius", "um", "Effective radius of droplets";
        ICE_SIZE: "ice_size", "um", "Effective size of ice";
        WIND_EAST_TENDENCY: "tendency_of_eastward_wind_due_to_boundary_layer_mixing", "m s-2", "Tendency of the \
            eastward wind by mixing";
        WIND_NORTH_TENDENCY: "tendency_of_northward_wind_due_to_boundary_layer_mixing", "m s-2", "Tendency of the \
            northward wind by mixing";
        POTENTIAL_TEMPERATURE_TENDENCY: "tendency_of_air_potential_temperature_due_to_boundary_layer_mixing", "K s-1",
            "Tendency of potential temperature by mixing";
        VAPOUR_TENDENCY: "tendency_of_humidity_mixing_ratio_due_to_boundary_layer_mixing", "kg kg-1 s-1", "Tendency of \
            water vapour by mixing";
        CLOUD_WATER_TENDENCY: "tendency_of_cloud_liquid_water_due_to_boundary_layer_mixing", "kg kg-1 s-1", "Tendency \
            of cloud water by mixing";
        CLOUD_ICE_TENDENCY: "tendency_of_cloud_ice_due_to_boundary_layer_mixing", "kg kg-1 s-1", "Tendency of cloud \
            ice by mixing";
        VERTICAL_VELOCITY: "upward_air_velocity", "m s-1", "Upward velocity that is given";
        PRESSURE_VELOCITY: "lagrangian_tendency_of_air_pressure", "Pa s-1", "Rate of change of the pressure of moving \
            air that is given";
        TEMPERATURE_ADVECTION: "tendency_of_air_temperature_due_to_advection", "K s-1", "Advective tendency of \
            temperature that is given";
        VAPOUR_ADVECTION: "tendency_of_humidity_mixing_ratio_due_to_advection", "kg kg-1 s-1", "Advective tendency of \
            water vapour that is given";
        WIND_EAST_ADVECTION: "tendency_of_eastward_wind_due_to_advection", "m s-2", "Advective tendency of the \
            eastward wind that is given";
        WIND_NORTH_ADVECTION: "tendency_of_northward_wind_due_to_advection", "m s-2", "Advective tendency of the \
            northward wind that is given";
        DIFFUSIVITY_HEAT: "atmosphere_heat_diffusivity", "m2 s-1", "Diffusivity of heat at the lower interface of each \
            layer";
        DIFFUSIVITY_MOMENTUM: "atmosphere_momentum_diffusivity", "m2 s-1", "Diffusivity of momentum at the lower \
            interface of each layer";
    }
    Levels {
        INTERFACE_PRESSURE: "interface_pressure", "Pa", "Pressure of the levels";
        WEIGHT_BELOW: "weight_of_the_layer_below", "1", "Weight of the lower of two layers in a level's temperature";
        LEVEL_TEMPERATURE: "level_temperature", "K", "Temperature of the levels";
        FLUX_UP: "upwelling_longwave_flux_in_air", "W m-2", "Upward long-wave flux";
        FLUX_DOWN: "downwelling_longwave_flux_in_air", "W m-2", "Downward long-wave flux";
        SHORTWAVE_UP: "upwelling_shortwave_flux_in_air", "W m-2", "Upward short-wave flux";
        SHORTWAVE_DOWN: "downwelling_shortwave_flux_in_air", "W m-2", "Downward short-wave flux";
        SHORTWAVE_DIRECT: "direct_downwelling_shortwave_flux_in_air", "W m-2", "Sunlight that is not scattered";
    }
    Column {
        SURFACE_PRESSURE: "surface_air_pressure", "Pa", "Pressure at the surface";
        LATITUDE: "latitude", "degree", "Latitude";
        LONGITUDE: "longitude", "degree", "Longitude";
        COSINE_OF_ZENITH: "cosine_of_zenith_angle", "1", "Cosine of the Sun's zenith angle";
        PHOTOLYSIS_FACTOR: "photolysis_factor", "1", "Photolysis factor, SUN of KPP's mechanisms";
        GROUND_MEAN: "mean_surface_temperature", "K", "Mean temperature of the ground, or that of the ground below";
        GROUND_AMPLITUDE: "amplitude_of_surface_temperature", "K", "Half of the range of the ground's temperature";
        SURFACE_TEMPERATURE: "surface_temperature", "K", "Temperature of the ground";
        SURFACE_ALBEDO: "surface_albedo", "1", "Albedo of the ground";
        EMISSION_TEMPERATURE: "surface_temperature_of_longwave_fluxes", "K", "Temperature of the ground for which the \
            long-wave fluxes are";
        EMISSION_DERIVATIVE: "derivative_of_surface_upwelling_longwave_flux", "W m-2 K-1", "Derivative of what the \
            ground sends upward by its temperature";
        GROUND_HEAT_FLUX: "downward_heat_flux_in_soil", "W m-2", "Heat flux into the ground: what radiation and \
            turbulence leave";
        GROUND_HEAT_GAINED: "ground_heat_gained", "J m-2", "Heat that the slab of ground and its layers of soil keep \
            since the start";
        GROUND_CONDUCTED: "heat_flux_to_ground_below", "W m-2", "What a slab conducts to ground of one temperature";
        GROUND_CONDUCTANCE: "conductance_to_ground_below", "W m-2 K-1", "By how much more the warmer the slab gets";
        GROUND_FORCING: "downward_heat_flux_into_ground_without_turbulence", "W m-2", "What a slab of ground gains \
            without turbulent fluxes";
        GROUND_SLOPE: "derivative_of_ground_heat_loss", "W m-2 K-1", "By how much less the warmer it gets";
        GROUND_BEFORE: "surface_temperature_before_step", "K", "Temperature of a slab before the step, over layers of \
            soil";
        GROUND_RESPONSE: "response_of_ground_temperature", "K m2 W-1", "Warming of a slab of ground by a unit of heat \
            flux in a step";
        ROUGHNESS: "surface_roughness_length", "m", "Roughness length";
        ROUGHNESS_HEAT: "surface_roughness_length_for_heat_in_air", "m", "Roughness length of heat and moisture";
        LAND_OR_WATER: "land_or_water", "1", "1 for land, 2 for water";
        MOISTURE_AVAILABILITY: "moisture_availability", "1", "Availability of moisture";
        WATER_DEPTH: "sea_floor_depth_below_sea_surface", "m", "Depth of water";
        OROGRAPHY_DEVIATION: "orography_deviation", "m", "Standard deviation of heights within a column";
        CURRENT_EAST: "surface_eastward_sea_water_velocity", "m s-1", "Eastward surface current";
        CURRENT_NORTH: "surface_northward_sea_water_velocity", "m s-1", "Northward surface current";
        FRICTION_VELOCITY: "friction_velocity", "m s-1", "Friction velocity";
        PROFILE_MOMENTUM: "similarity_profile_of_momentum", "1", "ln(z/z0) less the stability correction of momentum";
        PROFILE_HEAT: "similarity_profile_of_heat", "1", "ln(z/z0) less the stability correction of heat";
        EXCHANGE_HEAT: "exchange_heat", "W m-2 K-1", "Flux of heat a kelvin through the surface layer";
        EXCHANGE_MOISTURE: "exchange_moisture", "kg m-2 s-1", "Flux of moisture a unit of mixing ratio through the \
            surface layer";
        TEMPERATURE_SCALE: "temperature_scale", "K", "Scale of temperature of the surface layer";
        WIND_SPEED: "wind_speed_with_gusts", "m s-1", "Wind speed of the lowest layer with gusts";
        RICHARDSON: "bulk_richardson_number", "1", "Bulk Richardson number of the surface layer: that of the stability \
            that it has, which is limited";
        WIND_EAST_10M: "eastward_wind_at_10m", "m s-1", "Eastward wind at 10 m";
        WIND_NORTH_10M: "northward_wind_at_10m", "m s-1", "Northward wind at 10 m";
        WIND_EAST_10M_AFTER: "eastward_wind_at_10m_of_the_scheme", "m s-1", "Eastward wind at 10 m by the \
            boundary-layer scheme";
        WIND_NORTH_10M_AFTER: "northward_wind_at_10m_of_the_scheme", "m s-1", "Northward wind at 10 m by the \
            boundary-layer scheme";
        SENSIBLE_HEAT_FLUX: "surface_upward_sensible_heat_flux", "W m-2", "Upward flux of sensible heat";
        POTENTIAL_HEAT_FLUX: "surface_upward_potential_enthalpy_flux", "W m-2", "Upward flux of potential enthalpy: of \
            sensible heat, over the Exner function at the surface";
        MOISTURE_FLUX: "surface_upward_water_flux", "kg m-2 s-1", "Upward flux of moisture";
        BOUNDARY_LAYER_HEIGHT: "atmosphere_boundary_layer_thickness", "m", "Height of the boundary layer";
        CONVECTIVE_VELOCITY: "convective_velocity_scale", "m s-1", "Convective velocity scale";
        ENTRAINMENT_DEPTH: "entrainment_zone_depth", "m", "Depth of the entrainment zone";
        STRESS_EAST: "column_tendency_of_eastward_momentum", "N m-2", "Integral of the tendency of eastward momentum";
        STRESS_NORTH: "column_tendency_of_northward_momentum", "N m-2", "Integral of the tendency of northward \
            momentum";
        COLUMN_HEATING: "column_heating_by_mixing", "W m-2", "Integral of the tendency of \
            potential enthalpy by mixing";
        COLUMN_MOISTENING: "column_moistening_by_mixing", "W m-2", "Integral of the moistening by mixing, as latent \
            heat";
        HEAT_GAINED: "heat_gained", "J m-2", "Potential enthalpy that came in through the surface, by radiation, \
            forcing and condensation since the start";
        WATER_GAINED: "water_gained", "kg m-2", "Water that came in through the surface and by forcing since the \
            start, less what fell out";
        PRECIPITATION: "precipitation_amount", "kg m-2", "Water that fell out since the start";
        CLAMPS: "clamped_values", "1", "Values below 0 of water vapour that radiation took for 0 since the start";
        ENTHALPY: "atmosphere_potential_enthalpy_content", "J m-2", "Potential enthalpy of the column";
        WATER_CONTENT: "atmosphere_mass_content_of_water", "kg m-2", "Water of the column";
    }
    LayersOfTracers {
        TRACERS: "mole_fraction_of_tracers", "mol mol-1", "Mole fractions of tracers";
        TRACERS_TENDENCY: "tendency_of_tracers_due_to_boundary_layer_mixing", "mol mol-1 s-1", "Tendencies of tracers \
            by mixing";
    }
    Tracers {
        TRACERS_GAINED: "tracers_gained", "mol m-2", "Tracers that were emitted since the start";
        TRACERS_CONTENT: "atmosphere_mole_content_of_tracers", "mol m-2", "Tracers of the column";
    }
}

/// Temperature of so many layers of soil, the uppermost one first \[K\].
#[must_use]
pub const fn soil_temperature(layers: usize) -> Quantity {
    Quantity { name: "soil_temperature", unit: "K", shape: Shape::Soil(layers) }
}

/// What flows into each while what is above it stays as warm as it is \[W/m^2\]: [`crate::soil`].
#[must_use]
pub const fn soil_held(layers: usize) -> Quantity {
    Quantity { name: "held_heat_flux_into_soil_layer", unit: "W m-2", shape: Shape::Soil(layers) }
}

/// By how much more the warmer that gets \[W/(m^2 K)\].
#[must_use]
pub const fn soil_slope(layers: usize) -> Quantity {
    Quantity { name: "derivative_of_heat_flux_into_soil_layer", unit: "W m-2 K-1", shape: Shape::Soil(layers) }
}

impl Quantity {
    /// A field of a scheme, under its name in a state.
    ///
    /// # Panics
    /// If it has dimensions that a state does not have.
    #[must_use]
    pub fn of(declared: &Declared) -> Self {
        let shape = match declared.shape {
            [] => Shape::Column,
            [LAYER] => Shape::Layers,
            [LEVEL] => Shape::Levels,
            [LAYER, TRACER] => Shape::LayersOfTracers,
            [TRACER] => Shape::Tracers,
            other => panic!("{}: a state has no fields of {other:?}", declared.name),
        };
        let name = declared.state_name();
        let known = || ALL.iter().find(|(known, _)| known.name == name).map(|(known, _)| known.unit);
        let unit = if declared.unit == ANY_UNIT { known().unwrap_or(ANY_UNIT) } else { declared.unit };
        Self { name, unit, shape }
    }
}
