//! The surface layer by Monin and Obukhov's similarity, where a file does not have it.
//!
//! With the height `z` of the middle of the lowest layer, the roughness length `z0` and `zeta = z / L`, `L` Obukhov's length, the integrated profiles
//! are
//!
//! `psim = ln((z + z0) / z0) - psi_m(zeta (1 + z0 / z)) + psi_m(zeta z0 / z)`, and `psih` with `psi_h`,
//!
//! and the bulk Richardson number of the layer is `br = zeta psih / psim^2`, so that the scheme, which takes `zeta = br psim^2 / psih`, finds the same
//! `zeta`. The stability functions are Paulson's (1970, doi:10.1175/1520-0450(1970)009<0857:TMROWS>2.0.CO;2) integrals of the profiles of Businger
//! and Dyer with the constants 16 and 5 (Dyer 1974, doi:10.1007/BF00240838), the same that the scheme uses above:
//!
//! * unstable, `x = (1 - 16 zeta)^(1/4)`: `psi_m = 2 ln((1 + x) / 2) + ln((1 + x^2) / 2) - 2 atan(x) + pi / 2`, `psi_h = 2 ln((1 + x^2) / 2)`;
//! * stable: `psi_m = psi_h = -5 zeta`.
//!
//! `zeta` comes from the first of these that is known, within -100 and 10:
//!
//! 1. `br`, with `psim` and `psih` if they are known, too: `zeta = br psim^2 / psih`; without them, the inverse of `br(zeta)`;
//! 2. the friction velocity and the surface fluxes: `zeta = -k g z F / (thetav ust^3)`, `F` the kinematic flux of virtual potential temperature;
//! 3. the wind and the surface fluxes: the same with `ust = k wspd / psim(zeta)`, solved by bisection. In stable air `zeta ust^3` has a largest value,
//!    at `zeta = ln((z + z0) / z0) / 10`: a downward flux beyond it, which no wind of this speed can carry, gives that `zeta`.
//!
//! A friction velocity is `k wspd / psim`, at least 0.001 m/s. The wind at 10 m is that of the lowest layer times `psim(10 m) / psim(z)`.

use isobar_core::Real;
use isobar_ysu::constants::{GRAVITY, KARMAN};

/// The range of `z / L`.
const MOST_UNSTABLE: f64 = -100.0;
const MOST_STABLE: f64 = 10.0;
/// The least friction velocity \[m/s\].
const LEAST_FRICTION: f64 = 1e-3;
/// Halvings of an interval: to the last bit.
const HALVINGS: usize = 80;

/// `psi_m`, what stability takes from the profile of momentum.
#[must_use]
pub fn stability_momentum(zeta: f64) -> f64 {
    if zeta >= 0.0 {
        return -5.0 * zeta;
    }
    let square = Real::sqrt(1.0 - 16.0 * zeta);
    let x = Real::sqrt(square);
    2.0 * Real::ln(0.5 * (1.0 + x)) + Real::ln(0.5 * (1.0 + square)) - 2.0 * Real::atan(x)
        + core::f64::consts::FRAC_PI_2
}

/// `psi_h`, the same of heat.
#[must_use]
pub fn stability_heat(zeta: f64) -> f64 {
    if zeta >= 0.0 { -5.0 * zeta } else { 2.0 * Real::ln(0.5 * (1.0 + Real::sqrt(1.0 - 16.0 * zeta))) }
}

/// A layer of air over a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceLayer {
    /// Height of the middle of the lowest layer \[m\].
    pub height_m: f64,
    /// Roughness length \[m\], positive.
    pub roughness_m: f64,
}

impl SurfaceLayer {
    /// `psim` at `z / L`.
    #[must_use]
    pub fn momentum(&self, zeta: f64) -> f64 {
        self.profile(self.height_m, zeta, stability_momentum)
    }

    /// `psih` at `z / L`.
    #[must_use]
    pub fn heat(&self, zeta: f64) -> f64 {
        self.profile(self.height_m, zeta, stability_heat)
    }

