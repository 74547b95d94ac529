//! Values outside of a k-distribution's tables: how many there are, and the first.

use isobar_core::fields::{Declared, Error};

/// How many there are, and the first, of columns with these fields.
pub(crate) struct Outliers {
    declared: &'static [Declared],
    item_name: &'static str,
    pub(crate) count: usize,
    pub(crate) first: Option<Error>,
}

impl Outliers {
    pub(crate) fn new(declared: &'static [Declared], item_name: &'static str) -> Self {
        Self { declared, item_name, count: 0, first: None }
    }

    /// One more, at an index among all columns.
    pub(crate) fn add(
        &mut self,
        variable: &'static str,
        (index, columns): (usize, usize),
        value: f64,
        accepted: impl FnOnce(&str) -> String,
    ) {
        self.count += 1;
        self.first.get_or_insert_with(|| {
            let declared = Declared::named(self.declared, variable);
            Error::Value {
                variable,
                item_name: self.item_name,
                item: index % columns,
                place: declared.shape.iter().take(1).map(|dimension| (dimension.0, index / columns)).collect(),
                value,
                accepted: accepted(declared.unit),
                unit: "1",
            }
        });
    }
}
