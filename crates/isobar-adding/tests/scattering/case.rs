//! A batch in memory, and every kernel run on it by one thread.

use isobar_adding::scattering::ProfileViews;
use isobar_adding::scattering::add::{AddLayers, Levels};
use isobar_adding::scattering::directions::StreamDirections;
use isobar_adding::scattering::operator::LayerOperators;
use isobar_adding::scattering::phase::Phase;
use isobar_adding::scattering::quadrature::Quadrature;
use isobar_adding::scattering::scan::{CloseTree, OpenTree, StarPairs, height, nodes};
use isobar_adding::scattering::slab::{Slabs, SlabsMut};
use isobar_adding::scattering::sun::Beam;
use isobar_adding::scattering::surface::{SPECULAR, Surface};
use isobar_adding::scattering::unroll::LARGEST_ORDER;
use isobar_core::fields::InputSet;
use isobar_core::kernel::WARP;
use isobar_core::{Column, Field, FieldMut, Kernel, Lanes, Real, Status};

#[derive(Clone, Debug)]
pub(crate) enum Scatter<R> {
    /// `[layer, row, profile, column]`.
    Matrices { forward: Vec<R>, backward: Vec<R> },
    /// `[layer, moment, profile]`.
    Moments(Vec<R>),
    /// `[layer, profile]`.
    Asymmetry(Vec<R>),
}

#[derive(Clone, Debug)]
pub(crate) struct Sun<R> {
    pub(crate) cosine: Vec<R>,
    pub(crate) irradiance: Vec<R>,
    /// `[stream, profile]`.
    pub(crate) reflectivity: Vec<R>,
}

/// Profiles with the profile fastest, streams `N`.
#[derive(Clone, Debug)]
pub(crate) struct Case<R> {
    pub(crate) profiles: usize,
    pub(crate) layers: usize,
    pub(crate) nodes: usize,
    /// `[stream, profile]`.
    pub(crate) cosine: Vec<R>,
    pub(crate) weight: Vec<R>,
    /// `[layer, profile]`.
    pub(crate) optical_depth: Vec<R>,
    pub(crate) albedo: Vec<R>,
    pub(crate) planck: Vec<R>,
    pub(crate) crtm_limits: bool,
    pub(crate) scatter: Scatter<R>,
    pub(crate) terms: usize,
    pub(crate) delta: bool,
    pub(crate) surface: u32,
    /// `[row, profile, column]`.
    pub(crate) surface_reflection: Vec<R>,
    /// `[stream, profile]`.
    pub(crate) emissivity: Vec<R>,
    pub(crate) surface_planck: Vec<R>,
    pub(crate) cosmic: Vec<R>,
    pub(crate) sun: Option<Sun<R>>,
}

/// `[layer, row, profile, column]` and `[layer, profile, stream]`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Operators<R> {
    pub(crate) reflection: Vec<R>,
    pub(crate) transmission: Vec<R>,
    pub(crate) source_up: Vec<R>,
    pub(crate) source_down: Vec<R>,
    /// `[stream, profile]`, with the Sun.
    pub(crate) surface_source: Vec<R>,
}

/// Radiances `[level, stream, profile]`; `[level, row, profile, column]` and `[level, profile, stream]` of what is
/// below.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Radiances<R> {
    pub(crate) top: Vec<R>,
    pub(crate) up: Vec<R>,
    pub(crate) down: Vec<R>,
    pub(crate) reflection: Vec<R>,
    pub(crate) source: Vec<R>,
}

impl<R: Real> Case<R> {
    /// One profile that scatters as Henyey and Greenstein say, over a black surface at 0 K, under a dark sky.
    pub(crate) fn new(streams: &Quadrature, optical_depth: &[f64], albedo: &[f64], asymmetry: &[f64]) -> Self {
        let round = |values: &[f64]| values.iter().map(|&x| R::from_f64(x)).collect::<Vec<R>>();
        let (layers, order) = (optical_depth.len(), streams.cosine.len());
        Self {
            profiles: 1,
            layers,
            nodes: streams.nodes,
            cosine: round(&streams.cosine),
            weight: round(&streams.weight),
            optical_depth: round(optical_depth),
            albedo: round(albedo),
            planck: vec![R::ZERO; layers],
            crtm_limits: false,
            scatter: Scatter::Asymmetry(round(asymmetry)),
            terms: 2 * streams.nodes,
            delta: true,
            surface: SPECULAR,
            surface_reflection: vec![R::ZERO; order * order],
            emissivity: vec![R::ONE; order],
            surface_planck: vec![R::ZERO],
            cosmic: vec![R::ZERO],
            sun: None,
        }
    }

