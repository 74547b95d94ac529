//! Every layer's operators: a team has a layer of a profile and a component.

use isobar_core::{FieldMut, Lanes, Real, Row, any_of_warp};

use crate::physics::azimuth::impedance::Impedance;
use crate::physics::azimuth::layer::Layer;
use crate::physics::azimuth::medium::Medium;
use crate::physics::azimuth::operator::{Directions, Operator, SUNS, VIEWS};
use crate::schedule::azimuth::batch::{Batch, Places, of_warp, warps, write};

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
        let batch = &self.batch;
        warps::<N>(batch.profiles()) * batch.layers() * batch.components as usize * batch.view_blocks()
    }

    /// A warp has a layer, a component and a block of views of some profiles.
    #[inline(always)]
    pub(crate) fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) {
        let batch = &self.batch;
        let (warp, rest) = (index % warps::<N>(batch.profiles()), index / warps::<N>(batch.profiles()));
        let (layer, rest) = (rest % batch.layers(), rest / batch.layers());
        let (m, block) = (rest % batch.components as usize, rest / batch.components as usize);
        for profile in of_warp::<N, W>(warp, lanes, batch.profiles()) {
            self.layer(layer, m, block, profile);
        }
    }

    #[inline(always)]
    fn layer(&self, layer: usize, m: usize, block: usize, profile: usize) {
        let batch = &self.batch;
        let optics = batch.optics(layer, profile);
        let strength = |l: usize| {
            let chi = optics.without_peak(batch.moment(layer, profile, l));
            optics.scaled.albedo * R::from_f64((2 * l + 1) as f64) * chi
        };
        let beams = batch.beams(block, profile);
        let order = beams.order;
        let depth = optics.scaled.depth;
        let direct = beams.view.map(|cosine| (-depth / cosine).exp());
        let scatters = m == 0 || batch.skips == 0 || (m..batch.terms()).any(|l| strength(l) != R::ZERO);
        if any_of_warp(scatters) {
            let medium = Medium::of(&batch.nodes, &beams, m, strength, optics.scaled.absorption);
            let mut everywhere = Directions::ZERO;
            everywhere.node.set(0, R::from_f64(core::f64::consts::FRAC_1_SQRT_2));
            // Of which views have nothing beyond isotropic light. Emitted light does not depend on azimuth.
            let isotropic = (m == 0).then_some(&everywhere);
            let (planck, more) = self.planck(layer, profile);
            let impedance = Impedance::of(medium, depth, isotropic, order);
            let mut result = Layer::of(&impedance, isotropic, planck, more, order);
            result.transmission.view_diagonal = direct;
            if scatters {
                self.write(layer, m, block, profile, &result);
            }
        }
        if !scatters {
            self.write_clear(layer, m, block, profile, direct);
        }
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
        let (n, places) = (self.batch.n(), Places::new(&self.batch, m, layer));
        let Layer { reflection, transmission, up, down } = result;
        let put = |row: usize, values: &Row<R, N>| write(&self.operators, row, profile, n, values);
        if block == 0 {
            for i in 0..n {
                put(places.reflection() + i * n, &reflection.core[i]);
                put(places.transmission() + i * n, &transmission.core[i]);
                self.put_suns(profile, &reflection.sun[i], |s| places.sun_reflection(s) + i);
                self.put_suns(profile, &transmission.sun[i], |s| places.sun_transmission(s) + i);
            }
            put(places.up(), &up.node);
            put(places.down(), &down.node);
        }
        let first = block * VIEWS;
        for v in 0..VIEWS.min(self.batch.views as usize - first) {
            put(places.view_reflection(first + v), &reflection.view[v]);
            put(places.view_transmission(first + v), &transmission.view[v]);
            self.put_suns(profile, &reflection.corner[v], |s| places.corner(first + v, s));
            self.put_suns(profile, &transmission.corner[v], |s| places.corner(first + v, s) + 1);
            let alone = places.of_view_alone(first + v);
            self.operators.set(alone, profile, up.view[v]);
            self.operators.set(alone + 1, profile, down.view[v]);
            self.operators.set(alone + 2, profile, transmission.view_diagonal[v]);
        }
    }

    /// Writes an element for each sun.
    #[inline(always)]
    fn put_suns(&self, profile: usize, values: &Row<R, SUNS>, row: impl Fn(usize) -> usize) {
        values.each(|s, value| {
            if s < self.batch.suns() {
                self.operators.set(row(s), profile, value);
            }
        });
    }

    /// A layer that scatters nothing of this component.
    #[inline(always)]
    fn write_clear(&self, layer: usize, m: usize, block: usize, profile: usize, direct: [R; VIEWS]) {
        let (nothing, dark) = (Operator::ZERO, Directions::ZERO);
        let mut result = Layer { reflection: nothing, transmission: nothing, up: dark, down: dark };
        let depth = self.batch.optics(layer, profile).scaled.depth;
        for i in 0..self.batch.n() {
            result.transmission.core[i].set(i, (-(depth * self.batch.nodes.secant.at(i))).exp());
        }
        result.transmission.view_diagonal = direct;
        self.write(layer, m, block, profile, &result);
    }
}
