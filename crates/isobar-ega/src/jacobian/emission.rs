//! What a segment of a path emits in one channel, and what that depends on.

use isobar_core::{Dual, Status};

use super::batch::{Batch, Case};
pub use super::slopes::Emitted;
use super::slopes::by;
use super::work::Work;
use crate::physics::channel::Channel;
use crate::physics::continuum::Air;
use crate::physics::transfer::{Cloud, NO_GAS, combine, smooth_optical_depth, stops, with_smooth};

type Number = Dual<f64, { by::COUNT }>;

/// Emissivity and source of every segment: one point, ray and channel an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct EmitSegments<'a> {
    /// The rays.
    pub batch: Batch<'a>,
    /// Their segments, and the results.
    pub work: Work<'a>,
}

impl EmitSegments<'_> {
    /// How many items there are.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.batch.rows() * self.work.points.levels()
    }

    /// Computes one point, ray and channel, and writes to those only.
    #[inline(always)]
    pub(super) fn compute(&self, item: usize) -> Status {
        let (batch, work) = (&self.batch, &self.work);
        // An item's number has 31 bits, and a GPU divides those faster.
        let rows = batch.rows() as u32;
        let (point, row) = ((item as u32 / rows) as usize, (item as u32 % rows) as usize);
        let (ray, index) = batch.ray_and_channel(row);
        if point >= work.summaries.at(0, ray).points as usize {
            return Status::OK;
        }
        let given = batch.transmittances_given != 0;
        let mut absorbed = if given { 1.0 } else { 0.0 };
        for gas in 0..batch.elements.gases {
            let chain = gas * batch.rows() + row;
            let emissivity = Dual::variable(work.gas_emissivity.at(point, chain), 1);
            let both = combine(Dual::<f64, 2>::variable(absorbed, 0), emissivity, given);
            work.before.set(point, chain, both.derivative);
            absorbed = both.value;
        }
        let (case, number) = batch.case(ray);
        let channel = batch.channels.at(index, number);
        let cloud = self.cloud(&case, &channel, point, ray, row);
        let temperature_k = work.points.at(point, ray).temperature_k;
        let source = batch.source(index, Dual::<f64, 1>::variable(temperature_k, 0));
        let mut emitted = Emitted {
            emissivity: 1.0,
            emissivity_by: [0.0; by::COUNT],
            source: source.value,
            source_by_temperature: source.derivative[0],
            ends: 1.0,
        };
        if !stops(absorbed, given) {
            let depth = self.smooth_optical_depth(&channel, cloud, point, ray);
            let emissivity = with_smooth(Number::variable(absorbed, by::GASES), depth, given);
            (emitted.emissivity, emitted.emissivity_by, emitted.ends) = (emissivity.value, emissivity.derivative, 0.0);
        }
        work.emitted.set(point, row, emitted);
        Status::OK
    }
}

impl EmitSegments<'_> {
    /// The cloud's extinction at a point; what it depends on is stored.
    #[inline(always)]
    fn cloud(&self, case: &Case, channel: &Channel<f64>, point: usize, ray: usize, row: usize) -> f64 {
        if case.cloud.depth_km <= 0.0 {
            return 0.0;
        }
        let layer = Cloud {
            height_km: Dual::<f64, 4>::variable(case.cloud.height_km, 1),
            depth_km: Dual::variable(case.cloud.depth_km, 2),
        };
        let height_km = Dual::variable(self.work.points.at(point, ray).height_km, 0);
        let extinction = layer.extinction_per_km(height_km, Dual::variable(channel.cloud_extinction_per_km, 3));
        self.work.cloud.set(point, row, extinction.derivative);
        if channel.cloud_extinction_per_km == 0.0 { 0.0 } else { extinction.value }
    }

    #[inline(always)]
    fn smooth_optical_depth(&self, channel: &Channel<f64>, cloud: f64, point: usize, ray: usize) -> Number {
        let (batch, work) = (&self.batch, &self.work);
        let (here, segment) = (work.points.at(point, ray), work.segments.at(point, ray));
        let (air, rays) = (segment.air_per_cm2, batch.rays.len());
        let mixing_ratio =
            |gas: u32| if gas == NO_GAS { 0.0 } else { work.mixing_ratio.at(point, gas as usize * rays + ray)[0] };
        let (co2, h2o) = (mixing_ratio(batch.co2), mixing_ratio(batch.h2o));
        let air = Air {
            pressure_hpa: Dual::variable(here.pressure_hpa, by::PRESSURE),
            temperature_k: Dual::variable(here.temperature_k, by::TEMPERATURE),
            length_km: Dual::variable(segment.length_km, by::LENGTH),
            co2_per_cm2: Dual::variable(co2 * air, by::CO2),
            h2o_per_cm2: Dual::variable(h2o * air, by::H2O),
            h2o_mixing_ratio: Dual::variable(h2o, by::HUMIDITY),
        };
        let mut extinction = 0.0;
        if batch.elements.windows > 0 {
            extinction = work.extinction_per_km.at(point, channel.window as usize * rays + ray)[0];
        }
        extinction += cloud;
        smooth_optical_depth(&channel.in_numbers::<Number>(), &air, Dual::variable(extinction, by::EXTINCTION))
    }
}
