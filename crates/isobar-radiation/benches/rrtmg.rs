//! The scheme on one CPU thread, with the vectors that the processor has.
#![allow(missing_docs, reason = "criterion's macros write functions without")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use isobar_radiation::{Device, Fluxes, Options, Precision, Radiation, analytic, rrtmg};

const COLUMNS: usize = 2048;
const LAYERS: usize = 60;

fn longwave<R: Precision>(criterion: &mut Criterion) {
    let radiation = Radiation::<R>::new().with_rrtmg(&rrtmg::analytic::k_distribution()).unwrap().on(&[Device::Thread]);
    let mut group = criterion.benchmark_group(format!("RRTMG_LW {}", R::NAME));
    group.throughput(Throughput::Elements(COLUMNS as u64));
    group.sample_size(10);
    for (name, cloudy) in [("clear", false), ("sub-columns", true)] {
        let (columns, mut fluxes) = (analytic::columns::<R>(COLUMNS, LAYERS, cloudy), Fluxes::default());
        group.bench_function(format!("{name}, {LAYERS} layers"), |bencher| {
            bencher.iter(|| radiation.run_into(&columns, &Options::of_rrtmg(), &mut fluxes).expect("valid columns"));
        });
    }
    group.finish();
}

fn all(criterion: &mut Criterion) {
    longwave::<f32>(criterion);
    longwave::<f64>(criterion);
}

criterion_group!(benches, all);
criterion_main!(benches);