    fn streams(&self) -> usize {
        self.cosine.len() / self.profiles
    }

    fn phase(&self) -> Phase<'_, R> {
        let (items, rows) = (self.profiles * self.streams(), self.layers * self.streams());
        let mut phase = Phase {
            forward: Field::empty(),
            backward: Field::empty(),
            sun_forward: Field::empty(),
            sun_backward: Field::empty(),
            moments: Field::empty(),
            asymmetry: Field::empty(),
            terms: self.terms as u32,
            delta: u32::from(self.delta),
        };
        match &self.scatter {
            Scatter::Matrices { forward, backward } => {
                phase.forward = Field::item_fastest(forward, rows, items);
                phase.backward = Field::item_fastest(backward, rows, items);
            }
            Scatter::Moments(values) => {
                phase.moments = Field::item_fastest(values, values.len() / self.profiles, self.profiles);
            }
            Scatter::Asymmetry(values) => phase.asymmetry = Field::item_fastest(values, self.layers, self.profiles),
        }
        phase
    }

    fn of_layers<'a>(&self, values: &'a [R]) -> Field<'a, R> {
        Field::item_fastest(values, self.layers, self.profiles)
    }

    fn of_streams<'a>(&self, values: &'a [R]) -> Field<'a, R> {
        Field::item_fastest(values, self.streams(), self.profiles)
    }

    fn inputs(&self) -> ProfileViews<'_, R> {
        let inputs = ProfileViews {
            optical_depth: self.of_layers(&self.optical_depth),
            single_scattering_albedo: self.of_layers(&self.albedo),
            planck_radiance: self.of_layers(&self.planck),
            surface_planck_radiance: Column::from(&self.surface_planck[..]),
            emissivity: self.of_streams(&self.emissivity),
            cosmic_background: Column::from(&self.cosmic[..]),
            ..ProfileViews::empty()
        };
        let Some(sun) = &self.sun else { return inputs };
        ProfileViews {
            sun_cosine: Column::from(&sun.cosine[..]),
            sun_irradiance: Column::from(&sun.irradiance[..]),
            sun_reflectivity: self.of_streams(&sun.reflectivity),
            ..inputs
        }
    }

    /// The nodes are those of the first profile.
    fn directions(&self) -> StreamDirections<'_, R> {
        let (nodes, viewing) = self.cosine.split_at(self.nodes * self.profiles);
        let of_nodes = |values| Field::item_fastest(values, self.nodes, self.profiles).column(0);
        StreamDirections {
            node_cosine: of_nodes(nodes),
            node_weight: of_nodes(&self.weight[..nodes.len()]),
            viewing_cosine: if viewing.is_empty() { Column::empty() } else { Column::from(viewing) },
        }
    }

    pub(crate) fn operators(&self) -> Operators<R> {
        let order = self.streams();
        let (layers, items) = (self.layers, self.profiles * order);
        let mut result = Operators {
            reflection: vec![R::NAN; layers * order * items],
            transmission: vec![R::NAN; layers * order * items],
            source_up: vec![R::NAN; layers * items],
            source_down: vec![R::NAN; layers * items],
            surface_source: vec![R::ZERO; items],
        };
        let mut beam = vec![R::NAN; (layers + 1) * self.profiles];
        let mut beam_view = Field::empty();
        if self.sun.is_some() {
            run(&Beam {
                inputs: self.inputs(),
                phase: self.phase(),
                beam: FieldMut::item_fastest(&mut beam, layers + 1, self.profiles),
                surface_source: FieldMut::item_fastest(&mut result.surface_source, order, self.profiles),
            });
            beam_view = Field::item_fastest(&beam, layers + 1, self.profiles);
        }
        run(&LayerOperators::<R, LARGEST_ORDER> {
            order: order as u32,
            inputs: self.inputs(),
            crtm_limits: u32::from(self.crtm_limits),
            directions: self.directions(),
            phase: self.phase(),
            beam: beam_view,
            reflection: FieldMut::item_fastest(&mut result.reflection, layers * order, items),
            transmission: FieldMut::item_fastest(&mut result.transmission, layers * order, items),
            source_up: FieldMut::item_fastest(&mut result.source_up, layers, items),
            source_down: FieldMut::item_fastest(&mut result.source_down, layers, items),
        });
        if self.sun.is_none() {
            result.source_down.clone_from(&result.source_up);
        }
        result
    }

    fn surface<'a>(&'a self, operators: &'a Operators<R>) -> Surface<'a, R> {
        Surface {
            kind: self.surface,
            reflection: Field::item_fastest(&self.surface_reflection, self.streams(), self.profiles * self.streams()),
            inputs: self.inputs(),
            source: if self.sun.is_some() { self.of_streams(&operators.surface_source) } else { Field::empty() },
            directions: self.directions(),
        }
    }

    fn results(&self) -> Radiances<R> {
        let (levels, order) = (self.layers + 1, self.streams());
        let items = self.profiles * order;
        Radiances {
            top: vec![R::NAN; items],
            up: vec![R::NAN; levels * items],
            down: vec![R::NAN; levels * items],
            reflection: vec![R::NAN; levels * order * items],
            source: vec![R::NAN; levels * items],
        }
    }

    /// Layer after layer, from the surface up.
    pub(crate) fn sequential(&self, operators: &Operators<R>) -> Radiances<R> {
        let (layers, order) = (self.layers, self.streams());
        let items = self.profiles * order;
        let mut radiances = self.results();
        let mut transmission = vec![R::NAN; layers * order * items];
        let mut source = vec![R::NAN; layers * items];
        let mut top = vec![R::NAN; items];
        let slabs = operators.slabs(layers);
        let surface = self.surface(operators);
        let cosmic = Column::from(&self.cosmic[..]);
        run(&AddLayers::<R, LARGEST_ORDER> {
            order: order as u32,
            layers: slabs,
            surface,
            cosmic,
            top: FieldMut::item_fastest(&mut top, order, self.profiles),
            status: FieldMut::empty(),
            levels: Levels::none(),
            transmission: FieldMut::empty(),
            source: FieldMut::empty(),
        });
        run(&AddLayers::<R, LARGEST_ORDER> {
            order: order as u32,
            layers: slabs,
            surface,
            cosmic,
            top: FieldMut::item_fastest(&mut radiances.top, order, self.profiles),
            status: FieldMut::empty(),
            levels: levels(
                (&mut radiances.reflection, &mut radiances.source),
                (&mut radiances.up, &mut radiances.down),
                items,
            ),
            transmission: FieldMut::item_fastest(&mut transmission, layers * order, items),
            source: FieldMut::item_fastest(&mut source, layers, items),
        });
        assert_eq!(top, radiances.top);
        radiances
    }

    /// The same as a tree.
    pub(crate) fn tree(&self, operators: &Operators<R>) -> Radiances<R> {
        let (layers, order) = (self.layers, self.streams());
        let items = self.profiles * order;
        let mut heights: Vec<Nodes<R>> = Vec::new();
        for h in 1..=height(layers) {
            let mut parents = Nodes::new(nodes(layers, h), order, items);
            let children = heights.last().map_or_else(|| operators.slabs(layers), Nodes::slabs);
            run(&StarPairs::<R, LARGEST_ORDER> { order: order as u32, children, parents: parents.slabs_mut() });
            heights.push(parents);
        }
        let root = heights.last().map_or_else(|| operators.slabs(layers), Nodes::slabs);
        let surface = self.surface(operators);
        let cosmic = Column::from(&self.cosmic[..]);
        let mut top = vec![R::NAN; items];
        run(&CloseTree::<R, LARGEST_ORDER> {
            order: order as u32,
            root,
            surface,
            cosmic,
            top: FieldMut::item_fastest(&mut top, order, self.profiles),
            status: FieldMut::empty(),
            levels: Levels::none(),
        });
        let mut radiances = self.results();
        let levels =
            levels((&mut radiances.reflection, &mut radiances.source), (&mut radiances.up, &mut radiances.down), items);
        let top_of_levels = FieldMut::item_fastest(&mut radiances.top, order, self.profiles);
        run(&CloseTree::<R, LARGEST_ORDER> {
            order: order as u32,
            root,
            surface,
            cosmic,
            top: top_of_levels,
            status: FieldMut::empty(),
            levels,
        });
        for h in (1..=height(layers)).rev() {
            let children = if h == 1 { operators.slabs(layers) } else { heights[h as usize - 2].slabs() };
            run(&OpenTree::<R, LARGEST_ORDER> { order: order as u32, children, height: h, levels });
        }
        assert_eq!(top, radiances.top);
        radiances
    }
}

