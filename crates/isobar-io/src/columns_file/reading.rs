//! Reading variable by variable, and arranging what was read.

use std::path::Path;

use isobar_core::Status;

use super::{Grid, Layout, Quantity};
use crate::error::{Error, Place};
use crate::netcdf::{Coordinates, Dataset, Dimension, Field, Orientation, Refusal, Remarks, VariableSpec};

/// A file whose variables are read one by one, and arranged when all sizes are known.
pub(crate) struct Reading {
    pub(crate) file: Dataset,
    pub(crate) layout: Layout,
    fields: Vec<(&'static str, Field)>,
    /// What must be there and is not, in words.
    missing: Vec<String>,
}

impl Reading {
    pub(crate) fn new(mut file: Dataset) -> Self {
        file.clamp_rounding();
        file.take_vertical_coordinate();
        file.take_levels_around_layers();
        let layout = Layout::of(&mut file);
        file.take_part();
        Self { layout, file, fields: Vec::new(), missing: Vec::new() }
    }

    /// Reads what must be there; where it is not, [`Reading::arrange`] fails, and says so of all that is missing.
    pub(crate) fn need(&mut self, quantity: &Quantity) -> Result<(), Error> {
        let spec = quantity.spec(self.layout);
        if self.file.has(&spec)? {
            return self.need_as(&spec);
        }
        self.missing.push(self.file.missing_in_words(&spec));
        Ok(())
    }

    /// Reads what must be there, unless there is something else instead, which the message names.
    pub(crate) fn need_or(&mut self, quantity: &Quantity, instead: &str) -> Result<(), Error> {
        if self.has(quantity)? {
            return self.need(quantity);
        }
        let missing = self.file.missing_in_words(&quantity.spec(self.layout));
        self.missing.push(format!("there is no {instead}, and {missing}"));
        Ok(())
    }

    /// Reads what may be there.
    pub(crate) fn maybe(&mut self, quantity: &Quantity) -> Result<(), Error> {
        let field = self.file.read_optional(&quantity.spec(self.layout))?;
        self.fields.extend(field.map(|field| (quantity.name, field)));
        Ok(())
    }

    /// Reads what may be there and counts in some places alone, which [`Fields::take_where`] is told: elsewhere it may
    /// be missing, or anything.
    pub(crate) fn maybe_where(&mut self, quantity: &Quantity) -> Result<(), Error> {
        let field = self.file.read_unchecked(&quantity.spec(self.layout))?;
        self.fields.extend(field.map(|field| (quantity.name, field)));
        Ok(())
    }

    /// Reads what must be there and counts in some places alone.
    pub(crate) fn need_where(&mut self, quantity: &Quantity) -> Result<(), Error> {
        if self.has(quantity)? { self.maybe_where(quantity) } else { self.need(quantity) }
    }

    pub(crate) fn need_as(&mut self, spec: &VariableSpec<'static>) -> Result<(), Error> {
        let field = self.file.read(spec)?;
        self.fields.push((spec.name, field));
        Ok(())
    }

    /// Takes a field for what was read of a quantity.
    pub(crate) fn put(&mut self, quantity: &Quantity, field: Field) {
        self.fields.push((quantity.name, field));
    }

    pub(crate) fn has(&self, quantity: &Quantity) -> Result<bool, Error> {
        self.file.has(&quantity.spec(self.layout))
    }

    pub(crate) fn converts(&self, quantity: &Quantity) -> Result<bool, Error> {
        self.file.converts(&quantity.spec(self.layout))
    }

    /// The standard name of the variable that is found for a quantity.
    pub(crate) fn standard_name(&self, quantity: &Quantity) -> Option<String> {
        let (name, _) = self.file.name_and_units(&quantity.spec(self.layout))?;
        self.file.text_attribute(&name, "standard_name")
    }

    pub(crate) fn found(&self, quantity: &Quantity) -> bool {
        self.fields.iter().any(|(name, _)| *name == quantity.name)
    }

    /// Whether what was read of it is positive anywhere.
    pub(crate) fn is_positive_somewhere(&self, quantity: &Quantity) -> bool {
        self.fields.iter().any(|(name, field)| *name == quantity.name && field.values.iter().any(|&value| value > 0.0))
    }

    /// Everything surface first and of full size. Where the file does not say which end that is, this pressure does.
    pub(crate) fn arrange(self, pressure: &str, least_layers: usize) -> Result<Fields, Error> {
        self.arrange_by(pressure, None, least_layers)
    }

