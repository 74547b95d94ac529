"""A class a scheme. Written by stubs.py from the schemes' declarations: do not edit."""

from os import PathLike
from pathlib import Path
from typing import Any, Literal, Mapping, Sequence

from numpy import floating, uint32
from numpy.typing import NDArray

from ._isobar import Model
from ._results import Results

_Path = str | PathLike[str]
_Reals = NDArray[floating[Any]] | float
_Words = NDArray[uint32] | int
_Axis = Literal["first", "last"]

def data_folder() -> Path: ...

class _Model(Model):
    @property
    def items_axis(self) -> _Axis: ...
    @property
    def top_first(self) -> bool | None: ...
    @property
    def scheme(self) -> str: ...
    @property
    def devices(self) -> list[str]: ...
    @property
    def facts(self) -> dict[str, Any]: ...
    def read(
        self,
        path: _Path,
        *others: _Path,
        clouds: bool = True,
        cloud_fraction: float = 1.0,
        rain_and_snow: bool = False,
        assume_zero: bool = False,
        gases: Mapping[str, float] = ...,
        names: Mapping[str, str] = ...,
        values: Mapping[str, float] = ...,
        vertical: str | None = None,
        outside: Literal["extrapolate", "clamp", "error"] = "extrapolate",
        time_s: float = 0.0,
        surface: Literal["black", "specular", "lambertian"] = "specular",
        linear_source: bool = False,
        mean_sun: bool = False,
    ) -> dict[str, Any]: ...

def again(cls: type, given: Mapping[str, Any]) -> Any: ...

class YSUResults(Results):
    u_tendency_m_per_s2: NDArray[floating[Any]]
    """Tendency of eastward wind. (column, layer) [m s-2]"""
    v_tendency_m_per_s2: NDArray[floating[Any]]
    """Tendency of northward wind. (column, layer) [m s-2]"""
    theta_tendency_k_per_s: NDArray[floating[Any]]
    """Tendency of potential temperature. (column, layer) [K s-1]"""
    vapour_tendency_kg_per_kg_s: NDArray[floating[Any]]
    """Tendency of the mixing ratio of water vapour. (column, layer) [kg kg-1 s-1]"""
    cloud_water_tendency_kg_per_kg_s: NDArray[floating[Any]]
    """Tendency of the mixing ratio of cloud water. (column, layer) [kg kg-1 s-1]"""
    cloud_ice_tendency_kg_per_kg_s: NDArray[floating[Any]]
    """Tendency of the mixing ratio of cloud ice. (column, layer) [kg kg-1 s-1]"""
    diffusivity_heat_m2_per_s: NDArray[floating[Any]]
    """Diffusivity of heat at the lower interface of the layer, 0 at the surface. (column, layer) [m2 s-1]"""
    diffusivity_momentum_m2_per_s: NDArray[floating[Any]]
    """Diffusivity of momentum at the lower interface of the layer, 0 at the surface. (column, layer) [m2 s-1]"""
    height_m: NDArray[floating[Any]]
    """Height of the boundary layer. (column) [m]"""
    convective_velocity_m_per_s: NDArray[floating[Any]]
    """Convective velocity scale. (column) [m s-1]"""
    entrainment_depth_m: NDArray[floating[Any]]
    """Depth of the entrainment zone, 0 where nothing is entrained. (column) [m]"""
    u_10m_m_per_s: NDArray[floating[Any]]
    """Eastward wind at 10 m, adjusted with the topographic option. (column) [m s-1]"""
    v_10m_m_per_s: NDArray[floating[Any]]
    """Northward wind at 10 m, adjusted with the topographic option. (column) [m s-1]"""
    stress_u_n_per_m2: NDArray[floating[Any]]
    """Column integral of the tendency of eastward momentum. (column) [N m-2]"""
    stress_v_n_per_m2: NDArray[floating[Any]]
    """Column integral of the tendency of northward momentum. (column) [N m-2]"""
    heat_w_per_m2: NDArray[floating[Any]]
    """Column integral of the tendency of potential temperature times heat capacity, as WRF has it: of potential enthalpy, not of enthalpy. (column) [W m-2]"""
    latent_heat_w_per_m2: NDArray[floating[Any]]
    """Column integral of the moistening, as latent heat. (column) [W m-2]"""
    tracers_tendency_per_s: NDArray[floating[Any]]
    """Tendencies of the tracers, per second. (column, layer, tracer) [any unit]"""
    turbulent_energy_m2_per_s2: NDArray[floating[Any]]
    """Turbulent kinetic energy at the lower interface of the layer after the step: of Shin-Hong, as the next. (column, layer) [m2 s-2]"""
    mixing_length_m: NDArray[floating[Any]]
    """Mixing length of turbulent energy there, 0 at the surface. (column, layer) [m]"""
    level: NDArray[uint32]
    """Layer in which the boundary layer ends, counted from 1 at the surface. (column)"""
    status: NDArray[uint32]
    """What became of the column: 0 if it was computed. (column)"""

class YSU(_Model):
    """The YSU boundary-layer scheme, as WRF 4 or WRF 3.6.1 has it."""
    def __new__(cls, *, device: str = "cpu", precision: Literal["f32", "f64"] | None = None, threads: int = 0, bad_items: Literal["stop", "flag", "compute"] = "stop", items_axis: _Axis = "first", top_first: bool | None = None, version: str | Mapping[str, Any] = ..., time_step_s: Any = ..., top_down: bool = ..., topographic: bool = ..., heat_capacity_j_per_kg_k: float = ..., gravity_m_per_s2: float = ..., gas_constant_j_per_kg_k: float = ..., vapour_gas_constant_j_per_kg_k: float = ..., karman: float = ..., latent_heat_j_per_kg: float = ..., limited_entrainment: bool = ..., urban: bool = ..., constants: str | Mapping[str, float] = ...) -> YSU: ...
    def run(self, *, u_m_per_s: _Reals, v_m_per_s: _Reals, temperature_k: _Reals, vapour_kg_per_kg: _Reals, cloud_water_kg_per_kg: _Reals, cloud_ice_kg_per_kg: _Reals, pressure_pa: _Reals, exner: _Reals, thickness_m: _Reals, radiative_heating_k_per_s: _Reals | None = ..., interface_pressure_pa: _Reals, surface_pressure_pa: _Reals, roughness_m: _Reals, friction_velocity_m_per_s: _Reals, profile_momentum: _Reals, profile_heat: _Reals, land_or_water: _Reals, sensible_heat_flux_w_per_m2: _Reals, moisture_flux_kg_per_m2_s: _Reals, wind_speed_m_per_s: _Reals, richardson: _Reals, u_10m_m_per_s: _Reals, v_10m_m_per_s: _Reals, u_current_m_per_s: _Reals, v_current_m_per_s: _Reals, drag_factor: _Reals | None = ..., wind_weight: _Reals | None = ..., urban_u_rate_per_s: _Reals | None = ..., urban_v_rate_per_s: _Reals | None = ..., urban_theta_rate_per_s: _Reals | None = ..., urban_vapour_rate_per_s: _Reals | None = ..., urban_u_source_m_per_s2: _Reals | None = ..., urban_v_source_m_per_s2: _Reals | None = ..., urban_theta_source_k_per_s: _Reals | None = ..., urban_vapour_source_per_s: _Reals | None = ..., urban_open_faces: _Reals | None = ..., urban_open_volume: _Reals | None = ..., urban_share: _Reals | None = ..., turbulent_energy_m2_per_s2: _Reals | None = ..., grid_distance_m: _Reals | None = ..., coriolis_per_s: _Reals | None = ..., tracers: _Reals | None = ..., version: str | Mapping[str, Any] = ..., time_step_s: Any = ..., top_down: bool = ..., topographic: bool = ..., heat_capacity_j_per_kg_k: float = ..., gravity_m_per_s2: float = ..., gas_constant_j_per_kg_k: float = ..., vapour_gas_constant_j_per_kg_k: float = ..., karman: float = ..., latent_heat_j_per_kg: float = ..., limited_entrainment: bool = ..., urban: bool = ..., constants: str | Mapping[str, float] = ..., out: Mapping[str, NDArray[Any]] | None = None, stream: Any = None, items_axis: _Axis | None = None, top_first: bool | None = None) -> YSUResults:
        """Computes columns.

        u_m_per_s: Eastward wind. (column, layer) [m s-1] in [-1000, 1000]
        v_m_per_s: Northward wind. (column, layer) [m s-1] in [-1000, 1000]
        temperature_k: Temperature. (column, layer) [K] in [100, 400]
        vapour_kg_per_kg: Mixing ratio of water vapour. Advection leaves small negative ones. (column, layer) [kg kg-1] in [-0.001, 1]
        cloud_water_kg_per_kg: Mixing ratio of cloud water. (column, layer) [kg kg-1] in [-0.001, 1]
        cloud_ice_kg_per_kg: Mixing ratio of cloud ice. (column, layer) [kg kg-1] in [-0.001, 1]
        pressure_pa: Pressure in the middle of the layer, falling with height. Wider than any atmosphere; quotients of what is in range stay plain numbers. (column, layer) [Pa] in [1e-6, 1e7]
        exner: Exner function there, `(p / 1e5 Pa)^(Rd/cp)`. (column, layer) in [1e-4, 2]
        thickness_m: Thickness of the layer. (column, layer) [m] in [0.001, 1e5]
        radiative_heating_k_per_s: Radiative tendency of potential temperature: read only, and needed, with top-down mixing. (column, layer) [K s-1]
        interface_pressure_pa: Pressure of the interfaces, falling with height. (column, level) [Pa] 0 or in [1e-6, 1e7]
        surface_pressure_pa: Pressure at the surface. (column) [Pa] in [1e-6, 1e7]
        roughness_m: Roughness length. (column) [m] in [0, inf)
        friction_velocity_m_per_s: Friction velocity. (column) [m s-1] in (0, 100]
        profile_momentum: `ln(z/z0)` less the stability correction of momentum. (column)
        profile_heat: `ln(z/z0)` less the stability correction of heat. (column) in (0, inf)
        land_or_water: 1 for land, 2 for water. (column) 1 or 2
        sensible_heat_flux_w_per_m2: Upward flux of sensible heat. (column) [W m-2]
        moisture_flux_kg_per_m2_s: Upward flux of moisture. (column) [kg m-2 s-1]
        wind_speed_m_per_s: Wind of the lowest layer with its convective enhancement. (column) [m s-1] in (0, inf)
        richardson: Bulk Richardson number of the surface layer. (column)
        u_10m_m_per_s: Eastward wind at 10 m. (column) [m s-1] in [-1000, 1000]
        v_10m_m_per_s: Northward wind at 10 m. (column) [m s-1] in [-1000, 1000]
        u_current_m_per_s: Eastward surface current. (column) [m s-1] in [-1000, 1000]
        v_current_m_per_s: Northward surface current. (column) [m s-1] in [-1000, 1000]
        drag_factor: Factor of the drag over unresolved orography: read only, and needed, with the topographic option. (column) in [0, inf)
        wind_weight: Weight of the 10 m wind against that of the lowest layer: read only, and needed, with the topographic option. (column)
        urban_u_rate_per_s: What the buildings of a town take of eastward wind, as rate of change: this and what follows with its name are read only, and needed, with the option urban. (column, layer) [s-1] in [-100, 0]
        urban_v_rate_per_s: Likewise of northward wind. (column, layer) [s-1] in [-100, 0]
        urban_theta_rate_per_s: Likewise of potential temperature less 300 K. (column, layer) [s-1] in [-100, 0]
        urban_vapour_rate_per_s: Likewise of water vapour. (column, layer) [s-1] in [-100, 0]
        urban_u_source_m_per_s2: What they add to eastward wind. (column, layer) [m s-2]
        urban_v_source_m_per_s2: What they add to northward wind. (column, layer) [m s-2]
        urban_theta_source_k_per_s: What they add to potential temperature. (column, layer) [K s-1]
        urban_vapour_source_per_s: What they add to water vapour. (column, layer) [s-1]
        urban_open_faces: Share of the layer's upper face that is not in a building. (column, layer) in (0, 1]
        urban_open_volume: Share of the layer's volume that is not in a building. (column, layer) in (0, 1]
        urban_share: Share of the ground that is town, on which the drag over orography does not act; with the topographic option only. (column) in [0, 1]
        turbulent_energy_m2_per_s2: Turbulent kinetic energy at the lower interface of the layer: read only, and needed, by Shin-Hong, as the next two. (column, layer) [m2 s-2] in [0, 10000]
        grid_distance_m: Distance of the grid's points. (column) [m] in [1, 1e7]
        coriolis_per_s: Coriolis parameter; below zero it counts as zero. (column) [s-1] in [-0.01, 0.01]
        tracers: Mixing ratios of further tracers, which do not come through the surface. (column, layer, tracer) [any unit]
        """
        ...

