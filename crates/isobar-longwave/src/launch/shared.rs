//! Clear-sky radiation of columns whose fields are somebody else's, as those of a model's state.

use std::sync::Arc;

use isobar_core::{Field, FieldMut, Real};
use isobar_launch::{Buffer, Error, Plain, Queue};

use super::Precision;
use super::layout::Shape;
use super::tables::DeviceTables;
use super::turns::{ALONE, Rooms};
use crate::{ARRAYS, Fluxes, Inputs, Options};

/// Which of [`crate::Columns::arrays`] the fields are: pressure, that of levels, temperature, that of levels,
/// water, ozone, that of the surface.
const FIELDS: [usize; 7] = [0, 1, 2, 3, 4, 6, 17];
/// Gases with one value for all: carbon dioxide, nitrous oxide, carbon monoxide, methane, oxygen.
const MIXED: [usize; 5] = [5, 7, 8, 9, 10];
/// The emissivity of the surface.
const EMISSIVITY: usize = 18;

/// Views of columns: what is read, in the order of `FIELDS`, and upward flux, downward flux and heating.
pub struct SharedViews<'a, R> {
    /// What is read.
    pub inputs: [Field<'a, R>; FIELDS.len()],
    /// What is written.
    pub outputs: [FieldMut<'a, R>; 3],
}

/// Radiation on a device, with room for what its kernels leave to each other.
pub struct Shared<R: Real + Plain> {
    tables: Arc<DeviceTables<R>>,
    shape: Shape,
    /// Values that stand for all levels and columns.
    ones: Buffer<R>,
    rooms: Rooms<R>,
    statuses: Buffer<u32>,
}

impl<R: Precision> Shared<R> {
    /// Room for so many columns and layers, with mole fractions of the mixed gases \[mol/mol\] and an emissivity.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], or what the driver answers.
    pub fn new(
        queue: &Queue,
        tables: Arc<DeviceTables<R>>,
        (layers, columns): (usize, usize),
        options: &Options,
        (mixed, emissivity): ([f64; MIXED.len()], f64),
    ) -> Result<Self, Error> {
        let mut ones = [R::ZERO; ARRAYS];
        let (mut all, mut one) = ([false; ARRAYS], [false; ARRAYS]);
        for array in FIELDS {
            all[array] = true;
        }
        for (array, value) in MIXED.into_iter().zip(mixed).chain([(EMISSIVITY, emissivity)]) {
            (one[array], ones[array]) = (true, R::from_f64(value));
        }
        let shape = Shape::clear(tables.extents(layers), options, all, one);
        Ok(Self {
            rooms: Rooms::new(queue, &shape, columns, ALONE)?,
            ones: queue.upload(&ones)?,
            statuses: queue.zeros(columns)?,
            tables,
            shape,
        })
    }

    /// Computes the columns.
    ///
    /// # Errors
    /// What the driver answers.
    pub fn compute(&mut self, queue: &Queue, views: SharedViews<'_, R>) -> Result<(), Error> {
        let Self { tables, shape, ones, rooms, statuses } = self;
        let temperature = views.inputs[2];
        let columns = temperature.items();
        let levels = shape.extents.levels();
        let ones = ones.item_fastest(ARRAYS, 1);
        let mut arrays = [Field::empty(); ARRAYS];
        for (array, field) in FIELDS.into_iter().zip(views.inputs) {
            arrays[array] = field;
        }
        for array in MIXED.into_iter().chain([EMISSIVITY]) {
            let place = ones.as_ptr().wrapping_add(array);
            // SAFETY: with strides of zero every place is the one value, which lives as long as `ones` is borrowed.
            arrays[array] = unsafe { Field::from_raw(place, levels[array], columns, 0, 0) };
        }
        let [up, down, heating] = views.outputs;
        let mut fields = [FieldMut::empty(); 10];
        fields[..3].copy_from_slice(&[up, down, heating]);
        let inputs = Inputs::new(arrays, None, &shape.extents, &shape.options);
        rooms.compute(queue, shape, (tables.view(), inputs, Fluxes::of_fields(fields)), statuses)
    }
}
