//! The surface layer by Monin and Obukhov's similarity.
//!
//! With the height `z` of the middle of the lowest layer, the roughness length `z0` and `zeta = z / L`, `L` Obukhov's
//! length, the integrated profiles are
//!
//! `psim = ln((z + z0) / z0) - psi_m(zeta (1 + z0 / z)) + psi_m(zeta z0 / z)`,
//! `psih = ln((z + z0) / z0h) - psi_h(zeta (1 + z0 / z)) + psi_h(zeta z0h / z)`
//!
//! with the roughness length `z0h` of heat, often `z0`, and the bulk Richardson number of the layer is `br = zeta psih
//! / psim^2`, so that a scheme that takes `zeta = br psim^2 / psih`, as YSU does, finds the same `zeta`. The stability
//! functions are Paulson's (1970, doi:10.1175/1520-0450(1970)009<0857:TMROWS>2.0.CO;2) integrals of the profiles of
//! Businger and Dyer with the constants 16 and 5 (Dyer 1974, doi:10.1007/BF00240838), the same that the scheme uses
//! above:
//!
//! * unstable, `x = (1 - 16 zeta)^(1/4)`: `psi_m = 2 ln((1 + x) / 2) + ln((1 + x^2) / 2) - 2 atan(x) + pi / 2`,
//!   `psi_h = 2 ln((1 + x^2) / 2)`;
//! * stable: `psi_m = psi_h = -5 zeta`.
//!
//! `zeta` comes from the first of these that is known, within -100 and 10:
//!
//! 1. `br`, with `psim` and `psih` if they are known, too: `zeta = br psim^2 / psih`; without them, the inverse of
//!    `br(zeta)`;
//! 2. the friction velocity and the surface fluxes: `zeta = -k g z F / (thetav ust^3)`, `F` the kinematic flux of
//!    virtual potential temperature;
//! 3. the wind and the surface fluxes: the same with `ust = k wspd / psim(zeta)`, solved by bisection. In stable air
//!    `zeta ust^3` has a largest value, at `zeta = ln((z + z0) / z0) / 10`: a downward flux beyond it, which no wind of
//!    this speed can carry, gives that `zeta`.
//!
//! A friction velocity is `k wspd / psim`, at least 0.001 m/s. The wind at 10 m is that of the lowest layer times
//! `psim(10 m) / psim(z)`.

use isobar_core::Real;

use crate::constants::{GRAVITY, HEAT_CAPACITY, KARMAN, VIRTUAL};

/// The range of `z / L`.
const MOST_UNSTABLE: f64 = -100.0;
const MOST_STABLE: f64 = 10.0;
/// The least friction velocity \[m/s\].
const LEAST_FRICTION: f64 = 1e-3;
/// Halvings of an interval: to the last bit.
const HALVINGS: usize = 80;

/// `psi_m`, what stability takes from the profile of momentum.
#[must_use]
#[inline(always)]
pub fn stability_momentum<R: Real>(zeta: R) -> R {
    if zeta >= R::ZERO { stable_layer(zeta) } else { unstable_momentum(zeta) }
}

/// `psi_h`, what stability takes from the profile of heat.
#[inline(always)]
#[must_use]
pub fn stability_heat<R: Real>(zeta: R) -> R {
    if zeta >= R::ZERO { stable_layer(zeta) } else { unstable_heat(zeta) }
}

/// Both in stable air.
#[inline(always)]
fn stable_layer<R: Real>(zeta: R) -> R {
    -R::from_f64(5.0) * zeta
}

/// `psi_m` in unstable air; elsewhere it may be no number.
#[inline(always)]
fn unstable_momentum<R: Real>(zeta: R) -> R {
    let (half, two) = (R::from_f64(0.5), R::from_f64(2.0));
    let square = (R::ONE - R::from_f64(16.0) * zeta).sqrt();
    let x = square.sqrt();
    two * (half * (R::ONE + x)).ln() + (half * (R::ONE + square)).ln() - two * x.atan()
        + R::from_f64(core::f64::consts::FRAC_PI_2)
}

/// `psi_h` in unstable air; elsewhere it may be no number.
#[inline(always)]
fn unstable_heat<R: Real>(zeta: R) -> R {
    let root = (R::ONE - R::from_f64(16.0) * zeta).sqrt();
    R::from_f64(2.0) * (R::from_f64(0.5) * (R::ONE + root)).ln()
}

