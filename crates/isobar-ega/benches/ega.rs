//! Growth along a path of the demonstration's limb scan, gas by gas and channel by channel, whole rays, and a field of
//! view, on one thread without a launcher.
#![allow(missing_docs, reason = "criterion's macros write functions without")]

use std::hint::black_box;
use std::path::Path;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use isobar_core::Column;
use isobar_core::kernel::WARP;
use isobar_ega::growth::Growth;
use isobar_ega::jurassic::JurassicGrowth;
use isobar_ega::log_growth::LogGrowth;
use isobar_ega::mean_path::MeanPath;
use isobar_ega::rule::{Rule, Segment, SideBySide};
use isobar_ega::tables::{Cell, NO_GRID};
use isobar_ega::{FieldOfView, Forward, Interpolation, TableData};
use isobar_io::{Control, read_atmosphere, read_observation, read_setup, read_tables};
use isobar_raytrace::{Path as RayPath, Position, Ray, trace_ray};

/// All gases in all channels along a path: the segments that were followed.
fn follow<A: Rule<f64>>(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, data: &TableData, path: &RayPath) {
    let tables = data.view();
    let gases = path.points[0].gases.len();
    let channels = tables.tables.len() / gases;
    let cells: Vec<Vec<Cell<f64>>> = (0..tables.grids.len())
        .map(|grid| {
            let (grid, mut near) = (tables.grids.at(grid), [0; 3]);
            let cell = |point: &isobar_raytrace::one_ray::PathPoint, near: &mut [usize; 3]| {
                tables.locate::<f64>(&grid, point.pressure_hpa, point.temperature_k, near, A::JURASSIC, A::LOGARITHMIC)
            };
            path.points.iter().map(|point| cell(point, &mut near)).collect()
        })
        .collect();
    group.throughput(Throughput::Elements((path.points.len() * gases * WARP) as u64));
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            for gas in 0..gases {
                // The few channels of the case again and again.
                let heads = std::array::from_fn(|lane| tables.tables.at(gas * channels + lane % channels));
                let cells: [Column<'_, _>; WARP] = std::array::from_fn(|lane| {
                    let grid: u32 = heads[lane].grid;
                    Column::from(&cells[if grid == NO_GRID { 0 } else { grid as usize }][..])
                });
                let beside = SideBySide::<WARP> { tables, heads, here: WARP };
                let mut rules = A::start_all::<WARP>();
                for (number, point) in path.points.iter().enumerate() {
                    let segment = Segment {
                        pressure_hpa: point.pressure_hpa,
                        temperature_k: point.temperature_k,
                        column_per_cm2: point.gases[gas].column_per_cm2,
                        cell: Cell::default(),
                    };
                    black_box(A::add_all(&mut rules, &beside, |lane| cells[lane].at(number), black_box(segment)));
                }
            }
        });
    });
}

fn ega(criterion: &mut Criterion) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/limb");
    let control = Control::read(&folder.join("limb.ctl"), &[]).expect("a control file").0;
    let setup = read_setup(&control).expect("filters");
    let tables = read_tables(&control).expect("tables").tables;
    let data = TableData::new(&tables, control.wavenumbers_per_cm.len(), false).expect("tables");
    let atmosphere = read_atmosphere(&folder.join("atm.tab"), &control).expect("an atmosphere");
    let rays = read_observation(&folder.join("obs.tab"), &control).expect("rays").rays;

    let path = trace_ray(&atmosphere, &rays[2], &setup.path).expect("a path");
    let mut group = criterion.benchmark_group("ega");
    follow::<Growth<f64>>(&mut group, "a path at 13 km, emissivity growth", &data, &path);
    follow::<MeanPath<f64>>(&mut group, "a path at 13 km, Curtis-Godson means", &data, &path);
    follow::<JurassicGrowth<f64>>(&mut group, "a path at 13 km, emissivity growth as JURASSIC", &data, &path);

    let count = control.wavenumbers_per_cm.len();
    let logarithms = TableData::packed(&tables, count, false, Interpolation::Logarithmic).expect("tables");
    follow::<LogGrowth<f64>>(&mut group, "a path at 13 km, emissivity growth in logarithms", &logarithms, &path);

    let forward = Forward::new(&setup, &data, &atmosphere).expect("a setup");
    group.throughput(Throughput::Elements(rays.len() as u64));
    group.bench_function("14 limb rays, 4 channels: radiances", |bencher| {
        bencher.iter(|| {
            for ray in &rays {
                black_box(forward.ray(black_box(ray)).expect("radiances"));
            }
        });
    });
    group.finish();
    field_of_view(criterion);
}

/// A thousand limb scans through the field of view of an instrument.
fn field_of_view(criterion: &mut Criterion) {
    const CHANNELS: usize = 32;
    let at = |height_km| Position { height_km, ..Position::default() };
    let ray = |i: u32| Ray { time_s: f64::from(i / 66), observer: at(780.0), view_point: at(3.0 + f64::from(i % 66)) };
    let rays: Vec<Ray> = (0..66_000).map(ray).collect();
    let offsets = || (-10..=10).map(f64::from);
    let view = FieldOfView {
        offset_km: offsets().map(|i| 0.15 * i).collect(),
        weight: offsets().map(|i| 11.0 - i.abs()).collect(),
    };
    let mut values: Vec<f64> = (0..rays.len() * CHANNELS).map(|i| (i % 977) as f64).collect();
    let mut group = criterion.benchmark_group("field of view");
    group.throughput(Throughput::Elements(rays.len() as u64));
    group.sample_size(20).bench_function("66,000 rays, 32 channels, 21 weights", |bencher| {
        bencher.iter(|| view.convolve(black_box(&rays), CHANNELS, &mut values).expect("scans"));
    });
    group.finish();
}

criterion_group!(benches, ega);
criterion_main!(benches);