class RadiationResults(Results):
    longwave_up_w_per_m2: NDArray[floating[Any]]
    """Upward long-wave flux. (column, level) [W m-2]"""
    longwave_down_w_per_m2: NDArray[floating[Any]]
    """Downward long-wave flux. (column, level) [W m-2]"""
    longwave_heating_k_per_day: NDArray[floating[Any]]
    """Long-wave heating rate of the layer. (column, layer) [K day-1]"""
    longwave_up_derivative_w_per_m2_k: NDArray[floating[Any]]
    """Derivative of the upward long-wave flux by the surface's temperature. (column, level) [W m-2 K-1]"""
    shortwave_up_w_per_m2: NDArray[floating[Any]]
    """Upward short-wave flux. (column, level) [W m-2]"""
    shortwave_down_w_per_m2: NDArray[floating[Any]]
    """Downward short-wave flux, the sun's beam and diffuse light. (column, level) [W m-2]"""
    shortwave_direct_w_per_m2: NDArray[floating[Any]]
    """Flux of the sun's beam. (column, level) [W m-2]"""
    shortwave_heating_k_per_day: NDArray[floating[Any]]
    """Short-wave heating rate of the layer. (column, layer) [K day-1]"""
    longwave_up_by_band_w_per_m2: NDArray[floating[Any]]
    """Upward long-wave flux of each band of the k-distribution. (column, level, longwave_flux_band) [W m-2]"""
    longwave_down_by_band_w_per_m2: NDArray[floating[Any]]
    """Downward long-wave flux of each band. (column, level, longwave_flux_band) [W m-2]"""
    shortwave_up_by_band_w_per_m2: NDArray[floating[Any]]
    """Upward short-wave flux of each band of the k-distribution. (column, level, shortwave_flux_band) [W m-2]"""
    shortwave_down_by_band_w_per_m2: NDArray[floating[Any]]
    """Downward short-wave flux of each band, the sun's beam and diffuse light. (column, level, shortwave_flux_band) [W m-2]"""
    shortwave_direct_by_band_w_per_m2: NDArray[floating[Any]]
    """Flux of the sun's beam of each band. (column, level, shortwave_flux_band) [W m-2]"""
    longwave_up_clear_w_per_m2: NDArray[floating[Any]]
    """Upward long-wave flux without clouds. (column, level) [W m-2]"""
    longwave_down_clear_w_per_m2: NDArray[floating[Any]]
    """Downward long-wave flux without clouds. (column, level) [W m-2]"""
    longwave_heating_clear_k_per_day: NDArray[floating[Any]]
    """Long-wave heating rate of the layer without clouds. (column, layer) [K day-1]"""
    longwave_up_clear_derivative_w_per_m2_k: NDArray[floating[Any]]
    """Derivative of the upward long-wave flux by the surface's temperature without clouds. (column, level) [W m-2 K-1]"""
    shortwave_up_clear_w_per_m2: NDArray[floating[Any]]
    """Upward short-wave flux without clouds. (column, level) [W m-2]"""
    shortwave_down_clear_w_per_m2: NDArray[floating[Any]]
    """Downward short-wave flux without clouds. (column, level) [W m-2]"""
    shortwave_heating_clear_k_per_day: NDArray[floating[Any]]
    """Short-wave heating rate of the layer without clouds. (column, layer) [K day-1]"""
    status: NDArray[uint32]
    """Whether the column was computed. (column)"""

class Radiation(_Model):
    """Long-wave and short-wave radiation with k-distributions of RRTMGP, ecCKD and RRTMG_LW."""
    def __new__(cls, k_distributions: _Path | Sequence[_Path] | None = None, clouds: _Path | Sequence[_Path] | None = None, roughness: Literal["smooth", "medium", "rough"] = "medium", aerosols: _Path | Sequence[_Path] = (), rain_as_liquid: bool = False, snow_as_ice: bool = False, *, device: str = "cpu", precision: Literal["f32", "f64"] | None = None, threads: int = 0, bad_items: Literal["stop", "flag", "compute"] = "stop", items_axis: _Axis = "first", top_first: bool | None = None, angles: str | Mapping[str, Any] = ..., longwave_scattering: str | Mapping[str, Any] = ..., delta_scaling: str | Mapping[str, Any] = ..., band_fluxes: bool = ..., heat_capacity_j_per_kg_k: float = ..., derivative: bool = ..., clear_sky: bool = ..., cloud_solver: str | Mapping[str, Any] = ..., overlap: str | Mapping[str, Any] = ..., decorrelation_m: float = ..., transmittance: str | Mapping[str, Any] = ..., ice: str | Mapping[str, Any] = ..., liquid: str | Mapping[str, Any] = ..., seed: int = ..., decorrelation: Any = ...) -> Radiation: ...
    def pullback(self, cotangents: Mapping[str, _Reals], **given: Any) -> RadiationAdjointResults: ...
    def run(self, *, level_pressure_pa: _Reals, pressure_pa: _Reals, temperature_k: _Reals, level_temperature_k: _Reals | None = ..., surface_temperature_k: _Reals | None = ..., emissivity: _Reals | None = ..., cosine_zenith: _Reals | None = ..., total_solar_irradiance_w_per_m2: _Reals | None = ..., surface_albedo_direct: _Reals | None = ..., surface_albedo_diffuse: _Reals | None = ..., h2o: _Reals | None = ..., co2: _Reals | None = ..., o3: _Reals | None = ..., n2o: _Reals | None = ..., co: _Reals | None = ..., ch4: _Reals | None = ..., o2: _Reals | None = ..., n2: _Reals | None = ..., ccl4: _Reals | None = ..., cfc11: _Reals | None = ..., cfc12: _Reals | None = ..., cfc22: _Reals | None = ..., hfc143a: _Reals | None = ..., hfc125: _Reals | None = ..., hfc23: _Reals | None = ..., hfc32: _Reals | None = ..., hfc134a: _Reals | None = ..., cf4: _Reals | None = ..., no2: _Reals | None = ..., dry_column_per_cm2: _Reals | None = ..., broadening_column_per_cm2: _Reals | None = ..., aerosol_absorption_longwave: _Reals | None = ..., aerosol_optical_depth_longwave: _Reals | None = ..., aerosol_albedo_longwave: _Reals | None = ..., aerosol_asymmetry_longwave: _Reals | None = ..., aerosol_optical_depth: _Reals | None = ..., aerosol_albedo: _Reals | None = ..., aerosol_asymmetry: _Reals | None = ..., cloud_fraction: _Reals | None = ..., liquid_path_g_per_m2: _Reals | None = ..., ice_path_g_per_m2: _Reals | None = ..., liquid_radius_um: _Reals | None = ..., ice_size_um: _Reals | None = ..., cloud_absorption_longwave: _Reals | None = ..., rain_path_g_per_m2: _Reals | None = ..., snow_path_g_per_m2: _Reals | None = ..., rain_radius_um: _Reals | None = ..., snow_size_um: _Reals | None = ..., overlap_parameter: _Reals | None = ..., fractional_standard_deviation: _Reals | None = ..., thickness_m: _Reals | None = ..., latitude_deg: _Reals | None = ..., cloud_share: _Reals | None = ..., cloud_mask: _Words | None = ..., subcolumn_seed: _Words | None = ..., angles: str | Mapping[str, Any] = ..., longwave_scattering: str | Mapping[str, Any] = ..., delta_scaling: str | Mapping[str, Any] = ..., band_fluxes: bool = ..., heat_capacity_j_per_kg_k: float = ..., derivative: bool = ..., clear_sky: bool = ..., cloud_solver: str | Mapping[str, Any] = ..., overlap: str | Mapping[str, Any] = ..., decorrelation_m: float = ..., transmittance: str | Mapping[str, Any] = ..., ice: str | Mapping[str, Any] = ..., liquid: str | Mapping[str, Any] = ..., seed: int = ..., decorrelation: Any = ..., out: Mapping[str, NDArray[Any]] | None = None, stream: Any = None, items_axis: _Axis | None = None, top_first: bool | None = None) -> RadiationResults:
        """Computes columns.

        level_pressure_pa: Pressure of the levels, falling with height. (column, level) [Pa] in [0, inf)
        pressure_pa: Pressure of the layers, between that of the levels around. (column, layer) [Pa] in (0, inf)
        temperature_k: Temperature of the layers. (column, layer) [K] in [100, 400]
        level_temperature_k: Temperature of the levels, for the long wave. (column, level) [K] in [100, 400]
        surface_temperature_k: Temperature of the surface, for the long wave. (column) [K] in [100, 400]
        emissivity: Emissivity of the surface, for the long wave: by band, or by g-point. (column, longwave_band) in [0, 1]
        cosine_zenith: Cosine of the sun's zenith angle, for the short wave: 0 or less at night. (column) in [-1, 1]
        total_solar_irradiance_w_per_m2: Irradiance of the sun at the top, for the short wave; that of the k-distribution where it is left out. (column) [W m-2] in [0, 10000]
        surface_albedo_direct: Albedo of the surface for the sun's beam, for the short wave: by band, or by g-point. (column, shortwave_band) in [0, 1]
        surface_albedo_diffuse: Albedo for diffuse light; that for the beam where it is left out. (column, shortwave_band) in [0, 1]
        h2o: Water vapour: needed unless no k-distribution knows it. (column, layer) [mol mol-1] in [0, 1]
        co2: Carbon dioxide; none where a gas is left out. (column, layer) [mol mol-1] in [0, 1]
        o3: Ozone. (column, layer) [mol mol-1] in [0, 1]
        n2o: Nitrous oxide. (column, layer) [mol mol-1] in [0, 1]
        co: Carbon monoxide. (column, layer) [mol mol-1] in [0, 1]
        ch4: Methane. (column, layer) [mol mol-1] in [0, 1]
        o2: Oxygen. (column, layer) [mol mol-1] in [0, 1]
        n2: Nitrogen. (column, layer) [mol mol-1] in [0, 1]
        ccl4: Carbon tetrachloride. (column, layer) [mol mol-1] in [0, 1]
        cfc11: CFC-11. (column, layer) [mol mol-1] in [0, 1]
        cfc12: CFC-12. (column, layer) [mol mol-1] in [0, 1]
        cfc22: HCFC-22. (column, layer) [mol mol-1] in [0, 1]
        hfc143a: HFC-143a. (column, layer) [mol mol-1] in [0, 1]
        hfc125: HFC-125. (column, layer) [mol mol-1] in [0, 1]
        hfc23: HFC-23. (column, layer) [mol mol-1] in [0, 1]
        hfc32: HFC-32. (column, layer) [mol mol-1] in [0, 1]
        hfc134a: HFC-134a. (column, layer) [mol mol-1] in [0, 1]
        cf4: Carbon tetrafluoride. (column, layer) [mol mol-1] in [0, 1]
        no2: Nitrogen dioxide. (column, layer) [mol mol-1] in [0, 1]
        dry_column_per_cm2: Columns of dry air, in molecules, for RRTMG_LW alone: gases are columns then, in molecules/cm^2, halocarbons in 1e20 molecules/cm^2. Where they are left out, they follow from the levels' pressure. (column, layer) [cm-2] in (0, inf)
        broadening_column_per_cm2: Columns of all that broadens lines besides the gases: given where those of dry air are. (column, layer) [cm-2] in [0, inf)
        aerosol_absorption_longwave: Absorption optical depth of aerosol in the bands of the long wave; not beside the next three, which RRTMG_LW does not have. (column, layer, longwave_band) in [0, inf)
        aerosol_optical_depth_longwave: Extinction optical depth of aerosol in the bands of the long wave, with the next two: of these only absorption counts where the long wave does not scatter. (column, layer, longwave_band) in [0, inf)
        aerosol_albedo_longwave: Single-scattering albedo of aerosol in the long wave. (column, layer, longwave_band) in [0, 1]
        aerosol_asymmetry_longwave: Asymmetry of aerosol in the long wave. (column, layer, longwave_band) in [-1, 1]
        aerosol_optical_depth: Extinction optical depth of aerosol in the bands of the short wave, with the next two. (column, layer, shortwave_band) in [0, inf)
        aerosol_albedo: Single-scattering albedo of aerosol. (column, layer, shortwave_band) in [0, 1]
        aerosol_asymmetry: Asymmetry of aerosol. (column, layer, shortwave_band) in [-1, 1]
        cloud_fraction: The cloudy part of the layer. (column, layer) in [0, 1]
        liquid_path_g_per_m2: Liquid water path of the cloudy part: needed for clouds, as are the next three. (column, layer) [g m-2] in [0, inf)
        ice_path_g_per_m2: Ice water path of the cloudy part. (column, layer) [g m-2] in [0, inf)
        liquid_radius_um: Effective radius of droplets, in the range of the cloud tables; read where there is liquid. (column, layer) [um]
        ice_size_um: Effective size of ice, as the cloud tables mean it (RRTMGP's: the diameter) or the optics of ice that are chosen of RRTMG_LW's, in their range; read where there is ice. (column, layer) [um]
        cloud_absorption_longwave: Absorption optical depth of the cloudy part in the bands of the long wave, for RRTMG_LW alone: instead of paths and sizes. (column, layer, longwave_band) in [0, inf)
        rain_path_g_per_m2: Rain water path of the cloudy part, beside the liquid; none where it is left out. Needs a `rain_radius_um`, and tables of clouds that have rain. (column, layer) [g m-2] in [0, inf)
        snow_path_g_per_m2: Snow water path of the cloudy part, beside the ice; none where it is left out. Needs a `snow_size_um`, and tables of clouds that have snow. (column, layer) [g m-2] in [0, inf)
        rain_radius_um: Effective radius of rain, in the range of the cloud tables; read where there is rain. (column, layer) [um]
        snow_size_um: Effective size of snow, as the cloud tables mean it (the diameter), in their range; read where there is snow. (column, layer) [um]
        overlap_parameter: Overlap of the clouds of neighbouring layers, 1 as much as possible, 0 at random: read only for exponential overlap, where it may be given instead of the thickness. (column, layer_interface) in [0, 1]
        fractional_standard_deviation: Standard deviation of the cloud's water relative to its mean: read by Tripleclouds only, 1 where it is left out. (column, layer) in [0, 10]
        thickness_m: Thickness of the layers: read only for exponential overlap, and needed there unless there is an `overlap_parameter`. (column, layer) [m] in (0, inf)
        latitude_deg: Latitude: read only for RRTMG_LW's decorrelation length by latitude, 0 if it is left out. (column) [degree] in [-90, 90]
        cloud_share: What the clouds that a g-point of RRTMG_LW sees have of the layer's water or optical depth; 1 where it is left out. (column, layer, g_point) in [0, inf)
        cloud_mask: Which g-points of RRTMG_LW see the cloud, a bit each, the first in the lowest; where it is left out, it is generated. (column, layer, mask_word)
        subcolumn_seed: What the random sub-columns of a column begin with, besides the pressure of its lowest level and the lowest of its temperatures; RRTMG_LW's have a seed for all. (column)
        """
        ...

