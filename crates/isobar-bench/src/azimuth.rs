//! `isobar-bench azimuth`: layers that scatter, seen from any direction.

use clap::Args;
use isobar::adding::azimuth::{Cotangents, MOST_NODES, Options, Profiles};
use isobar::adding::{Adding, Precision};
use isobar::core::fields::OwnedInputs;
use isobar::launch::Device;
use serde_json::json;

use crate::measure::{made, need_memory, resident_energy, seconds};
use crate::random::Random;
use crate::report::{Report, say};
use isobar::program::failure::Failure;
use isobar::program::options::{DeviceOptions, PrecisionOption};
use isobar_adding::AddingAdjoint;

/// The options of `isobar-bench azimuth`.
#[derive(Args, Debug)]
pub(crate) struct AzimuthBench {
    /// Columns
    #[arg(long, default_value_t = 64)]
    columns: usize,
    /// Layers of each
    #[arg(long, default_value_t = 60)]
    layers: usize,
    /// Nodes of a hemisphere: half the streams
    #[arg(long, default_value_t = 8)]
    nodes: usize,
    /// Emission alone: one component in azimuth
    #[arg(long)]
    no_sun: bool,
    /// Launches that are timed together
    #[arg(long, default_value_t = 5)]
    launches: usize,
    /// Time the derivatives of the sum of all radiances by all inputs, too
    #[arg(long)]
    gradient: bool,
    #[command(flatten)]
    device: DeviceOptions,
}

/// Viewing angles, and azimuths of each.
const VIEWS: [f64; 4] = [0.3, 0.5, 0.8, 0.95];
const AZIMUTHS: usize = 16;

pub(crate) fn run(options: &AzimuthBench, report: &Report) -> Result<(), Failure> {
    if !(1..=MOST_NODES).contains(&options.nodes) {
        return Err(Failure::usage(format!("--nodes is a number from 1 to {MOST_NODES}")));
    }
    options.device.with_threads(|devices| match options.device.precision {
        PrecisionOption::F32 => time::<f32>(options, report, devices[0]),
        PrecisionOption::F64 => time::<f64>(options, report, devices[0]),
    })
}

fn time<R: Precision>(options: &AzimuthBench, report: &Report, device: Device) -> Result<(), Failure> {
    let AzimuthBench { columns, layers, nodes, launches, .. } = *options;
    let components = if options.no_sun { 1 } else { 2 * nodes };
    // Layers' operators are matrices of nodes, and rows of views.
    let numbers = [4 * layers, VIEWS.len() * AZIMUTHS, components * layers * nodes * (3 * nodes + 20)];
    need_memory::<R>(device, columns.min(4096), "columns", numbers)?;
    let batch = made(|| sky(columns, layers, !options.no_sun).rounded::<R>());
    let chosen = Options { corrections: false, ..Options::new(nodes) };
    let model = Adding::<R>::on(&[device]);
    let mut resident = model.resident(&batch, &chosen)?;
    let spent = seconds(&mut resident, &chosen, launches)?;
    let rate = (columns * launches) as f64 / spent;
    let azimuths = if options.no_sun { 1 } else { AZIMUTHS };
    let work = json!({
        "columns": columns,
        "layers": layers,
        "streams": 2 * nodes,
        "components": components,
        "directions": VIEWS.len() * azimuths,
        "precision": R::NAME,
        "device": device.to_string(),
    });
    report.figure("light from any direction", rate, "columns/s", work.clone());
    say!(
        report,
        "{device}, {}, {columns} columns x {layers} layers, {} streams, {components} components, {} views x {azimuths} \
         azimuths, data resident: {rate:.1} columns/s",
        R::NAME,
        2 * nodes,
        VIEWS.len()
    );
    resident_energy(report, &mut resident, &chosen, (columns, "column"), (&work, milliseconds(spent, launches)))?;
    drop(resident);
    if options.gradient {
        let cotangents = Cotangents { top_radiance: vec![R::ONE], ..Cotangents::default() };
        let model = AddingAdjoint::<R>::on(&[device]);
        let mut resident = model.resident((&batch, &cotangents), &chosen)?;
        let longer = seconds(&mut resident, &chosen, launches)?;
        report.figure("gradient of light from any direction", longer / spent, "runs", work.clone());
        say!(report, "their gradient by all inputs: {:.2} times as long", longer / spent);
        let ms = milliseconds(longer, launches);
        resident_energy(report, &mut resident, &chosen, (columns, "gradient"), (&work, ms))?;
    }
    Ok(())
}

/// Those of a run.
fn milliseconds(seconds: f64, launches: usize) -> f64 {
    seconds / launches as f64 * 1e3
}

/// Layers of aerosol and cloud of Henyey and Greenstein's phase function, over a Lambertian surface.
fn sky(columns: usize, layers: usize, sun: bool) -> Profiles<f64> {
    let random = &mut Random::new(3);
    let mut values =
        |count: usize, low: f64, range: f64| -> Vec<f64> { (0..count).map(|_| low + range * random.unit()).collect() };
    let repeated = |values: &[f64]| values.iter().flat_map(|&x| std::iter::repeat_n(x, columns)).collect::<Vec<f64>>();
    let azimuths: Vec<f64> = (0..AZIMUTHS).map(|i| 12.0 * i as f64).collect();
    let when = |wanted: bool, values: Vec<f64>| if wanted { values } else { Vec::new() };
    Profiles {
        viewing_cosine: repeated(&VIEWS),
        relative_azimuth: when(sun, repeated(&azimuths)),
        optical_depth: values(layers * columns, 0.02, 0.3),
        single_scattering_albedo: values(layers * columns, 0.5, 0.5),
        asymmetry: values(layers * columns, 0.1, 0.75),
        planck_radiance: when(!sun, values(layers * columns, 50.0, 200.0)),
        surface_planck_radiance: values(columns, 200.0, 100.0),
        surface_parameters: vec![0.1; columns],
        cosmic_background: vec![0.0; columns],
        sun_cosine: when(sun, vec![0.6; columns]),
        sun_irradiance: when(sun, vec![3.0; columns]),
        ..Profiles::default()
    }
}