    /// `psim` at 10 m over that of the lowest layer, which has this `z / L`.
    #[must_use]
    pub fn ten_metres(&self, zeta: f64) -> f64 {
        self.profile(10.0, zeta * 10.0 / self.height_m, stability_momentum) / self.momentum(zeta)
    }

    /// The bulk Richardson number at `z / L`.
    #[must_use]
    pub fn richardson(&self, zeta: f64) -> f64 {
        let momentum = self.momentum(zeta);
        zeta * self.heat(zeta) / (momentum * momentum)
    }

    /// The `z / L` of a bulk Richardson number.
    #[must_use]
    pub fn zeta_of_richardson(&self, richardson: f64) -> f64 {
        let range = if richardson < 0.0 { (MOST_UNSTABLE, 0.0) } else { (0.0, MOST_STABLE) };
        solve(range, |zeta| self.richardson(zeta) < richardson)
    }

    /// The `z / L` of a wind speed \[m/s\] and a buoyancy flux `F g / thetav` \[m^2/s^3\], upward.
    #[must_use]
    pub fn zeta_of_wind(&self, wind_speed: f64, buoyancy_flux: f64) -> f64 {
        let target = KARMAN * self.height_m * buoyancy_flux;
        let largest = 0.1 * Real::ln(1.0 + self.height_m / self.roughness_m);
        let range = if target > 0.0 { (MOST_UNSTABLE, 0.0) } else { (0.0, largest.min(MOST_STABLE)) };
        solve(range, |zeta| {
            let friction = self.friction(wind_speed, zeta);
            -zeta * (friction * friction * friction) > target
        })
    }

    /// The friction velocity \[m/s\] of a wind speed at `z / L`.
    #[must_use]
    pub fn friction(&self, wind_speed: f64, zeta: f64) -> f64 {
        (KARMAN * wind_speed / self.momentum(zeta)).max(LEAST_FRICTION)
    }

    /// The `z / L` of a friction velocity \[m/s\] and a buoyancy flux.
    #[must_use]
    pub fn zeta_of_friction(&self, friction: f64, buoyancy_flux: f64) -> f64 {
        limited(-KARMAN * self.height_m * buoyancy_flux / (friction * friction * friction))
    }

    fn profile(&self, height: f64, zeta: f64, stability: fn(f64) -> f64) -> f64 {
        let below = zeta * self.roughness_m / height;
        Real::ln((height + self.roughness_m) / self.roughness_m) - stability(zeta + below) + stability(below)
    }
}

/// `z / L` as the scheme has it, of a bulk Richardson number and the profiles.
#[must_use]
pub fn zeta_of_profiles(richardson: f64, momentum: f64, heat: f64) -> f64 {
    limited(richardson * momentum * momentum / heat)
}

/// `F g / thetav` \[m^2/s^3\] of heat \[W/m^2\] and moisture \[kg/(m^2 s)\], for density, potential and virtual potential temperature.
#[must_use]
pub fn buoyancy_flux(heat: f64, moisture: f64, density: f64, theta: f64, theta_v: f64) -> f64 {
    use isobar_ysu::constants::{HEAT_CAPACITY, VIRTUAL};
    let flux = heat / (density * HEAT_CAPACITY) + moisture / density * VIRTUAL * theta;
    GRAVITY / theta_v * flux
}

/// NaN stays.
fn limited(zeta: f64) -> f64 {
    zeta.clamp(MOST_UNSTABLE, MOST_STABLE)
}

/// Where `below` turns from true to false; the nearer end, where it does not.
fn solve((mut low, mut high): (f64, f64), below: impl Fn(f64) -> bool) -> f64 {
    if below(high) {
        return high;
    }
    if !below(low) {
        return low;
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYERS: [SurfaceLayer; 4] = [
        SurfaceLayer { height_m: 10.0, roughness_m: 1e-4 },
        SurfaceLayer { height_m: 25.0, roughness_m: 0.1 },
        SurfaceLayer { height_m: 60.0, roughness_m: 2.0 },
        SurfaceLayer { height_m: 3.0, roughness_m: 5.0 },
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
            let profiles: [fn(&SurfaceLayer, f64) -> f64; 3] =
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
}
