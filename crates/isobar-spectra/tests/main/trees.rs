//! A tree of cells against closed forms, where a polynomial is not to run: over a shifted line, and over a kink.

use crate::common::isotopologue;
use isobar_core::Real;
use isobar_launch::{Device, Queue};
use isobar_spectra::launch::Precision;
use isobar_spectra::{Absorber, Air, Gas, Grid, Line, Method, Options, Wings};

const AIR: Air<f64> = Air { pressure_hpa: 1013.25, temperature_k: 296.0, mole_fraction: 0.0 };

/// Lines as heavy molecules have them: Lorentz's.
fn spectrum<R: Precision>(lines: &[Line<f64>], grid: &Grid, options: Options) -> Vec<f64> {
    let lines = lines.iter().map(|&line| (line, 0)).collect();
    let gas = Gas::new("CO2", lines, vec![isotopologue(1e13)]).expect("a gas");
    let queue = Queue::parallel(Device::Cpu).expect("a CPU");
    Absorber::<R>::new(queue, &gas, grid, options).expect("options").cross_sections(&AIR).expect("a spectrum")
}

/// The largest difference, as a share of the largest value within 16 points.
fn error(got: &[f64], expected: &[f64]) -> f64 {
    let near = |i: usize| &expected[i.saturating_sub(16)..expected.len().min(i + 17)];
    let largest = |i: usize| near(i).iter().copied().fold(0.0, f64::max);
    (0..got.len()).map(|i| (got[i] - expected[i]).abs() / largest(i)).fold(0.0, f64::max)
}

fn line(wavenumber_per_cm: f64, intensity: f64, width: f64, shift: f64) -> Line<f64> {
    Line {
        wavenumber_per_cm,
        intensity,
        air_width_per_cm_atm: width,
        self_width_per_cm_atm: width,
        air_shift_per_cm_atm: shift,
        lower_energy_per_cm: 100.0,
        ..Line::default()
    }
}

/// The sum of lines, each with a factor of the distance.
fn lorentz(lines: &[Line<f64>], nu: f64, factor: impl Fn(f64) -> f64) -> f64 {
    let one = |line: &Line<f64>| {
        let (distance, width) = (nu - line.wavenumber_per_cm - line.air_shift_per_cm_atm, line.air_width_per_cm_atm);
        let profile = width / core::f64::consts::PI / (distance * distance + width * width);
        line.intensity * profile * factor(distance.abs())
    };
    lines.iter().map(one).sum()
}

/// A shift of many cells, towards either side, of lines whose order it changes.
#[test]
fn a_shifted_line_is_near_where_it_lies() {
    let strong = [line(2020.0, 1e-20, 0.01, -0.03), line(2020.03, 1e-20, 0.01, 0.05), line(2020.04, 1e-21, 0.01, 0.0)];
    let options = Options { cut_per_cm: f64::INFINITY, ..Options::default() };
    for lines in [&strong[..1], &strong[1..2], &strong] {
        for step in [1e-4, 5e-4, 2e-3] {
            let grid = Grid::regular(2019.0, 2021.0, step).expect("a grid");
            let expected: Vec<f64> = grid.wavenumbers_per_cm().iter().map(|&nu| lorentz(lines, nu, |_| 1.0)).collect();
            let double = error(&spectrum::<f64>(lines, &grid, options), &expected);
            let single = error(&spectrum::<f32>(lines, &grid, options), &expected);
            println!("step {step}: {double:.1e} {single:.1e}");
            assert!(double < 1e-4 && single < 1e-4, "step {step}: {double:e} {single:e}");
        }
    }
}

/// Perrin and Hartmann's factor has kinks at 3, 10 and 70 cm^-1.
#[test]
fn kinks_of_weakened_wings_lie_in_no_polynomial() {
    let rate = |alpha: f64, beta: f64, epsilon: f64| alpha + beta * Real::exp(-epsilon * AIR.temperature_k);
    let (b1, b2, b3) = (rate(0.416, -0.354, 0.00386), rate(0.00167, 0.0421, 0.00248), 0.02);
    let chi = |d: f64| {
        Real::exp(match d {
            d if d < 3.0 => 0.0,
            d if d < 10.0 => -b1 * (d - 3.0),
            d if d < 70.0 => -7.0 * b1 - b2 * (d - 10.0),
            d => -7.0 * b1 - 60.0 * b2 - b3 * (d - 70.0),
        })
    };
    let lines = [line(2300.0, 1e-18, 0.07, -0.002), line(2301.5, 1e-19, 0.06, -0.004)];
    for cut_per_cm in [f64::INFINITY, 1e3] {
        let options = Options { cut_per_cm, wings: Wings::CarbonDioxide, ..Options::default() };
        for (first, last, step) in [(2296.0, 2304.0, 1e-3), (2285.0, 2315.0, 2e-3), (2220.0, 2380.0, 0.01)] {
            let grid = Grid::regular(first, last, step).expect("a grid");
            let expected: Vec<f64> = grid.wavenumbers_per_cm().iter().map(|&nu| lorentz(&lines, nu, chi)).collect();
            let double = error(&spectrum::<f64>(&lines, &grid, options), &expected);
            let single = error(&spectrum::<f32>(&lines, &grid, options), &expected);
            println!("{first} to {last}: {double:.1e} {single:.1e}");
            assert!(double < 1e-4 && single < 1e-4, "{first} to {last}: {double:e} {single:e}");
        }
    }
}

/// A line whose wing ends, or has a kink, where a cell of some level ends counts once: its edge is the same number for
/// a cell and its parent.
#[test]
fn a_wing_that_ends_at_an_edge_counts_once() {
    for (step, cut_per_cm) in
        [(1e-3, 25.0), (2e-3, 25.0), (5e-4, 25.0), (0.01, 5.5), (0.01, 90.0), (1e-3, 3.0), (1e-3, 10.0)]
    {
        let grid = Grid::regular(820.0, 820.0 + 4095.0 * step, step).expect("a grid");
        let points = grid.wavenumbers_per_cm();
        let weakened = cut_per_cm <= 10.0 && step < 5e-3;
        let (wings, cut) = if weakened { (Wings::CarbonDioxide, f64::INFINITY) } else { (Wings::Voigt, cut_per_cm) };
        let options = Options { cut_per_cm: cut, wings, ..Options::default() };
        let exact = Options { method: Method::Exact, ..options };
        for edge in (1..128).map(|tile| 820.0 + 32.0 * step * f64::from(tile)) {
            for position in [edge - cut_per_cm, edge + cut_per_cm] {
                // As lists have them.
                let lines = [line((position * 1e6).round() / 1e6, 1e-20, 0.07, 0.0)];
                let expected = spectrum::<f64>(&lines, &grid, exact);
                for got in [spectrum::<f64>(&lines, &grid, options), spectrum::<f32>(&lines, &grid, options)] {
                    for ((got, expected), nu) in got.iter().zip(&expected).zip(points) {
                        let error = (got - expected).abs() / expected.max(f64::MIN_POSITIVE);
                        // At the very end of a wing the precision of its distance decides.
                        let is_end = ((nu - lines[0].wavenumber_per_cm).abs() - cut).abs() < 0.1 * step;
                        assert!(is_end || error < 1e-4, "{step}, {lines:?}: {got:e}, not {expected:e} at {nu}");
                    }
                }
            }
        }
    }
}
