//! The ground: given through the day, or a slab; and its exchange with the air within a step, against the same system
//! solved densely, closed forms, and the bound that makes it stable.

#![allow(clippy::needless_range_loop, reason = "matrices are written as they are in a book")]

use isobar_column::constants::{DAY_S, GAS_CONSTANT, GRAVITY, HEAT_CAPACITY, LATENT_HEAT, REFERENCE_PRESSURE};
use isobar_column::exchange::Exchange;
use isobar_column::ground::{Ground, Parameters, SOLAR_CONSTANT};
use isobar_column::humidity::{saturation_mixing_ratio, saturation_slope};
use isobar_column::limits::{Left, Stopped, WORDS};
use isobar_core::constants::STEFAN_BOLTZMANN_W_PER_M2_K4 as STEFAN_BOLTZMANN;
use isobar_core::{Column, Field, FieldMut, Real, Status};

use crate::{close, run};

const SLAB: Parameters<f64> = Parameters {
    slab: 1,
    phase: 0.0,
    change_k: 0.0,
    step_s: 60.0,
    heat_capacity_j_per_m2_k: 1e5,
    shortwave: 1,
    transmittance: 0.7,
    albedo: 0.2,
    conductance_w_per_m2_k: 5.0,
};
/// Of the air at the ground, in the mountains: potential enthalpy is another number there than heat \[Pa\].
const SURFACE: f64 = 6.5e4;
const DEEP: f64 = 290.0;

/// What a slab meets.
#[derive(Clone, Copy)]
struct Around {
    cosine: f64,
    longwave: [f64; 2],
    shortwave: [f64; 2],
    /// The derivative of emission, and the temperature for which the upward long wave is.
    emission: [f64; 2],
    exchange: f64,
    availability: f64,
    /// Heating of the lowest layer by both spectra \[K/day\].
    heating: [f64; 2],
}

const NIGHT: Around = Around {
    cosine: 0.0,
    longwave: [300.0, 330.0],
    shortwave: [0.0; 2],
    emission: [0.0; 2],
    exchange: 0.0,
    availability: 0.5,
    heating: [0.0; 2],
};

/// A column of air over its ground.
#[derive(Clone)]
struct Air {
    /// Thickness, diffusivity of the lower interface, potential temperature and vapour of each layer.
    thickness: Vec<f64>,
    diffusivity: Vec<f64>,
    theta: Vec<f64>,
    vapour: Vec<f64>,
    ground: f64,
    /// What came into the ground so far.
    gained: f64,
    /// Of the last step: into the ground; sensible heat; moisture.
    fluxes: [f64; 3],
    words: [u32; WORDS],
}

impl Air {
    fn new(thickness: &[f64], diffusivity: f64, ground: f64) -> Self {
        let layers = thickness.len();
        let part = |k: usize| k as f64 / layers as f64;
        Self {
            thickness: thickness.to_vec(),
            diffusivity: (0..layers).map(|k| if k == 0 { 0.0 } else { diffusivity * (1.0 + part(k)) }).collect(),
            theta: (0..layers).map(|k| 285.0 + 4.0 * part(k) * part(k)).collect(),
            vapour: (0..layers).map(|k| 0.008 - 0.003 * part(k)).collect(),
            ground,
            gained: 0.0,
            fluxes: [0.0; 3],
            words: [0; WORDS],
        }
    }

    fn layers(&self) -> usize {
        self.theta.len()
    }

    /// Pressure of the levels: 12 Pa a metre.
    fn levels(&self) -> Vec<f64> {
        let mut levels = vec![SURFACE];
        self.thickness.iter().for_each(|thickness| levels.push(levels[levels.len() - 1] - 12.0 * thickness));
        levels
    }

    fn middles(&self) -> Vec<f64> {
        self.levels().windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect()
    }

    /// Masses of the layers \[kg/m^2\].
    fn masses(&self) -> Vec<f64> {
        self.levels().windows(2).map(|pair| (pair[0] - pair[1]) / GRAVITY).collect()
    }

    fn exner(pressure: f64) -> f64 {
        Real::powf(pressure / REFERENCE_PRESSURE, GAS_CONSTANT / HEAT_CAPACITY)
    }

