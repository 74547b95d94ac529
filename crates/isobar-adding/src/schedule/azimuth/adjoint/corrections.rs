//! The adjoint of Nakajima and Tanaka's corrections: a lane has a profile, whose directions add to the same layers.

use core::f64::consts::FRAC_1_PI;

use isobar_core::{Column, Field, FieldMut, Real};

use crate::fields::azimuth::{CotangentViews, GradientViews};
use crate::physics::azimuth::adjoint::single as slopes;
use crate::physics::azimuth::single;
use crate::physics::azimuth::surface::PARAMETERS;
use crate::schedule::azimuth::adjoint::add::add;
use crate::schedule::azimuth::adjoint::beams::{ALBEDO, DEPTH, OF_LAYER, PEAK, SCALED_ALBEDO, SCALED_DEPTH, STRAIGHT};
use crate::schedule::azimuth::adjoint::layers::add_moment;
use crate::schedule::azimuth::batch::Batch;
use crate::schedule::azimuth::corrections::{Corrections, Direction, Legendre};

/// From corrected radiances of a profile, an item, to its layers: adds to what
/// [`super::beams::BeamsAdjoint`] has begun.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CorrectionsAdjoint<'a, R> {
    /// The corrections.
    pub forward: Corrections<'a, R>,
    /// Derivatives by the radiances.
    pub cotangents: CotangentViews<'a, R>,
    /// The radiance that is missing at each level, of one direction at a time.
    pub radiances: FieldMut<'a, R>,
    /// At the rows of [`super::beams::BeamsAdjoint`].
    pub layers: FieldMut<'a, R>,
    /// The azimuths of the surface's components; see [`SurfaceComponents`](crate::schedule::azimuth::surface).
    pub azimuth: Column<'a, R>,
    /// Their weights.
    pub azimuth_weight: Column<'a, R>,
    /// As [`super::surface::SurfaceAdjoint`] leaves them; none of a Lambertian surface.
    pub parameters: FieldMut<'a, R>,
    /// By phase functions and irradiances.
    pub gradients: GradientViews<'a, R>,
}

