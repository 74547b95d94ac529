//! Layers as cells for chemistry: mole fractions to molecules in a cm^3, and back.
//!
//! A cell is a layer of a column, number `layer * columns + column`. Chemistry is in double precision whatever the
//! model's.

use isobar_core::constants::BOLTZMANN_J_PER_K;
use isobar_core::{Column, Field, FieldMut, Kernel, Lanes, Real, Status, Team};

use crate::limits::{Left, TRACER_MOL_PER_MOL, stays, stop, within};

/// Molecules of air \[1/cm^3\] at a temperature \[K\] and a pressure \[Pa\].
#[inline(always)]
#[must_use]
pub fn number_density(temperature: f64, pressure: f64) -> f64 {
    1e-6 / BOLTZMANN_J_PER_K * pressure / temperature
}

/// The row of an input that a mechanism does not have.
pub const NO_ROW: u32 = u32::MAX;

/// Cells from each column: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ToCells<'a, R> {
    /// Temperature of `(layer, column)` \[K\].
    pub temperature_k: Field<'a, R>,
    /// Pressure, likewise \[Pa\].
    pub pressure_pa: Field<'a, R>,
    /// The photolysis factor of each column.
    pub photolysis_factor: Column<'a, R>,
    /// Mole fractions of `(layer, species * columns + column)`, the variable species.
    pub tracers: Field<'a, R>,
    /// Mole fractions of the fixed species; without values where there are none.
    pub fixed: Column<'a, f64>,
    /// Concentrations of `(species, cell)`, variable ones first \[molecule/cm^3\].
    pub concentrations_per_cm3: FieldMut<'a, f64>,
    /// Inputs of the rate formulas, `(input, cell)`; without items where there are none.
    pub inputs: FieldMut<'a, f64>,
    /// The row of the temperature \[K\] among them, or [`NO_ROW`].
    pub temperature_row: u32,
    /// That of the pressure \[Pa\].
    pub pressure_row: u32,
    /// That of the photolysis factor.
    pub sun_row: u32,
    /// That of the number of molecules of air \[1/cm^3\].
    pub air_row: u32,
}

// SAFETY: an item writes the cells of its own column.
unsafe impl<R: Real> Kernel for ToCells<'_, R> {
    const NAME: &'static str = "column_to_cells";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.temperature_k.items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, _lanes: Lanes<W>) -> Status {
        let (layers, columns) = (self.temperature_k.levels(), self.temperature_k.items());
        let fixed = self.fixed.len();
        let variable = self.concentrations_per_cm3.levels() - fixed;
        let sun = self.photolysis_factor.at(column).value();
        for layer in 0..layers {
            let cell = layer * columns + column;
            let temperature = self.temperature_k.at(layer, column).value();
            let pressure = self.pressure_pa.at(layer, column).value();
            let air = number_density(temperature, pressure);
            for species in 0..variable {
                let fraction = self.tracers.at(layer, species * columns + column).value();
                self.concentrations_per_cm3.set(species, cell, fraction * air);
            }
            for species in 0..fixed {
                self.concentrations_per_cm3.set(variable + species, cell, self.fixed.at(species) * air);
            }
            self.put(self.temperature_row, cell, temperature);
            self.put(self.pressure_row, cell, pressure);
            self.put(self.sun_row, cell, sun);
            self.put(self.air_row, cell, air);
        }
        Status::OK
    }
}

impl<R: Real> ToCells<'_, R> {
    #[inline(always)]
    fn put(&self, row: u32, cell: usize, value: f64) {
        if row != NO_ROW {
            self.inputs.set(row as usize, cell, value);
        }
    }
}

/// The tracers of each column from its cells, by the air that [`ToCells`] had: an item. A column with a tracer that
/// would leave its range stays as it is ([`crate::limits`]).
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct FromCells<'a, R> {
    /// The number of the step, from 0.
    pub step: u32,
    /// Temperature of `(layer, column)` \[K\].
    pub temperature_k: Field<'a, R>,
    /// Pressure, likewise \[Pa\].
    pub pressure_pa: Field<'a, R>,
    /// Concentrations of `(species, cell)` \[molecule/cm^3\].
    pub concentrations_per_cm3: Field<'a, f64>,
    /// What became of each cell.
    pub cell_status: Column<'a, u32>,
    /// Mole fractions of `(layer, species * columns + column)`, the variable species.
    pub tracers: FieldMut<'a, R>,
    /// [`crate::limits::WORDS`].
    pub words: FieldMut<'a, u32>,
}

// SAFETY: an item writes its own column and reads what it wrote and the inputs.
unsafe impl<R: Real> Kernel for FromCells<'_, R> {
    const NAME: &'static str = "column_from_cells";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.temperature_k.items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, _lanes: Lanes<W>) -> Status {
        let (layers, columns) = (self.temperature_k.levels(), self.temperature_k.items());
        let variable = self.tracers.items() / columns;
        let mut status = Status::OK;
        for layer in 0..layers {
            if stays(&self.words, column) {
                break;
            }
            let cell = layer * columns + column;
            let (temperature, pressure) = (self.temperature_k.at(layer, column), self.pressure_pa.at(layer, column));
            let air = number_density(temperature.value(), pressure.value());
            for species in 0..variable {
                let fraction = self.concentrations_per_cm3.at(species, cell) / air;
                if within(fraction, TRACER_MOL_PER_MOL) {
                    self.tracers.set(layer, species * columns + column, R::from_f64(fraction));
                } else {
                    status = status.or(stop(&self.words, column, (Left::Tracer, layer), self.step, fraction));
                }
            }
            status = status.or(Status(self.cell_status.at(cell)));
        }
        self.words.set(0, column, self.words.at(0, column) | status.0);
        status
    }
}