    /// The exchange of neighbouring layers \[kg/(m^2 s)\], a full matrix.
    fn mixing(&self) -> Vec<Vec<f64>> {
        let (layers, p) = (self.layers(), self.middles());
        let mut matrix = vec![vec![0.0; layers]; layers];
        for k in 1..layers {
            let distance = 0.5 * (self.thickness[k - 1] + self.thickness[k]);
            let exchange = self.diffusivity[k] * (p[k - 1] - p[k]) / (distance * distance) / GRAVITY;
            for (a, b, sign) in [(k - 1, k - 1, 1.0), (k, k, 1.0), (k - 1, k, -1.0), (k, k - 1, -1.0)] {
                matrix[a][b] += sign * exchange;
            }
        }
        matrix
    }

    /// The fluxes before a step, of potential enthalpy and moisture.
    fn fluxes_before(&self, around: &Around) -> [f64; 2] {
        let warmth = self.ground / Self::exner(SURFACE) - self.theta[0];
        let deficit = saturation_mixing_ratio(self.ground, SURFACE) - self.vapour[0];
        [HEAT_CAPACITY * around.exchange * warmth, around.exchange * around.availability * deficit]
    }

    /// Tendencies as the boundary-layer scheme gives them: implicit over two steps, with the fluxes before the step.
    fn mix(&self, step_s: f64, around: &Around) -> [Vec<f64>; 2] {
        let [heat, moisture] = self.fluxes_before(around);
        let (mixing, masses) = (self.mixing(), self.masses());
        let one = |values: &[f64], flux: f64| {
            let system = |a: usize, b: usize| (if a == b { masses[a] } else { 0.0 }) + 2.0 * step_s * mixing[a][b];
            // Flux by flux, so that sums close.
            let mut side = vec![0.0; values.len()];
            side[0] = flux;
            for k in 1..values.len() {
                let upward = -mixing[k][k - 1] * (values[k - 1] - values[k]);
                side[k - 1] -= upward;
                side[k] += upward;
            }
            let layers = self.layers();
            solve((0..layers).map(|a| (0..layers).map(|b| system(a, b)).collect()).collect(), side)
        };
        [one(&self.theta, heat / HEAT_CAPACITY), one(&self.vapour, moisture)]
    }

    /// Both kernels; returns the tendencies that are left.
    fn step(&mut self, parameters: Parameters<f64>, around: Around) -> ([Vec<f64>; 2], Status) {
        let tendencies = self.mix(parameters.step_s, &around);
        self.step_with(parameters, around, tendencies)
    }

