//! One layer: the exponential of its transfer matrix, conservation, reciprocity, every order.

use isobar_adding::scattering::quadrature::Quadrature;
use isobar_core::Real;
use nalgebra::DMatrix;

use crate::case::{Case, Scatter};

fn single<R: Real>(nodes: usize, optical_depth: f64, albedo: f64, asymmetry: f64) -> Case<R> {
    let mut case = Case::new(&Quadrature::double_gauss(nodes), &[optical_depth], &[albedo], &[asymmetry]);
    case.delta = false;
    case
}

/// What is lost, `mu_j w_j - sum_i mu_i w_i (R + T)_ij` over `mu_j w_j`, at most.
fn lost<R: Real>(case: &Case<R>) -> f64 {
    let order = case.cosine.len();
    let operators = case.operators();
    let flux = |i: usize| case.cosine[i].value() * case.weight[i].value();
    (0..order).fold(0.0, |worst: f64, j| {
        let out = |i: usize| {
            (operators.reflection[i * order + j].value() + operators.transmission[i * order + j].value()) * flux(i)
        };
        let sum: f64 = (0..order).map(out).sum();
        worst.max((1.0 - sum / flux(j)).abs())
    })
}

#[test]
fn nothing_is_lost_without_absorption() {
    for optical_depth in [1e-6, 1e-3, 0.1, 1.0, 10.0, 100.0, 1e4, 1e10] {
        for asymmetry in [0.0, 0.5, 0.85] {
            let double = lost(&single::<f64>(8, optical_depth, 1.0, asymmetry));
            let single = lost(&single::<f32>(8, optical_depth, 1.0, asymmetry));
            println!("tau {optical_depth:e} g {asymmetry}: f64 {double:.1e}, f32 {single:.1e}");
            // Some roundings a doubling.
            assert!(double < 2e-14, "{double:e}");
            assert!(single < 1e-5, "{single:e}");
        }
    }
}

#[test]
fn crtm_s_largest_albedo_absorbs_a_millionth_an_order_of_scattering() {
    let mut case = single::<f64>(8, 1.0, 1.0, 0.5);
    case.crtm_limits = true;
    let lost = lost(&case);
    assert!((1e-7..1e-4).contains(&lost), "{lost:e}");
}

/// Henyey and Greenstein's phase function of a large asymmetry, cut off after two terms a node, has negative elements,
/// in whose place CRTM puts others.
#[test]
fn crtm_s_floor_is_another_phase_matrix() {
    let reflection = |asymmetry: f64, crtm_limits: bool| {
        let case = Case { crtm_limits, ..single::<f64>(4, 1.0, 0.9, asymmetry) };
        case.operators().reflection
    };
    let largest = |asymmetry: f64| {
        let (with, without) = (reflection(asymmetry, true), reflection(asymmetry, false));
        with.iter().zip(&without).fold(0.0_f64, |worst, (a, b)| worst.max((a - b).abs()))
    };
    assert!(largest(0.3) < 1e-15, "{:e}", largest(0.3));
    assert!(largest(0.9) > 1e-4, "{:e}", largest(0.9));
}

/// Without CRTM's limits an albedo of 1e-12 scatters.
#[test]
fn crtm_s_smallest_albedo_is_clear() {
    for crtm_limits in [false, true] {
        let case = Case { crtm_limits, ..single::<f64>(4, 1.0, 1e-12, 0.0) };
        let reflects = case.operators().reflection.iter().any(|&r| r != 0.0);
        assert_eq!(reflects, !crtm_limits);
    }
}

/// `mu_i w_i R_ij` is symmetric, and so is `T`.
#[test]
fn layers_are_reciprocal() {
    let case = single::<f64>(8, 3.0, 0.97, 0.7);
    let operators = case.operators();
    for matrix in [&operators.reflection, &operators.transmission] {
        for i in 0..8 {
            for j in 0..8 {
                let flux = |i: usize| case.cosine[i] * case.weight[i];
                let difference = flux(i) * matrix[i * 8 + j] - flux(j) * matrix[j * 8 + i];
                assert!(difference.abs() < 1e-15, "{difference:e}");
            }
        }
    }
}

/// `d(up, down)/dtau = [[-P+, -P-], [P-, P+]] (up, down)` by the exponential of the whole matrix, which thick layers do
/// not allow.
#[test]
fn a_layer_agrees_with_the_exponential_of_its_transfer_matrix() {
    for (optical_depth, albedo, asymmetry) in [(0.001, 0.5, 0.3), (0.03, 1.0, 0.8), (0.2, 0.9, 0.0), (0.6, 0.999, 0.6)]
    {
        let mut case = single::<f64>(4, optical_depth, albedo, asymmetry);
        let (forward, backward) = phase(&case, asymmetry);
        let rows = |matrix: &DMatrix<f64>| matrix.transpose().as_slice().to_vec();
        case.scatter = Scatter::Matrices { forward: rows(&forward), backward: rows(&backward) };
        let operators = case.operators();
        let plus = DMatrix::from_fn(4, 4, |i, j| {
            let diagonal = if i == j { 1.0 } else { 0.0 };
            (albedo * forward[(i, j)] * case.weight[j] - diagonal) / case.cosine[i] * optical_depth
        });
        let minus =
            DMatrix::from_fn(4, 4, |i, j| albedo * backward[(i, j)] * case.weight[j] / case.cosine[i] * optical_depth);
        let mut transfer = DMatrix::zeros(8, 8);
        transfer.view_mut((0, 0), (4, 4)).copy_from(&-&plus);
        transfer.view_mut((0, 4), (4, 4)).copy_from(&-&minus);
        transfer.view_mut((4, 0), (4, 4)).copy_from(&minus);
        transfer.view_mut((4, 4), (4, 4)).copy_from(&plus);
        let whole = transfer.exp();
        // up(bottom) = 0 = A up(top) + B down(top); down(bottom) = C up(top) + D down(top).
        let block = |i, j| whole.view((i, j), (4, 4)).into_owned();
        let reflection = -(block(0, 0).try_inverse().unwrap() * block(0, 4));
        let transmission = block(4, 0) * &reflection + block(4, 4);
        for i in 0..4 {
            for j in 0..4 {
                assert!((operators.reflection[i * 4 + j] - reflection[(i, j)]).abs() < 1e-12);
                assert!((operators.transmission[i * 4 + j] - transmission[(i, j)]).abs() < 1e-12);
            }
        }
    }
}

