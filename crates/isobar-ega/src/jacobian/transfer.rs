//! The equation of transfer in one channel, and backwards: derivatives of the radiance by what the segments emit, and
//! by the ground.

use isobar_core::{Dual, Status};
use isobar_raytrace::sensitivity::AtPoint;

use super::batch::Batch;
use super::slopes::by;
use super::work::Work;
use crate::physics::transfer::{NO_GAS, from_ground};

/// Integrates along paths and back: one ray and channel an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct TransferBack<'a> {
    /// The rays.
    pub batch: Batch<'a>,
    /// What their segments emit, and the results.
    pub work: Work<'a>,
}

impl TransferBack<'_> {
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
        let summary = work.summaries.at(0, ray);
        let points = summary.points as usize;
        let (mut radiance, mut passed) = (0.0, 1.0);
        for point in 0..points {
            let here = work.emitted.at(point, row);
            work.by_segment.set(point, row, [0.0; 2]);
            if here.ends != 0.0 {
                work.passed.set(point, row, -1.0);
                continue;
            }
            radiance += here.source * here.emissivity * passed;
            work.passed.set(point, row, passed);
            passed *= 1.0 - here.emissivity;
        }
        let ground = batch.case(ray).0.ground;
        let (mut by_passed, mut by_ground) = (0.0, [0.0; 3]);
        if summary.hits_ground != 0 && ground.kind >= 1 {
            let (from_ground, by);
            (from_ground, by, by_ground) = self.ground(ray, index, row, passed);
            radiance += from_ground;
            by_passed = by;
        }
        let result = batch.result(row);
        work.radiance.set(0, result, radiance);
        work.transmittance.set(0, result, passed);
        work.by_ground.set(0, row, by_ground);
        // Backwards: what comes from behind a segment is seen through it.
        // Lanes with shorter paths wait, so that all are at the same point.
        for point in (0..work.points.levels()).rev() {
            if point >= points {
                continue;
            }
            let (here, passed) = (work.emitted.at(point, row), work.passed.at(point, row));
            let [mut by_emissivity, mut by_source] = work.by_segment.at(point, row);
            if passed >= 0.0 {
                by_emissivity += passed * (here.source - by_passed);
                by_source += passed * here.emissivity;
                by_passed = here.source * here.emissivity + by_passed * (1.0 - here.emissivity);
            }
            let mut by_temperature = by_emissivity * here.emissivity_by[by::TEMPERATURE];
            by_temperature += by_source * here.source_by_temperature;
            if ground.temperature_k <= 0.0 && point + 1 == points {
                by_temperature += by_ground[1];
            }
            let at = AtPoint {
                by_height_per_km: 0.0,
                by_pressure_per_hpa: by_emissivity * here.emissivity_by[by::PRESSURE],
                by_temperature_per_k: by_temperature,
                by_length_per_km: by_emissivity * here.emissivity_by[by::LENGTH],
            };
            work.at.set(point, row, at);
            self.columns(ray, row, point, by_emissivity);
        }
        Status::OK
    }
}

impl TransferBack<'_> {
    /// From the derivative by a segment's emissivity to those by its air, gases, extinction and mixing ratios.
    #[inline(always)]
    fn columns(&self, ray: usize, row: usize, point: usize, by_emissivity: f64) {
        let (batch, work) = (&self.batch, &self.work);
        let (gases, slopes) = (batch.elements.gases, work.emitted.at(point, row).emissivity_by);
        let air = work.segments.at(point, ray).air_per_cm2;
        let slope = |of: usize| by_emissivity * slopes[of];
        for gas in 0..gases {
            work.by_mixing_ratio.set(point, gas * batch.rows() + row, 0.0);
        }
        let mut by_air = 0.0;
        macro_rules! gas {
            ($gas:expr, $column:expr, $ratio:expr) => {
                if $gas != NO_GAS {
                    let chain = $gas as usize * batch.rows() + row;
                    let column = $column;
                    let by_ratio = work.by_mixing_ratio.at(point, chain) + ($ratio + column * air);
                    work.by_mixing_ratio.set(point, chain, by_ratio);
                    by_air += column * work.mixing_ratio.at(point, $gas as usize * batch.rays.len() + ray)[0];
                }
            };
        }
        gas!(batch.co2, slope(by::CO2), 0.0);
        gas!(batch.h2o, slope(by::H2O), slope(by::HUMIDITY));
        work.by.set(point, row, [by_air, slope(by::GASES), slope(by::EXTINCTION)]);
    }

    /// What the ground adds, its derivative by what the path lets pass, and those by emissivity, temperature and the
    /// Sun's share. Emissivities and sources of the segments get their share.
    #[inline(always)]
    fn ground(&self, ray: usize, index: usize, row: usize, passed: f64) -> (f64, f64, [f64; 3]) {
        let (batch, work) = (&self.batch, &self.work);
        let (case, number) = batch.case(ray);
        let (ground, channel) = (case.ground, batch.channels.at(index, number));
        let summary = work.summaries.at(0, ray);
        let temperature_k = if ground.temperature_k > 0.0 { ground.temperature_k } else { summary.last_temperature_k };
        let surface = batch.source(index, Dual::<f64, 1>::variable(temperature_k, 0));
        let sun = if ground.kind >= 3 { (channel.sun, work.sun.at(0, ray)[0]) } else { (0.0, 0.0) };
        let segment = |point: usize| {
            let here = work.emitted.at(point, row);
            (here.source, here.emissivity)
        };
        let emissivity = channel.surface_emissivity;
        let points = summary.points as usize;
        // What the ground sees of the light above a segment stands where its derivatives will be.
        let (radiance, last_down) =
            from_ground(ground.kind, (emissivity, surface.value), sun, passed, points, segment, |point, down| {
                work.by_segment.set(point, row, [down, 0.0])
            });
        // What arrives from above, without what reflects it and lets it pass.
        let (mut arrives, mut by_share) = (0.0, 0.0);
        let mirrors = ground.kind >= 2 && 1.0 - emissivity > 0.0;
        if mirrors {
            let reflected = 1.0 - emissivity;
            let seen = passed * reflected;
            arrives = sun.0 * last_down * sun.1;
            let mut by_down = sun.0 * sun.1 * seen;
            for point in 0..points {
                let ((source, emissivity), [down, _]) = (segment(point), work.by_segment.at(point, row));
                arrives += source * emissivity * down;
                work.by_segment.set(point, row, [down * (seen * source - by_down), seen * emissivity * down]);
                by_down = seen * source * emissivity + by_down * (1.0 - emissivity);
            }
            by_share = sun.0 * last_down * seen;
        }
        let by_passed = emissivity * surface.value + if mirrors { (1.0 - emissivity) * arrives } else { 0.0 };
        let by_temperature = emissivity * passed * surface.derivative[0];
        (radiance, by_passed, [passed * (surface.value - arrives), by_temperature, by_share])
    }
}
