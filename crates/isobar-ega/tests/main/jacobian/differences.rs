//! Derivatives by every element, path moving or frozen, with every approximation and ground.

use isobar_ega::jacobian::{Elements, Geometry};
use isobar_ega::{Approximation, GroundKind, Interpolation};
use isobar_raytrace::{Atmosphere, Ray};

use super::case::{Case, rays};

/// Radiances after a move of one element.
fn moved(case: &Case, ray: &Ray, element: usize, by: f64) -> Vec<f64> {
    let mut atmosphere = case.atmosphere.clone();
    *Elements::of(&atmosphere).value(&mut atmosphere, element) += by;
    case.model(&atmosphere, Geometry::Moving).ray(ray).expect("a ray").radiance
}

/// What an element is, and a size of it.
fn kind(elements: Elements, atmosphere: &Atmosphere, element: usize) -> (&'static str, f64) {
    let value = *elements.value(&mut atmosphere.clone(), element);
    let profile = element / elements.levels;
    match () {
        () if element >= elements.surface_emissivity(0) => ("surface emissivity", 1.0),
        () if element == elements.surface_temperature() => ("surface temperature", 300.0),
        () if element == elements.surface_pressure() => ("surface pressure", 1e3),
        () if element == elements.surface_height() => ("surface height", 10.0),
        () if element >= elements.cloud_extinction(0) => ("cloud extinction", 0.01),
        () if element >= elements.cloud_height() => ("cloud height or depth", 10.0),
        () if profile == 0 => ("pressure", value),
        () if profile == 1 => ("temperature", 300.0),
        () if profile == 2 => ("CO2", value),
        () if profile == 3 => ("H2O", value),
        () if profile == 4 => ("extinction of window 0", value),
        () => ("extinction of window 1", value),
    }
}

/// The derivatives of all channels by one element, and how far each can be trusted: differences of fourth order in two
/// steps.
///
/// Longer steps go over more nodes of tables, where the slope changes; shorter ones amplify what rounding does to a
/// radiance, mostly by the path, whose points are known to 1e-12 of their distance from the centre of the Earth. What
/// is wrong with a difference shows in the other.
fn difference(case: &Case, ray: &Ray, element: usize, size: f64) -> Vec<(f64, f64)> {
    let [short, long] = [2e-6, 1.1e-5].map(|share| {
        let step = share * size;
        let at = |steps: f64| moved(case, ray, element, steps * step);
        let [a, b, c, d] = [at(-2.0), at(-1.0), at(1.0), at(2.0)];
        (0..a.len()).map(|i| (8.0 * (c[i] - b[i]) - (d[i] - a[i])) / (12.0 * step)).collect::<Vec<_>>()
    });
    short.iter().zip(&long).map(|(short, long)| (*short, 3.0 * (short - long).abs())).collect()
}

pub(crate) fn check(case: &Case, what: &str, rays: &[(&str, Ray)]) {
    let mut problems = Vec::new();
    let (mut sharp, mut all) = (0, 0);
    for &(name, ray) in rays {
        let model = case.model(&case.atmosphere, case.geometry);
        let (elements, exact) = (model.elements(), model.ray(&ray).expect("a ray"));
        let count = elements.count();
        let found: Vec<_> = (0..count)
            .map(|element| {
                let (kind, size) = kind(elements, &case.atmosphere, element);
                (kind, size, difference(case, &ray, element, size))
            })
            .collect();
        for channel in 0..exact.radiance.len() {
            for (element, (kind, size, differences)) in found.iter().enumerate() {
                // The largest of its kind, in units of what it is: derivatives by a ppv and by a K cannot be compared.
                let alike = found.iter().filter(|other| other.0 == *kind);
                let largest = alike.map(|other| (other.2[channel].0 * other.1).abs()).fold(0.0, f64::max);
                let (expected, doubt) = differences[channel];
                // A sum over some hundred segments, each rounded.
                let doubt = doubt + 1e-15 * exact.radiance[channel] / (2e-6 * size);
                let got = exact.derivative[channel * count + element];
                let error = (got - expected).abs() * size;
                all += 1;
                sharp += usize::from(doubt * size <= 1e-7 * largest);
                if error.is_nan() || error > 1e-7 * largest + doubt * size {
                    let share = error / largest;
                    let place = format!("{what}, {name}, channel {channel}, {kind} (element {element})");
                    problems.push(format!("{place}: {got:e}, not {expected:e} ({share:.0e} of the largest)"));
                    assert!(share < 1e-3, "{}", problems.last().expect("one"));
                }
            }
        }
    }
    println!("{what}: {sharp} of {all} differences are sharp");
    // Where a node is so near that both steps go over it, differences agree on a mean of two slopes.
    assert!(100 * problems.len() < all, "{} problems: {}", problems.len(), problems.join("\n"));
    assert!(4 * sharp > all, "many differences are good enough to tell: {sharp} of {all}");
}

