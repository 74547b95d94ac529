//! Layers of soil: the damped wave of a periodic temperature, conservation, and steps of any length.

use isobar_column::limits::WORDS;
use isobar_column::soil::{Conduct, WarmSoil};
use isobar_column::stages::SoilLayers;
use isobar_core::{Column, Field, FieldMut, Real, Status};

use crate::run;

const CONDUCTIVITY: f64 = 1.2;
const CAPACITY: f64 = 2.4e6;
/// From the slab to the top of the soil: the slab's temperature is that of the top.
const AT_ONCE: f64 = 1e15;

/// Soil of one column, and what came into it.
struct Soil {
    layers: SoilLayers,
    conductance: Vec<f64>,
    temperature: Vec<f64>,
    gained: f64,
    flux: f64,
}

impl Soil {
    fn new(thickness: &[f64], conductivity: &[f64], capacity: &[f64], conductance: f64, temperature: Vec<f64>) -> Self {
        let layers = SoilLayers::new(thickness.to_vec(), conductivity, capacity, conductance).unwrap();
        // From middle to middle, by resistances.
        let half = |i: usize| 0.5 * thickness[i] / conductivity[i];
        let conductance = (0..thickness.len())
            .map(|i| 1.0 / (half(i) + if i == 0 { 1.0 / conductance } else { half(i - 1) }))
            .collect();
        Self { layers, conductance, temperature, gained: 0.0, flux: 0.0 }
    }

    /// A step in which the slab goes from one temperature to another. Returns what it loses at the start, and by how
    /// much more the warmer it gets.
    fn step(&mut self, step_s: f64, [before, after]: [f64; 2]) -> [f64; 2] {
        let count = self.temperature.len();
        let (mut held, mut slope) = (vec![0.0; count], vec![0.0; count]);
        let [mut kept, mut forcing, mut forcing_slope] = [[0.0], [100.0], [7.0]];
        let before = [before];
        let capacity = self.layers.heat_capacity_j_per_m2_k();
        let kernel = Conduct {
            step_s,
            heat_capacity_j_per_m2_k: Column::from(capacity),
            conductance_w_per_m2_k: Column::from(&self.conductance[..]),
            soil_temperature_k: Field::item_fastest(&self.temperature, count, 1),
            surface_temperature_k: Column::from(&before[..]),
            held_w_per_m2: FieldMut::item_fastest(&mut held, count, 1),
            slope_w_per_m2_k: FieldMut::item_fastest(&mut slope, count, 1),
            before_k: FieldMut::item_fastest(&mut kept, 1, 1),
            forcing_w_per_m2: FieldMut::item_fastest(&mut forcing, 1, 1),
            forcing_slope_w_per_m2_k: FieldMut::item_fastest(&mut forcing_slope, 1, 1),
        };
        assert_eq!(run(&kernel), [Status::OK]);
        let after = [after];
        let mut words = [0; WORDS];
        let [mut flux, mut gained] = [[0.0], [self.gained]];
        let kernel = WarmSoil {
            step_s,
            heat_capacity_j_per_m2_k: Column::from(capacity),
            held_w_per_m2: Field::item_fastest(&held, count, 1),
            slope_w_per_m2_k: Field::item_fastest(&slope, count, 1),
            before_k: Column::from(&kept[..]),
            surface_temperature_k: Column::from(&after[..]),
            soil_temperature_k: FieldMut::item_fastest(&mut self.temperature, count, 1),
            ground_heat_flux_w_per_m2: FieldMut::item_fastest(&mut flux, 1, 1),
            ground_heat_gained_j_per_m2: FieldMut::item_fastest(&mut gained, 1, 1),
            words: FieldMut::item_fastest(&mut words, WORDS, 1),
        };
        assert_eq!(run(&kernel), [Status::OK]);
        (self.flux, self.gained) = (flux[0], gained[0]);
        [100.0 - forcing[0], forcing_slope[0] - 7.0]
    }

    fn heat(&self) -> f64 {
        self.layers.heat_capacity_j_per_m2_k().iter().zip(&self.temperature).map(|(c, t)| c * t).sum()
    }
}

