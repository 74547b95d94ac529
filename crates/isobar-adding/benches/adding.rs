//! The clear-sky sweep on one CPU thread, against the machine: the exponentials alone, and a copy of the same bytes.
#![allow(missing_docs, reason = "criterion's macros write functions without")]

use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime};
use isobar_adding::clear_sky::{Options, Output, Profiles, Reflection, Slant};
use isobar_adding::{ClearSky, Device, Precision};
use isobar_core::Real;
use isobar_core::fields::OwnedInputs;
use std::hint::black_box;

const LAYERS: usize = 60;

fn batch(profiles: usize, angles: usize) -> Profiles<f64> {
    let mut state = 1_u64;
    let mut random = |low: f64, range: f64, count: usize| -> Vec<f64> {
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            low + range * (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        (0..count).map(|_| next()).collect()
    };
    Profiles {
        optical_depth: random(0.001, 0.5, LAYERS * profiles),
        planck_radiance: random(50.0, 200.0, LAYERS * profiles),
        surface_planck_radiance: random(200.0, 100.0, profiles),
        emissivity: random(0.95, 0.05, angles * profiles),
        cosmic_background: vec![0.0; profiles],
        ..Profiles::default()
    }
}

fn sweep<R: Precision>(group: &mut BenchmarkGroup<'_, WallTime>, profiles: usize, angles: usize) {
    let model = ClearSky::<R>::on(&[Device::Thread]);
    let batch = batch(profiles, angles).rounded::<R>();
    let cosine: Vec<f64> = (0..angles).map(|i| 1.0 / (1.0 + i as f64)).collect();
    for (name, output) in [("top", Output::Emission), ("levels", Output::Levels)] {
        let options = Options { reflection: Reflection::None, output, ..Options::new(&cosine) };
        let mut resident = model.resident(&batch, &options).expect("memory");
        group.bench_function(format!("{name} {}", R::NAME), |bencher| {
            bencher.iter(|| resident.compute(&options).expect("a CPU computes"));
        });
    }
    // The bound by arithmetic: what each layer and angle needs, the loss and one step of transmittance and radiance,
    // from the first-level cache and for the same number of layers.
    let slant = Slant::<R>::new(0.5);
    let depths: Vec<R> = (0..256).map(|i| R::from_f64(0.002 * f64::from(i))).collect();
    let layers = LAYERS * profiles * angles;
    group.bench_function(format!("bound: losses alone {}", R::NAME), |bencher| {
        bencher.iter(|| losses(&slant, &depths, layers));
    });
}

/// Losses of `count` layers, with the vectors that the sweep uses.
fn losses<R: Real>(slant: &Slant<R>, depths: &[R], count: usize) -> R {
    #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,fma")]
    fn wide<R: Real>(slant: &Slant<R>, depths: &[R], count: usize) -> R {
        plain(slant, depths, count)
    }
    #[target_feature(enable = "avx2,fma")]
    fn medium<R: Real>(slant: &Slant<R>, depths: &[R], count: usize) -> R {
        plain(slant, depths, count)
    }
    if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") {
        // SAFETY: the processor has it (the other two came with it).
        return unsafe { wide(slant, depths, count) };
    }
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: as above.
        return unsafe { medium(slant, depths, count) };
    }
    plain(slant, depths, count)
}

#[inline(always)]
fn plain<R: Real>(slant: &Slant<R>, depths: &[R], count: usize) -> R {
    let mut sum = [R::ZERO; 32];
    for i in 0..count / 32 {
        let depths: [R; 32] = black_box(depths)[i % 8 * 32..][..32].try_into().expect("32 of 256");
        for (sum, depth) in sum.iter_mut().zip(depths) {
            *sum += slant.loss(depth);
        }
    }
    sum.iter().copied().sum()
}

fn clear_sky(criterion: &mut Criterion) {
    for (profiles, angles) in [(10_000, 6), (10_000, 1)] {
        let mut group = criterion.benchmark_group(format!("clear sky {profiles}x{LAYERS}x{angles}"));
        group.throughput(Throughput::Elements((profiles * LAYERS * angles) as u64));
        group.sample_size(20);
        sweep::<f32>(&mut group, profiles, angles);
        sweep::<f64>(&mut group, profiles, angles);
        // The bound by memory: a copy that reads and writes as many bytes.
        let values = vec![1.0_f32; profiles * LAYERS];
        let mut to = values.clone();
        group.bench_function("bound: copy of the inputs f32", |bencher| {
            bencher.iter(|| black_box(&mut to).copy_from_slice(black_box(&values)));
        });
        group.finish();
    }
}

criterion_group!(benches, clear_sky);
criterion_main!(benches);
