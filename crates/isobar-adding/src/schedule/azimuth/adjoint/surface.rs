//! The adjoint of a surface's components: a lane has a direction of a profile.

use isobar_core::{Field, FieldMut, Real};

use crate::physics::azimuth::surface::PARAMETERS;
use crate::schedule::azimuth::surface::{COMPONENTS, SurfaceComponents, SurfacePlaces};

/// Derivatives by the parameters, of what a direction upward of a profile has from all others: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SurfaceAdjoint<'a, R> {
    /// The surface.
    pub forward: SurfaceComponents<'a, R>,
    /// Derivatives by the reflectances, at their rows.
    pub surface: Field<'a, R>,
    /// By the parameters, at `direction * PARAMETERS + parameter`.
    pub parameters: FieldMut<'a, R>,
}

impl<R: Real> SurfaceAdjoint<'_, R> {
    pub(crate) fn items(&self) -> usize {
        self.forward.items()
    }

    #[inline(always)]
    pub(crate) fn item(&self, index: usize) {
        self.direction(index / self.forward.batch.profiles(), index % self.forward.batch.profiles());
    }

    /// As [`SurfaceComponents`] makes them of the means `rho_m` over the azimuth; the emissivity is 1 less a sum.
    #[inline(always)]
    fn direction(&self, direction: usize, profile: usize) {
        let batch = &self.forward.batch;
        let n = batch.n();
        let components = (batch.components as usize).min(COMPONENTS);
        let reflectance = batch.reflectance(self.forward.kind, profile);
        let node = |i: usize| R::ONE / batch.nodes.secant.at(i);
        let (own, scale) = if direction < n {
            (node(direction), batch.nodes.flux.at(direction))
        } else {
            (batch.inputs.viewing_cosine.at(direction - n, profile), R::ONE)
        };
        let row = |m: usize| SurfacePlaces::new(batch, m).of_row(direction);
        let emissivity_bar = self.surface.at(row(0) + n + batch.suns(), profile);
        let mut sums = [R::ZERO; PARAMETERS];
        for j in 0..n + batch.suns() {
            let other = if j < n { node(j) } else { batch.sun_cosine(j - n, profile) };
            let mut means_bar = [R::ZERO; COMPONENTS];
            for m in 0..components {
                let mut bar = scale * self.surface.at(row(m) + j, profile);
                if j < n {
                    let flux = batch.nodes.flux.at(j);
                    if m == 0 {
                        bar -= scale * emissivity_bar * flux;
                        bar += bar;
                    }
                    bar *= flux;
                }
                means_bar[m] = if m == 0 { bar } else { bar + bar };
            }
            for i in 0..self.forward.azimuth.len() {
                let half = self.forward.azimuth.at(i);
                let cosine = half + half - R::ONE;
                let (mut before, mut now) = (cosine, R::ONE);
                let mut bar = R::ZERO;
                for mean_bar in means_bar.iter().take(components) {
                    bar = now.mul_add(*mean_bar, bar);
                    let next = (cosine + cosine).mul_add(now, -before);
                    before = now;
                    now = next;
                }
                let bar = bar * self.forward.azimuth_weight.at(i);
                let slopes = reflectance.slopes(own, other, half);
                for p in 0..PARAMETERS {
                    sums[p] = bar.mul_add(slopes[p], sums[p]);
                }
            }
        }
        for p in 0..PARAMETERS {
            self.parameters.set(direction * PARAMETERS + p, profile, sums[p]);
        }
    }
}