/// A layer of air over a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceLayer<R> {
    /// Height of the middle of the lowest layer \[m\].
    pub height_m: R,
    /// Roughness length of momentum \[m\], positive.
    pub roughness_m: R,
    /// Roughness length of heat and moisture \[m\], positive, less than the height.
    pub roughness_heat_m: R,
}

impl<R: Real> SurfaceLayer<R> {
    /// `psim` at `z / L`.
    #[inline(always)]
    #[must_use]
    pub fn momentum(&self, zeta: R) -> R {
        self.profile(self.height_m, self.roughness_m, zeta, stability_momentum)
    }

    /// `psih` at `z / L`.
    #[inline(always)]
    #[must_use]
    pub fn heat(&self, zeta: R) -> R {
        self.profile(self.height_m, self.roughness_heat_m, zeta, stability_heat)
    }

    /// `psim` at 10 m over that of the lowest layer, which has this `z / L`.
    #[inline(always)]
    #[must_use]
    pub fn ten_metres(&self, zeta: R) -> R {
        let ten = R::from_f64(10.0);
        self.profile(ten, self.roughness_m, zeta * ten / self.height_m, stability_momentum) / self.momentum(zeta)
    }

    /// The bulk Richardson number at `z / L`.
    #[inline(always)]
    #[must_use]
    pub fn richardson(&self, zeta: R) -> R {
        let momentum = self.momentum(zeta);
        zeta * self.heat(zeta) / (momentum * momentum)
    }

    /// The `z / L` of a bulk Richardson number.
    #[must_use]
    pub fn zeta_of_richardson(&self, richardson: R) -> R {
        let [zeta] = zetas_of_richardson([*self], [richardson]);
        zeta
    }

    /// The `z / L` of a wind speed \[m/s\] and a buoyancy flux `F g / thetav` \[m^2/s^3\], upward.
    #[inline(always)]
    #[must_use]
    pub fn zeta_of_wind(&self, wind_speed: R, buoyancy_flux: R) -> R {
        let target = R::from_f64(KARMAN) * self.height_m * buoyancy_flux;
        let largest = R::from_f64(0.1) * (R::ONE + self.height_m / self.roughness_m).ln();
        let (unstable, stable) = (R::from_f64(MOST_UNSTABLE), R::from_f64(MOST_STABLE));
        let range = if target > R::ZERO { (unstable, R::ZERO) } else { (R::ZERO, largest.min(stable)) };
        solve(range, |zeta| {
            let friction = self.friction(wind_speed, zeta);
            -zeta * (friction * friction * friction) > target
        })
    }

    /// The friction velocity \[m/s\] of a wind speed at `z / L`.
    #[inline(always)]
    #[must_use]
    pub fn friction(&self, wind_speed: R, zeta: R) -> R {
        (R::from_f64(KARMAN) * wind_speed / self.momentum(zeta)).max(R::from_f64(LEAST_FRICTION))
    }

    /// The `z / L` of a friction velocity \[m/s\] and a buoyancy flux.
    #[must_use]
    pub fn zeta_of_friction(&self, friction: R, buoyancy_flux: R) -> R {
        limited(-R::from_f64(KARMAN) * self.height_m * buoyancy_flux / (friction * friction * friction))
    }

    /// From `foot`, where the profile is 0, to `height` above the roughness length of momentum.
    #[inline(always)]
    fn profile(&self, height: R, foot: R, zeta: R, stability: impl Fn(R) -> R) -> R {
        let top = zeta + zeta * self.roughness_m / height;
        ((height + self.roughness_m) / foot).ln() - stability(top) + stability(zeta * foot / height)
    }
}

/// `z / L` as the scheme has it, of a bulk Richardson number and the profiles.
#[must_use]
pub fn zeta_of_profiles<R: Real>(richardson: R, momentum: R, heat: R) -> R {
    limited(richardson * momentum * momentum / heat)
}

