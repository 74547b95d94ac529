//! The scheme on one CPU thread, with the vectors that the launcher would use.
#![allow(missing_docs, reason = "criterion's macros write functions without")]

use std::convert::Infallible;
use std::hint::black_box;
use std::sync::Arc;

use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime};
use isobar_core::kernel::{ThreadMemory, WARP};
use isobar_core::{Kernel, Lanes, Real};
use isobar_longwave::{Batch, Columns, HostRoom, Launcher, Options, Outputs, TableData, Transfer, Work, transfer};

#[path = "../tests/longwave/case.rs"]
#[allow(dead_code, reason = "the tests use all of it")]
mod case;

const COLUMNS: usize = 2048;

#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,fma")]
fn wide<K: Kernel>(kernel: &K, lanes: Lanes<WARP>) {
    plain(kernel, lanes);
}

#[target_feature(enable = "avx2,fma")]
fn medium<K: Kernel>(kernel: &K, lanes: Lanes<WARP>) {
    plain(kernel, lanes);
}

#[inline(always)]
fn plain<K: Kernel>(kernel: &K, lanes: Lanes<WARP>) {
    for index in 0..kernel.items() {
        // SAFETY: each index once; the views are those of a living batch.
        black_box(unsafe { kernel.item::<WARP>(index, lanes) });
    }
}

fn measure<K: Kernel>(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, kernel: &K) {
    let mut memory = ThreadMemory::of(kernel);
    let lanes = memory.lanes();
    if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") {
        // SAFETY: the processor has it (the other two came with it).
        group.bench_function(format!("{name}, avx512"), |bencher| bencher.iter(|| unsafe { wide(kernel, lanes) }));
    }
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: as above.
        group.bench_function(format!("{name}, avx2"), |bencher| bencher.iter(|| unsafe { medium(kernel, lanes) }));
    }
}

/// Runs kernels one after the other, with AVX-512.
struct Wide;

impl Launcher for Wide {
    type Error = Infallible;

    fn launch<K: Kernel>(&mut self, kernel: &K, _: Option<usize>) -> Result<(), Infallible> {
        let mut memory = ThreadMemory::of(kernel);
        // SAFETY: whoever measures has asked the processor.
        unsafe { wide(kernel, memory.lanes()) };
        Ok(())
    }
}

/// All kernels of a clear sky, as a model calls them.
fn measure_all<R: Real>(group: &mut BenchmarkGroup<'_, WallTime>, tables: &TableData<R>, one: &Columns<f64>) {
    if !is_x86_feature_detected!("avx512f") || !is_x86_feature_detected!("avx512dq") {
        return;
    }
    let (columns, options) = (repeated(one).rounded::<R>(), Options::default());
    let extents = tables.extents(columns.layers());
    let mut room = HostRoom::new(&extents, &columns, &options, (COLUMNS, false));
    let mut outputs = Outputs::room(&extents, &options, false, COLUMNS);
    group.bench_function(format!("all, clear, {} layers, avx512", columns.layers()), |bencher| {
        bencher.iter(|| {
            let fluxes = outputs.view(COLUMNS);
            let Ok(()) =
                Work::on_host(tables, &columns, [&[], &[]], &options, (&mut room, fluxes)).compute(&options, &mut Wide);
        });
    });
}

/// One column many times over.
fn repeated(one: &Columns<f64>) -> Columns<f64> {
    let many = |values: &Vec<f64>| values.iter().flat_map(|&x| std::iter::repeat_n(x, COLUMNS)).collect::<Vec<_>>();
    let mut columns = Columns {
        pressure: many(&one.pressure),
        level_pressure: many(&one.level_pressure),
        temperature: many(&one.temperature),
        level_temperature: many(&one.level_temperature),
        gases: one.gases.each_ref().map(many),
        halocarbons: one.halocarbons.each_ref().map(many),
        dry_column: many(&one.dry_column),
        broadening_column: many(&one.broadening_column),
        surface_temperature: many(&one.surface_temperature),
        emissivity: many(&one.emissivity),
        ..Columns::default()
    };
    if let Some(clouds) = &one.clouds {
        columns.clouds = Some(isobar_longwave::CloudColumns {
            fraction: many(&clouds.fraction),
            ice_path: many(&clouds.ice_path),
            liquid_path: many(&clouds.liquid_path),
            ice_size: many(&clouds.ice_size),
            liquid_radius: many(&clouds.liquid_radius),
            mask: clouds.mask.iter().flat_map(|&x| std::iter::repeat_n(x, COLUMNS)).collect(),
            ..isobar_longwave::CloudColumns::default()
        });
    }
    columns
}

fn longwave<R: Real>(criterion: &mut Criterion) {
    let Some(dir) = case::reference() else { return };
    let tables: Arc<TableData<R>> = case::tables();
    let mut group = criterion.benchmark_group(format!("longwave {}", R::NAME));
    group.throughput(Throughput::Elements(COLUMNS as u64));
    group.sample_size(10);
    let standard = case::Set::new(&dir, "std_atm").cases();
    for (name, case) in [("clear, 51 layers", &standard[0]), ("clear, 60 layers", &standard[1])] {
        let mut batch =
            Batch::new(tables.clone(), repeated(&case.columns).rounded(), Options::default()).expect("valid columns");
        // Transfer reads what both kernels before it left.
        batch.compute();
        measure(&mut group, &format!("layers, {name}"), &batch.layers());
        measure(&mut group, &format!("transfer, {name}"), &Transfer::<R, { transfer::CLEAR }>(batch.transfer()));
    }
    measure_all(&mut group, &tables, &standard[1].columns);
    let cloudy = &case::Set::new(&dir, "cloudy").cases()[5];
    let name = format!("cloudy, {} layers", cloudy.columns.layers());
    let mut batch =
        Batch::new(tables, repeated(&cloudy.columns).rounded(), cloudy.options.clone()).expect("valid columns");
    batch.compute();
    measure(&mut group, &format!("layers, {name}"), &batch.layers());
    measure(&mut group, &format!("transfer, {name}"), &Transfer::<R, { transfer::SUBCOLUMNS }>(batch.transfer()));
    group.finish();
}

fn all(criterion: &mut Criterion) {
    longwave::<f32>(criterion);
    longwave::<f64>(criterion);
}

criterion_group!(benches, all);
criterion_main!(benches);