/// Below a surface of `sin(w t)` kelvin the soil has `exp(-z/d) sin(w t - z/d)` with `d = sqrt(2 k / (C w))`, 0.117 m
/// of a day here (Carslaw and Jaeger 1959, 2.6). Steps of implicit fluxes are of first order: half of one, half the
/// error.
#[test]
fn a_periodic_temperature_goes_down_as_a_damped_wave() {
    let (layers, thickness) = (400, 0.0025);
    let frequency = 2.0 * std::f64::consts::PI / 86_400.0;
    let depth = Real::sqrt(2.0 * CONDUCTIVITY / (CAPACITY * frequency));
    let exact = |time: f64, z: f64| 290.0 + Real::exp(-z / depth) * Real::sin(frequency * time - z / depth);
    let worst = |step: f64| {
        let middles: Vec<f64> = (0..layers).map(|layer| (layer as f64 + 0.5) * thickness).collect();
        let start = middles.iter().map(|&z| exact(0.0, z)).collect();
        let (k, c) = (vec![CONDUCTIVITY; layers], vec![CAPACITY; layers]);
        let mut soil = Soil::new(&vec![thickness; layers], &k, &c, AT_ONCE, start);
        assert_eq!(soil.layers.count(), layers);
        let depths = soil.layers.depths_m();
        assert!(depths.iter().zip(&middles).all(|(got, z)| (got - z).abs() < 1e-12));
        let mut worst: f64 = 0.0;
        for number in 0..(86_400.0 / step) as usize {
            let [from, to] = [number, number + 1].map(|number| number as f64 * step);
            soil.step(step, [from, to].map(|time| exact(time, 0.0)));
            let off = |(z, got): (&f64, &f64)| (got - exact(to, *z)).abs();
            worst = middles.iter().zip(&soil.temperature).map(off).fold(worst, f64::max);
        }
        worst
    };
    // The error of a step's fluxes is w dt / 2 of them, of which z/d exp(-z/d) is left: 0.8e-3 at most of 600 s.
    let [coarse, fine] = [1200.0, 600.0].map(worst);
    assert!(coarse < 0.02 && (coarse / fine - 2.0).abs() < 0.05, "{coarse} {fine}");
    // What is left of layers is of second order: 0.0025 m of 0.117 m, squared.
    assert!(worst(60.0) < 0.001);
}

/// Layers of all kinds: what flows in is what they hold more, and the fluxes are those of the step's end.
#[test]
fn heat_is_conserved_and_the_fluxes_are_those_of_the_end() {
    let thickness = [0.01, 0.04, 0.1, 0.3, 1.0];
    let (conductivity, capacity) = ([0.2, 0.7, 1.1, 2.5, 0.05], [1.3e6, 2e6, 3e6, 2.2e6, 1e6]);
    for step in [1.0, 600.0, 1e5, 1e9] {
        let start = vec![280.0, 295.0, 281.0, 290.0, 300.0];
        let mut soil = Soil::new(&thickness, &conductivity, &capacity, 9.0, start);
        let (heat, before) = (soil.heat(), soil.temperature.clone());
        let [held, slope] = soil.step(step, [285.0, 300.0]);
        // Sums of 5e8 J/m2.
        assert!((soil.heat() - heat - soil.gained).abs() < 1e-14 * heat, "{step}");
        assert!((soil.gained - step * soil.flux).abs() <= 1e-12 * soil.gained.abs());
        let expected = held + 15.0 * slope;
        assert!((soil.flux - expected).abs() < 1e-12 * held.abs().max(15.0 * slope), "{step}");
        let capacities = soil.layers.heat_capacity_j_per_m2_k();
        let above = |layer: usize| if layer == 0 { 300.0 } else { soil.temperature[layer - 1] };
        let flux = |layer: usize| match layer {
            5 => 0.0,
            _ => soil.conductance[layer] * (above(layer) - soil.temperature[layer]),
        };
        for layer in 0..5 {
            let stored = capacities[layer] * (soil.temperature[layer] - before[layer]) / step;
            let difference = stored - (flux(layer) - flux(layer + 1));
            // Differences of temperatures near 300 K, times what carries them.
            let allowed = 1e-12 * 300.0 * (capacities[layer] / step + 60.0);
            assert!(difference.abs() < allowed, "{step} s, {layer}: {difference}");
        }
    }
}

/// A step without end: all as warm as the slab. One without length: what flows at the moment.
#[test]
fn steps_of_any_length_are_stable() {
    let start = || vec![280.0, 281.0, 282.0];
    let soil = || Soil::new(&[0.1; 3], &[1.0; 3], &[2e6; 3], 5.0, start());
    let mut long = soil();
    long.step(1e15, [290.0, 295.0]);
    assert!(long.temperature.iter().all(|t| (t - 295.0).abs() < 1e-5), "{:?}", long.temperature);
    let mut none = soil();
    let [held, slope] = none.step(0.0, [290.0, 290.0]);
    // Through 5 W/(m2 K) and half of a layer, 20 W/(m2 K).
    assert!((held - 4.0 * 10.0).abs() < 1e-12 && (slope - 4.0).abs() < 1e-13, "{held} {slope}");
    assert_eq!((none.temperature, none.gained), (start(), 0.0));
}

#[test]
fn what_is_no_soil_is_refused() {
    let message = |thickness: &[f64], conductivity: &[f64], capacity: &[f64], conductance| {
        SoilLayers::new(thickness.to_vec(), conductivity, capacity, conductance).unwrap_err().to_string()
    };
    let none = "0 thicknesses, 0 conductivities and 0 heat capacities of soil: as many of each, and at least one";
    assert!(message(&[], &[], &[], 5.0).contains(none));
    assert!(
        message(&[0.1], &[1.0, 1.0], &[1e6], 5.0).contains("1 thicknesses, 2 conductivities and 1 heat capacities")
    );
    assert!(message(&[0.1], &[0.0], &[1e6], 5.0).contains("0 of the soil is not above 0"));
    assert!(message(&[0.1], &[1.0], &[f64::NAN], 5.0).contains("NaN of the soil is not above 0"));
    assert!(message(&[0.1], &[1.0], &[1e6], -1.0).contains("the conductance of -1 W/(m^2 K) to the soil"));
}
