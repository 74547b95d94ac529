//! What benches have alike: memory that they need, and how they measure.

use std::time::Instant;

use isobar::launch::{Device, Model, Resident, Scheme};
use isobar::program::failure::Failure;
use isobar::program::memory::need_for;
use isobar::program::progress::{Waiting, patiently};
use serde_json::Value;

use crate::report::{Report, say};

/// Refuses items that take more of the host's memory than there is, by the numbers that each of them has as inputs, as
/// results, and between the two: they are the caller's, on their way to the device and back, and there, which may be
/// the host.
pub(crate) fn need_memory<R>(
    device: Device,
    items: usize,
    name: &str,
    [inputs, results, between]: [usize; 3],
) -> Result<(), Failure> {
    let (inputs, results) = (inputs.saturating_mul(if device.is_cpu() { 3 } else { 2 }), results.saturating_mul(2));
    let between = if device.is_cpu() { between } else { 0 };
    let numbers = inputs.saturating_add(results).saturating_add(between);
    need_for(false, items, name, numbers.saturating_mul(size_of::<R>()) as u64)
}

/// What is measured, made.
pub(crate) fn made<T>(make: impl FnOnce() -> T) -> T {
    patiently(false, "making what is measured", make)
}

/// A sign of life while something is made or measured.
pub(crate) fn waiting() -> Waiting {
    Waiting::new(false, "measuring")
}

/// The memory of an emissivity table while it is made: 41 pressures, 29 temperatures and some 190 column densities.
pub(crate) const TABLE_BYTES: u64 = 41 * 29 * 190 * 32;

/// The bytes a second that a copy of half a gigabyte moves on a device.
pub(crate) fn copy_bandwidth(device: Device) -> Result<f64, Failure> {
    Ok(isobar::run::copy_bandwidth(device, 1 << 26)?)
}

/// Milliseconds in which devices compute a batch that lies on them, once all are busy: the mean of some launches.
pub(crate) fn resident_ms<S: Scheme>(
    resident: &mut Resident<'_, S>,
    options: &S::Options,
    launches: usize,
) -> Result<f64, Failure> {
    let _waiting = waiting();
    resident.compute(options)?;
    resident.synchronize()?;
    let start = Instant::now();
    (0..launches).try_for_each(|_| resident.compute(options))?;
    resident.synchronize()?;
    Ok(start.elapsed().as_secs_f64() / launches as f64 * 1e3)
}

/// With `--energy`: what a batch of some items takes of it that lies on the devices and is computed in some
/// milliseconds.
pub(crate) fn resident_energy<S: Scheme>(
    report: &Report,
    resident: &mut Resident<'_, S>,
    options: &S::Options,
    (items, item): (usize, &str),
    (work, ms): (&Value, f64),
) -> Result<(), Failure> {
    // So many at once that the devices do not wait for each other or for the host.
    let launches = (200.0 / ms).ceil().clamp(1.0, 1e5) as usize;
    let mut devices: Vec<Device> = resident.queues().map(|queue| queue.device()).collect();
    devices.dedup();
    report.energy(&devices, (launches * items, item), work, || {
        (0..launches).try_for_each(|_| resident.compute(options))?;
        Ok(resident.synchronize()?)
    })
}

/// Milliseconds of a batch from and to the host's memory: the median of seven runs after one, into the same results.
pub(crate) fn host_ms<S: Scheme>(
    model: &Model<S>,
    inputs: S::Inputs<'_>,
    options: &S::Options,
) -> Result<f64, Failure> {
    let _waiting = waiting();
    let (mut times, mut results) = (Vec::new(), S::Results::default());
    for _ in 0..8 {
        let start = Instant::now();
        model.run_into(inputs, options, &mut results)?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    let mut times = times.split_off(1);
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}

/// The head of the lines that [`measure`] prints.
pub(crate) const MEASURED: &str = "  columns           ms    columns/s device B/column";

/// Prints a line of how long a batch of `work` takes that lies on the devices, and with `transfers` one of how long it
/// takes from and to the host's memory.
pub(crate) fn measure<S: Scheme>(
    (report, mut work): (&Report, Value),
    model: Model<S>,
    inputs: S::Inputs<'_>,
    options: &S::Options,
    (count, launches, transfers): (usize, usize, bool),
) -> Result<(), Failure> {
    let mut resident = model.resident(inputs, options)?;
    let ms = resident_ms(&mut resident, options, launches.max(1))?;
    say!(report, "{count:9} {ms:12.4} {:12.0} {:15}", count as f64 / ms * 1e3, resident.device_bytes() / count);
    work["columns"] = count.into();
    resident_energy(report, &mut resident, options, (count, "column"), (&work, ms))?;
    drop(resident);
    report.figure("resident", count as f64 / ms * 1e3, "columns/s", work.clone());
    if transfers {
        let (whole, copies) = (host_ms(&model, inputs, options)?, host_ms(&model.transfers_only(), inputs, options)?);
        say!(
            report,
            "from and to the host's memory: {whole:.2} ms, {:.0} columns/s, {:.1} % of resident; copies alone \
             {copies:.2} ms",
            count as f64 / whole * 1e3,
            100.0 * ms / whole
        );
        report.figure("host to host", count as f64 / whole * 1e3, "columns/s", work);
    }
    Ok(())
}

/// What some runs take.
pub(crate) fn seconds<S: Scheme>(
    resident: &mut Resident<'_, S>,
    chosen: &S::Options,
    launches: usize,
) -> Result<f64, Failure> {
    let waiting = waiting();
    resident.compute(chosen)?;
    resident.synchronize()?;
    let queue = resident.queues().next().expect("there is a device").clone();
    let ((), spent) = queue.time(|| {
        (0..launches).try_for_each(|_| resident.compute(chosen))?;
        resident.synchronize()
    })?;
    drop(waiting);
    Ok(spent.as_secs_f64())
}
