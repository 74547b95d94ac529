//! The numbers of the scheme, SI units: physical constants, coefficients, limits and guards.
//!
//! Each has the value of WRF 4.6 (`phys/physics_mmm/bl_ysu.F90`), whose name stands beside it in `code` letters, unless
//! its comment says that it is of this crate. Guards of this crate keep intermediate numbers where quotients and powers
//! without special cases are exact; they change no result within the accepted ranges of inputs.

/// Specific heat of dry air at constant pressure \[J/(kg K)\].
pub const HEAT_CAPACITY: f64 = 1004.5;
/// Gas constant of dry air \[J/(kg K)\].
pub const GAS_CONSTANT: f64 = 287.0;
/// Gas constant of water vapour \[J/(kg K)\].
pub const VAPOUR_GAS_CONSTANT: f64 = 461.6;
/// Pressure to which potential temperature belongs \[Pa\].
pub const REFERENCE_PRESSURE: f64 = 1e5;
/// Acceleration of gravity \[m/s^2\].
pub const GRAVITY: f64 = 9.81;
/// Latent heat of vaporisation \[J/kg\].
pub const LATENT_HEAT: f64 = 2.5e6;
/// Latent heat of sublimation \[J/kg\].
pub const SUBLIMATION_HEAT: f64 = 2.834e6;
/// Von Karman's constant.
pub const KARMAN: f64 = 0.4;
/// `Rv / Rd - 1`: what vapour adds to the virtual temperature.
pub const VIRTUAL: f64 = VAPOUR_GAS_CONSTANT / GAS_CONSTANT - 1.0;
/// `Rd / Rv`.
pub const GAS_RATIO: f64 = GAS_CONSTANT / VAPOUR_GAS_CONSTANT;

// The surface.

/// The land mask is 1 over land and 2 over water: below this number it is land (`xland-1.5`).
pub(crate) const BETWEEN_LAND_AND_WATER: f64 = 1.5;
/// Added to the wind of the lowest layer, which drag divides by \[m/s\].
pub(crate) const LEAST_DRAG_WIND: f64 = 1e-9;
/// The largest magnitude of `z / L` (`rimin`).
pub(crate) const LARGEST_STABILITY: f64 = 100.0;
/// The least magnitude of `z / L` (`zfmin`).
pub(crate) const LEAST_STABILITY: f64 = 1e-8;
/// The stability functions are `(1 - 16 z/L)^(-1/4)` and `(1 - 16 z/L)^(-1/2)` of unstable air (`aphi16`; Dyer 1974)
/// ...
pub(crate) const UNSTABLE_SLOPE: f64 = 16.0;
/// ... and `1 + 5 z/L` of stable air (`aphi5`).
pub(crate) const STABLE_SLOPE: f64 = 5.0;

// The boundary layer's height.

/// The least square of the wind in a bulk Richardson number \[m^2/s^2\].
pub(crate) const LEAST_SQUARED_WIND: f64 = 1.0;
/// Critical bulk Richardson number of stable air over land (`brcr_sb`).
pub(crate) const CRITICAL_OVER_LAND: f64 = 0.25;
/// Over water it is `0.16 (1e-7 Ro)^(-0.18)` of the surface's Rossby number (Vickers and Mahrt 2004) ...
pub(crate) const CRITICAL_OVER_WATER: f64 = 0.16;
/// ... with this factor ...
pub(crate) const ROSSBY_SCALE: f64 = 1e-7;
/// ... and this exponent ...
pub(crate) const ROSSBY_EXPONENT: f64 = -0.18;
/// ... and at most this.
pub(crate) const LARGEST_CRITICAL_OVER_WATER: f64 = 0.3;
/// Coriolis parameter of the Rossby number \[1/s\] (`cori`).
pub(crate) const CORIOLIS: f64 = 1e-4;
/// Guard of this crate for the power of a scaled Rossby number: below 0.03 the critical number is at its limit.
pub(crate) const LEAST_SCALED_ROSSBY: f64 = 1e-3;

// Velocity scales and counter-gradient terms.

/// The part of the boundary layer that is surface layer, `z / h` (`sfcfrac`).
pub(crate) const SURFACE_LAYER: f64 = 0.1;
/// Factor of the convective velocity in the velocity scale of a level (`phifac`).
pub(crate) const CONVECTIVE_FACTOR: f64 = 8.0;
/// The exponents by which velocities follow from their cubes (`h1`; thirds as WRF writes them) ...
pub(crate) const THIRD: f64 = 0.33333335;
/// ... and squares of them (`h2`).
pub(crate) const TWO_THIRDS: f64 = 0.6666667;
/// The largest velocity scale over the friction velocity (`aphi16`) ...
pub(crate) const LARGEST_VELOCITY_RATIO: f64 = 16.0;
/// ... and the least (`1/aphi5`).
pub(crate) const LEAST_VELOCITY_RATIO: f64 = 0.2;
/// Proportionality of the counter-gradient term of scalars (`afac`, `bfac`; Hong and Pan 1996).
pub(crate) const COUNTER_GRADIENT: f64 = 6.8;
/// Proportionality of the counter-gradient term of momentum (Brown and Grant 1997).
pub(crate) const COUNTER_GRADIENT_MOMENTUM: f64 = 15.9;
/// The largest excess of temperature of thermals \[K\] (`gamcrt`).
pub(crate) const LARGEST_HEAT_EXCESS: f64 = 3.0;
/// The largest excess of moisture of thermals \[kg/kg\] (`gamcrq`).
pub(crate) const LARGEST_MOISTURE_EXCESS: f64 = 2e-3;

