//! The equation of transfer in one channel, differentiated: what the segments emit, and what the ground adds.

use isobar_core::{Dual, Real};

use super::Model;
use super::along::Along;
use crate::channel::{Channel, between, source_node};
use crate::continuum::Air;
use crate::radiance::{Cloud, NO_GAS, from_ground, smooth_optical_depth, stops, with_smooth};

/// What the emissivity of a segment depends on.
pub(super) mod by {
    pub(crate) const PRESSURE: usize = 0;
    pub(crate) const TEMPERATURE: usize = 1;
    pub(crate) const LENGTH: usize = 2;
    /// Column density of CO2.
    pub(crate) const CO2: usize = 3;
    /// Column density of H2O.
    pub(crate) const H2O: usize = 4;
    /// Mixing ratio of H2O.
    pub(crate) const HUMIDITY: usize = 5;
    pub(crate) const EXTINCTION: usize = 6;
    /// What the gases absorb.
    pub(crate) const GASES: usize = 7;
    pub(crate) const COUNT: usize = 8;
}

/// What cloud extinction depends on: height of the point, height and depth of the cloud, its extinction at the maximum.
pub(super) const CLOUD: usize = 4;

type Number = Dual<f64, { by::COUNT }>;

/// One channel along a path.
#[derive(Default)]
pub(super) struct Transfer {
    pub(super) radiance: f64,
    pub(super) transmittance: f64,
    /// Emissivity of each segment and its derivatives; 1 and none where the channel has ended.
    emissivity: Vec<Number>,
    /// Source of each segment, by temperature.
    source: Vec<Dual<f64, 1>>,
    /// What the path up to a segment lets pass; negative where the channel has ended, which emits nothing.
    passed: Vec<f64>,
    /// What the ground sees of the light above a segment.
    down: Vec<f64>,
    /// Derivatives of the radiance by the emissivity of each segment.
    pub(super) by_emissivity: Vec<f64>,
    /// By its source.
    by_source: Vec<f64>,
    /// Cloud extinction at each point, where there is a cloud.
    pub(super) cloud: Vec<Dual<f64, CLOUD>>,
    pub(super) ground: ByGround,
}

/// Derivatives by what the ground is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ByGround {
    pub(super) emissivity: f64,
    pub(super) temperature: f64,
    /// The Sun's share.
    pub(super) share: f64,
}

impl Transfer {
    /// Integrates one channel, from what gases absorb in each segment.
    #[inline(always)]
    pub(super) fn integrate(&mut self, model: &Model<'_>, index: usize, along: &Along, gases: &[f64]) {
        let channel = &model.channels[index];
        let numbers = channel.in_numbers::<Number>();
        self.find_cloud(&model.cloud, channel, along);
        for values in [&mut self.passed, &mut self.by_emissivity, &mut self.by_source, &mut self.down] {
            values.clear();
        }
        self.emissivity.clear();
        self.source.clear();
        let (mut radiance, mut passed) = (0.0, 1.0);
        for (point, &stored) in gases.iter().enumerate() {
            let source = model.source(index, Dual::variable(along.points[point].temperature_k, 0));
            self.source.push(source);
            if stops(stored, model.transmittances_given) {
                self.emissivity.push(Number::ONE);
                self.passed.push(-1.0);
                continue;
            }
            let depth = self.smooth_optical_depth(model, channel, &numbers, along, point);
            let emissivity = with_smooth(Number::variable(stored, by::GASES), depth, model.transmittances_given);
            radiance += source.value * emissivity.value * passed;
            self.emissivity.push(emissivity);
            self.passed.push(passed);
            passed *= 1.0 - emissivity.value;
        }
        self.transmittance = passed;
        self.by_emissivity.resize(gases.len(), 0.0);
        self.by_source.resize(gases.len(), 0.0);
        self.ground = ByGround::default();
        let mut by_passed = 0.0;
        if along.hits_ground && model.ground.kind >= 1 {
            let (ground, by) = self.add_ground(model, index, along, passed);
            radiance += ground;
            by_passed = by;
        }
        self.radiance = radiance;
        // Backwards: what comes from behind a segment is seen through it.
        for point in (0..gases.len()).rev() {
            let (emissivity, source, passed) =
                (self.emissivity[point].value, self.source[point].value, self.passed[point]);
            if passed >= 0.0 {
                self.by_emissivity[point] += passed * (source - by_passed);
                self.by_source[point] += passed * emissivity;
                by_passed = source * emissivity + by_passed * (1.0 - emissivity);
            }
        }
    }

    /// Derivatives of the radiance by what a segment's emissivity depends on, and by its temperature in the source.
    #[inline(always)]
    pub(super) fn slopes(&self, point: usize) -> ([f64; by::COUNT], f64) {
        let by_emissivity = self.by_emissivity[point];
        let slopes = self.emissivity[point].derivative.map(|slope| by_emissivity * slope);
        (slopes, self.by_source[point] * self.source[point].derivative[0])
    }