class RadiationAdjointResults(Results):
    level_pressure_pa: NDArray[floating[Any]]
    """By the pressure of the levels. (column, level) [Pa-1]"""
    pressure_pa: NDArray[floating[Any]]
    """By the pressure of the layers. (column, layer) [Pa-1]"""
    temperature_k: NDArray[floating[Any]]
    """By the temperature of the layers. (column, layer) [K-1]"""
    level_temperature_k: NDArray[floating[Any]]
    """By the temperature of the levels. (column, level) [K-1]"""
    surface_temperature_k: NDArray[floating[Any]]
    """By the temperature of the surface. (column) [K-1]"""
    emissivity: NDArray[floating[Any]]
    """By the emissivity of the surface. (column, longwave_band)"""
    cosine_zenith: NDArray[floating[Any]]
    """By the cosine of the sun's zenith angle; 0 at night. (column)"""
    total_solar_irradiance_w_per_m2: NDArray[floating[Any]]
    """By the irradiance of the sun, that of the k-distribution where the column has none. (column) [W-1 m2]"""
    surface_albedo_direct: NDArray[floating[Any]]
    """By the albedo for the beam; for all light where there is no other. (column, shortwave_band)"""
    surface_albedo_diffuse: NDArray[floating[Any]]
    """By the albedo for diffuse light, where it is given. (column, shortwave_band)"""
    h2o: NDArray[floating[Any]]
    """By water vapour. (column, layer) [mol-1 mol]"""
    co2: NDArray[floating[Any]]
    """By carbon dioxide. (column, layer) [mol-1 mol]"""
    o3: NDArray[floating[Any]]
    """By ozone. (column, layer) [mol-1 mol]"""
    n2o: NDArray[floating[Any]]
    """By nitrous oxide. (column, layer) [mol-1 mol]"""
    co: NDArray[floating[Any]]
    """By carbon monoxide. (column, layer) [mol-1 mol]"""
    ch4: NDArray[floating[Any]]
    """By methane. (column, layer) [mol-1 mol]"""
    o2: NDArray[floating[Any]]
    """By oxygen. (column, layer) [mol-1 mol]"""
    n2: NDArray[floating[Any]]
    """By nitrogen. (column, layer) [mol-1 mol]"""
    ccl4: NDArray[floating[Any]]
    """By carbon tetrachloride. (column, layer) [mol-1 mol]"""
    cfc11: NDArray[floating[Any]]
    """By CFC-11. (column, layer) [mol-1 mol]"""
    cfc12: NDArray[floating[Any]]
    """By CFC-12. (column, layer) [mol-1 mol]"""
    cfc22: NDArray[floating[Any]]
    """By HCFC-22. (column, layer) [mol-1 mol]"""
    hfc143a: NDArray[floating[Any]]
    """By HFC-143a. (column, layer) [mol-1 mol]"""
    hfc125: NDArray[floating[Any]]
    """By HFC-125. (column, layer) [mol-1 mol]"""
    hfc23: NDArray[floating[Any]]
    """By HFC-23. (column, layer) [mol-1 mol]"""
    hfc32: NDArray[floating[Any]]
    """By HFC-32. (column, layer) [mol-1 mol]"""
    hfc134a: NDArray[floating[Any]]
    """By HFC-134a. (column, layer) [mol-1 mol]"""
    cf4: NDArray[floating[Any]]
    """By carbon tetrafluoride. (column, layer) [mol-1 mol]"""
    no2: NDArray[floating[Any]]
    """By nitrogen dioxide. (column, layer) [mol-1 mol]"""
    aerosol_absorption_longwave: NDArray[floating[Any]]
    """By the absorption optical depth of aerosol in the long wave, where it is given. (column, layer, longwave_band)"""
    aerosol_optical_depth_longwave: NDArray[floating[Any]]
    """By the extinction optical depth of aerosol in the long wave, where it is given. (column, layer, longwave_band)"""
    aerosol_albedo_longwave: NDArray[floating[Any]]
    """By the single-scattering albedo of aerosol in the long wave. (column, layer, longwave_band)"""
    aerosol_optical_depth: NDArray[floating[Any]]
    """By the extinction optical depth of aerosol in the short wave, where it is given. (column, layer, shortwave_band)"""
    aerosol_albedo: NDArray[floating[Any]]
    """By the single-scattering albedo of aerosol. (column, layer, shortwave_band)"""
    aerosol_asymmetry: NDArray[floating[Any]]
    """By the asymmetry of aerosol. (column, layer, shortwave_band)"""
    liquid_path_g_per_m2: NDArray[floating[Any]]
    """By the liquid water path of the cloudy part: 0 where there is none, for then its size is not read. (column, layer) [g-1 m2]"""
    ice_path_g_per_m2: NDArray[floating[Any]]
    """By the ice water path of the cloudy part, likewise. (column, layer) [g-1 m2]"""
    liquid_radius_um: NDArray[floating[Any]]
    """By the effective radius of droplets. (column, layer) [um-1]"""
    ice_size_um: NDArray[floating[Any]]
    """By the effective size of ice. (column, layer) [um-1]"""
    rain_path_g_per_m2: NDArray[floating[Any]]
    """By the rain water path of the cloudy part. (column, layer) [g-1 m2]"""
    snow_path_g_per_m2: NDArray[floating[Any]]
    """By the snow water path of the cloudy part. (column, layer) [g-1 m2]"""
    rain_radius_um: NDArray[floating[Any]]
    """By the effective radius of rain. (column, layer) [um-1]"""
    snow_size_um: NDArray[floating[Any]]
    """By the effective size of snow. (column, layer) [um-1]"""
    status: NDArray[uint32]
    """What became of each column: 0 if it was computed, not if a derivative is no number. (column)"""

