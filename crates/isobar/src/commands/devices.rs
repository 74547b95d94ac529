//! `isobar devices`: the processors that can compute, and whether they give the same bits.

use clap::Args;
use isobar_core::Real;
use isobar_core::selftest::{ElementaryFunctions, FUNCTIONS, TeamSum};
use isobar_launch::{Device, Error, Plain, Queue, parse_devices};

use super::Failure;

/// Not a multiple of a warp, a block or a tile.
const ITEMS: usize = 100_003;

/// The options of `isobar devices`.
#[derive(Args, Debug)]
pub(crate) struct Devices {
    /// Compare every device with one CPU thread, bit for bit
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(options: &Devices) -> Result<(), Failure> {
    let devices = Device::list();
    for device in &devices {
        println!("{device}{}", if device.runs_kernels() { "" } else { ": too old for the kernels" });
    }
    match parse_devices("cuda:all") {
        Ok(_) => {}
        Err(Error::NotCompiledIn) => println!("cuda: not compiled in; build with `--features cuda`"),
        Err(Error::NoDriver { why }) => println!("cuda: NVIDIA's driver cannot be used: {why}"),
        Err(why) => println!("cuda: {why}"),
    }
    if !options.check {
        return Ok(());
    }
    let serial = Queue::new(Device::Cpu)?;
    let references = (results::<f32>(&serial)?, results::<f64>(&serial)?);
    let mut differences = 0;
    for device in devices.iter().filter(|device| device.runs_kernels()) {
        let queue = Queue::parallel(device.device)?;
        differences += compare("f32", device.device, &references.0, &results::<f32>(&queue)?);
        differences += compare("f64", device.device, &references.1, &results::<f64>(&queue)?);
    }
    match differences {
        0 => Ok(()),
        differences => Err(Failure::new(format!("{differences} results differ from those of one CPU thread"))),
    }
}

/// Says how many results differ from the reference, and returns it. A NaN is a NaN: processors give it different signs.
fn compare(precision: &str, device: Device, reference: &[f64], results: &[f64]) -> usize {
    let same = |a: &f64, b: &f64| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
    let differing = reference.iter().zip(results).filter(|(a, b)| !same(a, b)).count();
    println!(
        "{device} {precision}: {} elementary functions and sums, {differing} of {} results differ from one CPU thread",
        FUNCTIONS.len(),
        reference.len()
    );
    differing
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
