//! What the kernels leave to each other: the memory of a column.

use isobar_core::Real;
use isobar_core::kernel::WARP;

use crate::rrtmg::arguments::Spread;
use crate::rrtmg::schedule::lists::Lists;
use crate::rrtmg::sizes::CHUNK;
use crate::rrtmg::tables::Tables;

/// The levels of [`Spread::numbers`] and [`Spread::words`] for columns of `layers` layers.
#[cfg(feature = "std")]
#[must_use]
pub fn levels<R: Real>(tables: &Tables<'_, R>, layers: usize, cloudy: bool) -> [usize; 2] {
    let shape = Shape::of(tables, layers, cloudy);
    [shape.numbers(), shape.words()].map(|count| count as usize)
}

/// Which sum over a warp's g-points.
pub(crate) mod sum {
    /// Radiance downward, at the level below the layer.
    pub(crate) const DOWN: usize = 0;
    /// Radiance upward, at a level.
    pub(crate) const UP: usize = 1;
    /// What the radiance downward gains in a layer.
    pub(crate) const GAIN_DOWN: usize = 2;
    /// What the radiance upward gains in a layer.
    pub(crate) const GAIN_UP: usize = 3;
    /// Derivative of the radiance upward, at a level.
    pub(crate) const DERIVATIVE: usize = 4;
    /// Sums under each sky.
    #[cfg(feature = "std")]
    pub(crate) const COUNT: usize = 5;
}

/// Optical depth of aerosol in a layer and band, Planck radiance in the layer's middle, and that at its lower and upper
/// boundary less it.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub(crate) struct Head<R> {
    pub(crate) aerosol: R,
    pub(crate) planck: R,
    pub(crate) step_down: R,
    pub(crate) step_up: R,
}

/// Numbers of a [`Head`].
const HEAD: u32 = 4;

/// What the memory of a column depends on. Offsets in it are counted with 32 bits, which a GPU multiplies at once.
#[derive(Clone, Copy, Debug)]
struct Shape {
    layers: u32,
    bands: u32,
    segments: u32,
    terms: u32,
    /// All sky, and where there are clouds the clear sky, too.
    skies: u32,
}

/// As an offset counts it.
const EIGHT: u32 = CHUNK as u32;
const LANES: u32 = WARP as u32;

impl Shape {
    #[inline(always)]
    fn of<R: Real>(tables: &Tables<'_, R>, layers: usize, cloudy: bool) -> Self {
        Self {
            layers: layers as u32,
            bands: tables.band_count() as u32,
            segments: tables.segments() as u32,
            terms: tables.terms,
            skies: 1 + u32::from(cloudy),
        }
    }

    /// Layers have lists in groups of eight.
    #[inline(always)]
    fn groups(&self) -> u32 {
        self.layers.div_ceil(EIGHT)
    }

    /// Rows of lanes that are stored for a layer: emission, and absorptances and shapes of sources under each sky.
    #[inline(always)]
    fn rows(&self) -> u32 {
        1 + 2 * self.skies
    }

    /// Where the heads begin among the numbers, after what is stored.
    #[inline(always)]
    fn heads(&self) -> u32 {
        self.layers * self.segments * self.rows() * LANES
    }

    #[inline(always)]
    fn weights(&self) -> u32 {
        self.heads() + self.groups() * self.bands * EIGHT * HEAD
    }

    /// Optical depths of clouds.
    #[inline(always)]
    fn clouds(&self) -> u32 {
        self.weights() + self.groups() * self.terms * EIGHT * 2
    }

    #[inline(always)]
    fn sums(&self) -> u32 {
        self.clouds() + if self.skies > 1 { self.groups() * self.bands * EIGHT } else { 0 }
    }

    /// All, up to whole rows.
    #[cfg(feature = "std")]
    fn numbers(&self) -> u32 {
        let sums = sum::COUNT as u32 * self.skies * self.segments * (self.layers + 1);
        (self.sums() + sums).next_multiple_of(LANES)
    }

    /// Where the lengths begin among the words, after the rows of terms.
    #[inline(always)]
    fn lengths(&self) -> u32 {
        self.groups() * self.terms * EIGHT
    }

    /// Words of a group's lengths, and of one more row that says which layers have clouds.
    #[inline(always)]
    fn length_rows(&self) -> u32 {
        self.bands + 1
    }

    #[cfg(feature = "std")]
    fn words(&self) -> u32 {
        self.lengths() + self.groups() * self.length_rows() * EIGHT
    }
}

/// The memory of one column. Callers' layers, bands, segments and levels are its; they read what was written, and write
/// what no other thread reads or writes meanwhile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColumnMemory<R> {
    shape: Shape,
    numbers: *mut R,
    words: *mut u32,
}

impl<R: Real> ColumnMemory<R> {
    /// That of a column.
    ///
    /// # Safety
    /// The memory has the levels that [`crate::rrtmg::spread::levels`] tells of, and is used as the type says.
    #[inline(always)]
    pub(crate) unsafe fn new(
        spread: &Spread<'_, R>,
        tables: &Tables<'_, R>,
        (layers, cloudy): (usize, bool),
        column: usize,
    ) -> Self {
        let start = |stride: isize| column as isize * stride;
        Self {
            shape: Shape::of(tables, layers, cloudy),
            numbers: spread.numbers.as_ptr().wrapping_offset(start(spread.numbers.strides().1)),
            words: spread.words.as_ptr().wrapping_offset(start(spread.words.strides().1)),
        }
    }

