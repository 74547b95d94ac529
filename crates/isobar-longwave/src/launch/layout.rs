//! Which arrays a batch has, and where they lie in the buffers of a device.

use isobar_core::kernel::WARP;
use isobar_core::{Field, Real};
use isobar_launch::{Buffer, Device, Plain};

use crate::{ARRAYS, Columns, Extents, Inputs, Options, Outputs, Solver, Transmittance, Words, spread, state};

/// What an array has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Values {
    None,
    /// One value for all levels and columns.
    One,
    /// One for each.
    All,
}

/// What room for a batch depends on, besides the number of columns.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shape {
    pub(super) extents: Extents,
    pub(super) options: Options,
    arrays: [Values; ARRAYS],
    cloudy: bool,
    mask: bool,
    entries: bool,
    generated: bool,
}

/// The levels of the room for states: values, indices, layers in the lower region, water, secants.
pub(super) struct States {
    pub(super) values: usize,
    pub(super) indices: usize,
    pub(super) secants: usize,
}

impl Shape {
    pub(super) fn new<R: Real>(extents: Extents, batch: &Columns<R>, words: &Words<'_>, options: &Options) -> Self {
        let values = |values: &[R]| match values.len() {
            0 => Values::None,
            1 => Values::One,
            _ => Values::All,
        };
        Self {
            extents,
            options: options.clone(),
            arrays: batch.arrays(options).map(values),
            cloudy: batch.clouds.is_some(),
            mask: !words.mask.is_empty(),
            entries: !words.entries.is_empty(),
            generated: batch.generates_masks(options),
        }
    }

    /// Clear sky, of arrays that have a value for all levels and columns where `all` says so, one for all where `ones`,
    /// and none elsewhere.
    pub(super) fn clear(extents: Extents, options: &Options, all: [bool; ARRAYS], ones: [bool; ARRAYS]) -> Self {
        let kind = |i: usize| match (all[i], ones[i]) {
            (true, _) => Values::All,
            (false, true) => Values::One,
            (false, false) => Values::None,
        };
        let arrays = std::array::from_fn(kind);
        let options = options.clone();
        Self { extents, options, arrays, cloudy: false, mask: false, entries: false, generated: false }
    }

    /// The levels of the arrays with all values.
    pub(super) fn levels_of_inputs(&self) -> Vec<usize> {
        let levels = self.arrays.iter().zip(self.extents.levels());
        levels.filter(|(values, _)| **values == Values::All).map(|(_, levels)| levels).collect()
    }

    /// The rows of those, and the values of the others (0 where there are none).
    pub(super) fn inputs<'a, R: Real>(&self, batch: &'a Columns<R>) -> (Vec<&'a [R]>, [R; ARRAYS]) {
        let (mut all, mut one) = (Vec::new(), [R::ZERO; ARRAYS]);
        for (i, values) in batch.arrays(&self.options).into_iter().enumerate() {
            match self.arrays[i] {
                Values::None => {}
                Values::One => one[i] = values[0],
                Values::All => all.push(values),
            }
        }
        (all, one)
    }

    /// The levels of masks and entries, 0 where there are none.
    pub(super) fn levels_of_words(&self) -> [usize; 2] {
        let layers = self.extents.layers;
        [if self.mask { self.levels_of_mask() } else { 0 }, if self.entries { layers + 1 } else { 0 }]
    }

    fn levels_of_mask(&self) -> usize {
        self.extents.layers * self.extents.words()
    }

    /// The levels of masks that are generated.
    pub(super) fn generated_levels(&self) -> usize {
        if self.generated { self.levels_of_mask() } else { 0 }
    }

    /// The levels that generating them needs.
    pub(super) fn follows_levels(&self) -> usize {
        let spread = self.generated && self.options.subcolumns.overlap.is_exponential();
        if spread { self.extents.layers } else { 0 }
    }

    /// Numbers and words of the kernels that a GPU takes where it can.
    pub(super) fn spread_levels(&self, device: Device) -> [usize; 2] {
        let exact = self.options.transmittance == Transmittance::Exact;
        let fast = exact && !self.options.band_fluxes && (!self.cloudy || self.options.solver == Solver::Subcolumns);
        if fast && !device.is_cpu() { spread::levels(&self.extents, self.cloudy) } else { [0; 2] }
    }

    /// The most items that a kernel has for a column, whose statuses nobody looks at.
    pub(super) fn items_per_column(&self) -> usize {
        let Extents { layers, bands, warps, .. } = self.extents;
        bands.max(warps).max(layers.div_ceil(WARP))
    }

    pub(super) fn levels_of_outputs<R: Real>(&self) -> [usize; 10] {
        Outputs::<R>::levels(&self.extents, &self.options, self.cloudy)
    }

    /// Room in the host's memory for the results of so many columns.
    pub(super) fn results<R: Real>(&self, columns: usize) -> Outputs<R> {
        Outputs::room(&self.extents, &self.options, self.cloudy, columns)
    }

    /// Those of one of several slants.
    pub(super) fn levels_of_slant<R: Real>(&self) -> [usize; 10] {
        if self.options.slants > 1 { self.levels_of_outputs::<R>() } else { [0; 10] }
    }

    pub(super) fn states(&self) -> States {
        let layers = self.extents.layers;
        States { values: state::VALUES * layers, indices: layers, secants: self.extents.bands }
    }

    /// The bytes that a column takes on a device for what comes and goes, and for what kernels leave to each other.
    pub(super) fn bytes_per_column<R: Real>(&self, device: Device) -> (usize, usize) {
        let inputs: usize = self.levels_of_inputs().iter().sum();
        let outputs: usize = self.levels_of_outputs::<R>().iter().sum();
        let words: usize = self.levels_of_words().iter().sum();
        let states = self.states();
        let slant: usize = self.levels_of_slant::<R>().iter().sum();
        let [numbers, words_of_spread] = self.spread_levels(device);
        let reals = states.values + states.secants + 1 + slant + numbers;
        let integers = states.indices + 1 + self.items_per_column() + self.generated_levels() + words_of_spread;
        (
            (inputs + outputs) * size_of::<R>() + (words + 1) * size_of::<u32>(),
            reals * size_of::<R>() + integers * size_of::<u32>() + self.follows_levels() * size_of::<f64>(),
        )
    }

    /// Views of the columns in the buffers, of which rows have room for `padded`.
    pub(super) fn views<'a, R: Real + Plain>(
        &self,
        (all, one, words): (&'a Buffer<R>, &'a Buffer<R>, &'a Buffer<u32>),
        (columns, padded): (usize, usize),
    ) -> Inputs<'a, R> {
        let mut rows = all.parts(&self.levels_of_inputs(), padded);
        let ones = one.item_fastest(ARRAYS, 1);
        let mut views = [Field::empty(); ARRAYS];
        for (i, levels) in self.extents.levels().into_iter().enumerate() {
            views[i] = match self.arrays[i] {
                Values::None => Field::empty(),
                // SAFETY: with strides of zero every place is the one value.
                Values::One => unsafe { Field::from_raw(ones.as_ptr().wrapping_add(i), levels, columns, 0, 0) },
                Values::All => rows.next().expect("as many as there are levels of inputs").range(0..columns),
            };
        }
        let mut words = words.parts(&self.levels_of_words(), padded).map(|field| match field.levels() {
            0 => Field::empty(),
            _ => field.range(0..columns),
        });
        let words = [words.next().expect("masks"), words.next().expect("entries")];
        Inputs::new(views, self.cloudy.then_some(words), &self.extents, &self.options)
    }
}
