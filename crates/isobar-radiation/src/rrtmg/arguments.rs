//! What kernels are given: views and options. The kernels themselves are in [`crate::rrtmg::kernel`].

use core::ops::Range;

use isobar_core::{Field, FieldMut, Real};

use crate::rrtmg::clouds::Clouds;
use crate::rrtmg::jump::Jumps;
use crate::rrtmg::tables::Tables;
use crate::rrtmg::views::{ColumnViews, FluxViews};

/// What the optics need, of every column.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct LayerStates<'a, R> {
    /// The numbers of [`crate::rrtmg::state`], `(number * layers + layer, column)`.
    pub values: FieldMut<'a, R>,
    /// [`crate::rrtmg::state::Indices`] of `(layer, column)`.
    pub indices: FieldMut<'a, u32>,
    /// The number of layers in the lower region.
    pub lower_layers: FieldMut<'a, u32>,
    /// Precipitable water \[cm\].
    pub precipitable_water_cm: FieldMut<'a, R>,
    /// Secant of the diffusivity angle in each `(band, column)`.
    pub secants: FieldMut<'a, R>,
}

/// A part of a tile of 32 columns and 32 layers, which has 32 items: a layer each, whose columns the lanes of a CPU's
/// thread have, or a column each, whose layers a GPU's lanes have. A CPU reads what lies side by side at once, a GPU
/// writes it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Layers<'a, R> {
    /// The tables.
    pub tables: Tables<'a, R>,
    /// The columns.
    pub columns: ColumnViews<'a, R>,
    /// Where the results go.
    pub states: LayerStates<'a, R>,
}

/// The layers of the lower region, precipitable water and diffusivity angles of a column: an item.
/// [`crate::rrtmg::Layers`] comes first.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Slants<'a, R> {
    /// The tables.
    pub tables: Tables<'a, R>,
    /// The columns.
    pub columns: ColumnViews<'a, R>,
    /// What the layers left, and where the results go.
    pub states: LayerStates<'a, R>,
}

/// KISS is seeded from the pressures of this number of layers.
pub(crate) const LEAST_LAYERS: usize = 4;

/// The sub-columns of one column: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CloudMask<'a, R> {
    /// One of the constants of [`isobar_optics::overlap`].
    pub overlap: u32,
    /// How often KISS is advanced first.
    pub skip: u32,
    /// How it comes from g-point to g-point.
    pub jumps: Jumps,
    /// The number of g-points.
    pub points: u32,
    /// The columns, of at least four layers, by whose pressures KISS is seeded.
    pub columns: ColumnViews<'a, R>,
    /// Decorrelation length \[m\]; 0 where it depends on latitude.
    pub length_m: f64,
    /// Latitude at which that is greatest \[degrees\].
    pub centre_deg: f64,
    /// Memory of `(layer, column)`; without items unless overlap is exponential.
    pub follows: FieldMut<'a, f64>,
    /// The mask of `(layer * words + word, column)`.
    pub mask: FieldMut<'a, u32>,
}

/// How many bands of cloud optics RRTMG_LW has in each layer of a column: an item. See [`Clouds::entries`].
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CloudEntries<'a, R> {
    /// The columns.
    pub columns: ColumnViews<'a, R>,
    /// As in [`Clouds::ice`].
    pub ice: u32,
    /// As in [`Clouds::liquid`].
    pub liquid: u32,
    /// The number of bands.
    pub bands: u32,
    /// Where they go, `(layer, column)` and one more.
    pub entries: FieldMut<'a, u32>,
}

/// What lists and sources are made of.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Sources<'a, R> {
    /// The tables.
    pub tables: Tables<'a, R>,
    /// What [`crate::rrtmg::Layers`] left.
    pub states: LayerStates<'a, R>,
    /// The columns.
    pub columns: ColumnViews<'a, R>,
}

/// No clouds.
pub const CLEAR: u32 = 0;
/// Clouds that some g-points see and others not.
pub const SUBCOLUMNS: u32 = 1;
/// Cloud fractions, overlapping at random.
pub const RANDOM: u32 = 2;
/// Cloud fractions, overlapping as much as possible within a cloud and at random otherwise.
pub const MAXIMUM_RANDOM: u32 = 3;
/// Any of these and either transmittance, decided when the kernel runs.
pub const ANY: u32 = 4;

