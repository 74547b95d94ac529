//! What was read of a file, surface first; what it has not is empty.

use isobar_core::fields::Declared;
use isobar_surface::{Columns as Surface, Options};
use isobar_ysu::{ColumnViews, Columns};

use super::diagnosed::Diagnosed;
use super::fluxes::Fluxes;
use super::grid::GridDistance;
use super::quantity::BOUNDARY_LAYER_HEIGHT;
use super::start::{self, Whereabouts};
use super::stress::{Magnitude, Stress};
use super::{SurfaceLayerSource, surface};
use crate::columns_file::time::LATITUDE;
use crate::columns_file::{Fields, Pressures, Raw};
use crate::error::Error;

impl Pressures for Columns<f64> {
    const DECLARED: &'static [&'static [Declared]] =
        &[ColumnViews::<f64>::DECLARED, isobar_surface::ColumnViews::<f64>::DECLARED];

    fn pressures(&self) -> [&[f64]; 2] {
        [&self.interface_pressure_pa, &self.pressure_pa]
    }
}

/// Columns, and what goes with them.
pub(super) struct Read {
    pub(super) raw: Raw<Columns<f64>>,
    pub(super) layers: usize,
    /// The surface, where its layer is to be computed, and with which options.
    pub(super) surface: Option<(Surface<f64>, Options)>,
    pub(super) interface_height: Vec<f64>,
    pub(super) boundary_layer_height: Vec<f64>,
    pub(super) latitude: Vec<f64>,
    /// Empty where there is a friction velocity.
    pub(super) stress: Magnitude,
    /// Where and when columns are that a model starts from.
    pub(super) start: Option<Whereabouts>,
    /// How many layers of each column lie below its ground; none where no column has any.
    pub(super) below_ground: Vec<usize>,
    /// What of the surface layer was made up.
    pub(super) made_up: Option<String>,
    /// What follows from the state of the air.
    pub(super) diagnosed: Diagnosed,
    /// Whether winds are along the axes of the file's grid.
    pub(super) is_along_grid: bool,
}

/// The surface, as a file has it.
pub(super) struct Below {
    pub(super) layer: SurfaceLayerSource,
    /// Fluxes that are not computed, or those that the step before left.
    pub(super) fluxes: Option<Fluxes>,
    /// Stress, where there is no friction velocity.
    pub(super) stress: Option<Stress>,
    pub(super) grid: GridDistance,
}

/// What a file calls what was read, before it is taken.
pub(super) struct Surroundings {
    names: Vec<(&'static str, String)>,
    given: Vec<String>,
}

impl Surroundings {
    pub(super) fn of(fields: &Fields) -> Self {
        Self { names: fields.names(), given: fields.given() }
    }

    /// What was read by other names than ours.
    pub(super) fn also(mut self, names: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        self.names.extend(names);
        self
    }

    /// Columns with heights of levels and what is below them, and what a file's kind calls layers and levels.
    pub(super) fn read(
        self,
        mut fields: Fields,
        mut columns: Columns<f64>,
        (interface_height, below): (Vec<f64>, Below),
        mut derived: Vec<String>,
        vertical: [&'static str; 2],
    ) -> Result<Read, Error> {
        derived.splice(0..0, self.given);
        if let Some(fluxes) = below.fluxes {
            fluxes.take(&mut fields, &mut columns, &mut derived)?;
        }
        let distance = below.grid.take(&mut fields, &mut columns, &mut derived)?;
        let stress = below.stress.map(|stress| stress.take(&mut fields)).transpose()?.unwrap_or_default();
        let surface = match below.layer {
            SurfaceLayerSource::Given | SurfaceLayerSource::Elsewhere { .. } => None,
            SurfaceLayerSource::Computed { grid_length_m, options } => {
                Some((surface::take(&mut fields, &mut columns, (distance, grid_length_m))?, options))
            }
        };
        let start = below.layer.is_start().then(|| start::take(&mut fields)).transpose()?;
        let (boundary_layer_height, latitude) = (fields.take(&BOUNDARY_LAYER_HEIGHT), fields.take(&LATITUDE));
        Ok(Read {
            raw: Raw::new(&fields, self.names, columns, derived, vertical),
            layers: fields.layers,
            surface,
            interface_height,
            boundary_layer_height,
            latitude,
            stress,
            start,
            below_ground: Vec::new(),
            made_up: None,
            diagnosed: Diagnosed::default(),
            is_along_grid: false,
        })
    }
}
