//! The computation.

use isobar_core::fields::OwnedInputs;
use isobar_io::LongwaveInput;
use isobar_launch::Device;
use isobar_longwave::{Fluxes, Longwave, Options, Precision};

use super::k_set::KSet;
use crate::commands::Failure;
use crate::commands::progress::Progress;

pub(super) fn compute<R: Precision>(
    k: &KSet,
    input: &LongwaveInput,
    (scheme, top_layer): (&Options, bool),
    devices: &[Device],
    progress: Progress,
) -> Result<Fluxes<R>, Failure> {
    let model = Longwave::<R>::new(&k.coefficients).on(devices).progress(move |done| progress.reach(done));
    if !top_layer {
        return Ok(model.run(&input.columns.rounded(), scheme)?);
    }
    let columns = input.columns.with_top_layer().map_err(|problem| Failure::new(format!("--top-layer: {problem}")))?;
    Ok(model.run(&columns.rounded(), scheme)?.without_top_layer())
}
