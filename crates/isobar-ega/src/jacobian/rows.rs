//! From the points of a path to the elements of the state: a row of the Jacobian.

use isobar_core::Status;

use super::batch::Batch;
use super::work::Work;

/// Gathers derivatives by all elements: one ray and channel an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct GatherRows<'a> {
    /// The rays.
    pub batch: Batch<'a>,
    /// Derivatives at the points, and the results.
    pub work: Work<'a>,
}

impl GatherRows<'_> {
    /// How many items there are.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.batch.rows()
    }

    /// Computes one ray and channel, and writes to those only.
    #[inline(always)]
    pub(super) fn compute(&self, row: usize) -> Status {
        let (batch, work) = (&self.batch, &self.work);
        let (ray, index) = batch.ray_and_channel(row);
        let (case, number) = batch.case(ray);
        let (elements, points) = (batch.elements, work.summaries.at(0, ray).points as usize);
        let levels = elements.levels;
        for element in 0..elements.count() {
            work.derivative.set(element, row, 0.0);
        }
        macro_rules! add {
            ($element:expr, $by:expr) => {{
                let element = $element;
                work.derivative.set(element, row, work.derivative.at(element, row) + $by);
            }};
        }
        let level = |i: usize| if case.descends != 0 { levels - 1 - i } else { i };
        let window = batch.channels.at(index, number).window as usize;
        for point in 0..points {
            let segment = work.segments.at(point, ray);
            let [by_air, _, by_extinction] = work.by.at(point, row);
            let mut at = work.at.at(point, row);
            at.by_pressure_per_hpa += by_air * segment.air_by[0];
            at.by_temperature_per_k += by_air * segment.air_by[1];
            at.by_length_per_km += by_air * segment.air_by[2];
            let lower = work.points.at(point, ray).interval as usize;
            let [below, above] = segment.weights;
            for gas in 0..elements.gases {
                let by = work.by_mixing_ratio.at(point, row * elements.gases + gas);
                add!(elements.mixing_ratio(gas, level(lower)), by * below);
                add!(elements.mixing_ratio(gas, level(lower + 1)), by * above);
                at.by_height_per_km += by * work.mixing_ratio.at(point, ray * elements.gases + gas)[1];
            }
            if window < elements.windows {
                add!(elements.extinction(window, level(lower)), by_extinction * below);
                add!(elements.extinction(window, level(lower + 1)), by_extinction * above);
                at.by_height_per_km +=
                    by_extinction * work.extinction_per_km.at(point, ray * elements.windows + window)[1];
            }
            if case.cloud.depth_km > 0.0 {
                let [by_height, by_cloud_height, by_depth, by_maximum] = work.cloud.at(point, row);
                at.by_height_per_km += by_extinction * by_height;
                add!(elements.cloud_height(), by_extinction * by_cloud_height);
                add!(elements.cloud_depth(), by_extinction * by_depth);
                for node in 0..elements.cloud_nodes {
                    let weight = batch.cloud_nodes.at(node, index);
                    add!(elements.cloud_extinction(node), by_extinction * by_maximum * weight);
                }
            }
            work.at.set(point, row, at);
        }
        let ([by_emissivity, by_temperature, by_share], sun) = (work.by_ground.at(0, row), work.sun.at(0, ray));
        let by_surface_height = work.legs.pull_back(
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
            for node in 0..elements.surface_nodes {
                add!(elements.surface_emissivity(node), by_emissivity * batch.surface_nodes.at(node, index));
            }
        }
        Status::OK
    }
}
