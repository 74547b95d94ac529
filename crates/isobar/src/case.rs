//! A JURASSIC case: from its files to what a calculation takes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use isobar_ega::constants::JURASSIC_LEAST_PRESSURES;
use isobar_ega::{ForwardSetup, TableData};
use isobar_io::{
    Control, Observation, TableReport, TableSet, read_atmosphere, read_observation, read_setup, read_tables,
};
use isobar_raytrace::Atmosphere;

use crate::commands::Failure;

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

/// Takes `RAYDZ=0.5` and its like apart.
pub(crate) fn key_values(texts: &[String]) -> Result<Vec<(String, String)>, Failure> {
    let pair = |text: &String| match text.split_once('=').map(|(key, value)| (key.trim(), value.trim())) {
        Some((key, value)) if !key.is_empty() && !value.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err(Failure(format!("command line: {text:?} is not of the form KEY=VALUE, such as RAYDZ=0.5"))),
    };
    texts.iter().map(pair).collect()
}

impl ControlFile {
    /// What the file says; keys without effect are warned of, or refused.
    pub(crate) fn read(&self) -> Result<Control, Failure> {
        let (control, complaints) = Control::read(&self.ctl, &key_values(&self.overrides)?)?;
        if self.strict
            && let Some(first) = complaints.first()
        {
            let others = match complaints.len() - 1 {
                0 => String::new(),
                others => format!(" (and {others} more)"),
            };
            return Err(Failure(format!("{first}{others}")));
        }
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

/// Says what does not stop the run, in one line.
pub(crate) fn warn(what: impl std::fmt::Display) {
    eprintln!("isobar: warning: {what}");
}

/// A case, ready for a forward calculation.
pub(crate) struct Case {
    pub(crate) control: Control,
    pub(crate) setup: ForwardSetup,
    pub(crate) tables: Arc<TableData>,
    pub(crate) atmosphere: Atmosphere,
    pub(crate) observation: Observation,
}

impl Case {
    /// Reads control, atmosphere, observation, filters, field of view and tables. Warns of what is left out.
    pub(crate) fn read(files: &CaseFiles, jurassic_exact: bool) -> Result<Self, Failure> {
        let control = files.control.read()?;
        control.require_channels()?;
        let atmosphere = read_atmosphere(&files.atm, &control)?;
        let observation = read_observation(&files.obs, &control)?;
        let setup = ForwardSetup { jurassic_exact, ..read_setup(&control)? };
        let set = read_tables(&control)?;
        warn_of_tables(&control, &set, jurassic_exact);
        let tables = TableData::new(&set.tables, control.wavenumbers_per_cm.len(), jurassic_exact)?;
        Ok(Self { control, setup, tables: tables.into(), atmosphere, observation })
    }
}

/// Says which gases count as transparent, and which tables lost rows.
pub(crate) fn warn_of_tables(control: &Control, set: &TableSet, jurassic_exact: bool) {
    let channels = control.wavenumbers_per_cm.len();
    // The files that are missing come in the order of the tables.
    let mut missing = set.missing.iter();
    for (gas, tables) in control.emitters.iter().zip(set.tables.chunks(channels)) {
        let absent = tables.iter().filter(|table| table.is_none()).count();
        let files: Vec<String> = missing.by_ref().take(absent).map(|file| file.display().to_string()).collect();
        if let Some(first) = files.first() {
            let others = if absent > 1 { " and others" } else { "" };
            let what = format!("{gas} counts as transparent in {absent} of {channels} channels");
            warn(format!("{what}, for which there is no table: {first}{others}"));
        }
        let short = |pressures: usize| jurassic_exact && pressures < JURASSIC_LEAST_PRESSURES;
        let ignored = tables.iter().flatten().filter(|table| short(table.pressures.len())).count();
        if ignored > 0 {
            warn(format!(
                "{gas} counts as transparent in {ignored} of {channels} channels: as JURASSIC does, --jurassic-exact \
                 ignores a table of fewer than {JURASSIC_LEAST_PRESSURES} pressures"
            ));
        }
    }
    for (file, report) in &set.reports {
        warn(complaint(file, report));
    }
}

/// Which rows of a file did not stay.
pub(crate) fn complaint(file: &Path, report: &TableReport) -> String {
    format!(
        "{}: {} rows out of range were dropped, {} rows were replaced by the next one of their curve",
        file.display(),
        report.dropped,
        report.overwritten
    )
}
