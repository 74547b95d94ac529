//! Curves of growth with closed forms, through lists, parameters, profiles and sums.

use crate::common::{isotopologue, line};
use isobar_core::Real;
use isobar_golden::find;
use isobar_launch::{Device, Queue};
use isobar_spectra::{Absorber, Air, Gas, Grid, Line, Method, Options, SpectraError};

/// Rows of a kind: its numbers.
fn rows(kind: &str) -> Option<Vec<Vec<f64>>> {
    let text = std::fs::read_to_string(find("spectra")?.join("closed_forms.txt")).expect("closed forms");
    let row = |line: &str| {
        let rest = line.strip_prefix(kind)?.split_whitespace();
        Some(rest.map(|word| word.parse().expect("a number")).collect())
    };
    Some(text.lines().filter_map(row).collect())
}

const EXACT: Options = Options {
    cut_per_cm: f64::INFINITY,
    without_pedestal: false,
    wings: isobar_spectra::Wings::Voigt,
    mixing: false,
    method: Method::Exact,
    constants: isobar_spectra::Constants::CODATA_2018,
};

const AIR: Air<f64> = Air { pressure_hpa: 1013.25, temperature_k: 296.0, mole_fraction: 0.0 };

fn spectrum(lines: Vec<Line<f64>>, mass_u: f64, air: Air<f64>, grid: &Grid, options: Options) -> Vec<f64> {
    let lines = lines.into_iter().map(|line| (line, 0)).collect();
    let gas = Gas::new("X", lines, vec![isotopologue(mass_u)]).expect("a gas");
    let queue = Queue::parallel(Device::Cpu).expect("a CPU");
    let mut absorber = Absorber::<f64>::new(queue, &gas, grid, options).expect("options");
    absorber.cross_sections(&air).expect("a spectrum")
}

/// The integral over the points by trapezoids.
fn integral(grid: &Grid, values: impl Iterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.collect();
    let pairs = grid.wavenumbers_per_cm().windows(2).zip(values.windows(2));
    pairs.map(|(x, y)| 0.5 * (x[1] - x[0]) * (y[0] + y[1])).sum()
}

/// Points around a centre whose distance grows with that from the centre: `sinh` of equal steps.
fn around(centre: f64, smallest: f64, largest: f64, points: i32) -> Grid {
    let end = (2.0 * largest / smallest).ln_of();
    let at = |i: i32| {
        let t = f64::from(i) / f64::from(points) * end;
        centre + 0.5 * smallest * (Real::exp(t) - Real::exp(-t))
    };
    Grid::of((-points..=points).map(at).collect()).expect("a grid")
}

trait Ln {
    fn ln_of(self) -> f64;
}
impl Ln for f64 {
    fn ln_of(self) -> f64 {
        Real::ln(self)
    }
}

/// A heavy molecule's line is Lorentz's. What is cut off at the ends, `S gamma u / (pi d)` to either side, is added.
#[test]
fn a_lorentz_line_grows_as_ladenburg_and_reiche_say() {
    let Some(rows) = rows("ladenburg_reiche") else { return };
    let (centre, gamma, strength, far) = (2000.0, 0.1, 1e-20, 1900.0);
    let grid = around(centre, 1e-3, far, 20_000);
    // y = 7e6: Doppler's width changes the profile by 1e-14.
    let sigma = spectrum(vec![line(centre, strength, gamma)], 1e13, AIR, &grid, EXACT);
    for row in rows {
        let [x, expected] = row[..] else { panic!("two numbers") };
        let column = x * 2.0 * core::f64::consts::PI * gamma / strength;
        let beyond = 2.0 * strength * gamma * column / (core::f64::consts::PI * far);
        if beyond > 0.05 * gamma * expected {
            // The ends are too near for so much of the gas: their first term is not enough.
            continue;
        }
        let width = integral(&grid, sigma.iter().map(|sigma| -Real::exp_m1(-sigma * column))) + beyond;
        let expected = 2.0 * core::f64::consts::PI * gamma * expected;
        assert!((width / expected - 1.0).abs() < 2e-5, "{x}: {width} {expected}");
    }
}

