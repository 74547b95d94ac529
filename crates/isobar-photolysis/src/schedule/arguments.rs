//! The arguments of the kernels, and what an item is.

use isobar_core::{Column, Field, FieldMut};

use crate::fields::ColumnViews;
use crate::physics::air::Optics;

/// Rows that are kept of a level: what is above reflects and sends down, and how light rises through the layer below.
pub(crate) const ROWS: usize = 4;

/// The first kernel: slant paths of 32 neighbouring columns, an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Paths<'a, R> {
    /// Heights of levels \[km\].
    pub height_km: Field<'a, R>,
    /// Cosines of the Sun's zenith angle.
    pub cosine_of_zenith: Column<'a, R>,
    /// For each level, `[level * layers + layer]`, how many times its thickness the ray is in a layer; -1 in the dark.
    pub paths: FieldMut<'a, R>,
}

/// The second kernel: actinic flux of 32 neighbouring columns in a bin, an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Flux<'a, R> {
    /// The columns.
    pub columns: ColumnViews<'a, R>,
    /// The tables.
    pub optics: Optics<'a, R>,
    /// What [`Paths`] found.
    pub paths: Field<'a, R>,
    /// What an item keeps of its levels on the way down, [`Flux::rows`] a bin.
    pub kept: FieldMut<'a, R>,
    /// Actinic flux \[cm^-2 s^-1\], `[bin * layers + layer]`.
    pub actinic_flux_per_cm2_s: FieldMut<'a, R>,
}

impl<R> Flux<'_, R> {
    /// The rows that are kept of a bin.
    #[must_use]
    pub fn rows(layers: usize) -> usize {
        ROWS * (layers + 1) + layers
    }
}

/// The third kernel: rates of 32 neighbouring columns in a layer, an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Rate<'a, R> {
    /// The columns.
    pub columns: ColumnViews<'a, R>,
    /// The tables.
    pub optics: Optics<'a, R>,
    /// Actinic flux \[cm^-2 s^-1\], `[bin * layers + layer]`.
    pub actinic_flux_per_cm2_s: Field<'a, R>,
    /// Rates \[s^-1\], `[reaction * layers + layer]`.
    pub rate_per_s: FieldMut<'a, R>,
}
