//! Adding with scattering: matrices of every size, both schedules, all options.

use isobar_adding::launch::{Precision, ScatteringResident, ScatteringSchedule};
use isobar_adding::scattering::batch::{PhaseFunction, Reflection, ScatteringProfiles, Sun};
use isobar_launch::{Error, Queue};

use isobar_golden::{Outputs, Random, conformance};

/// Not a multiple of the profiles of a warp, for any number of streams; more than one warp from 8 on.
const PROFILES: usize = 5;
/// Not a power of two, so that the tree has nodes with one child.
const LAYERS: usize = 6;

conformance!(nodes_1, nodes_2, nodes_4, nodes_8, nodes_16, sunlight, moments);

fn nodes_1<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    of_nodes::<R>(queue, 1)
}

fn nodes_2<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    of_nodes::<R>(queue, 2)
}

fn nodes_4<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    of_nodes::<R>(queue, 4)
}

fn nodes_8<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    of_nodes::<R>(queue, 8)
}

fn nodes_16<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    of_nodes::<R>(queue, 16)
}

fn sunlight<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let random = &mut Random::new(12);
    let mut parts = Outputs::default();
    for (nodes, viewing) in [(2, true), (4, false), (8, true), (16, false), (16, true)] {
        let streams = nodes + usize::from(viewing);
        let mut batch = batch(nodes, viewing, 2, 3);
        batch.sun = Some(Sun {
            cosine: vec![0.6, -0.1],
            irradiance: values(random, 2, 1.0, 1e3),
            reflectivity: values(random, streams * 2, 0.0, 0.3),
        });
        parts = schedules::<R>(parts, queue, &batch)?;
    }
    Ok(parts)
}

fn moments<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let mut parts = Outputs::default();
    for delta in [false, true] {
        let mut batch = batch(4, true, PROFILES, LAYERS);
        let count = batch.terms() + usize::from(delta);
        // Rayleigh's.
        let moment = |l: usize| [1.0, 0.0, 0.1].get(l).copied().unwrap_or(0.0);
        batch.delta = delta;
        batch.phase =
            PhaseFunction::Moments((0..LAYERS * count * PROFILES).map(|i| moment(i / PROFILES % count)).collect());
        parts = schedules::<R>(parts, queue, &batch)?;
    }
    Ok(parts)
}

fn of_nodes<R: Precision>(queue: &Queue, nodes: usize) -> Result<Outputs, Error> {
    let mut parts = Outputs::default();
    for viewing in [false, true] {
        let mut batch = batch(nodes, viewing, PROFILES, LAYERS);
        parts = schedules::<R>(parts, queue, &batch)?;
        batch.reflection = Reflection::Lambertian;
        batch.delta = false;
        parts = schedules::<R>(parts, queue, &batch)?;
    }
    Ok(parts)
}

/// The radiances of both schedules, at the top alone and at all levels; those at the top are the same.
fn schedules<R: Precision>(mut parts: Outputs, queue: &Queue, batch: &ScatteringProfiles) -> Result<Outputs, Error> {
    batch.validate().expect("the case is valid");
    for schedule in [ScatteringSchedule::Sequential, ScatteringSchedule::Tree] {
        let run = |levels: bool| {
            let mut resident = ScatteringResident::<R>::new(queue, batch, 0..batch.profiles(), schedule, levels)?;
            resident.compute(queue)?;
            resident.radiances(queue)
        };
        let (top, all) = (run(false)?, run(true)?);
        assert!(top.top == all.top, "{schedule:?}: other bits at the top with {} streams", batch.streams());
        assert!(all.level_up.iter().chain(&all.level_down).all(|x| x.is_finite()), "{schedule:?}");
        let name = |what: &str| format!("{} streams, {}, {what}", batch.streams(), schedule.name());
        parts =
            parts.reals(&name("top"), &all.top).reals(&name("up"), &all.level_up).reals(&name("down"), &all.level_down);
    }
    Ok(parts)
}

/// Clear, thin, thick and hardly absorbing layers.
fn batch(nodes: usize, viewing: bool, profiles: usize, layers: usize) -> ScatteringProfiles {
    let random = &mut Random::new(11);
    let streams = nodes + usize::from(viewing);
    let kind = |i: usize| (i + i / profiles) % 5;
    let optical_depth = (0..layers * profiles).map(|i| [0.3, 1e-6, 40.0, 2.0, 0.0][kind(i)] * (0.5 + random.unit()));
    let optical_depth = optical_depth.collect();
    ScatteringProfiles {
        nodes,
        viewing_cosine: viewing.then(|| values(random, profiles, 0.3, 0.7)),
        optical_depth,
        albedo: (0..layers * profiles).map(|i| [0.0, 0.5, 0.9, 1.0, 0.3][kind(i)]).collect(),
        phase: PhaseFunction::Asymmetry(values(random, layers * profiles, -0.2, 1.1)),
        delta: true,
        planck_radiance: values(random, layers * profiles, 0.0, 250.0),
        surface_planck: values(random, profiles, 0.0, 300.0),
        emissivity: values(random, streams * profiles, 0.0, 1.0),
        reflection: Reflection::Specular,
        cosmic: values(random, profiles, 0.0, 3.0),
        sun: None,
    }
}

fn values(random: &mut Random, count: usize, low: f64, range: f64) -> Vec<f64> {
    (0..count).map(|_| low + range * random.unit()).collect()
}
