//! What the tables say of the layers of a column, in the memory that one kernel leaves to the next.
//!
//! A *stencil* is where a layer lies in the tables of a pair of key gases ([`Stencil`]); an *amount* what multiplies
//! the coefficients of a lesser gas; a *place* the position of a temperature among those of the Planck tables.

use isobar_core::{FieldMut, Lanes, Real};

use crate::read_pair::read_pair;

/// Weights of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(16))]
pub struct Stencil<R> {
    /// Weights of minor tables' rows, which make 1 together: two from the first on, two from the second on.
    pub minor: [R; 4],
    /// What multiplies the major coefficients of the first four rows and of the second four.
    pub amount: [R; 2],
    /// How far it is along the axis that only the major table has, in steps.
    pub beyond: R,
    /// Nothing.
    pub padding: R,
}

/// The numbers of a [`Stencil`].
pub const STENCIL: usize = 8;

impl<R: Real> Stencil<R> {
    /// Weights of the first four (0) or the second four (1) of the major table's rows.
    #[inline(always)]
    pub(crate) fn major(&self, half: usize) -> [R; 4] {
        let (here, beyond) = (R::ONE - self.beyond, self.beyond);
        let [first, second] = [self.minor[2 * half], self.minor[2 * half + 1]];
        [first * here, second * here, first * beyond, second * beyond]
    }
}

/// Rows that a stencil begins with: of the major table two, of minor tables two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(16))]
pub struct Rows {
    /// Of the major table.
    pub major: [u32; 2],
    /// Of minor tables.
    pub minor: [u32; 2],
}

/// Words of [`Rows`].
pub const ROWS: usize = 4;

/// Where everything lies in a column's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Layout {
    /// Layers.
    pub layers: u32,
    /// Pairs of key gases.
    pub flavours: u32,
    /// Lesser gases.
    pub slots: u32,
}

impl Layout {
    /// Numbers of a column.
    #[must_use]
    pub fn numbers(&self) -> usize {
        (self.air(self.layers) as usize).next_multiple_of(STENCIL)
    }

    /// Words of a column.
    #[must_use]
    pub fn words(&self) -> usize {
        (self.place_row(self.places()) as usize).next_multiple_of(ROWS)
    }

    /// Places of temperatures: of layers, of levels, of the surface and of a surface 1 K warmer.
    #[inline(always)]
    fn places(&self) -> u32 {
        2 * self.layers + 3
    }

    #[inline(always)]
    fn stencil(&self, layer: u32, flavour: u32) -> u32 {
        // A warp reads the same pairs in neighbouring layers.
        flavour * self.layers + layer
    }

    #[inline(always)]
    fn place_weights(&self, place: u32) -> u32 {
        self.stencil(0, self.flavours) * STENCIL as u32 + 2 * place
    }

    #[inline(always)]
    fn amount(&self, layer: u32, slot: u32) -> u32 {
        // A warp writes those of neighbouring layers.
        self.place_weights(self.places()) + slot * self.layers + layer
    }

    #[inline(always)]
    fn air(&self, layer: u32) -> u32 {
        self.amount(layer, self.slots)
    }

    #[inline(always)]
    fn lower_layers(&self) -> u32 {
        self.layers * self.flavours * ROWS as u32
    }

    #[inline(always)]
    fn place_row(&self, place: u32) -> u32 {
        self.lower_layers() + 1 + place
    }
}

/// Whose temperature a place is that of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The middle of a layer.
    Layer(usize),
    /// A level.
    Level(usize),
    /// The surface.
    Surface,
    /// The surface, if it were 1 K warmer.
    WarmerSurface,
}

/// Memory of all columns: views with the levels of [`Layout::numbers`] and [`Layout::words`], those of a column side by
/// side.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct States<'a, R> {
    /// Numbers.
    pub numbers: FieldMut<'a, R>,
    /// Words.
    pub words: FieldMut<'a, u32>,
}

/// Memory of one column.
#[derive(Clone, Copy, Debug)]
pub struct ColumnState<R> {
    layout: Layout,
    numbers: *mut R,
    words: *mut u32,
}

impl<R: Real> ColumnState<R> {
    /// That of a column.
    ///
    /// # Safety
    /// The views have the sizes of the layout, the column is one of theirs, and callers' layers and numbers are below
    /// those of the layout. What is read was written before; what is written belongs to the caller's item.
    #[inline(always)]
    #[must_use]
    pub unsafe fn new(states: &States<'_, R>, layout: Layout, column: usize) -> Self {
        let start = |stride: isize| column as isize * stride;
        Self {
            layout,
            numbers: states.numbers.as_ptr().wrapping_offset(start(states.numbers.strides().1)),
            words: states.words.as_ptr().wrapping_offset(start(states.words.strides().1)),
        }
    }