#[test]
fn of_emissivity_growth() {
    check(&Case::new(), "growth", &rays());
}

#[test]
fn of_curtis_godson_means() {
    let mut case = Case::new();
    case.setup.approximation = Approximation::CurtisGodson;
    check(&case, "means", &rays()[..1]);
}

#[test]
fn with_the_arithmetic_of_jurassic() {
    let mut case = Case::new();
    case.setup.jurassic_exact = true;
    check(&case, "growth as JURASSIC has it", &rays()[1..2]);
    case.setup.approximation = Approximation::CurtisGodson;
    check(&case, "means as JURASSIC has them", &rays()[2..3]);
}

#[test]
fn with_tables_of_logarithms() {
    let mut case = Case::with(Interpolation::Logarithmic);
    check(&case, "growth in logarithms", &rays()[..3]);
    case.setup.approximation = Approximation::CurtisGodson;
    check(&case, "means in logarithms", &rays()[..1]);
    case.setup.jurassic_exact = true;
    check(&case, "means in logarithms as JURASSIC has them", &rays()[2..3]);
    case.setup.approximation = Approximation::EmissivityGrowth;
    check(&case, "growth in logarithms as JURASSIC has it", &rays()[1..2]);
}

#[test]
fn over_other_grounds() {
    let mut case = Case::new();
    for ground in [GroundKind::None, GroundKind::Emission, GroundKind::Sky] {
        case.setup.ground = ground;
        check(&case, "another ground", &rays()[2..3]);
    }
    // Then the surface is as warm as the air.
    case.atmosphere.surface.as_mut().expect("one").temperature_k = 0.0;
    check(&case, "ground as warm as the air", &rays()[2..3]);
}

#[test]
fn along_steps_that_go_over_many_levels() {
    let mut case = Case::new();
    case.setup.path.step_height_km = 0.0;
    case.setup.path.step_length_km = 11.0;
    check(&case, "long steps", &rays()[1..3]);
}

/// A straight path does not follow pressure and temperature, unless it ends at a surface that does.
#[test]
fn a_frozen_path_is_one_that_nothing_moves() {
    let mut case = Case::new();
    for (_, ray) in rays() {
        let at = |case: &Case, geometry| {
            let model = case.model(&case.atmosphere, geometry);
            (model.elements(), model.ray(&ray).expect("a ray"))
        };
        case.setup.path.refraction = true;
        let (elements, bent) = at(&case, Geometry::Frozen);
        assert_eq!(bent.radiance, at(&case, Geometry::Moving).1.radiance);
        assert!(bent.derivative.iter().skip(elements.surface_height()).step_by(elements.count()).all(|by| *by == 0.0));
        case.setup.path.refraction = false;
        let mut straight = case.atmosphere.clone();
        straight.surface = None;
        let (frozen, moving) = [Geometry::Frozen, Geometry::Moving]
            .map(|geometry| case.model(&straight, geometry).ray(&ray).expect("a ray").derivative)
            .into();
        for (frozen, moving) in frozen.iter().zip(&moving) {
            // The same sums, of which some have terms that are 0.
            assert!((frozen - moving).abs() <= 1e-12 * frozen.abs(), "{frozen:e} and {moving:e}");
        }
    }
}

#[test]
fn the_order_of_levels_is_that_of_the_atmosphere() {
    let case = Case::new();
    let mut turned = case.atmosphere.clone();
    let profiles = [&mut turned.height_km, &mut turned.pressure_hpa, &mut turned.temperature_k].into_iter();
    let others = turned.mixing_ratio.iter_mut().chain(&mut turned.extinction_per_km);
    profiles.chain(others).for_each(|profile| profile.reverse());
    let (_, ray) = rays()[2];
    let at = |atmosphere: &Atmosphere| case.model(atmosphere, Geometry::Moving).ray(&ray).expect("a ray").derivative;
    let (up, down) = (at(&case.atmosphere), at(&turned));
    let elements = Elements::of(&turned);
    let (levels, count) = (elements.levels, elements.count());
    for (i, up) in up.iter().enumerate() {
        let (row, element) = (i / count, i % count);
        let profile = element < elements.cloud_height();
        let same = if profile { element / levels * levels + levels - 1 - element % levels } else { element };
        // The height of a pressure is computed from the other end.
        assert!((up - down[row * count + same]).abs() <= 1e-9 * up.abs(), "element {element}");
    }
}