/// A line without a width by air, as HITRAN 2020 has of O2, is Doppler's at any pressure: a Gaussian.
#[test]
fn a_line_without_a_width_is_dopplers() {
    let (centre, strength) = (2000.0, 1e-20);
    let gas_line = line(centre, strength, 0.0);
    let width = gas_line.at(&AIR, &EXACT.constants, 1.0, 20.0).doppler_width_per_cm;
    let a = Real::sqrt(Real::ln(2.0)) / width;
    let peak = strength * a / Real::sqrt(core::f64::consts::PI);
    let grid = Grid::regular(centre - 0.1, centre + 0.1, 1e-4).expect("a grid");
    // What the methods promise.
    for (method, tolerance) in [(Method::Exact, 1e-9), (Method::Tree, 1e-4)] {
        let options = Options { method, cut_per_cm: 25.0, ..EXACT };
        let sigma = spectrum(vec![gas_line], 20.0, AIR, &grid, options);
        for (nu, sigma) in grid.wavenumbers_per_cm().iter().zip(sigma) {
            let x = a * (nu - centre);
            let expected = peak * Real::exp(-x * x);
            assert!((sigma - expected).abs() <= tolerance * peak, "{method:?}, {nu}: {sigma} {expected}");
        }
    }
}

/// Without pressure a line is Doppler's.
#[test]
fn a_doppler_line_grows_as_its_integral_says() {
    let Some(rows) = rows("doppler") else { return };
    let (centre, strength) = (2000.0, 1e-20);
    let air = Air { pressure_hpa: 0.0, ..AIR };
    let gas_line = line(centre, strength, 0.1);
    let width = gas_line.at(&air, &EXACT.constants, 1.0, 20.0).doppler_width_per_cm;
    let a = Real::sqrt(Real::ln(2.0)) / width;
    let step = 0.02 / a;
    let points = (-320..=320).map(|i| centre + step * f64::from(i)).collect();
    let grid = Grid::of(points).expect("a grid");
    let sigma = spectrum(vec![gas_line], 20.0, air, &grid, EXACT);
    for row in rows {
        let [depth, expected] = row[..] else { panic!("two numbers") };
        let column = depth / (strength * a / Real::sqrt(core::f64::consts::PI));
        let width = integral(&grid, sigma.iter().map(|sigma| -Real::exp_m1(-sigma * column)));
        let expected = expected * Real::sqrt(core::f64::consts::PI) / a;
        // The rule converges faster than any power for a smooth curve that ends; a deep line's edges are steep, the
        // width of the edge being 1/(2 x a) with x up to 4.
        assert!((width / expected - 1.0).abs() < 1e-6, "{depth}: {width} {expected}");
    }
}

/// Equal lines at equal distances: Elsasser's band. Lines end somewhere: what is missing is their mean far wing.
#[test]
fn equal_lines_make_elsassers_band() {
    let Some(rows) = rows("elsasser") else { return };
    let (distance, strength, lines) = (1.0, 1e-20, 2000);
    for row in rows {
        let [beta, s, expected] = row[..] else { panic!("three numbers") };
        let gamma = beta * distance / (2.0 * core::f64::consts::PI);
        let all = (-lines..=lines).map(|i| line(5000.0 + distance * f64::from(i), strength, gamma)).collect();
        let grid = Grid::regular(5000.0, 5001.0, 1e-4).expect("a grid");
        let sigma = spectrum(all, 1e15, AIR, &grid, EXACT);
        let missing = 2.0 * strength * gamma / (core::f64::consts::PI * distance * (f64::from(lines) + 0.5));
        let column = s * distance / strength;
        let got = integral(&grid, sigma.iter().map(|sigma| Real::exp(-(sigma + missing) * column)));
        assert!((got - expected).abs() < 1e-6, "beta {beta}, s {s}: {got} {expected}");
    }
}

/// The integral of a spectrum is the sum of its intensities, whatever the pressure; by either method.
#[test]
fn a_spectrum_has_the_intensity_of_its_lines() {
    let lines: Vec<Line<f64>> = (0..40).map(|i| line(1000.0 + 0.37 * f64::from(i), 1e-21, 0.01)).collect();
    let expected = 40.0 * 1e-21;
    let grid = Grid::regular(980.0, 1035.0, 0.0005).expect("a grid");
    for pressure_hpa in [0.1, 10.0, 1013.25] {
        for method in [Method::Exact, Method::Tree] {
            let options = Options { cut_per_cm: 15.0, method, ..EXACT };
            let sigma = spectrum(lines.clone(), 40.0, Air { pressure_hpa, ..AIR }, &grid, options);
            let sum = integral(&grid, sigma.iter().copied());
            // Less the wings beyond the cut.
            let beyond = 2.0 * 0.01 * pressure_hpa / 1013.25 / (core::f64::consts::PI * 15.0);
            assert!((sum / expected / (1.0 - beyond) - 1.0).abs() < 2e-6, "{pressure_hpa} {method:?}: {sum:e}");
        }
    }
}