impl<R: Real> Operators<R> {
    pub(crate) fn slabs(&self, layers: usize) -> Slabs<'_, R> {
        let items = self.source_up.len() / layers;
        let order = self.reflection.len() / (layers * items);
        let reflection = Field::item_fastest(&self.reflection, layers * order, items);
        let transmission = Field::item_fastest(&self.transmission, layers * order, items);
        Slabs {
            source_down: Field::item_fastest(&self.source_down, layers, items),
            ..Slabs::homogeneous(reflection, transmission, Field::item_fastest(&self.source_up, layers, items))
        }
    }
}

/// Nodes of the tree: reflection from above and below, transmission down and up; sources up and down.
#[derive(Clone, Debug)]
pub(crate) struct Nodes<R> {
    items: usize,
    pub(crate) matrices: [Vec<R>; 4],
    pub(crate) sources: [Vec<R>; 2],
}

impl<R: Real> Nodes<R> {
    pub(crate) fn new(count: usize, order: usize, items: usize) -> Self {
        Self {
            items,
            matrices: std::array::from_fn(|_| vec![R::NAN; count * order * items]),
            sources: std::array::from_fn(|_| vec![R::NAN; count * items]),
        }
    }

    pub(crate) fn slabs(&self) -> Slabs<'_, R> {
        let [above, below, down, up] =
            self.matrices.each_ref().map(|m| Field::item_fastest(m, m.len() / self.items, self.items));
        let [source_up, source_down] =
            self.sources.each_ref().map(|s| Field::item_fastest(s, s.len() / self.items, self.items));
        Slabs {
            reflection_above: above,
            reflection_below: below,
            transmission_down: down,
            transmission_up: up,
            source_up,
            source_down,
        }
    }

    pub(crate) fn slabs_mut(&mut self) -> SlabsMut<'_, R> {
        let items = self.items;
        let [above, below, down, up] = self.matrices.each_mut().map(|m| {
            let rows = m.len() / items;
            FieldMut::item_fastest(m, rows, items)
        });
        let [source_up, source_down] = self.sources.each_mut().map(|s| {
            let rows = s.len() / items;
            FieldMut::item_fastest(s, rows, items)
        });
        SlabsMut {
            reflection_above: above,
            reflection_below: below,
            transmission_down: down,
            transmission_up: up,
            source_up,
            source_down,
        }
    }
}

fn levels<'a, R: Real>(
    (reflection, source): (&'a mut [R], &'a mut [R]),
    (up, down): (&'a mut [R], &'a mut [R]),
    items: usize,
) -> Levels<'a, R> {
    let levels = source.len() / items;
    let rows = reflection.len() / items;
    let order = rows / levels;
    Levels {
        reflection: FieldMut::item_fastest(reflection, rows, items),
        source: FieldMut::item_fastest(source, levels, items),
        up: FieldMut::item_fastest(up, rows, items / order),
        down: FieldMut::item_fastest(down, rows, items / order),
    }
}

/// Computes every item of a kernel on the calling thread.
pub(crate) fn run<K: Kernel>(kernel: &K) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: the processor has what the function is compiled for.
        return unsafe { run_avx2(kernel) };
    }
    items(kernel);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn run_avx2<K: Kernel>(kernel: &K) {
    items(kernel);
}

#[inline(always)]
fn items<K: Kernel>(kernel: &K) {
    for index in 0..kernel.items() {
        // SAFETY: each index once; the views are those of living slices.
        let status = unsafe { kernel.item::<WARP>(index, Lanes::starting_at(0)) };
        assert_eq!(status, Status::OK);
    }
}