class RadiationAdjoint(_Model):
    """Derivatives of numbers that are made of the results of `Radiation`, by all that these depend on smoothly."""
    def __new__(cls, k_distributions: _Path | Sequence[_Path] | None = None, clouds: _Path | Sequence[_Path] | None = None, roughness: Literal["smooth", "medium", "rough"] = "medium", aerosols: _Path | Sequence[_Path] = (), rain_as_liquid: bool = False, snow_as_ice: bool = False, *, device: str = "cpu", precision: Literal["f32", "f64"] | None = None, threads: int = 0, bad_items: Literal["stop", "flag", "compute"] = "stop", items_axis: _Axis = "first", top_first: bool | None = None, angles: str | Mapping[str, Any] = ..., longwave_scattering: str | Mapping[str, Any] = ..., delta_scaling: str | Mapping[str, Any] = ..., band_fluxes: bool = ..., heat_capacity_j_per_kg_k: float = ..., derivative: bool = ..., clear_sky: bool = ..., cloud_solver: str | Mapping[str, Any] = ..., overlap: str | Mapping[str, Any] = ..., decorrelation_m: float = ..., transmittance: str | Mapping[str, Any] = ..., ice: str | Mapping[str, Any] = ..., liquid: str | Mapping[str, Any] = ..., seed: int = ..., decorrelation: Any = ...) -> RadiationAdjoint: ...
    def run(self, *, level_pressure_pa: _Reals, pressure_pa: _Reals, temperature_k: _Reals, level_temperature_k: _Reals | None = ..., surface_temperature_k: _Reals | None = ..., emissivity: _Reals | None = ..., cosine_zenith: _Reals | None = ..., total_solar_irradiance_w_per_m2: _Reals | None = ..., surface_albedo_direct: _Reals | None = ..., surface_albedo_diffuse: _Reals | None = ..., h2o: _Reals | None = ..., co2: _Reals | None = ..., o3: _Reals | None = ..., n2o: _Reals | None = ..., co: _Reals | None = ..., ch4: _Reals | None = ..., o2: _Reals | None = ..., n2: _Reals | None = ..., ccl4: _Reals | None = ..., cfc11: _Reals | None = ..., cfc12: _Reals | None = ..., cfc22: _Reals | None = ..., hfc143a: _Reals | None = ..., hfc125: _Reals | None = ..., hfc23: _Reals | None = ..., hfc32: _Reals | None = ..., hfc134a: _Reals | None = ..., cf4: _Reals | None = ..., no2: _Reals | None = ..., dry_column_per_cm2: _Reals | None = ..., broadening_column_per_cm2: _Reals | None = ..., aerosol_absorption_longwave: _Reals | None = ..., aerosol_optical_depth_longwave: _Reals | None = ..., aerosol_albedo_longwave: _Reals | None = ..., aerosol_asymmetry_longwave: _Reals | None = ..., aerosol_optical_depth: _Reals | None = ..., aerosol_albedo: _Reals | None = ..., aerosol_asymmetry: _Reals | None = ..., cloud_fraction: _Reals | None = ..., liquid_path_g_per_m2: _Reals | None = ..., ice_path_g_per_m2: _Reals | None = ..., liquid_radius_um: _Reals | None = ..., ice_size_um: _Reals | None = ..., cloud_absorption_longwave: _Reals | None = ..., rain_path_g_per_m2: _Reals | None = ..., snow_path_g_per_m2: _Reals | None = ..., rain_radius_um: _Reals | None = ..., snow_size_um: _Reals | None = ..., overlap_parameter: _Reals | None = ..., fractional_standard_deviation: _Reals | None = ..., thickness_m: _Reals | None = ..., latitude_deg: _Reals | None = ..., cloud_share: _Reals | None = ..., cloud_mask: _Words | None = ..., subcolumn_seed: _Words | None = ..., longwave_up_w_per_m2: _Reals | None = ..., longwave_down_w_per_m2: _Reals | None = ..., longwave_heating_k_per_day: _Reals | None = ..., shortwave_up_w_per_m2: _Reals | None = ..., shortwave_down_w_per_m2: _Reals | None = ..., shortwave_direct_w_per_m2: _Reals | None = ..., shortwave_heating_k_per_day: _Reals | None = ..., angles: str | Mapping[str, Any] = ..., longwave_scattering: str | Mapping[str, Any] = ..., delta_scaling: str | Mapping[str, Any] = ..., band_fluxes: bool = ..., heat_capacity_j_per_kg_k: float = ..., derivative: bool = ..., clear_sky: bool = ..., cloud_solver: str | Mapping[str, Any] = ..., overlap: str | Mapping[str, Any] = ..., decorrelation_m: float = ..., transmittance: str | Mapping[str, Any] = ..., ice: str | Mapping[str, Any] = ..., liquid: str | Mapping[str, Any] = ..., seed: int = ..., decorrelation: Any = ..., out: Mapping[str, NDArray[Any]] | None = None, stream: Any = None, items_axis: _Axis | None = None, top_first: bool | None = None) -> RadiationAdjointResults:
        """Computes columns.

        level_pressure_pa: Pressure of the levels, falling with height. (column, level) [Pa] in [0, inf)
        pressure_pa: Pressure of the layers, between that of the levels around. (column, layer) [Pa] in (0, inf)
        temperature_k: Temperature of the layers. (column, layer) [K] in [100, 400]
        level_temperature_k: Temperature of the levels, for the long wave. (column, level) [K] in [100, 400]
        surface_temperature_k: Temperature of the surface, for the long wave. (column) [K] in [100, 400]
        emissivity: Emissivity of the surface, for the long wave: by band, or by g-point. (column, longwave_band) in [0, 1]
        cosine_zenith: Cosine of the sun's zenith angle, for the short wave: 0 or less at night. (column) in [-1, 1]
        total_solar_irradiance_w_per_m2: Irradiance of the sun at the top, for the short wave; that of the k-distribution where it is left out. (column) [W m-2] in [0, 10000]
        surface_albedo_direct: Albedo of the surface for the sun's beam, for the short wave: by band, or by g-point. (column, shortwave_band) in [0, 1]
        surface_albedo_diffuse: Albedo for diffuse light; that for the beam where it is left out. (column, shortwave_band) in [0, 1]
        h2o: Water vapour: needed unless no k-distribution knows it. (column, layer) [mol mol-1] in [0, 1]
        co2: Carbon dioxide; none where a gas is left out. (column, layer) [mol mol-1] in [0, 1]
        o3: Ozone. (column, layer) [mol mol-1] in [0, 1]
        n2o: Nitrous oxide. (column, layer) [mol mol-1] in [0, 1]
        co: Carbon monoxide. (column, layer) [mol mol-1] in [0, 1]
        ch4: Methane. (column, layer) [mol mol-1] in [0, 1]
        o2: Oxygen. (column, layer) [mol mol-1] in [0, 1]
        n2: Nitrogen. (column, layer) [mol mol-1] in [0, 1]
        ccl4: Carbon tetrachloride. (column, layer) [mol mol-1] in [0, 1]
        cfc11: CFC-11. (column, layer) [mol mol-1] in [0, 1]
        cfc12: CFC-12. (column, layer) [mol mol-1] in [0, 1]
        cfc22: HCFC-22. (column, layer) [mol mol-1] in [0, 1]
        hfc143a: HFC-143a. (column, layer) [mol mol-1] in [0, 1]
        hfc125: HFC-125. (column, layer) [mol mol-1] in [0, 1]
        hfc23: HFC-23. (column, layer) [mol mol-1] in [0, 1]
        hfc32: HFC-32. (column, layer) [mol mol-1] in [0, 1]
        hfc134a: HFC-134a. (column, layer) [mol mol-1] in [0, 1]
        cf4: Carbon tetrafluoride. (column, layer) [mol mol-1] in [0, 1]
        no2: Nitrogen dioxide. (column, layer) [mol mol-1] in [0, 1]
        dry_column_per_cm2: Columns of dry air, in molecules, for RRTMG_LW alone: gases are columns then, in molecules/cm^2, halocarbons in 1e20 molecules/cm^2. Where they are left out, they follow from the levels' pressure. (column, layer) [cm-2] in (0, inf)
        broadening_column_per_cm2: Columns of all that broadens lines besides the gases: given where those of dry air are. (column, layer) [cm-2] in [0, inf)
        aerosol_absorption_longwave: Absorption optical depth of aerosol in the bands of the long wave; not beside the next three, which RRTMG_LW does not have. (column, layer, longwave_band) in [0, inf)
        aerosol_optical_depth_longwave: Extinction optical depth of aerosol in the bands of the long wave, with the next two: of these only absorption counts where the long wave does not scatter. (column, layer, longwave_band) in [0, inf)
        aerosol_albedo_longwave: Single-scattering albedo of aerosol in the long wave. (column, layer, longwave_band) in [0, 1]
        aerosol_asymmetry_longwave: Asymmetry of aerosol in the long wave. (column, layer, longwave_band) in [-1, 1]
        aerosol_optical_depth: Extinction optical depth of aerosol in the bands of the short wave, with the next two. (column, layer, shortwave_band) in [0, inf)
        aerosol_albedo: Single-scattering albedo of aerosol. (column, layer, shortwave_band) in [0, 1]
        aerosol_asymmetry: Asymmetry of aerosol. (column, layer, shortwave_band) in [-1, 1]
        cloud_fraction: The cloudy part of the layer. (column, layer) in [0, 1]
        liquid_path_g_per_m2: Liquid water path of the cloudy part: needed for clouds, as are the next three. (column, layer) [g m-2] in [0, inf)
        ice_path_g_per_m2: Ice water path of the cloudy part. (column, layer) [g m-2] in [0, inf)
        liquid_radius_um: Effective radius of droplets, in the range of the cloud tables; read where there is liquid. (column, layer) [um]
        ice_size_um: Effective size of ice, as the cloud tables mean it (RRTMGP's: the diameter) or the optics of ice that are chosen of RRTMG_LW's, in their range; read where there is ice. (column, layer) [um]
        cloud_absorption_longwave: Absorption optical depth of the cloudy part in the bands of the long wave, for RRTMG_LW alone: instead of paths and sizes. (column, layer, longwave_band) in [0, inf)
        rain_path_g_per_m2: Rain water path of the cloudy part, beside the liquid; none where it is left out. Needs a `rain_radius_um`, and tables of clouds that have rain. (column, layer) [g m-2] in [0, inf)
        snow_path_g_per_m2: Snow water path of the cloudy part, beside the ice; none where it is left out. Needs a `snow_size_um`, and tables of clouds that have snow. (column, layer) [g m-2] in [0, inf)
        rain_radius_um: Effective radius of rain, in the range of the cloud tables; read where there is rain. (column, layer) [um]
        snow_size_um: Effective size of snow, as the cloud tables mean it (the diameter), in their range; read where there is snow. (column, layer) [um]
        overlap_parameter: Overlap of the clouds of neighbouring layers, 1 as much as possible, 0 at random: read only for exponential overlap, where it may be given instead of the thickness. (column, layer_interface) in [0, 1]
        fractional_standard_deviation: Standard deviation of the cloud's water relative to its mean: read by Tripleclouds only, 1 where it is left out. (column, layer) in [0, 10]
        thickness_m: Thickness of the layers: read only for exponential overlap, and needed there unless there is an `overlap_parameter`. (column, layer) [m] in (0, inf)
        latitude_deg: Latitude: read only for RRTMG_LW's decorrelation length by latitude, 0 if it is left out. (column) [degree] in [-90, 90]
        cloud_share: What the clouds that a g-point of RRTMG_LW sees have of the layer's water or optical depth; 1 where it is left out. (column, layer, g_point) in [0, inf)
        cloud_mask: Which g-points of RRTMG_LW see the cloud, a bit each, the first in the lowest; where it is left out, it is generated. (column, layer, mask_word)
        subcolumn_seed: What the random sub-columns of a column begin with, besides the pressure of its lowest level and the lowest of its temperatures; RRTMG_LW's have a seed for all. (column)
        longwave_up_w_per_m2: By the upward long-wave flux. (column, level) [W-1 m2]
        longwave_down_w_per_m2: By the downward long-wave flux. (column, level) [W-1 m2]
        longwave_heating_k_per_day: By the long-wave heating rate. (column, layer) [K-1 day]
        shortwave_up_w_per_m2: By the upward short-wave flux. (column, level) [W-1 m2]
        shortwave_down_w_per_m2: By the downward short-wave flux. (column, level) [W-1 m2]
        shortwave_direct_w_per_m2: By that of the sun's beam alone. (column, level) [W-1 m2]
        shortwave_heating_k_per_day: By the short-wave heating rate. (column, layer) [K-1 day]
        """
        ...