    fn step_with(
        &mut self,
        parameters: Parameters<f64>,
        around: Around,
        [mut theta, mut vapour]: [Vec<f64>; 2],
    ) -> ([Vec<f64>; 2], Status) {
        fn here(value: &f64) -> Column<'_, f64> {
            Column::from(std::slice::from_ref(value))
        }
        fn field(values: &[f64]) -> Field<'_, f64> {
            Field::item_fastest(values, values.len(), 1)
        }
        fn one(value: &mut f64) -> FieldMut<'_, f64> {
            FieldMut::item_fastest(std::slice::from_mut(value), 1, 1)
        }
        let [mut forcing, mut slope, mut response] = [0.0; 3];
        let [mut conducted, mut conductance] = [0.0; 2];
        let mut status = run(&Ground {
            parameters,
            mean_temperature_k: here(&DEEP),
            amplitude_k: here(&8.0),
            cosine_of_zenith: here(&around.cosine),
            flux_up_w_per_m2: field(&around.longwave[..1]),
            flux_down_w_per_m2: field(&around.longwave[1..]),
            shortwave_up_w_per_m2: field(&around.shortwave[..1]),
            shortwave_down_w_per_m2: field(&around.shortwave[1..]),
            emission_derivative_w_per_m2_k: here(&around.emission[0]),
            emission_temperature_k: here(&around.emission[1]),
            temperature_k: one(&mut self.ground),
            forcing_w_per_m2: one(&mut forcing),
            slope_w_per_m2_k: one(&mut slope),
            response_k_m2_per_w: one(&mut response),
            conducted_w_per_m2: one(&mut conducted),
            conductance_w_per_m2_k: one(&mut conductance),
        })[0];
        let layers = self.layers();
        let (levels, middles) = (self.levels(), self.middles());
        let exner: Vec<f64> = middles.iter().map(|&p| Self::exner(p)).collect();
        let heating = around.heating.map(|heating| vec![heating; layers]);
        let derivative = vec![0.0; layers];
        let [mut heat, mut moisture] = self.fluxes_before(&around);
        let mut sensible = 0.0;
        let [mut heated, mut moistened] = [heat, LATENT_HEAT * moisture];
        let mut share = vec![0.0; layers];
        let mut flux = 0.0;
        status = status.or(run(&Exchange {
            step_s: parameters.step_s,
            step: 6,
            diffusivity_heat_m2_per_s: field(&self.diffusivity),
            pressure_pa: field(&middles),
            interface_pressure_pa: field(&levels),
            thickness_m: field(&self.thickness),
            exner: field(&exner),
            heating_k_per_day: field(&heating[0]),
            heating_derivative_per_day: field(&derivative),
            shortwave_heating_k_per_day: field(&heating[1]),
            emission_temperature_k: here(&around.emission[1]),
            exchange_heat_w_per_m2_k: here(&(HEAT_CAPACITY * around.exchange)),
            exchange_moisture_kg_per_m2_s: here(&(around.exchange * around.availability)),
            forcing_w_per_m2: here(&forcing),
            slope_w_per_m2_k: here(&slope),
            response_k_m2_per_w: here(&response),
            conducted_w_per_m2: here(&conducted),
            conductance_w_per_m2_k: here(&conductance),
            theta_tendency_k_per_s: FieldMut::item_fastest(&mut theta, layers, 1),
            vapour_tendency_per_s: FieldMut::item_fastest(&mut vapour, layers, 1),
            surface_temperature_k: one(&mut self.ground),
            sensible_heat_flux_w_per_m2: one(&mut sensible),
            potential_heat_flux_w_per_m2: one(&mut heat),
            moisture_flux_kg_per_m2_s: one(&mut moisture),
            column_heating_w_per_m2: one(&mut heated),
            column_moistening_w_per_m2: one(&mut moistened),
            ground_heat_flux_w_per_m2: one(&mut flux),
            ground_heat_gained_j_per_m2: one(&mut self.gained),
            share: FieldMut::item_fastest(&mut share, layers, 1),
            words: FieldMut::item_fastest(&mut self.words, WORDS, 1),
        })[0]);
        close(heated, heat, 1e-12, "the column's heating is the flux");
        close(moistened, LATENT_HEAT * moisture, 1e-12, "the column's moistening is the flux");
        self.fluxes = [flux, sensible, moisture];
        for (value, tendency) in self.theta.iter_mut().zip(&theta).chain(self.vapour.iter_mut().zip(&vapour)) {
            *value += parameters.step_s * tendency;
        }
        ([theta, vapour], status)
    }
}

/// A dense system, by Gauss's elimination with pivots.
fn solve(mut matrix: Vec<Vec<f64>>, mut side: Vec<f64>) -> Vec<f64> {
    let size = side.len();
    for k in 0..size {
        let pivot = (k..size).max_by(|&a, &b| matrix[a][k].abs().total_cmp(&matrix[b][k].abs())).unwrap();
        matrix.swap(k, pivot);
        side.swap(k, pivot);
        for row in k + 1..size {
            let factor = matrix[row][k] / matrix[k][k];
            for column in k..size {
                matrix[row][column] -= factor * matrix[k][column];
            }
            side[row] -= factor * side[k];
        }
    }
    for k in (0..size).rev() {
        let known: f64 = (k + 1..size).map(|i| matrix[k][i] * side[i]).sum();
        side[k] = (side[k] - known) / matrix[k][k];
    }
    side
}

