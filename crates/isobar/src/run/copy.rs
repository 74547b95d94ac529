//! How fast a device moves memory.

use std::time::Instant;

use isobar_core::selftest::CopyValues;
use isobar_launch::{Device, Error, Queue};
use rayon::prelude::*;

/// The bytes a second, read and written, of a plain copy of `values` doubles: the best of five.
///
/// # Errors
/// [`Error`] if the device cannot be had, or has not the memory for two such fields.
pub fn copy_bandwidth(device: Device, values: usize) -> Result<f64, Error> {
    let mut best = f64::INFINITY;
    if device.is_cpu() {
        let full = |_| Error::OutOfMemory { device, bytes: values * size_of::<f64>() };
        let room = || {
            let mut room = Vec::new();
            room.try_reserve_exact(values).map_err(full)?;
            Ok::<Vec<f64>, Error>(room)
        };
        let (mut from, mut to) = (room()?, room()?);
        from.resize(values, 1.0);
        to.resize(values, 0.0);
        for _ in 0..5 {
            let start = Instant::now();
            to.par_chunks_mut(1 << 16).zip(from.par_chunks(1 << 16)).for_each(|(to, from)| to.copy_from_slice(from));
            best = best.min(start.elapsed().as_secs_f64());
        }
    } else {
        let queue = Queue::new(device)?;
        let from = queue.zeros::<f64>(values)?;
        let mut to = queue.zeros::<f64>(values)?;
        let mut statuses = queue.zeros(values)?;
        for _ in 0..5 {
            let kernel = CopyValues { from: from.column(), to: to.item_fastest_mut(1, values) };
            let ((), time) = queue.time(|| queue.launch(&kernel, &mut statuses))?;
            best = best.min(time.as_secs_f64());
        }
    }
    // The kernel also writes a status of 4 bytes a value.
    let statuses = if device.is_cpu() { 0 } else { 4 };
    Ok((values * (2 * size_of::<f64>() + statuses)) as f64 / best)
}
