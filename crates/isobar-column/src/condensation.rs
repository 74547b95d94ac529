//! Large-scale condensation: what air has above saturation condenses, and falls out within the step.
//!
//! A layer of temperature `T` and mixing ratio `q` that is supersaturated becomes just saturated at its pressure, with
//! the enthalpy `cp T + Lv q` that it had:
//!
//! ```text
//! T' = T + d,   q' = q - cp d / Lv = q_s(T').
//! ```
//!
//! The water falls through the layers below. By choice they let it evaporate, as long as they are not saturated, by the
//! same equation: so it reaches the ground only through air that is saturated (Frierson et al. 2006,
//! doi:10.1175/JAS3753.1, section 2e). There is neither ice nor cloud that stays.

use isobar_core::{Field, FieldMut, Kernel, Lanes, Real, Status, Team};

use crate::budget::mass;
use crate::constants::{HEAT_CAPACITY, LATENT_HEAT};
use crate::humidity::{saturation_mixing_ratio, saturation_slope};
use crate::limits::{Left, TEMPERATURE_K, stays, stop, within};

/// The most steps of the search, halvings of the whole range: Newton's method mostly takes four.
const STEPS: usize = 80;

/// By how much air gets warmer \[K\] until it is just saturated, at a pressure \[Pa\] and with its enthalpy: more
/// than 0 where it was supersaturated, less where it was not.
///
/// The root of `d - Lv / cp (q - q_s(T + d))`, which rises with `d`, by Newton's method between ends that hold it,
/// and by halving them where that leaves them or hardly moves.
#[inline(always)]
#[must_use]
pub fn saturating_warmth<R: Real>(temperature: R, vapour: R, pressure: R) -> R {
    let per_vapour = R::from_f64(LATENT_HEAT / HEAT_CAPACITY);
    let excess = |warmth: R| warmth - per_vapour * (vapour - saturation_mixing_ratio(temperature + warmth, pressure));
    let at_start = excess(R::ZERO);
    // The root lies between 0 and what all of the excess would do.
    let (mut low, mut high) = if at_start < R::ZERO { (R::ZERO, -at_start) } else { (-at_start, R::ZERO) };
    let (mut warmth, mut value, mut moved) = (R::ZERO, at_start, high - low);
    for _ in 0..STEPS {
        if value == R::ZERO {
            break;
        } else if value < R::ZERO {
            low = warmth;
        } else {
            high = warmth;
        }
        let slope = R::ONE + per_vapour * saturation_slope(temperature + warmth, pressure);
        let newton = warmth - value / slope;
        let (half, quick) = (R::from_f64(0.5), (newton - warmth).abs() < R::from_f64(0.5) * moved);
        let next = if newton > low && newton < high && quick { newton } else { half * (low + high) };
        moved = (next - warmth).abs();
        warmth = next;
        if moved <= R::EPSILON * temperature {
            break;
        }
        value = excess(warmth);
    }
    warmth
}

/// The condensation of each column: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Condensation<'a, R> {
    /// The number of the step, from 0.
    pub step: u32,
    /// Not 0: what falls evaporates in air that is not saturated.
    pub evaporates: u32,
    /// Exner function of `(layer, column)`.
    pub exner: Field<'a, R>,
    /// Pressure, likewise \[Pa\].
    pub pressure_pa: Field<'a, R>,
    /// Pressure of `(level, column)` \[Pa\].
    pub interface_pressure_pa: Field<'a, R>,
    /// Potential temperature \[K\].
    pub theta_k: FieldMut<'a, R>,
    /// Mixing ratio of water vapour \[kg/kg\].
    pub vapour_kg_per_kg: FieldMut<'a, R>,
    /// Potential enthalpy that came in so far \[J/m^2\]; this and the next two have one level.
    pub heat_gained_j_per_m2: FieldMut<'a, R>,
    /// Water that came in so far \[kg/m^2\].
    pub water_gained_kg_per_m2: FieldMut<'a, R>,
    /// Water that fell out so far \[kg/m^2\].
    pub precipitation_kg_per_m2: FieldMut<'a, R>,
    /// [`crate::limits::WORDS`].
    pub words: FieldMut<'a, u32>,
}

// SAFETY: an item writes its own column and reads what it wrote and the inputs.
unsafe impl<R: Real> Kernel for Condensation<'_, R> {
    const NAME: &'static str = "column_condensation";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.theta_k.items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, _lanes: Lanes<W>) -> Status {
        if stays(&self.words, column) {
            return Status::OK;
        }
        let capacity = R::from_f64(HEAT_CAPACITY);
        let vapour_per_warmth = R::from_f64(HEAT_CAPACITY / LATENT_HEAT);
        let (mut falling, mut heat) = (R::ZERO, R::ZERO);
        for layer in (0..self.theta_k.levels()).rev() {
            let (theta, vapour) = (self.theta_k.at(layer, column), self.vapour_kg_per_kg.at(layer, column));
            let (exner, pressure) = (self.exner.at(layer, column), self.pressure_pa.at(layer, column));
            let temperature = theta * exner;
            let is_over = vapour > saturation_mixing_ratio(temperature, pressure);
            if !is_over && (self.evaporates == 0 || falling <= R::ZERO) {
                continue;
            }
            let mass = mass(&self.interface_pressure_pa, layer, column);
            // No more evaporates than falls.
            let most = falling / (mass * vapour_per_warmth);
            let warmth = saturating_warmth(temperature, vapour, pressure).max(-most);
            let after = temperature + warmth;
            if !within(after, TEMPERATURE_K) {
                return stop(&self.words, column, (Left::Temperature, layer), self.step, after);
            }
            let condensed = vapour_per_warmth * warmth;
            self.theta_k.set(layer, column, theta + warmth / exner);
            self.vapour_kg_per_kg.set(layer, column, vapour - condensed);
            falling = (falling + mass * condensed).max(R::ZERO);
            heat += capacity * mass * (warmth / exner);
        }
        let add = |field: &FieldMut<'_, R>, value: R| field.set(0, column, field.at(0, column) + value);
        add(&self.heat_gained_j_per_m2, heat);
        add(&self.water_gained_kg_per_m2, -falling);
        add(&self.precipitation_kg_per_m2, falling);
        Status::OK
    }
}
