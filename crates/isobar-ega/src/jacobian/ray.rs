//! All channels of a ray, and their derivatives by all elements of the state.

use isobar_core::{Dual, Status};
use isobar_raytrace::Ray;
use isobar_raytrace::sensitivity::AtPoints;

use super::Model;
use super::absorption::{Followed, INPUTS, cells};
use super::along::Along;
use super::transfer::{Transfer, by};
use crate::Approximation;
use crate::grow::combine;
use crate::growth::Growth;
use crate::jurassic::{JurassicGrowth, JurassicMeanPath};
use crate::mean_path::MeanPath;
use crate::radiance::NO_GAS;
use crate::rule::Rule;

/// Radiances of a ray and their derivatives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RayJacobian {
    /// Radiance of each channel \[W/(m^2 sr cm^-1)\].
    pub radiance: Vec<f64>,
    /// Transmittance of the path.
    pub transmittance: Vec<f64>,
    /// Derivatives of the radiances, `channel * elements + element`: see [`super::Elements`].
    pub derivative: Vec<f64>,
}

/// Variables of a segment with emissivity growth, which remembers one number.
const GROWTH: usize = 1 + INPUTS;
/// With Curtis-Godson means, which remember four.
const MEANS: usize = 4 + INPUTS;

impl Model<'_> {
    /// Radiances of a ray and their derivatives.
    ///
    /// # Errors
    /// The status of a ray that cannot be traced.
    pub fn ray(&self, ray: &Ray) -> Result<RayJacobian, Status> {
        let along = Along::trace(self, ray, self.geometry)?;
        Ok(match (self.approximation, self.transmittances_given) {
            (Approximation::EmissivityGrowth, false) => self.channels::<GROWTH, Growth<Dual<f64, GROWTH>>>(&along),
            (Approximation::EmissivityGrowth, true) => {
                self.channels::<GROWTH, JurassicGrowth<Dual<f64, GROWTH>>>(&along)
            }
            (Approximation::CurtisGodson, false) => self.channels::<MEANS, MeanPath<Dual<f64, MEANS>>>(&along),
            (Approximation::CurtisGodson, true) => self.channels::<MEANS, JurassicMeanPath<Dual<f64, MEANS>>>(&along),
        })
    }

    #[inline(always)]
    fn channels<const N: usize, A: Rule<Dual<f64, N>>>(&self, along: &Along) -> RayJacobian {
        const { assert!(N == A::MEMORY + INPUTS) };
        let (channels, elements) = (self.channels.len(), self.elements.count());
        let grids = (0..self.tables.grids.len()).map(|grid| self.tables.grids.at(grid));
        let cells: Vec<_> =
            grids.map(|grid| cells::<N>(&self.tables, &grid, along, self.transmittances_given)).collect();
        let mut result = RayJacobian { derivative: vec![0.0; channels * elements], ..RayJacobian::default() };
        let mut gases: Vec<Followed> = (0..self.elements.gases).map(|_| Followed::default()).collect();
        let mut work = Work::default();
        for channel in 0..channels {
            work.absorbed.clear();
            work.absorbed.resize(along.points.len(), A::NOTHING.value);
            work.before.clear();
            for (gas, followed) in gases.iter_mut().enumerate() {
                let table = self.tables.tables.at(gas * channels + channel);
                followed.along::<N, A>(&self.tables, &table, &cells, along, gas);
                for (point, absorbed) in work.absorbed.iter_mut().enumerate() {
                    let both =
                        combine(Dual::variable(*absorbed, 0), Dual::variable(followed.at(point), 1), A::JURASSIC);
                    work.before.push(both.derivative);
                    *absorbed = both.value;
                }
            }
            work.transfer.integrate(self, channel, along, &work.absorbed);
            result.radiance.push(work.transfer.radiance);
            result.transmittance.push(work.transfer.transmittance);
            let row = &mut result.derivative[channel * elements..(channel + 1) * elements];
            work.pull_back::<N>(self, channel, along, &gases, row);
        }
        result
    }
}

/// Room for one channel, kept from channel to channel.
#[derive(Default)]
struct Work {
    /// What all gases so far absorb of each segment (or let pass).
    absorbed: Vec<f64>,
    /// Derivatives of that by what the gases before absorb and by this one's emissivity, `gas * points + point`.
    before: Vec<[f64; 2]>,
    transfer: Transfer,
    at: AtPoints,
    by_air: Vec<f64>,
    by_gases: Vec<f64>,
    by_mixing_ratio: Vec<f64>,
    by_extinction: Vec<f64>,
    by_level: [Vec<f64>; 2],
}

impl Work {
    /// From the derivatives of one channel's radiance by its segments to those by all elements.
    #[inline(always)]
    fn pull_back<const N: usize>(
        &mut self,
        model: &Model<'_>,
        channel: usize,
        along: &Along,
        gases: &[Followed],
        row: &mut [f64],
    ) {
        self.by_segments(model, along);
        let points = along.points.len();
        // Gases in turn, the last one first: each absorbs what those before it let pass.
        for (gas, followed) in gases.iter().enumerate().rev() {
            let before = &self.before[gas * points..(gas + 1) * points];
            let (at, by_air, by_mixing_ratio) =
                (&mut self.at, &mut self.by_air, &mut self.by_mixing_ratio[gas * points..(gas + 1) * points]);
            let by_gases = &self.by_gases;
            followed.pull_back::<N>(
                |point| by_gases[point] * before[point][1],
                |point, [column, pressure, temperature]| {
                    by_mixing_ratio[point] += column * along.air[point].value;
                    by_air[point] += column * along.mixing_ratio.value[gas * points + point];
                    at.pressure_hpa[point] += pressure;
                    at.temperature_k[point] += temperature;
                },
            );
            self.by_gases.iter_mut().zip(before).for_each(|(by, before)| *by *= before[0]);
        }
        self.add_to_elements(model, channel, along, row);
    }

