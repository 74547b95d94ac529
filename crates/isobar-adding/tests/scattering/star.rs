//! The star product is associative.

use isobar_adding::scattering::quadrature::Quadrature;
use isobar_adding::scattering::scan::{StarPairs, height, nodes};
use isobar_adding::scattering::unroll::LARGEST_ORDER;
use isobar_core::Real;
use proptest::prelude::*;

use crate::case::{Case, Nodes, run};

fn over<R: Real>(upper: &Nodes<R>, lower: &Nodes<R>) -> Nodes<R> {
    let mut children = Nodes::new(2, 4, 4);
    for (all, parts) in children.matrices.iter_mut().zip(upper.matrices.iter().zip(&lower.matrices)) {
        *all = [&parts.0[..], &parts.1[..]].concat();
    }
    for (all, parts) in children.sources.iter_mut().zip(upper.sources.iter().zip(&lower.sources)) {
        *all = [&parts.0[..], &parts.1[..]].concat();
    }
    let mut parent = Nodes::new(1, 4, 4);
    run(&StarPairs::<R, LARGEST_ORDER> { order: 4, children: children.slabs(), parents: parent.slabs_mut() });
    parent
}

fn slab<R: Real>((depth, albedo, asymmetry, planck): (f64, f64, f64, f64)) -> Nodes<R> {
    let mut case = Case::<R>::new(&Quadrature::double_gauss(4), &[depth], &[albedo], &[asymmetry]);
    case.planck = vec![R::from_f64(planck)];
    let operators = case.operators();
    let (r, t) = (operators.reflection, operators.transmission);
    let mut nodes = Nodes::new(1, 4, 4);
    nodes.matrices = [r.clone(), r, t.clone(), t];
    nodes.sources = [operators.source_up, operators.source_down];
    nodes
}

fn difference<R: Real>(a: &Nodes<R>, b: &Nodes<R>) -> f64 {
    let pairs = a.matrices.iter().zip(&b.matrices).chain(a.sources.iter().zip(&b.sources));
    pairs.flat_map(|(a, b)| a.iter().zip(b)).fold(0.0, |worst, (a, b)| worst.max((a.value() - b.value()).abs()))
}

prop_compose! {
    fn any_layer()(
        thickness in -4.0..2.0_f64, albedo in 0.0..1.0_f64, asymmetry in -0.5..0.9_f64, planck in 0.0..1.0_f64,
    ) -> (f64, f64, f64, f64) {
        (isobar_core::math::double::powf(10.0, thickness), albedo, asymmetry, planck)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn any_grouping_is_the_same(a in any_layer(), b in any_layer(), c in any_layer()) {
        // Roundings of numbers up to 1, a few times amplified between layers that reflect nearly all.
        let (x, y, z) = (slab::<f64>(a), slab(b), slab(c));
        prop_assert!(difference(&over(&over(&x, &y), &z), &over(&x, &over(&y, &z))) < 1e-13);
        let (x, y, z) = (slab::<f32>(a), slab(b), slab(c));
        prop_assert!(difference(&over(&over(&x, &y), &z), &over(&x, &over(&y, &z))) < 5e-5);
    }
}

#[test]
fn heights_and_nodes() {
    assert_eq!([1, 2, 3, 4, 5, 60, 64, 65].map(height), [0, 1, 2, 2, 3, 6, 6, 7]);
    assert_eq!([0, 1, 2, 3].map(|h| nodes(5, h)), [5, 3, 2, 1]);
}

/// Any number of layers: the tree has the levels of the sequence.
#[test]
fn the_tree_agrees_with_the_sequence() {
    for layers in 1..=18 {
        let depth: Vec<f64> = (0..layers).map(|k| 0.02 * (k * k + 1) as f64).collect();
        let albedo: Vec<f64> = (0..layers).map(|k| [0.99, 0.0, 0.5][k % 3]).collect();
        let mut case = Case::<f64>::new(&Quadrature::double_gauss(3), &depth, &albedo, &vec![0.7; layers]);
        case.planck = (0..layers).map(|k| 20.0 + k as f64).collect();
        case.surface_planck = vec![60.0];
        case.emissivity = vec![0.5; 3];
        case.cosmic = vec![2.0];
        let operators = case.operators();
        let (a, b) = (case.sequential(&operators), case.tree(&operators));
        let pairs = [(&a.up, &b.up), (&a.down, &b.down), (&a.reflection, &b.reflection), (&a.source, &b.source)];
        for (a, b) in pairs.into_iter().flat_map(|(a, b)| a.iter().zip(b)) {
            assert!((a - b).abs() < 1e-12, "{layers}: {a} {b}");
        }
    }
}