// Entrainment.

/// The flux of buoyancy at the top over that at the surface (Hong, Noh and Dudhia 2006).
pub(crate) const ENTRAINMENT_RATIO: f64 = 0.15;
/// What the friction velocity adds to entrainment: `w*^3 + 5 u*^3` (the same).
pub(crate) const SHEAR_ENTRAINMENT: f64 = 5.0;
/// The least jump of potential temperature at the top \[K\], and of wind \[m/s\] (`tmin`).
pub(crate) const LEAST_JUMP: f64 = 0.01;
/// Depth of the entrainment zone: its part of the height (`d1`) ...
pub(crate) const ZONE_OF_HEIGHT: f64 = 0.02;
/// ... the factor of the inverse Richardson number of entrainment (`d2`) ...
pub(crate) const ZONE_OF_RICHARDSON: f64 = 0.05;
/// ... whose jump of potential temperature is this times the height \[K/m\] (`d3`) ...
pub(crate) const ZONE_LAPSE: f64 = 0.001;
/// ... and at most this \[m\].
pub(crate) const LARGEST_ZONE_DEPTH: f64 = 100.0;
/// `((z - h) / delta)^2` below which a level belongs to the entrainment zone.
pub(crate) const ENTRAINMENT_ZONE: f64 = 4.6;
/// Guard of this crate for the root of a product of diffusivities \[m^4/s^2\]: far below the least one's square.
pub(crate) const LEAST_SQUARED_DIFFUSIVITY: f64 = 1e-20;

// The mixed layer.

/// The least Prandtl number (`prmin`).
pub(crate) const LEAST_PRANDTL: f64 = 0.25;
/// The largest Prandtl number (`prmax`).
pub(crate) const LARGEST_PRANDTL: f64 = 4.0;
/// Factor of the convective velocity in the reduction of heat's Prandtl number: `1 + 4 k w*^3/u*^3`.
pub(crate) const PRANDTL_CONVECTIVE: f64 = 4.0;
/// The Prandtl number decays with height as `exp(-3 (z/h - 0.1)^2)`.
pub(crate) const PRANDTL_DECAY: f64 = 3.0;
/// The least distance of the top from the middle of the lowest layer \[m\]. A guard of this crate: where the distance
/// is less, no interface is below the top.
pub(crate) const LEAST_DEPTH: f64 = 1e-4;
/// The least fraction of the mixed layer above a level (`zfmin`).
pub(crate) const LEAST_FRACTION_ABOVE: f64 = 1e-8;
/// The least velocity scale on a stable surface \[m/s\].
pub(crate) const LEAST_VELOCITY_SCALE: f64 = 0.001;

// Free air, and all diffusivities.

/// The largest diffusivity \[m^2/s\] (`xkzmax`).
pub(crate) const LARGEST_DIFFUSIVITY: f64 = 1000.0;
/// Background diffusivity of momentum \[m^2/s\] (`xkzminm`), in WRF 4.
pub(crate) const BACKGROUND_MOMENTUM: f64 = 0.1;
/// Background diffusivity of heat and moisture \[m^2/s\] (`xkzminh`), in WRF 4.
pub(crate) const BACKGROUND_HEAT: f64 = 0.01;
/// The least diffusivity over the layers' distance \[m/s\], in WRF 3.6.1 (`ckz`).
pub(crate) const LEAST_PER_DISTANCE: f64 = 0.001;
/// Added to the squared shear \[1/s^2\].
pub(crate) const LEAST_SQUARED_SHEAR: f64 = 1e-9;
/// Cloud water and ice above which air is cloudy \[kg/kg\].
pub(crate) const CLOUDY: f64 = 1e-5;
/// Asymptotic mixing length: its part of the layers' distance ...
pub(crate) const LENGTH_OF_DISTANCE: f64 = 0.1;
/// ... its least \[m\] (`rlam`) ...
pub(crate) const LEAST_LENGTH: f64 = 30.0;
/// ... and its largest \[m\].
pub(crate) const LARGEST_LENGTH: f64 = 300.0;
/// The least Richardson number of unstable air, its sign changed (`rimin`).
pub(crate) const LARGEST_BUOYANCY: f64 = 100.0;
/// Diffusivities of unstable air are `1 - 8 Ri / (1 + b sqrt(-Ri))` (Louis 1979) ...
pub(crate) const UNSTABLE_RISE: f64 = 8.0;
/// ... with this `b` for momentum ...
pub(crate) const UNSTABLE_MOMENTUM: f64 = 1.746;
/// ... and this one for heat.
pub(crate) const UNSTABLE_HEAT: f64 = 1.286;
/// Diffusivity of stable air: `(1 + 5 Ri)^(-2)`.
pub(crate) const STABLE_DAMPING: f64 = 5.0;
/// Prandtl number of stable air: `1 + 2.1 Ri`.
pub(crate) const STABLE_PRANDTL: f64 = 2.1;
/// Guard of this crate for the root of a Richardson number: 1e-15 is lost beside the 1 to which it is added.
pub(crate) const LEAST_BUOYANCY: f64 = 1e-30;
/// Guard of this crate for a divisor that is 1 and more, but for vapour far below zero.
pub(crate) const LEAST_MOIST_WEIGHT: f64 = 1e-3;