/// `K + Y L` has its mixing in the wings alone: no area, and the right sign on either side.
#[test]
fn line_mixing_moves_intensity_and_adds_none() {
    let one = Line { mixing_per_atm: 0.1, ..line(1000.0, 1e-20, 0.07) };
    let grid = Grid::regular(990.0, 1010.0, 0.001).expect("a grid");
    let mixed = spectrum(vec![one], 40.0, AIR, &grid, Options { mixing: true, ..EXACT });
    let plain = spectrum(vec![one], 40.0, AIR, &grid, EXACT);
    let middle = plain.len() / 2;
    for i in 1..middle {
        let (below, above) = (mixed[middle - i] - plain[middle - i], mixed[middle + i] - plain[middle + i]);
        assert!((below + above).abs() < 1e-9 * plain[middle], "{i}: {below:e} {above:e}");
        assert!(above > 0.0, "{i}: {above:e}");
        // Far from the centre L/K is the distance in Lorentz widths.
        if i > 5000 {
            let expected = 0.1 * (0.001 * i as f64 / 0.07) * plain[middle + i];
            assert!((above / expected - 1.0).abs() < 1e-4, "{i}");
        }
    }
}

/// The factors of the wings, at a few distances.
#[test]
fn wings_of_carbon_dioxide_are_weaker() {
    let lines = vec![(line(2300.0, 1e-20, 0.07), 0)];
    let gas = Gas::new("CO2", lines, vec![isotopologue(44.0)]).expect("a gas");
    let grid = Grid::of(vec![2300.5, 2303.0, 2306.0, 2310.0, 2340.0, 2390.0]).expect("a grid");
    let run = |wings| {
        let queue = Queue::new(Device::Cpu).expect("a CPU");
        let mut absorber = Absorber::<f64>::new(queue, &gas, &grid, Options { wings, ..EXACT }).expect("options");
        absorber.cross_sections(&AIR).expect("a spectrum")
    };
    let [plain, weak] = [isobar_spectra::Wings::Voigt, isobar_spectra::Wings::CarbonDioxide].map(run);
    let b1 = 0.416 - 0.354 * Real::exp(-0.00386 * 296.0);
    let b2 = 0.00167 + 0.0421 * Real::exp(-0.00248 * 296.0);
    let exponents = [0.0, 0.0, 3.0 * b1, 7.0 * b1, 7.0 * b1 + 30.0 * b2, 7.0 * b1 + 60.0 * b2 + 20.0 * 0.02];
    for ((plain, weak), exponent) in plain.iter().zip(&weak).zip(exponents) {
        let expected = plain * Real::exp(-exponent);
        assert!((weak / expected - 1.0).abs() < 1e-12, "{exponent}: {weak:e} {expected:e}");
    }
}

/// What cannot be, is said.
#[test]
fn options_that_exclude_each_other() {
    let gas = Gas::new("H2O", vec![(line(1000.0, 1e-20, 0.1), 0)], vec![isotopologue(18.0)]).expect("a gas");
    let grid = Grid::of(vec![1000.0, 1000.5]).expect("a grid");
    let try_with = |options| {
        let queue = Queue::new(Device::Cpu).expect("a CPU");
        let error: SpectraError = Absorber::<f64>::new(queue, &gas, &grid, options).map(|_| ()).expect_err("refused");
        error.to_string()
    };
    let weak = isobar_spectra::Wings::CarbonDioxide;
    assert!(try_with(Options { method: Method::Tree, ..EXACT }).contains("one step"));
    assert!(try_with(Options { without_pedestal: true, ..EXACT }).contains("there is no cut"));
    assert!(try_with(Options { wings: weak, ..EXACT }).contains("not of H2O"));
    assert!(try_with(Options { wings: weak, mixing: true, ..EXACT }).contains("take one"));
    assert!(try_with(Options { cut_per_cm: -1.0, ..EXACT }).contains("more than 0"));
    let queue = Queue::new(Device::Cpu).expect("a CPU");
    let mut absorber = Absorber::<f64>::new(queue, &gas, &grid, EXACT).expect("options");
    let mut refused = |air| absorber.cross_sections(&air).expect_err("refused").to_string();
    assert!(refused(Air { temperature_k: 1000.0, ..AIR }).contains("100 to 690"), "{}", refused(AIR));
    assert!(refused(Air { pressure_hpa: -1.0, ..AIR }).contains("the pressure"));
    assert!(refused(Air { mole_fraction: 1.5, ..AIR }).contains("the mole fraction"));
    assert!(refused(Air { temperature_k: f64::NAN, ..AIR }).contains("NaN"));
    let width = absorber.too_coarse(296.0).expect("half a wavenumber is coarse");
    assert!((0.001..0.002).contains(&width), "{width}");
}

