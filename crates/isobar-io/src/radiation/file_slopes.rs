//! Derivatives by the temperatures and pressures that a file has, from those by what columns have: what was derived
//! follows them.

use isobar_radiation::Columns;

use super::pressure_slopes::{
    BOTH, by_paths, by_potential_temperature, by_pressures, by_surface_pressure, by_temperatures,
};
use super::temperature_slopes;
use crate::columns_file::ColumnsInput;

/// Derivatives by layers and by levels, `[layer or level * columns + column]`, with all else of the columns held;
/// empty for 0.
#[derive(Clone, Debug, Default)]
pub struct ColumnSlopes {
    /// By temperatures \[1/K\].
    pub temperature: [Vec<f64>; 2],
    /// By pressures \[1/Pa\].
    pub pressure: [Vec<f64>; 2],
    /// By the paths of liquid water, ice, rain and snow \[m^2/g\], of layers.
    pub water_paths: [Vec<f64>; 4],
}

/// Derivatives by what the file has of layers and of levels; none by what it does not have.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileSlopes {
    /// By temperatures \[1/K\].
    pub temperature: [Option<Vec<f64>>; 2],
    /// By pressures \[1/Pa\].
    pub pressure: [Option<Vec<f64>>; 2],
    /// By the pressure of the surface \[1/Pa\], of columns, where pressures of levels follow from it.
    pub surface_pressure: Option<Vec<f64>>,
}

impl ColumnsInput<Columns<f64>> {
    /// Derivatives by the temperatures and pressures that the file has: those by temperatures, pressures and water
    /// paths that were derived from these are in them. Where the file has potential temperatures (WRF, MPAS), those
    /// by pressures hold these, as the file does. Sizes of particles, aerosol and layers' thicknesses are held.
    #[must_use]
    pub fn by_file(&self, by: &ColumnSlopes) -> FileSlopes {
        let columns = &self.columns;
        let (count, layers) = (columns.columns(), columns.layers());
        let or_nothing = |values: &Vec<f64>, size: usize| {
            if values.is_empty() { vec![0.0; size] } else { values.clone() }
        };
        let [of_layers, of_levels] = &by.pressure;
        let mut pressure = [or_nothing(of_layers, layers * count), or_nothing(of_levels, (layers + 1) * count)];
        if self.water_of_mass {
            by_paths(&by.water_paths, columns, &mut pressure);
        }
        let [of_layers, of_levels] = &by.temperature;
        by_temperatures(&self.temperatures, columns, &self.below_ground, [of_layers, of_levels], &mut pressure);
        let temperature =
            temperature_slopes::of_file(&self.temperatures, columns, &self.below_ground, [of_layers, of_levels]);
        if let [Some(of_layers), _] = &temperature {
            by_potential_temperature(&self.pressures, columns, of_layers, &mut pressure);
        }
        // Those that nothing depends on stay empty.
        let depends = pressure.iter().flatten().any(|&by| by != 0.0) || by.pressure.iter().any(|by| !by.is_empty());
        if !depends {
            return FileSlopes { temperature, pressure: BOTH, surface_pressure: None };
        }
        let surface_pressure = by_surface_pressure(&self.pressures, columns, &pressure);
        FileSlopes { temperature, pressure: by_pressures(&self.pressures, columns, pressure), surface_pressure }
    }
}
