//! Pressures whose unit is not what the file says.

use crate::netcdf::{Dataset, Unit, VariableSpec};

/// What a variable's name and unit are in its file, and how many pascals one of it has.
#[derive(Clone, Debug)]
pub(crate) struct Stated {
    name: String,
    units: String,
    pascals: f64,
    /// Whether it has one value a column.
    pub(super) is_of_columns: bool,
}

/// Units in which pressures are usual.
const USUAL: [(&str, f64); 3] = [("hPa", 100.0), ("Pa", 1.0), ("kPa", 1000.0)];

impl Stated {
    pub(crate) fn of(file: &Dataset, spec: &VariableSpec) -> Option<Self> {
        let (name, units) = file.name_and_units(spec)?;
        let pascals = units.parse::<Unit>().ok()?.conversion(&"Pa".parse().ok()?)?.apply(1.0);
        Some(Self { name, units, pascals, is_of_columns: false })
    }

    /// Of a variable that has one value a column.
    pub(crate) fn of_columns(self) -> Self {
        Self { is_of_columns: true, ..self }
    }

    /// What is wrong with a value \[Pa\] that does not fit, if it would in another unit.
    pub(crate) fn complaint(&self, pressure_pa: f64, place: &str, fits: impl Fn(f64) -> bool) -> Option<String> {
        let number = pressure_pa / self.pascals;
        let (likely, _) = USUAL.into_iter().find(|(_, pascals)| fits(number * pascals))?;
        let Self { name, units, .. } = self;
        (!fits(pressure_pa)).then(|| format!("{name} = {number} at {place} looks like {likely}, units says {units}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likely_unit_is_named() {
        let stated =
            |units: &str, pascals| Stated { name: "plev".into(), units: units.into(), pascals, is_of_columns: false };
        let surface = |pa: f64| (2e4..=2e5).contains(&pa);
        let complaint = stated("Pa", 1.0).complaint(1013.0, "level 0, column 2", surface);
        assert_eq!(complaint.as_deref(), Some("plev = 1013 at level 0, column 2 looks like hPa, units says Pa"));
        let complaint = stated("hPa", 100.0).complaint(1.013e7, "level 0", surface);
        assert_eq!(complaint.as_deref(), Some("plev = 101300 at level 0 looks like Pa, units says hPa"));
        assert_eq!(stated("hPa", 100.0).complaint(1.013e5, "level 0", surface), None);
        assert_eq!(stated("Pa", 1.0).complaint(1e9, "level 0", surface), None);
    }
}
