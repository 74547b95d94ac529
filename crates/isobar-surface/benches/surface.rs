//! The scheme on one CPU thread: a batch that stays there, and whole calls, which check and copy all inputs.
#![allow(missing_docs, reason = "criterion's macros write functions without")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use isobar_core::fields::OwnedInputs;
use isobar_surface::{ColumnViews, Columns, Device, Options, Precision, Results, SurfaceLayer, analytic};

#[path = "../tests/surface/case.rs"]
#[allow(dead_code, reason = "the tests use all of it")]
mod case;

const COLUMNS: usize = 42_000;

/// The reference's columns many times over, if they are there.
fn references() -> Option<Columns<f64>> {
    let mut columns = case::read(&case::folder()?);
    let times = COLUMNS / columns.columns();
    columns.each_real(&mut |_, values| *values = values.repeat(times));
    Some(columns)
}

fn surface<R: Precision>(criterion: &mut Criterion, name: &str, columns: &Columns<f64>) {
    let (columns, options) = (columns.rounded::<R>(), Options::default());
    let model = SurfaceLayer::<R>::on(&[Device::Thread]);
    let mut group = criterion.benchmark_group(format!("{name} {}", R::NAME));
    group.throughput(Throughput::Elements(COLUMNS as u64));
    group.sample_size(20);
    let views = ColumnViews::try_from(&columns).expect("sizes fit");
    let mut resident = model.resident(views, &options).expect("valid columns");
    group.bench_function("resident", |bencher| {
        bencher.iter(|| resident.compute(black_box(&options)).expect("valid columns"));
    });
    let mut results = Results::default();
    group.bench_function("whole call", |bencher| {
        bencher.iter(|| model.run_into(black_box(&columns), &options, &mut results).expect("valid columns"));
    });
    group.finish();
}

fn all(criterion: &mut Criterion) {
    let made_up = ("made-up", Some(analytic::columns(COLUMNS)));
    for (name, columns) in [("reference", references()), made_up] {
        let Some(columns) = columns else { continue };
        surface::<f32>(criterion, name, &columns);
        surface::<f64>(criterion, name, &columns);
    }
}

criterion_group!(benches, all);
criterion_main!(benches);
