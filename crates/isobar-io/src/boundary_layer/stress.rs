//! The stress of the surface, of which friction velocity follows where a file has none.

use isobar_core::Real;

use super::interval;
use super::quantity::of_column;
use crate::columns_file::{Fields, Quantity, Reading};
use crate::error::Error;

/// Along two axes; its sign, in which files differ, does not count.
const STRESS: [Quantity; 2] = [
    of_column(
        "eastward_stress",
        &["iews", "tauu", "TAUX"],
        &["surface_downward_eastward_stress", "surface_downward_x_stress"],
        "N m-2",
    ),
    of_column(
        "northward_stress",
        &["inss", "tauv", "TAUY"],
        &["surface_downward_northward_stress", "surface_downward_y_stress"],
        "N m-2",
    ),
];
/// ECMWF's means.
const MEAN: [Quantity; 2] = [
    of_column("mean_eastward_stress", &["metss", "avg_iews"], &[], "N m-2"),
    of_column("mean_northward_stress", &["mntss", "avg_inss"], &[], "N m-2"),
];
/// Sums over time.
const SUM: [Quantity; 2] = [
    of_column(
        "accumulated_eastward_stress",
        &["ewss"],
        &["integral_wrt_time_of_surface_downward_eastward_stress"],
        "N m-2 s",
    ),
    of_column(
        "accumulated_northward_stress",
        &["nsss"],
        &["integral_wrt_time_of_surface_downward_northward_stress"],
        "N m-2 s",
    ),
];

/// How a file has stress.
#[derive(Clone, Copy)]
pub(super) struct Stress {
    components: [Quantity; 2],
    is_sum: bool,
}

/// The magnitude of stress in each column \[N/m^2\], and of what it is in words.
#[derive(Default)]
pub(super) struct Magnitude {
    pub(super) values: Vec<f64>,
    pub(super) of: String,
}

impl Stress {
    /// Reads both components, if they are there, and of sums the interval, without which they say nothing.
    pub(super) fn read(reading: &mut Reading) -> Result<Option<Self>, Error> {
        for (components, is_sum) in [(STRESS, false), (MEAN, false), (SUM, true)] {
            let mut is_there = true;
            for component in &components {
                is_there = is_there && reading.has(component)? && reading.converts(component)?;
                is_there = is_there && (!is_sum || interval::read(reading, component)?);
            }
            if is_there {
                components.iter().try_for_each(|component| reading.need(component))?;
                return Ok(Some(Self { components, is_sum }));
            }
        }
        Ok(None)
    }

    pub(super) fn take(self, fields: &mut Fields) -> Result<Magnitude, Error> {
        let names = self.components.map(|component| fields.name(component.name).unwrap_or_default());
        let mut components = self.components.map(|component| fields.take(&component));
        let mut intervals = [String::new(), String::new()];
        if self.is_sum {
            for (which, name) in names.iter().enumerate() {
                (components[which], intervals[which]) = interval::means(fields, (name, &components[which]))?;
            }
        }
        let [east, north] = components;
        let magnitude = |(east, north): (&f64, &f64)| Real::sqrt(east * east + north * north);
        let values = east.iter().zip(&north).map(magnitude).collect();
        let of = match (&names, &intervals) {
            ([east, north], [one, other]) if one == other => format!("|({east}, {north})|{one}"),
            ([east, north], [one, other]) => format!("|({east}{one}; {north}{other})|"),
        };
        Ok(Magnitude { values, of })
    }
}
