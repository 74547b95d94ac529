//! Boundary layers: both kernels, all options, with and without tracers.

use isobar_core::fields::OwnedInputs;
use isobar_launch::{Error, Queue, RunError};
use isobar_ysu::{BoundaryLayers, Constants, Launched, Options, Precision, ShinHongOptions, Version, analytic};

use isobar_golden::{Outputs, conformance};

conformance!(
    plain,
    options,
    older,
    tracers,
    deep,
    least,
    few,
    constants,
    town,
    shin_hong,
    shin_hong_options,
    shin_hong_deep,
    shin_hong_least
);

fn plain<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    run::<R, _>(queue, Options::new(72.0), 35, 0)
}

fn options<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    run::<R, _>(queue, Options { top_down: true, topographic: true, ..Options::new(30.0) }, 50, 0)
}

fn older<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    run::<R, _>(queue, Options { version: Version::Wrf361, ..Options::new(72.0) }, 35, 0)
}

fn tracers<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    run::<R, _>(queue, Options::new(72.0), 35, 3)
}

fn deep<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    run::<R, _>(queue, Options::new(10.0), 200, 0)
}

/// As few layers as there may be: fewer than a GPU's search looks at together.
fn least<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    run::<R, _>(queue, Options::new(60.0), 4, 0)
}

/// One more than have places of their own in a GPU's scratch, in single precision.
fn few<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    run::<R, _>(queue, Options::new(60.0), 20, 0)
}

fn constants<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let limited = Options { top_down: true, limited_entrainment: true, ..Options::new(72.0) };
    run::<R, _>(queue, Options { constants: Constants::UFS, ..limited }, 35, 0)
}

fn town<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    run::<R, _>(queue, Options { urban: true, topographic: true, ..Options::new(72.0) }, 35, 2)
}

fn shin_hong<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    run::<R, _>(queue, ShinHongOptions::new(72.0), 35, 2)
}

fn shin_hong_options<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let options = ShinHongOptions { nonlocal_flux: false, cloud_mixing: true, ..ShinHongOptions::new(30.0) };
    run::<R, _>(queue, ShinHongOptions { dissipative_heating: true, topographic: true, ..options }, 50, 0)
}

fn shin_hong_deep<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    run::<R, _>(queue, ShinHongOptions { cloud_mixing: true, ..ShinHongOptions::new(10.0) }, 200, 0)
}

fn shin_hong_least<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    run::<R, _>(queue, ShinHongOptions::new(60.0), 4, 0)
}

/// Whole, and in pieces that are no multiples of a warp.
fn run<R: Precision, O: Launched>(queue: &Queue, options: O, layers: usize, tracers: usize) -> Result<Outputs, Error> {
    let mut columns = analytic::columns::<R>(1000, layers, tracers);
    analytic::build_town(&mut columns);
    let model = BoundaryLayers::<R, O>::on(&[queue.device()]);
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
            ("turbulent energy", &results.turbulent_energy_m2_per_s2),
            ("mixing length", &results.mixing_length_m),
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
