//! A step in time: tendencies, held over the step, are added to the state (Euler forward, as WRF does with those of its
//! physics). A step that would leave the ranges of [`crate::limits`] is not taken.

use isobar_core::kernel::WARP;
use isobar_core::{Column, Field, FieldMut, Kernel, Lanes, Real, Status, Team};

use crate::constants::{DAY_S, HEAT_CAPACITY, ROTATION};
use crate::limits::{Left, TEMPERATURE_K, TRACER_MOL_PER_MOL, VAPOUR_KG_PER_KG, WIND_M_PER_S, stays, stop, within};

/// The state of each column after a step; an item is 32 neighbouring columns, layer by layer, for a layer's neighbours
/// share the lines of caches.
///
/// The wind besides turns around the geostrophic one by the Coriolis force, by the exact angle: its size does not grow.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Advance<'a, R> {
    /// The time step \[s\].
    pub step_s: R,
    /// Its number, from 0.
    pub step: u32,
    /// Tendency of the eastward wind of `(layer, column)` \[m/s^2\].
    pub u_tendency_m_per_s2: Field<'a, R>,
    /// Tendency of the northward wind of `(layer, column)` \[m/s^2\].
    pub v_tendency_m_per_s2: Field<'a, R>,
    /// Tendency of potential temperature by mixing \[K/s\].
    pub theta_tendency_k_per_s: Field<'a, R>,
    /// Tendency of water vapour \[kg/(kg s)\].
    pub vapour_tendency_per_s: Field<'a, R>,
    /// Long-wave heating of temperature \[K/day\].
    pub heating_k_per_day: Field<'a, R>,
    /// Its derivative by the ground's temperature \[K/day/K\].
    pub heating_derivative_per_day: Field<'a, R>,
    /// Short-wave heating of temperature \[K/day\].
    pub shortwave_heating_k_per_day: Field<'a, R>,
    /// Temperature of the ground \[K\].
    pub surface_temperature_k: Column<'a, R>,
    /// The one for which the long-wave heating is \[K\].
    pub emission_temperature_k: Column<'a, R>,
    /// Exner function.
    pub exner: Field<'a, R>,
    /// Geostrophic wind eastward \[m/s\].
    pub u_geostrophic_m_per_s: Field<'a, R>,
    /// Geostrophic wind northward \[m/s\].
    pub v_geostrophic_m_per_s: Field<'a, R>,
    /// Pressure of `(level, column)` \[Pa\].
    pub interface_pressure_pa: Field<'a, R>,
    /// Latitude \[degrees\].
    pub latitude_deg: Column<'a, R>,
    /// Upward flux of potential enthalpy \[W/m^2\].
    pub potential_heat_flux_w_per_m2: Column<'a, R>,
    /// Upward flux of moisture \[kg/(m^2 s)\].
    pub moisture_flux_kg_per_m2_s: Column<'a, R>,
    /// Eastward wind \[m/s\].
    pub u_m_per_s: FieldMut<'a, R>,
    /// Northward wind \[m/s\].
    pub v_m_per_s: FieldMut<'a, R>,
    /// Potential temperature \[K\].
    pub theta_k: FieldMut<'a, R>,
    /// Water vapour \[kg/kg\].
    pub vapour_kg_per_kg: FieldMut<'a, R>,
    /// Potential enthalpy ([`crate::budget`]) that came in through the surface and by radiation so far \[J/m^2\], one
    /// level.
    pub heat_gained_j_per_m2: FieldMut<'a, R>,
    /// Water that came in through the surface so far \[kg/m^2\], one level.
    pub water_gained_kg_per_m2: FieldMut<'a, R>,
    /// [`crate::limits::WORDS`].
    pub words: FieldMut<'a, u32>,
}

