//! A JURASSIC case: from its files to what a forward calculation takes.

use std::path::Path;
use std::sync::Arc;

use isobar_ega::limits::JURASSIC_LEAST_PRESSURES;
use isobar_ega::{ForwardSetup, TableData, TableError};
#[cfg(feature = "netcdf")]
use isobar_io::netcdf::is_netcdf;
use isobar_io::table::Bend;
use isobar_io::{
    Control, Observation, TableReport, TableSet, read_atmosphere, read_observation, read_setup, read_tables,
};
#[cfg(feature = "netcdf")]
use isobar_io::{Grid, GridRequest, is_grid};
#[cfg(feature = "netcdf")]
use isobar_raytrace::Horizontal;
use isobar_raytrace::{Atmosphere, Ray};

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
        let observation = read_observation(observation, &control)?;
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
/// [`GRID_SPACING_KM`] apart below the rays, a track. Tells `warn` what lies outside the grid.
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
    let _ = (rays, warn);
    read_atmosphere(path, control)
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

/// What the user of tables should know: which gases count as transparent, and which tables lost rows.
#[must_use]
pub fn table_warnings(control: &Control, set: &TableSet, jurassic_exact: bool) -> Vec<String> {
    let mut warnings = Vec::new();
    let channels = control.wavenumbers_per_cm.len();
    // The files that are missing come in the order of the tables.
    let mut missing = set.missing.iter();
    for (gas, tables) in control.emitters.iter().zip(set.tables.chunks(channels)) {
        let absent = tables.iter().filter(|table| table.is_none()).count();
        let files: Vec<String> = missing.by_ref().take(absent).map(|file| file.display().to_string()).collect();
        if let Some(first) = files.first() {
            let others = if absent > 1 { " and others" } else { "" };
            let what = format!("{gas} counts as transparent in {absent} of {channels} channels");
            warnings.push(format!("{what}, for which there is no table: {first}{others}"));
        }
        let short = |pressures: usize| jurassic_exact && pressures < JURASSIC_LEAST_PRESSURES;
        let ignored = tables.iter().flatten().filter(|table| short(table.pressures.len())).count();
        if ignored > 0 {
            warnings.push(format!(
                "{gas} counts as transparent in {ignored} of {channels} channels: as JURASSIC does, --jurassic-exact \
                 ignores a table of fewer than {JURASSIC_LEAST_PRESSURES} pressures"
            ));
        }
    }
    warnings.extend(set.reports.iter().filter_map(|(file, report)| table_warning(file, report)));
    warnings
}

/// What the user of a table's file should know, in words; nothing if all is well.
#[must_use]
pub fn table_warning(file: &Path, report: &TableReport) -> Option<String> {
    let TableReport { dropped, overwritten, bends, first_bend } = *report;
    let mut parts = Vec::new();
    if dropped + overwritten > 0 {
        parts.push(format!(
            "{dropped} rows out of range were dropped, {overwritten} rows were replaced by the next one of their curve"
        ));
    }
    if let Some(Bend { pressure, temperature, entry }) = first_bend {
        parts.push(format!(
            "{bends} emissivities lie below the line through their neighbours, which those of no band do: damaged, or \
             too coarsely rounded; the first is entry {entry} of pressure {pressure}, temperature {temperature}"
        ));
    }
    (!parts.is_empty()).then(|| format!("{}: {}", file.display(), parts.join("; ")))
}
