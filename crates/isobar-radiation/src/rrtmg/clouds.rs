//! Clouds as kernels are given them besides the fields: how they absorb, and which g-points see them.

use isobar_core::Field;

use crate::rrtmg::grid;

/// Choices about clouds, and what kernels made of them.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Clouds<'a> {
    /// How many bands of cloud optics RRTMG_LW has in each layer, 1, 5 or all, and with which number it ends:
    /// `(layer, column)` and one more.
    ///
    /// Without sub-columns it reads the optical depths of all layers by the last number, and takes the secant of the
    /// band that it reads: clouds of unlike layers get those of other bands, or none. Without items, every band has its
    /// own.
    pub entries: Field<'a, u32>,
    /// Which g-points see a cloud; without items for those solvers: a bit each, the first in the lowest of
    /// `(layer * words + word, column)`.
    pub mask: Field<'a, u32>,
    /// Words a layer.
    pub words: u32,
    /// 0 (one coefficient over the radius), 1 (Ebert and Curry), 2 (spheres) or 3 (Fu's generalised size).
    pub ice: u32,
    /// 0 (one coefficient) or 1 (Hu and Stamnes).
    pub liquid: u32,
    /// Not 0 where sizes of ice are diameters, as beside other k-distributions, whose tables of clouds have these.
    pub diameters: u32,
}

/// The size of Fu's optics of ice over the effective radius.
pub const FU_SIZE: f64 = 1.0315;

/// Groups of bands that ice has by Ebert and Curry.
pub(crate) const EBERT_CURRY_GROUPS: u32 = 5;

const _: () = assert!(grid::ORIGINAL_POINTS == 16, "the cloud tables have 16 bands");
