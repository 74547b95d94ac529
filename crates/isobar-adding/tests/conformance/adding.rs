//! Clear-sky adding: every schedule and every option.

use std::cell::RefCell;

use isobar_adding::Schedule;
use isobar_adding::clear_sky::{Absorption, Profiles, Reflection, Source, Sun};
use isobar_adding::launch::{Outputs, Precision, Resident};
use isobar_launch::{Error, Queue};

use isobar_golden::{Outputs as Parts, Random, conformance};

/// Not a multiple of a warp, a segment or a group; more than one group.
const PROFILES: usize = 133;
const LAYERS: usize = 147;
const ANGLES: usize = 7;

conformance!(clear_sky, linear_source, given_transmittances, lambertian_and_sun, deep_atmosphere);

fn clear_sky<R: Precision>(queue: &Queue) -> Result<Parts, Error> {
    every_schedule::<R>(queue, &batch(PROFILES, LAYERS, ANGLES))
}

fn linear_source<R: Precision>(queue: &Queue) -> Result<Parts, Error> {
    let mut batch = batch(PROFILES, LAYERS, ANGLES);
    batch.source = Source::LinearInOpticalDepth(values(&mut Random::new(8), (LAYERS + 1) * PROFILES, 0.0, 250.0));
    every_schedule::<R>(queue, &batch)
}

fn given_transmittances<R: Precision>(queue: &Queue) -> Result<Parts, Error> {
    let mut batch = batch(PROFILES, LAYERS, ANGLES);
    batch.absorption = Absorption::Transmittance(values(&mut Random::new(9), LAYERS * ANGLES * PROFILES, 0.0, 1.0));
    every_schedule::<R>(queue, &batch)
}

fn lambertian_and_sun<R: Precision>(queue: &Queue) -> Result<Parts, Error> {
    let mut batch = batch(PROFILES, 20, ANGLES);
    let random = &mut Random::new(10);
    batch.reflection = Reflection::Lambertian { weight: values(random, ANGLES, 0.0, 1.0) };
    batch.sun = Some(Sun {
        cosine: values(random, PROFILES, -0.2, 1.2),
        irradiance: values(random, PROFILES, 0.0, 1e3),
        reflectivity: values(random, ANGLES * PROFILES, 0.0, 0.3),
    });
    every_schedule::<R>(queue, &batch)
}

fn deep_atmosphere<R: Precision>(queue: &Queue) -> Result<Parts, Error> {
    every_schedule::<R>(queue, &batch(3, 2500, 2))
}

/// The radiances of every schedule, which are the same, too.
fn every_schedule<R: Precision>(queue: &Queue, batch: &Profiles) -> Result<Parts, Error> {
    let all = 0..batch.profiles();
    let first = RefCell::new(None);
    let mut parts = Parts::default();
    for schedule in Schedule::ALL {
        for outputs in [Outputs::Emission, Outputs::Ends, Outputs::Levels] {
            if outputs == Outputs::Emission && batch.reflection != Reflection::None {
                continue;
            }
            let mut resident = Resident::<R>::new(queue, batch, all.clone(), outputs)?;
            resident.compute(queue, schedule)?;
            let radiances = resident.radiances(queue)?;
            let top = first.borrow_mut().get_or_insert_with(|| radiances.top.clone()).clone();
            assert!(top == radiances.top, "{schedule:?} and {outputs:?} give other bits at the top");
            parts = parts
                .reals(&format!("{schedule:?} {outputs:?} top"), &radiances.top)
                .reals("surface down", &radiances.surface_down)
                .reals("level up", &radiances.level_up)
                .reals("level down", &radiances.level_down);
        }
    }
    Ok(parts)
}

/// Optical depths from zero to opaque, most of them thin.
fn batch(profiles: usize, layers: usize, angles: usize) -> Profiles {
    let random = &mut Random::new(7);
    let depth = |random: &mut Random| match (random.unit() * 8.0) as u32 {
        0 => 0.0,
        1 => 100.0 * random.unit(),
        2 => 1e-6 * random.unit(),
        _ => 0.3 * random.unit(),
    };
    Profiles {
        absorption: Absorption::OpticalDepth((0..layers * profiles).map(|_| depth(random)).collect()),
        source: Source::Isothermal(values(random, layers * profiles, 0.0, 250.0)),
        cosine: values(random, angles, 0.05, 0.95),
        surface_planck: values(random, profiles, 0.0, 300.0),
        emissivity: values(random, angles * profiles, 0.0, 1.0),
        cosmic: values(random, profiles, 0.0, 3.0),
        reflection: if profiles.is_multiple_of(2) { Reflection::None } else { Reflection::Specular },
        sun: None,
    }
}

fn values(random: &mut Random, count: usize, low: f64, range: f64) -> Vec<f64> {
    (0..count).map(|_| low + range * random.unit()).collect()
}
