//! The surface layer below the air, computed before each step.

use isobar_core::Status;
use isobar_core::fields::{Error as Invalid, OwnedInputs};
use isobar_io::set_lowest_layer;
use isobar_launch::Model;
use isobar_surface::{ColumnViews, Columns as Surface, Device, Options, Precision, Results, SurfaceLayer};
use isobar_ysu::Columns;

use crate::program::failure::Failure;

/// Steps after which a surface layer is steady: each takes the mean of the friction velocity before and a new one.
const UNTIL_STEADY: u32 = 50;

/// The surface, and what the last step left of its layer.
pub(super) struct Below<R: Precision> {
    model: Model<SurfaceLayer<R>>,
    options: Options,
    pub(super) surface: Surface<f64>,
    pub(super) results: Results<R>,
}

impl<R: Precision> Below<R> {
    /// Without a step before, what a steady layer would have left.
    pub(super) fn new(
        (surface, is_known): (&Surface<f64>, bool),
        options: Options,
        air: &mut Columns<f64>,
        devices: &[Device],
    ) -> Result<Self, Failure> {
        let (model, surface) = (SurfaceLayer::on(devices), surface.clone());
        let mut below = Self { model, options, surface, results: Results::default() };
        if !is_known {
            for _ in 0..UNTIL_STEADY {
                below.step(air)?;
            }
        }
        Ok(below)
    }

    /// Gives the air the fluxes and profiles of its surface, which the next step starts from, too.
    pub(super) fn step(&mut self, air: &mut Columns<f64>) -> Result<(), Failure> {
        let (surface, out) = (&mut self.surface, &mut self.results);
        set_lowest_layer(surface, air);
        self.model.run_into(&surface.rounded(), &self.options, out)?;
        if let Some((column, status)) = out.status.iter().enumerate().find(|(_, status)| !Status(**status).is_ok()) {
            return Err(Failure::new(format!("surface layer: column {column} has status {status}")));
        }
        let plain = |values: &[R]| values.iter().map(|value| value.value()).collect::<Vec<f64>>();
        surface.roughness_m = plain(&out.roughness_m);
        surface.friction_velocity_m_per_s = plain(&out.friction_velocity_m_per_s);
        surface.friction_velocity_of_wind_m_per_s = plain(&out.friction_velocity_of_wind_m_per_s);
        surface.temperature_scale_k = plain(&out.temperature_scale_k);
        surface.sensible_heat_flux_w_per_m2 = plain(&out.sensible_heat_flux_w_per_m2);
        surface.moisture_flux_kg_per_m2_s = plain(&out.moisture_flux_kg_per_m2_s);
        air.roughness_m = plain(&out.roughness_m);
        air.friction_velocity_m_per_s = plain(&out.friction_velocity_m_per_s);
        air.sensible_heat_flux_w_per_m2 = plain(&out.sensible_heat_flux_w_per_m2);
        air.moisture_flux_kg_per_m2_s = plain(&out.moisture_flux_kg_per_m2_s);
        air.profile_momentum = plain(&out.profile_momentum);
        air.profile_heat = plain(&out.profile_heat);
        air.wind_speed_m_per_s = plain(&out.wind_speed_m_per_s);
        air.richardson = plain(&out.richardson);
        air.u_10m_m_per_s = plain(&out.u_10m_m_per_s);
        air.v_10m_m_per_s = plain(&out.v_10m_m_per_s);
        Ok(())
    }

    /// What is wrong with each column below air that a next step could not start from.
    pub(super) fn check(&mut self, air: &Columns<f64>) -> Result<Vec<Invalid>, Invalid> {
        set_lowest_layer(&mut self.surface, air);
        let (views, extents) = (ColumnViews::try_from(&self.surface)?, self.surface.extents());
        Ok(views.check(&extents, &self.options, 0..self.surface.columns()))
    }

    /// The height that the boundary layer has got.
    pub(super) fn grow(&mut self, height_m: &[R]) {
        self.surface.boundary_layer_height_m = height_m.iter().map(|height| height.value()).collect();
    }
}
