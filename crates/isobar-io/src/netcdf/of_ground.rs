//! What is of the ground and stands along levels in files of its own, as ECMWF's on the first of the model's levels.

use netcdf_reader::NcVariable;

use super::{Dataset, Dimension, attribute};

/// By ECMWF's names: the logarithm of pressure, and geopotential.
const NAMES: [&str; 2] = ["lnsp", "z"];

impl Dataset {
    /// Leaves out a vertical dimension of size 1 that another file has longer, where nothing but this stands along it.
    pub(super) fn leave_out_level_of_ground(&mut self, other: &Self) {
        let is_vertical =
            |name: &str| other.role(name).is_some_and(Dimension::is_vertical) || other.is_vertical_coordinate(name);
        let is_longer = |name: &str| other.dimensions.iter().any(|one| one.name == name && one.size > 1);
        let single = self.dimensions.iter().filter(|one| one.size == 1).map(|one| one.name.clone());
        for level in single.filter(|name| is_longer(name) && is_vertical(name)).collect::<Vec<_>>() {
            let stands = |one: &NcVariable| one.dimensions.iter().any(|dimension| dimension.name == level);
            let coordinate = self.variables.iter().find(|one| one.name == level);
            let bounds = coordinate.and_then(|one| attribute::of(one, "bounds"));
            let says_where = |name: &str| name == level || bounds.as_deref() == Some(name);
            let mut others = self.variables.iter().filter(|one| stands(one) && !says_where(&one.name));
            if !others.all(|one| NAMES.contains(&one.name.as_str())) {
                continue;
            }
            self.variables.retain(|one| !(stands(one) && says_where(&one.name)));
            self.dimensions.retain(|one| one.name != level);
            for variable in &mut self.variables {
                variable.dimensions.retain(|one| one.name != level);
            }
        }
    }
}
