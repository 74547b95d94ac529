//! Where the series in azimuth may end: a bound of what the components left out amount to.
//!
//! The component `m` of the light `I(tau, +-mu)` at the nodes obeys `+-mu dI/dtau = -I + omega K I + S`, with the
//! sunlight that is scattered once, `S`, as the only source where `m > 0`. All moments and depths are without the
//! peak of delta-M. With the functions `Y_l` of order `m`, `e_l = sqrt(2 l + 1) sqrt(w) Y_l` at the nodes of a
//! hemisphere and the larger spectral norm `g` of the Gram matrices `e_l . e_k` of even and of odd `l - m` (1 but for
//! the quadrature's error):
//!
//! 1. **Scattering.** In both hemispheres `sqrt(w) K / sqrt(w)` is `sum chi_l e_l e_l^T` among light that is even, or
//!    odd, in the vertical. Its norm is at most `q = omega g max_(l >= m) |chi_l|`.
//! 2. **Energy.** Let `J = sqrt(w mu) I`. The equation times `J`, summed over nodes and integrated over depth, says
//!    that half of what leaves, `|J|^2/2`, and `int I w (1 - omega K) I` are together `int I w S`. Nothing enters, from
//!    above or, over a Lambertian surface, from below, where `m > 0`. So with `|I|^2 = int sum w I^2 dtau`:
//!    `(1 - q) |I|^2 <= |I| |S|`, or `|I| <= |S| / (1 - q)`, if `q < 1`, whatever the depth.
//! 3. **Source.** `S = omega F/(2 pi) e^(-tau/mu_0) sum_l (2 l + 1) chi_l Y_l(mu_0) Y_l`, so that `|S|^2` is
//!    at most the sum over layers of
//!    `(omega F/(2 pi))^2 2 g sum_l (2 l + 1) chi_l^2 Y_l(mu_0)^2 int e^(-2 tau/mu_0) dtau`.
//! 4. **A view** of cosine `mu` sees `int e^(-t/mu) (S + omega K I) dt/mu`. The kernel's row of the view has a norm of
//!    at most `a = omega sqrt(g/2 sum_l (2 l + 1) chi_l^2 Y_l(mu)^2)`. By Schwarz's inequality the part of `omega K I`
//!    is at most `|I|` times the root of the smaller of `max a^2/(2 mu)` and `sum a^2 tau/mu^2`.
//! 5. **Scattered once**, `S` in the direction of the view: at most `F/(2 pi)` times the smaller of `max s` and
//!    `sum s int e^(-tau/mu_0) dtau/mu`, where `s = omega |sum_l (2 l + 1) chi_l Y_l(mu) Y_l(mu_0)|`, even and
//!    odd `l - m` apart.
//!
//! The sum of 4 and 5 holds at every level, upward and downward, and so does its sum over the components left out, for
//! `|cos(m phi)| <= 1`.

use std::vec::Vec;

use isobar_core::Real;
use isobar_core::math::double::{exp, exp_m1, powi};

use crate::azimuth::{NodeTables, Options, ProfileViews, Surface};
use crate::physics::azimuth::optics::Optics;
use crate::physics::azimuth::quadrature::Quadrature;

/// How many components are needed, so that those left out change no radiance of a sun by more than `share` of
/// `mu_0 F/pi`, what a white Lambertian surface sends up: a reflectance. With 0 only those are left out that are 0.
///
/// All levels, views, azimuths and profiles count. Over surfaces other than Lambertian all components are needed, for
/// light that these reflect has no bound here; so are they where phase functions are so peaked, without delta scaling,
/// that the bound fails. At most [`Options::components`] are computed, whatever is needed.
///
/// ```
/// use isobar_adding::azimuth::{Options, ProfileViews, Profiles, components_needed};
///
/// let haze = Profiles {
///     viewing_cosine: vec![0.8],
///     relative_azimuth: vec![0.0],
///     optical_depth: vec![0.2],
///     single_scattering_albedo: vec![0.9],
///     asymmetry: vec![0.6],
///     surface_planck_radiance: vec![0.0],
///     surface_parameters: vec![0.1],
///     cosmic_background: vec![0.0],
///     sun_cosine: vec![0.5],
///     sun_irradiance: vec![1.0],
///     ..Profiles::default()
/// };
/// let (views, options) = (ProfileViews::try_from(&haze)?, Options::new(8));
/// assert_eq!(components_needed(&views, &options, 0.0), 16);
/// assert!(components_needed(&views, &options, 1e-3) < 12);
/// # Ok::<(), isobar_core::fields::Error>(())
/// ```
#[must_use]
pub fn components_needed<R: Real>(profiles: &ProfileViews<'_, R>, options: &Options, share: f64) -> usize {
    let all = options.computed_components(!profiles.relative_azimuth.is_empty());
    if all <= 1 || options.surface != Surface::Lambertian {
        return all;
    }
    let mut needed = 1;
    for bound in component_bounds(profiles, options) {
        let mut left = 0.0;
        let end = (1..all).rev().find(|&m| {
            left += bound[m];
            // Not a number: nothing is known.
            left.is_nan() || left > share
        });
        needed = needed.max(end.map_or(1, |m| m + 1));
    }
    needed
}

