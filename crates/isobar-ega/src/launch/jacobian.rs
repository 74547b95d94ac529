//! Derivatives of radiances.

use isobar_core::Status;
use isobar_raytrace::Position;

use super::clock::StageTimes;
use super::model::InfraredError;
use crate::jacobian::Elements;

/// Radiances of a batch of rays and their derivatives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Jacobian {
    /// The elements of the state of the atmosphere.
    pub elements: Elements,
    /// Radiance \[W/(m^2 sr cm^-1)\] or brightness temperature \[K\], `ray * channels + channel`; NaN for a failed ray.
    pub radiance: Vec<f64>,
    /// Transmittance of the path, in the order of radiances; NaN for a failed ray.
    pub transmittance: Vec<f64>,
    /// Tangent point of each ray.
    pub tangent_points: Vec<Position>,
    /// The elements by which there are derivatives, in the order of their columns; nothing: all in their order.
    pub by: Option<Vec<usize>>,
    /// Derivatives of the radiances or brightness temperatures, `(ray * channels + channel) * columns + column`; NaN
    /// for a failed ray.
    pub derivative: Vec<f64>,
    /// What became of each ray.
    pub statuses: Vec<Status>,
}

/// Jacobians of many atmospheres, each with its own rays.
#[derive(Debug, Default)]
pub struct Jacobians {
    /// One an atmosphere.
    pub cases: Vec<Result<Jacobian, InfraredError>>,
    /// Time of each kernel, summed over a GPU's workers, where [`super::Infrared::timed`] asked for it.
    pub stages: StageTimes,
}

impl Jacobian {
    /// The number of derivatives of a radiance.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.by.as_ref().map_or(self.elements.count(), Vec::len)
    }

    /// Rays of which nothing is known, with `rows` of derivatives each.
    pub(super) fn nothing(
        elements: Elements,
        by: Option<Vec<usize>>,
        rays: usize,
        [channels, rows]: [usize; 2],
    ) -> Self {
        let columns = by.as_ref().map_or(elements.count(), Vec::len);
        Self {
            elements,
            by,
            radiance: vec![f64::NAN; rays * channels],
            transmittance: vec![f64::NAN; rays * channels],
            tangent_points: vec![Position::default(); rays],
            derivative: vec![f64::NAN; rays * rows * columns],
            statuses: vec![Status::NOT_COMPUTED; rays],
        }
    }

    /// Puts a ray's results, radiances, transmittances and derivatives, to its place.
    pub(super) fn put(&mut self, ray: usize, results: (&[f64], &[f64], &[f64]), tangent_point: Position) {
        let (radiance, transmittance, derivative) = results;
        let place = |values: &[f64]| ray * values.len()..(ray + 1) * values.len();
        self.radiance[place(radiance)].copy_from_slice(radiance);
        self.transmittance[place(transmittance)].copy_from_slice(transmittance);
        self.derivative[place(derivative)].copy_from_slice(derivative);
        self.tangent_points[ray] = tangent_point;
        self.statuses[ray] = Status::OK;
    }
}
