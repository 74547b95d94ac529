//! The emissivity tables of all gases and channels, as a core sees them.
#![allow(unsafe_code, reason = "a curve is three pointers into the pools")]

use isobar_core::{Column, Real};

use crate::curve::{CurveHead, CurveView};

/// A view of all tables; [`crate::table_data::TableData`] makes it.
///
/// Every table has a grid of pressures and temperatures; tables with equal grids share one. A grid node
/// (a pressure and a temperature) has one curve in each table of that grid.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Tables<'a> {
    /// One head a table, `gas * channels + channel`.
    pub tables: Column<'a, TableHead>,
    /// The grids.
    pub grids: Column<'a, GridHead>,
    /// Pressure levels of all grids, ascending within each.
    pub levels: Column<'a, LevelHead>,
    /// Temperatures of all levels \[K\], ascending within each.
    pub temperatures_k: Column<'a, f64>,
    /// The curves of all tables.
    pub curves: Column<'a, CurveHead>,
    /// Column densities \[molecules/cm^2\], or their natural logarithms ([`crate::Interpolation::Logarithmic`]); curves
    /// on the same grid share a run.
    pub column_per_cm2: Column<'a, f32>,
    /// One over the distance between neighbouring column densities \[cm^2/molecule\], for the last of a run, 1; where
    /// logarithms stand, one over each column density.
    pub inverse_width_cm2: Column<'a, f64>,
    /// That number in single precision, for which reading it is quicker than rounding.
    pub inverse_width_cm2_f32: Column<'a, f32>,
    /// Emissivities, or their natural logarithms; before those of each curve a negative infinity, after them a positive
    /// one.
    pub emissivity: Column<'a, f32>,
}

/// No table: the gas is transparent in this channel.
pub const NO_GRID: u32 = u32::MAX;

/// Where one table lies.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct TableHead {
    /// Its grid, or [`NO_GRID`].
    pub grid: u32,
    /// The distance between the curves of neighbouring nodes.
    pub stride: u32,
    /// The curve of its first node.
    pub first_curve: u64,
    /// Where its emissivities begin in the pool.
    pub first_emissivity: u64,
}

/// Where one grid lies.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct GridHead {
    /// The first of its levels.
    pub first_level: u32,
    /// The number of its levels.
    pub levels: u32,
}

/// One pressure of a grid.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct LevelHead {
    /// Pressure \[hPa\].
    pub pressure_hpa: f64,
    /// The first of its temperatures.
    pub first_temperature: u32,
    /// The number of its temperatures.
    pub temperatures: u32,
    /// The grid's node of its first temperature.
    pub first_node: u32,
    /// 0; keeps the layout free of gaps.
    pub unused: u32,
}

/// The four grid nodes around a pressure and temperature, and how they are weighed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(16))]
pub struct Cell<R> {
    /// The nodes at the lower pressure, of lower and upper temperature, then those at the upper pressure.
    pub nodes: [u32; 4],
    /// Weight of the upper temperature at the lower and at the upper pressure.
    pub temperature_weight: [R; 2],
    /// Weight of the upper pressure.
    pub pressure_weight: R,
    /// 0; keeps the layout free of gaps.
    pub unused: R,
}

impl<R: Real> Cell<R> {
    /// Linear in temperature at both pressures, then linear between them.
    #[inline(always)]
    #[must_use]
    pub fn interpolate(&self, values: [R; 4]) -> R {
        let [a, b, c, d] = values;
        let lower = a + (b - a) * self.temperature_weight[0];
        let upper = c + (d - c) * self.temperature_weight[1];
        lower + (upper - lower) * self.pressure_weight
    }
}

impl Tables<'_> {
    /// A curve of a table.
    #[inline(always)]
    pub(crate) fn curve(&self, table: &TableHead, node: u32) -> (CurveHead, CurveView) {
        let index = table.first_curve as usize + node as usize * table.stride as usize;
        // SAFETY: the builder gave every node of a table's grid a curve, and laid every curve inside the pools, whose
        // values are neighbours.
        unsafe {
            let head = *self.curves.as_ptr().add(index);
            let column = head.column as usize;
            let emissivity = table.first_emissivity as usize + head.emissivity as usize;
            let view = CurveView::new(
                self.column_per_cm2.as_ptr().add(column),
                self.inverse_width_cm2.as_ptr().add(column),
                self.inverse_width_cm2_f32.as_ptr().add(column),
                self.emissivity.as_ptr().add(emissivity),
                &head,
            );
            (head, view)
        }
    }
}
