//! A batch in the host's memory.

use isobar_core::{Field, FieldMut, Real};

use crate::arguments::Spread;
use crate::fluxes::Fluxes;
use crate::host::arrays::ARRAYS;
use crate::host::columns::Columns;
use crate::host::inputs::Inputs;
use crate::host::options::Options;
use crate::host::outputs::{Outputs, States};
use crate::host::table_data::TableData;
use crate::host::views::{field, field_mut};
use crate::host::work::{Room, Work};
use crate::schedule::spread;
use crate::sizes::Extents;

/// A [`Room`] in the host's memory.
#[derive(Debug, Clone)]
pub struct HostRoom<R> {
    columns: usize,
    states: States<R>,
    mask: Vec<u32>,
    follows: Vec<f64>,
    slant: Outputs<R>,
    /// [`Spread`]; empty unless wanted.
    numbers: Vec<R>,
    words: Vec<u32>,
}

impl<R: Real> HostRoom<R> {
    /// Room for so many columns at a time of such a batch; for masks too, if the kernel has to generate them.
    #[must_use]
    pub fn new(extents: &Extents, batch: &Columns<R>, options: &Options, (columns, generated): (usize, bool)) -> Self {
        let layers = extents.layers;
        let rows = |wanted: bool, rows: usize| if wanted { rows * columns } else { 0 };
        let spread = generated && options.subcolumns.overlap.is_exponential();
        let slant = if options.slants > 1 {
            Outputs::room(extents, options, batch.clouds.is_some(), columns)
        } else {
            Outputs::default()
        };
        Self {
            columns,
            states: States::room(layers, columns, extents.bands),
            mask: vec![0; rows(generated, layers * extents.words())],
            follows: vec![0.0; rows(spread, layers)],
            slant,
            numbers: Vec::new(),
            words: Vec::new(),
        }
    }

    /// The same with memory for the kernels of [`crate::spread`], which are then taken: a GPU's way on a CPU, for
    /// comparison.
    #[must_use]
    pub fn with_spread(mut self, extents: &Extents, cloudy: bool) -> Self {
        let [numbers, words] = spread::levels(extents, cloudy);
        self.numbers = vec![R::ZERO; numbers * self.columns];
        self.words = vec![0; words * self.columns];
        self
    }

    /// What [`crate::Layers`] left.
    #[must_use]
    pub fn states(&self) -> &States<R> {
        &self.states
    }

    fn view(&mut self, layers: usize) -> Room<'_, R> {
        let columns = self.columns;
        let mask = self.mask.len() / columns;
        Room {
            states: self.states.view(layers, columns),
            mask: if mask > 0 { FieldMut::item_fastest(&mut self.mask, mask, columns) } else { FieldMut::empty() },
            follows: field_mut(&mut self.follows, layers, columns),
            spread: match self.numbers.len() / columns {
                0 => Spread::none(),
                numbers => Spread {
                    numbers: FieldMut::level_fastest(&mut self.numbers, numbers, columns),
                    words: {
                        let words = self.words.len() / columns;
                        FieldMut::level_fastest(&mut self.words, words, columns)
                    },
                },
            },
            slant: self.slant.view(columns),
        }
    }
}

impl<'a, R: Real> Work<'a, R> {
    /// A batch in the host's memory: columns, which are valid, their [`crate::Words`] (masks and entries), room and
    /// results.
    #[must_use]
    pub fn on_host(
        tables: &'a TableData<R>,
        columns: &'a Columns<R>,
        words: [&'a [u32]; 2],
        options: &Options,
        (room, fluxes): (&'a mut HostRoom<R>, Fluxes<'a, R>),
    ) -> Self {
        let (layers, count) = (columns.layers(), columns.columns());
        let extents = tables.extents(layers);
        let (arrays, levels) = (columns.arrays(options), extents.levels());
        let mut views = [Field::empty(); ARRAYS];
        for (view, (values, levels)) in views.iter_mut().zip(arrays.into_iter().zip(levels)) {
            *view = field(values, levels, count);
        }
        let words = words.map(|words| match words.len() / count {
            0 => Field::empty(),
            rows => Field::item_fastest(words, rows, count),
        });
        let clouds = columns.clouds.as_ref().map(|_| words);
        let inputs = Inputs::new(views, clouds, &extents, options);
        Self { tables: tables.view(), inputs, room: room.view(layers), fluxes }
    }
}
