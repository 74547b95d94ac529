//! Scale-aware boundary layers.

use isobar_core::fields::OwnedInputs;
use isobar_io::read_boundary_layer;
use isobar_ysu::{ITEM, Precision, ShinHong, ShinHongOptions};
use serde_json::{Map, Value, json};

use super::{Setup, as_defaults, of_file, parts};
use crate::callable::Callable;
use crate::error::CallError;
use crate::files::FileFields;

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
    parts.file = Some(Box::new(|path, options, _| {
        let input = read_boundary_layer(path, options, false).map_err(of_file)?.air;
        let input = input.without_masks(path).map_err(of_file)?;
        let extents = input.columns.extents();
        Ok(FileFields::of(&input.columns.views(&extents, ITEM)?, &extents, input.derived))
    }));
    setup.wrap(ShinHong::<R>::on, parts)
}
