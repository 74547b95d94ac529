//! The processors that there are.

use std::fmt;
use std::str::FromStr;

use crate::{Device, Error, cuda, host};

/// What is known about a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceInfo {
    /// The device.
    pub device: Device,
    /// Its product name.
    pub name: String,
    /// Its memory in bytes; 0 where it is not known.
    pub memory_bytes: usize,
    /// The compute capability of a GPU, as in (9, 0).
    pub compute_capability: Option<(i32, i32)>,
    /// A GPU's address on the PCI bus, as in `00000000:1B:00.0`, by which NVIDIA's management library knows it.
    pub pci_address: Option<String>,
}

impl Device {
    /// The first GPU that can run the kernels, or the CPU; and one line that says which and why.
    #[must_use]
    pub fn auto() -> (Self, String) {
        let why = match cuda::list() {
            Err(Error::NotCompiledIn) => "CUDA is not compiled in".to_owned(),
            Err(Error::NoDriver { why }) => format!("no NVIDIA driver: {why}"),
            Err(other) => other.to_string(),
            Ok(gpus) => match gpus.iter().find(|gpu| gpu.runs_kernels()) {
                Some(gpu) => return (gpu.device, format!("device {gpu}: a GPU was found")),
                None if gpus.is_empty() => "no GPU was found".to_owned(),
                None => format!("{} is too old for the kernels", gpus[0]),
            },
        };
        (Self::Cpu, format!("device cpu, {} threads: {why}", rayon::current_num_threads()))
    }

    /// The CPU and every GPU that there is.
    #[must_use]
    pub fn list() -> Vec<DeviceInfo> {
        let mut devices = vec![cpu()];
        devices.extend(cuda::list().unwrap_or_default());
        devices
    }

    /// The number of GPUs.
    ///
    /// # Errors
    /// Why CUDA cannot be used: [`Error::NotCompiledIn`], [`Error::NoDriver`].
    pub fn gpus() -> Result<usize, Error> {
        cuda::list().map(|gpus| gpus.len())
    }

    /// The device, if it can be used.
    pub(crate) fn present(self) -> Result<Self, Error> {
        match self {
            Self::Thread | Self::Cpu if !host::supported() => Err(Error::ProcessorTooOld),
            Self::Thread | Self::Cpu => Ok(self),
            Self::Cuda(number) => match cuda::list()?.len() {
                found if number as usize >= found => Err(Error::NoSuchDevice { wanted: number, found }),
                _ => Ok(self),
            },
        }
    }
}

/// Reads `thread`, `cpu`, `cuda`, `cuda:1` and `auto`.
impl FromStr for Device {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match parse_devices(text)?.as_slice() {
            [device] => Ok(*device),
            _ => Err(Error::SeveralDevices { text: text.to_owned() }),
        }
    }
}

/// Reads `thread` (the calling one), `cpu`, `cuda` (the first GPU), `cuda:1`, `cuda:all` (every GPU) and `auto` (see
/// [`Device::auto`]).
///
/// # Errors
/// [`Error::NotADevice`]; and where CUDA is asked for and cannot be had, why: never another device instead.
pub fn parse_devices(text: &str) -> Result<Vec<Device>, Error> {
    let device = match text {
        "auto" => Device::auto().0.present()?,
        "thread" => Device::Thread.present()?,
        "cpu" => Device::Cpu.present()?,
        "cuda" => Device::Cuda(0).present()?,
        "cuda:all" => match cuda::list()? {
            gpus if gpus.is_empty() => {
                return Err(Error::NoSuchDevice { wanted: 0, found: 0 });
            }
            gpus => return Ok(gpus.into_iter().map(|gpu| gpu.device).collect()),
        },
        other => {
            let number = other.strip_prefix("cuda:").and_then(|number| number.parse().ok());
            let number = number.ok_or_else(|| Error::NotADevice { text: text.to_owned() })?;
            Device::Cuda(number).present()?
        }
    };
    Ok(vec![device])
}

impl DeviceInfo {
    /// Can the device run the compiled kernels?
    #[must_use]
    pub fn runs_kernels(&self) -> bool {
        self.compute_capability.is_none_or(|(major, _)| major >= 8)
    }
}

impl fmt::Display for DeviceInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}", self.device, self.name)?;
        if self.memory_bytes > 0 {
            write!(f, ", {:.0} GiB", self.memory_bytes as f64 / f64::from(1 << 30))?;
        }
        if let Some((major, minor)) = self.compute_capability {
            write!(f, ", compute capability {major}.{minor}")?;
        }
        write!(f, ")")
    }
}

/// The CPU, as Linux describes it.
fn cpu() -> DeviceInfo {
    let value = |file: &str, key: &str| {
        let text = std::fs::read_to_string(file).ok()?;
        let line = text.lines().find(|line| line.starts_with(key))?;
        line.split_once(':').map(|(_, value)| value.trim().to_owned())
    };
    let name = value("/proc/cpuinfo", "model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let kibibytes = value("/proc/meminfo", "MemTotal").and_then(|v| v.split_whitespace().next()?.parse::<usize>().ok());
    DeviceInfo {
        device: Device::Cpu,
        name: format!("{name}, {} threads", rayon::current_num_threads()),
        memory_bytes: kibibytes.unwrap_or(0) * 1024,
        compute_capability: None,
        pci_address: None,
    }
}
