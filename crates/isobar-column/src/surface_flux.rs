//! The surface layer of each column, and the fluxes through it.
//!
//! A bulk formula: the Richardson number between ground and lowest layer gives the stability
//! ([`isobar_ysu::similarity`]), and that the friction velocity and the fluxes of heat and moisture,
//!
//! `H = Pi F`, `F = rho cp k u* (theta_s - theta_a) / psih`, `E = rho k u* beta (q_sat(T_s) - q_a) / psih`,
//!
//! with the Exner function `Pi` at the surface and the availability `beta` of moisture (1 over water), as in WRF's
//! similarity schemes of the surface layer (Zhang and Anthes 1982,
//! doi:10.1175/1520-0450(1982)021<1594:AHRMOT>2.0.CO;2), which have one roughness length for momentum and scalars. The
//! wind has the gusts `w* = (B h)^(1/3)` of free convection (Beljaars 1995, doi:10.1002/qj.49712152203), with the
//! buoyancy flux B of the step before and the height h of the boundary layer.
//!
//! `F` is the flux of potential enthalpy, which the boundary-layer scheme takes: where potential temperature is mixed,
//! a layer at the surface warms by `H` if it gets `F`. WRF's `HFX` is `F`, at whatever pressure.
//!
//! Where the fluxes of heat and moisture are given, stability follows from them and the wind, and the friction velocity
//! from that; there is no exchange coefficient then.

use isobar_core::kernel::WARP;
use isobar_core::{Column, Field, FieldMut, Kernel, Lanes, Real, Status, Team};

use crate::constants::{GAS_CONSTANT, GRAVITY, HEAT_CAPACITY, KARMAN, REFERENCE_PRESSURE, VIRTUAL};
use crate::humidity::saturation_mixing_ratio;
use isobar_ysu::similarity::{SurfaceLayer, buoyancy_flux, zetas_of_richardson};

/// The least wind speed \[m/s\].
pub const LEAST_WIND: f64 = 0.1;

/// Fluxes that are given, the same for all columns.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Given<R> {
    /// 0: none are; 1: heat \[W/m^2\] and moisture \[kg/(m^2 s)\]; 2: kinematic ones, of potential temperature
    /// \[K m/s\] and of the mixing ratio \[m/s\].
    pub kind: u32,
    /// Of heat, upward; a kinematic one is `F / (rho cp)`.
    pub heat: R,
    /// Of moisture, upward.
    pub moisture: R,
}

impl<R: Real> Given<R> {
    /// None: they are computed.
    pub const NONE: Self = Self { kind: 0, heat: R::ZERO, moisture: R::ZERO };
}

