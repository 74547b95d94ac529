//! Reading: an emissivity table in text and in binary, and the columns of a NetCDF file, all from `data/`.
#![allow(missing_docs, reason = "criterion's macros write functions without")]

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use isobar_io::table::write_table_ascii;
use isobar_io::{AtomicFile, Control, read_atmosphere, read_observation, read_table};

fn data(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data").join(path)
}

fn bytes(path: &Path) -> Throughput {
    Throughput::Bytes(fs::metadata(path).expect("a file").len())
}

fn tables(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("io");
    let binary = data("tables/demo_1043.0000_O3.bin");
    let table = read_table(&binary).expect("a table").0;
    let folder = tempfile::tempdir().expect("a folder");
    let text = folder.path().join("table.tab");
    AtomicFile::write_with(&text, |out| write_table_ascii(out, &table)).expect("a table");
    for (name, path) in [("text", &text), ("binary", &binary)] {
        group.throughput(bytes(path));
        group.bench_function(format!("an emissivity table in {name}"), |bencher| {
            bencher.iter(|| black_box(read_table(black_box(path)).expect("a table")));
        });
    }
    let control = Control::read(&data("limb/limb.ctl"), &[]).expect("a control file").0;
    let atmosphere = data("limb/atm.tab");
    group.throughput(bytes(&atmosphere));
    group.bench_function("an atmosphere in text", |bencher| {
        bencher.iter(|| black_box(read_atmosphere(black_box(&atmosphere), &control).expect("an atmosphere")));
    });
    let observation = data("limb/rad.tab");
    group.throughput(bytes(&observation));
    group.bench_function("an observation in text", |bencher| {
        bencher.iter(|| black_box(read_observation(black_box(&observation), &control).expect("an observation")));
    });
    group.finish();
}

#[cfg(feature = "netcdf")]
fn netcdf(criterion: &mut Criterion) {
    let path = data("pbl/columns.nc");
    let mut group = criterion.benchmark_group("io");
    group.throughput(bytes(&path));
    let options = isobar_ysu::Options::new(60.0);
    group.bench_function("columns of a boundary layer in NetCDF", |bencher| {
        bencher.iter(|| black_box(isobar_io::read_boundary_layer(black_box(&path), &options, false).expect("columns")));
    });
    group.finish();
}

#[cfg(not(feature = "netcdf"))]
fn netcdf(_: &mut Criterion) {}

criterion_group!(benches, tables, netcdf);
criterion_main!(benches);