impl<R: Real> CorrectionsAdjoint<'_, R> {
    #[inline(always)]
    pub(crate) fn profile(&self, profile: usize) {
        for row in 0..self.forward.directions() {
            let direction = self.forward.direction(row, profile);
            if self.batch().irradiance(direction.sun, profile) > R::ZERO {
                self.upward(&direction, profile);
                self.downward(&direction, profile);
            }
        }
    }

    #[inline(always)]
    fn batch(&self) -> &Batch<'_, R> {
        &self.forward.batch
    }

    /// The derivative by a direction's radiance at a level; `end` is the field of the one level that always counts.
    #[inline(always)]
    fn bar(&self, end: Option<&Field<'_, R>>, all: &Field<'_, R>, level: usize, row: usize, profile: usize) -> R {
        let at = |field: &Field<'_, R>, row: usize| if field.is_empty() { R::ZERO } else { field.at(row, profile) };
        let bar = at(all, level * self.forward.directions() + row);
        end.map_or(bar, |end| bar + at(end, row))
    }

    #[inline(always)]
    fn add(&self, layer: usize, kind: usize, profile: usize, more: R) {
        add(&self.layers, layer * OF_LAYER + kind, profile, more);
    }

    /// Light of a layer that is scattered once, of which `bar` is the derivative: by its own depth and phase function,
    /// and, what is returned, by the depth through which the beam comes.
    #[inline(always)]
    fn single(&self, layer: usize, direction: &Direction<R>, upward: bool, bar: R, profile: usize) -> R {
        let batch = self.batch();
        let Direction { sun, view_cosine: view, sun_cosine, .. } = *direction;
        let cosine = self.forward.scattering_cosine(direction, upward);
        let own = batch.optics(layer, profile).scaled.depth;
        let beam = self.forward.beam(layer, direction, profile);
        let missing = self.forward.missing(layer, profile, cosine);
        let (unit, slope) = if upward {
            (single::upward(R::ONE, own, view, sun_cosine), slopes::upward_by_depth(missing, own, view, sun_cosine))
        } else {
            (single::downward(R::ONE, own, view, sun_cosine), slopes::downward_by_depth(missing, own, view, sun_cosine))
        };
        let bar = bar * beam;
        add(&self.gradients.sun_irradiance, sun, profile, bar * unit * missing / batch.irradiance(sun, profile));
        self.add(layer, SCALED_DEPTH, profile, bar * slope);
        self.missing(layer, cosine, bar * unit, profile);
        -bar * unit * missing / sun_cosine
    }

    #[inline(always)]
    fn upward(&self, direction: &Direction<R>, profile: usize) {
        let (batch, layers) = (self.batch(), self.batch().layers());
        let cosine = self.forward.scattering_cosine(direction, true);
        let own = |layer: usize| batch.optics(layer, profile).scaled.depth;
        let beam = |level: usize| self.forward.beam(level, direction, profile);
        let reflected = self.forward.reflected(direction, profile);
        let mut radiance = beam(layers) * reflected;
        self.radiances.set(layers, profile, radiance);
        for layer in (0..layers).rev() {
            let missing = self.forward.missing(layer, profile, cosine);
            let light = single::upward(missing, own(layer), direction.view_cosine, direction.sun_cosine);
            radiance = (-(own(layer) / direction.view_cosine)).exp().mul_add(radiance, beam(layer) * light);
            self.radiances.set(layer, profile, radiance);
        }
        let mut bar = R::ZERO;
        for layer in 0..layers {
            let end = (layer == 0).then_some(&self.cotangents.top_radiance);
            bar += self.bar(end, &self.cotangents.upward_radiance, layer, direction.row, profile);
            let by_depth = self.single(layer, direction, true, bar, profile);
            bar = self.passed(layer, direction, layer + 1, bar, profile);
            // In the place of the radiance, which nobody needs any more.
            self.radiances.set(layer, profile, by_depth);
        }
        bar += self.bar(None, &self.cotangents.upward_radiance, layers, direction.row, profile);
        let bar = bar * beam(layers);
        let irradiance = batch.irradiance(direction.sun, profile);
        add(&self.gradients.sun_irradiance, direction.sun, profile, bar * reflected / irradiance);
        self.reflected(direction, bar, profile);
        let mut below = -bar * reflected / direction.sun_cosine;
        for layer in (0..layers).rev() {
            self.add(layer, SCALED_DEPTH, profile, below);
            below += self.radiances.at(layer, profile);
        }
    }

    /// From `mu_0/pi (rho(phi) - sum_m cos(m phi) rho_m)`, whose components are sums over the surface's azimuths.
    #[inline(always)]
    fn reflected(&self, direction: &Direction<R>, bar: R, profile: usize) {
        if self.parameters.items() == 0 {
            return;
        }
        let (batch, cosine) = (self.batch(), direction.azimuth);
        let reflectance = batch.reflectance(self.forward.kind, profile);
        let slopes = |half: R| reflectance.slopes(direction.view_cosine, direction.sun_cosine, half);
        let mut sums = slopes(direction.half);
        for i in 0..self.azimuth.len() {
            let half = self.azimuth.at(i);
            let other = half + half - R::ONE;
            // `sum_m (2 - delta_m0) cos(m phi) cos(m phi_i)`.
            let (mut before, mut now) = ([cosine, other], [R::ONE; 2]);
            let mut both = R::ZERO;
            for m in 0..batch.components as usize {
                let product = now[0] * now[1];
                both += if m == 0 { product } else { product + product };
                let next = [(cosine + cosine).mul_add(now[0], -before[0]), (other + other).mul_add(now[1], -before[1])];
                (before, now) = (now, next);
            }
            let weight = self.azimuth_weight.at(i) * both;
            let own = slopes(half);
            for p in 0..PARAMETERS {
                sums[p] = (-weight).mul_add(own[p], sums[p]);
            }
        }
        let bar = bar * direction.sun_cosine * R::from_f64(FRAC_1_PI);
        let row = (batch.n() + direction.view) * PARAMETERS;
        for (p, sum) in sums.into_iter().enumerate() {
            add(&self.parameters, row + p, profile, bar * sum);
        }
    }

    /// The derivative by the radiance that a layer lets through, which entered at a level.
    #[inline(always)]
    fn passed(&self, layer: usize, direction: &Direction<R>, level: usize, bar: R, profile: usize) -> R {
        let own = self.batch().optics(layer, profile).scaled.depth;
        let bar = (-(own / direction.view_cosine)).exp() * bar;
        self.add(layer, SCALED_DEPTH, profile, -bar * self.radiances.at(level, profile) / direction.view_cosine);
        bar
    }

    #[inline(always)]
    fn downward(&self, direction: &Direction<R>, profile: usize) {
        let (batch, layers) = (self.batch(), self.batch().layers());
        let cosine = self.forward.scattering_cosine(direction, false);
        let own = |layer: usize| batch.optics(layer, profile).scaled.depth;
        let mut radiance = R::ZERO;
        self.radiances.set(0, profile, radiance);
        for layer in 0..layers {
            let beam = self.forward.beam(layer, direction, profile);
            let missing = self.forward.missing(layer, profile, cosine);
            let light = single::downward(missing, own(layer), direction.view_cosine, direction.sun_cosine);
            radiance = (-(own(layer) / direction.view_cosine)).exp().mul_add(radiance, beam * light);
            self.radiances.set(layer + 1, profile, radiance);
        }
        let (mut bar, mut below) = (R::ZERO, R::ZERO);
        for layer in (0..layers).rev() {
            let end = (layer + 1 == layers).then_some(&self.cotangents.surface_downward_radiance);
            let seen = self.bar(end, &self.cotangents.downward_radiance, layer + 1, direction.row, profile);
            bar += seen;
            self.add(layer, SCALED_DEPTH, profile, below);
            below += self.single(layer, direction, false, bar, profile);
            if seen.abs() > R::ZERO {
                self.twice(layer + 1, direction, cosine, -seen, profile);
            }
            bar = self.passed(layer, direction, layer, bar, profile);
        }
    }

    /// From `omega/(1 - f omega) sum_l (2 l + 1) chi_l P_l - omega' sum_l (2 l + 1) (chi_l - f)/(1 - f) P_l`.
    #[inline(always)]
    fn missing(&self, layer: usize, cosine: R, bar: R, profile: usize) {
        let batch = self.batch();
        let optics = batch.optics(layer, profile);
        let (terms, moments) = (batch.terms(), batch.moments as usize);
        let (peak, left) = (optics.peak, R::ONE - optics.peak);
        let albedo = batch.inputs.single_scattering_albedo.at(layer, profile);
        let rest = R::ONE - peak * albedo;
        let (whole_bar, truncated_bar) = (bar * albedo / rest, -bar * optics.scaled.albedo);
        let (mut whole, mut truncated, mut peak_bar) = (R::ZERO, R::ZERO, R::ZERO);
        let mut legendre = Legendre::start(cosine);
        for l in 0..terms.max(moments) {
            let moment = batch.moment(layer, profile, l);
            let value = legendre.next(l);
            let mut moment_bar = if moments > 0 { whole_bar * value } else { R::ZERO };
            whole = value.mul_add(moment, whole);
            if l < terms {
                truncated = value.mul_add((moment - peak) / left, truncated);
                let own = truncated_bar * value / left;
                moment_bar += own;
                peak_bar += own * (moment - R::ONE) / left;
            }
            add_moment(batch, &self.gradients, layer, profile, l, moment_bar);
        }
        if moments == 0 {
            let asymmetry = batch.inputs.asymmetry.at(layer, profile);
            whole = single::henyey_greenstein(asymmetry, cosine);
            let slope = slopes::henyey_greenstein_by_asymmetry(asymmetry, cosine);
            add(&self.gradients.asymmetry, layer, profile, whole_bar * slope);
        }
        let share_bar = bar * whole / (rest * rest);
        self.add(layer, ALBEDO, profile, share_bar);
        self.add(layer, PEAK, profile, peak_bar + share_bar * albedo * albedo);
        self.add(layer, SCALED_ALBEDO, profile, -bar * truncated);
    }

    /// From light that is scattered twice, `F A^2/(4 pi (1 - A)) S c(t, mu, mu_0/(1 - A))` with
    /// `A = sum(f omega tau)/t` and `S = sum_l (2 l + 1) (2 r_l - r_l^2) P_l`, where `r_l` is 1 or, beyond the terms,
    /// `sum(omega tau chi_l)/sum(f omega tau)`.
    #[inline(always)]
    fn twice(&self, level: usize, direction: &Direction<R>, cosine: R, bar: R, profile: usize) {
        let batch = self.batch();
        let inputs = &batch.inputs;
        let given = |layer: usize| {
            (inputs.optical_depth.at(layer, profile), inputs.single_scattering_albedo.at(layer, profile))
        };
        let (mut depth, mut straight) = (R::ZERO, R::ZERO);
        for layer in 0..level {
            let (own, albedo) = given(layer);
            depth += own;
            straight = (own * albedo).mul_add(batch.optics(layer, profile).peak, straight);
        }
        if straight.abs() <= R::ZERO {
            return;
        }
        let share = straight / depth;
        let less = R::ONE - share;
        let sun = direction.sun_cosine / less;
        let light = single::twice(depth, direction.view_cosine, sun);
        let (by_depth, by_sun) = slopes::twice_slopes(depth, direction.view_cosine, sun);
        let strength = R::from_f64(0.25 * FRAC_1_PI) * share * share / less;
        let scale = bar * batch.irradiance(direction.sun, profile) * strength;
        let (mut sum, mut straight_bar) = (R::ZERO, R::ZERO);
        let mut legendre = Legendre::start(cosine);
        for l in 0..self.forward.moments as usize {
            let value = legendre.next(l);
            let mut rest = R::ONE;
            if l >= batch.terms() {
                let (peaks, largest) = self.forward.scattered(level, l, profile);
                if self.forward.has_ended(largest, straight) {
                    break;
                }
                rest = peaks / straight;
            }
            sum = value.mul_add((rest + rest) - rest * rest, sum);
            if l < batch.terms() {
                continue;
            }
            // By the sum of `omega tau chi_l`.
            let both = R::ONE - rest;
            let peaks_bar = scale * light * value * (both + both) / straight;
            straight_bar -= peaks_bar * rest;
            for layer in 0..level {
                let ((own, albedo), moment) = (given(layer), batch.moment(layer, profile, l));
                self.add(layer, DEPTH, profile, peaks_bar * albedo * moment);
                self.add(layer, ALBEDO, profile, peaks_bar * own * moment);
                add_moment(batch, &self.gradients, layer, profile, l, peaks_bar * own * albedo);
            }
        }
        add(&self.gradients.sun_irradiance, direction.sun, profile, bar * strength * sum * light);
        // `A^2/(1 - A)` has the derivative `A (2 - A)/(1 - A)^2`.
        let slope = R::from_f64(0.25 * FRAC_1_PI) * share * (R::ONE + less) / (less * less);
        let irradiance = bar * batch.irradiance(direction.sun, profile);
        let share_bar = sum * (irradiance * slope * light + scale * by_sun * sun / less);
        straight_bar += share_bar / depth;
        let depth_bar = scale * sum * by_depth - share_bar * share / depth;
        for layer in 0..level {
            self.add(layer, DEPTH, profile, depth_bar);
            self.add(layer, STRAIGHT, profile, straight_bar);
        }
    }
}
