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
        let day = |kind: &str| npy(&dir.join(format!("diurnal_{kind}_conc.npy"))).1;
        let scale = number("atol") / number("rtol");
        // Of Rang3 there are no days, and its estimate does not see errors of what is linear, which sunlight drives.
        for method in Method::ALL.into_iter().filter(|method| *method != Method::Rang3) {
            let golden = method != Method::Rodas31;
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
            // Of Rodas3.1 there are no days of KPP: its true error is at most that of Rodas3, of its order.
            let (want, file) = if golden { (day(method.name()), method.name()) } else { (day("reference"), "rodas3") };
            let (_, counters) = npy_integers(&dir.join(format!("diurnal_{file}_istatus.npy")));
            let species = initial.len();
            let (mut steps, mut wanted_steps, mut worst, mut outputs) = (0.0, 0.0, 0.0_f64, Vec::new());
            for interval in 0..counters.len() / 8 {
                let begin = start + length * interval as f64;
                let done = model.run(&cells, &options.over(begin..begin + length)).expect("an interval");
                assert_eq!(done.failures().count(), 0, "{name}: {}", done.describe(0));
                steps += f64::from(done.counters[2]);
                // As in the reference, every interval begins with the usual step.
                cells.concentration = done.concentration;
                wanted_steps += f64::from(counters[8 * interval + 2]);
                if (interval + 1) % every == 0 {
                    outputs.extend_from_slice(&cells.concentration);
                }
            }
            assert_eq!(outputs.len(), want.len(), "{name} {}", method.name());
            if !golden {
                let (error, of_rodas3) = (true_error(&outputs, &want, species, scale), day("rodas3"));
                let bound = true_error(&of_rodas3, &want, species, scale);
                println!("{name} {}: true error {error:.1e}, bound {bound:.1e}", method.name());
                assert!(error <= bound.max(1e-13), "{name} {}: {error} {bound}", method.name());
                continue;
            }
            for (place, (got, want)) in outputs.iter().zip(&want).enumerate() {
                let error = (got - want).abs() / (want.abs() + scale);
                let (row, i) = (place / species, place % species);
                assert!(error < CONCENTRATION, "{name} {} output {row} species {i}: {got} {want}", method.name());
                worst = worst.max(error);
            }
            println!("{name} {}: within {worst:.1e}, {steps} steps, KPP's {wanted_steps}", method.name());
            assert!((steps / wanted_steps - 1.0).abs() < STEPS, "{name} {}: {steps} {wanted_steps}", method.name());
        }
    }
}

/// The largest over the outputs of the root mean square over the species, as the reference's notes have it.
fn true_error(got: &[f64], exact: &[f64], species: usize, scale: f64) -> f64 {
    let mean = |(got, exact): (&[f64], &[f64])| {
        let errors = got.iter().zip(exact).map(|(got, exact)| (got - exact) / (exact.abs() + scale));
        (errors.map(|error| error * error).sum::<f64>() / species as f64).sqrt()
    };
    got.chunks_exact(species).zip(exact.chunks_exact(species)).map(mean).fold(0.0, f64::max)
}