/// Bounds of each component of every profile's light over a Lambertian surface, of the Sun for which it is largest, as
/// shares of `mu_0 F/pi`; infinite where there is no bound, as for the first component.
#[must_use]
pub fn component_bounds<R: Real>(profiles: &ProfileViews<'_, R>, options: &Options) -> Vec<Vec<f64>> {
    let gram = gram_norms(options.nodes);
    let items = [profiles.optical_depth.items(), profiles.viewing_cosine.items(), profiles.sun_cosine.items()];
    let count = items.into_iter().max().unwrap_or(0);
    (0..count).map(|item| Column::of(profiles, options, item).bounds(&gram)).collect()
}

/// The larger norm of the Gram matrices of each component: the largest sum of a row is no less.
fn gram_norms(nodes: usize) -> Vec<f64> {
    let terms = 2 * nodes;
    let Quadrature { cosine, weight, .. } = Quadrature::double_gauss(nodes);
    let tables = NodeTables::new(nodes);
    let of_order = |m: usize| {
        let values: Vec<Vec<f64>> = cosine.iter().map(|&x| spherical(&tables, m, terms, x)).collect();
        let root = |l: usize| Real::sqrt((2 * l + 1) as f64);
        let dot = |l: usize, k: usize| {
            let sum: f64 = values.iter().zip(&weight).map(|(y, w)| w * y[l] * y[k]).sum();
            (root(l) * root(k) * sum).abs()
        };
        let row = |l: usize| (m..terms).filter(|k| (k + l).is_multiple_of(2)).map(|k| dot(l, k)).sum::<f64>();
        (m..terms).map(row).fold(0.0, f64::max)
    };
    (0..terms).map(of_order).collect()
}

/// `Y_l^m` of a cosine, of all `l` below `terms`; 0 below `m`.
fn spherical(tables: &NodeTables, m: usize, terms: usize, cosine: f64) -> Vec<f64> {
    let sine = Real::sqrt(((1.0 - cosine) * (1.0 + cosine)).max(0.0));
    let (mut before, mut now) = (0.0, tables.first[m] * powi(sine, m as i32));
    let mut all = vec![0.0; terms];
    for (l, value) in all.iter_mut().enumerate().skip(m) {
        if l > m {
            let next = tables.ahead[m * terms + l] * cosine * now - tables.back[m * terms + l] * before;
            (before, now) = (now, next);
        }
        *value = now;
    }
    all
}

/// A profile without its peaks.
struct Column {
    tables: NodeTables,
    terms: usize,
    depth: Vec<f64>,
    albedo: Vec<f64>,
    /// `[layer][l]`.
    moments: Vec<Vec<f64>>,
    views: Vec<f64>,
    suns: Vec<f64>,
}

