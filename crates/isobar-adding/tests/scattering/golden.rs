//! CRTM's adding solver: layers by its phase matrices, and whole atmospheres.

use std::path::Path;

use isobar_adding::Precision;
use isobar_adding::azimuth::add::AddLayers;
use isobar_adding::azimuth::batch::{Batch, Places};
use isobar_adding::azimuth::impedance::Impedance;
use isobar_adding::azimuth::layer::Layer;
use isobar_adding::azimuth::medium::{Medium, Nodes};
use isobar_adding::azimuth::operator::{Directions, Operator, Order};
use isobar_adding::azimuth::quadrature::Quadrature;
use isobar_adding::azimuth::spherical::Recurrence;
use isobar_adding::azimuth::streams::StreamRadiances;
use isobar_adding::azimuth::surface_components::SurfacePlaces;
use isobar_adding::azimuth::{NodeTables, ProfileViews, RadianceViews};
use isobar_adding::scattering::{self, Reflection};
use isobar_core::fields::{InputSet, OutputSet};
use isobar_core::math::double;
use isobar_core::{Column, Field, FieldMut, Kernel, Lanes, Real};

use crate::case::{Case, Scatter};

/// Room for the nodes of all sets.
const ROOM: usize = 32;

/// A case of a reference set.
#[derive(Clone)]
struct Reference {
    name: String,
    cosine: Vec<f64>,
    weight: Vec<f64>,
    nodes: usize,
    depth: Vec<f64>,
    albedo: Vec<f64>,
    asymmetry: Vec<f64>,
    /// `[layer, row, column]`.
    forward: Vec<f64>,
    backward: Vec<f64>,
    planck: Vec<f64>,
    surface_planck: f64,
    cosmic: f64,
    emissivity: Vec<f64>,
    /// `[row, column]`.
    surface: Vec<f64>,
    reflection: Vec<f64>,
    transmission: Vec<f64>,
    source: Vec<f64>,
    top: Vec<f64>,
    up: Vec<f64>,
    down: Vec<f64>,
}

impl Reference {
    fn read(dir: &Path, case: usize) -> Self {
        let array = |name: &str| {
            let (shape, values) = isobar_golden::npy(&dir.join(name).with_extension("npy"));
            let size = values.len() / shape[0];
            values[case * size..][..size].to_vec()
        };
        let weight = array("w");
        let viewing = weight.last() == Some(&0.0);
        Self {
            name: format!("{} {case}", dir.file_name().expect("a folder").to_string_lossy()),
            nodes: weight.len() - usize::from(viewing),
            weight,
            cosine: array("mu"),
            depth: array("tau"),
            albedo: array("omega"),
            asymmetry: array("g"),
            forward: array("ff"),
            backward: array("bb"),
            planck: array("planck"),
            surface_planck: array("planck_sfc")[0],
            cosmic: array("cosmic")[0],
            emissivity: array("emis"),
            surface: array("refl"),
            reflection: array("layer_R"),
            transmission: array("layer_T"),
            source: array("layer_S"),
            top: array("toa"),
            up: array("level_up"),
            down: array("level_down"),
        }
    }

    fn all() -> Vec<Self> {
        let Some(dir) = isobar_golden::find("adding") else { return Vec::new() };
        let sets = [("scat_s8", 6), ("scat_s16", 4), ("scat_s8sat", 4), ("scat_s4sat", 4)];
        let cases = sets.into_iter().flat_map(|(set, cases)| (0..cases).map(move |case| (set, case)));
        cases.map(|(set, case)| Self::read(&dir.join(set), case)).collect()
    }

    /// With the steepest node first.
    fn steepest_first(&self) -> Self {
        let (n, streams) = (self.nodes, self.streams());
        let of = |stream: usize| if stream < n { n - 1 - stream } else { stream };
        let vector = |values: &[f64]| -> Vec<f64> {
            (0..values.len()).map(|at| values[at / streams * streams + of(at % streams)]).collect()
        };
        let matrix = |values: &[f64]| -> Vec<f64> {
            let size = streams * streams;
            let place = |at: usize| at / size * size + of(at % size / streams) * streams + of(at % streams);
            (0..values.len()).map(|at| values[place(at)]).collect()
        };
        Self {
            cosine: vector(&self.cosine),
            weight: vector(&self.weight),
            emissivity: vector(&self.emissivity),
            source: vector(&self.source),
            forward: matrix(&self.forward),
            backward: matrix(&self.backward),
            surface: matrix(&self.surface),
            reflection: matrix(&self.reflection),
            transmission: matrix(&self.transmission),
            ..self.clone()
        }
    }