#[test]
fn a_given_temperature_follows_its_phase() {
    let given = |phase| {
        let mut air = Air::new(&[20.0, 40.0], 1.0, 0.0);
        air.step(Parameters { slab: 0, phase, ..SLAB }, NIGHT);
        air.ground
    };
    assert_eq!((given(1.0), given(0.0), given(-1.0)), (298.0, 290.0, 282.0));
    let mut air = Air::new(&[20.0, 40.0], 1.0, 0.0);
    air.step(Parameters { slab: 0, change_k: -2.25, ..SLAB }, NIGHT);
    assert_eq!(air.ground, 287.75);
}

/// Without air it is a linear equation: each step is the implicit one, bit by bit of the sum of fluxes.
#[test]
fn a_slab_gains_what_its_fluxes_leave() {
    let day = Around { cosine: 0.5, emission: [5.0, 294.0], shortwave: [60.0, 500.0], ..NIGHT };
    let emitted = 300.0 + 5.0 * (295.0 - 294.0);
    for (shortwave, sun) in [(0, 0.8 * 0.7 * SOLAR_CONSTANT * 0.5), (1, 440.0)] {
        let net = sun + 330.0 - emitted - 5.0 * (295.0 - 290.0);
        let mut air = Air::new(&[20.0, 40.0], 1.0, 295.0);
        air.step(Parameters { shortwave, ..SLAB }, day);
        let change = 60.0 * net / (1e5 + 60.0 * 10.0);
        // A temperature near 300 has a last bit of 6e-14, the change is 0.1: 1e-12 of it.
        close(air.ground - 295.0, change, 1e-11, "change");
        let kept = net - 10.0 * change;
        close(air.gained, 60.0 * kept, 1e-13, "gain");
        // What comes in is what radiation leaves: besides what is kept, what goes to the ground below.
        close(air.fluxes[0], sun + 330.0 - emitted - 5.0 * change, 1e-13, "flux");
        close(air.fluxes[0], kept + 5.0 * (air.ground - 290.0), 1e-13, "kept and conducted");
    }
    // By night the Sun gives nothing, not even less than nothing.
    let night = |cosine| {
        let mut air = Air::new(&[20.0, 40.0], 1.0, 295.0);
        air.step(Parameters { shortwave: 0, ..SLAB }, Around { cosine, ..NIGHT });
        air.ground
    };
    assert_eq!(night(-0.5), night(0.0));
}

/// `C dT/dt = F - lambda (T - T_d)` has `T = T_oo + (T_0 - T_oo) exp(-lambda t / C)`: the step has its own factor
/// `1 / (1 + lambda dt / C)` to the last bits, and comes to the exponential with the first power of the step.
#[test]
fn without_air_a_slab_relaxes_as_its_equation_says() {
    let (capacity, conductance, rest) = (1e5, 5.0, DEEP + 30.0 / 5.0);
    let after = |step_s: f64| {
        let slab =
            Parameters { step_s, heat_capacity_j_per_m2_k: capacity, conductance_w_per_m2_k: conductance, ..SLAB };
        let mut air = Air::new(&[20.0, 40.0], 1.0, 280.0);
        let steps = (36_000.0 / step_s) as i32;
        (0..steps).for_each(|_| drop(air.step(slab, NIGHT)));
        let factor = Real::powi(1.0 + conductance * step_s / capacity, -steps);
        // Each step rounds a temperature of 290: 3e-14 K.
        let allowed = 3e-14 * f64::from(steps) + 1e-12;
        assert!((air.ground - rest - (280.0 - rest) * factor).abs() < allowed, "{step_s}: {}", air.ground);
        air.ground
    };
    let exact = rest + (280.0 - rest) * Real::exp(-conductance * 36_000.0 / capacity);
    let errors = [900.0, 450.0, 225.0].map(|step| after(step) - exact);
    for pair in errors.windows(2) {
        // The next term of the series is lambda dt / C = 0.045 of it.
        assert!((pair[0] / pair[1] - 2.0).abs() < 0.05, "{errors:?}");
    }
}

/// A surface without air and ground below: what the long wave has of it is emission by its temperature and the
/// derivative.
fn bare(temperature: f64, sun: f64) -> Around {
    let cube = STEFAN_BOLTZMANN * temperature * temperature * temperature;
    Around { longwave: [cube * temperature, 0.0], shortwave: [0.0, sun], emission: [4.0 * cube, temperature], ..NIGHT }
}

