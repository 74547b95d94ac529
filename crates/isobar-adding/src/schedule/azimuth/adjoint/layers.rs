//! The adjoint of the layers' operators: a lane has a layer of a profile.

use core::f64::consts::FRAC_1_SQRT_2;

use isobar_core::{Field, FieldMut, Real, Row};

use crate::fields::azimuth::GradientViews;
use crate::physics::azimuth::adjoint::impedance::Chain;
use crate::physics::azimuth::adjoint::optics::ScaledBar;
use crate::physics::azimuth::layer::Layer;
use crate::physics::azimuth::medium::Medium;
use crate::physics::azimuth::operator::{Directions, Operator, VIEWS};
use crate::schedule::azimuth::adjoint::beams::{
    ALBEDO, DEPTH, MORE, OF_LAYER, PEAK, PLANCK, SCALED_ALBEDO, SCALED_DEPTH, STRAIGHT,
};
use crate::schedule::azimuth::batch::{Batch, LayerOptics, Places, read};
use crate::schedule::azimuth::layers::LayerOperators;

/// Derivatives by what belongs to a layer of a profile: an item, for all components and views.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct LayersAdjoint<'a, R, const N: usize> {
    /// The profiles.
    pub batch: Batch<'a, R>,
    /// The layers' operators.
    pub operators: Field<'a, R>,
    /// The beams at each level.
    pub beam: Field<'a, R>,
    /// `D` and `U` at each level.
    pub light: Field<'a, R>,
    /// `b` and `a`, at the same rows.
    pub light_bar: Field<'a, R>,
    /// Derivatives by the radiances upward at each level, with what comes of each in the next layers.
    pub up: Field<'a, R>,
    /// Downward.
    pub down: Field<'a, R>,
    /// Derivatives by the scaled depths in what passes directly to views.
    pub direct: Field<'a, R>,
    /// What others have found, at the rows of [`super::beams::BeamsAdjoint`]; takes those by Planck's radiances.
    pub layers: FieldMut<'a, R>,
    /// By what is given of layers.
    pub gradients: GradientViews<'a, R>,
}

/// Derivatives of a layer, summed over components.
struct Sums<R, const N: usize> {
    depth: R,
    absorption: R,
    planck: R,
    more: R,
    /// By the strength of term `l` at `(l / N, l % N)`.
    strength: [Row<R, N>; 2],
}

