//! All methods on one CPU thread, on mechanisms of the reference data.
#![allow(missing_docs, reason = "criterion's macros write functions without")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use isobar_rosenbrock::{Cells, Chemistry, Device, Integrated, Method};

#[path = "../tests/rosenbrock/case.rs"]
#[allow(dead_code, reason = "the tests use all of it")]
mod case;

const CELLS: usize = 2048;

/// The cells again and again.
fn repeated(cells: &Cells<f64>) -> Cells<f64> {
    let rows = |values: &[f64]| {
        values.chunks(cells.first_step_s.len()).flat_map(|row| row.iter().cycle().take(CELLS).copied()).collect()
    };
    Cells {
        concentration: rows(&cells.concentration),
        rate_constant: rows(&cells.rate_constant),
        rate_input: vec![],
        first_step_s: vec![0.0; CELLS],
        ..Cells::default()
    }
}

fn methods(criterion: &mut Criterion) {
    for (name, methods) in [
        ("mecca_mim1", &Method::ALL[..]),
        ("saprc99", &[Method::Ros3, Method::Rodas3]),
        ("cbm4", &[Method::Ros3]),
        ("t1_mozcart", &[Method::Ros3]),
        ("mcm", &[Method::Ros3]),
    ] {
        let Some(case) = case::case(name) else { return };
        let mut group = criterion.benchmark_group(format!("{name} x {CELLS}"));
        group.throughput(Throughput::Elements(CELLS as u64));
        group.sample_size(10);
        let cells = repeated(&case.cells("", usize::MAX));
        for &method in methods {
            let (options, length) = case.options(&case.report, method);
            let model = Chemistry::new(case.mechanism.clone(), None).on(&[Device::Thread]);
            let (interval, mut done) = (options.over(0.0..length), Integrated::default());
            group.bench_function(method.name(), |bencher| {
                bencher.iter(|| model.run_into(&cells, &interval, &mut done).expect("an interval"));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, methods);
criterion_main!(benches);