#[test]
fn a_bare_surface_comes_to_radiative_equilibrium_with_its_relaxation_time() {
    let (sun, capacity) = (340.0, 1e5);
    let rest = Real::powf(sun / STEFAN_BOLTZMANN, 0.25);
    let slope = 4.0 * sun / rest;
    // Near the rest a distance falls as 1 / (1 + dt / tau) a step, tau = C / (4 sigma T^3), but for what is of second
    // order: 1.5 d / T of the change.
    for step_s in [60.0, 600.0, 3600.0, 1e6] {
        let bare_slab = Parameters { step_s, heat_capacity_j_per_m2_k: capacity, conductance_w_per_m2_k: 0.0, ..SLAB };
        let at = |ground: f64| Air::new(&[20.0, 40.0], 1.0, ground);
        let (mut air, mut distance) = (at(rest + 0.01), 0.01);
        for _ in 0..20 {
            let around = bare(air.ground, sun);
            air.step(bare_slab, around);
            distance /= 1.0 + step_s * slope / capacity;
            let allowed = 20.0 * 1.5 * 0.01 / rest * 0.01 + 1e-12;
            let got = air.ground - rest;
            assert!((got - distance).abs() < allowed, "{step_s} s: {got} instead of {distance}");
        }
        // From far away, too, whatever the step: Newton's way to the root of a convex function.
        air = at(220.0);
        let steps = (100.0 * capacity / slope / step_s) as usize + 20;
        for _ in 0..steps {
            let around = bare(air.ground, sun);
            air.step(bare_slab, around);
        }
        close(air.ground, rest, 1e-12, "equilibrium");
        // What came in is what is there. Each step rounds the temperature, times C; fluxes of up to 340 W/m^2 a few
        // times, times the step; and the sum.
        let allowed = steps as f64 * (6e-14 * capacity + 2e-13 * step_s + 4e-9);
        let held = capacity * (air.ground - 220.0);
        assert!((held - air.gained).abs() < allowed, "{step_s} s: {held} and {}", air.gained);
    }
}

/// Thin and thick layers, 0.3 m the lowest.
const THICKNESS: [f64; 6] = [0.3, 0.8, 3.0, 12.0, 50.0, 200.0];

