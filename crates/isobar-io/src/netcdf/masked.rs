//! Which items of a file are masked.

use super::mask::Mask;
use super::{Dataset, Field, VariableSpec, values};
use crate::error::Error;

impl Dataset {
    /// From now on items in which a variable is missing throughout its layers, as its marks say, are masked: nobody
    /// asks for their values. Nothing where there is no such item.
    pub(crate) fn mask_by(&mut self, spec: &VariableSpec) -> Result<(), Error> {
        let Some((Field { name, dimensions, shape, values }, why)) = self.missing(spec)? else { return Ok(()) };
        let rows = shape.first().copied().unwrap_or(1);
        let items = values.len() / rows.max(1);
        let masked: Vec<bool> = (0..items).map(|item| (0..rows).all(|row| values[row * items + item] != 0.0)).collect();
        if masked.contains(&true) {
            let dimensions = dimensions.into_iter().zip(shape).skip(1).collect();
            self.mask = Some(Mask { dimensions, masked, name, why });
        }
        Ok(())
    }

    /// What is masked.
    pub(crate) fn mask(&self) -> Option<&Mask> {
        self.mask.as_ref()
    }

    /// 1 where a variable is missing, as its marks say, and why the first is; nothing where it is nowhere.
    fn missing(&self, spec: &VariableSpec) -> Result<Option<(Field, String)>, Error> {
        let Some(variable) = self.find(spec)? else { return Ok(None) };
        let Ok(sources) = self.sources(variable, spec) else { return Ok(None) };
        // What cannot be read is said where it is read.
        let (missing, why) = values::missing(self.files.of(&variable.name), variable).unwrap_or_default();
        if missing.is_empty() {
            return Ok(None);
        }
        let count: u64 = variable.dimensions.iter().map(|one| one.size).product();
        let mut values = vec![0.0; count as usize];
        missing.into_iter().for_each(|index| values[index] = 1.0);
        Ok(Some((self.arrange(variable.clone(), spec, &sources, values), why)))
    }
}
