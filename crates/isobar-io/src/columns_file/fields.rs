//! What was read, arranged.

use std::path::Path;

use isobar_core::Status;

use super::reading::GIVEN;
use super::{Grid, Quantity, Reading};
use crate::error::{Error, Place};
use crate::netcdf::{Coordinates, Dataset, Dimension, Field, Orientation, Refusal, Remarks};

/// What was read, surface first.
pub(crate) struct Fields {
    reading: Reading,
    pub(crate) orientation: Orientation,
    pub(crate) layers: usize,
    /// Columns with values that are used and not accepted, where reading goes on.
    bad: Vec<(usize, Status, String)>,
    /// How many layers of each column lie below its ground; none where no column has any.
    below_ground: Vec<usize>,
    /// The columns that are masked, in order.
    masked: Vec<usize>,
    /// What was made up or changed that a user should hear of.
    notes: Vec<String>,
    /// What columns have one value of for all bands.
    same_in_bands: Vec<&'static str>,
}

impl Fields {
    /// What was read in this order, with so many layers.
    pub(super) fn new(reading: Reading, orientation: Orientation, layers: usize) -> Self {
        let grid = reading.layout.grid(&reading.file);
        let is_masked = |column: &usize| reading.file.mask().is_some_and(|mask| mask.covers(&grid.index(*column)));
        let masked = match reading.file.mask() {
            Some(_) => (0..grid.columns()).filter(is_masked).collect(),
            None => Vec::new(),
        };
        let (bad, below_ground, notes, same_in_bands) = Default::default();
        Self { reading, orientation, layers, bad, below_ground, masked, notes, same_in_bands }
    }

    pub(crate) fn grid(&self) -> Grid {
        self.reading.layout.grid(&self.reading.file)
    }

    /// The values of a quantity, `[layer * columns + column]`; none where it was not there.
    pub(crate) fn take(&mut self, quantity: &Quantity) -> Vec<f64> {
        self.take_field(quantity.name).map_or_else(Vec::new, |field| field.values)
    }

    /// The values of a quantity of columns that others take, too; none where it was not there.
    pub(crate) fn copy(&self, quantity: &Quantity) -> Vec<f64> {
        self.field(quantity.name).map_or_else(Vec::new, |field| self.broadcast(field.clone()).values)
    }

    /// Notes what was made up or changed, in a sentence.
    pub(crate) fn note(&mut self, text: String) {
        self.notes.push(text);
    }

    /// Notes how many of these masses of water by a name of the file are below zero, if any are, which are taken for 0.
    pub(crate) fn note_negative(&mut self, name: &str, values: &[f64]) {
        let count = self.grid().columns();
        let below = |(index, value): &(usize, &f64)| **value < 0.0 && self.is_air(index / count, index % count);
        let negative: Vec<f64> = values.iter().enumerate().filter(below).map(|(_, value)| *value).collect();
        if !negative.is_empty() {
            let least = negative.iter().copied().fold(0.0, f64::min);
            let (count, all) = (negative.len(), values.len());
            let are = if count == 1 { "is" } else { "are" };
            self.note(format!(
                "{name}: {count} of {all} values {are} below 0, the least {least:e} kg/kg, and taken for 0"
            ));
        }
    }

    /// Notes in how many layers there is more than `least` of some water, by a name of the file, and less cloud than
    /// `least_fraction`, of whose cloudy part it would be.
    pub(crate) fn note_unseen(
        &mut self,
        name: &str,
        (amounts, least): (&[f64], f64),
        (fraction, least_fraction): (&[f64], f64),
    ) {
        let count = self.grid().columns();
        let with = |&(index, (amount, _)): &(usize, (&f64, &f64))| {
            *amount > least && self.is_air(index / count, index % count)
        };
        let is_clear = |(_, (_, fraction)): &(usize, (&f64, &f64))| **fraction <= least_fraction;
        let some = || amounts.iter().zip(fraction).enumerate().filter(with);
        let (all, clear) = (some().count(), some().filter(is_clear).count());
        if clear > 0 {
            self.note(format!(
                "{name}: {clear} of {all} layers with it have no cloud, and it is not seen there: it is a part of \
                 clouds"
            ));
        }
    }

    /// Whether a value of layers is that of air: not of masked columns, nor a copy of what is above the ground.
    pub(crate) fn is_air(&self, layer: usize, column: usize) -> bool {
        !self.is_masked(column) && self.below_ground.get(column).is_none_or(|&below| layer >= below)
    }

