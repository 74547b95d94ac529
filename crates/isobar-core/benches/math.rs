//! Elementary functions of slices of 4096: ours by slices, ours in a plain loop, libm's and std's.
#![allow(clippy::disallowed_methods, reason = "std's functions are what ours are compared with")]
#![allow(missing_docs, reason = "criterion's macros write functions without")]

use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime};
use isobar_core::math::{double, single, slice};
use std::hint::black_box;

const COUNT: usize = 4096;

/// Times one way to change a slice in place; the copy of the arguments is part of the time.
fn time<T: Copy>(group: &mut BenchmarkGroup<'_, WallTime>, way: &str, arguments: &[T], mut work: impl FnMut(&mut [T])) {
    let mut values = arguments.to_vec();
    group.bench_function(way, |bencher| {
        bencher.iter(|| {
            values.copy_from_slice(arguments);
            work(black_box(&mut values));
        });
    });
}

macro_rules! compare {
    (
        $criterion:ident, $float:ident $functions:ident:
        $($name:ident $libm:ident $low:literal $high:literal [$($more:expr)?];)*
    ) => {$(
        {
            let mut group = $criterion.benchmark_group(concat!(stringify!($name), "_", stringify!($float)));
            group.throughput(Throughput::Elements(COUNT as u64));
            let (low, high): ($float, $float) = ($low, $high);
            let step = (high - low) / COUNT as $float;
            let arguments: Vec<$float> = (0..COUNT).map(|i| low + step * ((i * 1597) % COUNT) as $float).collect();
            time(&mut group, "slice", &arguments, |values| slice::$float::$name(values $(, $more)?));
            time(&mut group, "loop", &arguments, |values| for x in values { *x = $functions::$name(*x $(, $more)?) });
            time(&mut group, "libm", &arguments, |values| for x in values { *x = libm::$libm(*x $(, $more)?) });
            time(&mut group, "std", &arguments, |values| for x in values { *x = x.$name($($more)?) });
            group.finish();
        }
    )*};
}

fn functions(criterion: &mut Criterion) {
    compare!(criterion, f64 double:
            exp exp -20.0 20.0 [];
            exp_m1 expm1 -3.0 3.0 [];
            ln log 0.01 100.0 [];
            ln_1p log1p -0.5 3.0 [];
            cbrt cbrt 0.01 100.0 [];
            tanh tanh -3.0 3.0 [];
            sqrt sqrt 0.01 100.0 [];
            sin sin -10.0 10.0 [];
            atan atan -10.0 10.0 [];
            powf pow 0.01 100.0 [0.286];
    );
    compare!(criterion, f32 single:
            exp expf -20.0 20.0 [];
            exp_m1 expm1f -3.0 3.0 [];
            ln logf 0.01 100.0 [];
            ln_1p log1pf -0.5 3.0 [];
            cbrt cbrtf 0.01 100.0 [];
            tanh tanhf -3.0 3.0 [];
            sqrt sqrtf 0.01 100.0 [];
            sin sinf -10.0 10.0 [];
            atan atanf -10.0 10.0 [];
            powf powf 0.01 100.0 [0.286];
    );
}

criterion_group!(benches, functions);
criterion_main!(benches);
