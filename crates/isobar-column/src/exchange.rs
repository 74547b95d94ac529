//! The implicit solution of ground, surface layer and the air above: what flows through the surface in a step.
//!
//! The boundary-layer scheme takes the fluxes of potential enthalpy and moisture as they are before the step, `F_0` and
//! `E_0`. In thin layers or over light ground these change within the step as much as they are. Here they become those
//! of its end, linear around its start, with the exchange coefficients of heat, `c cp`, and of moisture, `e`:
//!
//! ```text
//! F = F_0 + c cp (dT / Pi - dt (x + R (F - F_0) / cp)),   E = E_0 + e (q_s' dT - dt (y + R (E - E_0))),
//! (C / dt + s) dT = G - H - Lv E,   H = Pi F.
//! ```
//!
//! The ground gives the sensible heat `H`, of which the air has the potential enthalpy `F` ([`crate::surface_flux`]).
//! `dT` is the change of the ground's temperature, `G` and `s` what [`crate::ground`] says of it (nothing, where its
//! temperature is given), `x` and `y` the tendencies that the lowest layer has by mixing and radiation, and `R` its
//! tendency by a unit of flux, since mixing hands on what comes in: the system of diffusion `(m + 2 dt D) z = F` with
//! the scheme's own diffusivities, eliminated from the top. What the flux differs from `F_0` and `E_0` is given to all
//! layers by that system, and to the ground: both have the same flux, and nothing is lost.
//!
//! The step is stable however long it is, and however thin the layers or light the ground: with masses `M`, mixing `D`
//! and the exchange `E` of ground and lowest layer (with what the ground loses by itself) it is
//! `(M + 2 dt D + dt E) dz = -dt (D + E) z`. All three are symmetric without negative eigenvalues, heat and moisture
//! counted in units of the ground's temperature; so `z` is multiplied by numbers between 0 and 1. For `C -> 0` the
//! ground is in balance. `q_s'` is the slope in the middle of `dT`, with which the vapour at the ground stays above 0.

use isobar_core::kernel::WARP;
use isobar_core::{Column, Field, FieldMut, Kernel, Lanes, Real, Status, Team};

use crate::advance::own_columns;
use crate::constants::{DAY_S, GAS_CONSTANT, GRAVITY, HEAT_CAPACITY, LATENT_HEAT, REFERENCE_PRESSURE};
use crate::humidity::saturation_slope;
use crate::limits::{Left, TEMPERATURE_K, stays, stop, within};

