//! What is prescribed by time and height beside the schemes: geostrophic wind, subsidence, and what the wind brings
//! from elsewhere.
//!
//! [`Prescribe`] puts what a table says of the middles of a column's layers into a field; [`Rise`] makes an upward
//! velocity `w` of one by pressure; [`Force`] adds to the tendencies, which the step in time then takes, with `w` and
//! the advective tendencies `A`
//!
//! `dtheta/dt = A_T / Pi - w dtheta/dz`, `dq/dt = A_q - w dq/dz`, and so on for the wind and, without an `A`, tracers.
//!
//! The gradient is the one towards where the air comes from (upwind): above where it sinks, below where it rises. Air
//! that comes through the top is as the uppermost layer, and none comes through the ground. A step must not carry air
//! further than a layer. Forcing is no exchange between layers: what columns gain of heat and water by it is counted in
//! their budgets; of tracers, what is emitted alone.

use isobar_core::{Column, Field, FieldMut, Kernel, Lanes, Real, Status, Team};

use crate::budget::mass;
use crate::constants::HEAT_CAPACITY;

/// The last of rising nodes at or below `x`, the next one, and what linear interpolation takes of the next, 0 to 1;
/// beyond the first and the last, the nearest alone.
#[inline(always)]
#[must_use]
pub fn place<R: Real>(node: impl Fn(usize) -> R, count: usize, x: R) -> (usize, usize, R) {
    let mut below = 0;
    while below + 1 < count && node(below + 1) <= x {
        below += 1;
    }
    if below + 1 == count || x <= node(0) {
        return (below, below, R::ZERO);
    }
    (below, below + 1, (x - node(below)) / (node(below + 1) - node(below)))
}

/// A field of layers from a table, the same for all columns: an item is a column.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Prescribe<'a, R> {
    /// The number of the table's last time at or before now.
    pub before: u32,
    /// The number of the next one; the same beyond the last.
    pub after: u32,
    /// What is taken of the next one, 0 to 1.
    pub passed: R,
    /// The table's heights above the ground \[m\], rising.
    pub heights_m: Column<'a, R>,
    /// Its values at `(time, height)`.
    pub table: Field<'a, R>,
    /// Thickness of the layers \[m\].
    pub thickness_m: Field<'a, R>,
    /// The values in the middles of the layers.
    pub values: FieldMut<'a, R>,
}

// SAFETY: an item writes its own column.
unsafe impl<R: Real> Kernel for Prescribe<'_, R> {
    const NAME: &'static str = "column_prescribe";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.thickness_m.items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, _lanes: Lanes<W>) -> Status {
        let (before, after) = (self.before as usize, self.after as usize);
        let mut bottom = R::ZERO;
        for layer in 0..self.thickness_m.levels() {
            let thickness = self.thickness_m.at(layer, column);
            let middle = bottom + R::from_f64(0.5) * thickness;
            let (below, above, share) = place(|height| self.heights_m.at(height), self.heights_m.len(), middle);
            let at = |time: usize| {
                let (low, high) = (self.table.at(time, below), self.table.at(time, above));
                low + share * (high - low)
            };
            let (early, late) = (at(before), at(after));
            self.values.set(layer, column, early + self.passed * (late - early));
            bottom += thickness;
        }
        Status::OK
    }
}

/// Upward velocity of each column from the rate at which the pressure of rising air changes: an item is a column.
///
/// That is `w = omega dz / dp`, with the layer's thickness over its difference of pressures, which is below 0.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Rise<'a, R> {
    /// Thickness of `(layer, column)` \[m\].
    pub thickness_m: Field<'a, R>,
    /// Pressure of `(level, column)` \[Pa\].
    pub interface_pressure_pa: Field<'a, R>,
    /// Rate of change of the pressure of moving air \[Pa/s\], above 0 where it sinks.
    pub pressure_velocity_pa_per_s: Field<'a, R>,
    /// Upward velocity \[m/s\].
    pub vertical_velocity_m_per_s: FieldMut<'a, R>,
}

// SAFETY: an item writes its own column.
unsafe impl<R: Real> Kernel for Rise<'_, R> {
    const NAME: &'static str = "column_rise";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.thickness_m.items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, _lanes: Lanes<W>) -> Status {
        for layer in 0..self.thickness_m.levels() {
            let pressure = |level: usize| self.interface_pressure_pa.at(level, column);
            let height_per_pressure = self.thickness_m.at(layer, column) / (pressure(layer) - pressure(layer + 1));
            let upward = -(self.pressure_velocity_pa_per_s.at(layer, column) * height_per_pressure);
            self.vertical_velocity_m_per_s.set(layer, column, upward);
        }
        Status::OK
    }
}

