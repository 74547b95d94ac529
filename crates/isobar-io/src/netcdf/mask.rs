//! Items of a file that have no values, as the sea of a file of land.

use super::{Dataset, Dimension, Field, VariableSpec, values};
use crate::error::Error;

/// Which items have none: a value for each, along dimensions of these sizes, slowest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mask {
    dimensions: Vec<(Dimension, usize)>,
    masked: Vec<bool>,
    /// The variable that says so.
    pub(crate) name: String,
}

impl Mask {
    /// Whether all items at these indices are masked: along a dimension without an index, all that there are.
    pub(crate) fn covers(&self, index: &[(Dimension, usize)]) -> bool {
        let mut items = vec![0];
        for &(dimension, size) in &self.dimensions {
            let at = index.iter().find(|(other, _)| *other == dimension).map(|&(_, at)| at);
            let range = match at {
                Some(at) if at < size => at..at + 1,
                // One for all along it.
                Some(_) if size == 1 => 0..1,
                _ => 0..size,
            };
            items = items.iter().flat_map(|&item| range.clone().map(move |at| item * size + at)).collect();
        }
        items.iter().all(|&item| self.masked[item])
    }
}

impl Dataset {
    /// From now on items in which a variable is missing throughout its layers, as its marks say, are masked: nobody
    /// asks for their values. Nothing where there is no such item.
    pub(crate) fn mask_by(&mut self, spec: &VariableSpec) -> Result<(), Error> {
        let Some(Field { name, dimensions, shape, values }) = self.missing(spec)? else { return Ok(()) };
        let rows = shape.first().copied().unwrap_or(1);
        let items = values.len() / rows.max(1);
        let masked: Vec<bool> = (0..items).map(|item| (0..rows).all(|row| values[row * items + item] != 0.0)).collect();
        if masked.contains(&true) {
            let dimensions = dimensions.into_iter().zip(shape).skip(1).collect();
            self.mask = Some(Mask { dimensions, masked, name });
        }
        Ok(())
    }

    /// What is masked.
    pub(crate) fn mask(&self) -> Option<&Mask> {
        self.mask.as_ref()
    }

    /// 1 where a variable is missing, as its marks say; nothing where it is nowhere.
    fn missing(&self, spec: &VariableSpec) -> Result<Option<Field>, Error> {
        let Some(variable) = self.find(spec)? else { return Ok(None) };
        let Ok(sources) = self.sources(variable, spec) else { return Ok(None) };
        // What cannot be read is said where it is read.
        let missing = values::missing(self.files.of(&variable.name), variable).unwrap_or_default();
        if missing.is_empty() {
            return Ok(None);
        }
        let count: u64 = variable.dimensions.iter().map(|one| one.size).product();
        let mut values = vec![0.0; count as usize];
        missing.into_iter().for_each(|index| values[index] = 1.0);
        Ok(Some(self.arrange(variable.clone(), spec, &sources, values)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_items_at_an_index_have_to_be_masked() {
        let dimensions = vec![(Dimension::Time, 2), (Dimension::Profile, 2)];
        let mask = Mask { dimensions, masked: vec![true, false, true, true], name: "t".into() };
        let covers = |index: &[(Dimension, usize)]| mask.covers(index);
        assert!(covers(&[(Dimension::Time, 0), (Dimension::Profile, 0), (Dimension::Layer, 9)]));
        assert!(!covers(&[(Dimension::Time, 0), (Dimension::Profile, 1)]));
        assert!(covers(&[(Dimension::Time, 1)]) && covers(&[(Dimension::Profile, 0)]));
        assert!(!covers(&[(Dimension::Profile, 1)]) && !covers(&[]));
    }
}