/// The exchange of each column in a step; an item is 32 neighbouring columns, layer by layer.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Exchange<'a, R> {
    /// The time step \[s\].
    pub step_s: R,
    /// Its number, from 0.
    pub step: u32,
    /// Diffusivity of heat at the lower interface of each layer \[m^2/s\].
    pub diffusivity_heat_m2_per_s: Field<'a, R>,
    /// Pressure of `(layer, column)` \[Pa\].
    pub pressure_pa: Field<'a, R>,
    /// Pressure of `(level, column)` \[Pa\].
    pub interface_pressure_pa: Field<'a, R>,
    /// Thickness of the layers \[m\].
    pub thickness_m: Field<'a, R>,
    /// Exner function; of this and the next three the lowest layer is read.
    pub exner: Field<'a, R>,
    /// Long-wave heating of temperature \[K/day\].
    pub heating_k_per_day: Field<'a, R>,
    /// Its derivative by the ground's temperature \[K/day/K\].
    pub heating_derivative_per_day: Field<'a, R>,
    /// Short-wave heating of temperature \[K/day\].
    pub shortwave_heating_k_per_day: Field<'a, R>,
    /// The ground's temperature for which the long-wave heating is \[K\].
    pub emission_temperature_k: Column<'a, R>,
    /// Flux of potential enthalpy a kelvin of potential temperature \[W/(m^2 K)\].
    pub exchange_heat_w_per_m2_k: Column<'a, R>,
    /// Flux of moisture a unit of mixing ratio, with the availability of moisture \[kg/(m^2 s)\].
    pub exchange_moisture_kg_per_m2_s: Column<'a, R>,
    /// What the ground gains without turbulence \[W/m^2\].
    pub forcing_w_per_m2: Column<'a, R>,
    /// By how much less the warmer it gets \[W/(m^2 K)\].
    pub slope_w_per_m2_k: Column<'a, R>,
    /// By how much it gets warmer by a unit of heat flux in the step \[K m^2/W\]; 0 where its temperature is given.
    pub response_k_m2_per_w: Column<'a, R>,
    /// What a slab conducts to ground of one temperature below it \[W/m^2\]; what it gains is without that.
    pub conducted_w_per_m2: Column<'a, R>,
    /// By how much more the warmer it gets \[W/(m^2 K)\].
    pub conductance_w_per_m2_k: Column<'a, R>,
    /// Tendency of potential temperature by mixing \[K/s\].
    pub theta_tendency_k_per_s: FieldMut<'a, R>,
    /// Tendency of water vapour \[kg/(kg s)\].
    pub vapour_tendency_per_s: FieldMut<'a, R>,
    /// Temperature of the ground \[K\]; this and the rest have one level.
    pub surface_temperature_k: FieldMut<'a, R>,
    /// Upward flux of sensible heat, `H` \[W/m^2\].
    pub sensible_heat_flux_w_per_m2: FieldMut<'a, R>,
    /// Upward flux of potential enthalpy, `F` \[W/m^2\].
    pub potential_heat_flux_w_per_m2: FieldMut<'a, R>,
    /// Upward flux of moisture \[kg/(m^2 s)\].
    pub moisture_flux_kg_per_m2_s: FieldMut<'a, R>,
    /// Integral of the tendency of potential enthalpy by mixing \[W/m^2\].
    pub column_heating_w_per_m2: FieldMut<'a, R>,
    /// Integral of the moistening by mixing, as latent heat \[W/m^2\].
    pub column_moistening_w_per_m2: FieldMut<'a, R>,
    /// Flux into the ground: what the slab keeps, and what it conducts to ground of one temperature \[W/m^2\].
    pub ground_heat_flux_w_per_m2: FieldMut<'a, R>,
    /// Heat that the slab keeps so far \[J/m^2\].
    pub ground_heat_gained_j_per_m2: FieldMut<'a, R>,
    /// The part of a layer's change that the layer above it has, `(layer, column)`: the kernel's own.
    pub share: FieldMut<'a, R>,
    /// [`crate::limits::WORDS`].
    pub words: FieldMut<'a, u32>,
}

// SAFETY: an item writes its own columns and reads what it wrote and the inputs.
unsafe impl<R: Real> Kernel for Exchange<'_, R> {
    const NAME: &'static str = "column_exchange";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.exchange_heat_w_per_m2_k.len().div_ceil(WARP)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let (layers, two_steps) = (self.pressure_pa.levels(), R::from_f64(2.0) * self.step_s);
        let (first, count) = own_columns(index, &lanes, self.exchange_heat_w_per_m2_k.len());
        // Of the interface above: what goes through it for a difference in two steps, and what it keeps of a change
        // below.
        let (mut through, mut kept) = ([R::ZERO; W], [R::ONE; W]);
        for layer in (1..layers).rev() {
            for lane in 0..count {
                let column = first + lane;
                let distance =
                    R::from_f64(0.5) * (self.thickness_m.at(layer - 1, column) + self.thickness_m.at(layer, column));
                let difference = self.pressure_pa.at(layer - 1, column) - self.pressure_pa.at(layer, column);
                let below =
                    two_steps * self.diffusivity_heat_m2_per_s.at(layer, column) * difference / (distance * distance);
                let holds = self.weight(layer, column) + through[lane] * kept[lane];
                let per_sum = R::ONE / (holds + below);
                self.share.set(layer, column, below * per_sum);
                (through[lane], kept[lane]) = (below, holds * per_sum);
            }
        }
        let (mut heating, mut moistening) = ([R::ZERO; W], [R::ZERO; W]);
        let mut status = Status::OK;
        for lane in 0..count {
            let column = first + lane;
            let response = R::from_f64(GRAVITY) / (self.weight(0, column) + through[lane] * kept[lane]);
            let ([heat, moisture], own) = self.surface(column, response);
            heating[lane] = response * heat / R::from_f64(HEAT_CAPACITY);
            moistening[lane] = response * moisture;
            status = status.or(own);
        }
        for layer in 0..layers {
            for lane in 0..count {
                let column = first + lane;
                if layer > 0 {
                    let share = self.share.at(layer, column);
                    heating[lane] *= share;
                    moistening[lane] *= share;
                }
                let theta = self.theta_tendency_k_per_s.at(layer, column) + heating[lane];
                let vapour = self.vapour_tendency_per_s.at(layer, column) + moistening[lane];
                self.theta_tendency_k_per_s.set(layer, column, theta);
                self.vapour_tendency_per_s.set(layer, column, vapour);
            }
        }
        status
    }
}

