//! Large-scale condensation against halvings of the equation that defines it, and against what it must conserve.

use isobar_column::condensation::{Condensation, saturating_warmth};
use isobar_column::constants::{GAS_CONSTANT, GRAVITY, HEAT_CAPACITY, LATENT_HEAT, REFERENCE_PRESSURE};
use isobar_column::humidity::saturation_mixing_ratio;
use isobar_column::limits::{Left, Stopped, WORDS};
use isobar_core::{Field, FieldMut, Real, Status};

use crate::{close, run};

/// The temperature at which air of this enthalpy is just saturated, by halvings alone.
fn saturated_temperature(temperature: f64, vapour: f64, pressure: f64) -> f64 {
    let enthalpy = HEAT_CAPACITY * temperature + LATENT_HEAT * vapour;
    let excess = |t: f64| HEAT_CAPACITY * t + LATENT_HEAT * saturation_mixing_ratio(t, pressure) - enthalpy;
    let (mut low, mut high) = (0.0, temperature + LATENT_HEAT / HEAT_CAPACITY * vapour.max(0.0) + 1.0);
    assert!(excess(low) < 0.0 && excess(high) > 0.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if excess(middle) < 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[test]
fn air_becomes_just_saturated_with_its_enthalpy() {
    let mut larger = 0;
    for pressure in [100.0, 1e4, 5e4, 1e5] {
        for step in 0..=60 {
            let temperature = 180.0 + 3.0 * f64::from(step);
            for part in [-1e-3, 0.0, 0.2, 0.99, 1.0, 1.000_001, 1.1, 2.0, 40.0] {
                let vapour = (part * saturation_mixing_ratio(temperature, pressure)).clamp(-1e-3, 1.0);
                let expected = saturated_temperature(temperature, vapour, pressure);
                let warmth = saturating_warmth(temperature, vapour, pressure);
                let what = format!("{temperature} K, {vapour} kg/kg, {pressure} Pa");
                close(temperature + warmth, expected, 1e-12, &what);
                let over = vapour > saturation_mixing_ratio(temperature, pressure);
                assert!(!over || warmth > 0.0, "{what}");
                larger += usize::from(warmth > 5.0);
            }
        }
    }
    assert!(larger > 100, "{larger} of them matter");
}

/// In single precision the same within its roundings.
#[test]
fn single_precision_finds_the_same() {
    for (temperature, vapour, pressure) in [(300.0, 0.03, 1e5), (260.0, 0.004, 6e4), (295.0, 0.001, 9e4)] {
        let expected = saturating_warmth(temperature, vapour, pressure);
        let got = f64::from(saturating_warmth(temperature as f32, vapour as f32, pressure as f32));
        assert!((got - expected).abs() < 3e-4, "{got} instead of {expected}");
    }
}

const LAYERS: usize = 6;

/// A column, and what it counts.
#[derive(Clone)]
struct Air {
    theta: [f64; LAYERS],
    vapour: [f64; LAYERS],
    heat: f64,
    water: f64,
    fallen: f64,
    words: [u32; WORDS],
}

fn levels() -> [f64; LAYERS + 1] {
    core::array::from_fn(|level| 1e5 - 1.2e4 * level as f64)
}

fn middle(layer: usize) -> f64 {
    0.5 * (levels()[layer] + levels()[layer + 1])
}

fn exner(layer: usize) -> f64 {
    Real::powf(middle(layer) / REFERENCE_PRESSURE, GAS_CONSTANT / HEAT_CAPACITY)
}

fn mass(layer: usize) -> f64 {
    (levels()[layer] - levels()[layer + 1]) / GRAVITY
}

impl Air {
    /// With these relative humidities, from the surface up.
    fn new(humidities: [f64; LAYERS]) -> Self {
        let temperature = |layer: usize| 298.0 - 9.0 * layer as f64;
        Self {
            theta: core::array::from_fn(|layer| temperature(layer) / exner(layer)),
            vapour: core::array::from_fn(|layer| {
                humidities[layer] * saturation_mixing_ratio(temperature(layer), middle(layer))
            }),
            heat: 5.0,
            water: 7.0,
            fallen: 2.0,
            words: [0; WORDS],
        }
    }

    fn condense(&self, evaporates: u32) -> (Self, Status) {
        let mut after = self.clone();
        let exner: [f64; LAYERS] = core::array::from_fn(exner);
        let (middles, levels): ([f64; LAYERS], _) = (core::array::from_fn(middle), levels());
        let one = |value| FieldMut::item_fastest(core::slice::from_mut(value), 1, 1);
        let status = run(&Condensation {
            step: 4,
            evaporates,
            exner: Field::item_fastest(&exner, LAYERS, 1),
            pressure_pa: Field::item_fastest(&middles, LAYERS, 1),
            interface_pressure_pa: Field::item_fastest(&levels, LAYERS + 1, 1),
            theta_k: FieldMut::item_fastest(&mut after.theta, LAYERS, 1),
            vapour_kg_per_kg: FieldMut::item_fastest(&mut after.vapour, LAYERS, 1),
            heat_gained_j_per_m2: one(&mut after.heat),
            water_gained_kg_per_m2: one(&mut after.water),
            precipitation_kg_per_m2: one(&mut after.fallen),
            words: FieldMut::item_fastest(&mut after.words, WORDS, 1),
        })[0];
        (after, status)
    }

    fn humidity(&self, layer: usize) -> f64 {
        self.vapour[layer] / saturation_mixing_ratio(self.theta[layer] * exner(layer), middle(layer))
    }

    /// Enthalpy with latent heat of a layer \[J/kg\].
    fn enthalpy(&self, layer: usize) -> f64 {
        HEAT_CAPACITY * self.theta[layer] * exner(layer) + LATENT_HEAT * self.vapour[layer]
    }

    fn water(&self) -> f64 {
        (0..LAYERS).map(|layer| self.vapour[layer] * mass(layer)).sum()
    }

    fn potential_enthalpy(&self) -> f64 {
        (0..LAYERS).map(|layer| HEAT_CAPACITY * self.theta[layer] * mass(layer)).sum()
    }
}

/// What fell counts once in each budget, with or without evaporation.
fn counted(before: &Air, after: &Air) {
    let fallen = after.fallen - before.fallen;
    assert!((before.water() - after.water() - fallen).abs() < 1e-15 * before.water() * LAYERS as f64, "water");
    assert_eq!(before.water - after.water, fallen, "water that came in");
    let warmed = after.potential_enthalpy() - before.potential_enthalpy();
    assert!((after.heat - before.heat - warmed).abs() < 1e-13 * before.potential_enthalpy(), "heat that came in");
    for layer in 0..LAYERS {
        close(after.enthalpy(layer), before.enthalpy(layer), 1e-14, "enthalpy");
        assert!(after.humidity(layer) < 1.0 + 1e-12, "{layer}: {}", after.humidity(layer));
    }
}

#[test]
fn what_is_over_falls_out_and_counts() {
    let before = Air::new([0.5, 1.3, 0.2, 1.05, 0.9, 1.0]);
    let (after, status) = before.condense(0);
    assert_eq!(status, Status::OK);
    counted(&before, &after);
    for layer in [1, 3] {
        close(after.humidity(layer), 1.0, 1e-12, "what was over is saturated");
    }
    for layer in [0, 2, 4, 5] {
        assert_eq!((after.theta[layer], after.vapour[layer]), (before.theta[layer], before.vapour[layer]));
    }
    assert!(after.fallen - before.fallen > 1.0);
    // Once is enough.
    let again = after.condense(0).0;
    assert!((again.fallen - after.fallen).abs() < 1e-12);
}

#[test]
fn what_falls_evaporates_until_air_is_saturated() {
    // Little falls into much dry air: all of it evaporates in the first layer below.
    let dry = Air::new([0.5, 0.5, 0.5, 0.1, 0.2, 1.05]);
    let (after, _) = dry.condense(1);
    counted(&dry, &after);
    assert_eq!(after.fallen, dry.fallen);
    assert!(after.vapour[4] > dry.vapour[4] && after.theta[4] < dry.theta[4]);
    assert_eq!((after.vapour[3], after.theta[3]), (dry.vapour[3], dry.theta[3]));
    let all = (dry.vapour[5] - after.vapour[5]) * mass(5);
    close((after.vapour[4] - dry.vapour[4]) * mass(4), all, 1e-12, "all of it");
    // Much falls: what is below is saturated, and the rest arrives.
    let moist = Air::new([0.97, 0.98, 0.99, 1.5, 1.0, 0.3]);
    let (after, _) = moist.condense(1);
    counted(&moist, &after);
    for layer in 0..4 {
        close(after.humidity(layer), 1.0, 1e-12, "saturated all the way down");
    }
    let without = moist.condense(0).0;
    assert!(after.fallen > moist.fallen && after.fallen < without.fallen);
    assert_eq!((after.theta[5], after.vapour[5]), (moist.theta[5], moist.vapour[5]));
}

/// A column whose condensation would make it too hot stops, and one that has stopped stays.
#[test]
fn too_hot_a_column_stops() {
    let mut hot = Air::new([0.5; LAYERS]);
    hot.theta[2] = 390.0 / exner(2);
    hot.vapour[2] = 0.99;
    let (after, status) = hot.condense(0);
    assert_eq!(status, Status::OUT_OF_RANGE);
    let stopped = Stopped::of_words(after.words).unwrap();
    assert_eq!((stopped.left, stopped.layer, stopped.step), (Left::Temperature as u32, 2, 5));
    assert!(stopped.value > 400.0);
    assert_eq!((after.theta, after.vapour), (hot.theta, hot.vapour));
    let mut stays = Air::new([1.5; LAYERS]);
    stays.words = after.words;
    assert_eq!(stays.condense(0).0.vapour, stays.vapour);
}
