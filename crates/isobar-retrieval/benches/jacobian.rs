//! What a Jacobian costs, against one forward run on the same thread: the reference's case if it is found, else the
//! demonstration's limb scan.
#![allow(missing_docs, reason = "criterion's macros write functions without")]

use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use isobar_ega::TableData;
use isobar_ega::jacobian::Geometry;
use isobar_ega::launch::Infrared;
use isobar_golden::{find, json, numbers};
use isobar_io::{Control, read_atmosphere, read_observation, read_setup, read_tables};
use isobar_launch::Device;
use isobar_raytrace::{Atmosphere, Position, Ray};

/// Control file, atmosphere and rays.
fn case() -> (std::path::PathBuf, std::path::PathBuf, Vec<Ray>) {
    let Some(reference) = find("jurassic") else {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/limb");
        let control = Control::read(&folder.join("limb.ctl"), &[]).expect("a control file").0;
        let rays = read_observation(&folder.join("obs.tab"), &control).expect("rays").rays;
        return (folder.join("limb.ctl"), folder.join("atm.tab"), rays);
    };
    let inputs = reference.join("inputs");
    let names = json(&reference.join("kernel/kernel_rad.json"));
    let geometry = json(&inputs.join("rays.json"));
    let ray = |name| {
        let ray = geometry["rays"].as_array().expect("rays").iter().find(|ray| &ray["name"] == name).expect("a ray");
        let at = |key: &str| {
            let place = numbers(&ray[key]);
            Position { height_km: place[0], longitude_deg: place[1], latitude_deg: place[2] }
        };
        Ray { time_s: 0.0, observer: at("obs"), view_point: at("vp") }
    };
    let rays = names["rays"].as_array().expect("names").iter().map(ray).collect();
    (inputs.join("kernel_rad.ctl"), inputs.join("atm_kernel.tab"), rays)
}

fn bench(criterion: &mut Criterion) {
    let (control_file, atmosphere_file, rays) = case();
    let (control, _) = Control::read(&control_file, &[]).expect("a control file");
    let setup = read_setup(&control).expect("filters");
    let set = read_tables(&control).expect("tables");
    let tables = TableData::new(&set.tables, control.wavenumbers_per_cm.len(), false).expect("tables");
    let atmosphere = read_atmosphere(&atmosphere_file, &control).expect("an atmosphere");
    let model = Infrared::<f64>::new(&setup, tables).expect("a setup").on(&[Device::Thread]);
    let mut group = criterion.benchmark_group("jacobian");
    group.throughput(Throughput::Elements(rays.len() as u64));
    let run = || model.run(&atmosphere, &rays).expect("radiances");
    let jacobian = |geometry| model.jacobian(&atmosphere, &rays, geometry, &|_| {}).expect("a Jacobian");
    group.bench_function("forward", |bencher| bencher.iter(|| black_box(run())));
    for (name, geometry) in [("moving path", Geometry::Moving), ("frozen path", Geometry::Frozen)] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| black_box(jacobian(geometry)));
        });
    }
    let track = track(&atmosphere, &rays[0].view_point);
    let run = || model.run(&track, &rays).expect("radiances");
    let jacobian = || model.jacobian(&track, &rays, Geometry::Moving, &|_| {}).expect("a Jacobian");
    group.bench_function("forward along a track", |bencher| bencher.iter(|| black_box(run())));
    group.bench_function("moving path along a track", |bencher| bencher.iter(|| black_box(jacobian())));
    group.finish();
}

/// Three profiles around a place, 200 km apart.
fn track(one: &Atmosphere, place: &Position) -> Atmosphere {
    let profile = |number: f64| {
        let mut own = one.clone();
        own.longitude_deg.fill(place.longitude_deg);
        own.latitude_deg.fill((place.latitude_deg + 1.8 * number).clamp(-90.0, 90.0));
        own.temperature_k.iter_mut().for_each(|value| *value += number);
        own
    };
    Atmosphere::join(&[-1.0, 0.0, 1.0].map(profile))
}

criterion_group!(benches, bench);
criterion_main!(benches);