impl<R: Real> Exchange<'_, R> {
    /// The weight of a layer \[Pa\].
    #[inline(always)]
    fn weight(&self, layer: usize, column: usize) -> R {
        self.interface_pressure_pa.at(layer, column) - self.interface_pressure_pa.at(layer + 1, column)
    }

    /// The ground and the fluxes at the end of the step. Returns by how much potential enthalpy \[W/m^2\] and moisture
    /// \[kg/(m^2 s)\] differ from what mixing was given. `response` is the lowest layer's, `R`.
    #[inline(always)]
    fn surface(&self, column: usize, response: R) -> ([R; 2], Status) {
        if stays(&self.words, column) {
            return ([R::ZERO; 2], Status::OK);
        }
        let (step, latent, capacity) = (self.step_s, R::from_f64(LATENT_HEAT), R::from_f64(HEAT_CAPACITY));
        let before = self.surface_temperature_k.at(0, column);
        let pressure = self.interface_pressure_pa.at(0, column);
        let exner = (pressure / R::from_f64(REFERENCE_PRESSURE)).powf(R::from_f64(GAS_CONSTANT / HEAT_CAPACITY));
        let dry = self.exchange_heat_w_per_m2_k.at(column) / capacity;
        let moist = self.exchange_moisture_kg_per_m2_s.at(column);
        let warmer = before - self.emission_temperature_k.at(column);
        let radiation = self.heating_k_per_day.at(0, column)
            + self.heating_derivative_per_day.at(0, column) * warmer
            + self.shortwave_heating_k_per_day.at(0, column);
        let warming =
            self.theta_tendency_k_per_s.at(0, column) + radiation / (R::from_f64(DAY_S) * self.exner.at(0, column));
        let moistening = self.vapour_tendency_per_s.at(0, column);

        // What is left of a difference when the lowest layer has followed.
        let (dry, moist) = (dry / (R::ONE + dry * step * response), moist / (R::ONE + moist * step * response));
        // The differences of the fluxes from those before, while the ground stays as it is.
        let (heat, moisture) = (-(dry * capacity * step * warming), -(moist * step * moistening));
        let heat_before = self.potential_heat_flux_w_per_m2.at(0, column);
        let moisture_before = self.moisture_flux_kg_per_m2_s.at(0, column);
        let forcing = self.forcing_w_per_m2.at(column);
        let gain = forcing - exner * (heat_before + heat) - latent * (moisture_before + moisture);
        let (inertia, radiative) = (self.response_k_m2_per_w.at(column), self.slope_w_per_m2_k.at(column));
        let dry_slope = dry * capacity / exner;
        let mut change = R::ZERO;
        let mut moist_slope = R::ZERO;
        for _ in 0..2 {
            moist_slope = moist * saturation_slope(before + R::from_f64(0.5) * change, pressure);
            let slope = radiative + exner * dry_slope + latent * moist_slope;
            change = inertia * gain / (R::ONE + inertia * slope);
        }
        let (heat, moisture) = (heat + dry_slope * change, moisture + moist_slope * change);
        let after = before + change;
        let finite = heat.is_finite() && moisture.is_finite();
        if !(within(after, TEMPERATURE_K) && finite) {
            #[allow(clippy::eq_op, reason = "not a number, in any precision")]
            let value = if finite { after } else { R::ZERO / R::ZERO };
            return ([R::ZERO; 2], stop(&self.words, column, (Left::Ground, 0), self.step, value));
        }
        let (heat_after, moisture_after) = (heat_before + heat, moisture_before + moisture);
        let sensible = exner * heat_after;
        let flux = forcing - radiative * change - sensible - latent * moisture_after;
        self.surface_temperature_k.set(0, column, after);
        self.sensible_heat_flux_w_per_m2.set(0, column, sensible);
        self.potential_heat_flux_w_per_m2.set(0, column, heat_after);
        self.moisture_flux_kg_per_m2_s.set(0, column, moisture_after);
        let add = |field: &FieldMut<'_, R>, value: R| field.set(0, column, field.at(0, column) + value);
        add(&self.column_heating_w_per_m2, heat);
        add(&self.column_moistening_w_per_m2, latent * moisture);
        let conducted = self.conducted_w_per_m2.at(column) + self.conductance_w_per_m2_k.at(column) * change;
        self.ground_heat_flux_w_per_m2.set(0, column, flux + conducted);
        add(&self.ground_heat_gained_j_per_m2, step * flux);
        ([heat, moisture], Status::OK)
    }
}