class ClearSkyResults(Results):
    top_radiance: NDArray[floating[Any]]
    """Upward at the top. (profile, angle) [any unit]"""
    surface_downward_radiance: NDArray[floating[Any]]
    """Downward at the surface. (profile, angle) [any unit]"""
    upward_radiance: NDArray[floating[Any]]
    """Upward at every level. (profile, level, angle) [any unit]"""
    downward_radiance: NDArray[floating[Any]]
    """Downward at every level. (profile, level, angle) [any unit]"""
    status: NDArray[uint32]
    """What became of each profile: 0 if it was computed. (profile)"""

class ClearSky(_Model):
    """Monochromatic radiances of clear layers along given angles (adding method)."""
    def __new__(cls, *, device: str = "cpu", precision: Literal["f32", "f64"] | None = None, threads: int = 0, bad_items: Literal["stop", "flag", "compute"] = "stop", items_axis: _Axis = "first", top_first: bool | None = None, cosine: Any = ..., reflection: str | Mapping[str, Any] = ..., output: str | Mapping[str, Any] = ..., schedule: str | Mapping[str, Any] = ...) -> ClearSky: ...
    def run(self, *, optical_depth: _Reals | None = ..., transmittance: _Reals | None = ..., planck_radiance: _Reals | None = ..., planck_radiance_level: _Reals | None = ..., surface_planck_radiance: _Reals, emissivity: _Reals, cosmic_background: _Reals, sun_cosine: _Reals | None = ..., sun_irradiance: _Reals | None = ..., sun_reflectivity: _Reals | None = ..., cosine: Any = ..., reflection: str | Mapping[str, Any] = ..., output: str | Mapping[str, Any] = ..., schedule: str | Mapping[str, Any] = ..., out: Mapping[str, NDArray[Any]] | None = None, stream: Any = None, items_axis: _Axis | None = None, top_first: bool | None = None) -> ClearSkyResults:
        """Computes profiles.

        optical_depth: Vertical optical depth. (profile, layer) in [0, inf)
        transmittance: Transmittance along each angle, in the place of optical depths. (profile, layer, angle) in [0, 1]
        planck_radiance: Planck radiance of each layer: isothermal layers, as in CRTM. (profile, layer) [any unit] in [0, inf)
        planck_radiance_level: Planck radiance of each level, in the place of the layers': linear in optical depth in between. (profile, level) [any unit] in [0, inf)
        surface_planck_radiance: Planck radiance of the surface. (profile) [any unit] in [0, inf)
        emissivity: Emissivity of the surface. (profile, angle) in [0, 1]
        cosmic_background: Radiance that enters from above. (profile) [any unit] in [0, inf)
        sun_cosine: Cosine of the Sun's zenith angle; no light at zero or less. Sunlight is reflected by the surface alone, and needs optical depths. (profile) in [-1, 1]
        sun_irradiance: Irradiance of the Sun at the top and normal to the beam, in the unit of the radiances times sr. (profile) [any unit] in [0, inf)
        sun_reflectivity: Reflectivity of the surface for the direct beam. (profile, angle) in [0, inf)
        """
        ...

class ScatteringResults(Results):
    top_radiance: NDArray[floating[Any]]
    """Upward at the top. (profile, stream) [any unit]"""
    upward_radiance: NDArray[floating[Any]]
    """Upward at every level. (profile, level, stream) [any unit]"""
    downward_radiance: NDArray[floating[Any]]
    """Downward at every level, without the direct beam of the Sun. (profile, level, stream) [any unit]"""
    status: NDArray[uint32]
    """What became of each profile: 0 if it was computed. (profile)"""

class Scattering(_Model):
    """Monochromatic radiances of layers that scatter (adding and doubling)."""
    def __new__(cls, *, device: str = "cpu", precision: Literal["f32", "f64"] | None = None, threads: int = 0, bad_items: Literal["stop", "flag", "compute"] = "stop", items_axis: _Axis = "first", top_first: bool | None = None, nodes: int = ..., delta_scaling: bool = ..., reflection: str | Mapping[str, Any] = ..., levels: bool = ...) -> Scattering: ...
    def run(self, *, viewing_cosine: _Reals | None = ..., optical_depth: _Reals, single_scattering_albedo: _Reals, asymmetry: _Reals | None = ..., phase_moments: _Reals | None = ..., planck_radiance: _Reals, surface_planck_radiance: _Reals, emissivity: _Reals, cosmic_background: _Reals, sun_cosine: _Reals | None = ..., sun_irradiance: _Reals | None = ..., sun_reflectivity: _Reals | None = ..., nodes: int = ..., delta_scaling: bool = ..., reflection: str | Mapping[str, Any] = ..., levels: bool = ..., out: Mapping[str, NDArray[Any]] | None = None, stream: Any = None, items_axis: _Axis | None = None, top_first: bool | None = None) -> ScatteringResults:
        """Computes profiles.

        viewing_cosine: Cosine of the angle under which each profile is seen, if it is to be a stream of its own. (profile) in (0, 1]
        optical_depth: Vertical optical depth. (profile, layer) in [0, 1e30]
        single_scattering_albedo: Single-scattering albedo. (profile, layer) in [0, 1]
        asymmetry: Asymmetry of Henyey and Greenstein's phase function. (profile, layer) in (-1, 1)
        phase_moments: Legendre moments of the phase function, the first 1, in the place of an asymmetry: any number. Those that are not there are 0. (profile, layer, moment) in [-1, 1]
        planck_radiance: Planck radiance of each layer. (profile, layer) [any unit] in [0, inf)
        surface_planck_radiance: Planck radiance of the surface. (profile) [any unit] in [0, inf)
        emissivity: Emissivity of the surface. (profile, stream) in [0, 1]
        cosmic_background: Radiance that enters from above. (profile) [any unit] in [0, inf)
        sun_cosine: Cosine of the Sun's zenith angle; no light at zero or less. The component of sunlight that does not depend on azimuth is computed. (profile) in [-1, 1]
        sun_irradiance: Irradiance of the Sun at the top and normal to the beam, in the unit of the radiances times sr. (profile) [any unit] in [0, inf)
        sun_reflectivity: Reflectivity of the surface for the direct beam. (profile, stream) in [0, inf)
        """
        ...

class AddingResults(Results):
    top_radiance: NDArray[floating[Any]]
    """Upward at the top. (profile, sun, view, azimuth) [any unit]"""
    surface_downward_radiance: NDArray[floating[Any]]
    """Downward at the surface. (profile, sun, view, azimuth) [any unit]"""
    upward_radiance: NDArray[floating[Any]]
    """Upward at every level. (profile, level, sun, view, azimuth) [any unit]"""
    downward_radiance: NDArray[floating[Any]]
    """Downward at every level. (profile, level, sun, view, azimuth) [any unit]"""
    upward_flux: NDArray[floating[Any]]
    """Irradiance upward at every level. (profile, level, sun) [any unit]"""
    downward_flux: NDArray[floating[Any]]
    """Diffuse irradiance downward at every level. (profile, level, sun) [any unit]"""
    direct_flux: NDArray[floating[Any]]
    """Irradiance of the direct beam at every level, on a horizontal surface. (profile, level, sun) [any unit]"""
    actinic_flux: NDArray[floating[Any]]
    """Actinic flux at every level, diffuse light and beam: the radiance from everywhere. (profile, level, sun) [any unit]"""
    status: NDArray[uint32]
    """What became of each profile: 0 if it was computed. (profile)"""

class Adding(_Model):
    """Radiances and fluxes of layers that scatter, from any direction (adding method, by components in azimuth)."""
    def __new__(cls, *, device: str = "cpu", precision: Literal["f32", "f64"] | None = None, threads: int = 0, bad_items: Literal["stop", "flag", "compute"] = "stop", items_axis: _Axis = "first", top_first: bool | None = None, nodes: int = ..., delta_scaling: bool = ..., corrections: bool = ..., surface: str | Mapping[str, Any] = ..., levels: bool = ..., fluxes: bool = ..., components: int = ...) -> Adding: ...
    def pullback(self, cotangents: Mapping[str, _Reals], **given: Any) -> AddingAdjointResults: ...
    def jacobian(self, output: str, **given: Any) -> dict[str, NDArray[floating[Any]]]: ...
    def run(self, *, viewing_cosine: _Reals, relative_azimuth: _Reals | None = ..., optical_depth: _Reals, single_scattering_albedo: _Reals, asymmetry: _Reals | None = ..., phase_moments: _Reals | None = ..., planck_radiance: _Reals | None = ..., planck_radiance_level: _Reals | None = ..., surface_planck_radiance: _Reals, surface_parameters: _Reals, cosmic_background: _Reals, sun_cosine: _Reals | None = ..., sun_irradiance: _Reals | None = ..., nodes: int = ..., delta_scaling: bool = ..., corrections: bool = ..., surface: str | Mapping[str, Any] = ..., levels: bool = ..., fluxes: bool = ..., components: int = ..., out: Mapping[str, NDArray[Any]] | None = None, stream: Any = None, items_axis: _Axis | None = None, top_first: bool | None = None) -> AddingResults:
        """Computes profiles.

        viewing_cosine: Cosine of each viewing direction's zenith angle: of light that comes up to the viewer, and of light that comes down to him. (profile, view) in (0, 1]
        relative_azimuth: Azimuth between the directions in which the light and the sunbeam travel: 0 is forward. Without it radiances are means over the azimuth. (profile, azimuth) [degree] in [-360, 360]
        optical_depth: Vertical optical depth. (profile, layer) in [0, 1e30]
        single_scattering_albedo: Single-scattering albedo. (profile, layer) in [0, 1]
        asymmetry: Asymmetry of Henyey and Greenstein's phase function. (profile, layer) in (-1, 1)
        phase_moments: Legendre moments of the phase function, the first 1, in the place of an asymmetry: any number. Those that are not there are 0. (profile, layer, moment) in [-1, 1]
        planck_radiance: Planck radiance of each layer. (profile, layer) [any unit] in [0, inf)
        planck_radiance_level: Planck radiance of each level, in the place of the layers': linear in optical depth in between. (profile, level) [any unit] in [0, inf)
        surface_planck_radiance: Planck radiance of the surface; 0 in sunlight alone. (profile) [any unit] in [0, inf)
        surface_parameters: Parameters of how the surface reflects, in the order of the option `surface`. (profile, surface_parameter) in [-1000, 1000]
        cosmic_background: Radiance that enters from above, from everywhere. (profile) [any unit] in [0, inf)
        sun_cosine: Cosine of the zenith angle of each sun; no light at zero or less. (profile, sun) in [-1, 1]
        sun_irradiance: Irradiance of each sun at the top and normal to the beam, in the unit of the radiances times sr. (profile, sun) [any unit] in [0, inf)
        """
        ...

