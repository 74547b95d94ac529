//! A column of a grid, and the profile at a place.

use isobar_core::{bracket, interpolate};
use isobar_raytrace::{Atmosphere, Horizontal};

use super::source::Source;
use super::{GridPlace, GridRequest};
use crate::control::Control;
use crate::error::Error;

/// A column, the lowest level first.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Column {
    pub(super) height_km: Vec<f64>,
    pub(super) pressure_hpa: Vec<f64>,
    pub(super) temperature_k: Vec<f64>,
    /// `[emitter][level]`, a single level where it is a constant; none where the background has it.
    pub(super) gases: Vec<Option<Vec<f64>>>,
}

fn mix(here: &[f64], there: &[f64], share: f64) -> Vec<f64> {
    // Between equals nothing is rounded.
    here.iter().zip(there).map(|(here, there)| here + share * (there - here)).collect()
}

impl Column {
    /// Level by level between this column and another one, which counts `share`.
    pub(super) fn mix(&self, other: &Self, share: f64) -> Self {
        if share == 0.0 {
            return self.clone();
        }
        let gas = |(here, there): (&Option<Vec<f64>>, &Option<Vec<f64>>)| {
            here.as_ref().zip(there.as_ref()).map(|(here, there)| mix(here, there, share))
        };
        Self {
            height_km: mix(&self.height_km, &other.height_km, share),
            pressure_hpa: mix(&self.pressure_hpa, &other.pressure_hpa, share),
            temperature_k: mix(&self.temperature_k, &other.temperature_k, share),
            gases: self.gases.iter().zip(&other.gases).map(gas).collect(),
        }
    }

    /// The profile at a place, with what the background has: gases that the grid lacks, and all above its top, where
    /// the background's pressure is scaled to that of the top.
    pub(super) fn atmosphere(
        mut self,
        source: &Source,
        control: &Control,
        place: &GridPlace,
        time_s: f64,
        request: &GridRequest,
    ) -> Result<Atmosphere, Error> {
        let background = request.background.as_ref();
        let needs = [("NCL", &control.cloud_wavenumbers_per_cm), ("NSF", &control.surface_wavenumbers_per_cm)];
        if let (None, Some((key, _))) = (background, needs.iter().find(|(_, nodes)| !nodes.is_empty())) {
            let text = format!("{key} asks for what a grid has not: give a profile that has it with --background FILE");
            return Err(source.invalid(text));
        }
        let levels = self.height_km.len();
        if let Some(profile) = background {
            let view = Sorted::new(profile);
            let (top, scale) = (self.height_km[levels - 1], self.pressure_hpa[levels - 1]);
            let there = view.pressure(top);
            for (i, &height) in view.height_km.iter().enumerate().filter(|(_, height)| **height > top) {
                self.height_km.push(height);
                self.pressure_hpa.push(view.pressure_hpa[i] / there * scale);
                self.temperature_k.push(view.temperature_k[i]);
            }
        }
        let all = &self.height_km;
        let gas = |(number, gas): (usize, &Option<Vec<f64>>)| -> Vec<f64> {
            let above = |height: f64| {
                background.map(|profile| Sorted::new(profile).linear(&profile.mixing_ratio[number], height))
            };
            let one = |(level, &height): (usize, &f64)| match gas.as_deref() {
                Some([constant]) => *constant,
                Some(values) if level < levels => values[level],
                _ => above(height).unwrap_or(0.0),
            };
            all.iter().enumerate().map(one).collect()
        };
        let window = |number: usize| -> Vec<f64> {
            let of = |&height: &f64| match background {
                Some(profile) => Sorted::new(profile).linear(&profile.extinction_per_km[number], height),
                None => 0.0,
            };
            all.iter().map(of).collect()
        };
        let same = |value: f64| vec![value; all.len()];
        Ok(Atmosphere {
            horizontal: Horizontal::Uniform,
            time_s: same(time_s),
            height_km: all.clone(),
            longitude_deg: same(place.longitude_deg),
            latitude_deg: same(place.latitude_deg),
            pressure_hpa: self.pressure_hpa.clone(),
            temperature_k: self.temperature_k.clone(),
            mixing_ratio: self.gases.iter().enumerate().map(gas).collect(),
            extinction_per_km: (0..control.window_count.max(1)).map(window).collect(),
            cloud: background.and_then(|profile| profile.cloud.clone()),
            surface: background.and_then(|profile| profile.surface.clone()),
        })
    }
}

/// A profile by height, whichever way its levels go.
struct Sorted {
    order: Vec<usize>,
    height_km: Vec<f64>,
    pressure_hpa: Vec<f64>,
    temperature_k: Vec<f64>,
}

impl Sorted {
    fn new(profile: &Atmosphere) -> Self {
        let mut order: Vec<usize> = (0..profile.levels()).collect();
        order.sort_by(|&a, &b| profile.height_km[a].total_cmp(&profile.height_km[b]));
        let of = |values: &[f64]| order.iter().map(|&i| values[i]).collect();
        Self {
            height_km: of(&profile.height_km),
            pressure_hpa: of(&profile.pressure_hpa),
            temperature_k: of(&profile.temperature_k),
            order,
        }
    }

    fn pressure(&self, height: f64) -> f64 {
        let (z, p) = (&self.height_km, &self.pressure_hpa);
        let i = bracket::bisect(z.len(), |i| z[i], height);
        interpolate::log_y(z[i], p[i], z[i + 1], p[i + 1], height)
    }

    /// Linear in height, beyond the ends what is there.
    fn linear(&self, values: &[f64], height: f64) -> f64 {
        let z = &self.height_km;
        let height = height.clamp(z[0], z[z.len() - 1]);
        let i = bracket::bisect(z.len(), |i| z[i], height);
        interpolate::linear(z[i], values[self.order[i]], z[i + 1], values[self.order[i + 1]], height)
    }
}
