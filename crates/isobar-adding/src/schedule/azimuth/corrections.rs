//! What truncated phase functions and reflectances miss of light that is scattered once or twice: a lane has a
//! direction of a profile.

use core::f64::consts::FRAC_1_PI;

use isobar_core::{Field, FieldMut, Real, Status};

use crate::fields::azimuth::RadianceViews;
use crate::physics::azimuth::single;
use crate::physics::azimuth::surface::Kind;
use crate::schedule::azimuth::batch::Batch;
use crate::schedule::azimuth::sum::azimuth_cosine;
use crate::schedule::azimuth::surface::SurfacePlaces;

/// Nakajima and Tanaka's corrections (1988, doi:10.1016/0022-4073(88)90031-3) of a direction of a profile: an
/// item.
///
/// The first (TMS) puts light that is scattered once by the whole phase function in the place of what the truncated one
/// makes. The second (IMS), downward, subtracts light that is scattered twice and straight on the first time, which the
/// beam of delta-M has counted as unscattered.
///
/// The beam that the surface reflects into a view at once is that of the whole reflectance, in the place of the sum of
/// its components.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Corrections<'a, R> {
    /// The profiles.
    pub batch: Batch<'a, R>,
    /// Moments of the whole phase functions that the second correction adds up.
    pub moments: u32,
    /// All levels? 0 or 1.
    pub levels: u32,
    /// Which surface, if `surface` has items.
    pub kind: Kind,
    /// The components of its reflectance, at the rows of [`SurfacePlaces`]; none of a Lambertian surface.
    pub surface: Field<'a, R>,
    /// The beams at each level, as [`SunBeams`](crate::schedule::azimuth::beams::SunBeams) leaves them.
    pub beam: Field<'a, R>,
    /// The radiances.
    pub outputs: RadianceViews<'a, R>,
}

/// A sun, a view and an azimuth.
#[derive(Clone, Copy)]
pub(super) struct Direction<R> {
    /// The row of the direction in the outputs.
    pub(super) row: usize,
    pub(super) sun: usize,
    pub(super) view: usize,
    pub(super) view_cosine: R,
    pub(super) sun_cosine: R,
    pub(super) azimuth: R,
    /// The square of the cosine of half the azimuth.
    pub(super) half: R,
}

