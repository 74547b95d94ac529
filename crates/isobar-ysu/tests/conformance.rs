//! Boundary layers: both kernels, all options, with and without tracers.

use isobar_core::fields::OwnedInputs;
use isobar_launch::{Error, Queue, RunError};
use isobar_ysu::{Options, Precision, Version, Ysu, analytic};

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
    let model = Ysu::<R>::on(&[queue.device()]);
    let mut parts = Outputs::default();
    for range in [0..1000, 0..333, 333..1000] {
        let results = model.run(&columns.items(1000, range.clone()), &options).map_err(|error| match error {
            RunError::Device(source) | RunError::Interrupted { source, .. } => source,
            invalid => panic!("{invalid}"),
        })?;
        let name = |what: &str| format!("{what} of columns {range:?}");
        let values = [
            ("u", &results.u_tendency_m_per_s2),
            ("v", &results.v_tendency_m_per_s2),
            ("theta", &results.theta_tendency_k_per_s),
            ("vapour", &results.vapour_tendency_kg_per_kg_s),
            ("cloud water", &results.cloud_water_tendency_kg_per_kg_s),
            ("cloud ice", &results.cloud_ice_tendency_kg_per_kg_s),
            ("tracers", &results.tracers_tendency_per_s),
            ("diffusivity of heat", &results.diffusivity_heat_m2_per_s),
            ("diffusivity of momentum", &results.diffusivity_momentum_m2_per_s),
            ("height", &results.height_m),
            ("convective velocity", &results.convective_velocity_m_per_s),
            ("entrainment depth", &results.entrainment_depth_m),
            ("stress", &results.stress_u_n_per_m2),
            ("heat", &results.heat_w_per_m2),
            ("latent heat", &results.latent_heat_w_per_m2),
            ("10 m wind", &results.u_10m_m_per_s),
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
