//! Scale-aware boundary layers.

use isobar_ysu::{Precision, ShinHong, ShinHongOptions};
use serde_json::{Map, Value, json};

use super::{Setup, as_defaults, boundary_layer, parts};
use crate::callable::Callable;
use crate::error::CallError;

pub(super) fn defaults() -> Map<String, Value> {
    as_defaults(&ShinHongOptions::new(60.0), &["time_step_s"])
}

/// It has no tables.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {}

pub(super) fn open<R: Precision>(setup: &Setup) -> Result<Box<dyn Callable>, CallError> {
    let Tables {} = setup.tables("shin_hong")?;
    let mut parts = parts("shin_hong", defaults(), json!({}));
    parts.file = Some(Box::new(boundary_layer::read));
    parts.read = Box::new(|given| boundary_layer::options(&defaults(), given));
    setup.wrap(ShinHong::<R>::on, parts)
}
