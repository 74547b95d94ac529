//! Rates that have closed forms.

use isobar_core::Real;
use isobar_photolysis::{Columns, Tables};

use crate::{column, run};

fn close(got: f64, want: f64, tolerance: f64) {
    assert!((got - want).abs() <= tolerance * want.abs(), "{got} instead of {want}");
}

#[test]
fn without_air_rates_are_the_sum_over_the_spectrum() {
    let sun = vec![1e12, 3e13, 2e14];
    let tables = Tables::new(vec![290.0, 300.0, 320.0, 400.0], sun.clone()).unwrap();
    let product = |l: f64, t: f64| 1e-20 * (l / 300.0) * (1.0 + 0.002 * (t - 250.0));
    let tables = tables.reaction("a", |l, t| (product(l, t), 0.0)).unwrap();
    let tables = tables.reaction("b", |l, _| (1e-19 * l, 4e-20)).unwrap();
    let mut columns = column(3, 0.3);
    columns.air_per_cm2.fill(0.0);
    columns.ozone_per_cm2.fill(0.0);
    columns.nearness = vec![1.03];
    // Temperatures between and beyond the nodes.
    columns.temperature_k = vec![251.3, 120.0, 350.0];
    let rates = run(&tables, &columns);
    for layer in 0..3 {
        let t = columns.temperature_k[layer].clamp(180.0, 320.0);
        let by_hand = |of: &dyn Fn(f64) -> f64| -> f64 {
            [295.0, 310.0, 360.0].iter().zip(&sun).map(|(l, photons)| 1.03 * photons * of(*l)).sum()
        };
        close(rates.rate_per_s[layer], by_hand(&|l| product(l, t)), 1e-14);
        // There is no air to quench.
        close(rates.rate_per_s[3 + layer], by_hand(&|l| 1e-19 * l), 1e-14);
    }
}

/// Lambert and Beer along plane layers, as thick as they are: the mean of the layer, with what air quenches.
#[test]
fn absorption_alone_is_beers_law() {
    let (cross_section, quenching) = (1e-18, 4e-20);
    let tables = Tables::new(vec![300.0, 310.0], vec![1e14]).unwrap().without_scattering();
    let tables = tables.ozone(|_, _| cross_section).unwrap().reaction("a", |_, _| (1e-20, quenching)).unwrap();
    for layers in [1, 7, 40] {
        let columns = column(layers, 1.0);
        let rates = run(&tables, &columns);
        let mut above = 0.0;
        for layer in (0..layers).rev() {
            let depth = cross_section * columns.ozone_per_cm2[layer];
            let mean = Real::exp(-above) * -Real::exp_m1(-depth) / depth;
            let thickness = columns.height_km[layer + 1] - columns.height_km[layer];
            let density = columns.air_per_cm2[layer] / (1e5 * thickness);
            close(rates.rate_per_s[layer], 1e14 * mean * 1e-20 / (1.0 + quenching * density), 1e-12);
            above += depth;
        }
    }
}

/// Where nothing absorbs, all light that comes in goes out: the net flux, of which actinic flux has the diffuse part,
/// is kept. Over a white ground a conservative atmosphere is filled by the Sun alone.
#[test]
fn conservative_layers_keep_light() {
    let tables = Tables::new(vec![400.0, 410.0], vec![1.0]).unwrap().reaction("a", |_, _| (1.0, 0.0)).unwrap();
    let mut columns = column(20, 1.0);
    columns.ozone_per_cm2.fill(0.0);
    columns.cloud_optical_depth = vec![0.0; 20];
    let clear = run(&tables, &columns).rate_per_s;
    columns.albedo = vec![1.0];
    let white = run(&tables, &columns).rate_per_s;
    // With the Sun overhead as much comes up as goes down: 1 of the beam, and its flux back as diffuse light, of which
    // two streams make twice the photons.
    for (layer, (clear, white)) in clear.iter().zip(&white).enumerate() {
        assert!(*clear > 0.8 && *clear < 2.0, "{layer}: {clear}");
        assert!(*white > 2.8 && *white < 3.6, "{layer}: {white}");
    }
    close(white[19], 3.0, 2e-3);
}

/// Above a bright cloud there is more light, below less, and within its upper part most.
#[test]
fn clouds_brighten_above_and_darken_below() {
    let tables = Tables::new(vec![380.0, 390.0], vec![1.0]).unwrap().reaction("a", |_, _| (1.0, 0.0)).unwrap();
    let mut columns = column(40, 0.9);
    let clear = run(&tables, &columns).rate_per_s;
    columns.cloud_optical_depth = vec![0.0; 40];
    (columns.cloud_optical_depth[1], columns.cloud_optical_depth[2]) = (20.0, 20.0);
    let cloudy = run(&tables, &columns).rate_per_s;
    assert!(cloudy[0] < 0.7 * clear[0] && cloudy[3] > 1.3 * clear[3] && cloudy[2] > clear[2], "{cloudy:?}");
    // An optical depth of 0 is none.
    columns.cloud_optical_depth = vec![0.0; 40];
    assert_eq!(run(&tables, &columns).rate_per_s, clear);
}

/// Rates are sums over reactions and columns of their own: neighbours change nothing, to the last bit.
#[test]
fn neighbours_change_nothing() {
    let tables = Tables::new(vec![300.0, 310.0, 330.0], vec![1e13, 1e14]).unwrap();
    let tables = tables.ozone(|l, t| 1e-19 * (310.0 - l).max(0.1) * t / 250.0).unwrap();
    let tables = tables.reaction("a", |l, _| (1e-20 * l, 1e-20)).unwrap();
    let cosines: Vec<f64> = (0..45).map(|i| -0.1 + 0.024 * f64::from(i)).collect();
    let alone: Vec<Vec<f64>> = cosines.iter().map(|&cosine| run(&tables, &column(12, cosine)).rate_per_s).collect();
    let one = column(12, 0.0);
    let each = |row: &[f64]| row.iter().flat_map(|&x| vec![x; 45]).collect::<Vec<f64>>();
    let all = Columns {
        height_km: each(&one.height_km),
        temperature_k: each(&one.temperature_k),
        air_per_cm2: each(&one.air_per_cm2),
        ozone_per_cm2: each(&one.ozone_per_cm2),
        cloud_optical_depth: vec![],
        cosine_of_zenith: cosines,
        albedo: vec![0.0; 45],
        nearness: vec![1.0; 45],
    };
    let together = run(&tables, &all).rate_per_s;
    for (number, alone) in alone.iter().enumerate() {
        for (layer, rate) in alone.iter().enumerate() {
            assert_eq!(rate.to_bits(), together[layer * 45 + number].to_bits(), "{number} {layer}");
        }
    }
}