    #[inline(always)]
    fn find_cloud(&mut self, cloud: &Cloud<f64>, channel: &Channel<f64>, along: &Along) {
        self.cloud.clear();
        if cloud.depth_km <= 0.0 {
            return;
        }
        let layer =
            Cloud { height_km: Dual::variable(cloud.height_km, 1), depth_km: Dual::variable(cloud.depth_km, 2) };
        let at_maximum = Dual::variable(channel.cloud_extinction_per_km, 3);
        let at = |height_km: f64| layer.extinction_per_km(Dual::variable(height_km, 0), at_maximum);
        self.cloud.extend(along.points.iter().map(|point| at(point.height_km)));
    }

    #[inline(always)]
    fn smooth_optical_depth(
        &self,
        model: &Model<'_>,
        channel: &Channel<f64>,
        numbers: &Channel<Number>,
        along: &Along,
        point: usize,
    ) -> Number {
        let (here, air) = (&along.points[point], along.air[point].value);
        let points = along.points.len();
        let mixing_ratio =
            |gas: u32| if gas == NO_GAS { 0.0 } else { along.mixing_ratio.value[gas as usize * points + point] };
        let (co2, h2o) = (mixing_ratio(model.co2), mixing_ratio(model.h2o));
        let air = Air {
            pressure_hpa: Dual::variable(here.pressure_hpa, by::PRESSURE),
            temperature_k: Dual::variable(here.temperature_k, by::TEMPERATURE),
            length_km: Dual::variable(along.length_km[point], by::LENGTH),
            co2_per_cm2: Dual::variable(co2 * air, by::CO2),
            h2o_per_cm2: Dual::variable(h2o * air, by::H2O),
            h2o_mixing_ratio: Dual::variable(h2o, by::HUMIDITY),
        };
        let mut extinction = 0.0;
        if !along.extinction.value.is_empty() {
            extinction = along.extinction.value[channel.window as usize * points + point];
        }
        if channel.cloud_extinction_per_km != 0.0
            && let Some(cloud) = self.cloud.get(point)
        {
            extinction += cloud.value;
        }
        smooth_optical_depth(numbers, &air, Dual::variable(extinction, by::EXTINCTION))
    }

    /// What the ground adds, and its derivative by what the path lets pass. Emissivities and sources of the segments get their share.
    #[inline(always)]
    fn add_ground(&mut self, model: &Model<'_>, index: usize, along: &Along, passed: f64) -> (f64, f64) {
        let channel = &model.channels[index];
        let own = model.ground.temperature_k > 0.0;
        let temperature = if own { model.ground.temperature_k } else { along.last_temperature_k };
        let surface = model.source(index, Dual::<f64, 1>::variable(temperature, 0));
        let sun = if model.ground.kind >= 3 { (channel.sun, along.sun.value) } else { (0.0, 0.0) };
        let (sources, emissivities, points) = (&self.source, &self.emissivity, self.source.len());
        let segment = |point: usize| (sources[point].value, emissivities[point].value);
        let emissivity = channel.surface_emissivity;
        let mut down = std::mem::take(&mut self.down);
        down.resize(points, 0.0);
        let mirrors = model.ground.kind >= 2 && 1.0 - emissivity > 0.0;
        let (radiance, last_down) = from_ground(
            model.ground.kind,
            (emissivity, surface.value),
            sun,
            passed,
            points,
            segment,
            |point, share| {
                down[point] = share;
            },
        );
        // What arrives from above, without what reflects it and lets it pass.
        let mut arrives = 0.0;
        if mirrors {
            let reflected = 1.0 - emissivity;
            let seen = passed * reflected;
            arrives = sun.0 * last_down * sun.1;
            let mut by_down = sun.0 * sun.1 * seen;
            for (point, &down) in down.iter().enumerate() {
                let (source, emissivity) = segment(point);
                arrives += source * emissivity * down;
                self.by_emissivity[point] += down * (seen * source - by_down);
                self.by_source[point] += seen * emissivity * down;
                by_down = seen * source * emissivity + by_down * (1.0 - emissivity);
            }
            self.ground.share = sun.0 * last_down * seen;
        }
        self.down = down;
        self.ground.emissivity = passed * (surface.value - arrives);
        self.ground.temperature = emissivity * passed * surface.derivative[0];
        (radiance, emissivity * surface.value + if mirrors { (1.0 - emissivity) * arrives } else { 0.0 })
    }
}

impl Model<'_> {
    /// The source function of a channel at a temperature.
    #[inline(always)]
    fn source<R: Real>(&self, channel: usize, temperature_k: R) -> R {
        let (node, above) = source_node(temperature_k);
        let at = |node: usize| R::from_f64(self.source[node * self.channels.len() + channel]);
        between(at(node), at(node + 1), above)
    }
}
