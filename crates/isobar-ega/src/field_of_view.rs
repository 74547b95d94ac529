//! The vertical field of view: what neighbouring pencil beams become in an instrument.

use isobar_core::bracket;
use isobar_raytrace::Ray;

use crate::limits::NEIGHBOURS;

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
        let means: Vec<Mean> = (0..rays.len()).map(|ray| self.mean(rays, ray)).collect::<Result<_, _>>()?;
        let pencil = values.to_vec();
        for (mean, seen) in means.iter().zip(values.chunks_mut(channels.max(1))) {
            mean.of(&pencil, seen);
        }
        Ok(())
    }

    /// Replaces weights of the means of [`Self::convolve`], `ray * channels + channel`, by those of the pencil beams.
    ///
    /// # Errors
    /// As [`Self::convolve`].
    pub fn transposed(&self, rays: &[Ray], channels: usize, weights: &mut [f64]) -> Result<(), FieldOfViewError> {
        let means: Vec<Mean> = (0..rays.len()).map(|ray| self.mean(rays, ray)).collect::<Result<_, _>>()?;
        let of_means = weights.to_vec();
        weights.fill(0.0);
        for (Mean(beams), of_mean) in means.iter().zip(of_means.chunks(channels.max(1))) {
            for &(ray, share) in beams {
                let of_beam = &mut weights[ray * channels..(ray + 1) * channels];
                of_beam.iter_mut().zip(of_mean).for_each(|(sum, weight)| *sum += share * weight);
            }
        }
        Ok(())
    }

    /// The rays that count in the mean of one and the heights of their view points \[km\], ascending.
    fn near(rays: &[Ray], ray: usize) -> Result<Vec<(usize, f64)>, FieldOfViewError> {
        let window = ray.saturating_sub(NEIGHBOURS)..(ray + NEIGHBOURS + 1).min(rays.len());
        let mut near: Vec<(usize, f64)> = window
            .filter(|&other| rays[other].time_s == rays[ray].time_s)
            .map(|other| (other, rays[other].view_point.height_km))
            .collect();
        if near.len() < 2 {
            return Err(FieldOfViewError::TooFewRays { ray, found: near.len() });
        }
        if near[1].1 < near[0].1 {
            near.reverse();
        }
        if !near.is_sorted_by(|a, b| a.1 < b.1) {
            return Err(FieldOfViewError::NotMonotone { ray });
        }
        Ok(near)
    }

    /// What of the field of view lies beyond the rays around, in words, by the sizes of its weights, some of which may
    /// be negative. Rays that have no mean are left out.
    #[must_use]
    pub fn beyond(&self, rays: &[Ray]) -> Option<String> {
        let (total, mut count) = (self.weight.iter().map(|weight| weight.abs()).sum::<f64>(), 0);
        let (mut largest_share, mut at) = (0.0, 0);
        for ray in 0..rays.len() {
            let Ok(near) = Self::near(rays, ray) else { continue };
            let reached = near[0].1..=near[near.len() - 1].1;
            let outside = |offset_km: f64| !reached.contains(&(rays[ray].view_point.height_km + offset_km));
            let of_view = self.offset_km.iter().zip(&self.weight).filter(|(offset_km, _)| outside(**offset_km));
            let share = of_view.map(|(_, weight)| weight.abs()).sum::<f64>() / total;
            if share > 0.0 {
                count += 1;
                if share > largest_share {
                    (largest_share, at) = (share, ray);
                }
            }
        }
        (count > 0).then(|| {
            format!(
                "the field of view of {count} of {} rays reaches beyond the view points of the rays around, with {:.1} \
                 % of its weight at ray {at}, at {} km; extrapolated",
                rays.len(),
                100.0 * largest_share,
                rays[at].view_point.height_km
            )
        })
    }

    /// What a ray becomes.
    pub(crate) fn mean(&self, rays: &[Ray], ray: usize) -> Result<Mean, FieldOfViewError> {
        let near = Self::near(rays, ray)?;
        let total: f64 = self.weight.iter().sum();
        let mut weights = vec![None; near.len()];
        for (&offset_km, &weight) in self.offset_km.iter().zip(&self.weight) {
            let height_km = rays[ray].view_point.height_km + offset_km;
            let below = bracket::bisect(near.len(), |i| near[i].1, height_km);
            let share = (height_km - near[below].1) / (near[below + 1].1 - near[below].1);
            for (place, share) in [(below, 1.0 - share), (below + 1, share)] {
                *weights[place].get_or_insert(0.0) += weight / total * share;
            }
        }
        let beams = near.iter().zip(weights);
        Ok(Mean(beams.filter_map(|(&(ray, _), weight)| Some((ray, weight?))).collect()))
    }
}

/// A weighted mean of pencil beams: their numbers, and what they count.
#[derive(Debug)]
pub(crate) struct Mean(Vec<(usize, f64)>);

impl Mean {
    /// The mean in all channels of `pencil`, `ray * channels + channel`.
    pub(crate) fn of(&self, pencil: &[f64], mean: &mut [f64]) {
        let channels = mean.len();
        mean.fill(0.0);
        for &(ray, weight) in &self.0 {
            let beam = &pencil[ray * channels..(ray + 1) * channels];
            mean.iter_mut().zip(beam).for_each(|(sum, value)| *sum += weight * value);
        }
    }
}