    fn streams(&self) -> usize {
        self.cosine.len()
    }

    fn order(&self) -> Order {
        Order { nodes: self.nodes, views: self.streams() - self.nodes, suns: 0 }
    }

    /// `sqrt(w mu)` of a node; a view has no weight.
    fn flux(&self, stream: usize) -> f64 {
        if stream < self.nodes { (self.weight[stream] * self.cosine[stream]).sqrt() } else { 1.0 }
    }

    /// CRTM's albedo: at most 0.999999, and layers of 1e-10 or less are clear.
    fn crtm_albedo(&self, layer: usize) -> f64 {
        let albedo = self.albedo[layer].min(0.999_999);
        if albedo <= 1e-10 { 0.0 } else { albedo }
    }

    /// A layer's operators by the reference's phase matrices, in our directions.
    fn layer<R: Real>(&self, tables: &NodeTables, layer: usize) -> Layer<R, ROOM> {
        let (order, n, albedo) = (self.order(), self.nodes, self.crtm_albedo(layer));
        let matrix = |values: &[f64], i: usize, j: usize| values[(layer * self.streams() + i) * self.streams() + j];
        let rates = |sign: f64| {
            let mut all = Operator::<R, ROOM>::ZERO;
            let rate = |i: usize, j: usize| {
                let scattered = matrix(&self.forward, i, j) + sign * matrix(&self.backward, i, j);
                let direct = if i == j { 1.0 / self.cosine[i] } else { 0.0 };
                let into = self.flux(i) / self.cosine[i] * (self.weight[j] / self.cosine[j]).sqrt();
                direct - albedo * scattered * into
            };
            let core = turned(&tables.axis, &(0..n * n).map(|at| rate(at / n, at % n)).collect::<Vec<_>>());
            for (at, &element) in core.iter().enumerate() {
                all.core[at / n].set(at % n, R::from_f64(element));
            }
            for view in 0..order.views {
                let row = (0..n).map(|j| rate(n + view, j)).collect::<Vec<_>>();
                for (j, &element) in turned_row(&tables.axis, &row).iter().enumerate() {
                    all.view[view].set(j, R::from_f64(element));
                }
            }
            for view in 0..all.view_diagonal.len() {
                let cosine = if view < order.views { self.cosine[n + view] } else { 1.0 };
                all.view_diagonal[view] = R::from_f64(1.0 / cosine);
            }
            all.relative_views(R::from_f64(core::f64::consts::SQRT_2), order);
            all
        };
        let mut isotropic = Directions::ZERO;
        isotropic.node.set(0, R::from_f64(core::f64::consts::FRAC_1_SQRT_2));
        let (depth, planck) = (R::from_f64(self.depth[layer]), R::from_f64(self.planck[layer]));
        let impedance = Impedance::of(Medium { a: rates(-1.0), b: rates(1.0) }, depth, Some(&isotropic), order);
        let mut layer = Layer::of(&impedance, Some(&isotropic), planck, R::ZERO, order);
        for view in 0..order.views {
            layer.transmission.view_diagonal[view] = (-depth / R::from_f64(self.cosine[n + view])).exp();
        }
        layer
    }

    /// An operator as a matrix of radiances, all streams.
    fn radiances<R: Real>(&self, tables: &NodeTables, operator: &Operator<R, ROOM>, diagonal: bool) -> Vec<f64> {
        let (n, streams) = (self.nodes, self.streams());
        let core = (0..n * n).map(|at| operator.core[at / n].element(at % n).value()).collect::<Vec<_>>();
        let core = turned(&tables.axis, &core);
        let mut all = vec![0.0; streams * streams];
        for i in 0..streams {
            let row = if i < n {
                core[i * n..][..n].to_vec()
            } else {
                let row = (0..n).map(|j| operator.view[i - n].element(j).value()).collect::<Vec<_>>();
                turned_row(&tables.axis, &row)
            };
            for j in 0..n {
                all[i * streams + j] = row[j] * self.flux(j) / self.flux(i);
            }
            if i >= n && diagonal {
                all[i * streams + i] = operator.view_diagonal[i - n].value();
            }
        }
        all
    }

