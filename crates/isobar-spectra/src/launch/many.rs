//! Spectra of many states, shared by devices.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use isobar_launch::pool::Pool;
use isobar_launch::{Device, Error, Queue};

use super::absorber::{Absorber, Precision, check_air};
use super::options::Options;
use crate::lists::Gas;
use crate::physics::line::Air;
use crate::{Grid, SpectraError};

/// What a line and a point take in an [`Absorber`] on the host, roughly \[bytes\].
const BYTES: usize = 160;
/// What the threads of a CPU may take together, each with a spectrum of its own \[bytes\].
const MEMORY: usize = 1 << 30;
/// Spectra of a GPU under way: while one is computed, others are copied and worked on.
const MOST_WORKERS: usize = 16;

/// The cross-sections of a gas \[cm^2/molecule\] in each air, on the devices. `progress` is told how many are done.
///
/// # Errors
/// As [`Absorber::new`] and [`Absorber::cross_sections`]: the first air that is wrong, before anything is computed.
pub fn cross_sections<R: Precision>(
    devices: &[Device],
    gas: &Gas,
    grid: &Grid,
    options: Options,
    airs: &[Air<f64>],
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<Vec<f64>>, SpectraError> {
    let results: Vec<Mutex<Vec<f64>>> = airs.iter().map(|_| Mutex::default()).collect();
    let done = AtomicUsize::new(0);
    each_cross_sections::<R>(devices, gas, grid, options, airs, [None, None], &|number, spectrum| {
        *results[number].lock().expect("no worker panics") = spectrum;
        progress(done.fetch_add(1, Ordering::Relaxed) + 1);
    })?;
    Ok(results.into_iter().map(|result| result.into_inner().expect("no worker panics")).collect())
}

/// Calls `each` with the number of every air and the cross-sections in it, as soon as they are there, from several
/// threads and in any order: what it does with a spectrum overlaps with the computation of others, and no more spectra
/// are in memory than there are threads. No more are begun once one of `stop` is set.
///
/// A GPU has as many spectra under way as there are CPU threads for it, 16 at most. The threads of a CPU take a
/// spectrum each, or share the points of one where there are few airs, or where as many spectra would take too much
/// memory. The bits are the same.
///
/// # Errors
/// As [`cross_sections`]; [`Error::Stopped`].
pub fn each_cross_sections<R: Precision>(
    devices: &[Device],
    gas: &Gas,
    grid: &Grid,
    options: Options,
    airs: &[Air<f64>],
    stop: [Option<&AtomicBool>; 2],
    each: &(dyn Fn(usize, Vec<f64>) + Sync),
) -> Result<(), SpectraError> {
    if devices.is_empty() {
        return Err(Error::NoDevice.into());
    }
    for air in airs {
        check_air(air)?;
        gas.partition_ratios(air.temperature_k)?;
    }
    let wrong: Mutex<Option<SpectraError>> = Mutex::default();
    let pool = Pool::new(airs.len(), &|_| (), stop);
    let threads = rayon::current_num_threads();
    let bytes = BYTES * (gas.lines().len() + grid.wavenumbers_per_cm().len());
    let alone = airs.len() >= 2 * threads && bytes.saturating_mul(threads) <= MEMORY;
    let gpus = devices.iter().filter(|device| !device.is_cpu()).count().max(1);
    let workers = |device: Device| match device {
        Device::Thread => 1,
        Device::Cpu => {
            if alone {
                threads
            } else {
                1
            }
        }
        Device::Cuda(_) => threads.div_ceil(gpus).clamp(1, MOST_WORKERS).min(airs.len().max(1)),
    };
    let work = |device: Device, pool: &Pool<'_>| {
        let keep = |error| match error {
            SpectraError::Device(error) => error,
            other => {
                wrong.lock().expect("no worker panics").get_or_insert(other);
                Error::Stopped
            }
        };
        let queue = if alone { Queue::new(device) } else { Queue::parallel(device) }?;
        let mut absorber = Absorber::<R>::new(queue, gas, grid, options).map_err(keep)?;
        while let Some(range) = pool.take(1) {
            let found = absorber.cross_sections(&airs[range.start]).map_err(|error| {
                pool.put_back(range.clone());
                keep(error)
            })?;
            each(range.start, found);
            pool.done(1);
        }
        Ok(())
    };
    let outcome = pool.run(devices, workers, work);
    if let Some(error) = wrong.into_inner().expect("no worker panics") {
        return Err(error);
    }
    outcome.map_err(|(error, _)| error.into())
}
