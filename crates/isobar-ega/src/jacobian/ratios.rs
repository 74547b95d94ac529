//! From the points of a path to mixing ratios and extinctions at the levels.

use core::marker::PhantomData;

use isobar_core::{FieldMut, Status};
use isobar_raytrace::profile::Profile;

use super::air::BatchAir;
use super::batch::Batch;
use super::work::Work;

/// Gathers derivatives by mixing ratios and extinctions: one gas or extinction window, ray and channel an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct GatherRatios<'a, A = Profile<'a, f64>> {
    /// The rays.
    pub batch: Batch<'a>,
    /// Derivatives at the points, and the results.
    pub work: Work<'a>,
    /// What the atmospheres are.
    pub air: PhantomData<A>,
}

impl<'a, A: BatchAir<'a>> GatherRatios<'a, A> {
    /// How many items there are.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.batch.items_by_rays(self.each())
    }

    #[inline(always)]
    fn each(&self) -> usize {
        self.batch.elements.gases + self.batch.elements.windows
    }

    /// Computes one gas or window, ray and channel, and writes to those only.
    #[inline(always)]
    pub(super) fn compute(&self, item: usize) -> Status {
        let (batch, work) = (&self.batch, &self.work);
        let Some((row, number)) = batch.row_by_rays(item, self.each()) else { return Status::OK };
        let (ray, channel) = batch.ray_and_channel(row);
        let (case, atmosphere) = batch.case(ray);
        let (elements, points) = (batch.elements, work.summaries.at(0, ray).points as usize);
        let (gas, window) = (number < elements.gases, number.wrapping_sub(elements.gases));
        let first = if gas { elements.mixing_ratio(number, 0) } else { elements.extinction(window, 0) };
        for level in 0..elements.levels {
            work.sums.set(first + level, row, 0.0);
        }
        let summed = batch.summed != 0;
        if !gas && !summed && batch.channels.at(channel, atmosphere).window as usize != window {
            return Status::OK;
        }
        let mut sums = TwoSums { of: work.sums, row, elements: [usize::MAX; 2], values: [0.0; 2] };
        let elements_at =
            |lower: usize| [lower, lower + 1].map(|level| first + A::in_atmosphere(batch, &case, atmosphere, level));
        for point in 0..points {
            let by = if gas {
                work.by_mixing_ratio.at(point, number * batch.rows() + row)
            } else if summed {
                work.sum.by_extinction.at(point, window * batch.rays.len() + ray)
            } else {
                work.by.at(point, row)[2]
            };
            let lower = work.points.at(point, ray).interval as usize;
            let [below, above] = work.segments.at(point, ray).weights;
            sums.add(elements_at(lower), [by * below, by * above]);
            // The same element in the next profile of a track.
            if let Some(next) = A::next_profile(work, point, ray) {
                let [below, above] = next.weights;
                sums.add(elements_at(next.interval as usize), [by * below, by * above]);
            }
        }
        sums.store();
        Status::OK
    }
}

/// The sums of two elements, which stay in registers as long as a path stays between the same levels.
struct TwoSums<'a> {
    of: FieldMut<'a, f64>,
    row: usize,
    elements: [usize; 2],
    values: [f64; 2],
}

impl TwoSums<'_> {
    #[inline(always)]
    fn add(&mut self, elements: [usize; 2], by: [f64; 2]) {
        if elements != self.elements {
            self.store();
            self.elements = elements;
            self.values = elements.map(|element| self.of.at(element, self.row));
        }
        self.values[0] += by[0];
        self.values[1] += by[1];
    }

    #[inline(always)]
    fn store(&self) {
        if self.elements[0] != usize::MAX {
            self.of.set(self.elements[0], self.row, self.values[0]);
            self.of.set(self.elements[1], self.row, self.values[1]);
        }
    }
}
