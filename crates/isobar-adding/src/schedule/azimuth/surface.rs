//! How a surface that is not Lambertian reflects each component: a lane has a direction of a profile.

use isobar_core::{Column, Field, FieldMut, Real};

use crate::physics::azimuth::surface::{Kind, Reflectance};
use crate::schedule::azimuth::batch::Batch;

/// Components at most: two a node.
pub const COMPONENTS: usize = 64;

/// A direction upward, and how it is lit from all others, of a profile: an item.
///
/// The components of a reflectance are `rho_m = (2 - delta_m0)` times the mean of `rho cos(m phi)` over the azimuth.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SurfaceComponents<'a, R> {
    /// The profiles.
    pub batch: Batch<'a, R>,
    /// Which surface.
    pub kind: Kind,
    /// Squares of the cosines of half of the azimuths at which reflectances are taken.
    pub azimuth: Column<'a, R>,
    /// The weight of each.
    pub azimuth_weight: Column<'a, R>,
    /// At the rows of [`SurfacePlaces`].
    pub surface: FieldMut<'a, R>,
}

/// Where a surface's reflectance stands among the rows of a field: for each component and direction upward, nodes and
/// then views, what it has from each of the nodes, from each sun, the emissivity, and for a view what it has from light
/// downward in its own direction.
#[derive(Clone, Copy, Debug)]
pub struct SurfacePlaces {
    start: usize,
    row: usize,
}

impl SurfacePlaces {
    /// Rows of all components.
    #[must_use]
    pub const fn rows(n: usize, views: usize, suns: usize, components: usize) -> usize {
        components * (n + views) * (n + suns + 2)
    }

    #[inline(always)]
    pub(crate) fn new<R: Real>(batch: &Batch<'_, R>, m: usize) -> Self {
        let row = batch.n() + batch.suns() + 2;
        Self { start: m * (batch.n() + batch.views as usize) * row, row }
    }

    #[inline(always)]
    pub(crate) fn of_row(&self, direction: usize) -> usize {
        self.start + direction * self.row
    }

    /// The last of a direction: what a mirror sends up.
    #[inline(always)]
    pub(crate) fn of_mirror(&self, direction: usize) -> usize {
        self.of_row(direction + 1) - 1
    }
}

impl<R: Real> SurfaceComponents<'_, R> {
    pub(crate) fn items(&self) -> usize {
        self.batch.profiles() * (self.batch.n() + self.batch.views as usize)
    }

    #[inline(always)]
    pub(crate) fn item(&self, index: usize) {
        self.direction(index / self.batch.profiles(), index % self.batch.profiles());
    }

    /// Light that comes is `sum_j (1 + delta_m0) rho_m w_j mu_j I_j`, and nodes are counted times `sqrt(w mu)`.
    #[inline(always)]
    fn direction(&self, direction: usize, profile: usize) {
        let batch = &self.batch;
        let n = batch.n();
        let reflectance = batch.reflectance(self.kind, profile);
        let node = |i: usize| R::ONE / batch.nodes.secant.at(i);
        let (own, scale) = if direction < n {
            (node(direction), batch.nodes.flux.at(direction))
        } else {
            (batch.inputs.viewing_cosine.at(direction - n, profile), R::ONE)
        };
        let components = batch.components as usize;
        let mut emissivity = R::ONE;
        for j in 0..n + batch.suns() {
            let other = if j < n { node(j) } else { batch.sun_cosine(j - n, profile) };
            let means = self.means(&reflectance, own, other);
            for m in 0..components {
                let both = if m == 0 { R::ONE } else { R::from_f64(2.0) };
                let mut factor = both * means[m];
                if j < n {
                    let flux = batch.nodes.flux.at(j);
                    factor *= if m == 0 { flux + flux } else { flux };
                    if m == 0 {
                        emissivity = (-factor).mul_add(flux, emissivity);
                    }
                }
                self.surface.set(SurfacePlaces::new(batch, m).of_row(direction) + j, profile, scale * factor);
            }
        }
        for m in 0..components {
            let row = SurfacePlaces::new(batch, m).of_row(direction) + n + batch.suns();
            self.surface.set(row, profile, if m == 0 { scale * emissivity } else { R::ZERO });
            self.surface.set(row + 1, profile, R::ZERO);
        }
    }

    /// The means of `rho cos(m phi)` over the azimuth.
    #[inline(always)]
    fn means(&self, reflectance: &Reflectance<R>, up: R, down: R) -> [R; COMPONENTS] {
        let components = (self.batch.components as usize).min(COMPONENTS);
        let mut sums = [R::ZERO; COMPONENTS];
        for i in 0..self.azimuth.len() {
            let half = self.azimuth.at(i);
            let rho = self.azimuth_weight.at(i) * reflectance.at(up, down, half);
            let cosine = half + half - R::ONE;
            let (mut before, mut now) = (cosine, R::ONE);
            for sum in sums.iter_mut().take(components) {
                *sum = rho.mul_add(now, *sum);
                let next = (cosine + cosine).mul_add(now, -before);
                before = now;
                now = next;
            }
        }
        sums
    }
}

/// A surface whose emissivity is given by direction, of the component that does not depend on azimuth: a direction
/// upward, a node or then the view, of a profile is an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct GivenSurface<'a, R> {
    /// The profiles.
    pub batch: Batch<'a, R>,
    /// The emissivity of each stream: nodes, the steepest last, and the view. The rest is reflected.
    pub emissivity: Field<'a, R>,
    /// What it sends up of the beam's irradiance `E` is `reflectivity E / pi`; without items where there is no Sun.
    pub sun_reflectivity: Field<'a, R>,
    /// Does it reflect each direction into itself (1), or into all alike (0)?
    pub specular: u32,
    /// At the rows of [`SurfacePlaces`].
    pub surface: FieldMut<'a, R>,
}

impl<R: Real> GivenSurface<'_, R> {
    pub(crate) fn items(&self) -> usize {
        self.batch.profiles() * (self.batch.n() + self.batch.views as usize)
    }

    /// Nodes are counted times `sqrt(w mu)`.
    #[inline(always)]
    pub(crate) fn item(&self, index: usize) {
        let batch = &self.batch;
        let (n, direction, profile) = (batch.n(), index / batch.profiles(), index % batch.profiles());
        let stream = batch.stream(direction);
        let emissivity = self.emissivity.at(stream, profile);
        let (reflectivity, specular) = (R::ONE - emissivity, self.specular != 0);
        let scale = if direction < n { batch.nodes.flux.at(direction) } else { R::ONE };
        let places = SurfacePlaces::new(batch, 0);
        let put = |place: usize, value: R| self.surface.set(places.of_row(direction) + place, profile, value);
        for j in 0..n {
            let flux = batch.nodes.flux.at(j);
            let mirrored = if direction == j { reflectivity } else { R::ZERO };
            put(j, if specular { mirrored } else { scale * reflectivity * (flux + flux) });
        }
        for sun in 0..batch.suns() {
            let lit = !self.sun_reflectivity.is_empty();
            put(n + sun, if lit { scale * self.sun_reflectivity.at(stream, profile) } else { R::ZERO });
        }
        put(n + batch.suns(), scale * emissivity);
        let mirror = if specular && direction >= n { reflectivity } else { R::ZERO };
        self.surface.set(places.of_mirror(direction), profile, mirror);
    }
}