    /// Sets all numbers to 0, a lane its own.
    #[inline(always)]
    pub fn clear<const W: usize>(&self, lanes: Lanes<W>) {
        for offset in lanes.strided(self.layout.numbers()) {
            // SAFETY: the contract of `new`.
            unsafe { self.number(offset as u32).write(R::ZERO) };
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

    /// Where a layer's rows begin in the tables of a pair of key gases.
    #[inline(always)]
    #[must_use]
    pub fn rows(&self, layer: usize, flavour: u32) -> Rows {
        let rows = self.word(self.layout.stencil(layer as u32, flavour) * ROWS as u32).cast::<Rows>();
        // SAFETY: the contract of `new`; a device's memory is aligned, that of a host need not be.
        unsafe { if cfg!(target_arch = "nvptx64") { rows.read() } else { rows.read_unaligned() } }
    }

    /// A layer's weights of those rows.
    #[inline(always)]
    #[must_use]
    pub fn stencil(&self, layer: usize, flavour: u32) -> Stencil<R> {
        let index = self.layout.stencil(layer as u32, flavour);
        let weights = self.number(index * STENCIL as u32).cast::<Stencil<R>>();
        // SAFETY: as above.
        unsafe { if cfg!(target_arch = "nvptx64") { weights.read() } else { weights.read_unaligned() } }
    }

    /// Sets it.
    #[inline(always)]
    pub fn set_stencil(&self, layer: usize, flavour: u32, rows: Rows, stencil: Stencil<R>) {
        let index = self.layout.stencil(layer as u32, flavour);
        let to_rows = self.word(index * ROWS as u32).cast::<Rows>();
        let to_weights = self.number(index * STENCIL as u32).cast::<Stencil<R>>();
        // SAFETY: as above.
        unsafe {
            if cfg!(target_arch = "nvptx64") {
                to_rows.write(rows);
                to_weights.write(stencil);
            } else {
                to_rows.write_unaligned(rows);
                to_weights.write_unaligned(stencil);
            }
        }
    }

    /// The amount of a lesser gas of the layer's region.
    #[inline(always)]
    #[must_use]
    pub fn amount(&self, layer: usize, slot: u32) -> R {
        // SAFETY: the contract of `new`.
        unsafe { self.number(self.layout.amount(layer as u32, slot)).read() }
    }

    /// Sets it.
    #[inline(always)]
    pub fn set_amount(&self, layer: usize, slot: u32, amount: R) {
        // SAFETY: the contract of `new`.
        unsafe { self.number(self.layout.amount(layer as u32, slot)).write(amount) };
    }

    /// The amount of air that scatters.
    #[inline(always)]
    #[must_use]
    pub fn air(&self, layer: usize) -> R {
        // SAFETY: the contract of `new`.
        unsafe { self.number(self.layout.air(layer as u32)).read() }
    }

    /// How many layers are in the lower atmosphere: they are the first.
    #[inline(always)]
    #[must_use]
    pub fn lower_layers(&self) -> usize {
        // SAFETY: the contract of `new`.
        unsafe { self.word(self.layout.lower_layers()).read() as usize }
    }

    /// Sets it.
    #[inline(always)]
    pub fn set_lower_layers(&self, layers: usize) {
        // SAFETY: the contract of `new`.
        unsafe { self.word(self.layout.lower_layers()).write(layers as u32) };
    }

    /// Sets the amount of air that scatters.
    #[inline(always)]
    pub fn set_air(&self, layer: usize, air: R) {
        // SAFETY: the contract of `new`.
        unsafe { self.number(self.layout.air(layer as u32)).write(air) };
    }

    #[inline(always)]
    fn place_number(&self, place: Place) -> u32 {
        match place {
            Place::Layer(layer) => layer as u32,
            Place::Level(level) => self.layout.layers + level as u32,
            Place::Surface => 2 * self.layout.layers + 1,
            Place::WarmerSurface => 2 * self.layout.layers + 2,
        }
    }

    /// Where the first of two rows of the Planck table begins, and their weights.
    #[inline(always)]
    #[must_use]
    pub fn place(&self, place: Place) -> (u32, [R; 2]) {
        let place = self.place_number(place);
        let weights = self.number(self.layout.place_weights(place));
        // SAFETY: the contract of `new`.
        unsafe { (self.word(self.layout.place_row(place)).read(), read_pair(weights)) }
    }

    /// Sets it.
    #[inline(always)]
    pub fn set_place(&self, place: Place, (row, weights): (u32, [R; 2])) {
        let place = self.place_number(place);
        let start = self.number(self.layout.place_weights(place));
        // SAFETY: the contract of `new`.
        unsafe {
            self.word(self.layout.place_row(place)).write(row);
            start.write(weights[0]);
            start.add(1).write(weights[1]);
        }
    }
}