/// The surface layer of columns: an item is 32 neighbouring ones, whose stability is found together.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SurfaceFlux<'a, R> {
    /// Fluxes that are given.
    pub given: Given<R>,
    /// Eastward wind of `(layer, column)` \[m/s\]; of this and the next four fields the lowest layer is read.
    pub u_m_per_s: Field<'a, R>,
    /// Northward wind \[m/s\].
    pub v_m_per_s: Field<'a, R>,
    /// Potential temperature \[K\].
    pub theta_k: Field<'a, R>,
    /// Mixing ratio of water vapour \[kg/kg\].
    pub vapour_kg_per_kg: Field<'a, R>,
    /// Thickness of the layers \[m\].
    pub thickness_m: Field<'a, R>,
    /// Pressure of `(level, column)` \[Pa\]; the surface's is read.
    pub interface_pressure_pa: Field<'a, R>,
    /// Temperature of the ground \[K\].
    pub surface_temperature_k: Column<'a, R>,
    /// Roughness length of momentum \[m\], positive.
    pub roughness_m: Column<'a, R>,
    /// Roughness length of heat and moisture \[m\], positive.
    pub roughness_heat_m: Column<'a, R>,
    /// Availability of moisture, 0 to 1.
    pub moisture_availability: Column<'a, R>,
    /// Height of the boundary layer \[m\].
    pub boundary_layer_height_m: Column<'a, R>,
    /// Friction velocity \[m/s\]; this and the rest have one level.
    pub friction_velocity_m_per_s: FieldMut<'a, R>,
    /// `psim`.
    pub profile_momentum: FieldMut<'a, R>,
    /// `psih`.
    pub profile_heat: FieldMut<'a, R>,
    /// Wind speed with gusts \[m/s\].
    pub wind_speed_m_per_s: FieldMut<'a, R>,
    /// Bulk Richardson number.
    pub richardson: FieldMut<'a, R>,
    /// `F` a kelvin of potential temperature, `cp rho k u* / psih` \[W/(m^2 K)\]; 0 where fluxes are given.
    pub exchange_heat_w_per_m2_k: FieldMut<'a, R>,
    /// Flux of moisture a unit of mixing ratio, `rho k u* beta / psih` \[kg/(m^2 s)\]; likewise.
    pub exchange_moisture_kg_per_m2_s: FieldMut<'a, R>,
    /// Eastward wind at 10 m \[m/s\].
    pub u_10m_m_per_s: FieldMut<'a, R>,
    /// Northward wind at 10 m \[m/s\].
    pub v_10m_m_per_s: FieldMut<'a, R>,
    /// Upward flux of sensible heat, `H` \[W/m^2\].
    pub sensible_heat_flux_w_per_m2: FieldMut<'a, R>,
    /// Upward flux of potential enthalpy, `F` \[W/m^2\]; that of the step before is read.
    pub potential_heat_flux_w_per_m2: FieldMut<'a, R>,
    /// Upward flux of moisture \[kg/(m^2 s)\]; likewise.
    pub moisture_flux_kg_per_m2_s: FieldMut<'a, R>,
}

// SAFETY: an item writes its own columns and reads what it wrote and the inputs.
unsafe impl<R: Real> Kernel for SurfaceFlux<'_, R> {
    const NAME: &'static str = "column_surface_flux";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.surface_temperature_k.len().div_ceil(WARP)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let (first, last) = (index * WARP + lanes.first(), self.surface_temperature_k.len() - 1);
        // A lane beyond the last column computes that again and writes nothing.
        let columns: [usize; W] = core::array::from_fn(|lane| (first + lane).min(last));
        let bulk = columns.map(|column| self.bulk(column));
        let zetas = if self.given.kind == 0 {
            zetas_of_richardson(bulk.map(|bulk| bulk.layer), bulk.map(|bulk| bulk.richardson))
        } else {
            bulk.map(|bulk| bulk.layer.zeta_of_wind(bulk.wind_speed, bulk.buoyancy))
        };
        let mut status = Status::OK;
        for lane in 0..W {
            if first + lane <= last {
                status = status.or(self.write(columns[lane], &bulk[lane], zetas[lane]));
            }
        }
        status
    }
}

/// What stability follows from.
#[derive(Clone, Copy)]
struct Bulk<R> {
    layer: SurfaceLayer<R>,
    wind_speed: R,
    richardson: R,
    density: R,
    /// Exner function at the surface.
    exner: R,
    /// Of the fluxes that are given, or of those of the step before \[m^2/s^3\].
    buoyancy: R,
    /// Potential temperature of the ground less that of the air \[K\].
    warmth: R,
    /// Mixing ratio at the ground less that of the air \[kg/kg\].
    deficit: R,
}

