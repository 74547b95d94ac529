//! The output of `isobar longwave`.

use std::path::Path;

use isobar_io::netcdf::{Accepted, Axis, Dataset, Dimension, VariableSpec};

use Dimension::{Experiment, Layer, Level, LongwaveBand, Profile, Site, SouthNorth, WestEast};

/// A file, surface first.
pub(crate) struct FluxFile {
    variables: Vec<(&'static str, Vec<f64>)>,
    columns: usize,
}

const fn axes(vertical: Dimension) -> [Axis; 7] {
    [
        Axis::required(vertical),
        Axis::optional(LongwaveBand),
        Axis::optional(Profile),
        Axis::optional(SouthNorth),
        Axis::optional(WestEast),
        Axis::optional(Experiment),
        Axis::optional(Site),
    ]
}
const LEVELS: [Axis; 7] = axes(Level);
const LAYERS: [Axis; 7] = axes(Layer);

/// All that an output may have, with units, and whether they lie on levels.
pub(crate) const VARIABLES: [(&str, &str, bool); 12] = [
    ("longwave_upward_flux", "W m-2", true),
    ("longwave_downward_flux", "W m-2", true),
    ("longwave_net_flux", "W m-2", true),
    ("longwave_upward_flux_clear", "W m-2", true),
    ("longwave_downward_flux_clear", "W m-2", true),
    ("longwave_net_flux_clear", "W m-2", true),
    ("longwave_upward_flux_derivative", "W m-2 K-1", true),
    ("longwave_upward_flux_derivative_clear", "W m-2 K-1", true),
    ("longwave_upward_flux_by_band", "W m-2", true),
    ("longwave_downward_flux_by_band", "W m-2", true),
    ("longwave_heating_rate", "K day-1", false),
    ("longwave_heating_rate_clear", "K day-1", false),
];

impl FluxFile {
    pub(crate) fn read(path: &Path) -> Self {
        let mut file = Dataset::open(path).unwrap();
        let mut found = Self { variables: Vec::new(), columns: 0 };
        for (name, unit, on_levels) in VARIABLES {
            let axes = if on_levels { &LEVELS } else { &LAYERS };
            let spec = VariableSpec { name, aliases: &[], standard_names: &[], unit, axes, accepted: Accepted::FINITE };
            let Some(mut field) = file.read_optional(&spec).unwrap() else { continue };
            field.bottom_first(file.orientation().unwrap());
            found.columns = field.shape[2..].iter().product();
            found.variables.push((name, field.values));
        }
        found
    }

    /// All values of a variable, levels or layers slowest.
    pub(crate) fn values(&self, name: &str) -> &[f64] {
        let (_, values) =
            self.variables.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("no {name}"));
        values
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.variables.iter().any(|(known, _)| *known == name)
    }

    /// A column, from the surface up.
    pub(crate) fn column(&self, name: &str, column: usize) -> Vec<f64> {
        self.values(name).iter().skip(column).step_by(self.columns).copied().collect()
    }

    /// The sixteen bands of each level of a column.
    pub(crate) fn bands(&self, name: &str, column: usize) -> Vec<Vec<f64>> {
        self.column(name, column).chunks(16).map(<[f64]>::to_vec).collect()
    }
}