    pub(super) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The values of a quantity that counts only where it is used, by the index in the values. Elsewhere it is 0.
    pub(crate) fn take_where(&mut self, quantity: &Quantity, used: impl Fn(usize) -> bool) -> Result<Vec<f64>, Error> {
        let Some(mut field) = self.take_field(quantity.name) else { return Ok(Vec::new()) };
        let (spec, count) = (quantity.spec(self.reading.layout), self.grid().columns());
        let rows = field.values.len() / count;
        for index in 0..field.values.len() {
            let value = field.values[index];
            if spec.accepted.contains(value) {
                continue;
            }
            if !used(index) || self.is_masked(index % count) {
                field.values[index] = 0.0;
                continue;
            }
            let place = self.place(index / count, rows, index % count);
            let (name, file) = (&field.name, &self.reading.file);
            let unit = if spec.unit == "1" { String::new() } else { format!(" {}", spec.unit) };
            let (status, error) = if value.is_nan() {
                (Status::NOT_FINITE, file.invalid(format!("{name} is missing at {place}, where it is used")))
            } else {
                let (what, range) = (format!("{name} = {value}{unit} at {place}"), spec.accepted.to_string());
                let place = Place::File(file.path().to_owned());
                (Status::OUT_OF_RANGE, Error::OutOfRange { place, what, range })
            };
            if !file.keeps_going() {
                return Err(error);
            }
            field.values[index] = f64::NAN;
            self.bad.push((index % count, status, error.to_string()));
        }
        Ok(field.values)
    }

    /// The words for one of a column's `rows` rows, counted in the file's own order.
    pub(crate) fn place(&self, row: usize, rows: usize, column: usize) -> String {
        let column = self.grid().place(column);
        let levels = if rows.is_multiple_of(self.layers) { self.layers } else { rows };
        let (level, band) = (row * levels / rows.max(1), row % (rows / levels).max(1));
        let level = match self.orientation {
            Orientation::BottomFirst => level,
            Orientation::TopFirst => levels - 1 - level,
        };
        match rows {
            1 => column,
            _ if rows == levels => format!("layer {level}, {column}"),
            _ => format!("layer {level}, band {band}, {column}"),
        }
    }

    /// The columns that are bad, where reading goes on, each with what is wrong with it.
    pub(crate) fn bad(&self) -> Option<Vec<(usize, Status, String)>> {
        if !self.reading.file.keeps_going() {
            return None;
        }
        let grid = self.grid();
        let mut bad = Vec::new();
        for refusal in self.refusals() {
            let status = if refusal.finite { Status::OUT_OF_RANGE } else { Status::NOT_FINITE };
            bad.extend(
                grid.columns_at(&refusal.index).into_iter().map(|column| (column, status, refusal.text.clone())),
            );
        }
        bad.extend(self.bad.iter().cloned());
        bad.retain(|(column, ..)| !self.is_masked(*column));
        Some(bad)
    }

    /// The columns that are masked, in order, what says so, and why the first value of that is missing.
    pub(crate) fn masked(&self) -> (&[usize], [&str; 2]) {
        (&self.masked, self.reading.file.mask().map_or([""; 2], |mask| [&mask.name, &mask.why]))
    }

    pub(crate) fn is_masked(&self, column: usize) -> bool {
        self.masked.binary_search(&column).is_ok()
    }

    /// The values of a quantity; a single value stays one.
    pub(crate) fn take_compact(&mut self, quantity: &Quantity) -> Vec<f64> {
        let single = self.is_single(quantity);
        let mut values = self.take(quantity);
        if single {
            values.truncate(1);
        }
        values
    }

    /// The values of a quantity that counts only where it is used; a single value stays one.
    pub(crate) fn take_compact_where(
        &mut self,
        quantity: &Quantity,
        used: impl Fn(usize) -> bool,
    ) -> Result<Vec<f64>, Error> {
        let single = self.is_single(quantity);
        let mut values = self.take_where(quantity, used)?;
        if single {
            values.truncate(1);
        }
        Ok(values)
    }

    /// Values of columns by this name of ours, repeated for each of these bands; a single value stays one.
    pub(crate) fn in_each_band(&mut self, name: &'static str, values: Vec<f64>, bands: usize) -> Vec<f64> {
        let count = self.grid().columns();
        if values.len() != count || count < 2 {
            return values;
        }
        self.same_in_bands.push(name);
        values.repeat(bands)
    }

    /// What was repeated for each band, by our names.
    pub(super) fn same_in_bands(&self) -> &[&'static str] {
        &self.same_in_bands
    }