class AddingAdjointResults(Results):
    optical_depth: NDArray[floating[Any]]
    """By the vertical optical depth. (profile, layer) [any unit]"""
    single_scattering_albedo: NDArray[floating[Any]]
    """By the single-scattering albedo. (profile, layer) [any unit]"""
    asymmetry: NDArray[floating[Any]]
    """By the asymmetry, where it is given. (profile, layer) [any unit]"""
    phase_moments: NDArray[floating[Any]]
    """By the moments of the phase function, where they are given: by the first, and by those beyond the streams, too. (profile, layer, moment) [any unit]"""
    planck_radiance: NDArray[floating[Any]]
    """By Planck's radiance of each layer: by as much more everywhere in it. (profile, layer) [any unit]"""
    planck_radiance_level: NDArray[floating[Any]]
    """By Planck's radiance of each level, linear in optical depth in between. (profile, level) [any unit]"""
    surface_planck_radiance: NDArray[floating[Any]]
    """By the Planck radiance of the surface. (profile) [any unit]"""
    surface_parameters: NDArray[floating[Any]]
    """By the parameters of the surface. (profile, surface_parameter) [any unit]"""
    cosmic_background: NDArray[floating[Any]]
    """By the radiance that enters from above. (profile) [any unit]"""
    sun_irradiance: NDArray[floating[Any]]
    """By the irradiance of each sun; 0 at night and where there is none. (profile, sun) [any unit]"""
    status: NDArray[uint32]
    """What became of each profile: 0 if it was computed. (profile)"""

class AddingAdjoint(_Model):
    """Derivatives of numbers that are made of the results of `Adding`, by all inputs but the directions, on CPUs."""
    def __new__(cls, *, device: str = "cpu", precision: Literal["f32", "f64"] | None = None, threads: int = 0, bad_items: Literal["stop", "flag", "compute"] = "stop", items_axis: _Axis = "first", top_first: bool | None = None, nodes: int = ..., delta_scaling: bool = ..., corrections: bool = ..., surface: str | Mapping[str, Any] = ..., levels: bool = ..., fluxes: bool = ..., components: int = ...) -> AddingAdjoint: ...
    def run(self, *, viewing_cosine: _Reals, relative_azimuth: _Reals | None = ..., optical_depth: _Reals, single_scattering_albedo: _Reals, asymmetry: _Reals | None = ..., phase_moments: _Reals | None = ..., planck_radiance: _Reals | None = ..., planck_radiance_level: _Reals | None = ..., surface_planck_radiance: _Reals, surface_parameters: _Reals, cosmic_background: _Reals, sun_cosine: _Reals | None = ..., sun_irradiance: _Reals | None = ..., top_radiance: _Reals | None = ..., surface_downward_radiance: _Reals | None = ..., upward_radiance: _Reals | None = ..., downward_radiance: _Reals | None = ..., upward_flux: _Reals | None = ..., downward_flux: _Reals | None = ..., direct_flux: _Reals | None = ..., actinic_flux: _Reals | None = ..., nodes: int = ..., delta_scaling: bool = ..., corrections: bool = ..., surface: str | Mapping[str, Any] = ..., levels: bool = ..., fluxes: bool = ..., components: int = ..., out: Mapping[str, NDArray[Any]] | None = None, stream: Any = None, items_axis: _Axis | None = None, top_first: bool | None = None) -> AddingAdjointResults:
        """Computes profiles.

        viewing_cosine: Cosine of each viewing direction's zenith angle: of light that comes up to the viewer, and of light that comes down to him. (profile, view) in (0, 1]
        relative_azimuth: Azimuth between the directions in which the light and the sunbeam travel: 0 is forward. Without it radiances are means over the azimuth. (profile, azimuth) [degree] in [-360, 360]
        optical_depth: Vertical optical depth. (profile, layer) in [0, 1e30]
        single_scattering_albedo: Single-scattering albedo. (profile, layer) in [0, 1]
        asymmetry: Asymmetry of Henyey and Greenstein's phase function. (profile, layer) in (-1, 1)
        phase_moments: Legendre moments of the phase function, the first 1, in the place of an asymmetry: any number. Those that are not there are 0. (profile, layer, moment) in [-1, 1]
        planck_radiance: Planck radiance of each layer. (profile, layer) [any unit] in [0, inf)
        planck_radiance_level: Planck radiance of each level, in the place of the layers': linear in optical depth in between. (profile, level) [any unit] in [0, inf)
        surface_planck_radiance: Planck radiance of the surface; 0 in sunlight alone. (profile) [any unit] in [0, inf)
        surface_parameters: Parameters of how the surface reflects, in the order of the option `surface`. (profile, surface_parameter) in [-1000, 1000]
        cosmic_background: Radiance that enters from above, from everywhere. (profile) [any unit] in [0, inf)
        sun_cosine: Cosine of the zenith angle of each sun; no light at zero or less. (profile, sun) in [-1, 1]
        sun_irradiance: Irradiance of each sun at the top and normal to the beam, in the unit of the radiances times sr. (profile, sun) [any unit] in [0, inf)
        top_radiance: By the radiance upward at the top. (profile, sun, view, azimuth)
        surface_downward_radiance: By that downward at the surface. (profile, sun, view, azimuth)
        upward_radiance: By that upward at every level. (profile, level, sun, view, azimuth)
        downward_radiance: By that downward at every level. (profile, level, sun, view, azimuth)
        upward_flux: By the irradiance upward at every level. (profile, level, sun)
        downward_flux: By the diffuse irradiance downward at every level. (profile, level, sun)
        direct_flux: By the irradiance of the direct beam at every level. (profile, level, sun)
        actinic_flux: By the actinic flux at every level. (profile, level, sun)
        """
        ...

class ChemistryResults(Results):
    concentration: NDArray[floating[Any]]
    """Concentrations of all species. Those of a cell that failed are of the time that it reached. (cell, species) [any unit]"""
    first_step_s: NDArray[floating[Any]]
    """The first step of the next interval: the end of this one does not shorten it. (cell) [s]"""
    time_reached_s: NDArray[floating[Any]]
    """The time that was reached. (cell) [s]"""
    last_step_s: NDArray[floating[Any]]
    """The last accepted step. (cell) [s]"""
    next_step_s: NDArray[floating[Any]]
    """The step that would follow, as KPP has it. (cell) [s]"""
    wanted_concentration: NDArray[floating[Any]]
    """Concentrations of the variable species at the wanted times. (cell, time, variable species) [any unit]"""
    extent_of_reaction: NDArray[floating[Any]]
    """Extents of reactions: their rates, integrated over the interval by the method itself. (cell, counted reaction) [any unit]"""
    counters: NDArray[uint32]
    """What is counted: calls of the function and the Jacobian, steps, and so on. (cell, counter)"""
    kept: NDArray[uint32]
    """1 for each species that was solved for at the end, 0 for those that a reduction left out. (cell, reducible species)"""
    threshold: NDArray[floating[Any]]
    """The threshold of the reduction; 0 where the cell attempted no step. (cell, threshold) [any unit]"""
    status: NDArray[uint32]
    """What became of each cell: 0 if it was computed. (cell)"""

class Chemistry(_Model):
    """Chemical kinetics of a mechanism in KPP's language, by Rosenbrock methods."""
    def __new__(cls, mechanism: _Path, include: Sequence[_Path] = (), sun_from_time: bool = False, *, device: str = "cpu", precision: Literal["f32", "f64"] | None = None, threads: int = 0, bad_items: Literal["stop", "flag", "compute"] = "stop", items_axis: _Axis = "first", top_first: bool | None = None, method: str | Mapping[str, Any] = ..., absolute_tolerance: Any = ..., relative_tolerance: Any = ..., passive_tolerance: Any = ..., negative: str | Mapping[str, Any] = ..., negative_start: bool = ..., rates: str | Mapping[str, Any] = ..., autonomous: Any = ..., max_steps: int = ..., min_step_s: float = ..., max_step_s: Any = ..., first_step_s: float = ..., least_factor: float = ..., most_factor: float = ..., rejected_factor: float = ..., safety: float = ..., h211b: Any = ..., h211b_order: Any = ..., reduction: Any = ..., wanted_times_s: Any = ..., counted_reactions: Any = ..., start_s: float = ..., end_s: Any = ...) -> Chemistry: ...
    @property
    def species(self) -> list[str]: ...
    @property
    def rate_inputs(self) -> list[str]: ...
    def tangent(self, change_of_concentration: _Reals | None = None, change_of_rate_constant: _Reals | None = None, *, concentration: _Reals, rate_constant: _Reals | None = None, rate_input: _Reals | None = None, first_step_s: _Reals | None = None, items_axis: _Axis | None = None, **options: Any) -> Results: ...
    def adjoint(self, weights: _Reals | str | Sequence[str], *, concentration: _Reals, rate_constant: _Reals | None = None, rate_input: _Reals | None = None, first_step_s: _Reals | None = None, items_axis: _Axis | None = None, **options: Any) -> Results: ...
    def run(self, *, concentration: _Reals, rate_constant: _Reals | None = ..., rate_input: _Reals | None = ..., first_step_s: _Reals | None = ..., reduction_threshold: _Reals | None = ..., reduction_target: _Reals | None = ..., method: str | Mapping[str, Any] = ..., absolute_tolerance: Any = ..., relative_tolerance: Any = ..., passive_tolerance: Any = ..., negative: str | Mapping[str, Any] = ..., negative_start: bool = ..., rates: str | Mapping[str, Any] = ..., autonomous: Any = ..., max_steps: int = ..., min_step_s: float = ..., max_step_s: Any = ..., least_factor: float = ..., most_factor: float = ..., rejected_factor: float = ..., safety: float = ..., h211b: Any = ..., h211b_order: Any = ..., reduction: Any = ..., wanted_times_s: Any = ..., counted_reactions: Any = ..., start_s: float = ..., end_s: Any = ..., out: Mapping[str, NDArray[Any]] | None = None, stream: Any = None, items_axis: _Axis | None = None, top_first: bool | None = None) -> ChemistryResults:
        """Computes cells.

        concentration: Concentrations, the variable species first, in the unit that the rate constants go with, as molecule/cm^3; not below minus the absolute tolerance, unless `Options::negative_start` says so. (cell, species) [any unit]
        rate_constant: Rate constants; left out where the mechanism's rate program gives them. (cell, reaction) [any unit]
        rate_input: Inputs of the rate program, in the units of the mechanism; not read where rate constants are given. (cell, input) [any unit]
        first_step_s: The first step; that of the options where it is 0 or left out. (cell) [s] in [0, inf)
        reduction_threshold: The threshold of `Options::reduction`; that of the options where it is 0 or left out. (cell) [any unit] in [0, inf)
        reduction_target: Which of the targets of `Options::reduction` it has, counted from 0; the first where this is left out. (cell) in [0, inf)
        """
        ...

class InfraredResults(Results):
    radiance: NDArray[floating[Any]]
    """Radiance; NaN for a ray that cannot be traced. (ray, channel) [W m-2 sr-1 (cm-1)-1]"""
    transmittance: NDArray[floating[Any]]
    """Transmittance of the path; NaN for a ray that cannot be traced. (ray, channel)"""
    tangent_height_km: NDArray[floating[Any]]
    """Height of the tangent point. (ray) [km]"""
    tangent_longitude_deg: NDArray[floating[Any]]
    """Longitude of the tangent point. (ray) [degrees_east]"""
    tangent_latitude_deg: NDArray[floating[Any]]
    """Latitude of the tangent point. (ray) [degrees_north]"""
    points: NDArray[uint32]
    """Points of the path; 0 where the ray misses the atmosphere. (ray)"""
    cut_short: NDArray[uint32]
    """1 where some channel ended early. (ray)"""
    outside_points: NDArray[uint32]
    """Points of the path outside the tables of each gas. (ray, gas)"""
    outside_pressure_hpa: NDArray[floating[Any]]
    """Pressure at the first of them. (ray, gas) [hPa]"""
    outside_temperature_k: NDArray[floating[Any]]
    """Temperature there. (ray, gas) [K]"""
    status: NDArray[uint32]
    """What became of the ray: 0 if it was computed. (ray)"""

