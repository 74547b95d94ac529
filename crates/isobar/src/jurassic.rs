//! A JURASSIC case: from its files to what a forward calculation takes.

#[cfg(feature = "retrieval")]
mod paths;

use std::path::Path;
use std::sync::Arc;

use isobar_ega::{ForwardSetup, TableData, TableError};
#[cfg(feature = "netcdf")]
use isobar_io::netcdf::is_netcdf;
use isobar_io::{
    Control, Observation, atmosphere_remarks, observation_remark, read_atmosphere, read_observation, read_setup,
    read_tables,
};
#[cfg(feature = "netcdf")]
use isobar_io::{Grid, GridRequest, is_grid};
pub use isobar_io::{table_warning, table_warnings};
#[cfg(feature = "netcdf")]
use isobar_raytrace::Horizontal;
use isobar_raytrace::{Atmosphere, Ray};
#[cfg(feature = "retrieval")]
pub use paths::{estimate_warnings, path_warnings};

/// How far apart the profiles below rays are that a grid gives \[km\]: as the columns of ERA5 at the equator.
pub const GRID_SPACING_KM: f64 = 25.0;

/// Why a case cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file is missing or wrong.
    #[error(transparent)]
    File(#[from] isobar_io::Error),
    /// The emissivity tables do not fit together.
    #[error(transparent)]
    Tables(#[from] TableError),
}

/// A case, ready for a forward calculation.
#[derive(Debug)]
pub struct Case {
    /// What the control file says.
    pub control: Control,
    /// Channels, gases and options of the forward model.
    pub setup: ForwardSetup,
    /// Emissivity tables.
    pub tables: Arc<TableData>,
    /// The atmosphere, a profile.
    pub atmosphere: Atmosphere,
    /// The rays, and what the file has of their results.
    pub observation: Observation,
}

impl Case {
    /// Reads atmosphere, observation, filters, field of view and tables of a control file. Tells `warn` what is left
    /// out. `jurassic_exact` repeats JURASSIC's arithmetic step by step.
    ///
    /// # Errors
    /// [`Error::File`] for a file that is missing or wrong, [`Error::Tables`] for tables that do not fit together.
    pub fn read(
        control: Control,
        (atmosphere, observation): (&Path, &Path),
        jurassic_exact: bool,
        warn: &mut dyn FnMut(String),
    ) -> Result<Self, Error> {
        control.require_channels()?;
        profile_warning(&control, atmosphere, observation).into_iter().for_each(&mut *warn);
        let observation = read_rays(observation, &control, warn)?;
        let atmosphere = read_atmosphere_below(atmosphere, &control, &observation.rays, warn)?;
        let setup = ForwardSetup { jurassic_exact, ..read_setup(&control)? };
        let set = read_tables(&control)?;
        table_warnings(&control, &set, jurassic_exact).into_iter().for_each(&mut *warn);
        case_warnings(&setup, &atmosphere, &observation.rays).into_iter().for_each(warn);
        let tables =
            TableData::packed(&set.tables, control.wavenumbers_per_cm.len(), jurassic_exact, control.interpolation)?;
        Ok(Self { control, setup, tables: tables.into(), atmosphere, observation })
    }
}

/// The atmosphere of a file, which may be a weather model's with columns on a grid: then profiles
/// [`GRID_SPACING_KM`] apart below the rays, a track. Tells `warn` what lies outside the grid, and what of a file is
/// left out.
///
/// # Errors
/// A file that is missing or wrong; a grid without `IP = 2`.
pub fn read_atmosphere_below(
    path: &Path,
    control: &Control,
    rays: &[Ray],
    warn: &mut dyn FnMut(String),
) -> Result<Atmosphere, isobar_io::Error> {
    #[cfg(feature = "netcdf")]
    if is_grid(path) {
        return below(path, control, rays, warn);
    }
    // Nothing else takes them.
    let _ = rays;
    let atmosphere = read_atmosphere(path, control)?;
    atmosphere_remarks(path, control).into_iter().for_each(warn);
    Ok(atmosphere)
}

/// Reads an observation. Tells `warn` what is left out.
///
/// # Errors
/// A file that is missing or wrong.
pub fn read_rays(
    path: &Path,
    control: &Control,
    warn: &mut dyn FnMut(String),
) -> Result<Observation, isobar_io::Error> {
    let observation = read_observation(path, control)?;
    observation_remark(path, control).into_iter().for_each(warn);
    Ok(observation)
}

#[cfg(feature = "netcdf")]
fn below(
    path: &Path,
    control: &Control,
    rays: &[Ray],
    warn: &mut dyn FnMut(String),
) -> Result<Atmosphere, isobar_io::Error> {
    if control.horizontal != Horizontal::Track {
        let problem = "columns on a grid vary horizontally: they need IP = 2";
        return Err(isobar_io::Error::Invalid {
            place: isobar_io::Place::File(path.to_owned()),
            problem: problem.into(),
        });
    }
    let request = GridRequest { skip_outside: true, ..GridRequest::default() };
    let found = Grid::open(path)?.below(control, rays, GRID_SPACING_KM, &request)?;
    if let Some(warning) = outside_warning(path, found.outside) {
        warn(warning);
    }
    found.notes.into_iter().for_each(warn);
    Ok(found.atmosphere)
}

/// What the user of a case should know before it is computed: what is extrapolated, weaker than measured, too coarse.
#[must_use]
pub fn case_warnings(setup: &ForwardSetup, atmosphere: &Atmosphere, rays: &[Ray]) -> Vec<String> {
    let mut warnings = setup.remarks(atmosphere);
    warnings.extend(setup.field_of_view.as_ref().and_then(|view| view.beyond(rays)));
    warnings
}

/// What is said where a control file names a profile (`PROF_IN`), and no file has several of which it would be one.
#[must_use]
pub fn profile_warning(control: &Control, atmosphere: &Path, observation: &Path) -> Option<String> {
    #[cfg(feature = "netcdf")]
    let has_profiles = {
        // Of an atmosphere along a track all profiles are read.
        let of_one = control.horizontal == Horizontal::Uniform && is_netcdf(atmosphere);
        of_one || is_netcdf(observation)
    };
    #[cfg(not(feature = "netcdf"))]
    let has_profiles = {
        let _ = (atmosphere, observation);
        false
    };
    let place = control.place("PROF_IN");
    let text = "has no effect: it is for files in NetCDF";
    (control.profile != 0 && !has_profiles).then(|| format!("{place}: PROF_IN = {} {text}", control.profile))
}

/// What is said where places lie outside a grid.
#[must_use]
pub fn outside_warning(path: &Path, outside: usize) -> Option<String> {
    let text = "places below rays lie outside the grid; the nearest profile counts there";
    (outside > 0).then(|| format!("{}: {outside} {text}", path.display()))
}

/// What is said of rays that see nothing, because they end above the atmosphere.
#[must_use]
pub fn above_warning(atmosphere: &Atmosphere, rays: &[Ray]) -> Option<String> {
    let top_km = atmosphere.height_km.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let heights = rays.iter().map(|ray| ray.view_point.height_km).enumerate();
    let mut ends = heights.filter(|&(_, height_km)| height_km > top_km);
    let (first, height_km) = ends.next()?;
    Some(format!(
        "{} of {} rays have their view point above the atmosphere, whose top is at {top_km} km, and see nothing, as in \
         JURASSIC until 2025: the first is ray {first}, at {height_km} km",
        1 + ends.count(),
        rays.len()
    ))
}
