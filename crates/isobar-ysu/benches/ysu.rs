//! The scheme on one CPU thread, with the vectors that the launcher would use, against a copy of the same bytes.
#![allow(missing_docs, reason = "criterion's macros write functions without")]

use std::hint::black_box;

use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime};
use isobar_core::kernel::{ThreadMemory, WARP};
use isobar_core::{Kernel, Real};
use isobar_ysu::{Batch, Columns, Options, Ysu};

#[path = "../tests/ysu/case.rs"]
#[allow(dead_code, reason = "the tests use all of it")]
mod case;

const COLUMNS: usize = 13_000;

#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,fma")]
fn wide<K: Kernel>(kernel: &K) {
    plain(kernel);
}

#[target_feature(enable = "avx2,fma")]
fn medium<K: Kernel>(kernel: &K) {
    plain(kernel);
}

#[inline(always)]
fn plain<K: Kernel>(kernel: &K) {
    let mut memory = ThreadMemory::of(kernel);
    for index in 0..kernel.items() {
        // SAFETY: each index once; the views are those of a living batch.
        black_box(unsafe { kernel.item::<WARP>(index, memory.lanes()) });
    }
}

/// The reference's columns of 35 levels, or made-up ones, many times over.
fn columns() -> Columns<f64> {
    let one = match isobar_golden::find("ysu") {
        Some(dir) => case::read(&dir.join("l35")),
        None => case::made_up(35, &[(250.0, 6.0, 0.006), (-20.0, 3.0, 0.004), (60.0, 14.0, 0.01), (-5.0, 9.0, 0.003)]),
    };
    case::repeated(&one, COLUMNS)
}

fn ysu<R: Real>(criterion: &mut Criterion, columns: &Columns<f64>) {
    let mut group = criterion.benchmark_group(format!("ysu {}x35 {}", COLUMNS, R::NAME));
    group.throughput(Throughput::Elements(COLUMNS as u64));
    group.sample_size(20);
    for (name, top_down, topographic) in [("base", false, false), ("top-down, topographic", true, true)] {
        let options = Options { top_down, topographic, ..Options::new(72.0) };
        let mut batch = Batch::new(columns.rounded::<R>(), options).expect("the columns are valid");
        let arguments = batch.arguments();
        measure(&mut group, name, &Ysu::<R, true>(arguments));
    }
    // The bound by memory: about as many bytes as are read or written once.
    let from = vec![R::ONE; 9 * 35 * COLUMNS];
    let mut to = from.clone();
    group.bench_function("bound: copy of 9 fields", |bencher| {
        bencher.iter(|| black_box(&mut to).copy_from_slice(black_box(&from)));
    });
    group.finish();
}

fn measure<K: Kernel>(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, kernel: &K) {
    if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") {
        // SAFETY: the processor has it (the other two came with it).
        group.bench_function(format!("{name}, avx512"), |bencher| bencher.iter(|| unsafe { wide(kernel) }));
    }
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: as above.
        group.bench_function(format!("{name}, avx2"), |bencher| bencher.iter(|| unsafe { medium(kernel) }));
    }
    group.bench_function(format!("{name}, baseline"), |bencher| bencher.iter(|| plain(kernel)));
}

fn all(criterion: &mut Criterion) {
    let columns = columns();
    ysu::<f32>(criterion, &columns);
    ysu::<f64>(criterion, &columns);
}

criterion_group!(benches, all);
criterion_main!(benches);
