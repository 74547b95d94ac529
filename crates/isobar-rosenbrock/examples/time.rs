//! scratch
use isobar_rosenbrock::{Batch, Cells, Method};
#[path = "../tests/rosenbrock/case.rs"]
#[allow(dead_code)]
mod case;
fn cpu() -> f64 {
    let s = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    s.split_whitespace().next().unwrap().parse::<f64>().unwrap() * 1e-9
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let name = &args[1];
    let method = Method::named(&args[2]).unwrap();
    let n: usize = args[3].parse().unwrap();
    let reps: usize = args[4].parse().unwrap();
    let case = case::case(name).unwrap();
    let one = case.cells("", usize::MAX);
    let rows = |values: &[f64]| -> Vec<f64> {
        values.chunks(one.count).flat_map(|row| row.iter().cycle().take(n).copied()).collect()
    };
    let cells = Cells {
        count: n,
        concentrations: rows(&one.concentrations),
        rate_constants: rows(&one.rate_constants),
        ..Cells::default()
    };
    let (options, length) = case.options(&case.report, method);
    let mut batch = Batch::new(case.mechanism.clone(), None, cells.clone(), options).unwrap();
    let mut best = f64::MAX;
    for _ in 0..reps {
        batch.cells_mut().concentrations.copy_from_slice(&cells.concentrations);
        let t = cpu();
        batch.integrate(0.0, length).unwrap();
        best = best.min(cpu() - t);
    }
    let steps: u64 = batch.outputs().counters[2 * n..3 * n].iter().map(|&x| u64::from(x)).sum();
    println!(
        "{name} {} {:.0} cells/s, {:.2} us a cell and step",
        method.name(),
        n as f64 / best,
        best / steps as f64 * 1e6
    );
}
