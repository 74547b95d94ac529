//! `isobar-bench adding`: clear-sky layers.

use clap::{Args, ValueEnum};
use isobar::adding::clear_sky::{Options, Output, Profiles, Reflection, Schedule};
use isobar::adding::{ClearSky, Precision};
use isobar::core::fields::OwnedInputs;
use isobar::launch::{Device, Model};
use serde_json::{Value, json};

use crate::measure::{copy_bandwidth, made, need_memory, resident_energy, waiting};
use crate::report::{Report, say};
use isobar::program::failure::Failure;
use isobar::program::options::{DeviceOptions, PrecisionOption};

/// The options of `isobar-bench adding`.
#[derive(Args, Debug)]
pub(crate) struct AddingBench {
    /// Only this shape, as PROFILESxLAYERSxANGLES; otherwise the six of the published benchmark
    #[arg(long)]
    shape: Option<String>,
    /// Only this schedule of a GPU
    #[arg(long, value_parser = schedule)]
    schedule: Option<Schedule>,
    /// Which radiances
    #[arg(long, value_enum, default_value = "emission")]
    outputs: Wanted,
    /// Launches that are timed together
    #[arg(long, default_value_t = 100)]
    launches: usize,
    /// Times of every schedule over layers and profiles, as a table
    #[arg(long)]
    map: bool,
    #[command(flatten)]
    device: DeviceOptions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Wanted {
    /// Top of the atmosphere, surface that does not reflect: what the published benchmark computes
    Emission,
    /// Top and surface, reflecting surface
    Ends,
    /// All levels, reflecting surface
    Levels,
}

impl From<Wanted> for Output {
    fn from(wanted: Wanted) -> Self {
        match wanted {
            Wanted::Emission => Self::Emission,
            Wanted::Ends => Self::Ends,
            Wanted::Levels => Self::Levels,
        }
    }
}

/// A shape, and microseconds a launch of the published CUDA scan on an H200.
struct Shape {
    name: String,
    profiles: usize,
    layers: usize,
    angles: usize,
    published: Option<f64>,
}

/// The published shapes and their times on an H200 (mean of 100 launches, data in its second-level cache).
const PUBLISHED: [(&str, usize, usize, usize, f64); 6] = [
    ("IR 10k", 10_000, 60, 6, 31.5),
    ("IR 50k", 50_000, 60, 6, 146.2),
    ("high-res", 10_000, 100, 6, 53.1),
    ("MW", 100_000, 60, 2, 101.9),
    ("multi-stream", 10_000, 60, 16, 79.3),
    ("deep", 1_000, 200, 6, 12.6),
];

/// The published cosines.
#[allow(clippy::approx_constant, reason = "0.7071 is what was published")]
const COSINES: [f64; 16] =
    [0.2113, 0.3887, 0.5774, 0.7071, 0.8165, 0.9258, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95];

/// Exponentials a second of an H200's special function units, which we cannot use: their bits are the GPU's own.
const EXPONENTIALS_PER_S: f64 = 4e12;

/// Memory that no second-level cache holds.
const COLD_BYTES: usize = 256 << 20;

/// The schedule of a name.
fn schedule(name: &str) -> Result<Schedule, String> {
    let known = std::iter::once(Schedule::Auto).chain(Schedule::ALL);
    let names = known.clone().map(Schedule::name).collect::<Vec<_>>().join(", ");
    known.into_iter().find(|schedule| schedule.name() == name).ok_or(format!("one of {names}"))
}

pub(crate) fn run(options: &AddingBench, report: &Report) -> Result<(), Failure> {
    options.device.with_threads(|devices| match options.device.precision {
        PrecisionOption::F32 => all::<f32>(options, report, devices[0]),
        PrecisionOption::F64 => all::<f64>(options, report, devices[0]),
    })
}

fn all<R: Precision>(options: &AddingBench, report: &Report, device: Device) -> Result<(), Failure> {
    let schedules = match options.schedule {
        Some(schedule) => vec![schedule],
        None if device.is_cpu() => vec![Schedule::Auto],
        None => Schedule::ALL.to_vec(),
    };
    let model = ClearSky::<R>::on(&[device]);
    if options.map {
        return map(options, report, &model, &schedules);
    }
    let bandwidth = copy_bandwidth(device)?;
    say!(report, "{device}, {}, a copy moves {:.0} GB/s; microseconds a launch", R::NAME, bandwidth / 1e9);
    say!(
        report,
        "{:13} {:>8} {:>5} {:>3}  {:10} {:>9} {:>9} {:>9} {:>9} {:>7}",
        "shape",
        "profiles",
        "lay.",
        "an.",
        "schedule",
        "cold",
        "warm",
        "bytes",
        "exp",
        "ratio"
    );
    for shape in shapes(options)? {
        let bytes = traffic::<R>(&shape, options.outputs) as f64 / bandwidth * 1e6;
        let exponentials = (shape.profiles * shape.layers * shape.angles) as f64 / EXPONENTIALS_PER_S * 1e6;
        for &schedule in &schedules {
            let work = json!({
                "profiles": shape.profiles,
                "layers": shape.layers,
                "angles": shape.angles,
                "schedule": schedule.name(),
                "precision": R::NAME,
                "device": device.to_string(),
            });
            let (cold, warm) = measure((&model, report, &work), &shape, schedule, options.outputs, options.launches)?;
            let ratio = shape
                .published
                .filter(|_| options.outputs == Wanted::Emission)
                .map_or(String::new(), |us| format!("{:.1}", us / warm));
            say!(
                report,
                "{:13} {:8} {:5} {:3}  {:10} {cold:9.2} {warm:9.2} {bytes:9.2} {exponentials:9.2} {ratio:>7}",
                shape.name,
                shape.profiles,
                shape.layers,
                shape.angles,
                schedule.name()
            );
            let rate = |us: f64| shape.profiles as f64 / us * 1e6;
            report.figure("warm", rate(warm), "profiles/s", work.clone());
            report.figure("cold", rate(cold), "profiles/s", work);
        }
    }
    Ok(())
}

/// Times over layers and profiles, for a plot: one line a shape and schedule.
fn map<R: Precision>(
    options: &AddingBench,
    report: &Report,
    model: &Model<ClearSky<R>>,
    schedules: &[Schedule],
) -> Result<(), Failure> {
    if report.wants_energy() {
        return Err(Failure::usage("--energy and --map: a map has times alone"));
    }
    say!(report, "profiles,layers,angles,schedule,microseconds");
    let most = 150_000_000;
    for layers in [10, 30, 60, 100, 200, 500, 1000, 2000] {
        for profiles in [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] {
            let shape = Shape { name: String::new(), profiles, layers, angles: 6, published: None };
            if profiles * layers > most || (options.outputs == Wanted::Levels && profiles * layers > most / 10) {
                continue;
            }
            for &schedule in schedules {
                let (_, warm) = measure((model, report, &Value::Null), &shape, schedule, options.outputs, 10)?;
                say!(report, "{profiles},{layers},6,{},{warm:.2}", schedule.name());
            }
        }
    }
    Ok(())
}

/// Microseconds a launch: with inputs that rotate through more memory than a cache holds, and with the same inputs.
fn measure<R: Precision>(
    (model, report, work): (&Model<ClearSky<R>>, &Report, &Value),
    shape: &Shape,
    schedule: Schedule,
    wanted: Wanted,
    launches: usize,
) -> Result<(f64, f64), Failure> {
    // Its profiles in double precision, too, and two batches at least on the device.
    let inputs = shape.layers.saturating_mul(2).saturating_add(shape.angles).saturating_add(3);
    let levels = if wanted == Wanted::Levels { shape.layers.saturating_mul(2).saturating_add(4) } else { 4 };
    let results = levels.saturating_mul(shape.angles).saturating_mul(2);
    let numbers = [inputs.saturating_mul(7) / 3, results, 0];
    need_memory::<R>(model.devices()[0], shape.profiles, "profiles", numbers)?;
    let batch = made(|| random_profiles(shape).rounded::<R>());
    let waiting = waiting();
    let cosine: Vec<f64> = (0..shape.angles).map(|i| COSINES[i % COSINES.len()]).collect();
    let reflection = if wanted == Wanted::Emission { Reflection::None } else { Reflection::Specular };
    let options = Options { reflection, output: wanted.into(), schedule, ..Options::new(&cosine) };
    let copies = (COLD_BYTES / traffic::<R>(shape, wanted)).clamp(1, 64) + 1;
    let first = model.resident(&batch, &options)?;
    let queue = first.queues().next().expect("there is a device").clone();
    let mut residents = vec![first];
    for _ in 1..copies {
        let next = model.resident_beside(&residents[0], &batch, &options)?;
        residents.push(next);
    }
    for resident in &mut residents {
        resident.compute(&options)?;
    }
    let mut time = |count: usize, copies: usize| -> Result<f64, Failure> {
        let ((), time) = queue.time(|| (0..count).try_for_each(|i| residents[i % copies].compute(&options)))?;
        Ok(time.as_secs_f64() / count as f64 * 1e6)
    };
    let cold = time(launches.max(copies), copies)?;
    time(launches.min(10), 1)?;
    let warm = time(launches, 1)?;
    drop(waiting);
    resident_energy(report, &mut residents[0], &options, (shape.profiles, "profile"), (work, warm * 1e-3))?;
    Ok((cold, warm))
}

/// Bytes that a launch reads and writes at least.
fn traffic<R>(shape: &Shape, outputs: Wanted) -> usize {
    let ends = shape.angles * if outputs == Wanted::Emission { 2 } else { 3 };
    let levels = if outputs == Wanted::Levels { 2 * (shape.layers + 1) * shape.angles } else { 0 };
    shape.profiles * (2 * shape.layers + 2 + ends + levels) * size_of::<R>()
}

/// The published benchmark's random profiles.
fn random_profiles(shape: &Shape) -> Profiles<f64> {
    let (profiles, layers, angles) = (shape.profiles, shape.layers, shape.angles);
    let mut random = crate::random::Random::new(1);
    let mut values =
        |count: usize, low: f64, range: f64| -> Vec<f64> { (0..count).map(|_| low + range * random.unit()).collect() };
    Profiles {
        optical_depth: values(layers * profiles, 0.001, 0.5),
        planck_radiance: values(layers * profiles, 50.0, 200.0),
        surface_planck_radiance: values(profiles, 200.0, 100.0),
        emissivity: values(angles * profiles, 0.95, 0.05),
        cosmic_background: vec![0.0; profiles],
        ..Profiles::default()
    }
}

fn shapes(options: &AddingBench) -> Result<Vec<Shape>, Failure> {
    let Some(text) = &options.shape else {
        let published = PUBLISHED.iter().map(|&(name, profiles, layers, angles, us)| Shape {
            name: name.to_owned(),
            profiles,
            layers,
            angles,
            published: Some(us),
        });
        return Ok(published.collect());
    };
    let numbers: Vec<usize> = text.split('x').filter_map(|part| part.trim().parse().ok()).filter(|&n| n > 0).collect();
    let [profiles, layers, angles] = numbers[..] else {
        return Err(Failure::usage(format!("'{text}' is not a shape: write PROFILESxLAYERSxANGLES, as in 10000x60x6")));
    };
    Ok(vec![Shape { name: "yours".to_owned(), profiles, layers, angles, published: None }])
}