/// Phase matrices of Henyey and Greenstein, not normalised.
fn phase(case: &Case<f64>, asymmetry: f64) -> (DMatrix<f64>, DMatrix<f64>) {
    let legendre = |l: usize, x: f64| {
        let (mut before, mut value) = (1.0, x);
        if l == 0 {
            return 1.0;
        }
        for k in 2..=l {
            let k = k as f64;
            (before, value) = (value, ((2.0 * k - 1.0) * x * value - (k - 1.0) * before) / k);
        }
        value
    };
    let sum = |i: usize, j: usize, sign: f64| -> f64 {
        let term = |l: usize| {
            let c = (l as f64 + 0.5) * (0..l).fold(1.0, |power, _| power * asymmetry);
            let sign = if l & 1 == 0 { 1.0 } else { sign };
            sign * c * legendre(l, case.cosine[i]) * legendre(l, case.cosine[j])
        };
        (0..case.terms).map(term).sum()
    };
    let make = |sign: f64| {
        DMatrix::from_fn(4, 4, |i, j| {
            let value = sum(i, j, sign);
            if value <= 0.0 { 1e-7 } else { value }
        })
    };
    (make(1.0), make(-1.0))
}

/// Every order: what is reflected upon a semi-infinite medium is known from the discrete H function.
fn semi_infinite<const N: usize>() {
    // The absorption is a tenth of a millionth; the optical depth is many times what light diffuses through.
    for albedo in [0.3, 0.9, 0.999, 1.0 - 1e-7] {
        let mut case = single::<f64>(N, 1e6, albedo, 0.0);
        case.planck = vec![1.0];
        let operators = case.operators();
        let reflection = operators.reflection;
        let mut h = [1.0; N];
        for _ in 0..3000 {
            let sum = |i: usize, h: &[f64; N]| -> f64 {
                (0..N).map(|j| case.weight[j] * case.cosine[j] * h[j] / (case.cosine[i] + case.cosine[j])).sum()
            };
            let next: [f64; N] = std::array::from_fn(|i| 1.0 / ((1.0 - albedo).sqrt() + 0.5 * albedo * sum(i, &h)));
            h = std::array::from_fn(|i| 0.5 * (h[i] + next[i]));
        }
        for i in 0..N {
            for j in 0..N {
                let expected =
                    0.5 * albedo * h[i] * h[j] * case.cosine[j] * case.weight[j] / (case.cosine[i] + case.cosine[j]);
                let got = reflection[i * N + j];
                assert!((got - expected).abs() < 2e-13, "{N}: {got} instead of {expected}");
            }
            let flux = |k: usize| case.cosine[k] * case.weight[k];
            let out: f64 = (0..N).map(|k| reflection[k * N + i] * flux(k)).sum();
            let emissivity = (1.0 - albedo).sqrt() * h[i];
            let plane = out / flux(i) - (1.0 - emissivity);
            assert!(plane.abs() < 1e-12, "{N}: {plane:e}");
            // That small one keeps its digits.
            let relative = operators.source_up[i] / emissivity - 1.0;
            assert!(relative.abs() < 1e-12, "{N} {albedo}: {relative:e}");
        }
    }
}

macro_rules! every_order {
    ($run:ident: $($n:literal)*) => { $($run::<$n>();)* };
}

#[test]
fn a_semi_infinite_medium_reflects_as_the_h_function_says() {
    every_order!(semi_infinite: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
}

/// Orders with a viewing angle, up to 17: its radiance is that of a node, if it is one.
fn seen_along_a_node<const N: usize>() {
    let mut streams = Quadrature::double_gauss(N - 1);
    streams.cosine.push(streams.cosine[0]);
    streams.weight.push(0.0);
    let mut case = Case::<f64>::new(&streams, &[0.5, 2.0, 1e-9], &[0.9, 0.4, 0.2], &[0.8, 0.3, 0.0]);
    case.planck = vec![50.0, 80.0, 100.0];
    case.surface_planck = vec![110.0];
    case.emissivity = vec![0.9; N];
    case.cosmic = vec![1.0];
    let operators = case.operators();
    for radiances in [case.sequential(&operators), case.tree(&operators)] {
        for level in radiances.up.chunks(N).chain(radiances.down.chunks(N)) {
            assert!((level[N - 1] / level[0] - 1.0).abs() < 1e-13, "{N}: {level:?}");
        }
    }
}

#[test]
fn a_viewing_angle_sees_what_a_node_sees() {
    every_order!(seen_along_a_node: 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17);
}
