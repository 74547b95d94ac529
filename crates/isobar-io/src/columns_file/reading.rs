//! Reading variable by variable.

use super::layout::take_vertical;
use super::{Layout, Quantity};
use crate::error::Error;
use crate::netcdf::{Dataset, Dimension, Field, VariableSpec};

/// A file whose variables are read one by one, and arranged when all sizes are known.
pub(crate) struct Reading {
    pub(crate) file: Dataset,
    pub(crate) layout: Layout,
    pub(super) fields: Vec<(&'static str, Field)>,
    /// What must be there and is not, in words.
    pub(super) missing: Vec<String>,
    /// Values that win over the file's, by our names.
    constants: Vec<(String, f64)>,
    /// Dimensions whose values are arranged: at each place the number of the file's that comes there.
    pub(super) orders: Vec<(Dimension, Vec<usize>)>,
}

/// What stands for the file's name of a quantity that the caller gives.
pub(super) const GIVEN: &str = "(given)";

impl Reading {
    pub(crate) fn new(mut file: Dataset) -> Self {
        file.clamp_rounding();
        take_vertical(&mut file);
        let layout = Layout::of(&mut file);
        file.take_part();
        Self { layout, file, fields: Vec::new(), missing: Vec::new(), constants: Vec::new(), orders: Vec::new() }
    }

    /// From now on columns in which the first of these that has its dimensions is missing in all layers are masked:
    /// they are left out, and their values are not checked.
    pub(crate) fn mask_by(&mut self, quantities: &[Quantity]) -> Result<(), Error> {
        for quantity in quantities {
            if self.fits(quantity)? {
                return self.file.mask_by(&quantity.spec(self.layout));
            }
        }
        Ok(())
    }

    /// From now on takes these values for quantities of these names, whatever the file has.
    pub(crate) fn give(&mut self, constants: &[(String, f64)]) {
        self.constants = constants.to_vec();
    }

    /// From now on has bands in this order: at each place the number of the file's that comes there.
    pub(crate) fn order_bands(&mut self, dimension: Dimension, order: Vec<usize>) {
        self.orders.push((dimension, order));
    }

    /// Takes the value that was given for a quantity, if one was.
    fn take_given(&mut self, quantity: &Quantity) -> Result<bool, Error> {
        let Some(&(_, value)) = self.constants.iter().rev().find(|(name, _)| name == quantity.name) else {
            return Ok(false);
        };
        let spec = quantity.spec(self.layout);
        if !spec.accepted.contains(value) {
            let (name, range) = (quantity.name, spec.accepted);
            return Err(self.file.invalid(format!("{name} = {value} {}, as given, lies outside {range}", spec.unit)));
        }
        let dimensions: Vec<Dimension> = spec.axes.iter().map(|axis| axis.dimension).collect();
        let shape = vec![1; dimensions.len()];
        self.put(quantity, Field { name: GIVEN.to_owned(), dimensions, shape, values: vec![value] });
        Ok(true)
    }

    /// Whether a value was given for a quantity.
    pub(crate) fn is_given(&self, quantity: &Quantity) -> bool {
        self.constants.iter().any(|(name, _)| name == quantity.name)
    }

    /// Reads what must be there; where it is not, [`Reading::arrange`] fails, and says so of all that is missing.
    pub(crate) fn need(&mut self, quantity: &Quantity) -> Result<(), Error> {
        if self.take_given(quantity)? {
            return Ok(());
        }
        let spec = quantity.spec(self.layout);
        if self.file.has(&spec)? {
            return self.need_as(&spec);
        }
        self.missing.push(self.file.missing_in_words(&spec));
        Ok(())
    }

    /// Reads what must be there, unless there is something else instead, which the message names.
    pub(crate) fn need_or(&mut self, quantity: &Quantity, instead: &str) -> Result<(), Error> {
        self.need_in_words(quantity, |missing| format!("there is no {instead}, and {missing}"))
    }

    /// Reads what must be there; where it is not, this says so, of what [`Reading::need`] would say.
    pub(crate) fn need_in_words(
        &mut self,
        quantity: &Quantity,
        in_words: impl FnOnce(String) -> String,
    ) -> Result<(), Error> {
        if self.has(quantity)? {
            return self.need(quantity);
        }
        let missing = self.file.missing_in_words(&quantity.spec(self.layout));
        self.missing.push(in_words(missing));
        Ok(())
    }

    /// Notes that something is missing, in words.
    pub(crate) fn lacks(&mut self, in_words: String) {
        self.missing.push(in_words);
    }

    /// Reads what may be there.
    pub(crate) fn maybe(&mut self, quantity: &Quantity) -> Result<(), Error> {
        if self.take_given(quantity)? {
            return Ok(());
        }
        let field = self.file.read_optional(&quantity.spec(self.layout))?;
        self.fields.extend(field.map(|field| (quantity.name, field)));
        Ok(())
    }

    /// Reads what may be there and counts in some places alone, which [`super::Fields::take_where`] is told: elsewhere
    /// it may be missing, or anything.
    pub(crate) fn maybe_where(&mut self, quantity: &Quantity) -> Result<(), Error> {
        if self.take_given(quantity)? {
            return Ok(());
        }
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
        if self.is_given(quantity) {
            return Ok(true);
        }
        self.file.has(&quantity.spec(self.layout))
    }

    /// Whether what is found for a quantity has its dimensions.
    pub(crate) fn fits(&self, quantity: &Quantity) -> Result<bool, Error> {
        if self.is_given(quantity) {
            return Ok(true);
        }
        self.file.fits(&quantity.spec(self.layout))
    }

    pub(crate) fn converts(&self, quantity: &Quantity) -> Result<bool, Error> {
        if self.is_given(quantity) {
            return Ok(true);
        }
        self.file.converts(&quantity.spec(self.layout))
    }

    /// What the file calls a quantity.
    pub(crate) fn name(&self, quantity: &Quantity) -> Option<String> {
        self.file.name_of(&quantity.spec(self.layout))
    }

    /// The standard name of the variable that is found for a quantity.
    pub(crate) fn standard_name(&self, quantity: &Quantity) -> Option<String> {
        self.file.text_attribute(&self.name(quantity)?, "standard_name")
    }

    /// In words what goes by a name of a quantity and says that it is something else, if anything does.
    pub(crate) fn others(&self, quantity: &Quantity) -> Option<String> {
        self.file.others_in_words(&quantity.spec(self.layout))
    }

    pub(crate) fn found(&self, quantity: &Quantity) -> bool {
        self.field(quantity).is_some()
    }

    /// What was read of a quantity, in the order of the file.
    pub(crate) fn field(&self, quantity: &Quantity) -> Option<&Field> {
        self.fields.iter().find(|(name, _)| *name == quantity.name).map(|(_, field)| field)
    }

    /// Whether what was read of it is positive anywhere.
    pub(crate) fn is_positive_somewhere(&self, quantity: &Quantity) -> bool {
        self.field(quantity).is_some_and(|field| field.values.iter().any(|&value| value > 0.0))
    }
}
