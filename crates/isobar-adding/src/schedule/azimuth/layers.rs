//! Every layer's operators: a lane has a layer of a profile and a component.

use isobar_core::{FieldMut, Real};

use crate::physics::azimuth::impedance::Impedance;
use crate::physics::azimuth::layer::Layer;
use crate::physics::azimuth::medium::Medium;
use crate::physics::azimuth::operator::{Directions, Operator, VIEWS};
use crate::schedule::azimuth::batch::{Batch, Places, write};

/// Operators of a layer and component of a profile, for a block of views: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct LayerOperators<'a, R, const N: usize> {
    /// The profiles.
    pub batch: Batch<'a, R>,
    /// The operators, at the rows of [`Places`].
    pub operators: FieldMut<'a, R>,
}

impl<R: Real, const N: usize> LayerOperators<'_, R, N> {
    pub(crate) fn items(&self) -> usize {
        self.batch.profiles() * self.batch.layers() * self.batch.components as usize * self.batch.view_blocks()
    }

    #[inline(always)]
    pub(crate) fn item(&self, index: usize) {
        let batch = &self.batch;
        let (profile, rest) = (index % batch.profiles(), index / batch.profiles());
        let (layer, rest) = (rest % batch.layers(), rest / batch.layers());
        let (m, block) = (rest % batch.components as usize, rest / batch.components as usize);
        self.layer(layer, m, block, profile);
    }

    #[inline(always)]
    fn layer(&self, layer: usize, m: usize, block: usize, profile: usize) {
        let batch = &self.batch;
        let optics = batch.optics(layer, profile);
        let strength = |l: usize| {
            let chi = (batch.moment(layer, profile, l) - optics.peak) / (R::ONE - optics.peak);
            optics.scaled.albedo * R::from_f64((2 * l + 1) as f64) * chi
        };
        let beams = batch.beams(block, profile);
        let order = beams.order;
        let depth = optics.scaled.depth;
        let direct = beams.view.map(|cosine| (-depth / cosine).exp());
        if m > 0 && batch.skips != 0 && (m..batch.terms()).all(|l| strength(l) == R::ZERO) {
            self.write_clear(layer, m, block, profile, direct);
            return;
        }
        let medium = Medium::of(&batch.nodes, &beams, m, strength, optics.scaled.absorption);
        let mut everywhere = Directions::ZERO;
        everywhere.node[0] = R::from_f64(core::f64::consts::FRAC_1_SQRT_2);
        // Of which views have nothing beyond isotropic light. Emitted light does not depend on azimuth.
        let isotropic = (m == 0).then_some(&everywhere);
        let (planck, more) = self.planck(layer, profile);
        let impedance = Impedance::of(medium.a, medium.b, depth, isotropic, order);
        let mut result = Layer::of(&impedance, isotropic, planck, more, order);
        result.transmission.view_diagonal = direct;
        self.write(layer, m, block, profile, &result);
    }

    /// Planck's radiance in the middle of a layer, and how much more it is at its bottom than at its top.
    #[inline(always)]
    pub(super) fn planck(&self, layer: usize, profile: usize) -> (R, R) {
        let inputs = &self.batch.inputs;
        if inputs.planck_radiance_level.items() != 0 {
            let (top, bottom) =
                (inputs.planck_radiance_level.at(layer, profile), inputs.planck_radiance_level.at(layer + 1, profile));
            (R::from_f64(0.5) * (top + bottom), bottom - top)
        } else if inputs.planck_radiance.items() != 0 {
            (inputs.planck_radiance.at(layer, profile), R::ZERO)
        } else {
            (R::ZERO, R::ZERO)
        }
    }

    #[inline(always)]
    fn write(&self, layer: usize, m: usize, block: usize, profile: usize, result: &Layer<R, N>) {
        let (n, suns, places) = (self.batch.n(), self.batch.suns(), Places::new(&self.batch, m, layer));
        let Layer { reflection, transmission, up, down } = result;
        let put = |row: usize, values: &[R; N]| write(&self.operators, row, profile, n, values);
        if block == 0 {
            for i in 0..n {
                put(places.reflection() + i * n, &reflection.core[i]);
                put(places.transmission() + i * n, &transmission.core[i]);
            }
            for s in 0..suns {
                put(places.sun_reflection(s), &reflection.sun.map(|row| row[s]));
                put(places.sun_transmission(s), &transmission.sun.map(|row| row[s]));
            }
            put(places.up(), &up.node);
            put(places.down(), &down.node);
        }
        let first = block * VIEWS;
        for v in 0..VIEWS.min(self.batch.views as usize - first) {
            put(places.view_reflection(first + v), &reflection.view[v]);
            put(places.view_transmission(first + v), &transmission.view[v]);
            for s in 0..suns {
                self.operators.set(places.corner(first + v, s), profile, reflection.corner[v][s]);
                self.operators.set(places.corner(first + v, s) + 1, profile, transmission.corner[v][s]);
            }
            let alone = places.of_view_alone(first + v);
            self.operators.set(alone, profile, up.view[v]);
            self.operators.set(alone + 1, profile, down.view[v]);
            self.operators.set(alone + 2, profile, transmission.view_diagonal[v]);
        }
    }

    /// A layer that scatters nothing of this component.
    #[inline(always)]
    fn write_clear(&self, layer: usize, m: usize, block: usize, profile: usize, direct: [R; VIEWS]) {
        let (nothing, dark) = (Operator::ZERO, Directions::ZERO);
        let mut result = Layer { reflection: nothing, transmission: nothing, up: dark, down: dark };
        let depth = self.batch.optics(layer, profile).scaled.depth;
        for i in 0..self.batch.n() {
            result.transmission.core[i][i] = (-(depth * self.batch.nodes.secant.at(i))).exp();
        }
        result.transmission.view_diagonal = direct;
        self.write(layer, m, block, profile, &result);
    }
}
