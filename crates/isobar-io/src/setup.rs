//! A control file's options as the forward model takes them.

use std::path::PathBuf;

use isobar_ega::{FieldOfView, ForwardSetup, GroundKind};
use isobar_raytrace::PathOptions;

use crate::{Control, Error, filter_path, read_filters, read_shape, table_path};

impl Control {
    /// The files that it names, there or not, and what they are: filters, emissivity tables, the field of view.
    #[must_use]
    pub fn files(&self) -> Vec<(&'static str, PathBuf)> {
        let mut files: Vec<_> = self.field_of_view.iter().map(|path| ("the field of view", path.clone())).collect();
        let Some(base) = &self.table_base else { return files };
        for &nu in &self.wavenumbers_per_cm {
            files.push(("a filter", filter_path(base, nu)));
            let table = |gas: &String| ("an emissivity table", table_path(base, nu, gas, self.table_format));
            files.extend(self.emitters.iter().map(table));
        }
        files
    }

    /// How rays are to be stepped.
    #[must_use]
    pub fn path_options(&self) -> PathOptions {
        PathOptions {
            step_length_km: self.step_length_km,
            step_height_km: self.step_height_km,
            refraction: self.refraction,
            ..PathOptions::default()
        }
    }
}

/// The forward calculation that a control file asks for, with the filters and the field of view that it names.
///
/// # Errors
/// A filter or field of view that cannot be read.
pub fn read_setup(control: &Control) -> Result<ForwardSetup, Error> {
    let field_of_view = control.field_of_view.as_ref().map(|path| read_shape(path)).transpose()?;
    Ok(ForwardSetup {
        gases: control.emitters.clone(),
        wavenumbers_per_cm: control.wavenumbers_per_cm.clone(),
        filters: read_filters(control)?.into_iter().map(Into::into).collect(),
        path: control.path_options(),
        approximation: control.approximation,
        interpolation: control.interpolation,
        jurassic_exact: false,
        continua: control.continua,
        windows: control.windows.clone(),
        cloud_wavenumbers_per_cm: control.cloud_wavenumbers_per_cm.clone(),
        surface_wavenumbers_per_cm: control.surface_wavenumbers_per_cm.clone(),
        ground: match control.surface_type {
            0 => GroundKind::None,
            1 => GroundKind::Emission,
            2 => GroundKind::Sky,
            _ => GroundKind::SkyAndSun,
        },
        solar_zenith_deg: control.solar_zenith_deg,
        hydrostatic_reference_km: control.hydrostatic_reference_km,
        field_of_view: field_of_view.map(|shape| FieldOfView { offset_km: shape.x, weight: shape.y }),
        brightness_temperature: control.brightness_temperature,
    })
}
