//! The commands, and what they have in common.

pub(crate) mod adding;
pub(crate) mod bench;
pub(crate) mod chem;
mod column_results;
mod compare;
pub(crate) mod data;
pub(crate) mod devices;
pub(crate) mod examples;
mod failure;
pub(crate) mod forward;
pub(crate) mod jurassic;
pub(crate) mod kernel;
pub(crate) mod kpp;
pub(crate) mod lbl;
pub(crate) mod longwave;
mod mechanism_file;
mod memory;
mod path_table;
pub(crate) mod pbl;
pub(crate) mod progress;
pub(crate) mod radiation;
mod radiation_files;
mod ranks;
pub(crate) mod raytrace;
pub(crate) mod retrieve;
pub(crate) mod run;
mod shared;
pub(crate) mod shell;
pub(crate) mod spectra;
mod stop;
pub(crate) mod tables;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
pub(crate) use failure::{EXIT_CODES, Exit, Failure};
use isobar_io::netcdf::Remarks;
use isobar_launch::{Device, parse_devices, with_threads};

use crate::case::note;

/// Single or double precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PrecisionOption {
    /// Single precision
    F32,
    /// Double precision
    F64,
}

/// What is printed beside the results.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Printing {
    /// Print nothing but warnings and errors
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Print a summary as JSON on standard output
    #[arg(long)]
    pub(crate) json: bool,
}

/// Where and how to compute.
#[derive(Args, Debug)]
pub(crate) struct DeviceOptions {
    /// cpu, cuda, cuda:1 (a number), cuda:all, or auto
    #[arg(long, default_value = "auto")]
    pub(crate) device: String,
    /// Precision of the computation
    #[arg(long, value_enum, default_value = "f64")]
    pub(crate) precision: PrecisionOption,
    /// CPU threads, at most four a core or 256; 0: as many as there are cores
    #[arg(long, default_value_t = 0)]
    pub(crate) threads: usize,
}

impl DeviceOptions {
    /// Refuses single precision for what is computed in double precision only.
    pub(crate) fn need_f64(&self, what: &str) -> Result<(), Failure> {
        match self.precision {
            PrecisionOption::F64 => Ok(()),
            PrecisionOption::F32 => {
                Err(Failure::usage(format!("{what} are computed in double precision only: leave out --precision f32")))
            }
        }
    }

    /// Runs the work with the devices and the number of threads asked for; with `auto`, says what it took.
    pub(crate) fn with_threads<T: Send>(
        &self,
        work: impl FnOnce(&[Device]) -> Result<T, Failure> + Send,
    ) -> Result<T, Failure> {
        self.with_threads_telling(true, work)
    }

    /// The same, but says nothing unless told to `tell`.
    pub(crate) fn with_threads_telling<T: Send>(
        &self,
        tell: bool,
        work: impl FnOnce(&[Device]) -> Result<T, Failure> + Send,
    ) -> Result<T, Failure> {
        with_threads(self.threads, || work(&self.devices(tell)?))?
    }

    /// The devices asked for; with `auto`, says what it took if told to `tell`.
    fn devices(&self, tell: bool) -> Result<Vec<Device>, Failure> {
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

/// The bytes a second that a copy of so many doubles moves on a device.
fn copy_bandwidth(device: Device, values: usize) -> Result<f64, Failure> {
    Ok(isobar::run::copy_bandwidth(device, values)?)
}

/// A summary for a program, on standard output: so many items of a kind, what was said of them, and more.
fn print_json(items: (&str, usize), failed: usize, devices: &[Device], seconds: f64, out: &Path) {
    crate::print::summary(json_summary(items, failed, devices, seconds, out));
}

/// The same, to add to.
fn json_summary(
    items: (&str, usize),
    failed: usize,
    devices: &[Device],
    seconds: f64,
    out: &Path,
) -> serde_json::Value {
    let devices: Vec<String> = devices.iter().map(ToString::to_string).collect();
    let out = out.to_string_lossy();
    let mut summary = serde_json::json!({ "failed": failed, "devices": devices, "seconds": seconds, "out": out });
    summary[items.0] = items.1.into();
    summary
}

/// What an input file did not have, and what else there is to say of it, a line each.
fn say_remarks(quiet: bool, path: &Path, derived: &[String], remarks: &Remarks) {
    let derived = (!derived.is_empty()).then(|| format!("derived: {}", derived.join("; ")));
    for line in derived.into_iter().chain(remarks.lines()) {
        note(quiet, format!("{}: {line}", path.display()));
    }
}

/// The same for a program, and what the file did not have.
fn with_remarks(mut summary: serde_json::Value, derived: &[String], remarks: &Remarks) -> serde_json::Value {
    let clamped = remarks.clamped.iter().map(
        |clamped| serde_json::json!({ "variable": clamped.variable, "count": clamped.count, "first": clamped.first }),
    );
    summary["derived"] = derived.into();
    summary["clamped"] = clamped.collect();
    summary["not_read"] = remarks.not_read.as_slice().into();
    summary
}

/// So many of something whose plural ends with an s.
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// The words of the command line. A name may be any bytes; in words, letters stand for those that are none.
fn arguments() -> impl Iterator<Item = String> {
    crate::cli::words().iter().map(|word| word.to_string_lossy().into_owned())
}

/// The command line as a file's history: without the folder of the program, which says nothing about the result.
fn history() -> String {
    std::iter::once("isobar".to_owned()).chain(arguments().skip(1)).collect::<Vec<_>>().join(" ")
}

/// A path with something before the ending of its name, whose bytes stay.
fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(suffix);
    if let Some(ending) = path.extension() {
        name.push(".");
        name.push(ending);
    }
    path.with_file_name(name)
}

#[cfg(all(test, unix))]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    use std::path::Path;

    use super::with_suffix;

    /// Names that differ in a byte that is no letter are the names of different files.
    #[test]
    fn a_suffix_leaves_the_bytes_of_a_name() {
        let named = |name: &'static [u8]| with_suffix(Path::new(OsStr::from_bytes(name)), ".restart");
        assert_eq!(named(b"a/\xfc.nc").as_os_str().as_bytes(), b"a/\xfc.restart.nc");
        assert_eq!(named(b"a.b/run").as_os_str().as_bytes(), b"a.b/run.restart");
        assert_eq!(named(b"run.x.nc").as_os_str().as_bytes(), b"run.x.restart.nc");
    }
}