impl Column {
    fn of<R: Real>(profiles: &ProfileViews<'_, R>, options: &Options, item: usize) -> Self {
        let (layers, terms) = (profiles.optical_depth.levels(), 2 * options.nodes);
        let count = profiles.phase_moments.levels() / layers.max(1);
        let moment = |layer: usize, l: usize| {
            if count == 0 {
                powi(profiles.asymmetry.at(layer, item).value(), l as i32)
            } else if l < count {
                profiles.phase_moments.at(layer * count + l, item).value()
            } else {
                0.0
            }
        };
        let (mut depth, mut albedo, mut moments) = (Vec::new(), Vec::new(), Vec::new());
        for layer in 0..layers {
            let peak = if options.delta_scaling { moment(layer, terms) } else { 0.0 };
            let own = profiles.optical_depth.at(layer, item).value();
            let scaled = Optics::without_peak(own, profiles.single_scattering_albedo.at(layer, item).value(), peak);
            depth.push(scaled.depth);
            albedo.push(scaled.albedo);
            let scale = |chi: f64| if peak < 1.0 { (chi - peak) / (1.0 - peak) } else { 0.0 };
            moments.push((0..terms).map(|l| scale(moment(layer, l))).collect());
        }
        let all = |field: &isobar_core::Field<'_, R>| (0..field.levels()).map(|i| field.at(i, item).value()).collect();
        let mut suns: Vec<f64> = all(&profiles.sun_cosine);
        // No light at night.
        suns.retain(|&cosine| cosine > 0.0);
        Self {
            tables: NodeTables::new(options.nodes),
            terms,
            depth,
            albedo,
            moments,
            views: all(&profiles.viewing_cosine),
            suns,
        }
    }

    fn bounds(&self, gram: &[f64]) -> Vec<f64> {
        let mut all = vec![f64::INFINITY];
        all.extend((1..self.terms).map(|m| self.bound(m, gram[m])));
        all
    }

    /// The bound of a component, with the norm `gram`.
    fn bound(&self, m: usize, gram: f64) -> f64 {
        let layers = 0..self.depth.len();
        let functions = |cosine: &f64| spherical(&self.tables, m, self.terms, *cosine);
        let suns: Vec<Vec<f64>> = self.suns.iter().map(functions).collect();
        let views: Vec<Vec<f64>> = self.views.iter().map(functions).collect();
        // sum (2 l + 1) chi_l^2 Y_l^2 of a layer.
        let square = |layer: usize, y: &[f64]| {
            let chi = &self.moments[layer];
            (m..self.terms).map(|l| (2 * l + 1) as f64 * chi[l] * chi[l] * y[l] * y[l]).sum::<f64>()
        };
        let largest = |layer: usize| self.moments[layer][m..].iter().fold(0.0, |most: f64, chi| most.max(chi.abs()));
        let q = layers.clone().map(|layer| self.albedo[layer] * gram * largest(layer)).fold(0.0, f64::max);
        let mut worst = 0.0_f64;
        for (sun, of_sun) in self.suns.iter().zip(&suns) {
            // Of unit irradiance over 2 pi; 1/(2 pi) over mu_0/pi is 1/(2 mu_0).
            let (mut above, mut source) = (0.0, 0.0);
            let mut beam = Vec::new();
            for layer in layers.clone() {
                let depth = self.depth[layer];
                // Of a difference of exponentials nothing would be left in thin layers.
                let integral = |over: f64| sun / over * exp(-over * above / sun) * -exp_m1(-over * depth / sun);
                let albedo = self.albedo[layer];
                source += albedo * albedo * 2.0 * gram * square(layer, of_sun) * integral(2.0);
                beam.push(integral(1.0));
                above += depth;
            }
            for (view, of_view) in self.views.iter().zip(&views) {
                let (mut most, mut sum, mut once, mut once_sum) = (0.0_f64, 0.0, 0.0_f64, 0.0);
                for layer in layers.clone() {
                    let albedo = self.albedo[layer];
                    let row = albedo * albedo * 0.5 * gram * square(layer, of_view);
                    most = most.max(row);
                    sum += row * self.depth[layer];
                    let mut parts = [0.0; 2];
                    for l in m..self.terms {
                        parts[(l - m) % 2] += (2 * l + 1) as f64 * self.moments[layer][l] * of_view[l] * of_sun[l];
                    }
                    let scattered = albedo * (parts[0].abs() + parts[1].abs());
                    once = once.max(scattered);
                    once_sum += scattered * beam[layer] / view;
                }
                let seen = (most / (2.0 * view)).min(sum / (view * view));
                let more = Real::sqrt(seen * source);
                let more = if more == 0.0 {
                    0.0
                } else if q < 1.0 {
                    more / (1.0 - q)
                } else {
                    f64::INFINITY
                };
                worst = worst.max((once.min(once_sum) + more) / (2.0 * sun));
            }
        }
        worst
    }
}
