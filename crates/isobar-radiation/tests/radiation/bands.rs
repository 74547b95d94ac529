//! Fluxes by band: they add up to the totals, which are what they are without.

use isobar_core::Real;
use isobar_radiation::{
    Angles, Columns, DeltaScaling, Device, Fluxes, LongwaveScattering, Options, Precision, Radiation, analytic,
};

use crate::models::{ecckd, rrtmgp};

const COUNT: usize = 9;
const LAYERS: usize = 30;

fn run<R: Precision>(radiation: &Radiation<R>, columns: &Columns<R>, options: &Options) -> Fluxes<R> {
    let model = radiation.clone().on(&[Device::Cpu]);
    model.run(columns, options).unwrap_or_else(|error| panic!("{error}"))
}

/// Bands add up to the total.
fn add_up<R: Real>(what: &str, by_band: &[R], total: &[R], bands: usize) {
    assert_eq!(by_band.len(), bands * total.len(), "{what}");
    let mut largest = 0.0_f64;
    for (index, total) in total.iter().enumerate() {
        let (level, column) = (index / COUNT, index % COUNT);
        let of = |band: usize| by_band[(level * bands + band) * COUNT + column].value();
        for band in 0..bands {
            assert!(of(band) >= 0.0, "{what}: {:e} at level {level}, band {band}, column {column}", of(band));
        }
        largest = largest.max(((0..bands).map(of).sum::<f64>() - total.value()).abs());
    }
    // Both are sums of up to 256 numbers, of at most 1361 W/m^2 together, in trees of at most 13 additions.
    assert!(largest < 13.0 * 1361.0 * R::EPSILON.value(), "{what}: {largest:e}");
}

/// By each method, with clouds and without; day and night.
fn each_method<R: Precision>(what: &str, radiation: &Radiation<R>, [longwave, shortwave]: [usize; 2]) {
    let plain = Options { derivative: true, clear_sky: true, ..Options::default() };
    for (cloudy, options) in [
        (false, plain.clone()),
        (true, plain.clone()),
        (true, Options { angles: Angles::Gauss(3), ..plain.clone() }),
        (true, Options { longwave_scattering: LongwaveScattering::Rescaled, ..plain.clone() }),
        (true, Options { longwave_scattering: LongwaveScattering::TwoStream, ..plain.clone() }),
        (true, Options { delta_scaling: DeltaScaling::Mixture, ..plain.clone() }),
    ] {
        let mut columns = analytic::columns::<R>(COUNT, LAYERS, cloudy);
        columns.cosine_zenith[3] = R::from_f64(-0.1);
        let without = run(radiation, &columns, &options);
        assert!(without.longwave_up_by_band_w_per_m2.is_empty() && without.shortwave_up_by_band_w_per_m2.is_empty());
        let mut with = run(radiation, &columns, &Options { band_fluxes: true, ..options.clone() });
        for (field, by_band, total, bands) in [
            ("longwave_up", &with.longwave_up_by_band_w_per_m2, &with.longwave_up_w_per_m2, longwave),
            ("longwave_down", &with.longwave_down_by_band_w_per_m2, &with.longwave_down_w_per_m2, longwave),
            ("shortwave_up", &with.shortwave_up_by_band_w_per_m2, &with.shortwave_up_w_per_m2, shortwave),
            ("shortwave_down", &with.shortwave_down_by_band_w_per_m2, &with.shortwave_down_w_per_m2, shortwave),
            ("shortwave_direct", &with.shortwave_direct_by_band_w_per_m2, &with.shortwave_direct_w_per_m2, shortwave),
        ] {
            add_up(&format!("{what}, {field}, {options:?}"), by_band, total, bands);
        }
        for by_band in [
            &mut with.longwave_up_by_band_w_per_m2,
            &mut with.longwave_down_by_band_w_per_m2,
            &mut with.shortwave_up_by_band_w_per_m2,
            &mut with.shortwave_down_by_band_w_per_m2,
            &mut with.shortwave_direct_by_band_w_per_m2,
        ] {
            by_band.clear();
        }
        // Nothing else changes, to the last bit.
        assert!(with == without, "{what}");
    }
}

#[test]
fn bands_add_up() {
    each_method::<f64>("ecCKD f64", &ecckd(), [1, 5]);
    each_method::<f32>("ecCKD f32", &ecckd(), [1, 5]);
    // Bands that end within a warp.
    let Some(radiation) = rrtmgp::<f64>(["g128", "g112"]) else { return };
    each_method("RRTMGP f64", &radiation, [16, 14]);
}
