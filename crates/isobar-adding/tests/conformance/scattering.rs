//! Means over the azimuth at the nodes: both surfaces, with and without a view and the Sun.

use isobar_adding::scattering::{Options, Profiles, Reflection};
use isobar_adding::{Precision, Scattering};
use isobar_core::fields::OwnedInputs;
use isobar_launch::{Error, Queue};

use isobar_golden::{Outputs, Random, conformance};

use crate::radiances;

/// Not a multiple of the profiles of a warp, for any number of streams; more than one warp from 8 on.
const PROFILES: usize = 5;
const LAYERS: usize = 6;

conformance!(nodes_1, nodes_4, nodes_8, nodes_16, nodes_20, sunlight, moments);

fn nodes_1<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    of_nodes::<R>(queue, 1)
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

fn nodes_20<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    of_nodes::<R>(queue, 20)
}

fn sunlight<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let random = &mut Random::new(12);
    let mut parts = Outputs::default();
    for (nodes, viewing) in [(2, true), (4, false), (8, true), (16, false), (16, true)] {
        let streams = nodes + usize::from(viewing);
        let mut batch = batch(nodes, viewing, 2, 3);
        batch.sun_cosine = vec![0.6, -0.1];
        batch.sun_irradiance = values(random, 2, 1.0, 1e3);
        batch.sun_reflectivity = values(random, streams * 2, 0.0, 0.3);
        parts = add::<R>(parts, queue, &batch, &Options::new(nodes))?;
    }
    Ok(parts)
}

fn moments<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let mut parts = Outputs::default();
    for delta in [false, true] {
        let mut batch = batch(4, true, PROFILES, LAYERS);
        let options = Options { delta_scaling: delta, ..Options::new(4) };
        let count = 2 * options.nodes + usize::from(delta);
        // Rayleigh's.
        let moment = |l: usize| [1.0, 0.0, 0.1].get(l).copied().unwrap_or(0.0);
        batch.asymmetry.clear();
        batch.phase_moments = (0..LAYERS * count * PROFILES).map(|i| moment(i / PROFILES % count)).collect();
        parts = add::<R>(parts, queue, &batch, &options)?;
    }
    Ok(parts)
}

fn of_nodes<R: Precision>(queue: &Queue, nodes: usize) -> Result<Outputs, Error> {
    let mut parts = Outputs::default();
    for viewing in [false, true] {
        let (batch, options) = (batch(nodes, viewing, PROFILES, LAYERS), Options::new(nodes));
        parts = add::<R>(parts, queue, &batch, &options)?;
        let options = Options { reflection: Reflection::Lambertian, delta_scaling: false, ..options };
        parts = add::<R>(parts, queue, &batch, &options)?;
    }
    Ok(parts)
}

/// The radiances at the top alone and at all levels; those at the top are the same.
fn add<R: Precision>(
    parts: Outputs,
    queue: &Queue,
    batch: &Profiles<f64>,
    options: &Options,
) -> Result<Outputs, Error> {
    let batch = batch.rounded::<R>();
    let model = Scattering::<R>::on(&[queue.device()]);
    let streams = options.nodes + usize::from(!batch.viewing_cosine.is_empty());
    let run = |levels| radiances(model.run(&batch, &Options { levels, ..options.clone() }));
    let (top, all) = (run(false)?, run(true)?);
    assert!(top.top_radiance == all.top_radiance, "other bits at the top with {streams} streams");
    let (up, down) = (&all.upward_radiance, &all.downward_radiance);
    assert!(up.iter().chain(down).all(|x| x.is_finite()));
    let name = |what: &str| format!("{streams} streams, {what}");
    let parts = parts.reals(&name("top"), &all.top_radiance).reals(&name("up"), up).reals(&name("down"), down);
    Ok(parts.counts(&name("status"), &all.status))
}

/// Clear, thin, thick and hardly absorbing layers.
fn batch(nodes: usize, viewing: bool, profiles: usize, layers: usize) -> Profiles<f64> {
    let random = &mut Random::new(11);
    let streams = nodes + usize::from(viewing);
    let kind = |i: usize| (i + i / profiles) % 5;
    // The one that absorbs nothing is so thick in one of them that what it lets through is a sum of its own.
    let thick = |i: usize| if kind(i) == 3 && i % profiles == 1 { 1e5 } else { 1.0 };
    let optical_depth =
        (0..layers * profiles).map(|i| [0.3, 1e-6, 40.0, 2.0, 0.0][kind(i)] * thick(i) * (0.5 + random.unit()));
    let optical_depth = optical_depth.collect();
    Profiles {
        viewing_cosine: if viewing { values(random, profiles, 0.3, 0.7) } else { Vec::new() },
        optical_depth,
        single_scattering_albedo: (0..layers * profiles).map(|i| [0.0, 0.5, 0.9, 1.0, 0.3][kind(i)]).collect(),
        asymmetry: values(random, layers * profiles, -0.2, 1.1),
        planck_radiance: values(random, layers * profiles, 0.0, 250.0),
        surface_planck_radiance: values(random, profiles, 0.0, 300.0),
        emissivity: values(random, streams * profiles, 0.0, 1.0),
        cosmic_background: values(random, profiles, 0.0, 3.0),
        ..Profiles::default()
    }
}

fn values(random: &mut Random, count: usize, low: f64, range: f64) -> Vec<f64> {
    (0..count).map(|_| low + range * random.unit()).collect()
}