/// Ground, fluxes and all layers are those of the whole system, solved densely: the equations of the module's head for
/// `dT`, and for all layers of heat and moisture with the fluxes of the step's end.
#[test]
fn ground_and_air_are_one_implicit_solution() {
    let around = Around {
        longwave: [380.0, 330.0],
        shortwave: [100.0, 700.0],
        emission: [5.5, 288.0],
        exchange: 0.02,
        heating: [-3.0, 5.0],
        ..NIGHT
    };
    for (step_s, capacity) in [(5.0, 1e5), (60.0, 6e4), (3600.0, 1e5), (3600.0, 1.0), (600.0, 1e7)] {
        let slab = Parameters { step_s, heat_capacity_j_per_m2_k: capacity, ..SLAB };
        let mut air = Air::new(&THICKNESS, 0.5, 289.0);
        let before = air.clone();
        let ([theta, vapour], status) = air.step(slab, around);
        assert_eq!(status, Status::OK);
        let (layers, masses, mixing) = (air.layers(), air.masses(), air.mixing());
        let exner = Air::exner(SURFACE);
        let radiative = 2.0 / (DAY_S * Air::exner(air.middles()[0]));
        let (dry, moist) = (around.exchange, around.exchange * around.availability);
        let [heat, moisture] = before.fluxes_before(&around);
        let forcing = 600.0 + 330.0 - 380.0 - 5.5 * (289.0 - 288.0) - 5.0 * (289.0 - DEEP);
        // The slope of saturation is that in the middle of the change with the slope at the start.
        let mut change = 0.0;
        let mut solution = Vec::new();
        let mut slope = 0.0;
        for _ in 0..2 {
            slope = saturation_slope(289.0 + 0.5 * change, SURFACE);
            let size = 2 * layers + 1;
            let (mut matrix, mut side) = (vec![vec![0.0; size]; size], vec![0.0; size]);
            for a in 0..layers {
                for b in 0..layers {
                    for offset in [0, layers] {
                        matrix[offset + a][offset + b] =
                            2.0 * step_s * mixing[a][b] + if a == b { masses[a] } else { 0.0 };
                    }
                    side[a] -= mixing[a][b] * before.theta[b];
                    side[layers + a] -= mixing[a][b] * before.vapour[b];
                }
            }
            let ground = size - 1;
            matrix[0][0] += dry * step_s;
            matrix[0][ground] = -dry / exner;
            side[0] += heat / HEAT_CAPACITY - dry * step_s * radiative;
            matrix[layers][layers] += moist * step_s;
            matrix[layers][ground] = -moist * slope;
            side[layers] += moisture;
            matrix[ground][ground] = capacity / step_s + 10.5 + dry * HEAT_CAPACITY + LATENT_HEAT * moist * slope;
            matrix[ground][0] = -exner * dry * HEAT_CAPACITY * step_s;
            matrix[ground][layers] = -LATENT_HEAT * moist * step_s;
            let warming = heat - dry * HEAT_CAPACITY * step_s * radiative;
            side[ground] = forcing - exner * warming - LATENT_HEAT * moisture;
            solution = solve(matrix, side);
            change = solution[ground];
        }
        // Condition: fluxes of 1e3 W/m^2 leave differences of some W/m^2; some thirty roundings.
        let near = |got: f64, expected: f64, scale: f64, what: &str| {
            assert!(
                (got - expected).abs() <= 1e-12 * scale,
                "{step_s} s, {capacity}: {what} {got} instead of {expected}"
            );
        };
        near(air.ground - 289.0, change, 300.0, "ground");
        let largest = |values: &[f64]| values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
        for k in 0..layers {
            near(theta[k], solution[k], 300.0 * largest(&solution[..layers]), "heat");
            near(vapour[k], solution[layers + k], 300.0 * largest(&solution[layers..2 * layers]), "moisture");
        }
        let end_heat = heat + HEAT_CAPACITY * dry * (change / exner - step_s * (solution[0] + radiative));
        let end_moisture = moisture + moist * (slope * change - step_s * solution[layers]);
        near(air.fluxes[1], exner * end_heat, 1e5, "sensible heat");
        near(air.fluxes[2], end_moisture, 1e-1, "moisture");
        let into = capacity * change / step_s + 5.0 * (289.0 + change - DEEP);
        near(air.fluxes[0], into, 1e3 * capacity.max(1e3) / step_s, "into the ground");
    }
}

