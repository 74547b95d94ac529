//! `isobar-bench retrieval`: Jacobians and retrievals of many atmospheres.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use isobar::ega::jacobian::Geometry;
use isobar::ega::launch::{Infrared, InfraredModel};
use isobar::ega::{ForwardSetup, TableData};
use isobar::io::{Control, Observation, RetrievalControl, read_atmosphere, read_observation, read_setup, read_tables};
use isobar::launch::Device;
use isobar::raytrace::{Atmosphere, Ray};
use isobar::retrieval::{Derivative, Error, Estimate, Retrieval, StateVector};
use serde_json::json;

use crate::infrared;
use crate::measure::{TABLE_BYTES, made, need_memory, waiting};
use crate::report::{Report, names, say};
use crate::synthetic;
use isobar::program::failure::Failure;
use isobar::program::memory::need_for;
use isobar::program::options::DeviceOptions;
use isobar::program::options::key_values;
use isobar::program::progress::Progress;

/// What is retrieved where no control file says it: temperature and ozone of a limb scan.
const KEYS: &str = "RETT_ZMIN=8 RETT_ZMAX=46 RETQ_ZMIN[2]=14 RETQ_ZMAX[2]=40 ERR_TEMP=5 ERR_TEMP_CZ=6 ERR_TEMP_CH=1000 \
    ERR_Q[2]=30 ERR_Q_CZ[2]=5 ERR_Q_CH[2]=1000 ERR_NOISE[*]=5e-6 ERR_FORMOD[*]=1 KERNEL_RECOMP=1 CONV_ITMAX=15 \
    CONV_DMIN=0.01";

/// The options of `isobar-bench retrieval`.
#[derive(Args, Debug)]
pub(crate) struct RetrievalBench {
    /// Retrievals
    #[arg(long, default_value_t = 1000)]
    cases: usize,
    /// Runs of the Jacobians and, on a GPU, of the retrievals, of which the median counts
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Control file with what is retrieved; without it a limb scan of 5 rays and 4 channels
    #[arg(long, value_name = "FILE", requires_all = ["atm", "obs"])]
    ctl: Option<PathBuf>,
    /// Atmosphere of that control file, from which those of the retrievals are made
    #[arg(long, value_name = "FILE", requires = "ctl")]
    atm: Option<PathBuf>,
    /// Observation: the geometry of the rays
    #[arg(long, value_name = "FILE", requires = "ctl")]
    obs: Option<PathBuf>,
    /// Keys that win over the control file, such as RETT_ZMAX=40
    #[arg(value_name = "KEY=VALUE")]
    overrides: Vec<String>,
    /// Leave the paths where they are
    #[arg(long)]
    frozen_path: bool,
    /// Jacobians only
    #[arg(long)]
    jacobians: bool,
    /// Compare this many Jacobians and retrievals bit for bit with the CPU
    #[arg(long, value_name = "CASES", default_value_t = 0)]
    compare: usize,
    #[command(flatten)]
    device: DeviceOptions,
}

/// A case from which others are made.
struct Case {
    control: Control,
    setup: ForwardSetup,
    tables: Arc<TableData>,
    atmosphere: Atmosphere,
    rays: Vec<Ray>,
}

type Cases = [(Atmosphere, Observation)];

pub(crate) fn run(options: &RetrievalBench, report: &Report) -> Result<(), Failure> {
    options.device.need_f64("Jacobians")?;
    options.device.with_threads(|devices| {
        let case = case(options)?;
        let retrieval = case.control.retrieval()?;
        let model = Infrared::<f64>::new(&case.setup, case.tables.clone())?.on(devices);
        let shape = (&case.atmosphere, &case.rays[..]);
        let state = StateVector::new(&case.control, &retrieval, &case.atmosphere)?;
        let (elements, measured) = (state.all.count(), case.rays.len() * case.control.wavenumbers_per_cm.len());
        let levels = case.atmosphere.height_km.len() * (case.setup.gases.len() + 10);
        // Derivatives, the covariance, the atmosphere as it was, is and ought to be.
        let numbers = [2 * levels, 2 * elements * measured, 2 * state.len() * state.len()];
        need_memory::<f64>(devices[0], options.cases, "retrievals", numbers)?;
        let count = options.cases.max(1);
        let cases = made(|| synthetic::retrievals(&model, &case.control, &retrieval, shape, count))?;
        let names = names(devices);
        say!(
            report,
            "{} cases of {} rays x {} channels x {} elements ({} of them retrieved) on {names}",
            cases.len(),
            case.rays.len(),
            case.control.wavenumbers_per_cm.len(),
            state.all.count(),
            state.len()
        );
        if options.compare > 0 {
            let some = &cases[..options.compare.min(cases.len())];
            compare((options, report), &case, &retrieval, &model, some)?;
        }
        jacobians((options, report), &case, &model, devices, &cases)?;
        if options.jacobians {
            Ok(())
        } else {
            retrievals((options, report), &case, &retrieval, (&model, devices), &cases)
        }
    })
}