class Infrared(_Model):
    """Infrared radiances of pencil beams by emissivity growth, as JURASSIC computes them."""
    def __new__(cls, control: _Path, settings: Mapping[str, Any] | None = None, jurassic_exact: bool = False, *, device: str = "cpu", precision: Literal["f32", "f64"] | None = None, threads: int = 0, bad_items: Literal["stop", "flag", "compute"] = "stop", items_axis: _Axis = "first", top_first: bool | None = None, atmosphere: Any = ...) -> Infrared: ...
    def run(self, *, time_s: _Reals, observer_height_km: _Reals, observer_longitude_deg: _Reals, observer_latitude_deg: _Reals, view_point_height_km: _Reals, view_point_longitude_deg: _Reals, view_point_latitude_deg: _Reals, atmosphere: Any = ..., out: Mapping[str, NDArray[Any]] | None = None, stream: Any = None, items_axis: _Axis | None = None, top_first: bool | None = None) -> InfraredResults:
        """Computes rays.

        time_s: Time of the measurement, since 2000-01-01T00:00Z. (ray) [s]
        observer_height_km: Height of the observer. (ray) [km]
        observer_longitude_deg: Longitude of the observer. (ray) [degrees_east]
        observer_latitude_deg: Latitude of the observer. (ray) [degrees_north]
        view_point_height_km: Height of the view point. (ray) [km]
        view_point_longitude_deg: Longitude of the view point. (ray) [degrees_east]
        view_point_latitude_deg: Latitude of the view point. (ray) [degrees_north]
        """
        ...

class SurfaceLayerResults(Results):
    roughness_m: NDArray[floating[Any]]
    """Roughness length of momentum: over water that of the waves, elsewhere what came in. (column) [m]"""
    friction_velocity_m_per_s: NDArray[floating[Any]]
    """Friction velocity, the mean of the new one and that of the step before. (column) [m s-1]"""
    friction_velocity_of_wind_m_per_s: NDArray[floating[Any]]
    """The same of the mean wind without gusts. (column) [m s-1]"""
    stability: NDArray[floating[Any]]
    """Height of the middle of the lowest layer over Obukhov's length. (column)"""
    temperature_scale_k: NDArray[floating[Any]]
    """Scale of temperature. (column) [K]"""
    inverse_obukhov_length_per_m: NDArray[floating[Any]]
    """The inverse of Obukhov's length. (column) [m-1]"""
    sensible_heat_flux_w_per_m2: NDArray[floating[Any]]
    """Upward flux of sensible heat. (column) [W m-2]"""
    moisture_flux_kg_per_m2_s: NDArray[floating[Any]]
    """Upward flux of moisture. (column) [kg m-2 s-1]"""
    latent_heat_flux_w_per_m2: NDArray[floating[Any]]
    """Upward flux of latent heat. (column) [W m-2]"""
    surface_vapour_kg_per_kg: NDArray[floating[Any]]
    """Mixing ratio of water vapour at the surface. (column) [kg kg-1]"""
    saturation_kg_per_kg: NDArray[floating[Any]]
    """Mixing ratio of saturated air in the lowest layer. (column) [kg kg-1]"""
    logarithm: NDArray[floating[Any]]
    """`ln((z + z0) / z0)` of the middle of the lowest layer. (column)"""
    wind_speed_m_per_s: NDArray[floating[Any]]
    """Wind of the lowest layer with gusts, which the schemes of boundary layers divide by. (column) [m s-1]"""
    richardson: NDArray[floating[Any]]
    """Bulk Richardson number. (column)"""
    correction_momentum: NDArray[floating[Any]]
    """Stability correction of momentum. (column)"""
    correction_heat: NDArray[floating[Any]]
    """Stability correction of heat; over water that of moisture, which is another one with Garratt's roughness. (column)"""
    profile_momentum: NDArray[floating[Any]]
    """`ln((z + z0) / z0)` less the stability correction of momentum: what YSU calls psim. (column)"""
    profile_heat: NDArray[floating[Any]]
    """The same of heat, from its own roughness length: what YSU calls psih. (column)"""
    heat_capacity_j_per_kg_k: NDArray[floating[Any]]
    """Specific heat of moist air at constant pressure. (column) [J kg-1 K-1]"""
    exchange_m_per_s: NDArray[floating[Any]]
    """Exchange velocity of moisture, which land models take for heat, too: `k u* / psi_q`. (column) [m s-1]"""
    exchange_heat_2m_m_per_s: NDArray[floating[Any]]
    """Exchange velocity of heat at 2 m. (column) [m s-1]"""
    exchange_moisture_2m_m_per_s: NDArray[floating[Any]]
    """Exchange velocity of moisture at 2 m. (column) [m s-1]"""
    exchange_heat_w_per_m2_k: NDArray[floating[Any]]
    """Flux of heat a kelvin between surface and air. (column) [W m-2 K-1]"""
    exchange_moisture_kg_per_m2_s: NDArray[floating[Any]]
    """Flux of moisture a unit of mixing ratio between surface and air. (column) [kg m-2 s-1]"""
    u_10m_m_per_s: NDArray[floating[Any]]
    """Eastward wind at 10 m. (column) [m s-1]"""
    v_10m_m_per_s: NDArray[floating[Any]]
    """Northward wind at 10 m. (column) [m s-1]"""
    theta_2m_k: NDArray[floating[Any]]
    """Potential temperature at 2 m. (column) [K]"""
    temperature_2m_k: NDArray[floating[Any]]
    """Temperature at 2 m. (column) [K]"""
    vapour_2m_kg_per_kg: NDArray[floating[Any]]
    """Mixing ratio of water vapour at 2 m. (column) [kg kg-1]"""
    enthalpy_coefficient_10m: NDArray[floating[Any]]
    """Enthalpy exchange coefficient at 10 m. (column)"""
    enthalpy_coefficient: NDArray[floating[Any]]
    """Enthalpy exchange coefficient at the middle of the lowest layer. (column)"""
    drag_coefficient_10m: NDArray[floating[Any]]
    """Drag coefficient at 10 m. (column)"""
    drag_coefficient: NDArray[floating[Any]]
    """Drag coefficient at the middle of the lowest layer. (column)"""
    regime: NDArray[uint32]
    """1 for stable, 3 for neutral, 4 for unstable air. (column)"""
    status: NDArray[uint32]
    """What became of the column: 0 if it was computed. (column)"""

class SurfaceLayer(_Model):
    """The revised MM5 surface layer, as WRF and MPAS have it."""
    def __new__(cls, *, device: str = "cpu", precision: Literal["f32", "f64"] | None = None, threads: int = 0, bad_items: Literal["stop", "flag", "compute"] = "stop", items_axis: _Axis = "first", top_first: bool | None = None, fluxes: str | Mapping[str, Any] = ..., water_roughness: str | Mapping[str, Any] = ..., land_roughness: str | Mapping[str, Any] = ..., shallow_water: bool = ..., form_drag: bool = ..., form_drag_factor: float = ..., root: str | Mapping[str, Any] = ..., cp: float = ..., g: float = ..., rd: float = ..., rv: float = ..., karman: float = ..., xlv: float = ..., svp1: float = ..., svp2: float = ..., svp3: float = ..., svpt0: float = ..., p1000mb: float = ..., constants: Mapping[str, float] = ...) -> SurfaceLayer: ...
    def run(self, *, u_m_per_s: _Reals, v_m_per_s: _Reals, temperature_k: _Reals, vapour_kg_per_kg: _Reals, pressure_pa: _Reals, thickness_m: _Reals, surface_pressure_pa: _Reals, boundary_layer_height_m: _Reals, moisture_availability: _Reals, land_or_water: _Reals, surface_temperature_k: _Reals, grid_length_m: _Reals, lake: _Reals | None = ..., water_depth_m: _Reals | None = ..., orography_deviation_m: _Reals | None = ..., roughness_m: _Reals, friction_velocity_m_per_s: _Reals, friction_velocity_of_wind_m_per_s: _Reals | None = ..., temperature_scale_k: _Reals, sensible_heat_flux_w_per_m2: _Reals, moisture_flux_kg_per_m2_s: _Reals, surface_vapour_kg_per_kg: _Reals, fluxes: str | Mapping[str, Any] = ..., water_roughness: str | Mapping[str, Any] = ..., land_roughness: str | Mapping[str, Any] = ..., shallow_water: bool = ..., form_drag: bool = ..., form_drag_factor: float = ..., root: str | Mapping[str, Any] = ..., cp: float = ..., g: float = ..., rd: float = ..., rv: float = ..., karman: float = ..., xlv: float = ..., svp1: float = ..., svp2: float = ..., svp3: float = ..., svpt0: float = ..., p1000mb: float = ..., constants: Mapping[str, float] = ..., out: Mapping[str, NDArray[Any]] | None = None, stream: Any = None, items_axis: _Axis | None = None, top_first: bool | None = None) -> SurfaceLayerResults:
        """Computes columns.

        u_m_per_s: Eastward wind of the lowest layer. (column) [m s-1] in [-1000, 1000]
        v_m_per_s: Northward wind of the lowest layer. (column) [m s-1] in [-1000, 1000]
        temperature_k: Temperature of the lowest layer. (column) [K] in [100, 400]
        vapour_kg_per_kg: Mixing ratio of water vapour in the lowest layer. Advection leaves small negative ones. (column) [kg kg-1] in [-0.001, 1]
        pressure_pa: Pressure in the middle of the lowest layer, below that of the surface. (column) [Pa] in [100, 1e7]
        thickness_m: Thickness of the lowest layer. (column) [m] in [0.1, 10000]
        surface_pressure_pa: Pressure at the surface. (column) [Pa] in [100, 1e7]
        boundary_layer_height_m: Height of the boundary layer in the step before, 0 in the first one. (column) [m] in [0, 1e5]
        moisture_availability: The part of potential evaporation that there is water for: 1 over water. (column) in [0, 1]
        land_or_water: 1 for land and ice, 2 for water. (column) 1 or 2
        surface_temperature_k: Temperature of the surface. (column) [K] in [100, 400]
        grid_length_m: Length of the grid's cells. (column) [m] in (0, 1e7]
        lake: 1 for lakes, whose water has no salt, 0 elsewhere: so it is where it is left out. (column) 0 or 1
        water_depth_m: Depth of water: read only, and needed, with shallow water; over land it is any number. (column) [m] in [0, 20000]
        orography_deviation_m: Standard deviation of heights within the cell: read only, and needed, with form drag. (column) [m] in [0, 10000]
        roughness_m: Roughness length of momentum. (column) [m] in [1e-9, 100]
        friction_velocity_m_per_s: Friction velocity of the step before. (column) [m s-1] in [0, 100]
        friction_velocity_of_wind_m_per_s: Friction velocity of the mean wind without gusts, of the step before: that with gusts, where it is left out. (column) [m s-1] in [0, 100]
        temperature_scale_k: Scale of temperature of the step before, `k (theta - theta_s) / psi_h`: below 0 after unstable air. (column) [K] in [-10000, 10000]
        sensible_heat_flux_w_per_m2: Upward flux of sensible heat, of the step before. (column) [W m-2] in [-1e6, 1e6]
        moisture_flux_kg_per_m2_s: Upward flux of moisture, of the step before. (column) [kg m-2 s-1] in [-1, 1]
        surface_vapour_kg_per_kg: Mixing ratio of water vapour at the surface: over land as the land model has it, or 0 for that of saturated air. Not read over water. (column) [kg kg-1] in [-0.001, 1]
        """
        ...

