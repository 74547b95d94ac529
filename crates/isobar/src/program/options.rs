//! Options that several commands have.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use isobar_launch::{Device, parse_devices, with_threads};

use super::failure::Failure;
use super::output::with_suffix;

/// Single or double precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PrecisionOption {
    /// Single precision
    F32,
    /// Double precision
    F64,
}

/// Little is said.
#[derive(Args, Clone, Copy, Debug)]
pub struct Quiet {
    /// Print nothing but warnings and errors
    #[arg(long)]
    pub quiet: bool,
}

/// Something is said to programs.
#[derive(Args, Clone, Copy, Debug)]
pub struct Json {
    /// Print a summary as JSON on standard output
    #[arg(long)]
    pub json: bool,
}

/// What is printed beside the results.
#[derive(Args, Clone, Copy, Debug)]
pub struct Printing {
    #[command(flatten)]
    quiet: Quiet,
    #[command(flatten)]
    json: Json,
}

impl Printing {
    /// Is nothing but warnings and errors to be printed?
    pub fn quiet(&self) -> bool {
        self.quiet.quiet
    }

    /// Is a summary for programs to be printed?
    pub fn json(&self) -> bool {
        self.json.json
    }
}

/// Whose arithmetic an infrared model has.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Arithmetic {
    /// Repeat JURASSIC's arithmetic step by step: slower and less exact
    #[arg(long)]
    pub(crate) jurassic_exact: bool,
}

/// What becomes of columns that cannot be computed.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct BadColumns {
    /// Leave out columns with values that are missing or out of range, instead of stopping: they get a status and fill
    /// values
    #[arg(long)]
    pub(crate) keep_going: bool,
}

/// Files of a run that is stopped and goes on.
#[derive(Args, Debug)]
pub(crate) struct RestartFiles {
    /// Restart file, written every so often and when the run is stopped by SIGTERM or SIGINT; without it, the output's
    /// name with .restart before its ending
    #[arg(long, value_name = "FILE")]
    restart: Option<PathBuf>,
    /// Go on from a restart file of the same run
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
}

impl RestartFiles {
    /// Where the restart file of an output goes.
    pub(crate) fn restart(&self, out: &Path) -> PathBuf {
        self.restart.clone().unwrap_or_else(|| with_suffix(out, ".restart"))
    }
}

/// Where and how to compute.
#[derive(Args, Debug)]
pub struct DeviceOptions {
    /// cpu, cuda, cuda:1 (a number), cuda:all, or auto
    #[arg(long, default_value = "auto")]
    pub device: String,
    /// Precision of the computation
    #[arg(long, value_enum, default_value = "f64")]
    pub precision: PrecisionOption,
    /// CPU threads, at most four a core or 256; 0: as many as there are cores
    #[arg(long, default_value_t = 0)]
    pub threads: usize,
}

impl DeviceOptions {
    /// Refuses single precision for what is computed in double precision only.
    pub fn need_f64(&self, what: &str) -> Result<(), Failure> {
        match self.precision {
            PrecisionOption::F64 => Ok(()),
            PrecisionOption::F32 => {
                Err(Failure::usage(format!("{what} are computed in double precision only: leave out --precision f32")))
            }
        }
    }

    /// Runs the work with the devices and the number of threads asked for; with `auto`, says what it took.
    pub fn with_threads<T: Send>(
        &self,
        work: impl FnOnce(&[Device]) -> Result<T, Failure> + Send,
    ) -> Result<T, Failure> {
        self.with_threads_telling(true, work)
    }

    /// Runs the work as [`Self::with_threads`] does, but says nothing unless told to `tell`.
    pub fn with_threads_telling<T: Send>(
        &self,
        tell: bool,
        work: impl FnOnce(&[Device]) -> Result<T, Failure> + Send,
    ) -> Result<T, Failure> {
        with_threads(self.threads, || work(&self.devices(tell)?))?
    }

    /// The devices asked for; with `auto`, says what it took if told to `tell`.
    pub(crate) fn devices(&self, tell: bool) -> Result<Vec<Device>, Failure> {
        if self.device != "auto" {
            return Ok(parse_devices(&self.device)?);
        }
        let (device, why) = Device::auto();
        if tell {
            tell!("{why}");
        }
        Ok(vec![device])
    }
}

/// An option's number, positive and finite.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&number: &f64| number > 0.0 && number < f64::INFINITY);
    number.ok_or_else(|| "not a number in (0, inf)".to_owned())
}

/// Takes `RAYDZ=0.5` and its like apart.
pub fn key_values(texts: &[String]) -> Result<Vec<(String, String)>, Failure> {
    let pair = |text: &String| match text.split_once('=').map(|(key, value)| (key.trim(), value.trim())) {
        Some((key, value)) if !key.is_empty() && !value.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err(Failure::usage(format!("command line: {text:?} is not of the form KEY=VALUE, such as RAYDZ=0.5"))),
    };
    texts.iter().map(pair).collect()
}
