//! Runs Isobar's cores over many items: on CPU threads, or on NVIDIA GPUs with the feature `cuda`, with the
//! same bits on both.
//!
//! A [`Device`] is chosen once; a [`Queue`] does work on it in order; a [`Buffer`] is memory that lives there. A launch
//! runs an [`isobar_core::Kernel`] over all of its items and writes each item's status. No scheme is known here: the
//! crates of the schemes run themselves by these means, in their modules `launch`.
//!
//! ```
//! use isobar_core::selftest::TeamSum;
//! use isobar_launch::{Device, Queue};
//!
//! let queue = Queue::new(Device::Cpu)?;
//! let values = queue.upload(&[0.5_f64; 32])?;
//! let mut sums = queue.zeros(1)?;
//! let mut statuses = queue.zeros(1)?;
//! let kernel = TeamSum { values: values.item_fastest(32, 1), sums: sums.item_fastest_mut(1, 1) };
//! queue.launch(&kernel, &mut statuses)?;
//! assert_eq!(queue.to_host(&sums)?, [16.0]);
//! # Ok::<(), isobar_launch::Error>(())
//! ```
//!
//! # The feature `cuda`
//! Needs NVIDIA's driver at run time, no toolkit, and a GPU of compute capability 8.0 or later. A program built with it
//! also runs where there is no driver, for the driver is loaded when the first GPU is asked for. Kernels are [`Ptx`],
//! which [`Queue::load`] brings to a GPU and the driver compiles for it. Schemes load their own.
//!
//! The build script of `cust`, which this feature uses, looks for a CUDA installation. Where there is none, set
//! `CUDA_LIBRARY_PATH` to a folder with an empty folder `lib64`, as this repository's `.cargo/config.toml` does.

mod buffer;
mod chunk;
mod chunks;
mod cuda;
mod device;
mod device_memory;
mod devices;
mod error;
mod foreign_stream;
pub mod host;
pub mod memory;
mod model;
pub mod pool;
mod precision;
mod ptx;
mod queue;
mod resident;
mod scheme;
mod staging;
mod threads;
mod transfers;

pub use buffer::Buffer;
pub use chunks::{chunk_items, chunks};
pub use device::Device;
pub use device_memory::{Allocations, DeviceMemory};
pub use devices::{DeviceInfo, parse_devices};
pub use error::Error;
pub use foreign_stream::ForeignStream;
pub use isobar_core::Plain;
pub use model::{BadItems, Model, RunError, Watch};
pub use precision::Precision;
pub use ptx::Ptx;
pub use queue::Queue;
pub use resident::Resident;
pub use scheme::{Given, Job, Outputs, Scheme, Shape};
pub use staging::Staging;
pub use threads::{most_threads, on_threads, thread_pool, with_threads};
