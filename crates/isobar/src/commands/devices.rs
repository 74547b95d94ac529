//! `isobar devices`: the processors that can compute, and whether they give the same bits.

use clap::Args;
use isobar_core::Real;
use isobar_core::selftest::{ElementaryFunctions, FUNCTIONS, TeamSum};
use isobar_launch::{Device, DeviceInfo, Error, Plain, Queue, parse_devices};
use serde_json::{Value, json};

use crate::program::failure::Failure;
use crate::program::options::Json;

/// Not a multiple of a warp, a block or a tile.
const ITEMS: usize = 100_003;

/// The options of `isobar devices`.
#[derive(Args, Debug)]
pub(crate) struct Devices {
    /// Compare every device with one CPU thread, bit for bit
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    print: Json,
}

pub(crate) fn run(options: &Devices) -> Result<(), Failure> {
    let devices = Device::list();
    let no_cuda = match parse_devices("cuda:all") {
        Ok(_) => None,
        Err(Error::NotCompiledIn) => Some("not compiled in; build with `--features cuda`".to_owned()),
        Err(Error::NoDriver { why }) => Some(format!("NVIDIA's driver cannot be used: {why}")),
        Err(why) => Some(why.to_string()),
    };
    let mut found = json!({
        "devices": devices.iter().map(|device| {
            json!({ "device": device.device.to_string(), "name": device.to_string(), "usable": device.runs_kernels() })
        }).collect::<Vec<_>>(),
        "no_cuda": no_cuda,
    });
    if !options.print.json {
        for device in &devices {
            print_line!("{device}{}", if device.runs_kernels() { "" } else { ": too old for the kernels" });
        }
        no_cuda.iter().for_each(|why| print_line!("cuda: {why}"));
    }
    let outcome = if options.check { check(options, &devices, &mut found) } else { Ok(()) };
    if options.print.json {
        print_line!("{found}");
    }
    outcome
}

/// Compares every device with one CPU thread.
fn check(options: &Devices, devices: &[DeviceInfo], found: &mut Value) -> Result<(), Failure> {
    let serial = Queue::new(Device::Cpu)?;
    let references = (results::<f32>(&serial)?, results::<f64>(&serial)?);
    let mut differences = 0;
    let mut checks = Vec::new();
    for device in devices.iter().filter(|device| device.runs_kernels()) {
        let queue = Queue::parallel(device.device)?;
        let found = [("f32", &references.0, results::<f32>(&queue)?), ("f64", &references.1, results::<f64>(&queue)?)];
        for (precision, reference, results) in found {
            let differing = differing(reference, &results);
            differences += differing;
            let (device, all) = (device.device.to_string(), reference.len());
            if !options.print.json {
                print_line!(
                    "{device} {precision}: {} elementary functions and sums, {differing} of {all} results differ from \
                     one CPU thread",
                    FUNCTIONS.len()
                );
            }
            checks.push(json!({ "device": device, "precision": precision, "results": all, "differing": differing }));
        }
    }
    found["checks"] = checks.into();
    match differences {
        0 => Ok(()),
        differences => Err(Failure::new(format!("{differences} results differ from those of one CPU thread"))),
    }
}

/// How many results differ from the reference. A NaN is a NaN: processors give it different signs.
fn differing(reference: &[f64], results: &[f64]) -> usize {
    let same = |a: &f64, b: &f64| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
    reference.iter().zip(results).filter(|(a, b)| !same(a, b)).count()
}

/// Every elementary function and the sum of a warp, of numbers of all magnitudes.
fn results<R: Real + Plain>(queue: &Queue) -> Result<Vec<f64>, Error> {
    let (x, y) = (queue.upload(&numbers::<R>(1, ITEMS))?, queue.upload(&numbers::<R>(2, ITEMS))?);
    let mut functions = queue.zeros::<R>(FUNCTIONS.len() * ITEMS)?;
    let mut statuses = queue.zeros(ITEMS)?;
    let view = functions.item_fastest_mut(FUNCTIONS.len(), ITEMS);
    queue.launch(&ElementaryFunctions { x: x.column(), y: y.column(), results: view }, &mut statuses)?;

    let values = queue.upload(&numbers::<R>(3, 32 * ITEMS))?;
    let mut sums = queue.zeros::<R>(ITEMS)?;
    let view = sums.item_fastest_mut(1, ITEMS);
    queue.launch(&TeamSum { values: values.item_fastest(32, ITEMS), sums: view }, &mut statuses)?;

    let all = queue.to_host(&functions)?.into_iter().chain(queue.to_host(&sums)?);
    Ok(all.map(Real::value).collect())
}

/// Numbers between 1e-30 and 1e30 of either sign, half of them within 700 (SplitMix64).
fn numbers<R: Real>(seed: u64, count: usize) -> Vec<R> {
    let mut state = seed;
    let mut unit = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut number = || {
        let sign = if unit() < 0.5 { -1.0 } else { 1.0 };
        let size = if unit() < 0.5 { 700.0 } else { Real::powi(10.0, (unit() * 60.0) as i32 - 30) };
        R::from_f64(sign * size * unit())
    };
    (0..count).map(|_| number()).collect()
}
