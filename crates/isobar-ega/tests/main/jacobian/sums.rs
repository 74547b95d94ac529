//! Derivatives of weighted sums of radiances against the rows of Jacobians, weighted and summed, and against a case in
//! which channels that are alike are one.

use isobar_ega::jacobian::{Elements, Geometry};
use isobar_ega::{Approximation, GroundKind, Interpolation};

use super::case::{Case, rays};
use super::tracks::track;

/// Weights of both signs, some of them 0.
fn weights(channels: usize) -> Vec<f64> {
    (0..channels).map(|channel| [0.7, -1.3, 2.1, 0.0, 0.4][channel % 5] + 0.01 * (channel / 5) as f64).collect()
}

/// What an element is: its profile, cloud or surface.
fn kind(elements: Elements, element: usize) -> usize {
    if element < elements.cloud_height() { element / elements.levels } else { usize::MAX - element }
}

/// A thousand terms in another order: some times the rounding of the largest sum of its kind, for one that is small by
/// chance has the rounding of its terms.
fn compare(what: &str, elements: Elements, found: &[f64], expected: &[f64], sizes: &[f64]) {
    assert_eq!((found.len(), expected.len()), (elements.count(), elements.count()), "{what}");
    let mut not_zero = 0;
    for (element, (found, expected)) in found.iter().zip(expected).enumerate() {
        let alike = (0..sizes.len()).filter(|&other| kind(elements, other) == kind(elements, element));
        let largest = alike.map(|other| sizes[other]).fold(0.0, f64::max);
        let error = (found - expected).abs();
        assert!(error <= 1e-13 * largest, "{what}, element {element}: {found:e}, not {expected:e} of {largest:e}");
        not_zero += usize::from(*found != 0.0);
    }
    assert!(not_zero > 20, "{what}: {not_zero} of {} are not 0", elements.count());
}

/// All rays of a case: gradients against rows.
fn check(what: &str, case: &Case) {
    for geometry in [Geometry::Moving, Geometry::Frozen] {
        let model = case.model(&case.atmosphere, geometry);
        let (elements, weights) = (model.elements(), weights(case.setup.wavenumbers_per_cm.len()));
        for (name, ray) in rays() {
            let (rows, sum) = (model.ray(&ray).expect("a ray"), model.pullback(&ray, &weights).expect("a ray"));
            assert_eq!((&rows.radiance, &rows.transmittance), (&sum.radiance, &sum.transmittance));
            assert_eq!(rows.tangent_point, sum.tangent_point);
            let of = |sign: fn(f64) -> f64| {
                let term = |row: usize, element| sign(weights[row] * rows.derivative[row * elements.count() + element]);
                let sum = |element| (0..weights.len()).map(|row| term(row, element)).sum();
                (0..elements.count()).map(sum).collect::<Vec<f64>>()
            };
            compare(&format!("{what}, {name}"), elements, &sum.derivative, &of(|by| by), &of(f64::abs));
        }
    }
}

#[test]
fn are_sums_of_rows() {
    check("growth", &Case::new());
    for interpolation in [Interpolation::Linear, Interpolation::Logarithmic] {
        for jurassic_exact in [false, true] {
            for approximation in [Approximation::EmissivityGrowth, Approximation::CurtisGodson] {
                let mut case = Case::with(interpolation);
                (case.setup.jurassic_exact, case.setup.approximation) = (jurassic_exact, approximation);
                case.setup.ground = GroundKind::Sky;
                check("a rule", &case);
            }
        }
    }
    let mut case = Case::new();
    (case.setup.path.step_height_km, case.setup.path.step_length_km) = (0.0, 31.0);
    case.setup.hydrostatic_reference_km = Some(6.0);
    check("steps over many levels, hydrostatic pressures", &case);
    case.atmosphere.surface.as_mut().expect("one").temperature_k = 0.0;
    case.atmosphere.cloud = None;
    check("less of everything", &case);
    case.atmosphere.cloud =
        Case::new().atmosphere.cloud.map(|cloud| isobar_raytrace::CloudLayer { depth_km: 0.0, ..cloud });
    case.setup.ground = GroundKind::Emission;
    check("a cloud without depth", &case);
    let mut case = Case::new();
    case.atmosphere = track(&case);
    check("a track", &case);
}

/// Of 40 channels, which take two tiles, those that are alike count as one channel with all their weights.
#[test]
fn of_alike_channels_are_those_of_one() {
    let (case, many) = (Case::new(), Case::repeated(40));
    let weights = weights(40);
    let of_one: Vec<f64> = (0..3).map(|one| weights.iter().skip(one).step_by(3).sum()).collect();
    let sizes: Vec<f64> = (0..3).map(|one| weights.iter().skip(one).step_by(3).map(|w| w.abs()).sum()).collect();
    let (one, many) = (case.model(&case.atmosphere, Geometry::Moving), many.model(&many.atmosphere, Geometry::Moving));
    let elements = one.elements();
    for (name, ray) in rays() {
        let (expected, found) =
            (one.pullback(&ray, &of_one).expect("a ray"), many.pullback(&ray, &weights).expect("a ray"));
        let rows = one.ray(&ray).expect("a ray");
        assert_eq!(found.radiance[..3], expected.radiance);
        assert_eq!(found.radiance[39], expected.radiance[0]);
        let count = elements.count();
        let size = |row: usize, element: usize| sizes[row] * rows.derivative[row * count + element].abs();
        let sizes: Vec<f64> = (0..count).map(|element| (0..3).map(|row| size(row, element)).sum()).collect();
        compare(name, elements, &found.derivative, &expected.derivative, &sizes);
    }
}
