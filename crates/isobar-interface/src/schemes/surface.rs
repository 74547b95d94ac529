//! Surface layers.

use isobar_surface::{Options, Precision, SurfaceLayer};
use serde_json::{Map, Value, json};

use super::{Setup, as_defaults, parts};
use crate::callable::Callable;
use crate::error::CallError;

pub(super) fn defaults() -> Map<String, Value> {
    as_defaults(&Options::default(), &[])
}

/// Its tables are made, not read.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {}

pub(super) fn open<R: Precision>(setup: &Setup) -> Result<Box<dyn Callable>, CallError> {
    let Tables {} = setup.tables("surface")?;
    setup.wrap(SurfaceLayer::<R>::on, parts("surface", defaults(), json!({})))
}
