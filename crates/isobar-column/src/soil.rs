//! Layers of soil below a slab of ground: what flows from the slab into them within a step, implicitly.
//!
//! The slab, of temperature `T_0`, is their skin. A layer has the heat capacity `C_i` \[J/(m^2 K)\] and a conductance
//! `k_i` \[W/(m^2 K)\] to what lies above it; nothing flows out below the lowest one. With the fluxes of the end,
//!
//! `C_i dT_i / dt = F_i - F_(i+1)`, `F_i = k_i (T_(i-1) + dT_(i-1) - T_i - dT_i)`,
//!
//! whatever flows in is linear in the change above, `F_i = f_i + g_i dT_(i-1)`, eliminated from below:
//!
//! `m_i = C_i + g_(i+1) dt`, `g_i = k_i m_i / (m_i + k_i dt)`, `f_i = g_i (T_(i-1) - T_i + f_(i+1) dt / m_i)`.
//!
//! [`Conduct`] takes `f_1` and `g_1` into what warms the slab, so that [`crate::exchange`] finds its temperature
//! together with the air's; [`WarmSoil`] then gives the layers `dT_i = (F_i - f_(i+1)) dt / m_i`. What flows out of a
//! layer flows into the next: heat is conserved to round-off. The system is symmetric without negative eigenvalues, and
//! stable however long the step is.

use isobar_core::{Column, Field, FieldMut, Kernel, Lanes, Real, Status, Team};

use crate::limits::stays;

/// What the slab of each column loses to the soil, and by how much more the warmer it gets: an item is a column.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Conduct<'a, R> {
    /// The time step \[s\]; 0 for what flows at this moment.
    pub step_s: R,
    /// Heat capacity of each layer \[J/(m^2 K)\], from above; as the next the same for all columns.
    pub heat_capacity_j_per_m2_k: Column<'a, R>,
    /// Conductance to the slab or the layer above \[W/(m^2 K)\].
    pub conductance_w_per_m2_k: Column<'a, R>,
    /// Temperature of `(layer, column)` \[K\], the uppermost layer first, as in the next two.
    pub soil_temperature_k: Field<'a, R>,
    /// Temperature of the slab before the step \[K\].
    pub surface_temperature_k: Column<'a, R>,
    /// `f`, what flows into each layer if what is above it stays as warm as it is \[W/m^2\].
    pub held_w_per_m2: FieldMut<'a, R>,
    /// `g`, by how much more the warmer that gets \[W/(m^2 K)\].
    pub slope_w_per_m2_k: FieldMut<'a, R>,
    /// The slab's temperature, kept for after the step \[K\]; this and the rest have one level.
    pub before_k: FieldMut<'a, R>,
    /// What the slab gains without turbulence \[W/m^2\], of which is taken what goes into the soil.
    pub forcing_w_per_m2: FieldMut<'a, R>,
    /// By how much less the warmer it gets \[W/(m^2 K)\].
    pub forcing_slope_w_per_m2_k: FieldMut<'a, R>,
}

// SAFETY: an item writes its own column, and reads what it wrote and the inputs.
unsafe impl<R: Real> Kernel for Conduct<'_, R> {
    const NAME: &'static str = "column_conduct";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.soil_temperature_k.items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, _lanes: Lanes<W>) -> Status {
        let surface = self.surface_temperature_k.at(column);
        let (mut held, mut slope) = (R::ZERO, R::ZERO);
        for layer in (0..self.soil_temperature_k.levels()).rev() {
            let temperature = self.soil_temperature_k.at(layer, column);
            let above = if layer == 0 { surface } else { self.soil_temperature_k.at(layer - 1, column) };
            let inertia = self.heat_capacity_j_per_m2_k.at(layer) + slope * self.step_s;
            let conductance = self.conductance_w_per_m2_k.at(layer);
            slope = conductance * inertia / (inertia + conductance * self.step_s);
            held = slope * (above - temperature + held * self.step_s / inertia);
            self.held_w_per_m2.set(layer, column, held);
            self.slope_w_per_m2_k.set(layer, column, slope);
        }
        self.before_k.set(0, column, surface);
        self.forcing_w_per_m2.set(0, column, self.forcing_w_per_m2.at(0, column) - held);
        self.forcing_slope_w_per_m2_k.set(0, column, self.forcing_slope_w_per_m2_k.at(0, column) + slope);
        if held.is_finite() { Status::OK } else { Status::NOT_FINITE }
    }
}

/// The soil of each column after a step, whose slab has its temperature: an item is a column.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct WarmSoil<'a, R> {
    /// The time step \[s\].
    pub step_s: R,
    /// Heat capacity of each layer \[J/(m^2 K)\], from above, the same for all columns.
    pub heat_capacity_j_per_m2_k: Column<'a, R>,
    /// As [`Conduct`] left it.
    pub held_w_per_m2: Field<'a, R>,
    /// Likewise.
    pub slope_w_per_m2_k: Field<'a, R>,
    /// The slab's temperature before the step \[K\].
    pub before_k: Column<'a, R>,
    /// Its temperature now \[K\].
    pub surface_temperature_k: Column<'a, R>,
    /// Temperature of `(layer, column)` \[K\].
    pub soil_temperature_k: FieldMut<'a, R>,
    /// Heat flux into slab and soil \[W/m^2\], of which there was what the slab keeps; as the next of one level.
    pub ground_heat_flux_w_per_m2: FieldMut<'a, R>,
    /// Heat that came into slab and soil so far \[J/m^2\].
    pub ground_heat_gained_j_per_m2: FieldMut<'a, R>,
    /// [`crate::limits::WORDS`].
    pub words: FieldMut<'a, u32>,
}

// SAFETY: an item writes its own column, and reads what it wrote and the inputs.
unsafe impl<R: Real> Kernel for WarmSoil<'_, R> {
    const NAME: &'static str = "column_warm_soil";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.soil_temperature_k.items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, _lanes: Lanes<W>) -> Status {
        if stays(&self.words, column) {
            return Status::OK;
        }
        let layers = self.soil_temperature_k.levels();
        let change = self.surface_temperature_k.at(column) - self.before_k.at(column);
        let into = self.held_w_per_m2.at(0, column) + self.slope_w_per_m2_k.at(0, column) * change;
        let mut flux = into;
        for layer in 0..layers {
            // Nothing flows out below.
            let (held, slope) = if layer + 1 < layers {
                (self.held_w_per_m2.at(layer + 1, column), self.slope_w_per_m2_k.at(layer + 1, column))
            } else {
                (R::ZERO, R::ZERO)
            };
            let inertia = self.heat_capacity_j_per_m2_k.at(layer) + slope * self.step_s;
            let change = (flux - held) * self.step_s / inertia;
            self.soil_temperature_k.set(layer, column, self.soil_temperature_k.at(layer, column) + change);
            flux = held + slope * change;
        }
        let add = |field: &FieldMut<'_, R>, value: R| field.set(0, column, field.at(0, column) + value);
        add(&self.ground_heat_flux_w_per_m2, into);
        add(&self.ground_heat_gained_j_per_m2, into * self.step_s);
        if into.is_finite() { Status::OK } else { Status::NOT_FINITE }
    }
}
