//! The computation.

use std::sync::Arc;

use isobar_io::LongwaveInput;
use isobar_launch::Device;
use isobar_longwave::launch::{Longwave, Precision};
use isobar_longwave::{Options, Outputs, TableData};

use super::k_set::KSet;
use crate::commands::Failure;

pub(super) fn compute<R: Precision>(
    k: &KSet,
    input: &LongwaveInput,
    scheme: &Options,
    top_layer: bool,
    devices: &[Device],
    done: &(dyn Fn(usize) + Sync),
) -> Result<Outputs<R>, Failure> {
    let tables = Arc::new(TableData::<R>::new(&k.coefficients));
    let model = Longwave::new(devices, tables);
    if !top_layer {
        return Ok(model.run(&input.columns.rounded(), scheme, done)?);
    }
    let columns = input.columns.with_top_layer().map_err(|problem| Failure(format!("--top-layer: {problem}")))?;
    Ok(model.run(&columns.rounded(), scheme, done)?.without_top_layer())
}
