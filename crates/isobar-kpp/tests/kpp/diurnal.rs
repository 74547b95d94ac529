//! Days of changing sunlight: rate constants at every stage, df/dt by a difference.

use isobar_golden::{json, npy, npy_integers};
use isobar_kpp::Reader;
use isobar_rosenbrock::{BadItems, Cells, Chemistry, Device, Method, Options, Rates};

use crate::reference::dir;

/// Concentrations, relative to themselves and the absolute over the relative tolerance. df/dt is a difference of two
/// calls 1e-8 of the time apart, which makes 1e-8 of their roundings; the reference with and without fused operations
/// differs by 1e-8 (Ros3) to 2e-3 (Ros4), and in some of its steps.
const CONCENTRATION: f64 = 5e-3;
/// Steps in all, relative, for the same reason.
const STEPS: f64 = 0.02;

#[test]
fn days_are_kpps() {
    for name in ["small_strato", "carbon", "strato", "cbm4", "saprc99"] {
        let Some(dir) = dir() else { return };
        let mechanism = Reader::new().sun_from_time().read_file(dir.join(format!("mechanisms/{name}.def")));
        let mechanism = mechanism.unwrap_or_else(|error| panic!("{error}"));
        let dir = dir.join(name);
        let report = json(&dir.join("diurnal_report.json"));
        let number = |key: &str| report[key].as_f64().expect("a number");
        let (start, length, every) = (number("tstart"), number("dt"), number("output_every") as usize);
        assert_eq!((mechanism.setting("TSTART"), mechanism.setting("DT")), (Some(start), Some(length)), "{name}");
        assert_eq!(
            (mechanism.setting("TEMP"), mechanism.cfactor()),
            (Some(number("temp")), number("cfactor")),
            "{name}"
        );
        let (_, initial) = npy(&dir.join("diurnal_conc_init.npy"));
        // The reference starts from the mechanism's own values, without ALL_SPEC.
        for ((got, want), species) in mechanism.initial().iter().zip(&initial).zip(mechanism.species()) {
            assert!(*want == 0.0 || (got - want).abs() <= 1e-15 * want, "{name} {}: {got} {want}", species.name);
        }
        for method in Method::ALL {
            let mut options = Options::new(method, number("rtol"), number("atol"));
            (options.rates, options.autonomous) = (Rates::Stage, false);
            let mut cells = Cells {
                concentration: initial.clone(),
                rate_input: mechanism.input_values(&[], 1).expect("inputs"),
                first_step_s: vec![0.0],
                ..Cells::default()
            };
            let program = Some(mechanism.program().clone());
            let chemistry = Chemistry::new(mechanism.compiled().clone(), program);
            let model = chemistry.on(&[Device::Thread]).bad_items(BadItems::Compute);
            let (shape, want) = npy(&dir.join(format!("diurnal_{}_conc.npy", method.name())));
            let (_, counters) = npy_integers(&dir.join(format!("diurnal_{}_istatus.npy", method.name())));
            let (mut steps, mut wanted_steps, mut worst) = (0.0, 0.0, 0.0_f64);
            for interval in 0..counters.len() / 8 {
                let begin = start + length * interval as f64;
                let done = model.run(&cells, &options.over(begin..begin + length)).expect("an interval");
                assert_eq!(done.failures().count(), 0, "{name}: {}", done.describe(0));
                steps += f64::from(done.counters[2]);
                // As in the reference, every interval begins with the usual step.
                cells.concentration = done.concentration;
                wanted_steps += f64::from(counters[8 * interval + 2]);
                if (interval + 1) % every == 0 {
                    let row = (interval + 1) / every - 1;
                    for i in 0..mechanism.variable() {
                        let (got, want) = (cells.concentration[i], want[row * shape[1] + i]);
                        let error = (got - want).abs() / (want.abs() + number("atol") / number("rtol"));
                        assert!(
                            error < CONCENTRATION,
                            "{name} {} output {row} species {i}: {got} {want}",
                            method.name()
                        );
                        worst = worst.max(error);
                    }
                }
            }
            println!("{name} {}: within {worst:.1e}, {steps} steps, KPP's {wanted_steps}", method.name());
            assert!((steps / wanted_steps - 1.0).abs() < STEPS, "{name} {}: {steps} {wanted_steps}", method.name());
        }
    }
}
