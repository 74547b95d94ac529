//! Boundary layers: both kernels, all options, with and without tracers.

use isobar_launch::{Error, Queue};
use isobar_ysu::launch::{Precision, Resident};
use isobar_ysu::{Options, Version, analytic};

use isobar_golden::{Outputs, conformance};

conformance!(plain, options, older, tracers, deep, least, few);

fn plain<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    run::<R>(queue, Options::new(72.0), 35, 0)
}

fn options<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    run::<R>(queue, Options { top_down: true, topographic: true, ..Options::new(30.0) }, 50, 0)
}

fn older<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    run::<R>(queue, Options { version: Version::Wrf361, ..Options::new(72.0) }, 35, 0)
}

fn tracers<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    run::<R>(queue, Options::new(72.0), 35, 3)
}

fn deep<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    run::<R>(queue, Options::new(10.0), 200, 0)
}

/// As few layers as there may be: fewer than a GPU's search looks at together.
fn least<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    run::<R>(queue, Options::new(60.0), 4, 0)
}

/// One more than have places of their own in a GPU's scratch, in single precision.
fn few<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    run::<R>(queue, Options::new(60.0), 20, 0)
}

/// Whole, and in pieces that are no multiples of a warp.
fn run<R: Precision>(queue: &Queue, options: Options, layers: usize, tracers: usize) -> Result<Outputs, Error> {
    let columns = analytic::columns::<R>(1000, layers, tracers);
    columns.validate(&options).expect("the columns are valid");
    let mut resident = Resident::new(queue, &columns, &options, 1000)?;
    let mut parts = Outputs::default();
    for range in [0..1000, 0..333, 333..1000] {
        resident.load(queue, &columns, &range)?;
        resident.compute(queue)?;
        let results = resident.outputs(queue)?;
        let name = |what: &str| format!("{what} of columns {range:?}");
        let values = [
            ("u", &results.u),
            ("v", &results.v),
            ("theta", &results.theta),
            ("vapour", &results.vapour),
            ("cloud water", &results.cloud_water),
            ("cloud ice", &results.cloud_ice),
            ("tracers", &results.tracers),
            ("diffusivity of heat", &results.diffusivity_heat),
            ("diffusivity of momentum", &results.diffusivity_momentum),
            ("height", &results.height),
            ("convective velocity", &results.convective_velocity),
            ("entrainment depth", &results.entrainment_depth),
            ("stress", &results.stress_u),
            ("heat", &results.heat),
            ("latent heat", &results.latent_heat),
            ("10 m wind", &results.u_10m),
        ];
        for (what, values) in values {
            assert!(values.iter().all(|value| value.is_finite()), "{what}");
            parts = parts.reals(&name(what), values);
        }
        let levels: Vec<f64> = results.level.iter().map(|&level| f64::from(level)).collect();
        parts = parts.reals(&name("level"), &levels);
    }
    Ok(parts)
}