    /// As [`Reading::arrange`], where something else than a pressure says which end the surface is.
    pub(crate) fn arrange_by(
        mut self,
        pressure: &str,
        known: Option<Orientation>,
        least_layers: usize,
    ) -> Result<Fields, Error> {
        if !self.missing.is_empty() {
            return Err(self.file.invalid(self.missing.join("; ")));
        }
        let layers = self.file.size(Dimension::Layer).unwrap_or(0);
        if layers < least_layers {
            let problem = format!("dimension {} = {layers}: at least {least_layers} are needed", Dimension::Layer);
            return Err(Error::invalid(Place::File(self.file.path().to_owned()), problem));
        }
        let field = self.fields.iter().find(|(name, _)| *name == pressure);
        let orientation = match self.file.orientation_evidence()? {
            Some(stated) => {
                if known.is_some_and(|known| known != stated.says) {
                    let said = stated.in_words();
                    return Err(self.file.invalid(format!("{said}, but pressures are those of the other order")));
                }
                if let Some((_, field)) = field
                    && is_contradicted(stated.says, field)
                {
                    let (does, other) = match stated.says {
                        Orientation::TopFirst => ("falls", "the bottom"),
                        Orientation::BottomFirst => ("rises", "the top"),
                    };
                    let (said, name) = (stated.in_words(), &field.name);
                    return Err(self.file.invalid(format!("{said}, but {name} {does} with the index, from {other}")));
                }
                stated.says
            }
            None => known.unwrap_or_else(|| field.map_or(Orientation::TopFirst, |(_, field)| by_pressure(field))),
        };
        for (_, field) in &mut self.fields {
            field.bottom_first(orientation);
        }
        Ok(Fields { reading: self, orientation, layers, bad: Vec::new(), below_ground: Vec::new() })
    }
}

/// In how many columns pressure falls with the index, and in how many it rises.
fn falls_and_rises(field: &Field) -> (usize, usize) {
    let row: usize = field.shape[1..].iter().product();
    let last = &field.values[field.values.len() - row..];
    let count = |is: fn(f64, f64) -> bool| field.values.iter().zip(last).filter(|(a, b)| is(**a, **b)).count();
    (count(|first, last| first > last), count(|first, last| first < last))
}

/// The end at which most columns have their highest pressure.
fn by_pressure(field: &Field) -> Orientation {
    let (falls, rises) = falls_and_rises(field);
    if falls >= rises { Orientation::BottomFirst } else { Orientation::TopFirst }
}

/// Whether pressure has the other order in all columns. In some, it is these that are wrong.
fn is_contradicted(stated: Orientation, field: &Field) -> bool {
    let (falls, rises) = falls_and_rises(field);
    match stated {
        Orientation::TopFirst => falls > 0 && rises == 0,
        Orientation::BottomFirst => rises > 0 && falls == 0,
    }
}

/// What was read, surface first.
pub(crate) struct Fields {
    reading: Reading,
    pub(crate) orientation: Orientation,
    pub(crate) layers: usize,
    /// Columns with values that are used and not accepted, where reading goes on.
    bad: Vec<(usize, Status, String)>,
    /// How many layers of each column lie below its ground; none where no column has any.
    below_ground: Vec<usize>,
}

impl Fields {
    pub(crate) fn grid(&self) -> Grid {
        self.reading.layout.grid(&self.reading.file)
    }

    /// The values of a quantity, `[layer * columns + column]`; none where it was not there.
    pub(crate) fn take(&mut self, quantity: &Quantity) -> Vec<f64> {
        self.take_field(quantity.name).map_or_else(Vec::new, |field| field.values)
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
            if !used(index) {
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
    fn place(&self, row: usize, rows: usize, column: usize) -> String {
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
        Some(bad)
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

    /// Values of columns, repeated for each of these bands; a single value stays one.
    pub(crate) fn in_each_band(&self, values: Vec<f64>, bands: usize) -> Vec<f64> {
        let count = self.grid().columns();
        if values.len() == count && count > 1 { values.repeat(bands) } else { values }
    }

    fn is_single(&self, quantity: &Quantity) -> bool {
        self.reading.fields.iter().any(|(name, field)| *name == quantity.name && field.values.len() == 1)
    }

    /// What the file calls what was read.
    pub(crate) fn names(&self) -> Vec<(&'static str, String)> {
        self.reading.fields.iter().map(|(name, field)| (*name, field.name.clone())).collect()
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
        self.fill_below_ground(&mut field);
        Some(field)
    }

    /// What the file calls its layers and levels, where its dimensions are its own; else these names of its kind.
    pub(super) fn vertical(&self, of_kind: [&'static str; 2]) -> [String; 2] {
        let of_kind = of_kind.map(str::to_owned);
        if self.reading.layout != Layout::Others {
            return of_kind;
        }
        let file = &self.reading.file;
        let called = |dimension| file.dimension_of(dimension).map(|(name, _)| name);
        let [layers, levels] = of_kind;
        let layers = called(Dimension::Layer).unwrap_or(layers);
        let levels = called(Dimension::Level).filter(|name| *name != layers).unwrap_or(levels);
        let levels = if levels == layers { "half_level".to_owned() } else { levels };
        [layers, levels]
    }

    /// Where the vertical stands among the dimensions of results, and what says where these are.
    pub(super) fn grid_of_results(&self, vertical: &[String; 2]) -> (usize, Coordinates) {
        if !matches!(self.reading.layout, Layout::Others | Layout::Grid) {
            return (0, Coordinates::default());
        }
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

    /// How many layers of each column lie below its ground; none where no column has any.
    pub(crate) fn below_ground(&self) -> &[usize] {
        &self.below_ground
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
