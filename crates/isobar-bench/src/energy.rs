//! What work takes of energy: by the counters of GPUs, which NVIDIA's management library (NVML) reads, and those of
//! processors ([`crate::power_cap`]).

use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};

use isobar::launch::Device;
use isobar::program::failure::Failure;
use serde_json::Value;

use crate::measure::waiting;
use crate::power_cap::{Package, packages};
use crate::report::{Report, say};

/// How long work is repeated: counters advance some ten times a second.
const LEAST: Duration = Duration::from_secs(10);
/// Where Linux shows the counters of processors.
const POWER_CAP: &str = "/sys/class/powercap";

/// A counter of energy.
enum Counter {
    Processor(Package),
    #[cfg(feature = "cuda")]
    Gpu {
        device: Device,
        library: Box<nvml_wrapper::Nvml>,
        address: String,
    },
}

impl fmt::Display for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Processor(package) => write!(f, "processor {package}"),
            #[cfg(feature = "cuda")]
            Self::Gpu { device, .. } => write!(f, "{device}"),
        }
    }
}

impl Counter {
    /// Microjoules since some time.
    fn read(&self) -> Result<u64, Failure> {
        match self {
            Self::Processor(package) => package.read().map_err(|why| Failure::new(format!("--energy: {why}"))),
            #[cfg(feature = "cuda")]
            Self::Gpu { device, library, address } => library
                .device_by_pci_bus_id(address.as_str())
                .and_then(|gpu| gpu.total_energy_consumption())
                .map(|millijoules| 1000 * millijoules)
                .map_err(|error| Failure::new(format!("--energy: {device} at {address}: {error}"))),
        }
    }

    /// Microjoules between two readings.
    fn between(&self, before: u64, after: u64) -> u64 {
        match self {
            Self::Processor(package) => package.between(before, after),
            #[cfg(feature = "cuda")]
            Self::Gpu { .. } => after.saturating_sub(before),
        }
    }
}

/// The counter of a GPU.
#[cfg(feature = "cuda")]
fn gpu(device: Device) -> Result<Counter, Failure> {
    let address = Device::list().into_iter().find(|info| info.device == device).and_then(|info| info.pci_address);
    let address = address.ok_or_else(|| Failure::new(format!("--energy: {device} has no address on the PCI bus")))?;
    let library = nvml_wrapper::Nvml::init().map_err(|error| Failure::new(format!("--energy: NVML: {error}")))?;
    let counter = Counter::Gpu { device, library: Box::new(library), address };
    counter.read()?;
    Ok(counter)
}

#[cfg(not(feature = "cuda"))]
fn gpu(device: Device) -> Result<Counter, Failure> {
    Err(Failure::new(format!("--energy: {device}: CUDA is not compiled in")))
}

impl Report {
    /// With `--energy`: repeats `run`, which does the `work` of so many items, for ten seconds at least, and tells what
    /// an item takes.
    pub(crate) fn energy(
        &self,
        devices: &[Device],
        (items, item): (usize, &str),
        work: &Value,
        mut run: impl FnMut() -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if !self.wants_energy() {
            return Ok(());
        }
        let gpus: Vec<Counter> =
            devices.iter().filter(|device| !device.is_cpu()).map(|&device| gpu(device)).collect::<Result<_, _>>()?;
        // Beside GPUs the processors' counters, which an administrator alone may read, are not missed.
        let processors = match packages(Path::new(POWER_CAP)) {
            Err(why) if gpus.is_empty() => return Err(Failure::new(format!("--energy: {why}"))),
            found => found.unwrap_or_default(),
        };
        if gpus.is_empty() && processors.is_empty() {
            return Err(Failure::new(format!(
                "--energy: this machine shows no counter of its processors' energy ({POWER_CAP})"
            )));
        }
        let counters: Vec<Counter> = gpus.into_iter().chain(processors.into_iter().map(Counter::Processor)).collect();
        let read = || counters.iter().map(Counter::read).collect::<Result<Vec<u64>, Failure>>();
        let (waiting, mut runs) = (waiting(), 0);
        run()?;
        let (start, before) = (Instant::now(), read()?);
        while start.elapsed() < LEAST {
            run()?;
            runs += 1;
        }
        let (after, seconds) = (read()?, start.elapsed().as_secs_f64());
        drop(waiting);
        for ((counter, before), after) in counters.iter().zip(before).zip(after) {
            let joules = counter.between(before, after) as f64 * 1e-6;
            let each = joules / (runs * items) as f64;
            say!(
                self,
                "energy of {counter}: {each:.3e} J a {item}, {:.0} W for {seconds:.1} s ({runs} runs)",
                joules / seconds
            );
            self.figure(&format!("energy of {counter}"), each.recip(), &format!("{item}s/J"), work.clone());
        }
        Ok(())
    }
}
