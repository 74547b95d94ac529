//! What can go wrong between a core and its device.

use std::path::PathBuf;

use crate::Device;

/// An error of the launcher; each says in one line what happened and, where there is one, the way out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// CUDA was asked for, but the feature `cuda` is off.
    #[error("CUDA was asked for, but this isobar was not compiled with it: build with `--features cuda`")]
    NotCompiledIn,
    /// CUDA was asked for, but its driver cannot be used.
    #[error("CUDA was asked for, but NVIDIA's driver cannot be used: {why}")]
    NoDriver {
        /// The loader's or the driver's own words.
        why: String,
    },
    /// There is no GPU of this number.
    #[error("there is no cuda:{wanted}: {found} found, numbered from 0", found = gpus(*found))]
    NoSuchDevice {
        /// The number asked for.
        wanted: u32,
        /// The number of GPUs that there are.
        found: usize,
    },
    /// The GPU is older than the compiled kernels.
    #[error("{device} ({name}) has compute capability {major}.{minor}, and the kernels need 8.0 or later")]
    TooOld {
        /// The device.
        device: Device,
        /// Its product name.
        name: String,
        /// The major number of its compute capability.
        major: i32,
        /// The minor number.
        minor: i32,
    },
    /// The kernels are compiled for newer processors.
    #[error("this processor has no AVX2 and FMA, which Isobar needs: Intel's have them since 2013, AMD's since 2015")]
    ProcessorTooOld,
    /// The text names no device.
    #[error("'{text}' is not a device: write thread, cpu, cuda, cuda:1 (a number), cuda:all or auto")]
    NotADevice {
        /// What was given.
        text: String,
    },
    /// Several devices were named where one is wanted.
    #[error("'{text}' names several devices, and one is wanted here")]
    SeveralDevices {
        /// What was given.
        text: String,
    },
    /// The device's memory does not hold the request: a smaller chunk may fit.
    #[error("{device} is out of memory: {bytes} bytes more were wanted")]
    OutOfMemory {
        /// The device.
        device: Device,
        /// The size of the request that failed.
        bytes: usize,
    },
    /// The device answers no more in this process: what was finished is kept, the rest is to be run again.
    #[error("{device} was lost: {what}; its unfinished work has to be run again in a new process")]
    DeviceLost {
        /// The device.
        device: Device,
        /// The driver's own words.
        what: String,
    },
    /// Any other refusal of the driver.
    #[error("{device}: the driver could not {doing}: {what}")]
    Driver {
        /// The device.
        device: Device,
        /// What was tried.
        doing: &'static str,
        /// The driver's own words.
        what: String,
    },
    /// No PTX of the device has such an entry.
    #[error("no PTX on the GPU has the kernel '{name}': load the PTX that has it with `Queue::load`")]
    KernelMissing {
        /// The entry, as in `trace_f64`.
        name: String,
    },
    /// A file is no PTX that can be loaded.
    #[error("{}: {why}", path.display())]
    Ptx {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A buffer was used on a device on which it does not live.
    #[error("a buffer of {buffer} was used on {queue}")]
    WrongDevice {
        /// Where the buffer lives.
        buffer: Device,
        /// The queue's device.
        queue: Device,
    },
    /// A buffer is too short for what was asked.
    #[error("{what}: {needed} values are needed, and the buffer has {got}")]
    TooShort {
        /// The use.
        what: &'static str,
        /// The values needed.
        needed: usize,
        /// The values that there are.
        got: usize,
    },
    /// Arrays on a device do not lie there as the kernels read and write them.
    #[error(
        "{what} do not lie as the kernels read and write them on a device: side by side, item after item, row after row"
    )]
    Layout {
        /// What does not.
        what: &'static str,
    },
    /// A model has no device.
    #[error("a model needs at least one device")]
    NoDevice,
    /// The run was asked to stop.
    #[error("the run was stopped")]
    Stopped,
    /// More threads were asked for than work gains by.
    #[error("{threads} threads are more than the {most} that may be asked for: 0 takes one a core")]
    TooManyThreads {
        /// The number asked for.
        threads: usize,
        /// The most.
        most: usize,
    },
    /// The thread pool could not be made.
    #[error("{threads} threads could not be started: {why}")]
    Threads {
        /// The number asked for.
        threads: usize,
        /// The system's own words.
        why: String,
    },
}

fn gpus(count: usize) -> String {
    match count {
        0 => "no GPU was".to_owned(),
        1 => "1 GPU was".to_owned(),
        _ => format!("{count} GPUs were"),
    }
}