// Mixing from cloud tops downward (`ysu_topdown_pblmix`; Wilson and Fovell 2018).

/// The least jump of potential temperature at a cloud's top \[K\].
pub(crate) const LEAST_CLOUD_JUMP: f64 = 0.1;
/// Efficiency of entrainment by a cloud's top, without evaporation ...
pub(crate) const CLOUD_EFFICIENCY: f64 = 0.2;
/// ... and its factor for evaporation.
pub(crate) const EVAPORATION_FACTOR: f64 = 8.0;
/// The largest efficiency where it is limited (`scu_ent_max`; MMM-physics, pull request 19).
pub(crate) const LARGEST_EFFICIENCY: f64 = 0.4;
/// Saturation pressure by Bolton (1980, Eq. 10): `611.2 Pa exp(17.67 (T - 273.15) / (T - 29.65))`, the factor
/// \[Pa\] ...
pub(crate) const SATURATION_PRESSURE: f64 = 611.2;
/// ... the slope ...
pub(crate) const SATURATION_SLOPE: f64 = 17.67;
/// ... its pole \[K\] ...
pub(crate) const SATURATION_POLE: f64 = 29.65;
/// ... and the freezing point \[K\] ...
pub(crate) const FREEZING_POINT: f64 = 273.15;
/// ... which the first guess has as this \[K\].
pub(crate) const FREEZING_POINT_OF_GUESS: f64 = 273.16;

// Urban canopies.

/// What potential temperatures are less where they are multiplied by urban rates of loss \[K\].
pub(crate) const URBAN_THETA: f64 = 300.0;

// Drag over unresolved orography (Jimenez and Dudhia 2012, Lorente-Plazas et al. 2016).

/// The exponent of a velocity's cube there.
pub(crate) const OROGRAPHIC_THIRD: f64 = 0.33;
/// The share of smooth drag a unit of convective velocity \[s/m\] ...
pub(crate) const SHARE_OF_VELOCITY: f64 = 0.9;
/// ... and of height above the lowest, over the scale.
pub(crate) const SHARE_OF_HEIGHT: f64 = 1.5;
/// The height above which mixing makes drag smooth \[m\] ...
pub(crate) const SMOOTH_HEIGHT: f64 = 500.0;
/// ... and the scale of that \[m\].
pub(crate) const SMOOTH_SCALE: f64 = 1000.0;
/// Asymptotic mixing length below the top \[m\].
pub(crate) const OROGRAPHIC_LENGTH: f64 = 150.0;
/// Turbulent energy, twice, is `(16.6 l (S - B))^0.66`: the factor ...
pub(crate) const ENERGY_FACTOR: f64 = 16.6;
/// ... and the exponent.
pub(crate) const ENERGY_EXPONENT: f64 = 0.66;
/// Extremes are looked for up to this height \[m\].
pub(crate) const EXTREMES_BELOW: f64 = 500.0;
/// A virtual potential temperature above all \[K\].
pub(crate) const BEYOND_TEMPERATURES: f64 = 9e9;
/// The energy at the height of mixing: its largest over this ...
pub(crate) const ENERGY_DECAY: f64 = 40.0;
/// ... at least this \[m^2/s^2\] ...
pub(crate) const LEAST_ENERGY: f64 = 0.025;
/// ... and at most this.
pub(crate) const LARGEST_ENERGY: f64 = 0.25;
/// How much warmer than the coldest air that at the height of mixing is, over land \[K\] ...
pub(crate) const WARMER_OVER_LAND: f64 = 1.5;
/// ... and over water.
pub(crate) const WARMER_OVER_WATER: f64 = 0.75;
/// The least difference between two layers that is divided by, of energy \[m^2/s^2\] and temperature \[K\].
pub(crate) const LEAST_DIFFERENCE: f64 = 1e-6;
/// The height at which both heights of mixing have the same weight \[m\] ...
pub(crate) const EVEN_HEIGHT: f64 = 200.0;
/// ... and the scale over which that changes \[m\].
pub(crate) const EVEN_SCALE: f64 = 400.0;

// Arithmetic of this crate.

/// A precision whose epsilon is above this is single.
pub(crate) const SINGLE_EPSILON: f64 = 1e-9;
