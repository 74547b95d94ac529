//! A JURASSIC case as the command line names it.

use std::path::{Path, PathBuf};

use clap::Args;
pub(crate) use isobar::jurassic::Case;
use isobar::jurassic::table_warnings;
use isobar_io::{Control, FilesInUse, TableSet, atmosphere_remarks, read_atmosphere};
use isobar_raytrace::Atmosphere;

use crate::program::failure::Failure;
use crate::program::options::key_values;
use crate::program::remarks::warn;

/// The files of a case.
#[derive(Args, Debug)]
pub(crate) struct CaseFiles {
    #[command(flatten)]
    pub(crate) control: ControlFile,
    /// Atmosphere
    #[arg(long, value_name = "FILE")]
    pub(crate) atm: PathBuf,
    /// Observation: the geometry of the rays
    #[arg(long, value_name = "FILE")]
    pub(crate) obs: PathBuf,
}

/// A control file, and what wins over it.
#[derive(Args, Debug)]
pub(crate) struct ControlFile {
    /// Control file: gases, channels, options
    #[arg(long, value_name = "FILE")]
    ctl: PathBuf,
    /// Keys that win over the control file, such as RAYDZ=0.5
    #[arg(value_name = "KEY=VALUE")]
    overrides: Vec<String>,
    /// Refuse a control file with an unknown key
    #[arg(long)]
    strict: bool,
}

impl CaseFiles {
    /// Reads the control file. None of the case's files may be written.
    pub(crate) fn control(&self, mut files: FilesInUse) -> Result<Control, Failure> {
        files.reads("the atmosphere", &self.atm)?;
        files.reads("the observation", &self.obs)?;
        self.control.read(&mut files)
    }
}

impl ControlFile {
    /// What the file says; keys without effect are warned of, or refused.
    /// Neither it nor what it names may be among the files that are written.
    pub(crate) fn read(&self, files: &mut FilesInUse) -> Result<Control, Failure> {
        files.reads("the control file", &self.ctl)?;
        let (control, complaints) = Control::read(&self.ctl, &key_values(&self.overrides)?)?;
        if self.strict
            && let Some(first) = complaints.first()
        {
            let others = match complaints.len() - 1 {
                0 => String::new(),
                others => format!(" (and {others} more)"),
            };
            return Err(Failure::new(format!("{first}{others}")));
        }
        control.files().iter().try_for_each(|(what, path)| files.reads(what, path))?;
        complaints.iter().for_each(warn);
        if control.raw("USEGPU").is_some() && control.raw("FORMOD").is_some() {
            warn(
                "FORMOD is numbered as in JURASSIC (0: CGA, 1: EGA); JURASSIC-GPU, whose key USEGPU is here, has \
                 1: CGA, 2: EGA",
            );
        }
        Ok(control)
    }
}

/// Reads control, atmosphere, observation, filters, field of view and tables, none of which may be among the files that
/// are `written`. Warns of what is left out.
pub(crate) fn read_case(files: &CaseFiles, written: FilesInUse, jurassic_exact: bool) -> Result<Case, Failure> {
    let control = files.control(written)?;
    Ok(Case::read(control, (&files.atm, &files.obs), jurassic_exact, &mut warn)?)
}

/// Says which gases count as transparent, and which tables lost rows.
pub(crate) fn warn_of_tables(control: &Control, set: &TableSet, jurassic_exact: bool) {
    table_warnings(control, set, jurassic_exact).into_iter().for_each(warn);
}

/// Reads an atmosphere. Warns of what is left out.
pub(crate) fn read_profile(path: &Path, control: &Control) -> Result<Atmosphere, Failure> {
    let atmosphere = read_atmosphere(path, control)?;
    atmosphere_remarks(path, control).into_iter().for_each(warn);
    Ok(atmosphere)
}
