//! Atmospheres of weather models: columns on a grid of longitudes and latitudes, as profiles at the places that rays
//! pass.
//!
//! | file | what |
//! |---|---|
//! | `source`, `gather` | variables by name, and their values in the columns that are wanted |
//! | `mesh` | which four columns stand around a place |
//! | `clock` | times, and the two around one |
//! | `coordinates` | both, as a file has them, and the levels |
//! | `column` | a column, and the profile at a place |
//! | `layouts`, `hybrid` | pressure, temperature, height and water vapour on pressure levels, hybrid levels, WRF's |
//! | `order` | in which order levels lie beside hybrid coefficients |
//! | `gas` | the gases of the control file |
//! | `along` | places along rays |
//! | `request` | what is wanted |

mod along;
mod clock;
mod column;
mod coordinates;
mod gas;
mod gather;
mod hybrid;
mod layouts;
mod mesh;
mod order;
mod quantities;
mod request;
mod source;

use std::path::Path;

use isobar_raytrace::{Atmosphere, Horizontal, Ray};

use crate::control::Control;
use crate::error::Error;
use column::Column;
use source::Source;

pub use along::places_along;
pub use request::{GridPlace, GridRequest};

/// Profiles of a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct GridProfiles {
    /// One after the other, each with its heights ascending; a track, unless it is one profile.
    pub atmosphere: Atmosphere,
    /// The places that were left out because they lie outside the grid.
    pub outside: usize,
    /// What there is to say of them.
    pub notes: Vec<String>,
}

/// A file of columns on a grid.
pub struct Grid {
    source: Source,
}

impl std::fmt::Debug for Grid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Grid").field("path", &self.source.path()).finish_non_exhaustive()
    }
}

/// Whether a file is in NetCDF and has columns on a grid, and no profiles of JURASSIC's.
#[must_use]
pub fn is_grid(path: &Path) -> bool {
    crate::netcdf::is_netcdf(path) && Source::open(path).is_ok_and(|source| source.is_grid())
}

impl Grid {
    /// Opens a file in NetCDF: WRF's (`wrfout`), or one with longitudes and latitudes as coordinates (ERA5).
    ///
    /// # Errors
    /// A file that cannot be read or is no NetCDF; coordinates that are missing or neither rise nor fall throughout.
    pub fn open(path: &Path) -> Result<Self, Error> {
        Ok(Self { source: Source::open(path)? })
    }

    /// The places of every `every`-th column in each direction, row by row, at one time. A pole is one place.
    ///
    /// # Errors
    /// As [`Grid::open`].
    pub fn columns(&self, every: usize, time_s: Option<f64>) -> Result<Vec<GridPlace>, Error> {
        let (mesh, every) = (self.source.mesh()?, every.max(1));
        let (rows, columns) = mesh.size();
        let mut places: Vec<GridPlace> = Vec::new();
        for row in (0..rows).step_by(every) {
            for column in (0..columns).step_by(every) {
                let (longitude_deg, latitude_deg) = mesh.node(row, column);
                if latitude_deg.abs() < 90.0 || column == 0 {
                    places.push(GridPlace { longitude_deg, latitude_deg, time_s });
                }
            }
        }
        Ok(places)
    }

    /// Profiles at places: those of the four columns around, linear in longitude, latitude and time, level by level.
    ///
    /// # Errors
    /// A variable or gas that is missing, or has another unit or other dimensions; a value that is missing or out of
    /// range; levels that do not rise; a place or time outside the grid; two profiles at one place.
    pub fn profiles(
        &self,
        control: &Control,
        places: &[GridPlace],
        request: &GridRequest,
    ) -> Result<GridProfiles, Error> {
        let source = &self.source;
        let (mesh, clock) = (source.mesh()?, source.clock()?);
        let mut wanted = Vec::new();
        let mut outside = 0;
        for place in places {
            match mesh.locate(place.longitude_deg, place.latitude_deg) {
                Some(cell) => {
                    wanted.push((*place, cell, clock.locate(place.time_s).map_err(|text| source.invalid(text))?))
                }
                None if request.skip_outside => outside += 1,
                None => {
                    let (longitude, latitude) = (place.longitude_deg, place.latitude_deg);
                    let text = format!("longitude {longitude}, latitude {latitude} lies outside {}", mesh.range());
                    return Err(source.invalid(text));
                }
            }
        }
        if wanted.is_empty() {
            return Err(source.invalid(format!("no place lies in {}", mesh.range())));
        }
        let mut nodes: Vec<source::Node> = Vec::new();
        for (_, cell, instant) in &wanted {
            for time in instant.steps {
                nodes.extend(cell.nodes().map(|(row, column)| source::Node { time, row, column }));
            }
        }
        nodes.sort_unstable();
        nodes.dedup();
        let columns = layouts::read(source, control, &nodes, request)?;
        let at = |node: source::Node| &columns[nodes.binary_search(&node).expect("it was gathered")];
        let mut profiles = Vec::new();
        for (place, cell, instant) in &wanted {
            let there = |time: usize| {
                let [a, b, c, d] = cell.nodes().map(|(row, column)| at(source::Node { time, row, column }));
                let west_east = |west: &Column, east: &Column| west.mix(east, cell.column_share);
                west_east(a, b).mix(&west_east(c, d), cell.row_share)
            };
            let [first, second] = instant.steps;
            let column = there(first);
            let column = if first == second { column } else { column.mix(&there(second), instant.share) };
            let profile = column.atmosphere(source, control, place, instant.time_s, request)?;
            profiles.push(profile);
        }
        let mut atmosphere = Atmosphere::join(&profiles);
        if profiles.len() == 1 {
            atmosphere.horizontal = Horizontal::Uniform;
        }
        atmosphere.validate().map_err(|problem| source.invalid(problem.to_string()))?;
        let lacking = control.emitters.iter().zip(&columns[0].gases).filter(|(_, gas)| gas.is_none());
        let lacking: Vec<&str> = lacking.map(|(emitter, _)| emitter.as_str()).collect();
        let notes = (!lacking.is_empty()).then(|| {
            let file = source.path().display();
            format!("{}: the background's, for nothing that is read of {file} has them", lacking.join(", "))
        });
        Ok(GridProfiles { atmosphere, outside, notes: notes.into_iter().collect() })
    }

    /// Profiles below rays, `spacing_km` apart at the surface ([`places_along`]).
    ///
    /// # Errors
    /// As [`Grid::profiles`].
    pub fn below(
        &self,
        control: &Control,
        rays: &[Ray],
        spacing_km: f64,
        request: &GridRequest,
    ) -> Result<GridProfiles, Error> {
        let ends = request.background.as_ref().map(|profile| profile.height_km.iter().copied().fold(0.0, f64::max));
        let (mut places, delay_s) = along::places_and_delay(rays, spacing_km, ends.unwrap_or(along::TOP_KM));
        let clock = self.source.clock()?;
        if clock.is_single() {
            places.iter_mut().for_each(|place| place.time_s = None);
        }
        let mut profiles = self.profiles(control, &places, request)?;
        // Rays of one scan are seconds apart.
        if clock.shortest_step().is_some_and(|step| delay_s > 0.1 * step) {
            profiles.notes.push(format!(
                "a track has one profile a place: where rays pass the same place, all have the air of the first one's \
                 time, up to {delay_s} s apart; observations of one time each have their own"
            ));
        }
        Ok(profiles)
    }
}