class ShinHongResults(Results):
    u_tendency_m_per_s2: NDArray[floating[Any]]
    """Tendency of eastward wind. (column, layer) [m s-2]"""
    v_tendency_m_per_s2: NDArray[floating[Any]]
    """Tendency of northward wind. (column, layer) [m s-2]"""
    theta_tendency_k_per_s: NDArray[floating[Any]]
    """Tendency of potential temperature. (column, layer) [K s-1]"""
    vapour_tendency_kg_per_kg_s: NDArray[floating[Any]]
    """Tendency of the mixing ratio of water vapour. (column, layer) [kg kg-1 s-1]"""
    cloud_water_tendency_kg_per_kg_s: NDArray[floating[Any]]
    """Tendency of the mixing ratio of cloud water. (column, layer) [kg kg-1 s-1]"""
    cloud_ice_tendency_kg_per_kg_s: NDArray[floating[Any]]
    """Tendency of the mixing ratio of cloud ice. (column, layer) [kg kg-1 s-1]"""
    diffusivity_heat_m2_per_s: NDArray[floating[Any]]
    """Diffusivity of heat at the lower interface of the layer, 0 at the surface. (column, layer) [m2 s-1]"""
    diffusivity_momentum_m2_per_s: NDArray[floating[Any]]
    """Diffusivity of momentum at the lower interface of the layer, 0 at the surface. (column, layer) [m2 s-1]"""
    height_m: NDArray[floating[Any]]
    """Height of the boundary layer. (column) [m]"""
    convective_velocity_m_per_s: NDArray[floating[Any]]
    """Convective velocity scale. (column) [m s-1]"""
    entrainment_depth_m: NDArray[floating[Any]]
    """Depth of the entrainment zone, 0 where nothing is entrained. (column) [m]"""
    u_10m_m_per_s: NDArray[floating[Any]]
    """Eastward wind at 10 m, adjusted with the topographic option. (column) [m s-1]"""
    v_10m_m_per_s: NDArray[floating[Any]]
    """Northward wind at 10 m, adjusted with the topographic option. (column) [m s-1]"""
    stress_u_n_per_m2: NDArray[floating[Any]]
    """Column integral of the tendency of eastward momentum. (column) [N m-2]"""
    stress_v_n_per_m2: NDArray[floating[Any]]
    """Column integral of the tendency of northward momentum. (column) [N m-2]"""
    heat_w_per_m2: NDArray[floating[Any]]
    """Column integral of the tendency of potential temperature times heat capacity, as WRF has it: of potential enthalpy, not of enthalpy. (column) [W m-2]"""
    latent_heat_w_per_m2: NDArray[floating[Any]]
    """Column integral of the moistening, as latent heat. (column) [W m-2]"""
    tracers_tendency_per_s: NDArray[floating[Any]]
    """Tendencies of the tracers, per second. (column, layer, tracer) [any unit]"""
    turbulent_energy_m2_per_s2: NDArray[floating[Any]]
    """Turbulent kinetic energy at the lower interface of the layer after the step: of Shin-Hong, as the next. (column, layer) [m2 s-2]"""
    mixing_length_m: NDArray[floating[Any]]
    """Mixing length of turbulent energy there, 0 at the surface. (column, layer) [m]"""
    level: NDArray[uint32]
    """Layer in which the boundary layer ends, counted from 1 at the surface. (column)"""
    status: NDArray[uint32]
    """What became of the column: 0 if it was computed. (column)"""

class ShinHong(_Model):
    """The Shin-Hong boundary-layer scheme: YSU for grids that resolve a part of convection."""
    def __new__(cls, *, device: str = "cpu", precision: Literal["f32", "f64"] | None = None, threads: int = 0, bad_items: Literal["stop", "flag", "compute"] = "stop", items_axis: _Axis = "first", top_first: bool | None = None, time_step_s: Any = ..., nonlocal_flux: bool = ..., cloud_mixing: bool = ..., dissipative_heating: bool = ..., topographic: bool = ..., heat_capacity_j_per_kg_k: float = ..., gravity_m_per_s2: float = ..., gas_constant_j_per_kg_k: float = ..., vapour_gas_constant_j_per_kg_k: float = ..., karman: float = ..., latent_heat_j_per_kg: float = ..., constants: str | Mapping[str, float] = ...) -> ShinHong: ...
    def run(self, *, u_m_per_s: _Reals, v_m_per_s: _Reals, temperature_k: _Reals, vapour_kg_per_kg: _Reals, cloud_water_kg_per_kg: _Reals, cloud_ice_kg_per_kg: _Reals, pressure_pa: _Reals, exner: _Reals, thickness_m: _Reals, radiative_heating_k_per_s: _Reals | None = ..., interface_pressure_pa: _Reals, surface_pressure_pa: _Reals, roughness_m: _Reals, friction_velocity_m_per_s: _Reals, profile_momentum: _Reals, profile_heat: _Reals, land_or_water: _Reals, sensible_heat_flux_w_per_m2: _Reals, moisture_flux_kg_per_m2_s: _Reals, wind_speed_m_per_s: _Reals, richardson: _Reals, u_10m_m_per_s: _Reals, v_10m_m_per_s: _Reals, u_current_m_per_s: _Reals, v_current_m_per_s: _Reals, drag_factor: _Reals | None = ..., wind_weight: _Reals | None = ..., urban_u_rate_per_s: _Reals | None = ..., urban_v_rate_per_s: _Reals | None = ..., urban_theta_rate_per_s: _Reals | None = ..., urban_vapour_rate_per_s: _Reals | None = ..., urban_u_source_m_per_s2: _Reals | None = ..., urban_v_source_m_per_s2: _Reals | None = ..., urban_theta_source_k_per_s: _Reals | None = ..., urban_vapour_source_per_s: _Reals | None = ..., urban_open_faces: _Reals | None = ..., urban_open_volume: _Reals | None = ..., urban_share: _Reals | None = ..., turbulent_energy_m2_per_s2: _Reals | None = ..., grid_distance_m: _Reals | None = ..., coriolis_per_s: _Reals | None = ..., tracers: _Reals | None = ..., time_step_s: Any = ..., nonlocal_flux: bool = ..., cloud_mixing: bool = ..., dissipative_heating: bool = ..., topographic: bool = ..., heat_capacity_j_per_kg_k: float = ..., gravity_m_per_s2: float = ..., gas_constant_j_per_kg_k: float = ..., vapour_gas_constant_j_per_kg_k: float = ..., karman: float = ..., latent_heat_j_per_kg: float = ..., constants: str | Mapping[str, float] = ..., out: Mapping[str, NDArray[Any]] | None = None, stream: Any = None, items_axis: _Axis | None = None, top_first: bool | None = None) -> ShinHongResults:
        """Computes columns.

        u_m_per_s: Eastward wind. (column, layer) [m s-1] in [-1000, 1000]
        v_m_per_s: Northward wind. (column, layer) [m s-1] in [-1000, 1000]
        temperature_k: Temperature. (column, layer) [K] in [100, 400]
        vapour_kg_per_kg: Mixing ratio of water vapour. Advection leaves small negative ones. (column, layer) [kg kg-1] in [-0.001, 1]
        cloud_water_kg_per_kg: Mixing ratio of cloud water. (column, layer) [kg kg-1] in [-0.001, 1]
        cloud_ice_kg_per_kg: Mixing ratio of cloud ice. (column, layer) [kg kg-1] in [-0.001, 1]
        pressure_pa: Pressure in the middle of the layer, falling with height. Wider than any atmosphere; quotients of what is in range stay plain numbers. (column, layer) [Pa] in [1e-6, 1e7]
        exner: Exner function there, `(p / 1e5 Pa)^(Rd/cp)`. (column, layer) in [1e-4, 2]
        thickness_m: Thickness of the layer. (column, layer) [m] in [0.001, 1e5]
        radiative_heating_k_per_s: Radiative tendency of potential temperature: read only, and needed, with top-down mixing. (column, layer) [K s-1]
        interface_pressure_pa: Pressure of the interfaces, falling with height. (column, level) [Pa] 0 or in [1e-6, 1e7]
        surface_pressure_pa: Pressure at the surface. (column) [Pa] in [1e-6, 1e7]
        roughness_m: Roughness length. (column) [m] in [0, inf)
        friction_velocity_m_per_s: Friction velocity. (column) [m s-1] in (0, 100]
        profile_momentum: `ln(z/z0)` less the stability correction of momentum. (column)
        profile_heat: `ln(z/z0)` less the stability correction of heat. (column) in (0, inf)
        land_or_water: 1 for land, 2 for water. (column) 1 or 2
        sensible_heat_flux_w_per_m2: Upward flux of sensible heat. (column) [W m-2]
        moisture_flux_kg_per_m2_s: Upward flux of moisture. (column) [kg m-2 s-1]
        wind_speed_m_per_s: Wind of the lowest layer with its convective enhancement. (column) [m s-1] in (0, inf)
        richardson: Bulk Richardson number of the surface layer. (column)
        u_10m_m_per_s: Eastward wind at 10 m. (column) [m s-1] in [-1000, 1000]
        v_10m_m_per_s: Northward wind at 10 m. (column) [m s-1] in [-1000, 1000]
        u_current_m_per_s: Eastward surface current. (column) [m s-1] in [-1000, 1000]
        v_current_m_per_s: Northward surface current. (column) [m s-1] in [-1000, 1000]
        drag_factor: Factor of the drag over unresolved orography: read only, and needed, with the topographic option. (column) in [0, inf)
        wind_weight: Weight of the 10 m wind against that of the lowest layer: read only, and needed, with the topographic option. (column)
        urban_u_rate_per_s: What the buildings of a town take of eastward wind, as rate of change: this and what follows with its name are read only, and needed, with the option urban. (column, layer) [s-1] in [-100, 0]
        urban_v_rate_per_s: Likewise of northward wind. (column, layer) [s-1] in [-100, 0]
        urban_theta_rate_per_s: Likewise of potential temperature less 300 K. (column, layer) [s-1] in [-100, 0]
        urban_vapour_rate_per_s: Likewise of water vapour. (column, layer) [s-1] in [-100, 0]
        urban_u_source_m_per_s2: What they add to eastward wind. (column, layer) [m s-2]
        urban_v_source_m_per_s2: What they add to northward wind. (column, layer) [m s-2]
        urban_theta_source_k_per_s: What they add to potential temperature. (column, layer) [K s-1]
        urban_vapour_source_per_s: What they add to water vapour. (column, layer) [s-1]
        urban_open_faces: Share of the layer's upper face that is not in a building. (column, layer) in (0, 1]
        urban_open_volume: Share of the layer's volume that is not in a building. (column, layer) in (0, 1]
        urban_share: Share of the ground that is town, on which the drag over orography does not act; with the topographic option only. (column) in [0, 1]
        turbulent_energy_m2_per_s2: Turbulent kinetic energy at the lower interface of the layer: read only, and needed, by Shin-Hong, as the next two. (column, layer) [m2 s-2] in [0, 10000]
        grid_distance_m: Distance of the grid's points. (column) [m] in [1, 1e7]
        coriolis_per_s: Coriolis parameter; below zero it counts as zero. (column) [s-1] in [-0.01, 0.01]
        tracers: Mixing ratios of further tracers, which do not come through the surface. (column, layer, tracer) [any unit]
        """
        ...
