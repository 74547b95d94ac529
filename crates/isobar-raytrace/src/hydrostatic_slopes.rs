//! How a hydrostatic pressure follows temperature, water vapour and the pressure at its reference level.

use core::ops::Range;

use isobar_core::{Column, Dual, FieldMut};

use crate::atmosphere::Atmosphere;
use crate::hydrostatic::{adjust, reference_level};

/// Variables at a time.
const VARIABLES: usize = 7;

/// Derivatives of the pressure at each level of [`Atmosphere::make_hydrostatic`].
#[derive(Clone, Debug, PartialEq)]
pub struct HydrostaticSlopes {
    /// The levels of all profiles.
    levels: usize,
    profiles: Vec<OfProfile>,
    water: Option<usize>,
}

/// Those of a profile, whose pressure follows that profile alone.
#[derive(Clone, Debug, PartialEq)]
struct OfProfile {
    range: Range<usize>,
    /// The level that keeps its pressure, among those of the profile.
    reference: usize,
    /// By pressure at the reference level, temperature and water vapour at each level: `variable * levels + level`.
    slopes: Vec<f64>,
}

impl HydrostaticSlopes {
    /// Of an atmosphere before it is made hydrostatic; `water` is the index of H2O among the gases.
    #[must_use]
    pub fn new(atmosphere: &Atmosphere, reference_km: f64, water: Option<usize>) -> Self {
        let of_profile = |range| OfProfile::new(atmosphere, range, reference_km, water);
        let profiles = atmosphere.profiles().into_iter().map(of_profile).collect();
        Self { levels: atmosphere.levels(), profiles, water }
    }

    /// From derivatives by the hydrostatic pressure to those by the state before: `pressure`, `temperature` and
    /// `mixing_ratio`, which is `gas * levels + level`, are derivatives at the levels.
    pub fn pull_back(&self, pressure: &mut [f64], temperature: &mut [f64], mixing_ratio: &mut [f64]) {
        for profile in &self.profiles {
            let range = profile.range.clone();
            let water = self.water.map(|gas| gas * self.levels + range.start..gas * self.levels + range.end);
            let wet = water.map(|water| &mut mixing_ratio[water]);
            profile.pull_back(&mut pressure[range.clone()], &mut temperature[range], wet);
        }
    }
}

impl OfProfile {
    fn new(atmosphere: &Atmosphere, range: Range<usize>, reference_km: f64, water: Option<usize>) -> Self {
        type Number = Dual<f64, VARIABLES>;
        let levels = range.len();
        let constants = |values: &[f64]| values[range.clone()].iter().map(|&x| Number::constant(x)).collect::<Vec<_>>();
        let reference = reference_level(Column::from(&atmosphere.height_km[range.clone()]), reference_km);
        let height_km = constants(&atmosphere.height_km);
        let variables = 1 + levels * if water.is_some() { 2 } else { 1 };
        let mut slopes = vec![0.0; variables * levels];
        for first in (0..variables).step_by(VARIABLES) {
            let (mut pressure, mut temperature) =
                (constants(&atmosphere.pressure_hpa), constants(&atmosphere.temperature_k));
            let mut wet = water.map(|gas| constants(&atmosphere.mixing_ratio[gas]));
            let these = first..variables.min(first + VARIABLES);
            for variable in these.clone() {
                let number = match (variable.checked_sub(1), &mut wet) {
                    (None, _) => &mut pressure[reference],
                    (Some(i), Some(wet)) if i >= levels => &mut wet[i - levels],
                    (Some(i), _) => &mut temperature[i],
                };
                *number = Dual::variable(number.value, variable - first);
            }
            let heights = Column::from(height_km.as_slice());
            let water = wet.as_ref().map(|wet| Column::from(wet.as_slice()));
            let temperature = Column::from(temperature.as_slice());
            let pressures = FieldMut::item_fastest(&mut pressure, levels, 1);
            adjust(heights, temperature, water, Number::constant(reference_km), pressures);
            for variable in these {
                for (level, pressure) in pressure.iter().enumerate() {
                    slopes[variable * levels + level] = pressure.derivative[variable - first];
                }
            }
        }
        Self { range, reference, slopes }
    }

    fn pull_back(&self, pressure: &mut [f64], temperature: &mut [f64], mut water: Option<&mut [f64]>) {
        let levels = self.range.len();
        let by = |variable: usize| {
            let slopes = &self.slopes[variable * levels..(variable + 1) * levels];
            slopes.iter().zip(pressure.iter()).map(|(slope, by)| slope * by).sum::<f64>()
        };
        for level in 0..levels {
            temperature[level] += by(1 + level);
            if let Some(water) = &mut water {
                water[level] += by(1 + levels + level);
            }
        }
        let by_reference = by(0);
        pressure.fill(0.0);
        pressure[self.reference] = by_reference;
    }
}
