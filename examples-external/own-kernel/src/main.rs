//! Runs the kernel: `cargo run --release` on the CPU; `./ptx.sh && cargo run --release --features cuda -- cuda` on a
//! GPU.

use isobar_launch::{Device, Error, Ptx, Queue};
use precipitable_water::PrecipitableWater;

fn main() -> Result<(), Error> {
    let device: Device = std::env::args().nth(1).as_deref().unwrap_or("cpu").parse()?;
    let queue = Queue::parallel(device)?;
    if !device.is_cpu() {
        queue.load(Ptx::read("kernel.ptx")?)?;
    }
    // Many columns of 40 layers, level-fastest or item-fastest alike: here the column is the fastest index.
    let (columns, layers) = (100_000, 40);
    let humidity: Vec<f64> = (0..layers * columns).map(|i| 0.015 * 0.9_f64.powi((i / columns) as i32)).collect();
    let pressure: Vec<f64> = (0..=layers).flat_map(|level| vec![1e5 - 2e3 * level as f64; columns]).collect();
    let (humidity, pressure) = (queue.upload(&humidity)?, queue.upload(&pressure)?);
    let (mut water, mut statuses) = (queue.zeros(columns)?, queue.zeros(columns)?);
    let kernel = PrecipitableWater::<f64> {
        humidity: humidity.item_fastest(layers, columns),
        interface_pressure_pa: pressure.item_fastest(layers + 1, columns),
        water_kg_per_m2: water.item_fastest_mut(1, columns),
    };
    queue.launch(&kernel, &mut statuses)?;
    let water = queue.to_host(&water)?;
    println!("{device}: {:e} kg/m2, bits {:x}", water[0], water[columns - 1].to_bits());
    Ok(())
}
