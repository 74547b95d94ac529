//! Files of columns for boundary layers.

use std::path::{Path, PathBuf};

use isobar_core::fields::OwnedInputs;
use isobar_io::{BoundaryLayerRequest, constants_not_read, names_not_read, read_boundary_layer_files};
use isobar_ysu::{Chosen, ITEM};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::of_file;
use crate::error::CallError;
use crate::files::{FileChoices, FileFields, unread};

/// Options by name, which are checked where they are given, and not where the first columns are.
pub(super) fn options<T: Chosen + DeserializeOwned>(
    defaults: &Map<String, Value>,
    given: &Map<String, Value>,
) -> Result<(T, Vec<String>), CallError> {
    let options: T = crate::options::read(defaults, given)?;
    options.check()?;
    Ok((options, Vec::new()))
}

/// Columns of files, all of which have to be there.
pub(super) fn read(path: &Path, options: &impl Chosen, choices: &FileChoices) -> Result<FileFields, CallError> {
    let names: Vec<(String, String)> = choices.names.clone().into_iter().collect();
    let constants: Vec<(String, f64)> = choices.values.clone().into_iter().collect();
    let request = BoundaryLayerRequest {
        names: &names,
        constants: &constants,
        vertical: choices.vertical.as_deref(),
        ..BoundaryLayerRequest::default()
    };
    let files: Vec<&Path> = std::iter::once(path).chain(choices.others.iter().map(PathBuf::as_path)).collect();
    let read = read_boundary_layer_files(&files, options, &request).map_err(of_file)?;
    let (mut input, contradictions, made_up) = (read.air, read.contradictions, read.made_up);
    let columns = input.columns.columns();
    input.notes.extend(contradictions.iter().map(|one| one.in_words(columns)));
    input.notes.extend(names_not_read(&names, &input.names).map(|name| unread("names", name)));
    input.notes.extend(constants_not_read(&constants, &input.names).map(|constant| unread("values", constant)));
    input.notes.extend(input.remarks.lines());
    input.notes.extend(made_up.map(|what| {
        format!(
            "without a surface layer this is made up, and boundary-layer heights with it: {what}; SurfaceLayer \
             computes one from the surface's temperature"
        )
    }));
    let extents = input.columns.extents();
    let fields = FileFields::of(&input.columns.views(&extents, ITEM)?, &extents, input.derived);
    Ok(fields.with_notes(input.notes, input.masked))
}
