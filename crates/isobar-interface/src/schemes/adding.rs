//! Radiances by the adding method.

use isobar_adding::{ClearSky, Precision, Scattering, clear_sky, scattering};
use serde_json::{Map, Value, json};

use super::{Setup, as_defaults, parts};
use crate::callable::Callable;
use crate::error::CallError;

/// Eight streams, as the command has it.
const NODES: usize = 4;

pub(super) fn clear_sky_defaults() -> Map<String, Value> {
    as_defaults(&clear_sky::Options::new(&[]), &[])
}

pub(super) fn scattering_defaults() -> Map<String, Value> {
    as_defaults(&scattering::Options::new(NODES), &[])
}

/// They have no tables.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {}

pub(super) fn open_clear_sky<R: Precision>(setup: &Setup) -> Result<Box<dyn Callable>, CallError> {
    let Tables {} = setup.tables("clear_sky")?;
    setup.wrap(ClearSky::<R>::on, parts("clear_sky", clear_sky_defaults(), json!({})))
}

pub(super) fn open_scattering<R: Precision>(setup: &Setup) -> Result<Box<dyn Callable>, CallError> {
    let Tables {} = setup.tables("scattering")?;
    setup.wrap(Scattering::<R>::on, parts("scattering", scattering_defaults(), json!({})))
}
