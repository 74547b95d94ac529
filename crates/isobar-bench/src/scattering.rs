//! `isobar-bench scattering`: layers that scatter, emission alone: means over the azimuth.

use clap::Args;
use isobar::adding::azimuth::MOST_NODES;
use isobar::adding::scattering::{Options, Profiles};
use isobar::adding::{Precision, Scattering};
use isobar::core::fields::OwnedInputs;
use isobar::launch::Device;
use serde_json::json;

use crate::measure::{made, need_memory, resident_energy, waiting};
use crate::random::Random;
use crate::report::{Report, say};
use isobar::program::failure::Failure;
use isobar::program::options::{DeviceOptions, PrecisionOption};

/// The options of `isobar-bench scattering`.
#[derive(Args, Debug)]
pub(crate) struct ScatteringBench {
    /// Only this shape, as PROFILESxLAYERSxNODES (nodes a hemisphere); otherwise a few
    #[arg(long)]
    shape: Option<String>,
    /// All levels instead of the top alone
    #[arg(long)]
    levels: bool,
    /// Launches that are timed together
    #[arg(long, default_value_t = 10)]
    launches: usize,
    #[command(flatten)]
    device: DeviceOptions,
}

/// Profiles, layers and nodes.
const SHAPES: [[usize; 3]; 14] = [
    [1, 60, 4],
    [16, 60, 4],
    [128, 60, 4],
    [512, 60, 4],
    [1_000, 60, 4],
    [10_000, 60, 4],
    [1, 60, 8],
    [128, 60, 8],
    [1_000, 60, 8],
    [10_000, 60, 8],
    [1, 60, 16],
    [128, 60, 16],
    [1_000, 60, 16],
    [1, 1_000, 4],
];

pub(crate) fn run(options: &ScatteringBench, report: &Report) -> Result<(), Failure> {
    options.device.with_threads(|devices| match options.device.precision {
        PrecisionOption::F32 => all::<f32>(options, report, devices[0]),
        PrecisionOption::F64 => all::<f64>(options, report, devices[0]),
    })
}

fn all<R: Precision>(options: &ScatteringBench, report: &Report, device: Device) -> Result<(), Failure> {
    let model = Scattering::<R>::on(&[device]);
    say!(report, "{device}, {}, a batch: layer operators and adding, data resident", R::NAME);
    say!(report, "{:>8} {:>6} {:>5}  {:>12} {:>12}", "profiles", "layers", "nodes", "microseconds", "profiles/s");
    let shapes = match &options.shape {
        Some(text) => vec![shape(text)?],
        None => SHAPES.to_vec(),
    };
    for [profiles, layers, nodes] in shapes {
        // Layers' operators are matrices of nodes.
        let rows = |numbers: usize| layers.saturating_mul(numbers).saturating_add(4 * nodes);
        let numbers = [rows(10), rows(if options.levels { 2 * nodes } else { 1 }), rows(6 * nodes * (nodes + 2))];
        need_memory::<R>(device, profiles, "profiles", numbers)?;
        let batch = made(|| clouds(profiles, layers, nodes).rounded::<R>());
        let work = json!({
            "profiles": profiles,
            "layers": layers,
            "nodes": nodes,
            "precision": R::NAME,
            "device": device.to_string(),
        });
        let waiting = waiting();
        let chosen = Options { levels: options.levels, ..Options::new(nodes) };
        let mut resident = model.resident(&batch, &chosen)?;
        let queue = resident.queues().next().expect("there is a device").clone();
        resident.compute(&chosen)?;
        let ((), time) = queue.time(|| (0..options.launches).try_for_each(|_| resident.compute(&chosen)))?;
        let ms = time.as_secs_f64() / options.launches as f64 * 1e3;
        resident_energy(report, &mut resident, &chosen, (profiles, "profile"), (&work, ms))?;
        drop(waiting);
        let rate = profiles as f64 / ms * 1e3;
        report.figure("means over the azimuth", rate, "profiles/s", work);
        say!(report, "{profiles:8} {layers:6} {nodes:5}  {:12.1} {rate:12.0}", ms * 1e3);
    }
    Ok(())
}

/// A clear sky with a cloud in the middle third, seen under one angle.
fn clouds(profiles: usize, layers: usize, nodes: usize) -> Profiles<f64> {
    let random = &mut Random::new(1);
    let mut values =
        |count: usize, low: f64, range: f64| -> Vec<f64> { (0..count).map(|_| low + range * random.unit()).collect() };
    let cloud = |i: usize| (layers / 3..2 * layers / 3).contains(&(i / profiles));
    let count = layers * profiles;
    let mut optical_depth = values(count, 0.001, 0.1);
    let mut albedo = values(count, 0.5, 0.49);
    for i in 0..count {
        if cloud(i) {
            optical_depth[i] *= 20.0;
        } else {
            albedo[i] = 0.0;
        }
    }
    Profiles {
        viewing_cosine: vec![0.6; profiles],
        optical_depth,
        single_scattering_albedo: albedo,
        asymmetry: values(count, 0.8, 0.1),
        planck_radiance: values(count, 50.0, 200.0),
        surface_planck_radiance: values(profiles, 200.0, 100.0),
        emissivity: values((nodes + 1) * profiles, 0.95, 0.05),
        cosmic_background: vec![0.0; profiles],
        ..Profiles::default()
    }
}

fn shape(text: &str) -> Result<[usize; 3], Failure> {
    let numbers: Vec<usize> = text.split('x').filter_map(|part| part.trim().parse().ok()).filter(|&n| n > 0).collect();
    match numbers[..] {
        [profiles, layers, nodes] if nodes <= MOST_NODES => Ok([profiles, layers, nodes]),
        _ => Err(Failure::usage(format!("'{text}' is not a shape: write PROFILESxLAYERSxNODES, as in 1000x60x8"))),
    }
}
