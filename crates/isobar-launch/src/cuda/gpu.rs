//! The GPUs of this machine: what they are, and each one's context and compiled kernels.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, OnceLock, PoisonError};

use cust::CudaFlags;
use cust::context::{Context, CurrentContext};
use cust::device::{Device as CudaDevice, DeviceAttribute};
use cust::error::CudaError;
use cust::function::Function;
use cust::module::Module;
use cust::sys::{CUfunction_attribute_enum, cuFuncSetAttribute, cudaError_enum};

use super::driver;
use crate::{Device, DeviceInfo, Error, Ptx};

/// The kernels of [`isobar_core::selftest`], which every GPU has.
const SELFTEST: Ptx = Ptx::embedded(include_str!("../../ptx/selftest.ptx"));

/// For tuning: a file of PTX whose entries go before those of all others.
const TRIAL: &str = "ISOBAR_TRIAL_PTX";

/// A GPU in use. It stays so until the process ends.
pub(super) struct Gpu {
    pub(super) number: u32,
    /// PTX, that on trial first, then in the order in which it was loaded. The driver compiles a module for the GPU at
    /// hand, and caches it, when one of its entries is wanted.
    sources: Mutex<Vec<Ptx>>,
    modules: Mutex<BTreeMap<usize, &'static Module>>,
    entries: Mutex<BTreeMap<(&'static str, &'static str), Entry>>,
    context: Context,
}

/// A kernel of a GPU.
#[derive(Clone, Copy)]
pub(super) struct Entry(pub(super) &'static Function<'static>);

// SAFETY: a handle of the driver's, which any thread may use and which stays until the process ends.
unsafe impl Send for Entry {}

impl Entry {
    /// Lets a block have `bytes` of shared memory besides those of its kernel, and a multiprocessor as many such blocks
    /// as fit.
    pub(super) fn allow_scratch(self, bytes: usize) -> Result<(), CudaError> {
        use CUfunction_attribute_enum as Attribute;
        let function = self.0.to_raw();
        for (attribute, value) in [
            (Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes as i32),
            (Attribute::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 100),
        ] {
            // SAFETY: a function of a module that stays loaded; the caller has made its context current.
            if unsafe { cuFuncSetAttribute(function, attribute, value) } != cudaError_enum::CUDA_SUCCESS {
                return Err(CudaError::InvalidValue);
            }
        }
        Ok(())
    }
}

/// The GPU of this number, which is set up when it is first asked for.
pub(super) fn get(number: u32) -> Result<&'static Gpu, Error> {
    static GPUS: Mutex<BTreeMap<u32, &'static Gpu>> = Mutex::new(BTreeMap::new());
    let mut gpus = GPUS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(gpu) = gpus.get(&number) {
        return Ok(gpu);
    }
    let gpu: &'static Gpu = Box::leak(Box::new(Gpu::new(number)?));
    gpus.insert(number, gpu);
    Ok(gpu)
}

impl Gpu {
    fn new(number: u32) -> Result<Self, Error> {
        let found = count()?;
        if number as usize >= found {
            return Err(Error::NoSuchDevice { wanted: number, found });
        }
        let info = describe(number)?;
        if let (false, Some((major, minor))) = (info.runs_kernels(), info.compute_capability) {
            return Err(Error::TooOld { device: info.device, name: info.name, major, minor });
        }
        let fail = |doing| move |error| driver_error(number, doing, 0, error);
        let device = CudaDevice::get_device(number).map_err(fail("open the device"))?;
        let context = Context::new(device).map_err(fail("make a context"))?;
        CurrentContext::set_current(&context).map_err(fail("use the context"))?;
        let trial = std::env::var_os(TRIAL).map(Ptx::read).transpose()?;
        let sources = Mutex::new(trial.into_iter().chain([SELFTEST]).collect());
        Ok(Self { number, sources, modules: Mutex::default(), entries: Mutex::default(), context })
    }

    /// Adds kernels, if they are not there yet.
    pub(super) fn load(&self, ptx: Ptx) {
        let mut sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        // The addresses come first, for a text is megabytes.
        let same = |known: &Ptx| std::ptr::eq(known.text(), ptx.text()) || *known == ptx;
        if !sources.iter().any(same) {
            sources.push(ptx);
        }
    }

