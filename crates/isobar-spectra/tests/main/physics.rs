//! Single formulas: derivatives by dual numbers, and the water continuum.

use isobar_core::{Column, Dual, Real};
use isobar_spectra::physics::water_continuum::Coefficients;
use isobar_spectra::{Air, Constants, Line};

const LINE: Line<f64> = Line {
    wavenumber_per_cm: 1500.0,
    intensity: 1e-20,
    air_width_per_cm_atm: 0.08,
    self_width_per_cm_atm: 0.4,
    lower_energy_per_cm: 700.0,
    air_exponent: 0.7,
    self_exponent: 0.5,
    air_shift_per_cm_atm: -0.003,
    self_shift_per_cm_atm: 0.01,
    mixing_per_atm: 0.02,
    mixing_exponent: 0.8,
};

fn parameters(pressure_hpa: f64, temperature_k: f64, mole_fraction: f64) -> [f64; 5] {
    let air = Air { pressure_hpa, temperature_k, mole_fraction };
    let line = LINE.at(&air, &Constants::CODATA_2018, 1.0, 18.0);
    [line.intensity, line.lorentz_width_per_cm, line.shift_per_cm, line.doppler_width_per_cm, line.mixing]
}

/// Against differences of second order, whose steps leave 1e-7.
#[test]
fn derivatives_by_pressure_temperature_and_mole_fraction() {
    let at = [400.0, 240.0, 0.02];
    let variable = |number: usize| Dual::<f64, 3>::variable(at[number], number);
    let constant = |value: f64| Dual::<f64, 3>::from_f64(value);
    let line = Line {
        wavenumber_per_cm: constant(LINE.wavenumber_per_cm),
        intensity: constant(LINE.intensity),
        air_width_per_cm_atm: constant(LINE.air_width_per_cm_atm),
        self_width_per_cm_atm: constant(LINE.self_width_per_cm_atm),
        lower_energy_per_cm: constant(LINE.lower_energy_per_cm),
        air_exponent: constant(LINE.air_exponent),
        self_exponent: constant(LINE.self_exponent),
        air_shift_per_cm_atm: constant(LINE.air_shift_per_cm_atm),
        self_shift_per_cm_atm: constant(LINE.self_shift_per_cm_atm),
        mixing_per_atm: constant(LINE.mixing_per_atm),
        mixing_exponent: constant(LINE.mixing_exponent),
    };
    let air = Air { pressure_hpa: variable(0), temperature_k: variable(1), mole_fraction: variable(2) };
    let got = line.at(&air, &Constants::CODATA_2018, constant(1.0), constant(18.0));
    let got = [got.intensity, got.lorentz_width_per_cm, got.shift_per_cm, got.doppler_width_per_cm, got.mixing];
    let plain = parameters(at[0], at[1], at[2]);
    for (number, scale) in at.into_iter().enumerate() {
        let step = 1e-4 * scale;
        let moved = |by: f64| {
            let mut there = at;
            there[number] += by;
            parameters(there[0], there[1], there[2])
        };
        let (below, above) = (moved(-step), moved(step));
        for (k, got) in got.iter().enumerate() {
            assert_eq!(got.value.to_bits(), plain[k].to_bits(), "a value part has the bits of a plain number");
            let expected = (above[k] - below[k]) / (2.0 * step);
            let size = expected.abs().max(1e-6 * (plain[k] / scale).abs());
            assert!((got.derivative[number] - expected).abs() < 1e-6 * size, "{k} by {number}: {got:?} {expected:e}");
        }
    }
}

/// The formula at the nodes; between them a cubic, which has cubics exactly; nothing outside.
#[test]
fn the_water_continuum() {
    let nodes = 12;
    let own: Vec<f64> = (0..nodes).map(|i| 1e-24 * f64::from(20 - i)).collect();
    let foreign: Vec<f64> = (0..nodes).map(|i| 1e-27 * f64::from(30 - i)).collect();
    let exponent = vec![4.0; nodes as usize];
    let coefficients = Coefficients {
        first_per_cm: -20.0,
        step_per_cm: 10.0,
        own: Column::from(own.as_slice()),
        foreign: Column::from(foreign.as_slice()),
        exponent: Column::from(exponent.as_slice()),
    };
    let (p, t, q, c2) = (700.0, 270.0, 0.01, 1.438_776_877);
    let formula = |nu: f64, own: f64, foreign: f64| {
        let density = p / 1013.0 * (296.0 / t);
        nu * Real::tanh(c2 * nu / (2.0 * t)) * density * (q * own * Real::powf(296.0 / t, 4.0) + (1.0 - q) * foreign)
    };
    for i in 1..nodes as usize - 1 {
        let nu = 10.0 * i as f64 - 20.0;
        let (got, expected) = (coefficients.at::<f64>(nu, p, t, q, c2), formula(nu, own[i], foreign[i]));
        assert!((got - expected).abs() <= 1e-12 * expected.abs(), "{nu}: {got:e} {expected:e}");
    }
    // The curve is smooth: a cubic over 10 cm^-1 leaves a part in a thousand of it at most.
    let (got, expected) = (coefficients.at::<f64>(45.0, p, t, q, c2), formula(45.0, 13.5e-24, 23.5e-27));
    assert!((got / expected - 1.0).abs() < 1e-3, "{got:e} {expected:e}");
    assert_eq!(coefficients.at::<f64>(-15.0, p, t, q, c2), 0.0);
    assert_eq!(coefficients.at::<f64>(85.0, p, t, q, c2), 0.0);
    // It grows with the square of the vapour where that is all there is.
    let by_itself = |p: f64| coefficients.at::<f64>(40.0, p, t, 1.0, c2);
    assert!((by_itself(20.0) / by_itself(10.0) - 2.0).abs() < 1e-12);
}
