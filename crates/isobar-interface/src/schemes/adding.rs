//! Radiances by the adding method.

use isobar_adding::{Adding, AddingAdjoint, ClearSky, Precision, Scattering, azimuth, clear_sky, scattering};
use isobar_core::fields::OwnedInputs;
use isobar_io::{AddingOptions, SurfaceKind, read_adding};
use serde_json::{Map, Value, json};

use super::{Setup, as_defaults, of_file, parts};
use crate::callable::Callable;
use crate::error::CallError;
use crate::files::FileFields;

/// Nodes of a hemisphere for means over the azimuth: the command's 8 streams.
const NODES_OF_MEANS: usize = 4;
/// Nodes of a hemisphere for what is seen from any direction: the command's 16 streams.
const NODES: usize = 8;

pub(super) fn clear_sky_defaults() -> Map<String, Value> {
    as_defaults(&clear_sky::Options::new(&[]), &[])
}

pub(super) fn scattering_defaults() -> Map<String, Value> {
    as_defaults(&scattering::Options::new(NODES_OF_MEANS), &[])
}

pub(super) fn adding_defaults() -> Map<String, Value> {
    as_defaults(&azimuth::Options::new(NODES), &[])
}

/// They have no tables.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {}

pub(super) fn open_clear_sky<R: Precision>(setup: &Setup) -> Result<Box<dyn Callable>, CallError> {
    let Tables {} = setup.tables("clear_sky")?;
    let mut parts = parts("clear_sky", clear_sky_defaults(), json!({}));
    parts.file = Some(Box::new(|path, _, choices| {
        let surface = match choices.surface.as_str() {
            "black" => SurfaceKind::Black,
            "specular" => SurfaceKind::Specular,
            "lambertian" => SurfaceKind::Lambertian,
            other => return Err(CallError::name("surface", other, ["black", "specular", "lambertian"])),
        };
        let input = read_adding(path, &AddingOptions { surface, linear_source: choices.linear_source });
        let input = input.map_err(of_file)?;
        let mut notes = input.remarks.lines();
        if input.scattering.is_some() {
            notes.push("its layers scatter, which is left out: Scattering and Adding compute with it".to_owned());
        }
        let views = input.profiles.views(&input.extents, "profile")?;
        let mut fields = FileFields::of(&views, &input.extents, input.derived).with_notes(notes, Vec::new());
        fields.options = as_defaults(&input.options, &[]);
        fields.options.retain(|name, _| ["cosine", "reflection"].contains(&name.as_str()));
        Ok(fields)
    }));
    setup.wrap(ClearSky::<R>::on, parts)
}

pub(super) fn open_scattering<R: Precision>(setup: &Setup) -> Result<Box<dyn Callable>, CallError> {
    let Tables {} = setup.tables("scattering")?;
    setup.wrap(Scattering::<R>::on, parts("scattering", scattering_defaults(), json!({})))
}

pub(super) fn open_adding<R: Precision>(setup: &Setup) -> Result<Box<dyn Callable>, CallError> {
    let Tables {} = setup.tables("adding")?;
    setup.wrap(Adding::<R>::on, parts("adding", adding_defaults(), json!({})))
}

pub(super) fn open_adding_adjoint<R: Precision>(setup: &Setup) -> Result<Box<dyn Callable>, CallError> {
    setup.on_cpus("derivatives of radiances are")?;
    let Tables {} = setup.tables("adding_adjoint")?;
    setup.wrap(AddingAdjoint::<R>::on, parts("adding_adjoint", adding_defaults(), json!({})))
}

#[cfg(test)]
mod tests {
    use super::{adding_defaults, scattering_defaults};

    /// The manual's streams of the command, 8 and from any direction 16, are those of both hemispheres.
    #[test]
    fn streams_are_those_of_the_command() {
        assert_eq!((scattering_defaults()["nodes"].as_u64(), adding_defaults()["nodes"].as_u64()), (Some(4), Some(8)));
    }
}
