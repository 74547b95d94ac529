//! bench
use isobar_optics::GasOptics;
use isobar_radiation::*;
use std::time::Instant;
fn gas(path: &str) -> GasOptics {
    use isobar_io::{KDistribution, read_k_distribution};
    match &read_k_distribution(path.as_ref()).unwrap() {
        KDistribution::Rrtmgp(file) => GasOptics::try_from(file).unwrap(),
        KDistribution::Ecckd(file) => GasOptics::try_from(file).unwrap(),
    }
}
fn bench<R: Precision>(device: Device, count: usize, layers: usize, files: &[&str], dir: &str, cloudy: bool) {
    let mut r = Radiation::<R>::new();
    for f in files {
        let g = gas(&format!("{dir}/{f}"));
        let c = cloudy.then(|| {
            CloudOptics::new(
                &isobar_io::read_cloud_tables(format!("{dir}/rrtmgp-clouds-{}-bnd.nc", &f[..2]).as_ref()).unwrap(),
                Roughness::Medium,
            )
        });
        r = r.with(&g, c.as_ref()).unwrap();
    }
    let columns = analytic::columns::<R>(count, layers, cloudy);
    let o = Options::default();
    let m = r.on(&[device]);
    let mut res = m.resident(&columns, &o).unwrap();
    res.compute(&o).unwrap();
    res.synchronize().unwrap();
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let t = Instant::now();
        res.compute(&o).unwrap();
        res.synchronize().unwrap();
        best = best.min(t.elapsed().as_secs_f64());
    }
    println!("{device} {} {files:?} cloudy {cloudy}: {:.0} columns/s", R::NAME, count as f64 / best);
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let dir = &a[1];
    let count: usize = a[3].parse().unwrap();
    let device = if a[2] == "cpu" { Device::Thread } else { Device::Cuda(0) };
    let sets: Vec<&str> = a[4..].iter().map(|s| &s[..]).collect();
    for s in sets {
        let cloudy = s.starts_with('+');
        let files: Vec<&str> = s.trim_start_matches('+').split(',').collect();
        bench::<f32>(device, count, 60, &files, dir, cloudy);
        bench::<f64>(device, count, 60, &files, dir, cloudy);
    }
}