    /// The Legendre moments that explain a layer's matrices: where both are the same they are isotropic or Rayleigh's,
    /// otherwise Henyey and Greenstein's.
    fn moments(&self, layer: usize) -> Vec<f64> {
        let size = self.streams() * self.streams();
        let (forward, backward) = (&self.forward[layer * size..][..size], &self.backward[layer * size..][..size]);
        let terms = 2 * self.nodes;
        let of = |values: &[f64]| (0..=terms).map(|l| values.get(l).copied().unwrap_or(0.0)).collect::<Vec<_>>();
        let even = forward.iter().zip(backward).all(|(f, b)| (f - b).abs() < 1e-12);
        let isotropic = forward.iter().all(|f| (f - forward[0]).abs() < 1e-12);
        match (even, isotropic) {
            (true, true) => of(&[1.0]),
            (true, false) => of(&[1.0, 0.0, 0.1]),
            (false, _) => (0..=terms).map(|l| double::powi(self.asymmetry[layer], l as i32)).collect(),
        }
    }
}

/// `row (1 - v v)`.
fn turned_row(axis: &[f64], row: &[f64]) -> Vec<f64> {
    let along: f64 = row.iter().zip(axis).map(|(x, v)| x * v).sum();
    row.iter().zip(axis).map(|(x, v)| x - along * v).collect()
}

/// `(1 - v v) matrix (1 - v v)`.
fn turned(axis: &[f64], matrix: &[f64]) -> Vec<f64> {
    let n = axis.len();
    let rows: Vec<Vec<f64>> = matrix.chunks(n).map(|row| turned_row(axis, row)).collect();
    let columns: Vec<Vec<f64>> =
        (0..n).map(|j| turned_row(axis, &rows.iter().map(|row| row[j]).collect::<Vec<_>>())).collect();
    (0..n * n).map(|at| columns[at % n][at / n]).collect()
}

/// The largest difference.
fn absolute(got: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(got.len(), expected.len());
    got.iter().zip(expected).fold(0.0, |worst: f64, (got, &expected)| {
        let difference = (got - expected).abs();
        if difference.is_nan() { f64::INFINITY } else { worst.max(difference) }
    })
}

/// The largest relative difference, but for what the reference loses: it has a layer's source as 1 less a sum of
/// rounded numbers, which is nothing but rounding where the optical depth is 1e-9.
fn relative(got: &[f64], expected: &[f64], lost: f64) -> f64 {
    assert_eq!(got.len(), expected.len());
    got.iter().zip(expected).fold(0.0, |worst: f64, (got, expected)| {
        let difference = ((got - expected).abs() - lost).max(0.0) / (expected.abs() + lost);
        if difference.is_nan() { f64::INFINITY } else { worst.max(difference) }
    })
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest: f64, &x| largest.max(x))
}