/// `F g / thetav` \[m^2/s^3\] of heat \[W/m^2\] and moisture \[kg/(m^2 s)\], for density, potential and virtual
/// potential temperature.
#[inline(always)]
#[must_use]
pub fn buoyancy_flux<R: Real>(heat: R, moisture: R, density: R, theta: R, theta_v: R) -> R {
    let flux = heat / (density * R::from_f64(HEAT_CAPACITY)) + moisture / density * R::from_f64(VIRTUAL) * theta;
    R::from_f64(GRAVITY) / theta_v * flux
}

/// NaN stays.
fn limited<R: Real>(zeta: R) -> R {
    zeta.clamp(R::from_f64(MOST_UNSTABLE), R::from_f64(MOST_STABLE))
}

/// [`SurfaceLayer::zeta_of_richardson`] of several layers side by side, the same bits.
#[inline(always)]
#[must_use]
pub fn zetas_of_richardson<R: Real, const W: usize>(layers: [SurfaceLayer<R>; W], richardson: [R; W]) -> [R; W] {
    let (mut low, mut high) = ([R::ZERO; W], [R::ZERO; W]);
    for lane in 0..W {
        let unstable = richardson[lane] < R::ZERO;
        low[lane] = if unstable { R::from_f64(MOST_UNSTABLE) } else { R::ZERO };
        high[lane] = if unstable { R::ZERO } else { R::from_f64(MOST_STABLE) };
    }
    let ends = (low, high);
    let half = R::from_f64(0.5);
    let (mut logarithm, mut logarithm_heat) = ([R::ZERO; W], [R::ZERO; W]);
    for lane in 0..W {
        let SurfaceLayer { height_m, roughness_m, roughness_heat_m } = layers[lane];
        logarithm[lane] = ((height_m + roughness_m) / roughness_m).ln();
        logarithm_heat[lane] = ((height_m + roughness_m) / roughness_heat_m).ln();
    }
    for _ in 0..HALVINGS {
        // In two loops: in one, the compiler would branch around what is not needed, and not vectorise.
        let (mut middle, mut unstable) = ([R::ZERO; W], [[R::ZERO; W]; 4]);
        for lane in 0..W {
            middle[lane] = half * (low[lane] + high[lane]);
            let below = middle[lane] * layers[lane].roughness_m / layers[lane].height_m;
            unstable[0][lane] = unstable_momentum(middle[lane] + below);
            unstable[1][lane] = unstable_momentum(below);
            unstable[2][lane] = unstable_heat(middle[lane] + below);
            unstable[3][lane] = unstable_heat(middle[lane] * layers[lane].roughness_heat_m / layers[lane].height_m);
        }
        for lane in 0..W {
            let zeta = middle[lane];
            let below = zeta * layers[lane].roughness_m / layers[lane].height_m;
            let (above, stable) = (stable_layer(zeta + below), zeta + below >= R::ZERO);
            let foot_heat = zeta * layers[lane].roughness_heat_m / layers[lane].height_m;
            let stable_foot = below >= R::ZERO;
            let choose = |stable: bool, one: R, other: R| if stable { one } else { other };
            let momentum = logarithm[lane] - choose(stable, above, unstable[0][lane])
                + choose(stable_foot, stable_layer(below), unstable[1][lane]);
            let heat = logarithm_heat[lane] - choose(stable, above, unstable[2][lane])
                + choose(stable_foot, stable_layer(foot_heat), unstable[3][lane]);
            let is_below = zeta * heat / (momentum * momentum) < richardson[lane];
            low[lane] = if is_below { zeta } else { low[lane] };
            high[lane] = if is_below { high[lane] } else { zeta };
        }
    }
    let mut zetas = [R::ZERO; W];
    for lane in 0..W {
        let (first, last) = (ends.0[lane], ends.1[lane]);
        let beyond = layers[lane].richardson(last) < richardson[lane];
        let within = layers[lane].richardson(first) < richardson[lane];
        let between = half * (low[lane] + high[lane]);
        zetas[lane] = if beyond {
            last
        } else if within {
            between
        } else {
            first
        };
    }
    zetas
}

/// Where `below` turns from true to false; the nearer end, where it does not.
#[inline(always)]
fn solve<R: Real>((mut low, mut high): (R, R), below: impl Fn(R) -> bool) -> R {
    if below(high) {
        return high;
    }
    if !below(low) {
        return low;
    }
    let half = R::from_f64(0.5);
    for _ in 0..HALVINGS {
        let middle = half * (low + high);
        if below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    half * (low + high)
}
