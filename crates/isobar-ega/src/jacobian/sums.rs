//! Weighted sums of derivatives over the channels of a ray: what follows the absorption of gases is linear, so that one
//! row a ray goes on from here, however many channels there are.
//!
//! The channels are added one by one, the first one first: neither tiles nor devices change a bit.

use isobar_core::{Column, Status};
use isobar_raytrace::sensitivity::AtPoint;

use super::batch::Batch;
use super::work::Work;

/// Adds the channels of a tile at the points of paths: the air, a gas or an extinction window, of one point and ray an
/// item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SumPoints<'a> {
    /// The rays.
    pub batch: Batch<'a>,
    /// Derivatives of the channels, and their sums.
    pub work: Work<'a>,
    /// What each radiance counts, `ray * channels + channel`.
    pub weights: Column<'a, f64>,
}

impl SumPoints<'_> {
    /// How many items there are.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        let elements = self.batch.elements;
        (1 + elements.gases + elements.windows) * self.work.points.levels() * self.batch.rays.len()
    }

    /// Computes one of them at one point of a ray, and writes to that only.
    #[inline(always)]
    pub(super) fn compute(&self, item: usize) -> Status {
        let (batch, work) = (&self.batch, &self.work);
        // An item's number has 31 bits, and a GPU divides those faster.
        let (rays, points) = (batch.rays.len() as u32, work.points.levels() as u32);
        let (rest, ray) = (item as u32 / rays, (item as u32 % rays) as usize);
        let (part, point) = ((rest / points) as usize, (rest % points) as usize);
        if point >= work.summaries.at(0, ray).points as usize {
            return Status::OK;
        }
        let (rays, gases) = (rays as usize, batch.elements.gases);
        if part == 0 {
            self.air(point, ray);
        } else if part <= gases {
            let (gas, item) = (part - 1, (part - 1) * rays + ray);
            let before = if self.first() { 0.0 } else { work.sum.by_mixing_ratio.at(point, item) };
            let sum = self.rows(ray).fold(before, |sum, (weight, row)| {
                sum + weight * work.by_mixing_ratio.at(point, gas * batch.rows() + row)
            });
            work.sum.by_mixing_ratio.set(point, item, sum);
        } else {
            let (window, case) = (part - 1 - gases, batch.case(ray).1);
            let item = window * rays + ray;
            let before = if self.first() { 0.0 } else { work.sum.by_extinction.at(point, item) };
            let sum = self.rows(ray).fold(before, |sum, (weight, row)| {
                let (_, channel) = batch.ray_and_channel(row);
                let own = batch.channels.at(channel, case).window as usize == window;
                if own { sum + weight * work.by.at(point, row)[2] } else { sum }
            });
            work.sum.by_extinction.set(point, item, sum);
        }
        Status::OK
    }

    /// Pressure, temperature, length and air of a segment, and the cloud's place.
    #[inline(always)]
    fn air(&self, point: usize, ray: usize) {
        let work = &self.work;
        let cloudy = self.batch.case(ray).0.cloud.depth_km > 0.0;
        let (mut at, mut by_air, mut cloud) = (AtPoint::default(), 0.0, [0.0; 4]);
        if !self.first() {
            (at, by_air) = (work.sum.at.at(point, ray), work.sum.by.at(point, ray)[0]);
            if cloudy {
                cloud = work.sum.by_cloud.at(point, ray);
            }
        }
        for (weight, row) in self.rows(ray) {
            let (own, [air, _, by_extinction]) = (work.at.at(point, row), work.by.at(point, row));
            at.by_pressure_per_hpa += weight * own.by_pressure_per_hpa;
            at.by_temperature_per_k += weight * own.by_temperature_per_k;
            at.by_length_per_km += weight * own.by_length_per_km;
            by_air += weight * air;
            if cloudy {
                let own = work.cloud.at(point, row);
                for (sum, by) in cloud.iter_mut().zip(own).take(3) {
                    *sum += weight * by_extinction * by;
                }
            }
        }
        work.sum.at.set(point, ray, at);
        work.sum.by.set(point, ray, [by_air, 0.0, 0.0]);
        if cloudy {
            work.sum.by_cloud.set(point, ray, cloud);
        }
    }

    #[inline(always)]
    fn first(&self) -> bool {
        self.batch.first_channel == 0
    }

    #[inline(always)]
    fn rows(&self, ray: usize) -> impl Iterator<Item = (f64, usize)> {
        rows_of(&self.batch, self.weights, ray)
    }
}

/// Adds the channels of a tile where paths end, and at the nodes of spectra: the ground or a node of cloud or surface,
/// of one ray an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SumEnds<'a> {
    /// The rays.
    pub batch: Batch<'a>,
    /// Derivatives of the channels, and their sums.
    pub work: Work<'a>,
    /// What each radiance counts, `ray * channels + channel`.
    pub weights: Column<'a, f64>,
}

impl SumEnds<'_> {
    /// How many items there are.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        (1 + self.work.sum.by_node.levels()) * self.batch.rays.len()
    }

    /// Computes one of them, and writes to that only.
    #[inline(always)]
    pub(super) fn compute(&self, item: usize) -> Status {
        let (batch, work) = (&self.batch, &self.work);
        let (part, ray) = (item / batch.rays.len(), item % batch.rays.len());
        let first = batch.first_channel == 0;
        let rows = rows_of(batch, self.weights, ray);
        if part == 0 {
            let before = if first { [0.0; 3] } else { work.sum.by_ground.at(0, ray) };
            let sum = rows.fold(before, |[none, by_temperature, by_share], (weight, row)| {
                let [_, temperature, share] = work.by_ground.at(0, row);
                [none, by_temperature + weight * temperature, by_share + weight * share]
            });
            work.sum.by_ground.set(0, ray, sum);
            return Status::OK;
        }
        let (node, cloud_nodes) = (part - 1, batch.elements.cloud_nodes);
        let points = work.summaries.at(0, ray).points as usize;
        let cloudy = batch.case(ray).0.cloud.depth_km > 0.0;
        let before = if first { 0.0 } else { work.sum.by_node.at(node, ray) };
        let sum = rows.fold(before, |sum, (weight, row)| {
            let (_, channel) = batch.ray_and_channel(row);
            let (share, by) = if node >= cloud_nodes {
                (batch.surface_nodes.at(node - cloud_nodes, channel), work.by_ground.at(0, row)[0])
            } else if cloudy && batch.cloud_nodes.at(node, channel) != 0.0 {
                let by_maximum = |point: usize| work.by.at(point, row)[2] * work.cloud.at(point, row)[3];
                (batch.cloud_nodes.at(node, channel), (0..points).map(by_maximum).sum())
            } else {
                (0.0, 0.0)
            };
            sum + weight * (share * by)
        });
        work.sum.by_node.set(node, ray, sum);
        Status::OK
    }
}

/// The rows of a ray in a tile, and what each counts.
#[inline(always)]
fn rows_of(batch: &Batch<'_>, weights: Column<'_, f64>, ray: usize) -> impl Iterator<Item = (f64, usize)> {
    let (rays, first) = (batch.rays.len(), ray * batch.channel_count() + batch.first_channel as usize);
    (0..batch.tile as usize).map(move |channel| (weights.at(first + channel), channel * rays + ray))
}
