//! Boundary layers.

use isobar_ysu::{Options, Precision, Ysu};
use serde_json::{Map, Value, json};

use super::{Setup, as_defaults, boundary_layer, parts};
use crate::callable::Callable;
use crate::error::CallError;

pub(super) fn defaults() -> Map<String, Value> {
    as_defaults(&Options::new(60.0), &["time_step_s"])
}

/// It has no tables.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {}

pub(super) fn open<R: Precision>(setup: &Setup) -> Result<Box<dyn Callable>, CallError> {
    let Tables {} = setup.tables("ysu")?;
    let mut parts = parts("ysu", defaults(), json!({}));
    parts.file = Some(Box::new(boundary_layer::read));
    parts.read = Box::new(|given| boundary_layer::options(&defaults(), given));
    setup.wrap(Ysu::<R>::on, parts)
}
