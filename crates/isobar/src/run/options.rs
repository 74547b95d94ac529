//! How a case is run, and what comes of it.

use std::path::PathBuf;
use std::sync::Arc;

use isobar_io::FilesInUse;
use isobar_launch::Device;

use super::records::Records;
use super::report::Report;
use super::setup::Setup;

/// How a case is run. The default: on all CPU threads, without a file, with the results of all columns.
#[derive(Clone, Default)]
pub struct Options<'a> {
    /// The devices, which share the columns; the CPU if there is none.
    pub devices: Vec<Device>,
    /// The most columns that a device has at a time; without it, as many as fit into its memory.
    pub at_once: Option<usize>,
    /// Where time series and profiles of all columns go, NetCDF.
    pub output: Option<PathBuf>,
    /// Where the restart file goes, as often as the case says and when the run is asked to stop.
    pub restart: Option<PathBuf>,
    /// The restart file of the same case from which the run goes on.
    pub resume: Option<PathBuf>,
    /// The columns whose results come back, by their numbers; all without it.
    pub columns: Option<Vec<usize>>,
    /// Measures how fast each device copies memory, to compare stages with it.
    pub measure_copy: bool,
    /// Asks whether to stop, after each few steps, within half a second or so.
    pub stop: Option<&'a (dyn Fn() -> bool + Sync)>,
    /// Hears at once what goes wrong without ending the run: a restart file that cannot be written. Without it, that is
    /// among [`Outcome::warnings`].
    pub warn: Option<&'a (dyn Fn(String) + Sync)>,
    /// Hears how much is done of how much, columns times steps: at the start, after each few steps, and at the end.
    pub progress: Option<&'a (dyn Fn(u64, u64) + Sync)>,
}

impl Options<'_> {
    /// The files that a run of the case has in use. Nothing that is read is written, but for the restart file that the
    /// run goes on from.
    pub(super) fn check_files(&self, setup: &Setup) -> Result<(), isobar_io::Error> {
        let mut files = FilesInUse::default();
        let mut inputs = setup.inputs().iter().enumerate();
        inputs.try_for_each(|(i, path)| files.reads(if i == 0 { "the case" } else { "a file of the case" }, path))?;
        if let Some(output) = &self.output {
            files.writes("the output", output)?;
        }
        if let Some(resume) = &self.resume {
            files.clone().reads("the restart file", resume)?;
        }
        self.restart.as_ref().map_or(Ok(()), |restart| files.writes("the restart file", restart))
    }
}

/// What a run leaves.
pub struct Outcome<R> {
    /// What was run.
    pub setup: Arc<Setup>,
    /// The numbers of the columns whose results are here, in ascending order.
    pub columns: Vec<usize>,
    /// Their results through the run.
    pub records: Records<R>,
    /// Statuses of all steps of each of them, bit by bit; 0: success.
    pub flags: Vec<u32>,
    /// What a satellite sees of them \[W/(m^2 sr cm^-1)\], NaN where there is nothing:
    /// `[((time * views + view) * channels + channel) * columns + column]`, with times, views and channels of
    /// [`Satellite`](super::Satellite). None without a satellite.
    pub radiance: Option<Vec<f64>>,
    /// What the run did, of all columns.
    pub report: Report,
    /// What the user should know, a line each.
    pub warnings: Vec<String>,
}
