//! What schemes need of the state besides the state itself.

use isobar_core::{Field, FieldMut, Kernel, Lanes, Real, Status, Team};

use crate::constants::{DRY_AIR_KG_PER_MOL, GAS_CONSTANT, GRAVITY, VIRTUAL, WATER_KG_PER_MOL};

/// What follows from the state of each column: an item.
///
/// Temperature is that of potential temperature; thickness is hydrostatic, `Rd Tv / g ln(p_below / p_above)`; levels
/// have the temperature of the layers around, linear in the logarithm of pressure; to the surface and to the top the
/// lowest and the uppermost two go on in a line in pressure.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Diagnose<'a, R> {
    /// Potential temperature \[K\]; this and the next fields of `(layer, column)`.
    pub theta_k: Field<'a, R>,
    /// Mixing ratio of water vapour \[kg/kg\].
    pub vapour_kg_per_kg: Field<'a, R>,
    /// Exner function.
    pub exner: Field<'a, R>,
    /// The logarithm of the pressures below and above.
    pub log_thickness: Field<'a, R>,
    /// The weight of the lower of these two layers at `(level, column)`, 1 or more at the surface, 0 or less at the
    /// top. The other layer has what is left to 1.
    pub weight_below: Field<'a, R>,
    /// Temperature of the layers \[K\].
    pub temperature_k: FieldMut<'a, R>,
    /// Temperature of the levels \[K\].
    pub level_temperature_k: FieldMut<'a, R>,
    /// Thickness of the layers \[m\].
    pub thickness_m: FieldMut<'a, R>,
    /// Water vapour relative to dry air \[mol/mol\], at least 0.
    pub water_mol_per_mol: FieldMut<'a, R>,
    /// How often vapour below 0 was taken for 0 so far, one level.
    pub clamps: FieldMut<'a, R>,
}

// SAFETY: an item writes its own column and reads what it wrote and the inputs.
unsafe impl<R: Real> Kernel for Diagnose<'_, R> {
    const NAME: &'static str = "column_diagnose";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.theta_k.items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, _lanes: Lanes<W>) -> Status {
        let layers = self.theta_k.levels();
        let temperature_of = |layer: usize| self.theta_k.at(layer, column) * self.exner.at(layer, column);
        let level_between =
            |level: usize, lower: R, upper: R| upper + self.weight_below.at(level, column) * (lower - upper);
        let (mut below, mut two_below) = (temperature_of(0), temperature_of(0));
        let surface = level_between(0, below, temperature_of(usize::from(layers > 1)));
        self.level_temperature_k.set(0, column, surface);
        let mut clamps = R::ZERO;
        let mut status = Status::OK;
        for layer in 0..layers {
            let temperature = temperature_of(layer);
            let vapour = self.vapour_kg_per_kg.at(layer, column);
            let warmth = temperature * (R::ONE + R::from_f64(VIRTUAL) * vapour);
            let thickness = R::from_f64(GAS_CONSTANT / GRAVITY) * warmth * self.log_thickness.at(layer, column);
            self.temperature_k.set(layer, column, temperature);
            if layer > 0 {
                self.level_temperature_k.set(layer, column, level_between(layer, below, temperature));
            }
            self.thickness_m.set(layer, column, thickness);
            if vapour < R::ZERO {
                clamps += R::ONE;
            }
            self.water_mol_per_mol.set(
                layer,
                column,
                R::from_f64(DRY_AIR_KG_PER_MOL / WATER_KG_PER_MOL) * vapour.max(R::ZERO),
            );
            if !warmth.is_finite() {
                status = Status::NOT_FINITE;
            }
            (two_below, below) = (below, temperature);
        }
        self.level_temperature_k.set(layers, column, level_between(layers, two_below, below));
        let before = self.clamps.at(0, column);
        self.clamps.set(0, column, before + clamps);
        status
    }
}

/// The logarithm of the pressures below and above a layer.
#[must_use]
pub fn log_thickness<R: Real>(below: R, above: R) -> R {
    (below / above).ln()
}

/// The weight of the lower layer at a level between two, by their pressures.
#[must_use]
pub fn weight_between<R: Real>(lower: R, level: R, upper: R) -> R {
    (level / upper).ln() / (lower / upper).ln()
}

/// The weight of the lower of two layers at a level below or above both, by their pressures. A line in pressure stays
/// near the layers wherever the top is, as one in its logarithm does not.
#[must_use]
pub fn weight_beyond<R: Real>(lower: R, level: R, upper: R) -> R {
    (level - upper) / (lower - upper)
}
