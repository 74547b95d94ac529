//! Limb paths of a scan as that of `data/limb`: one ray after the other with all that a host wants to know of its
//! points, and the steps alone.
#![allow(missing_docs, reason = "criterion's macros write functions without")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use isobar_core::{Column, FieldMut, Kernel, Lanes, Real};
use isobar_raytrace::kernel::CountPoints;
use isobar_raytrace::path::PathSummary;
use isobar_raytrace::trace::LineOfSight;
use isobar_raytrace::{Atmosphere, PathOptions, Position, ProfileData, Ray, trace_ray};

/// An atmosphere of three gases, a level a kilometre.
fn atmosphere() -> Atmosphere {
    let height_km: Vec<f64> = (0..=90).map(f64::from).collect();
    let pressure_hpa = height_km.iter().map(|z| 1013.25 * Real::exp(-z / 7.0)).collect();
    let temperature_k = height_km.iter().map(|z| 250.0 + 40.0 * Real::cos(z / 15.0)).collect();
    let mut atmosphere = Atmosphere::new(height_km, pressure_hpa, temperature_k).expect("a profile");
    atmosphere.mixing_ratio = vec![vec![400e-6; 91], vec![5e-6; 91], vec![3e-6; 91]];
    atmosphere
}

/// The limb scan of `data/limb`: 14 rays from a satellite.
fn rays() -> Vec<Ray> {
    let view_heights_km = (0..14).map(|ray| 3.0 + 5.0 * f64::from(ray));
    view_heights_km
        .map(|height_km| Ray {
            time_s: 0.0,
            observer: Position { height_km: 780.0, longitude_deg: 0.0, latitude_deg: 0.0 },
            view_point: Position { height_km, longitude_deg: 0.0, latitude_deg: 27.0 - height_km / 55.0 },
        })
        .collect()
}

fn paths(criterion: &mut Criterion) {
    let (atmosphere, rays) = (atmosphere(), rays());
    let profile = ProfileData::<f64>::new(&atmosphere).expect("a profile");
    let mut group = criterion.benchmark_group("raytrace");
    group.throughput(Throughput::Elements(rays.len() as u64));
    for (name, refraction) in [("refracted", true), ("straight", false)] {
        let options = PathOptions { step_height_km: 0.5, refraction, ..PathOptions::default() };
        group.bench_function(format!("14 limb rays, {name}: paths"), |bencher| {
            bencher.iter(|| {
                for ray in &rays {
                    black_box(trace_ray(&atmosphere, black_box(ray), &options).expect("a path"));
                }
            });
        });
        let sights: Vec<LineOfSight<f64>> = rays.iter().map(Ray::line_of_sight).collect();
        let mut summaries = vec![PathSummary::default(); rays.len()];
        group.bench_function(format!("14 limb rays, {name}: steps alone"), |bencher| {
            bencher.iter(|| {
                let kernel = CountPoints {
                    profile: profile.view(),
                    rules: options.rules(0.0),
                    rays: Column::from(&sights[..]),
                    summaries: FieldMut::item_fastest(&mut summaries, 1, rays.len()),
                };
                for ray in 0..kernel.items() {
                    // SAFETY: each item once; the views are those of living vectors.
                    black_box(unsafe { kernel.item(ray, Lanes::<1>::starting_at(0)) });
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, paths);
criterion_main!(benches);
