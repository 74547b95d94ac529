//! The schemes on one CPU thread, checks and all; YSU against a copy of the same bytes.
#![allow(missing_docs, reason = "criterion's macros write functions without")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use isobar_core::fields::OwnedInputs;
use isobar_ysu::{Columns, Device, Options, Precision, Results, ShinHong, ShinHongOptions, Ysu};

#[path = "../tests/ysu/case.rs"]
#[allow(dead_code, reason = "the tests use all of it")]
mod case;

#[path = "../tests/ysu/suite_files.rs"]
#[allow(dead_code, reason = "the tests use all of it")]
mod suite_files;

const COLUMNS: usize = 13_000;

/// The reference's columns of 35 levels, or made-up ones, many times over.
fn columns() -> Columns<f64> {
    let one = match isobar_golden::find("ysu") {
        Some(dir) => case::read(&dir.join("l35")),
        None => case::made_up(35, &[(250.0, 6.0, 0.006), (-20.0, 3.0, 0.004), (60.0, 14.0, 0.01), (-5.0, 9.0, 0.003)]),
    };
    case::repeated(&one, COLUMNS)
}

fn ysu<R: Precision>(criterion: &mut Criterion, columns: &Columns<f64>) {
    let mut group = criterion.benchmark_group(format!("ysu {}x35 {}", COLUMNS, R::NAME));
    group.throughput(Throughput::Elements(COLUMNS as u64));
    group.sample_size(20);
    for (name, top_down, topographic) in [("base", false, false), ("top-down, topographic", true, true)] {
        let options = Options { top_down, topographic, ..Options::new(72.0) };
        let (columns, model) = (columns.rounded::<R>(), Ysu::on(&[Device::Thread]));
        let mut results = Results::default();
        group.bench_function(name, |bencher| {
            bencher.iter(|| model.run_into(black_box(&columns), &options, &mut results).expect("valid columns"));
        });
    }
    // The bound by memory: about as many bytes as are read or written once.
    let from = vec![R::ONE; 9 * 35 * COLUMNS];
    let mut to = from.clone();
    group.bench_function("bound: copy of 9 fields", |bencher| {
        bencher.iter(|| black_box(&mut to).copy_from_slice(black_box(&from)));
    });
    group.finish();
}

/// On the columns of the suite, whose grids are 100 m to 10 km long; without them there is nothing to time.
fn shin_hong<R: Precision>(criterion: &mut Criterion, columns: &Columns<f64>) {
    let mut group = criterion.benchmark_group(format!("shin-hong {}x35 {}", COLUMNS, R::NAME));
    group.throughput(Throughput::Elements(COLUMNS as u64));
    group.sample_size(20);
    for (name, cloud_mixing) in [("base", false), ("cloud mixing", true)] {
        let options = ShinHongOptions { cloud_mixing, ..ShinHongOptions::new(60.0) };
        let (columns, model) = (columns.rounded::<R>(), ShinHong::on(&[Device::Thread]));
        let mut results = Results::default();
        group.bench_function(name, |bencher| {
            bencher.iter(|| model.run_into(black_box(&columns), &options, &mut results).expect("valid columns"));
        });
    }
    group.finish();
}

fn all(criterion: &mut Criterion) {
    let columns = columns();
    ysu::<f32>(criterion, &columns);
    ysu::<f64>(criterion, &columns);
    if let Some(dir) = suite_files::folder() {
        let columns = case::repeated(&suite_files::read(&dir.join("l35")), COLUMNS);
        shin_hong::<f32>(criterion, &columns);
        shin_hong::<f64>(criterion, &columns);
    }
}

criterion_group!(benches, all);
criterion_main!(benches);
