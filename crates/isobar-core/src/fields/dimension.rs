//! The dimensions of fields, and their sizes in a batch.

/// A dimension of a field besides the items (columns, profiles, cells, rays), which all fields have.
///
/// A scheme of one's own may have others: `const SNOW_LAYER: Dimension = Dimension("snow_layer");`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimension(
    /// Its name in messages and files.
    pub &'static str,
);

/// Layers, from the surface up unless a scheme says otherwise.
pub const LAYER: Dimension = Dimension("layer");
/// Levels: the interfaces of layers, one more than these.
pub const LEVEL: Dimension = Dimension("level");
/// Tracers.
pub const TRACER: Dimension = Dimension("tracer");
/// Spectral bands.
pub const BAND: Dimension = Dimension("band");
/// Spectral channels.
pub const CHANNEL: Dimension = Dimension("channel");
/// Quadrature points of a k-distribution.
pub const G_POINT: Dimension = Dimension("g_point");
/// Words of 32 bits, a bit a g-point.
pub const MASK_WORD: Dimension = Dimension("mask_word");
/// Zenith angles.
pub const ANGLE: Dimension = Dimension("angle");
/// Legendre moments of a phase function.
pub const MOMENT: Dimension = Dimension("moment");
/// Chemical species.
pub const SPECIES: Dimension = Dimension("species");
/// Chemical reactions.
pub const REACTION: Dimension = Dimension("reaction");

/// The most dimensions of a scheme.
const MOST: usize = 16;

/// The sizes of a batch: its items, and its dimensions.
///
/// ```
/// use isobar_core::fields::{BAND, Extents, LAYER, LEVEL};
/// let extents = Extents::new(100).with(LAYER, 35);
/// assert_eq!((extents.items(), extents.size(LAYER), extents.size(LEVEL)), (100, 35, 36));
/// assert_eq!(extents.rows(&[LAYER, BAND]), 0); // without bands
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extents {
    items: usize,
    sizes: [Option<(Dimension, usize)>; MOST],
}

impl Extents {
    /// A batch of `items` items, without dimensions yet.
    #[must_use]
    pub fn new(items: usize) -> Self {
        Self { items, sizes: [None; MOST] }
    }

    /// These sizes with that of another dimension. [`LEVEL`] needs none where there is one of [`LAYER`].
    ///
    /// # Panics
    /// If there are more than sixteen dimensions.
    #[must_use]
    pub fn with(mut self, dimension: Dimension, size: usize) -> Self {
        let known = self.sizes.iter().position(|entry| entry.is_some_and(|(known, _)| known == dimension));
        let free = || self.sizes.iter().position(Option::is_none);
        let index = known.or_else(free).expect("a batch has at most sixteen dimensions");
        self.sizes[index] = Some((dimension, size));
        self
    }

    /// These sizes for another number of items.
    #[must_use]
    pub fn with_items(self, items: usize) -> Self {
        Self { items, ..self }
    }

    /// The number of items.
    #[must_use]
    pub fn items(&self) -> usize {
        self.items
    }

    /// The size of a dimension; 0 where it has none.
    #[must_use]
    pub fn size(&self, dimension: Dimension) -> usize {
        let known = |wanted| self.sizes.iter().flatten().find(|(known, _)| *known == wanted).map(|&(_, size)| size);
        match known(dimension) {
            Some(size) => size,
            None if dimension == LEVEL => known(LAYER).map_or(0, |layers| layers + 1),
            None => 0,
        }
    }

    /// The values that an item has of a field with these dimensions: the product of their sizes.
    #[must_use]
    pub fn rows(&self, shape: &[Dimension]) -> usize {
        shape.iter().map(|&dimension| self.size(dimension)).product()
    }
}
