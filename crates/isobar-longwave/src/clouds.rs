//! Clouds as kernels are given them: water paths, sizes and which g-points see them.

use isobar_core::{Field, Real};

use crate::grid;

/// Optical depth is given, for each layer and band.
pub const GIVEN: u32 = 0;
/// Optical depth follows from water paths and sizes.
pub const BY_SIZE: u32 = 2;

/// Clouds of `(layer, column)`. Water paths are those of the cloudy part.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Clouds<'a, R> {
    /// The cloudy part of the layer; read by the solvers without sub-columns.
    pub fraction: Field<'a, R>,
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
    /// [`GIVEN`] or [`BY_SIZE`].
    pub input: u32,
    /// 0 (one coefficient over the radius), 1 (Ebert and Curry), 2 (spheres) or 3 (Fu's generalised size).
    pub ice: u32,
    /// 0 (one coefficient) or 1 (Hu and Stamnes).
    pub liquid: u32,
    /// Ice water path \[g/m^2\].
    pub ice_path: Field<'a, R>,
    /// Liquid water path \[g/m^2\].
    pub liquid_path: Field<'a, R>,
    /// Size of ice particles \[um\], as `ice` means it.
    pub ice_size: Field<'a, R>,
    /// Effective radius of droplets \[um\].
    pub liquid_radius: Field<'a, R>,
    /// Optical depth of `(layer * bands + band, column)` where it is given.
    pub optical_depth: Field<'a, R>,
    /// What the clouds that a g-point sees have of the layer's water or optical depth,
    /// `(layer * points + point, column)`; without items where all have 1.
    pub share: Field<'a, R>,
}

/// Groups of bands that ice has by Ebert and Curry.
pub(crate) const EBERT_CURRY_GROUPS: u32 = 5;

impl<R: Real> Clouds<'_, R> {
    /// No clouds.
    #[must_use]
    pub fn none() -> Self {
        let none = Field::empty();
        Self {
            fraction: none,
            entries: Field::empty(),
            mask: Field::empty(),
            words: 0,
            input: GIVEN,
            ice: 0,
            liquid: 0,
            ice_path: none,
            liquid_path: none,
            ice_size: none,
            liquid_radius: none,
            optical_depth: none,
            share: none,
        }
    }
}

const _: () = assert!(grid::ORIGINAL_POINTS == 16, "the cloud tables have 16 bands");