impl<R: Real, const N: usize> LayersAdjoint<'_, R, N> {
    pub(crate) fn items(&self) -> usize {
        self.batch.profiles() * self.batch.layers()
    }

    #[inline(always)]
    pub(crate) fn item(&self, index: usize) {
        self.layer(index / self.batch.profiles(), index % self.batch.profiles());
    }

    #[inline(always)]
    fn layer(&self, layer: usize, profile: usize) {
        let batch = &self.batch;
        let optics = batch.optics(layer, profile);
        let strength = [Row::ZERO; 2];
        let mut sums = Sums { depth: R::ZERO, absorption: R::ZERO, planck: R::ZERO, more: R::ZERO, strength };
        for m in 0..batch.components as usize {
            sums.depth += self.direct.at(m * batch.layers() + layer, profile);
            if self.clear(m) {
                self.clear_component(layer, m, profile, &mut sums);
                continue;
            }
            for block in 0..batch.view_blocks() {
                self.component(layer, m, block, profile, &optics, &mut sums);
            }
        }
        self.give(layer, profile, &optics, &sums);
    }

    /// Are there no moments of this component?
    #[inline(always)]
    fn clear(&self, m: usize) -> bool {
        let moments = self.batch.moments as usize;
        // With more moments than terms there is a peak, of which each term has its share.
        m > 0 && moments > 0 && m >= moments && (self.batch.delta == 0 || moments <= self.batch.terms())
    }

    /// Light at the nodes, as [`super::super::add::AddLayers`] counts rows.
    #[inline(always)]
    fn of_nodes(
        &self,
        field: &Field<'_, R>,
        m: usize,
        level: usize,
        sun: usize,
        way: usize,
        profile: usize,
    ) -> Row<R, N> {
        let batch = &self.batch;
        let row = ((m * (batch.layers() + 1) + level) * batch.suns() + sun) * 2 + way;
        read(field, row * batch.n(), profile, batch.n())
    }

    /// What passes is `e^(-depth/mu)`.
    #[inline(always)]
    fn clear_component(&self, layer: usize, m: usize, profile: usize, sums: &mut Sums<R, N>) {
        let places = Places::new(&self.batch, m, layer);
        for sun in 0..self.batch.suns() {
            let [down, up] =
                [(layer, 0), (layer + 1, 1)].map(|(at, way)| self.of_nodes(&self.light, m, at, sun, way, profile));
            let [up_bar, down_bar] =
                [(layer, 1), (layer + 1, 0)].map(|(at, way)| self.of_nodes(&self.light_bar, m, at, sun, way, profile));
            for i in 0..self.batch.n() {
                let passed = self.operators.at(places.transmission() + i * self.batch.n() + i, profile);
                let bar = up_bar[i] * up[i] + down_bar[i] * down[i];
                sums.depth -= self.batch.nodes.secant.at(i) * passed * bar;
            }
        }
    }

    #[inline(always)]
    fn component(
        &self,
        layer: usize,
        m: usize,
        block: usize,
        profile: usize,
        optics: &LayerOptics<R>,
        sums: &mut Sums<R, N>,
    ) {
        let batch = &self.batch;
        let strength = |l: usize| {
            let chi = (batch.moment(layer, profile, l) - optics.peak) / (R::ONE - optics.peak);
            optics.scaled.albedo * R::from_f64((2 * l + 1) as f64) * chi
        };
        let beams = batch.beams(block, profile);
        let order = beams.order;
        let medium = Medium::of(&batch.nodes, &beams, m, strength, optics.scaled.absorption);
        let mut everywhere = Directions::ZERO;
        everywhere.node[0] = R::from_f64(FRAC_1_SQRT_2);
        let isotropic = (m == 0).then_some(&everywhere);
        let (planck, more) =
            LayerOperators::<R, N> { batch: *batch, operators: FieldMut::empty() }.planck(layer, profile);
        let bar = self.operators_bar(layer, m, block, profile);
        let chain = Chain::of(&medium, optics.scaled.depth, isotropic, order);
        let sources = Layer::adjoint(chain.last(), isotropic, planck, more, &bar, order);
        let coefficients = chain.adjoint(&medium, sources.impedance, isotropic, order);
        sums.depth += coefficients.depth;
        sums.planck += sources.planck;
        sums.more += sources.more;
        let bars = Medium { a: coefficients.a, b: coefficients.b };
        let strengths = &mut sums.strength;
        sums.absorption += bars.adjoint(&batch.nodes, &beams, m, |l, bar| strengths[l / N][l % N] += bar);
    }

    /// Derivatives by the operators: of nodes and suns with the first block of views alone.
    #[inline(always)]
    fn operators_bar(&self, layer: usize, m: usize, block: usize, profile: usize) -> Layer<R, N> {
        let batch = &self.batch;
        let (n, views, suns) = (batch.n(), batch.views as usize, batch.suns());
        let (nothing, dark) = (Operator::ZERO, Directions::ZERO);
        let mut bar = Layer { reflection: nothing, transmission: nothing, up: dark, down: dark };
        for sun in 0..suns {
            let beam = self.beam.at(layer * suns + sun, profile);
            let down = self.of_nodes(&self.light, m, layer, sun, 0, profile);
            let up = self.of_nodes(&self.light, m, layer + 1, sun, 1, profile);
            if block == 0 {
                let up_bar = self.of_nodes(&self.light_bar, m, layer, sun, 1, profile);
                let down_bar = self.of_nodes(&self.light_bar, m, layer + 1, sun, 0, profile);
                for i in 0..n {
                    bar.reflection.core[i].add_scaled(up_bar[i], &down);
                    bar.reflection.core[i].add_scaled(down_bar[i], &up);
                    bar.transmission.core[i].add_scaled(up_bar[i], &up);
                    bar.transmission.core[i].add_scaled(down_bar[i], &down);
                    bar.reflection.sun[i][sun] = beam * up_bar[i];
                    bar.transmission.sun[i][sun] = beam * down_bar[i];
                    bar.up.node[i] += up_bar[i];
                    bar.down.node[i] += down_bar[i];
                }
            }
            let row = |level: usize| (m * (batch.layers() + 1) + level) * suns + sun;
            for v in 0..VIEWS.min(views - (block * VIEWS).min(views)) {
                let view = block * VIEWS + v;
                let up_bar = self.up.at(row(layer) * views + view, profile);
                let down_bar = self.down.at(row(layer + 1) * views + view, profile);
                bar.reflection.view[v].add_scaled(up_bar, &down);
                bar.reflection.view[v].add_scaled(down_bar, &up);
                bar.transmission.view[v].add_scaled(up_bar, &up);
                bar.transmission.view[v].add_scaled(down_bar, &down);
                bar.reflection.corner[v][sun] = beam * up_bar;
                bar.transmission.corner[v][sun] = beam * down_bar;
                bar.up.view[v] += up_bar;
                bar.down.view[v] += down_bar;
            }
        }
        bar
    }

    /// From the strengths to what is given.
    #[inline(always)]
    fn give(&self, layer: usize, profile: usize, optics: &LayerOptics<R>, sums: &Sums<R, N>) {
        let (batch, gradients) = (&self.batch, &self.gradients);
        let at = |kind: usize| self.layers.at(layer * OF_LAYER + kind, profile);
        let left = R::ONE - optics.peak;
        let (mut scaled_albedo_bar, mut peak_bar) = (at(SCALED_ALBEDO), at(PEAK));
        for l in 0..batch.terms() {
            let moment = batch.moment(layer, profile, l);
            let bar = sums.strength[l / N][l % N] * R::from_f64((2 * l + 1) as f64);
            // `(chi - f)/(1 - f)`
            scaled_albedo_bar += bar * (moment - optics.peak) / left;
            let bar = bar * optics.scaled.albedo / left;
            if batch.delta != 0 {
                peak_bar += bar * (moment - R::ONE) / left;
            }
            add_moment(batch, gradients, layer, profile, l, bar);
        }
        let bar = ScaledBar {
            depth: sums.depth + at(SCALED_DEPTH),
            albedo: scaled_albedo_bar,
            absorption: sums.absorption,
            straight: at(STRAIGHT),
        };
        let (depth, albedo) =
            (batch.inputs.optical_depth.at(layer, profile), batch.inputs.single_scattering_albedo.at(layer, profile));
        let bar = bar.adjoint(depth, albedo, optics.peak);
        gradients.optical_depth.set(layer, profile, at(DEPTH) + bar.depth);
        gradients.single_scattering_albedo.set(layer, profile, at(ALBEDO) + bar.albedo);
        if batch.delta != 0 {
            add_moment(batch, gradients, layer, profile, batch.terms(), peak_bar + bar.peak);
        }
        self.layers.set(layer * OF_LAYER + PLANCK, profile, sums.planck);
        self.layers.set(layer * OF_LAYER + MORE, profile, sums.more);
    }
}

/// From moment number `l` to moments or the asymmetry, as they are given.
#[inline(always)]
pub(super) fn add_moment<R: Real>(
    batch: &Batch<'_, R>,
    gradients: &GradientViews<'_, R>,
    layer: usize,
    profile: usize,
    l: usize,
    bar: R,
) {
    let moments = batch.moments as usize;
    if moments > 0 {
        if l < moments {
            super::add::add(&gradients.phase_moments, layer * moments + l, profile, bar);
        }
    } else if l > 0 {
        let slope = R::from_f64(l as f64) * batch.inputs.asymmetry.at(layer, profile).powi(l as i32 - 1);
        super::add::add(&gradients.asymmetry, layer, profile, bar * slope);
    }
}