/// What transfer needs.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct TransferArgs<'a, R> {
    /// Layers and tables.
    pub sources: Sources<'a, R>,
    /// Clouds; without mask where there are none.
    pub clouds: Clouds<'a>,
    /// Kelvins a day that 1 W/m^2 gives to a layer of 1 hPa.
    pub heating_factor: R,
    /// The secant of the zenith angle of all radiation; 0 for the diffusivity angle of each band and column.
    pub secant: R,
    /// One of [`CLEAR`], [`SUBCOLUMNS`], [`RANDOM`] and [`MAXIMUM_RANDOM`]: what [`Transfer`] of [`ANY`] computes.
    pub sky: u32,
    /// Not 0 where transmittances are those of RRTMG_LW's table, to compare digit by digit with it, instead of exact;
    /// read by [`ANY`].
    pub table: u32,
    /// Results.
    pub fluxes: FluxViews<'a, R>,
}

impl<R: Real> TransferArgs<'_, R> {
    /// The secant of a band's diffusivity angle.
    #[inline(always)]
    pub(crate) fn secant_of(&self, band: usize, column: usize) -> R {
        if self.secant > R::ZERO { self.secant } else { self.sources.states.secants.at(band, column) }
    }
}

/// Fluxes of one column: an item. `SKY` is [`CLEAR`] or [`SUBCOLUMNS`], both with exact transmittances and fast, or
/// [`ANY`].
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Transfer<'a, R, const SKY: u32>(
    /// The batch.
    pub TransferArgs<'a, R>,
);

/// Optical depths and Planck fractions of one column: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct OpticalDepths<'a, R> {
    /// What they follow from.
    pub sources: Sources<'a, R>,
    /// Vertical optical depth of gases and aerosol in `(layer * points + point, column)`.
    pub optical_depth: FieldMut<'a, R>,
    /// The g-point's part of the band's Planck radiance, likewise.
    pub fraction: FieldMut<'a, R>,
}

/// One result of one column: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct AddSlant<'a, R> {
    /// What one angle gives.
    pub values: Field<'a, R>,
    /// The result, of as many levels.
    pub sums: FieldMut<'a, R>,
    /// The angle's weight.
    pub weight: R,
    /// Not 0 for the first angle, which finds nothing to add to.
    pub first: u32,
}

/// What the kernels leave to each other, the column is the slowest index.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Spread<'a, R> {
    /// Numbers, as many levels as `spread::levels` says.
    pub numbers: FieldMut<'a, R>,
    /// Words, likewise.
    pub words: FieldMut<'a, u32>,
}

impl<R: Real> Spread<'_, R> {
    /// No memory.
    #[must_use]
    pub fn none() -> Self {
        Self { numbers: FieldMut::empty(), words: FieldMut::empty() }
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// That of some columns.
    #[must_use]
    pub fn range(&self, columns: &Range<usize>) -> Self {
        if self.is_empty() {
            return *self;
        }
        Self { numbers: self.numbers.range(columns.clone()), words: self.words.range(columns.clone()) }
    }
}

/// The layers of a column in some neighbouring bands: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ListTerms<'a, R> {
    /// Layers and tables.
    pub sources: Sources<'a, R>,
    /// Clouds; without mask where there are none.
    pub clouds: Clouds<'a>,
    /// Where the lists go.
    pub spread: Spread<'a, R>,
}

/// A warp of g-points of a column: an item. `SKY` is [`CLEAR`] or [`crate::rrtmg::transfer::SUBCOLUMNS`];
/// transmittances are exact.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Sweeps<'a, R, const SKY: u32> {
    /// The batch.
    pub arguments: TransferArgs<'a, R>,
    /// Lists, and where sums go.
    pub spread: Spread<'a, R>,
}

/// The levels of a column: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Totals<'a, R> {
    /// The batch.
    pub arguments: TransferArgs<'a, R>,
    /// The sums.
    pub spread: Spread<'a, R>,
}
