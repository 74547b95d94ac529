//! Longwave radiation: the fast kernels and the general one, masks, slants, every result, columns of few and many
//! layers.

use std::sync::OnceLock;

use isobar_core::fields::{OwnedInputs, OwnedOutputs};
use isobar_launch::{Error, Queue};
use isobar_radiation::rrtmg::{self, Decorrelation, KDistribution, Transmittance, mersenne_mask};
use isobar_radiation::{
    Angles, CloudSolver, Columns, Fluxes, Options, Overlap, Precision, Radiation, RunError, analytic,
};

use isobar_golden::{Outputs, Random, conformance};

/// Not a multiple of a warp; two pieces.
const COLUMNS: usize = 37;

conformance!(clear, layers, cloudy, masks, fractions, table, slants, aerosol);

/// The reference's coefficients, or those of formulas.
fn k_distribution() -> &'static KDistribution {
    static COEFFICIENTS: OnceLock<KDistribution> = OnceLock::new();
    COEFFICIENTS.get_or_init(|| match isobar_golden::find("rrtmg_lw") {
        Some(dir) => isobar_io::read_rrtmg_lw(&dir.join("coeff/RRTMG_LW_DATA_DBL")).expect("the file is there"),
        None => rrtmg::analytic::k_distribution(),
    })
}

fn clear<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let options = Options { derivative: true, band_fluxes: true, ..Options::of_rrtmg() };
    let parts = run::<R>(Outputs::default(), queue, &analytic::columns(COLUMNS, 13, false), &Options::of_rrtmg())?;
    run::<R>(parts, queue, &analytic::columns(5, 60, false), &options)
}

fn layers<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let mut parts = Outputs::default();
    // The last fill several of the memories that take turns.
    for (columns, layers) in [(3, 1), (2, 60), (1, 130), (2100, 3)] {
        parts = run::<R>(parts, queue, &analytic::columns(columns, layers, false), &Options::of_rrtmg())?;
    }
    Ok(parts)
}

fn cloudy<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let options = Options { derivative: true, ..Options::of_rrtmg() };
    let parts = run::<R>(Outputs::default(), queue, &analytic::columns(COLUMNS, 13, true), &options)?;
    let parts = run::<R>(parts, queue, &analytic::columns(3, 130, true), &Options::of_rrtmg())?;
    // Masks from elsewhere.
    let mut columns = analytic::columns(5, 24, true);
    let mask = mersenne_mask(&(&columns).try_into().expect("valid columns"), 140, &options);
    columns.cloud_mask = mask.expect("there are clouds");
    run::<R>(parts, queue, &columns, &options)
}

fn masks<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let mut parts = Outputs::default();
    for overlap in [Overlap::Random, Overlap::Maximum, Overlap::Exponential, Overlap::ExponentialRandom] {
        let rrtmg = rrtmg::Options { seed: 3, ..rrtmg::Options::default() };
        let columns = analytic::columns(4, 21, true);
        let mut options = Options { overlap, rrtmg, ..Options::of_rrtmg() };
        parts = run::<R>(parts, queue, &columns, &options)?;
        if overlap == Overlap::Exponential {
            options.rrtmg.decorrelation = Decorrelation::Latitude { day: 200 };
            parts = run::<R>(parts, queue, &columns, &options)?;
        }
    }
    Ok(parts)
}

fn fractions<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let mut parts = Outputs::default();
    for overlap in [Overlap::Random, Overlap::MaximumRandom] {
        for transmittance in [Transmittance::Exact, Transmittance::Table] {
            let rrtmg = rrtmg::Options { transmittance, ..rrtmg::Options::default() };
            let cloud_solver = CloudSolver::Fractions;
            let options = Options { cloud_solver, overlap, rrtmg, derivative: true, ..Options::of_rrtmg() };
            parts = run::<R>(parts, queue, &analytic::columns(4, 21, true), &options)?;
        }
    }
    Ok(parts)
}

fn table<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let rrtmg = rrtmg::Options { transmittance: Transmittance::Table, ..rrtmg::Options::default() };
    let options = Options { rrtmg, band_fluxes: true, ..Options::of_rrtmg() };
    let parts = run::<R>(Outputs::default(), queue, &analytic::columns(4, 21, false), &options)?;
    run::<R>(parts, queue, &analytic::columns(4, 21, true), &options)
}

fn slants<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let options = |count| Options { angles: Angles::Gauss(count), ..Options::of_rrtmg() };
    let parts = run::<R>(Outputs::default(), queue, &analytic::columns(3, 13, false), &options(2))?;
    run::<R>(parts, queue, &analytic::columns(3, 13, true), &options(4))
}

/// Everything that a batch can have: aerosol, emissivities of bands, gases and halocarbons that differ from layer to
/// layer, shares.
fn aerosol<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let (count, layers) = (3, 13);
    let random = &mut Random::new(5);
    let mut values = |rows: usize, most: f64| (0..rows * count).map(|_| R::from_f64(most * random.unit())).collect();
    let mut columns = analytic::columns::<R>(count, layers, true);
    columns.aerosol_absorption_longwave = values(layers * 16, 0.1);
    columns.emissivity = values(16, 1.0);
    columns.co2 = values(layers, 2e-3);
    columns.ch4 = Vec::new();
    columns.cfc12 = values(layers, 1e-9);
    columns.cloud_share = values(layers * 140, 2.0);
    let parts = run::<R>(Outputs::default(), queue, &columns, &Options::of_rrtmg())?;
    columns.cloud_absorption_longwave = values(layers * 16, 3.0);
    run::<R>(
        parts,
        queue,
        &columns,
        &Options { cloud_solver: CloudSolver::Fractions, overlap: Overlap::MaximumRandom, ..Options::of_rrtmg() },
    )
}

/// Whole, and in pieces.
fn run<R: Precision>(
    mut parts: Outputs,
    queue: &Queue,
    columns: &Columns<R>,
    options: &Options,
) -> Result<Outputs, Error> {
    let model = Radiation::<R>::new().with_rrtmg(k_distribution()).unwrap().on(&[queue.device()]);
    let count = columns.columns();
    for range in [0..count, 0..count / 2, count / 2..count].into_iter().filter(|range| !range.is_empty()) {
        let mut results = Fluxes::default();
        let mut compute = || {
            let some = columns.items(count, range.clone());
            let mut resident = model.resident(&some, options)?;
            resident.compute(options)?;
            Ok::<_, RunError>(resident.results_into(&mut results)?)
        };
        match compute() {
            Err(RunError::Device(error)) => return Err(error),
            other => other.expect("the columns are valid"),
        }
        let name = |what: &str| format!("{what} of columns {range:?} of {} layers, {options:?}", columns.layers());
        parts = parts.counts(&name("status"), &results.status);
        let mut fields = Vec::new();
        results.each_real(&mut |declared, values| fields.push((declared.name, values.clone())));
        for (field, values) in &fields {
            assert!(values.iter().all(|value| value.is_finite()), "{field}");
            parts = parts.reals(&name(field), values);
        }
    }
    Ok(parts)
}