#[allow(dead_code, reason = "its main is for `cargo run --example 01_curve_of_growth`")]
#[path = "../../examples/01_curve_of_growth.rs"]
mod example_01;

#[test]
fn the_example_prints_what_it_did() {
    assert_eq!(example_01::text().expect("a spectrum"), include_str!("../../examples/01_curve_of_growth.txt"));
}

/// No number of a list, of the air or of the gas is silent or ends the process.
#[test]
fn no_number_harms_spectra() {
    fn check<R: isobar_spectra::launch::Precision>(gas: Result<Gas, SpectraError>, air: &Air<f64>, what: &str) {
        let grid = Grid::regular(990.0, 1010.0, 0.05).expect("a grid");
        for method in [Method::Exact, Method::Tree] {
            for extra in [false, true] {
                let Ok(gas) = &gas else { continue };
                let options = Options { method, mixing: extra, without_pedestal: extra, ..Options::default() };
                let queue = Queue::new(Device::Thread).expect("a thread");
                let mut absorber = Absorber::<R>::new(queue, gas, &grid, options).expect("options");
                match absorber.cross_sections(air) {
                    Ok(found) => assert!(found.iter().all(|value| value.is_finite()), "{what}, {method:?}"),
                    Err(error) => assert!(!error.to_string().is_empty()),
                }
            }
        }
    }
    type Change = fn(&mut Line<f64>, f64);
    let changes: [(&str, Change); 11] = [
        ("position", |line, x| line.wavenumber_per_cm = x),
        ("intensity", |line, x| line.intensity = x),
        ("width by air", |line, x| line.air_width_per_cm_atm = x),
        ("own width", |line, x| line.self_width_per_cm_atm = x),
        ("energy", |line, x| line.lower_energy_per_cm = x),
        ("exponent", |line, x| line.air_exponent = x),
        ("own exponent", |line, x| line.self_exponent = x),
        ("shift", |line, x| line.air_shift_per_cm_atm = x),
        ("own shift", |line, x| line.self_shift_per_cm_atm = x),
        ("mixing", |line, x| line.mixing_per_atm = x),
        ("exponent of mixing", |line, x| line.mixing_exponent = x),
    ];
    let numbers = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, 1e30, -1e30, 5e-324];
    let some = || (0..40).map(|i| line(980.0 + f64::from(i), 1e-20, 0.07)).collect::<Vec<_>>();
    let gas = |lines: Vec<Line<f64>>, mass_u: f64| {
        Gas::new("X", lines.into_iter().map(|line| (line, 0)).collect(), vec![isotopologue(mass_u)])
    };
    for x in numbers {
        for (what, change) in changes {
            let mut lines = some();
            change(&mut lines[20], x);
            check::<f64>(gas(lines.clone(), 44.0), &AIR, &format!("{what} {x}"));
            check::<f32>(gas(lines, 44.0), &AIR, &format!("{what} {x}, f32"));
        }
        check::<f64>(gas(some(), x), &AIR, "mass");
        for air in [Air { pressure_hpa: x, ..AIR }, Air { temperature_k: x, ..AIR }, Air { mole_fraction: x, ..AIR }] {
            check::<f64>(gas(some(), 44.0), &air, &format!("{air:?}"));
            check::<f32>(gas(some(), 44.0), &air, &format!("{air:?}, f32"));
        }
    }
}
