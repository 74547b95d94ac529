//! Spectra on one thread: 7,535 lines over 700 cm^-1, as many as water vapour has from 3400 to 4100 cm^-1.
#![allow(missing_docs, reason = "criterion's macros write functions without")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use isobar_launch::{Device, Queue};
use isobar_spectra::launch::Precision;
use isobar_spectra::lists::made_up_gas;
use isobar_spectra::{Absorber, Air, Grid, Method, Options};

fn spectrum<R: Precision>(criterion: &mut Criterion) {
    let gas = made_up_gas("H2O", 7535, (3400.0, 4100.0)).expect("a gas");
    let mut group = criterion.benchmark_group(R::NAME);
    group.sample_size(10);
    for (name, method, first, last) in
        [("exact, 20 cm^-1", Method::Exact, 3740.0, 3760.0), ("tree, 700 cm^-1", Method::Tree, 3400.0, 4100.0)]
    {
        let grid = Grid::regular(first, last, 0.001).expect("a grid");
        for pressure_hpa in [1000.0, 10.0] {
            let air = Air { pressure_hpa, temperature_k: 296.0, mole_fraction: 0.0 };
            let queue = Queue::new(Device::Thread).expect("a thread");
            let options = Options { method, ..Options::default() };
            let mut absorber = Absorber::<R>::new(queue, &gas, &grid, options).expect("options");
            group.throughput(Throughput::Elements(absorber.line_points() as u64));
            let name = format!("{name}, {pressure_hpa} hPa");
            group.bench_function(name, |bencher| bencher.iter(|| absorber.enqueue(&air).expect("a spectrum")));
        }
    }
    group.finish();
}

fn both(criterion: &mut Criterion) {
    spectrum::<f32>(criterion);
    spectrum::<f64>(criterion);
}

criterion_group!(benches, both);
criterion_main!(benches);