#[cfg(test)]
mod tests {
    use isobar_raytrace::Position;

    use super::*;

    fn scan(heights_km: impl Iterator<Item = f64>) -> Vec<Ray> {
        let view_point = |height_km| Position { height_km, ..Position::default() };
        heights_km.map(|z| Ray { time_s: 0.0, observer: view_point(780.0), view_point: view_point(z) }).collect()
    }

    #[test]
    fn means_of_what_is_linear_are_the_values_at_the_mean_offset() {
        let view = FieldOfView { offset_km: vec![-40.0, -2.5, 0.0, 1.0], weight: vec![0.25, 2.0, 1.0, 0.75] };
        let mean_km = (-40.0 * 0.25 - 2.5 * 2.0 + 0.75) / 4.0;
        let upwards = (0..20).map(|i| 5.0 + 1.5 * f64::from(i) + 0.01 * f64::from(i * i));
        for rays in [scan(upwards.clone()), scan(upwards.rev())] {
            let line = |z: f64| [3.0 + 0.2 * z, -1e-3 * z];
            let mut values: Vec<f64> = rays.iter().flat_map(|ray| line(ray.view_point.height_km)).collect();
            view.convolve(&rays, 2, &mut values).unwrap();
            for (ray, seen) in rays.iter().zip(values.chunks(2)) {
                let expected = line(ray.view_point.height_km + mean_km);
                // Some eleven terms, the largest of them 40 km away.
                assert!(seen.iter().zip(expected).all(|(seen, expected)| (seen - expected).abs() < 1e-12), "{seen:?}");
            }
        }
    }

    /// A sum of weighted means is one of weighted beams.
    #[test]
    fn weights_of_means_are_weights_of_beams() {
        let view = FieldOfView { offset_km: vec![-4.0, -2.5, 0.0, 1.0], weight: vec![0.25, 2.0, 1.0, 0.75] };
        let rays = scan((0..20).map(|i| 5.0 + 1.5 * f64::from(i) + 0.01 * f64::from(i * i)));
        let values: Vec<f64> = (0..40).map(|i| f64::from(i * i % 17)).collect();
        let of_means: Vec<f64> = (0..40).map(|i| f64::from(i * 7 % 11) - 5.0).collect();
        let (mut means, mut of_beams) = (values.clone(), of_means.clone());
        view.convolve(&rays, 2, &mut means).unwrap();
        view.transposed(&rays, 2, &mut of_beams).unwrap();
        let sum = |weights: &[f64], values: &[f64]| weights.iter().zip(values).map(|(w, x)| w * x).sum::<f64>();
        let (expected, found) = (sum(&of_means, &means), sum(&of_beams, &values));
        assert!((found - expected).abs() < 1e-12 * 5.0 * 17.0 * 40.0 && expected.abs() > 1.0, "{found} {expected}");
        assert_ne!(of_means, of_beams);
    }

    #[test]
    fn rays_without_neighbours_are_refused() {
        let view = FieldOfView { offset_km: vec![0.0], weight: vec![1.0] };
        let refusal = |rays: &[Ray]| view.convolve(rays, 1, &mut vec![1.0; rays.len()]).unwrap_err().to_string();
        let mut rays = scan([10.0, 20.0, 30.0].into_iter());
        rays[0].time_s = 1.0;
        let alone = "ray 0: the field of view needs at least 2 rays of its time among its 10 neighbours, found 1";
        assert_eq!(refusal(&rays), alone);
        let unordered =
            "ray 0: the view point heights of its neighbours are not monotone, which the field of view needs";
        assert_eq!(refusal(&scan([10.0, 30.0, 20.0].into_iter())), unordered);
        assert_eq!(refusal(&scan([10.0, 10.0].into_iter())), unordered);
    }

    /// Five rays 10 km apart and a view from -5 to 5 km: half of it lies below the lowest and above the highest ray.
    #[test]
    fn what_lies_beyond_the_rays_is_said() {
        let view = FieldOfView { offset_km: vec![-5.0, 5.0], weight: vec![1.0, 1.0] };
        let said = view.beyond(&scan((0..5).map(|i| 10.0 * f64::from(i)))).unwrap();
        let expected = "the field of view of 2 of 5 rays reaches beyond the view points of the rays around, with 50.0 \
                        % of its weight at ray 0, at 0 km; extrapolated";
        assert_eq!(said, expected);
        let narrow = FieldOfView { offset_km: vec![0.0], weight: vec![1.0] };
        assert_eq!(narrow.beyond(&scan((0..5).map(f64::from))), None);
    }

    /// A quarter of the sizes lies beyond the first ray, and beyond the last.
    #[test]
    fn negative_weights_beyond_the_rays_are_told() {
        let view = FieldOfView { offset_km: vec![-1.0, 0.0, 1.0], weight: vec![-1.0, 2.0, -1.0] };
        let said = view.beyond(&scan([10.0, 12.0, 14.0].into_iter())).unwrap();
        assert!(said.contains("of 2 of 3 rays") && said.contains("25.0 % of its weight at ray 0"), "{said}");
    }
}