    /// The kernel of a name and a precision, looked up once.
    pub(super) fn entry(&self, name: &'static str, precision: &'static str) -> Result<Entry, Error> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&entry) = entries.get(&(name, precision)) {
            return Ok(entry);
        }
        let full = format!("{name}_{precision}");
        let line = format!(".entry {full}(");
        let sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        let found = sources.iter().position(|ptx| ptx.text().contains(&line)).map(|index| (index, sources[index]));
        drop(sources);
        let Some(module) = found else {
            return Err(Error::KernelMissing { name: full });
        };
        let function = self.module(module)?.get_function(&full).map_err(|error| self.error("find a kernel", error))?;
        let entry = Entry(Box::leak(Box::new(function)));
        entries.insert((name, precision), entry);
        Ok(entry)
    }

    /// A module, compiled once; its PTX is source number `index`.
    fn module(&self, (index, ptx): (usize, Ptx)) -> Result<&'static Module, Error> {
        let mut modules = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(module) = modules.get(&index) {
            return Ok(module);
        }
        let module = Module::from_ptx(ptx.text(), &[]).map_err(|e| self.error("compile the kernels", e))?;
        let module: &'static Module = Box::leak(Box::new(module));
        modules.insert(index, module);
        Ok(module)
    }

    pub(super) fn device(&self) -> Device {
        Device::Cuda(self.number)
    }

    /// Makes the calls that follow on this thread go to this GPU.
    pub(super) fn enter(&self) -> Result<(), Error> {
        CurrentContext::set_current(&self.context).map_err(|e| self.error("use the context", e))
    }

    pub(super) fn error(&self, doing: &'static str, error: CudaError) -> Error {
        driver_error(self.number, doing, 0, error)
    }

    pub(super) fn allocation_error(&self, bytes: usize, error: CudaError) -> Error {
        driver_error(self.number, "allocate memory", bytes, error)
    }
}

/// The GPUs that there are.
pub(crate) fn list() -> Result<Vec<DeviceInfo>, Error> {
    (0..count()? as u32).map(describe).collect()
}

fn count() -> Result<usize, Error> {
    if !start()? {
        return Ok(0);
    }
    let count = CudaDevice::num_devices().map_err(|e| Error::NoDriver { why: words(e) })?;
    Ok(count as usize)
}

fn describe(number: u32) -> Result<DeviceInfo, Error> {
    let fail = |error| driver_error(number, "describe the device", 0, error);
    let device = CudaDevice::get_device(number).map_err(fail)?;
    let attribute = |which| device.get_attribute(which).map_err(fail);
    Ok(DeviceInfo {
        device: Device::Cuda(number),
        name: device.name().map_err(fail)?,
        memory_bytes: device.total_memory().map_err(fail)?,
        compute_capability: Some((
            attribute(DeviceAttribute::ComputeCapabilityMajor)?,
            attribute(DeviceAttribute::ComputeCapabilityMinor)?,
        )),
        pci_address: Some(format!(
            "{:08X}:{:02X}:{:02X}.0",
            attribute(DeviceAttribute::PciDomainId)?,
            attribute(DeviceAttribute::PciBusId)?,
            attribute(DeviceAttribute::PciDeviceId)?
        )),
    })
}

/// Loads and starts the driver, once; false where it finds no GPU.
fn start() -> Result<bool, Error> {
    static STARTED: OnceLock<Result<bool, String>> = OnceLock::new();
    let started = STARTED.get_or_init(|| {
        driver::load()?;
        match cust::init(CudaFlags::empty()) {
            Ok(()) => Ok(true),
            Err(CudaError::NoDevice) => Ok(false),
            Err(error) => Err(words(error)),
        }
    });
    started.clone().map_err(|why| Error::NoDriver { why })
}

/// The launcher's error for an answer of the driver.
fn driver_error(number: u32, doing: &'static str, bytes: usize, error: CudaError) -> Error {
    use CudaError as E;
    let device = Device::Cuda(number);
    match error {
        E::OutOfMemory => Error::OutOfMemory { device, bytes },
        // After these the context answers nothing but the same error.
        E::EccUncorrectable
        | E::NvlinkUncorrectable
        | E::IllegalAddress
        | E::LaunchTimeout
        | E::AssertError
        | E::HardwareStackError
        | E::IllegalInstruction
        | E::MisalignedAddress
        | E::InvalidAddressSpace
        | E::InvalidProgramCounter
        | E::LaunchFailed
        | E::ContextIsDestroyed
        | E::Deinitialized => Error::DeviceLost { device, what: words(error) },
        other => Error::Driver { device, doing, what: words(other) },
    }
}

/// The driver's words for an error, or its name where the driver has none.
fn words(error: CudaError) -> String {
    let mut text = String::new();
    match write!(text, "{error}") {
        Ok(()) => format!("{} ({error:?})", text.trim_matches('"')),
        Err(_) => format!("{error:?}"),
    }
}