/// That of the files, or a limb scan through the standard atmosphere.
fn case(options: &RetrievalBench) -> Result<Case, Failure> {
    let overrides = key_values(&options.overrides)?;
    if let (Some(ctl), Some(atm), Some(obs)) = (&options.ctl, &options.atm, &options.obs) {
        let (control, _) = Control::read(ctl, &overrides)?;
        control.require_channels()?;
        let tables = read_tables(&control)?.tables;
        let setup = read_setup(&control)?;
        return Ok(Case {
            tables: TableData::packed(&tables, control.wavenumbers_per_cm.len(), false, setup.interpolation)?.into(),
            setup,
            atmosphere: read_atmosphere(atm, &control)?,
            rays: read_observation(obs, &control)?.rays,
            control,
        });
    }
    let (gases, channels) = (3, 4);
    need_for(false, gases * channels, "tables", TABLE_BYTES)?;
    let made = infrared::case(gases, channels);
    let count = |key: &str, count: usize| (key.to_owned(), count.to_string());
    let mut pairs = overrides;
    pairs.extend([count("NG", gases), count("ND", channels)]);
    let names = made.setup.gases.iter().enumerate().map(|(i, gas)| (format!("EMITTER[{i}]"), gas.clone()));
    let centres = made.setup.wavenumbers_per_cm.iter().enumerate().map(|(i, nu)| (format!("NU[{i}]"), nu.to_string()));
    pairs.extend(names.chain(centres));
    // The first of a key counts.
    pairs.extend(key_values(&KEYS.split_whitespace().map(str::to_owned).collect::<Vec<_>>())?);
    let scan = infrared::scan(false, infrared::SCAN);
    Ok(Case {
        control: Control::from_pairs(&pairs)?.0,
        tables: TableData::new(&made.tables, channels, false)?.into(),
        setup: made.setup,
        atmosphere: made.atmosphere,
        rays: [7, 14, 21, 28, 35].map(|number| scan[number]).to_vec(),
    })
}

impl RetrievalBench {
    fn geometry(&self) -> Geometry {
        if self.frozen_path { Geometry::Frozen } else { Geometry::Moving }
    }
}

fn views(cases: &Cases) -> Vec<(&Atmosphere, &[Ray])> {
    cases.iter().map(|(before, measured)| (before, &measured.rays[..])).collect()
}