/// Subsidence and advective tendencies of each column, added to the tendencies by mixing: an item is a column.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Force<'a, R> {
    /// The time step \[s\].
    pub step_s: R,
    /// Thickness of `(layer, column)` \[m\]; this and what follows are of layers, but for the pressure.
    pub thickness_m: Field<'a, R>,
    /// Exner function.
    pub exner: Field<'a, R>,
    /// Pressure of `(level, column)` \[Pa\].
    pub interface_pressure_pa: Field<'a, R>,
    /// Upward velocity \[m/s\].
    pub vertical_velocity_m_per_s: Field<'a, R>,
    /// Advective tendency of temperature \[K/s\].
    pub temperature_advection_k_per_s: Field<'a, R>,
    /// Of water vapour \[kg/(kg s)\].
    pub vapour_advection_per_s: Field<'a, R>,
    /// Of the eastward wind \[m/s^2\].
    pub u_advection_m_per_s2: Field<'a, R>,
    /// Of the northward wind \[m/s^2\].
    pub v_advection_m_per_s2: Field<'a, R>,
    /// Eastward wind \[m/s\].
    pub u_m_per_s: Field<'a, R>,
    /// Northward wind \[m/s\].
    pub v_m_per_s: Field<'a, R>,
    /// Potential temperature \[K\].
    pub theta_k: Field<'a, R>,
    /// Water vapour \[kg/kg\].
    pub vapour_kg_per_kg: Field<'a, R>,
    /// Mole fractions of `(layer, tracer * columns + column)`; without items where there are no tracers.
    pub tracers: Field<'a, R>,
    /// Tendency of the eastward wind \[m/s^2\].
    pub u_tendency_m_per_s2: FieldMut<'a, R>,
    /// Tendency of the northward wind \[m/s^2\].
    pub v_tendency_m_per_s2: FieldMut<'a, R>,
    /// Tendency of potential temperature \[K/s\].
    pub theta_tendency_k_per_s: FieldMut<'a, R>,
    /// Tendency of water vapour \[kg/(kg s)\].
    pub vapour_tendency_per_s: FieldMut<'a, R>,
    /// Tendencies of tracers \[mol/(mol s)\].
    pub tracer_tendencies_per_s: FieldMut<'a, R>,
    /// Potential enthalpy that came in so far \[J/m^2\], one level.
    pub heat_gained_j_per_m2: FieldMut<'a, R>,
    /// Water that came in so far \[kg/m^2\], one level.
    pub water_gained_kg_per_m2: FieldMut<'a, R>,
}

// SAFETY: an item writes its own column, and reads no field that it writes but there.
unsafe impl<R: Real> Kernel for Force<'_, R> {
    const NAME: &'static str = "column_force";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.thickness_m.items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, _lanes: Lanes<W>) -> Status {
        let (layers, columns) = (self.thickness_m.levels(), self.thickness_m.items());
        let tracers = self.tracers.items() / columns;
        let add = |field: &FieldMut<'_, R>, layer: usize, place: usize, value: R| {
            field.set(layer, place, field.at(layer, place) + value);
        };
        let (mut heat, mut water) = (R::ZERO, R::ZERO);
        for layer in 0..layers {
            let velocity = self.vertical_velocity_m_per_s.at(layer, column);
            let from = if velocity < R::ZERO { (layer + 1).min(layers - 1) } else { layer.saturating_sub(1) };
            let distance = R::from_f64(0.5) * (self.thickness_m.at(layer, column) + self.thickness_m.at(from, column));
            let rate = velocity.abs() / distance;
            let brought = |field: &Field<'_, R>, place: usize| rate * (field.at(from, place) - field.at(layer, place));

            let temperature = self.temperature_advection_k_per_s.at(layer, column);
            let theta = brought(&self.theta_k, column) + temperature / self.exner.at(layer, column);
            let vapour = brought(&self.vapour_kg_per_kg, column) + self.vapour_advection_per_s.at(layer, column);
            let u = brought(&self.u_m_per_s, column) + self.u_advection_m_per_s2.at(layer, column);
            let v = brought(&self.v_m_per_s, column) + self.v_advection_m_per_s2.at(layer, column);
            add(&self.theta_tendency_k_per_s, layer, column, theta);
            add(&self.vapour_tendency_per_s, layer, column, vapour);
            add(&self.u_tendency_m_per_s2, layer, column, u);
            add(&self.v_tendency_m_per_s2, layer, column, v);
            for tracer in 0..tracers {
                let place = tracer * columns + column;
                add(&self.tracer_tendencies_per_s, layer, place, brought(&self.tracers, place));
            }
            let mass = mass(&self.interface_pressure_pa, layer, column);
            heat += theta * mass;
            water += vapour * mass;
        }
        add(&self.heat_gained_j_per_m2, 0, column, self.step_s * (R::from_f64(HEAT_CAPACITY) * heat));
        add(&self.water_gained_kg_per_m2, 0, column, self.step_s * water);
        if heat.is_finite() && water.is_finite() { Status::OK } else { Status::NOT_FINITE }
    }
}