impl<R: Real> SurfaceFlux<'_, R> {
    #[inline(always)]
    fn bulk(&self, column: usize) -> Bulk<R> {
        let (one, swelling) = (R::ONE, R::from_f64(VIRTUAL));
        let (u, v) = (self.u_m_per_s.at(0, column), self.v_m_per_s.at(0, column));
        let (theta, vapour) = (self.theta_k.at(0, column), self.vapour_kg_per_kg.at(0, column));
        let pressure = self.interface_pressure_pa.at(0, column);
        let ground = self.surface_temperature_k.at(column);
        let layer = SurfaceLayer {
            height_m: R::from_f64(0.5) * self.thickness_m.at(0, column),
            roughness_m: self.roughness_m.at(column),
            roughness_heat_m: self.roughness_heat_m.at(column),
        };
        let exner = (pressure / R::from_f64(REFERENCE_PRESSURE)).powf(R::from_f64(GAS_CONSTANT / HEAT_CAPACITY));
        let ground_theta = ground / exner;
        let deficit = self.moisture_availability.at(column) * (saturation_mixing_ratio(ground, pressure) - vapour);
        let air_virtual = theta * (one + swelling * vapour);
        let ground_virtual = ground_theta * (one + swelling * (vapour + deficit));
        let density = pressure / (R::from_f64(GAS_CONSTANT) * exner * air_virtual);

        let (heat, moisture) = if self.given.kind == 0 {
            (self.potential_heat_flux_w_per_m2.at(0, column), self.moisture_flux_kg_per_m2_s.at(0, column))
        } else {
            self.given_fluxes(density, exner)
        };
        let buoyancy = buoyancy_flux(heat, moisture, density, theta, air_virtual);
        let gusts = (buoyancy.max(R::ZERO) * self.boundary_layer_height_m.at(column)).cbrt();
        let wind_speed = (u * u + v * v + gusts * gusts).sqrt().max(R::from_f64(LEAST_WIND));
        let difference = air_virtual - ground_virtual;
        let richardson = R::from_f64(GRAVITY) * layer.height_m * difference / (air_virtual * (wind_speed * wind_speed));
        Bulk { layer, wind_speed, richardson, density, exner, buoyancy, warmth: ground_theta - theta, deficit }
    }

    /// Potential enthalpy \[W/m^2\] and moisture \[kg/(m^2 s)\].
    #[inline(always)]
    fn given_fluxes(&self, density: R, exner: R) -> (R, R) {
        let Given { kind, heat, moisture } = self.given;
        if kind == 1 {
            (heat / exner, moisture)
        } else {
            (density * R::from_f64(HEAT_CAPACITY) * heat, density * moisture)
        }
    }

    #[inline(always)]
    fn write(&self, column: usize, bulk: &Bulk<R>, zeta: R) -> Status {
        let Bulk { layer, wind_speed, density, exner, warmth, deficit, .. } = *bulk;
        let (momentum, heat) = (layer.momentum(zeta), layer.heat(zeta));
        let friction = layer.friction(wind_speed, zeta);
        let ten_metres = layer.ten_metres(zeta);
        let (exchange, potential, moisture) = if self.given.kind == 0 {
            let exchange = density * R::from_f64(KARMAN) * friction / heat;
            (exchange, R::from_f64(HEAT_CAPACITY) * exchange * warmth, exchange * deficit)
        } else {
            let (potential, moisture) = self.given_fluxes(density, exner);
            (R::ZERO, potential, moisture)
        };

        self.friction_velocity_m_per_s.set(0, column, friction);
        self.profile_momentum.set(0, column, momentum);
        self.profile_heat.set(0, column, heat);
        self.wind_speed_m_per_s.set(0, column, wind_speed);
        // That of zeta, so that the scheme finds it again where it was limited.
        self.richardson.set(0, column, zeta * heat / (momentum * momentum));
        self.exchange_heat_w_per_m2_k.set(0, column, R::from_f64(HEAT_CAPACITY) * exchange);
        let availability = self.moisture_availability.at(column);
        self.exchange_moisture_kg_per_m2_s.set(0, column, exchange * availability);
        self.u_10m_m_per_s.set(0, column, self.u_m_per_s.at(0, column) * ten_metres);
        self.v_10m_m_per_s.set(0, column, self.v_m_per_s.at(0, column) * ten_metres);
        self.sensible_heat_flux_w_per_m2.set(0, column, exner * potential);
        self.potential_heat_flux_w_per_m2.set(0, column, potential);
        self.moisture_flux_kg_per_m2_s.set(0, column, moisture);
        if potential.is_finite() { Status::OK } else { Status::NOT_FINITE }
    }
}
