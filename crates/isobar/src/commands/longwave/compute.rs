//! The computation.

use std::sync::Arc;

use isobar_core::Real;
use isobar_io::LongwaveInput;
use isobar_launch::{Device, Plain};
use isobar_longwave::{Batch, Options, Outputs, TableData};

use super::k_set::KSet;
use crate::commands::Failure;

pub(super) fn compute<R: Real + Plain>(
    k: &KSet,
    input: &LongwaveInput,
    scheme: &Options,
    _devices: &[Device],
    done: &(dyn Fn(usize) + Sync),
) -> Result<Outputs<R>, Failure> {
    let tables = Arc::new(TableData::<R>::new(&k.coefficients));
    let mut batch =
        Batch::new(tables, input.columns.rounded(), scheme.clone()).map_err(|error| Failure(error.to_string()))?;
    batch.compute();
    done(input.columns.columns());
    Ok(batch.into_outputs())
}
