//! What the random sub-columns of clouds of each column begin with, where a file says it.

use isobar_radiation::CloudSolver;

use super::RadiationRequest;
use crate::columns_file::{Fields, Per, Quantity, Reading};
use crate::error::Error;
use crate::netcdf::Accepted;

const SEED: Quantity = Quantity::new("subcolumn_seed", &[], &[], "1", Per::Column, Accepted::FINITE);

/// Reads it where sub-columns are drawn by it: RRTMG_LW's begin with pressures, and one seed for all.
pub(super) fn read(reading: &mut Reading, request: &RadiationRequest) -> Result<(), Error> {
    let draws = request.options.cloud_solver == CloudSolver::McIca && !request.is_rrtmg_alone();
    if draws { reading.maybe(&SEED) } else { Ok(()) }
}

/// The seeds; none where the file has none.
pub(super) fn take(fields: &mut Fields) -> Result<Vec<u32>, Error> {
    let name = fields.name(SEED.name).unwrap_or_default();
    let seeds = fields.take(&SEED);
    let most = u32::MAX;
    // Not what rounding left out of a range: a seed is what it is. Of masked columns nothing counts.
    let is_no_seed = |&(column, seed): &(usize, &f64)| {
        (seed.fract() != 0.0 || *seed < 0.0 || *seed > f64::from(most)) && !seed.is_nan() && !fields.is_masked(column)
    };
    match seeds.iter().enumerate().find(is_no_seed) {
        Some((column, seed)) => {
            let place = fields.grid().place(column);
            Err(fields.refuse(format!("{name} = {seed} at {place} is no whole number in [0, {most}]")))
        }
        None => Ok(seeds.into_iter().map(|seed| seed as u32).collect()),
    }
}