    /// By what each segment is: its state, the air and the gases in it.
    #[inline(always)]
    fn by_segments(&mut self, model: &Model<'_>, along: &Along) {
        let points = along.points.len();
        self.at.clear(points);
        for (values, items) in [
            (&mut self.by_air, 1),
            (&mut self.by_gases, 1),
            (&mut self.by_extinction, 1),
            (&mut self.by_mixing_ratio, model.elements.gases),
        ] {
            values.clear();
            values.resize(points * items, 0.0);
        }
        for point in 0..points {
            let (slopes, by_source_temperature) = self.transfer.slopes(point);
            self.at.pressure_hpa[point] = slopes[by::PRESSURE];
            self.at.temperature_k[point] = slopes[by::TEMPERATURE] + by_source_temperature;
            self.at.length_km[point] = slopes[by::LENGTH];
            self.by_extinction[point] = slopes[by::EXTINCTION];
            self.by_gases[point] = slopes[by::GASES];
            for (gas, column, ratio) in
                [(model.co2, slopes[by::CO2], 0.0), (model.h2o, slopes[by::H2O], slopes[by::HUMIDITY])]
            {
                if gas != NO_GAS {
                    let place = gas as usize * points + point;
                    self.by_mixing_ratio[place] += ratio + column * along.air[point].value;
                    self.by_air[point] += column * along.mixing_ratio.value[place];
                }
            }
        }
        if model.ground.temperature_k <= 0.0 && points > 0 {
            self.at.temperature_k[points - 1] += self.transfer.ground.temperature;
        }
    }

    /// From points to levels.
    #[inline(always)]
    fn add_to_elements(&mut self, model: &Model<'_>, channel: usize, along: &Along, row: &mut [f64]) {
        let (elements, points) = (model.elements, along.points.len());
        let levels = elements.levels;
        let level = |i: usize| if model.descends { levels - 1 - i } else { i };
        let window = model.channels[channel].window as usize;
        for point in 0..points {
            let [pressure, temperature, length] = along.air[point].derivative;
            let by_air = self.by_air[point];
            self.at.pressure_hpa[point] += by_air * pressure;
            self.at.temperature_k[point] += by_air * temperature;
            self.at.length_km[point] += by_air * length;
            let (lower, [below, above]) = (along.level[point], along.weights[point]);
            for gas in 0..elements.gases {
                let by = self.by_mixing_ratio[gas * points + point];
                row[elements.mixing_ratio(gas, level(lower))] += by * below;
                row[elements.mixing_ratio(gas, level(lower + 1))] += by * above;
                self.at.height_km[point] += by * along.mixing_ratio.slope[gas * points + point];
            }
            let by = self.by_extinction[point];
            if window < elements.windows {
                row[elements.extinction(window, level(lower))] += by * below;
                row[elements.extinction(window, level(lower + 1))] += by * above;
                self.at.height_km[point] += by * along.extinction.slope[window * points + point];
            }
            if let Some(cloud) = self.transfer.cloud.get(point) {
                let [by_height, by_cloud_height, by_depth, by_maximum] = cloud.derivative;
                self.at.height_km[point] += by * by_height;
                row[elements.cloud_height()] += by * by_cloud_height;
                row[elements.cloud_depth()] += by * by_depth;
                for node in 0..elements.cloud_nodes {
                    let weight = model.cloud_nodes[channel * elements.cloud_nodes + node];
                    row[elements.cloud_extinction(node)] += by * by_maximum * weight;
                }
            }
        }
        let ground = &self.transfer.ground;
        self.at.last_position_km = along.sun.derivative.map(|by_axis| ground.share * by_axis);
        for values in &mut self.by_level {
            values.clear();
            values.resize(levels, 0.0);
        }
        let [by_pressure, by_temperature] = &mut self.by_level;
        let by_surface_height = along.sensitivity.pull_back(&self.at, model.geometry, by_pressure, by_temperature);
        for i in 0..levels {
            row[elements.pressure(level(i))] += by_pressure[i];
            row[elements.temperature(level(i))] += by_temperature[i];
        }
        if elements.surface_nodes > 0 {
            let slopes = &model.surface_height;
            row[elements.surface_height()] += by_surface_height * slopes.by_height;
            row[elements.surface_pressure()] += by_surface_height * slopes.by_pressure;
            for (next, slope) in slopes.by_level.iter().enumerate() {
                row[elements.pressure(slopes.first_level + next)] += by_surface_height * slope;
            }
            if model.ground.temperature_k > 0.0 {
                row[elements.surface_temperature()] += ground.temperature;
            }
            for node in 0..elements.surface_nodes {
                let weight = model.surface_nodes[channel * elements.surface_nodes + node];
                row[elements.surface_emissivity(node)] += ground.emissivity * weight;
            }
        }
    }
}
