//! `isobar-bench chem`: chemical kinetics.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use isobar::kpp::Mechanism;
use isobar::rosenbrock::{Cells, Chemistry, Device, Integrated, Method, Negative, Options};
use serde_json::json;

use crate::measure::{made, need_memory, resident_energy, waiting};
use crate::npy::Table;
use crate::random::Random;
use crate::report::{Report, names, say};
use isobar::program::failure::Failure;
use isobar::program::options::DeviceOptions;

/// The options of `isobar-bench chem`.
#[derive(Args, Debug)]
pub(crate) struct ChemBench {
    /// Mechanism: `.kpp`, `.def` or `.eqn`
    mechanism: PathBuf,
    /// Cells
    #[arg(long, default_value_t = 100_000)]
    cells: usize,
    /// Concentrations, NumPy's format, a row a cell, species in KPP's order; repeated as often as needed. Otherwise the
    /// mechanism's initial values with a spread
    #[arg(long, value_name = "FILE")]
    concentrations: Option<PathBuf>,
    /// Rate constants, likewise; otherwise those of the mechanism at 200 to 300 K, by day and night
    #[arg(long, value_name = "FILE")]
    rate_constants: Option<PathBuf>,
    /// ros2, ros3, ros4, rodas3, rodas4, or all
    #[arg(long, default_value = "ros3")]
    method: String,
    /// Relative tolerance
    #[arg(long, default_value_t = 1e-3)]
    rtol: f64,
    /// Absolute tolerance, as concentrations
    #[arg(long, default_value_t = 10.0)]
    atol: f64,
    /// Seconds that are integrated
    #[arg(long, default_value_t = 1800.0)]
    dt: f64,
    /// Cells in flight on a GPU
    #[arg(long, value_name = "N")]
    in_flight: Option<usize>,
    /// Also from and to the host's memory
    #[arg(long)]
    transfers: bool,
    /// Rates from 1 to 10 million cells
    #[arg(long)]
    curve: bool,
    #[command(flatten)]
    device: DeviceOptions,
}

pub(crate) fn run(options: &ChemBench, report: &Report) -> Result<(), Failure> {
    options.device.with_threads(|devices| all(options, report, devices))
}

fn all(bench: &ChemBench, report: &Report, devices: &[Device]) -> Result<(), Failure> {
    let start = Instant::now();
    let mechanism = Mechanism::from_file(&bench.mechanism).map_err(|error| Failure::new(error.to_string()))?;
    let ms = start.elapsed().as_secs_f64() * 1e3;
    let names = names(devices);
    say!(
        report,
        "{names}, f64, {} variable and {} fixed species, {} reactions, read in {ms:.1} ms",
        mechanism.variable(),
        mechanism.species().len() - mechanism.variable(),
        mechanism.reactions().len()
    );
    let methods: Vec<Method> = match bench.method.as_str() {
        "all" => Method::ALL.to_vec(),
        name => vec![Method::named(name).ok_or_else(|| Failure::usage(format!("'{name}' is no method")))?],
    };
    say!(
        report,
        "{:>7} {:>9} {:>12} {:>12} {:>11} {:>9} {:>9}",
        "method",
        "cells",
        "ms",
        "cells/s",
        "steps/cell",
        "B/fly",
        "failures"
    );
    let curve = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];
    let counts = if bench.curve { curve.to_vec() } else { vec![bench.cells.max(1)] };
    for method in methods {
        for &count in &counts {
            measure((bench, report), &mechanism, method, count, devices)?;
        }
    }
    Ok(())
}