// SAFETY: an item writes its own columns and reads what it wrote and the inputs.
unsafe impl<R: Real> Kernel for Advance<'_, R> {
    const NAME: &'static str = "column_advance";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.u_m_per_s.items().div_ceil(WARP)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let (layers, step) = (self.u_m_per_s.levels(), self.step_s);
        let (first, count) = own_columns(index, &lanes, self.u_m_per_s.items());
        let (mut sine, mut cosine, mut radiative) = ([R::ZERO; W], [R::ZERO; W], [R::ZERO; W]);
        // What the ground is warmer than radiation had it.
        let mut warmer = [R::ZERO; W];
        for lane in 0..count {
            let column = first + lane;
            warmer[lane] = self.surface_temperature_k.at(column) - self.emission_temperature_k.at(column);
            let latitude = R::from_f64(core::f64::consts::PI / 180.0) * self.latitude_deg.at(first + lane);
            let angle = R::from_f64(2.0 * ROTATION) * latitude.sin() * step;
            (sine[lane], cosine[lane]) = (angle.sin(), angle.cos());
        }
        // What stays as it is: whole columns; and of a column that stops now, the layers that would leave their range.
        let mut stopped: [bool; W] = core::array::from_fn(|lane| lane < count && stays(&self.words, first + lane));
        let mut worst = Status::OK;
        for layer in 0..layers {
            let (mut left, mut values) = ([None; W], [R::ZERO; W]);
            for lane in 0..count {
                let column = first + lane;
                let (around_u, around_v) =
                    (self.u_geostrophic_m_per_s.at(layer, column), self.v_geostrophic_m_per_s.at(layer, column));
                let (u_before, v_before) = (self.u_m_per_s.at(layer, column), self.v_m_per_s.at(layer, column));
                let u = u_before + step * self.u_tendency_m_per_s2.at(layer, column) - around_u;
                let v = v_before + step * self.v_tendency_m_per_s2.at(layer, column) - around_v;
                let (u, v) =
                    (around_u + (cosine[lane] * u + sine[lane] * v), around_v + (cosine[lane] * v - sine[lane] * u));
                let longwave = self.heating_k_per_day.at(layer, column)
                    + self.heating_derivative_per_day.at(layer, column) * warmer[lane];
                let heating = longwave + self.shortwave_heating_k_per_day.at(layer, column);
                let exner = self.exner.at(layer, column);
                let radiation = heating / (R::from_f64(DAY_S) * exner);
                radiative[lane] += radiation * crate::budget::mass(&self.interface_pressure_pa, layer, column);
                let theta_before = self.theta_k.at(layer, column);
                let theta = theta_before + step * (self.theta_tendency_k_per_s.at(layer, column) + radiation);
                let vapour_before = self.vapour_kg_per_kg.at(layer, column);
                let vapour = vapour_before + step * self.vapour_tendency_per_s.at(layer, column);

                let temperature = theta * exner;
                let (warm, damp) = (within(temperature, TEMPERATURE_K), within(vapour, VAPOUR_KG_PER_KG));
                let (calm_u, calm_v) = (within(u, WIND_M_PER_S), within(v, WIND_M_PER_S));
                let stay = stopped[lane] | !(warm & damp & calm_u & calm_v);
                let choose = |before: R, after: R| if stay { before } else { after };
                self.u_m_per_s.set(layer, column, choose(u_before, u));
                self.v_m_per_s.set(layer, column, choose(v_before, v));
                self.theta_k.set(layer, column, choose(theta_before, theta));
                self.vapour_kg_per_kg.set(layer, column, choose(vapour_before, vapour));
                if stay & !stopped[lane] {
                    (left[lane], values[lane]) = if !warm {
                        (Some(Left::Temperature), temperature)
                    } else if !damp {
                        (Some(Left::Vapour), vapour)
                    } else if !calm_u {
                        (Some(Left::WindEast), u)
                    } else {
                        (Some(Left::WindNorth), v)
                    };
                }
            }
            for lane in 0..count {
                if let Some(left) = left[lane] {
                    let status = stop(&self.words, first + lane, (left, layer), self.step, values[lane]);
                    (stopped[lane], worst) = (true, worst.or(status));
                }
            }
        }
        for lane in 0..count {
            let column = first + lane;
            let heat = self.potential_heat_flux_w_per_m2.at(column) + R::from_f64(HEAT_CAPACITY) * radiative[lane];
            let (heat_before, water_before) =
                (self.heat_gained_j_per_m2.at(0, column), self.water_gained_kg_per_m2.at(0, column));
            self.heat_gained_j_per_m2.set(0, column, heat_before + step * heat);
            self.water_gained_kg_per_m2.set(0, column, water_before + step * self.moisture_flux_kg_per_m2_s.at(column));
        }
        worst
    }
}

