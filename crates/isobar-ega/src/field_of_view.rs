//! The vertical field of view: what neighbouring pencil beams become in an instrument.

use isobar_core::interpolate::linear;
use isobar_core::{Column, bracket};
use isobar_raytrace::Ray;

/// Rays on either side that take part.
const NEIGHBOURS: usize = 5;

/// A field of view: weights against vertical offsets.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FieldOfView {
    /// Offsets of the view point height \[km\].
    pub offset_km: Vec<f64>,
    /// Weights; the scale does not matter.
    pub weight: Vec<f64>,
}

/// Why a field of view could not be applied.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FieldOfViewError {
    /// Too few rays.
    #[error("ray {ray}: the field of view needs at least 2 rays of its time among its 10 neighbours, found {found}")]
    TooFewRays {
        /// The ray, from 0.
        ray: usize,
        /// Rays that can be used, itself included.
        found: usize,
    },
    /// The rays around one are not ordered by height.
    #[error("ray {ray}: the view point heights of its neighbours are not monotone, which the field of view needs")]
    NotMonotone {
        /// The ray, from 0.
        ray: usize,
    },
}

impl FieldOfView {
    /// Replaces `values`, `ray * channels + channel`, by their weighted means: linear in the view point height between
    /// the rays of the same time among the five before and after each, extrapolated beyond them.
    ///
    /// # Errors
    /// A ray with too few neighbours, or with neighbours out of order.
    pub fn convolve(&self, rays: &[Ray], channels: usize, values: &mut [f64]) -> Result<(), FieldOfViewError> {
        let pencil = values.to_vec();
        let total: f64 = self.weight.iter().sum();
        for (r, ray) in rays.iter().enumerate() {
            let window = r.saturating_sub(NEIGHBOURS)..(r + NEIGHBOURS + 1).min(rays.len());
            let near: Vec<usize> = window.filter(|&n| rays[n].time_s == ray.time_s).collect();
            if near.len() < 2 {
                return Err(FieldOfViewError::TooFewRays { ray: r, found: near.len() });
            }
            let mut heights: Vec<f64> = near.iter().map(|&n| rays[n].view_point.height_km).collect();
            let rising = heights.is_sorted_by(|a, b| a < b);
            if !rising && !heights.is_sorted_by(|a, b| a > b) {
                return Err(FieldOfViewError::NotMonotone { ray: r });
            }
            let mut near = near;
            if !rising {
                heights.reverse();
                near.reverse();
            }
            for channel in 0..channels {
                let at = |i: usize| pencil[near[i] * channels + channel];
                let seen = |(&offset, &weight): (&f64, &f64)| {
                    let z = ray.view_point.height_km + offset;
                    let i = bracket::ascending(Column::from(heights.as_slice()), z);
                    weight * linear(heights[i], at(i), heights[i + 1], at(i + 1), z)
                };
                let sum: f64 = self.offset_km.iter().zip(&self.weight).map(seen).sum();
                values[r * channels + channel] = sum / total;
            }
        }
        Ok(())
    }
}