    #[inline(always)]
    fn number(&self, offset: u32) -> *mut R {
        self.numbers.wrapping_add(offset as usize)
    }

    #[inline(always)]
    fn word(&self, offset: u32) -> *mut u32 {
        self.words.wrapping_add(offset as usize)
    }

    #[inline(always)]
    fn read<T: Copy>(address: *mut T) -> T {
        // SAFETY: the contract of the type.
        unsafe { address.read() }
    }

    #[inline(always)]
    fn write<T: Copy>(address: *mut T, value: T) {
        // SAFETY: the contract of the type.
        unsafe { address.write(value) };
    }

    /// The lists of a layer's group, in which it has the slot `layer % 8`.
    #[inline(always)]
    pub(crate) fn lists(&self, layer: usize) -> Lists<R> {
        let (shape, group) = (&self.shape, layer as u32 / EIGHT);
        let terms = group * shape.terms * EIGHT;
        let lengths = self.word(shape.lengths() + group * shape.length_rows() * EIGHT);
        // SAFETY: a group has memory for all terms and bands.
        unsafe { Lists::new(self.number(shape.weights() + 2 * terms).cast(), self.word(terms), lengths) }
    }

    /// A layer's offset among those of a band or another row, with the number that a group has of them.
    #[inline(always)]
    fn in_row(layer: usize, rows: u32, row: u32) -> u32 {
        let layer = layer as u32;
        (layer / EIGHT * rows + row) * EIGHT + layer % EIGHT
    }

    #[inline(always)]
    fn head_address(&self, layer: usize, band: usize) -> *mut Head<R> {
        self.number(self.shape.heads() + Self::in_row(layer, self.shape.bands, band as u32) * HEAD).cast()
    }

    #[inline(always)]
    pub(crate) fn head(&self, layer: usize, band: usize) -> Head<R> {
        Self::read(self.head_address(layer, band))
    }

    #[inline(always)]
    pub(crate) fn set_head(&self, layer: usize, band: usize, head: Head<R>) {
        Self::write(self.head_address(layer, band), head);
    }

    #[inline(always)]
    fn cloud_address(&self, layer: usize, band: usize) -> *mut R {
        self.number(self.shape.clouds() + Self::in_row(layer, self.shape.bands, band as u32))
    }

    /// Optical depth of a layer's cloudy part.
    #[inline(always)]
    pub(crate) fn cloud(&self, layer: usize, band: usize) -> R {
        Self::read(self.cloud_address(layer, band))
    }

    #[inline(always)]
    pub(crate) fn set_cloud(&self, layer: usize, band: usize, depth: R) {
        Self::write(self.cloud_address(layer, band), depth);
    }

    #[inline(always)]
    fn cloudy_address(&self, layer: usize) -> *mut u32 {
        self.word(self.shape.lengths() + Self::in_row(layer, self.shape.length_rows(), self.shape.bands))
    }

    /// Not 0 where a layer has clouds.
    #[inline(always)]
    pub(crate) fn cloudy(&self, layer: usize) -> u32 {
        Self::read(self.cloudy_address(layer))
    }

    #[inline(always)]
    pub(crate) fn set_cloudy(&self, layer: usize, cloudy: u32) {
        Self::write(self.cloudy_address(layer), cloudy);
    }

    /// The lanes from `first` on of a row that is stored for a layer and a warp of g-points.
    #[inline(always)]
    fn row_address<const W: usize>(&self, (layer, segment): (usize, usize), row: usize, first: usize) -> *mut [R; W] {
        let rows = (layer as u32 * self.shape.segments + segment as u32) * self.shape.rows() * LANES;
        self.number(rows).wrapping_add(row * WARP + first).cast()
    }

    #[inline(always)]
    pub(crate) fn row<const W: usize>(&self, of: (usize, usize), row: usize, first: usize) -> [R; W] {
        Self::read(self.row_address(of, row, first))
    }

    #[inline(always)]
    pub(crate) fn set_row<const W: usize>(&self, of: (usize, usize), row: usize, first: usize, values: [R; W]) {
        Self::write(self.row_address(of, row, first), values);
    }

    #[inline(always)]
    fn sum_address(&self, (kind, sky): (usize, usize), segment: usize, level: usize) -> *mut R {
        let row = (kind as u32 * self.shape.skies + sky as u32) * self.shape.segments + segment as u32;
        self.number(self.shape.sums() + row * (self.shape.layers + 1) + level as u32)
    }

    /// A sum over a warp's g-points.
    #[inline(always)]
    pub(crate) fn sum(&self, of: (usize, usize), segment: usize, level: usize) -> R {
        Self::read(self.sum_address(of, segment, level))
    }

    #[inline(always)]
    pub(crate) fn set_sum(&self, of: (usize, usize), segment: usize, level: usize, sum: R) {
        Self::write(self.sum_address(of, segment, level), sum);
    }
}
