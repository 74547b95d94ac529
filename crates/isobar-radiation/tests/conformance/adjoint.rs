//! Derivatives by all inputs, with every kind of k-distribution: the same bits on all devices.

use isobar_core::fields::{OwnedInputs, OwnedOutputs};
use isobar_golden::{Outputs, Random, conformance};
use isobar_launch::{Error, Queue};
use isobar_radiation::{
    AdjointPrecision as Precision, Angles, Columns, Cotangents, DeltaScaling, Gradients, Options, Radiation, RunError,
    analytic,
};

use crate::radiation::{both, with_particles};

conformance!(ecckd, rrtmgp, cloudy, rain_and_snow, aerosol);

fn ecckd<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let radiation = with_particles::<R>();
    let mut parts = Outputs::default();
    for (columns, layers) in [(37, 13), (3, 1), (2, 137), (8200, 2)] {
        parts = run(parts, queue, &radiation, &analytic::columns(columns, layers, false), &Options::default())?;
    }
    let options = Options { angles: Angles::Gauss(4), delta_scaling: DeltaScaling::Mixture, ..Options::default() };
    run(parts, queue, &radiation, &analytic::columns(5, 60, true), &options)
}

/// Bands that end within a warp, and the best secants.
fn rrtmgp<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let (radiation, real) = both::<R>(["g128", "g112"]);
    let columns = analytic::columns(37, 30, false);
    let mut parts = run(Outputs::default(), queue, &radiation, &columns, &Options::default())?;
    if real {
        let options = Options { angles: Angles::Best, ..Options::default() };
        parts = run(parts, queue, &radiation, &analytic::columns(5, 60, false), &options)?;
    }
    let (radiation, _) = both::<R>(["g256", "g224"]);
    run(parts, queue, &radiation, &analytic::columns(3, 130, false), &Options::default())
}

/// Clouds, and night.
fn cloudy<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let (radiation, real) = both::<R>(["g256", "g224"]);
    let mut columns = analytic::columns::<R>(19, 40, real);
    columns.cosine_zenith[3] = R::ZERO;
    let parts = run(Outputs::default(), queue, &radiation, &columns, &Options::default())?;
    let options = Options { angles: Angles::Gauss(3), delta_scaling: DeltaScaling::Mixture, ..Options::default() };
    run(parts, queue, &radiation, &analytic::columns(4, 60, real), &options)
}

fn rain_and_snow<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let radiation = with_particles::<R>();
    let mut columns = analytic::columns::<R>(11, 20, true);
    let [.., rain, snow] = radiation.spectra().cloud_sizes_um(&Options::default());
    analytic::add_rain_and_snow(&mut columns, [rain, snow]);
    run(Outputs::default(), queue, &radiation, &columns, &Options::default())
}

/// Aerosol that absorbs and that is an extinction, surfaces by band and by g-point, and one albedo for all.
fn aerosol<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let (radiation, real) = both::<R>(["g128", "g112"]);
    let (count, layers, [longwave, shortwave]) = (7, 20, if real { [16, 14] } else { [1, 1] });
    let random = &mut Random::new(5);
    let mut values = |rows: usize, most: f64| (0..rows * count).map(|_| R::from_f64(most * random.unit())).collect();
    let mut columns = analytic::columns::<R>(count, layers, real);
    columns.aerosol_absorption_longwave = values(layers * longwave, 0.1);
    columns.aerosol_optical_depth = values(layers * shortwave, 0.3);
    columns.aerosol_albedo = values(layers * shortwave, 1.0);
    columns.aerosol_asymmetry = values(layers * shortwave, 0.9);
    columns.emissivity = values(longwave, 1.0);
    columns.surface_albedo_direct = values(shortwave, 1.0);
    columns.surface_albedo_diffuse = values(shortwave, 1.0);
    columns.total_solar_irradiance_w_per_m2 = Vec::new();
    let parts = run(Outputs::default(), queue, &radiation, &columns, &Options::default())?;
    let [longwave, shortwave] = if real { [128, 112] } else { [1, 1] };
    columns.aerosol_absorption_longwave = Vec::new();
    columns.aerosol_optical_depth_longwave = values(layers * longwave, 0.3);
    columns.aerosol_albedo_longwave = values(layers * longwave, 1.0);
    columns.aerosol_asymmetry_longwave = values(layers * longwave, 0.9);
    columns.aerosol_optical_depth = values(layers * shortwave, 0.3);
    columns.aerosol_albedo = values(layers * shortwave, 1.0);
    columns.aerosol_asymmetry = values(layers * shortwave, 0.9);
    columns.emissivity = values(longwave, 1.0);
    columns.surface_albedo_direct = values(shortwave, 1.0);
    columns.surface_albedo_diffuse = Vec::new();
    run(parts, queue, &radiation, &columns, &Options::default())
}

/// A random number of all fluxes and heating rates; whole, and in pieces.
fn run<R: Precision>(
    mut parts: Outputs,
    queue: &Queue,
    radiation: &Radiation<R>,
    columns: &Columns<R>,
    options: &Options,
) -> Result<Outputs, Error> {
    let (model, random) = (radiation.clone().adjoint().on(&[queue.device()]), &mut Random::new(8));
    let count = columns.surface_temperature_k.len();
    let layers = columns.temperature_k.len() / count;
    let mut cotangents = Cotangents::<R>::default();
    cotangents.each_real(&mut |declared, values| {
        let rows = if declared.name.contains("heating") { layers } else { layers + 1 };
        values.extend((0..rows * count).map(|_| R::from_f64(random.unit() - 0.5)));
    });
    for range in [0..count, 0..count / 2, count / 2..count].into_iter().filter(|range| !range.is_empty()) {
        let mut results = Gradients::default();
        let mut compute = || {
            let some = (&columns.items(count, range.clone()), &cotangents.items(count, range.clone()));
            let mut resident = model.resident(some, options)?;
            resident.compute(options)?;
            Ok::<_, RunError>(resident.results_into(&mut results)?)
        };
        match compute() {
            Err(RunError::Device(error)) => return Err(error),
            other => other.unwrap_or_else(|error| panic!("{error}")),
        }
        let name = |what: &str| format!("{what} of columns {range:?}, {options:?}");
        parts = parts.counts(&name("status"), &results.status);
        let mut fields = Vec::new();
        results.each_real(&mut |declared, values| fields.push((declared.name, values.clone())));
        assert!(fields.iter().any(|(_, values)| values.iter().any(|value| *value != R::ZERO)));
        for (field, values) in &fields {
            assert!(values.iter().all(|value| value.is_finite()), "{field}");
            parts = parts.reals(&name(field), values);
        }
    }
    Ok(parts)
}
