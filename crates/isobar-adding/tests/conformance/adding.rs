//! Clear-sky adding: every schedule and every option.

use isobar_adding::clear_sky::{Options, Output, Profiles, Reflection, Schedule};
use isobar_adding::{ClearSky, Precision};
use isobar_core::fields::OwnedInputs;
use isobar_launch::{Error, Queue};

use isobar_golden::{Outputs as Parts, Random, conformance};

use crate::radiances;

/// Not a multiple of a warp, a segment or a group; more than one group.
const PROFILES: usize = 133;
const LAYERS: usize = 147;
const ANGLES: usize = 7;

conformance!(clear_sky, linear_source, given_transmittances, lambertian_and_sun, deep_atmosphere);

fn clear_sky<R: Precision>(queue: &Queue) -> Result<Parts, Error> {
    let (batch, options) = batch(PROFILES, LAYERS, ANGLES);
    every_schedule::<R>(queue, &batch, &options)
}

fn linear_source<R: Precision>(queue: &Queue) -> Result<Parts, Error> {
    let (mut batch, options) = batch(PROFILES, LAYERS, ANGLES);
    batch.planck_radiance.clear();
    batch.planck_radiance_level = values(&mut Random::new(8), (LAYERS + 1) * PROFILES, 0.0, 250.0);
    every_schedule::<R>(queue, &batch, &options)
}

fn given_transmittances<R: Precision>(queue: &Queue) -> Result<Parts, Error> {
    let (mut batch, options) = batch(PROFILES, LAYERS, ANGLES);
    batch.optical_depth.clear();
    batch.transmittance = values(&mut Random::new(9), LAYERS * ANGLES * PROFILES, 0.0, 1.0);
    every_schedule::<R>(queue, &batch, &options)
}

fn lambertian_and_sun<R: Precision>(queue: &Queue) -> Result<Parts, Error> {
    let (mut batch, mut options) = batch(PROFILES, 20, ANGLES);
    let random = &mut Random::new(10);
    options.reflection = Reflection::Lambertian { weight: values(random, ANGLES, 0.0, 1.0) };
    batch.sun_cosine = values(random, PROFILES, -0.2, 1.2);
    batch.sun_irradiance = values(random, PROFILES, 0.0, 1e3);
    batch.sun_reflectivity = values(random, ANGLES * PROFILES, 0.0, 0.3);
    every_schedule::<R>(queue, &batch, &options)
}

fn deep_atmosphere<R: Precision>(queue: &Queue) -> Result<Parts, Error> {
    let (batch, options) = batch(3, 2500, 2);
    every_schedule::<R>(queue, &batch, &options)
}

/// The radiances of every schedule, which are the same, too. A CPU has one alone.
fn every_schedule<R: Precision>(queue: &Queue, batch: &Profiles<f64>, options: &Options) -> Result<Parts, Error> {
    let batch = batch.rounded::<R>();
    let model = ClearSky::<R>::on(&[queue.device()]);
    let mut first: Option<Vec<R>> = None;
    let mut parts = Parts::default();
    for output in [Output::Emission, Output::Ends, Output::Levels] {
        if output == Output::Emission && options.reflection != Reflection::None {
            continue;
        }
        let run = |schedule| radiances(model.run(&batch, &Options { output, schedule, ..options.clone() }));
        let of_cpu = if queue.device().is_cpu() { Some(run(Schedule::Auto)?) } else { None };
        for schedule in Schedule::ALL {
            let radiances = of_cpu.clone().map_or_else(|| run(schedule), Ok)?;
            let top = first.get_or_insert_with(|| radiances.top_radiance.clone());
            assert!(*top == radiances.top_radiance, "{schedule:?} and {output:?} give other bits at the top");
            parts = parts
                .reals(&format!("{schedule:?} {output:?} top"), &radiances.top_radiance)
                .reals("surface down", &radiances.surface_downward_radiance)
                .reals("level up", &radiances.upward_radiance)
                .reals("level down", &radiances.downward_radiance)
                .counts("status", &radiances.status);
        }
    }
    Ok(parts)
}

/// Optical depths from zero to opaque, most of them thin.
fn batch(profiles: usize, layers: usize, angles: usize) -> (Profiles<f64>, Options) {
    let random = &mut Random::new(7);
    let depth = |random: &mut Random| match (random.unit() * 8.0) as u32 {
        0 => 0.0,
        1 => 100.0 * random.unit(),
        2 => 1e-6 * random.unit(),
        _ => 0.3 * random.unit(),
    };
    let optical_depth = (0..layers * profiles).map(|_| depth(random)).collect();
    let planck_radiance = values(random, layers * profiles, 0.0, 250.0);
    let cosine = values(random, angles, 0.05, 0.95);
    let batch = Profiles {
        optical_depth,
        planck_radiance,
        surface_planck_radiance: values(random, profiles, 0.0, 300.0),
        emissivity: values(random, angles * profiles, 0.0, 1.0),
        cosmic_background: values(random, profiles, 0.0, 3.0),
        ..Profiles::default()
    };
    let reflection = if profiles.is_multiple_of(2) { Reflection::None } else { Reflection::Specular };
    (batch, Options { reflection, ..Options::new(&cosine) })
}

fn values(random: &mut Random, count: usize, low: f64, range: f64) -> Vec<f64> {
    (0..count).map(|_| low + range * random.unit()).collect()
}
