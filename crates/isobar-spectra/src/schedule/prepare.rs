//! Lines of a list, made ready for a pressure and temperature: a lane a line.

use isobar_core::{Column, Field, FieldMut, Real, Status};

use super::lines::{SHAPE, WING};
use crate::constants::{Constants, FRAC_1_SQRT_PI, SQRT_LN_2};
use crate::physics::line::{Air, Line};
use crate::physics::wing::pedestal;

/// Rows of [`PrepareLines::list`], in the order of [`Line`]'s fields.
pub const COLUMNS: usize = 11;

/// Fills the views of [`super::lines::Lines`].
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct PrepareLines<'a, R> {
    /// The list, a row a field of [`Line`], the line fastest.
    pub list: Field<'a, f64>,
    /// The number of each line's isotopologue.
    pub isotopologues: Column<'a, u32>,
    /// `Q(296 K)/Q(T)` of each isotopologue.
    pub partition_ratios: Column<'a, f64>,
    /// The mass of each isotopologue \[u\].
    pub masses_u: Column<'a, f64>,
    /// The air.
    pub air: Air<f64>,
    /// Constants of nature.
    pub constants: Constants,
    /// What intensities are multiplied by, a power of two: f32 has no numbers of 1e-45.
    pub scale: f64,
    /// Where lines end \[cm^-1\].
    pub cut_per_cm: f64,
    /// Is the pedestal taken off?
    pub without_pedestal: bool,
    /// Does line mixing count?
    pub mixing: bool,
    /// See [`super::lines::Lines::centres_per_cm`].
    pub centres_per_cm: FieldMut<'a, [f64; 2]>,
    /// See [`super::lines::Lines::shapes`].
    pub shapes: FieldMut<'a, [R; SHAPE]>,
    /// See [`super::exact::SumExact::wings`]; nothing where none are asked for.
    pub wings: FieldMut<'a, [R; WING]>,
    /// Are wings asked for?
    pub wants_wings: bool,
    /// See [`super::lines::Lines::mixing`]; nothing without line mixing.
    pub mixing_of_lines: FieldMut<'a, R>,
}

impl<R: Real> PrepareLines<'_, R> {
    /// Line `item`.
    #[inline(always)]
    pub fn compute(&self, item: usize) -> Status {
        let row = |row| self.list.at(row, item);
        let line = Line {
            wavenumber_per_cm: row(0),
            intensity: row(1) * self.scale,
            air_width_per_cm_atm: row(2),
            self_width_per_cm_atm: row(3),
            lower_energy_per_cm: row(4),
            air_exponent: row(5),
            self_exponent: row(6),
            air_shift_per_cm_atm: row(7),
            self_shift_per_cm_atm: row(8),
            mixing_per_atm: row(9),
            mixing_exponent: row(10),
        };
        let isotopologue = self.isotopologues.at(item) as usize;
        let (ratio, mass) = (self.partition_ratios.at(isotopologue), self.masses_u.at(isotopologue));
        let there = line.at(&self.air, &self.constants, ratio, mass);
        let per_width = SQRT_LN_2 / there.doppler_width_per_cm;
        let foot = if self.without_pedestal {
            pedestal(there.intensity, there.lorentz_width_per_cm, self.cut_per_cm)
        } else {
            0.0
        };
        let shape =
            [per_width, per_width * there.lorentz_width_per_cm, there.intensity * per_width * FRAC_1_SQRT_PI, foot];
        self.centres_per_cm.set(0, item, [line.wavenumber_per_cm, there.shift_per_cm]);
        self.shapes.set(0, item, shape.map(R::from_f64));
        if self.wants_wings {
            let [per_width, y, strength, foot] = shape;
            let wing = [per_width, y * y, strength * y * FRAC_1_SQRT_PI, foot];
            self.wings.set(0, item, wing.map(R::from_f64));
        }
        if self.mixing {
            self.mixing_of_lines.set(0, item, R::from_f64(there.mixing));
        }
        let finite = there.shift_per_cm.is_finite() && shape.iter().all(|value| value.is_finite());
        let finite = finite && (!self.mixing || there.mixing.is_finite());
        if finite { Status::OK } else { Status::NOT_FINITE }
    }
}
