//! Reading variable by variable, and arranging what was read.

use std::path::Path;

use super::{Grid, Layout, Quantity};
use crate::error::{Error, Place};
use crate::netcdf::{Dataset, Dimension, Field, Orientation, Refusal, VariableSpec};

/// A file whose variables are read one by one, and arranged when all sizes are known.
pub(crate) struct Reading {
    pub(crate) file: Dataset,
    pub(crate) layout: Layout,
    fields: Vec<(&'static str, Field)>,
}

impl Reading {
    pub(crate) fn new(file: Dataset) -> Self {
        Self { layout: Layout::of(&file), file, fields: Vec::new() }
    }

    /// Reads what must be there.
    pub(crate) fn need(&mut self, quantity: &Quantity) -> Result<(), Error> {
        self.need_as(&quantity.spec(self.layout))
    }

    /// Reads what must be there, unless there is something else instead, which the message names.
    pub(crate) fn need_or(&mut self, quantity: &Quantity, instead: &str) -> Result<(), Error> {
        if self.has(quantity)? {
            return self.need(quantity);
        }
        let lacking = quantity.spec(self.layout);
        Err(self.file.invalid(format!("{lacking} is missing, and there is no {instead}")))
    }

    /// Reads what may be there.
    pub(crate) fn maybe(&mut self, quantity: &Quantity) -> Result<(), Error> {
        let field = self.file.read_optional(&quantity.spec(self.layout))?;
        self.fields.extend(field.map(|field| (quantity.name, field)));
        Ok(())
    }

    pub(crate) fn need_as(&mut self, spec: &VariableSpec<'static>) -> Result<(), Error> {
        let field = self.file.read(spec)?;
        self.fields.push((spec.name, field));
        Ok(())
    }

    pub(crate) fn has(&self, quantity: &Quantity) -> Result<bool, Error> {
        self.file.has(&quantity.spec(self.layout))
    }

    pub(crate) fn converts(&self, quantity: &Quantity) -> Result<bool, Error> {
        self.file.converts(&quantity.spec(self.layout))
    }

    pub(crate) fn found(&self, quantity: &Quantity) -> bool {
        self.fields.iter().any(|(name, _)| *name == quantity.name)
    }

    /// Whether what was read of it is positive anywhere.
    pub(crate) fn is_positive_somewhere(&self, quantity: &Quantity) -> bool {
        self.fields.iter().any(|(name, field)| *name == quantity.name && field.values.iter().any(|&value| value > 0.0))
    }

    /// Everything surface first and of full size. Where the file does not say which end that is, this pressure does.
    pub(crate) fn arrange(mut self, pressure: &str, least_layers: usize) -> Result<Fields, Error> {
        let layers = self.file.size(Dimension::Layer).unwrap_or(0);
        if layers < least_layers {
            let problem = format!("dimension {} = {layers}: at least {least_layers} are needed", Dimension::Layer);
            return Err(Error::invalid(Place::File(self.file.path().to_owned()), problem));
        }
        let orientation = match self.file.stated_orientation()? {
            Some(stated) => stated,
            None => self.fields.iter().find(|(name, _)| *name == pressure).map_or(Orientation::TopFirst, by_pressure),
        };
        for (_, field) in &mut self.fields {
            field.bottom_first(orientation);
        }
        Ok(Fields { reading: self, orientation, layers })
    }
}

/// Of most columns: where they have their highest pressure.
fn by_pressure((_, field): &(&'static str, Field)) -> Orientation {
    let row: usize = field.shape[1..].iter().product();
    let last = &field.values[field.values.len() - row..];
    let falls = field.values[..row].iter().zip(last).filter(|(first, last)| first > last).count();
    let rises = field.values[..row].iter().zip(last).filter(|(first, last)| first < last).count();
    if falls >= rises { Orientation::BottomFirst } else { Orientation::TopFirst }
}

/// What was read, surface first.
pub(crate) struct Fields {
    reading: Reading,
    pub(crate) orientation: Orientation,
    pub(crate) layers: usize,
}

impl Fields {
    pub(crate) fn grid(&self) -> Grid {
        self.reading.layout.grid(&self.reading.file)
    }

    /// The values of a quantity, `[layer * columns + column]`; none where it was not there.
    pub(crate) fn take(&mut self, quantity: &Quantity) -> Vec<f64> {
        self.take_field(quantity.name).map_or_else(Vec::new, |field| field.values)
    }

    /// The same, but a single value stays one.
    pub(crate) fn take_compact(&mut self, quantity: &Quantity) -> Vec<f64> {
        let single = self.reading.fields.iter().any(|(name, field)| *name == quantity.name && field.values.len() == 1);
        let mut values = self.take(quantity);
        if single {
            values.truncate(1);
        }
        values
    }

    /// What the file calls what was read.
    pub(crate) fn names(&self) -> Vec<(&'static str, String)> {
        self.reading.fields.iter().map(|(name, field)| (*name, field.name.clone())).collect()
    }

    pub(crate) fn path(&self) -> &Path {
        self.reading.file.path()
    }

    pub(crate) fn refusals(&self) -> &[Refusal] {
        self.reading.file.refusals()
    }

    /// That bands are as many as those of the computation, where there are any.
    pub(crate) fn check_bands(&self, bands: usize) -> Result<(), Error> {
        self.check_size(Dimension::Band, &[bands], &bands.to_string())
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
        Some(self.reading.file.broadcast(field))
    }
}
