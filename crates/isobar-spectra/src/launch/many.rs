//! Spectra of many states, shared by devices.

use std::sync::Mutex;

use isobar_launch::pool::Pool;
use isobar_launch::{Device, Error, Queue};

use super::absorber::{Absorber, Precision, check_air};
use super::options::Options;
use crate::lists::Gas;
use crate::physics::line::Air;
use crate::{Grid, SpectraError};

/// The cross-sections of a gas \[cm^2/molecule\] in each air, on the devices: a GPU takes a state at a time, and the
/// threads of a CPU share the points of one. `progress` is told how many are done.
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
    if devices.is_empty() {
        return Err(Error::NoDevice.into());
    }
    for air in airs {
        check_air(air)?;
        gas.partition_ratios(air.temperature_k)?;
    }
    let results: Vec<Mutex<Vec<f64>>> = airs.iter().map(|_| Mutex::default()).collect();
    let wrong: Mutex<Option<SpectraError>> = Mutex::default();
    let pool = Pool::new(airs.len(), progress, [None, None]);
    let work = |device: Device, pool: &Pool<'_>| {
        let keep = |error| match error {
            SpectraError::Device(error) => error,
            other => {
                wrong.lock().expect("no worker panics").get_or_insert(other);
                Error::Stopped
            }
        };
        let mut absorber = Absorber::<R>::new(Queue::parallel(device)?, gas, grid, options).map_err(keep)?;
        while let Some(range) = pool.take(1) {
            let found = absorber.cross_sections(&airs[range.start]).map_err(|error| {
                pool.put_back(range.clone());
                keep(error)
            })?;
            *results[range.start].lock().expect("no worker panics") = found;
            pool.done(1);
        }
        Ok(())
    };
    let outcome = pool.run(devices, |_| 1, work);
    if let Some(error) = wrong.into_inner().expect("no worker panics") {
        return Err(error);
    }
    outcome.map_err(|(error, _)| error)?;
    Ok(results.into_iter().map(|result| result.into_inner().expect("no worker panics")).collect())
}