/// In a closed box the step brings everything together, whatever its length, the thinnest layer, and the weight of the
/// ground: no distance grows, in the norm of the system's own matrix, and heat and water stay.
#[test]
fn no_step_is_too_long_and_no_ground_too_light() {
    for (step_s, capacity, exchange, diffusivity) in
        [(60.0, 1e5, 0.02, 1.0), (3600.0, 1e5, 0.5, 10.0), (3600.0, 10.0, 3.0, 0.01), (3600.0, 1e-3, 0.05, 100.0)]
    {
        let slab = Parameters { step_s, heat_capacity_j_per_m2_k: capacity, conductance_w_per_m2_k: 0.0, ..SLAB };
        let around = Around { longwave: [300.0; 2], exchange, availability: 0.0, ..NIGHT };
        let mut air = Air::new(&THICKNESS, diffusivity, 320.0);
        let exner = Air::exner(SURFACE);
        // Ground and layers in units of potential temperature, so that the system is symmetric.
        let (masses, mixing, layers) = (air.masses(), air.mixing(), air.layers());
        let weight = |k: usize| if k == 0 { capacity / HEAT_CAPACITY } else { masses[k - 1] };
        let all = |air: &Air| -> Vec<f64> { [&[air.ground / exner][..], &air.theta].concat() };
        let total = |air: &Air| (0..=layers).map(|k| weight(k) * all(air)[k]).sum::<f64>();
        let rest = total(&air) / (0..=layers).map(weight).sum::<f64>();
        let norm = |air: &Air| {
            let z: Vec<f64> = all(air).iter().map(|value| value - rest).collect();
            let by_mass: f64 = (0..=layers).map(|k| weight(k) * z[k] * z[k]).sum();
            let pairs = (0..layers).flat_map(|a| (0..layers).map(move |b| (a, b)));
            let by_mixing: f64 = pairs.map(|(a, b)| mixing[a][b] * z[a + 1] * z[b + 1]).sum();
            by_mass + 2.0 * step_s * by_mixing + step_s * exchange * (z[0] - z[1]) * (z[0] - z[1])
        };
        let (start, mut last) = (total(&air), norm(&air));
        let first = last;
        for number in 0..2000 {
            assert_eq!(air.step(slab, around).1, Status::OK);
            let now = norm(&air);
            // The rest is known to roundings of its sum, whose square is nothing beside the first norm.
            assert!(now <= last * (1.0 + 1e-12) + 1e-18 * first, "step {number} of {step_s} s: {now} after {last}");
            last = now;
        }
        // 2000 steps of some roundings of 300 K each.
        assert!((total(&air) / start - 1.0).abs() < 2000.0 * 3e-16, "{step_s} s: {} of {start}", total(&air));
        assert!(last < 0.1 * first, "{step_s} s, {capacity}: {last} of {first}");
    }
}

/// Light ground in the sun and by night: at once in balance, and vapour at the ground never below nothing.
#[test]
fn ground_without_weight_is_in_balance() {
    let skin = Parameters { step_s: 600.0, heat_capacity_j_per_m2_k: 1e-3, ..SLAB };
    for (sun, exchange) in [(800.0, 0.01), (0.0, 0.03), (300.0, 0.002)] {
        let mut air = Air::new(&THICKNESS, 1.0, 300.0);
        let around =
            Around { shortwave: [0.0, sun], emission: [5.5, 300.0], longwave: [450.0, 330.0], exchange, ..NIGHT };
        air.step(skin, around);
        let [_, heat, moisture] = air.fluxes;
        let emitted = 450.0 + 5.5 * (air.ground - 300.0);
        let rest = sun + 330.0 - emitted - 5.0 * (air.ground - DEEP) - heat - LATENT_HEAT * moisture;
        // C dT / dt is 1e-3 * 30 K / 600 s, beside roundings of 1e3 W/m^2.
        assert!(rest.abs() < 1e-4, "{sun} W/m^2: {rest} W/m^2 are left at {} K", air.ground);
        assert!(air.vapour.iter().all(|&vapour| vapour > 0.0), "{:?}", air.vapour);
    }
}

/// What would leave the range of temperatures, or is no number, stops the column and leaves ground and air alone.
#[test]
fn ground_that_leaves_its_range_stops_its_column() {
    let skin = Parameters { step_s: 600.0, heat_capacity_j_per_m2_k: 1e-3, conductance_w_per_m2_k: 0.0, ..SLAB };
    for (sun, status) in [(5000.0, Status::OUT_OF_RANGE), (f64::NAN, Status::NOT_FINITE)] {
        let mut air = Air::new(&THICKNESS, 1.0, 300.0);
        let around = Around { shortwave: [0.0, sun], emission: [5.5, 300.0], exchange: 0.001, ..NIGHT };
        let tendencies = air.mix(skin.step_s, &around);
        let (after, got) = air.step_with(skin, around, tendencies.clone());
        assert!(got.0 & status.0 != 0 && air.ground == 300.0 && after == tendencies, "{got:?}");
        assert_eq!(air.words[0], status.0);
        let stopped = Stopped::of_words(air.words).unwrap();
        assert!(stopped.is_ground() && stopped.left == Left::Ground as u32 && stopped.step == 7, "{stopped:?}");
        assert!(stopped.value > 400.0 || sun.is_nan() && stopped.value.is_nan());
        // And it stays, whatever comes.
        air.step(skin, NIGHT);
        assert_eq!((air.ground, air.words[3]), (300.0, 7));
    }
}
