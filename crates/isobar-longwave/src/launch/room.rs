//! What kernels leave to each other in the memory of a device.

use isobar_core::kernel::WARP;
use isobar_core::{FieldMut, Real};
use isobar_launch::{Buffer, Error, Plain, Queue};

use super::layout::Shape;
use crate::spread::Spread;
use crate::{Fluxes, LayerStates, Room};

/// What kernels leave to each other, for some columns at a time.
pub(super) struct DeviceRoom<R: Real + Plain> {
    pub(super) columns: usize,
    values: Buffer<R>,
    indices: Buffer<u32>,
    lower_layers: Buffer<u32>,
    precipitable_water: Buffer<R>,
    secants: Buffer<R>,
    mask: Buffer<u32>,
    follows: Buffer<f64>,
    numbers: Buffer<R>,
    spread_words: Buffer<u32>,
    slant: Buffer<R>,
    /// Statuses that nobody looks at.
    statuses: Buffer<u32>,
}

impl<R: Real + Plain> DeviceRoom<R> {
    pub(super) fn new(queue: &Queue, shape: &Shape, columns: usize) -> Result<Self, Error> {
        let states = shape.states();
        let [numbers, words] = shape.spread_levels(queue.device());
        Ok(Self {
            columns,
            values: queue.zeros(states.values * columns)?,
            indices: queue.zeros(states.indices * columns)?,
            lower_layers: queue.zeros(columns)?,
            precipitable_water: queue.zeros(columns)?,
            secants: queue.zeros(states.secants * columns)?,
            mask: queue.zeros(shape.generated_levels() * columns)?,
            follows: queue.zeros(shape.follows_levels() * columns)?,
            numbers: queue.zeros(numbers * columns)?,
            spread_words: queue.zeros(words * columns)?,
            slant: queue.zeros(shape.levels_of_slant::<R>().iter().sum::<usize>() * columns)?,
            statuses: queue.zeros(shape.items_per_column() * columns.next_multiple_of(WARP))?,
        })
    }

    /// Views of it, and the statuses.
    pub(super) fn view(&mut self, shape: &Shape) -> (Room<'_, R>, &mut Buffer<u32>) {
        let (columns, states) = (self.columns, shape.states());
        let levels = |levels: usize| if levels > 0 { Some(levels) } else { None };
        let mask = levels(shape.generated_levels());
        let follows = levels(shape.follows_levels());
        let numbers = levels(self.numbers.len() / columns);
        let words = levels(self.spread_words.len() / columns);
        let room = Room {
            states: LayerStates {
                values: self.values.level_fastest_mut(states.values, columns),
                indices: self.indices.level_fastest_mut(states.indices, columns),
                lower_layers: self.lower_layers.item_fastest_mut(1, columns),
                precipitable_water: self.precipitable_water.item_fastest_mut(1, columns),
                secants: self.secants.level_fastest_mut(states.secants, columns),
            },
            mask: mask.map_or(FieldMut::empty(), |levels| self.mask.item_fastest_mut(levels, columns)),
            follows: follows.map_or(FieldMut::empty(), |levels| self.follows.item_fastest_mut(levels, columns)),
            spread: Spread {
                numbers: numbers.map_or(FieldMut::empty(), |levels| self.numbers.level_fastest_mut(levels, columns)),
                words: words.map_or(FieldMut::empty(), |levels| self.spread_words.level_fastest_mut(levels, columns)),
            },
            slant: fluxes(&mut self.slant, &shape.levels_of_slant::<R>(), (columns, columns)),
        };
        (room, &mut self.statuses)
    }
}

/// Views of fluxes in a buffer.
pub(super) fn fluxes<'a, R: Real + Plain>(
    buffer: &'a mut Buffer<R>,
    levels: &[usize; 10],
    (columns, padded): (usize, usize),
) -> Fluxes<'a, R> {
    let mut fields = [FieldMut::empty(); 10];
    for (field, part) in fields.iter_mut().zip(buffer.parts_mut(levels, padded)) {
        if part.levels() > 0 {
            *field = part.range(0..columns);
        }
    }
    Fluxes::of_fields(fields)
}
