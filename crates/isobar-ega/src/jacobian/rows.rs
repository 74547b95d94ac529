//! From the points of a path to pressures, temperatures, cloud and surface, and all of it to a row of the Jacobian.

use core::marker::PhantomData;

use isobar_core::Status;
use isobar_raytrace::profile::Profile;

use super::air::BatchAir;
use super::batch::Batch;
use super::work::Work;
use crate::physics::transfer::NO_GAS;

/// Gathers derivatives by what mixing ratios and extinctions are not, then those that are wanted of all: one ray and
/// channel an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct GatherRows<'a, A = Profile<'a, f64>> {
    /// The rays.
    pub batch: Batch<'a>,
    /// Derivatives at the points, and the results.
    pub work: Work<'a>,
    /// What the atmospheres are.
    pub air: PhantomData<A>,
}

impl<'a, A: BatchAir<'a>> GatherRows<'a, A> {
    /// How many items there are.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.batch.items_by_rays(1)
    }

    /// Computes one ray and channel, and writes to those only.
    #[inline(always)]
    pub(super) fn compute(&self, item: usize) -> Status {
        let (batch, work) = (&self.batch, &self.work);
        let Some((row, _)) = batch.row_by_rays(item, 1) else { return Status::OK };
        let (ray, index) = batch.ray_and_channel(row);
        let (case, number) = batch.case(ray);
        let (elements, points) = (batch.elements, work.summaries.at(0, ray).points as usize);
        let (levels, rays) = (elements.levels, batch.rays.len());
        for element in (0..2 * levels).chain(elements.cloud_height()..elements.count()) {
            work.sums.set(element, row, 0.0);
        }
        macro_rules! add {
            ($element:expr, $by:expr) => {{
                let element = $element;
                work.sums.set(element, row, work.sums.at(element, row) + $by);
            }};
        }
        let level = |i: usize| A::in_atmosphere(batch, &case, number, i);
        let summed = batch.summed != 0;
        // A channel has one window, a sum over channels all.
        let window = batch.channels.at(index, number).window as usize;
        let windows = if summed { 0..elements.windows } else { window..(window + 1).min(elements.windows) };
        for point in 0..points {
            let segment = work.segments.at(point, ray);
            let [by_air, _, of_channel] = work.by.at(point, row);
            let mut at = work.at.at(point, row);
            at.by_pressure_per_hpa += by_air * segment.air_by[0];
            at.by_temperature_per_k += by_air * segment.air_by[1];
            at.by_length_per_km += by_air * segment.air_by[2];
            let tracks = A::next_profile(work, point, ray).is_some();
            let mut by_share = 0.0;
            for gas in 0..elements.gases {
                let by = work.by_mixing_ratio.at(point, gas * batch.rows() + row);
                if tracks {
                    by_share += by * work.track.more.at(point, gas * rays + ray);
                }
                at.by_height_per_km += by * work.mixing_ratio.at(point, gas * rays + ray)[1];
            }
            for window in windows.clone() {
                let extinction = window * rays + ray;
                let by_extinction = if summed { work.sum.by_extinction.at(point, extinction) } else { of_channel };
                if tracks {
                    by_share += by_extinction * work.track.more.at(point, (elements.gases + window) * rays + ray);
                }
                at.by_height_per_km += by_extinction * work.extinction_per_km.at(point, extinction)[1];
            }
            if case.cloud.depth_km > 0.0 {
                let [by_height, by_cloud_height, by_depth, by_maximum] = if summed {
                    work.sum.by_cloud.at(point, ray)
                } else {
                    work.cloud.at(point, row).map(|by| of_channel * by)
                };
                at.by_height_per_km += by_height;
                add!(elements.cloud_height(), by_cloud_height);
                add!(elements.cloud_depth(), by_depth);
                if !summed {
                    for node in 0..elements.cloud_nodes {
                        add!(elements.cloud_extinction(node), by_maximum * batch.cloud_nodes.at(node, index));
                    }
                }
            }
            work.at.set(point, row, at);
            if tracks {
                work.track.by_share.set(point, row, by_share);
            }
        }
        let ([by_emissivity, by_temperature, by_share], sun) = (work.by_ground.at(0, row), work.sun.at(0, ray));
        let by_surface_height = work.legs.pull_back(
            &A::levels(work, row),
            ray,
            points,
            levels,
            |point| work.at.at(point, row),
            [by_share * sun[1], by_share * sun[2], by_share * sun[3]],
            batch.geometry(),
            |i, [by_pressure, by_temperature]| {
                add!(elements.pressure(level(i)), by_pressure);
                add!(elements.temperature(level(i)), by_temperature);
            },
        );
        if elements.surface_nodes > 0 {
            let [by_height, by_pressure, by_first, by_second] = case.surface_height_by;
            let first = case.surface_level as usize;
            add!(elements.surface_height(), by_surface_height * by_height);
            add!(elements.surface_pressure(), by_surface_height * by_pressure);
            add!(elements.pressure(first), by_surface_height * by_first);
            add!(elements.pressure(first + 1), by_surface_height * by_second);
            if case.ground.temperature_k > 0.0 {
                add!(elements.surface_temperature(), by_temperature);
            }
            if !summed {
                for node in 0..elements.surface_nodes {
                    add!(elements.surface_emissivity(node), by_emissivity * batch.surface_nodes.at(node, index));
                }
            }
        }
        if summed {
            for node in 0..elements.cloud_nodes {
                add!(elements.cloud_extinction(node), work.sum.by_node.at(node, ray));
            }
            for node in 0..elements.surface_nodes {
                let by = work.sum.by_node.at(elements.cloud_nodes + node, ray);
                add!(elements.surface_emissivity(node), by);
            }
        }
        // What a hydrostatic pressure does, the level from which it is made and the air between them do.
        for number_of_step in 0..batch.hydrostatic.levels() {
            let step = batch.hydrostatic.at(number_of_step, number);
            let (from, to) = (step.from as usize, step.to as usize);
            let by = work.sums.at(elements.pressure(to), row);
            work.sums.set(elements.pressure(to), row, 0.0);
            add!(elements.pressure(from), by * step.by_pressure);
            add!(elements.temperature(from), by * step.by_temperature_hpa_per_k[0]);
            add!(elements.temperature(to), by * step.by_temperature_hpa_per_k[1]);
            if batch.h2o != NO_GAS {
                let water = |level: usize| elements.mixing_ratio(batch.h2o as usize, level);
                add!(water(from), by * step.by_water_hpa[0]);
                add!(water(to), by * step.by_water_hpa[1]);
            }
        }
        let result = batch.result(row);
        for column in 0..work.derivative.levels() {
            let all = batch.wanted.levels() == 0;
            let element = if all { column } else { batch.wanted.at(column, number) as usize };
            work.derivative.set(column, result, work.sums.at(element, row));
        }
        Status::OK
    }
}
