//! Items that run along several dimensions of a file, as those of a grid and its times, read as if they ran along one.

use netcdf_reader::NcVariable;

use super::Dimension;

/// The dimensions along which items run, slowest first, and the one for which they stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Merged {
    pub(super) role: Dimension,
    pub(super) dimensions: Vec<(String, usize)>,
}

impl Merged {
    pub(super) fn role_of(&self, name: &str) -> Option<Dimension> {
        self.dimensions.iter().any(|(known, _)| known == name).then_some(self.role)
    }

    /// Whether a dimension of a variable is one of them, and not one that the variable has before.
    pub(super) fn takes(&self, variable: &NcVariable, position: usize) -> bool {
        let name = &variable.dimensions[position].name;
        self.role_of(name).is_some() && !variable.dimensions[..position].iter().any(|before| before.name == *name)
    }

    /// How many items there are, and what their dimensions are called, if they run along a dimension.
    pub(super) fn size(&self, dimension: Dimension) -> Option<(usize, String)> {
        let names: Vec<&str> = self.dimensions.iter().map(|(name, _)| name.as_str()).collect();
        // A damaged header may have any sizes.
        let size = self.dimensions.iter().fold(1_usize, |items, (_, size)| items.saturating_mul(*size));
        (dimension == self.role).then(|| (size, names.join(" x ")))
    }
}