/// All radiances from layers' operators: upward at the top, and both ways at all levels.
fn added<R: Real>(case: &Reference) -> [Vec<f64>; 3] {
    let (n, views, layers) = (case.nodes, case.streams() - case.nodes, case.depth.len());
    let tables = NodeTables::new(n);
    let real = |values: &[f64]| values.iter().map(|&x| R::from_f64(x)).collect::<Vec<R>>();
    let mut operators = Vec::new();
    for k in 0..layers {
        let layer = case.layer::<R>(&tables, k);
        let core = |of: &Operator<R, ROOM>| (0..n * n).map(|at| of.core[at / n].element(at % n)).collect::<Vec<_>>();
        operators.extend(core(&layer.reflection));
        operators.extend(core(&layer.transmission));
        // No light of the Sun.
        operators.extend(vec![R::ZERO; 2 * n]);
        operators.extend((0..n).map(|j| layer.up.node.element(j)));
        operators.extend((0..n).map(|j| layer.down.node.element(j)));
        for view in 0..views {
            operators.extend((0..n).map(|j| layer.reflection.view[view].element(j)));
            operators.extend((0..n).map(|j| layer.transmission.view[view].element(j)));
            operators.extend([R::ZERO; 2]);
            operators.extend([layer.up.view[view], layer.down.view[view], layer.transmission.view_diagonal[view]]);
        }
    }
    assert_eq!(operators.len(), layers * Places::rows(n, views, 1));
    let mut surface = Vec::new();
    for i in 0..n + views {
        let mirror = |j: usize| case.surface[i * case.streams() + j];
        surface.extend((0..n).map(|j| mirror(j) * case.flux(i) / case.flux(j)));
        surface.extend([0.0, case.flux(i) * case.emissivity[i], if i < n { 0.0 } else { mirror(i) }]);
    }
    assert_eq!(surface.len(), SurfacePlaces::rows(n, views, 1, 1));
    let surface = real(&surface);
    let numbers: Vec<Vec<R>> = tables.all().into_iter().map(|values| real(values)).collect();
    let column = |i: usize| Column::from(&numbers[i][..]);
    let nodes = Nodes {
        functions: Field::item_fastest(&numbers[0], 4 * n * n, n),
        turned_secant: Field::item_fastest(&numbers[1], n, n),
        secant: column(2),
        flux: column(3),
        mean: column(4),
        axis: column(5),
        recurrence: Recurrence { first: column(6), ahead: column(7), back: column(8) },
    };
    let (depth, cosmic, planck) = (real(&case.depth), [R::from_f64(case.cosmic)], [R::from_f64(case.surface_planck)]);
    let albedo = real(&case.albedo);
    let inputs = ProfileViews {
        optical_depth: Field::item_fastest(&depth, layers, 1),
        single_scattering_albedo: Field::item_fastest(&albedo, layers, 1),
        cosmic_background: Column::from(&cosmic[..]),
        surface_planck_radiance: Column::from(&planck[..]),
        ..ProfileViews::empty()
    };
    let batch = Batch {
        inputs,
        nodes,
        order: n as u32,
        views: views as u32,
        suns: 1,
        moments: 0,
        components: 1,
        delta: 0,
        skips: 0,
    };
    let rows = |rows: usize| vec![R::ZERO; rows.max(1)];
    let (beams, mut passage, mut light) = (rows(layers + 1), rows(layers * n * n), rows((layers + 1) * 2 * n));
    let (mut up, mut down) = (rows((layers + 1) * views), rows((layers + 1) * views));
    fn field<R: Copy>(values: &mut [R]) -> FieldMut<'_, R> {
        let rows = values.len();
        FieldMut::item_fastest(values, rows, 1)
    }
    let (passage, light, up, down) = (field(&mut passage), field(&mut light), field(&mut up), field(&mut down));
    run(&AddLayers::<R, ROOM> {
        batch,
        operators: Field::item_fastest(&operators, operators.len(), 1),
        surface: Field::item_fastest(&surface, surface.len(), 1),
        beams: Field::item_fastest(&beams, layers + 1, 1),
        passage,
        light,
        up,
        down,
        levels: 1,
        outputs: RadianceViews::empty(),
    });
    let mut found = [case.streams(), (layers + 1) * case.streams(), (layers + 1) * case.streams()].map(rows);
    let mut status = [0];
    let [top, upward, downward] = &mut found;
    // SAFETY: nobody writes them any more.
    let [light, up, down] = unsafe { [light.read(), up.read(), down.read()] };
    let outputs = scattering::RadianceViews {
        top_radiance: field(top),
        upward_radiance: field(upward),
        downward_radiance: field(downward),
        status: field(&mut status),
    };
    run(&StreamRadiances { batch, light, up, down, levels: 1, outputs });
    assert_eq!(status, [0]);
    found.map(|values| values.into_iter().map(|x| x.value()).collect())
}

fn run<K: Kernel>(kernel: &K) {
    for index in 0..kernel.items() {
        // SAFETY: each item once, one after the other.
        let _ = unsafe { kernel.item::<1>(index, Lanes::starting_at(0)) };
    }
}