fn measure(
    (bench, report): (&ChemBench, &Report),
    mechanism: &Mechanism,
    method: Method,
    count: usize,
    devices: &[Device],
) -> Result<(), Failure> {
    let mut options = Options::new(method, bench.rtol, bench.atol);
    options.negative = Negative::Clip;
    let (species, inputs) = (mechanism.species().len(), mechanism.inputs().len());
    let numbers = [species + inputs + 2, 2 * species + 8, mechanism.reactions().len()];
    need_memory::<f64>(devices[0], count, "cells", numbers)?;
    let cells = made(|| cells(bench, mechanism, count))?;
    let flying = mechanism.compiled().layout(&options, 0).bytes_per_cell();
    let print = |name: &str, what: &str, seconds: f64, done: &Integrated<f64>| {
        let steps = done.counters[2 * count..3 * count].iter().map(|&steps| u64::from(steps)).sum::<u64>();
        say!(
            report,
            "{:>7} {count:9} {:12.3} {:12.0} {:11.1} {flying:9} {:9}{what}",
            method.name(),
            seconds * 1e3,
            count as f64 / seconds,
            steps as f64 / count as f64,
            done.failures().count()
        );
        let work = json!({
            "cells": count,
            "species": species,
            "method": method.name(),
            "rtol": bench.rtol,
            "steps_per_cell": steps as f64 / count as f64,
            "precision": "f64",
            "device": names(devices),
        });
        report.figure(name, count as f64 / seconds, "cells/s", work.clone());
        work
    };
    let mut chemistry = Chemistry::new(mechanism.compiled().clone(), Some(mechanism.program().clone()));
    if let Some(in_flight) = bench.in_flight {
        chemistry = chemistry.cells_in_flight(in_flight);
    }
    let (model, interval) = (chemistry.on(devices), options.over(0.0..bench.dt));
    let mut done = Integrated::default();
    // On the devices from start to end. Every run begins with the same cells.
    let computing = waiting();
    let mut resident = model.resident(&cells, &interval)?;
    let mut best = f64::INFINITY;
    for _ in 0..if count > 1_000_000 || devices[0].is_cpu() { 2 } else { 4 } {
        let start = Instant::now();
        resident.compute(&interval)?;
        resident.synchronize()?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    resident.results_into(&mut done)?;
    drop(computing);
    let work = print("resident", "", best, &done);
    resident_energy(report, &mut resident, &interval, (count, "cell"), (&work, best * 1e3))?;
    drop(resident);
    if bench.transfers {
        // The first run gets the memory.
        let (mut best, computing) = (f64::INFINITY, waiting());
        for _ in 0..3 {
            let start = Instant::now();
            model.run_into(&cells, &interval, &mut done)?;
            best = best.min(start.elapsed().as_secs_f64());
        }
        drop(computing);
        print("host to host", "  from and to the host's memory", best, &done);
    }
    Ok(())
}

fn cells(bench: &ChemBench, mechanism: &Mechanism, count: usize) -> Result<Cells<f64>, Failure> {
    let mut random = Random::new(7);
    let table = |path: &PathBuf, expected: usize, what: &str| {
        let table = Table::read(path)?;
        if table.columns == expected {
            return Ok(table.cells(count));
        }
        let (path, columns) = (path.display(), table.columns);
        Err(Failure::new(format!("{path}: {columns} numbers a cell, but the mechanism has {expected} {what}")))
    };
    let concentration = match &bench.concentrations {
        Some(path) => table(path, mechanism.species().len(), "species")?,
        None => {
            let spread = |&initial: &f64| (0..count).map(|_| initial * (0.5 + random.unit())).collect::<Vec<_>>();
            mechanism.initial().iter().flat_map(spread).collect()
        }
    };
    let mut cells = Cells { concentration, first_step_s: vec![0.0; count], ..Cells::default() };
    if let Some(path) = &bench.rate_constants {
        cells.rate_constant = table(path, mechanism.reactions().len(), "reactions")?;
        return Ok(cells);
    }
    let temperature: Vec<f64> = (0..count).map(|_| 200.0 + 100.0 * random.unit()).collect();
    let sun: Vec<f64> = (0..count).map(|_| (1.25 * random.unit() - 0.25).max(0.0)).collect();
    let known = [("TEMP", &temperature[..]), ("SUN", &sun[..])];
    let wanted = |name: &str| mechanism.inputs().iter().any(|input| input.name.eq_ignore_ascii_case(name));
    let given: Vec<_> = known.into_iter().filter(|(name, _)| wanted(name)).collect();
    cells.rate_input = mechanism.input_values(&given, count).map_err(|error| Failure::new(error.to_string()))?;
    Ok(cells)
}
