//! Why a command failed: one line for the user, and a number for the script that called it.

use isobar_ega::launch::InfraredError;
use isobar_launch::{Error as LaunchError, RunError};

/// What a script is told. 0 is success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Bad input, or a file that cannot be read or written.
    Input = 1,
    /// Bad usage, as clap has it.
    Usage = 2,
    /// Some items failed; the rest is written.
    SomeFailed = 3,
    /// All items failed.
    AllFailed = 4,
    /// Stopped by a signal: what is finished is kept, and the run can go on.
    Stopped = 5,
    /// The device is not there, failed, or is out of memory.
    Device = 6,
}

/// What `isobar --help` says of them.
pub const EXIT_CODES: &str = "\
Exit status:
  0  all was computed
  1  bad input, or a file that cannot be read or written
  2  bad usage
  3  some items (columns, cells, retrievals) failed; the rest is written
  4  all items failed
  5  stopped by a signal; --resume goes on from the restart file
  6  the device is not there, failed, or is out of memory";

/// One line for the user.
#[derive(Debug, thiserror::Error)]
#[error("{text}")]
pub struct Failure {
    exit: Exit,
    text: String,
}

impl Failure {
    /// Bad input, or a file that cannot be read or written.
    pub fn new(text: impl Into<String>) -> Self {
        Self::of(Exit::Input, text)
    }

    /// Options that make no sense together.
    pub fn usage(text: impl Into<String>) -> Self {
        Self::of(Exit::Usage, text)
    }

    /// A run that a signal has stopped.
    pub fn stopped(text: impl Into<String>) -> Self {
        Self::of(Exit::Stopped, text)
    }

    /// One of this kind.
    pub fn of(exit: Exit, text: impl Into<String>) -> Self {
        Self { exit, text: text.into() }
    }

    /// A failure of which the user knows: it was told, or another process tells it.
    pub fn told(exit: Exit) -> Self {
        Self::of(exit, "")
    }

    /// The failure where `failed` of `items` items failed, which the user was told, and what there is was written.
    pub fn unless_all(failed: usize, items: usize) -> Result<(), Self> {
        match failed {
            0 => Ok(()),
            _ if failed < items => Err(Self::told(Exit::SomeFailed)),
            _ => Err(Self::told(Exit::AllFailed)),
        }
    }

    /// This failure, in the file or thing that is named first.
    pub fn in_file(self, name: impl std::fmt::Display) -> Self {
        Self { text: format!("{name}: {}", self.text), ..self }
    }

    /// What a script is told.
    pub fn exit(&self) -> Exit {
        self.exit
    }

    /// Tells the user, who does not know it yet.
    pub fn tell(&self) {
        if !self.text.is_empty() {
            tell!("isobar: {self}");
        }
    }
}

/// What kind of failure an error is, and how it is told.
trait Kind: std::fmt::Display {
    fn exit(&self) -> Exit {
        Exit::Input
    }

    fn text(&self) -> String {
        self.to_string()
    }
}

impl Kind for LaunchError {
    fn exit(&self) -> Exit {
        match self {
            Self::NotADevice { .. } | Self::SeveralDevices { .. } | Self::NoDevice | Self::TooManyThreads { .. } => {
                Exit::Usage
            }
            Self::Stopped => Exit::Stopped,
            _ => Exit::Device,
        }
    }
}

impl Kind for RunError {
    fn exit(&self) -> Exit {
        match self {
            Self::Device(source) | Self::Interrupted { source, .. } => source.exit(),
            Self::Batch(error) => error.exit(),
            _ => Exit::Input,
        }
    }
}

impl Kind for InfraredError {
    fn exit(&self) -> Exit {
        match self {
            Self::Device(source) | Self::Interrupted { source, .. } => source.exit(),
            Self::Run(error) => error.exit(),
            _ => Exit::Input,
        }
    }
}

#[cfg(feature = "cli")]
impl Kind for isobar_column::Error {
    fn exit(&self) -> Exit {
        if let Self::Device(source) = self { source.exit() } else { Exit::Input }
    }
}

impl Kind for isobar_retrieval::Error {
    fn exit(&self) -> Exit {
        if let Self::Forward(source) = self { source.exit() } else { Exit::Input }
    }
}

#[cfg(feature = "cli")]
impl Kind for isobar::run::Error {
    fn exit(&self) -> Exit {
        match self {
            Self::Stopped { .. } => Exit::Stopped,
            Self::Device(source) => source.exit(),
            Self::Column(source) => source.exit(),
            Self::Memory(_) => Exit::Device,
            _ => Exit::Input,
        }
    }

    fn text(&self) -> String {
        if let Self::Elsewhere = self { String::new() } else { self.to_string() }
    }
}

impl Kind for isobar_launch::memory::TooLarge {
    fn exit(&self) -> Exit {
        Exit::Device
    }
}

#[cfg(feature = "cli")]
impl Kind for isobar_spectra::SpectraError {
    fn exit(&self) -> Exit {
        if let Self::Device(source) = self { source.exit() } else { Exit::Input }
    }
}

impl Kind for isobar::jurassic::Error {}
impl Kind for isobar::plot::Error {}
impl Kind for isobar_core::fields::Error {
    fn exit(&self) -> Exit {
        if let Self::OutOfMemory { .. } = self { Exit::Device } else { Exit::Input }
    }
}
impl Kind for isobar_ega::ForwardError {}
impl Kind for isobar_ega::TableError {}
impl Kind for isobar_io::Error {}
#[cfg(feature = "cli")]
impl Kind for isobar_kpp::Error {}
impl Kind for isobar_raytrace::Error {}

impl<E: Kind> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::of(error.exit(), error.text())
    }
}