/// Absolute, of the largest source, and relative.
fn compare<R: Real>(tolerance: f64) {
    let mut wrong = Vec::new();
    for case in Reference::all().iter().map(Reference::steepest_first) {
        let mut check = |what: &str, got: f64| {
            println!("{} {} {what}: {got:.1e}", case.name, R::NAME);
            if got > tolerance {
                wrong.push(format!("{} {} {what}: {got:e}", case.name, R::NAME));
            }
        };
        let tables = NodeTables::new(case.nodes);
        let size = case.streams() * case.streams();
        let (mut reflection, mut transmission, mut source) = (0.0_f64, 0.0_f64, 0.0_f64);
        for k in 0..case.depth.len() {
            let layer = case.layer::<R>(&tables, k);
            let [got_reflection, got_transmission] = [(&layer.reflection, false), (&layer.transmission, true)]
                .map(|(operator, diagonal)| case.radiances(&tables, operator, diagonal));
            reflection = reflection.max(absolute(&got_reflection, &case.reflection[k * size..][..size]));
            transmission = transmission.max(absolute(&got_transmission, &case.transmission[k * size..][..size]));
            let expected = &case.source[k * case.streams()..][..case.streams()];
            let node = (0..case.nodes).map(|j| layer.up.node.element(j).value()).collect::<Vec<_>>();
            let mut got = turned_row(&tables.axis, &node);
            got.iter_mut().enumerate().for_each(|(j, x)| *x /= case.flux(j));
            got.extend((0..case.streams() - case.nodes).map(|view| layer.up.view[view].value()));
            source = source.max(absolute(&got, expected) / largest(&case.source));
        }
        check("layer_R", reflection);
        check("layer_T", transmission);
        check("layer_S", source);
        let [top, up, down] = added::<R>(&case);
        let lost = 1e-15 * largest(&case.planck);
        check("toa", relative(&top, &case.top, 0.0));
        check("level_up", relative(&up, &case.up, 0.0));
        check("level_down", relative(&down, &case.down, lost));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// It is the reference's error, whose own two methods differ by as much (1e-11, 2.4e-11, 3.4e-11), where a layer hardly
/// absorbs and an eigenvalue is nearly zero.
#[test]
fn reference_sets() {
    compare::<f64>(1e-10);
}

#[test]
fn nodes_and_weights_of_the_reference() {
    for case in Reference::all() {
        let Quadrature { cosine, weight, nodes } = Quadrature::double_gauss(case.nodes);
        assert!(absolute(&cosine, &case.cosine[..nodes]) < 1e-14);
        assert!(absolute(&weight, &case.weight[..nodes]) < 1e-14);
    }
}

/// By moments in the place of matrices, of layers with CRTM's albedos. Its floor in phase matrices has no part in them.
#[test]
fn radiances_of_the_reference_by_moments() {
    by_moments::<f64>(1e-10);
}

/// Radiances of thick layers that hardly absorb follow the small difference of albedo from 1, which single precision
/// has to 1e-6 of 1 / 0.001 in these cases.
#[test]
fn single_precision_by_moments() {
    by_moments::<f32>(4e-5);
}

fn by_moments<R: Precision>(tolerance: f64) {
    for case in Reference::all() {
        let layers = case.depth.len();
        let (mut depths, mut albedos, mut moments) = (Vec::new(), Vec::new(), Vec::new());
        for layer in 0..layers {
            // The reference's albedo and optical depth are those without the peak: put it back.
            let (own, scaled) = (case.moments(layer), case.crtm_albedo(layer));
            let peak = own[2 * case.nodes];
            let albedo = scaled / (1.0 - peak + peak * scaled);
            albedos.push(albedo);
            depths.push(case.depth[layer] / (1.0 - peak * albedo));
            moments.extend(own);
        }
        let n = case.streams();
        let diagonal = (0..n * n).all(|i| i / n == i % n || case.surface[i] == 0.0);
        let ours = Case {
            layers,
            nodes: case.nodes,
            view: case.cosine[case.nodes..].to_vec(),
            optical_depth: depths,
            albedo: albedos,
            planck: case.planck.clone(),
            scatter: Scatter::Moments(moments),
            delta: true,
            surface: if diagonal { Reflection::Specular } else { Reflection::Lambertian },
            emissivity: case.emissivity.clone(),
            surface_planck: vec![case.surface_planck],
            cosmic: vec![case.cosmic],
            sun: None,
        };
        let found = ours.radiances_in::<R>();
        let lost = 1e-15 * largest(&case.planck);
        let worst = relative(&found.top, &case.top, 0.0).max(relative(&found.up, &case.up, 0.0)).max(relative(
            &found.down,
            &case.down,
            lost,
        ));
        println!("{} {} by moments: {worst:.1e}", case.name, R::NAME);
        assert!(worst < tolerance, "{}: {worst:e}", case.name);
    }
}