    fn is_single(&self, quantity: &Quantity) -> bool {
        self.reading.fields.iter().any(|(name, field)| *name == quantity.name && field.values.len() == 1)
    }

    /// What the file calls what was read.
    pub(crate) fn names(&self) -> Vec<(&'static str, String)> {
        self.reading.fields.iter().map(|(name, field)| (*name, field.name.clone())).collect()
    }

    /// What was read of the caller's values, in words.
    pub(crate) fn given(&self) -> Vec<String> {
        let given = self.reading.fields.iter().filter(|(_, field)| field.name == GIVEN);
        given.map(|(name, field)| format!("{name} = {}, as asked for", field.values[0])).collect()
    }

    /// What the file calls what was read by this name.
    pub(crate) fn name(&self, name: &str) -> Option<String> {
        self.field(name).map(|field| field.name.clone())
    }

    pub(crate) fn path(&self) -> &Path {
        self.reading.file.path()
    }

    pub(crate) fn file(&self) -> &Dataset {
        &self.reading.file
    }

    /// What was read by this name, as the file has it.
    pub(crate) fn field(&self, name: &str) -> Option<&Field> {
        self.reading.fields.iter().find(|(known, _)| *known == name).map(|(_, field)| field)
    }

    /// A field of full size.
    pub(crate) fn broadcast(&self, field: Field) -> Field {
        self.reading.file.broadcast(field)
    }

    /// The error that says this of the file.
    pub(crate) fn refuse(&self, text: impl Into<String>) -> Error {
        self.reading.file.invalid(text)
    }

    pub(crate) fn remarks(&self) -> Remarks {
        Remarks::of(&self.reading.file)
    }

    pub(crate) fn refusals(&self) -> &[Refusal] {
        self.reading.file.refusals()
    }

    /// That a dimension has one of these sizes, which in words are so.
    pub(crate) fn check_size(&self, dimension: Dimension, sizes: &[usize], in_words: &str) -> Result<(), Error> {
        match self.reading.file.size(dimension) {
            Some(size) if !sizes.contains(&size) => {
                let problem = format!("dimension {dimension} = {size}: the k-distribution has {in_words}");
                Err(Error::invalid(Place::File(self.path().to_owned()), problem))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn take_field(&mut self, name: &str) -> Option<Field> {
        let position = self.reading.fields.iter().position(|(known, _)| *known == name)?;
        let (_, field) = self.reading.fields.swap_remove(position);
        let mut field = self.reading.file.broadcast(field);
        for (dimension, order) in &self.reading.orders {
            field.arrange(*dimension, order);
        }
        self.fill_below_ground(&mut field);
        Some(field)
    }

    /// What the file calls its layers and levels; where it does not, these names of its kind.
    pub(super) fn vertical(&self, of_kind: [&'static str; 2]) -> [String; 2] {
        let file = &self.reading.file;
        let called = |dimension| file.dimension_of(dimension).map(|(name, _)| name);
        let [layers, levels] = of_kind.map(str::to_owned);
        let layers = called(Dimension::Layer).unwrap_or(layers);
        let levels = called(Dimension::Level).filter(|name| *name != layers).unwrap_or(levels);
        let levels = if levels == layers { "half_level".to_owned() } else { levels };
        [layers, levels]
    }

    /// Where the vertical stands among the dimensions of results, and what says where these are.
    pub(super) fn grid_of_results(&self, vertical: &[String; 2]) -> (usize, Coordinates) {
        let file = &self.reading.file;
        let mut dimensions: Vec<String> = self.grid().dimensions.into_iter().map(|(_, name, _)| name).collect();
        let position = file.vertical_position(&dimensions);
        dimensions.extend(vertical.iter().cloned());
        (position, file.coordinates_of(&dimensions))
    }

    /// From now on layers below the ground have what the lowest above it has, of which they are parts.
    pub(crate) fn leave_below_ground(&mut self, layers: Vec<usize>) {
        self.below_ground = layers;
    }

    fn fill_below_ground(&self, field: &mut Field) {
        let (count, layers) = (self.below_ground.len(), self.layers);
        if count == 0 || field.size(Dimension::Layer) != layers {
            return;
        }
        let rows = field.values.len() / count / layers;
        for (column, &below) in self.below_ground.iter().enumerate() {
            for row in 0..rows {
                let at = |layer: usize| (layer * rows + row) * count + column;
                let value = field.values[at(below)];
                (0..below).for_each(|layer| field.values[at(layer)] = value);
            }
        }
    }
}
