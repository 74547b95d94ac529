//! The surface layer of similarity.

use isobar_core::Real;
use isobar_ysu::constants::KARMAN;
use isobar_ysu::similarity::*;

/// The least friction velocity \[m/s\].
const LEAST_FRICTION: f64 = 1e-3;

const LAYERS: [SurfaceLayer<f64>; 4] = [
    SurfaceLayer { height_m: 10.0, roughness_m: 1e-4, roughness_heat_m: 1e-4 },
    SurfaceLayer { height_m: 25.0, roughness_m: 0.1, roughness_heat_m: 0.1 },
    SurfaceLayer { height_m: 60.0, roughness_m: 2.0, roughness_heat_m: 2.0 },
    SurfaceLayer { height_m: 3.0, roughness_m: 5.0, roughness_heat_m: 5.0 },
];

fn close(got: f64, expected: f64, tolerance: f64) {
    assert!((got - expected).abs() <= tolerance * (1.0 + expected.abs()), "{got} instead of {expected}");
}

#[test]
fn a_neutral_layer_is_logarithmic() {
    assert_eq!((stability_momentum(0.0), stability_heat(0.0)), (0.0, 0.0));
    // From the unstable side, too.
    assert!(stability_momentum(-1e-12).abs() < 1e-11 && stability_heat(-1e-12).abs() < 1e-11);
    for layer in LAYERS {
        let logarithm = Real::ln(1.0 + layer.height_m / layer.roughness_m);
        close(layer.momentum(0.0), logarithm, 1e-14);
        close(layer.heat(0.0), logarithm, 1e-14);
        close(layer.ten_metres(0.0), Real::ln(1.0 + 10.0 / layer.roughness_m) / logarithm, 1e-14);
        assert_eq!(layer.zeta_of_wind(5.0, 0.0), 0.0);
        assert_eq!(layer.zeta_of_friction(0.3, 0.0), 0.0);
        assert_eq!(layer.zeta_of_richardson(0.0), 0.0);
        close(layer.friction(5.0, 0.0), 2.0 / logarithm, 1e-14);
    }
}

/// The functions are integrals of `(1 - phi) / zeta`: Simpson's rule says so.
#[test]
fn stability_functions_are_the_integrals_of_the_gradients() {
    for end in [-0.01, -0.5, -3.0, -40.0] {
        let integral = |phi: &dyn Fn(f64) -> f64| {
            let intervals = 20_000;
            let step = end / f64::from(intervals);
            let f = |i: i32| {
                let zeta = step * f64::from(i);
                // The limit at 0 by a small argument.
                let zeta = if i == 0 { -1e-7 } else { zeta };
                (1.0 - phi(zeta)) / zeta
            };
            let inner: f64 = (1..intervals).map(|i| if i % 2 == 1 { 4.0 * f(i) } else { 2.0 * f(i) }).sum();
            (f(0) + inner + f(intervals)) * step / 3.0
        };
        close(stability_momentum(end), integral(&|zeta| 1.0 / (1.0 - 16.0 * zeta).sqrt().sqrt()), 1e-6);
        close(stability_heat(end), integral(&|zeta| 1.0 / (1.0 - 16.0 * zeta).sqrt()), 1e-6);
    }
    assert_eq!((stability_momentum(2.0), stability_heat(2.0)), (-10.0, -10.0));
}

#[test]
fn profiles_are_positive_and_grow_with_stability() {
    for layer in LAYERS {
        let zetas = [-100.0, -10.0, -1.0, -0.1, 0.0, 0.1, 1.0, 10.0];
        let profiles: [fn(&SurfaceLayer<f64>, f64) -> f64; 3] =
            [SurfaceLayer::momentum, SurfaceLayer::heat, SurfaceLayer::richardson];
        for (i, profile) in profiles.iter().enumerate() {
            let values = zetas.map(|zeta| profile(&layer, zeta));
            assert!(values.windows(2).all(|pair| pair[0] < pair[1]), "{layer:?} {values:?}");
            assert!(i == 2 || values[0] > 0.0, "{layer:?} {values:?}");
        }
        // The limit of very stable air.
        assert!(layer.richardson(10.0) < 0.2);
    }
}

#[test]
fn stability_is_found_again() {
    for layer in LAYERS {
        for zeta in [-50.0, -5.0, -0.3, -1e-3, 1e-3, 0.05, 0.3, 4.0] {
            close(layer.zeta_of_richardson(layer.richardson(zeta)), zeta, 1e-10);
            close(zeta_of_profiles(layer.richardson(zeta), layer.momentum(zeta), layer.heat(zeta)), zeta, 1e-13);
            let wind = 6.0;
            let friction = layer.friction(wind, zeta);
            let buoyancy = -zeta * friction * friction * friction / (KARMAN * layer.height_m);
            close(layer.zeta_of_friction(friction, buoyancy), zeta, 1e-12);
            // In stable air there are two, of which the weaker stability is taken.
            if zeta < 0.1 * Real::ln(1.0 + layer.height_m / layer.roughness_m) {
                close(layer.zeta_of_wind(wind, buoyancy), zeta, 1e-9);
            }
        }
    }
}

#[test]
fn what_no_wind_can_carry_is_limited() {
    for layer in LAYERS {
        let limit = 0.1 * Real::ln(1.0 + layer.height_m / layer.roughness_m);
        close(layer.zeta_of_wind(0.5, -1.0), limit, 1e-14);
        assert_eq!(layer.zeta_of_richardson(3.0), 10.0);
        assert_eq!(layer.zeta_of_richardson(-1e6), -100.0);
        assert_eq!(layer.zeta_of_friction(1e-3, 0.01), -100.0);
        assert_eq!(layer.zeta_of_friction(1e-3, -0.01), 10.0);
        assert!(layer.zeta_of_friction(f64::NAN, 0.1).is_nan());
        assert_eq!(layer.friction(0.0, 0.0), LEAST_FRICTION);
    }
}

/// A hot desert and a cold night, in the order of magnitude of textbooks.
#[test]
fn the_buoyancy_flux_is_that_of_virtual_heat() {
    let day = buoyancy_flux(300.0, 0.0, 1.2, 300.0, 300.0);
    close(day, 9.81 / 300.0 * 300.0 / (1.2 * 1004.5), 1e-14);
    assert!(buoyancy_flux(0.0, 1e-4, 1.2, 300.0, 301.0) > 0.0);
}

/// Side by side or alone, and in the limits: the same bits.
#[test]
fn layers_side_by_side_have_the_stability_of_each() {
    let numbers = [-1e6, -3.0, -0.1, 0.0, 1e-3, 0.15, 3.0, f64::NAN];
    let layers = std::array::from_fn::<_, 8, _>(|i| LAYERS[i % 4]);
    let together = zetas_of_richardson(layers, numbers);
    for i in 0..8 {
        assert_eq!(together[i].to_bits(), layers[i].zeta_of_richardson(numbers[i]).to_bits(), "{}", numbers[i]);
    }
    assert_eq!((together[0], together[3], together[6]), (-100.0, 0.0, 10.0));
}
