//! Every layer's operators: a team has a layer of a profile and a component.

use isobar_core::{FieldMut, Lanes, Real, Row, any_of_warp};

use crate::physics::azimuth::impedance::Impedance;
use crate::physics::azimuth::layer::Layer;
use crate::physics::azimuth::medium::{Beams, Medium};
use crate::physics::azimuth::operator::{Directions, SUNS, VIEWS};
use crate::physics::clear_sky::slant::far_weight;
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
        let strength = |l: usize| batch.strength(&optics, layer, profile, l);
        let beams = batch.beams(block, profile);
        let order = beams.order;
        let depth = optics.scaled.depth;
        let direct = beams.view.map(|cosine| (-depth / cosine).exp());
        let scatters = batch.scatters(&optics, m, layer, profile);
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
        if any_of_warp(!scatters) {
            let clear = self.clear(layer, m, profile, depth, &beams);
            self.write_clear(layer, m, block, profile, &clear, direct, !scatters);
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
    fn clear(&self, layer: usize, m: usize, profile: usize, depth: R, beams: &Beams<R>) -> Clear<R, N> {
        let (n, nodes) = (self.batch.n(), &self.batch.nodes);
        let passed = Row::of_first(n, |j| (-(depth * nodes.secant.at(j))).exp());
        let dark = Directions::ZERO;
        if m != 0 {
            return Clear { passed, axis: Row::ZERO, sum: R::ZERO, up: dark, down: dark };
        }
        let axis = Row::of_first(n, |j| nodes.axis.at(j));
        let sum = axis.with(&passed, |v, t| v * v * t).sum();
        let (planck, more) = self.planck(layer, profile);
        let emitted = |sign: f64| {
            let more = R::from_f64(sign) * more;
            let along = |secant: R| {
                let x = depth * secant;
                let loss = (-x).exp_m1();
                // The near boundary's, and of the far one's the weight.
                let near = R::from_f64(-0.5).mul_add(more, planck);
                -loss * far_weight(x, loss).mul_add(more, near)
            };
            let mut node = Row::of_first(n, |j| nodes.flux.at(j) * along(nodes.secant.at(j)));
            let turned = axis.dot(&node);
            node.add_scaled(-turned, &axis);
            Directions { node, view: beams.view.map(|cosine| along(R::ONE / cosine)) }
        };
        Clear { passed, axis, sum, up: emitted(1.0), down: emitted(-1.0) }
    }

    /// All lanes of a warp come by, of which those write whose layer it is.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn write_clear(
        &self,
        layer: usize,
        m: usize,
        block: usize,
        profile: usize,
        clear: &Clear<R, N>,
        direct: [R; VIEWS],
        own: bool,
    ) {
        let (n, places, nodes) = (self.batch.n(), Places::new(&self.batch, m, layer), &self.batch.nodes);
        let put = |row: usize, values: &Row<R, N>| {
            if own {
                write(&self.operators, row, profile, n, values);
            }
        };
        let set = |row: usize, value: R| {
            if own {
                self.operators.set(row, profile, value);
            }
        };
        let dark = |rows: core::ops::Range<usize>| rows.for_each(|row| set(row, R::ZERO));
        if block == 0 {
            for i in 0..n {
                put(places.reflection() + i * n, &Row::ZERO);
                let (passed, v) = (clear.passed.element(i), if m == 0 { nodes.axis.at(i) } else { R::ZERO });
                let mut row = clear.axis.with(&clear.passed, |w, t| v * w * (clear.sum - passed - t));
                row.add_scaled(passed, &Row::of(|j| if i == j { R::ONE } else { R::ZERO }));
                put(places.transmission() + i * n, &row);
            }
            dark(places.sun_reflection(0)..places.up());
            put(places.up(), &clear.up.node);
            put(places.down(), &clear.down.node);
        }
        let first = block * VIEWS;
        for v in 0..VIEWS.min(self.batch.views as usize - first) {
            let alone = places.of_view_alone(first + v);
            dark(places.view_reflection(first + v)..alone);
            set(alone, clear.up.view[v]);
            set(alone + 1, clear.down.view[v]);
            set(alone + 2, direct[v]);
        }
    }
}

/// A layer that scatters nothing: for the component 0 its transmission `t` along the nodes is turned,
/// `(1 - v v) t (1 - v v)`.
struct Clear<R, const N: usize> {
    passed: Row<R, N>,
    axis: Row<R, N>,
    /// `v t v`.
    sum: R,
    up: Directions<R, N>,
    down: Directions<R, N>,
}
