//! The computation.

use std::sync::Arc;

use isobar_io::LongwaveInput;
use isobar_launch::longwave::Longwave;
use isobar_launch::{Device, Precision};
use isobar_longwave::{Options, Outputs, TableData};

use super::k_set::KSet;
use crate::commands::Failure;

pub(super) fn compute<R: Precision>(
    k: &KSet,
    input: &LongwaveInput,
    scheme: &Options,
    devices: &[Device],
    done: &(dyn Fn(usize) + Sync),
) -> Result<Outputs<R>, Failure> {
    let tables = Arc::new(TableData::<R>::new(&k.coefficients));
    Ok(Longwave::new(devices, tables).run(&input.columns.rounded(), scheme, done)?)
}
