//! The Sun low over a round Earth.

use isobar_core::Real;
use isobar_photolysis::Tables;

use crate::{column, run};

const EARTH_KM: f64 = 6371.0;

/// Optical depth of an exponential atmosphere (8 km, 1 at the ground vertically) along the ray to the ground, by sums
/// over very thin shells.
fn by_hand(cosine: f64) -> f64 {
    let steps = 400_000;
    let squared = |z: f64| EARTH_KM * EARTH_KM * cosine * cosine + z * (z + 2.0 * EARTH_KM);
    let mut sum = 0.0;
    for i in 0..steps {
        let (low, high) = (80.0 * f64::from(i) / f64::from(steps), 80.0 * f64::from(i + 1) / f64::from(steps));
        sum += Real::exp(-0.5 * (low + high) / 8.0) * (Real::sqrt(squared(high)) - Real::sqrt(squared(low)));
    }
    sum / 8.0
}

/// What arrives at the ground through an absorber that falls off with height: Chapman's function, of which a plane
/// atmosphere would have 1/cosine.
#[test]
fn slant_paths_are_those_through_shells() {
    for cosine in [1.0, 0.5, 0.2, 0.1, 0.05, 0.0] {
        let layers = 800;
        let mut columns = column(layers, cosine);
        columns.ozone_per_cm2 = columns.air_per_cm2.iter().map(|air| 1e-6 * air).collect();
        columns.air_per_cm2.fill(0.0);
        let total: f64 = columns.ozone_per_cm2.iter().sum();
        // Of all that is above the ground, the vertical depth is 0.1.
        let depth = 0.1;
        let tables = Tables::new(vec![300.0, 301.0], vec![1.0]).unwrap().without_scattering();
        let tables = tables.ozone(|_, _| depth / total).unwrap().reaction("a", |_, _| (1.0, 0.0)).unwrap();
        let lowest = run(&tables, &columns).rate_per_s[0];
        let path = -Real::ln(lowest) / depth;
        let chapman = by_hand(cosine);
        println!("cosine {cosine}: {path} by layers, {chapman} by shells");
        assert!((path / chapman - 1.0).abs() < 1e-2, "{cosine}: {path} instead of {chapman}");
        assert!(cosine > 0.15 || path < 0.98 / cosine, "{cosine}: {path}");
    }
    // Chapman's function at the horizon: sqrt(pi r / 2 H), with what is above 80 km.
    let horizon = Real::sqrt(0.5 * core::f64::consts::PI * EARTH_KM / 8.0);
    assert!((by_hand(0.0) / horizon - 1.0).abs() < 1e-3);
}

/// Below the horizon the Sun lights what is high enough, and no more.
#[test]
fn twilight_reaches_down_to_the_earths_shadow() {
    let tables = Tables::new(vec![600.0, 610.0], vec![1.0]).unwrap().without_scattering();
    let tables = tables.reaction("a", |_, _| (1.0, 0.0)).unwrap();
    let columns = column(80, -0.1);
    let rates = run(&tables, &columns).rate_per_s;
    // The shadow of the ground ends where (r + z) sine = r.
    let shadow = EARTH_KM / Real::sqrt(0.99) - EARTH_KM;
    for (layer, rate) in rates.iter().enumerate() {
        let (low, high) = (columns.height_km[layer], columns.height_km[layer + 1]);
        let want = if low > shadow { 1.0 } else { 0.0 };
        assert!((low <= shadow && high > shadow) || (rate - want).abs() < 1e-15, "{low} km: {rate}");
    }
    assert!(run(&tables, &column(80, -0.5)).rate_per_s.iter().all(|rate| *rate == 0.0));
    // As the Sun sets nothing jumps.
    let [before, after] = [1e-9, -1e-9].map(|cosine| run(&tables, &column(80, cosine)).rate_per_s);
    for layer in 1..80 {
        assert!((before[layer] - after[layer]).abs() < 1e-6, "{layer}: {} {}", before[layer], after[layer]);
    }
}