/// The first of a thread's columns, and how many it has.
#[inline(always)]
pub(crate) fn own_columns<const W: usize>(index: usize, lanes: &Lanes<W>, columns: usize) -> (usize, usize) {
    let first = index * WARP + lanes.first();
    (first, columns.saturating_sub(first).min(W))
}

/// The tracers of each column after a step; an item as for [`Advance`].
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct AdvanceTracers<'a, R> {
    /// The time step \[s\].
    pub step_s: R,
    /// Its number, from 0.
    pub step: u32,
    /// Pressure of `(level, column)` \[Pa\].
    pub interface_pressure_pa: Field<'a, R>,
    /// Tendencies of `(layer, tracer * columns + column)` \[mol/(mol s)\].
    pub tendencies_per_s: Field<'a, R>,
    /// Emission of each tracer at the surface \[mol/(m^2 s)\].
    pub emission_mol_per_m2_s: Column<'a, R>,
    /// Mole fractions of `(layer, tracer * columns + column)`.
    pub tracers: FieldMut<'a, R>,
    /// What was emitted so far \[mol/m^2\], of `(tracer, column)`.
    pub gained_mol_per_m2: FieldMut<'a, R>,
    /// [`crate::limits::WORDS`].
    pub words: FieldMut<'a, u32>,
}

// SAFETY: an item writes its own columns and reads what it wrote and the inputs.
unsafe impl<R: Real> Kernel for AdvanceTracers<'_, R> {
    const NAME: &'static str = "column_advance_tracers";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.interface_pressure_pa.items().div_ceil(WARP)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let (columns, layers, step) = (self.interface_pressure_pa.items(), self.tracers.levels(), self.step_s);
        let (first, count) = own_columns(index, &lanes, columns);
        let mut lowest = [R::ONE; W];
        for lane in 0..count {
            lowest[lane] = crate::budget::amount_of_air(&self.interface_pressure_pa, 0, first + lane);
        }
        let mut stopped: [bool; W] = core::array::from_fn(|lane| lane < count && stays(&self.words, first + lane));
        let mut worst = Status::OK;
        for tracer in 0..self.emission_mol_per_m2_s.len() {
            let emitted = step * self.emission_mol_per_m2_s.at(tracer);
            for layer in 0..layers {
                for lane in 0..count {
                    let place = tracer * columns + first + lane;
                    let source = if layer == 0 { emitted / lowest[lane] } else { R::ZERO };
                    let change = step * self.tendencies_per_s.at(layer, place) + source;
                    let before = self.tracers.at(layer, place);
                    let value = before + change;
                    let stay = stopped[lane] | !within(value, TRACER_MOL_PER_MOL);
                    self.tracers.set(layer, place, if stay { before } else { value });
                    if stay & !stopped[lane] {
                        let status = stop(&self.words, first + lane, (Left::Tracer, layer), self.step, value);
                        (stopped[lane], worst) = (true, worst.or(status));
                    }
                }
            }
            for lane in 0..count {
                let before = self.gained_mol_per_m2.at(tracer, first + lane);
                self.gained_mol_per_m2.set(tracer, first + lane, before + emitted);
            }
        }
        worst
    }
}