/// How fast Jacobians are, and where the time goes.
fn jacobians(
    (options, report): (&RetrievalBench, &Report),
    case: &Case,
    model: &InfraredModel<f64>,
    devices: &[Device],
    cases: &Cases,
) -> Result<(), Failure> {
    let cases = views(cases);
    let run = |model: &InfraredModel<f64>| model.jacobians(&cases, options.geometry(), &|_| {});
    let measuring = waiting();
    run(model)?;
    let mut times = Vec::new();
    for _ in 0..options.runs.max(1) {
        let start = Instant::now();
        std::hint::black_box(run(model)?);
        times.push(start.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    let seconds = times[times.len() / 2];
    drop(measuring);
    say!(report, "Jacobians: {seconds:.4} s, {:.1} Jacobians/s", cases.len() as f64 / seconds);
    let work = json!({ "cases": cases.len(), "precision": "f64", "device": names(devices) });
    report.figure("Jacobians", cases.len() as f64 / seconds, "Jacobians/s", work.clone());
    report.energy(devices, (cases.len(), "Jacobian"), &work, || {
        std::hint::black_box(run(model)?);
        Ok(())
    })?;
    let timed = Infrared::<f64>::new(&case.setup, case.tables.clone())?.timed().on(devices);
    // The first run makes room.
    run(&timed)?;
    for (name, time) in run(&timed)?.stages {
        say!(report, "  {name:26} {:10.3} ms", time.as_secs_f64() * 1e3);
    }
    Ok(())
}

/// How fast retrievals are, and what became of them.
fn retrievals(
    (options, report): (&RetrievalBench, &Report),
    case: &Case,
    retrieval: &RetrievalControl,
    (model, devices): (&InfraredModel<f64>, &[Device]),
    cases: &Cases,
) -> Result<(), Failure> {
    let derivative = Derivative::Exact(options.geometry());
    let job = Retrieval { model, control: &case.control, options: retrieval, derivative };
    if model.launches_jacobians() {
        // The first run makes room.
        let _waiting = waiting();
        drop(job.run_all(cases, &|| {}));
    }
    let progress = Progress::new(false, cases.len() as u64, "retrievals");
    let done = std::sync::atomic::AtomicUsize::new(0);
    let (mut times, mut results) = (Vec::new(), Vec::new());
    for _ in 0..if model.launches_jacobians() { options.runs.max(1) } else { 1 } {
        drop(std::mem::take(&mut results));
        let start = Instant::now();
        results = job.run_all(cases, &|| {
            progress.reach(done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1);
        });
        times.push(start.elapsed().as_secs_f64());
        done.store(0, std::sync::atomic::Ordering::Relaxed);
    }
    times.sort_by(f64::total_cmp);
    let seconds = times[times.len() / 2];
    drop(progress);
    let work = json!({ "cases": results.len(), "precision": "f64" });
    report.figure("retrievals", results.len() as f64 / seconds, "retrievals/s", work.clone());
    report.energy(devices, (results.len(), "retrieval"), &work, || {
        drop(job.run_all(cases, &|| {}));
        Ok(())
    })?;
    let found: Vec<&Estimate> = results.iter().flatten().collect();
    let converged = found.iter().filter(|estimate| estimate.converged).count();
    let mean = |of: &dyn Fn(&Estimate) -> f64| found.iter().map(|found| of(found)).sum::<f64>() / found.len() as f64;
    say!(
        report,
        "retrievals: {seconds:.4} s, {:.1} retrievals/s; {converged} of {} converged; {:.2} iterations and cost {:.3} \
         in the mean",
        results.len() as f64 / seconds,
        results.len(),
        mean(&|estimate| (estimate.costs.len() - 1) as f64),
        mean(&|estimate| estimate.costs[estimate.costs.len() - 1])
    );
    for (why, count) in reasons(&results, retrieval) {
        say!(report, "  {count} not: {why}");
    }
    Ok(())
}

/// Why retrievals did not converge, and how many for that reason.
fn reasons(results: &[Result<Estimate, Error>], retrieval: &RetrievalControl) -> BTreeMap<String, usize> {
    let mut reasons = BTreeMap::new();
    for result in results {
        let why = match result {
            Ok(estimate) if estimate.converged => continue,
            Ok(estimate) if estimate.costs.len() > retrieval.most_iterations => {
                format!("steps still matter after {} iterations", retrieval.most_iterations)
            }
            Ok(_) => "no step lowers the cost".to_owned(),
            Err(error) => error.to_string(),
        };
        *reasons.entry(why).or_insert(0) += 1;
    }
    reasons
}

/// Bits of Jacobians and of retrieved states that are not those of the CPU.
fn compare(
    (options, report): (&RetrievalBench, &Report),
    case: &Case,
    retrieval: &RetrievalControl,
    model: &InfraredModel<f64>,
    cases: &Cases,
) -> Result<(), Failure> {
    let cpu = Infrared::<f64>::new(&case.setup, case.tables.clone())?.on(&[Device::Cpu]);
    let differing = |a: &[f64], b: &[f64]| a.iter().zip(b).filter(|(a, b)| a.to_bits() != b.to_bits()).count();
    for geometry in [Geometry::Moving, Geometry::Frozen] {
        let [here, there] = [&cpu, model].map(|model| model.jacobians(&views(cases), geometry, &|_| {}));
        let (mut radiances, mut derivatives, mut all) = (0, 0, 0);
        for (here, there) in here?.cases.into_iter().zip(there?.cases) {
            let (here, there) = (here?, there?);
            radiances += differing(&here.radiance, &there.radiance);
            derivatives += differing(&here.derivative, &there.derivative);
            all += here.derivative.len();
        }
        say!(
            report,
            "{geometry:?} paths, against the CPU: {radiances} radiances, {derivatives} of {all} derivatives differ"
        );
    }
    let derivative = Derivative::Exact(options.geometry());
    let [here, there] = [&cpu, model].map(|model| {
        Retrieval { model, control: &case.control, options: retrieval, derivative }.run_all(cases, &|| {})
    });
    let (mut states, mut all) = (0, 0);
    for (here, there) in here.iter().zip(&there) {
        if let (Ok(here), Ok(there)) = (here, there) {
            let [here, there] = [here, there].map(|found| found.state.values(&found.atmosphere));
            states += differing(&here, &there);
            all += here.len();
        }
    }
    say!(report, "retrievals, against the CPU: {states} of {all} elements differ");
    Ok(())
}