impl<R: Real> Corrections<'_, R> {
    fn azimuths(&self) -> usize {
        self.batch.inputs.relative_azimuth.levels().max(1)
    }

    pub(super) fn directions(&self) -> usize {
        self.batch.suns as usize * self.batch.views as usize * self.azimuths()
    }

    pub(crate) fn items(&self) -> usize {
        self.batch.profiles() * self.directions()
    }

    #[inline(always)]
    pub(crate) fn item(&self, index: usize) {
        let (profile, row) = (index % self.batch.profiles(), index / self.batch.profiles());
        let direction = self.direction(row, profile);
        if self.batch.irradiance(direction.sun, profile) > R::ZERO {
            self.upward(&direction, profile);
            self.downward(&direction, profile);
        }
    }

    /// The direction of a row of the outputs.
    #[inline(always)]
    pub(super) fn direction(&self, row: usize, profile: usize) -> Direction<R> {
        let (view, azimuth) = (row / self.azimuths() % self.batch.views as usize, row % self.azimuths());
        let sun = row / (self.batch.views as usize * self.azimuths());
        let half = azimuth_cosine(&self.batch, azimuth, profile, 0.5);
        Direction {
            row,
            sun,
            view,
            view_cosine: self.batch.inputs.viewing_cosine.at(view, profile),
            sun_cosine: self.batch.sun_cosine(sun, profile),
            azimuth: azimuth_cosine(&self.batch, azimuth, profile, 1.0),
            half: half * half,
        }
    }

    #[inline(always)]
    fn upward(&self, direction: &Direction<R>, profile: usize) {
        let layers = self.batch.layers();
        let cosine = self.scattering_cosine(direction, true);
        let mut radiance = self.beam(layers, direction, profile) * self.reflected(direction, profile);
        if self.levels != 0 {
            self.add(&self.outputs.upward_radiance, layers * self.directions() + direction.row, profile, radiance);
        }
        for layer in (0..layers).rev() {
            let own = self.batch.optics(layer, profile).scaled.depth;
            let missing = self.missing(layer, profile, cosine);
            let light = single::upward(missing, own, direction.view_cosine, direction.sun_cosine);
            let made = self.beam(layer, direction, profile) * light;
            radiance = (-own / direction.view_cosine).exp().mul_add(radiance, made);
            if self.levels != 0 {
                self.add(&self.outputs.upward_radiance, layer * self.directions() + direction.row, profile, radiance);
            }
        }
        self.add(&self.outputs.top_radiance, direction.row, profile, radiance);
    }

    #[inline(always)]
    fn downward(&self, direction: &Direction<R>, profile: usize) {
        let layers = self.batch.layers();
        let cosine = self.scattering_cosine(direction, false);
        let mut radiance = R::ZERO;
        for layer in 0..layers {
            let own = self.batch.optics(layer, profile).scaled.depth;
            let missing = self.missing(layer, profile, cosine);
            let light = single::downward(missing, own, direction.view_cosine, direction.sun_cosine);
            let made = self.beam(layer, direction, profile) * light;
            radiance = (-own / direction.view_cosine).exp().mul_add(radiance, made);
            if self.levels != 0 {
                let row = (layer + 1) * self.directions() + direction.row;
                let twice = self.twice(layer + 1, direction, cosine, profile);
                self.add(&self.outputs.downward_radiance, row, profile, radiance - twice);
                if layer + 1 == layers {
                    self.add(&self.outputs.surface_downward_radiance, direction.row, profile, radiance - twice);
                }
            }
        }
        if self.levels == 0 {
            let twice = self.twice(layers, direction, cosine, profile);
            self.add(&self.outputs.surface_downward_radiance, direction.row, profile, radiance - twice);
        }
    }

    /// The beam of a direction's sun at a level.
    #[inline(always)]
    pub(super) fn beam(&self, level: usize, direction: &Direction<R>, profile: usize) -> R {
        self.beam.at(level * self.batch.suns() + direction.sun, profile)
    }

    #[inline(always)]
    pub(super) fn scattering_cosine(&self, direction: &Direction<R>, upward: bool) -> R {
        let Direction { view_cosine, sun_cosine, azimuth, .. } = *direction;
        single::scattering_cosine(view_cosine, sun_cosine, azimuth, upward)
    }

    #[inline(always)]
    fn add(&self, field: &FieldMut<'_, R>, row: usize, profile: usize, more: R) {
        let sum = field.at(row, profile) + more;
        if !sum.is_finite() {
            self.outputs.status.mark(profile, Status::NOT_FINITE);
        }
        field.set(row, profile, sum);
    }

    /// What the components of the surface's reflectance miss of the light that it makes of a beam of unit irradiance.
    #[inline(always)]
    pub(super) fn reflected(&self, direction: &Direction<R>, profile: usize) -> R {
        if self.surface.items() == 0 {
            return R::ZERO;
        }
        let batch = &self.batch;
        let Direction { view_cosine, sun_cosine, azimuth, half, .. } = *direction;
        let whole = batch.reflectance(self.kind, profile).at(view_cosine, sun_cosine, half);
        let column = batch.n() + direction.sun;
        let (mut before, mut now, mut sum) = (azimuth, R::ONE, R::ZERO);
        for m in 0..batch.components as usize {
            let row = SurfacePlaces::new(batch, m).of_row(batch.n() + direction.view);
            sum = now.mul_add(self.surface.at(row + column, profile), sum);
            let next = (azimuth + azimuth).mul_add(now, -before);
            before = now;
            now = next;
        }
        (whole - sum) * sun_cosine * R::from_f64(FRAC_1_PI)
    }

    /// What the truncated phase function misses, times the albedo.
    #[inline(always)]
    pub(super) fn missing(&self, layer: usize, profile: usize, cosine: R) -> R {
        let batch = &self.batch;
        let optics = batch.optics(layer, profile);
        if optics.is_peak() {
            return R::ZERO;
        }
        let terms = batch.terms();
        let (mut whole, mut truncated) = (R::ZERO, R::ZERO);
        let mut legendre = Legendre::start(cosine);
        for l in 0..terms.max(batch.moments as usize) {
            let moment = batch.moment(layer, profile, l);
            let value = legendre.next(l);
            whole = value.mul_add(moment, whole);
            if l < terms {
                truncated = value.mul_add(optics.without_peak(moment), truncated);
            }
        }
        if batch.moments == 0 {
            whole = single::henyey_greenstein(batch.inputs.asymmetry.at(layer, profile), cosine);
        }
        let albedo = batch.inputs.single_scattering_albedo.at(layer, profile);
        albedo / (R::ONE - optics.peak * albedo) * whole - optics.scaled.albedo * truncated
    }

    /// `sum(omega tau chi_l)` of the layers above a level, and the largest of them.
    #[inline(always)]
    pub(super) fn scattered(&self, level: usize, l: usize, profile: usize) -> (R, R) {
        let batch = &self.batch;
        let (mut sum, mut largest) = (R::ZERO, R::ZERO);
        for layer in (0..level).filter(|&layer| !batch.optics(layer, profile).is_peak()) {
            let own = batch.inputs.optical_depth.at(layer, profile);
            let scattering = own * batch.inputs.single_scattering_albedo.at(layer, profile);
            let moment = batch.moment(layer, profile, l);
            sum = scattering.mul_add(moment, sum);
            largest = largest.at_least((scattering * moment).abs());
        }
        (sum, largest)
    }

    /// Is that no more than roundings, and so is all that follows? Moments that are given may grow again.
    #[inline(always)]
    pub(super) fn has_ended(&self, largest: R, straight: R) -> bool {
        self.batch.moments == 0 && largest <= R::from_f64(ENDS_BELOW) * straight.abs()
    }

    /// Light that is scattered twice, at a level: what is above counts as one layer.
    #[inline(always)]
    fn twice(&self, level: usize, direction: &Direction<R>, cosine: R, profile: usize) -> R {
        let batch = &self.batch;
        let (mut depth, mut scattered, mut straight) = (R::ZERO, R::ZERO, R::ZERO);
        for layer in 0..level {
            let optics = batch.optics(layer, profile);
            if optics.is_peak() {
                depth += optics.scaled.depth;
                continue;
            }
            let own = batch.inputs.optical_depth.at(layer, profile);
            let albedo = batch.inputs.single_scattering_albedo.at(layer, profile);
            depth += own;
            scattered = own.mul_add(albedo, scattered);
            straight = (own * albedo).mul_add(optics.peak, straight);
        }
        // Nothing is left out of the truncated phase functions.
        if straight.abs() <= R::ZERO {
            return R::ZERO;
        }
        let (albedo, peak) = (scattered / depth, straight / scattered);
        let mut sum = R::ZERO;
        let mut legendre = Legendre::start(cosine);
        for l in 0..self.moments as usize {
            let value = legendre.next(l);
            let mut rest = R::ONE;
            if l >= batch.terms() {
                let (peaks, largest) = self.scattered(level, l, profile);
                if self.has_ended(largest, straight) {
                    break;
                }
                rest = peaks / straight;
            }
            sum = value.mul_add((rest + rest) - rest * rest, sum);
        }
        let both = peak * albedo;
        let strength = R::from_f64(0.25 * FRAC_1_PI) * batch.irradiance(direction.sun, profile) * both * both;
        let less = R::ONE - both;
        strength / less * sum * single::twice(depth, direction.view_cosine, direction.sun_cosine / less)
    }
}

/// Moments of Henyey and Greenstein's phase function end where all are less than this share of what goes on straight:
/// roundings. Of an asymmetry of 0.95 they are 730, of 0.99 3,700.
const ENDS_BELOW: f64 = 1e-16;

/// `(2 l + 1) P_l(x)`, `l` from 0 up (NIST Digital Library of Mathematical Functions, Eq. 18.9.1).
pub(super) struct Legendre<R> {
    x: R,
    before: R,
    now: R,
}

impl<R: Real> Legendre<R> {
    #[inline(always)]
    pub(super) fn start(x: R) -> Self {
        Self { x, before: R::ZERO, now: R::ONE }
    }

    /// Number `l`, which is one more than the last.
    #[inline(always)]
    pub(super) fn next(&mut self, l: usize) -> R {
        let number = R::from_f64(l as f64);
        let twice = number + number + R::ONE;
        let value = twice * self.now;
        let next = (value * self.x - number * self.before) / (number + R::ONE);
        self.before = self.now;
        self.now = next;
        value
    }
}
